"""Several seats for one person, hints, and taking back among friends: what a table may allow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from openplan.server.ops import bot_pool
from tests.server.running import Client, Running, frame, running

TWO = {"game": "human-resources"}
BOTH_MINE = [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bea"}]
HOT = {**TWO, "hot_seat": True, "seats": BOTH_MINE}


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


def move_on(client: Client, table: str, rng: Random, turns: int) -> None:
    """Whoever holds the device plays for each seat in turn."""
    for _ in range(turns):
        (code,) = client.ok("GET", f"/api/tables/{table}")["to_act"]
        play_for(client, table, code, rng)


def play_for(client: Client, table: str, code: str, rng: Random) -> Any:
    at = f"/api/tables/{table}"
    version = client.ok("GET", f"{at}?seat={code}")["version"]
    move = client.some_move(table, rng, f"?seat={code}")
    body = {"move": move, "version": version, "submission": f"{code}-{version}"}
    return client.ok("POST", f"{at}/moves?seat={code}", body)


# -- Hot seat --------------------------------------------------------------------------------


def test_one_person_in_two_seats_is_refused_elsewhere(server: Running) -> None:
    ann = server.client("Ann")
    wish = {**TWO, "seats": [{"kind": "me"}, {"kind": "me"}]}
    assert ann.refused("POST", "/api/tables", wish) == (409, "two-seats")
    at = f"/api/tables/{ann.ok('POST', '/api/tables', TWO)['id']}"
    assert ann.refused("POST", f"{at}/join", {"seat": "B"}) == (409, "two-seats")
    named = {**TWO, "seats": [{"kind": "me", "name": "Bea"}, {"kind": "open"}]}
    assert ann.refused("POST", "/api/tables", named) == (422, "seats")


def test_whoever_holds_the_device_sees_with_the_eyes_of_one_seat_or_of_none(
    server: Running,
) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", {**HOT, "public": True})["id"]
    at = f"/api/tables/{table}"
    move_on(ann, table, Random(1), 4)
    public = server.client().ok("GET", at)
    unnamed, as_a, as_b = (ann.ok("GET", f"{at}{q}") for q in ("", "?seat=A", "?seat=B"))
    assert unnamed["view"] == public["view"]
    assert (unnamed["you"], as_a["you"], as_b["you"]) == (None, "A", "B")
    assert [seat["name"] for seat in unnamed["seats"]] == ["Ann", "Bea"]
    assert [seat["is_yours"] for seat in unnamed["seats"]] == [True, True]
    assert [seat["is_you"] for seat in as_a["seats"]] == [True, False]
    for path in ("", "/log", "/record", "/at/1"):
        texts = {q: ann.ask("GET", f"{at}{path}{q}").text for q in ("?seat=A", "?seat=B")}
        for code, other in (("A", as_b), ("B", as_a)):
            hidden = set(_cards(other["view"])) - set(
                _cards(ann.ok("GET", f"{at}?seat={code}")["view"])
            )
            assert hidden, "each holds something that the other does not know"
            assert not [card for card in hidden if card in texts[f"?seat={code}"]], path
    assert ann.refused("POST", f"{at}/options", {"steps": []}) == (403, "which-seat")
    assert ann.refused("GET", f"{at}?seat=C") == (422, "no-seat")


def _cards(view: Any) -> list[str]:
    """Every text in a view that names a card's face."""
    return re.findall(r"\b[PMQX]\d\d[dl]\b", json.dumps(view))


def test_a_seat_of_another_cannot_be_named(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    at = f"/api/tables/{ann.ok('POST', '/api/tables', {**TWO, 'public': True})['id']}"
    bob.ok("POST", f"{at}/join", {})
    assert bob.ok("GET", f"{at}?seat=B")["you"] == "B"
    asked: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("GET", "/log", None),
        ("GET", "/record", None),
        ("GET", "/at/0", None),
        ("POST", "/options", {"steps": []}),
        ("POST", "/moves", {"move": "draw", "version": 0, "submission": "s"}),
        ("POST", "/resign", None),
        ("POST", "/hint", None),
    ]
    for method, path, body in asked:
        assert bob.refused(method, f"{at}{path}?seat=A", body) == (403, "not-yours"), path
        assert server.client("Cleo").refused(method, f"{at}{path}?seat=A", body)[0] == 403
    with pytest.raises(Exception, match="403"), bob.live(at.rsplit("/", 1)[1], "?seat=A"):
        pass


