"""The engine agrees with a checker that shares nothing with it."""

from random import Random

import pytest

from tests.games.cube_farm.compare import card_list, compare_game, shipped_deck
from tests.games.cube_farm.decks import random_deck

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("part", range(4))
def test_the_brute_force_checker_agrees(part: int) -> None:
    deck = shipped_deck()
    cards = card_list(deck)
    floors = 0
    for seed in range(2):
        floors += compare_game(deck, cards, 1000 * part + seed, every=25)
    assert floors == 30


@pytest.mark.parametrize("seed", range(8))
def test_the_brute_force_checker_agrees_on_wild_decks(seed: int) -> None:
    deck = random_deck(Random(seed))
    assert compare_game(deck, card_list(deck), seed, every=25) == 15
