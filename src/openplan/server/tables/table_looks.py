"""Who has opened a table, by which account and in which browser. It is noted beside the request
that looks, once, and asked when somebody is to lead the table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from openplan.server.people import marks
from openplan.server.store import Store, StoreError, Tx

KEPT: Final = 20_000


class Looks:
    """Notes who looks; what was noted lately is not written again."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._noted: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    async def note(self, table: str, user: str | None, device: str, now: int) -> None:
        """`device` is the browser's mark, or empty; whoever signs in there later has looked."""
        look = (table, user or "", device)
        if not (user or device) or look in self._noted:
            return
        with suppress(StoreError):  # who reads while nothing can be kept is not kept from reading
            # A cookie that somebody made up fills nothing, and keeps no writer waiting.
            if not user and not await self._store.read(lambda tx: marks.is_known(tx, device)):
                return
            await self._store.transact(lambda tx: note(tx, *look, now))
            self._noted[look] = None
        while len(self._noted) > KEPT:
            self._noted.popitem(last=False)


def note(tx: Tx, table: str, user: str, device: str, now: int) -> None:
    if user:
        tx.execute(
            "INSERT INTO table_looks (table_id, user_id, at) VALUES (?, ?, ?)"
            " ON CONFLICT (table_id, user_id) DO NOTHING",
            table,
            user,
            now,
        )
    if device and marks.is_known(tx, device):
        tx.execute(
            "INSERT INTO device_looks (table_id, mark, at) VALUES (?, ?, ?)"
            " ON CONFLICT (table_id, mark) DO NOTHING",
            table,
            device,
            now,
        )


def has_looked(tx: Tx, table: str, people: Iterable[str]) -> bool:
    """Whether one of these has, or anybody in a browser of theirs, or gets its reports by mail."""
    select = (
        "SELECT 1 FROM table_looks WHERE table_id = ? AND user_id = ? UNION ALL"
        " SELECT 1 FROM watchers WHERE table_id = ? AND user_id = ? UNION ALL"
        " SELECT 1 FROM device_looks JOIN marks ON marks.mark = device_looks.mark"
        " WHERE device_looks.table_id = ? AND marks.user_id = ? LIMIT 1"
    )
    return any(tx.rows(int, select, *(table, user) * 3) for user in people)
