"""What belongs to a person, in every table of the store: a guest who signs in takes it along, and
it goes when the account is deleted. Beside this module, one alone writes each table."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from typing import Any, Final

import msgspec

from openplan.server.notify import letters, tellings
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.people.names import FORMER
from openplan.server.store import Tx, Value
from openplan.server.store.rows import SeatRow, UserRow, columns

REMOVED: Final = "(removed)"

# Where somebody is named and nothing stands in the way of naming somebody else.
MOVED: Final = (
    ("chat", "user_id"),
    ("results", "user_id"),
    ("reports", "user_id"),
    ("reports", "about_id"),
    ("tables", "owner_id"),
    ("audit", "user_id"),
    ("absences", "user_id"),
    ("press", "user_id"),
    ("pushes", "user_id"),
    ("hooks", "user_id"),
    ("decks", "user_id"),
    ("decks", "maker_id"),
    ("deck_versions", "user_id"),
    ("deck_trials", "user_id"),
    ("reviews", "user_id"),
)


# Where a person has rows beside each other; what the member has already stays.
ADDED: Final = (
    ("standbys", "table_id, created_at"),
    ("watchers", "table_id, created_at"),
    ("table_looks", "table_id, at"),
    ("marks", "mark, at"),
    ("earlier_names", "name"),
    ("table_wishes", "table_id, wishes"),
    ("presence", "table_id, until_at"),
    ("drafts", "place, table_id, text, at"),
    ("seen", "place, table_id, entry, turn"),
)


ERASED: Final = (
    "DELETE FROM notes WHERE user_id = ?",
    "DELETE FROM drafts WHERE user_id = ?",
    "DELETE FROM seen WHERE user_id = ?",
    "DELETE FROM submissions WHERE user_id = ?",
    "DELETE FROM tickets WHERE user_id = ?",
    "DELETE FROM shunned WHERE user_id = ?",
    "DELETE FROM shunned WHERE other_id = ?",
    "DELETE FROM reliability WHERE user_id = ?",
    "DELETE FROM absences WHERE user_id = ?",
    "DELETE FROM standbys WHERE user_id = ?",
    "DELETE FROM watchers WHERE user_id = ?",
    "UPDATE tables SET master_id = NULL WHERE master_id = ?",
    "DELETE FROM table_looks WHERE user_id = ?",
    "DELETE FROM marks WHERE user_id = ?",
    "DELETE FROM earlier_names WHERE user_id = ?",
    "UPDATE tables SET next_master_id = NULL WHERE next_master_id = ?",
    "DELETE FROM table_wishes WHERE user_id = ?",
    "DELETE FROM presence WHERE user_id = ?",
    "DELETE FROM pushes WHERE user_id = ?",
    "DELETE FROM hooks WHERE user_id = ?",
    "DELETE FROM deck_trials WHERE user_id = ?",
    "DELETE FROM deck_versions WHERE user_id = ?",
    "DELETE FROM decks WHERE user_id = ?",
    "UPDATE reviews SET user_id = NULL WHERE user_id = ?",
)


class LeftBehind(msgspec.Struct, frozen=True):
    """A seat of the guest's that did not come along."""

    table: str
    reason: str


def merge(tx: Tx, before: Person | None, person: Person, now: int) -> list[LeftBehind]:
    """If a guest has come in as a member: the guest's seats, notes and all else to the member; the
    guest is no more. Where the member sits too, or sat, or leads the table, the guest's seat stays
    behind: one person is on one side of a table. Before the match it is free again, after that it
    is an absent player's. A guest's mastership goes to nobody who plays."""
    if before is None or before.kind != "guest" or before.id == person.id:
        return []
    guest, member = before.id, person.id
    led = tx.rows(str, "SELECT id FROM tables WHERE master_id = ? AND state <> 'waiting'", member)
    _move_mastership(tx, guest, member)
    left = _move_seats(tx, guest, person, led)
    accounts.note_name(tx, member, before.name)
    _move_submissions(tx, guest, member, {one.table for one in left})
    _move_notes(tx, guest, member)
    _move_reliability(tx, guest, member)
    _move_shunned(tx, guest, member)
    for table, others in ADDED:
        tx.execute(
            f"INSERT INTO {table} (user_id, {others}) SELECT ?, {others} FROM {table}"  # noqa: S608
            " WHERE user_id = ? ON CONFLICT DO NOTHING",
            member,
            guest,
        )
        tx.execute(f"DELETE FROM {table} WHERE user_id = ?", guest)  # noqa: S608 - of constants
    for table, column in MOVED:
        tx.change(table, {column: guest}, {column: member})
    letters.take_back(tx, guest)
    tellings.take_back(tx, guest)
    tx.execute("DELETE FROM tickets WHERE user_id = ?", guest)
    accounts.end_sessions(tx, guest)
    accounts.change_user(tx, guest, password=None, new_email=None, deleted_at=now)
    return left


