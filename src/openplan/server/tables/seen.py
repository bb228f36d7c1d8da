"""How far a player was shown a table, kept for their next device: what came since is shown there,
and nothing twice. Where one person holds several seats at one screen, it is shown to all of them.

It is its owner's alone, and what was said last counts: after a roll-back it may be less.
"""

from __future__ import annotations

from typing import Final

import msgspec

from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables.access import FoundTable, find


class Seen(msgspec.Struct, frozen=True):
    """The last entry of your record that you were shown, and how many turns of sealed orders were
    opened before your eyes."""

    entry: int
    turn: int


NOTHING: Final = Seen(0, 0)


def of_seat(tx: Tx, person: Person, table: str) -> Seen:
    here = find(tx, table, person)
    select = "SELECT entry, turn FROM seen WHERE user_id = ? AND place = ?"
    return tx.row(Seen, select, person.id, _place(here)) or NOTHING


def write(tx: Tx, person: Person, table: str, seen: Seen) -> Seen:
    here = find(tx, table, person)
    tx.execute(
        "INSERT INTO seen (user_id, place, table_id, entry, turn) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (user_id, place) DO UPDATE SET entry = excluded.entry, turn = excluded.turn",
        person.id,
        _place(here),
        here.id,
        seen.entry,
        seen.turn,
    )
    return seen


def _place(here: FoundTable) -> str:
    here.own_seats()
    return f"{here.id} {'' if here.seat is None else here.game.seats[here.seat]}"
