"""Who carries what waits in the outbox: takes what is due, a few at once, and sleeps until there is
more or somebody wakes it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import ClassVar, Final

import structlog

from openplan.server.clock import SECOND, Now
from openplan.server.store import Store, StoreError, jobs
from openplan.server.store.jobs import Job

POLL_SECONDS: Final = 2.0
LEASE: Final = 120 * SECOND
AT_ONCE: Final = 10

log = structlog.get_logger()


class Carrier(ABC):
    kind: ClassVar[str]
    """Of its jobs in the outbox."""

    def __init__(self, store: Store, now: Now) -> None:
        self._store = store
        self._now = now
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        while True:
            self._woken.clear()
            try:
                carried = await self.carry()
            except StoreError as error:
                log.warning("the outbox waits", kind=self.kind, reason=str(error))
                carried = 0
            if not carried:
                # Not `wait_for`: before Python 3.12 it forgets that it was cancelled, if it is
                # woken at the same moment, and then nothing ends this.
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await self._woken.wait()

    async def carry(self) -> int:
        """All that is due now, a few at once; how many were taken up."""
        now = self._now()
        due = await self._store.read(lambda tx: jobs.next_due(tx, self.kind))
        if due is None or due > now:
            return 0
        taken = await self._store.transact(
            lambda tx: jobs.claim(tx, self.kind, now=now, lease_for=LEASE, limit=AT_ONCE),
            serializable=False,
        )
        await self._carry_all(taken)
        return len(taken)

    async def _carry_all(self, taken: list[Job]) -> None:
        for job in taken:
            await self._carry(job)

    @abstractmethod
    async def _carry(self, job: Job) -> None: ...
