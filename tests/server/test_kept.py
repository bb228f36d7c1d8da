"""Rows that the one writer knows: whatever changes them is seen, and what came to nothing is not
believed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

import openplan.server
from openplan.server.store import Store, Tx, open_store
from openplan.server.store.kept import _OWNERS, Kept, RowsChanged, change_by
from openplan.server.store.migrations import migrate
from openplan.server.store.schema import metadata
from openplan.server.store.sqlite import SqliteStore, SqliteTx, connect

T = TypeVar("T")

SEATS = "SELECT name FROM seats WHERE table_id = ? ORDER BY seat"


def run(work: Awaitable[T]) -> T:
    async def go() -> T:
        return await work

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("sql", "change"),
    [
        ("SELECT 1 FROM seats", None),
        ("INSERT INTO seats (table_id, seat) VALUES (?, ?)", RowsChanged("seats", True)),
        ("INSERT INTO seats (seat, name) VALUES (?, ?)", RowsChanged("seats", False)),
        ("INSERT INTO seats SELECT * FROM seats", RowsChanged("", False)),
        ("UPDATE seats SET name = ? WHERE table_id = ? AND seat = ?", RowsChanged("seats", True)),
        ("UPDATE seats SET table_id = ?", RowsChanged("seats", False)),
        ("UPDATE seats SET name = ? WHERE user_id = ?", RowsChanged("seats", False)),
        ("UPDATE seats SET name = ? WHERE table_id = ? OR seat = ?", RowsChanged("seats", False)),
        ("UPDATE tables SET state = ? WHERE id = ?", RowsChanged("tables", True)),
        ("UPDATE tables SET master_id = NULL WHERE master_id = ?", RowsChanged("tables", False)),
        ("DELETE FROM press WHERE table_id = ?", RowsChanged("press", True)),
        ("DELETE FROM press", RowsChanged("press", False)),
        ("DELETE FROM sessions WHERE user_id = ? AND id <> ? RETURNING id",
         RowsChanged("sessions", False)),
        ("UPDATE users SET name = ? WHERE id = ?", RowsChanged("users", False)),
        ("INSERT INTO users (id, kind) VALUES (?, ?)", RowsChanged("users", True)),
        ("INSERT INTO users (id) VALUES (?) ON CONFLICT (id) DO UPDATE SET kind = 'a'",
         RowsChanged("users", False)),
        ("WITH all_of AS (SELECT 1) DELETE FROM seats", RowsChanged("", False)),
        ("REPLACE INTO seats (table_id) VALUES (?)", RowsChanged("", False)),
        ("CREATE TABLE seats (id)", RowsChanged("", False)),
    ],
)  # fmt: skip
def test_what_a_statement_writes_is_known(sql: str, change: RowsChanged | None) -> None:
    assert change_by(sql) == change


def test_rows_are_owned_by_columns_that_there_are() -> None:
    for table, column in _OWNERS.items():
        assert column in metadata.tables[table].columns


def test_every_statement_of_the_program_that_writes_names_its_table() -> None:
    """None is written in a way of which all that can be said is that it writes something."""
    found = 0
    for file in Path(openplan.server.__file__).parent.rglob("*.py"):
        for text in re.findall(r'"((?:INSERT|UPDATE|DELETE) [^"]*)"', file.read_text()):
            begun = re.fullmatch(r"(?:INSERT INTO|UPDATE|DELETE FROM) [a-z_{}]+\b.*", text)
            found += 1
            # Within ON CONFLICT, where the table is named before.
            assert begun or text.startswith("UPDATE SET"), (file.name, text)
    assert found > 100


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    run(migrate(made))

    def fill(tx: Tx) -> None:
        for user in ("ann", "bob"):
            tx.execute(
                "INSERT INTO users (id, kind, name, created_at) VALUES (?, 'guest', ?, 0)",
                user,
                user,
            )
        for table in ("t", "other"):
            tx.execute(
                "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text,"
                " state, created_at, changed_at) VALUES (?, 'g', 1, 'd', '', '', 'x', 0, 0)",
                table,
            )
            tx.execute("INSERT INTO seats (table_id, seat, name) VALUES (?, 0, 'first')", table)

    run(made.transact(fill))
    yield made
    run(made.close())


def names(tx: Tx) -> list[str]:
    return tx.kept("t", str, SEATS, "t")


def of_other(tx: Tx) -> list[str]:
    return tx.kept("other", str, SEATS, "other")


def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that reach the database."""
    monkeypatch.setattr(Kept, "checks", False)
    found: list[str] = []
    execute = SqliteTx._execute

    def noted(self: SqliteTx, sql: str, params: tuple[str, ...], kind: type[str]) -> list[str]:
        found.append(sql)
        return execute(self, sql, params, kind)

    monkeypatch.setattr(SqliteTx, "_execute", noted)
    return found


