"""Snapshots are caches: with one a match comes back sooner, and whatever is wrong with it, the log
decides."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from openplan.server.tables.timed_match import TimedMatch
from tests.server.running import Client, Running, VirtualClock, running

EVERY = 32
"""More often than the program does it, so that a match need not be a long one."""


@pytest.fixture(scope="module", autouse=True)
def _often() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openplan.server.tables.snapshots.EVERY", EVERY)
        yield


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url, now=VirtualClock()) as site:
        yield site


def play_on(server: Running, ann: Client, table: str, entries: int, rng: Random) -> None:
    clock = server.site.now
    assert isinstance(clock, VirtualClock)
    at = f"/api/tables/{table}"
    while (seen := ann.ok("GET", at))["version"] < entries and not seen["outcome"]:
        code = seen["to_act"][0]
        move = ann.some_move(table, rng, f"?seat={code}")
        version = ann.ok("GET", f"{at}?seat={code}")["version"]
        clock.go_on(rng.uniform(0, 3))
        body = {"move": move, "version": version, "submission": f"{code}{version}"}
        ann.ok("POST", f"{at}/moves?seat={code}", body)


def played(server: Running, seed: int) -> tuple[Client, str]:
    """A table with a snapshot and some entries after it."""
    ann, rng = server.client("Ann"), Random(seed)
    wish = {
        "game": "human-resources",
        "hot_seat": True,
        "seats": [{"kind": "me"}, {"kind": "me"}],
        "clock": {"kind": "live", "bank": 3000, "increment": 2},
    }
    table: str = ann.ok("POST", "/api/tables", wish)["id"]
    play_on(server, ann, table, EVERY + 3, rng)
    return ann, table


def everything(client: Client, table: str) -> list[str]:
    at = f"/api/tables/{table}"
    paths = ["", "/log", "/record", "/at/3"]
    return [client.ask("GET", f"{at}{path}?seat={seat}").text for path in paths for seat in "AB"]


class Snapshot(msgspec.Struct, frozen=True):
    format: str
    ply: int
    data: bytes


def stored(server: Running, table: str) -> Snapshot:
    select = "SELECT format, ply, data FROM snapshots WHERE table_id = ?"
    (row,) = server.run(server.site.store.read(lambda tx: tx.rows(Snapshot, select, table)))
    return row


def change(server: Running, table: str, column: str, value: Any) -> None:
    sql = f"UPDATE snapshots SET {column} = ? WHERE table_id = ?"
    server.run(server.site.store.transact(lambda tx: tx.execute(sql, value, table)))


def repeated(server: Running, table: str, patch: pytest.MonkeyPatch) -> list[Any]:
    """The entries that are repeated from now on; the table is no longer in memory."""
    entries: list[Any] = []
    real = TimedMatch.repeat

    def repeat(self: TimedMatch, entry: Any, at: int) -> None:
        entries.append(entry)
        real(self, entry, at)

    patch.setattr(TimedMatch, "repeat", repeat)
    for cache in (server.site.readers, server.site.writers):
        cache.forget(table)
    return entries


def test_loading_is_the_snapshot_and_the_tail(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, table = played(server, 1)
    before = everything(ann, table)
    assert stored(server, table).ply == EVERY
    entries = repeated(server, table, monkeypatch)
    assert everything(ann, table) == before, "clocks included"
    assert len(entries) == 3
    play_on(server, ann, table, EVERY + 6, Random(2))
    after = everything(ann, table)
    repeated(server, table, monkeypatch)
    assert everything(ann, table) == after


def swapped_state(data: bytes) -> bytes:
    """Well formed, with other hands: only its hash tells."""
    digest, awaited, content = data.split(b"\n")
    match = json.loads(content)
    state = json.loads(match["state"])
    state["known"] = [7] * len(state["known"])
    match["state"] = json.dumps(state)
    return b"\n".join([digest, awaited, json.dumps(match).encode()])


WRONG: dict[str, tuple[str, Callable[[Snapshot], Any]]] = {
    "another program's": ("format", lambda row: f"{row.format}.1"),
    "cut": ("data", lambda row: row.data[:-40]),
    "empty": ("data", lambda row: b""),
    "changed": ("data", lambda row: row.data[:200] + b"x" + row.data[201:]),
    "of another state": ("data", lambda row: swapped_state(row.data)),
    "ahead of the log": ("ply", lambda row: 999),
    "said to be shorter": ("ply", lambda row: row.ply - 1),
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda name: name.replace(" ", "-"))
def test_a_wrong_snapshot_is_dropped_and_the_log_wins(
    wrong: str, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, table = played(server, 3)
    before = everything(ann, table)
    column, make = WRONG[wrong]
    change(server, table, column, make(stored(server, table)))
    entries = repeated(server, table, monkeypatch)
    assert everything(ann, table) == before
    assert len(entries) == EVERY + 3, "all of the log"


def test_a_snapshot_of_another_match_is_dropped(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And so is a stale one, of a log that has since been another."""
    (ann, table), (_, other) = played(server, 4), played(server, 5)
    before = everything(ann, table)
    change(server, table, "data", stored(server, other).data)
    entries = repeated(server, table, monkeypatch)
    assert everything(ann, table) == before
    assert len(entries) == EVERY + 3
