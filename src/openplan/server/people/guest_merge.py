"""A guest signs in to an account: what the guest had goes along, in one transaction."""

from __future__ import annotations

from typing import Final

import msgspec

from openplan.server.notify import letters
from openplan.server.people import accounts
from openplan.server.store import Tx

# Where somebody is named and nothing stands in the way of naming somebody else.
MOVED: Final = (
    ("chat", "user_id"),
    ("results", "user_id"),
    ("reports", "user_id"),
    ("reports", "about_id"),
    ("seats", "first_user_id"),
    ("seats", "acting_id"),
    ("tables", "owner_id"),
    ("audit", "user_id"),
    ("absences", "user_id"),
    ("press", "user_id"),
    ("tables", "master_id"),
)


class LeftBehind(msgspec.Struct, frozen=True):
    """A seat of the guest's that did not come along."""

    table: str
    reason: str


class GuestSeat(msgspec.Struct, frozen=True, gc=False):
    """`meets`: how many seats the member has at the same table."""

    table_id: str
    seat: int
    state: str
    meets: int


def merge(tx: Tx, guest: str, member: str, now: int) -> list[LeftBehind]:
    """The guest's seats, notes and all else to the member; the guest is no more. Where the member
    sits too, the guest's seat stays behind: one person has one seat at a table. Before the match
    it is free again, after that it is an absent player's."""
    seats = tx.rows(
        GuestSeat,
        "SELECT table_id, seat, state,"
        " (SELECT COUNT(*) FROM seats AS other WHERE other.table_id = seats.table_id"
        " AND other.user_id = ?) AS meets FROM seats JOIN tables ON tables.id = seats.table_id"
        " WHERE seats.user_id = ? ORDER BY seats.joined_at, table_id",
        member,
        guest,
    )
    left = [_leave(tx, seat) for seat in seats if seat.meets]
    behind = {one.table for one in left}
    for seat in seats:
        if not seat.meets:
            _take_seat(tx, seat, member)
    _move_submissions(tx, guest, member, behind)
    _move_notes(tx, guest, member)
    _move_reliability(tx, guest, member)
    _move_shunned(tx, guest, member)
    tx.execute(
        "INSERT INTO standbys (table_id, user_id, created_at)"
        " SELECT table_id, ?, created_at FROM standbys WHERE user_id = ?"
        " ON CONFLICT (table_id, user_id) DO NOTHING",
        member,
        guest,
    )
    tx.execute("DELETE FROM standbys WHERE user_id = ?", guest)
    tx.execute(
        "INSERT INTO watchers (table_id, user_id, created_at)"
        " SELECT table_id, ?, created_at FROM watchers WHERE user_id = ?"
        " ON CONFLICT (table_id, user_id) DO NOTHING",
        member,
        guest,
    )
    tx.execute("DELETE FROM watchers WHERE user_id = ?", guest)
    for table, column in MOVED:
        tx.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", member, guest)  # noqa: S608 - of constants
    letters.take_back(tx, guest)
    tx.execute("DELETE FROM tickets WHERE user_id = ?", guest)
    accounts.end_sessions(tx, guest)
    tx.execute(
        "UPDATE users SET password = NULL, new_email = NULL, deleted_at = ? WHERE id = ?",
        now,
        guest,
    )
    return left


def _leave(tx: Tx, seat: GuestSeat) -> LeftBehind:
    reason = "your account has a seat at this table already; the guest's stays the guest's"
    if seat.state == "waiting":
        tx.execute(
            "UPDATE seats SET user_id = NULL, name = '', joined_at = NULL"
            " WHERE table_id = ? AND seat = ?",
            seat.table_id,
            seat.seat,
        )
        reason = "your account has a seat at this table already; the guest's is free again"
    tx.signal("table", seat.table_id)
    return LeftBehind(seat.table_id, reason)


def _take_seat(tx: Tx, seat: GuestSeat, member: str) -> None:
    """A match that has begun keeps the name it began with."""
    tx.execute(
        "UPDATE seats SET user_id = ? WHERE table_id = ? AND seat = ?",
        member,
        seat.table_id,
        seat.seat,
    )
    if seat.state == "waiting":
        tx.execute(
            "UPDATE seats SET name = (SELECT name FROM users WHERE id = ?)"
            " WHERE table_id = ? AND seat = ?",
            member,
            seat.table_id,
            seat.seat,
        )
    tx.signal("table", seat.table_id)


def _move_submissions(tx: Tx, guest: str, member: str, behind: set[str]) -> None:
    """So that a move sent before signing in and sent again after it is still played once."""
    for table, name in tx.rows(
        tuple[str, str],
        "SELECT table_id, name FROM submissions AS own WHERE user_id = ? AND NOT EXISTS"
        " (SELECT 1 FROM submissions AS other WHERE other.table_id = own.table_id"
        " AND other.user_id = ? AND other.name = own.name)",
        guest,
        member,
    ):
        if table not in behind:
            tx.execute(
                "UPDATE submissions SET user_id = ? WHERE table_id = ? AND user_id = ?"
                " AND name = ?",
                member,
                table,
                guest,
                name,
            )
    tx.execute("DELETE FROM submissions WHERE user_id = ?", guest)


def _move_notes(tx: Tx, guest: str, member: str) -> None:
    """Where both have written something, one stands under the other."""
    tx.execute(
        "INSERT INTO notes (table_id, user_id, text, at)"
        " SELECT table_id, ?, text, at FROM notes WHERE user_id = ?"
        " ON CONFLICT (table_id, user_id) DO UPDATE SET"
        " text = notes.text || ? || excluded.text, at = excluded.at",
        member,
        guest,
        "\n",
    )
    tx.execute("DELETE FROM notes WHERE user_id = ?", guest)


def _move_reliability(tx: Tx, guest: str, member: str) -> None:
    tx.execute(
        "INSERT INTO reliability (user_id, table_id, on_time, reminded, late, abandoned, at)"
        " SELECT ?, table_id, on_time, reminded, late, abandoned, at FROM reliability"
        " WHERE user_id = ?"
        " ON CONFLICT (user_id, table_id) DO UPDATE SET"
        " on_time = reliability.on_time + excluded.on_time,"
        " reminded = reliability.reminded + excluded.reminded,"
        " late = reliability.late + excluded.late,"
        " abandoned = reliability.abandoned + excluded.abandoned",
        member,
        guest,
    )
    tx.execute("DELETE FROM reliability WHERE user_id = ?", guest)


def _move_shunned(tx: Tx, guest: str, member: str) -> None:
    """Whom the guest shunned, and who shunned the guest; what the member has said stands."""
    tx.execute(
        "INSERT INTO shunned (user_id, other_id, kind, at)"
        " SELECT ?, other_id, kind, at FROM shunned WHERE user_id = ? AND other_id <> ?"
        " ON CONFLICT (user_id, other_id) DO NOTHING",
        member,
        guest,
        member,
    )
    tx.execute(
        "INSERT INTO shunned (user_id, other_id, kind, at)"
        " SELECT user_id, ?, kind, at FROM shunned WHERE other_id = ? AND user_id <> ?"
        " ON CONFLICT (user_id, other_id) DO NOTHING",
        member,
        guest,
        member,
    )
    tx.execute("DELETE FROM shunned WHERE user_id = ? OR other_id = ?", guest, guest)
