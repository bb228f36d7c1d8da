"""The rules know no north: a table turned by a quarter has its moves turned by a quarter."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.game import OPEN, Seat
from openplan.core.grid import Square, format_square
from openplan.games.human_resources.cards import shown
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import State
from openplan.games.human_resources.text.notation import Move, format_move
from tests.probes import new_match, play_on

pytestmark = pytest.mark.plain


def turn(square: Square) -> Square:
    """A quarter clockwise about the origin."""
    return Square(-square.y, square.x)


def turned_state(state: State) -> State:
    """The same cards with the office turned, set up by hand."""
    table = state.table
    cubicles = {turn(Square(x, y)): shown(card) for x, y, card in table.cubicles()}
    left, top = min(s.x for s in cubicles), min(s.y for s in cubicles)
    width = max(s.x for s in cubicles) - left + 1
    rows = [["."] * width for _ in range(max(s.y for s in cubicles) - top + 1)]
    for square, name in cubicles.items():
        rows[square.y - top][square.x - left] = "D" if name[-1] == "d" else "L"
    position = {
        "office": ["".join(row) for row in rows],
        "at": format_square((left, top)),
        "faces": " ".join(f"{format_square(s)}={name}" for s, name in cubicles.items()),
        "discard": " ".join(shown(card) for card in table.discard_list()),
        "deck": " ".join(shown(card) for card in table.deck_list()),
        "turn": "AB"[int(table.actor)],
    }
    for seat in (0, 1):
        position[f"hand {'AB'[seat]}"] = " ".join(shown(c) for c in table.hand_of(seat))
        position[f"play {'AB'[seat]}"] = " ".join(shown(c) for c in table.play_of(seat))
        position[f"scored {'AB'[seat]}"] = " ".join(shown(c) for c in table.scored_of(seat))
    if table.phase == codes.AT_PLAYS:
        position["hiring"] = shown(int(table.hiring))
        position["plays"] = str(int(table.plays_left))
    return GAME.set_up(state.deck, state.house, position)


def turned_move(move: Move) -> str:
    squares = [turn(square) for square in move.squares]
    if move.kind in (codes.SWAP, codes.SHIFT):
        squares.sort(key=lambda square: (square.y, square.x))
    direction = (move.direction + 1) % 4 if move.kind == codes.SHIFT else 0
    return format_move(move._replace(squares=tuple(squares), direction=direction))


@pytest.mark.parametrize("seed", range(30))
def test_a_turned_office_has_turned_moves_with_the_same_effects(seed: int) -> None:
    rng = Random(f"turn {seed}")
    match = new_match(GAME, rng)
    play_on(match, rng, rng.randrange(3, 45))
    if match.outcome is not None or match.state.table.phase not in (
        codes.AT_TURN,
        codes.AT_PLAYS,
    ):
        match = new_match(GAME, rng)
    state = match.state
    (seat,) = GAME.to_act(state)
    turned = turned_state(state)
    moves = {turned_move(move): move for move in GAME.moves(GAME.view(state, seat))}
    others = {format_move(move): move for move in GAME.moves(GAME.view(turned, seat))}
    assert set(moves) == set(others)
    for text in rng.sample(sorted(moves), min(len(moves), 25)):
        one, other = state.copy(), turned.copy()
        GAME.play(one, Seat(seat), moves[text])
        GAME.play(other, Seat(seat), others[text])
        ours, theirs = GAME.view(one, OPEN), GAME.view(other, OPEN)
        assert ours.scored == theirs.scored
        assert ours.play == theirs.play
        assert sorted((turn(s), c) for s, c, _ in ours.office) == sorted(
            (s, c) for s, c, _ in theirs.office
        )
