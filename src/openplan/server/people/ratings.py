"""Ratings by game, and the ladder. They follow from results in the order in which matches ended."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from openplan.server.store import Tx

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


def rate(
    tx: Tx, game: str, people: Sequence[str], places: Sequence[int], percents: Sequence[int]
) -> dict[str | None, Rating]:
    """A match that counts is over: new ratings for those who began it, by the places they took. Of
    the change so many percent count for each; for whom nothing counts, nothing changes."""
    model = _model()
    before = [of(tx, person, game) for person in people]
    teams = [[model.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    after: dict[str | None, Rating] = {}
    rated = model.rate(teams, ranks=places)
    for person, old, percent, (new,) in zip(people, before, percents, rated, strict=True):
        if not percent:
            continue
        mu, sigma = float(new.mu), float(new.sigma)
        if percent < 100:
            mu = old.mu + (mu - old.mu) * percent / 100
            sigma = old.sigma + (sigma - old.sigma) * percent / 100
        rating = Rating(mu, sigma, old.matches + 1)
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


def clear(tx: Tx) -> None:
    tx.execute("DELETE FROM ratings")


def of(tx: Tx, person: str, game: str) -> Rating:
    select = "SELECT mu, sigma, matches FROM ratings WHERE user_id = ? AND game = ?"
    row = tx.row(tuple[float, float, int], select, person, game)
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
    select = "SELECT game, mu, sigma, matches FROM ratings WHERE user_id = ? ORDER BY game"
    rows = tx.rows(tuple[str, float, float, int], select, person)
    return [(game, Rating(mu, sigma, matches)) for game, mu, sigma, matches in rows]


def ladder(tx: Tx, game: str, limit: int) -> list[tuple[str, str, Rating]]:
    """Id, name and rating, the best first."""
    rows = tx.rows(
        tuple[str, str, float, float, int],
        "SELECT users.id, users.name, mu, sigma, matches FROM ratings"
        " JOIN users ON users.id = ratings.user_id"
        " WHERE game = ? AND users.deleted_at IS NULL"
        " ORDER BY mu - 3 * sigma DESC, users.id LIMIT ?",
        game,
        limit,
    )
    return [(person, name, Rating(mu, sigma, count)) for person, name, mu, sigma, count in rows]
