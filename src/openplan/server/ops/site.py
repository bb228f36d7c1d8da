"""The whole server without its HTTP: store, matches in memory, sockets, bots and the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

import structlog

from openplan.core.game import Over
from openplan.server.clock import SECOND, Now, steady, wall
from openplan.server.errors import DoesNotReplay, TimeIsUp
from openplan.server.http import rate_limits
from openplan.server.http.live_views import Hub
from openplan.server.mailing.inbox import Mailroom, act_print
from openplan.server.mailing.sender import Postman, transport_of
from openplan.server.ops import admin, operator
from openplan.server.ops.admin_socket import Desk
from openplan.server.ops.bot_pool import BotPool
from openplan.server.people import accounts, one_time_links
from openplan.server.people.accounts import Person, someone, who
from openplan.server.refusals import refused
from openplan.server.settings import Settings
from openplan.server.store import Action, Store, StoreError, Tx, jobs, path_of
from openplan.server.store.migrations import migrate
from openplan.server.tables import overdue
from openplan.server.tables.frozen import difference, freeze
from openplan.server.tables.heartbeat import Pulse
from openplan.server.tables.match_cache import MatchCache

T = TypeVar("T")

TICK_SECONDS: Final = 0.25
LEASE: Final = 30 * SECOND
SWEEP_SECONDS: Final = 3_600

log = structlog.get_logger()


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
        self.pulse = Pulse(store, now, steady)
        self.desk = Desk(self, {**admin.ACTS, "print": act_print, "page": operator.act_page})
        self.writers = MatchCache()
        self.readers = MatchCache()
        # With one writer, matches are as committed whenever it reads, so they are there once.
        self.latest = self.writers if store.has_one_writer else self.readers
        self.hub = Hub(self)
        self.bots = BotPool(self)
        self.postman = Postman(self, transport_of(settings))
        self.mailroom = Mailroom(self)
        self.is_ready = False
        self._tasks: list[asyncio.Task[None]] = []
        self._unsubscribe: Action | None = None

    async def open(self) -> None:
        await migrate(self.store)
        await self.pulse.beat()
        self._unsubscribe = self.store.subscribe(self._hear)
        await self.mailroom.open()
        running = (
            self.bots.run(),
            self.postman.run(),
            self.mailroom.run(),
            self._tick(),
            self._sweep_now_and_then(),
        )
        self._tasks = [asyncio.create_task(one) for one in running]
        if path_of(self.settings.store_url) is not None:
            await self.desk.open()
        self.is_ready = True

    async def close(self) -> None:
        """Take on nothing more, finish what was accepted."""
        self.is_ready = False
        await self.desk.close()
        await self.mailroom.close()
        if self._unsubscribe is not None:
            self._unsubscribe()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bots.close()
        await self.hub.close()
        with suppress(StoreError):  # the next start will do with an earlier beat
            await self.pulse.write()
        await self.store.close()

    def _hear(self, topic: str, ident: str) -> None:
        self.hub.hear(topic, ident)
        if topic in ("bot", "*"):
            self.bots.wake()
        if topic in ("letter", "*"):
            self.postman.wake()
        if topic == "names":
            self.writers.forget(ident)
            self.readers.forget(ident)

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

    # -- The clock ---------------------------------------------------------------------------

    async def expire(self, table: str) -> bool:
        await self.pulse.beat()
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

    async def look_at_clocks(self) -> int:
        """Enter all that has fallen due; how much it was."""
        await self.pulse.beat()
        now = self.now()
        first = await self.store.read(jobs.next_due)
        if first is None or first > now:
            return 0
        due = await self.store.transact(
            lambda tx: jobs.claim_due(tx, now=now, lease_for=LEASE), serializable=False
        )
        entered = 0
        for table in due:
            try:
                entered += await self.expire(table)
            except StoreError:
                raise
            except Exception:  # one broken match must not stop the clocks of the others
                log.exception("a clock cannot be read", table=table)
        return entered

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_SECONDS)
            with suppress(StoreError):  # it will still be due when the store is back
                await self.look_at_clocks()

    async def sweep(self) -> None:
        """Clear away what is over and nobody will ask for."""

        def work(tx: Tx) -> None:
            accounts.sweep(tx, self.now())
            one_time_links.sweep(tx, self.now())
            rate_limits.sweep(tx, self.now())
            operator.sweep(tx, self.now())

        await self.store.transact(work)

    async def _sweep_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with suppress(StoreError):
                await self.sweep()
