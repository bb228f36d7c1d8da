"""The engine agrees with a checker that shares nothing with it."""

import pytest

from tests.games.cube_farm.compare import card_list, compare_game, shipped_deck


@pytest.mark.plain
@pytest.mark.parametrize("part", range(4))
def test_the_brute_force_checker_agrees(part: int) -> None:
    deck = shipped_deck()
    cards = card_list(deck)
    floors = 0
    for seed in range(3):
        floors += compare_game(deck, cards, 1000 * part + seed, every=25)
    assert floors == 45
