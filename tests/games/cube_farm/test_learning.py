"""Steps are the orders, and an observation holds what its seat may know and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.game import Seat
from openplan.core.registry import game_named
from tests.games.cube_farm.stepping import WINDOW, lanes_of, seen_by, walk_game
from tests.probes import new_match, play_on, probe_of

GAME = game_named("cube-farm")
SEATS = [Seat(seat) for seat in range(3)]


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(2))
def test_steps_are_the_decisions_in_every_form(seed: int) -> None:
    rng = Random(f"steps {seed}")
    assert walk_game(new_match(GAME, rng), rng) == 90


def test_steps_are_the_decisions_of_the_fast_table() -> None:
    for seed in range(25):
        rng = Random(f"walks {seed}")
        assert walk_game(new_match(GAME, rng), rng) == 90


@pytest.mark.parametrize("seed", range(10))
def test_lanes_know_what_the_views_know(seed: int) -> None:
    """Step by step: what the seat to act sees from the truth and from its view, and what it can
    do; the others see nothing of its orders."""
    rng = Random(f"lanes {seed}")
    match = new_match(GAME, rng)
    lanes = lanes_of(match)
    steps = lanes.lanes[0].steps
    while match.outcome is None:
        for seat in SEATS:
            desk = GAME.learning(match.deck, match.house).desk(WINDOW)
            desk.ask(match.view(seat))
            others = [other for other in SEATS if other != seat]
            before = [seen_by(lanes, other) for other in others]
            orders = None
            while orders is None:
                desk.observe()
                assert bytes(memoryview(desk.seen)) == seen_by(lanes, seat)
                assert bytes(memoryview(desk.seen)) == bytes(memoryview(lanes.observations))
                assert bytes(memoryview(desk.mask)) == bytes(memoryview(lanes.masks))
                assert [seen_by(lanes, other) for other in others] == before
                action = int(steps.lit[rng.randrange(int(steps.lit_count))])
                orders = desk.take(action)
                lanes.step(action.to_bytes(2, "little"))
            match.submit(seat, GAME.format_move(match.deck, orders))
    assert lanes.done[0]
    assert tuple(lanes.points) == match.outcome.points
    winners = match.outcome.winners
    assert [reward > 0 for reward in lanes.rewards] == [
        seat in winners and len(winners) < 3 for seat in SEATS
    ]


def test_truths_that_a_seat_cannot_tell_apart_give_the_same_bytes() -> None:
    compared = 0
    for seed in range(40):
        rng = Random(f"tensors {seed}")
        match = new_match(GAME, rng)
        play_on(match, rng, rng.randrange(14))
        if match.outcome is not None:
            continue
        for viewer in SEATS:
            other = probe_of(GAME).other_truth(match, viewer, rng)
            if other is None:
                continue
            assert seen_by(lanes_of(match), viewer) == seen_by(lanes_of(other), viewer)
            compared += 1
    assert compared > 40
