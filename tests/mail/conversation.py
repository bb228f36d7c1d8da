"""Conversations by mail as files that people read: who writes what, every letter that goes out, and
how the table stands then.

Lines that begin with `>>>` are what somebody does, and with those below them all that is given; the
rest is made from it by the real server on a virtual calendar and compared. After a change that is
meant, look at what `python -m tests.mail.conversation --rewrite [NAME...]` makes of the files.

    >>> gert@example.org plays here [de Europe/Berlin]
                                    somebody with an account, an address, a language and a zone
    >>> gert makes cube-farm {...}  a table, as the site takes it; letters call it game 1, 2...
    >>> gert invites ann            to the table that was made last
    >>> ann writes [to the judge] [from x@example.org]
                                    the lines below: in answer to the last letter that asks for
                                    one, or of her own accord
    >>> cy plays MOVE               on the site
    >>> cy posts PATH {...}         anything else on the site, at the table
    >>> 3 days pass                 or hours
    >>> a letter to ann comes back
    >>> the bots look back          on all matches for which somebody has asked that, by a judge to
                                    whom every first move is the best

A line `Shown: ann` before the first step has the letters to others named only.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Fortune, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.mail.inbound.mailbox import Received
from openplan.mail.inbound.tokens import TOKEN
from openplan.mail.outbound import compose
from openplan.mail.outbound.transport import Transport
from openplan.server.mailing import sender
from openplan.server.notify import mailboxes
from openplan.server.ops.bot_pool import BotPool
from openplan.server.settings import SECRET_BYTES
from openplan.server.store import Tx
from openplan.server.tables.access import load
from tests.server.people import cheap_passwords
from tests.server.running import Client, Running, VirtualClock, running

FOLDER = Path(__file__).parent / "golden"
JUDGE = "orders@games.example"
START = 1_761_984_000_000_000  # 2025-11-01, 08:00 UTC
DEALS = {
    "human-resources": {
        "office": "P14d M06l P13l Q03d",
        "hand A": "P08l P01l M04l",
        "hand B": "P12l P03l P05d",
        "deck": "M08l P09d P04d M07d P04l P11d P15d P10l P08d M03l P07l P02d M04d P02l P01d M02d"
        " Q02l M05l M09l P09l P06l M09d P11l P03d M05d P06d P10d P05l Q01l P07d M07l M01l M02l M01d"
        " Q01d P12d P13d M08d M03d Q03l P15l Q02d M06d P14l",
        "start": "A",
    },
    "cube-farm": {
        "start": "4 3 2",
        "hand S": "31 40 52 49 45",
        "hand P": "12 7 17 51 28",
        "hand T": "21 24 19 8 22",
        "deck": "26 27 25 35 18 33 48 11 47 37 5 39 20 30 1 42 14 46 29 6 38 9 13 23 54 10 50 43 44"
        " 34 53 15 16 41 36 32",
    },
}
"""What is dealt: the files name cards in hand, and are not to be written anew when chance is."""
GIVEN = ">>> "
MADE = "<<< "


@dataclass
class Step:
    """What somebody does, with the lines below it, and what was made of it."""

    what: str
    lines: list[str] = field(default_factory=list)
    made: str = ""


def read_steps(text: str) -> tuple[str, list[Step]]:
    """What stands before the first step, and the steps."""
    head, *parts = re.split(rf"(?m)^{GIVEN}", text)
    steps = []
    for part in parts:
        given, mark, made = part.partition(f"\n{MADE}")
        what, *lines = given.rstrip("\n").split("\n")
        steps.append(Step(what, lines, f"{mark.lstrip()}{made}"))
    return head, steps


def written(head: str, steps: list[Step]) -> str:
    text = head
    for step in steps:
        text += "\n".join([f"{GIVEN}{step.what}", *step.lines, "", step.made.strip("\n")]).rstrip()
        text += "\n\n"
    return text.rstrip("\n") + "\n"


def _readers(names: str) -> frozenset[str]:
    found = [name.strip() for name in names.split(",")]
    if not all(re.fullmatch(r"\S+", name) for name in found):
        raise ValueError(f"`Shown:` has names with commas between them, not {names!r}")
    return frozenset(found)


def rewritten(file: Path) -> str:
    """The file as the program makes it now."""
    head, steps = read_steps(file.read_text("utf-8"))
    with office() as post:
        if shown := re.search(r"(?m)^Shown: (.*)$", head):
            post.readers = _readers(shown[1])
        for step in steps:
            step.lines = _stripped(step.lines)
            step.made = post.do(step)
    return written(head, steps)


def _stripped(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    return lines


@dataclass
class Sent:
    """A letter in a file."""

    to: str
    kind: str
    text: str


def letters_in(file: Path) -> list[Sent]:
    """All letters that went out, as text."""
    found = []
    for step in read_steps(file.read_text("utf-8"))[1]:
        for part in re.split(rf"(?m)^{MADE}", step.made):
            if head := re.match(r"letter to (\S+): (\S+)\n(?:[A-Z][A-Za-z-]+: .*\n)*\n", part):
                found.append(Sent(head[1], head[2], part[head.end() :]))
    return found


# -- Doing what a file says ------------------------------------------------------------------


class Carrier(Transport):
    def __init__(self) -> None:
        self.carried: list[EmailMessage] = []

    async def send(self, mail: bytes, sender: str, recipient: str, message_id: str) -> None:
        message = message_from_bytes(mail, policy=default)
        assert isinstance(message, EmailMessage)
        self.carried.append(message)


@contextmanager
def office() -> Iterator[Office]:
    """The server, with everything fixed that chance would choose, letters that are carried when
    something has happened, and bots that never come to think."""

    async def idle(_self: object) -> None:
        return

    def start(
        game: AnyGame, deck: Deck, house: Mapping[str, str], *, secret: str, **named: Any
    ) -> Match:
        deal = {label: tuple(cards.split()) for label, cards in DEALS[game.name].items()}
        return Match.from_deal(game, deck, house, deal, secret, **named)

    clock, carrier = VirtualClock(START), Carrier()
    with (
        TemporaryDirectory() as folder,
        patch.object(sender.Sender, "run", idle),
        patch.object(BotPool, "run", idle),
        patch.object(Match, "start", start),
        patch.object(compose, "as_png", lambda _: b""),
        cheap_passwords(),
    ):
        (Path(folder) / "secret").write_bytes(b"s" * SECRET_BYTES)
        site = ("https://games.example",)
        with running(Path(folder), now=clock, mail_address=JUDGE, origins=site) as server:
            server.site.sender.transport = carrier
            yield Office(server, clock, carrier)


@contextmanager
def fixed_judge(name: str) -> Iterator[None]:
    """Whoever judges here better or worse one day, the letters stay as they were read."""
    game = type(game_named(name))

    def fortunes(_: AnyGame, before: Any, after: Any) -> list[Fortune]:
        is_first = before is not None and before.table.actor == 0
        return [Fortune(Seat(0), "P09d", 1.25, 3)] if is_first else []

    def search(self: AnyGame, view: Any, *_: Any) -> list[tuple[Any, float]]:
        return [(move, 0.6) for move in self.moves(view)[:2]]

    with (
        patch.object(game, "evaluator", "fixed"),
        patch.object(game, "search", search),
        patch.object(game, "judge", lambda *_: [0.6, 0.45]),
        patch.object(game, "fortunes", fortunes),
    ):
        yield


class Office:
    def __init__(self, server: Running, clock: VirtualClock, carrier: Carrier) -> None:
        self.server, self.clock, self.carrier = server, clock, carrier
        self.people: dict[str, Client] = {}
        self.tables: list[str] = []
        self.mails = 0
        self.readers: frozenset[str] = frozenset()
        self.moves = 0

    def do(self, step: Step) -> str:
        before = len(self.carrier.carried)
        for pattern, act in _STEPS:
            if found := re.fullmatch(pattern, step.what):
                outcome = act(self, step, *found.groups())
                break
        else:
            raise AssertionError(f"what is {step.what!r}?")
        self.carry()
        made = [outcome] if outcome else []
        made += [self.shown(mail) for mail in self.carrier.carried[before:]]
        return "\n".join([*made, self.state()])

    # What can be done.

    def person(self, _: Step, address: str, language: str | None, zone: str | None) -> None:
        name = address.partition("@")[0]
        client = self.people[name] = self.server.client()
        client.ok(
            "POST",
            "/api/session/sign-up",
            {"login": f"{name}-login", "password": "a long phrase", "name": name.capitalize()},
        )
        wish = {"language": language, "zone": zone, "wishes": {"message": True}}
        client.ok("PATCH", "/api/me", {key: value for key, value in wish.items() if value})
        ident = client.ok("GET", "/api/me")["id"]
        self.write("UPDATE users SET email = ? WHERE id = ?", address, ident)

    def table(self, _: Step, name: str, game: str, wish: str) -> None:
        body = {"game": game, **json.loads(wish)}
        self.tables.append(self.people[name].ok("POST", "/api/tables", body)["id"])

    def invite(self, _: Step, name: str, guest: str) -> None:
        path = f"/api/tables/{self.tables[-1]}/invite"
        self.people[name].ok("POST", path, {"email": f"{guest}@example.org"})

    def mail(self, step: Step, name: str, to: str | None, sender: str | None) -> str:
        address = f"{name}@example.org"
        last = [
            letter
            for letter in self.carrier.carried
            if letter["Reply-To"] and letter["To"] == (sender or address)
        ]
        if not to and not last:
            who = sender or address
            raise ValueError(f"{who} has no letter to answer; try `{name} writes to the judge`")
        reply = JUDGE if to else last[-1]["Reply-To"]
        self.mails += 1
        head = [
            f"From: {sender or address}",
            f"To: {reply}",
            f"Message-ID: <{self.mails}@example.org>",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
        ]
        content = "\r\n".join([*head, "", *step.lines, ""]).encode()
        mail = Received(content, sender or address, [reply])
        self.server.run(self.server.site.inbox.receive(mail))
        # A mail may open a table.
        store = self.server.site.store
        made = store.read(lambda tx: tx.rows(str, "SELECT table_id FROM mail_tables ORDER BY id"))
        self.tables = self.server.run(made)
        return ""

    def play(self, _: Step, name: str, move: str) -> None:
        client, table = self.people[name], self.tables[-1]
        self.moves += 1
        version = client.ok("GET", f"/api/tables/{table}")["version"]
        client.play(table, move, version, f"m{self.moves}")

    def post(self, _: Step, name: str, path: str, body: str | None) -> None:
        asked = json.loads(body) if body else None
        self.people[name].ok("POST", f"/api/tables/{self.tables[-1]}{path}", asked)

    def wait(self, _: Step, count: str, unit: str) -> None:
        end = self.clock.at + int(count) * {"day": 86_400, "hour": 3_600}[unit] * 1_000_000
        while True:
            due = self.server.run(self.server.site.store.read(_next_due))
            if due is None or due > end:
                break
            self.clock.at = max(self.clock.at, due)
            self.server.run(self.server.site.look_at_clocks())
            self.carry()
        self.clock.at = end

    def bounce(self, _: Step, name: str) -> None:
        address = f"{name}@example.org"
        letter = [mail for mail in self.carrier.carried if mail["To"] == address][-1]
        report = [
            "From: mailer-daemon@example.org",
            f"To: {JUDGE}",
            "Message-ID: <bounce@example.org>",
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
            "",
            "--b",
            "Content-Type: message/delivery-status",
            "",
            "Status: 5.1.1",
            "",
            "--b",
            "Content-Type: text/rfc822-headers",
            "",
            f"Message-ID: {letter['Message-ID']}",
            "",
            "--b--",
            "",
        ]
        mail = Received("\r\n".join(report).encode(), "", [JUDGE])
        self.server.run(self.server.site.inbox.receive(mail))

    def look_back(self, _: Step) -> None:
        kind = self.server.site.bots._spare[0]
        with fixed_judge("human-resources"):
            while (under_way := self.server.run(kind.next())) is not None:
                judge, some = under_way.part()
                under_way.takes(judge(some))
                self.server.run(kind.note(under_way))

    def last_reading(self, _: Step) -> None:
        def work(tx: Tx) -> None:
            mailboxes.use(tx, "judge")
            mailboxes.note_read(tx, "judge", self.clock.at)

        self.server.run(self.server.site.store.transact(work))

    # What comes of it.

    def carry(self) -> None:
        while self.server.run(self.server.site.sender.carry()):
            pass

    def shown(self, mail: EmailMessage) -> str:
        body = mail.get_body(("plain",))
        assert body is not None
        text = body.get_content().replace("\r\n", "\n").rstrip("\n")
        head = [
            f"{MADE}letter to {mail['To'].partition('@')[0]}: {mail['X-Openplan-Letter']}",
            f"Subject: {mail['Subject']}",
        ]
        if self.readers and mail["To"].partition("@")[0] not in self.readers:
            return "\n".join([*head, ""])
        if mail["Reply-To"]:
            head.append(f"Reply-To: {mail['Reply-To']}")
        return self.fixed("\n".join([*head, "", text, ""]))

    def fixed(self, text: str) -> str:
        """Without what chance chose: the proof in a token, the names of tables in links."""
        text = re.sub(
            rf"(?i)(?<![a-z0-9-])({TOKEN})", lambda found: found[1][:-26] + "x" * 26, text
        )
        text = re.sub(r"/table/[\w-]+(\?invite=[\w-]+)?", "/table/...", text)
        return re.sub(r"(/letter/[a-z-]+#)\S+", r"\1...", text)

    def state(self) -> str:
        """The tables as they are, with what is sealed."""
        lines = [f"{MADE}{_time(self.clock.at)}"]
        store = self.server.site.store
        for number, table in enumerate(self.tables, 1):
            lines += self.server.run(store.transact(partial(self._state, number, table)))
        return "\n".join([*lines, ""])

    def _state(self, number: int, table: str, tx: Tx) -> list[str]:
        place = load(tx, table, None)
        assert place is not None
        title = f"game {number}: {place.game.name}, {place.row.state}"
        if place.row.deal is None:
            seats = zip(place.game.seats, place.seats, strict=True)
            return [title, *(f"  {code} {row.name or '-'}" for code, row in seats)]
        with self.server.site.writers.timed(tx, place.row) as timed:
            match = timed.match
            title += f", entries {match.ply}, {'paused' if match.paused else 'running'}"
            turn = match.game.turn_number(match.view(None))
            lines = [title if turn is None else f"{title}, turn {turn}"]
            for seat, code in enumerate(match.game.seats):
                held = match.game.held(match.view(Seat(seat)))
                said = "" if held is None else f" {match.game.format_move(match.deck, held)}"
                acts = " awaited" if seat in match.awaited else ""
                lines.append(f"  {code} {match.names[seat]}:{acts}{said}".rstrip())
            if match.outcome is not None:
                lines.append(f"  result {match.outcome.points}")
        return lines

    def write(self, sql: str, *given: Any) -> None:
        self.server.run(self.server.site.store.transact(lambda tx: tx.execute(sql, *given)))


def _next_due(tx: Tx) -> int | None:
    return tx.row(int, "SELECT MIN(due_at) FROM deadlines")


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at // 1_000_000, UTC):%Y-%m-%d %H:%M} UTC"


_STEPS: list[tuple[str, Any]] = [
    (r"(\S+@\S+) plays here(?: ([a-z]{2}))?(?: (\S+/\S+))?", Office.person),
    (r"(\S+) makes (\S+) (.*)", Office.table),
    (r"(\S+) invites (\S+)", Office.invite),
    (r"(\S+) writes( to the judge)?(?: from (\S+))?", Office.mail),
    (r"(\S+) plays (.+)", Office.play),
    (r"(\S+) posts (\S+)(?: (.*))?", Office.post),
    (r"(\d+) (day|hour)s? pass(?:es)?", Office.wait),
    (r"a letter to (\S+) comes back", Office.bounce),
    (r"the bots look back", Office.look_back),
    (r"the mailbox is read for the last time", Office.last_reading),
]


def main(arguments: list[str]) -> None:
    names = [name for name in arguments if not name.startswith("--")]
    files = [FOLDER / f"{name}.txt" for name in names] or sorted(FOLDER.glob("*.txt"))
    for file in files:
        now = rewritten(file)
        same = now == file.read_text("utf-8")
        if "--rewrite" in arguments and not same:
            file.write_text(now, encoding="utf-8")
        print(f"{file.stem}: {'as it is' if same else 'differs'}")


if __name__ == "__main__":
    main(sys.argv[1:])
