"""Results: how a match ended for each seat, written once, in the transaction that ends it.

What counts is what everybody could know beforehand. A rated table takes members only, with no bot,
no hint, no seat shared at one device and no take-back but the strict one; it has a clock and a deck
of the house. It counts when it is over, for those who began it: whoever left, or was replaced for
absence, is placed last, and whoever stood in is not rated. A match that was called off, or in which
something was rolled back, does not count; how much another counts say the `weights`.

Ratings follow from the results in the order in which matches ended, so they can be computed again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.server.people import ratings
from openplan.server.store import Tx
from openplan.server.store.rows import SeatRow
from openplan.server.tables.access import FoundTable
from openplan.server.tables.table_rows import change_seat
from openplan.server.tables.weights import FEW, WHOLE, Weight, weights_of


class Ending(NamedTuple):
    """All that a result needs to know of a match."""

    winners: frozenset[int]
    points: tuple[int, ...]
    withdrawn: frozenset[int]
    is_rolled_back: bool
    fewest: int = FEW
    """How often somebody has moved at least."""


def ending_of(match: Match) -> Ending:
    outcome = match.outcome
    assert outcome is not None
    return Ending(
        frozenset(outcome.winners),
        tuple(outcome.points),
        frozenset(_withdrawn(match)),
        any(entry.kind == "roll-back" for entry in match.log),
        min(_moves_made(match)),
    )


def _moves_made(match: Match) -> list[int]:
    """By each seat, as far as they are in force."""
    moves = [match.log[number - 1] for number in match.in_force()]
    seats = [entry.seat for entry in moves if entry.kind == "move"]
    return [seats.count(Seat(number)) for number in range(len(match.game.seats))]


def settle(
    tx: Tx,
    here: FoundTable,
    ending: Ending,
    now: int,
    known: Mapping[str, Weight] | None = None,
) -> None:
    """The match is over: how it ended for each seat, and what that means. Where it is computed
    again, it is `known` how much it counted for whom."""
    people = [seat.first_user_id or seat.user_id for seat in here.seats]
    left = [int(seat.seat) for seat in here.seats if _was_left(seat)]
    places = places_of(ending, left)
    players = [person for person in people if person is not None]
    counts = (
        here.options.rated
        and len(set(players)) == len(people)  # nobody plays twice, no bot plays
        and not ending.is_rolled_back
    )
    weights: Mapping[str, Weight] = {}
    after: dict[str | None, ratings.Rating] = {}
    if counts:
        gone = {people[seat] or "" for seat in (*ending.withdrawn, *left)}
        weights = known or weights_of(tx, here.game.name, players, gone, ending.fewest, now)
        percents = [weights.get(person, WHOLE).percent for person in players]
        after = ratings.rate(tx, here.game.name, players, places, percents)
    for seat, (person, best) in enumerate(zip(people, places, strict=True)):
        new = None if person is None else after.get(person)
        weight = weights.get(person or "", WHOLE)
        tx.execute(
            "INSERT INTO results (table_id, seat, user_id, game, place, is_rated, mu, sigma, at,"
            " percent, lessened) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            here.id,
            seat,
            person,
            here.game.name,
            best,
            int(counts),
            None if new is None else new.mu,
            None if new is None else new.sigma,
            now,
            *weight,
        )


def tell_names(tx: Tx, here: FoundTable) -> None:
    """A match is over in which nobody was named: the seats say from now on who played."""
    for row in here.seats:
        name = tx.row(str, "SELECT name FROM users WHERE id = ?", row.user_id or "")
        if row.bot is None and name is not None:
            change_seat(tx, here.id, row.seat, name=name)


def known_weights(tx: Tx) -> dict[str, dict[str, Weight]]:
    """How much each match counted for whom, by table."""
    found: dict[str, dict[str, Weight]] = {}
    select = "SELECT table_id, user_id, percent, lessened FROM results WHERE is_rated = 1"
    for table, person, percent, why in tx.rows(tuple[str, str | None, int, str], select):
        found.setdefault(table, {})[person or ""] = Weight(percent, why)
    return found


def lessened_of(tx: Tx, person: str) -> dict[str, int]:
    """How many of somebody's rated matches counted less, by the reason, and how many were called
    off after the deal."""
    counted = tx.rows(
        tuple[str, int],
        "SELECT lessened, COUNT(*) FROM results WHERE user_id = ? AND is_rated = 1"
        " AND lessened <> '' GROUP BY lessened ORDER BY lessened",
        person,
    )
    called_off = tx.row(
        int,
        "SELECT COUNT(*) FROM seats JOIN tables ON tables.id = seats.table_id"
        " WHERE seats.first_user_id = ? AND tables.state = 'aborted' AND tables.rated = 1",
        person,
    )
    return dict(counted) | ({"called-off": called_off} if called_off else {})


def clear(tx: Tx) -> None:
    """Also the ratings that followed: to compute both again."""
    tx.execute("DELETE FROM results")
    ratings.clear(tx)


def places_of(ending: Ending, left: Sequence[int]) -> list[int]:
    """Who came first, second...; several may share a place. Winners first, or everybody if there is
    none; the others by their points, those who withdrew behind them; last whoever `left`."""
    keys = []
    for seat, points in enumerate(ending.points):
        if seat in left:
            keys.append((3, 0))
        elif seat in ending.winners or not ending.winners:
            keys.append((0, 0))
        else:
            keys.append((2 if seat in ending.withdrawn else 1, -points))
    return [1 + sum(other < key for other in keys) for key in keys]


def _withdrawn(match: Match) -> set[int]:
    gone: set[int] = set()
    for entry in match.log:
        if entry.seat is not None and entry.kind in ("resign", "flag"):
            gone.add(entry.seat)
        elif entry.seat is not None and entry.kind == "seat":
            gone.discard(entry.seat)
    return gone


def _was_left(seat: SeatRow) -> bool:
    """Whether somebody else, or a bot, sits where the match was begun."""
    return seat.first_user_id is not None and (
        seat.first_user_id != seat.user_id or seat.bot is not None
    )


# -- Lists -----------------------------------------------------------------------------------


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """Of `results`, and of its table."""

    id: int
    table_id: str
    game: str
    seat: int
    place: int
    is_rated: int
    mu: float | None
    sigma: float | None
    at: int
    is_public: int


def results_of(
    tx: Tx, person: str, *, all_tables: bool, before: int, limit: int
) -> list[ResultRow]:
    """The newest first. Of private and casual tables others are told nothing."""
    return tx.rows(
        ResultRow,
        "SELECT results.id, results.table_id, results.game, results.seat, results.place,"
        " results.is_rated, results.mu, results.sigma, results.at, tables.is_public FROM results"
        " JOIN tables ON tables.id = results.table_id WHERE results.user_id = ?"
        " AND (results.id < ? OR ? = 0) AND (? = 1 OR tables.is_public = 1"
        " OR results.is_rated = 1) ORDER BY results.id DESC LIMIT ?",
        person,
        before,
        before,
        int(all_tables),
        limit,
    )


def participants(tx: Tx, table: str) -> list[tuple[int, str | None, int]]:
    """How it ended for everybody at a table, seat by seat: seat, person and place."""
    return tx.rows(
        tuple[int, str | None, int],
        "SELECT results.seat, users.id, results.place FROM results"
        " LEFT JOIN users ON users.id = results.user_id AND users.deleted_at IS NULL"
        " WHERE table_id = ? ORDER BY seat",
        table,
    )