def _move_seats(tx: Tx, guest: str, member: Person, led: Sequence[str]) -> list[LeftBehind]:
    """A match that has begun keeps the names it began with. `led` are the tables that the member
    leads."""
    seats = tx.rows(
        tuple[str, int, str, int, bool],
        "SELECT table_id, seat, state,"
        " (SELECT COUNT(*) FROM seats AS other WHERE other.table_id = seats.table_id"
        " AND other.seat <> seats.seat AND (other.user_id = ? OR other.first_user_id = ?))"
        " AS meets,"
        # Where nobody is named, a seat has no name of anybody's.
        " COALESCE(options, '') LIKE '%\"anonymous\":true%' AS is_hidden"
        " FROM seats JOIN tables ON tables.id = seats.table_id"
        " WHERE seats.user_id = ? ORDER BY seats.joined_at, table_id",
        member.id,
        member.id,
        guest,
    )
    left = []
    for table, seat, state, meets, is_hidden in seats:
        is_waiting = state == "waiting"
        here: dict[str, Value] = {"table_id": table, "seat": seat}
        if meets or table in led:
            whose = "is free again" if is_waiting else "stays the guest's"
            why = "has or had a seat at" if meets else "leads"
            reason = f"your account {why} this table already; the guest's seat {whose}"
            left.append(LeftBehind(table, reason))
            if is_waiting:
                tx.change("seats", here, {"user_id": None, "name": "", "joined_at": None})
        else:
            name = {"name": member.name} if is_waiting and not is_hidden else {}
            tx.change("seats", here, {"user_id": member.id, **name})
        tx.signal("table", table)
    _move_beginnings(tx, guest, member.id)
    return left


def _move_beginnings(tx: Tx, guest: str, member: str) -> None:
    """Who began a match in a seat; but nobody began it in two."""
    began = tx.rows(
        tuple[str, int],
        "SELECT table_id, seat FROM seats WHERE first_user_id = ? AND NOT EXISTS"
        " (SELECT 1 FROM seats AS other WHERE other.table_id = seats.table_id"
        " AND other.seat <> seats.seat AND (other.user_id = ? OR other.first_user_id = ?))",
        guest,
        member,
        member,
    )
    for table, seat in began:
        tx.change("seats", {"table_id": table, "seat": seat}, {"first_user_id": member})
    tx.change("seats", {"first_user_id": guest}, {"first_user_id": None})


def _move_mastership(tx: Tx, guest: str, member: str) -> None:
    """A table that the guest leads, or would lead, is the member's to lead, unless the member plays
    there or has played."""
    for column in ("master_id", "next_master_id"):
        for table, is_player in tx.rows(
            tuple[str, int],
            f"SELECT id, (SELECT COUNT(*) FROM seats WHERE table_id = tables.id"  # noqa: S608
            " AND tables.state <> 'waiting' AND (user_id = ? OR first_user_id = ?)) AS is_player"
            f" FROM tables WHERE {column} = ?",
            member,
            member,
            guest,
        ):
            tx.change("tables", {"id": table}, {column: None if is_player else member})
            tx.signal("table", table)


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
            where = {"table_id": table, "user_id": guest, "name": name}
            tx.change("submissions", where, {"user_id": member})
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


# -- Forgotten -------------------------------------------------------------------------------


def rename_where_waiting(tx: Tx, user: str, before: str, name: str) -> None:
    """Seats of matches that have not begun follow a new name: an invitation says who invites. A
    match that has begun keeps the names it began with; a seat that was given another name, or none,
    keeps that."""
    waiting = tx.rows(
        tuple[str, int],
        "SELECT table_id, seat FROM seats JOIN tables ON tables.id = seats.table_id"
        " WHERE seats.user_id = ? AND seats.name = ? AND state = 'waiting'",
        user,
        before,
    )
    for table, seat in waiting:
        tx.change("seats", {"table_id": table, "seat": seat}, {"name": name})
        tx.signal("table", table)


