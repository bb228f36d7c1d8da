"""Events of which half could be seen, and what a power cut leaves of them on a recording disk."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

from openplan.server.store import Tx
from openplan.server.store.sqlite import SqliteStore
from tests.server.disk import Disk

CLIENTS = 3


def create(tx: Tx) -> None:
    tx.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, text TEXT)")
    tx.execute("CREATE TABLE jobs (number INTEGER, text TEXT)")


def append(number: int, size: int = 600) -> Callable[[Tx], int]:
    """An event in two tables, so that half of it could be seen."""

    def work(tx: Tx) -> int:
        tx.execute("INSERT INTO entries VALUES (?, ?)", number, "x" * size)
        tx.execute("INSERT INTO jobs VALUES (?, ?)", number, "y" * size)
        return number

    return work


def whole_events(tx: Tx) -> set[int]:
    entries = tx.rows(int, "SELECT number FROM entries")
    jobs = tx.rows(int, "SELECT number FROM jobs")
    assert sorted(entries) == sorted(jobs), "half an event"
    assert tx.rows(str, "PRAGMA integrity_check") == ["ok"]
    return set(entries)


async def events_in(path: Path) -> set[int]:
    store = SqliteStore(path)
    try:
        return await store.read(whole_events)
    finally:
        await store.close()


Acknowledged = list[tuple[int, int]]
"""How many acts had been done when it was acknowledged, and which number it was."""


async def write_while_recording(
    disk: Disk, path: Path, events: int, pragma: str = "synchronous=FULL"
) -> Acknowledged:
    store = SqliteStore(path, vfs=disk.name)
    assert store._connection is not None
    store._connection.execute("PRAGMA wal_autocheckpoint=12")  # often, so that it is cut there too
    store._connection.execute(f"PRAGMA {pragma}")
    await store.transact(create)
    acknowledged: Acknowledged = [(len(disk.acts), 0)]

    async def client(first: int) -> None:
        for number in range(first, events + 1, CLIENTS):
            await store.transact(append(number))
            acknowledged.append((len(disk.acts), number))

    await asyncio.gather(*(client(first) for first in range(1, CLIENTS + 1)))
    await store.close()
    return acknowledged


def lost_after(disk: Disk, acknowledged: Acknowledged, folder: Path, seed: int) -> set[int]:
    """Cut the power at some moment, look at what the disk holds: the acknowledged that are gone."""
    chance = random.Random(seed)
    at = chance.randrange(acknowledged[0][0], len(disk.acts) + 1)
    folder.mkdir()
    for name, data in disk.after_power_cut(at, chance).items():
        (folder / name).write_bytes(data)
    there = asyncio.run(events_in(folder / "store.db"))
    return {number for when, number in acknowledged[1:] if when <= at} - there
