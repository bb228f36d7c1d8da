"""Matches in memory are those of the store, also after a transaction that came to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from openplan.server.people import accounts
from openplan.server.store import Tx
from openplan.server.tables import lifecycle
from openplan.server.tables.access import load
from openplan.server.tables.match_cache import MatchCache
from tests.server.people import id_of
from tests.server.running import Running, running


class PowerCut(Exception):
    """Something that rolls a transaction back."""


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


def test_a_deal_that_was_rolled_back_is_not_played(server: Running) -> None:
    """As when two transactions collide, and one is tried again: then there are other cards."""
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
    site, person = server.site, accounts.Person(id_of(bob), "Bob", "guest", "")

    def begin_in_vain(tx: Tx) -> None:
        lifecycle.join(tx, site.writers, person, table, "", "", site.now())
        raise PowerCut

    with pytest.raises(PowerCut):
        server.run(site.store.transact(begin_in_vain))
    bob.ok("POST", f"/api/tables/{table}/join", {})
    people = {"A": ann, "B": bob}
    for turn in range(4):
        (code,) = ann.ok("GET", f"/api/tables/{table}")["to_act"]
        mover = people[code]
        version = mover.ok("GET", f"/api/tables/{table}")["version"]
        mover.play(table, mover.some_move(table, Random(turn)), version, f"m{turn}")


def test_a_match_begun_elsewhere_in_the_meantime_takes_the_place_of_one_that_was_not(
    server: Running,
) -> None:
    """Between a commit that fails and the news of it, somebody else may begin the match."""
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
    site, person = server.site, accounts.Person(id_of(bob), "Bob", "guest", "")
    cache = MatchCache()

    def begin(tx: Tx) -> str:
        lifecycle.join(tx, cache, person, table, "", "", site.now())
        tx.undo.clear()  # not told yet that it comes to nothing
        raise PowerCut

    with pytest.raises(PowerCut):
        server.run(site.store.transact(begin))
    bob.ok("POST", f"/api/tables/{table}/join", {})

    def commitments(tx: Tx) -> tuple[str, str | None]:
        place = load(tx, table, None)
        assert place is not None
        with cache.timed(tx, place.row) as timed:
            return timed.match.commitment, place.row.commitment

    in_memory, stored = server.run(site.store.transact(commitments))
    assert in_memory == stored
