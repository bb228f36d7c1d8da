"""Typed rows: as the schema has them, and refused where a query gives something else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import NoneType
from typing import get_args, get_type_hints

import msgspec
import pytest

from openplan.server.store import open_store
from openplan.server.store.migrations import migrate
from openplan.server.store.rows import OF, USER, UserRow
from openplan.server.store.schema import metadata
from tests.server.conftest import checked_maker


@pytest.mark.parametrize("kind", OF, ids=lambda kind: kind.__name__)
def test_a_row_has_columns_of_the_schema_with_their_types(kind: type[msgspec.Struct]) -> None:
    table = metadata.tables[OF[kind]]
    for name, hint in get_type_hints(kind).items():
        column = table.c[name]
        kinds = {*get_args(hint)} or {hint}
        assert (NoneType in kinds) == bool(column.nullable), name
        (plain,) = kinds - {NoneType}
        assert getattr(plain, "__supertype__", plain) is column.type.python_type, name


@pytest.mark.parametrize(
    ("sql", "is_fine"),
    [
        (USER, True),
        ("SELECT * FROM users WHERE id = ?", True),
        ("SELECT id, kind FROM users WHERE id = ?", False),
        (USER.replace("kind, name", "name, kind"), False),
    ],
)
def test_a_query_gives_what_its_row_says_or_is_refused(
    tmp_path: Path, sql: str, is_fine: bool
) -> None:
    async def go() -> UserRow | None:
        store = open_store(f"sqlite:///{tmp_path / 'store.db'}")
        await migrate(store)
        user = "INSERT INTO users (id, kind, name, created_at) VALUES ('u', 'guest', 'Zoë', 5)"
        await store.transact(lambda tx: tx.execute(user))
        try:
            return await store.read(lambda tx: tx.row(UserRow, sql, "u"))
        finally:
            await store.close()

    if is_fine:
        found = asyncio.run(go())
        assert found is not None
        assert (found.name, found.created_at, found.email, found.zone) == ("Zoë", 5, None, "UTC")
    else:
        with pytest.raises(TypeError, match="a query for UserRow gives"):
            asyncio.run(go())


@pytest.mark.parametrize(
    ("kind", "row"),
    [(int, ("1",)), (tuple[str, int], ("a", None)), (tuple[str, bool], ("a", "yes"))],
)
def test_a_row_of_other_types_than_were_asked_for_is_noticed_here(
    kind: type[object], row: tuple[object, ...]
) -> None:
    with pytest.raises(AssertionError, match="Expected"):
        checked_maker(("a", "b")[: len(row)], kind)(row)
