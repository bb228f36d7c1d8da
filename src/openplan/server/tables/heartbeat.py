"""The heartbeat of the servers: time in which none was up, or in which nothing could be kept, or
which a clock jumped over, counts for nobody. Deadlines and running clocks are moved by it.

A process that runs writes the time into one row, every few seconds. It looks at what stands there
only when something is amiss: at its start, after it could not write, or when its clock on the wall
has gone on by more than its steady clock, at once or little by little. If several look, the first
moves the deadlines, and the others find the row written anew.

A clock that is put back takes everything with it that was written ahead of time.
"""

from __future__ import annotations

from typing import Final

import structlog

from openplan.server.clock import SECOND, Now
from openplan.server.store import EVERYTHING, Store, StoreError, Tx, jobs
from openplan.server.tables import moves, turns

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
        self._is_amiss |= abs(self._measured() - self._ahead) > MISSED
        if self._is_amiss or self._steady() - self._beaten_at >= BEAT:
            await self.write()

    async def write(self) -> None:
        try:
            now, is_amiss, ahead = self._now(), self._is_amiss, self._measured()
            # Since it was last put right: many small jumps are as bad as a large one.
            jumped = ahead - self._ahead
            missed = await self._store.transact(lambda tx: beat(tx, now, jumped, looks=is_amiss))
        except StoreError:
            self._is_amiss = True
            raise
        if is_amiss:
            self._ahead = ahead
        if missed < 0:
            log.warning("the clock was put back; so is what was ahead", seconds=-missed // SECOND)
        if missed > 0:
            log.warning("nobody could play; clocks are moved by that", seconds=missed // SECOND)
        self._is_amiss = False
        self._beaten_at = self._steady()


def beat(tx: Tx, now: int, jumped: int = 0, *, looks: bool) -> int:
    """Write that a server is up; if it `looks`, how long none was, or by how much the clock on the
    wall `jumped` if that is more; less than nothing, if it was put back."""
    last = tx.row(int, f"SELECT at FROM pulse WHERE id = 1 {tx.for_update}")  # noqa: S608 - of constants
    if last is None:
        tx.execute("INSERT INTO pulse (id, at) VALUES (1, ?) ON CONFLICT (id) DO NOTHING", now)
        return 0
    tx.execute("UPDATE pulse SET at = ? WHERE id = 1", now)
    if not looks:
        return 0
    if last - now > MISSED:
        put_back(tx, now, last - now)
        return now - last
    missed = max(now - last, jumped)
    if missed <= MISSED:
        return 0
    leave_out(tx, now - missed, now)
    return missed


def put_back(tx: Tx, now: int, length: int) -> None:
    """All that was written as if it were so much later: what has been, is now; what is to come, as
    much later as it was to be; and no time is left out that is yet to come."""
    tx.execute("DELETE FROM outages WHERE from_at >= ?", now)
    tx.execute("UPDATE outages SET to_at = ? WHERE to_at > ?", now, now)
    # None of it, but its number tells every process to read its clocks anew.
    tx.execute("INSERT INTO outages (from_at, to_at, table_id) VALUES (?, ?, NULL)", now, now)
    turns.postpone(tx, now, -length, None)
    jobs.postpone(tx, now, -length, None)
    moves.put_back(tx, now)
    tx.signal(EVERYTHING, "")


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
