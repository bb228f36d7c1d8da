"""One module writes a table of the schema; people.belongings, which moves and forgets a person
everywhere, and tables.clearing, which removes all of a table, may write all."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import openplan
from openplan.server.store.schema import metadata

SOURCES = Path(openplan.__file__).parent
BESIDES = {"server/people/belongings.py", "server/tables/clearing.py"}


def written_in(source: str) -> set[str]:
    """The tables that a module writes, by SQL or by `tx.change`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(re.findall(r"\b(?:INSERT INTO|DELETE FROM|UPDATE) (\w+)", node.value))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "change"
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            found.add(str(node.args[0].value))
    return found & set(metadata.tables)


def test_one_module_writes_a_table() -> None:
    writers: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCES.rglob("*.py")):
        name = path.relative_to(SOURCES).as_posix()
        if "migrations" not in path.parts and name not in BESIDES:
            for table in written_in(path.read_text()):
                writers[table].append(name)
    assert set(writers) == set(metadata.tables), "a table that nobody writes"
    assert {table: names for table, names in writers.items() if len(names) > 1} == {}


def test_writes_are_found_in_sql_and_in_changes() -> None:
    source = """
tx.execute(f"UPDATE seats SET {x} = ?")
tx.execute("DELETE FROM " "users")
tx.execute("INSERT INTO notes (a)" " VALUES (?)")
tx.change("tables", {}, {})
tx.rows(int, "SELECT 1 FROM chat")
"""
    assert written_in(source) == {"seats", "users", "notes", "tables"}
