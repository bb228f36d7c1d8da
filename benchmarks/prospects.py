"""Fit the weights of Human Resources' `prospects.py` to matches played by the weights themselves.

    python benchmarks/prospects.py [--rounds 3] [--matches 4000] [--write]

Each round plays matches with some random moves, fits by least squares what the features of a table
say about the points still to come, and lets the new weights play the ones before; it keeps them if
they win by more than chance. `--write` puts what was kept into `weights.py`, if it also beats the
weights that stand there, in deals of its own.
"""

from __future__ import annotations

import argparse
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.human_resources.bot import weights
from openplan.games.human_resources.cards import OfficeDeck, kernel_cards
from openplan.games.human_resources.kernel import choosing
from openplan.games.human_resources.kernel.codes import Cards

SIZE = 80
STAGES = 5
RIDGE = 30.0
HEAD = '''"""What the features of `prospects.py` are worth, by stage (benchmarks/prospects.py)."""

from typing import Final

# fmt: off
WEIGHTS: Final = [
'''


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", type=int, default=60, help="random moves in a thousand")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    game = game_named("human-resources")
    deck = load_deck(game)
    assert isinstance(deck, OfficeDeck)
    cards = kernel_cards(deck, False)
    first = best = list(weights.WEIGHTS)
    for number in range(given.rounds):
        seed = given.seed * 1_000_003 + number * 100_003
        _, rows = choosing.self_play(cards, best, best, given.matches, seed, given.noise)
        new = fit(rows, best)
        found = compare(cards, new, best, given.matches, seed + 50_000)
        print(f"round {number + 1}: new against the ones before {found}", flush=True)
        if found.is_better:
            best = new
    if best == first:
        print("nothing better than weights.py was found; it stays as it is")
        return
    found = compare(cards, best, first, given.matches, given.seed * 1_000_003 + 5_000_011)
    print(f"the last that was kept against weights.py {found}")
    if not found.is_better:
        print("that may be chance; weights.py stays as it is")
    elif given.write:
        write(best)


def fit(rows: list[int], before: list[int]) -> list[int]:
    """Least squares for every stage, drawn a little towards the weights before."""
    products = [[[0.0] * SIZE for _ in range(SIZE)] for _ in range(STAGES)]
    sums = [[0.0] * SIZE for _ in range(STAGES)]
    at = 0
    while at < len(rows):
        end = at + 1 + 2 * rows[at]
        row = [(rows[i], rows[i + 1]) for i in range(at + 1, end, 2)]
        stage, rest = rows[end], rows[end + 1]
        at = end + 2
        product, total = products[stage], sums[stage]
        for i, x in row:
            line = product[i]
            total[i] += x * rest
            for j, y in row:
                line[j] += x * y
    new = []
    for stage in range(STAGES):
        product, total = products[stage], sums[stage]
        for i in range(SIZE):
            product[i][i] += RIDGE
            total[i] += RIDGE * before[stage * SIZE + i] / 1000
        new += [round(1000 * weight) for weight in solve(product, total)]
    return new


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination; the ridge keeps the matrix well away from singular."""
    size = len(right)
    for i in range(size):
        for k in range(i + 1, size):
            factor = matrix[k][i] / matrix[i][i]
            if factor:
                for j in range(i, size):
                    matrix[k][j] -= factor * matrix[i][j]
                right[k] -= factor * right[i]
    found = [0.0] * size
    for i in range(size - 1, -1, -1):
        known = sum(matrix[i][j] * found[j] for j in range(i + 1, size))
        found[i] = (right[i] - known) / matrix[i][i]
    return found


class Comparison(NamedTuple):
    """The share of the first, and how far it may be off (95%)."""

    share: float
    off: float
    matches: int

    @property
    def is_better(self) -> bool:
        return self.share - self.off > 0.5

    def __str__(self) -> str:
        return f"{self.share:.1%} ± {self.off:.1%} of {self.matches}"


def compare(cards: Cards, one: list[int], other: list[int], matches: int, seed: int) -> Comparison:
    """Each deal from both seats; a deal's two matches are not independent, so deals are counted."""
    leads, _ = choosing.self_play(cards, one, other, matches // 2 * 2, seed, 0)
    shares = [(lead > 0) + 0.5 * (lead == 0) for lead in leads]
    deals = [(a + b) / 2 for a, b in zip(shares[::2], shares[1::2], strict=True)]
    return Comparison(fmean(deals), 1.96 * stdev(deals) / sqrt(len(deals)), len(leads))


def write(found: list[int]) -> None:
    lines = []
    for begin in range(0, len(found), 16):
        lines.append("    " + " ".join(f"{weight}," for weight in found[begin : begin + 16]))
    Path(weights.__file__).write_text(HEAD + "\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
