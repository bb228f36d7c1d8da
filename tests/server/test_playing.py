"""Whole games through the real server: HTTP, WebSocket, bots."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest

from openplan.core.record import read_record
from openplan.core.registry import game_named
from openplan.decks import find_deck
from openplan.server.http.rate_limits import HERE
from openplan.server.tables import moves
from openplan.server.tables.moves import MOST_IN_A_TURN
from tests.server.running import Running, VirtualClock, frame, running

TWO = {"game": "human-resources"}


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


def test_two_people_play_a_whole_game(server: Running) -> None:
    rng = Random(5)
    ann, bob, cleo = server.client("Ann"), server.client("Bob"), server.client("Cleo")
    table = ann.ok("POST", "/api/tables", TWO)["id"]
    invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
    assert cleo.refused("GET", f"/api/tables/{table}") == (404, "missing")
    assert bob.refused("POST", f"/api/tables/{table}/join", {}) == (404, "missing")
    seen = bob.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    assert (seen["state"], seen["you"]) == ("playing", "B")
    commitment = seen["commitment"]
    assert ann.ok("GET", f"/api/tables/{table}/verify")["chance"] is None

    clients = {"A": ann, "B": bob}
    with ann.live(table) as ann_live, bob.live(table) as bob_live:
        sockets = {"A": ann_live, "B": bob_live}
        now = {code: frame(live)["table"] for code, live in sockets.items()}
        record: list[str] = []
        for turn in range(1000):
            if now["A"]["outcome"] is not None:
                break
            (code,) = now["A"]["to_act"]
            move = clients[code].some_move(table, rng)
            played = clients[code].play(table, move, now[code]["version"], f"turn-{turn}")
            frames = {seat: frame(live) for seat, live in sockets.items()}
            now = {seat: message["table"] for seat, message in frames.items()}
            assert now[code]["version"] == played["version"]
            record += [told["text"] for told in frames["A"]["told"]]
    assert now["A"]["outcome"] == now["B"]["outcome"] is not None
    assert now["A"]["state"] == "over"

    text = bob.ok("GET", f"/api/tables/{table}/record")
    match = read_record(text, game_named, find_deck)
    assert match.commitment == commitment
    assert match.ply == len(record)
    proof = ann.ok("GET", f"/api/tables/{table}/verify")
    assert (proof["chance"][0], proof["record"]) == (f"chance server: {match.salt}", text)
    assert bob.refused("POST", f"/api/tables/{table}/resign") == (409, "over")

    # Each sees who waits for the other at the next table.
    assert ann.ok("GET", f"/api/tables/{table}")["duty"]["rematch"] == []
    again = bob.ok("POST", f"/api/tables/{table}/rematch")["id"]
    assert ann.ok("GET", f"/api/tables/{table}")["duty"]["rematch"] == ["B"]
    assert ann.ok("POST", f"/api/tables/{table}/rematch")["id"] == again
    assert bob.ok("GET", f"/api/tables/{table}")["duty"]["rematch"] == ["A", "B"]
    assert ann.ok("GET", f"/api/tables/{again}")["you"] == "B"
    assert bob.ok("GET", f"/api/tables/{again}")["state"] == "playing"


def test_a_guest_plays_the_greedy_bot(server: Running) -> None:
    rng = Random(6)
    ann = server.client("Ann")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    table = ann.ok("POST", "/api/tables", {**TWO, "seats": seats})["id"]
    with ann.live(table) as live:
        now = frame(live)["table"]
        turn = 0
        while now["outcome"] is None:
            if now["to_act"] == ["A"]:
                turn += 1
                ann.play(table, ann.some_move(table, rng), now["version"], f"turn-{turn}")
            now = frame(live)["table"]
    assert turn > 3
    assert set(now["outcome"]["points"]) == {"A", "B"}


def test_a_member_keeps_what_the_guest_began(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", TWO)["id"]
    before = dict(ann.http.cookies)
    account = {"login": "ann.lee", "password": "correct horse", "name": "Ann Lee"}
    me = ann.ok("POST", "/api/session/sign-up", account)
    assert (me["name"], me["kind"]) == ("Ann Lee", "member")
    assert dict(ann.http.cookies) != before, "the session is a new one"
    assert [row["id"] for row in ann.ok("GET", "/api/me/tables")] == [table]
    stale = server.client()
    stale.http.cookies.update(before)
    assert stale.refused("GET", "/api/me") == (401, "no-session")

    other = server.client("Ann again")
    wrong = {"login": "ann.lee", "password": "wrong horse"}
    unknown = {"login": "nobody.here", "password": "wrong horse"}
    answers = [other.ask("POST", "/api/session/sign-in", body) for body in (wrong, unknown)]
    assert {answer.status_code for answer in answers} == {403}
    assert answers[0].text == answers[1].text
    right = {"login": "Ann.Lee", "password": "correct horse"}
    assert other.ok("POST", "/api/session/sign-in", right)["name"] == "Ann Lee"
    assert other.ok("GET", f"/api/tables/{table}")["you"] == "A"
    assert other.refused("POST", "/api/session/sign-up", account) == (409, "login-taken")


def test_signing_out_closes_the_sockets(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", TWO)["id"]
    with ann.live(table) as live:
        frame(live)
        ann.ok("DELETE", "/api/session")
        assert frame(live, "gone")["reason"] == "signed out"
    assert ann.refused("GET", f"/api/tables/{table}") == (404, "missing")


def test_chat_notes_offers_and_going_back(server: Running) -> None:
    ann, bob, cleo = server.client("Ann"), server.client("Bob"), server.client("Cleo")
    table = ann.ok("POST", "/api/tables", {**TWO, "public": True})["id"]
    assert table in {row["id"] for row in cleo.ok("GET", "/api/tables")}
    bob.ok("POST", f"/api/tables/{table}/join", {"seat": "B"})
    at = f"/api/tables/{table}"
    assert cleo.refused("POST", f"{at}/join", {}) == (409, "begun")
    ann.ok("POST", f"{at}/chat", {"text": "hello <b>all</b>"})
    cleo.ok("POST", f"{at}/chat", {"text": "Ann will lose"})
    assert [line["name"] for line in bob.ok("GET", f"{at}/chat")["lines"]] == ["Ann"]
    assert [line["name"] for line in cleo.ok("GET", f"{at}/chat")["lines"]] == ["Ann", "Cleo"]
    ann.ok("PUT", f"{at}/notes", {"text": "Bob hoards\nlight cards"})
    assert bob.ok("GET", f"{at}/notes") == {"text": ""}
    assert ann.ok("GET", f"{at}/notes") == {"text": "Bob hoards\nlight cards"}

    rng = Random(9)
    people = {"A": ann, "B": bob}
    for turn in range(6):
        seen = ann.ok("GET", at)
        (code,) = seen["to_act"]
        mover = people[code]
        version = mover.ok("GET", at)["version"]
        mover.play(table, mover.some_move(table, rng), version, f"t{turn}")
    assert ann.refused("POST", f"{at}/abort") == (409, "begun")
    assert ann.ok("POST", f"{at}/pause") == {"is_done": False}
    (offer,) = bob.ok("GET", at)["offers"]
    assert offer == {"kind": "pause", "by": ["A"], "number": None}
    assert bob.ok("POST", f"{at}/pause") == {"is_done": True}
    assert bob.ok("GET", at)["is_paused"]
    assert ann.refused("POST", f"{at}/options", {"steps": []})[0] == 409
    assert [p.ok("POST", f"{at}/resume")["is_done"] for p in (bob, ann)] == [False, True]
    assert [p.ok("POST", f"{at}/roll-back", {"number": 3})["is_done"] for p in (ann, bob)] == [
        False,
        True,
    ]
    log = cleo.ok("GET", f"{at}/log")["entries"]
    assert log[-1]["text"].endswith("roll-back 3")
    assert log[0]["events"][0]["params"]["seat"] in "AB"
    assert all(event["text"] for entry in log[:6] for event in entry["events"])
    then, now = cleo.ok("GET", f"{at}/at/2"), cleo.ok("GET", at)
    assert then["view"]["office"] == now["view"]["office"]
    assert cleo.refused("GET", f"{at}/at/2?viewer=A") == (404, "missing")
    assert cleo.refused("GET", f"{at}/at/99") == (422, "no-entry")
    assert ann.ok("POST", f"{at}/draw") == {"is_done": False}
    bob.ok("POST", f"{at}/decline", {"kind": "draw"})
    assert [p.ok("POST", f"{at}/draw")["is_done"] for p in (ann, bob)] == [False, True]
    assert cleo.ok("GET", f"{at}/at/0?viewer=A")["view"]["viewer"] == "A"
    assert len(bob.ok("GET", f"{at}/chat")["lines"]) == 2, "afterwards all is heard"


def test_abort_and_leave_before_the_first_move(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    wish = {**TWO, "public": True, "starts_when_full": False}
    at = f"/api/tables/{ann.ok('POST', '/api/tables', wish)['id']}"
    assert ann.refused("POST", f"{at}/start") == (409, "empty-seat")
    bob.ok("POST", f"{at}/join", {})
    assert bob.refused("POST", f"{at}/join", {}) == (409, "two-seats")
    bob.ok("POST", f"{at}/leave")
    bob.ok("POST", f"{at}/join", {})
    assert bob.refused("POST", f"{at}/start") == (403, "not-owner")
    assert ann.ok("POST", f"{at}/start")["state"] == "playing"
    assert bob.ok("POST", f"{at}/abort")["state"] == "aborted"
    assert ann.refused("POST", f"{at}/options", {"steps": []}) == (409, "aborted")


def test_it_stops_gracefully_and_goes_on(tmp_path: Path, store_url: str) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(running(tmp_path, database=store_url))
        ann = server.client("Ann")
        table = ann.ok("POST", "/api/tables", TWO)["id"]
        with ann.live(table) as live:
            frame(live)
            stack.close()
    with running(tmp_path, database=store_url) as server:
        again = server.client()
        again.http.cookies.update(dict(ann.http.cookies))
        assert again.ok("GET", f"/api/tables/{table}")["you"] == "A"
        assert (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


def test_my_tables_tell_who_sits_there_and_which_wait_for_me(server: Running) -> None:
    ann, bea = server.client("Ann"), server.client("Bea")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    (listed,) = ann.ok("GET", "/api/me/tables")
    assert (listed["names"], listed["waits_for_you"]) == (["Ann", ""], False)
    invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
    seen = bea.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    waits = {
        "A": ann.ok("GET", "/api/me/tables")[0]["waits_for_you"],
        "B": bea.ok("GET", "/api/me/tables")[0]["waits_for_you"],
    }
    assert waits == {seat: seat in seen["to_act"] for seat in "AB"}
    assert ann.ok("GET", "/api/me/tables")[0]["names"] == ["Ann", "Bea"]
    # One that does not replay hides none of the others, and one with two seats of mine is one.
    wish = {"game": "human-resources", "hot_seat": True, "seats": [{"kind": "me"}] * 2}
    here = bea.ok("POST", "/api/tables", wish)["id"]
    spoil = "UPDATE tables SET deck_hash = 'other' WHERE id = ?"
    server.run(server.site.store.transact(lambda tx: tx.execute(spoil, table)))
    server.site.writers.forget(table)
    server.site.readers.forget(table)
    found = {one["id"]: one["waits_for_you"] for one in bea.ok("GET", "/api/me/tables")}
    assert found == {here: True, table: False}
    assert len(bea.ok("GET", "/api/me/tables")) == 2


def test_nobody_changes_their_mind_without_end(tmp_path: Path) -> None:
    """A log without end would make every look at the match slower."""
    with running(tmp_path) as server:
        ann = server.client("Ann")
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "seats": seats})["id"]
        invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
        for name in ("Ben", "Cy"):
            server.client(name).ok("POST", f"/api/tables/{table}/join", {"invite": invite})
        for number in range(MOST_IN_A_TURN):
            version = ann.ok("GET", f"/api/tables/{table}")["version"]
            ann.play(table, "nothing", version, f"n{number}")
        version = ann.ok("GET", f"/api/tables/{table}")["version"]
        body = {"move": "nothing", "version": version, "submission": "more"}
        refused = ann.refused("POST", f"/api/tables/{table}/moves", body)
        assert refused == (409, "too-many-entries")
        assert ann.ok("GET", f"/api/tables/{table}")["version"] == version


@pytest.mark.parametrize("other", [{"kind": "me"}, {"kind": "bot", "bot": "random"}])
def test_no_roll_back_begins_the_count_anew(
    other: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever sits alone with bots, or holds all seats, has everybody's consent."""
    monkeypatch.setattr(moves, "MOST_IN_A_TURN", 6)
    with running(tmp_path) as server:
        ann = server.client("Ann")
        seats = [{"kind": "me"}, other]
        wish = {"game": "human-resources", "seats": seats, "hot_seat": other["kind"] == "me"}
        table = ann.ok("POST", "/api/tables", wish)["id"]
        at, codes = f"/api/tables/{table}", "AB" if other["kind"] == "me" else "A"

        def moves_on(number: int) -> None:
            while not (mine := set(codes) & set((seen := ann.ok("GET", at))["to_act"])):
                time.sleep(0.05)
            query = f"?seat={min(mine)}"
            version = ann.ok("GET", at + query)["version"]
            move = ann.some_move(table, Random(1), query)
            body = {"move": move, "version": version, "submission": f"{number}"}
            ann.ok("POST", f"{at}/moves{query}", body)
            assert seen["state"] == "playing"

        moves_on(0)
        before = ann.ok("GET", at)["version"]
        for number in range(1, 6 + 2):
            moves_on(number)
            answer = ann.ask("POST", f"{at}/roll-back", {"number": before})
            assert answer.status_code == (200 if number < 7 else 409), answer.text
            assert number < 7 or answer.json()["code"] == "too-many-entries"
        # Here it could be, where there was none, and the pause that stops the clock with it.
        for number in range(6 + 1):
            answer = ann.ask("POST", f"{at}/pause")
            assert answer.status_code == (200 if number < 6 else 409), answer.text
            if number < 6:
                ann.ok("POST", f"{at}/resume")


