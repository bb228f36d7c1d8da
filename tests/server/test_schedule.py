"""Deadlines by a schedule: against a clock on the wall that is read minute by minute, for every
zone there is, at every change of its clock."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplan.core.game import Illegal
from openplan.server.clock import DAY, HOUR, SECOND
from openplan.server.tables.schedule import (
    WEEKDAYS,
    Absence,
    Schedule,
    checked_schedule,
    moved,
    turn_end,
    zones,
)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
FIRST, LAST = 1971, 2045


def micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def shown(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0)


def by_hand(zone: str, target: datetime) -> int | None:
    """Watch the clock on the wall, minute by minute, until it shows the time or a later one."""
    moment = target.replace(tzinfo=UTC) - timedelta(hours=28)
    has_date = False
    found = None
    for _ in range(60 * 56):
        now = shown(moment, zone)
        has_date = has_date or now.date() == target.date()
        if found is None and now >= target:
            found = moment
        if found is not None and (has_date or now.date() > target.date()):
            break
        moment += MINUTE
    assert found is not None
    return micros(found) if has_date else None


@lru_cache(maxsize=1)
def changes() -> list[tuple[str, datetime]]:
    """Every moment at which the clock of a zone jumps, to the minute."""
    found = []
    for zone in sorted(zones()):
        where = ZoneInfo(zone)
        moment = datetime(FIRST, 1, 1, tzinfo=UTC)
        offset = moment.astimezone(where).utcoffset()
        while moment.year < LAST:
            later = moment + timedelta(days=20)
            after = later.astimezone(where).utcoffset()
            if after != offset:
                low, high = moment, later
                while high - low > MINUTE:
                    middle = low + (high - low) // 2 // MINUTE * MINUTE
                    if middle.astimezone(where).utcoffset() == offset:
                        low = middle
                    else:
                        high = middle
                found.append((zone, high))
            moment, offset = later, after
    return found


@pytest.mark.parametrize("seed", range(4))
def test_a_slot_is_right_at_changes_of_every_zone(seed: int) -> None:
    rng = Random(seed)
    known = changes()
    assert len({zone for zone, _ in known}) > 400
    tried = 0
    for zone, moment in rng.sample(known, 400):
        offset = moment.astimezone(ZoneInfo(zone)).utcoffset()
        if offset is None or offset % MINUTE or moment.second:
            continue  # a clock of old that was off by seconds: not to be watched by minutes
        near = shown(moment, zone) + timedelta(minutes=rng.randrange(-150, 150))
        schedule = Schedule(near.hour, near.minute, zone, WEEKDAYS)
        assert schedule.slot_on(near.date()) == by_hand(zone, near), (zone, near)
        tried += 1
    assert tried > 300


# The clock jumps over it; it comes twice; midnight is jumped over; so is the end of a day; a whole
# date was left out; and summer time by half an hour.
@pytest.mark.parametrize(
    ("zone", "day", "time", "expected"),
    [
        ("Europe/Berlin", date(2026, 3, 29), (2, 30), "2026-03-29 01:00"),
        ("Europe/Berlin", date(2026, 10, 25), (2, 30), "2026-10-25 00:30"),
        ("America/New_York", date(2026, 3, 8), (18, 0), "2026-03-08 22:00"),
        ("America/New_York", date(2026, 3, 7), (18, 0), "2026-03-07 23:00"),
        ("Asia/Beirut", date(2026, 3, 29), (0, 30), "2026-03-28 22:00"),
        ("America/Nuuk", date(2026, 3, 28), (23, 30), "2026-03-29 01:00"),
        ("Pacific/Apia", date(2011, 12, 30), (18, 0), None),
        ("Pacific/Apia", date(2011, 12, 31), (0, 0), "2011-12-30 10:00"),
        ("Australia/Lord_Howe", date(2026, 10, 4), (2, 15), "2026-10-03 15:30"),
        ("Asia/Kathmandu", date(2026, 6, 1), (18, 0), "2026-06-01 12:15"),
    ],
)
def test_slots_worked_out_by_hand(
    zone: str, day: date, time: tuple[int, int], expected: str | None
) -> None:
    wanted = None if expected is None else micros(datetime.fromisoformat(f"{expected}Z"))
    assert Schedule(*time, zone, WEEKDAYS).slot_on(day) == wanted


@settings(max_examples=300, deadline=None)
@given(
    zone=st.sampled_from(sorted(zones())),
    at=st.integers(
        micros(datetime(FIRST, 1, 1, tzinfo=UTC)), micros(datetime(LAST, 1, 1, tzinfo=UTC))
    ),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
    weekdays=st.sets(st.sampled_from(WEEKDAYS), min_size=1),
)
def test_the_next_slot_is_the_first_there_is(
    zone: str, at: int, hour: int, minute: int, weekdays: set[str]
) -> None:
    days = tuple(day for day in WEEKDAYS if day in weekdays)
    schedule = Schedule(hour, minute, zone, days)
    found = schedule.next_from(at)
    assert found >= at
    assert schedule.next_from(found) == found
    assert found - at <= 15 * DAY
    # None of the slots round about lies between.
    around = (EPOCH + timedelta(microseconds=at)).date()
    slots = [
        schedule.slot_on(around + timedelta(days=number))
        for number in range(-3, 18)
        if WEEKDAYS[(around + timedelta(days=number)).weekday()] in weekdays
    ]
    assert found == min(slot for slot in slots if slot is not None and slot >= at)


def test_a_turn_has_its_least_and_its_greatest_length() -> None:
    mondays = Schedule(18, 0, "Europe/Berlin", ("mon",))
    began = micros(datetime(2026, 6, 7, 20, 0, tzinfo=UTC))  # a Sunday evening
    monday = micros(datetime(2026, 6, 8, 16, 0, tzinfo=UTC))
    assert turn_end(mondays, began, 0, 0) == monday
    assert turn_end(mondays, began, 24 * HOUR, 0) == monday + 7 * DAY
    assert turn_end(mondays, began, 24 * HOUR, 72 * HOUR) == began + 72 * HOUR
    assert turn_end(mondays, monday, 0, 0) == monday


def test_an_absence_moves_a_deadline_within_limits() -> None:
    due = 100 * DAY
    trip = Absence(90 * DAY, 99 * DAY, 103 * DAY)
    assert moved(due, [trip], 14 * DAY, None) == 104 * DAY
    assert moved(due, [trip], 2 * DAY, None) == 102 * DAY
    assert moved(due, [trip], 0, None) == due
    # One after the other; one that was too late to say; one that is long over, or yet to come.
    second = Absence(90 * DAY, 104 * DAY, 105 * DAY)
    assert moved(due, [second, trip], 14 * DAY, None) == 106 * DAY
    assert moved(due, [trip._replace(said=due - DAY + SECOND)], 14 * DAY, None) == due
    assert moved(due, [trip._replace(start=80 * DAY, end=99 * DAY)], 14 * DAY, None) == due
    assert moved(due, [trip._replace(start=101 * DAY)], 14 * DAY, None) == due
    weekly = Schedule(0, 0, "UTC", ("thu",))  # 1970-01-01 was one
    assert moved(98 * DAY, [trip._replace(start=98 * DAY)], 14 * DAY, weekly) == 105 * DAY


@pytest.mark.parametrize(
    ("time", "zone", "weekdays"),
    [
        ("24:00", "UTC", ["mon"]),
        ("7:00", "UTC", ["mon"]),
        ("18:00", "Europe/Nowhere", ["mon"]),
        ("18:00", "../etc/passwd", ["mon"]),
        ("18:00", "UTC", []),
        ("18:00", "UTC", ["Monday"]),
        ("18:00", "UTC", ["mon", "mon"]),
    ],
)
def test_schedules_that_make_no_sense_are_refused(
    time: str, zone: str, weekdays: list[str]
) -> None:
    with pytest.raises(Illegal):
        checked_schedule(time, zone, weekdays)
