"""Bringing a store's tables up to date, by alembic, while old programs may still be running on it.

So a revision only adds: tables, indexes, columns that may be empty or have a default. What nobody
uses any more goes away in a later release than the one that stopped using it. For the same reason a
program that finds a newer revision than its own carries on.

Alembic writes the SQL and the store runs it, in one transaction, over the connection of all other
work: a migration that is cut short has not happened, and no second SQLite opens the file.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from openplan.server.store import Store, StoreError, Tx

HEAD: Final = "0020"
"""The newest revision. Known here so that a start with nothing to do need not load alembic."""

# Any number that nothing else locks: on PostgreSQL several processes may start at once.
_LOCK: Final = 4_701_522
_ANOTHERS: Final = "the database has tables of another program: give Open Plan one of its own"


async def migrate(store: Store) -> str:
    """Bring the tables to the newest revision known here; the revision they had before."""
    found = await store.read(lambda tx: revision(store, tx))
    if found == HEAD:
        return found
    return await store.transact(lambda tx: _upgrade(store, tx), serializable=False)


def revision(store: Store, tx: Tx) -> str:
    """The revision of the tables; empty if there are none."""
    if not tx.row(int, store.has_table, "alembic_version"):
        return ""
    found = tx.rows(str, "SELECT version_num FROM alembic_version")
    if len(found) != 1 or not re.fullmatch("[0-9]{4}", found[0]):
        raise StoreError(_ANOTHERS)
    return found[0]


def _upgrade(store: Store, tx: Tx) -> str:
    if store.dialect == "postgresql":
        tx.execute("SELECT pg_advisory_xact_lock(?)", _LOCK)
    found = revision(store, tx)
    if not found and _is_anothers(store, tx):
        raise StoreError(_ANOTHERS)
    for statement in statements(store.dialect, found):
        tx.execute(statement)
    return found


def _is_anothers(store: Store, tx: Tx) -> bool:
    """Whether there are tables with our names that no revision of ours has made."""
    from openplan.server.store.schema import metadata

    return any(tx.row(int, store.has_table, name) for name in metadata.tables)


def statements(dialect: str, found: str) -> list[str]:
    """What leads from a revision to the newest, in SQL."""
    from alembic.config import Config
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    if found and found not in {known.revision for known in script.walk_revisions()}:
        return []
    written = _Statements()
    context = MigrationContext.configure(
        dialect_name=dialect,
        opts={
            "as_sql": True,
            "starting_rev": found or None,
            "fn": lambda revisions, _context: script._upgrade_revs("head", revisions),
            "output_buffer": written,
        },
    )
    with Operations.context(context):
        context.run_migrations()
    return written.statements


class _Statements:
    """Alembic writes one statement at a time, and comments."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def write(self, text: str) -> None:
        statement = text.strip().removesuffix(";")
        if statement and not statement.startswith("--"):
            self.statements.append(statement)

    def flush(self) -> None:
        """Nothing waits here."""
