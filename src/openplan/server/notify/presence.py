"""Who is at a table just now: has its page before them and has lately done something there. Such a
person sees what happens and is not told of it."""

from __future__ import annotations

from typing import Final

from openplan.server.clock import MINUTE
from openplan.server.store import Tx

LASTS: Final = 2 * MINUTE
"""The page says it about once a minute."""


def note(tx: Tx, user: str, table: str, now: int) -> None:
    tx.execute(
        "INSERT INTO presence (user_id, table_id, until_at) VALUES (?, ?, ?)"
        " ON CONFLICT (user_id, table_id) DO UPDATE SET until_at = excluded.until_at",
        user,
        table,
        now + LASTS,
    )


def leave(tx: Tx, user: str, table: str) -> None:
    tx.execute("DELETE FROM presence WHERE user_id = ? AND table_id = ?", user, table)


def is_here(until: int | None, now: int) -> bool:
    """Of a row, if there is one. Nobody is here for longer than that: a clock that was ahead when
    it was written is not believed."""
    return until is not None and now < until <= now + LASTS


def sweep(tx: Tx, now: int) -> None:
    tx.execute("DELETE FROM presence WHERE until_at < ?", now)
