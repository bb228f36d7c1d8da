"""Time at a table: what a clock allows, what has run down, and since when somebody is waited for.

Clocks are not stored: they are read off the times of the log's entries, so a restart, a second
process or a deadline that fires twice all come to the same. Times are microseconds since 1970.

A live clock gives each seat a bank and adds an increment after each of its moves. Otherwise a match
is a chain of turns: in each the same seats are waited for, and the turn has one deadline (see
`turns`). Where a game is adjudicated by deadlines, nothing that a seat does alone begins a turn, so
that nobody's sealed order moves the deadline.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from openplan.core.game import Happening, Seat
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.server.clock import SECOND
from openplan.server.tables.options import ClockRule


class Outage(NamedTuple):
    """Nobody could play: time that counts for nobody."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Flag:
    """A seat runs out of time on a live clock."""

    at: int
    seat: Seat


class Stretch(NamedTuple):
    """Since when the seats are waited for that are now, and by which entry."""

    ply: int
    number: int
    """The number of the turn, as players count: what was rolled back does not count."""
    began: int


class TimedMatch:
    """A match with the times of its entries, and its clocks as they stood after the last one."""

    def __init__(
        self,
        match: Match,
        rule: ClockRule,
        started_at: int,
        outages: Sequence[Outage] = (),
        known: int = 0,
    ) -> None:
        self.match = match
        self.rule = rule
        self.outages = outages
        self.known = known
        """The number of the last outage that is accounted for."""
        self.at = started_at
        self.left = [rule.bank * SECOND for _ in match.game.seats]
        self._times = [started_at]
        self._restart = 0
        self._stretch: Stretch | None = None
        self.stored = 0
        """So many of its entries are in the store."""
        self.awaited_before: list[frozenset[Seat]] = []
        """Whose time ran until each of its entries."""

    def move(
        self, seat: Seat, text: str, version: int | None, at: int, *, settles: bool = True
    ) -> Happening:
        """Raises as `Match.submit` does, and then nothing has changed."""
        before, awaited = self.match.ply, self.match.awaited
        happening = self.match.submit(seat, text, version=version, settles=settles)
        self._tick(before, awaited, at)
        return happening

    def enter(
        self, kind: str, seat: Seat | None, text: str, at: int, *, settles: bool = True
    ) -> None:
        before, awaited = self.match.ply, self.match.awaited
        self.match.enter(kind, seat, text, settles=settles)
        self._tick(before, awaited, at)

    def repeat(self, entry: Entry, at: int) -> None:
        """An entry from the store once more."""
        before, awaited = self.match.ply, self.match.awaited
        self.match.repeat(entry)
        self._tick(before, awaited, at)
        self.stored = self.match.ply

    def account(self, times: Sequence[int], awaited: Sequence[frozenset[Seat]]) -> None:
        """The same for entries that the match has by its snapshot: when each came, and whose time
        had run until then."""
        for number, (at, seats) in enumerate(zip(times, awaited, strict=True)):
            self._tick(number, seats, at, self.match.log[number : number + 1])
        self.stored = self.match.ply

    def _tick(
        self,
        before: int,
        awaited: frozenset[Seat],
        at: int,
        entries: Sequence[Entry] | None = None,
    ) -> None:
        """Account for the time before the entries just made: one, and what it caused. While paused
        nobody is awaited."""
        at = max(at, self.at)  # a clock set back takes nobody's time and gives none
        spent = at - self.at - self._out(self.at, at)
        for seat in awaited:
            self.left[seat] = max(0, self.left[seat] - spent)
        entries = self.match.log[before:] if entries is None else entries
        # What one entry caused came at the same moment: nobody's time ran before it.
        self.awaited_before += [awaited, *(frozenset[Seat]() for _ in entries[1:])]
        for ply, entry in enumerate(entries, before + 1):
            self._times.append(at)
            if entry.kind == "move" and entry.seat is not None:
                self.left[entry.seat] += self.rule.increment * SECOND
            elif entry.kind in ("roll-back", "resume"):
                self._restart = ply
        self._stretch = None
        self.at = at

    def _out(self, start: int, end: int) -> int:
        """How much of this time was an outage."""
        return sum(max(0, min(out.end, end) - max(out.start, start)) for out in self.outages)

    def after(self, start: int, length: int) -> int:
        """When so much time will have passed, outages not counted."""
        end = start + length
        for out in self.outages:
            if out.end > start and out.start < end:
                end += out.end - max(out.start, start)
        return end

    @property
    def stretch(self) -> Stretch:
        if self._stretch is None:
            self._stretch = self._find_stretch()
        return self._stretch

    def turn_ends(self) -> list[int]:
        """The entries that ended the turns so far, as players count them."""
        return list(self._ends())[::-1]

    def turn_began(self, before: int | None = None) -> int:
        """The entry that ended the turn before this one, or before that of another entry; 0 at the
        start. Roll-backs and resumptions, which begin a stretch, begin no turn."""
        return next(self._ends(before), 0)

    def _ends(self, before: int | None = None) -> Iterator[int]:
        """The entries that have ended turns, from the last back."""
        log = self.match.log
        kinds = ("adjudicate", "deadline") if self.match.game.sealed else ("move",)
        return (one for one in self.match.in_force(before) if log[one - 1].kind in kinds)

    def _find_stretch(self) -> Stretch:
        turns = self.turn_ends()
        # A move that is taken back has not begun anything; a roll-back and a resumption do.
        ply = max(turns[-1] if turns else 0, self._restart)
        return Stretch(ply, len(turns) + 1, self._times[ply])

    def time_of(self, ply: int) -> int:
        return self._times[ply]

    def flag(self) -> Flag | None:
        """Who runs out of time next on a live clock, if nobody does anything."""
        if self.rule.kind != "live" or self.match.outcome is not None or self.match.paused:
            return None
        flags = (Flag(self.after(self.at, self.left[seat]), seat) for seat in self.match.awaited)
        return min(flags, key=lambda flag: (flag.at, flag.seat), default=None)
