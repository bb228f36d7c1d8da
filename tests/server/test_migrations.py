"""The tables: made by migrations, as the schema says, on both databases, by several at once."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine

from openplan.server.store import Store, StoreError, open_store
from openplan.server.store.migrations import HEAD, migrate, revision, statements
from openplan.server.store.schema import metadata

DIALECTS = ("sqlite", "postgresql")


def plain(statement: object) -> str:
    return " ".join(str(statement).split())


def differs(*defaults: Any) -> bool:
    """Whether a column has another default than it should: alembic's own comparison takes an empty
    text on SQLite for none."""
    found, wanted = (str(default or "").removesuffix("::text") for default in defaults[3::2])
    return found.strip("(')") != wanted.strip("(')")


def test_the_migrations_lead_to_the_schema(store_url: str) -> None:
    async def go() -> None:
        store = open_store(store_url)
        await migrate(store)
        await store.close()

    asyncio.run(go())
    engine = create_engine(store_url.replace("postgresql:", "postgresql+psycopg:", 1))
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": differs}
        context = MigrationContext.configure(connection, opts=options)
        assert compare_metadata(context, metadata) == []
    engine.dispose()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_migration_only_adds(dialect: str) -> None:
    """Old programs may still be running: what they use must stay, what they leave out must do."""
    version = r"(INSERT INTO|UPDATE) alembic_version "
    harmless = rf"CREATE (TABLE|(UNIQUE )?INDEX) |{version}|ALTER TABLE \w+ ADD "
    for statement in statements(dialect, ""):
        assert re.match(harmless, plain(statement)), statement


def test_a_store_is_migrated_once(store_url: str) -> None:
    async def go() -> None:
        store = open_store(store_url)
        assert await migrate(store) == ""
        assert await migrate(store) == HEAD
        assert await store.read(lambda tx: revision(store, tx)) == HEAD
        await store.close()

    asyncio.run(go())


def test_a_store_from_the_future_is_left_alone(store_url: str) -> None:
    async def go() -> None:
        store = open_store(store_url)
        await migrate(store)
        await store.transact(
            lambda tx: tx.execute("UPDATE alembic_version SET version_num = '9999'")
        )
        assert await migrate(store) == "9999"
        assert await store.read(lambda tx: revision(store, tx)) == "9999"
        await store.close()

    asyncio.run(go())


def test_a_migration_that_fails_has_not_happened(store_url: str) -> None:
    async def go() -> None:
        store = open_store(store_url)
        await store.transact(lambda tx: tx.execute("CREATE TABLE other (in_the_way INTEGER)"))
        way = "CREATE INDEX deadlines_by_due ON other (in_the_way)"
        await store.transact(lambda tx: tx.execute(way))
        with pytest.raises(Exception, match="already exists"):
            await migrate(store)
        assert not await store.read(lambda tx: tx.row(int, store.has_table, "tables"))
        await store.close()

    asyncio.run(go())


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE users (of_another INTEGER)",
        "CREATE TABLE alembic_version (version_num TEXT)",
        "CREATE TABLE alembic_version AS SELECT 'ae1027a6acf' AS version_num",
    ],
)
def test_a_database_of_another_program_is_left_alone(made: str, store_url: str) -> None:
    async def go() -> None:
        store = open_store(store_url)
        await store.transact(lambda tx: tx.execute(made))
        with pytest.raises(StoreError, match="another program"):
            await migrate(store)
        assert not await store.read(lambda tx: tx.row(int, store.has_table, "seats"))
        await store.close()

    asyncio.run(go())


def test_processes_that_start_at_once_migrate_once(store_url: str) -> None:
    async def go() -> None:
        stores: list[Store] = [open_store(store_url)]
        if stores[0].dialect == "postgresql":  # an SQLite file has one process
            stores += [open_store(store_url) for _ in range(2)]
        found = await asyncio.gather(*(migrate(store) for store in stores for _ in range(2)))
        assert sorted(found) == [""] + [HEAD] * (len(found) - 1)
        for store in stores:
            await store.close()

    asyncio.run(go())
