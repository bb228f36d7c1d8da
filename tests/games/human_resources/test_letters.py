"""Moves as people write them into letters."""

import pytest

from openplan.decks import load_deck
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.text.notation import format_move

DECK = load_deck(GAME)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("place P05d E2S1", [(0, 0, "place P05d E2S1")]),
        ("- Place p5d\nat E2S1.", [(0, 1, "place P05d E2S1")]),
        ("hire M04d shift\n0+E1\n+E1S1 east\n2", [(0, 3, "hire M04d shift 0+E1+E1S1 east 2")]),
        ("pick up P03l", [(0, 0, "pick-up P03l")]),
        ("place P05d E2S1\nproject P05d", [(0, 0, "place P05d E2S1"), (1, 1, "project P05d")]),
        ("place P05d E2S1\nwe see\nthis", [(0, 0, "place P05d E2S1")]),
        ("place ____ at ____", [(0, 0, "____")]),
        ("place P05d at ____", [(0, 0, "blank")]),
        ("project manager", [(0, 0, "unreadable")]),
        ("replace P05d E2S1\nP05d E2S1", []),
    ],
)
def test_moves_are_found_among_lines(text: str, expected: list[tuple[int, int, str]]) -> None:
    found = [
        (
            order.first,
            order.last,
            order.fault.code if order.fault else format_move(order.move) if order.move else "____",
        )
        for order in GAME.read_orders(DECK, text.split("\n"))
    ]
    assert found == expected
