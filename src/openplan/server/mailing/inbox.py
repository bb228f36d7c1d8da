"""The inbox: mail comes in by IMAP, LMTP, SMTP or a folder, is judged and answered.

Each mail is one transaction. What cannot be kept stays where it came from and comes again; a mail
that comes twice is obeyed once.
"""

from __future__ import annotations

import asyncio
import base64
import os
import secrets
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog

from openplan.mail.commands.judge import Judgement, judge
from openplan.mail.commands.port import Role
from openplan.mail.inbound.mailbox import (
    AT_ONCE,
    ImapSettings,
    Mailbox,
    MailboxError,
    MailListener,
    Place,
    Received,
)
from openplan.mail.inbound.mime import MAX_MAIL
from openplan.mail.inbound.reading import Mail, read
from openplan.mail.outbound.compose import Dkim, signed
from openplan.mail.outbound.transport import Smtp, Undelivered
from openplan.printing.postal import print_turns
from openplan.server.clock import SECOND
from openplan.server.mailing.answers import Answering
from openplan.server.mailing.port import Due, JudgesPort
from openplan.server.mailing.sender import dkim_of, note_bounce, transport_of
from openplan.server.notify import mailboxes
from openplan.server.notify.letters import AccountLetter, post
from openplan.server.people.accounts import arrives
from openplan.server.settings import Settings
from openplan.server.site import Site
from openplan.server.store import Store, StoreError, Tx, jobs
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.prints import last_turns
from openplan.server.tables.turns import SLACK

POLL_SECONDS: Final = 60.0
LONGEST_WAIT: Final = 1800.0
"""Between looks into a mailbox that cannot be read."""
SHORTEST_WAIT: Final = 1.0
MARGIN: Final = SECOND // 2
"""So long after a deadline the mailbox is read for it."""
SPOOL_SECONDS: Final = 1.0
ASIDE: Final = "unjudged"
"""The folder for mail on which this program fails."""
TRIES: Final = 5
"""Deadlines that are entered before a mail is given up for now."""

log = structlog.get_logger()


