"""The running site: what it starts and stops, and what it does without being asked."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from openplan.server.clock import SECOND, Now, steady, wall
from openplan.server.errors import DoesNotReplay
from openplan.server.http import rate_limits
from openplan.server.http.live_views import Hub
from openplan.server.mailing.inbox import Inbox, act_print
from openplan.server.mailing.sender import Sender, transport_of
from openplan.server.notify import presence
from openplan.server.ops import admin, operator
from openplan.server.ops.admin_socket import AdminSocket
from openplan.server.ops.bot_pool import BotPool
from openplan.server.people import accounts, one_time_links
from openplan.server.settings import Settings
from openplan.server.site import Site
from openplan.server.store import Action, Store, StoreError, Tx, jobs, path_of
from openplan.server.store.migrations import migrate
from openplan.server.tables import clearing, deck_texts
from openplan.server.tables.access import load
from openplan.server.telling.teller import Teller

TICK_SECONDS: Final = 0.25
LEASE: Final = 30 * SECOND
SWEEP_SECONDS: Final = 3_600

log = structlog.get_logger()


class RunningSite(Site):
    def __init__(
        self,
        settings: Settings,
        secret: bytes,
        store: Store,
        *,
        now: Now = wall,
        steady: Now = steady,
    ) -> None:
        super().__init__(settings, secret, store, now=now, steady=steady)
        acts = {**admin.ACTS, "print": act_print, "page": operator.act_page}
        self.admin_socket = AdminSocket(self, acts)
        self.hub = Hub(self)
        self.bots = BotPool(self, lambda: self.hub.watched)
        self.sender = Sender(self, transport_of(settings))
        self.teller = Teller(self)
        self.inbox = Inbox(self)
        self._tasks: list[asyncio.Task[None]] = []
        self._preparing: set[str] = set()
        self._bringing: set[asyncio.Task[None]] = set()
        self._unsubscribe: Action | None = None

    async def open(self) -> None:
        await migrate(self.store)
        await self.heartbeat.beat()
        self._unsubscribe = self.store.subscribe(self._hear)
        await self.inbox.open()
        running = (
            self.bots.run(),
            self.sender.run(),
            self.teller.run(),
            self.inbox.run(),
            self._tick(),
            self._sweep_now_and_then(),
        )
        self._tasks = [asyncio.create_task(one) for one in running]
        if path_of(self.settings.store_url) is not None:
            await self.admin_socket.open()
        self.is_ready = True

    async def close(self) -> None:
        """Take on nothing more, finish what was accepted."""
        self.is_ready = False
        await self.admin_socket.close()
        await self.inbox.close()
        if self._unsubscribe is not None:
            self._unsubscribe()
        tasks = [*self._tasks, *self._bringing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.bots.close()
        await self.hub.close()
        with suppress(StoreError):  # the next start will do with an earlier beat
            await self.heartbeat.write()
        await self.store.close()

    def _hear(self, topic: str, ident: str) -> None:
        self.hub.hear(topic, ident)
        if topic in ("bot", "*"):
            self.bots.wake()
        if topic in ("letter", "*"):
            self.sender.wake()
        if topic in ("telling", "*"):
            self.teller.wake()
        if topic == "names":
            self.writers.forget(ident)
            self.readers.forget(ident)
        if topic == "table":
            self._prepare(ident)

    def _prepare(self, table: str) -> None:
        """Have a match that is looked at brought up to date beside all requests: else the first who
        looks would wait for it, and could tell that something was sealed there."""
        if table in self._preparing or not self.readers.has(table):
            return
        self._preparing.add(table)
        task = asyncio.create_task(self._bring_up(table))
        self._bringing.add(task)
        task.add_done_callback(self._bringing.discard)

    async def _bring_up(self, table: str) -> None:
        self._preparing.discard(table)  # what is committed from now on is brought up anew

        def work(tx: Tx) -> None:
            here = load(tx, table, None)
            if here is not None and here.row.deal is not None:
                with self.readers.timed(tx, here.row):
                    pass

        with suppress(StoreError, DoesNotReplay):  # whoever looks is told
            await self.store.read(work)

    # -- The clock ---------------------------------------------------------------------------

    async def look_at_clocks(self) -> int:
        """Enter all that has fallen due; how much it was."""
        await self.heartbeat.beat()
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
            clearing.sweep(tx, self.now())
            presence.sweep(tx, self.now())

        await self.store.transact(work)
        while await self.store.transact(lambda tx: deck_texts.gather(tx, self.now())):
            pass

    async def _sweep_now_and_then(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with suppress(StoreError):
                await self.sweep()
