"""The site: settings, secret, store, clock and matches in memory, shared by all that serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from openplan.core.game import Over
from openplan.server.clock import Now, steady, wall
from openplan.server.errors import DoesNotReplay, TimeIsUp
from openplan.server.people.accounts import Person, someone, who
from openplan.server.refusals import refused
from openplan.server.settings import Settings
from openplan.server.store import Store, Tx
from openplan.server.tables import overdue
from openplan.server.tables.frozen import difference, freeze
from openplan.server.tables.heartbeat import Heartbeat
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.table_looks import Looks

T = TypeVar("T")


class Site:
    def __init__(
        self,
        settings: Settings,
        secret: bytes,
        store: Store,
        *,
        now: Now = wall,
        steady: Now = steady,
    ) -> None:
        self.settings = settings
        self.secret = secret
        self.store = store
        self.now = now
        self.heartbeat = Heartbeat(store, now, steady)
        self.looks = Looks(store)
        self.writers = MatchCache()
        self.readers = MatchCache()
        # With one writer, matches are as committed whenever it reads, so they are there once.
        self.latest = self.writers if store.has_one_writer else self.readers
        self.is_ready = False
        """Whether requests are taken."""

    # -- Transactions of a session -----------------------------------------------------------

    async def change(self, session: str, work: Callable[[Tx, Person], T], seat: str = "") -> T:
        """One transaction for whoever has this session, speaking for that seat."""

        def run(tx: Tx) -> T:
            return work(tx, someone(who(tx, session, self.now(), seat, writes=True)))

        try:
            return await self.store.transact(run)
        except DoesNotReplay as broken:
            await self.freeze(broken.table)
            raise
        except TimeIsUp as late:
            await self.expire(late.table)
        try:
            # What was due is done now, or was not due at all; perhaps this makes sense after it.
            return await self.store.transact(run)
        except TimeIsUp as late:
            raise refused(Over, late.code) from None

    async def look(self, session: str, work: Callable[[Tx, Person | None], T], seat: str = "") -> T:
        """The same for what only reads; spectators need no session."""

        def run(tx: Tx) -> T:
            return work(tx, who(tx, session, self.now(), seat) if session else None)

        return await self.store.read(run)

    # -- What falls due ----------------------------------------------------------------------

    async def expire(self, table: str) -> bool:
        await self.heartbeat.beat()
        try:
            return await self.store.transact(
                lambda tx: overdue.expire(tx, self.writers, table, self.now())
            )
        except DoesNotReplay:
            await self.freeze(table)
            return False

    async def freeze(self, table: str) -> None:
        """Whoever comes upon a match that does not replay stops it, as `admin replay-all` does."""
        why = await self.store.read(lambda tx: difference(tx, table, foreign=False))
        if why:
            await self.store.transact(lambda tx: freeze(tx, table, why, now=self.now()))
