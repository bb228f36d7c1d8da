"""The checker's squares, cards and placing, against floors thought through by hand."""

from __future__ import annotations

import pytest

from .cube_farm_floors import (
    Fault,
    Floor,
    all_placements,
    cube_of,
    employee_fault,
    parse_card,
    parse_drawing,
    parse_square,
    place,
    placement_fault,
    turned,
    walk_distance,
)
from .sketches import drawn, listed, points, sketch, wall_less

COVERED = ("covered", "CF-4.1")
NOT_TOUCHING = ("not-touching", "CF-4.1")
SECOND_VP = ("second-vp", "CF-4.5")
TWO_OCCUPANTS = ("two-occupants", "CF-4.5")
NO_CUBE = ("no-cube", "CF-5.1")
TAKEN = ("taken", "CF-5.1")
NEGATIVE = ("negative", "CF-5.1")
NO_WALK = ("no-walk", "CF-5.2")


# --- Squares and cards ----------------------------------------------------------------------


def test_cf_3_6_squares_are_named_by_compass() -> None:
    assert [parse_square(name) for name in ("0", "E3S2", "W1N4", "N2", "E10", "W12S11")] == [
        (0, 0),
        (3, 2),
        (-1, -4),
        (0, -2),
        (10, 0),
        (-12, 11),
    ]


def test_cf_3_5_a_card_turns_clockwise_with_its_walls() -> None:
    card = parse_card(
        [
            "+-+ + +",
            "|#|. P ",
            "+ + + +",
            " . . c ",
            "+ + + +",
        ]
    )
    # The west column, read from the south, is the new north row; the cube's opening to the south
    # now lies to the west.
    once = [
        "+ +-+",
        " . #|",
        "+ +-+",
        " . . ",
        "+ + +",
        " c P ",
        "+ + +",
    ]
    twice = [
        "+ + + +",
        " c . . ",
        "+ + + +",
        " P .|#|",
        "+ + +-+",
    ]
    assert turned(card, 0) == card
    assert turned(card, 1) == parse_card(once)
    assert turned(card, 2) == parse_card(twice)
    assert turned(turned(card, 3), 1) == card


@pytest.mark.parametrize(
    "rows",
    [
        ["+ +", " . "],  # a row short
        ["+ +", " .", "+ +"],  # a character short
        ["+ +", " x ", "+ +"],  # no such kind
        ["+ +", "-. ", "+ +"],  # a wall lying down between columns
        ["+|+", " . ", "+ +"],  # a wall standing up between rows
        ["+ .", " . ", "+ +"],  # no corner
    ],
)
def test_a_bad_drawing_is_refused(rows: list[str]) -> None:
    with pytest.raises(ValueError, match=r"rows|row \d"):
        parse_drawing(rows)


# --- Placing a card -------------------------------------------------------------------------


def test_cf_4_1_a_card_covers_nothing_covered_and_touches_by_an_edge() -> None:
    cards = listed(c7="..")
    floor = wall_less("E")
    # Lying: two places above, two below, one on each side; standing the same. Each two ways round.
    lying = {(-1, -1), (0, -1), (-1, 1), (0, 1), (-2, 0), (1, 0)}
    standing = {(-1, -1), (-1, 0), (1, -1), (1, 0), (0, -2), (0, 1)}
    assert all_placements(floor, 7, cards) == {
        *((x, y, turns) for x, y in lying for turns in (0, 2)),
        *((x, y, turns) for x, y in standing for turns in (1, 3)),
    }
    assert placement_fault(floor, 7, (0, 0), 0, cards) == COVERED
    assert placement_fault(floor, 7, (-1, 0), 0, cards) == COVERED
    assert placement_fault(floor, 7, (1, 1), 0, cards) == NOT_TOUCHING  # a corner only
    assert placement_fault(floor, 7, (5, 0), 0, cards) == NOT_TOUCHING


