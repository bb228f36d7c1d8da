"""The engine agrees with the brute-force checker on every legal move and every table after it."""

import pytest

from tests.brute_force.compare import compare_game, shipped_deck


@pytest.mark.parametrize("chunk", range(5))
def test_engine_and_checker_agree(chunk: int) -> None:
    deck = shipped_deck()
    positions = sum(compare_game(deck, seed) for seed in range(25 * chunk, 25 * chunk + 25))
    assert positions > 750
