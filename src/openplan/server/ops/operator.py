"""The operator's page: what became of letters, the letters themselves where nothing carries them,
and how the site does.

The operator is whoever can use the data folder: `openplan admin page` prints a link that works
once, within ten minutes, and opens a session of its own for two hours. It has nothing to do with an
account, and an account never opens the page.

A letter holds what its reader alone may know. So it can be read here only where nothing is set up
to carry it, when there is no other way to read it; the table's audit log, which its seats can read,
says so. One that may tell of sealed orders stays closed until the turn is over, unless they were
written here too.
"""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

import structlog

from openplan.core.game import Illegal
from openplan.mail.commands.judge import Judgement
from openplan.mail.inbound.mailbox import Received
from openplan.mail.inbound.tokens import message_id
from openplan.mail.outbound.transport import Folder, Transport
from openplan.server.clock import SECOND
from openplan.server.errors import Forbidden, Missing
from openplan.server.mailing.inbox import Inbox
from openplan.server.mailing.sender import note_read
from openplan.server.notify import letters
from openplan.server.notify.letters import Queued
from openplan.server.people import one_time_links
from openplan.server.people.accounts import new_id
from openplan.server.settings import Settings
from openplan.server.site import Site
from openplan.server.store import Tx
from openplan.server.store.rows import SentLetterRow, columns
from openplan.server.tables.access import FROZEN, load, table_named
from openplan.server.tables.game_master import audit
from openplan.server.tables.snapshots import entries_of

LASTS: Final = 2 * 3_600 * SECOND
PAGE: Final = 50
WRITTEN_HERE: Final = "operator"
"""How the Message-ID of a mail that was written on the page ends before its @."""

log = structlog.get_logger()


# -- Who the operator is ---------------------------------------------------------------------


def link(tx: Tx, settings: Settings, secret: bytes, now: int) -> str:
    """For whoever has the data folder, and for nobody else."""
    ticket = new_id()
    one_time_links.issue(tx, ticket, "operator", "", None, now)
    return f"{settings.address}/operator#{one_time_links.token(secret, ticket)}"


async def act_page(site: Site, _: Mapping[str, Any]) -> str:
    """The same, asked of a running server."""
    return await site.store.transact(lambda tx: link(tx, site.settings, site.secret, site.now()))


def enter(tx: Tx, secret: bytes, token: str, session: str, now: int) -> None:
    one_time_links.use(tx, secret, token, "operator", now)
    tx.execute(
        "INSERT INTO operator_sessions (id, created_at, expires_at) VALUES (?, ?, ?)",
        session,
        now,
        now + LASTS,
    )
    audit(tx, None, None, "operator-page", now)


def check(tx: Tx, session: str, now: int) -> int:
    """Until when this is the operator's. To everybody else there is no such page."""
    find = "SELECT expires_at FROM operator_sessions WHERE id = ? AND expires_at > ?"
    until = tx.row(int, find, session, now)
    if until is None:
        raise Missing
    return until


def leave(tx: Tx, session: str) -> None:
    tx.execute("DELETE FROM operator_sessions WHERE id = ?", session)


def sweep(tx: Tx, now: int) -> None:
    tx.execute("DELETE FROM operator_sessions WHERE expires_at <= ?", now)


# -- What became of letters ------------------------------------------------------------------

_READER: Final = (
    " LEFT JOIN users ON users.id = {reader} OR users.email = {reader} AND users.deleted_at IS NULL"
)


class WaitingLetter(NamedTuple):
    """A letter that is queued, and to whom it would go now."""

    name: str
    letter: Queued
    address: str
    who: str
    due_at: int
    trouble: str


def waiting(tx: Tx) -> list[WaitingLetter]:
    """Letters in the queue, the next first."""
    return [_waiting(tx, row, letter) for row, letter in letters.waiting(tx, PAGE)]


def _waiting(tx: Tx, row: letters.WaitingRow, letter: Queued) -> WaitingLetter:
    find = "SELECT email, name FROM users WHERE id = ? OR email = ?"
    reader = tx.row(tuple[str | None, str], find, letter.to, letter.to)
    address, who = ("", "") if reader is None else (reader[0] or "", reader[1])
    if "@" in letter.to:
        address = letter.to
    return WaitingLetter(row.ident, letter, address, who, row.due_at, row.trouble or "")


class GoneLetter(SentLetterRow, frozen=True, gc=False):
    """And its reader, as far as they are known here."""

    email: str | None
    who: str | None


def gone(tx: Tx, before: int | None) -> list[GoneLetter]:
    """Letters that have left, or never will, the newest first."""
    return tx.rows(
        GoneLetter,
        f"SELECT {columns(SentLetterRow, of='sent_letters')}, users.email, users.name AS who"  # noqa: S608 - of constants
        " FROM sent_letters"
        f"{_READER.format(reader='sent_letters.reader')}"
        " WHERE sent_letters.at < ? ORDER BY sent_letters.at DESC, sent_letters.name LIMIT ?",
        before if before is not None else 1 << 62,
        PAGE,
    )


