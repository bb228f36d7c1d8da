"""The proof under load, in small: everybody who looks on is told of every move, in good time."""

from __future__ import annotations

from tests.server.load import load, percentile


def test_every_move_is_seen_by_everybody_who_looks_on() -> None:
    outcome = load(tables=20, rate=25, seconds=4)
    assert (len(outcome.seen), outcome.sockets) == (100, 60)
    # Far more than the aim of 100 ms: other tests run at the same time.
    assert percentile(outcome.seen, 99) < 3_000, str(outcome)


def test_where_a_game_is_over_the_next_is_opened_and_all_go_there() -> None:
    """Four tables have more moves than four games."""
    outcome = load(tables=4, rate=30, seconds=8, sockets=10)
    assert (len(outcome.seen), outcome.sockets) == (240, 10)
