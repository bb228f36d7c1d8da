"""The long proofs of Human Resources; `tests/soak.py` runs them."""

from __future__ import annotations

from tests.brute_force.compare import compare_game, shipped_deck
from tests.games.human_resources.random_games import play_checked
from tests.games.human_resources.stepping import walk_game

GAMES = 250
PROOFS = [
    (
        "hr-random-games",
        "random games keep all cards, one office and true lists of moves",
        "games",
        "random_games",
    ),
    (
        "hr-brute-force",
        "engine and brute-force checker agree on all moves and their effects",
        "positions",
        "brute_force",
    ),
    (
        "hr-steps",
        "all choices of steps give exactly the legal moves, and the notation; nothing is cut",
        "positions",
        "steps",
    ),
]


def random_games(seed: int) -> int:
    play_checked(100_000 + seed, GAMES)
    return GAMES


def brute_force(seed: int) -> int:
    return compare_game(shipped_deck(), 1_000 + seed)


def steps(seed: int) -> int:
    return sum(walk_game(10_000 + seed * 20 + number) for number in range(20))
