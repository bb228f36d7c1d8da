"""Orders as people write them."""

from random import Random

import pytest

from openplan.core.game import Unreadable
from openplan.core.grid import Square
from openplan.games.cube_farm.text.notation import (
    CardOrder,
    Orders,
    Phase,
    format_orders,
    parse_orders,
)
from tests.games.cube_farm.compare import shipped_deck

DECK = shipped_deck()
WHOLE = "1: card 23 E3S2 turn 1 employee E4S2; 2: card 17 N2; 3: employee E1"
FIRST = "1: card 23 E3S2 turn 1 employee E4S2"


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (WHOLE, WHOLE),
        (WHOLE.upper(), WHOLE),
        (WHOLE.replace(" ", ""), WHOLE),
        (WHOLE.replace("; ", "\n"), WHOLE),
        (WHOLE.replace("; ", "\r\n\r\n"), WHOLE),
        ("Phase 1 card 23, E3S2, turns 1, employee E4S2", FIRST),
        (
            "phase 1:\n card: 23\n at: e 3 s 2\n turns: 1\n employee: E4S2",
            FIRST,
        ),
        ("1 card 23 at E3S2, 1, employee at E4S2", FIRST),
        ("1: employee E4S2 card 23 E3S2 turn 1", FIRST),
        ("3: employee E1\n1: card 5 0", "1: card 5 0; 3: employee E1"),
        ("1: card 005 E0S0 turn 0", "1: card 5 0"),
        ("1: nothing; 2: card 5 W1N4.", "2: card 5 W1N4"),
        ("Nothing.", "nothing"),
        ("1 - card 5 - 0 - employee S1", "1: card 5 0 employee S1"),
        ("1: nothing", "nothing"),
    ],
)
def test_orders_are_read_in_any_case_and_spacing(written: str, canonical: str) -> None:
    orders = parse_orders(DECK, written)
    assert format_orders(orders) == canonical
    assert parse_orders(DECK, canonical) == orders


@pytest.mark.parametrize(
    ("written", "code", "says"),
    [
        ("", "unreadable", "nothing"),
        ("hello", "unreadable", "phase"),
        ("card 5 E1", "unreadable", "phase"),
        ("4: card 5 E1", "unreadable", "not a phase"),
        ("1: card 99 E1", "unknown-card", "phase 1"),
        ("2: card 5", "unreadable", "phase 2: a square"),
        ("2: card 5 E1 turn 4", "unreadable", "quarter turns"),
        ("2: card 5 E1 turn", "unreadable", "quarter turns"),
        ("2: card 5 E1 turn -1", "unreadable", "quarter turns"),
        ("2: card 5 E-1", "unreadable", "not part of a square"),
        ("2: employee Q1", "unreadable", "not a square"),
        ("2: employee E99999", "unreadable", "E99999"),
        ("1: card 5 E1; 1: employee E2", "unreadable", "twice"),
        ("1: card 5 E1 card 6 E2", "unreadable", "two cards"),
        ("1: employee E1 employee E2", "unreadable", "two employees"),
        ("1: card 5 E1 employee E2 E3", "unreadable", "neither"),
        ("nothing; 1: card 5 E1", "unreadable", "before any phase"),
        ("1: card 5 E1 \u0663", "unreadable", "phase 1"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_phase(written: str, code: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_orders(DECK, written)
    assert caught.value.code == code
    assert says in caught.value.reason


def test_any_orders_come_back_from_text() -> None:
    rng = Random(1)
    for _ in range(2000):
        orders = Orders()
        for number in range(3):
            square = Square(rng.randrange(-60, 60), rng.randrange(-2, 3))
            card = CardOrder(rng.choice(DECK.cards), square, rng.randrange(4))
            seat = Square(rng.randrange(-2, 3), rng.randrange(-60, 60))
            phase = Phase(rng.choice([card, None]), rng.choice([seat, None]))
            orders = orders.having(number, phase)
        assert parse_orders(DECK, format_orders(orders)) == orders


def test_reading_takes_no_longer_for_nonsense() -> None:
    for text in ("e" * 1000, "1" * 1000, ";" * 1000, "1:" * 500, " " * 1000, "x" * 100_000):
        with pytest.raises(Unreadable):
            parse_orders(DECK, text)
