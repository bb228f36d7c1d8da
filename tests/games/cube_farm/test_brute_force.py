"""The engine agrees with a checker that shares nothing with it."""

from random import Random

import pytest

from openplan.games.cube_farm.game import GAME
from tests.games.cube_farm.compare import card_list, compare_game, shipped_deck
from tests.games.cube_farm.decks import random_deck

pytestmark = pytest.mark.plain
RULINGS = [rule.name for rule in GAME.house_rules if rule.since == 2]


@pytest.mark.parametrize("part", range(4))
def test_the_brute_force_checker_agrees(part: int) -> None:
    deck = shipped_deck()
    cards = card_list(deck)
    floors = 0
    for seed in range(2):
        floors += compare_game(deck, cards, 1000 * part + seed, every=25)
    assert floors == 30


@pytest.mark.parametrize(
    "house", [*({name: "yes"} for name in RULINGS), dict.fromkeys(RULINGS, "yes")]
)
@pytest.mark.parametrize("is_wild", [False, True])
def test_the_brute_force_checker_agrees_by_other_rulings(
    house: dict[str, str], is_wild: bool
) -> None:
    deck = random_deck(Random(5)) if is_wild else shipped_deck()
    assert compare_game(deck, card_list(deck), 77, 25, house) == 15


def test_some_wild_decks_have_machines_of_other_worth() -> None:
    decks = [random_deck(Random(seed)) for seed in range(8)]
    assert 1 < sum(deck.values != shipped_deck().values for deck in decks) < 8
    assert max(value for deck in decks for value in deck.values) > 4


@pytest.mark.parametrize("seed", range(8))
def test_the_brute_force_checker_agrees_on_wild_decks(seed: int) -> None:
    deck = random_deck(Random(seed))
    assert compare_game(deck, card_list(deck), seed, every=25) == 15
