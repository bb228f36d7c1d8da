"""A bot of this checkout against one of another checkout, such as the version before a change.

    git worktree add ../before v1.0 && (cd ../before && python scripts/build.py)
    python benchmarks/duel.py ../before --bots clerk,clerk --matches 1000
    python benchmarks/duel.py ../before --bots director,director --seconds 0.5 --matches 100

Human Resources. Each side is a process that plays by its own code; every deal is played from both
seats. `--iterations 900,1000` gives each side a budget of its own, in place of seconds: what the
moves took is measured in processor time, so that equal time can be set on a busy machine too. The
share counts a draw as a half; its interval is by deals. The lead with the luck of the draws taken
off (`openplan review`) says the same with fewer matches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any

from openplan.bots import Budget, bot_named
from openplan.core.deal import seeded
from openplan.core.game import AnyGame
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.review import fortunes_of

GAME = "human-resources"


class Side:
    """A process with one checkout's bot."""

    def __init__(self, checkout: Path, bot: str, seconds: float | None, tries: int | None) -> None:
        self.taken = 0.0
        self.moves = 0
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(checkout), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )
        self.tell({"bot": bot, "seconds": seconds, "iterations": tries})

    def tell(self, line: dict[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def choose(self, seed: int) -> str:
        assert self.process.stdout is not None
        self.tell({"choose": seed})
        line = self.process.stdout.readline()
        if not line:
            sys.exit("one side has ended")
        answer = json.loads(line)
        self.taken += answer["taken"]
        self.moves += 1
        return str(answer["move"])


def serve() -> None:
    """One side: follows the match, and chooses when it is asked to."""
    game: AnyGame = game_named(GAME)
    deck = load_deck(game)
    asked = json.loads(sys.stdin.readline())
    bot = bot_named(asked["bot"], Budget(asked["seconds"], asked["iterations"]))
    match: Match | None = None
    for text in sys.stdin:
        line = json.loads(text)
        if "deal" in line:
            match = Match.start(game, deck, {}, secret=seeded(line["deal"]))
            continue
        assert match is not None
        seat = min(match.awaited)
        if "push" in line:
            match.submit(seat, line["push"])
            continue
        began = time.process_time()
        move = bot.choose(game, match.view(seat), Random(line["choose"]))
        taken = time.process_time() - began
        print(json.dumps({"move": game.format_move(deck, move), "taken": taken}), flush=True)


def played(sides: list[Side], deal: str, swapped: int, rng: Random) -> tuple[float, float, float]:
    """The first side's part of the win, its lead, and the luck in it."""
    game: AnyGame = game_named(GAME)
    match = Match.start(game, load_deck(game), {}, secret=seeded(deal))
    for side in sides:
        side.tell({"deal": deal})
    while match.outcome is None:
        seat = min(match.awaited)
        move = sides[seat ^ swapped].choose(rng.getrandbits(30))
        match.submit(seat, move)
        for side in sides:
            side.tell({"push": move})
    winners = match.outcome.winners
    share = 0.5 if len(winners) != 1 else float(winners[0] ^ swapped == 0)
    sign = -1 if swapped else 1
    lead = sign * (match.outcome.points[0] - match.outcome.points[1])
    luck = sum(one.points * (1 if one.seat == 0 else -1) for _, one in fortunes_of(match))
    return share, lead, sign * luck


def interval(values: list[float]) -> tuple[float, float]:
    """The mean over deals, each of two matches, and how far it may be off (95%)."""
    deals = [(a + b) / 2 for a, b in zip(values[::2], values[1::2], strict=True)]
    return fmean(deals), 1.96 * stdev(deals) / sqrt(len(deals)) if len(deals) > 1 else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", type=Path, help="the other checkout, built")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--bots", default="clerk,clerk", help="this checkout's and the other's")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--iterations", help="one number, or this checkout's and the other's")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.serve:
        serve()
        return
    bots = given.bots.split(",")
    tries: list[Any] = [None, None]
    if given.iterations:
        numbers = [int(number) for number in given.iterations.split(",")]
        tries = [numbers[0], numbers[-1]]
    places = [Path(__file__).resolve().parent.parent, given.other.resolve()]
    sides = [
        Side(place, bot, given.seconds, most)
        for place, bot, most in zip(places, bots, tries, strict=True)
    ]
    rng = Random(given.seed)
    found = []
    for number in range(given.matches // 2 * 2):
        found.append(played(sides, f"{given.seed} duel {number // 2}", number % 2, rng))
        if len(found) % 2 == 0 and (len(found) % 20 == 0 or len(found) == given.matches):
            share, off = interval([one[0] for one in found])
            lead, lead_off = interval([one[1] for one in found])
            fair, fair_off = interval([one[1] - one[2] for one in found])
            taken = [1000 * side.taken / max(1, side.moves) for side in sides]
            print(
                f"{len(found)} matches: share {share:.1%} ± {off:.1%}, lead {lead:+.2f} ± "
                f"{lead_off:.2f}, luck taken off {fair:+.2f} ± {fair_off:.2f}; "
                f"{taken[0]:.1f} and {taken[1]:.1f} ms of processor time a move",
                flush=True,
            )


if __name__ == "__main__":
    main()
