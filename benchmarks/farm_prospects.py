"""Fit what a floor of Cube Farm promises (`cube_farm/weights.py`) to the results of games.

Least squares for each number of turns left and each phase, from games of players who order what
looks best at once.

    python -m benchmarks.farm_prospects --games 3000 --write
"""

from __future__ import annotations

import argparse
from math import sqrt
from pathlib import Path

from benchmarks.prospects import solve
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.cube_farm.bot import weights
from openplan.games.cube_farm.cards import FarmDeck, kernel_cards
from openplan.games.cube_farm.kernel.board import Board
from openplan.games.cube_farm.kernel.codes import PHASES, TURNS
from openplan.games.cube_farm.kernel.prospects import FEATURES, study_games

RIDGE = 30.0
HEAD = '''"""What the features of `prospects.py` are worth (benchmarks/farm_prospects.py)."""

from typing import Final

# fmt: off
WEIGHTS: Final = [
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--places", type=int, default=16, help="tried for each card")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    deck = load_deck(game_named("cube-farm"))
    assert isinstance(deck, FarmDeck)
    rows = study_games(Board(kernel_cards(deck)), given.seed, given.games, given.places)
    found = fit(rows)
    if given.write:
        write(found)


def fit(rows: list[int]) -> list[int]:
    groups = TURNS * PHASES
    products = [[[0.0] * FEATURES for _ in range(FEATURES)] for _ in range(groups)]
    sums = [[0.0] * FEATURES for _ in range(groups)]
    squares = [[0, 0.0, 0.0] for _ in range(groups)]
    width = FEATURES + 3
    for at in range(0, len(rows), width):
        group = rows[at] * PHASES + rows[at + 1]
        row = rows[at + 2 : at + 2 + FEATURES]
        gain = rows[at + width - 1]
        squares[group][0] += 1
        squares[group][1] += gain
        squares[group][2] += gain * gain
        for i, x in enumerate(row):
            if x:
                sums[group][i] += x * gain
                line = products[group][i]
                for j, y in enumerate(row):
                    line[j] += x * y
    found: list[int] = []
    for group in range(groups):
        product, total = products[group], sums[group]
        kept = list(total)
        for i in range(FEATURES):
            product[i][i] += RIDGE
        solved = solve(product, total)
        found += [round(1000 * weight) for weight in solved]
        count, mean, square = squares[group]
        if count:
            # By the normal equations what is explained is the solution times the right side.
            left = square - sum(w * k for w, k in zip(solved, kept, strict=True))
            print(
                f"{group // PHASES} turns left, phase {group % PHASES + 1}: {count} floors, "
                f"{mean / count:.1f} points to come, deviation "
                f"{sqrt(square / count - (mean / count) ** 2):.2f}, {sqrt(left / count):.2f} left"
            )
    return found


def write(found: list[int]) -> None:
    lines = []
    for begin in range(0, len(found), FEATURES):
        lines.append("    " + " ".join(f"{weight}," for weight in found[begin : begin + FEATURES]))
    Path(weights.__file__).write_text(HEAD + "\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