def _row(tx: Tx, name: str) -> SentLetterRow:
    known = re.fullmatch(r"[a-z0-9-]{1,60}", name)
    select = f"SELECT {columns(SentLetterRow)} FROM sent_letters WHERE name = ?"  # noqa: S608
    row = tx.row(SentLetterRow, select, name) if known else None
    if row is None:
        raise Missing
    return row


# -- One letter ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Opened:
    """A letter as its reader has it."""

    mail: EmailMessage
    row: SentLetterRow

    @property
    def text(self) -> str:
        return self._part("plain").replace("\r\n", "\n")

    @property
    def form(self) -> str:
        """What an answer begins with: the letter's own form, or an empty one."""
        found = re.search(r"^BEGIN .*?^END$", self.text, re.MULTILINE | re.DOTALL)
        return found[0] if found else "BEGIN\n\nEND"

    @property
    def html(self) -> str:
        """With its pictures in it, since nothing is loaded by it; links open outside of it."""
        pictures = {
            (part["Content-ID"] or "").strip("<>"): base64.b64encode(
                part.get_payload(decode=True) or b""  # type: ignore[arg-type]
            ).decode()
            for part in self.mail.walk()
            if part.get_content_type() == "image/png"
        }
        whole = re.sub(
            r'src="cid:([^"]+)"',
            lambda found: f'src="data:image/png;base64,{pictures.get(found[1], "")}"',
            self._part("html"),
        )
        return whole.replace("<head>", '<head><base target="_blank">', 1)

    def _part(self, kind: str) -> str:
        body = self.mail.get_body((kind,))
        text: str = "" if body is None else body.get_content()
        return text

    def answered(self, text: str, settings: Settings, now: int) -> Received:
        """The mail that its reader would send."""
        reader = self.mail["To"].addresses[0].addr_spec
        judge = (self.mail["Reply-To"] or self.mail["From"]).addresses[0].addr_spec
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"] = reader, judge
        mail["Subject"] = f"Re: {self.mail['Subject']}"
        mail["Date"] = format_datetime(datetime.fromtimestamp(now // SECOND, UTC))
        mail["Message-ID"] = f"<{secrets.token_hex(16)}.{WRITTEN_HERE}@{settings.mail_host}>"
        mail["In-Reply-To"] = str(self.mail["Message-ID"])
        mail.set_content(text, cte="quoted-printable")
        return Received(mail.as_bytes(), reader, (judge,))


def read(
    tx: Tx, site: Site, transport: Transport, name: str, now: int
) -> tuple[Path, SentLetterRow]:
    """Where a letter is, if it may be opened. Its table hears of it the first time."""
    row = _row(tx, name)
    if not isinstance(transport, Folder):
        raise Illegal("carried", "letters are carried by mail here, and none is kept")
    sealed = sealed_since(tx, row.table_id, row.reader)
    if sealed is not None and row.at >= sealed:
        raise Forbidden("sealed", "it may tell of sealed orders: when the turn is over")
    if row.read_at is None:
        note_read(tx, name, now)
        audit(tx, row.table_id, None, "operator-read", now, letter=row.kind)
    return transport.file(message_id(site.secret, name, site.settings.mail_host)), row


def opened(file: Path, row: SentLetterRow) -> Opened:
    """Reads a file: call it in a thread."""
    try:
        mail = message_from_bytes(file.read_bytes(), policy=default)
    except FileNotFoundError:
        raise Missing from None
    assert isinstance(mail, EmailMessage)
    return Opened(mail, row)


async def answer(site: Site, inbox: Inbox, letter: Opened, text: str) -> Judgement:
    """Judge what its reader would have written: by the way of all mail."""
    now = site.now()

    def check_seal(tx: Tx, judgement: Judgement) -> None:
        who = judgement.who
        # Whatever token the text shows, it is for whom it speaks that counts.
        spoken = set() if who is None else {(table_named(tx, who.table), who.person)}
        for table, person in {(letter.row.table_id, letter.row.reader), *spoken}:
            if sealed_since(tx, table, person) is not None:
                reason = "sealed orders were sent from elsewhere: when the turn is over"
                raise Forbidden("sealed", reason)
        audit(tx, letter.row.table_id, None, "operator-wrote", now)

    return await inbox.judge(letter.answered(text, site.settings, now), check_seal)


def sealed_since(tx: Tx, table: str | None, person: str) -> int | None:
    """When this person first sealed orders for the turn that is being played, elsewhere than on
    the page; `None`: not at all. Taken back or not: they may be somebody's plan still."""
    here = None if table is None else load(tx, table, person)
    if here is None or here.row.state not in ("playing", FROZEN):
        return None
    if not here.game.sealed:
        return None
    entries = entries_of(tx, here.id)
    opened = [n for n, one in enumerate(entries) if one.kind in ("adjudicate", "deadline")]
    running = entries[opened[-1] + 1 if opened else 0 :]
    if any(one.kind == "roll-back" for one in running):
        running = entries  # an earlier turn is being played again
    moves = [one.at for one in running if one.kind == "move" and one.seat in here.own]
    by_page = "SELECT at FROM mails WHERE person = ? AND name LIKE ?"
    return min({*moves} - {*tx.rows(int, by_page, person, f"%.{WRITTEN_HERE}@%")}, default=None)
