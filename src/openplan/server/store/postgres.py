"""The store in PostgreSQL, for several processes on several hosts.

Each thread of a small pool has a connection of its own and makes it anew when it breaks, or when
the server has gone silent: then the connection is cut from this side. What a
transaction has to tell travels with its commit: PostgreSQL hands a signal to all who listen, or to
nobody. Our own subscribers do not wait for that way round; signals carry who sent them.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any, Final, TypeVar
from weakref import WeakSet

import psycopg
from psycopg import errors

from openplan.server.store import (
    EVERYTHING,
    Conflict,
    Store,
    StoreError,
    StoreUnavailable,
    Tx,
    Unkeepable,
    Value,
    maker,
    run_undo,
    run_work,
)

T = TypeVar("T")

CONNECTIONS: Final = 8
RETRIES: Final = 12
"""How often a transaction is tried that collides with others: on a slow machine, when all who
notice a deadline meet at its table, eight were not enough."""
LONGEST_REST: Final = 0.25
"""Seconds at most between two tries."""
MAX_WAITING: Final = 10_000
CHANNEL: Final = "openplan"
OLDEST: Final = 150_000
RECONNECT_SECONDS: Final = 0.5
SILENT_SECONDS: Final = 12.0
"""A server that lives has answered or given up by then: its own limits are shorter."""
PROBE_SECONDS: Final = 10.0
"""How often a connection that only listens asks whether somebody is there."""
# A commit must be on the disk when it returns, whatever the server's default is; and no transaction
# may hold its locks for ever.
_SESSION: Final = (
    "SET synchronous_commit = on; SET statement_timeout = '10s'; SET lock_timeout = '8s';"
    " SET idle_in_transaction_session_timeout = '20s'; SET timezone = 'UTC'"
)


@lru_cache(maxsize=1000)
def placeholders(sql: str) -> str:
    """`?` becomes `%s`, but not within quotes; a `%` stands for itself."""
    return re.sub(r"'[^']*'|\?|%", lambda m: "%s" if m[0] == "?" else m[0].replace("%", "%%"), sql)


@contextmanager
def _errors_mapped() -> Iterator[None]:
    try:
        yield
    except errors.IntegrityError as error:
        raise Conflict(_said(error)) from error
    except errors.ReadOnlySqlTransaction as error:
        raise StoreError("a work that only reads tried to write") from error
    except psycopg.OperationalError as error:
        raise StoreUnavailable(_said(error)) from error
    except psycopg.DataError as error:
        raise Unkeepable(_said(error)) from error


def _said(error: psycopg.Error) -> str:
    # Without the detail, which quotes the row: it may hold what nobody should read in a log.
    return error.diag.message_primary or str(error).partition("\n")[0]


class PostgresTx(Tx):
    for_update = " FOR UPDATE"
    skip_locked = " FOR UPDATE SKIP LOCKED"

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        super().__init__()
        self._connection = connection

    def _execute(self, sql: str, params: Sequence[Value], kind: type[T]) -> list[T]:
        with _errors_mapped():
            statement = placeholders(sql).encode() if params else sql.encode()
            cursor = self._connection.execute(statement, params or None)
            if cursor.description is None:
                return []
            make = maker(tuple(column.name for column in cursor.description), kind)
            return [make(row) for row in cursor.fetchall()]


class _Watch:
    """Cuts connections on which nothing has come back for too long; whoever waits there finds them
    broken. The operating system alone would wait for hours."""

    def __init__(self) -> None:
        self._until: dict[psycopg.Connection[Any], float] = {}
        self._cut: WeakSet[psycopg.Connection[Any]] = WeakSet()
        self._ended = threading.Event()
        threading.Thread(target=self._look, name="store-watch", daemon=True).start()

    @contextmanager
    def over(self, connection: psycopg.Connection[Any]) -> Iterator[None]:
        self._until[connection] = time.monotonic() + SILENT_SECONDS
        try:
            yield
        finally:
            self._until.pop(connection, None)

    def has_cut(self, connection: psycopg.Connection[Any]) -> bool:
        return connection in self._cut

    def end(self) -> None:
        self._ended.set()

    def _look(self) -> None:
        while not self._ended.wait(0.2):
            now = time.monotonic()
            for connection, until in list(self._until.items()):
                if until < now and self._until.pop(connection, None) is not None:
                    self._cut.add(connection)
                    with suppress(OSError, psycopg.Error):
                        _shut(connection.fileno())


def _shut(descriptor: int) -> None:
    """Whoever reads there reads its end; closing the number is still for its owner to do."""
    with socket.socket(fileno=os.dup(descriptor)) as copy:
        copy.shutdown(socket.SHUT_RDWR)


class PostgresStore(Store):
    dialect = "postgresql"
    has_table = "SELECT 1 FROM pg_tables WHERE schemaname = current_schema() AND tablename = ?"
    has_one_writer = False

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._sender = secrets.token_hex(8)
        self._local = threading.local()
        self._connections: list[psycopg.Connection[Any]] = []
        self._waiting = 0
        self._closing = False
        self._watch = _Watch()
        first = self._connect()
        if first.info.server_version < OLDEST:
            first.close()
            raise StoreError(f"PostgreSQL {first.info.server_version // 10_000} is too old: 15")
        first.close()
        self._threads = ThreadPoolExecutor(CONNECTIONS, "store")
        self._listener: psycopg.Connection[Any] | None = None
        self._listening = threading.Thread(target=self._listen, name="store-listen", daemon=True)
        self._listening.start()

    # -- Callers -----------------------------------------------------------------------------

    async def transact(self, work: Callable[[Tx], T], *, serializable: bool = True) -> T:
        level = psycopg.IsolationLevel.SERIALIZABLE
        if not serializable:
            level = psycopg.IsolationLevel.READ_COMMITTED
        return await self._in_thread(self._transact, work, level)

    async def read(self, work: Callable[[Tx], T]) -> T:
        return await self._in_thread(self._read, work)

    read_short = read

    async def _in_thread(self, action: Callable[..., T], *arguments: Any) -> T:
        if self._closing:
            raise StoreUnavailable("the store is closed")
        if self._waiting >= MAX_WAITING:
            raise StoreUnavailable("too many transactions wait already")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, action, *arguments)
        finally:
            self._waiting -= 1

    async def close(self) -> None:
        if self._closing:
            return
        self._closing = True
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self._threads.shutdown()
        self._listening.join()
        self._watch.end()
        for connection in self._connections:
            connection.close()

    # -- Transactions ------------------------------------------------------------------------

    def _connect(self) -> psycopg.Connection[Any]:
        with _errors_mapped():
            connection = psycopg.connect(self._url, connect_timeout=5)
            connection.autocommit = True
            connection.execute(_SESSION)
            connection.autocommit = False
            return connection

    @contextmanager
    def _connection(self) -> Iterator[psycopg.Connection[Any]]:
        """This thread's own; thrown away if anything but a work's own error leaves it broken."""
        connection: psycopg.Connection[Any] | None = getattr(self._local, "connection", None)
        if connection is None or connection.closed:
            connection = self._local.connection = self._connect()
            self._connections.append(connection)
        try:
            yield connection
        finally:
            try:
                connection.rollback()  # of nothing, after a commit
            except psycopg.Error:
                connection.close()
            if connection.closed:
                self._connections.remove(connection)

    def _read(self, work: Callable[[Tx], T]) -> T:
        def attempt() -> T:
            with self._connection() as connection:
                connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
                connection.read_only = True
                try:
                    with self._watch.over(connection):
                        return run_work(work, PostgresTx(connection))
                except StoreUnavailable as error:
                    if connection.broken and not self._watch.has_cut(connection):
                        raise _Again from error
                    raise

        return _repeated(attempt)

    def _transact(self, work: Callable[[Tx], T], level: psycopg.IsolationLevel) -> T:
        def attempt() -> tuple[T, Tx]:
            with self._connection() as connection:
                connection.isolation_level = level
                connection.read_only = False
                tx = PostgresTx(connection)
                try:
                    with self._watch.over(connection):
                        return self._commit(connection, tx, work), tx
                except BaseException:
                    run_undo(tx.undo)
                    raise

        result, tx = _repeated(attempt)
        if tx.signals:
            self._tell(tx.signals)
        return result

    def _commit(self, connection: psycopg.Connection[Any], tx: Tx, work: Callable[[Tx], T]) -> T:
        try:
            result = run_work(work, tx)
            for topic, ident in dict.fromkeys(tx.signals):
                tx.execute("SELECT pg_notify(?, ?)", CHANNEL, _packed(self._sender, topic, ident))
        except Exception as error:
            # Nothing was committed, so that a lost connection is no reason to trouble the caller.
            if self._watch.has_cut(connection):
                raise StoreUnavailable("the database does not answer") from error
            if connection.broken or _is_collision(tx.failure):
                raise _Again from error
            raise
        try:
            with _errors_mapped():
                connection.commit()
        except StoreUnavailable as error:
            if _is_collision(error):
                raise _Again from error
            raise
        return result

    # -- Signals -----------------------------------------------------------------------------

    def _listen(self) -> None:
        """Hear what other processes tell, for as long as the store is open."""
        missed = False
        while not self._closing:
            try:
                connection = self._connect()
            except StoreUnavailable:
                missed = True
                time.sleep(RECONNECT_SECONDS)
                continue
            try:
                with connection:
                    connection.autocommit = True
                    connection.execute(f"LISTEN {CHANNEL}")
                    if missed:
                        self._tell([(EVERYTHING, "")])
                    asked = time.monotonic()
                    while not self._closing:
                        for signal in connection.notifies(timeout=0.2):
                            self._hear(signal.payload)
                        if asked < time.monotonic() - PROBE_SECONDS:
                            with self._watch.over(connection):
                                connection.execute("SELECT 1")
                            asked = time.monotonic()
            except psycopg.Error:
                missed = True

    def _hear(self, payload: str) -> None:
        sender, topic, ident = payload.split("\t", 2)
        if sender != self._sender:
            self._tell([(topic, ident)])


class _Again(Exception):
    """Nothing was committed, for a reason that may be gone: two transactions that could not both be
    as if alone, or a connection that broke while nobody used it."""


def _repeated(attempt: Callable[[], T]) -> T:
    number = 1
    while True:
        try:
            return attempt()
        except _Again as again:
            if number == RETRIES:
                raise StoreUnavailable(f"given up after {RETRIES} attempts") from again.__cause__
            # Those who collided must not do so again at once.
            time.sleep(random.uniform(0, min(0.002 * 2**number, LONGEST_REST)))
            number += 1


def _is_collision(error: StoreError | None) -> bool:
    again = (errors.SerializationFailure, errors.DeadlockDetected)
    return error is not None and isinstance(error.__cause__, again)


def _packed(sender: str, topic: str, ident: str) -> str:
    return f"{sender}\t{topic}\t{ident}"
