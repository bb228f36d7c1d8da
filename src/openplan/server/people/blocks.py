"""Blocks and mutes: whom somebody does not want to meet or to hear.

Whoever is blocked or muted is answered as if nothing were so: what they say is kept and shown to
themselves and all others, and a seat they may not have is a seat that is not free.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from openplan.core.game import Illegal
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx

Kind = Literal["block", "mute"]
MOST_SHUNNED: Final = 1_000


class Shunned(msgspec.Struct):
    person: str
    name: str
    kind: str
    at: int


def shun(tx: Tx, person: Person, other: str, kind: Kind, now: int) -> None:
    """To block is to mute too. What was said last holds."""
    found = accounts.somebody(tx, other)
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
    found = accounts.somebody(tx, other)
    tx.execute("DELETE FROM shunned WHERE user_id = ? AND other_id = ?", person.id, found.id)


def shunned_by(tx: Tx, person: Person) -> list[Shunned]:
    return tx.rows(
        Shunned,
        "SELECT shunned.other_id AS person, users.name, shunned.kind, shunned.at FROM shunned"
        " JOIN users ON users.id = shunned.other_id WHERE shunned.user_id = ?"
        " ORDER BY shunned.at, shunned.other_id",
        person.id,
    )


def who_blocks(tx: Tx, others: Iterable[str | None], user: str) -> str | None:
    """Who does not want this meeting: one of the others, or the user."""
    for other in others:
        blockers = tx.rows(
            str,
            "SELECT user_id FROM shunned WHERE kind = 'block'"
            " AND (user_id = ? AND other_id = ? OR user_id = ? AND other_id = ?)"
            " ORDER BY user_id",
            user,
            other or "",
            other or "",
            user,
        )
        if blockers:
            return user if user in blockers else str(other)
    return None


def silenced(tx: Tx, user: str) -> frozenset[str]:
    """Whom somebody does not want to hear."""
    return frozenset(tx.rows(str, "SELECT other_id FROM shunned WHERE user_id = ?", user))


def taken() -> Illegal:
    return refused(Illegal, "taken")