def erase(tx: Tx, person: Person, row: UserRow, now: int) -> None:
    """All that is personal goes; what was played stays, by a former member."""
    _forget_names(tx, person)
    for statement in ERASED:
        tx.execute(statement, person.id)
    accounts.end_sessions(tx, person.id)
    names = (person.id, row.email or "", row.new_email or "")
    letters.take_back(tx, *names)
    tellings.take_back(tx, person.id)
    for name in names:
        tx.execute("DELETE FROM mails WHERE person = ?", name)
        tx.execute("DELETE FROM sent_letters WHERE reader = ?", name)
        tx.execute("DELETE FROM invitations WHERE email = ?", name)
    nothing = dict.fromkeys(("login", "email", "new_email", "password", "mail_trouble", "calendar"))
    kept = {"name": FORMER, "zone": "UTC", "language": "en", "wishes": "{}", "deleted_at": now}
    tx.change("users", {"id": person.id}, {**nothing, **kept})


def _forget_names(tx: Tx, person: Person) -> None:
    """What somebody is called, and was called before, goes out of every match, which is then read
    anew wherever it is in memory; and out of what others have written of them."""
    called = {person.name, *accounts.earlier_names(tx, person.id)}
    seats = tx.rows(
        SeatRow,
        f"SELECT {columns(SeatRow)} FROM seats WHERE user_id = ? OR first_user_id = ?"  # noqa: S608
        " ORDER BY table_id",
        person.id,
        person.id,
    )
    called.update(seat.name for seat in seats if seat.user_id == person.id and seat.name)
    for seat in seats:
        first = tx.row(str, "SELECT first_names FROM tables WHERE id = ?", seat.table_id)
        if first is not None and (seat.first_user_id or seat.user_id) == person.id:
            names = json.loads(first)
            called.add(names[seat.seat])
            names[seat.seat] = FORMER
            tx.change("tables", {"id": seat.table_id}, {"first_names": json.dumps(names)})
        here = {"table_id": seat.table_id}
        tx.change("seats", {**here, "seat": seat.seat, "user_id": person.id}, {"name": FORMER})
    tx.change("chat", {"user_id": person.id}, {"name": FORMER, "text": REMOVED})
    tx.change("press", {"user_id": person.id}, {"name": FORMER, "text": REMOVED})
    forgotten = called - {FORMER}
    for table in _tables_of(tx, person.id):
        for name in forgotten:
            where = {"table_id": table, "kind": "seat", "text": name}
            tx.change("entries", where, {"text": FORMER})
        _forget_title(tx, table, forgotten)
        for place, column, key in QUOTED:
            _unname(tx, place, column, key, "table_id", table, forgotten)
        tx.signal("names", table)
        tx.signal("table", table)
    for column in ("about_id", "user_id"):
        _unname(tx, "reports", "text", "id", column, person.id, forgotten)


# Where others may have written a name at a table, and the key of such a row.
QUOTED: Final = (
    ("chat", "text", "number"),
    ("press", "text", "id"),
    ("audit", "detail", "id"),
    ("sent_letters", "subject", "name"),
)


def _tables_of(tx: Tx, user: str) -> list[str]:
    """Where somebody has been, also who has lost the seat since."""
    places = ("seats", "submissions", "reliability", "table_looks", "chat", "press")
    found = {
        table
        for place in places
        for table in tx.rows(str, f"SELECT table_id FROM {place} WHERE user_id = ?", user)  # noqa: S608
    }
    began = "SELECT table_id FROM seats WHERE first_user_id = ?"
    made = "SELECT id FROM tables WHERE owner_id = ?"
    return sorted({*found, *tx.rows(str, began, user), *tx.rows(str, made, user)})


def _unname(
    tx: Tx, place: str, column: str, key: str, where: str, value: str, names: Collection[str]
) -> None:
    """Write `FORMER` wherever a text of these rows has one of the names as a word of its own."""
    if not names:
        return
    words = _words(names)
    select = f"SELECT {key}, {column} FROM {place} WHERE {where} = ?"  # noqa: S608 - of constants
    for ident, text in tx.rows(tuple[Any, str], select, value):
        unnamed = words.sub(FORMER, text)
        if unnamed != text:
            tx.change(place, {where: value, key: ident, column: text}, {column: unnamed})


def _words(names: Collection[str]) -> re.Pattern[str]:
    """Any of these names, as a word of its own."""
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


def _forget_title(tx: Tx, table: str, names: Collection[str]) -> None:
    """A table that is called after somebody is called nothing."""
    text = tx.row(str, "SELECT options FROM tables WHERE id = ?", table)
    options = {} if text is None else json.loads(text)
    if names and _words(names).search(options.get("name", "")):
        unnamed = json.dumps({**options, "name": ""})
        tx.change("tables", {"id": table}, {"options": unnamed})
