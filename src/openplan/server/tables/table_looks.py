"""Who has opened a table. It is noted beside the request that looks, once, and asked when somebody
is to lead the table."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import Final

from openplan.server.store import Store, StoreError, Tx

KEPT: Final = 20_000


class Looks:
    """Notes who looks; what was noted lately is not written again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: OrderedDict[tuple[str, str], None] = OrderedDict()

    async def note(self, table: str, user: str | None, now: int) -> None:
        if user is None or (table, user) in self._noted:
            return
        with suppress(StoreError):  # who reads while nothing can be kept is not kept from reading
            await self._store.transact(lambda tx: _note(tx, table, user, now))
            self._noted[table, user] = None
        while len(self._noted) > KEPT:
            self._noted.popitem(last=False)


def _note(tx: Tx, table: str, user: str, now: int) -> None:
    tx.execute(
        "INSERT INTO table_looks (table_id, user_id, at) VALUES (?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO NOTHING",
        table,
        user,
        now,
    )


def seen_by(tx: Tx, table: str) -> list[str]:
    return tx.rows(str, "SELECT user_id FROM table_looks WHERE table_id = ?", table)
