"""The mailroom: mail comes in by IMAP, LMTP, SMTP or a folder, is judged and answered.

Each mail is one transaction. What cannot be kept stays where it came from and comes again; a mail
that comes twice is obeyed once.
"""

from __future__ import annotations

import asyncio
import base64
import os
import secrets
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog

from openplan.core.game import GameError
from openplan.mail.answers import answer, forecast, history
from openplan.mail.compose import Dkim, signed
from openplan.mail.grammar import help_lines
from openplan.mail.items import Command
from openplan.mail.judge import Judgement, judge
from openplan.mail.letter import Block, Heading, Plain, Words
from openplan.mail.letters import Reader, draw_hand, draw_table
from openplan.mail.mailbox import MAX_MAIL, ImapSettings, Listener, Mailbox, MailboxError, Received
from openplan.mail.pictures import print_letters
from openplan.mail.post import Bearer, Role
from openplan.mail.tokens import SEAT, Claim, make_token
from openplan.mail.transport import Smtp, Undelivered
from openplan.server import letters, master, turns
from openplan.server.clock import is_adjudicated
from openplan.server.judging import Due, House
from openplan.server.place import find
from openplan.server.postman import dkim_of, note_bounce, transport_of
from openplan.server.reports import facts_of, last_letters, table_named, turn_of
from openplan.server.settings import Settings, load_secret
from openplan.server.shelf import Shelf
from openplan.server.store import Store, StoreError, Tx
from openplan.server.tables import public_tables

if TYPE_CHECKING:
    from openplan.server.site import Site

POLL_SECONDS: Final = 60.0
LONGEST_WAIT: Final = 1800.0
"""Between looks into a mailbox that cannot be read."""
SPOOL_SECONDS: Final = 1.0
ASIDE: Final = "unjudged"
"""The folder for mail on which this program fails."""
TRIES: Final = 5
"""Deadlines that are entered before a mail is given up for now."""

log = structlog.get_logger()


class Mailroom:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._listeners: list[Listener] = []
        self.spool = site.settings.data / "spool"

    async def open(self) -> None:
        settings = self._site.settings
        for port, lmtp in ((settings.lmtp_port, True), (settings.smtpd_port, False)):
            if port:
                listener = Listener(self.receive, settings.is_mail_address, lmtp=lmtp)
                await listener.open(settings.host, port)
                self._listeners.append(listener)

    async def close(self) -> None:
        for listener in self._listeners:
            await listener.close()

    async def run(self) -> None:
        """A mailbox that does not answer holds up nothing that comes another way."""
        box = _mailbox(self._site.settings)
        watched = [self._watch_spool()] if box is None else [self._watch_spool(), self._watch(box)]
        await asyncio.gather(*watched)

    async def _watch_spool(self) -> None:
        while True:
            with suppress(StoreError, OSError):  # it will still be there
                await self.empty_spool()
            await asyncio.sleep(SPOOL_SECONDS)

    async def _watch(self, box: Mailbox) -> None:
        """Every minute; each time later, as long as it cannot be read."""
        settings, wait = self._site.settings, POLL_SECONDS
        at = f"{settings.imap_user} at {settings.imap_host}"
        while True:
            try:
                await box.poll(self._take)
                if wait > POLL_SECONDS:
                    log.info("the mailbox can be read again", mailbox=at)
                wait = POLL_SECONDS
                pause = wait
            except MailboxError as error:
                pause, wait = wait, min(2 * wait, LONGEST_WAIT)
                log.warning(
                    "the mailbox cannot be read", mailbox=at, reason=str(error), again_in=pause
                )
            except (StoreError, OSError) as error:  # what was not kept is still unread
                log.warning("mail waits in its box", mailbox=at, reason=str(error))
                pause = POLL_SECONDS
            await asyncio.sleep(pause)

    async def empty_spool(self) -> int:
        """Take what a mail server has put into the folder; how much it was."""
        taken = 0
        for file in spooled(self.spool):
            await self._take(Received(file.read_bytes()[: MAX_MAIL + 1]))
            file.unlink(missing_ok=True)
            taken += 1
        return taken

    async def _take(self, mail: Received) -> None:
        """Judge a mail whose sender cannot be told to come again. One on which this program fails
        is laid aside, so that it holds up no other and is not lost."""
        try:
            await self.receive(mail)
        except StoreError:
            raise
        except Exception:
            file = await asyncio.to_thread(spool, self._site.settings.data / ASIDE, mail.content)
            log.exception("a mail cannot be judged and is laid aside", file=file.name)

    async def receive(self, mail: Received) -> None:
        """Judge one mail, answer it and keep both. Raises if it cannot be kept now."""
        await self.judge(mail)

    async def judge(
        self, mail: Received, check: Callable[[Tx, Judgement], None] | None = None
    ) -> Judgement:
        """The same. `check` belongs to the transaction: if it refuses, nothing has happened."""
        site = self._site

        def work(tx: Tx) -> Judgement:
            judgement = self._judge(tx, mail)
            if check is not None:
                check(tx, judgement)
            return judgement

        for _ in range(TRIES):
            try:
                return await site.store.transact(work)
            except Due as due:
                await site.expire(due.table)
        raise StoreError("deadlines did not settle")

    def _judge(self, tx: Tx, mail: Received) -> Judgement:
        site = self._site
        house = House(tx, site.writers, site.secret, site.now())
        judgement = judge(mail.content, house, mail.recipients, mail.sender)
        who = judgement.who
        # Who wrote and what was done: never what was written.
        log.info("a mail was judged", silence=judgement.silence, acted=judgement.has_acted)
        bounce = judgement.mail.bounce
        if bounce is not None and bounce.is_lasting:
            for letter in bounce.letters:
                note_bounce(tx, letter, bounce.status)
        if who is not None:
            if who.role is not Role.KNOWN:  # has shown what was in a letter of ours: those arrive
                letters.arrives(tx, who.person)
            Answering(house, judgement, who, site).post()
        return judgement