def test_cf_4_2_a_wall_on_either_side_is_a_wall() -> None:
    walled_east = ["+ +", " #|", "+ +"]
    walled_west = ["+ +", "|# ", "+ +"]
    unwalled = ["+ +", " # ", "+ +"]
    for rows, card, joined in (
        (unwalled, unwalled, True),
        (walled_east, unwalled, False),
        (unwalled, walled_west, False),
        (walled_east, walled_west, False),
        (walled_west, walled_east, True),  # walls on the far sides
    ):
        floor = place(drawn(rows), 7, (1, 0), 0, {7: parse_card(card)})
        assert cube_of(floor, (0, 0)) == ({(0, 0), (1, 0)} if joined else {(0, 0)})


def test_cf_4_2_open_floor_shut_in_is_no_cube() -> None:
    floor = drawn(["+-+ +", "|.|E ", "+-+ +"])
    assert cube_of(floor, (0, 0)) == set()
    assert employee_fault(floor, (0, 0), "S") == NO_CUBE


def test_cf_4_3_a_gap_into_which_nothing_fits_becomes_floor() -> None:
    open_south = wall_less("E../._.")
    # Closed by a bar of three: one square is left inside, and no card has one square.
    floor = place(open_south, 7, (0, 2), 0, listed(c7="..."))
    assert floor.filled == {(1, 1)}
    assert floor.squares[1, 1] == "."
    # A card of one square on the list, wherever it now is, keeps it uncovered.
    kept = place(open_south, 7, (0, 2), 0, listed(c7="...", c1="E"))
    assert kept.filled == set()
    assert (1, 1) not in kept.squares
    # Uncovered, it can be covered; filled, it cannot.
    assert placement_fault(kept, 1, (1, 1), 0, listed(c7="...", c1="E")) is None
    assert placement_fault(floor, 1, (1, 1), 0, listed(c1="E")) == COVERED
    # Nothing is judged outside: the bar elsewhere leaves the bay open, however big the cards.
    assert place(open_south, 7, (0, -1), 0, listed(c7="...")).filled == set()
    assert place(wall_less("E./.."), 7, (2, 0), 0, listed(c7="../..")).filled == set()


def test_cf_4_3_each_gap_is_judged_by_itself_and_by_shape() -> None:
    # One single square, and three squares in an L.
    layout = "E...../._.__./...._./......"
    # Neither a bar of three nor a two by two fits into the L, though it has three squares.
    floor = place(wall_less(layout), 7, (0, 4), 0, listed(c7="...", c8="../.."))
    assert floor.filled == {(1, 1), (3, 1), (4, 1), (4, 2)}
    # A card of two fits into the L, so all of the L stays; the single square does not.
    floor = place(wall_less(layout), 7, (0, 4), 0, listed(c7="...", c8=".."))
    assert floor.filled == {(1, 1)}


def test_cf_4_3_a_card_may_fit_only_when_turned() -> None:
    # A standing gap of two squares, and a card printed lying.
    floor = place(wall_less("E../._./._./..."), 7, (3, 0), 0, listed(c7=".."))
    assert floor.filled == set()
    # A square of it more to the side makes no difference to a card of two by two: filled.
    floor = place(wall_less("E.../._../.__./...."), 7, (4, 0), 0, listed(c7="../.."))
    assert floor.filled == {(1, 1), (1, 2), (2, 2)}


def test_cf_4_3_a_corner_is_no_way_out() -> None:
    # The gap meets the outside (0, 0) by a corner only.
    floor = place(wall_less("_../._E/..."), 7, (3, 0), 0, listed(c7="../.."))
    assert floor.filled == {(1, 1)}


def test_cf_4_3_a_gap_stays_though_every_card_that_fits_is_illegal() -> None:
    # Only the VP has one square, and the floor has a VP already.
    cards = listed(c7="...", c8="V")
    floor = place(wall_less("EV./._."), 7, (0, 2), 0, cards)
    assert floor.filled == set()
    assert placement_fault(floor, 8, (1, 1), 0, cards) == SECOND_VP


