"""A disk that is full, fails or loses its power: an event is whole or not there, and what was
acknowledged is there. See disk.py."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from openplan.server.store import Store, StoreUnavailable, Tx
from openplan.server.store.migrations import migrate
from openplan.server.store.sqlite import SqliteStore
from tests.server.disk import Act, Disk
from tests.server.events import (
    append,
    create,
    events_in,
    lost_after,
    whole_events,
    write_while_recording,
)


@pytest.fixture
def disk() -> Iterator[Disk]:
    made = Disk()
    yield made
    made.unregister()


# -- Power loss ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
def test_power_loss_loses_nothing_that_was_acknowledged(
    disk: Disk, tmp_path: Path, seed: int
) -> None:
    acknowledged = asyncio.run(write_while_recording(disk, tmp_path / "store.db", 60))
    assert any(act.file == "store.db" and act.kind == "sync" for act in disk.acts)
    for number in range(60):
        trial = tmp_path / f"cut-{number}"
        assert lost_after(disk, acknowledged, trial, 1_000 * seed + number) == set()


@pytest.mark.parametrize("pragma", ["synchronous=OFF", "synchronous=NORMAL"])
def test_a_missing_sync_is_seen(disk: Disk, tmp_path: Path, pragma: str) -> None:
    acknowledged = asyncio.run(write_while_recording(disk, tmp_path / "store.db", 60, pragma))

    def is_seen(number: int) -> bool:
        try:
            return bool(lost_after(disk, acknowledged, tmp_path / f"cut-{number}", number))
        except (AssertionError, StoreUnavailable, apsw.SQLError):
            return True  # not even the tables are whole

    assert any(is_seen(number) for number in range(40))


# -- A disk that is full or fails ------------------------------------------------------------


def failing(kind: str, after: int, times: int, error: Exception) -> Callable[[Act], None]:
    """A fault at the next acts of a kind, once so many of them have gone well."""
    seen = 0

    def fault(act: Act) -> None:
        nonlocal seen
        if act.kind == kind:
            seen += 1
            if after < seen <= after + times:
                raise error

    return fault


@pytest.mark.parametrize("times", [1, 6])
@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("write", apsw.FullError("full")),
        ("write", apsw.IOError("io")),
        ("sync", apsw.IOError("io")),
    ],
)
def test_a_failing_disk_makes_no_half_event(
    disk: Disk, tmp_path: Path, kind: str, error: Exception, times: int
) -> None:
    path = tmp_path / "store.db"

    async def trial(store: Store, first: int, after: int) -> tuple[set[int], set[int]]:
        disk.fault = failing(kind, after, times, error)
        numbers = range(first, first + 12)
        results = [
            result
            for start in range(0, 12, 4)
            for result in await asyncio.gather(
                *(store.transact(append(number)) for number in numbers[start : start + 4]),
                return_exceptions=True,
            )
        ]
        disk.fault = lambda act: None
        assert all(isinstance(result, int | StoreUnavailable) for result in results), results
        good = {result for result in results if isinstance(result, int)}
        return good, set(numbers) - good

    async def go() -> None:
        store = SqliteStore(path, vfs=disk.name)
        await store.transact(create)
        there: set[int] = set()
        failed: set[int] = set()
        for after in range(12):
            good, bad = await trial(store, 100 * after, after)
            there |= good
            failed |= bad
            # It works again as soon as the disk does, and what failed is not there.
            assert await store.transact(append(100 * after + 50)) == 100 * after + 50
            there.add(100 * after + 50)
            assert await store.read(whole_events) == there
        assert failed
        await store.close()
        assert await events_in(path) == there

    asyncio.run(go())


def test_a_disk_that_stays_full_refuses_each_and_keeps_what_it_has(
    disk: Disk, tmp_path: Path
) -> None:
    async def go() -> None:
        store = SqliteStore(tmp_path / "store.db", vfs=disk.name)
        heard: list[str] = []
        store.subscribe(lambda _topic, ident: heard.append(ident))
        await store.transact(create)
        await store.transact(append(1))

        def telling(tx: Tx) -> None:
            append(2)(tx)
            tx.signal("entry", "2")

        disk.fault = failing("write", 0, 1_000_000, apsw.FullError("full"))
        for _ in range(5):
            with pytest.raises(StoreUnavailable):
                await store.transact(telling)
        assert await store.read(whole_events) == {1}
        await asyncio.sleep(0.01)
        assert heard == [], "told before the commit"
        disk.fault = lambda act: None
        await store.close()
        assert await events_in(tmp_path / "store.db") == {1}

    asyncio.run(go())


def test_a_database_held_by_another_is_busy_not_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openplan.server.store.sqlite.BUSY_MS", 50)
    path = tmp_path / "store.db"

    async def go() -> None:
        store = SqliteStore(path)
        await store.transact(create)
        other = apsw.Connection(str(path))  # no program of ours would, without the lock
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable):
            await store.transact(append(1))
        other.execute("ROLLBACK")
        other.close()
        assert await store.transact(append(1)) == 1
        await store.close()

    asyncio.run(go())


def test_a_damaged_file_is_found_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "openplan.sqlite"

    async def filled() -> None:
        store = SqliteStore(path)
        await migrate(store)
        await store.close()

    asyncio.run(filled())
    data = bytearray(path.read_bytes())
    for page in range(8192, len(data), 4096):
        data[page : page + 200] = bytes(200)
    path.write_bytes(data)
    with pytest.raises(StoreUnavailable, match=r"is damaged .*; put a backup in its place"):
        SqliteStore(path)
