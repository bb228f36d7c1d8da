"""Moves half made: one for each seat that a person holds, and one for each lesson. They are their
author's alone, and go when the move is made or its turn is over.

What a draft says is the client's business; the newest counts, by whichever device it was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from openplan.core.log import Entry
from openplan.core.registry import all_games
from openplan.server.errors import Missing
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables.access import FoundTable, find
from openplan.server.texts import readable

MAX_DRAFT: Final = 4_000
# What ends a turn of sealed orders for everybody.
_ENDS: Final = ("adjudicate", "deadline", "roll-back")


class Draft(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing in `text`: it was given up then."""

    text: str
    at: int


NOTHING: Final = Draft("", 0)


def of_seat(tx: Tx, person: Person, table: str) -> Draft:
    return _read(tx, person, _place(find(tx, table, person)))


def write_for_seat(tx: Tx, person: Person, table: str, draft: Draft, now: int) -> Draft:
    here = find(tx, table, person)
    place = _place(here)
    if here.row.state != "playing":
        return NOTHING  # nothing is left to be drafted
    return _write(tx, person, place, here.id, draft, now)


def of_lesson(tx: Tx, person: Person, game: str) -> Draft:
    return _read(tx, person, _lesson(game))


def write_for_lesson(tx: Tx, person: Person, game: str, draft: Draft, now: int) -> Draft:
    return _write(tx, person, _lesson(game), None, draft, now)


def _place(here: FoundTable) -> str:
    return _seat_place(here, here.own_seat())


def _seat_place(here: FoundTable, seat: int) -> str:
    return f"{here.id} {here.game.seats[seat]}"


def _lesson(game: str) -> str:
    if game not in all_games():
        raise Missing
    return f"lesson {game}"


def _read(tx: Tx, person: Person, place: str) -> Draft:
    select = "SELECT text, at FROM drafts WHERE user_id = ? AND place = ?"
    return tx.row(Draft, select, person.id, place) or NOTHING


def _write(tx: Tx, person: Person, place: str, table: str | None, draft: Draft, now: int) -> Draft:
    """The newest is kept, whichever comes last; which one that is. A device whose clock is ahead
    gains nothing by it."""
    text = readable(draft.text, MAX_DRAFT, breaks="\n\t", needed=False)
    tx.execute(
        "INSERT INTO drafts (user_id, place, table_id, text, at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (user_id, place) DO UPDATE SET text = excluded.text, at = excluded.at"
        " WHERE excluded.at >= drafts.at",
        person.id,
        place,
        table,
        text,
        min(draft.at, now),
    )
    return _read(tx, person, place)


def settle(tx: Tx, here: FoundTable, entries: Sequence[Entry], *, is_over: bool) -> None:
    """These were entered: what they were drafts of is made, or can be made no more."""
    if not tx.kept(here.id, str, "SELECT place FROM drafts WHERE table_id = ?", here.id):
        return
    if is_over or not here.game.sealed or any(entry.kind in _ENDS for entry in entries):
        tx.execute("DELETE FROM drafts WHERE table_id = ?", here.id)
        return
    for seat in {entry.seat for entry in entries if entry.seat is not None}:
        tx.execute("DELETE FROM drafts WHERE place = ?", _seat_place(here, seat))
