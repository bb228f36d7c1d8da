"""Tables in lists: one's own with what is due there, and those open to all."""

from __future__ import annotations

from typing import Any

import msgspec

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import shipped
from openplan.server.errors import DoesNotReplay
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.store.rows import ListedTable
from openplan.server.tables import lifecycle, turns
from openplan.server.tables.access import FoundTable, load
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.options import options_of, shown_in_lobby


class Listed(msgspec.Struct):
    """A table in a list: who sits there, and whether it waits for a move of yours."""

    id: str
    game: str
    name: str
    """What its maker calls it, if anything."""
    language: str
    """The language that is spoken there, if its maker said one."""
    state: str
    clock: dict[str, Any]
    rated: bool
    own_deck: bool
    """It is played with a deck that does not come with the game."""
    options: list[str]
    """The simple options of how it is played that are on."""
    empty_seats: int
    created_at: int
    seats: list[str]
    """What the game calls each seat."""
    names: list[str]
    """Who sits there, seat by seat; an empty seat has no name."""
    you: list[int]
    """The seats that are yours, by their place."""
    waits_for_you: bool = False
    is_master: bool = False
    """You lead it."""
    is_lost: bool = False
    """You had a seat there and have it no more."""
    turn: int | None = None
    due_at: int | None = None
    is_overdue: bool = False
    missing: list[int] | None = None
    """Who is waited for, by their place; nothing where that is not told."""


def public(tx: Tx, language: str) -> list[Listed]:
    """Those that wait for somebody first."""
    return [_listed(tx, row, None, language) for row in lifecycle.public_tables(tx)]


def own(tx: Tx, cache: MatchCache, person: Person, language: str) -> list[Listed]:
    """Where somebody plays, leads or has lost a seat, by what is due: first what waits for them,
    then what waits for others, then what has not begun, then what is over, the newest first."""
    rows = {row.id: row for row in lifecycle.own_tables(tx, person)}
    lost = {row.id: row for row in lifecycle.lost_tables(tx, person)}
    led = {row.id: row for row in lifecycle.mastered_tables(tx, person)}
    found = []
    for row in {**lost, **led, **rows}.values():
        listed = _listed(tx, row, person, language)
        listed.is_lost = row.id in lost
        listed.is_master = row.id in led
        if row.state == "playing" and not listed.is_lost:
            _stand(tx, cache, listed, person)
        found.append(listed)
    return sorted(found, key=_urgency)


def _urgency(listed: Listed) -> tuple[int, int, int]:
    begun = {"playing": 1, "held": 1, "waiting": 2}.get(listed.state, 3)
    group = 3 if listed.is_lost else 0 if listed.waits_for_you else begun
    never = 1 << 62
    return group, never if listed.due_at is None else listed.due_at, -listed.created_at


def _listed(tx: Tx, row: ListedTable, person: Person | None, language: str) -> Listed:
    options = options_of(tx, row.id, row.options)
    game = game_named(row.game)
    held = [] if person is None else lifecycle.seats_of(tx, row.id, person)
    return Listed(
        id=row.id,
        game=row.game,
        name=options.name,
        language=options.language,
        state=row.state,
        clock=msgspec.to_builtins(options.clock),
        rated=options.rated,
        own_deck=row.deck_name not in shipped(game),
        options=shown_in_lobby(options),
        empty_seats=row.empty,
        created_at=row.created_at,
        seats=[game.seat_name(Seat(seat), language) for seat in range(len(game.seats))],
        names=lifecycle.names(tx, row.id),
        you=held,
    )


def _stand(tx: Tx, cache: MatchCache, listed: Listed, person: Person) -> None:
    """How a match stands: its turn, when that is due, who is missing."""
    here = load(tx, listed.id, person.id)
    assert here is not None
    try:
        with cache.timed(tx, here.row) as timed:
            match = timed.match
            listed.waits_for_you = not match.awaited.isdisjoint(here.own)
            listed.turn = timed.stretch.number
            if knows_missing(here, match, person.id):
                listed.missing = sorted(map(int, match.awaited))
            turn = turns.current(tx, here, timed)
            if turn is not None and timed.rule.kind in ("days", "schedule"):
                listed.due_at, listed.is_overdue = turn.due_at, turn.is_overdue
    except DoesNotReplay:  # whoever goes there is told; the other tables are found all the same
        pass


def knows_missing(here: FoundTable, match: Match, user: str | None) -> bool:
    """Whether somebody may know whose orders are missing: where all may, or as a game master who
    does not play."""
    is_told = not here.game.sealed or here.game.shows_awaited(match.house)
    return is_told or (user is not None and here.master == user and here.is_spectator)
