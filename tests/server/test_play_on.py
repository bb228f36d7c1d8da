"""A finished match is shown around, and played on from any moment of it."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from tests.server.running import Client, Running, running


def finished(client: Client, game: str, **more: object) -> str:
    """A whole match against bots, as somebody plays it."""
    count = {"human-resources": 1, "cube-farm": 2}[game]
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": "random"} for _ in range(count))]
    wish = {"game": game, "seats": seats, **more}
    table: str = client.ok("POST", "/api/tables", wish)["id"]
    rng, number = Random(4), 0
    while True:
        seen = client.ok("GET", f"/api/tables/{table}")
        if seen["outcome"] is not None:
            return table
        if seen["you"] in seen["view"].get("sent", ()):
            time.sleep(0.02)  # orders are in: the bots are waited for
        elif seen["you"] in seen["to_act"]:
            number += 1
            answer = client.ask(
                "POST",
                f"/api/tables/{table}/moves",
                {
                    "move": a_move(client, table, game, rng),
                    "version": seen["version"],
                    "submission": f"m{number}",
                },
            )
            assert answer.status_code in (200, 409), answer.text


def a_move(client: Client, table: str, game: str, rng: Random) -> str:
    """Sealed orders may be opened while one builds others."""
    return "nothing" if game == "cube-farm" else client.some_move(table, rng)


@pytest.mark.parametrize("game", ["human-resources", "cube-farm"])
def test_a_match_against_bots_is_shown_around_and_played_on(tmp_path: Path, game: str) -> None:
    with running(tmp_path) as server:
        ann, ben = server.client("Ann"), server.client("Ben")
        table = finished(ann, game)
        nobody = server.client()
        for who in (ben, nobody):
            assert who.ok("GET", f"/api/tables/{table}")["outcome"] is not None
        log = nobody.ok("GET", f"/api/tables/{table}/log?viewer=all")["entries"]
        middle = len(log) // 2
        seats = ben.ok("GET", f"/api/tables/{table}")["seats"]
        code = seats[-1]["seat"]
        path = f"/api/tables/{table}/at/{middle}/play-on"
        mine = ben.ok("POST", path, {"seat": code, "bot": "random"})["id"]
        seen = ben.ok("GET", f"/api/tables/{mine}")
        assert seen["you"] == code
        assert seen["outcome"] is None
        then = ben.ok("GET", f"/api/tables/{table}/at/{middle}?viewer={code}")
        if game == "human-resources":  # bots may have sealed their orders by now
            assert seen["version"] in (middle, middle + 1)
            assert then["view"]["hands"] == seen["view"]["hands"]
        assert is_played_to_the_end(server, ben, mine, code)


def is_played_to_the_end(server: Running, client: Client, table: str, code: str) -> bool:
    rng = Random(9)
    for number in range(3000):
        seen = client.ok("GET", f"/api/tables/{table}")
        if seen["outcome"] is not None:
            return True
        if code in seen["to_act"]:
            body = {"version": seen["version"], "submission": f"n{number}"}
            move = a_move(client, table, seen["game"], rng)
            client.ask("POST", f"/api/tables/{table}/moves", {**body, "move": move})
    return False


def test_what_is_not_over_or_kept_is_shown_to_nobody(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann, ben = server.client("Ann"), server.client("Ben")
        kept = finished(ann, "human-resources", closed_after=True)
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
        going = ann.ok("POST", "/api/tables", {"game": "human-resources", "seats": seats})["id"]
        for table in (kept, going):
            assert ben.ask("GET", f"/api/tables/{table}").status_code == 404
            path = f"/api/tables/{table}/at/1/play-on"
            assert ben.refused("POST", path, {"seat": "A"}) == (404, "missing")
        path = f"/api/tables/{going}/at/0/play-on"
        assert ann.refused("POST", path, {"seat": "A"}) == (409, "not-over")
        for body, code in (({"seat": "Z"}, "no-seat"), ({"seat": "A", "bot": "x"}, "unknown-bot")):
            assert ann.ask("POST", f"/api/tables/{kept}/at/1/play-on", body).json()["code"] == code
