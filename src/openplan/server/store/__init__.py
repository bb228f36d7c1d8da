"""Where everything is kept: the contract of both databases, and the one way to open them.

A transaction is a function. It gets a `Tx`, and by returning it commits, by raising it rolls back.
`transact` comes back only after a durable commit, so that whoever has its result may tell the
world. SQL is written once, with `?` for parameters; the adapters see to the rest.

A work may be run more than once (PostgreSQL asks for that when two transactions collide) and may
share its commit with others (SQLite). So it must have no effect but through its `Tx`; where it
does keep something in memory, `on_rollback` takes that back.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar, get_args, get_origin

from msgspec import Struct

from openplan.server.store.kept import RowsChanged, change_by

T = TypeVar("T")
Value = str | int | float | bytes | None
Subscriber = Callable[[str, str], None]
"""Gets topic and ident, on the event loop on which it subscribed."""
Action = Callable[[], None]

EVERYTHING: Final = "*"
"""The topic told when signals may have been missed: look at everything anew."""


class StoreError(Exception):
    """Something went wrong with the store, and nothing of the transaction is there."""


class StoreUnavailable(StoreError):
    """Busy, full, broken or out of reach. Trying again later may help; how it ended may be
    unknown, so that a client repeats its submission under the same name."""

    status: ClassVar[int] = 503


class Conflict(StoreError):
    """What was written contradicts what is there: a second entry for a ply, a name taken."""

    status: ClassVar[int] = 409


class Unkeepable(StoreError):
    """A text with a character that a database cannot hold: NUL, in PostgreSQL."""

    status: ClassVar[int] = 422


Make = Callable[[tuple[Any, ...]], Any]
"""Makes of what the database gives what was asked for."""


def maker(names: tuple[str, ...], kind: type[Any]) -> Make:
    """For a query that gives these columns; see `Tx.rows`. Another shape than theirs is a fault of
    the program."""
    make: Make
    if get_origin(kind) is tuple or kind is tuple:
        fits, make = kind is tuple or len(names) == len(get_args(kind)), tuple
    elif issubclass(kind, Struct):
        fits, make = names == kind.__struct_fields__, lambda row: kind(*row)
    elif kind is dict:
        fits, make = True, lambda row: dict(zip(names, row, strict=True))
    else:
        fits, make = len(names) == 1, lambda row: row[0]
    if not fits:
        raise TypeError(f"a query for {kind.__name__} gives {', '.join(names)}")
    return make


class Tx(ABC):
    """One transaction, while its work runs; of no use afterwards."""

    for_update: ClassVar[str]
    """What to put after a SELECT so that the rows stay as they are until the commit."""
    skip_locked: ClassVar[str]
    """The same, leaving out rows that another transaction holds."""
    keeps: bool = False
    """Whether `kept` may know rows without asking."""

    def __init__(self) -> None:
        self.signals: list[tuple[str, str]] = []
        self.undo: list[Action] = []
        self.failure: StoreError | None = None
        self.writes = 0
        """How many statements have written something, or tried to."""

    def execute(self, sql: str, *params: Value) -> None:
        """Run one statement. Once one has failed the transaction will not be committed, even if its
        work does not mind."""
        self.rows(tuple, sql, *params)

    def rows(self, kind: type[T], sql: str, *params: Value) -> list[T]:
        """The same for a statement that gives rows, each as a struct that has its columns as fields
        in their order, as a `tuple[...]` of their types, as a `dict` by their names, or, of one
        column, as the value that stands there."""
        if self.failure is not None:
            raise self.failure
        change = change_by(sql)
        if change is not None:
            self.writes += 1
            self._changes(change, params)
        try:
            return self._execute(sql, params, kind)
        except StoreError as error:
            self.failure = error
            raise

    def kept(self, of: str, kind: type[T], sql: str, *params: Value) -> list[T]:
        """The same for rows that belong to `of`, are asked for often and change seldom: a store
        with one writer may know them. They are everybody's, and not to be changed."""
        return self.rows(kind, sql, *params)

    def know(self, of: str, rows: list[T], sql: str, *params: Value) -> None:
        """For whoever has just written what `kept` would read: it gives these rows now."""
        return

    def _changes(self, change: RowsChanged, params: Sequence[Value]) -> None:
        """This is about to be written."""
        return

    def change(self, table: str, where: Mapping[str, Value], columns: Mapping[str, object]) -> None:
        """Set columns of the rows that have these values in others."""
        changed = ", ".join(f"{name} = ?" for name in columns)
        found = " AND ".join(f"{name} = ?" for name in where)
        values: list[Any] = [*columns.values(), *where.values()]
        self.execute(f"UPDATE {table} SET {changed} WHERE {found}", *values)  # noqa: S608 - the program's own names

    @abstractmethod
    def _execute(self, sql: str, params: Sequence[Value], kind: type[T]) -> list[T]: ...

    def row(self, kind: type[T], sql: str, *params: Value) -> T | None:
        """The same for one row or none; a value that is NULL is none."""
        found = self.rows(kind, sql, *params)
        assert len(found) <= 1, f"{len(found)} rows where one was expected: {sql}"
        return found[0] if found else None

    def signal(self, topic: str, ident: str) -> None:
        """Tell every subscriber of every process after the commit, and never before."""
        self.signals.append((topic, ident))

    def on_rollback(self, action: Action) -> None:
        """Called if this transaction does not come to its commit: for what is kept in memory."""
        self.undo.append(action)


