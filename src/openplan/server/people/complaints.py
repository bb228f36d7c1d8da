"""Complaints: abuse that somebody reports, for the operator alone to read."""

from __future__ import annotations

from typing import Final

from openplan.core.game import Illegal
from openplan.server.clock import DAY
from openplan.server.errors import TooMany
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.texts import readable

MOST_A_DAY: Final = 20
"""Of one person's."""
MAX_LENGTH: Final = 2_000


def complain(tx: Tx, person: Person, about: str, table: str, text: str, now: int) -> None:
    """Something that whoever runs the site should look at; nobody else learns of it. The caller has
    seen to it that the person may know of the table, if one is named."""
    found = accounts.somebody(tx, about)
    if found.id == person.id:
        raise refused(Illegal, "yourself")
    text = readable(text.strip(), MAX_LENGTH, breaks="\n\t")
    counted = "SELECT COUNT(*) FROM reports WHERE user_id = ? AND at > ?"
    (number,) = tx.rows(int, counted, person.id, now - DAY)
    if number >= MOST_A_DAY:
        raise TooMany
    tx.execute(
        "INSERT INTO reports (user_id, about_id, table_id, text, at) VALUES (?, ?, ?, ?, ?)",
        person.id,
        found.id,
        table or None,
        text,
        now,
    )


def close_complaint(tx: Tx, number: int, *, now: int) -> None:
    closing = "UPDATE reports SET closed_at = ? WHERE id = ? AND closed_at IS NULL RETURNING id"
    if not 0 < number < 1 << 62 or not tx.rows(int, closing, now, number):
        raise refused(Illegal, "report", "no-report", number=number)
