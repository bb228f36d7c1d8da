"""Bots at tables: each thinks in a process of a bounded pool and knows what its seat was told.

Those that look ahead share the pool: tables at which somebody sits come first, and among those who
opened them, whoever has had the least thought of late. Those that answer at once have a process of
their own, and wait for nobody. When no table wants the pool, it looks back on matches that are over
and tries out decks for their makers.

A job is a leased row of the outbox, written with the entry that made it the bot's turn. The worker
process gets the seat's own record, as anybody in that seat could export it, and rebuilds the view
from that; nothing else of the match ever reaches it. Its answer is an ordinary move under the
version it looked at: if the table has gone on meanwhile, the answer is dropped.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Coroutine
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from random import Random
from typing import Any, Final, TypeVar

import msgspec
import structlog

from openplan.bots import BOTS, STRONGEST
from openplan.core.game import GameError, Seat
from openplan.core.match import Match
from openplan.core.record import read_record
from openplan.core.registry import game_named
from openplan.review import Decision
from openplan.server.clock import SECOND
from openplan.server.errors import NoHint, TimeIsUp, TooMany
from openplan.server.logs import kind_of
from openplan.server.ops.deck_trials import DeckTrials
from openplan.server.ops.match_reviews import MatchReviews, weigh
from openplan.server.ops.spare_time import SpareTime, UnderWay
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.tables import moves
from openplan.server.tables.access import load
from openplan.server.tables.bot_lanes import QUICK, SLOW
from openplan.server.tables.bot_questions import Question, question
from openplan.server.tables.reviews import Trying

T = TypeVar("T")
A = TypeVar("A")

POLL_SECONDS: Final = 1.0
MEMORY: Final = 2 << 30

log = structlog.get_logger()


MOST_HINTS: Final = 8
"""Hints that may wait at once, each for somebody else; one more is told to come back later."""
LOOKED_AT: Final = 500
"""Of thoughts that wait, so many are compared; and all for tables at which somebody is, by so many
tables at a time."""
OF_AN_OWNER: Final = 4
"""Of those that nobody watches, so many of one person's: the others cannot come sooner."""
FORGOTTEN_AFTER: Final = 60.0
"""Seconds in which what somebody has had of the pool comes to count half."""


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


class Thought(msgspec.Struct, frozen=True):
    """A job that waits: since when, where, and who opened the table."""

    due_at: int
    id: int
    ident: str
    owner: str


class Lane:
    """Some processes, and places at them, for one kind of job."""

    def __init__(self, kind: str, processes: int) -> None:
        self.kind = kind
        self.processes = processes
        self.places = asyncio.Semaphore(processes)
        self.woken = asyncio.Event()
        self._pool: ProcessPoolExecutor | None = None

    async def do(self, work: Callable[[A], T], question: A) -> T:
        """If it fails or takes too long, the workers are ended: one that hangs ends by nothing
        else, and one that failed may have eaten the memory."""
        if self._pool is None:
            spawning = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.processes, spawning, initializer=limit_worker)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._pool, work, question)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            for process in list((pool._processes or {}).values()):
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)


