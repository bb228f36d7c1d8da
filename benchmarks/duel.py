"""A bot of this checkout against one of another checkout, such as the version before a change.

    git worktree add ../before v1.0 && (cd ../before && python scripts/build.py)
    python benchmarks/duel.py ../before --bots clerk,clerk --matches 1000
    python benchmarks/duel.py ../before --bots director,director --seconds 0.5 --matches 100
    python benchmarks/duel.py ../before --game cube-farm --bots director,director --matches 300

Each side is a process that plays by its own code; every deal is played from every seat, at a table
of three one of this checkout's with two of the other's. `--iterations 900,1000` gives each side a
budget of its own, in place of seconds: what the moves took is measured in processor time, so that
equal time can be set on a busy machine too. The share counts a draw in equal parts; its interval is
by deals. The lead with the luck of the draws taken off (`openplan review`) says the same with fewer
matches.
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
from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck


class Side:
    """A process with one checkout's bot."""

    def __init__(
        self, checkout: Path, game: str, bot: str, seconds: float | None, tries: int | None
    ) -> None:
        self.taken = 0.0
        self.moves = 0
        self.process = subprocess.Popen(
            [sys.executable, __file__, str(checkout), "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(checkout / "src")},
        )
        self.tell({"game": game, "bot": bot, "seconds": seconds, "iterations": tries})

    def tell(self, line: dict[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()

    def choose(self, seat: Seat, seed: int) -> str:
        assert self.process.stdout is not None
        self.tell({"choose": seat, "seed": seed})
        line = self.process.stdout.readline()
        if not line:
            sys.exit("one side has ended")
        answer = json.loads(line)
        self.taken += answer["taken"]
        self.moves += 1
        return str(answer["move"])


def serve() -> None:
    """One side: follows the match, and chooses when it is asked to."""
    asked = json.loads(sys.stdin.readline())
    game: AnyGame = game_named(asked["game"])
    deck = load_deck(game)
    bot = bot_named(asked["bot"], Budget(asked["seconds"], asked["iterations"]))
    match: Match | None = None
    for text in sys.stdin:
        line = json.loads(text)
        if "deal" in line:
            match = Match.start(game, deck, {}, secret=seeded(line["deal"]))
            continue
        assert match is not None
        if "push" in line:
            match.submit(Seat(line["seat"]), line["push"])
            continue
        began = time.process_time()
        view = match.view(Seat(line["choose"]))
        move = bot.choose(game, view, Random(line["seed"]))
        taken = time.process_time() - began
        print(json.dumps({"move": game.format_move(deck, move), "taken": taken}), flush=True)


def played(
    sides: list[Side], game: AnyGame, deal: str, own: int, rng: Random
) -> tuple[float, float, float]:
    """What the first side, in this seat, has of the win; its lead, and the same without luck."""
    # Only here: a version of before reviews can be a side too.
    from openplan.review import fortunes_of, margins

    match = Match.start(game, load_deck(game), {}, secret=seeded(deal))
    for side in sides:
        side.tell({"deal": deal})
    while match.outcome is None:
        seat = min(match.awaited)
        move = sides[seat != own].choose(seat, rng.getrandbits(30))
        match.submit(seat, move)
        for side in sides:
            side.tell({"push": move, "seat": seat})
    winners = match.outcome.winners or tuple(map(Seat, range(len(game.seats))))
    lucks = [0.0 for _ in game.seats]
    for _, one in fortunes_of(match):
        lucks[one.seat] += one.points
    return (own in winners) / len(winners), *margins(match.outcome.points, lucks, own)


def interval(values: list[float], seats: int) -> tuple[float, float]:
    """The mean over deals, each played from every seat, and how far it may be off (95%)."""
    deals = [fmean(values[at : at + seats]) for at in range(0, len(values), seats)]
    return fmean(deals), 1.96 * stdev(deals) / sqrt(len(deals)) if len(deals) > 1 else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("other", type=Path, help="the other checkout, built")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--game", default="human-resources")
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
        Side(place, given.game, bot, given.seconds, most)
        for place, bot, most in zip(places, bots, tries, strict=True)
    ]
    game: AnyGame = game_named(given.game)
    seats = len(game.seats)
    rng = Random(given.seed)
    found = []
    matches = given.matches // seats * seats
    for number in range(matches):
        deal = f"{given.seed} duel {number // seats}"
        found.append(played(sides, game, deal, number % seats, rng))
        if len(found) % (10 * seats) == 0 or len(found) == matches:
            share, off = interval([one[0] for one in found], seats)
            lead, lead_off = interval([one[1] for one in found], seats)
            fair, fair_off = interval([one[2] for one in found], seats)
            taken = [1000 * side.taken / max(1, side.moves) for side in sides]
            print(
                f"{len(found)} matches: share {share:.1%} ± {off:.1%}, lead {lead:+.2f} ± "
                f"{lead_off:.2f}, luck taken off {fair:+.2f} ± {fair_off:.2f}; "
                f"{taken[0]:.1f} and {taken[1]:.1f} ms of processor time a move",
                flush=True,
            )


if __name__ == "__main__":
    main()
