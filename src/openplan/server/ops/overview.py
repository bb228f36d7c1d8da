"""How the site does: its health, its queues, the next deadlines, and complaints."""

from __future__ import annotations

from dataclasses import dataclass

from openplan.core.game import Illegal
from openplan.server.store import Row, Tx
from openplan.server.store.migrations import HEAD
from openplan.server.tables.access import FROZEN


@dataclass(frozen=True, slots=True)
class Health:
    revision: str
    tables: dict[str, int]
    """How many are in each state."""
    users: int
    entries: int
    waiting: int
    """Jobs that are overdue."""
    overdue: int
    """Wake-ups that are overdue."""

    @property
    def is_good(self) -> bool:
        return self.revision == HEAD and FROZEN not in self.tables


def health(tx: Tx, now: int) -> Health:
    def count(sql: str, *params: int) -> int:
        number: int = tx.execute(sql, *params)[0][0]
        return number

    states = tx.execute("SELECT state, count(*) AS number FROM tables GROUP BY state")
    return Health(
        revision=str(tx.execute("SELECT version_num FROM alembic_version")[0][0]),
        tables={row.state: row.number for row in sorted(states)},
        users=count("SELECT count(*) FROM users WHERE deleted_at IS NULL"),
        entries=count("SELECT count(*) FROM entries"),
        waiting=count("SELECT count(*) FROM outbox WHERE due_at < ?", now),
        overdue=count("SELECT count(*) FROM deadlines WHERE due_at < ?", now),
    )


def queues(tx: Tx) -> list[Row]:
    """What waits to be done, by its kind."""
    return tx.execute(
        "SELECT kind, COUNT(*) AS jobs, COUNT(trouble) AS retrying, MIN(due_at) AS due_at"
        " FROM outbox GROUP BY kind ORDER BY kind"
    )


def next_deadlines(tx: Tx) -> list[Row]:
    return tx.execute(
        "SELECT deadlines.table_id, tables.game, deadlines.due_at FROM deadlines"
        " JOIN tables ON tables.id = deadlines.table_id ORDER BY deadlines.due_at LIMIT 20"
    )


def complaints(tx: Tx) -> list[Row]:
    """What nobody has closed, the oldest first."""
    return tx.execute(
        "SELECT reports.id, reports.at, reports.table_id, reports.text, reports.user_id,"
        " reports.about_id, who.name AS who, about.name AS about FROM reports"
        " JOIN users AS who ON who.id = reports.user_id"
        " JOIN users AS about ON about.id = reports.about_id"
        " WHERE reports.closed_at IS NULL ORDER BY reports.id"
    )


def close_complaint(tx: Tx, number: int, *, now: int) -> None:
    closing = "UPDATE reports SET closed_at = ? WHERE id = ? AND closed_at IS NULL RETURNING id"
    if not 0 < number < 1 << 62 or not tx.execute(closing, now, number):
        raise Illegal("report", f"there is no open report {number}")