class BotPool:
    def __init__(self, site: Site, watched: Callable[[], Collection[str]] = tuple) -> None:
        self._site = site
        self._watched = watched
        self._slow = Lane(SLOW, site.settings.bot_processes)
        self._quick = Lane(QUICK, 1)
        self._spare: list[SpareTime[Any]] = [MatchReviews(site), DeckTrials(site)]
        """By turns."""
        self._is_spared = False
        """Whether such work is being done just now: at one place and no more."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._hinted: set[str] = set()
        self._had: defaultdict[str, float] = defaultdict(float)
        """Seconds of thought that owners of tables had lately."""
        self._counted_at = time.monotonic()

    def wake(self) -> None:
        self._slow.woken.set()
        self._quick.woken.set()

    async def run(self) -> None:
        await asyncio.gather(self._run(self._slow), self._run(self._quick))

    async def _run(self, lane: Lane) -> None:
        """Take jobs as long as there are places to think at."""
        while True:
            lane.woken.clear()
            await lane.places.acquire()
            found = await self._claim(lane)
            if found is not None:
                self._start(self._do(lane, *found))
            elif lane is self._slow and (spare := await self._spare_work()) is not None:
                self._start(self._do_part(*spare))
            else:
                lane.places.release()
                with suppress(TimeoutError):
                    async with asyncio.timeout(POLL_SECONDS):
                        await lane.woken.wait()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _spare_work(self) -> tuple[SpareTime[Any], UnderWay] | None:
        """Something for spare time, if nothing of the kind is being done; only asked when no table
        waits."""
        if self._is_spared:
            return None
        for number, kind in enumerate(self._spare):
            try:
                found = await kind.next()
            except StoreError:
                return None
            if found is not None:
                self._is_spared = True
                self._spare.append(self._spare.pop(number))
                return kind, found
        return None

    async def _do_part(self, kind: SpareTime[Any], under_way: UnderWay) -> None:
        """A part of it, and then it is anybody's turn again."""
        try:
            seconds = self._site.settings.bot_seconds
            async with asyncio.timeout(seconds):
                under_way.takes(await self._slow.do(*under_way.part()))
            await kind.note(under_way)
        except Exception as error:  # noqa: BLE001 - whatever comes of it, the pool goes on
            await kind.fail(under_way, error)
        finally:
            self._is_spared = False
            self._slow.places.release()
            self._slow.woken.set()

    async def hint(self, person: str, question: Question) -> tuple[str, float | None]:
        """Advice for somebody who waits for it."""
        return await self._ask(person, advise, question)

    async def weigh(self, person: str, trying: Trying) -> Decision:
        """What another move would have been worth, for somebody who waits for that."""
        return await self._ask(person, weigh, trying)

    async def _ask(self, person: str, work: Callable[[A], T], question: A) -> T:
        """After those who came before; bounded in number and in time."""
        if len(self._hinted) >= MOST_HINTS or person in self._hinted:
            raise TooMany
        self._hinted.add(person)
        try:
            async with asyncio.timeout(self._site.settings.bot_seconds), self._slow.places:
                return await self._slow.do(work, question)
        except (TimeoutError, BrokenProcessPool, OSError, GameError, MemoryError) as error:
            log.warning("no hint was found", reason=kind_of(error))
            raise NoHint from None
        finally:
            self._hinted.discard(person)

    async def close(self) -> None:
        """Leave the jobs to their leases: whoever starts next takes them up."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._slow.stop()
        self._quick.stop()

    async def _claim(self, lane: Lane) -> tuple[Job, str] | None:
        """What is to be thought of next, and who opened its table."""
        site = self._site
        lease = int((site.settings.bot_seconds + 10) * SECOND)
        try:
            watched = set(self._watched())
            waiting = await site.store.read(
                lambda tx: waiting_for(tx, lane.kind, watched, site.now())
            )
            for thought in self._in_order(waiting, watched):
                job = await site.store.transact(
                    lambda tx, number=thought.id: jobs.take(  # type: ignore[misc]
                        tx, number, now=site.now(), lease_for=lease
                    ),
                    serializable=False,
                )
                if job is not None:
                    return job, thought.owner
        except StoreError as error:
            log.warning("bot jobs wait", reason=str(error))
        return None

    def _in_order(self, waiting: list[Thought], watched: Collection[str]) -> list[Thought]:
        """Which of these comes first. `waiting` has the longest due first, and stays so among
        equals."""
        faded = 0.5 ** ((time.monotonic() - self._counted_at) / FORGOTTEN_AFTER)
        self._counted_at = time.monotonic()
        for owner in list(self._had):
            self._had[owner] *= faded
            if self._had[owner] < 0.01:
                del self._had[owner]
        return sorted(
            waiting,
            key=lambda thought: (thought.ident not in watched, self._had.get(thought.owner, 0)),
        )

    async def _do(self, lane: Lane, job: Job, owner: str) -> None:
        began = time.monotonic()
        try:
            await self._think(lane, job)
        finally:
            self._had[owner] += time.monotonic() - began
            lane.places.release()

    async def _think(self, lane: Lane, job: Job) -> None:
        site = self._site
        try:
            asked = await site.store.read(lambda tx: self._question(tx, job))
            if asked is not None:
                seconds = site.settings.bot_seconds
                async with asyncio.timeout(seconds):
                    move = await lane.do(think, asked)
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


def waiting_for(tx: Tx, kind: str, watched: Collection[str], now: int) -> list[Thought]:
    """What a lane could take up, the longest due first: all at tables at which somebody is, and of
    the others a few of everybody's, so that nobody's many hide what somebody else has asked."""
    select = (
        "SELECT outbox.due_at, outbox.id, outbox.ident, COALESCE(tables.owner_id, '') AS owner"
        " FROM outbox LEFT JOIN tables ON tables.id = outbox.ident"
        " WHERE outbox.kind = ? AND outbox.due_at <= ?"
    )
    found: list[Thought] = []
    tables_there = sorted(watched)
    for start in range(0, len(tables_there), LOOKED_AT):
        tables = tables_there[start : start + LOOKED_AT]
        marks = ", ".join("?" for _ in tables)
        found += tx.rows(Thought, f"{select} AND outbox.ident IN ({marks})", kind, now, *tables)
    ranked = "ROW_NUMBER() OVER (PARTITION BY owner ORDER BY due_at, id) AS place"
    found += tx.rows(
        Thought,
        f"SELECT due_at, id, ident, owner FROM (SELECT due_at, id, ident, owner, {ranked}"  # noqa: S608 - of constants
        f" FROM ({select}) AS all_due) AS by_owner"
        " WHERE place <= ? ORDER BY place, due_at, id LIMIT ?",
        kind,
        now,
        OF_AN_OWNER,
        LOOKED_AT,
    )
    return sorted({thought.id: thought for thought in found}.values(), key=_due)


def _due(thought: Thought) -> tuple[int, int]:
    return thought.due_at, thought.id
