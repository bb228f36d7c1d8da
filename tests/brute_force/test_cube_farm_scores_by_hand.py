"""The checker's scores and whole turns, against floors thought through by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from .cube_farm import (
    Orders,
    Placement,
    Position,
    adjudicate,
    parse_orders,
    start_position,
    totals,
    winners,
)
from .cube_farm_floors import (
    BONUS,
    CardList,
    Part,
    Rulings,
    cube_of,
    employee_fault,
    score,
    walk_distance,
)
from .sketches import drawn, listed, points, sketch, wall_less

COVERED = ("covered", "CF-4.1")
NOT_TOUCHING = ("not-touching", "CF-4.1")
NO_CUBE = ("no-cube", "CF-5.1")
TAKEN = ("taken", "CF-5.1")
NO_WALK = ("no-walk", "CF-5.2")
NOT_IN_HAND = ("not-in-hand", "CF-3.4")
NAMED_TWICE = ("named-twice", "CF-3.4")


# --- CF-7: the seven figures ----------------------------------------------------------------


def test_cf_7_figure_1_a_cube_that_reaches_nothing_scores_1() -> None:
    floor = sketch("#...E")
    assert employee_fault(floor, (0, 0), "S") is None
    assert points(sketch("#...E", "S@0")) == [1]


def test_cf_7_figure_2_the_photocopier_is_too_far_by_one_step() -> None:
    # From the second cube square four floor squares and then the photocopier: 5 steps.
    assert points(sketch("##....P/__.E___", "S@0")) == [2]
    # One floor square fewer: 4 steps, 2 + 4.
    assert points(sketch("##...P/__.E__", "S@E1")) == [6]


def test_cf_7_figure_3_a_coffee_machine_for_two_of_three() -> None:
    # At 2, 1 and 4 steps from a machine worth 2.
    floor = sketch("#.c...#/_E#____", "S@0", "S@E2S1", "S@E6")
    assert points(floor) == [3, 3, 1]
    steps = [walk_distance(floor, cube_of(floor, at), (2, 0)) for _, at in floor.employees]
    assert steps == [2, 1, 4]


def test_cf_7_figure_4_around_the_elevator_and_not_through_it() -> None:
    # Through the elevator it would be 2 steps; around it south, east, east, north: 4.
    assert points(sketch("_#EP/..../#___", "S@E1", "S@S2")) == [5, 1]
    # Away from home and strictly nearest (4 against 5).
    assert points(sketch("_#EP/..../#___", "P@E1", "P@S2")) == [6, 1]


def test_cf_7_figure_5_photocopier_and_laser_printer() -> None:
    # The first: copier at 2, printer at 3 steps, 1 + 4 + 3. The second: copier at 4, printer at 5.
    assert points(sketch("#.P...#/E.L____", "S@0", "S@E6")) == [8, 5]
    # Both away: the first is strictly nearest to both, +1 and +2.
    floor = sketch("#.P...#/E.L____", "P@0", "P@E6")
    assert points(floor) == [11, 5]
    assert score(floor)[0].extras == [Part("P", (2, 0), 1, 2), Part("L", (2, 1), 2, 3)]


def test_cf_7_figure_6_the_receptionist_wipes_out_the_soda() -> None:
    floor = sketch("R.#.s/__.E_", "S@E2")
    assert points(floor) == [1]  # 1 + 2 - 2
    assert score(floor)[0].bonuses == [Part("s", (4, 0), 2, 2)]
    assert score(floor)[0].penalties == [Part("R", (0, 0), -2, 2)]


def test_cf_7_figure_7_a_vp_expanded_within_three_steps() -> None:
    # The VP's own square is 4 away, but the cube square joined to it 3.
    assert points(sketch("#..#V/_E___", "S@0")) == [-2]
    assert points(sketch("#..#V/_E___", "P@0")) == [1]
    # The control: a VP at 4 steps.
    assert points(sketch("#...V/_E___", "S@0")) == [1]


# --- Scoring --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("letter", "value"),
    [
        ("P", 4),
        ("D", 4),
        ("L", 3),
        ("F", 3),
        ("C", 3),
        ("c", 2),
        ("s", 2),
        ("y", 2),
        ("w", 2),
    ],
)
def test_cf_6_2_a_bonus_reaches_as_far_as_it_is_worth(letter: str, value: int) -> None:
    # value - 1 floor squares and the step onto it.
    assert points(wall_less("#" + "." * (value - 1) + letter, "S@0")) == [1 + value]
    assert points(wall_less("#" + "." * value + letter, "S@0")) == [1]


def test_cf_6_2_every_bonus_counts_from_the_nearest_square_of_the_cube() -> None:
    # Two machines of one kind.
    assert points(wall_less("c#c", "S@E1")) == [5]
    # Past one to the next: 1 and 2 steps.
    assert points(wall_less("#cw", "S@0")) == [5]
    # Three steps from the eastern square of two.
    assert points(wall_less("##..L", "S@0")) == [5]
    # Not through an empty cube, an elevator or a wall.
    assert points(wall_less("#.#P", "S@0")) == [1]
    assert points(wall_less("#EP", "S@0")) == [1]
    assert points(drawn(["+ + +", " #|c ", "+ + +"], "S@0")) == [1]


def test_cf_6_2_the_fewest_steps_count() -> None:
    # Over open floor: as many as squares to the east and to the south together.
    floor = wall_less("#..../...../...../.....")
    cube = cube_of(floor, (0, 0))
    assert all(walk_distance(floor, cube, (x, y)) == x + y for x, y in floor.squares)
    assert walk_distance(floor, cube, (5, 0)) is None


def test_cf_6_3_each_occupant_of_a_joint_cube_has_its_own_range() -> None:
    # Three steps into the joint cube: the VP reaches, the receptionist does not.
    assert points(wall_less("#..RV", "S@0")) == [-2]
    assert points(wall_less("#..VR", "S@0")) == [-2]
    assert points(wall_less("#.RV", "S@0")) == [-4]
    # Apart, the receptionist hides the VP, and 3 is too far for her.
    apart = ["+ + + + + +", " # . . R|V ", "+ + + + + +"]
    assert points(drawn(apart, "S@0")) == [1]
    # A cube entered from both sides takes once: 1 - 3.
    assert points(wall_less("#.#/..V", "S@0")) == [-2]
    # Two separate receptionists take each: 1 - 2 - 2.
    assert points(wall_less("R.#.R", "S@E2")) == [-3]


def test_cf_6_4_away_from_home_only_the_vp_is_harmless() -> None:
    assert points(wall_less("#.V", "S@0")) == [-2]
    assert points(wall_less("#.V", "P@0")) == [1]
    assert points(wall_less("#.V", "P@0", home="P")) == [-2]
    assert points(wall_less("#.R", "P@0")) == [-1]
    assert points(wall_less("#.RV", "T@0")) == [-1]


def test_cf_6_5_knowledge_is_power_only_away_and_in_range() -> None:
    # At the edge of the range: 1 + 4 + 1, 1 + 3 + 2; one step more is nothing at all.
    for letter, dots, expected in (
        ("P", 3, 6),
        ("D", 3, 6),
        ("F", 2, 6),
        ("L", 2, 6),
        ("F", 3, 1),
        ("P", 4, 1),
        ("C", 2, 4),  # a cabinet holds no knowledge
        ("c", 1, 3),
    ):
        assert points(wall_less("#" + "." * dots + letter, "P@0")) == [expected]
    # Each machine by itself: 1 + 3 + 3 + 2 + 2.
    assert points(wall_less("F.#.F", "P@E2")) == [11]


def test_cf_6_5_knowledge_is_power_only_for_the_strictly_nearest() -> None:
    # Ties at 2 steps: of two departments, of one, and with the department at home.
    assert points(sketch("#.P.#", "P@0", "T@E4")) == [5, 5]
    assert points(sketch("#.P.#", "P@0", "P@E4")) == [5, 5]
    assert points(sketch("#.P.#", "P@0", "S@E4")) == [5, 5]
    # Nearest at home: nobody.
    assert points(sketch("#.P#", "P@0", "S@E3")) == [5, 5]
    # A cube shut in beside it is not near at all.
    assert points(sketch("#.P_#", "P@0", "S@E4")) == [6, 1]
    # An empty cube is nobody.
    assert points(sketch("#.P#", "P@0")) == [6]


def test_cf_6_5_from_afar_the_nearest_gets_the_extra_without_the_bonus() -> None:
    def far(layout: str, *employees: str) -> list[int]:
        return points(replace(sketch(layout, *employees), rulings=Rulings(far_is_near=True)))

    assert far("#....P", "P@0") == [2]
    assert far("#....P", "S@0") == [1]
    assert far("#....F.....#", "P@0", "T@E11") == [3, 1]
    assert far("#....F....#", "P@0", "T@E10") == [1, 1]
    # Nothing else changes: in range as ever, and what cannot be reached stays so.
    assert far("#.P.#", "P@0", "T@E4") == [5, 5]
    assert far("#...._P", "P@0") == [1]


def test_cf_6_6_a_deck_s_own_worths_are_its_ranges_too() -> None:
    def worth(value: int, layout: str) -> list[int]:
        rulings = Rulings(bonus={**BONUS, "w": value, "D": value})
        return points(replace(sketch(layout, "P@0"), rulings=rulings))

    assert worth(9, "#........w") == [10]
    assert worth(8, "#........w") == [1]
    assert worth(1, "#.D") == [1]
    assert worth(2, "#.D") == [4]  # 1 + 2, and 1 for knowledge


# --- Whole turns ----------------------------------------------------------------------------


def table(
    floor: str, cards: CardList, hands: dict[str, list[int]], deck: list[int] | None = None
) -> Position:
    """The same floor three times over."""
    return Position(
        cards=cards,
        floors={
            "top": wall_less(floor, home="S"),
            "middle": wall_less(floor, home="P"),
            "basement": wall_less(floor, home="T"),
        },
        hands={"S": [], "P": [], "T": [], **hands},
        deck=deck or [],
    )


def ordered(**written: str) -> dict[str, Orders]:
    return {seat: parse_orders(text) for seat, text in written.items()}


def test_cf_2_3_fifteen_cards_reach_each_player() -> None:
    cards = listed(**{f"c{number}": "E" for number in range(1, 55)})
    position = start_position(cards, [1, 2, 3], list(range(4, 55)))
    assert position.hands == {
        "S": [4, 5, 6, 7, 8],
        "P": [9, 10, 11, 12, 13],
        "T": [14, 15, 16, 17, 18],
    }
    held = []
    while not position.over:
        assert winners(position) is None
        # A lost order changes nothing in what is dealt.
        position = adjudicate(position, ordered(S="1: card 4 E9"))
        held.append([len(position.hands[seat]) for seat in "SPT"])
    assert held == [[8] * 3, [11] * 3, [14] * 3, [15] * 3, [15] * 3]
    assert position.turn == 5
    assert position.hands["T"][5:8] == [25, 26, 27]
    assert position.deck == [49, 50, 51, 52, 53, 54]
    # Nobody has placed anybody: all share the win (CF-6.7).
    assert winners(position) == ["S", "P", "T"]


def test_cf_3_2_no_two_players_meet_on_a_floor_in_a_phase() -> None:
    orders = "1: employee 0; 2: employee E2; 3: employee E4"
    position = table("#.#.#/.E...", {}, {})
    after = adjudicate(position, ordered(S=orders, P=orders, T=orders))
    assert all(line.fault is None for line in after.report)
    assert {name: floor.employees for name, floor in after.floors.items()} == {
        "top": [("S", (0, 0)), ("T", (2, 0)), ("P", (4, 0))],
        "middle": [("P", (0, 0)), ("S", (2, 0)), ("T", (4, 0))],
        "basement": [("T", (0, 0)), ("P", (2, 0)), ("S", (4, 0))],
    }
    # The position played from is left alone.
    assert position.turn == 1
    assert not position.floors["top"].employees


def test_cf_3_3_the_card_comes_before_the_employee() -> None:
    cards = listed(c7="##", c8="..")
    position = table("E.", cards, {"S": [7], "P": [8], "T": [7]})
    orders = ordered(
        # Into the cube just placed, by its far square; T beside it without a card.
        S="1: card 7 E2 employee E3",
        P="1: card 8 E2 employee E2",
        T="2: employee E2",
    )
    after = adjudicate(position, orders)
    assert after.report == [
        Placement("S", 1, "card", None),
        Placement("S", 1, "employee", None),
        Placement("P", 1, "card", None),
        Placement("P", 1, "employee", NO_CUBE),
        Placement("T", 2, "employee", TAKEN),
    ]
    assert after.hands == {"S": [], "P": [], "T": [7]}
    assert after.turn == 2


def test_cf_3_4_what_earlier_phases_made_illegal_is_lost() -> None:
    cards = listed(c4="#.", c9="..", c5="V")
    position = table("E.", cards, {"S": [4], "P": [9], "T": [5]})
    orders = ordered(
        S="2: card 4 E2 employee E2; 3: card 4 E2 turn 2 employee E3",
        P="1: card 9 E2",
        T="1: card 5 S1; 2: card 5 E2",
    )
    after = adjudicate(position, orders)
    # P's card covers E2 of the middle floor when S comes. S's card is lost, and with it there is no
    # cube, but the employee is judged alone. In phase 3 card 4 is named again, though it was lost
    # and would fit the basement; T's was placed, and is named again.
    assert after.report == [
        Placement("P", 1, "card", None),
        Placement("T", 1, "card", None),
        Placement("S", 2, "card", COVERED),
        Placement("S", 2, "employee", NO_CUBE),
        Placement("T", 2, "card", NAMED_TWICE),
        Placement("S", 3, "card", NAMED_TWICE),
        Placement("S", 3, "employee", NO_CUBE),
    ]
    assert after.hands == {"S": [4], "P": [], "T": []}


def test_cf_3_4_the_loss_of_the_card_does_not_lose_the_employee() -> None:
    cards = listed(c4="..", c5="#")
    position = table("E.#", cards, {"S": [4], "P": [5]})
    orders = ordered(S="1: card 5 E3 employee E2", P="1: card 5 E9 employee E2", T="nothing")
    after = adjudicate(position, orders)
    assert after.report == [
        Placement("S", 1, "card", NOT_IN_HAND),
        Placement("S", 1, "employee", None),
        Placement("P", 1, "card", NOT_TOUCHING),
        Placement("P", 1, "employee", None),
    ]
    assert after.hands == {"S": [4], "P": [5], "T": []}


def test_cf_3_4_lost_cards_are_spent_where_the_table_says_so() -> None:
    cards = listed(c4="..", c5="..")
    position = table("E.#", cards, {"S": [4, 5]})
    position.rulings = Rulings(lost_is_spent=True)
    after = adjudicate(position, ordered(S="1: card 4 0 employee E2; 2: card 5 E3"))
    assert after.report == [
        Placement("S", 1, "card", COVERED),
        Placement("S", 1, "employee", None),
        Placement("S", 2, "card", None),
    ]
    assert (after.hands["S"], after.spent) == ([], [4])
    assert position.spent == []


def test_cf_3_4_card_and_employee_are_lost_together_where_the_table_says_so() -> None:
    cards = listed(c4="..", c5="#")
    position = table("E.#", cards, {"S": [4], "P": [5], "T": [4]})
    position.rulings = Rulings(lost_together=True)
    orders = ordered(
        S="1: card 4 0 employee E2",  # the card is lost
        P="1: card 5 E3 employee S9",  # the employee is
        T="1: card 4 E3 employee E2",  # neither
    )
    after = adjudicate(position, orders)
    assert after.report == [
        Placement("S", 1, "card", COVERED),
        Placement("S", 1, "employee", ("with-card", "CF-3.4")),
        Placement("P", 1, "card", ("with-employee", "CF-3.4")),
        Placement("P", 1, "employee", NO_CUBE),
        Placement("T", 1, "card", None),
        Placement("T", 1, "employee", None),
    ]
    assert after.hands == {"S": [4], "P": [5], "T": []}
    assert set(after.floors["middle"].squares) == set(position.floors["middle"].squares)
    # Either alone is judged alone.
    alone = adjudicate(position, ordered(S="1: card 4 0; 2: employee E2"))
    assert [line.fault for line in alone.report] == [COVERED, None]


def test_cf_4_1_a_corner_is_enough_where_the_table_says_so() -> None:
    cards = listed(c4="..")
    position = table("E.", cards, {"S": [4]})
    orders = ordered(S="1: card 4 E2S1")
    assert adjudicate(position, orders).report == [Placement("S", 1, "card", NOT_TOUCHING)]
    for floor in position.floors.values():
        floor.rulings = Rulings(corner_is_enough=True)
    assert adjudicate(position, orders).report == [Placement("S", 1, "card", None)]
    for far in ("E3S1", "E2S2", "W3S1", "W2N2"):
        lost = adjudicate(position, ordered(S=f"1: card 4 {far}"))
        assert lost.report == [Placement("S", 1, "card", NOT_TOUCHING)]


def test_cf_4_3_a_gap_is_filled_before_the_phases_employee() -> None:
    cards = listed(c7="...", c8="##")
    position = table("E.#", cards, {"S": [7], "P": []})
    # The cube's only way is over the gap, which is uncovered until the card closes it.
    rows = ["+ + + +", " E . . ", "+-+ + +", "|# _ . ", "+-+ + +"]
    position.floors["top"] = drawn(rows)
    early = adjudicate(position, ordered(S="1: employee S1"))
    assert early.report == [Placement("S", 1, "employee", NO_WALK)]
    after = adjudicate(position, ordered(S="1: card 7 S2 employee S1"))
    assert after.report == [
        Placement("S", 1, "card", None, frozenset({(1, 1)})),
        Placement("S", 1, "employee", None),
    ]


def test_cf_6_7_totals_are_over_all_floors_and_equals_share_the_win() -> None:
    position = table("E", {}, {})
    position.turn = 5
    # S: 2 at home, 1 + 4 + 1 in the basement. P: 1 + 3 + 2 on the top floor, 2 at home. T: 1.
    position.floors["top"] = wall_less("##.E/_____/#.F", "S@0", "P@S2", home="S")
    position.floors["middle"] = wall_less("##.E", "P@0", home="P")
    position.floors["basement"] = wall_less("#P/E./#_", "S@0", home="T")
    # South of the elevator, beside it: no steps to the door; the machine is out of its reach.
    after = adjudicate(position, ordered(T="1: employee S2"))
    assert after.report == [Placement("T", 1, "employee", None)]
    assert after.over
    assert totals(after) == {"S": 8, "P": 8, "T": 1}
    assert winners(after) == ["S", "P"]


def test_orders_are_read_in_the_canonical_form() -> None:
    orders = parse_orders("1: card 23 E3S2 turn 1 employee E4S2; 2: card 17 N2; 3: employee E1")
    assert (orders[1].card, orders[1].at, orders[1].turns) == (23, (3, 2), 1)
    assert orders[1].employee == (4, 2)
    assert (orders[2].card, orders[2].at, orders[2].turns) == (17, (0, -2), 0)
    assert orders[2].employee is None
    assert (orders[3].card, orders[3].employee) == (None, (1, 0))
    assert parse_orders("nothing") == {}
