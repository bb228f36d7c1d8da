"""The store in one SQLite file, for one machine: WAL, `synchronous=FULL`, one writer.

The writer is a thread. It takes all works that wait, runs them in one transaction and commits once
for all of them: the disk is the slow part, and it is asked once for many. Only then do the callers
hear of it. If a work fails that has written something, all are run again, each in a savepoint of
its own. Readers are threads with own connections. After each commit SQLite lets go of all pages
that they have read; the writer's own stay in memory, so that works that are short and follow a
commit are read by the writer, between two transactions.

One process has the file. It holds a lock on `FILE.lock`, which ends with the process, so that a
second writer (which WAL would allow, with waits) and a second keeper of memory caches cannot be.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import apsw

from openplan.server.store import (
    Conflict,
    Make,
    Store,
    StoreError,
    StoreUnavailable,
    Tx,
    Value,
    call_on,
    maker,
    run_undo,
    run_work,
)
from openplan.server.store.kept import Kept, RowsChanged

T = TypeVar("T")

READERS: Final = 4
MAX_GROUP: Final = 128
"""Works that share a commit: more would make the first of them wait without saving much."""
MAX_WAITING: Final = 10_000
"""Works that may wait for the writer; one more is told that the store is busy."""
STATEMENTS_KEPT: Final = 500
ROWS_KNOWN: Final = 1_000
BUSY_MS: Final = 5_000
_AT_WORK: Final = "another process has this database open (openplan serve, perhaps)"

# The file system or the memory failed us; the transaction is gone or will be.
_UNAVAILABLE: Final = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.NoMemError,
    apsw.InterruptError,
    apsw.CorruptError,
    apsw.NotADBError,
)

_DAMAGED: Final = (apsw.CorruptError, apsw.NotADBError)


def is_safe_version(version: str) -> bool:
    """Before these, two connections that checkpoint at once could lose a commit."""
    number = tuple(int(part) for part in version.split("."))
    return number >= (3, 51, 3) or (3, 50, 7) <= number < (3, 51) or (3, 44, 6) <= number < (3, 45)


def connect(path: Path, *, vfs: str | None = None, readonly: bool = False) -> apsw.Connection:
    """A connection as all of ours are."""
    try:
        if not readonly:
            # Deals and sealed orders are in it. What SQLite puts beside it is as private.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = apsw.Connection(
            str(path), apsw.SQLITE_OPEN_READWRITE, vfs, statementcachesize=STATEMENTS_KEPT
        )
        connection.set_busy_timeout(BUSY_MS)
        # Else whatever has a parameter may be planned anew for each, which takes ten times as long
        # as to run it; our plans do not depend on them.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        if readonly:
            # Only the writer moves pages from the log into the file.
            connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
            connection.execute("PRAGMA query_only=ON")
        else:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("PRAGMA foreign_keys=ON")
    except _DAMAGED as error:
        raise _damaged(path, str(error)) from error
    except (*_UNAVAILABLE, OSError) as error:
        raise StoreUnavailable(f"{path}: {error}") from error
    return connection


def _damaged(path: Path, what: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{path} is damaged ({what}); put a backup in its place: openplan admin restore BACKUP"
    )


def _check(path: Path, connection: apsw.Connection) -> None:
    """A damaged file is found now, and not by whoever makes the move that needs its page."""
    try:
        found = str(connection.pragma("quick_check"))
    except (*_DAMAGED, apsw.IOError) as error:
        found = str(error)
    if found != "ok":
        connection.close()
        raise _damaged(path, found)


_ROWS: Final[dict[tuple[str, int, type[Any]], Make]] = {}
"""By statement and number of columns: asking for their names takes as long as the rows."""


class SqliteTx(Tx):
    for_update = skip_locked = ""  # there is one writer: nobody else could change the rows

    def __init__(
        self,
        connection: apsw.Connection,
        kept: Kept | None = None,
        begin: Callable[[], None] | None = None,
    ) -> None:
        super().__init__()
        self._connection = connection
        self._kept = kept
        self._begin = begin
        self.keeps = kept is not None

    def kept(self, of: str, kind: type[T], sql: str, *params: Value) -> list[T]:
        if self._kept is None or self.failure is not None:
            return self.rows(kind, sql, *params)
        found = self._kept.find(of, (sql, params))
        if found is None:
            found = self.rows(kind, sql, *params)
            self._kept.keep(of, (sql, params), found)
        elif self._kept.checks:
            assert found == self.rows(kind, sql, *params), f"kept, but not so: {sql}"
        return found

    def know(self, of: str, rows: list[T], sql: str, *params: Value) -> None:
        if self._kept is not None:
            self._kept.keep(of, (sql, params), rows)

    def _changes(self, change: RowsChanged, params: Sequence[Value]) -> None:
        if self._kept is not None:
            self._kept.wrote(change, params)

    def _execute(self, sql: str, params: Sequence[Value], kind: type[T]) -> list[T]:
        if self._begin is not None:
            self._begin()
        try:
            cursor = self._connection.execute(sql, params)
            first = next(cursor, None)
            if first is None:
                return []
            make = _ROWS.get((sql, len(first), kind))
            if make is None:
                make = maker(tuple(column[0] for column in cursor.get_description()), kind)
                if len(_ROWS) >= ROWS_KNOWN:
                    _ROWS.clear()
                _ROWS[sql, len(first), kind] = make
            return [make(first), *map(make, cursor)]
        except apsw.ConstraintError as error:
            raise Conflict(str(error)) from error
        except apsw.ReadOnlyError as error:
            if self._connection.pragma("query_only"):
                raise StoreError("a work that only reads tried to write") from error
            raise StoreUnavailable(str(error)) from error
        except _UNAVAILABLE as error:
            raise StoreUnavailable(str(error)) from error


@dataclass(slots=True)
class _Waiting:
    """A work on its way through the writer, and who waits for it."""

    work: Callable[[Tx], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    only_reads: bool = False
    tx: Tx | None = None
    """As long as its work stands."""
    result: Any = None
    error: BaseException | None = None

    def answer(self) -> None:
        if self.future.done():  # whoever waited was cancelled
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class SqliteStore(Store):
    dialect = "sqlite"
    has_table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
    has_one_writer = True

    def __init__(self, path: Path, *, vfs: str | None = None) -> None:
        super().__init__()
        if not is_safe_version(apsw.sqlite_lib_version()):
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} can lose a commit; use 3.51.3")
        self.path = path
        self._vfs = vfs
        self._lock = hold_lock(path)
        try:
            self._connection: apsw.Connection | None = connect(path, vfs=vfs)
            _check(path, self._connection)
        except BaseException:
            os.close(self._lock)
            raise
        self._kept = Kept()
        self._data_version = -1
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._closing = False
        self._readers = ThreadPoolExecutor(READERS, "store-reader")
        self._local = threading.local()
        self._reader_connections: list[apsw.Connection] = []
        self._writer = threading.Thread(target=self._write, name="store-writer", daemon=True)
        self._writer.start()

    # -- Callers -----------------------------------------------------------------------------

    async def transact(self, work: Callable[[Tx], T], *, serializable: bool = True) -> T:
        return await self._by_writer(work)

    async def read_short(self, work: Callable[[Tx], T]) -> T:
        return await self._by_writer(work, only_reads=True)

    def _by_writer(self, work: Callable[[Tx], T], *, only_reads: bool = False) -> asyncio.Future[T]:
        if self._closing:
            raise StoreUnavailable("the store is closed")
        if self._queue.qsize() >= MAX_WAITING:
            raise StoreUnavailable("too many transactions wait already")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Waiting(work, loop, future, only_reads))
        return future

    async def read(self, work: Callable[[Tx], T]) -> T:
        if self._closing:
            raise StoreUnavailable("the store is closed")
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        self._queue.put(None)
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self._writer.join()
        self._readers.shutdown()
        for connection in self._reader_connections:
            connection.close()
        if self._connection is not None:
            self._connection.close()
        os.close(self._lock)

    # -- The readers -------------------------------------------------------------------------

    def _read(self, work: Callable[[Tx], T]) -> T:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = connect(self.path, vfs=self._vfs, readonly=True)
            self._local.connection = connection
            self._reader_connections.append(connection)
        tx = SqliteTx(connection)
        # Without a transaction every statement would see another state.
        tx.execute("BEGIN")
        try:
            return run_work(work, tx)
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    # -- The writer --------------------------------------------------------------------------

    def _write(self) -> None:
        ended = False
        while not ended:
            group: list[_Waiting] = []
            waiting = self._queue.get()
            while waiting is not None:
                group.append(waiting)
                if len(group) == MAX_GROUP:
                    break
                try:
                    waiting = self._queue.get_nowait()
                except queue.Empty:
                    break
            ended = waiting is None
            if writes := [one for one in group if not one.only_reads]:
                self._run_group(writes)
            if reads := [one for one in group if one.only_reads]:
                self._run_reads(reads)

    def _run_group(self, group: list[_Waiting]) -> None:
        """All in one transaction, one commit, and only then the answers."""
        try:
            self._connection = self._connection or connect(self.path, vfs=self._vfs)
            _storage(self._connection, "BEGIN IMMEDIATE")
            self._notice_others(self._connection)
            if not self._run_all(self._connection, group):
                self._run_each(self._connection, group)
            if self._connection.in_transaction:
                _storage(self._connection, "COMMIT")
        except StoreUnavailable as error:
            self._kept.drop_all()
            self._forsake()
            for waiting in reversed(group):
                _undo(waiting)
                # An error of its own stands: that work would have failed anyhow.
                waiting.error = waiting.error or StoreUnavailable(*error.args)
        signals = [
            signal for waiting in group if waiting.tx is not None for signal in waiting.tx.signals
        ]
        for loop in {waiting.loop for waiting in group}:
            call_on(loop, _answer_all, [waiting for waiting in group if waiting.loop is loop])
        if signals:
            self._tell(signals)

    def _run_all(self, connection: apsw.Connection, group: list[_Waiting]) -> bool:
        """All works one after the other. False, and nothing of them is there, if one fails that has
        written something: what it wrote cannot be told from what the others did."""
        for waiting in group:
            if not self._run_work(connection, waiting):
                _storage(connection, "ROLLBACK")
                self._kept.drop_all()
                for done in reversed(group):
                    _undo(done)
                return len(group) == 1
        return True

    def _run_each(self, connection: apsw.Connection, group: list[_Waiting]) -> None:
        """The same with each in a savepoint of its own."""
        _storage(connection, "BEGIN IMMEDIATE")
        for waiting in group:
            waiting.result = waiting.error = None
            _storage(connection, "SAVEPOINT work")
            if not self._run_work(connection, waiting):
                _storage(connection, "ROLLBACK TO work")
                self._kept.drop_all()
                _undo(waiting)
            _storage(connection, "RELEASE work")

    def _run_work(self, connection: apsw.Connection, waiting: _Waiting) -> bool:
        """One work of a group. What it raises is its own, a failing disk is everybody's. False if
        there is something to be taken back."""
        tx = waiting.tx = SqliteTx(connection, self._kept)
        try:
            waiting.result = run_work(waiting.work, tx)
        except BaseException as error:  # the writer outlives every work
            if isinstance(tx.failure, StoreUnavailable):
                raise tx.failure from error
            waiting.error = error
            if not tx.writes:
                _undo(waiting)
            return not tx.writes
        return True

    def _notice_others(self, connection: apsw.Connection) -> None:
        """Nobody else is to write here while we have the file; if somebody does, it is seen."""
        version = connection.pragma("data_version")
        if version != self._data_version:
            self._data_version = version
            self._kept.drop_all()

    def _run_reads(self, group: list[_Waiting]) -> None:
        """On what is committed, and nothing else; all on the same. Where everything is known there
        is nothing to begin."""
        try:
            connection = self._connection = self._connection or connect(self.path, vfs=self._vfs)

            def begin() -> None:
                if not connection.in_transaction:
                    _storage(connection, "PRAGMA query_only=ON")
                    _storage(connection, "BEGIN")
                    self._notice_others(connection)

            for waiting in group:
                try:
                    waiting.result = run_work(waiting.work, SqliteTx(connection, self._kept, begin))
                except BaseException as error:  # noqa: BLE001 - the writer outlives every work
                    waiting.error = error
            if connection.in_transaction:
                _storage(connection, "ROLLBACK")
                _storage(connection, "PRAGMA query_only=OFF")
        except StoreUnavailable as error:
            self._forsake()
            for waiting in group:
                waiting.error = waiting.error or StoreUnavailable(*error.args)
        for loop in {waiting.loop for waiting in group}:
            call_on(loop, _answer_all, [waiting for waiting in group if waiting.loop is loop])

    def _forsake(self) -> None:
        """Leave a transaction that the disk has failed; with a new connection if need be."""
        connection = self._connection
        if connection is None:
            return
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("PRAGMA query_only=OFF")
        except apsw.Error:
            self._connection = None
            connection.close(True)


def hold_lock(path: Path) -> int:
    """Take the lock on a database file; it is held until the descriptor or the process ends."""
    try:
        descriptor = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise StoreUnavailable(f"{path}: {error.strerror}") from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise StoreUnavailable(f"{path}: {_AT_WORK}") from None
    return descriptor


def _storage(connection: apsw.Connection, sql: str) -> None:
    """A statement of our own, which only the storage can make fail."""
    try:
        connection.execute(sql)
    except apsw.Error as error:
        raise StoreUnavailable(str(error)) from error


def _undo(waiting: _Waiting) -> None:
    """What a work has kept in memory is taken back: it comes to nothing."""
    if waiting.tx is not None:
        run_undo(waiting.tx.undo)
        waiting.tx = None


def _answer_all(group: list[_Waiting]) -> None:
    for waiting in group:
        waiting.answer()
