"""Steps held against the decisions of the fast table, and what lanes know against views."""

from __future__ import annotations

from random import Random

from openplan.core.match import Match
from openplan.games.cube_farm.fast import FastFarm
from openplan.games.cube_farm.kernel.lanes import Lanes
from openplan.games.cube_farm.state import State

WINDOW = 32


def lanes_of(match: Match) -> Lanes:
    """A lane that goes on from a match, with the truth and what of it everybody knows."""
    lanes = match.game.learning(match.deck, match.house).lanes(1, WINDOW, restarts=False)
    assert isinstance(lanes, Lanes)
    state: State = match.state
    lanes.load(0, state.table, [*state.shown, *state.spent])
    return lanes


def seen_by(lanes: Lanes, seat: int) -> bytes:
    lanes.look(0, seat)
    return bytes(memoryview(lanes.seen))


def take(lanes: Lanes, order: int) -> None:
    for action in lanes.lanes[0].steps.actions_of(order):
        data = action.to_bytes(2, "little")
        assert lanes.first_impossible(data) == -1
        lanes.step(data)


def walk_game(match: Match, rng: Random) -> int:
    """A random game in which all choices of steps give exactly the decisions of the fast table,
    which have a text each; how many positions. Nothing is cut."""
    table = match.game.fast(match.state)
    assert isinstance(table, FastFarm)
    lanes = lanes_of(match)
    positions = 0
    while not table.is_over:
        offered = sorted(table.moves())
        assert sorted(lanes.lanes[0].steps.walk()) == offered
        move = rng.choice(offered)
        if positions % 8 == 0:
            assert len({table.text(one) for one in offered}) == len(offered)
            assert table.packed(table.text(move)) == move
        assert table.turn == lanes.turns[0]
        take(lanes, move)
        table.push(move)
        positions += 1
    assert tuple(lanes.points) == table.points
    assert lanes.done[0]
    assert lanes.cut() == 0
    return positions
