"""Sends the letters that are queued, and tries again what could not be sent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

import structlog

from openplan.mail.inbound.tokens import message_id
from openplan.mail.outbound.compose import Dkim, Stamp, as_mail, signed
from openplan.mail.outbound.letter import Letter, from_data
from openplan.mail.outbound.transport import Folder, Smtp, SmtpSettings, Transport, Undelivered
from openplan.printing.postal import print_turns
from openplan.server.clock import DAY
from openplan.server.mailing import letter_writer
from openplan.server.mailing.account_letters import phrased
from openplan.server.notify import letters
from openplan.server.notify.letters import AccountLetter, WholeLetter, envelope
from openplan.server.notify.mail_preferences import language_of, unsubscribe_link
from openplan.server.notify.outbox import Carrier
from openplan.server.people.accounts import change_user, checked_email
from openplan.server.settings import Settings
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.store.rows import SeatRow
from openplan.server.tables import notifications
from openplan.server.tables.access import FoundTable, load

GIVEN_UP_AFTER: Final = 5 * DAY
BOUNCES_FOR: Final = 30 * DAY

log = structlog.get_logger()


def transport_of(settings: Settings) -> Transport:
    if not settings.smtp_host:
        return Folder(settings.data / "letters")
    return Smtp(
        SmtpSettings(
            settings.smtp_host,
            settings.smtp_port,
            settings.smtp_security,
            settings.smtp_user,
            settings.smtp_password,
            authority=settings.mail_ca,
        )
    )


def dkim_of(settings: Settings) -> Dkim | None:
    if not settings.dkim_key:
        return None
    key = Path(settings.dkim_key).read_bytes()
    return Dkim(settings.mail_host, settings.dkim_selector, key)


class Sender(Carrier):
    kind: ClassVar[str] = "letter"

    def __init__(self, site: Site, transport: Transport) -> None:
        super().__init__(site.store, site.now)
        self._site = site
        self.transport = transport

    async def _carry(self, job: Job) -> None:
        site, now, subject = self._site, self._site.now(), ""
        try:
            ready = await site.store.transact(lambda tx: self._write(tx, job))
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - one letter must not hold up the others
            await self._put_off(job, type(error).__name__)
            return
        try:
            if ready is None:
                await site.store.transact(lambda tx: jobs.done(tx, job))
                return
            letter, stamp, printed = ready
            subject = letter.subject
            if self._is_too_late(job, now):
                await site.store.transact(lambda tx: _gone(tx, job, subject, now, "given up"))
                return
            mail = await asyncio.to_thread(self._mail, letter, stamp, printed)
            await self.transport.send(mail, stamp.sender, stamp.recipient, stamp.message_id)
        except StoreError:
            raise
        except Undelivered as error:
            log.warning("a letter did not leave", kind=envelope(job).kind, reason=str(error))
            trouble = str(error)[:200]
            if error.for_good:
                await site.store.transact(lambda tx: _refused(tx, job, subject, now, trouble))
            else:
                await site.store.transact(lambda tx: jobs.retry(tx, job, trouble, now=now))
        except Exception as error:  # noqa: BLE001 - one letter must not hold up the others
            trouble = type(error).__name__
            log.warning("a letter could not be carried", kind=envelope(job).kind, reason=trouble)
            await site.store.transact(lambda tx: jobs.retry(tx, job, trouble, now=now))
        else:
            await site.store.transact(lambda tx: _gone(tx, job, subject, now))

    async def _put_off(self, job: Job, error: str) -> None:
        """This program cannot write it. Another process may still run the version that posted it,
        so it waits; if nobody can, it is found among the letters that were given up."""
        site, now = self._site, self._site.now()
        trouble = f"this version of the program cannot write it ({error})"
        if self._is_too_late(job, now, trouble):
            await site.store.transact(lambda tx: _gone(tx, job, "", now, f"given up: {trouble}"))
        else:
            log.warning("a letter waits", kind=envelope(job).kind, reason=trouble)
            await site.store.transact(lambda tx: jobs.retry(tx, job, trouble, now=now))

    def _write(self, tx: Tx, job: Job) -> tuple[Letter, Stamp, Mapping[str, Any] | None] | None:
        """The letter, its envelope and what is printed with it; nothing if there is nobody to read
        it any more."""
        site, settings, address = self._site, self._site.settings, _address(tx, job)
        if not address:
            return None
        queued, reply_to, answers = letters.queued(job), "", ""
        printed: Mapping[str, Any] | None = None
        if isinstance(queued, WholeLetter):
            letter = from_data(queued.letter)
            reply_to, answers, printed = queued.reply_to, queued.answers, queued.printed
        elif isinstance(queued, AccountLetter):
            language = language_of(tx, queued.to)
            letter = phrased(queued, language, site=settings.address, secret=site.secret)
            reply_to = queued.reply_to
        else:
            found = letter_writer.write(tx, site.writers, site.secret, settings.address, queued)
            if found is None:
                return None
            letter, token = found
            reply_to = settings.reply_address(token)
        stamp = Stamp(
            sender=settings.mail_sender,
            recipient=checked_email(address),
            message_id=message_id(site.secret, job.ident, settings.mail_host),
            at=queued.at,
            reply_to=reply_to,
            in_reply_to=answers,
            unsubscribe=""
            if "@" in queued.to
            else unsubscribe_link(site.secret, settings.address, queued.to),
        )
        return letter, stamp, printed

    def _mail(self, letter: Letter, stamp: Stamp, printed: Mapping[str, Any] | None) -> bytes:
        pdf = b"" if printed is None else print_turns([printed], language=printed["language"])
        mail = as_mail(letter, stamp, pdf)
        dkim = dkim_of(self._site.settings)
        return mail if dkim is None else signed(mail, dkim)

    def _is_too_late(self, job: Job, now: int, trouble: str = "") -> bool:
        letter = envelope(job)
        until = letter.at + GIVEN_UP_AFTER if letter.until is None else letter.until
        if now > until:
            log.error("a letter was given up", kind=letter.kind, tries=job.tries, reason=trouble)
        return now > until


def _gone(tx: Tx, job: Job, subject: str, now: int, trouble: str | None = None) -> bool:
    """It has left, or will not leave any more. What became of it is known for a while, also in case
    it comes back. False as for `jobs.done`."""
    if not jobs.done(tx, job):
        return False
    letter = envelope(job)
    tx.execute("DELETE FROM sent_letters WHERE at < ?", now - BOUNCES_FOR)
    tx.execute(
        "INSERT INTO sent_letters (name, reader, at, kind, subject, table_id, trouble)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        job.ident,
        letter.to,
        now,
        letter.kind,
        subject,
        letter.table,
        trouble,
    )
    return True


def note_read(tx: Tx, name: str, now: int) -> None:
    """By the operator."""
    tx.change("sent_letters", {"name": name}, {"read_at": now})


def note_bounce(tx: Tx, letter: str, status: str, now: int) -> None:
    """A letter has come back for good."""
    select = "SELECT reader, kind, table_id FROM sent_letters WHERE name = ?"
    found = tx.row(tuple[str, str, str | None], select, letter)
    if found is not None:
        trouble = f"bounced: {status}"[:200]
        tx.execute("UPDATE sent_letters SET trouble = ? WHERE name = ?", trouble, letter)
        _note(tx, *found, trouble, now)


def _note(tx: Tx, reader: str, kind: str, table: str | None, trouble: str, now: int) -> None:
    """On its owner, who sees it on the site; and the masters of their tables are told, once. Of an
    invitation, whoever invites to that table is told."""
    here = load(tx, table, None) if kind == "invitation" and table is not None else None
    if here is not None and here.row.state in ("waiting", "playing"):
        for host in {here.row.owner_id, here.master} - {None}:
            notifications.tell(
                tx, str(host), "invitation-returned", here, now, who=reader, why=trouble
            )
    owner = "SELECT id, mail_trouble FROM users WHERE id = ? OR email = ?"
    for user, known in tx.rows(tuple[str, str | None], owner, reader, reader):
        change_user(tx, user, mail_trouble=trouble)
        for here, row in _tables_of(tx, user) if known is None else ():
            who = here.game.seats[row.seat]
            notifications.tell_master(
                tx, here, "returned", now, who=who, name=row.name, why=trouble
            )


def _tables_of(tx: Tx, user: str) -> Iterator[tuple[FoundTable, SeatRow]]:
    """Where somebody plays just now."""
    for table in tx.rows(
        str,
        "SELECT tables.id FROM tables JOIN seats ON seats.table_id = tables.id"
        " WHERE seats.user_id = ? AND tables.state = 'playing' ORDER BY tables.id",
        user,
    ):
        here = load(tx, table, user)
        assert here is not None
        yield from ((here, seat) for seat in here.seats if seat.user_id == user)


def _refused(tx: Tx, job: Job, subject: str, now: int, trouble: str) -> None:
    """The address does not take our mail."""
    if _gone(tx, job, subject, now, trouble):
        letter = envelope(job)
        _note(tx, letter.to, letter.kind, letter.table, trouble, now)


def _address(tx: Tx, job: Job) -> str:
    """Where it goes: nowhere if its reader has no address any more."""
    to = envelope(job).to
    if "@" in to:
        return to
    return tx.row(str, "SELECT email FROM users WHERE id = ? AND deleted_at IS NULL", to) or ""
