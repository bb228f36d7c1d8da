"""Who carries what waits in the outbox, and how they end."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from openplan.server.clock import wall
from openplan.server.notify.outbox import Carrier
from openplan.server.store import open_store
from openplan.server.store.jobs import Job


class Idle(Carrier):
    kind = "nothing"

    async def carry(self) -> int:
        return 0

    async def _carry(self, job: Job) -> None:
        raise AssertionError(job)


@pytest.mark.parametrize("ticks", range(5))
def test_who_is_woken_while_being_ended_ends(ticks: int, tmp_path: Path) -> None:
    """A letter written just before the server stops must not keep it from stopping."""

    async def go() -> bool:
        store = open_store(f"sqlite:///{tmp_path}/store.db")
        carrier = Idle(store, wall)
        running = asyncio.create_task(carrier.run())
        for _ in range(5):
            await asyncio.sleep(0)
        carrier.wake()
        for _ in range(ticks):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.wait({running}, timeout=5)
        has_ended = running.done()
        running.cancel()
        await store.close()
        return has_ended

    assert asyncio.run(go())
