"""What an operator does: back up while the server runs, restore, replay every match, look around.

A backup is one SQLite file, whichever database it comes from, and goes back into either. It holds
deals and sealed orders: whoever can read it can read those.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import apsw

from openplan.core.deck import DeckError
from openplan.core.game import GameError, Illegal, Seat
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.server.logs import kind_of
from openplan.server.ops.admin_socket import Act
from openplan.server.ops.heartbeat import leave_out
from openplan.server.people import ratings
from openplan.server.store import (
    Row,
    Store,
    StoreError,
    StoreUnavailable,
    Tx,
    jobs,
    open_store,
    path_of,
)
from openplan.server.store.migrations import HEAD, migrate
from openplan.server.store.sqlite import SqliteStore, SqliteTx, connect
from openplan.server.tables.access import load
from openplan.server.tables.game_master import audit
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.moves import ask_bots, set_time
from openplan.server.tables.options import options_of

if TYPE_CHECKING:
    from openplan.server.ops.site import Site

T = TypeVar("T")

PAGE: Final = 5_000
NUMBERED: Final = ("audit", "outbox", "reports", "results", "outages")
"""Tables whose rows the database numbers."""


async def look(url: str, work: Callable[[Tx], T]) -> T:
    """Read a store that a server may have open. SQLite lets others read, so no lock is needed."""
    path = path_of(url)
    if path is not None:
        return await asyncio.to_thread(_look_at_file, path, _checked(work, SqliteStore.has_table))
    store = open_store(url)
    try:
        return await store.read(_checked(work, store.has_table))
    finally:
        await store.close()


def _checked(work: Callable[[Tx], T], has_table: str) -> Callable[[Tx], T]:
    def checked(tx: Tx) -> T:
        if not tx.execute(has_table, "alembic_version"):
            raise StoreError("the database has no tables yet: see `openplan admin migrate`")
        return work(tx)

    return checked


def _look_at_file(path: Path, work: Callable[[Tx], T]) -> T:
    connection = connect(path, readonly=True)
    try:
        tx = SqliteTx(connection)
        tx.execute("BEGIN")
        return work(tx)
    finally:
        connection.close()


# -- Backup and restore ----------------------------------------------------------------------


async def backup(url: str, file: Path) -> None:
    """Everything as it is at one moment, into a new file; the server may go on meanwhile."""
    new = _beside(file)
    path = path_of(url)
    if path is None:
        await _make_store(new)
        await look(url, lambda tx: _export(tx, new))
    else:
        await asyncio.to_thread(_copy_file, path, new)
    await asyncio.to_thread(_settle, new, file)


async def restore(url: str, file: Path, *, now: int) -> Replayed:
    """A backup into a store that is empty, brought up to date; then every match is replayed."""
    await asyncio.to_thread(_check_backup, file)
    path = path_of(url)
    if path is not None:
        new = _beside(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        await asyncio.to_thread(_copy_file, file, new)
        await asyncio.to_thread(_settle, new, path)
    store = open_store(url)
    try:
        await migrate(store)
        if path is None:
            await store.transact(lambda tx: _import(tx, file), serializable=False)
        return await replay_all(store, now=now)
    finally:
        await store.close()


async def _make_store(path: Path) -> None:
    store = SqliteStore(path)
    await migrate(store)
    await store.close()


def _beside(file: Path) -> Path:
    """Where a new file grows until it is whole; what is there is never written over."""
    if file.exists():
        raise StoreError(f"{file} is there already; put it aside first")
    new = file.with_name(f"{file.name}.new")
    for end in ("", "-wal", "-shm"):
        new.with_name(f"{new.name}{end}").unlink(missing_ok=True)
    return new


def _copy_file(path: Path, new: Path) -> None:
    source = connect(path, readonly=True)
    target = connect(new)
    try:
        # All pages in one step: in several, each commit of the server would make it start over.
        with target.backup("main", source, "main") as copying:
            copying.step()
    except apsw.Error as error:
        raise StoreUnavailable(f"{path}: {error}") from error
    finally:
        source.close()
        target.close()


def _export(tx: Tx, new: Path) -> None:
    connection = connect(new)
    try:
        with connection:
            _copy_rows(tx, SqliteTx(connection))
    finally:
        connection.close()


def _import(tx: Tx, file: Path) -> None:
    if tx.execute("SELECT 1 FROM users LIMIT 1") or tx.execute("SELECT 1 FROM tables LIMIT 1"):
        raise StoreError("the database is not empty")
    _look_at_file(file, lambda source: _copy_rows(source, tx))
    for table in NUMBERED:
        # Rows that came with their numbers have not moved the counter.
        tx.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"  # noqa: S608
        )


def _copy_rows(source: Tx, target: Tx) -> None:
    from openplan.server.store.schema import metadata

    found = str(source.execute("SELECT version_num FROM alembic_version")[0][0])
    if found != HEAD:
        raise StoreError(f"the tables are of revision {found}, this program's are of {HEAD}")
    for table in metadata.sorted_tables:  # what others refer to comes first
        if table.name == "snapshots":  # caches; where the copy goes, the logs lead again
            continue
        columns = ", ".join(column.name for column in table.columns)
        marks = ", ".join("?" for _ in table.columns)
        key = ", ".join(column.name for column in table.primary_key)
        insert = f"INSERT INTO {table.name} ({columns}) VALUES ({marks})"  # noqa: S608
        select = f"SELECT {columns} FROM {table.name} ORDER BY {key}"  # noqa: S608
        for row in _in_pages(source, select):
            target.execute(insert, *row)


def _in_pages(tx: Tx, select: str) -> Iterator[Row]:
    """All rows of an ordered SELECT, without holding all of them at once."""
    start = 0
    while rows := tx.execute(f"{select} LIMIT ? OFFSET ?", PAGE, start):
        yield from rows
        start += len(rows)


def _check(file: Path) -> None:
    """A copy must be whole before anybody relies on it."""
    faults = _look_at_file(
        file,
        lambda tx: tx.execute("PRAGMA integrity_check") + tx.execute("PRAGMA foreign_key_check"),
    )
    if [tuple(fault) for fault in faults] != [("ok",)]:
        raise StoreError(f"{file} is damaged: {faults[0][0]}")


def _check_backup(file: Path) -> None:
    if not file.is_file():
        raise StoreError(f"there is no file {file}")
    try:
        ours = _look_at_file(file, lambda tx: tx.execute(SqliteStore.has_table, "alembic_version"))
    except StoreError:
        ours = []
    if not ours:
        raise StoreError(f"{file} is no backup of Open Plan")
    _check(file)


def _settle(new: Path, file: Path) -> None:
    """Give a checked copy its name, as one file with nothing beside it."""
    _check(new)
    connection = connect(new)
    connection.execute("PRAGMA journal_mode=DELETE")
    connection.close()
    new.with_name(f"{new.name}.lock").unlink(missing_ok=True)
    new.rename(file)
    descriptor = os.open(file.parent, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


# -- Replaying -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Replayed:
    """How many matches were replayed, and what is wrong with those that differ."""

    matches: int
    differing: dict[str, str]


async def replay_all(store: Store, *, now: int) -> Replayed:
    """Replay every match that has begun. One that no longer leads where it led is held: nothing
    goes on there until somebody has looked at it. No other match is touched."""
    rows = await store.read(_begun)
    differing = {}
    for row in rows:
        if trouble := await store.read(partial(difference, table=row.id)):
            differing[row.id] = trouble
            await store.transact(partial(hold, table=row.id, why=trouble, now=now))
    return Replayed(len(rows), differing)


def _begun(tx: Tx) -> list[Row]:
    return tx.execute("SELECT id FROM tables WHERE deal IS NOT NULL ORDER BY id")


def difference(tx: Tx, table: str, *, foreign: bool = True) -> str:
    """Why a stored match does not replay to what is stored of it; empty if it does. One that is
    frozen to what this program does not have is `foreign`: a newer program may well play it."""
    row = tx.one("SELECT * FROM tables WHERE id = ?", table)
    assert row is not None
    entries = tx.execute("SELECT * FROM entries WHERE table_id = ? ORDER BY ply", table)
    if [entry.ply for entry in entries] != list(range(1, len(entries) + 1)):
        return "the log has gaps"
    read: list[Row] = []
    try:
        match = _replayed(tx, row, entries, read)
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
    stored = json.loads(row.result) if row.result is not None else None
    kept = None if stored is None else (stored["winners"], stored["points"], stored["reason"])
    return "" if found == kept else f"the result is {found}, but {kept} was written down"


class Differs(ValueError):
    """What a match is frozen to is not there."""


def _replayed(tx: Tx, row: Row, entries: list[Row], read: list[Row] | None = None) -> Match:
    """The match by its log; `read` gets the entries as far as they were looked at."""
    game = game_named(row.game)
    if not game.oldest_rules <= row.rules_version <= game.rules_version:
        raise Differs(f"rules {row.rules_version} are not known here, {game.rules_version} are")
    deck = replace(game.read_deck(row.deck_text, row.deck_name), name=row.deck_name)
    if deck.hash != row.deck_hash:
        raise Differs("the deck is another than the one the match began with")

    def each() -> Iterator[Entry]:
        for entry in entries:
            if read is not None:
                read.append(entry)
            seat = None if entry.seat is None else Seat(entry.seat)
            yield Entry(entry.kind, seat, entry.text, tuple(json.loads(entry.facts)))

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


def hold(tx: Tx, table: str, why: str, *, now: int) -> None:
    """Stop a match and its clocks, tell its players, and write down what it was before."""
    row = tx.one(f"SELECT state FROM tables WHERE id = ? {tx.for_update}", table)  # noqa: S608
    if row is None or row.state == "held":
        return
    tx.execute("UPDATE tables SET state = 'held', changed_at = ? WHERE id = ?", now, table)
    jobs.wake(tx, table, None)
    audit(tx, table, None, "hold", now, was=row.state, why=why)
    tx.notify("table", table)


# -- Ratings ---------------------------------------------------------------------------------


async def rebuild_ratings(store: Store) -> tuple[int, int]:
    """Compute all results and ratings again from the logs, in the order in which matches ended; how
    many matches, and how many ratings are not what they were."""
    ended = await store.read(lambda tx: tx.execute("SELECT id FROM tables WHERE state = 'over'"))
    # Replaying takes long, and what is over stays as it is: nobody has to wait for that.
    endings = {row.id: await store.read(partial(_ending, table=row.id)) for row in ended}
    return await store.transact(partial(_rebuild_ratings, endings=endings))


def _ending(tx: Tx, table: str) -> ratings.Ending:
    row = tx.one("SELECT * FROM tables WHERE id = ?", table)
    assert row is not None
    entries = tx.execute("SELECT * FROM entries WHERE table_id = ? ORDER BY ply", table)
    return ratings.ending_of(_replayed(tx, row, entries))


def _rebuild_ratings(tx: Tx, endings: Mapping[str, ratings.Ending]) -> tuple[int, int]:
    before = set(tx.execute("SELECT user_id, game, mu, sigma, matches FROM ratings"))
    rows = tx.execute(
        "SELECT * FROM tables WHERE state = 'over' ORDER BY"
        " COALESCE((SELECT MIN(id) FROM results WHERE table_id = tables.id), ?), ended_at, id",
        2**62,
    )
    tx.execute("DELETE FROM results")
    tx.execute("DELETE FROM ratings")
    for row in rows:
        place = load(tx, row.id, None)
        assert place is not None
        ratings.settle(tx, place, endings.get(row.id) or _ending(tx, row.id), row.ended_at)
    after = set(tx.execute("SELECT user_id, game, mu, sigma, matches FROM ratings"))
    return len(rows), len({(row[0], row[1]) for row in before ^ after})


def release(tx: Tx, table: str, *, now: int) -> None:
    """Let a held match go on, if it replays; the time in between counts for nobody."""
    place = load(tx, table, None, lock=True)
    held = tx.execute(
        "SELECT detail, at FROM audit WHERE table_id = ? AND act = 'hold' ORDER BY id DESC LIMIT 1",
        table,
    )
    if place is None or place.row.state != "held" or not held:
        raise Illegal("not-held", "there is no such match that is held")
    if trouble := difference(tx, table):
        raise Illegal("differs", f"it still does not replay: {trouble}")
    was = json.loads(held[0].detail)["was"]
    tx.execute("UPDATE tables SET state = ?, changed_at = ? WHERE id = ?", was, now, table)
    audit(tx, table, None, "release", now)
    if was == "playing":
        leave_out(tx, held[0].at, now, table)
        again = load(tx, table, None)
        assert again is not None
        with MatchCache().timed(tx, again.row) as timed:
            ask_bots(tx, again, timed, now)
            set_time(tx, again, timed, None, now)
    tx.notify("table", table)


# -- Looking around --------------------------------------------------------------------------


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
        return self.revision == HEAD and "held" not in self.tables


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


def reports(tx: Tx) -> list[Row]:
    """What people have reported and nobody has closed, the oldest first."""
    return tx.execute(
        "SELECT reports.id, reports.at, reports.table_id, reports.text, reports.user_id,"
        " reports.about_id, who.name AS who, about.name AS about FROM reports"
        " JOIN users AS who ON who.id = reports.user_id"
        " JOIN users AS about ON about.id = reports.about_id"
        " WHERE reports.closed_at IS NULL ORDER BY reports.id"
    )


def close_report(tx: Tx, number: int, *, now: int) -> None:
    closing = "UPDATE reports SET closed_at = ? WHERE id = ? AND closed_at IS NULL RETURNING id"
    if not 0 < number < 1 << 62 or not tx.execute(closing, now, number):
        raise Illegal("report", f"there is no open report {number}")


# -- Asked of a running server ---------------------------------------------------------------


async def _act_replay_all(site: Site, _: Mapping[str, Any]) -> dict[str, Any]:
    found = await replay_all(site.store, now=site.now())
    return {"matches": found.matches, "differing": found.differing}


async def _act_backup(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    file = Path(asked["file"])
    await backup(site.settings.store_url, file)
    return {"bytes": (await asyncio.to_thread(file.stat)).st_size}


async def _act_release(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    table = str(asked["table"])
    await site.store.transact(lambda tx: release(tx, table, now=site.now()))
    return {}


async def _act_close_report(site: Site, asked: Mapping[str, Any]) -> dict[str, Any]:
    number = int(asked["number"])
    await site.store.transact(lambda tx: close_report(tx, number, now=site.now()))
    return {}


async def _act_rebuild_ratings(site: Site, _: Mapping[str, Any]) -> tuple[int, int]:
    return await rebuild_ratings(site.store)


ACTS: Final[dict[str, Act]] = {
    "replay-all": _act_replay_all,
    "backup": _act_backup,
    "release": _act_release,
    "close-report": _act_close_report,
    "rebuild-ratings": _act_rebuild_ratings,
}