def test_changes_of_mind_are_counted_over_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a pause nor a take-back begins a turn; and who has nothing there can still order."""
    monkeypatch.setattr(moves, "MOST_IN_A_TURN", 6)
    with running(tmp_path) as server:
        ann = server.client("Ann")
        wish = {"game": "cube-farm", "seats": [{"kind": "me"}] * 3, "hot_seat": True}
        at = f"/api/tables/{ann.ok('POST', '/api/tables', wish)['id']}"

        def order() -> int:
            version = ann.ok("GET", f"{at}?seat=P")["version"]
            body = {"move": "nothing", "version": version, "submission": f"n{version}"}
            return ann.ask("POST", f"{at}/moves?seat=P", body).status_code

        def take_back() -> int:
            log = ann.ok("GET", f"{at}/log?seat=P")["entries"]
            number = max(one["number"] for one in log if one["text"].endswith("P nothing"))
            return ann.ask("POST", f"{at}/take-back?seat=P", {"number": number}).status_code

        for act in (order, take_back, order, take_back, order):
            assert act() == 200
            ann.ok("POST", f"{at}/pause")
            ann.ok("POST", f"{at}/resume")
        assert [take_back(), order(), order(), take_back()] == [200, 200, 409, 409]


def test_who_undoes_all_the_time_waits(tmp_path: Path) -> None:
    """Take-backs, consent and what a game master does have a limit, as moves do."""
    with running(tmp_path, limits=True, now=VirtualClock()) as server:
        ann = server.client("Ann")
        seats = [{"kind": "me"}, {"kind": "me"}]
        wish = {"game": "human-resources", "seats": seats, "hot_seat": True}
        at = f"/api/tables/{ann.ok('POST', '/api/tables', wish)['id']}"
        for path, body, most in (
            ("take-back?seat=A", "number", HERE["consent"]),
            ("master/deadline", "due_at", HERE["master"]),
        ):
            asked = [ann.ask("POST", f"{at}/{path}", {body: 1}) for _ in range(most + 1)]
            codes = [answer.status_code for answer in asked]
            assert set(codes[:-1]) & {200, 429} == set()
            assert codes[-1] == 429
        for path in ("pause", "resume", "draw", "roll-back", "decline", "resign", "master/pause"):
            bodies: dict[str, Any] = {"roll-back": {"number": 1}, "decline": {"kind": "draw"}}
            answered = ann.refused("POST", f"{at}/{path}", bodies.get(path))
            assert answered == (429, "too-many"), path
