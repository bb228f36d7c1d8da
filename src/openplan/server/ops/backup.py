"""Backup and restore: one SQLite file, whichever database it comes from or goes back into.

It holds deals and sealed orders: whoever can read it can read those.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

import apsw

from openplan.server.ops.replay import Replayed, replay_all
from openplan.server.store import StoreError, StoreUnavailable, Tx, Value, open_store, path_of
from openplan.server.store.migrations import HEAD, migrate
from openplan.server.store.sqlite import SqliteStore, SqliteTx, connect

T = TypeVar("T")

PAGE: Final = 5_000
NUMBERED: Final = ("audit", "outbox", "reports", "results", "outages")
"""Tables whose rows the database numbers."""


async def backup(url: str, file: Path) -> None:
    """Everything as it is at one moment, into a new file; the server may go on meanwhile."""
    new = _beside(file)
    path = path_of(url)
    if path is None:
        await _make_store(new)
        await look(url, lambda tx: _export(tx, new))
    else:
        await asyncio.to_thread(_copy_file, path, new)
    await asyncio.to_thread(_settle, new, file)


async def restore(url: str, file: Path, *, now: int) -> Replayed:
    """A backup into a store that is empty, brought up to date; then every match is replayed."""
    await asyncio.to_thread(_check_backup, file)
    path = path_of(url)
    if path is not None:
        new = _beside(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        await asyncio.to_thread(_copy_file, file, new)
        await asyncio.to_thread(_settle, new, path)
    store = open_store(url)
    try:
        await migrate(store)
        if path is None:
            await store.transact(lambda tx: _import(tx, file), serializable=False)
        return await replay_all(store, now=now)
    finally:
        await store.close()


async def _make_store(path: Path) -> None:
    store = SqliteStore(path)
    await migrate(store)
    await store.close()


def _beside(file: Path) -> Path:
    """Where a new file grows until it is whole; what is there is never written over."""
    if file.exists():
        raise StoreError(f"{file} is there already; put it aside first")
    new = file.with_name(f"{file.name}.new")
    for end in ("", "-wal", "-shm"):
        new.with_name(f"{new.name}{end}").unlink(missing_ok=True)
    return new


def _copy_file(path: Path, new: Path) -> None:
    source = connect(path, readonly=True)
    target = connect(new)
    try:
        # All pages in one step: in several, each commit of the server would make it start over.
        with target.backup("main", source, "main") as copying:
            copying.step()
    except apsw.Error as error:
        raise StoreUnavailable(f"{path}: {error}") from error
    finally:
        source.close()
        target.close()


def _export(tx: Tx, new: Path) -> None:
    connection = connect(new)
    try:
        with connection:
            _copy_rows(tx, SqliteTx(connection))
    finally:
        connection.close()


def _import(tx: Tx, file: Path) -> None:
    if any(tx.rows(int, f"SELECT 1 FROM {name} LIMIT 1") for name in ("users", "tables")):  # noqa: S608
        raise StoreError("the database is not empty")
    _look_at_file(file, lambda source: _copy_rows(source, tx))
    for table in NUMBERED:
        # Rows that came with their numbers have not moved the counter.
        tx.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608
        )


def _copy_rows(source: Tx, target: Tx) -> None:
    from openplan.server.store.schema import metadata

    found = source.row(str, "SELECT version_num FROM alembic_version")
    if found != HEAD:
        raise StoreError(f"the tables are of revision {found}, this program's are of {HEAD}")
    for table in metadata.sorted_tables:  # what others refer to comes first
        if table.name == "snapshots":  # caches; where the copy goes, the logs lead again
            continue
        columns = ", ".join(column.name for column in table.columns)
        marks = ", ".join("?" for _ in table.columns)
        key = ", ".join(column.name for column in table.primary_key)
        insert = f"INSERT INTO {table.name} ({columns}) VALUES ({marks})"  # noqa: S608
        select = f"SELECT {columns} FROM {table.name} ORDER BY {key}"  # noqa: S608
        for row in _in_pages(source, select):
            target.execute(insert, *row)


def _in_pages(tx: Tx, select: str) -> Iterator[tuple[Value, ...]]:
    """All rows of an ordered SELECT, without holding all of them at once."""
    start = 0
    while rows := tx.rows(tuple, f"{select} LIMIT ? OFFSET ?", PAGE, start):
        yield from rows
        start += len(rows)


def _check(file: Path) -> None:
    """A copy must be whole before anybody relies on it."""
    faults = _look_at_file(
        file,
        lambda tx: [
            *tx.rows(tuple, "PRAGMA integrity_check"),
            *tx.rows(tuple, "PRAGMA foreign_key_check"),
        ],
    )
    if faults != [("ok",)]:
        raise StoreError(f"{file} is damaged: {faults[0][0]}")


def _check_backup(file: Path) -> None:
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    try:
        ours = _look_at_file(file, lambda tx: tx.row(int, SqliteStore.has_table, "alembic_version"))
    except StoreError:
        ours = None
    if not ours:
        raise StoreError(f"{file} is no backup of Open Plan")
    _check(file)


def _settle(new: Path, file: Path) -> None:
    """Give a checked copy its name, as one file with nothing beside it."""
    _check(new)
    connection = connect(new)
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    new.with_name(f"{new.name}.lock").unlink(missing_ok=True)
    new.rename(file)
    descriptor = os.open(file.parent, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


# -- Looking into a store --------------------------------------------------------------------


async def look(url: str, work: Callable[[Tx], T]) -> T:
    """Read a store that a server may have open. SQLite lets others read, so no lock is needed."""
    path = path_of(url)
    if path is not None:
        return await asyncio.to_thread(_look_at_file, path, _checked(work, SqliteStore.has_table))
    store = open_store(url)
    try:
        return await store.read(_checked(work, store.has_table))
    finally:
        await store.close()


def _checked(work: Callable[[Tx], T], has_table: str) -> Callable[[Tx], T]:
    def checked(tx: Tx) -> T:
        if not tx.row(int, has_table, "alembic_version"):
            raise StoreError("the database has no tables yet: see `openplan admin migrate`")
        return work(tx)

    return checked


def _look_at_file(path: Path, work: Callable[[Tx], T]) -> T:
    connection = connect(path, readonly=True)
    try:
        tx = SqliteTx(connection)
        tx.execute("BEGIN")
        return work(tx)
    finally:
        connection.close()
