"""SIGKILL at any moment loses no acknowledged entry and doubles none; see kill_loop.py."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from openplan.server.store import Tx
from tests.server import kill_loop
from tests.server.databases import opened

ROOT = Path(__file__).resolve().parent.parent.parent


def without_key(tx: Tx) -> None:
    """The log as it must not be: nothing keeps two entries from having the same ply."""
    tx.execute("DROP TABLE entries")
    tx.execute(
        "CREATE TABLE entries (table_id TEXT, ply INTEGER, kind TEXT, seat INTEGER, text TEXT,"
        " at BIGINT)"
    )


async def prepare(url: str, fault: str) -> None:
    store = await opened(url)
    await store.transact(kill_loop.prepare)
    if fault == "no-key":
        await store.transact(without_key)
    await store.close()


def run(url: str, kills: int, fault: str = "") -> subprocess.CompletedProcess[str]:
    asyncio.run(prepare(url, fault))
    command = [sys.executable, "-m", "tests.server.kill_loop", url, str(kills), "1"]
    # A process without threads, so that it may fork.
    return subprocess.run(
        [*command, *filter(None, [fault])], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_twenty_kills(store_url: str) -> None:
    done = run(store_url, 20)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert done.stdout.startswith("20 kills, ")


@pytest.mark.parametrize(("fault", "said"), [("early", "are lost"), ("no-key", "are doubled")])
def test_the_kill_loop_goes_red(store_url: str, fault: str, said: str) -> None:
    done = run(store_url, 8, fault)
    assert done.returncode == 1, done.stderr
    assert said in done.stdout
