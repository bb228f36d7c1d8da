"""What printing costs of the processor: whole decks and all else, for A4.

    .venv/bin/python benchmarks/printing.py

Figures are in docs/printing.md. What is measured is the time of all threads of this process, so
that a machine with more cores or with other work gives the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from openplan.core.deck import Deck
from openplan.core.game import AnyGame
from openplan.core.registry import all_games
from openplan.decks import load_deck
from openplan.printing.booklet import print_reference, print_rules
from openplan.printing.counters import print_counters
from openplan.printing.deck import print_deck
from openplan.printing.paper import Backs, Job

ALLOWED = 2.0
"""Seconds for a deck."""
RUNS = 5


def cost(work: Callable[[], bytes]) -> tuple[float, float, int]:
    """Of the first run, of the others in the middle, and how large it became."""
    taken, size = [], 0
    for _ in range(RUNS):
        began = time.process_time()
        size = len(work())
        taken.append(time.process_time() - began)
    return taken[0], median(taken[1:]), size


def jobs(game: AnyGame, deck: Deck) -> list[tuple[str, Callable[[], bytes]]]:
    found: list[tuple[str, Callable[[], bytes]]] = [
        ("deck, duplex", lambda: print_deck(game, deck, Job())),
        ("deck, to fold", lambda: print_deck(game, deck, Job(backs=Backs.FOLD))),
        ("deck, one to a page", lambda: print_deck(game, deck, Job(one_per_page=True))),
        ("deck, little ink", lambda: print_deck(game, deck, Job(low_ink=True))),
        ("counters", lambda: print_counters(game, deck, Job())),
        ("rules", lambda: print_rules(game, Job())),
        ("reference", lambda: print_reference(game, deck, Job())),
    ]
    return found


def main() -> None:
    print(f"{'game':<16} {'what':<20} {'first':>7} {'usual':>7} {'kB':>6}")
    slow = []
    for name, game in sorted(all_games().items()):
        deck = load_deck(game)
        for what, work in jobs(game, deck):
            first, usual, size = cost(work)
            print(f"{name:<16} {what:<20} {first:6.2f}s {usual:6.2f}s {size / 1000:6.0f}")
            if what.startswith("deck") and first > ALLOWED:
                slow.append(f"{name}, {what}: {first:.2f} s")
        print(f"{name:<16} ({len(deck.cards)} cards)")
    if slow:
        raise SystemExit(f"more than {ALLOWED:g} s for a deck: {'; '.join(slow)}")


if __name__ == "__main__":
    main()