def _mailbox(settings: Settings) -> Mailbox | None:
    if not settings.imap_host:
        return None
    return Mailbox(
        ImapSettings(
            settings.imap_host,
            settings.imap_user,
            settings.imap_password,
            settings.imap_port,
            settings.imap_security,
            settings.imap_folder,
        )
    )


# -- For the one who runs the site -----------------------------------------------------------


async def check_mail(settings: Settings) -> list[tuple[str, str]]:
    """Each part of the set-up with what is wrong with it, if anything."""
    found = [("address", "" if settings.mail_address else "not set: nobody can write to the judge")]
    transport = transport_of(settings)
    if isinstance(transport, Smtp):
        found.append(("smtp", await _trouble(transport.check())))
    else:
        found.append(("letters", _folder_trouble(settings.data / "letters")))
    box = _mailbox(settings)
    if box is not None:
        found.append(("imap", await _trouble(box.check())))
    for name, port in (("lmtp", settings.lmtp_port), ("smtpd", settings.smtpd_port)):
        if port:
            found.append((name, "" if settings.mail_address else "needs mail_address"))
    if settings.dkim_key:
        try:
            signed(b"From: a@b.example\r\n\r\nx\r\n", _needed(dkim_of(settings)))
            found.append(("dkim", ""))
        except Exception as error:  # noqa: BLE001 - whatever a key file can be
            found.append(("dkim", str(error) or type(error).__name__))
    return found


def _needed(dkim: Dkim | None) -> Dkim:
    assert dkim is not None
    return dkim


async def _trouble(check: Coroutine[Any, Any, object]) -> str:
    try:
        await check
    except (Undelivered, MailboxError) as error:
        return str(error)
    return ""


def _folder_trouble(folder: Path) -> str:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return f"{folder} cannot be made: {error.strerror}"
    return "" if os.access(folder, os.W_OK) else f"{folder} cannot be written"


async def print_turn(store: Store, settings: Settings, table: str, seat: str) -> str:
    """The last letters of a table's seats as a PDF, in base64."""
    secret, shelf = load_secret(settings.data), Shelf()
    found = await store.transact(
        lambda tx: last_letters(tx, shelf, secret, settings.address, table, seat)
    )
    pdf = await asyncio.to_thread(print_letters, found)
    return base64.b64encode(pdf).decode()


async def act_print(site: Site, asked: Mapping[str, Any]) -> str:
    """The same, asked of a running server."""
    return await print_turn(site.store, site.settings, str(asked["table"]), str(asked["seat"]))


# -- The folder ------------------------------------------------------------------------------