def test_a_game_on_one_device_with_a_socket_for_each_seat(server: Running) -> None:
    ann, rng = server.client("Ann"), Random(2)
    table = ann.ok("POST", "/api/tables", HOT)["id"]
    with ann.live(table, "?seat=A") as a, ann.live(table, "?seat=B") as b, ann.live(table) as none:
        now = {code: frame(live)["table"] for code, live in (("A", a), ("B", b), ("", none))}
        assert [now[code]["you"] for code in ("A", "B", "")] == ["A", "B", None]
        for _ in range(4):
            (code,) = now["A"]["to_act"]
            played = play_for(ann, table, code, rng)
            now = {seat: frame(live)["table"] for seat, live in (("A", a), ("B", b), ("", none))}
            assert now[code]["version"] == played["version"]
            assert now["A"]["view"] != now["B"]["view"] != now[""]["view"]
    at = f"/api/tables/{table}"
    assert ann.ok("POST", f"{at}/pause") == {"is_done": True}, "one person agrees for both"
    assert ann.ok("POST", f"{at}/resume") == {"is_done": True}
    assert ann.refused("POST", f"{at}/resign") == (403, "which-seat")
    assert ann.ok("POST", f"{at}/resign?seat=A")["outcome"]["winners"] == ["B"]
    again = ann.ok("GET", f"/api/tables/{ann.ok('POST', f'{at}/rematch')['id']}")
    assert (again["state"], again["hot_seat"]) == ("playing", True)
    assert [seat["name"] for seat in again["seats"]] == ["Bea", "Ann"], "the seats moved on"


def test_one_name_of_a_submission_is_for_one_seat(server: Running) -> None:
    ann, rng = server.client("Ann"), Random(3)
    table = ann.ok("POST", "/api/tables", HOT)["id"]
    at = f"/api/tables/{table}"
    (code,) = ann.ok("GET", at)["to_act"]
    other = "B" if code == "A" else "A"
    move = ann.some_move(table, rng, f"?seat={code}")
    body = {"move": move, "version": 0, "submission": "s"}
    first = ann.ok("POST", f"{at}/moves?seat={code}", body)
    assert ann.ok("POST", f"{at}/moves?seat={code}", body) == first
    assert ann.refused("POST", f"{at}/moves?seat={other}", body) == (409, "submission")


def test_friends_at_the_device_and_one_elsewhere(server: Running) -> None:
    ann, cleo = server.client("Ann"), server.client("Cleo")
    wish = {
        "game": "cube-farm",
        "hot_seat": True,
        "public": True,
        "seats": [{"kind": "me"}, {"kind": "me", "name": "Bea"}, {"kind": "open"}],
    }
    table = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    seen = cleo.ok("POST", f"{at}/join", {})
    assert seen["state"] == "playing"
    codes = [seat["seat"] for seat in seen["seats"]]
    assert cleo.refused("GET", f"{at}?seat={codes[0]}") == (403, "not-yours")
    assert cleo.ok("POST", f"{at}/pause") == {"is_done": False}
    assert ann.ok("POST", f"{at}/pause") == {"is_done": True}
    ann.ok("POST", f"{at}/chat", {"text": "we are two here"})
    assert [line["text"] for line in cleo.ok("GET", f"{at}/chat")["lines"]] == ["we are two here"]


# -- Hints -----------------------------------------------------------------------------------


