"""Kill a process that writes, at random moments, again and again; then count.

    python -m tests.server.kill_loop URL KILLS SEED [FAULT]

The store has its tables and is closed. Each round forks a child in which some clients append
numbered entries, each with a job in the outbox, and tell of every acknowledgement through a pipe.
SIGKILL ends it. The next child sends again what was not acknowledged, as a client does that lost
the answer. In the end every acknowledged entry must be there, each once, with its job.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import Final

from openplan.server.store import Conflict, Store, Tx, jobs, open_store

CLIENTS: Final = 4
FAULTS: Final = ("early", "no-key")
"""What can be planted: to acknowledge before the commit, and to have a log without its key."""
START: Final = 10.0
"""Seconds until a child must have written something."""


def prepare(tx: Tx) -> None:
    for number in range(CLIENTS):
        tx.execute(
            "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text, state,"
            " created_at, changed_at) VALUES (?, 'g', 1, 'd', '', '', 'playing', 0, 0)",
            f"t{number}",
        )


def append(table: str, ply: int) -> Callable[[Tx], None]:
    def work(tx: Tx) -> None:
        tx.execute(
            "INSERT INTO entries (table_id, ply, kind, seat, text, at)"
            " VALUES (?, ?, 'move', 0, ?, 0)",
            table,
            ply,
            f"move {ply}",
        )
        jobs.add(tx, "tell", table, {"ply": ply}, now=0)

    return work


async def write_for_ever(store: Store, pipe: int, plies: dict[str, int], fault: str) -> None:
    async def client(table: str, ply: int) -> None:
        is_again = True
        while True:
            told = f"{table} {ply}\n".encode()
            if fault == "early":
                os.write(pipe, told)
            try:
                await store.transact(append(table, ply))
            except Conflict:
                if not is_again:  # only what was sent before can be there already
                    raise
            if fault == "no-key":
                await asyncio.sleep(0.005)  # or too few would be killed before they hear
            if fault != "early":
                os.write(pipe, told)
            ply += 1
            is_again = False

    await asyncio.gather(*(client(table, acked + 1) for table, acked in plies.items()))


def run_child(url: str, pipe: int, plies: dict[str, int], fault: str) -> None:
    async def go() -> None:
        await write_for_ever(open_store(url), pipe, plies, fault)

    asyncio.run(go())


def round_of(url: str, plies: dict[str, int], fault: str, chance: random.Random) -> None:
    """One child, from its birth to its end; what it acknowledged is added to `plies`."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            run_child(url, writing, plies, fault)
        finally:
            os._exit(3)
    os.close(writing)
    try:
        if chance.random() < 0.8:  # the others are killed while they start
            select.select([reading], [], [], START)
        time.sleep(chance.uniform(0, 0.05))
    finally:
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        for line in pipe.read().splitlines():
            table, ply = line.decode().split()
            plies[table] = max(plies[table], int(ply))
    assert os.WIFSIGNALED(status), "the child ended by itself"


def faults_found(tx: Tx, plies: dict[str, int]) -> list[str]:
    found = []
    for table, acked in plies.items():
        there = tx.rows(int, "SELECT ply FROM entries WHERE table_id = ? ORDER BY ply", table)
        if lost := set(range(1, acked + 1)) - set(there):
            found.append(f"{table}: {len(lost)} of {acked} acknowledged entries are lost")
        if len(set(there)) < len(there):
            found.append(f"{table}: {len(there) - len(set(there))} entries are doubled")
        jobs = tx.rows(str, "SELECT payload FROM outbox WHERE ident = ?", table)
        if len(jobs) != len(there):
            found.append(f"{table}: {len(there)} entries but {len(jobs)} jobs")
    return found


async def counted(url: str, plies: dict[str, int]) -> list[str]:
    store = open_store(url)
    found = await store.read(lambda tx: faults_found(tx, plies))
    await store.close()
    return found


def main() -> int:
    url, kills, seed, *faults = sys.argv[1:]
    chance = random.Random(int(seed))
    plies = {f"t{number}": 0 for number in range(CLIENTS)}
    asyncio.run(counted(url, plies))  # so that the children need not load the adapter
    for _ in range(int(kills)):
        round_of(url, plies, faults[0] if faults else "", chance)
    found = asyncio.run(counted(url, plies))
    print(f"{kills} kills, {sum(plies.values())} entries acknowledged", *found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
