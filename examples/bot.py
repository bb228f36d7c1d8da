"""An example of a bot in any language: it reads a table and answers with a move, line by line.

It completes what it can, keeps its quotas, and else places at random. Nothing of Open Plan is
imported: run it with `openplan arena human-resources --bots "cmd:python3 examples/bot.py",greedy`.
"""

import json
import random
import sys
from typing import Any


def choose(request: dict[str, Any]) -> str:
    view = request["view"]
    moves: list[str] = request["moves"]
    rng = random.Random(request["seed"])
    me = view["viewer"]
    in_play = view["play"][me]
    hand = view["hands"][me]

    def worth(move: str) -> float:
        words = move.split()
        card = words[1]
        if words[0] == "quota":
            return 3
        if words[0] == "project":
            return 2.0 - len(in_play)
        if words[0] == "place" and card[0] == "P":
            return 1.0
        return 0.2 * len(hand)

    best = max(worth(move) for move in moves)
    return rng.choice([move for move in moves if worth(move) == best])


def main() -> None:
    for line in sys.stdin:
        print(json.dumps({"move": choose(json.loads(line))}), flush=True)


if __name__ == "__main__":
    main()
