"""The heartbeat of the servers: time in which none was up, or in which nothing could be kept, or
which a clock jumped over, counts for nobody. Deadlines and running clocks are moved by it.

A process that runs writes the time into one row, every few seconds. It looks at what stands there
only when something is amiss: at its start, after it could not write, or when its clock on the wall
has gone on by more than its steady clock. If several look, the first moves the deadlines, and the
others find the row written anew.
"""

from __future__ import annotations

from typing import Final

import structlog

from openplan.server.clock import SECOND, Now
from openplan.server.store import EVERYTHING, Store, StoreError, Tx, jobs
from openplan.server.tables import turns

BEAT: Final = 5 * SECOND
MISSED: Final = 15 * SECOND
"""A shorter time without a beat is no outage."""

log = structlog.get_logger()


class Heartbeat:
    """The beat of this process."""

    def __init__(self, store: Store, now: Now, steady: Now) -> None:
        self._store = store
        self._now = now
        self._steady = steady
        self._is_amiss = True
        self._beaten_at = 0
        self._ahead = self._measured()

    def _measured(self) -> int:
        """How far the clock on the wall is ahead of the steady one, both read at one moment: had
        the process been stopped in between, the next measure would look like a jump."""
        while True:
            before, now, after = self._steady(), self._now(), self._steady()
            if after - before < SECOND:
                return now - after

    async def beat(self) -> None:
        """Once in a while, and at once if something is amiss. Raises `StoreError` as long as it
        cannot be written; until then no deadline may be entered."""
        ahead = self._measured()
        if ahead - self._ahead > MISSED:
            self._is_amiss = True
        self._ahead = ahead
        if self._is_amiss or self._steady() - self._beaten_at >= BEAT:
            await self.write()

    async def write(self) -> None:
        try:
            now, is_amiss = self._now(), self._is_amiss
            missed = await self._store.transact(lambda tx: beat(tx, now, looks=is_amiss))
        except StoreError:
            self._is_amiss = True
            raise
        if missed:
            log.warning("nobody could play; clocks are moved by that", seconds=missed // SECOND)
        self._is_amiss = False
        self._beaten_at = self._steady()


def beat(tx: Tx, now: int, *, looks: bool) -> int:
    """Write that a server is up; if it `looks`, how long none was."""
    last = tx.row(int, f"SELECT at FROM pulse WHERE id = 1 {tx.for_update}")  # noqa: S608 - of constants
    if last is None:
        tx.execute("INSERT INTO pulse (id, at) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", now)
        return 0
    tx.execute("UPDATE pulse SET at = ? WHERE id = 1", now)
    if not looks or now - last <= MISSED:
        return 0
    leave_out(tx, last, now)
    return now - last


def leave_out(tx: Tx, start: int, end: int, table: str | None = None) -> None:
    """Have this time count for nobody, at one table or at all: running clocks leave it out, and
    deadlines that were to come move by it."""
    tx.execute("INSERT INTO outages (from_at, to_at, table_id) VALUES (?, ?, ?)", start, end, table)
    length = end - start
    turns.postpone(tx, start, length, table)
    jobs.postpone(tx, start, length, table)
    if table is None:
        tx.signal(EVERYTHING, "")
    else:
        tx.signal("table", table)
