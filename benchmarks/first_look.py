"""Whether the time of a look tells that somebody has sealed an order.

    python benchmarks/first_look.py [--rounds 300] [--wait 0]

A server in a process of its own, two tables of Cube Farm. In each round somebody seals orders, by
chance at the one table or at the other; as soon as that is answered, or a moment later, a
spectator looks at the first. The looks are ranked by how long they took: the area under the curve
is the chance that a look after an order at that table takes longer than one after an order
elsewhere. 0.5 tells nothing.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from random import Random
from typing import Any

OF_A_DESK = 80
"""Rounds before both tables are new ones: a seat may change its orders only so often in a turn."""


class Browser:
    def __init__(self, port: int, name: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._cookie = ""
        self.ask("POST", "/api/session", {"name": name})

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Cookie": self._cookie, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        found = json.loads(answer.read() or b"null")
        if answer.status >= 400:
            sys.exit(f"{method} {path}: {answer.status} {found}")
        cookies = [value.partition(";")[0] for value in answer.headers.get_all("set-cookie") or []]
        self._cookie = "; ".join(cookies) or self._cookie
        return found


class Desk:
    """A table, and the orders that its first player seals over and over."""

    def __init__(self, port: int, seed: int) -> None:
        self._players = [Browser(port, f"Player {seed}{number}") for number in range(3)]
        wish = {"game": "cube-farm", "public": True, "clock": {"kind": "days", "days": 9}}
        self.at = f"/api/tables/{self._players[0].ask('POST', '/api/tables', wish)['id']}"
        for player in self._players[1:]:
            player.ask("POST", f"{self.at}/join", {})
        self._sent = 0

    def seal(self) -> None:
        player = self._players[0]
        version = player.ask("GET", self.at)["version"]
        self._sent += 1
        move = {"move": "nothing", "version": version, "submission": f"s{self._sent}"}
        player.ask("POST", f"{self.at}/moves", move)


def area(after: list[float], otherwise: list[float]) -> float:
    """By ranks; equal times count half."""
    ranked = sorted([(time_, 1) for time_ in after] + [(time_, 0) for time_ in otherwise])
    places: dict[float, list[int]] = {}
    for place, (time_, _) in enumerate(ranked, 1):
        places.setdefault(time_, []).append(place)
    total = sum(statistics.mean(places[time_]) for time_ in after)
    return (total - len(after) * (len(after) + 1) / 2) / (len(after) * len(otherwise))


def measure(port: int, rounds: int, wait: float) -> None:
    chance = Random(1)
    spectator = Browser(port, "Spectator")
    took: dict[bool, list[float]] = {True: [], False: []}
    watched, other = Desk(port, 1), Desk(port, 2)
    for number in range(rounds + 20):
        if number and number % OF_A_DESK == 0:
            watched, other = Desk(port, 2 * number), Desk(port, 2 * number + 1)
            spectator.ask("GET", watched.at)
        is_here = chance.random() < 0.5
        (watched if is_here else other).seal()
        time.sleep(wait)
        began = time.perf_counter()
        spectator.ask("GET", watched.at)
        if number >= 20:
            took[is_here].append(time.perf_counter() - began)
    for is_here, times in took.items():
        where = "after an order there" if is_here else "after an order elsewhere"
        print(f"{where:26} median {statistics.median(times) * 1000:.2f} ms, {len(times)} looks")
    print(f"area under the curve {area(took[True], took[False]):.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--wait", type=float, default=0)
    asked = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        serve = "from openplan.cli.main import main; main()"
        program = [sys.executable, "-c", serve, "serve", "--port", str(port), "--data", folder]
        quiet = {**os.environ, "OPENPLAN_LIMITS": "no"}
        process = subprocess.Popen(program, env=quiet, stdout=subprocess.DEVNULL)
        try:
            for _ in range(200):
                time.sleep(0.1)
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    continue
            measure(port, asked.rounds, asked.wait)
        finally:
            process.terminate()
            process.wait(20)


if __name__ == "__main__":
    main()
