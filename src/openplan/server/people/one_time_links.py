"""Links sent by mail, or printed for the operator: each opens one thing, once, for a short time.

The store has a ticket's id, of no use by itself: the token in the link is the id with a mark made
by the secret, which is in no database and in no backup. Looking at the page of a link uses nothing
up, so that programs that look at all links in a mail do no harm; the page asks by POST.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final, Literal

import msgspec

from openplan.server.clock import DAY, MINUTE
from openplan.server.errors import Forbidden
from openplan.server.refusals import refused
from openplan.server.store import Tx

Kind = Literal["sign-in", "reset", "confirm", "operator"]
LASTS: Final[dict[str, int]] = {
    "sign-in": 15 * MINUTE,
    "reset": 30 * MINUTE,
    "confirm": 3 * DAY,
    "operator": 10 * MINUTE,
}
MOST: Final = 5
"""So many links go to one address in an hour, whoever asks for them."""


class Ticket(msgspec.Struct, frozen=True, gc=False):
    id: str
    email: str
    user_id: str
    """Nobody's: the operator's."""


def token(secret: bytes, ticket: str) -> str:
    mark = hmac.new(secret, f"ticket {ticket}".encode(), hashlib.sha256).hexdigest()
    return f"{ticket}.{mark}"


def is_too_many(tx: Tx, email: str, now: int) -> bool:
    (number,) = tx.rows(
        int,
        "SELECT COUNT(*) FROM tickets WHERE email = ? AND created_at > ?",
        email,
        now - 60 * MINUTE,
    )
    return number >= MOST


def issue(tx: Tx, ticket: str, kind: Kind, email: str, user: str | None, now: int) -> int:
    """Write a ticket down; until when it can be used. One for nobody opens nothing: it is there so
    that an address that is not known here makes the same work."""
    until = now + LASTS[kind]
    tx.execute(
        "INSERT INTO tickets (id, kind, email, user_id, created_at, expires_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        ticket,
        kind,
        email,
        user,
        now,
        until,
    )
    return until


def look(tx: Tx, secret: bytes, text: str, kind: Kind, now: int) -> Ticket:
    """The ticket that a link stands for, if it can still be used."""
    ticket = text.partition(".")[0]
    is_ours = hmac.compare_digest(
        text.encode("utf-8", "replace"), token(secret, ticket).encode("utf-8", "replace")
    )
    row = tx.row(
        Ticket,
        "SELECT tickets.id, tickets.email, COALESCE(tickets.user_id, '') AS user_id"
        " FROM tickets LEFT JOIN users ON users.id = tickets.user_id"
        " WHERE tickets.id = ? AND tickets.kind = ? AND tickets.expires_at > ?"
        " AND tickets.used_at IS NULL AND (tickets.kind = 'operator'"
        " OR users.id IS NOT NULL AND users.deleted_at IS NULL)",
        ticket if is_ours else "",
        kind,
        now,
    )
    if row is None:
        raise dead()
    return row


def use(tx: Tx, secret: bytes, text: str, kind: Kind, now: int) -> Ticket:
    """The same, and it is used up: of two who come at once, one is too late."""
    row = look(tx, secret, text, kind, now)
    tx.execute("UPDATE tickets SET used_at = ? WHERE id = ?", now, row.id)
    return row


def void(tx: Tx, user: str, now: int) -> None:
    """Nothing that was sent to this person opens anything any more."""
    tx.execute("UPDATE tickets SET used_at = ? WHERE user_id = ? AND used_at IS NULL", now, user)


def sweep(tx: Tx, now: int) -> None:
    """What is long over. Tickets stay for a day, as they are counted."""
    tx.execute("DELETE FROM tickets WHERE expires_at < ?", now - DAY)


def dead() -> Forbidden:
    return refused(Forbidden, "link")
