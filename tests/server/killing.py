"""Starts the kill loop in a process of its own, which has no threads and so may fork."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

from openplan.server.store import Tx
from tests.server import kill_loop
from tests.server.databases import opened

ROOT = Path(__file__).resolve().parent.parent.parent


def run_kill_loop(
    url: str, kills: int, *, seed: int = 1, fault: str = ""
) -> subprocess.CompletedProcess[str]:
    """Make the tables of an empty store, then kill so many times; status 1 if something is wrong.
    `fault` plants one of `kill_loop.FAULTS`."""
    asyncio.run(_prepare(url, fault))
    command = [sys.executable, "-m", "tests.server.kill_loop", url, str(kills), str(seed)]
    return subprocess.run(
        [*command, *filter(None, [fault])], cwd=ROOT, capture_output=True, text=True, check=False
    )


async def _prepare(url: str, fault: str) -> None:
    store = await opened(url)
    await store.transact(kill_loop.prepare)
    if fault == "no-key":
        await store.transact(_take_the_key_away)
    await store.close()


def _take_the_key_away(tx: Tx) -> None:
    """The log as it must not be: nothing keeps two entries from having the same ply."""
    tx.execute("DROP TABLE entries")
    tx.execute(
        "CREATE TABLE entries (table_id TEXT, ply INTEGER, kind TEXT, seat INTEGER, text TEXT,"
        " at BIGINT)"
    )
