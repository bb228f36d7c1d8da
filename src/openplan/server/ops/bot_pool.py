"""Bots at tables: each thinks in a process of a bounded pool and knows what its seat was told.

A job is a leased row of the outbox, written with the entry that made it the bot's turn. The worker
process gets the seat's own record, as anybody in that seat could export it, and rebuilds the view
from that; nothing else of the match ever reaches it. Its answer is an ordinary move under the
version it looked at: if the table has gone on meanwhile, the answer is dropped.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from random import Random
from typing import Final, TypeVar

import structlog

from openplan.bots import BOTS, STRONGEST
from openplan.core.game import GameError, Seat
from openplan.core.match import Match
from openplan.core.record import read_record
from openplan.core.registry import game_named
from openplan.server.clock import SECOND
from openplan.server.errors import NoHint, TimeIsUp, TooMany
from openplan.server.logs import kind_of
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.tables import moves
from openplan.server.tables.access import load
from openplan.server.tables.bot_questions import Question, question

T = TypeVar("T")

POLL_SECONDS: Final = 1.0
MEMORY: Final = 2 << 30

log = structlog.get_logger()


MOST_HINTS: Final = 8
"""Hints that may wait at once; one more is told to come back later."""


def think(question: Question) -> str:
    """In the worker: the bot's move, from what its seat was told."""
    match, rng = _told(question), Random(question.seed)
    move = BOTS[question.bot].choose(match.game, match.view(match.viewer), rng)
    return match.game.format_move(match.deck, move)


def advise(question: Question) -> tuple[str, float | None]:
    """In the worker: a good move, and the chance to win after it where the game can look ahead."""
    match, rng = _told(question), Random(question.seed)
    view = match.view(match.viewer)
    advice = STRONGEST.advice(match.game, view, rng)
    if not advice:
        return think(question), None
    move, chance = advice[0]
    return match.game.format_move(match.deck, move), chance


def _told(question: Question) -> Match:
    return read_record(
        question.record,
        game_named,
        lambda game, _name, _hash: game.read_deck(question.deck_text, "deck"),
    )


def limit_worker() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


class BotPool:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._pool: ProcessPoolExecutor | None = None
        self._places = asyncio.Semaphore(site.settings.bot_processes)
        self._woken = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._hints = 0

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        """Take jobs as long as there are places to think at."""
        while True:
            self._woken.clear()
            await self._places.acquire()
            job = await self._claim()
            if job is None:
                self._places.release()
                try:
                    await asyncio.wait_for(self._woken.wait(), POLL_SECONDS)
                except TimeoutError:
                    continue
            else:
                task = asyncio.create_task(self._do(job))
                self._tasks.add(task)
                task.add_done_callback(self._end)

    async def hint(self, question: Question) -> tuple[str, float | None]:
        """Advice for somebody who waits for it, after those who came before; bounded in number and
        in time."""
        if self._hints >= MOST_HINTS:
            raise TooMany
        self._hints += 1
        try:
            async with asyncio.timeout(self._site.settings.bot_seconds), self._places:
                return await self._in_worker(advise, question)
        except (TimeoutError, BrokenProcessPool, OSError, GameError, MemoryError) as error:
            log.warning("no hint was found", reason=kind_of(error))
            raise NoHint from None
        finally:
            self._hints -= 1

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._places.release()

    async def close(self) -> None:
        """Leave the jobs to their leases: whoever starts next takes them up."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._stop_pool()

    async def _claim(self) -> Job | None:
        site = self._site
        lease = int((site.settings.bot_seconds + 10) * SECOND)
        try:
            if not await site.store.read(lambda tx: jobs.next_due(tx, "bot") or 0):
                return None
            taken = await site.store.transact(
                lambda tx: jobs.claim(tx, "bot", now=site.now(), lease_for=lease),
                serializable=False,
            )
        except StoreError as error:
            log.warning("bot jobs wait", reason=str(error))
            return None
        return taken[0] if taken else None

    async def _do(self, job: Job) -> None:
        site = self._site
        try:
            asked = await site.store.read(lambda tx: self._question(tx, job))
            if asked is not None:
                seconds = site.settings.bot_seconds
                move = await asyncio.wait_for(self._in_worker(think, asked), seconds)
                await self._answer(job, move)
            else:
                await site.store.transact(lambda tx: jobs.done(tx, job))
        except Exception as error:
            trouble = kind_of(error)
            log.warning("a bot did not answer", table=job.ident, exc_info=error)
            try:
                await site.store.transact(lambda tx: jobs.retry(tx, job, trouble, now=site.now()))
            except StoreError:
                return  # the lease will end by itself

    def _question(self, tx: Tx, job: Job) -> Question | None:
        """What the bot is asked, if it still is."""
        here = load(tx, job.ident, None)
        seat = Seat(job.payload["seat"])
        if here is None or here.row.state != "playing":
            return None
        bot = here.seats[seat].bot
        if bot is None:
            return None
        with self._site.readers.timed(tx, here.row) as timed:
            match = timed.match
            if seat not in match.awaited or match.version(seat) != job.payload["version"]:
                return None
            return question(tx, here, match, seat, bot)

    async def _in_worker(self, work: Callable[[Question], T], question: Question) -> T:
        """If it fails or takes too long, the workers are ended: one that hangs ends by nothing
        else, and one that failed may have eaten the memory."""
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._site.settings.bot_processes,
                multiprocessing.get_context("spawn"),
                initializer=limit_worker,
            )
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, work, question)
        except BaseException:
            self._stop_pool()
            raise

    async def _answer(self, job: Job, move: str) -> None:
        site, payload = self._site, job.payload
        seat, version = Seat(payload["seat"]), payload["version"]

        def work(tx: Tx) -> None:
            if jobs.done(tx, job):  # else it was late, and somebody else has the job
                moves.play_bot(tx, site.writers, job.ident, seat, move, version, site.now())

        try:
            await site.store.transact(work)
        except GameError as error:
            if isinstance(error, TimeIsUp):
                await site.expire(job.ident)
            log.info("a bot's answer was dropped", table=job.ident, code=error.code)
            await site.store.transact(lambda tx: jobs.done(tx, job))

    def _stop_pool(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)
