"""Matches that are over are looked back on, when no table wants the bots: some entries at a time.
What is half done is in memory; if this process dies, another begins anew when the lease has ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import msgspec
import structlog

from openplan.core.game import OPEN
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import game_named
from openplan.review import Decision, Judged, Review, judged, tried
from openplan.server.clock import SECOND
from openplan.server.logs import kind_of
from openplan.server.ops.spare_time import SpareTime, UnderWay
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.tables import deck_texts, reviews
from openplan.server.tables.access import load
from openplan.server.tables.reviews import Finished, Trying, Wanted

AT_ONCE: Final = 0.7
"""Seconds of judging before others may have the worker."""
LEASE: Final = 120 * SECOND
"""After which somebody else may begin anew; longer for who tells that it goes on."""
TRIES: Final = 3
TOLD_AFTER: Final = 1.0
"""Seconds after which it is told again how far it is."""

log = structlog.get_logger()


class SomeEntries(msgspec.Struct, frozen=True):
    """Entries to be judged by a worker: from this one on, as many as there is time for."""

    match: Finished
    depth: int
    first: int
    seconds: float


def judge_some(some: SomeEntries) -> list[Judged]:
    """In the worker."""
    began = time.monotonic()
    found = []
    for one in judged(_match(some.match), some.depth, some.first):
        found.append(one)
        if time.monotonic() - began > some.seconds:
            break
    return found


def weigh(trying: Trying) -> Decision:
    """In the worker."""
    return tried(_match(trying.match), trying.number, trying.move, trying.depth)


@lru_cache(maxsize=1)
def _match(finished: Finished) -> Match:
    return read_record(
        finished.record,
        game_named,
        lambda game, _name, _hash: game.read_deck(finished.deck_text, "deck"),
    )


class ReviewUnderWay(UnderWay):
    def __init__(self, job: Job, wanted: Wanted, match: Match, deck_text: str) -> None:
        self.job = job
        self.wanted = wanted
        self.told_at = 0.0
        self._match = match.game.name, match.game.evaluator, match.outcome
        self._finished = Finished(write_record(match, OPEN), deck_text)
        self._entries: list[Judged] = []
        self._all = match.ply + 1

    def part(self) -> tuple[Callable[[Any], Any], Any]:
        return judge_some, SomeEntries(self._finished, self.wanted.depth, self.judged, AT_ONCE)

    def takes(self, answer: Any) -> None:
        self._entries += answer

    @property
    def judged(self) -> int:
        return len(self._entries)

    def result(self) -> Review | None:
        """Once all of it is judged."""
        if self.judged < self._all:
            return None
        game, evaluator, outcome = self._match
        assert outcome is not None
        entries = tuple(self._entries)
        return Review(game, evaluator, self.wanted.depth, tuple(outcome.points), entries)


class MatchReviews(SpareTime[ReviewUnderWay]):
    def __init__(self, site: Site) -> None:
        self._site = site
        self._now: ReviewUnderWay | None = None

    async def next(self) -> ReviewUnderWay | None:
        if self._now is None:
            found = await self._site.store.transact(
                lambda tx: _taken(tx, now=self._site.now()), serializable=False
            )
            if found is not None:
                self._now = await self._read(*found)
        return self._now

    async def _read(self, job: Job, wanted: Wanted) -> ReviewUnderWay | None:
        """With its match, if that can be had."""

        def work(tx: Tx) -> ReviewUnderWay | None:
            here = load(tx, wanted.table, None)
            if here is None or here.row.state != "over":
                return None
            with self._site.readers.timed(tx, here.row) as timed:
                text = deck_texts.at_table(tx, here.id)
                return ReviewUnderWay(job, wanted, timed.match, text)

        try:
            found = await self._site.store.read(work)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with a match, the pool goes on
            await self._fail(job, wanted, error)
            return None
        if found is None:
            await self._site.store.transact(lambda tx: jobs.done(tx, job))
        return found

    async def note(self, under_way: ReviewUnderWay) -> None:
        found, now = under_way.result(), time.monotonic()
        if found is None and now < under_way.told_at + TOLD_AFTER:
            return
        under_way.told_at = now
        wanted, job = under_way.wanted, under_way.job

        def work(tx: Tx) -> bool:
            if found is not None:
                if jobs.done(tx, job):
                    reviews.keep(tx, wanted, found, self._site.now())
                return False
            if not jobs.keep(tx, job, now=self._site.now(), lease_for=LEASE):
                return False  # somebody else has it
            if not reviews.note(tx, wanted, "working", under_way.judged):
                jobs.done(tx, job)
                return False
            return True

        if not await self._site.store.transact(work):
            self._now = None

    async def fail(self, under_way: ReviewUnderWay, error: BaseException) -> None:
        self._now = None
        await self._fail(under_way.job, under_way.wanted, error)

    async def _fail(self, job: Job, wanted: Wanted, error: BaseException) -> None:
        """Later again: a worker may have been ended for something else that it did."""
        log.warning("a match could not be looked back on", reason=kind_of(error))
        now, trouble = self._site.now(), kind_of(error)

        def work(tx: Tx) -> None:
            if job.tries < TRIES and jobs.retry(tx, job, trouble, now=now):
                reviews.note(tx, wanted, "waiting", 0)
            elif jobs.done(tx, job):
                reviews.note(tx, wanted, "failed", 0)

        try:
            await self._site.store.transact(work)
        except StoreError:
            return  # the lease will end by itself


def _taken(tx: Tx, *, now: int) -> tuple[Job, Wanted] | None:
    for job in jobs.claim(tx, "review", now=now, lease_for=LEASE):
        wanted = reviews.wanted(tx, job.ident, job.payload["at"])
        if wanted is not None:
            return job, wanted
        jobs.done(tx, job)
    return None
