"""Replays every match that is stored: to find those that no longer fit, and to rate anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from openplan.core.game import Illegal
from openplan.server.store import Store, Tx
from openplan.server.tables.access import FROZEN, load
from openplan.server.tables.frozen import difference, freeze, replayed, stored
from openplan.server.tables.game_master import audit
from openplan.server.tables.heartbeat import leave_out
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.moves import ask_bots, set_time
from openplan.server.tables.results import Ending, clear, ending_of, known_weights, settle
from openplan.server.tables.snapshots import entries_of
from openplan.server.tables.table_rows import change_table


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many matches were replayed, and what is wrong with those that differ."""

    matches: int
    differing: dict[str, str]


async def replay_all(store: Store, *, now: int) -> Replayed:
    """Replay every match that has begun. One that no longer leads where it led is frozen: nothing
    goes on there until somebody has looked at it. No other match is touched."""
    begun = "SELECT id FROM tables WHERE deal IS NOT NULL ORDER BY id"
    tables = await store.read(lambda tx: tx.rows(str, begun))
    differing = {}
    for table in tables:
        if trouble := await store.read(partial(difference, table=table)):
            differing[table] = trouble
            await store.transact(partial(freeze, table=table, why=trouble, now=now))
    return Replayed(len(tables), differing)


def release(tx: Tx, table: str, *, now: int) -> None:
    """Let a frozen match go on, if it replays; the time in between counts for nobody."""
    here = load(tx, table, None, lock=True)
    frozen = tx.row(
        tuple[str, int],
        "SELECT detail, at FROM audit WHERE table_id = ? AND act = 'hold' ORDER BY id DESC LIMIT 1",
        table,
    )
    if here is None or here.row.state != FROZEN or frozen is None:
        raise Illegal("not-held", "there is no such match that is frozen")
    if trouble := difference(tx, table):
        raise Illegal("differs", f"it still does not replay: {trouble}")
    detail, since = frozen
    was = json.loads(detail)["was"]
    change_table(tx, table, state=was, changed_at=now)
    audit(tx, table, None, "release", now)
    if was == "playing":
        leave_out(tx, since, now, table)
        again = load(tx, table, None)
        assert again is not None
        with MatchCache().timed(tx, again.row) as timed:
            ask_bots(tx, again, timed, now)
            set_time(tx, again, timed, None, now)
    tx.signal("table", table)


# -- Ratings ---------------------------------------------------------------------------------


async def rebuild_ratings(store: Store) -> tuple[int, int]:
    """Compute all results and ratings again from the logs, in the order in which matches ended; how
    many matches, and how many ratings are not what they were."""
    ended = await store.read(lambda tx: tx.rows(str, "SELECT id FROM tables WHERE state = 'over'"))
    # Replaying takes long, and what is over stays as it is: nobody has to wait for that.
    endings = {table: await store.read(partial(_ending, table=table)) for table in ended}
    return await store.transact(partial(_rebuild_ratings, endings=endings))


def _ending(tx: Tx, table: str) -> Ending:
    return ending_of(replayed(tx, stored(tx, table), entries_of(tx, table)))


def _rebuild_ratings(tx: Tx, endings: Mapping[str, Ending]) -> tuple[int, int]:
    before = _ratings(tx)
    rows = tx.rows(
        tuple[str, int],
        "SELECT id, ended_at FROM tables WHERE state = 'over' ORDER BY"
        " COALESCE((SELECT MIN(id) FROM results WHERE table_id = tables.id), ?), ended_at, id",
        2**62,
    )
    known = known_weights(tx)
    clear(tx)
    for table, ended_at in rows:
        here = load(tx, table, None)
        assert here is not None
        settle(tx, here, endings.get(table) or _ending(tx, table), ended_at, known.get(table))
    return len(rows), len({(person, game) for person, game, *_ in before ^ _ratings(tx)})


def _ratings(tx: Tx) -> set[tuple[str, str, float, float, int]]:
    select = "SELECT user_id, game, mu, sigma, matches FROM ratings"
    return set(tx.rows(tuple[str, str, float, float, int], select))
