"""Rows that are asked for with every move and change seldom, kept in memory by a store that has one
writer: it sees every change, since it makes it.

What is kept belongs to something by its id, a table or a session. A statement that writes drops
what is kept of the ids it names, where it was read from what is written; one that does not name
whose rows it writes drops all that was read from there. So a change that nobody thought of costs
time and nothing else. In tests, whatever is found here is read once more and compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

MOST: Final = 20_000
"""Ids of which something is kept; with one more it begins anew."""

# By which column the rows of each belong to what they are kept of; a change in any other table that
# is read drops all.
_OWNERS: Final = {
    "tables": "id",
    "sessions": "id",
    "seats": "table_id",
    "standbys": "table_id",
    "press": "table_id",
    "audit": "table_id",
    "chat": "table_id",
    "drafts": "table_id",
    "seen": "table_id",
    "entries": "table_id",
    "presence": "table_id",
    "table_wishes": "table_id",
}
_READS: Final = re.compile(r"\b(?:FROM|JOIN) +(\w+)")
_INSERTS: Final = re.compile(r" *INSERT INTO (\w+) \(([^)]*)\) VALUES ")
_CHANGES: Final = re.compile(r" *(?:UPDATE|DELETE FROM) +(\w+)\b.*?(?:\bWHERE\b(.*))?", re.DOTALL)
_QUESTIONS: Final = re.compile(r" *(?:SELECT|BEGIN|PRAGMA)\b")


class RowsChanged(NamedTuple):
    """What a statement writes to: a table of the schema (any, if that cannot be said), and whether
    it names whose rows."""

    table: str
    is_named: bool


@lru_cache(maxsize=2_000)
def change_by(sql: str) -> RowsChanged | None:
    """Nothing, if it only asks."""
    if _QUESTIONS.match(sql):
        return None
    if found := _INSERTS.match(sql):
        if found[1] == "users" and "ON CONFLICT" not in sql:
            return RowsChanged("users", True)  # of somebody new nothing can be kept
        columns = [name.strip() for name in found[2].split(",")]
        return RowsChanged(found[1], _OWNERS.get(found[1]) in columns)
    if found := _CHANGES.fullmatch(sql):
        owner = _OWNERS.get(found[1])
        where = found[2] or ""
        is_named = owner is not None and re.search(rf"(?:^|[ (]){owner} = \?", where) is not None
        return RowsChanged(found[1], is_named and " OR " not in where)
    return RowsChanged("", False)


@lru_cache(maxsize=500)
def read_by(sql: str) -> frozenset[str]:
    return frozenset(_READS.findall(sql))


Key = tuple[str, tuple[Any, ...]]


class Kept:
    checks = False
    """Whether all that is found is compared with what there is."""

    def __init__(self) -> None:
        self._of: dict[str, dict[Key, list[Any]]] = {}
        self._read_from: set[str] = set()

    def find(self, of: str, key: Key) -> list[Any] | None:
        found = self._of.get(of)
        return None if found is None else found.get(key)

    def keep(self, of: str, key: Key, rows: list[Any]) -> None:
        if len(self._of) >= MOST:
            self._of.clear()
        self._read_from |= read_by(key[0])
        self._of.setdefault(of, {})[key] = rows

    def wrote(self, change: RowsChanged, params: Sequence[Any]) -> bool:
        """Drop what may be another now; whether it may have been kept at all."""
        if change.table not in self._read_from and change.table:
            return False
        if not change.is_named:
            self.drop_all()
        else:
            for param in params:
                found = self._of.get(param) if isinstance(param, str) else None
                if found is not None:
                    for key in [key for key in found if change.table in read_by(key[0])]:
                        del found[key]
        return True

    def drop_all(self) -> None:
        self._of.clear()
