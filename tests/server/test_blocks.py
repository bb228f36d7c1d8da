"""Block, mute, report: it works, and whom it is about cannot tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from openplan.cli.main import app
from openplan.server.http.live_views import MAX_OF_ONE
from openplan.server.people.complaints import MOST_A_DAY
from openplan.server.store import Tx
from tests.server.people import cheap_passwords, id_of, member
from tests.server.running import Client, Running, frame, running

PUBLIC = {"game": "human-resources", "public": True}


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with cheap_passwords(), running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


def shun(client: Client, other: Client, kind: str) -> None:
    client.ok("PUT", f"/api/me/shunned/{id_of(other)}", {"kind": kind})


def lines(client: Client, at: str) -> list[str]:
    return [line["text"] for line in client.ok("GET", f"{at}/chat")["lines"]]


def test_the_blocked_find_no_empty_seat_and_no_reason(server: Running) -> None:
    ann, bob, cleo = (server.client(name) for name in ("Ann", "Bob", "Cleo"))
    shun(ann, bob, "block")
    at = f"/api/tables/{ann.ok('POST', '/api/tables', PUBLIC)['id']}"
    full = f"/api/tables/{ann.ok('POST', '/api/tables', PUBLIC)['id']}"
    cleo.ok("POST", f"{full}/join", {"seat": "B"})
    other = cleo.ok("POST", "/api/tables", PUBLIC)["id"]
    ann.ok("POST", f"/api/tables/{other}/join", {})
    # The same bytes as for a seat that somebody else has just taken.
    waiting = ann.ok("POST", "/api/tables", PUBLIC)["id"]
    taken = server.client("Dan").ask("POST", f"/api/tables/{waiting}/join", {"seat": "A"})
    blocked = bob.ask("POST", f"{at}/join", {})
    assert (blocked.status_code, blocked.text) == (taken.status_code, taken.text)
    assert blocked.json()["code"] == "taken"
    # What they see is what everybody sees.
    assert bob.ok("GET", at) == server.client("Eve").ok("GET", at)
    assert at.rsplit("/", 1)[1] in [row["id"] for row in bob.ok("GET", "/api/tables")]
    assert bob.ok("GET", f"/api/people/{id_of(ann)}")["name"] == "Ann"
    ann.ok("DELETE", f"/api/me/shunned/{id_of(bob)}")
    bob.ok("POST", f"{at}/join", {})


def test_one_does_not_sit_down_with_whom_one_has_blocked(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    shun(ann, bob, "block")
    at = f"/api/tables/{bob.ok('POST', '/api/tables', PUBLIC)['id']}"
    assert ann.refused("POST", f"{at}/join", {}) == (409, "blocked")
    shun(ann, bob, "mute")
    ann.ok("POST", f"{at}/join", {})


@pytest.mark.parametrize("kind", ["block", "mute"])
def test_the_muted_are_not_heard_by_one_and_by_all_others(server: Running, kind: str) -> None:
    ann, bob, cleo = (server.client(name) for name in ("Ann", "Bob", "Cleo"))
    table = ann.ok("POST", "/api/tables", PUBLIC)["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    bob.ok("POST", f"{at}/chat", {"text": "before"})
    assert lines(ann, at) == ["before"]
    shun(ann, bob, kind)
    with ann.live(table) as hearing, bob.live(table) as speaking, cleo.live(table) as watching:
        for live in (hearing, speaking, watching):
            frame(live)
        said = bob.ask("POST", f"{at}/chat", {"text": "psst"})
        assert (said.status_code, said.json()) == (201, {})
        ann.ok("POST", f"{at}/chat", {"text": "hm"})
        for live, heard in ((speaking, "psst"), (watching, "psst"), (hearing, "hm")):
            told: list[str] = []
            while heard not in told:
                told += [line["text"] for line in frame(live, "chat")["lines"]]
            assert ("psst" in told) == (live is not hearing)
    assert lines(ann, at) == ["hm"]
    assert lines(bob, at) == lines(cleo, at) == ["before", "psst", "hm"]
    assert ann.ok("GET", "/api/me/shunned")[0]["kind"] == kind
    assert bob.ok("GET", "/api/me/shunned") == []
    ann.ok("DELETE", f"/api/me/shunned/{id_of(bob)}")
    assert lines(ann, at) == ["before", "psst", "hm"]


def farm(server: Running, **wish: Any) -> tuple[str, dict[str, Client]]:
    people = [server.client(name) for name in ("Ann", "Bob", "Cleo")]
    wish = {"game": "cube-farm", "public": True, "clock": {"kind": "days", "days": 2}, **wish}
    at = f"/api/tables/{people[0].ok('POST', '/api/tables', wish)['id']}"
    for person in people[1:]:
        person.ok("POST", f"{at}/join", {})
    return at, {person.ok("GET", at)["you"]: person for person in people}


def test_signed_press_of_the_muted_is_not_read_and_grey_press_is(server: Running) -> None:
    """Whose grey press somebody does not get would be known by that."""
    at, people = farm(server, press={"rule": "all"})
    (ann, bob, cleo), codes = people.values(), list(people)
    shun(ann, bob, "mute")
    for text, grey in (("signed", False), ("grey", True)):
        said = bob.ok("POST", f"{at}/press", {"to": ["all"], "text": text, "grey": grey})
        assert said == cleo.ok("POST", f"{at}/press", {"to": [codes[1]], "text": "x"})

    def read(client: Client) -> set[str]:
        return {line["text"] for line in client.ok("GET", f"{at}/press")["lines"]}

    assert read(ann) == {"grey"}
    assert read(bob) >= {"signed", "grey"}
    assert read(cleo) >= {"signed", "grey"}


def test_the_blocked_stand_by_for_ever(server: Running) -> None:
    at, (ann, bob, _) = (found := farm(server))[0], found[1].values()
    dan, eve = server.client("Dan"), server.client("Eve")
    shun(bob, dan, "block")

    def open_a_seat(tx: Tx) -> None:
        table = at.rsplit("/", 1)[1]
        tx.execute("UPDATE seats SET is_open = 1 WHERE table_id = ? AND seat = 0", table)

    server.run(server.site.store.transact(open_a_seat))
    seen = dan.ok("POST", f"{at}/standby", {"is_on": True})
    assert (seen["you"], seen["duty"]["is_standby"]) == (None, True)
    assert eve.ok("POST", f"{at}/standby", {"is_on": True})["you"] is not None
    assert ann.ok("GET", at)["you"] is None


def test_whom_one_can_shun(server: Running) -> None:
    ann = server.client("Ann")
    for path, refusal in (
        (f"/api/me/shunned/{id_of(ann)}", (409, "yourself")),
        ("/api/me/shunned/nobody", (404, "missing")),
        ("/api/me/shunned/a%00b", (404, "missing")),
    ):
        assert ann.refused("PUT", path, {"kind": "block"}) == refusal
    bob = server.client("Bob")
    path = f"/api/me/shunned/{id_of(bob)}"
    assert ann.refused("PUT", path, {"kind": "love"})[0] == 422
    assert server.client().refused("PUT", path, {"kind": "block"}) == (401, "no-session")
    ann.ok("DELETE", path)  # whom one has not shunned


def test_reports_reach_the_operator_and_nobody_else(tmp_path: Path, store_url: str) -> None:
    with cheap_passwords(), running(tmp_path, database=store_url) as server:
        ann, bob = member(server, "Ann"), server.client("Bob")
        hidden = bob.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
        about = f"/api/people/{id_of(bob)}/report"
        before = bob.ok("GET", "/api/me/export")
        ann.ok("POST", about, {"text": "He was rude.\nTwice."})
        assert ann.refused("POST", about, {"text": "x", "table": hidden}) == (404, "missing")
        assert ann.refused("POST", about, {"text": "  "})[0] == 422
        assert ann.refused("POST", about, {"text": "a\u0007b"})[0] == 422
        own = f"/api/people/{id_of(ann)}/report"
        assert ann.refused("POST", own, {"text": "me"}) == (409, "yourself")
        missing = "/api/people/nobody/report"
        assert ann.refused("POST", missing, {"text": "x"}) == (404, "missing")
        assert bob.ok("GET", "/api/me/export") == before
        for number in range(MOST_A_DAY - 1):
            ann.ok("POST", about, {"text": f"and {number}"})
        assert ann.refused("POST", about, {"text": "enough"}) == (429, "too-many")

    def reports(*more: str) -> str:
        environment: dict[str, Any] = {"OPENPLAN_DATABASE": store_url}
        run = CliRunner().invoke(app, ["admin", "reports", *more], env=environment)
        assert run.exit_code == 0, run.output
        return run.output

    told = reports()
    assert "Ann" in told
    assert "about Bob" in told
    assert "| He was rude.\n  | Twice." in told
    assert "He was rude" not in reports("--close", "1")
    assert "and 3" in reports()


def test_one_person_has_only_so_many_sockets(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_OF_ONE >= 20
    monkeypatch.setattr("openplan.server.http.live_views.MAX_OF_ONE", 3)
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", PUBLIC)["id"]
    with ExitStack() as opened:
        sockets = [opened.enter_context(ann.live(table)) for _ in range(3)]
        for live in sockets:
            frame(live)
        with ann.live(table) as one_too_many, pytest.raises(ConnectionClosed, match="1013"):
            one_too_many.recv(20)
        with bob.live(table) as others, server.client().live(table) as nobodys:
            frame(others), frame(nobodys)
        sockets[0].close()
        assert any(has_room(ann, table) for _ in range(200)), "a closed socket still counts"


def has_room(client: Client, table: str) -> bool:
    """It takes the server a moment to notice that a socket is gone."""
    with client.live(table) as live:
        try:
            frame(live)
        except ConnectionClosed:
            return False
    return True


def test_profiles_show_what_is_everybodys(server: Running) -> None:
    ann = member(server, "Ann")
    ann.ok("PATCH", "/api/me", {"zone": "Europe/Lisbon"})
    found = server.client().ok("GET", f"/api/people/{id_of(ann)}")
    assert set(found) == {
        *("id", "name", "kind", "since", "ratings", "reliability", "lessened", "luck_adjusted")
    }
    for path in ("/api/people/nobody", "/api/people/nobody/results", "/api/ratings/chess"):
        assert ann.refused("GET", path) == (404, "missing")
