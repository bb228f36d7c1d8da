"""A deadline and an order at one moment, and several processes that notice the same deadline."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from openplan.server.clock import DAY
from openplan.server.tables.turns import SLACK
from tests.server.databases import Postgres
from tests.server.running import VirtualClock, running
from tests.server.test_overdue import Table


@pytest.mark.xdist_group("postgresql")
def test_several_processes_enter_one_deadline(tmp_path: Path, postgres: Postgres) -> None:
    clock, url = VirtualClock(), postgres.new_url()
    with (
        running(tmp_path / "one", now=clock, database=url) as one,
        running(tmp_path / "two", now=clock, database=url) as two,
    ):
        table = Table(one, clock, "cube-farm")
        table.send("S", "P", "T")
        for turn in range(2, 5):
            clock.at += 2 * DAY + SLACK
            with ThreadPoolExecutor(8) as threads:
                sites = [one, two] * 4
                list(threads.map(lambda s: s.run(s.site.expire(table.id)), sites))
                list(threads.map(lambda s: s.run(s.site.look_at_clocks()), sites))
            assert table.kinds().count("deadline") == turn - 1
            assert table.see()["duty"]["turn"]["number"] == turn + 1


def test_an_order_and_the_deadline_at_one_moment(tmp_path: Path, store_url: str) -> None:
    """Either the order came first and is carried out, or the turn was over and it is refused;
    nothing is lost and nothing is doubled."""
    clock, rng = VirtualClock(), Random(5)
    with running(tmp_path, database=store_url, now=clock) as server:
        table = Table(server, clock, "cube-farm")
        table.send("S", "P", "T")
        for turn in range(2, 5):
            sender = table.people["S"]
            version = sender.ok("GET", table.at)["version"]
            move = sender.some_move(table.id, rng)
            body = {"move": move, "version": version, "submission": f"race{turn}"}
            due = table.see()["duty"]["turn"]["due_at"]
            clock.at = due + rng.choice((-1, 0, SLACK))
            before = len(table.kinds())

            with ThreadPoolExecutor(4) as threads:
                sent = threads.submit(sender.ask, "POST", f"{table.at}/moves", body)
                looks = [
                    threads.submit(lambda: server.run(server.site.expire(table.id)))
                    for _ in range(3)
                ]
                for look in looks:
                    look.result(20)
                status = sent.result(20).status_code
            clock.at = due + SLACK
            server.run(server.site.expire(table.id))
            entered = table.kinds()[before:]
            expected = {200: ["move", "deadline"], 409: ["deadline"]}
            assert entered == expected[status], status
            assert table.see()["duty"]["turn"]["number"] == turn + 1


def test_what_was_received_in_time_counts(tmp_path: Path, store_url: str) -> None:
    """The request arrives before the deadline, and its transaction comes after it."""
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        table = Table(server, clock, "cube-farm")
        table.send("S", "P", "T")
        due = table.see()["duty"]["turn"]["due_at"]
        sender = table.people["S"]
        version = sender.ok("GET", table.at)["version"]
        move = sender.some_move(table.id, Random(1))
        clock.at = due - 1
        site = server.site
        real = site.store.transact

        async def slow(work, **more):  # type: ignore[no-untyped-def]
            clock.at = max(clock.at, due + SLACK - 1)
            await asyncio.sleep(0)
            return await real(work, **more)

        site.store.transact = slow  # type: ignore[method-assign]
        try:
            sender.play(table.id, move, version, "late")
        finally:
            site.store.transact = real  # type: ignore[method-assign]
        clock.at = due + SLACK
        server.run(site.expire(table.id))
        assert table.kinds()[-2:] == ["move", "deadline"]
