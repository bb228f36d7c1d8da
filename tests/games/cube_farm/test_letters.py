"""Orders as people write them into letters: read line by line, changed phase by phase."""

from __future__ import annotations

import pytest

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.decks import load_deck
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.text.notation import Orders, format_orders

DECK = load_deck(GAME)


def orders(text: str) -> Orders:
    return GAME.parse_move(DECK, text)


def read(text: str) -> list[tuple[int, int, str, str]]:
    return [
        (
            order.first,
            order.last,
            order.part,
            order.fault.code
            if order.fault
            else format_orders(order.move)
            if order.move
            else "____",
        )
        for order in GAME.read_orders(DECK, text.split("\n"))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1: card 23 N2", [(0, 0, "1", "1: card 23 N2")]),
        ("Phase 3 - employee W1", [(0, 0, "3", "3: employee W1")]),
        ("1: card 23\nN2\nturn\n1 employee 0", [(0, 3, "1", "1: card 23 N2 turn 1 employee 0")]),
        ("1:\nnothing", [(0, 1, "1", "nothing")]),
        ("nothing", [(0, 0, "", "nothing")]),
        ("1 card 23 N2 2 card 5 N1", [(0, 0, n, "1: card 23 N2; 2: card 5 N1") for n in "12"]),
        ("1: card 23 N2\n\nemployee 0", [(0, 0, "1", "1: card 23 N2")]),
        ("1: card 23 N2\nhello\nemployee 0", [(0, 0, "1", "1: card 23 N2")]),
        ("1: card 23 N2\n2 employee 0", [(0, 0, "1", "doubtful"), (1, 1, "2", "doubtful")]),
        ("1: card 23 N2 turn 0\n2 employee 0",
         [(0, 0, "1", "1: card 23 N2"), (1, 1, "2", "2: employee 0")]),
        ("1: card ____ at ____ turn 0\nemployee 0", [(0, 0, "1", "____")]),
        ("1: card 23 at ____", [(0, 0, "1", "blank")]),
        ("1: card ____ at ____; 2: card 17 N3", [(0, 0, "1", "blank")]),
        ("____2: card 17 N3", []),
        ("card 23 N2\n12: card 23 N2\n4: nothing", []),
    ],
)  # fmt: skip
def test_orders_are_found_among_lines(text: str, expected: list[tuple[int, int, str, str]]) -> None:
    assert read(text) == expected


def test_a_long_order_is_refused_and_not_read_again_and_again() -> None:
    (order,) = GAME.read_orders(DECK, ["1: card 23 N2", *["employee 0"] * 900])
    assert order.fault is not None
    assert order.last < 200


def test_a_phase_is_changed_as_a_whole() -> None:
    held = orders("1: card 23 N2 employee 0; 3: employee W1")
    assert GAME.with_part(held, "1", orders("1: card 5 N1")) == orders(
        "1: card 5 N1; 3: employee W1"
    )
    assert GAME.with_part(held, "1", None) == orders("3: employee W1")
    assert GAME.with_part(held, "", None) is None
    assert GAME.with_part(None, "2", orders("1: card 5 N1; 2: employee 0")) == orders(
        "2: employee 0"
    )


def test_lines_of_one_letter_add_up_within_a_phase() -> None:
    card, employee, both = (
        orders("1: card 23 N2"),
        orders("1: employee 0"),
        orders("1: card 23 N2 employee 0"),
    )
    assert GAME.with_part(card, "1", employee, adding=True) == both
    assert GAME.with_part(employee, "1", card, adding=True) == both
    other = orders("1: card 5 N1")
    assert GAME.with_part(both, "1", other, adding=True) == other
    assert GAME.with_part(both, "1", orders("nothing"), adding=True) == Orders()


def test_a_form_filled_in_is_read() -> None:
    view = Match.from_position(GAME, DECK, None, {"hand S": "23 5"}).view(Seat(0))
    form = "\n".join(GAME.order_form(view))
    assert {text for *_, text in read(form)} == {"____"}
    for value in ("23", "N2", "0"):
        form = form.replace("____", value, 1)
    assert orders("1: card 23 N2 employee 0") == GAME.with_part(
        GAME.read_orders(DECK, form.split("\n"))[0].move,
        "1",
        GAME.read_orders(DECK, form.split("\n"))[1].move,
        adding=True,
    )


def test_a_number_alone_orders_nothing() -> None:
    """A mail that is cut off after it must not take back what was sent before."""
    for lines in (["1:"], ["Hi all,", "1: "], ["1:", "2:", "3:"], ["phase 2"]):
        (written,) = GAME.read_orders(DECK, lines)
        assert (written.move, written.fault) == (None, None), lines
    assert [one.part for one in GAME.read_orders(DECK, ["1:", "2: employee S1"])] == ["2"]
    assert [one.part for one in GAME.read_orders(DECK, ["1: nothing", "2: employee S1"])] == [
        "1",
        "2",
    ]
