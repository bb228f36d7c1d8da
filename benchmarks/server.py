"""How many durable transactions the store acknowledges in a second, and how long each waits.

    python benchmarks/server.py [--seconds 5] [--clients 16] [--folder DIR] [--url postgresql://...]

The first lines are for scale: the same insert by one bare connection, each with a commit of its
own, and without waiting for the disk. Figures are for the disk that DIR is on.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from openplan.server import outbox
from openplan.server.migrations import migrate
from openplan.server.store import Tx, open_store
from openplan.server.store.sqlite import connect

INSERT = "INSERT INTO entries (table_id, ply, kind, seat, text, at) VALUES (?, ?, 'move', 0, ?, 0)"


@dataclass(frozen=True, slots=True)
class Measured:
    what: str
    waits: list[float]
    seconds: float

    def __str__(self) -> str:
        ordered = sorted(self.waits)
        p50, p99 = (1000 * ordered[int(len(ordered) * part)] for part in (0.5, 0.99))
        rate = len(self.waits) / self.seconds
        return f"{self.what:58} {rate:9,.0f}/s {p50:8.2f} ms {p99:8.2f} ms"


def tables(clients: int) -> Callable[[Tx], None]:
    def work(tx: Tx) -> None:
        for number in range(clients):
            tx.execute(
                "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text,"
                " state, created_at, changed_at) VALUES (?, 'g', 1, 'd', '', '', 'playing', 0, 0)",
                f"t{number}",
            )
        tx.execute("INSERT INTO users (id, kind, name, created_at) VALUES ('u', 'guest', 'n', 0)")

    return work


def entry(table: str, ply: int) -> Callable[[Tx], None]:
    """A bare insert."""

    def work(tx: Tx) -> None:
        tx.execute(INSERT, table, ply, "place P05d E2S1")

    return work


def move(table: str, ply: int) -> Callable[[Tx], None]:
    """What is written for a move: the entry, a job, the answer kept for a retry, a notice."""

    def work(tx: Tx) -> None:
        tx.execute("SELECT * FROM tables WHERE id = ?", table)
        tx.execute(INSERT, table, ply, "place P05d E2S1")
        outbox.add(tx, "bot", table, {"ply": ply}, now=0)
        tx.execute(
            "INSERT INTO submissions (table_id, user_id, name, request_hash, result, at)"
            " VALUES (?, 'u', ?, '', '{}', 0)",
            table,
            str(ply),
        )
        tx.notify("table", table)

    return work


def bare(path: Path, seconds: float, synchronous: str) -> Measured:
    """One connection, one insert, one commit, over and over."""
    asyncio.run(prepared(f"sqlite:///{path}", 1))
    connection = connect(path)
    connection.execute(f"PRAGMA synchronous={synchronous}")
    waits = []
    begun = now = time.perf_counter()
    for ply in count(1):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(INSERT, ("t0", ply, "place P05d E2S1"))
        connection.execute("COMMIT")
        before, now = now, time.perf_counter()
        waits.append(now - before)
        if now > begun + seconds:
            break
    connection.close()
    return Measured(f"bare SQLite, 1 connection, synchronous={synchronous}", waits, now - begun)


async def prepared(url: str, clients: int) -> None:
    store = open_store(url)
    await migrate(store)
    await store.transact(tables(clients))
    await store.close()


async def through_store(
    what: str,
    url: str,
    clients: int,
    seconds: float,
    work: Callable[[str, int], Callable[[Tx], None]],
) -> Measured:
    await prepared(url, clients)
    store = open_store(url)
    waits: list[float] = []
    begun = time.perf_counter()

    async def client(table: str) -> None:
        for ply in count(1):
            before = time.perf_counter()
            if before > begun + seconds:
                return
            await store.transact(work(table, ply))
            waits.append(time.perf_counter() - before)

    await asyncio.gather(*(client(f"t{number}") for number in range(clients)))
    taken = time.perf_counter() - begun
    await store.close()
    return Measured(what, waits, taken)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=5.0)
    arguments.add_argument("--clients", type=int, default=16)
    arguments.add_argument("--folder", type=Path, default=None)
    arguments.add_argument("--url", default="", help="an empty PostgreSQL database, to measure too")
    given = arguments.parse_args()
    print(f"{'store':58} {'acknowledged':>11} {'p50':>8}    {'p99':>8}")
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        for synchronous in ("OFF", "FULL"):
            print(bare(folder / f"{synchronous}.db", given.seconds, synchronous), flush=True)
        for clients, work in [(1, entry), (given.clients, entry), (given.clients, move)]:
            url = f"sqlite:///{folder / f'{clients}-{work.__name__}.db'}"
            what = f"SQLite FULL, {clients} client{'s' * (clients > 1)}, {work.__name__}"
            print(asyncio.run(through_store(what, url, clients, given.seconds, work)), flush=True)
    if given.url:
        what = f"PostgreSQL, {given.clients} clients, move"
        print(asyncio.run(through_store(what, given.url, given.clients, given.seconds, move)))


if __name__ == "__main__":
    main()
