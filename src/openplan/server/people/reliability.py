"""How people keep to their time: what the clock notes at each table, and what a profile says of it.

Only time by days counts: whoever plays by a live clock is there anyway.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from openplan.server.store import Tx

What = Literal["on_time", "reminded", "late", "abandoned"]
"""A move in time, a reminder sent, a deadline that passed, a seat left or taken away for absence.
A move after a reminder is in time too, and noted as both."""


class Reliability(msgspec.Struct, frozen=True):
    on_time: int = 0
    reminded: int = 0
    late: int = 0
    abandoned: int = 0
    percent: int | None = None
    """How many of all moves came in time; not known before there has been one."""


def note(tx: Tx, user: str, table: str, what: What, now: int) -> None:
    """One more of these, in the transaction of what it is about."""
    tx.execute(
        f"INSERT INTO reliability (user_id, table_id, {what}, at) VALUES (?, ?, 1, ?)"  # noqa: S608 - one of four
        f" ON CONFLICT (user_id, table_id) DO UPDATE SET {what} = reliability.{what} + 1,"
        " at = excluded.at",
        user,
        table,
        now,
    )


def of(tx: Tx, user: str) -> Reliability:
    ((on_time, reminded, late, abandoned),) = tx.rows(
        tuple[int, int, int, int],
        "SELECT COALESCE(SUM(on_time), 0), COALESCE(SUM(reminded), 0), COALESCE(SUM(late), 0),"
        " COALESCE(SUM(abandoned), 0) FROM reliability WHERE user_id = ?",
        user,
    )
    asked = on_time + late + abandoned
    percent = 100 * on_time // asked if asked else None
    return Reliability(on_time, reminded, late, abandoned, percent)


def has_abandoned(tx: Tx, user: str, table: str) -> bool:
    """Whether somebody left a seat there, or lost it."""
    select = "SELECT abandoned FROM reliability WHERE user_id = ? AND table_id = ?"
    return bool(tx.row(int, select, user, table))
