"""The long proofs of the store and of the whole server; `tests/soak.py` runs them."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

import apsw

from benchmarks.server import SERVE, serving
from openplan.server.store import StoreUnavailable, postgres
from openplan.server.store.sqlite import SqliteStore
from tests.server.attackers import attacked
from tests.server.databases import running_postgres
from tests.server.disk import Disk
from tests.server.events import (
    append,
    create,
    events_in,
    lost_after,
    whole_events,
    write_while_recording,
)
from tests.server.killing import run_kill_loop
from tests.server.load import load, percentile
from tests.server.running import VirtualClock, running
from tests.server.silent_postgres import silencer
from tests.server.test_disk import failing
from tests.server.test_serve_killed import SealedTable, Table, faults_after, forked, played

KILLS = 100
CUTS = 200
TABLES, RATE, SECONDS = 500, 100, 60
ATTACKED = 60
SILENCES = 10
JUMPS = 40
FAULTS = 60
DAMAGES = 40
PAGE = 4096
PROOFS: list[tuple[str, str, str, str] | tuple[str, str, str, str, bool]] = [
    (
        "store-kills-sqlite",
        "SIGKILL at any moment loses no acknowledged entry and doubles none, on SQLite",
        "kills",
        "kills_sqlite",
    ),
    (
        "store-kills-postgresql",
        "SIGKILL at any moment loses no acknowledged entry and doubles none, on PostgreSQL",
        "kills",
        "kills_postgresql",
    ),
    (
        "store-power-cuts",
        "after a power cut every acknowledged event is there, and none is half there",
        "cuts",
        "power_cuts",
    ),
    (
        "server-kills-sqlite",
        "the whole server killed under load loses and doubles no answered move, on SQLite",
        "kills",
        "server_kills_sqlite",
    ),
    (
        "server-kills-postgresql",
        "the whole server killed under load loses and doubles no answered move, on PostgreSQL",
        "kills",
        "server_kills_postgresql",
    ),
    (
        "server-load",
        "500 tables, 1,500 sockets, 100 moves a second: p99 from the request to all under 100 ms",
        "moves",
        "server_load",
        True,
    ),
    (
        "server-attacked",
        "people play, by a ledger, while silent, costly, forged, huge and endless requests come in",
        "moves",
        "attacks",
        True,
    ),
    (
        "server-silent-database",
        "PostgreSQL falls silent again and again: no answered move is lost or doubled",
        "silences",
        "silences",
    ),
    (
        "server-clocks",
        "clocks jump by seconds up to weeks, ahead and back: nobody runs out of time",
        "jumps",
        "jumps",
    ),
    (
        "store-full-disk",
        "a disk that is full or fails for a while: what was refused is not there, the rest is",
        "faults",
        "full_disks",
    ),
    (
        "store-damage",
        "pages lost, mixed up or overwritten and files cut short are found at the start",
        "damages",
        "damages",
    ),
]


def kills_sqlite(seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        return _kills(f"sqlite:///{folder}/store.db", seed)


def kills_postgresql(seed: int) -> int:
    with running_postgres() as server:
        return _kills(server.new_url(), seed)


def _kills(url: str, seed: int) -> int:
    done = run_kill_loop(url, KILLS, seed=1_000 + seed)
    assert done.returncode == 0, done.stdout + done.stderr
    return KILLS


def server_kills_sqlite(seed: int) -> int:
    return _server_kills("", seed)


def server_kills_postgresql(seed: int) -> int:
    with running_postgres() as server:
        return _server_kills(server.new_url(), seed)


def _server_kills(url: str, seed: int) -> int:
    with tempfile.TemporaryDirectory() as folder, forked(Path(folder), url) as server:
        _, found = faults_after(server, KILLS, seed=1_000 * (seed + 1))
    assert found == []
    return KILLS


def server_load(_: int) -> int:
    outcome = load(TABLES, RATE, SECONDS)
    print(f"server-load: {outcome}", flush=True)
    assert percentile(outcome.seen, 99) < 100, str(outcome)
    return len(outcome.seen)


def attacks(seed: int) -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        serving("-c", SERVE, "serve", "--port", "PORT", "--data", folder) as (port, _),
    ):
        address = f"127.0.0.1:{port}"
        tables: list[Table | SealedTable] = [SealedTable(address, seed), Table(address, seed)]
        found: list[str] = []
        with attacked(address, seed) as attackers, played(tables, found):
            time.sleep(ATTACKED)
        slowest = min(table.number for table in tables)
        for one in attackers:
            print(f"server-attacked: {one.source} was answered {dict(one.answers)}", flush=True)
        assert found == []
        assert all(one.answers for one in attackers[1:]), "an attacker did nothing"
        assert not any(one.answers[-1] for one in attackers), "something was let in"
        assert slowest > ATTACKED, f"only {slowest} moves in {ATTACKED} seconds"
        return sum(table.number for table in tables)


def silences(seed: int) -> int:
    chance, found = random.Random(seed), list[str]()
    with (
        running_postgres() as database,
        tempfile.TemporaryDirectory(prefix="openplan-silent-") as way_by,
        tempfile.TemporaryDirectory() as folder,
        silencer(database.new_url(), Path(way_by)) as (url, way),
        patch.object(postgres, "SILENT_SECONDS", 2.0),
        running(Path(folder), database=url) as server,
    ):
        tables: list[Table | SealedTable] = [
            SealedTable(server.address, seed),
            Table(server.address, seed),
        ]
        with played(tables, found):
            for _ in range(SILENCES):
                time.sleep(chance.uniform(0.2, 1.5))
                way.is_silent = True
                time.sleep(chance.choice([0.1, 0.5, 1.5, 3.0, 5.0]))
                way.is_silent = False
            time.sleep(2)
    assert found == []
    assert all(table.number > SILENCES for table in tables), "nobody got to play"
    return SILENCES


def jumps(seed: int) -> int:
    chance, found = random.Random(seed), list[str]()
    clock, began = VirtualClock(), time.monotonic_ns()

    def steady() -> int:
        return (time.monotonic_ns() - began) // 1000

    def now() -> int:
        return clock.at + steady()

    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder), now=now, steady=steady) as server,
    ):
        rule = {"kind": "live", "bank": 120, "increment": 1}
        tables: list[Table | SealedTable] = [
            SealedTable(server.address, seed),
            *(Table(server.address, seed + n, clock=rule) for n in range(2)),
        ]
        with played(tables, found):
            for _ in range(JUMPS):
                time.sleep(chance.uniform(0.1, 1.5))
                far = chance.choice([1, 10, 60, 600, 3_600, 86_400, 30 * 86_400])
                clock.go_on(chance.choice([-1, 1]) * far * chance.random())
    assert found == []
    return JUMPS


def full_disks(seed: int) -> int:
    chance, disk = random.Random(seed), Disk()

    async def go(path: Path) -> None:
        store = SqliteStore(path, vfs=disk.name)
        await store.transact(create)
        there = set[int]()
        for number in range(FAULTS):
            kind = chance.choice(["write", "write", "sync"])
            error = apsw.FullError("full") if kind == "write" else apsw.IOError("io")
            disk.fault = failing(kind, chance.randrange(12), chance.choice([1, 6, 1000]), error)
            works = [store.transact(append(100 * number + n)) for n in range(chance.randrange(9))]
            results = await asyncio.gather(*works, return_exceptions=True)
            disk.fault = lambda act: None
            assert all(isinstance(one, int | StoreUnavailable) for one in results), results
            there |= {one for one in results if isinstance(one, int)}
            there.add(await store.transact(append(100 * number + 50)))
            assert await store.read(whole_events) == there
        await store.close()
        assert await events_in(path) == there

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(go(Path(folder) / "store.db"))
    disk.unregister()
    return FAULTS


def damages(seed: int) -> int:
    chance = random.Random(seed)

    async def filled(path: Path) -> None:
        store = SqliteStore(path)
        await store.transact(create)
        for number in range(150):
            await store.transact(append(number))
        await store.close()

    with tempfile.TemporaryDirectory() as name:
        whole = Path(name) / "whole.db"
        asyncio.run(filled(whole))
        written = set(range(150))
        for number in range(DAMAGES):
            path = Path(name) / f"{number}.db"
            path.write_bytes(damaged(whole.read_bytes(), chance))
            try:
                there = asyncio.run(events_in(path))
            except StoreUnavailable as error:
                assert "is damaged" in str(error), error  # noqa: PT017 - it need not be raised
                continue
            assert there == written, f"damage {number} was not found"
    return DAMAGES


def damaged(data: bytes, chance: random.Random) -> bytes:
    """A file of pages of which some are lost, mixed up or overwritten, or which is cut short."""
    pages = [data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    for _ in range(chance.choice([1, 1, 1, 4])):
        one, other = chance.randrange(len(pages)), chance.randrange(len(pages))
        kind = chance.choice(["zero", "noise", "swap", "cut"])
        if kind == "zero":
            pages[one] = bytes(PAGE)
        elif kind == "noise":
            pages[one] = chance.randbytes(PAGE)
        elif kind == "swap":
            pages[one], pages[other] = pages[other], pages[one]
        elif len(pages) > 2:
            del pages[max(1, one) :]
    return b"".join(pages)


def power_cuts(seed: int) -> int:
    disk = Disk()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        acknowledged = asyncio.run(write_while_recording(disk, folder / "store.db", 150))
        for number in range(CUTS):
            lost = lost_after(
                disk, acknowledged, folder / str(number), 1_000_000 + seed * CUTS + number
            )
            assert not lost, f"cut {number}: {sorted(lost)} were acknowledged and are lost"
    disk.unregister()
    return CUTS
