"""Intervals, the sequential test and ratings, against numbers from elsewhere."""

from random import Random

import pytest

from openplan.arena.figures import Share, is_decided, ratings, scores, share_of, summary
from openplan.arena.tournament import Result


def result(number: int, bots: tuple[str, ...], winners: tuple[int, ...]) -> Result:
    points = tuple(10 if seat in winners else 5 for seat in range(len(bots)))
    return Result(number, bots, winners, points, 40 + number, "points")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(80, 100, 0.7112, 0.8666), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (0, 0, 0, 1)],
)
def test_wilsons_interval(won: int, games: int, low: float, high: float) -> None:
    assert Share(won, games).interval == pytest.approx((low, high), abs=1e-4)


def test_the_sequential_test_seldom_errs_and_soon_decides() -> None:
    def stops_after(truth: float, aim: float, rng: Random, most: int) -> int | None:
        won = 0
        for games in range(1, most + 1):
            won += rng.random() < truth
            if is_decided(won, games, aim):
                return games
        return None

    rng = Random(1)
    wrong = [stops_after(0.6, 0.6, rng, 400) for _ in range(300)]
    assert sum(stop is not None for stop in wrong) < 0.05 * 300
    right = [stops_after(0.9, 0.6, rng, 400) for _ in range(100)]
    assert all(stop is not None and stop < 80 for stop in right)


def test_a_draw_and_a_shared_win_are_divided() -> None:
    assert scores(result(0, ("a", "b"), (1,))) == [0, 1]
    assert scores(result(0, ("a", "b"), ())) == [0.5, 0.5]
    assert scores(result(0, ("a", "b", "c"), (0, 2))) == [0.5, 0, 0.5]
    assert share_of("b", [result(0, ("a", "b", "b"), (0, 2))]) == Share(0.5, 2)


def test_ratings_put_a_pool_in_order() -> None:
    results = []
    for number in range(30):
        pair = [("good", "fair"), ("fair", "poor"), ("good", "poor")][number % 3]
        results.append(result(number, pair, (0,)))
    rated = ratings(["poor", "good", "fair"], results)
    assert rated["good"][0] > rated["fair"][0] > rated["poor"][0]
    assert all(sigma < 25 / 3 for _, sigma in rated.values())
    assert rated == ratings(["good", "fair", "poor"], results)


def test_the_summary_adds_up() -> None:
    pool = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    results = [result(number, pair, (number % 2,)) for number, pair in enumerate(pool)]
    figures = summary(["a", "b", "c"], ["A", "B"], results)
    assert [bot["won"] for bot in figures["bots"]] == [4, 2, 0]
    assert [bot["games"] for bot in figures["bots"]] == [4, 4, 4]
    assert [pair["rate"] for pair in figures["pairs"]] == [1, 1, 1]
    assert figures["entries"] == {"mean": 42.5, "least": 40, "most": 45}
    assert [seat["rate"] for seat in figures["seats"]] == [0.5, 0.5]
