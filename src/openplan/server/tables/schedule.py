"""When a turn ends: deadlines from a schedule of clock time, zone and weekdays, in UTC.

All functions here are pure: times come in and go out as microseconds since 1970. A day's slot is
the first moment at which a clock on the wall there shows the time or a later one. So it is right
across every change of that clock: a time that is jumped over is reached with the jump, and of a
time that comes twice the first counts. A date that a zone has left out altogether has no slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, available_timezones

from openplan.core.game import Illegal
from openplan.server.clock import DAY, SECOND
from openplan.server.refusals import refused

WEEKDAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SEARCHED_DAYS: Final = 400
"""There is a slot in any two weeks; only a zone's own oddities need more."""


class Schedule(NamedTuple):
    """On these weekdays at this time, as clocks in the zone show it."""

    hour: int
    minute: int
    zone: str
    weekdays: tuple[str, ...]

    def slot_on(self, day: date) -> int | None:
        """The slot of a date, whatever its weekday."""
        return _slot(self.zone, datetime.combine(day, time(self.hour, self.minute)))

    def next_from(self, at: int) -> int:
        """The first slot at or after a time."""
        first = _local(at, _zone(self.zone)).date() - timedelta(days=2)
        for number in range(SEARCHED_DAYS):
            day = first + timedelta(days=number)
            if WEEKDAYS[day.weekday()] in self.weekdays:
                slot = self.slot_on(day)
                if slot is not None and slot >= at:
                    return slot
        raise AssertionError(f"no slot within {SEARCHED_DAYS} days of {at}")


def checked_schedule(clock_time: str, zone: str, weekdays: Iterable[str]) -> Schedule:
    found = re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])", clock_time)
    if not found:
        raise refused(Illegal, "clock", "clock-time", given=clock_time[:20])
    if zone not in zones():
        raise refused(Illegal, "clock", "clock-zone", given=zone[:40])
    days = tuple(day for day in WEEKDAYS if day in set(weekdays))
    if not days or len(days) != len(list(weekdays)):
        raise refused(Illegal, "clock", "clock-weekdays", known=", ".join(WEEKDAYS))
    return Schedule(int(found[1]), int(found[2]), zone, days)


@lru_cache(maxsize=1)
def zones() -> frozenset[str]:
    """The zones of the IANA database, by name."""
    return frozenset(available_timezones() - {"localtime", "posixrules", "Factory"})


# -- Deadlines -------------------------------------------------------------------------------


def turn_end(schedule: Schedule, began: int, least: int, most: int) -> int:
    """The first slot that leaves the turn its least length; its greatest length goes before."""
    end = schedule.next_from(began + least)
    return min(end, began + most) if most else end


class Absence(NamedTuple):
    """Somebody is away in this time, and said so at `said`."""

    said: int
    start: int
    end: int


def moved(due: int, absences: Iterable[Absence], limit: int, schedule: Schedule | None) -> int:
    """A deadline that falls into an absence, or within a day after it, comes a day after its end:
    at the next slot, if there is a schedule. It moves by no more than the limit, and only for what
    was known a day before it."""
    latest = due + limit
    while True:
        ends = [
            away.end + DAY
            for away in absences
            if away.start <= due < away.end + DAY and away.said <= due - DAY
        ]
        if not ends:
            return due
        later = max(ends)
        if schedule is not None:
            later = schedule.next_from(later)
        if later >= latest:
            return latest
        due = later


# -- Clocks on the wall ----------------------------------------------------------------------


@lru_cache(maxsize=1000)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def _local(at: int, zone: ZoneInfo) -> datetime:
    """What a clock on the wall shows, as a time without a zone."""
    moment = _EPOCH + timedelta(microseconds=at)
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)


def _utc(shown: datetime, zone: ZoneInfo, fold: int) -> int:
    moment = shown.replace(tzinfo=zone, fold=fold).astimezone(UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


@lru_cache(maxsize=10_000)
def _slot(name: str, shown: datetime) -> int | None:
    zone = _zone(name)
    first = _utc(shown, zone, 0)
    if _local(first, zone) == shown:
        return first
    # The clock jumps over this time. Reckoned with the offset from after the jump it would lie
    # before the jump, with the one from before it would lie after: look for the jump in between.
    before, after = min(first, _utc(shown, zone, 1)), max(first, _utc(shown, zone, 1))
    while after - before > SECOND:
        middle = (before + after) // 2 // SECOND * SECOND
        if _local(middle, zone) >= shown:
            after = middle
        else:
            before = middle
    last_shown = _local(after - SECOND, zone).date()
    left_out = last_shown < shown.date() < _local(after, zone).date()
    return None if left_out else after
