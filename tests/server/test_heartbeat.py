"""Outages: time without a server, without a store, or jumped over by a clock counts for nobody."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from openplan.server.clock import DAY, HOUR, SECOND
from openplan.server.store import Store, StoreUnavailable, Tx
from openplan.server.tables.heartbeat import BEAT, MISSED, Heartbeat, beat
from tests.server.databases import opened
from tests.server.running import VirtualClock, running
from tests.server.test_overdue import Table

START = 1_700_000_000_000_000


def outages(tx: Tx) -> list[tuple[int, int]]:
    rows = tx.rows(tuple[int, int], "SELECT from_at, to_at FROM outages ORDER BY id")
    return [(start - START, end - START) for start, end in rows]


def test_of_several_processes_the_first_notices(store_url: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        assert await store.transact(lambda tx: beat(tx, START, looks=True)) == 0
        now = START + HOUR
        found = await asyncio.gather(
            *(store.transact(lambda tx: beat(tx, now, looks=True)) for _ in range(5))
        )
        assert sorted(found) == [0, 0, 0, 0, HOUR]
        assert await store.read(outages) == [(0, HOUR)]
        # Shortly without a beat, or long but with nothing amiss: another process may be at work.
        assert await store.transact(lambda tx: beat(tx, now + MISSED, looks=True)) == 0
        assert await store.transact(lambda tx: beat(tx, now + DAY, looks=False)) == 0
        assert await store.read(outages) == [(0, HOUR)]
        await store.close()

    asyncio.run(go())


def test_a_clock_that_jumps_ahead_takes_nobodys_time(store_url: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        clock, steady = VirtualClock(START), VirtualClock(0)
        pulse = Heartbeat(store, clock, steady)
        await pulse.beat()
        for _ in range(10):
            clock.go_on(BEAT / SECOND)
            steady.go_on(BEAT / SECOND)
            await pulse.beat()
        assert await store.read(outages) == []
        clock.go_on(86_400)
        await pulse.beat()
        assert await store.read(outages) == [(10 * BEAT, 10 * BEAT + DAY)]
        # It is put right: no time that is yet to come is left out.
        clock.go_on(-86_400)
        await pulse.beat()
        assert await store.read(outages) == [(10 * BEAT, 10 * BEAT)]
        clock.go_on(BEAT / SECOND)
        steady.go_on(BEAT / SECOND)
        await pulse.beat()
        assert len(await store.read(outages)) == 1
        await store.close()

    asyncio.run(go())


def test_small_jumps_in_a_row_take_nobodys_time(store_url: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        clock, steady = VirtualClock(START), VirtualClock(0)
        pulse = Heartbeat(store, clock, steady)
        await pulse.beat()
        for _ in range(100):
            clock.go_on(10)
            steady.go_on(1)
            await pulse.beat()
        left_out = sum(end - start for start, end in await store.read(outages))
        assert 900 * SECOND - MISSED <= left_out <= 1000 * SECOND
        await store.close()

    asyncio.run(go())


def test_a_stop_between_two_looks_at_the_clocks_is_no_jump(store_url: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        clock, stop = VirtualClock(START), 0

        def now() -> int:
            nonlocal stop
            at = clock()
            clock.go_on(stop)
            stop = 0
            return at

        pulse = Heartbeat(store, now, clock)
        await pulse.beat()
        stop = 60
        await pulse.beat()
        clock.go_on(2 * MISSED / SECOND)
        await pulse.beat()
        assert await store.read(outages) == []
        await store.close()

    asyncio.run(go())


def test_a_store_that_fails_stops_the_clocks(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        store = await opened(store_url)
        clock = VirtualClock(START)
        pulse = Heartbeat(store, clock, clock)
        await pulse.beat()

        async def fail(*_: object, **__: object) -> None:
            raise StoreUnavailable("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Store, "transact", fail, raising=False)
            patch.setattr(type(store), "transact", fail)
            for _ in range(3):
                clock.go_on(600)
                with pytest.raises(StoreUnavailable):
                    await pulse.beat()
        clock.go_on(1)
        await pulse.beat()
        assert await store.read(outages) == [(0, 1801 * SECOND)]
        await store.close()

    asyncio.run(go())


def test_deadlines_grace_and_banks_move_by_an_outage(tmp_path: Path, store_url: str) -> None:
    clock, steady = VirtualClock(), VirtualClock(0)
    with running(tmp_path, now=clock, steady=steady, database=store_url) as server:
        farm = Table(server, clock, "cube-farm")
        office = Table(
            server, clock, "human-resources", clock={"kind": "live", "bank": 600, "increment": 0}
        )
        due = farm.see()["duty"]["turn"]["due_at"]
        (code,) = office.see()["to_act"]
        flag = next(c["due"] for c in office.see()["clocks"] if c["seat"] == code)
        clock.go_on(3600)  # asleep, or set wrong
        server.run(server.site.look_at_clocks())
        assert office.see()["state"] == "playing"
        (out,) = server.run(server.site.store.read(outages))
        length = out[1] - out[0]
        assert 3600 * SECOND <= length < 3700 * SECOND
        assert farm.see()["duty"]["turn"]["due_at"] == due + length
        shown = next(c["due"] for c in office.see()["clocks"] if c["seat"] == code)
        assert shown == flag + length
        office.send(code)
        left = [c["left"] for c in office.see()["clocks"] if c["seat"] == code]
        assert left[0] >= 599 * SECOND
        assert office.see()["state"] == "playing"


def test_a_move_after_a_jump_is_not_refused_as_late(tmp_path: Path) -> None:
    clock, steady = VirtualClock(), VirtualClock(0)
    with running(tmp_path, now=clock, steady=steady) as server:
        office = Table(
            server, clock, "human-resources", clock={"kind": "live", "bank": 600, "increment": 0}
        )
        (code,) = office.see()["to_act"]
        clock.go_on(3600)
        office.send(code)
        assert office.kinds() == ["move"]


def test_a_clock_put_right_after_days_ahead_takes_nobodys_time(tmp_path: Path) -> None:
    """Moves, clocks and deadlines are as if it had been right all the time."""
    clock, steady = VirtualClock(), VirtualClock(0)

    def both(seconds: float) -> None:
        clock.go_on(seconds)
        steady.go_on(seconds)

    with running(tmp_path, now=clock, steady=steady) as server:
        rule = {"kind": "live", "bank": 600, "increment": 0}
        office = Table(server, clock, "human-resources", clock=rule)
        farm = Table(server, clock, "cube-farm", clock={"kind": "days", "days": 3})
        due = farm.see()["duty"]["turn"]["due_at"]
        clock.go_on(5 * 86_400)
        server.run(server.site.look_at_clocks())
        (code,) = office.see()["to_act"]
        office.send(code)
        both(60)
        server.run(server.site.look_at_clocks())
        clock.go_on(-5 * 86_400)
        server.run(server.site.look_at_clocks())
        assert farm.see()["duty"]["turn"]["due_at"] == due
        both(480)
        server.run(server.site.look_at_clocks())
        (code,) = office.see()["to_act"]
        office.send(code)  # within the ten minutes
        (code,) = office.see()["to_act"]
        both(601)
        server.run(server.site.look_at_clocks())
        assert office.kinds() == ["move", "move", "flag"], "time runs on for who lets it run"
