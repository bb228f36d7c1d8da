"""The fast lane of moves: whoever goes it is answered as by the common way, byte for byte."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from openplan.server.http.lane import LaneAnswer, MoveLane
from tests.server.running import Client, Running, VirtualClock, running

Taken = list[LaneAnswer | None]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    """What came of each request that entered the lane."""
    found: Taken = []
    play = MoveLane.play

    async def noted(self: MoveLane, *arguments: Any) -> LaneAnswer | None:
        found.append(await play(self, *arguments))
        return found[-1]

    monkeypatch.setattr(MoveLane, "play", noted)
    return found


def begun(server: Running) -> tuple[Client, Client, str]:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    return ann, bob, table


def whole(client: Client, path: str, body: bytes, **headers: str) -> Any:
    """An answer with all that it says, but for the date."""
    headers = {"content-type": "application/json", **headers}
    answer = client.http.post(path, content=body, headers=headers)
    said = sorted((name, value) for name, value in answer.headers.items() if name != "date")
    return answer.status_code, said, answer.content


def test_a_move_is_answered_as_by_the_common_way(tmp_path: Path, taken: Taken) -> None:
    with running(tmp_path) as server:
        ann, bob, table = begun(server)
        seen = ann.ok("GET", f"/api/tables/{table}")
        mover, other = (ann, bob) if seen["to_act"] == ["A"] else (bob, ann)
        version = mover.ok("GET", f"/api/tables/{table}")["version"]
        move = mover.some_move(table, Random(1))
        body = {"move": move, "version": version, "submission": "one"}
        path = f"/api/tables/{table}/moves"
        fast = whole(mover, path, json.dumps(body).encode())
        assert fast[0] == 200
        assert taken == [LaneAnswer(200, fast[2])]
        # The common way knows the submission, and says what was said then.
        assert whole(mover, f"{path}?way=common", json.dumps(body).encode()) == fast
        assert whole(mover, path, json.dumps(body).encode()) == fast
        assert len(taken) == 2
        record = other.ok("GET", f"/api/tables/{table}/log")
        assert len(record["entries"]) == version + 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_refusals_are_those_of_the_common_way(tmp_path: Path, taken: Taken, language: str) -> None:
    with running(tmp_path) as server:
        ann, _, table = begun(server)
        nobody = server.client()
        good = {"move": "place P01d E1", "version": 0, "submission": "one"}
        asked = [
            (ann, table, json.dumps({**good, "move": "place P01d E999"}), True),
            (ann, table, json.dumps({**good, "move": "nonsense"}), True),
            (ann, table, json.dumps({**good, "version": 77}), True),
            (ann, table, json.dumps({**good, "submission": "no name"}), True),
            (ann, table, json.dumps({**good, "ready": False}), True),
            (ann, "nowhere", json.dumps(good), True),
            (ann, table, json.dumps({**good, "submission": 3}), False),
            (ann, table, json.dumps({**good, "more": 3}), False),
            (ann, table, json.dumps({**good, "move": "x" * 3000}), False),
            (ann, table, json.dumps({"move": "place P01d E1"}), False),
            (ann, table, "[" * 5000, False),
            (ann, table, '{"move": "\udcff"}', False),
            (ann, table, "", False),
            (ann, table, json.dumps({**good, "move": "x" * 300_000}), False),
            (nobody, table, json.dumps(good), False),
        ]
        for client, where, text, is_taken in asked:
            path, body = f"/api/tables/{where}/moves", text.encode("utf-8", "surrogateescape")
            taken.clear()
            said = {"accept-language": language}
            fast = whole(client, path, body, **said)
            assert fast[0] >= 400
            assert [one is not None for one in taken] == [is_taken], text[:80]
            assert fast == whole(client, f"{path}?way=common", body, **said), text[:80]
            assert len(taken) == 1


def test_what_the_guard_refuses_does_not_enter(tmp_path: Path, taken: Taken) -> None:
    with running(tmp_path) as server:
        ann, _, table = begun(server)
        path, body = f"/api/tables/{table}/moves", b"{}"
        assert whole(ann, path, body, origin="https://elsewhere.example")[0] == 403
        assert whole(ann, path, body, **{"sec-fetch-site": "cross-site"})[0] == 403
        assert whole(ann, path, body, **{"content-type": "text/plain"})[0] == 415
        assert taken == []


def test_too_many_moves_are_refused_on_either_way(tmp_path: Path, taken: Taken) -> None:
    with running(tmp_path, limits=True, now=VirtualClock()) as server:  # it is the same minute
        ann, _, table = begun(server)
        path, body = f"/api/tables/{table}/moves", b'{"move": "x", "version": 0, "submission": "s"}'
        seen = {whole(ann, path, body)[0] for _ in range(601)}
        assert seen == {422, 429}
        assert whole(ann, f"{path}?way=common", body) == whole(ann, path, body)


def test_the_last_cookie_counts_on_either_way(tmp_path: Path, taken: Taken) -> None:
    with running(tmp_path) as server:
        ann, _, table = begun(server)
        token = ann.http.cookies["openplan"]
        nobody = server.client()
        path = f"/api/tables/{table}/moves"
        body = json.dumps({"move": "place P01d E999", "version": 0, "submission": "one"}).encode()
        for cookie, is_taken in [
            (f"openplan={token}", True),
            (f"a=b; openplan=wrong;openplan={token} ; openplan-device=x", True),
            (f"openplan={token}; openplan=wrong", True),
            (f'openplan="{token}"', False),
            (f"not-openplan={token}", False),
        ]:
            taken.clear()
            fast = whole(nobody, path, body, cookie=cookie)
            assert [one is not None for one in taken] == [is_taken], cookie
            assert fast == whole(nobody, f"{path}?way=common", body, cookie=cookie), cookie
