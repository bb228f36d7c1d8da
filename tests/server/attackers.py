"""People who want to hold the door shut, each in a thread and from an address of their own, while
others play. None of them may get through, and each says what they were answered."""

from __future__ import annotations

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx2

from tests.server.running import Client

SILENT = 300
Attack = Callable[["Attacker"], None]


class Attacker(Client):
    def __init__(self, address: str, source: str, seed: int) -> None:
        super().__init__(address)
        transport = httpx2.HTTPTransport(local_address=source)
        self.http = httpx2.Client(base_url=f"http://{address}", timeout=10, transport=transport)
        self.source = source
        self.rng = random.Random(seed)
        self.stop = threading.Event()
        self.answers: Counter[int] = Counter()

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        answer = super().ask(method, path, body, **more)
        self.answers[answer.status_code] += 1
        return answer

    def go_on(self, attack: Attack) -> None:
        while not self.stop.is_set():
            # Whatever comes back, they try again.
            with suppress(httpx2.HTTPError, OSError, AssertionError):
                attack(self)
            self.stop.wait(0.01)

    def table(self, **wish: Any) -> str:
        if "openplan" not in self.http.cookies:
            self.ok("POST", "/api/session", {"name": f"Mal {self.rng.randrange(1000)}"})
        return str(self.ok("POST", "/api/tables", {"public": True, **wish})["id"])


def be_silent(by: Attacker) -> None:
    """Connections on which nothing is said, or half a word."""
    host, port = by.address.split(":")
    with ExitStack() as held:
        for _ in range(SILENT):
            one = socket.create_connection((host, int(port)), 5, (by.source, 0))
            held.enter_context(one).sendall(
                by.rng.choice([b"", b"GET /hea", b"POST / HTTP/1.1\r\n"])
            )
        by.stop.wait(2)


def ask_much(by: Attacker) -> None:
    """Costly reads of every public table, one after the other."""
    for table in by.ok("GET", "/api/tables"):
        for path in ("/record", "/at/0", "/at/5", "/log", "/verify"):
            by.ask("GET", f"/api/tables/{table['id']}{path}")


def change_ones_mind(by: Attacker) -> None:
    """Sealed orders over and over."""
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "random"} for _ in "PT")]
    table = by.table(game="cube-farm", seats=seats, clock={"kind": "days", "days": 3})
    for number in range(200):
        version = by.ok("GET", f"/api/tables/{table}")["version"]
        body = {"move": by.some_move(table, by.rng), "version": version, "ready": False}
        by.ok("POST", f"/api/tables/{table}/moves", {**body, "submission": str(number)})
        by.ask("POST", f"/api/tables/{table}/take-back", {"number": version + 1})
        if by.stop.is_set():
            return


def forge(by: Attacker) -> None:
    """From another site."""
    origin = by.rng.choice(["http://[", "null", "http://evil.example", "//", "http://a:b:c"])
    answer = by.ask("POST", "/api/session", {"name": "Eve"}, headers={"Origin": origin})
    if answer.is_success:
        by.answers[-1] += 1


def send_much(by: Attacker) -> None:
    """Bodies that nobody can want."""
    content = b'{"game": "' + b"x" * by.rng.choice([100_000, 3_000_000]) + b'"}'
    headers = {"Content-Type": "application/json"}
    answer = by.http.post("/api/tables", content=content, headers=headers)
    by.answers[-1 if answer.is_success else answer.status_code] += 1


def open_tables(by: Attacker) -> None:
    """Tables with bots, and a new guest when there are too many."""
    bots = [{"kind": "me"}, {"kind": "bot", "bot": by.rng.choice(["random", "clerk"])}]
    try:
        by.table(game="human-resources", seats=bots)
    except AssertionError:
        by.http.cookies.clear()
        raise


ATTACKS: list[Attack] = [be_silent, ask_much, change_ones_mind, forge, send_much, open_tables]


@contextmanager
def attacked(address: str, seed: int) -> Iterator[list[Attacker]]:
    """All of them at once, until the block ends."""
    attackers = [Attacker(address, f"127.0.0.{n}", seed + n) for n in range(2, 2 + len(ATTACKS))]
    threads = [
        threading.Thread(target=one.go_on, args=(attack,))
        for one, attack in zip(attackers, ATTACKS, strict=True)
    ]
    for thread in threads:
        thread.start()
    try:
        yield attackers
    finally:
        for one in attackers:
            one.stop.set()
        end = time.monotonic() + 60
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        for one in attackers:
            one.http.close()
