"""Tables set up by hand: what can lie there is set up, and anything else is refused."""

import tracemalloc

import pytest

from openplan.core.game import Illegal, Position
from openplan.games.cube_farm.cards import DrawingError, read_drawing
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.state import placed_cards
from tests.games.cube_farm.compare import shipped_deck
from tests.games.cube_farm.plans import HOUSE, drawing

DECK = shipped_deck()


@pytest.mark.parametrize(
    ("position", "says"),
    [
        ({"cellar": ""}, "there is no 'cellar'"),
        ({"turn": "6"}, "not 1 to 5"),
        ({"floor top": "5"}, "must be an elevator"),
        ({"floor top": "1@E1"}, "unturned at 0"),
        ({"floor top": "1 99@E3"}, "not a card and its place"),
        ({"floor top": "1 23@E9"}, "does not fit"),
        ({"floor top": "1 23@E3/4"}, "not a card and its place"),
        ({"floor top": "1 23@E99"}, "farther away"),
        ({"floor top": "1", "floor middle": "1"}, "two places"),
        ({"hand S": "5 5"}, "two places"),
        ({"hand S": "five"}, "not a card"),
        ({"hand S": " ".join(DECK.cards[:41])}, "at most 40 cards"),
        ({"floor top": "1", "draw top": ["+ +", " . ", "+ +"]}, "either laid with cards or drawn"),
        ({"draw top": ["+ +", " X ", "+ +"]}, "row 2, character 2"),
        ({"draw top": ["+ +", " _ ", "+ +"]}, "from 1 to"),
        ({"draw top": ["+ " * 55, " E" + " ." * 54, ""]}, "55x1 squares, at most 54x54"),
        ({"draw top": ["+ ", " E", *["+", " ."] * 54, ""]}, "1x55 squares, at most 54x54"),
        ({"draw top": ["+ +", " . ", "+ +"], "at top": "nowhere"}, "not a square"),
        ({"draw top": ["+ + +", " . E ", "+ + +"], "employees top": "S@0"}, "nobody can sit"),
        ({"draw top": ["+ + +", " R E ", "+ + +"], "employees top": "S@0"}, "nobody can sit"),
        ({"draw top": ["+ + +", " . # ", "+ + +"]}, r"starts with an elevator \[CF-2.1\]"),
        ({"draw middle": ["+ + + +", " V E V ", "+ + + +"]}, r"one VP at most \[CF-4.5\]"),
        ({"draw basement": ["+ + + +", " E _ . ", "+ + + +"]}, r"one piece \[CF-4.1\]"),
        ({"draw top": ["+ + +", " E _ ", "+ + +", " _ . ", "+ + +"]}, "not one piece"),
        ({"employees top": "X@0"}, "is not one such as"),
        ({"hand S": "7", "orders S": "1: card 8 E3"}, "not in your hand"),
        ({"orders S": "1: what"}, "neither"),
        ({f"orders {code}": "nothing" for code in "SPT"}, "would be adjudicated"),
    ],
)
def test_what_cannot_be_is_refused(position: Position, says: str) -> None:
    with pytest.raises(Illegal, match=says):
        GAME.set_up(DECK, HOUSE, position)


def test_what_is_not_said_is_as_at_the_start() -> None:
    state = GAME.set_up(DECK, HOUSE, {"hand P": "20 21"})
    table = state.table
    assert [placed_cards(table.floor(number))[0][0] for number in range(3)] == [0, 1, 2]
    assert table.hand_of(1) == [DECK.index["20"], DECK.index["21"]]
    assert len(table.deck_list()) == len(DECK.cards) - 5
    assert table.turn == 1


def test_employees_may_share_a_floor_but_no_cube() -> None:
    plan = {"draw top": ["+-+ +-+", "|# E #|", "+-+ +-+"]}
    GAME.set_up(DECK, HOUSE, {**plan, "employees top": "S@0 P@E2"})
    with pytest.raises(Illegal, match="nobody can sit at 0"):
        GAME.set_up(DECK, HOUSE, {**plan, "employees top": "S@0 P@0"})


@pytest.mark.parametrize(
    ("layout", "kind"),
    [("E../._./...", codes.FILLED), ("E..../.___./.___./.....", codes.UNCOVERED)],
)
def test_a_gap_in_a_drawing_is_judged_like_one_between_cards(layout: str, kind: int) -> None:
    """CF-4.3: what no card fits into is floor."""
    state = GAME.set_up(DECK, HOUSE, {"draw top": drawing(layout)})
    for again in (state, state.copy(), GAME.load(DECK, GAME.dump(state))):
        floor = again.table.floor(0)
        assert floor.kind[floor.square_at(1, 1)] == kind


def test_filled_floor_may_hold_a_drawing_together() -> None:
    GAME.set_up(DECK, HOUSE, {"draw top": ["+ + + +", " . , E ", "+ + + +"]})


def test_a_drawing_with_one_long_row_does_not_take_all_memory() -> None:
    """A hundred megabytes, if the other rows were made as long; a longer request, gigabytes."""
    tracemalloc.start()
    try:
        with pytest.raises(DrawingError, match="10000x2500 squares"):
            read_drawing(["+ " * 10_000, *[""] * 5_000])
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
