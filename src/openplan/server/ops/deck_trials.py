"""Bots play with a deck that somebody makes, when no table wants them: some matches at a time, so
that no table waits for long. What is half done is in memory; if this process dies, another begins
anew when the lease has ended."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
import structlog

from openplan.arena.balance import Note, advised, note_match, study
from openplan.arena.tournament import Terms
from openplan.core.registry import game_named
from openplan.server.clock import SECOND
from openplan.server.logs import kind_of
from openplan.server.ops.spare_time import SpareTime, UnderWay
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.tables import deck_trials
from openplan.server.tables.deck_trials import Trial

BOT: Final = "clerk"
AT_ONCE: Final = 0.7
"""Seconds that bots play before others may."""
BUDGET: Final = 120.0
"""Seconds of play that a deck gets, whether or not all matches are played by then."""
LONGEST: Final = 600.0
"""Seconds after which it ends with what there is: so long tables may have kept it waiting."""

log = structlog.get_logger()


class SomeMatches(msgspec.Struct, frozen=True):
    """Matches to be played by a worker: from this number on, as many as there is time for."""

    terms: Terms
    first: int
    end: int
    seconds: float


def play_some(some: SomeMatches) -> tuple[list[Note], float]:
    """In the worker; with the seconds that it took."""
    began = time.monotonic()
    notes: list[Note] = []
    for number in range(some.first, some.end):
        notes.append(note_match(some.terms, number))
        if time.monotonic() - began > some.seconds:
            break
    return notes, time.monotonic() - began


class TrialUnderWay(UnderWay):
    """A trial that is being played here."""

    def __init__(self, job: Job, trial: Trial) -> None:
        self.job = job
        self.trial = trial
        seats = len(game_named(trial.game).seats)
        self.terms = Terms(trial.game, trial.text, (BOT,) * seats)
        self.notes: list[Note] = []
        self.spent = 0.0
        self.began = time.monotonic()

    def part(self) -> tuple[Callable[[Any], Any], Any]:
        return play_some, SomeMatches(self.terms, len(self.notes), self.trial.games, AT_ONCE)

    def takes(self, answer: Any) -> None:
        notes, seconds = answer
        self.notes += notes
        self.spent += seconds

    @property
    def is_done(self) -> bool:
        late = self.spent > BUDGET or time.monotonic() - self.began > LONGEST
        return len(self.notes) >= self.trial.games or late

    def result(self) -> dict[str, Any]:
        return advised(self.terms, study(self.terms, self.notes))


class DeckTrials(SpareTime[TrialUnderWay]):
    def __init__(self, site: Site) -> None:
        self._site = site
        self._now: TrialUnderWay | None = None

    async def next(self) -> TrialUnderWay | None:
        site = self._site
        if self._now is None:
            lease = int((LONGEST + 60) * SECOND)
            self._now = await site.store.transact(
                lambda tx: _taken(tx, now=site.now(), lease=lease), serializable=False
            )
        return self._now

    async def note(self, under_way: TrialUnderWay) -> None:
        trial, played = under_way.trial, len(under_way.notes)
        result = json.dumps(under_way.result()) if under_way.is_done else None

        def work(tx: Tx) -> bool:
            state = "running" if result is None else "done"
            goes_on = deck_trials.note(tx, trial, state, played, result) and result is None
            if not goes_on:
                jobs.done(tx, under_way.job)
            return goes_on

        if not await self._site.store.transact(work):
            self._now = None

    async def fail(self, under_way: TrialUnderWay, error: BaseException) -> None:
        log.warning("a deck could not be tried", reason=kind_of(error))
        self._now = None
        trial, played = under_way.trial, len(under_way.notes)

        def work(tx: Tx) -> None:
            deck_trials.note(tx, trial, "failed", played)
            jobs.done(tx, under_way.job)

        try:
            await self._site.store.transact(work)
        except StoreError:
            return  # the lease will end by itself


def _taken(tx: Tx, *, now: int, lease: int) -> TrialUnderWay | None:
    for job in jobs.claim(tx, "trial", now=now, lease_for=lease):
        trial = deck_trials.wanted(tx, job.ident, job.payload["at"])
        if trial is not None:
            return TrialUnderWay(job, trial)
        jobs.done(tx, job)
    return None
