"""An account is deleted: its owner leaves every table, and all that is personal goes."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from openplan.core.game import GameError
from openplan.server.people import belongings
from openplan.server.people.accounts import Person
from openplan.server.people.sign_in import accounts_row
from openplan.server.store import Tx
from openplan.server.tables import lifecycle, moves, overdue
from openplan.server.tables.access import load
from openplan.server.tables.match_cache import MatchCache


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
    belongings.erase(tx, person, row, now)


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
