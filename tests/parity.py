"""Prints what plain and compiled code must agree on: moves, views and results of seeded games."""

from __future__ import annotations

import hashlib
import json
import sys
from random import Random

from openplan.core.game import OPEN
from openplan.core.record import write_record
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


if __name__ == "__main__":
    main(int(sys.argv[1]))