def test_cf_4_3_filled_floor_has_no_walls_but_the_cards_around_it_do() -> None:
    rows = [
        "+ + + +",
        " E . . ",
        "+-+ + +",
        "|# _ . ",
        "+-+ + +",
    ]
    floor = place(drawn(rows), 7, (0, 2), 0, listed(c7="..."))
    assert walk_distance(floor, cube_of(floor, (0, 1)), (1, 0)) == 2
    # With a wall south of (1, 0): over the gap, then east, north and west.
    rows[2] = "+-+-+ +"
    floor = place(drawn(rows), 7, (0, 2), 0, listed(c7="..."))
    assert walk_distance(floor, cube_of(floor, (0, 1)), (1, 0)) == 4


def test_cf_4_4_an_occupied_cube_grows_over_the_border() -> None:
    cards = listed(c7="##")
    floor = wall_less("E.#", "S@E2")
    assert placement_fault(floor, 7, (3, 0), 0, cards) is None
    floor = place(floor, 7, (3, 0), 0, cards)
    assert cube_of(floor, (4, 0)) == {(2, 0), (3, 0), (4, 0)}
    assert points(floor) == [3]
    assert employee_fault(floor, (4, 0), "P") == TAKEN


def test_cf_4_5_two_employees_never_share_a_cube() -> None:
    cards = dict(listed(c7="#", c8="#####"))
    cards[9] = parse_card(["+ +", "|# ", "+ +"])
    for two in (("S@E2", "S@E4"), ("S@E2", "P@E4"), ("P@E2", "T@E4")):
        floor = wall_less("E.#_#.", *two)
        assert placement_fault(floor, 7, (3, 0), 0, cards) == TWO_OCCUPANTS
        assert placement_fault(floor, 9, (3, 0), 0, cards) is None  # its wall keeps them apart
        # Beside one of them only.
        assert placement_fault(floor, 7, (2, 1), 0, cards) is None
    # One employee: all three cubes become one.
    floor = wall_less("E.#_#.", "S@E2")
    assert placement_fault(floor, 7, (3, 0), 0, cards) is None
    # However many are linked: the bar lies south of three cubes, of which the middle one is empty.
    floor = wall_less("E#.#.#", "S@E1", "P@E5")
    assert placement_fault(floor, 8, (1, 1), 0, cards) == TWO_OCCUPANTS
    # A cube linked to itself round a corner.
    floor = wall_less("E##/.#_", "S@E1")
    assert placement_fault(floor, 7, (2, 1), 0, cards) is None
    # Empty cubes, any number.
    assert placement_fault(wall_less("E#.#.#"), 8, (1, 1), 0, cards) is None


@pytest.mark.parametrize("negative", ["V", "R"])
def test_cf_4_5_nor_do_an_employee_and_a_negative_occupant(negative: str) -> None:
    cards = listed(c7="#", c8=negative)
    # Linked by an empty square; legal while nobody is in.
    assert placement_fault(wall_less(f"E.#_{negative}", "S@E2"), 7, (3, 0), 0, cards) == (
        TWO_OCCUPANTS
    )
    assert placement_fault(wall_less(f"E.#_{negative}"), 7, (3, 0), 0, cards) is None
    # Brought by the card itself.
    assert placement_fault(wall_less("E.#", "P@E2"), 8, (3, 0), 0, cards) == TWO_OCCUPANTS
    assert placement_fault(wall_less("E.#"), 8, (3, 0), 0, cards) is None
    assert placement_fault(wall_less("E.#", "P@E2"), 8, (0, 1), 0, cards) is None


def test_cf_4_5_a_floor_has_one_vp_but_any_number_of_receptionists() -> None:
    cards = listed(c7="V", c8="R", c9=".V")
    floor = wall_less("E.#.R..V", "P@E2")
    assert placement_fault(floor, 7, (5, 1), 0, cards) == SECOND_VP
    assert placement_fault(floor, 8, (5, 1), 0, cards) is None
    # Where several faults meet: covered, not-touching, second-vp, two-occupants.
    assert placement_fault(floor, 9, (-1, 0), 0, cards) == COVERED
    assert placement_fault(floor, 9, (0, 5), 0, cards) == NOT_TOUCHING
    assert placement_fault(floor, 7, (2, 1), 0, cards) == SECOND_VP
    assert placement_fault(floor, 8, (2, 1), 0, cards) == TWO_OCCUPANTS


