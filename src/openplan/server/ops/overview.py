"""How the site does: its health, its queues, the next deadlines, and complaints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from openplan.server.clock import DAY
from openplan.server.notify import mailboxes
from openplan.server.notify.mailboxes import IgnoredMail, MailboxSight
from openplan.server.store import Tx
from openplan.server.store.migrations import HEAD
from openplan.server.tables.access import FROZEN

LAST: Final = 5
"""Mails left unanswered that are told with the rest."""


@dataclass(frozen=True, slots=True)
class Health:
    revision: str
    tables: dict[str, int]
    """How many are in each state."""
    users: int
    guests: int
    grown: dict[str, int]
    """What came within a day, by its kind."""
    entries: int
    waiting: int
    """Jobs that are overdue."""
    overdue: int
    """Wake-ups that are overdue."""
    mailboxes: list[MailboxSight]
    ignored: list[IgnoredMail]
    """The last mails that were not answered, the newest first."""

    @property
    def is_good(self) -> bool:
        is_read = not any(box.trouble for box in self.mailboxes)
        return self.revision == HEAD and FROZEN not in self.tables and is_read


def health(tx: Tx, now: int) -> Health:
    def count(sql: str, *params: int) -> int:
        (number,) = tx.rows(int, sql, *params)
        return number

    states = "SELECT state, count(*) FROM tables GROUP BY state ORDER BY state"
    return Health(
        revision=tx.row(str, "SELECT version_num FROM alembic_version") or "",
        tables=dict(tx.rows(tuple[str, int], states)),
        users=count("SELECT count(*) FROM users WHERE deleted_at IS NULL"),
        guests=count("SELECT count(*) FROM users WHERE kind = 'guest' AND deleted_at IS NULL"),
        grown={
            "tables": count("SELECT count(*) FROM tables WHERE created_at > ?", now - DAY),
            "guests": count(
                "SELECT count(*) FROM users WHERE kind = 'guest' AND created_at > ?", now - DAY
            ),
            "members": count(
                "SELECT count(*) FROM users WHERE kind <> 'guest' AND created_at > ?", now - DAY
            ),
            "entries": count("SELECT count(*) FROM entries WHERE at > ?", now - DAY),
            "decks": count("SELECT count(*) FROM deck_texts WHERE used_at > ?", now - DAY),
        },
        entries=count("SELECT count(*) FROM entries"),
        waiting=count("SELECT count(*) FROM outbox WHERE due_at < ?", now),
        overdue=count("SELECT count(*) FROM deadlines WHERE due_at < ?", now),
        mailboxes=mailboxes.all_of(tx),
        ignored=mailboxes.ignored(tx, LAST),
    )


class Queue(msgspec.Struct):
    kind: str
    jobs: int
    retrying: int
    due_at: int


class DueTable(msgspec.Struct):
    table: str
    game: str
    due_at: int


class ComplaintSight(msgspec.Struct):
    number: int
    at: int
    by: str
    by_name: str
    about: str
    about_name: str
    table: str | None
    text: str


def queues(tx: Tx) -> list[Queue]:
    """What waits to be done, by its kind."""
    return tx.rows(
        Queue,
        "SELECT kind, COUNT(*) AS jobs, COUNT(trouble) AS retrying, MIN(due_at) AS due_at"
        " FROM outbox GROUP BY kind ORDER BY kind",
    )


def next_deadlines(tx: Tx) -> list[DueTable]:
    return tx.rows(
        DueTable,
        'SELECT table_id AS "table", game, due_at FROM deadlines'
        " JOIN tables ON tables.id = table_id ORDER BY due_at LIMIT 20",
    )


def complaints(tx: Tx) -> list[ComplaintSight]:
    """What nobody has closed, the oldest first."""
    return tx.rows(
        ComplaintSight,
        "SELECT reports.id AS number, at, user_id AS by, who.name AS by_name, about_id AS about,"
        ' whom.name AS about_name, table_id AS "table", text FROM reports'
        " JOIN users AS who ON who.id = user_id JOIN users AS whom ON whom.id = about_id"
        " WHERE closed_at IS NULL ORDER BY reports.id",
    )
