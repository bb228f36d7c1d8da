"""Where PostgreSQL could tell what SQLite does not: to viewers, in its notices, errors and log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random

import psycopg
import pytest

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.server.store import Conflict, Tx
from openplan.server.store.postgres import CHANNEL
from tests.probes import games
from tests.server.databases import Postgres
from tests.server.running import VirtualClock, running
from tests.server.test_secrecy import all_eyes, swapped
from tests.server.wire import Bench

pytestmark = pytest.mark.xdist_group("postgresql")


@contextmanager
def heard(uri: str) -> Iterator[list[str]]:
    """What is told to every process while the block runs."""
    told: list[str] = []
    with psycopg.connect(uri, autocommit=True) as listening:
        listening.execute(f"LISTEN {CHANNEL}")
        yield told
        told += [notice.payload for notice in listening.notifies(timeout=0.2, stop_after=10_000)]


def differences(bench: Bench) -> Iterator[list[str]]:
    """For one seat: the others, and the plants, are tried on SQLite."""
    for number in count():
        rng = Random(f"{bench.game.name} postgresql {number}")
        match = bench.some_match(rng, 5)
        found = None if match is None else bench.differences(match, Seat(0), rng)
        if found is not None:
            yield found
            return


def test_viewers_are_told_no_more(
    tmp_path: Path, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, url = VirtualClock(), postgres.new_url()
    with heard(postgres.uri) as told, running(tmp_path, now=clock, database=url) as server:
        for bench in (Bench(server, clock, game) for game in games()):
            assert [found for found in differences(bench) if found] == []
        swapped(Match, "eyes", all_eyes)(monkeypatch)
        assert any(differences(bench))
    tables = [line for line in told if line.split("\t")[1] == "table"]
    assert tables
    for line in told:  # who tells, what it is about, and its id
        assert re.fullmatch(r"[\w-]+\t[a-z]+\t[\w-]*", line), line


def test_an_error_and_the_log_do_not_quote_what_was_to_be_kept(
    tmp_path: Path, postgres: Postgres
) -> None:
    with running(tmp_path, database=postgres.new_url()) as server:
        ann = server.client("Ann")
        wish = {"game": "human-resources", "seats": [{"kind": "me"}, {"kind": "me"}]}
        table = ann.ok("POST", "/api/tables", {**wish, "hot_seat": True})["id"]
        (seat,) = ann.ok("GET", f"/api/tables/{table}")["to_act"]
        move = ann.some_move(table, Random(1), f"?seat={seat}")
        body = {"move": move, "version": 0, "submission": "s"}
        ann.ok("POST", f"/api/tables/{table}/moves?seat={seat}", body)

        def twice(tx: Tx) -> None:
            tx.execute(
                "INSERT INTO entries (table_id, ply, kind, seat, text, facts, at)"
                " SELECT table_id, ply, kind, seat, ?, facts, at FROM entries",
                f"{move} and more",
            )

        with pytest.raises(Conflict) as refused:
            server.run(server.site.store.transact(twice))
    assert move not in str(refused.value)
    log = postgres.log.read_text()
    assert "duplicate key" in log
    assert move not in log
