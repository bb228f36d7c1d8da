"""Backups that are proved by restoring them, and matches that are proved by replaying them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path

import apsw
import pytest

import openplan.decks
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.core.record import read_record
from openplan.core.registry import game_named
from openplan.decks import find_deck
from openplan.server.ops import backup, overview, replay
from openplan.server.ops.replay import Replayed
from openplan.server.store import Store, StoreError, Tx, jobs
from tests.server.databases import Postgres, opened
from tests.test_golden import RECORDS

NOW = 1_000_000
BOTH = ["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))]
ENTRY = "INSERT INTO entries (table_id, ply, kind, seat, text, facts, at) VALUES (?,?,?,?,?,?,?)"


def match_of(path: Path, length: int | None = None) -> Match:
    """A kept match, or its beginning."""
    match = read_record(path.read_text("utf-8"), game_named, find_deck)
    return match if length is None else match.at(length)


def keep(table: str, match: Match) -> Callable[[Tx], None]:
    """Store a match as the server does."""
    outcome = match.outcome
    decks = Path(openplan.decks.__file__).parent
    deck = (decks / match.game.name / f"{match.deck.name}.toml").read_text("utf-8")

    def work(tx: Tx) -> None:
        result = None
        if outcome is not None:
            winners = [match.game.seats[seat] for seat in outcome.winners]
            points, reason = list(outcome.points), outcome.reason
            result = json.dumps({"winners": winners, "points": points, "reason": reason})
        tx.execute(
            "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text, house,"
            " state, deal, salt, commitment, chance, first_names, result, created_at, started_at,"
            " changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)",
            table,
            match.game.name,
            match.rules,
            match.deck.name,
            match.deck.hash,
            deck,
            json.dumps(dict(match.house)),
            "playing" if outcome is None else "over",
            json.dumps({label: list(cards) for label, cards in (match.deal or {}).items()}),
            match.salt,
            match.commitment,
            None if match.added is None else json.dumps(match.added),
            json.dumps(match.first_names),
            result,
        )
        for ply, entry in enumerate(match.log, 1):
            write_entry(tx, table, ply, entry)
        if outcome is None:
            jobs.wake(tx, table, NOW)

    return work


def write_entry(tx: Tx, table: str, ply: int, entry: Entry) -> None:
    facts = json.dumps(entry.facts)
    tx.execute(ENTRY, table, ply, entry.kind, entry.seat, entry.text, facts, 5)


def everything(tx: Tx) -> dict[str, list[tuple[object, ...]]]:
    from openplan.server.store.schema import metadata

    return {
        table.name: sorted(tx.rows(tuple, f"SELECT * FROM {table.name}"), key=repr)
        for table in metadata.sorted_tables
    }


async def fill(store: Store) -> None:
    """Finished matches, one that is being played, a table that waits, and things around them."""
    for number, path in enumerate(RECORDS):
        await store.transact(keep(f"over-{number}", match_of(path)))
    await store.transact(keep("playing", match_of(RECORDS[0], 7)))

    def around(tx: Tx) -> None:
        tx.execute(
            "INSERT INTO users (id, kind, name, created_at) VALUES ('u', 'guest', 'Zoë ☃', 0)"
        )
        tx.execute(
            "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text, state,"
            " owner_id, created_at, changed_at) VALUES ('w', 'g', 1, 'd', '', '', 'waiting', 'u',"
            " 0, 0)"
        )
        for number in range(20):
            jobs.add(tx, "mail", str(number), {"number": number}, now=0)

    await store.transact(around)


def new_url(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    if kind == "sqlite":
        folder.mkdir()
        return f"sqlite:///{folder / 'store.db'}"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_url()


@pytest.mark.parametrize(
    ("source", "target"),
    [*product(["sqlite"], BOTH[:1])]
    + [
        pytest.param(*pair, marks=pytest.mark.xdist_group("postgresql"))
        for pair in [
            ("sqlite", "postgresql"),
            ("postgresql", "sqlite"),
            ("postgresql", "postgresql"),
        ]
    ],
)
def test_a_backup_of_a_running_store_is_restored_with_every_match(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = tmp_path / "copy.backup"
    old, new = (
        new_url(kind, tmp_path / str(n), request) for n, kind in enumerate([source, target])
    )

    async def go() -> None:
        store = await opened(old)
        await fill(store)
        before = await store.read(everything)
        stopped = False

        async def go_on_writing() -> int:
            number = 0
            while not stopped:
                number += 1
                await store.transact(lambda tx: jobs.add(tx, "later", "x", {}, now=0))
            return number

        writing = asyncio.create_task(go_on_writing())
        await asyncio.sleep(0.02)
        await backup.backup(old, file)
        stopped = True
        assert await writing > 1
        await store.close()
        assert file.stat().st_mode & 0o077 == 0

        assert await backup.restore(new, file, now=NOW) == Replayed(len(RECORDS) + 1, {})
        restored = await opened(new)
        after = await restored.read(everything)
        after["outbox"] = [row for row in after["outbox"] if row[1] != "later"]
        assert after == before
        # New rows get new numbers.
        await restored.transact(lambda tx: jobs.add(tx, "mail", "new", {}, now=0))
        await restored.close()

    asyncio.run(go())
    assert [path.name for path in tmp_path.glob("copy*")] == ["copy.backup"]


def test_nothing_is_written_over(store_url: str, tmp_path: Path) -> None:
    file = tmp_path / "copy.backup"

    async def go() -> None:
        store = await opened(store_url)
        await fill(store)
        await backup.backup(store_url, file)
        await store.close()
        with pytest.raises(StoreError, match="already"):
            await backup.backup(store_url, file)
        with pytest.raises(StoreError, match=r"already|not empty"):
            await backup.restore(store_url, file, now=NOW)

    asyncio.run(go())


def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    file, url = tmp_path / "copy.backup", f"sqlite:///{tmp_path / 'store.db'}"

    async def go() -> None:
        store = await opened(url)
        await fill(store)
        await backup.backup(url, file)
        await store.close()
        data = bytearray(file.read_bytes())
        data[8192 : 5 * 4096] = bytes(3 * 4096)  # whole pages, as a disk loses them
        file.write_bytes(data)
        with pytest.raises(StoreError):
            await backup.restore(f"sqlite:///{tmp_path / 'new.db'}", file, now=NOW)
        assert not (tmp_path / "new.db").exists()
        with pytest.raises(StoreError):
            await backup.restore(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "none", now=NOW)

    asyncio.run(go())


# -- Replaying -------------------------------------------------------------------------------


def change_facts(tx: Tx) -> None:
    tx.execute("UPDATE entries SET facts = '[\"other\"]' WHERE table_id = 'over-0' AND ply = 3")


def lose_an_entry(tx: Tx) -> None:
    tx.execute("DELETE FROM entries WHERE table_id = 'over-0' AND ply = 3")


def lose_the_last_entry(tx: Tx) -> None:
    last = match_of(RECORDS[0]).ply
    tx.execute("DELETE FROM entries WHERE table_id = 'over-0' AND ply = ?", last)


def change_the_rules(tx: Tx) -> None:
    tx.execute("UPDATE tables SET rules_version = 99 WHERE id = 'over-0'")


def change_the_deck(tx: Tx) -> None:
    tx.execute("UPDATE tables SET deck_hash = 'other' WHERE id = 'over-0'")


def change_the_salt(tx: Tx) -> None:
    tx.execute("UPDATE tables SET salt = ? WHERE id = 'over-0'", "0" * 64)


def change_the_result(tx: Tx) -> None:
    tx.execute(
        "UPDATE tables SET result = ? WHERE id = 'over-0'",
        json.dumps({"winners": [], "points": [99, 0], "reason": "points"}),
    )


def write_nonsense(tx: Tx) -> None:
    match = match_of(RECORDS[0])
    tx.execute("DELETE FROM entries WHERE table_id = 'over-0' AND ply = ?", match.ply)
    write_entry(tx, "over-0", match.ply, replace(match.log[-1], kind="move", text="nonsense"))


@pytest.mark.parametrize(
    "damage",
    [
        change_facts,
        lose_an_entry,
        lose_the_last_entry,
        change_the_rules,
        change_the_deck,
        change_the_salt,
        change_the_result,
        write_nonsense,
    ],
    ids=lambda damage: damage.__name__,
)
def test_a_match_that_differs_is_frozen_and_no_other(
    tmp_path: Path, damage: Callable[[Tx], None]
) -> None:
    async def go() -> None:
        url = f"sqlite:///{tmp_path / 'store.db'}"
        store = await opened(url)
        for number in range(2):
            await store.transact(keep(f"over-{number}", match_of(RECORDS[0])))
        await store.transact(keep("playing", match_of(RECORDS[0], 7)))
        assert await replay.replay_all(store, now=NOW) == Replayed(3, {})
        await store.transact(damage)
        heard: list[str] = []
        store.subscribe(lambda _topic, ident: heard.append(ident))
        for _ in range(2):
            found = await replay.replay_all(store, now=NOW)
            assert list(found.differing) == ["over-0"]
        states = "SELECT id, state FROM tables ORDER BY id"
        assert await store.read(lambda tx: tx.rows(tuple, states)) == [
            ("over-0", "held"),
            ("over-1", "over"),
            ("playing", "playing"),
        ]
        (note,) = await store.read(lambda tx: tx.rows(dict, "SELECT * FROM audit"))
        assert (note["table_id"], note["act"], note["at"]) == ("over-0", "hold", NOW)
        assert json.loads(note["detail"])["was"] == "over"
        assert heard == ["over-0"]
        assert not (await backup.look(url, lambda tx: overview.health(tx, NOW))).is_good
        await store.close()

    asyncio.run(go())


def test_a_frozen_match_has_no_clock(store_url: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        await store.transact(keep("playing", match_of(RECORDS[0], 7)))
        await store.transact(
            lambda tx: tx.execute("UPDATE entries SET text = 'nonsense' WHERE ply = 7")
        )
        assert await store.read(jobs.next_due) == NOW
        found = await replay.replay_all(store, now=NOW)
        assert list(found.differing) == ["playing"]
        assert await store.read(jobs.next_due) is None
        await store.close()

    asyncio.run(go())


def test_health_counts(store_url: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        await fill(store)
        found = await backup.look(store_url, lambda tx: overview.health(tx, NOW + 1))
        await store.close()
        assert found.is_good
        assert found.tables == {"over": len(RECORDS), "playing": 1, "waiting": 1}
        assert (found.users, found.waiting, found.overdue) == (1, 20, 1)

    asyncio.run(go())


def test_looking_at_a_file_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def go() -> None:
        await (await opened(f"sqlite:///{path}")).close()
        before = path.read_bytes()
        with pytest.raises(StoreError):
            await backup.look(f"sqlite:///{path}", lambda tx: tx.execute("DELETE FROM users"))
        assert path.read_bytes() == before

    asyncio.run(go())
    assert apsw.Connection(str(path)).execute("PRAGMA journal_mode").get == "wal"
