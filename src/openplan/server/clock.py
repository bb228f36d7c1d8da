"""Time at a table: what a clock allows, what has run down, and when something falls due.

Clocks are not stored: they are read off the times of the log's entries, so a restart, a second
process or a deadline that fires twice all come to the same. Times are microseconds since 1970.

A live clock gives each seat a bank and adds an increment after each of its moves. By days, each
move has so many days; where a game is adjudicated by deadlines, the turn has them, counted from
the last entry that everybody was told of, so that nobody's sealed order moves the deadline.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import msgspec

from openplan.core.game import AnyGame, Game, Happening, Illegal, Seat
from openplan.core.log import Entry
from openplan.core.match import Match

SECOND: Final = 1_000_000
DAY: Final = 86_400 * SECOND

Now = Callable[[], int]


def wall() -> int:
    return time.time_ns() // 1000


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`live`: `bank` and `increment` in seconds. `days`: so many days for a move."""

    kind: Literal["none", "live", "days"] = "none"
    bank: int = 0
    increment: int = 0
    days: int = 0


@dataclass(frozen=True, slots=True)
class Due:
    at: int
    seat: Seat | None
    """Who runs out of time; nobody alone where the turn does."""


def checked_rule(rule: ClockRule, game: AnyGame) -> ClockRule:
    fits = {
        "none": rule == ClockRule(),
        "live": 10 <= rule.bank <= 86_400 and 0 <= rule.increment <= 3_600 and rule.days == 0,
        "days": 1 <= rule.days <= 60 and rule.bank == 0 == rule.increment,
    }
    if not fits[rule.kind]:
        reason = "a live clock has a bank of 10 to 86400 s and an increment of up to 3600 s"
        raise Illegal("clock", f"{reason}; by days it is 1 to 60 days a move")
    if rule.kind == "live" and is_adjudicated(game):
        # A bank that stops would tell that its owner's sealed order is there.
        raise Illegal("clock", f"{game.title} has sealed orders, which need a clock by days")
    return rule


def is_adjudicated(game: AnyGame) -> bool:
    """Whether a deadline carries out the turn, and does not end the match for a seat."""
    return type(game).deadline is not Game.deadline


class Sitting:
    """A match with the times of its entries, and its clocks as they stood after the last one."""

    def __init__(self, match: Match, rule: ClockRule, started_at: int) -> None:
        self.match = match
        self.rule = rule
        self.at = started_at
        self.left = [rule.bank * SECOND for _ in match.game.seats]
        self._since = dict.fromkeys(match.awaited, started_at)
        self._turn_since = started_at
        self.stored = 0
        """So many of its entries are in the store."""

    def move(self, seat: Seat, text: str, version: int | None, at: int) -> Happening:
        """Raises as `Match.submit` does, and then nothing has changed."""
        before, awaited = self.match.ply, self.match.awaited
        happening = self.match.submit(seat, text, version=version)
        self._tick(before, awaited, at)
        return happening

    def enter(self, kind: str, seat: Seat | None, text: str, at: int) -> None:
        before, awaited = self.match.ply, self.match.awaited
        self.match.enter(kind, seat, text)
        self._tick(before, awaited, at)

    def repeat(self, entry: Entry, at: int) -> None:
        """An entry from the store once more."""
        before, awaited = self.match.ply, self.match.awaited
        self.match.repeat(entry)
        self._tick(before, awaited, at)
        self.stored = self.match.ply

    def _tick(self, before: int, awaited: frozenset[Seat], at: int) -> None:
        """Account for the time before the entries just made: one, and what it caused. While paused
        nobody is awaited."""
        at = max(at, self.at)  # a clock set back takes nobody's time and gives none
        for seat in awaited:
            self.left[seat] = max(0, self.left[seat] - (at - self.at))
        for entry in self.match.log[before:]:
            if entry.kind == "move" and entry.seat is not None:
                self.left[entry.seat] += self.rule.increment * SECOND
                self._since.pop(entry.seat, None)
        self._since = {seat: self._since.get(seat, at) for seat in self.match.awaited}
        if any(
            happening.text_for(None) is not None for happening in self.match.happenings[before:]
        ):
            self._turn_since = at
        self.at = at

    def due(self) -> Due | None:
        """What happens next if nobody does anything."""
        return min(self.dues(), key=_when, default=None)

    def dues(self) -> list[Due]:
        """When time is up, for each seat whose time runs, or for the turn."""
        rule, awaited = self.rule, sorted(self.match.awaited)
        if rule.kind == "none" or self.match.outcome is not None or self.match.paused:
            return []
        if is_adjudicated(self.match.game):
            return [Due(self._turn_since + rule.days * DAY, None)]
        if rule.kind == "live":
            return [Due(self.at + self.left[seat], seat) for seat in awaited]
        return [Due(self._since[seat] + rule.days * DAY, seat) for seat in awaited]


def _when(due: Due) -> tuple[int, int]:
    return due.at, -1 if due.seat is None else due.seat
