"""Prints what plain and compiled code must agree on: moves, views and results of seeded games."""

from __future__ import annotations

import hashlib
import json
import sys
from random import Random

from openplan.core.game import OPEN, AnyGame, Illegal
from openplan.core.match import complete_house
from openplan.core.record import write_record
from openplan.decks import load_deck
from tests.probes import games, new_match, probe_of, viewers


def main(seeds: int) -> None:
    for game in games():
        probe = probe_of(game)
        for seed in range(seeds):
            rng = Random(f"parity {seed}")
            match = new_match(game, rng)
            digest = hashlib.sha256()
            while match.outcome is None:
                for viewer in [OPEN, *viewers(game)]:
                    view = match.view(viewer)
                    digest.update(json.dumps(game.view_data(view)).encode())
                    digest.update(repr(game.options(view, [])).encode())
                if seed == 0 and match.ply % 16 == 12:
                    for seat in match.awaited:
                        found = game.search(match.view(seat), None, 26, match.ply)
                        digest.update(repr(found).encode())
                seat, text = probe.random_move(game, match, rng)
                match.submit(seat, text)
            digest.update(write_record(match).encode())
            digest.update(game.dump(match.state))
            print(game.name, seed, match.outcome, digest.hexdigest())
        print(game.name, "lanes", stepped(game, seeds))


def stepped(game: AnyGame, count: int) -> str:
    """All that environments show in random play, so many matches side by side, under every house
    rule that changes what can be done."""
    digest = hashlib.sha256()
    for choice in (0, -1):
        house = {rule.name: rule.choices[choice] for rule in game.house_rules}
        try:
            learning = game.learning(load_deck(game), complete_house(game, house))
        except Illegal:
            return "none"  # a game need not offer environments
        lanes = learning.lanes(count, learning.window, restarts=True)
        for lane in range(count):
            lanes.seed(lane, lane)
            lanes.restart(lane)
        for _ in range(120):
            lanes.sample()
            shown = (lanes.observations, lanes.masks, lanes.rewards, lanes.points, lanes.sampled)
            for buffer in shown:
                digest.update(memoryview(buffer))
            lanes.step(b"".join(action.to_bytes(2, "little") for action in lanes.sampled))
        digest.update(str(lanes.cut()).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    main(int(sys.argv[1]))
