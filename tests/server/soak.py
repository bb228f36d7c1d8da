"""The long proofs of the store; `tests/soak.py` runs them."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from tests.server.databases import running_postgres
from tests.server.disk import Disk
from tests.server.events import lost_after, write_while_recording
from tests.server.killing import run_kill_loop
from tests.server.load import load, percentile
from tests.server.test_serve_killed import faults_after, forked

KILLS = 100
CUTS = 200
TABLES, RATE, SECONDS = 500, 100, 60
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