class Inbox:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._listeners: list[MailListener] = []
        self._box = _mailbox(site.settings)
        self._name = _name(site.settings) if self._box is not None else ""
        self.spool = site.settings.data / "spool"

    async def open(self) -> None:
        settings = self._site.settings
        place = await self._site.store.transact(lambda tx: mailboxes.use(tx, self._name))
        if self._box is not None and place is not None:
            validity, uid, self._box.read_at = place
            self._box.place = Place(validity, uid)
        for port, lmtp in ((settings.lmtp_port, True), (settings.smtpd_port, False)):
            if port:
                listener = MailListener(self.receive, settings.is_mail_address, lmtp=lmtp)
                await listener.open(settings.host, port)
                self._listeners.append(listener)

    async def close(self) -> None:
        if self._box is not None:
            self._box.close()
        for listener in self._listeners:
            await listener.close()

    async def run(self) -> None:
        """A mailbox that does not answer holds up nothing that comes another way."""
        box = self._box
        watched = [self._watch_spool()] if box is None else [self._watch_spool(), self._watch(box)]
        await asyncio.gather(*watched)

    async def _watch_spool(self) -> None:
        while True:
            with suppress(StoreError, OSError):  # it will still be there
                await self.empty_spool()
            await asyncio.sleep(SPOOL_SECONDS)

    async def _watch(self, box: Mailbox) -> None:
        """As soon as something comes, where the server tells it, just after each deadline, and
        every minute; each time later, as long as it cannot be read."""
        wait = POLL_SECONDS
        settings = self._site.settings
        at = f"{settings.imap_user} at {settings.imap_host}"
        while True:
            try:
                await self.read_box(box)
                if wait > POLL_SECONDS:
                    log.info("the mailbox can be read again", mailbox=at)
                wait = POLL_SECONDS
                await box.wait(await self._until_deadline())
            except MailboxError as error:
                pause, wait = wait, min(2 * wait, LONGEST_WAIT)
                log.warning(
                    "the mailbox cannot be read", mailbox=at, reason=str(error), again_in=pause
                )
                await self._note_trouble(str(error))
                await asyncio.sleep(pause)
            except (StoreError, OSError) as error:  # what was not kept comes again
                log.warning("mail waits in its box", mailbox=at, reason=str(error))
                await asyncio.sleep(POLL_SECONDS)

    async def read_box(self, box: Mailbox) -> None:
        """Judge all that is there, and note that what had come by now is judged."""
        store, name = self._site.store, self._name

        async def note(place: Place) -> None:
            await store.transact(
                lambda tx: mailboxes.note_place(tx, name, place.validity, place.uid)
            )

        began = self._site.now()
        while await box.poll(self._take, note) >= AT_ONCE:
            began = self._site.now()
        await store.transact(lambda tx: mailboxes.note_read(tx, name, began))
        box.read_at = began

    async def _until_deadline(self) -> float:
        """Seconds until the mailbox is to be read again. A table is woken a little after its
        deadline: what had come by then is to be judged before."""
        due = await self._site.store.read(jobs.next_due)
        if due is None:
            return POLL_SECONDS
        left = (due - SLACK + MARGIN - self._site.now()) / SECOND
        return min(POLL_SECONDS, max(left, SHORTEST_WAIT))

    async def _note_trouble(self, why: str) -> None:
        with suppress(StoreError):
            name, now = self._name, self._site.now()
            await self._site.store.transact(
                lambda tx: mailboxes.note_trouble(tx, name, why, now), serializable=False
            )

    async def empty_spool(self) -> int:
        """Take what a mail server has put into the folder; how much it was."""
        taken = 0
        for file in spooled(self.spool):
            at = file.stat().st_mtime_ns // 1000
            await self._take(Received(file.read_bytes()[: MAX_MAIL + 1], at=at))
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
        # Reading asks nothing of the store: a large mail keeps no move waiting.
        written = await asyncio.to_thread(
            read, mail.content, site.secret, mail.recipients, mail.sender
        )

        looked = set[tuple[str, str]]()

        def work(tx: Tx) -> Judgement:
            looked.clear()
            judgement = self._judge(tx, written, mail.at, looked)
            if check is not None:
                check(tx, judgement)
            return judgement

        for _ in range(TRIES):
            try:
                judgement = await site.store.transact(work)
            except Due as due:
                await site.expire(due.table)
                continue
            for table, person in sorted(looked):
                await site.looks.note(table, person, "", site.now())
            return judgement
        raise StoreError("deadlines did not settle")

    def _judge(self, tx: Tx, mail: Mail, at: int | None, looked: set[tuple[str, str]]) -> Judgement:
        site = self._site
        now = site.now()
        port = JudgesPort(
            tx,
            site.writers,
            site.secret,
            now,
            site.settings.reply_address,
            site.settings.address,
            # Nothing came later than now, or a long time before it was looked for.
            now if at is None else max(min(at, now), now - mailboxes.LONGEST),
        )
        judgement = judge(mail, port)
        who = judgement.who
        # Who wrote and what was done: never what was written.
        log.info("a mail was judged", silence=judgement.silence, acted=judgement.has_acted)
        if judgement.asks_how and mail.sender and port.may_tell(mail.sender.lower()):
            post(tx, AccountLetter(to=mail.sender.lower(), at=now, kind="stranger"))
        elif judgement.silence:
            mailboxes.ignore(tx, mail.name, judgement.silence, now)
        bounce = judgement.mail.bounce
        if bounce is not None and bounce.is_lasting:
            for letter in bounce.letters:
                note_bounce(tx, letter, bounce.status, site.now())
        if who is not None:
            if who.role is not Role.KNOWN:  # has shown what was in a letter of ours: those arrive
                arrives(tx, who.person)
            Answering(port, judgement, who, site.settings).post()
            looked |= port.looked
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
            authority=settings.mail_ca,
        )
    )


def _name(settings: Settings) -> str:
    return f"{settings.imap_user} at {settings.imap_host}, {settings.imap_folder}"


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
    """The last turn of a table's seats as a PDF, in base64."""
    cache = MatchCache()
    found = await store.transact(lambda tx: last_turns(tx, cache, settings, table, seat))
    pdf = await asyncio.to_thread(print_turns, found)
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
    found = []
    for file in folder.glob("*.eml") if folder.is_dir() else ():
        with suppress(FileNotFoundError):  # it was taken in this very moment
            found.append((file.stat().st_mtime_ns, file))
    return [file for _, file in sorted(found)]
