"""What many matches tell: shares with intervals, ratings, and when enough has been played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import lgamma, log, sqrt
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from openplan.arena.tournament import Result

Z95: Final = 1.959964
"""So many standard deviations on either side hold 95% of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of so many games, with its 95% interval after Wilson. Draws count in parts."""

    won: float
    games: int

    @property
    def rate(self) -> float:
        return self.won / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        n = self.games
        if n == 0:
            return 0.0, 1.0
        z2 = Z95 * Z95
        middle = (self.won + z2 / 2) / (n + z2)
        half = Z95 / (n + z2) * sqrt(max(0.0, self.won * (n - self.won) / n) + z2 / 4)
        return max(0.0, middle - half), min(1.0, middle + half)

    def data(self) -> dict[str, object]:
        low, high = self.interval
        return {"rate": round(self.rate, 4), "low": round(low, 4), "high": round(high, 4)}


def is_decided(won: float, games: int, aim: float) -> bool:
    """Whether a share differs from `aim` by a test that may be asked after every game.

    An even mixture over all shares is compared with `aim`; if `aim` is the truth, the ratio ever
    exceeds 20 with a chance of at most 5% (Ville's inequality), however long one plays and looks.
    """
    lost = games - won
    mixed = lgamma(won + 1) + lgamma(lost + 1) - lgamma(games + 2)
    return mixed - won * log(aim) - lost * log(1 - aim) > log(20)


def scores(result: Result) -> list[float]:
    """What each seat gets of a match's one point."""
    winners = result.winners or tuple(range(len(result.bots)))
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(result.bots))]


def share_of(name: str, results: Iterable[Result]) -> Share:
    """A bot's part, each seat it had counted as a game."""
    won = 0.0
    games = 0
    for result in results:
        for bot, score in zip(result.bots, scores(result), strict=True):
            if bot == name:
                won += score
                games += 1
    return Share(won, games)


def ratings(names: Sequence[str], results: Iterable[Result]) -> dict[str, tuple[float, float]]:
    """Openskill's mean and deviation of each bot, from the matches in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    rated: dict[str, Any] = {name: model.rating(name=name) for name in names}
    for result in results:
        if len(set(result.bots)) < len(result.bots):
            continue  # who of two namesakes was better says nothing about either
        teams = [[rated[bot]] for bot in result.bots]
        ranks = [-score for score in scores(result)]
        for bot, (new,) in zip(result.bots, model.rate(teams, ranks=ranks), strict=True):
            rated[bot] = new
    return {name: (float(rating.mu), float(rating.sigma)) for name, rating in rated.items()}


def mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def summary(
    names: Sequence[str], seats: Sequence[str], results: Sequence[Result]
) -> dict[str, Any]:
    """All figures as plain data; the same results give the same bytes."""
    unique = list(dict.fromkeys(names))
    rated = ratings(unique, results)
    bots = []
    for name in unique:
        share = share_of(name, results)
        at = [(result, seat) for result in results for seat in result.seats_of(name)]
        points = [result.points[seat] for result, seat in at]
        best_other = [
            max(points for other, points in enumerate(result.points) if other != seat)
            for result, seat in at
        ]
        bots.append(
            {
                "name": name,
                "games": share.games,
                "won": sum(result.winners == (seat,) for result, seat in at),
                "shared": sum(
                    len(result.winners) != 1 and (not result.winners or seat in result.winners)
                    for result, seat in at
                ),
                **share.data(),
                "points": round(mean(points), 2),
                "margin": round(mean(points) - mean(best_other), 2),
                "rating": [round(number, 2) for number in rated[name]],
                "failed": sum(seat in dict(result.failed) for result, seat in at),
            }
        )
    pairs = []
    if len(unique) > 2:
        for one, other in combinations(unique, 2):
            both = [result for result in results if {one, other} <= set(result.bots)]
            if both:
                share = share_of(one, both)
                pairs.append({"bot": one, "other": other, "games": share.games, **share.data()})
    plies = [result.plies for result in results]
    reasons = sorted({result.reason for result in results})
    return {
        "games": len(results),
        "bots": bots,
        "pairs": pairs,
        "seats": [
            {
                "seat": code,
                **Share(sum(scores(result)[seat] for result in results), len(results)).data(),
                "points": round(mean([result.points[seat] for result in results]), 2),
            }
            for seat, code in enumerate(seats)
        ],
        "entries": {
            "mean": round(mean(plies), 2),
            "least": min(plies, default=0),
            "most": max(plies, default=0),
        },
        "endings": {
            reason: sum(result.reason == reason for result in results) for reason in reasons
        },
    }
