"""How much of a final margin is luck of the draw, and whether taking it off favours anybody.

    python benchmarks/luck.py [GAME] [--matches 2000] [--bot clerk] [--json]

Matches of a bot against itself. The variance of the margins with the luck of the draws taken off,
over that of the raw ones; what part of the luck would fit best; and the first seat's mean luck in
standard errors, which should be within two.
"""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import fmean, stdev

import openplan
from openplan.review import fortunes_of, margins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="?", default="human-resources")
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--bot", default="clerk")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    raw: list[float] = []
    adjusted: list[float] = []
    first: list[float] = []
    for seed in range(given.matches):
        match, rng = openplan.new_match(given.game, seed=f"luck {seed}"), Random(seed)
        while not match.is_over:
            match.push_bot(given.bot, rng)
        assert match.outcome is not None
        lucks = [0.0 for _ in match.seats]
        for _, one in fortunes_of(match.kept):
            lucks[one.seat] += one.points
        first.append(lucks[0])
        for seat in range(len(lucks)):
            margin, without = margins(match.outcome.points, lucks, seat)
            raw.append(margin)
            adjusted.append(without)
    luck = [lead - without for lead, without in zip(raw, adjusted, strict=True)]
    found = {
        "game": given.game,
        "matches": given.matches,
        "bot": given.bot,
        "variance of the margin": _spread(raw, raw),
        "ratio with luck taken off": _spread(adjusted, adjusted) / _spread(raw, raw),
        "part of the luck that fits best": _spread(raw, luck) / _spread(luck, luck),
        "mean luck of the first seat": fmean(first),
        "the same in standard errors": fmean(first) / (stdev(first) / len(first) ** 0.5),
    }
    if given.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:32} {value if isinstance(value, str) else format(value, '.4g')}")


def _spread(one: list[float], other: list[float]) -> float:
    """The covariance."""
    mean, means = fmean(one), fmean(other)
    return fmean([(a - mean) * (b - means) for a, b in zip(one, other, strict=True)])


if __name__ == "__main__":
    main()
