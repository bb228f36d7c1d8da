"""The long proofs of PBM Cube Farm; `tests/soak.py` runs them."""

from __future__ import annotations

from tests.games.cube_farm.compare import card_list, compare_game, shipped_deck

PROOFS = [
    (
        "cf-brute-force",
        "engine and brute-force checker agree on placements, cubes, filling, walks and scores",
        "floors",
        "brute_force",
    ),
]


def brute_force(seed: int) -> int:
    deck = shipped_deck()
    return compare_game(deck, card_list(deck), 1_000_000 + seed, every=40)
