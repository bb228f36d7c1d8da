"""A whole game of three by mail and on the site, over months, on real sockets and a real process:
invited, joined, ordered, missed, forged, doubled, away, replaced, killed; and the right result."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from openplan.bots import bot_named
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.mail.inbound.mailbox import MailListener, Received
from openplan.server.store import Tx, open_store, path_of
from tests.ports import own_port
from tests.server.running import Client, is_ready

T = TypeVar("T")

JUDGE = "orders@games.example"
DAY = 86_400_000_000
START = 1_761_984_000_000_000  # 2025-11-01, 08:00 UTC


class Catcher:
    """A real SMTP server that keeps what it is handed."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name="catcher")
        self._thread.start()
        assert self._ready.wait(20)

    def _run(self) -> None:
        self._loop.run_until_complete(self._serve())
        self._loop.close()

    async def _serve(self) -> None:
        listener = MailListener(self._take, lambda _: True, lmtp=False)
        self.port = await listener.open("127.0.0.1", 0)
        self._ready.set()
        await self._stop.wait()
        await listener.close()

    async def _take(self, mail: Received) -> None:
        message = message_from_bytes(mail.content, policy=default)
        assert isinstance(message, EmailMessage)
        self.mails.append((mail.recipients[0], message))

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)

    def last(self, to: str, kind: str, *, after: int = 0) -> EmailMessage:
        """The newest letter of a kind to somebody, waited for."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = [
                mail
                for reader, mail in self.mails[after:]
                if reader == to and mail["X-Openplan-Letter"] == kind
            ]
            if found:
                return found[-1]
            time.sleep(0.05)
        kinds = [(reader, mail["X-Openplan-Letter"]) for reader, mail in self.mails]
        raise AssertionError(f"no {kind} to {to} in {kinds}")


class Server:
    """`openplan serve` with our calendar; killed and started again at will."""

    def __init__(self, folder: Path, database: str, smtp_port: int) -> None:
        self.folder = folder
        self.database = database
        self.clock = folder / "clock"
        self.set_time(START)
        self.port, self.lmtp = own_port(), own_port()
        self.settings = folder / "settings.json"
        self.settings.write_text(
            json.dumps(
                {
                    "data": str(folder / "data"),
                    "database": database,
                    "clock": str(self.clock),
                    "port": self.port,
                    "lmtp_port": self.lmtp,
                    "mail_address": JUDGE,
                    "smtp_host": "127.0.0.1",
                    "smtp_port": smtp_port,
                    "smtp_security": "none",
                }
            )
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def now(self) -> int:
        return int(self.clock.read_text())

    def set_time(self, at: int) -> None:
        half = self.clock.with_suffix(".part")
        half.write_text(str(at))
        half.rename(self.clock)  # never read half written

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.calendar", str(self.settings)]
        )
        end = time.monotonic() + 60
        while True:
            assert self.process.poll() is None, "the server has gone"
            if is_ready(self.port):
                with suppress(OSError), socket.create_connection(("127.0.0.1", self.lmtp), 1):
                    return
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.05)

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(20)
        self.start()

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(20)

    def deliver(self, mail: bytes, sender: str, recipient: str) -> None:
        with smtplib.LMTP("127.0.0.1", self.lmtp, timeout=30) as client:
            assert client.sendmail(sender, [recipient], mail) == {}

    def read(self, work: Callable[[Tx], T]) -> T:
        async def go() -> T:
            store = open_store(self._readable())
            try:
                return await store.read(work)
            finally:
                await store.close()

        return asyncio.run(go())

    def _readable(self) -> str:
        """A file of SQLite is open in the server, so it is read from a copy."""
        path = path_of(self.database)
        if path is None:
            return self.database
        copy = self.folder / "copy"
        copy.mkdir(exist_ok=True)
        for suffix in ("", "-wal"):
            source = path.with_name(path.name + suffix)
            (copy / source.name).write_bytes(source.read_bytes() if source.exists() else b"")
        return f"sqlite:///{copy / path.name}"


_numbers = count(1)


def reply(letter: EmailMessage, sender: str, lines: list[str]) -> bytes:
    """As a mail program would: to where the letter asks, with the letter quoted below."""
    body = letter.get_body(("plain",))
    assert body is not None
    quoted = "".join(f"> {line}\r\n" for line in body.get_content().splitlines())
    head = [
        f"From: {sender}",
        f"To: {letter['Reply-To'] or JUDGE}",
        f"Subject: Re: {letter['Subject']}".encode("ascii", "replace").decode(),
        f"Message-ID: <{next(_numbers)}@example.org>",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    ]
    text = [*head, "", "BEGIN", *lines, "END", "", "On some day the judge wrote:"]
    return ("\r\n".join(text) + "\r\n" + quoted).encode()


@contextmanager
def post_office(folder: Path, database: str) -> Iterator[tuple[Server, Catcher]]:
    catcher = Catcher()
    try:
        server = Server(folder, database, catcher.port)
        try:
            yield server, catcher
        finally:
            server.close()
    finally:
        catcher.close()


class Game:
    """One table and who sits at it."""

    def __init__(self, server: Server, catcher: Catcher) -> None:
        self.server, self.catcher, self.rng = server, catcher, Random(7)
        self.clients: list[Client] = []
        self.master, self.cy = (self.browser(name) for name in ("Gert", "Cy"))
        self.orders: list[tuple[str, Any, str]] = []
        """What was sent in which order: the seat, and the text; `deadline` where one passed."""
        wish = {
            "game": "cube-farm",
            "seats": [{"kind": "open"}] * 3,
            "clock": {"kind": "days", "days": 14, "grace": 24},
            "public": True,
        }
        self.id = self.master.ok("POST", "/api/tables", wish)["id"]
        self.at = f"/api/tables/{self.id}"

    def browser(self, name: str) -> Client:
        client = Client(f"127.0.0.1:{self.server.port}")
        self.clients.append(client)
        account = {"login": f"{name.lower()}-by-mail", "password": "a long phrase", "name": name}
        client.ok("POST", "/api/session/sign-up", account)
        return client

    def close(self) -> None:
        for client in self.clients:
            client.http.close()

    def match(self) -> Match:
        """The match as it stands in the database, with all that is hidden."""

        def work(tx: Tx) -> Match:
            from openplan.server.tables.access import load
            from openplan.server.tables.match_cache import MatchCache

            place = load(tx, self.id, None)
            assert place is not None
            with MatchCache().timed(tx, place.row) as timed:
                return timed.match

        return self.server.read(work)

    def seat_of(self, name: str) -> Seat:
        return Seat(self.match().names.index(name))

    def good_orders(self, seat: Seat) -> str:
        match = self.match()
        move = bot_named("greedy").choose(match.game, match.view(seat), self.rng)
        return match.game.format_move(match.deck, move)

    def mail_orders(self, name: str, address: str, letter: EmailMessage) -> bytes:
        seat = self.seat_of(name)
        text = self.good_orders(seat)
        said = ["READY"] if self.is_unfinished(seat, text) else []
        mail = reply(letter, address, [*(part.strip() for part in text.split(";")), *said])
        self.server.deliver(mail, address, letter["Reply-To"])
        self.orders.append(("move", seat, text))
        return mail

    def site_orders(self, client: Client, name: str) -> None:
        seat = self.seat_of(name)
        text = self.good_orders(seat)
        version = client.ok("GET", self.at)["version"]
        client.play(self.id, text, version, f"s{next(_numbers)}")
        self.orders.append(("move", seat, text))

    def is_unfinished(self, seat: Seat, text: str) -> bool:
        """In one game of twenty the bot finds no good place for somebody. By mail such orders
        are saved and not ready, and the turn would wait for its deadline."""
        match = self.match()
        move = match.game.parse_move(match.deck, text)
        return bool(match.game.unordered(match.view(seat), move))

    def turns(self) -> int:
        return sum(entry.kind in ("adjudicate", "deadline") for entry in self.match().log)

    def wait_for_turns(self, number: int) -> None:
        end = time.monotonic() + 60
        while self.turns() < number:
            assert time.monotonic() < end, f"turn {number} is not over"
            time.sleep(0.1)

    def due(self) -> int:
        due: int = self.cy.ok("GET", self.at)["clocks"][0]["due"]
        return due


ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.mark.timeout(300)
@pytest.mark.long
def test_three_play_a_whole_game_over_months(tmp_path: Path, store_url: str) -> None:
    """On PostgreSQL up to the first kill: what comes after tries nothing else of a database."""
    with post_office(tmp_path, store_url) as (server, catcher), ExitStack() as stack:
        game = stack.enter_context(closing(Game(server, catcher)))

        # Two are invited by mail, one comes by the site; the first answers in her own words.
        for address in (ANN, BOB):
            game.master.ok("POST", f"{game.at}/invite", {"email": address})
            letter = catcher.last(address, "invitation")
            server.deliver(reply(letter, address, ["join"]), address, letter["Reply-To"])
            assert "you have a seat" in _text(catcher.last(address, "answer"))
        game.cy.ok("POST", f"{game.at}/join", {})
        ann, bob = catcher.last(ANN, "welcome"), catcher.last(BOB, "welcome")
        assert "Your hand" in _text(ann)

        # Turn 1: a forged mail does nothing, a mail that comes twice counts once.
        forged = reply(ann, ANN, ["1: nothing", "RESIGN S"])
        forged = re.sub(rb"orders\+[^@\s]+@", b"orders@", forged)
        forged = re.sub(rb"> BEGIN [^\r\n]+", b"> BEGIN", forged)
        server.deliver(forged, ANN, JUDGE)
        assert game.match().ply == 0
        mail = game.mail_orders("ann", ANN, ann)
        assert game.match().ply == 1
        answers = len(catcher.mails)
        server.deliver(mail, ANN, ann["Reply-To"])
        assert game.match().ply == 1
        game.mail_orders("bob", BOB, bob)
        game.site_orders(game.cy, "Cy")
        game.wait_for_turns(1)
        game.orders.append(("adjudicate", None, ""))

        # Turn 2: Bob does not write. He is reminded, the others wait, and the turn goes on.
        ann = catcher.last(ANN, "report", after=answers)
        game.mail_orders("ann", ANN, ann)
        game.site_orders(game.cy, "Cy")
        seen = len(catcher.mails)
        due = game.due()
        for at, kind in ((due - DAY + 1, "reminder"), (due + 1, "late")):
            server.set_time(at)
            assert _text(catcher.last(BOB, kind, after=seen))
        server.set_time(due + DAY + 3_600_000_000)
        game.wait_for_turns(2)
        assert game.match().log[-1].kind == "deadline"
        game.orders.append(("deadline", None, ""))
        bob = catcher.last(BOB, "report", after=seen)

        # Turn 3: Ann is away, and the deadline moves. The server is killed with orders in it.
        ann = catcher.last(ANN, "report", after=seen)
        before = game.due()
        first = time.strftime("%Y-%m-%d", time.gmtime(before // 1_000_000 - 86_400))
        last = time.strftime("%Y-%m-%d", time.gmtime(before // 1_000_000 + 3 * 86_400))
        away = reply(ann, ANN, [f"ABSENCE {first} to {last}"])
        server.deliver(away, ANN, ann["Reply-To"])
        assert game.due() > before + 3 * DAY
        seen = len(catcher.mails)
        game.mail_orders("ann", ANN, ann)
        ply = game.match().ply
        server.kill()
        assert game.match().ply == ply
        server.deliver(away, ANN, ann["Reply-To"])  # a mail server that saw no answer sends again
        game.mail_orders("bob", BOB, bob)
        game.site_orders(game.cy, "Cy")
        game.wait_for_turns(3)
        game.orders.append(("adjudicate", None, ""))
        if path_of(store_url) is None:
            assert game.match().view(None) == _by_hand(game.match(), game.orders).view(None)
            return

        # Turn 4: Bob's seat goes to Dan, who stands by. An old token opens nothing any more.
        bob_letter = catcher.last(BOB, "report", after=seen)
        bob_seat = game.seat_of("bob")
        dan = game.browser("Dan")
        dan.ok("POST", f"{game.at}/standby", {"is_on": True})
        code = game.match().game.seats[bob_seat]
        game.master.ok("POST", f"{game.at}/master/eject", {"seat": code, "then": "open"})
        if dan.ok("GET", game.at)["you"] is None:
            game.master.ok("POST", f"{game.at}/master/seat", {"seat": code})
        assert dan.ok("GET", game.at)["you"] == code
        ply = game.match().ply
        old = reply(bob_letter, BOB, ["1: nothing"])
        server.deliver(old, BOB, bob_letter["Reply-To"])
        assert game.match().ply == ply
        ann = catcher.last(ANN, "report", after=seen)
        seen = len(catcher.mails)
        game.mail_orders("ann", ANN, ann)
        game.site_orders(dan, "Dan")
        server.kill()
        game.site_orders(game.cy, "Cy")
        game.wait_for_turns(4)
        game.orders.append(("adjudicate", None, ""))

        # Turn 5, and the result.
        ann = catcher.last(ANN, "report", after=seen)
        game.mail_orders("ann", ANN, ann)
        game.site_orders(dan, "Dan")
        game.site_orders(game.cy, "Cy")
        result = catcher.last(ANN, "result", after=seen)
        game.orders.append(("adjudicate", None, ""))

        match = game.match()
        assert match.outcome is not None
        kinds = [entry.kind for entry in match.log if entry.kind in ("adjudicate", "deadline")]
        assert kinds == ["adjudicate", "deadline", "adjudicate", "adjudicate", "adjudicate"]
        by_hand = _by_hand(match, game.orders).outcome
        assert by_hand is not None
        assert match.outcome.points == by_hand.points
        assert "The game is over." in _text(result)
        for points in match.outcome.points:
            assert str(points) in _text(result)
        _nothing_leaked(catcher, match)


def _text(letter: EmailMessage) -> str:
    body = letter.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return " ".join(text.split())


def _by_hand(played: Match, orders: list[tuple[str, Any, str]]) -> Match:
    """The same deal and the same orders given to the engine."""
    assert played.deal is not None
    match = Match.from_deal(
        played.game, played.deck, played.house, played.deal, played.salt, added=played.added
    )
    for kind, seat, text in orders:
        if kind == "move":
            match.submit(seat, text)
        elif kind == "deadline":
            match.enter("deadline", None, "")
    return match


def _nothing_leaked(catcher: Catcher, match: Match) -> None:
    """Two who wrote by mail never read each other's orders before these were opened: a letter with
    a line of orders in it is a report, which everybody gets, or one's own answer."""
    for reader, letter in catcher.mails:
        if letter["X-Openplan-Letter"] in ("reminder", "late", "others-late", "press", "master"):
            for entry in match.log:
                if entry.kind == "move" and entry.text != "nothing":
                    assert entry.text not in _text(letter), reader