def spool(folder: Path, content: bytes) -> Path:
    """Put a mail where the server finds it, now or when it starts. On return it is on the disk."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    half = folder / f".{secrets.token_hex(8)}"
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    whole = folder / f"{half.name[1:]}.eml"
    half.rename(whole)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return whole


def spooled(folder: Path) -> list[Path]:
    """What waits there, the oldest first."""
    if not folder.is_dir():
        return []
    return sorted(folder.glob("*.eml"), key=lambda file: (file.stat().st_mtime_ns, file.name))


# -- Answers ---------------------------------------------------------------------------------


class Answering:
    """The answer to one mail, and what it encloses."""

    def __init__(self, house: House, judgement: Judgement, who: Bearer, site: Site) -> None:
        self._house = house
        self._judgement = judgement
        self._who = who
        self._site = site
        # A master who became a player still reads the answer as the master.
        self._reader = Reader(who.seat if who.role is Role.SEAT else None, "", who.language)

    def post(self) -> None:
        house, who, reader = self._house, self._who, self._reader
        match = table = None
        title, reply_to = "Open Plan", ""
        if who.role in (Role.SEAT, Role.MASTER) and house.place(who).row.deal is not None:
            place = house.place(who)
            match, title = house.match(who), place.game.title
            reader = self._with_token(turn_of(match))
            reply_to = self._site.settings.reply_address(reader.token)
            times = self._times()
            table = facts_of(house.tx, place, match, times, who.person, self._site.settings.address)
        enclosed = [block for ask in self._judgement.asks for block in self._enclosed(ask)]
        letter = answer(self._judgement, title, match, table, reader, enclosed)
        letters.post_whole(
            house.tx,
            who.person,
            letter,
            house.now,
            table=house.place(who).id if who.table else None,
            reply_to=reply_to,
            answers=self._judgement.mail.name if "@" in self._judgement.mail.name else "",
        )

    def _with_token(self, turn: int) -> Reader:
        who, reader = self._who, self._reader
        role = "m" if who.role is Role.MASTER else SEAT
        claim = Claim(who.table, role, who.seat if role == SEAT else None, turn)
        token = make_token(self._house.key, claim, who.person)
        return Reader(reader.seat, token, reader.language)

    def _times(self) -> dict[str, int]:
        house = self._house
        place = house.place(self._who)
        with house.shelf.sitting(house.tx, place.row) as sitting:
            turn = turns.current(house.tx, place, sitting)
        return {} if turn is None else {"due": turn.due_at}

    def _enclosed(self, ask: Command) -> Iterator[Block]:
        asks: dict[str, Callable[[Command], Iterator[Block]]] = {
            "HELP": self._help,
            "LIST": self._list,
            "GAME": self._game,
            "RULES": self._rules,
            "HISTORY": self._history,
            "STATUS": self._status,
            "PREVIEW": self._preview,
            "DIARY": self._diary,
            "HAND": lambda _: draw_hand(self._house.match(self._who), self._reader),
            "MAP": lambda _: draw_table(self._house.match(self._who), self._reader),
            "FORECAST": lambda _: iter(forecast(self._house.match(self._who), self._reader)),
        }
        try:
            yield from list(asks[ask.verb.word](ask))
        except GameError as error:
            yield Words(f"{ask.verb.word}: {error}")

    def _help(self, ask: Command) -> Iterator[Block]:
        yield Heading("HELP")
        yield Plain("\n".join(help_lines(self._who.role, ask.given.topic)))

    def _list(self, _: Command) -> Iterator[Block]:
        yield Heading("LIST")
        rows = public_tables(self._house.tx)
        named = self._house.tx.execute("SELECT id, table_id FROM mail_tables")
        names = {row.table_id: row.id for row in named}
        lines = [
            f"| {names[row.id]}: {row.game}, {row.state}, {row.empty} empty"
            for row in rows
            if row.id in names
        ]
        yield Plain("\n".join(lines) or "| -")

    def _game(self, ask: Command) -> Iterator[Block]:
        """As everybody may know it who may know of it at all."""
        house = self._house
        table = table_named(house.tx, ask.given.table)
        person = house.person(Bearer(self._who.person, Role.KNOWN))
        place = find(house.tx, table or "", person)
        yield Heading(f"GAME {ask.given.table}")
        yield Words(f"{place.game.title}: {place.row.state}")
        if place.row.deal is not None:
            with house.shelf.sitting(house.tx, place.row) as sitting:
                match = sitting.match
            yield from draw_table(match, Reader(None, "", self._who.language))

    def _rules(self, _: Command) -> Iterator[Block]:
        yield Heading("RULES")
        if self._who.table:
            game = self._house.place(self._who).game
            yield Words(game.say("brief", {}, self._who.language))
            yield Words(f"{self._site.settings.address}/rules/{game.name}")
        else:
            yield Words(f"{self._site.settings.address}/")

    def _history(self, ask: Command) -> Iterator[Block]:
        house, given = self._house, ask.given
        who = self._who
        match = house.match(who)
        assert given.turns is not None
        ends = {0: 0}  # the entry after which each turn was over
        for ply in range(1, match.ply + 1):
            if match.log[ply - 1].kind in ("adjudicate", "deadline") or not is_adjudicated(
                match.game
            ):
                ends[len(ends)] = ply
        first, last = given.turns
        wanted = [
            (turn, ends[turn - 1], ends[turn])
            for turn in range(max(first, 1), min(last, len(ends) - 1) + 1)
        ]
        yield from history(match, self._reader, wanted[:20])

    def _status(self, _: Command) -> Iterator[Block]:
        house, who = self._house, self._who
        place, match = house.place(who), house.match(who)
        lines = [f"- {place.game.seats[n]}: {match.names[n]}" for n in range(len(place.seats))]
        if place.game.shows_awaited(match.house):
            missing = ", ".join(place.game.seats[seat] for seat in sorted(match.awaited))
            lines.append(f"- missing: {missing or '-'}")
        yield Heading("STATUS")
        yield Words("\n".join(lines))

    def _preview(self, _: Command) -> Iterator[Block]:
        house, who = self._house, self._who
        seen = master.preview(house.tx, house.shelf, house.person(who), house.place(who).id)
        yield Heading("PREVIEW")
        yield Words(f"turn {seen.turn}, missing: {', '.join(seen.missing) or '-'}")

    def _diary(self, _: Command) -> Iterator[Block]:
        yield Heading("DIARY")
        # Behind a bar, like all that somebody wrote: it may look like an order.
        yield Plain("\n".join(f"| {line}" for line in self._house.diary(self._who).splitlines()))
