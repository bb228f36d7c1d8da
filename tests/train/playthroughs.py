"""OpenSpiel's playthroughs of both games, as tests compare them. `python -m
tests.train.playthroughs` writes them anew."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from open_spiel.python.algorithms.generate_playthrough import playthrough

import openplan.envs.open_spiel  # noqa: F401 (it registers the games)

PLAYTHROUGHS = Path(__file__).with_name("playthroughs")
PLAYED = ("human_resources(promo=yes)", "cube_farm(window=16)")


def told_lines(name: str, actions: Sequence[int] = ()) -> list[str]:
    """The lines of a playthrough; of a long one its beginning and a digest."""
    return [
        line
        if len(line) <= 200
        else f"{line[:80]} ... {hashlib.sha256(line.encode()).hexdigest()[:16]}"
        for line in playthrough(name, list(actions), seed=7).splitlines()
    ]


if __name__ == "__main__":
    for name in PLAYED:
        path = PLAYTHROUGHS / f"{name.partition('(')[0]}.txt"
        path.write_text("\n".join(told_lines(name)) + "\n", "utf-8")