def test_a_hint_where_the_table_allows_it(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    without = f"/api/tables/{ann.ok('POST', '/api/tables', HOT)['id']}"
    (code,) = ann.ok("GET", without)["to_act"]
    assert ann.refused("POST", f"{without}/hint?seat={code}") == (403, "no-hints")
    for game in ("human-resources", "cube-farm"):
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": "random"} for _ in range(2))]
        wish = {"game": game, "hints": True, "public": True}
        if game == "human-resources":
            table = ann.ok("POST", "/api/tables", wish)["id"]
            bob.ok("POST", f"/api/tables/{table}/join", {})
        else:
            table = ann.ok("POST", "/api/tables", {**wish, "seats": seats})["id"]
        at = f"/api/tables/{table}"
        mover = ann if "A" in ann.ok("GET", at)["to_act"] or game == "cube-farm" else bob
        hint = mover.ok("POST", f"{at}/hint")
        assert hint["version"] == mover.ok("GET", at)["version"]
        assert hint["chance"] is None or 0 <= hint["chance"] <= 1
        assert mover.ok("POST", f"{at}/why", {"move": hint["move"]})["is_legal"]
        if game == "human-resources":
            other = bob if mover is ann else ann
            assert other.refused("POST", f"{at}/hint") == (409, "not-your-turn")
        assert server.client("Cleo").refused("POST", f"{at}/hint") == (403, "not-seated")


def test_hints_are_bounded(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = server.client("Ann")
    at = f"/api/tables/{ann.ok('POST', '/api/tables', {**HOT, 'hints': True})['id']}"
    (code,) = ann.ok("GET", at)["to_act"]
    monkeypatch.setattr(bot_pool, "MOST_HINTS", 0)
    assert ann.refused("POST", f"{at}/hint?seat={code}") == (429, "too-many")
    monkeypatch.undo()
    hasty = replace(server.site.settings, bot_seconds=0.001)
    monkeypatch.setattr(server.site, "settings", hasty)
    assert ann.refused("POST", f"{at}/hint?seat={code}") == (503, "no-hint")
    monkeypatch.undo()
    assert ann.ok("POST", f"{at}/hint?seat={code}")["move"], "the pool was started anew"


# -- Taking back among friends ---------------------------------------------------------------


def played(server: Running, wish: dict[str, Any], turns: int) -> tuple[str, dict[str, Client]]:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", {**TWO, "public": True, **wish})["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    people, rng = {"A": ann, "B": bob}, Random(4)
    for _ in range(turns):
        (code,) = ann.ok("GET", f"/api/tables/{table}")["to_act"]
        play_for(people[code], table, code, rng)
    return f"/api/tables/{table}", people


def first_of(client: Client, at: str, code: str) -> int:
    """The number, in this client's record, of the first entry that a seat made."""
    entries = client.ok("GET", f"{at}/log")["entries"]
    numbers = (entry["number"] for entry in entries if f" {code} " in f" {entry['text']} ")
    return int(next(numbers))


@pytest.mark.parametrize("way", ["strict", "friendly"])
def test_a_table_says_whether_the_last_move_can_be_taken_back(server: Running, way: str) -> None:
    at, people = played(server, {"take_back": way}, 0)
    others = {"A": people["B"], "B": people["A"]}
    rng, answers = Random(7), set()
    for _ in range(25):
        (code,) = people["A"].ok("GET", at)["to_act"]
        play_for(people[code], at.rpartition("/")[2], code, rng)
        for mine, client in people.items():
            undo = client.ok("GET", at)["undo"]
            log = client.ok("GET", f"{at}/log")["entries"]
            moves = [entry["number"] for entry in log if f". {mine} " in entry["text"]]
            if not moves:
                assert undo is None
                continue
            wish = {"number": moves[-1]}
            if undo is None:
                answers.add("no")
                assert client.refused("POST", f"{at}/take-back", wish)[1] == "reveals"
            elif undo["asks"]:
                answers.add("ask")
                assert undo["number"] == moves[-1]
                (offer,) = client.ok("POST", f"{at}/take-back", wish)["offers"]
                assert offer["by"] == [mine]
                others[mine].ok("POST", f"{at}/decline", {"kind": "take-back"})
            else:
                answers.add("yes")
                assert undo["number"] == moves[-1]
    assert ("ask" if way == "friendly" else "no") in answers
    people["A"].ok("POST", f"{at}/resign")
    assert [client.ok("GET", at)["undo"] for client in people.values()] == [None, None]


def test_sealed_orders_can_be_taken_back_until_they_are_opened(server: Running) -> None:
    ann, *others = (server.client(name) for name in ("Ann", "Ben", "Cleo"))
    table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "public": True})["id"]
    at = f"/api/tables/{table}"
    for other in others:
        other.ok("POST", f"{at}/join", {})
    assert ann.ok("GET", at)["undo"] is None
    ann.play(table, "nothing", 0, "one")
    assert ann.ok("GET", at)["undo"] == {"number": 1, "asks": False}
    assert others[0].ok("GET", at)["undo"] is None
    assert ann.ok("POST", f"{at}/take-back", {"number": 1})["undo"] is None
    ann.play(table, "nothing", ann.ok("GET", at)["version"], "two")
    for other in others:
        other.play(table, "nothing", 0, "three")
    assert ann.ok("GET", at)["undo"] is None


def test_a_friendly_take_back_needs_everybody(server: Running) -> None:
    at, people = played(server, {"take_back": "friendly"}, 6)
    asker, other = people["A"], people["B"]
    number = first_of(asker, at, "A")
    now = asker.ok("GET", at)["view"]
    (offer,) = asker.ok("POST", f"{at}/take-back", {"number": number})["offers"]
    assert offer == {"kind": "take-back", "by": ["A"], "number": number}
    assert asker.ok("GET", at)["view"] == now, "nothing happens without consent"
    other.ok("POST", f"{at}/decline", {"kind": "take-back"})
    assert asker.ok("GET", at)["offers"] == []
    asker.ok("POST", f"{at}/take-back", {"number": number})
    (offer,) = other.ok("GET", at)["offers"]
    # With the other's eyes: each knows the faces that they have laid themselves.
    before = other.ok("GET", f"{at}/at/{offer['number'] - 1}")["view"]["office"]
    after = other.ok("POST", f"{at}/take-back", {"number": offer["number"]})
    assert (after["offers"], after["view"]["office"], after["to_act"]) == ([], before, ["A"])
    assert "roll-back" in other.ok("GET", f"{at}/log")["entries"][-1]["text"]


def test_a_strict_table_keeps_to_the_rules(server: Running) -> None:
    at, people = played(server, {}, 6)
    number = first_of(people["A"], at, "A")
    refused = people["A"].refused("POST", f"{at}/take-back", {"number": number})
    assert refused == (409, "reveals")
    assert people["A"].ok("GET", at)["offers"] == []
    other = first_of(people["A"], at, "B")
    for wish in ({}, {"take_back": "friendly"}):
        at, people = played(server, wish, 6)
        other = first_of(people["A"], at, "B")
        assert people["A"].refused("POST", f"{at}/take-back", {"number": other}) == (
            409,
            "not-yours",
        ), "only what is one's own, whatever the table allows"
