"""Mail that comes in: from a mailbox by IMAP, or from a mail server by LMTP or SMTP.

Each mail is handed on as bytes with its envelope, and is done with only when whoever got it has
kept it. If that fails it stays where it was and comes again, so receiving twice must do no harm.
"""

from __future__ import annotations

import asyncio
import imaplib
import re
import ssl
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog

from openplan.mail.inbound.mime import MAX_MAIL

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session
    from imap_tools import BaseMailBox

AT_ONCE: Final = 50
DAY: Final = timedelta(days=1)
"""Mail of so long before the last look is looked at again where a mailbox was numbered anew: a mail
server names days, and those of its own zone."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Received:
    """A mail as it came. The envelope is what the mail server says; a mailbox has none."""

    content: bytes
    sender: str | None = None
    recipients: Sequence[str] = ()
    at: int | None = None
    """When it arrived, in microseconds since 1970, if that was before now."""


Take = Callable[[Received], Awaitable[None]]
"""Judge and keep one mail. If it raises, the mail comes again."""


class MailboxError(Exception):
    """The mailbox cannot be reached, or does not let us in."""


# -- IMAP ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ImapSettings:
    """`security` is `tls`, `starttls`, or `none` for a server on this host."""

    host: str
    user: str
    password: str
    port: int = 0
    security: str = "tls"
    folder: str = "INBOX"
    seconds: float = 30
    authority: str = ""
    """A file with the certificate of a private CA, besides those that the system knows."""


@dataclass(frozen=True, slots=True)
class Place:
    """Up to where a mailbox was read: the number of a mail, and in which numbering."""

    validity: int
    uid: int


class Mailbox:
    """Takes new mail out of a folder, by its numbers: what another program has opened there counts
    as well. At the first time, where no place is known, it is what is unread. A mail is marked as
    read after it was kept, for who looks into the mailbox."""

    def __init__(self, settings: ImapSettings, place: Place | None = None) -> None:
        self._settings = settings
        self._is_closed = Event()
        self.place = place
        self.read_at: int | None = None
        """All that had come by then is judged; in microseconds since 1970."""

    async def poll(self, take: Take, note: Callable[[Place], Awaitable[None]] | None = None) -> int:
        """Take what is there now, the oldest first; how many there were. `note` keeps the place."""
        found = await asyncio.to_thread(self._fetch)
        for uid, mail in found.mails:
            await take(mail)
            await asyncio.to_thread(self._mark, str(uid))
            if found.is_by_number:
                await self._go_to(Place(found.validity, uid), note)
        if not found.is_by_number and len(found.mails) < AT_ONCE:
            await self._go_to(Place(found.validity, found.newest), note)
        return len(found.mails)

    async def _go_to(self, place: Place, note: Callable[[Place], Awaitable[None]] | None) -> None:
        if note is not None and place != self.place:
            await note(place)
        self.place = place

    async def wait(self, seconds: float) -> None:
        """Until mail comes, where the server tells it; for so long at most."""
        try:
            is_told = await asyncio.to_thread(self._idle, seconds)
        except MailboxError:
            is_told = False  # whoever polls next will say so
        if not is_told:
            await asyncio.sleep(seconds)

    def close(self) -> None:
        """Wait no longer."""
        self._is_closed.set()

    async def check(self) -> int:
        """Sign in and count what is unread; raises `MailboxError` with what is wrong."""
        return await asyncio.to_thread(self._count)

    def _fetch(self) -> _Found:
        with self._open() as box:
            validity, newest = _numbers(box)
            uids, is_by_number = self._new(box, validity)
            mails = [(uid, _mail(box, uid)) for uid in uids[:AT_ONCE]]
            return _Found(validity, newest, is_by_number, mails)

    def _new(self, box: BaseMailBox, validity: int) -> tuple[list[int], bool]:
        """The numbers of the mails that are not judged; and whether the place tells it."""
        place, read_at = self.place, self.read_at
        if place is None or (place.validity != validity and read_at is None):
            return sorted(map(int, box.uids("UNSEEN"))), False
        if place.validity != validity and read_at is not None:
            # Numbered anew: all since the last look; what comes again does no harm.
            since = datetime.fromtimestamp(read_at // 1_000_000, UTC) - DAY
            return sorted(map(int, box.uids(f"SINCE {since:%d-%b-%Y}"))), True
        found = map(int, box.uids(f"UID {place.uid + 1}:*"))
        return sorted(uid for uid in found if uid > place.uid), True

    def _idle(self, seconds: float) -> bool:
        with self._open() as box:
            if "IDLE" not in box.client.capabilities:
                return False
            validity, _ = _numbers(box)
            if self.place is not None and self._new(box, validity)[0]:
                return True  # came between the last look and this one
            end = monotonic() + seconds
            with box.idle as idle:
                while monotonic() < end and not self._is_closed.is_set():
                    if idle.poll(timeout=min(1.0, max(0.0, end - monotonic()))):
                        break
        return True

    def _mark(self, uid: str) -> None:
        with self._open() as box:
            box.flag([uid], ["\\Seen"], True)

    def _count(self) -> int:
        with self._open() as box:
            return len(box.uids("UNSEEN"))

    @contextmanager
    def _open(self) -> Iterator[BaseMailBox]:
        import imap_tools

        settings = self._settings
        try:
            box = self._connect()
            try:
                yield box.login(settings.user, settings.password, settings.folder)
            except BaseException:
                box.client.shutdown()
                raise
            box.logout()
        except (imap_tools.ImapToolsError, imaplib.IMAP4.error, OSError) as error:
            raise MailboxError(str(error) or type(error).__name__) from error

    def _connect(self) -> BaseMailBox:
        import imap_tools

        settings = self._settings
        if settings.security == "none":
            return imap_tools.MailBoxUnencrypted(
                settings.host, settings.port or 143, settings.seconds
            )
        # Left to itself imaplib believes any certificate.
        believed = trusting(settings.authority)
        if settings.security == "starttls":
            return imap_tools.MailBoxStartTls(
                settings.host, settings.port or 143, settings.seconds, ssl_context=believed
            )
        return imap_tools.MailBox(
            settings.host, settings.port or 993, settings.seconds, ssl_context=believed
        )


def trusting(authority: str) -> ssl.SSLContext:
    """Believes certificates that the system's authorities have signed, or the private one of this
    file."""
    context = ssl.create_default_context()
    if authority:
        context.load_verify_locations(authority)
    return context


@dataclass(frozen=True, slots=True)
class _Found:
    validity: int
    newest: int
    is_by_number: bool
    mails: list[tuple[int, Received]]


def _numbers(box: BaseMailBox) -> tuple[int, int]:
    """In which numbering the folder is, and the number of its newest mail."""
    found = box.folder.status(box.folder.get() or "INBOX", ["UIDVALIDITY", "UIDNEXT"])
    return found["UIDVALIDITY"], found["UIDNEXT"] - 1


_ARRIVED: Final = re.compile(rb'INTERNALDATE "([^"]{1,40})"')


def _mail(box: BaseMailBox, uid: int) -> Received:
    """A mail's bytes, one more than allowed at most and without reading marks, and when the mail
    server got it: that counts, not what the mail says of itself."""
    _, parts = box.client.uid("fetch", str(uid), f"(INTERNALDATE BODY.PEEK[]<0.{MAX_MAIL + 1}>)")
    content, told = b"", b""
    for part in parts:
        if isinstance(part, tuple):
            told += part[0]
            content = part[1]
        elif isinstance(part, bytes):
            told += part
    return Received(content, at=_arrived(told))


def _arrived(told: bytes) -> int | None:
    found = _ARRIVED.search(told)
    try:
        if found is None:
            return None
        at = datetime.strptime(found[1].decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z")
    except ValueError:
        return None
    # It is told to the second: whoever came within it came in time.
    return int(at.timestamp()) * 1_000_000


# -- LMTP and SMTP ---------------------------------------------------------------------------


class MailListener:
    """A small mail server that takes mail for the judge and for nobody else."""

    def __init__(self, take: Take, is_ours: Callable[[str], bool], *, lmtp: bool) -> None:
        self._take = take
        self._is_ours = is_ours
        self._lmtp = lmtp
        self._server: asyncio.Server | None = None

    async def open(self, host: str, port: int) -> int:
        """Listen; the port, which the system chooses if none is given."""
        from aiosmtpd.lmtp import LMTP
        from aiosmtpd.smtp import SMTP

        protocol = LMTP if self._lmtp else SMTP

        def new() -> SMTP:
            return protocol(
                self, data_size_limit=MAX_MAIL, enable_SMTPUTF8=True, timeout=60, ident="Open Plan"
            )

        self._server = await asyncio.get_running_loop().create_server(new, host, port)
        chosen: int = self._server.sockets[0].getsockname()[1]
        return chosen

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    # The names are those by which aiosmtpd calls.

    async def handle_RCPT(  # noqa: N802
        self, _: SMTP, __: Session, envelope: Envelope, address: str, ___: list[str]
    ) -> str:
        if not self._is_ours(address):
            return "550 5.1.1 Nobody of this name here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _: SMTP, __: Session, envelope: Envelope) -> str:  # noqa: N802
        content = envelope.content
        data = content if isinstance(content, bytes) else (content or "").encode()
        try:
            await self._take(Received(data, envelope.mail_from or "", tuple(envelope.rcpt_tos)))
        except Exception:  # the mail is not lost: whoever sent it keeps it and comes again
            log.exception("a mail cannot be taken now")
            return "451 4.3.0 Cannot be taken right now, try again"
        return "250 OK"
