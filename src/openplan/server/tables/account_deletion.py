"""An account is deleted: its owner leaves every table, and all that is personal goes."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import Final

from openplan.core.game import GameError
from openplan.server.notify import letters
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.people.sign_in import accounts_row
from openplan.server.store import Tx
from openplan.server.store.rows import SeatRow, columns
from openplan.server.tables import lifecycle, moves, overdue
from openplan.server.tables.access import load
from openplan.server.tables.match_cache import MatchCache

FORMER: Final = "former member"
"""What stands where the name of somebody stood who is gone."""
REMOVED: Final = "(removed)"

ERASED: Final = (
    "DELETE FROM notes WHERE user_id = ?",
    "DELETE FROM submissions WHERE user_id = ?",
    "DELETE FROM tickets WHERE user_id = ?",
    "DELETE FROM shunned WHERE user_id = ?",
    "DELETE FROM shunned WHERE other_id = ?",
    "DELETE FROM reliability WHERE user_id = ?",
    "DELETE FROM absences WHERE user_id = ?",
    "DELETE FROM standbys WHERE user_id = ?",
    "DELETE FROM watchers WHERE user_id = ?",
    "UPDATE tables SET master_id = NULL WHERE master_id = ?",
    "UPDATE seats SET acting_id = NULL WHERE acting_id = ?",
)


def erase(tx: Tx, cache: MatchCache, person: Person, now: int) -> None:
    """The account goes with all that is personal. Seats that wait are free again, tables that wait
    are called off, matches that run are resigned; what was played stays, by a former member."""
    row = accounts_row(tx, person.id)
    seated = "SELECT DISTINCT table_id FROM seats WHERE user_id = ? ORDER BY table_id"
    for table in tx.rows(str, seated, person.id):
        _leave_table(tx, cache, person, table, now)
    waiting = "SELECT id FROM tables WHERE owner_id = ? AND state = 'waiting' ORDER BY id"
    for table in tx.rows(str, waiting, person.id):
        lifecycle.abort(tx, cache, person, table, now)
    _forget_names(tx, person)
    for statement in ERASED:
        tx.execute(statement, person.id)
    accounts.end_sessions(tx, person.id)
    letters.take_back(tx, person.id, row.email or "", row.new_email or "")
    for name in (person.id, row.email or "", row.new_email or ""):
        tx.execute("DELETE FROM mails WHERE person = ?", name)
        tx.execute("DELETE FROM sent_letters WHERE reader = ?", name)
        tx.execute("DELETE FROM invitations WHERE email = ?", name)
    tx.execute(
        "UPDATE users SET name = ?, login = NULL, email = NULL, new_email = NULL, password = NULL,"
        " mail_trouble = NULL, zone = 'UTC', language = 'en', wishes = '{}', deleted_at = ?"
        " WHERE id = ?",
        FORMER,
        now,
        person.id,
    )


def _leave_table(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """One by one, where it is several seats at one device."""
    here = load(tx, table, person.id, lock=True)
    assert here is not None
    for seat in (seat for seat in here.own if here.seats[seat].user_id == person.id):
        seated = replace(person, seat=here.game.seats[seat])
        if here.row.state == "waiting":
            lifecycle.leave(tx, seated, table)
        elif here.row.state == "playing":
            overdue.expire(tx, cache, table, now)  # what was due before comes before
            with suppress(GameError):  # it is over by now, or has been resigned before
                moves.resign(tx, cache, seated, table, now)


def _forget_names(tx: Tx, person: Person) -> None:
    """The name goes out of every match, which is then read anew wherever it is in memory."""
    seats = tx.rows(
        SeatRow,
        f"SELECT {columns(SeatRow)} FROM seats WHERE user_id = ? OR first_user_id = ?"  # noqa: S608
        " ORDER BY table_id",
        person.id,
        person.id,
    )
    for seat in seats:
        first = tx.row(str, "SELECT first_names FROM tables WHERE id = ?", seat.table_id)
        if first is not None and (seat.first_user_id or seat.user_id) == person.id:
            names = json.loads(first)
            names[seat.seat] = FORMER
            tx.execute(
                "UPDATE tables SET first_names = ? WHERE id = ?", json.dumps(names), seat.table_id
            )
        tx.execute(
            "UPDATE entries SET text = ? WHERE table_id = ? AND kind = 'seat' AND text = ?",
            FORMER,
            seat.table_id,
            person.name,
        )
        tx.execute(
            "UPDATE seats SET name = ? WHERE table_id = ? AND seat = ? AND user_id = ?",
            FORMER,
            seat.table_id,
            seat.seat,
            person.id,
        )
        tx.signal("names", seat.table_id)
        tx.signal("table", seat.table_id)
    tx.execute("UPDATE chat SET name = ?, text = ? WHERE user_id = ?", FORMER, REMOVED, person.id)
    tx.execute("UPDATE press SET text = ? WHERE user_id = ?", REMOVED, person.id)
