"""Floors that grow as far as they can keep their names and rules while they move on the grid."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.game import Seat
from openplan.games.cube_farm.cards import kernel_cards
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import add_placements, place_card, why_card
from openplan.games.cube_farm.kernel.walking import find_walks, why_employee
from openplan.games.cube_farm.state import square_of
from tests.brute_force import cube_farm_floors as brute_floors
from tests.games.cube_farm.compare import (
    card_list,
    compare_floor,
    compare_placements,
    shipped_deck,
)
from tests.games.cube_farm.plans import HOUSE

pytestmark = pytest.mark.plain
DECK = shipped_deck()


def _reach(floor: Floor, move: int, dx: int, dy: int) -> int:
    """How far a placement goes into a direction."""
    x, y = square_of(floor, move & 4095)
    lie = move >> 14 << 2 | (move >> 12) & 3
    x += int(floor.cards.width[lie]) if dx > 0 else 0
    y += int(floor.cards.height[lie]) if dy > 0 else 0
    return dx * x + dy * y


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)])
def test_sixteen_cards_in_a_row(dx: int, dy: int) -> None:
    """The longest floor that a match can make, in every direction."""
    rng = Random(f"{dx} {dy}")
    cards = card_list(DECK)
    floor = Floor(kernel_cards(DECK))
    place_card(floor, 0, 0, floor.square_at(0, 0))
    other = brute_floors.start_floor("S", 1, cards)
    for name in rng.sample(DECK.cards[4:], 15):
        found = codes.Found(1)
        add_placements(floor, DECK.index[name], found)
        if not found.count:
            continue  # a second VP
        best = max(found.listed(), key=lambda move: _reach(floor, move, dx, dy))
        square, turn = square_of(floor, best & 4095), (best >> 12) & 3
        place_card(floor, DECK.index[name], turn, best & 4095)
        other = brute_floors.place(other, int(name), square, turn, cards)
        find_walks(floor)
        for at in floor.squares():
            if why_employee(floor, at) == codes.FITS and rng.random() < 0.3:
                seat = rng.randrange(3)
                floor.employ(at, seat)
                other = brute_floors.with_employee(other, square_of(floor, at), "SPT"[seat])
        compare_floor(floor, 0, other)
    compare_placements(floor, DECK, "20", other, cards)
    span = max(floor.right - floor.left, floor.bottom - floor.top) + 1
    assert int(span) >= (40 if dx == 0 or dy == 0 else 20)


def test_a_floor_drawn_to_the_limit_takes_no_card_beyond_it() -> None:
    row = " ".join(["E", *["."] * (codes.LONGEST - 1)])
    edge = "+ " * codes.LONGEST + "+"
    hand = DECK.cards[10]
    position = {"draw top": [edge, f" {row} ", edge], "at top": "W20", "hand S": hand}
    state = GAME.set_up(DECK, HOUSE, position)
    floor = state.table.floor(0)
    card = DECK.index[hand]
    assert why_card(floor, card, 0, floor.square_at(-23, 0)) == codes.TOO_LONG
    assert why_card(floor, card, 0, floor.square_at(-20, 1)) == codes.FITS
    found = codes.Found(1)
    add_placements(floor, card, found)
    for packed in found.listed():
        assert why_card(floor, card, (packed >> 12) & 3, packed & 4095) == codes.FITS
    view = GAME.view(state, Seat(0))
    move = GAME.parse_move(DECK, f"1: card {hand} W23")
    assert [warning.code for warning in GAME.warnings(view, move)] == ["too-long"]
