"""What is to be done later, by whichever process comes first: jobs and wake-ups.

A job is a row written in the transaction that gave rise to it, so that it is there exactly if its
cause is. A worker takes it on lease: the job is not due again until the lease has ended. If the
worker dies, the lease ends and somebody else takes it; so a job may be done twice, and what it does
must be harmless then. Whoever comes back after its lease has ended has nothing to finish any more.

All functions work within a transaction of the caller's. Those that claim lock what they take and
leave out what others hold: run them with `serializable=False`.
"""

from __future__ import annotations

import json
import random
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from openplan.server.clock import HOUR, SECOND
from openplan.server.store import Tx
from openplan.server.store.rows import JobRow

FIRST_WAIT: Final = SECOND
LONGEST_WAIT: Final = HOUR


@dataclass(frozen=True, slots=True)
class Job:
    """A job on lease."""

    id: int
    kind: str
    ident: str
    payload: Mapping[str, Any]
    tries: int
    """How often it was taken, this time included."""
    lease: str


def add(
    tx: Tx, kind: str, ident: str, payload: Mapping[str, Any], *, now: int, due_at: int = 0
) -> int:
    """Have something done at `due_at`, or as soon as possible; its number."""
    (number,) = tx.rows(
        int,
        "INSERT INTO outbox (kind, ident, payload, due_at, created_at) VALUES (?, ?, ?, ?, ?)"
        " RETURNING id",
        kind,
        ident,
        json.dumps(payload),
        due_at or now,
        now,
    )
    return number


def rewrite(tx: Tx, number: int, payload: Mapping[str, Any]) -> None:
    """What is to be done then, where nobody has taken it up yet."""
    tx.change("outbox", {"id": number}, {"payload": json.dumps(payload)})


def claim(tx: Tx, kind: str, *, now: int, lease_for: int, limit: int = 1) -> list[Job]:
    """Take up to so many due jobs, the longest due first."""
    due = tx.rows(
        JobRow,
        "SELECT id, kind, ident, payload, tries FROM outbox"  # noqa: S608 - of constants
        " WHERE kind = ? AND due_at <= ? ORDER BY due_at, id LIMIT ? " + tx.skip_locked,
        kind,
        now,
        limit,
    )
    return [_leased(tx, row, now, lease_for) for row in due]


def _leased(tx: Tx, row: JobRow, now: int, lease_for: int) -> Job:
    job = Job(
        row.id, row.kind, row.ident, json.loads(row.payload), row.tries + 1, secrets.token_hex()
    )
    tx.execute(
        "UPDATE outbox SET lease = ?, due_at = ?, tries = ? WHERE id = ?",
        job.lease,
        now + lease_for,
        job.tries,
        job.id,
    )
    return job


def take(tx: Tx, number: int, *, now: int, lease_for: int) -> Job | None:
    """Take this one, if it is still due and nobody else has it."""
    row = tx.row(
        JobRow,
        "SELECT id, kind, ident, payload, tries FROM outbox WHERE id = ? AND due_at <= ?"  # noqa: S608 - of constants
        + tx.skip_locked,
        number,
        now,
    )
    return None if row is None else _leased(tx, row, now, lease_for)


def done(tx: Tx, job: Job) -> bool:
    """Strike a job off. False if the lease is no longer ours: then nothing of it may be kept."""
    return bool(
        tx.rows(
            int, "DELETE FROM outbox WHERE id = ? AND lease = ? RETURNING id", job.id, job.lease
        )
    )


def keep(tx: Tx, job: Job, *, now: int, lease_for: int) -> bool:
    """Have it longer than was asked for. False as for `done`."""
    return bool(
        tx.rows(
            int,
            "UPDATE outbox SET due_at = ? WHERE id = ? AND lease = ? RETURNING id",
            now + lease_for,
            job.id,
            job.lease,
        )
    )


def settle(
    tx: Tx,
    ident: str,
    kinds: Collection[str],
    wanted: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    now: int,
) -> None:
    """Of these kinds this alone waits there: what waits already keeps its place, what else waits
    goes, and what somebody has taken up goes on."""
    asked = [(kind, json.dumps(payload)) for kind, payload in wanted]
    marks = ", ".join("?" for _ in kinds)
    waiting = tx.rows(
        tuple[int, str, str],
        f"SELECT id, kind, payload FROM outbox WHERE ident = ? AND kind IN ({marks})"  # noqa: S608
        " AND lease IS NULL",
        ident,
        *kinds,
    )
    for number, kind, payload in waiting:
        if (kind, payload) in asked:
            asked.remove((kind, payload))
        else:
            drop(tx, number)
    for kind, payload in asked:
        add(tx, kind, ident, json.loads(payload), now=now)


def drop(tx: Tx, number: int) -> None:
    """It is not to be done any more."""
    tx.execute("DELETE FROM outbox WHERE id = ?", number)


def retry(tx: Tx, job: Job, trouble: str, *, now: int) -> bool:
    """It did not work out; later again, each time after a longer wait. False as for `done`."""
    return bool(
        tx.rows(
            int,
            "UPDATE outbox SET lease = NULL, due_at = ?, trouble = ? WHERE id = ? AND lease = ?"
            " RETURNING id",
            now + wait_after(job.tries),
            trouble,
            job.id,
            job.lease,
        )
    )


def wait_after(tries: int) -> int:
    """How long to wait after so many tries: twice as long each time, a little by chance so that not
    all come back at once."""
    wait: int = min(FIRST_WAIT * 2 ** min(tries - 1, 20), LONGEST_WAIT)
    return wait + random.randrange(wait // 4)


# -- Wake-ups --------------------------------------------------------------------------------


def wake(tx: Tx, table: str, due_at: int | None) -> None:
    """Set when a table is to be looked at next; `None`: not at all. There is one time for each."""
    if due_at is None:
        tx.execute("DELETE FROM deadlines WHERE table_id = ?", table)
    else:
        tx.execute(
            "INSERT INTO deadlines (table_id, due_at) VALUES (?, ?)"
            " ON CONFLICT (table_id) DO UPDATE SET due_at = excluded.due_at",
            table,
            due_at,
        )


def postpone(tx: Tx, start: int, length: int, table: str | None) -> None:
    """Wake-ups that were to come after `start` come later by that, at one table or at all."""
    tx.execute(
        "UPDATE deadlines SET due_at = due_at + ?"
        " WHERE due_at > ? AND table_id = COALESCE(?, table_id)",
        length,
        start,
        table,
    )


def claim_due(tx: Tx, *, now: int, lease_for: int, limit: int = 100) -> list[str]:
    """The tables that are to be looked at now. Each is due again after the lease, unless looking at
    it sets another time by `wake`."""
    tables = tx.rows(
        str,
        "SELECT table_id FROM deadlines"  # noqa: S608 - of constants
        " WHERE due_at <= ? ORDER BY due_at LIMIT ? " + tx.skip_locked,
        now,
        limit,
    )
    for table in tables:
        tx.execute("UPDATE deadlines SET due_at = ? WHERE table_id = ?", now + lease_for, table)
    return tables


def next_due(tx: Tx, kind: str | None = None) -> int | None:
    """When the next job of a kind falls due, or the next wake-up without one: how long to sleep."""
    if kind is None:
        return tx.row(int, "SELECT min(due_at) FROM deadlines")
    return tx.row(int, "SELECT min(due_at) FROM outbox WHERE kind = ?", kind)
