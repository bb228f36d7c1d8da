"""What only PostgreSQL can do to us: other processes, broken connections, errors of the server."""

from __future__ import annotations

import asyncio
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import psycopg
import pytest

from openplan.server.store import EVERYTHING, Conflict, Store, StoreUnavailable, Tx, open_store
from tests.server.databases import Postgres
from tests.server.running import running
from tests.server.silent_postgres import silencer

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.xdist_group("postgresql")


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - of the other process there is nothing to wait for
            await asyncio.sleep(0.01)


def say(ident: str) -> Callable[[Tx], None]:
    return lambda tx: tx.signal("entry", ident)


def test_every_process_hears_of_a_commit_once(postgres: Postgres) -> None:
    async def go() -> None:
        url = postgres.new_url()
        first, second = open_store(url), open_store(url)
        heard: dict[Store, list[str]] = {first: [], second: []}
        first.subscribe(lambda _topic, ident: heard[first].append(ident))
        second.subscribe(lambda _topic, ident: heard[second].append(ident))
        ready = False
        while not ready:  # the second may not be listening yet
            await first.transact(say("ready"))
            await asyncio.sleep(0.02)
            ready = "ready" in heard[second]
        await second.transact(say("a\tb"))
        await first.transact(say("c"))
        await until(lambda: "c" in heard[second] and "a\tb" in heard[first])
        await asyncio.sleep(0.1)
        for idents in heard.values():
            assert [ident for ident in idents if ident != "ready"].count("c") == 1
            assert [ident for ident in idents if ident != "ready"].count("a\tb") == 1
        await first.close()
        await second.close()

    asyncio.run(go())


def test_a_broken_connection_is_unavailable_once_and_then_made_anew(postgres: Postgres) -> None:
    async def go() -> None:
        store = open_store(postgres.new_url())
        heard: list[str] = []
        store.subscribe(lambda topic, _ident: heard.append(topic))
        await store.transact(lambda tx: tx.execute("CREATE TABLE numbers (n INTEGER)"))

        def cut_short(tx: Tx) -> None:
            tx.execute("INSERT INTO numbers VALUES (1)")
            tx.signal("number", "1")
            with psycopg.connect(postgres.uri, autocommit=True) as other:
                other.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                )

        with pytest.raises(StoreUnavailable):
            await store.transact(cut_short)
        # Whoever listens has been cut off too, and says that something may have been missed.
        await until(lambda: EVERYTHING in heard)
        assert "number" not in heard
        assert await store.read(lambda tx: tx.rows(int, "SELECT n FROM numbers")) == []
        await store.transact(lambda tx: tx.execute("INSERT INTO numbers VALUES (2)"))
        assert len(await store.read(lambda tx: tx.rows(int, "SELECT n FROM numbers"))) == 1
        await store.close()

    asyncio.run(go())


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("53100", StoreUnavailable),  # disk full
        ("58030", StoreUnavailable),  # I/O error
        ("53300", StoreUnavailable),  # too many connections
        ("55P03", StoreUnavailable),  # a lock was not to be had in time
        ("57014", StoreUnavailable),  # took too long
        ("40001", StoreUnavailable),  # collided, again and again
        ("23505", Conflict),  # a second row for a key
    ],
)
def test_an_error_of_the_server_has_its_place_on_our_ladder(
    postgres: Postgres, code: str, expected: type[Exception]
) -> None:
    async def go() -> None:
        store = open_store(postgres.new_url())

        def work(tx: Tx) -> None:
            tx.execute("CREATE TABLE numbers (n INTEGER)")
            tx.execute(f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{code}'; END $$")

        with pytest.raises(expected):
            await store.transact(work)
        assert not await store.read(lambda tx: tx.row(int, store.has_table, "numbers"))
        await store.close()

    asyncio.run(go())


def test_a_server_for_tests_ends_with_the_tests_however_they_end() -> None:
    script = (
        "from tests.server.databases import running_postgres\n"
        "with running_postgres() as server:\n"
        "    print(server.process.pid, server.uri.partition('host=')[2], flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as tests:
        assert tests.stdout is not None
        pid, folder = tests.stdout.readline().split()
        there = os.pidfd_open(int(pid))
        tests.kill()
    ended, _, _ = select.select([there], [], [], 20)
    assert ended
    os.close(there)
    shutil.rmtree(Path(folder).parent)


def test_a_server_out_of_reach_is_unavailable() -> None:
    with pytest.raises(StoreUnavailable):
        open_store("postgresql://localhost:1/nowhere")


def test_a_server_that_falls_silent_is_given_up_and_asked_anew(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its connections stay open and nothing comes back. What waits is refused, once; when the
    server speaks again, new connections are made, and nothing was kept that was refused."""
    monkeypatch.setattr("openplan.server.store.postgres.SILENT_SECONDS", 1.0)
    monkeypatch.setattr("openplan.server.store.postgres.PROBE_SECONDS", 0.5)
    url = postgres.new_url()
    with (
        tempfile.TemporaryDirectory(prefix="openplan-silent-") as folder,
        silencer(url, Path(folder)) as (by, way),
    ):

        async def go() -> None:
            store = open_store(by)
            other = open_store(url)
            heard: list[str] = []
            store.subscribe(lambda topic, _ident: heard.append(topic))
            await store.transact(lambda tx: tx.execute("CREATE TABLE said (n INTEGER)"))
            way.is_silent = True
            began = time.monotonic()
            for number in range(3):
                with pytest.raises(StoreUnavailable):
                    await store.transact(
                        lambda tx, n=number: tx.execute("INSERT INTO said VALUES (?)", n)  # type: ignore[misc]
                    )
            with pytest.raises(StoreUnavailable):
                await store.read(lambda tx: tx.rows(int, "SELECT n FROM said"))
            assert time.monotonic() - began < 30
            way.is_silent = False
            opened = way.opened
            await store.transact(lambda tx: tx.execute("INSERT INTO said VALUES (?)", 7))
            assert await other.read(lambda tx: tx.rows(int, "SELECT n FROM said")) == [7]
            assert way.opened > opened
            await until(lambda: EVERYTHING in heard)
            await store.close()
            await other.close()

        asyncio.run(go())


def test_ready_answers_while_the_database_is_silent(postgres: Postgres, tmp_path: Path) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="openplan-silent-") as folder,
        silencer(postgres.new_url(), Path(folder)) as (by, way),
        running(tmp_path, database=by) as server,
    ):
        assert httpx.get(f"http://{server.address}/ready").status_code == 200
        way.is_silent = True
        began = time.monotonic()
        assert httpx.get(f"http://{server.address}/ready").status_code == 503
        assert time.monotonic() - began < 2
        way.is_silent = False
