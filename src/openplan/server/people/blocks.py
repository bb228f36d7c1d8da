"""People among themselves: whom somebody does not want to meet or to hear, and reports.

Whoever is blocked or muted is answered as if nothing were so: what they say is kept and shown to
themselves and all others, and a seat they may not have is a seat that is not free.
"""

from __future__ import annotations

from typing import Final, Literal

from openplan.core.game import Illegal
from openplan.server.errors import Missing, TooMany
from openplan.server.people.accounts import DAY, Person
from openplan.server.refusals import refused
from openplan.server.store import Row, Tx
from openplan.server.store.rows import USER, UserRow
from openplan.server.tables.access import TOKEN, Place, find
from openplan.server.tables.chat import readable

Kind = Literal["block", "mute"]
MOST_SHUNNED: Final = 1_000
MOST_REPORTS: Final = 20
"""In a day, of one person's."""
MAX_REPORT: Final = 2_000


def somebody(tx: Tx, person: str) -> UserRow:
    row = None
    if TOKEN.fullmatch(person):
        row = tx.row(UserRow, USER, person)
    if row is None:
        raise Missing
    return row


def shun(tx: Tx, person: Person, other: str, kind: Kind, now: int) -> None:
    """To block is to mute too. What was said last holds."""
    found = somebody(tx, other)
    if found.id == person.id:
        raise refused(Illegal, "yourself")
    if len(shunned_by(tx, person)) >= MOST_SHUNNED:
        raise refused(Illegal, "shunned", most=MOST_SHUNNED)
    tx.execute(
        "INSERT INTO shunned (user_id, other_id, kind, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (user_id, other_id) DO UPDATE SET kind = excluded.kind, at = excluded.at",
        person.id,
        found.id,
        kind,
        now,
    )


def forgive(tx: Tx, person: Person, other: str) -> None:
    found = somebody(tx, other)
    tx.execute("DELETE FROM shunned WHERE user_id = ? AND other_id = ?", person.id, found.id)


def shunned_by(tx: Tx, person: Person) -> list[Row]:
    return tx.execute(
        "SELECT shunned.other_id, shunned.kind, shunned.at, users.name FROM shunned"
        " JOIN users ON users.id = shunned.other_id WHERE shunned.user_id = ?"
        " ORDER BY shunned.at, shunned.other_id",
        person.id,
    )


def who_blocks(tx: Tx, place: Place, user: str) -> str | None:
    """Who does not want this meeting: somebody at the table, or the user."""
    for other in [place.row.owner_id, *(seat.user_id for seat in place.seats)]:
        found = tx.execute(
            "SELECT user_id FROM shunned WHERE kind = 'block'"
            " AND (user_id = ? AND other_id = ? OR user_id = ? AND other_id = ?)"
            " ORDER BY user_id",
            user,
            other or "",
            other or "",
            user,
        )
        if found:
            blockers = {one.user_id for one in found}
            return user if user in blockers else str(other)
    return None


def silenced(tx: Tx, user: str) -> frozenset[str]:
    """Whom somebody does not want to hear."""
    rows = tx.execute("SELECT other_id FROM shunned WHERE user_id = ?", user)
    return frozenset(row.other_id for row in rows)


def taken() -> Illegal:
    return refused(Illegal, "taken")


def report(tx: Tx, person: Person, about: str, table: str, text: str, now: int) -> None:
    """Something that whoever runs the site should look at; nobody else learns of it."""
    found = somebody(tx, about)
    if found.id == person.id:
        raise refused(Illegal, "yourself")
    if table:
        find(tx, table, person)
    text = readable(text.strip(), MAX_REPORT, breaks="\n\t")
    (row,) = tx.execute(
        "SELECT COUNT(*) AS number FROM reports WHERE user_id = ? AND at > ?", person.id, now - DAY
    )
    if row.number >= MOST_REPORTS:
        raise TooMany
    tx.execute(
        "INSERT INTO reports (user_id, about_id, table_id, text, at) VALUES (?, ?, ?, ?, ?)",
        person.id,
        found.id,
        table or None,
        text,
        now,
    )
