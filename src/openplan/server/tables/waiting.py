"""The games that wait for a move of somebody."""

from __future__ import annotations

from typing import Final

import msgspec

from openplan.server.errors import DoesNotReplay
from openplan.server.store import Tx
from openplan.server.tables import turns
from openplan.server.tables.access import load
from openplan.server.tables.match_cache import MatchCache

MOST: Final = 100


class Waiting(msgspec.Struct, frozen=True):
    table: str
    game: str
    title: str
    due_at: int | None
    """The deadline, or when one's time is up by a live clock."""


def waiting_for(tx: Tx, cache: MatchCache, user: str) -> list[Waiting]:
    """The tables at which nothing goes on without this person; what is due first comes first."""
    found = []
    for table in tx.rows(
        str,
        "SELECT DISTINCT tables.id FROM tables JOIN seats ON seats.table_id = tables.id"
        " WHERE seats.user_id = ? AND tables.state = 'playing' ORDER BY tables.id LIMIT ?",
        user,
        MOST,
    ):
        here = load(tx, table, user)
        assert here is not None
        try:
            with cache.timed(tx, here.row) as timed:
                mine = [
                    seat
                    for seat in timed.match.awaited.intersection(here.own)
                    if here.seats[seat].bot is None
                ]
                if not mine or timed.match.paused:
                    continue
                turn, flag = turns.current(tx, here, timed), timed.flag()
        except DoesNotReplay:  # whoever goes there is told
            continue
        due = None
        if flag is not None:
            due = flag.at
        elif turn is not None and timed.rule.kind != "none":
            due = turn.due_at
        found.append(Waiting(here.id, here.game.name, here.game.title, due))
    return sorted(found, key=lambda one: (one.due_at is None, one.due_at or 0, one.table))
