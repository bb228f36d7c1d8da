"""A match that no longer replays to what is stored of it is frozen: nothing goes on there until
somebody has looked at it, and its clocks stand still.

Of the log, the deck and the rules nothing is trusted here but what they give when they are replayed
from the start.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import msgspec

from openplan.core.deck import DeckError
from openplan.core.game import GameError
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.server.logs import kind_of
from openplan.server.store import Tx, jobs
from openplan.server.store.rows import EntryRow, columns
from openplan.server.tables import deck_texts
from openplan.server.tables.access import FROZEN
from openplan.server.tables.game_master import audit
from openplan.server.tables.options import options_of
from openplan.server.tables.snapshots import entries_of, entry_of
from openplan.server.tables.table_rows import change_table


def freeze(tx: Tx, table: str, why: str, *, now: int) -> None:
    """Stop a match and its clocks, tell its players, and write down what it was before."""
    was = tx.row(str, f"SELECT state FROM tables WHERE id = ? {tx.for_update}", table)  # noqa: S608
    if was is None or was == FROZEN:
        return
    change_table(tx, table, state=FROZEN, changed_at=now)
    jobs.wake(tx, table, None)
    audit(tx, table, None, "hold", now, was=was, why=why)
    tx.signal("table", table)


def difference(tx: Tx, table: str, *, foreign: bool = True) -> str:
    """Why a stored match does not replay to what is stored of it; empty if it does. One that is
    frozen to what this program does not have is `foreign`: a newer program may well play it."""
    row, entries = stored(tx, table), entries_of(tx, table)
    plies = tx.rows(int, "SELECT ply FROM entries WHERE table_id = ? ORDER BY ply", table)
    if plies != list(range(1, len(entries) + 1)):
        return "the log has gaps"
    read: list[EntryRow] = []
    try:
        match = replayed(tx, row, entries, read)
    except Differs as error:
        return str(error) if foreign else ""
    except (GameError, DeckError, ValueError) as error:
        # Without its words, which quote the entry: it may be somebody's sealed order.
        return f"entry {len(read)} of {len(entries)} does not fit: {kind_of(error)}"
    outcome = match.outcome
    found = None
    if outcome is not None:
        winners = [match.game.seats[seat] for seat in outcome.winners]
        found = (winners, list(outcome.points), outcome.reason)
    told = None if row.result is None else json.loads(row.result)
    kept = None if told is None else (told["winners"], told["points"], told["reason"])
    return "" if found == kept else f"the result is {found}, but {kept} was written down"


class Differs(ValueError):
    """What a match is frozen to is not there."""


class StoredMatch(msgspec.Struct, frozen=True, gc=False):
    """Of `tables`, for a match that has begun."""

    id: str
    game: str
    rules_version: int
    deck_name: str
    deck_hash: str
    options: str | None
    deal: str
    salt: str
    commitment: str
    chance: str | None
    first_names: str
    result: str | None


def stored(tx: Tx, table: str) -> StoredMatch:
    select = f"SELECT {columns(StoredMatch)} FROM tables WHERE id = ?"  # noqa: S608 - of constants
    (row,) = tx.rows(StoredMatch, select, table)
    return row


def replayed(
    tx: Tx, row: StoredMatch, entries: list[EntryRow], read: list[EntryRow] | None = None
) -> Match:
    """The match by its log; `read` gets the entries as far as they were looked at."""
    game = game_named(row.game)
    if not game.oldest_rules <= row.rules_version <= game.rules_version:
        raise Differs(f"rules {row.rules_version} are not known here, {game.rules_version} are")
    deck = replace(
        game.read_deck(deck_texts.at_table(tx, row.id), row.deck_name), name=row.deck_name
    )
    if deck.hash != row.deck_hash:
        raise Differs("the deck is another than the one the match began with")

    def each() -> Iterator[Entry]:
        for entry in entries:
            if read is not None:
                read.append(entry)
            yield entry_of(entry)

    return Match.replay(
        game,
        deck,
        options_of(tx, row.id, row.options).house,
        each(),
        deal=json.loads(row.deal),
        salt=row.salt,
        added=None if row.chance is None else json.loads(row.chance),
        commitment=row.commitment,
        names=json.loads(row.first_names),
        rules=row.rules_version,
    )
