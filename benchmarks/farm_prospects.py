"""Fit what a floor of Cube Farm promises (`cube_farm/weights.py`) to the results of games.

Least squares for each number of turns left and each phase, from games of players who order what
looks best at once. Then players who look no further than the next turn compare the new weights with
the old: every deal six times, with one of three by the new ones and with two, in every seat.
`--write` writes the new ones if they win by more than chance.

    python -m benchmarks.farm_prospects --games 3000 --deals 300 --write
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

from benchmarks.prospects import Comparison, solve
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.cube_farm.bot import weights
from openplan.games.cube_farm.bot.think import AT_A_GLANCE, SPREAD
from openplan.games.cube_farm.cards import FarmDeck, kernel_cards
from openplan.games.cube_farm.kernel.board import Board
from openplan.games.cube_farm.kernel.codes import FLOORS, NONE, PHASES, SEATS, TURNS, Rng
from openplan.games.cube_farm.kernel.prospects import FEATURES, study_games
from openplan.games.cube_farm.kernel.search import Search

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
    parser.add_argument("--deals", type=int, default=300, help="to compare by")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    deck = load_deck(game_named("cube-farm"))
    assert isinstance(deck, FarmDeck)
    cards = kernel_cards(deck)
    found = fit(study_games(Board(cards), given.seed, given.games, given.places))
    minds = [Search(cards, by, list(SPREAD)) for by in (found, list(weights.WEIGHTS))]
    result = compare(Board(cards), minds, given.deals, given.seed * 1_000_003 + 50_000)
    print(f"new against old {result}")
    if not result.is_better:
        print("that may be chance; weights.py stays as it is")
    elif given.write:
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


def compare(table: Board, minds: Sequence[Search], deals: int, seed: int) -> Comparison:
    """The share of the first of two minds; half the seats are its own, so that a half is even."""
    shares = []
    for deal in range(deals):
        won = 0.0
        for new, seat in product(((0, 1, 1), (1, 0, 0)), range(SEATS)):
            seats = new[seat:] + new[:seat]
            points = play(table, [minds[mind] for mind in seats], seed + deal)
            first = [mind for mind, had in zip(seats, points, strict=True) if had == max(points)]
            won += first.count(0) / len(first)
        shares.append(won / (2 * SEATS))
    return Comparison(fmean(shares), 1.96 * stdev(shares) / sqrt(deals), 2 * SEATS * deals)


def play(table: Board, minds: Sequence[Search], seed: int) -> list[int]:
    """A game of three minds, each of which knows only what its seat may; the points."""
    table.deal(Rng(seed))
    told = Board(table.cards)
    while table.turn <= TURNS:
        placed = {
            int(floor.placed[place]) >> 2
            for floor in map(table.floor, range(FLOORS))
            for place in range(int(floor.placed_count))
        }
        for seat, mind in enumerate(minds):
            told.copy_from(table)
            for other in range(SEATS):
                if other != seat:
                    told.set_hand(other, [NONE] * int(table.hand_size[other]))
            seen = placed.union(table.hand_of(seat))
            unseen = [card for card in range(int(table.cards.count)) if card not in seen]
            chance = seed * 100 + int(table.turn) * SEATS + seat
            samples, places, width = AT_A_GLANCE
            found = mind.run(told, seat, unseen, [], chance, samples, -1.0, places, width)
            for phase in range(PHASES):
                table.order_card(seat, phase, found[0][0][phase])
                table.order_employee(seat, phase, found[0][1][phase])
        table.adjudicate()
    table.score()
    return [int(table.points[seat]) for seat in range(SEATS)]


def write(found: list[int]) -> None:
    lines = []
    for begin in range(0, len(found), FEATURES):
        lines.append("    " + " ".join(f"{weight}," for weight in found[begin : begin + FEATURES]))
    Path(weights.__file__).write_text(HEAD + "\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
