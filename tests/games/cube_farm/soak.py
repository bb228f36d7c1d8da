"""The long proofs of PBM Cube Farm; `tests/soak.py` runs them."""

from __future__ import annotations

from random import Random

from tests.games.cube_farm.compare import card_list, compare_game, shipped_deck
from tests.games.cube_farm.decks import random_deck
from tests.games.cube_farm.stepping import walk_game
from tests.probes import game_named, new_match

PROOFS = [
    (
        "cf-brute-force",
        "engine and brute-force checker agree on placements, cubes, filling, walks and scores",
        "floors",
        "brute_force",
    ),
    (
        "cf-steps",
        "all choices of steps give exactly the decisions that can be taken; nothing is cut",
        "positions",
        "steps",
    ),
]


def brute_force(seed: int) -> int:
    """The house deck and decks made at random take turns."""
    deck = random_deck(Random(seed)) if seed % 2 else shipped_deck()
    return compare_game(deck, card_list(deck), 1_000_000 + seed, every=40)


def steps(seed: int) -> int:
    rng = Random(f"soak steps {seed}")
    return sum(walk_game(new_match(game_named("cube-farm"), rng), rng) for _ in range(10))
