"""Mail that comes in: from a mailbox by IMAP, or from a mail server by LMTP or SMTP.

Each mail is handed on as bytes with its envelope, and is done with only when whoever got it has
kept it. If that fails it stays where it was and comes again, so receiving twice must do no harm.
"""

from __future__ import annotations

import asyncio
import imaplib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog

from openplan.mail.inbound.mime import MAX_MAIL

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope, Session
    from imap_tools import BaseMailBox

AT_ONCE: Final = 50

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Received:
    """A mail as it came. The envelope is what the mail server says; a mailbox has none."""

    content: bytes
    sender: str | None = None
    recipients: Sequence[str] = ()


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


class Mailbox:
    """Takes unread mail out of a folder; a mail is marked as read after it was kept."""

    def __init__(self, settings: ImapSettings) -> None:
        self._settings = settings

    async def poll(self, take: Take) -> int:
        """Take what is there now, the oldest first; how many there were."""
        taken = 0
        for uid, mail in await asyncio.to_thread(self._fetch):
            await take(mail)
            await asyncio.to_thread(self._mark, uid)
            taken += 1
        return taken

    async def check(self) -> int:
        """Sign in and count what is unread; raises `MailboxError` with what is wrong."""
        return await asyncio.to_thread(self._count)

    def _fetch(self) -> list[tuple[str, Received]]:
        with self._open() as box:
            uids = box.uids("UNSEEN")[:AT_ONCE]
            return [(uid, Received(_body(box, uid))) for uid in uids]

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
        if settings.security == "tls":
            return imap_tools.MailBox(settings.host, settings.port or 993, settings.seconds)
        kind = (
            imap_tools.MailBoxStartTls
            if settings.security == "starttls"
            else imap_tools.MailBoxUnencrypted
        )
        return kind(settings.host, settings.port or 143, settings.seconds)


def _body(box: BaseMailBox, uid: str) -> bytes:
    """A mail's bytes, one more than allowed at most, and without reading marks."""
    _, parts = box.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{MAX_MAIL + 1}>)")
    for part in parts:
        if isinstance(part, tuple):
            content: bytes = part[1]
            return content
    return b""


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
