"""How much sooner an arena is done with two processes than with one, on an idle machine.

The same matches are played by one worker and by several; the results must be the same. The time it
takes to start the workers is part of it.

    python benchmarks/arena.py --matches 48
"""

from __future__ import annotations

import argparse
import os
import time

from openplan.arena.tournament import Result, Terms, run
from openplan.bots import Budget
from openplan.core.registry import game_named
from openplan.decks import deck_file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="human-resources")
    parser.add_argument("--matches", type=int, default=48)
    parser.add_argument("--iterations", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    game = game_named(given.game)
    terms = Terms(
        game.name,
        deck_file(game)[0],
        ("director", *["greedy"] * (len(game.seats) - 1)),
        budget=Budget(iterations=given.iterations),
    )
    load = os.getloadavg()[0]
    alone, alone_seconds = timed(terms, given.matches, 1)
    together, seconds = timed(terms, given.matches, given.workers)
    assert alone == together, "the number of workers changes the results"
    print(f"{len(alone)} matches of {game.title}, {given.iterations} iterations a move")
    print(f"1 worker {alone_seconds:.1f} s, {given.workers} workers {seconds:.1f} s: ", end="")
    print(f"{alone_seconds / seconds:.2f} times as fast (load before: {load:.1f})")


def timed(terms: Terms, matches: int, workers: int) -> tuple[list[Result], float]:
    began = time.perf_counter()
    results = run(terms, matches, workers=workers)
    return results, time.perf_counter() - began


if __name__ == "__main__":
    main()
