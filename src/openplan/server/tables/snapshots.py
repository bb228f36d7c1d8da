"""Snapshots of matches in the store: caches, so that after a start a match comes into memory by
its snapshot and the tail of its log.

The log decides. A snapshot is of one program, one set of rules and one log, by its hash; any other
is passed over, as is one that cannot be read, and the match is replayed from its start.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

import structlog

import openplan
from openplan.core import snapshot
from openplan.core.game import Seat
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.server.store import Tx
from openplan.server.store.rows import EntryRow, LoadedTable, columns
from openplan.server.tables.timed_match import TimedMatch

EVERY: Final = 64
"""Entries from one snapshot to the next: replaying that many takes a few milliseconds, and most
matches are over before."""

log = structlog.get_logger()


def keep(tx: Tx, table: str, timed: TimedMatch, before: int) -> None:
    """Called with what is written to the log; `before` is how long it was."""
    match = timed.match
    if match.ply // EVERY == before // EVERY:
        return
    awaited = json.dumps([sorted(seats) for seats in timed.awaited_before])
    body = awaited.encode() + b"\n" + snapshot.dump(match)
    data = _digest(match, match.log, body).encode() + b"\n" + body
    tx.execute(
        "INSERT INTO snapshots (table_id, format, ply, data) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (table_id) DO UPDATE SET format = excluded.format, ply = excluded.ply,"
        " data = excluded.data",
        table,
        _form(match),
        match.ply,
        data,
    )


def resumed(tx: Tx, row: LoadedTable, fresh: TimedMatch, tail: Sequence[EntryRow]) -> int:
    """Let a match at its start stand where its snapshot says, if there is one for these rows of
    its log: how many of them need not be repeated."""
    if len(tail) < EVERY:
        return 0
    found = tx.row(
        tuple[int, bytes],
        "SELECT ply, data FROM snapshots WHERE table_id = ? AND format = ? AND ply <= ?",
        row.id,
        _form(fresh.match),
        len(tail),
    )
    if found is None:
        return 0
    ply, data = found
    entries = [entry_of(one) for one in tail[:ply]]
    try:
        digest, _, body = data.partition(b"\n")
        if digest.decode() != _digest(fresh.match, entries, body):
            raise ValueError("a snapshot of another log")
        awaited, _, content = body.partition(b"\n")
        snapshot.load(fresh.match, entries, content)
        seats = [frozenset(map(Seat, some)) for some in json.loads(awaited)]
        fresh.account([one.at for one in tail[:ply]], seats)
    except (ValueError, KeyError, TypeError, IndexError, ArithmeticError, AssertionError) as error:
        log.warning("a snapshot does not fit its log", table=row.id, reason=type(error).__name__)
        return -1
    return ply


def entries_of(tx: Tx, table: str, after: int = 0) -> list[EntryRow]:
    """The log of a table, or its tail."""
    return tx.rows(
        EntryRow,
        f"SELECT {columns(EntryRow)} FROM entries WHERE table_id = ? AND ply > ? ORDER BY ply",  # noqa: S608
        table,
        after,
    )


def entry_of(row: EntryRow) -> Entry:
    return Entry(row.kind, row.seat, row.text, tuple(json.loads(row.facts)))


def _form(match: Match) -> str:
    game = match.game
    return f"{snapshot.FORMAT} {game.name} {game.rules_version} {openplan.__version__}"


def _digest(match: Match, entries: Sequence[Entry], body: bytes) -> str:
    """Of the deal and the log it was taken from, and of what stands in it."""
    lines = [[entry.kind, entry.seat, entry.text, entry.facts] for entry in entries]
    source = json.dumps([match.commitment, match.house, lines])
    return hashlib.sha256(source.encode() + body).hexdigest()