def test_what_did_not_change_is_not_asked_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = asked(monkeypatch)
    for _ in range(3):
        assert run(store.transact(names)) == ["first"]
        assert run(store.read_short(names)) == ["first"]
    assert statements == [SEATS]
    # A reader sees a state of its own, and asks.
    assert run(store.read(names)) == ["first"]
    assert statements.count(SEATS) == 2


@pytest.mark.parametrize(
    ("sql", "params", "keeps_other"),
    [
        ("UPDATE seats SET name = ? WHERE table_id = ? AND seat = 0", ("new", "t"), True),
        ("UPDATE seats SET name = ? WHERE name = 'first'", ("new",), False),
        ("INSERT INTO seats (table_id, seat, name) VALUES (?, 1, 'more')", ("t",), True),
        ("DELETE FROM seats WHERE table_id = ?", ("t",), True),
        ("UPDATE tables SET state = ? WHERE id = ?", ("new", "t"), True),
    ],
)
def test_whatever_changes_it_is_seen(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    sql: str,
    params: tuple[str, ...],
    keeps_other: bool,
) -> None:
    statements = asked(monkeypatch)

    def work(tx: Tx) -> None:
        names(tx)
        of_other(tx)
        tx.execute(sql, *params)
        assert names(tx) == tx.rows(str, SEATS, "t")
        statements.clear()
        assert of_other(tx) == tx.rows(str, SEATS, "other")
        assert len(statements) == (1 if keeps_other else 2)

    run(store.transact(work))
    assert run(store.transact(names)) == run(store.read(lambda tx: tx.rows(str, SEATS, "t")))


def test_what_came_to_nothing_is_not_believed(store: Store) -> None:
    def fail(tx: Tx) -> None:
        tx.execute("UPDATE seats SET name = 'never' WHERE table_id = ?", "t")
        assert names(tx) == ["never"]
        raise ZeroDivisionError

    assert run(store.transact(names)) == ["first"]
    with pytest.raises(ZeroDivisionError):
        run(store.transact(fail))
    assert run(store.transact(names)) == ["first"]


def test_who_writes_beside_us_is_noticed(store: Store) -> None:
    assert isinstance(store, SqliteStore)
    assert run(store.transact(names)) == ["first"]
    other = connect(store.path)
    other.execute("UPDATE seats SET name = 'beside'")
    other.close()
    assert run(store.transact(names)) == ["beside"]
    assert run(store.read_short(names)) == ["beside"]


def test_the_check_of_the_tests_finds_what_is_wrongly_kept(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a change that is not seen, as if somebody had forgotten it."""
    blind: Callable[..., bool] = lambda *_: False  # noqa: E731
    monkeypatch.setattr(Kept, "wrote", blind)

    def work(tx: Tx) -> None:
        names(tx)
        tx.execute("UPDATE seats SET name = 'new' WHERE table_id = ?", "t")
        names(tx)

    with pytest.raises(AssertionError, match="kept, but not so"):
        run(store.transact(work))
