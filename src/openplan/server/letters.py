"""Letters: posted in the transaction of what they tell, written and carried after its commit.

A letter waits in the outbox as its kind and what it is about. Its text is made when it is carried,
so that no link that opens an account is ever in the database. Whoever carries it twice after a
crash carries the same bytes under the same Message-ID.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

import structlog

from openplan.mail.compose import one_line
from openplan.mail.transport import Transport, Undelivered
from openplan.server import outbox, tickets
from openplan.server.accounts import checked_email, new_id
from openplan.server.clock import DAY, SECOND
from openplan.server.outbox import Job
from openplan.server.store import StoreError, Tx

if TYPE_CHECKING:
    from openplan.server.site import Site

POLL_SECONDS: Final = 2.0
LEASE: Final = 120 * SECOND
AT_ONCE: Final = 10
GIVEN_UP_AFTER: Final = 5 * DAY

log = structlog.get_logger()


class Words(NamedTuple):
    subject: str
    text: str


# All letters there are. A name in braces is filled in from what was posted with the letter;
# `link` is the way to the page that uses the letter's ticket, `site` the way to the front door.
LETTERS: Final = {
    "sign-in": Words(
        "Your link to sign in",
        "This link signs you in. It works once, within 15 minutes:\n\n{link}\n\n"
        "If you did not ask for it, do nothing: without the link nobody gets in.\n",
    ),
    "reset": Words(
        "A new password",
        "With this link you choose a new password. It works once, within half an"
        " hour:\n\n{link}\n\n"
        "If you did not ask for it, do nothing: your password stays as it is.\n",
    ),
    "confirm": Words(
        "Is this your address?",
        "Somebody, probably you, gave this address for an account. To confirm it, within three"
        " days:\n\n{link}\n\n"
        "If it was not you, do nothing: the address will not be used.\n",
    ),
    "no-account": Words(
        "No account with this address",
        "Somebody, probably you, wanted to sign in with this address. There is no account with it"
        " here. Perhaps you used another one, or you would like to make one:\n\n{site}\n",
    ),
    "address-taken": Words(
        "You have an account already",
        "Somebody, probably you, gave this address for a new account. There is one with it"
        " already; you can sign in to it:\n\n{site}\n\n"
        "If it was not you, do nothing: your account stays as it is.\n",
    ),
    "address-changed": Words(
        "Your account has a new address",
        "Your account now belongs to another mail address, and this one is no longer used.\n\n"
        "If it was not you, tell whoever runs the site:\n\n{site}\n",
    ),
    "password-changed": Words(
        "Your password was changed",
        "The password of your account was changed, and everybody signed in to it was signed"
        " out.\n\nIf it was not you, ask for a new password:\n\n{site}\n",
    ),
    "reminder": Words(
        "Your move at {title} is due soon",
        "At the table {table} the time for your move is over in about a day.\n",
    ),
    "late": Words(
        "Your move at {title} is late",
        "At the table {table} the deadline has passed, and your move is not there. It can still be"
        " sent until the table's own rule for absence comes in.\n",
    ),
    "others-late": Words(
        "The deadline at {title} has passed",
        "At the table {table} the deadline has passed and not everything is there. {late}\n",
    ),
    "stand-in": Words(
        "{bot} plays for you at {title}",
        "At the table {table} your time was up, and the bot {bot} took your seat. You can come back"
        " to it at any time.\n",
    ),
    "seat-open": Words(
        "Your seat at {title} is open",
        "At the table {table} your time was up, and whoever stands by may take your seat. Send a"
        " move to keep it.\n",
    ),
    "seat-lost": Words(
        "Your seat at {title} was taken",
        "At the table {table} somebody else has your seat now.\n",
    ),
    "seat-taken": Words(
        "You have a seat at {title}",
        "At the table {table} you have the seat {seat} now. There is a deadline.\n",
    ),
    "time-up": Words(
        "Your time at {title} is over",
        "At the table {table} your time has run out.\n",
    ),
    "announcement": Words(
        "From the game master of {title}",
        "At the table {table} the game master says:\n\n{text}\n",
    ),
    "master": Words(
        "The game master of {title} has acted",
        "At the table {table} the game master has done this: {act}.\n",
    ),
    "became": Words(
        "The game master looked at your hand at {title}",
        "At the table {table} the game master has taken your place for a while, sees what you see"
        " and can move for you. The audit log says so too.\n",
    ),
    "to-master": Words(
        "A question to you as game master of {title}",
        "At the table {table}, {by} writes to you:\n\n{text}\n",
    ),
    "press": Words(
        "Press at {title}",
        "At the table {table}, {by} writes to {to_whom}:\n\n{text}\n",
    ),
}


def post(tx: Tx, to: str, kind: str, payload: Mapping[str, Any], now: int) -> None:
    """A letter to a mail address, or to whatever address a person (by id) has when it is carried.
    `ticket` in the payload gives it a link; `until`: later it is of no use."""
    assert kind in LETTERS, kind
    outbox.add(tx, "letter", new_id(), {**payload, "to": to, "kind": kind, "at": now}, now=now)
    tx.notify("letter", "")


def take_back(tx: Tx, *to: str) -> None:
    """Letters to these people or addresses that have not gone yet do not go any more."""
    for row in tx.execute("SELECT id, payload FROM outbox WHERE kind = 'letter'"):
        if json.loads(row.payload)["to"] in to:
            tx.execute("DELETE FROM outbox WHERE id = ?", row.id)


def compose(address: str, job: Job, *, site: str, secret: bytes) -> EmailMessage:
    """The letter itself; the same each time it is asked for."""
    payload = dict(job.payload)
    words, host = LETTERS[payload["kind"]], urlsplit(site).hostname or "localhost"
    known = {"site": site, **payload}
    if ticket := payload.get("ticket"):
        known["link"] = f"{site}/letter/{payload['kind']}#{tickets.token(secret, ticket)}"
    message = EmailMessage(policy=SMTP)
    message["Subject"] = one_line(words.subject.format_map(known))
    message["From"] = Address("Open Plan", "noreply", host)
    message["To"] = Address(addr_spec=checked_email(address))
    message["Date"] = datetime.fromtimestamp(payload["at"] // SECOND, UTC)
    message["Message-ID"] = f"<{job.ident}@{host}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(words.text.format_map(known))
    return message


class Postman:
    """Carries what is posted, and comes back to what could not be carried."""

    def __init__(self, site: Site, transport: Transport) -> None:
        self._site = site
        self.transport = transport
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        while True:
            self._woken.clear()
            try:
                carried = await self.carry()
            except StoreError as error:
                log.warning("letters wait", reason=str(error))
                carried = 0
            if not carried:
                try:
                    await asyncio.wait_for(self._woken.wait(), POLL_SECONDS)
                except TimeoutError:
                    continue

    async def carry(self) -> int:
        """All that is due now, a few at once; how many were taken up."""
        site, now = self._site, self._site.now()
        due = await site.store.read(lambda tx: outbox.next_due(tx, "letter"))
        if due is None or due > now:
            return 0
        jobs = await site.store.transact(
            lambda tx: outbox.claim(tx, "letter", now=now, lease_for=LEASE, limit=AT_ONCE),
            serializable=False,
        )
        for job in jobs:
            await self._carry(job)
        return len(jobs)

    async def _carry(self, job: Job) -> None:
        site, now = self._site, self._site.now()
        try:
            address = await site.store.read(lambda tx: _address(tx, job))
            if address and not self._is_too_late(job, now):
                message = compose(address, job, site=site.settings.address, secret=site.secret)
                sender, name = message["From"].addresses[0].addr_spec, message["Message-ID"]
                await self.transport.send(message.as_bytes(), sender, address, str(name))
        except StoreError:
            raise
        except Undelivered as error:
            log.warning("a letter did not leave", kind=job.payload["kind"], reason=str(error))
            if error.for_good:
                await site.store.transact(lambda tx: outbox.done(tx, job))
            else:
                trouble = str(error)
                await site.store.transact(lambda tx: outbox.retry(tx, job, trouble, now=now))
        except Exception as error:  # noqa: BLE001 - one letter must not hold up the others
            trouble = type(error).__name__
            log.warning("a letter could not be carried", kind=job.payload["kind"], reason=trouble)
            await site.store.transact(lambda tx: outbox.retry(tx, job, trouble, now=now))
        else:
            await site.store.transact(lambda tx: outbox.done(tx, job))

    def _is_too_late(self, job: Job, now: int) -> bool:
        is_late: bool = now > job.payload.get("until", job.payload["at"] + GIVEN_UP_AFTER)
        if is_late:
            log.error("a letter was given up", kind=job.payload["kind"], tries=job.tries)
        return is_late


def _address(tx: Tx, job: Job) -> str:
    """Where it goes: nowhere if its reader has no address any more."""
    to: str = job.payload["to"]
    if "@" in to:
        return to
    row = tx.one("SELECT email FROM users WHERE id = ? AND deleted_at IS NULL", to)
    return "" if row is None else row.email or ""
