"""The whole server on SQLite and on PostgreSQL."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from tests.server.running import VirtualClock, frame, running


def test_people_and_bots_play_clocks_run_and_tabs_race(tmp_path: Path, store_url: str) -> None:
    rng = Random(8)
    with running(tmp_path, database=store_url) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        wish = {"game": "human-resources", "public": True, "clock": {"kind": "live", "bank": 600}}
        table = ann.ok("POST", "/api/tables", wish)["id"]
        at = f"/api/tables/{table}"
        bob.ok("POST", f"{at}/join", {})
        people = {"A": ann, "B": bob}
        with ann.live(table) as ann_live, bob.live(table) as bob_live:
            frame(ann_live), frame(bob_live)
            for turn in range(1, 6):
                (code,) = ann.ok("GET", at)["to_act"]
                mover = people[code]
                version = mover.ok("GET", at)["version"]
                move = mover.some_move(table, rng)

                def send(tab: int, mover=mover, move=move, version=version, turn=turn) -> int:  # type: ignore[no-untyped-def]
                    body = {"move": move, "version": version, "submission": f"{turn}-{tab}"}
                    status: int = mover.ask("POST", f"{at}/moves", body).status_code
                    return status

                with ThreadPoolExecutor(3) as threads:
                    assert sorted(threads.map(send, range(3))) == [200, 409, 409]
                assert frame(ann_live)["table"]["version"] == turn
                assert frame(bob_live)["table"]["version"] == turn
        ann.ok("POST", f"{at}/chat", {"text": "hello"})
        ann.ok("PUT", f"{at}/notes", {"text": "mine"})
        ann.ok("PUT", f"{at}/notes", {"text": "still mine"})
        assert ann.ok("GET", f"{at}/notes") == {"text": "still mine"}
        assert bob.ok("POST", f"{at}/resign")["state"] == "over"

        seats = [{"kind": "bot", "bot": "random"}, {"kind": "me"}]
        table = ann.ok("POST", "/api/tables", {"game": "human-resources", "seats": seats})["id"]
        with ann.live(table) as live:
            now = frame(live)["table"]
            while now["version"] < 6 and now["outcome"] is None:
                if now["to_act"] == ["B"]:
                    move = ann.some_move(table, rng)
                    ann.play(table, move, now["version"], f"b{now['version']}")
                now = frame(live)["table"]


def test_a_flag_falls_once(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        wish = {"game": "human-resources", "public": True, "clock": {"kind": "live", "bank": 60}}
        at = f"/api/tables/{ann.ok('POST', '/api/tables', wish)['id']}"
        bob.ok("POST", f"{at}/join", {})
        clock.go_on(60)
        server.run(server.site.look_at_clocks())
        server.run(server.site.expire(at.rsplit("/", 1)[1]))
        assert ann.ok("GET", at)["outcome"]["reason"] == "flag"
        assert len(ann.ok("GET", f"{at}/log")["entries"]) == 1
