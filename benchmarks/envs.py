"""Environments beside each other, random play in one run on one core: `make bench`.

A step is one action in one match, with observation, mask, reward and end ready for the next; a
match that ends is followed by another. A decision is a whole move chosen among all legal ones
(`benchmarks/engines.py`). All take turns, round after round, and have the median of their rounds,
by processor time.

    python benchmarks/envs.py --seconds 3 --json
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import engines

ROUNDS = 3
AT_ONCE = 64
Run = Callable[[], int]
"""Goes on for a while; how many steps that were."""


def vector(game: str, **house: str) -> Run:
    from openplan.envs import VectorEnv

    env = VectorEnv(game, AT_ONCE, seed=1, house=house)

    def run() -> int:
        for _ in range(100):
            env.step(env.sample())
        return 100 * AT_ONCE

    return run


def decisions(make: Callable[[], engines.Play]) -> Run:
    play = make()
    seed = 0

    def run() -> int:
        nonlocal seed
        seed += 1
        return play(seed)[1]

    return run


def open_spiel_vector(name: str) -> Run:
    """OpenSpiel's own: observation tensor and legal actions of each, in a Python loop."""
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.rl_environment import Environment
    from open_spiel.python.vector_env import SyncVectorEnv

    env = SyncVectorEnv([Environment(name) for _ in range(AT_ONCE)])
    rng = Random(1)
    now = env.reset()

    def run() -> int:
        nonlocal now
        for _ in range(10):
            outputs = []
            for one in now:
                seat = one.observations["current_player"]
                legal = one.observations["legal_actions"][seat]
                outputs.append(StepOutput(action=rng.choice(legal), probs=[]))
            now, _, _, _ = env.step(outputs, reset_if_done=True)
        return 10 * AT_ONCE

    return run


MEASURED: dict[str, Callable[[], Run]] = {
    "human_resources_vector_steps": lambda: vector("human-resources"),
    "human_resources_promo_vector_steps": lambda: vector("human-resources", promo="yes"),
    "cube_farm_vector_steps": lambda: vector("cube-farm"),
    "human_resources_api_decisions": lambda: decisions(engines.in_hand("human-resources")),
    "cube_farm_api_decisions": lambda: decisions(engines.in_hand("cube-farm")),
    "open_spiel_backgammon_vector_steps": lambda: open_spiel_vector("backgammon"),
    "open_spiel_gin_rummy_vector_steps": lambda: open_spiel_vector("gin_rummy"),
    "open_spiel_backgammon_decisions": lambda: decisions(lambda: engines.open_spiel("backgammon")),
    "catanatron_decisions": lambda: decisions(engines.catanatron),
    "python_chess_decisions": lambda: decisions(engines.python_chess),
}


def measure(seconds: float) -> dict[str, int | str]:
    """Per second of the processor; a sentence where something could not be had."""
    found: dict[str, int | str] = {}
    runs: dict[str, Run] = {}
    rates: dict[str, list[float]] = {}
    for name, make in MEASURED.items():
        try:
            runs[name] = make()
            runs[name]()  # whatever is loaded or cached on first use
            rates[name] = []
        except Exception as error:  # noqa: BLE001 (one that fails must not end the run)
            runs.pop(name, None)
            found[name] = f"not measured: {type(error).__name__}: {error}".splitlines()[0]
    for _ in range(ROUNDS):
        for name, run in runs.items():
            steps = 0
            started = time.process_time()
            while (spent := time.process_time() - started) < seconds / ROUNDS:
                steps += run()
            rates[name].append(steps / spent)
    for name in MEASURED:
        if name in rates:
            found[name] = round(statistics.median(rates[name]))
    return {name: found[name] for name in MEASURED}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each")
    parser.add_argument("--json", action="store_true", help="one JSON object, no table")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    found = measure(arguments.seconds)
    if arguments.json:
        print(json.dumps(found))
        return
    for name, rate in found.items():
        told = f"{rate:>12,}" if isinstance(rate, int) else rate
        print(f"{name.replace('_', ' '):38} {told}")


if __name__ == "__main__":
    main()
