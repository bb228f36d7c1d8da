"""Results and ratings: written once for each match, in the transaction that ends it.

What counts is what everybody could know beforehand. A rated table takes members only, with no bot,
no hint, no seat shared at one device and no take-back but the strict one; it has a clock and a deck
of the house. It counts when it is over, for those who began it: whoever left, or was replaced for
absence, is placed last, and whoever stood in is not rated. A match that was called off, or in which
something was rolled back, does not count.

Ratings follow from the results in the order in which matches ended, so they can be computed again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from openplan.core.match import Match
from openplan.server.store import Row, Tx
from openplan.server.store.rows import SeatRow
from openplan.server.tables.access import Place

PROVISIONAL: Final = 5
"""A rating from fewer matches than this is a guess."""


class Rating(NamedTuple):
    """Openskill's mean and deviation."""

    mu: float
    sigma: float
    matches: int

    @property
    def shown(self) -> int:
        """One number: what somebody is at least, and 1000 for whom nothing is known of."""
        return max(0, round(1000 + 40 * (self.mu - 3 * self.sigma)))


class Ending(NamedTuple):
    """All that a result needs to know of a match."""

    winners: frozenset[int]
    points: tuple[int, ...]
    withdrawn: frozenset[int]
    is_rolled_back: bool


def ending_of(match: Match) -> Ending:
    outcome = match.outcome
    assert outcome is not None
    return Ending(
        frozenset(outcome.winners),
        tuple(outcome.points),
        frozenset(_withdrawn(match)),
        any(entry.kind == "roll-back" for entry in match.log),
    )


def settle(tx: Tx, place: Place, ending: Ending, now: int) -> None:
    """The match is over: how it ended for each seat, and what that means."""
    people = [seat.first_user_id or seat.user_id for seat in place.seats]
    places = places_of(ending, [int(seat.seat) for seat in place.seats if _was_left(seat)])
    known = [person for person in people if person is not None]
    counts = (
        place.options.rated
        and len(set(known)) == len(people)  # nobody plays twice, no bot plays
        and not ending.is_rolled_back
    )
    after = _rate(tx, place.game.name, known, places) if counts else {}
    for seat, (person, best) in enumerate(zip(people, places, strict=True)):
        new = None if person is None else after.get(person)
        tx.execute(
            "INSERT INTO results (table_id, seat, user_id, game, place, is_rated, mu, sigma, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            place.id,
            seat,
            person,
            place.game.name,
            best,
            int(counts),
            None if new is None else new.mu,
            None if new is None else new.sigma,
            now,
        )


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


def _rate(
    tx: Tx, game: str, people: Sequence[str], places: Sequence[int]
) -> dict[str | None, Rating]:
    model = _model()
    before = [of(tx, person, game) for person in people]
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after: dict[str | None, Rating] = {}
    for person, old, (new,) in zip(people, before, model.rate(teams, ranks=places), strict=True):
        rating = Rating(float(new.mu), float(new.sigma), old.matches + 1)
        tx.execute(
            "INSERT INTO ratings (user_id, game, mu, sigma, matches) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (user_id, game) DO UPDATE SET mu = excluded.mu, sigma = excluded.sigma,"
            " matches = excluded.matches",
            person,
            game,
            *rating,
        )
        after[person] = rating
    return after


def of(tx: Tx, person: str, game: str) -> Rating:
    row = tx.one(
        "SELECT mu, sigma, matches FROM ratings WHERE user_id = ? AND game = ?", person, game
    )
    if row is None:
        new = _model().rating()
        return Rating(float(new.mu), float(new.sigma), 0)
    return Rating(*row)


@lru_cache(maxsize=1)
def _model() -> Any:
    # Not at the start: serving does not need it until the first rated match is over.
    from openskill.models import PlackettLuce

    return PlackettLuce()


# -- Lists -----------------------------------------------------------------------------------


def all_of(tx: Tx, person: str) -> list[tuple[str, Rating]]:
    rows = tx.execute(
        "SELECT game, mu, sigma, matches FROM ratings WHERE user_id = ? ORDER BY game", person
    )
    return [(row.game, Rating(row.mu, row.sigma, row.matches)) for row in rows]


def ladder(tx: Tx, game: str, limit: int) -> list[tuple[Row, Rating]]:
    """The best first."""
    rows = tx.execute(
        "SELECT users.id, users.name, mu, sigma, matches FROM ratings"
        " JOIN users ON users.id = ratings.user_id"
        " WHERE game = ? AND users.deleted_at IS NULL"
        " ORDER BY mu - 3 * sigma DESC, users.id LIMIT ?",
        game,
        limit,
    )
    return [(row, Rating(row.mu, row.sigma, row.matches)) for row in rows]


def results_of(tx: Tx, person: str, *, all_tables: bool, before: int, limit: int) -> list[Row]:
    """The newest first. Of private and casual tables others are told nothing."""
    return tx.execute(
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
