"""Steps held against the list of all moves and the notation, and what lanes know against views."""

from __future__ import annotations

from random import Random

from librt.vecs import vec
from mypy_extensions import u8

from openplan.core.match import Match
from openplan.games.human_resources.cards import BASIC, NAMES, kernel_cards
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.lanes import Lanes
from openplan.games.human_resources.kernel.moves import deal_random, moves_of, sample_move
from openplan.games.human_resources.kernel.stepwise import SQUARE_ACTION, Steps
from openplan.games.human_resources.kernel.turn import apply
from openplan.games.human_resources.text.notation import (
    format_move,
    from_kernel,
    parse_move,
    to_kernel,
)
from tests.brute_force.compare import shipped_deck

WINDOW = 24


def new_steps(table: Board) -> Steps:
    return Steps(table, WINDOW, vec[u8](bytes(SQUARE_ACTION + WINDOW * WINDOW)), 0)


def walk_game(seed: int) -> int:
    """A random game in which all choices of steps give exactly the legal moves, each once; how
    many positions. House rules and promo cards change with the seed; nothing is cut."""
    table = Board(kernel_cards(shipped_deck(), mirror=seed % 5 == 0))
    table.idle, table.leave, table.to_hand = seed & 1, seed >> 1 & 1, seed >> 2 & 1
    rng = codes.Rng(seed)
    deal_random(table, rng, len(NAMES) if seed % 3 else BASIC)
    steps = new_steps(table)
    positions = 0
    while table.phase != codes.AT_END:
        legal = moves_of(table)
        assert sorted(steps.walk()) == sorted(legal), seed
        some = legal if positions % 8 == 0 else legal[:: max(1, len(legal) // 4)]
        for move in some:
            follow(steps, move, seed)
        positions += 1
        apply(table, sample_move(table, rng))
    assert steps.cut == 0
    return positions


def follow(steps: Steps, move: int, seed: int) -> None:
    """From the notation to steps and back."""
    (read,) = from_kernel(steps.table, [move])
    packed = to_kernel(steps.table, parse_move(format_move(read)))
    steps.begin()
    *first, last = steps.actions_of(packed)
    for action in first:
        assert steps.is_lit(action), (seed, move)
        assert steps.take(action) == 0, (seed, move)
    assert steps.is_lit(last), (seed, move)
    assert steps.take(last) == move, (seed, move)


def lanes_of(match: Match) -> Lanes:
    """A lane that goes on from a match, with the truth and who knows what of it."""
    lanes = match.game.learning(match.deck, match.house).lanes(1, WINDOW, restarts=False)
    assert isinstance(lanes, Lanes)
    lanes.load(0, match.state.table, match.state.known, match.state.started)
    return lanes


def seen_by(lanes: Lanes, seat: int) -> bytes:
    lanes.look(0, seat)
    return bytes(memoryview(lanes.seen))


def any_text(match: Match, rng: Random) -> str:
    from tests.probes import probe_of

    _, text = probe_of(match.game).random_move(match.game, match, rng)
    return text
