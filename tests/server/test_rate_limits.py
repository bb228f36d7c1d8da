"""Rate limits: what guards others is counted once for all processes, the rest by each."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from openplan.server.http.rate_limits import EVERYWHERE, HERE, OF_AN_ADDRESS, network_of
from tests.server.databases import Postgres
from tests.server.people import cheap_passwords
from tests.server.running import Client, Running, VirtualClock, running

WRONG = {"login": "somebody", "password": "not this one"}
# What is asked, how often in a minute, and what it answers until then.
GUARDED = {
    "/api/session": ({}, EVERYWHERE["sign-up"], 201),
    "/api/session/sign-in": (WRONG, EVERYWHERE["sign-in"], 403),
    "/api/session/link": ({"email": "somebody@example.org"}, EVERYWHERE["letter"], 202),
}


def counted(server: Running) -> list[tuple[Any, ...]]:
    return server.run(server.site.store.read(lambda tx: tx.rows(tuple, "SELECT * FROM attempts")))


@pytest.mark.parametrize("path", GUARDED)
def test_so_many_in_a_minute_and_on_over_a_restart(
    path: str, tmp_path: Path, store_url: str
) -> None:
    body, most, meanwhile = GUARDED[path]
    clock = VirtualClock()
    with cheap_passwords():
        with running(tmp_path, database=store_url, limits=True, now=clock) as server:
            for _ in range(most - 1):
                assert server.client().ask("POST", path, body).status_code == meanwhile
        with running(tmp_path, database=store_url, limits=True, now=clock) as server:
            assert server.client().ask("POST", path, body).status_code == meanwhile
            assert server.client().refused("POST", path, body) == (429, "too-many")
            clock.go_on(60)
            assert server.client().ask("POST", path, body).status_code == meanwhile
            # Of an address nothing is kept, and after a while nothing at all.
            assert "127.0.0.1" not in str(counted(server))
            assert len(counted(server)) == 2
            clock.go_on(2 * 3_600)
            server.run(server.site.sweep())
            assert counted(server) == []


def test_made_up_cookies_are_of_one_address(tmp_path: Path) -> None:
    most = HERE["create"] * OF_AN_ADDRESS
    with running(tmp_path, limits=True, now=VirtualClock()) as server:
        client, codes = server.client(), list[int]()
        for number in range(most + 2):
            client.http.cookies.set("openplan", f"made-up-{number}")
            codes.append(client.ask("POST", "/api/chance").status_code)
    assert codes == [201] * most + [429] * 2


@pytest.mark.xdist_group("postgresql")
def test_several_processes_count_together(tmp_path: Path, postgres: Postgres) -> None:
    url, clock = postgres.new_url(), VirtualClock()
    (tmp_path / "two").mkdir()
    with running(tmp_path / "one", database=url, limits=True, now=clock) as one:
        (tmp_path / "two" / "secret").write_bytes((tmp_path / "one" / "secret").read_bytes())
        (tmp_path / "two" / "secret").chmod(0o600)
        with (
            cheap_passwords(),
            running(tmp_path / "two", database=url, limits=True, now=clock) as two,
        ):
            ways = cycle([one.client(), two.client()])
            path = "/api/session/sign-in"
            codes = [
                next(ways).ask("POST", path, WRONG).status_code
                for _ in range(EVERYWHERE["sign-in"] + 2)
            ]
            assert codes == [403] * EVERYWHERE["sign-in"] + [429] * 2


def test_moves_and_chat_are_counted_by_the_process(tmp_path: Path) -> None:
    clock = VirtualClock()
    with running(tmp_path, limits=True, now=clock) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        wish = {"game": "human-resources", "public": True}
        table = ann.ok("POST", "/api/tables", wish)["id"]
        bob.ok("POST", f"/api/tables/{table}/join", {})

        def chat(client: Client) -> int:
            return client.ask("POST", f"/api/tables/{table}/chat", {"text": "x"}).status_code

        assert [chat(ann) for _ in range(HERE["chat"] + 2)] == [201] * HERE["chat"] + [429] * 2
        assert chat(bob) == 201, "everybody for themselves"
        clock.go_on(60)
        assert chat(ann) == 201
        assert len(counted(server)) == 1, "in the store is only that they came in"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_a_person_has_a_network_of_addresses(address: str, network: str) -> None:
    assert network_of(address) == network