class Store(ABC):
    """Opened by `open_store`. Transactions are serializable: each runs as if it were alone."""

    dialect: ClassVar[str]
    has_table: ClassVar[str]
    """SQL that gives a row if there is a table of this name."""
    has_one_writer: ClassVar[bool]
    """Whether no transaction is under way while `read_short` runs."""

    def __init__(self) -> None:
        self._listeners: list[tuple[asyncio.AbstractEventLoop, Subscriber]] = []

    @abstractmethod
    async def transact(self, work: Callable[[Tx], T], *, serializable: bool = True) -> T:
        """Run one transaction. Returns only after a durable commit; what the work raises is raised
        here after everything of it is rolled back.

        Whoever takes locks on all that it depends on may do without `serializable`. If a task is
        cancelled while it waits, the transaction may take place or not.
        """

    @abstractmethod
    async def read(self, work: Callable[[Tx], T]) -> T:
        """Run a work that only reads, on one consistent state of everything."""

    @abstractmethod
    async def read_short(self, work: Callable[[Tx], T]) -> T:
        """The same for a work that is done in a moment and wants what was just written. Where there
        is one writer it is this who reads, between two transactions: it has all that at hand."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was accepted, accept nothing more."""

    def subscribe(self, listener: Subscriber) -> Action:
        """Have signals told on the running event loop; call the result to be told no more."""
        entry = (asyncio.get_running_loop(), listener)
        self._listeners.append(entry)
        return lambda: self._listeners.remove(entry) if entry in self._listeners else None

    def _tell(self, signals: Sequence[tuple[str, str]]) -> None:
        """From any thread: hand signals to the subscribers, each on its own loop."""
        for loop, listener in list(self._listeners):
            call_on(loop, _tell_all, listener, signals)


def _tell_all(listener: Subscriber, signals: Sequence[tuple[str, str]]) -> None:
    for topic, ident in signals:
        listener(topic, ident)


def call_on(loop: asyncio.AbstractEventLoop, action: Callable[..., None], *arguments: Any) -> None:
    """Have the loop do something; from any thread, and if it is closed there is nobody to tell."""
    try:
        loop.call_soon_threadsafe(action, *arguments)
    except RuntimeError:
        if not loop.is_closed():
            raise


def run_work(work: Callable[[Tx], T], tx: Tx) -> T:
    try:
        result = work(tx)
    except StopIteration as error:
        # A future cannot carry it, and whoever waits would wait for ever.
        raise RuntimeError("a work raised StopIteration") from error
    if tx.failure is not None:
        raise tx.failure
    return result


def run_undo(undo: Sequence[Action]) -> None:
    """What was done last is taken back first."""
    for action in reversed(undo):
        action()


def path_of(url: str) -> Path | None:
    """The file of a store in SQLite; nothing for another."""
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None


def open_store(url: str) -> Store:
    """`sqlite:///FILE` (a fourth slash for a path from the root) or `postgresql://...`."""
    path = path_of(url)
    if path is not None:
        from openplan.server.store.sqlite import SqliteStore

        return SqliteStore(path)
    if url.startswith(("postgresql://", "postgres://")):
        from openplan.server.store.postgres import PostgresStore

        return PostgresStore(url)
    raise StoreError("a store is named sqlite:///FILE or postgresql://USER@HOST/NAME")
