"""CF-7: what the source works out, as facts to reproduce."""

import pytest

from openplan.games.cube_farm.kernel.walking import score_floor
from tests.games.cube_farm.plans import drawing, scores, table

pytestmark = pytest.mark.plain


def totals(layout: str, employees: str, joined: str = "") -> dict[str, int]:
    state = table(layout, employees, joined)
    found = {square: score.total for square, score in scores(state).items()}
    floor = state.table.floor(0)
    score_floor(floor, 0)
    # The kernel adds up what the explanation says.
    assert sum(int(floor.points[seat]) for seat in range(3)) == sum(found.values())
    return found


def test_a_layout_becomes_a_drawing_with_walls() -> None:
    assert drawing("#.E/_#_") == [
        "+-+ + +",
        "|# . E ",
        "+-+ + +",
        " _|#|_ ",
        "+ +-+ +",
    ]


def test_cf_7_1_a_cube_that_reaches_nothing() -> None:
    assert totals("#...E", "S@0") == {"0": 1}


def test_cf_7_1_two_squares_too_far_from_a_photocopier_and_near_enough() -> None:
    assert totals("##....P/__.E___", "S@0", "##") == {"0": 2}
    assert totals("##...P/__.E__", "S@E1", "##") == {"E1": 6}


def test_cf_7_2_a_coffee_machine() -> None:
    assert totals("#.c...#/_E#____", "S@0 S@E2S1 S@E6") == {"0": 3, "E2S1": 3, "E6": 1}


def test_cf_7_3_around_an_elevator_not_through_it() -> None:
    assert totals("_#EP/..../#___", "S@E1 S@S2") == {"E1": 5, "S2": 1}
    assert totals("_#EP/..../#___", "P@E1 S@S2") == {"E1": 6, "S2": 1}
    walk = scores(table("_#EP/..../#___", "S@E1"))["E1"].parts[0].walk
    assert [str(square) for square in walk] == ["E1", "E1S1", "E2S1", "E3S1", "E3"]


def test_cf_7_4_photocopier_and_laser_printer() -> None:
    assert totals("#.P...#/E.L____", "S@0 S@E6") == {"0": 8, "E6": 5}
    assert totals("#.P...#/E.L____", "T@0 S@E6") == {"0": 11, "E6": 5}


def test_cf_7_5_soda_machine_and_receptionist() -> None:
    assert totals("R.#.s/__.E_", "S@E2") == {"E2": 1}
    assert totals("R.#.s/__.E_", "P@E2") == {"E2": 1}


def test_cf_7_6_a_vp_who_has_expanded() -> None:
    assert totals("#..#V/_E___", "S@0", "#V") == {"0": -2}
    assert totals("#..#V/_E___", "T@0", "#V") == {"0": 1}
    assert totals("#...V/_E___", "S@0") == {"0": 1}


def test_cf_6_5_a_tie_gives_the_extra_to_nobody() -> None:
    assert totals("#.P.#/E____", "P@0 T@E4") == {"0": 5, "E4": 5}
    assert totals("#.P.#/E____", "P@0 P@E4") == {"0": 5, "E4": 5}


def test_cf_6_5_the_nearest_at_home_takes_it_from_all() -> None:
    assert totals("#P.#/E___", "S@0 T@E3") == {"0": 5, "E3": 5}


def test_a_score_is_explained() -> None:
    score = scores(table("#.P...#/E.L____", "T@0 S@E6"))["0"]
    told = [
        (part.kind, part.what, str(part.square), part.points, part.steps) for part in score.parts
    ]
    assert told == [
        ("bonus", "photocopier", "E2", 4, 2),
        ("extra", "photocopier", "E2", 1, 2),
        ("bonus", "laser-printer", "E2S1", 3, 3),
        ("extra", "laser-printer", "E2S1", 2, 3),
    ]
    assert [(seat, str(square), steps) for seat, square, steps in score.parts[1].compared] == [
        ("S", "E6", 4)
    ]