def test_cf_4_6_negative_cubes_join_and_carry_both_penalties() -> None:
    cards = listed(c7="V", c8="R")
    floor = wall_less("#.R", "S@0")
    assert placement_fault(floor, 7, (3, 0), 0, cards) is None
    assert placement_fault(floor, 8, (3, 0), 0, cards) is None
    # Two steps into the joint cube: 1 - 2 - 3, or 1 - 2 - 2.
    assert points(place(floor, 7, (3, 0), 0, cards)) == [-4]
    assert points(place(floor, 8, (3, 0), 0, cards)) == [-3]


def test_cf_4_6_a_cube_may_be_walled_in() -> None:
    # The cube opens to the east only, where the card draws a wall.
    floor = drawn(["+ +-+", " E|# ", "+ +-+"])
    cards = {7: parse_card(["+ +", "|. ", "+ +"])}
    assert placement_fault(floor, 7, (2, 0), 0, cards) is None
    assert employee_fault(place(floor, 7, (2, 0), 0, cards), (1, 0), "S") == NO_WALK


# --- Placing an employee --------------------------------------------------------------------


def test_cf_5_1_only_into_an_empty_cube() -> None:
    floor = wall_less("##.E.#V.c.R", "P@E1")
    assert employee_fault(floor, (0, 0), "S") == TAKEN  # by the other square's employee
    assert employee_fault(floor, (1, 0), "P") == TAKEN  # his own colleague's
    for name in ("E2", "E3", "E8", "S1", "W9"):  # floor, elevator, bonus, uncovered
        assert employee_fault(floor, parse_square(name), "S") == NO_CUBE
    for name in ("E5", "E6", "E10"):  # the VP's expansion, the VP, the receptionist
        assert employee_fault(floor, parse_square(name), "S") == NEGATIVE
    # Taken and negative come before the walk.
    assert employee_fault(wall_less("#.V", "S@0"), (0, 0), "S") == TAKEN
    assert employee_fault(wall_less("#.V", "S@0"), (2, 0), "S") == NEGATIVE


@pytest.mark.parametrize(
    ("floor", "fault"),
    [
        (wall_less("#..E"), None),
        (wall_less("#PcE"), None),  # over bonus squares
        (wall_less("#E"), None),  # an edge of the cube itself
        (sketch("#E"), NO_WALK),  # walled
        (wall_less("#.#.E"), NO_WALK),  # through another cube
        (wall_less("#.V.E"), NO_WALK),
        (wall_less("#_.E"), NO_WALK),  # over an uncovered square
        (wall_less("#._/_E."), None),  # round the corner by edges
        (wall_less("#_/_E"), NO_WALK),  # corners do not count
        (drawn(["+ + + +", " #|. E ", "+ + + +"]), NO_WALK),
        (drawn(["+ + + +", " # .|E ", "+ + + +"]), NO_WALK),  # no door
        (drawn(["+ + + +", " # .|E ", "+ + + +", " . . . ", "+ + + +"]), None),  # round it
        (wall_less("#./.#/.E"), None),  # along another cube
        (wall_less("#..."), NO_WALK),  # no elevator at all
    ],
)
def test_cf_5_2_a_walk_to_an_elevator(floor: Floor, fault: Fault | None) -> None:
    assert employee_fault(floor, (0, 0), "S") == fault


def test_cf_5_2_any_square_of_the_cube_and_any_elevator_will_do() -> None:
    # The elevator in the west is walled off; the one in the east is met from the last cube square.
    rows = ["+ + + + + +", " E|# # . E ", "+ + + + + +"]
    assert employee_fault(drawn(rows), (1, 0), "T") is None
