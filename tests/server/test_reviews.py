"""Looking back on a match: for its players, after its end, when no table wants the bots."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openplan.core.registry import game_named
from openplan.review import review
from openplan.review.words import as_data
from openplan.server.ops import match_reviews
from openplan.server.store import Tx
from openplan.server.tables import reviews
from openplan.server.tables.access import load
from tests.server.people import PASSWORD, cheap_passwords, id_of, member
from tests.server.running import Client, Running, VirtualClock, running
from tests.server.test_ratings import RATED, play_on

GAME = "human-resources"
SHALLOW = 100


@pytest.fixture(autouse=True)
def _shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "DEPTH", SHALLOW)


@pytest.fixture
def server(tmp_path: Path, store_url: str) -> Iterator[Running]:
    with cheap_passwords(), running(tmp_path, database=store_url) as site:
        yield site


def seated(ann: Client, ben: Client, **wish: Any) -> str:
    table: str = ann.ok("POST", "/api/tables", {"game": GAME, "public": True, **wish})["id"]
    ben.ok("POST", f"/api/tables/{table}/join", {})
    return f"/api/tables/{table}"


def over(ann: Client, ben: Client, **wish: Any) -> str:
    """A match with a few moves that somebody has given up."""
    at = seated(ann, ben, **wish)
    play_on(at.rpartition("/")[2], ann, ben)
    ben.ok("POST", f"{at}/resign")
    return at


def waited(client: Client, at: str, *states: str) -> Any:
    end = time.monotonic() + 60
    while True:
        seen = client.ok("GET", f"{at}/review")
        if seen["state"] in states:
            return seen
        assert time.monotonic() < end, seen
        time.sleep(0.05)


def stored(server: Running, sql: str) -> list[Any]:
    return server.run(server.site.store.read(lambda tx: tx.rows(tuple, sql)))


def test_a_player_asks_and_everybody_who_may_look_reads_it(server: Running) -> None:
    ann, ben, cleo = (server.client(name) for name in ("Ann", "Ben", "Cleo"))
    at = over(ann, ben)
    none = {"state": "none", "progress": 0.0, "review": None, "judge_before": None}
    assert ann.ok("GET", f"{at}/review") == none
    assert cleo.refused("POST", f"{at}/review") == (403, "not-seated")
    asked = ann.ask("POST", f"{at}/review")
    assert asked.status_code == 202
    assert asked.json()["state"] in ("waiting", "working")
    done = waited(cleo, at, "done")
    assert done["progress"] == 1
    assert server.client().ok("GET", f"{at}/review") == done

    def whole(tx: Tx) -> Any:
        here = load(tx, at.rpartition("/")[2], None)
        assert here is not None
        with server.site.readers.timed(tx, here.row) as timed:
            found = as_data(timed.match.game, review(timed.match, SHALLOW))
            return json.loads(json.dumps(found))

    assert done["review"] == server.run(server.site.store.read(whole))
    # What is done stays, whoever asks again or wants it away.
    assert ben.ok("POST", f"{at}/review")["state"] == "done"
    assert ann.ok("DELETE", f"{at}/review")["state"] == "done"
    assert stored(server, "SELECT COUNT(*) FROM outbox WHERE kind = 'review'") == [(0,)]
    assert len(stored(server, "SELECT seat FROM review_seats")) == 2


def test_in_the_readers_language(server: Running) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    at = over(ann, ben)
    ann.ok("POST", f"{at}/review")
    english = waited(ann, at, "done")["review"]
    german = ann.ask("GET", f"{at}/review", headers={"Accept-Language": "de"}).json()["review"]
    told = [one["why"] for one in english["decisions"]]
    assert any(told)
    for one, other in zip(english["decisions"], german["decisions"], strict=True):
        assert (one["why"] == other["why"]) == (not one["why"])
        told_better = [
            [event.pop("text") for event in each["best_events"]] for each in (one, other)
        ]
        assert (told_better[0] == told_better[1]) == (told_better == [[], []])
        same = {name: one[name] for name in one if name not in ("why", "truth")}
        assert same == {name: other[name] for name in same}


def test_of_a_match_that_goes_on_nobody_hears_anything(server: Running) -> None:
    """The same for players, for who leads the table, and for who looks on."""
    ann, ben, cleo = (server.client(name) for name in ("Ann", "Ben", "Cleo"))
    led = member(server, "Dora")
    wish = {"game": GAME, "public": True, "invites_master": True}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    invite = ann.ok("GET", at)["duty"]["master_invite"]
    led.ok("POST", f"{at}/master/accept", {"invite": invite})
    waits = {ann.ask(method, f"{at}/review").text for method in ("GET", "POST", "DELETE")}
    ben.ok("POST", f"{at}/join", {})
    play_on(table, ann, ben)
    refusals = {
        client.ask(method, f"{at}/review").text
        for client in (ann, ben, cleo, led)
        for method in ("GET", "POST", "DELETE")
    }
    assert len(refusals | waits) == 1
    assert ann.refused("GET", f"{at}/review") == (409, "not-over")
    assert server.client().refused("GET", f"{at}/review") == (409, "not-over")
    assert server.client().refused("POST", f"{at}/review") == (401, "no-session")
    hidden = ann.ok("POST", "/api/tables", {"game": GAME})["id"]
    assert cleo.refused("GET", f"/api/tables/{hidden}/review") == (404, "missing")
    assert stored(server, "SELECT COUNT(*) FROM reviews") == [(0,)]


def test_a_rated_match_is_looked_back_on_by_itself(server: Running) -> None:
    ann, ben = member(server, "Ann"), member(server, "Ben")
    table = ann.ok("POST", "/api/tables", RATED)["id"]
    at = f"/api/tables/{table}"
    ben.ok("POST", f"{at}/join", {})
    play_on(table, ann, ben)
    ben.ok("POST", f"{at}/resign")
    if ann.ok("GET", f"{at}/review")["state"] != "done":
        assert ann.refused("DELETE", f"{at}/review") == (403, "not-your-review")
    assert waited(ann, at, "done")["review"]["seats"][0]["seat"] == "A"


def test_it_is_stopped_by_who_asked_and_asked_for_anew(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "DEPTH", 20_000)
    ann, ben = server.client("Ann"), server.client("Ben")
    at = over(ann, ben)
    ann.ok("POST", f"{at}/review")
    waited(ann, at, "working")
    assert ben.refused("DELETE", f"{at}/review") == (403, "not-your-review")
    assert ben.ok("POST", f"{at}/review")["state"] == "working"
    assert ann.ok("DELETE", f"{at}/review")["state"] == "none"
    monkeypatch.setattr(reviews, "DEPTH", SHALLOW)
    ben.ok("POST", f"{at}/review")
    assert waited(ann, at, "done")["review"]["depth"] == SHALLOW


def test_a_table_does_not_wait_for_a_review(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "DEPTH", 20_000)
    ann, ben = server.client("Ann"), server.client("Ben")
    at = over(ann, ben)
    ann.ok("POST", f"{at}/review")
    waited(ann, at, "working")
    # It thinks where reviews are made; quicker ones have a process of their own.
    seats = [{"kind": "bot", "bot": "director"}, {"kind": "me"}]
    began = time.monotonic()
    table = ben.ok("POST", "/api/tables", {"game": GAME, "seats": seats})["id"]
    while True:
        seen = ben.ok("GET", f"/api/tables/{table}")
        if seen["version"] > 0 or seen["to_act"] == [seen["you"]]:
            break
        assert time.monotonic() - began < 10, "the bot has not answered"
        time.sleep(0.02)
    assert ann.ok("GET", f"{at}/review")["state"] == "working"


def test_who_asks_for_much_waits(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "DEPTH", 20_000)
    monkeypatch.setattr(reviews, "MOST_WAITING", 1)
    ann, ben = server.client("Ann"), server.client("Ben")
    first, second = over(ann, ben), over(ann, ben)
    ann.ok("POST", f"{first}/review")
    assert ann.refused("POST", f"{second}/review") == (409, "reviews-waiting")
    ben.ok("POST", f"{second}/review")
    ann.ok("DELETE", f"{first}/review")


def test_a_game_without_a_judge(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    at = over(ann, ben)
    monkeypatch.setattr(type(game_named(GAME)), "evaluator", "")
    assert ann.refused("POST", f"{at}/review") == (409, "no-judge")
    assert ann.ok("GET", f"{at}/review")["state"] == "none"


def test_the_judge_is_fixed_when_the_match_begins(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    known = game_named(GAME).evaluator
    at = seated(ann, ben)
    fixed = "SELECT evaluator FROM tables WHERE evaluator IS NOT NULL"
    assert stored(server, fixed) == [(known,)]
    play_on(at.rpartition("/")[2], ann, ben)
    ben.ok("POST", f"{at}/resign")
    ann.ok("POST", f"{at}/review")
    done = waited(ann, at, "done")
    assert done["review"]["evaluator"] == known
    # Whoever comes later, what was found stays.
    monkeypatch.setattr(type(game_named(GAME)), "evaluator", "kinder")
    for client in (ann, ben):
        client.ok("DELETE", f"{at}/review")
        assert client.ok("POST", f"{at}/review")["review"] == done["review"]
    assert stored(server, "SELECT evaluator FROM reviews") == [(known,)]


def test_a_judge_that_is_not_there_any_more_is_named(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the start of a match and its review there may be a new release."""
    ann, ben = server.client("Ann"), server.client("Ben")
    known = game_named(GAME).evaluator
    at = seated(ann, ben)
    play_on(at.rpartition("/")[2], ann, ben)
    ben.ok("POST", f"{at}/resign")
    stored_as = f"UPDATE tables SET evaluator = 'earlier' WHERE evaluator = '{known}'"
    server.run(server.site.store.transact(lambda tx: tx.execute(stored_as)))
    ann.ok("POST", f"{at}/review")
    done = waited(ann, at, "done")
    assert (done["review"]["evaluator"], done["judge_before"]) == (known, "earlier")
    other = over(ann, ben)
    ann.ok("POST", f"{other}/review")
    assert waited(ann, other, "done")["judge_before"] is None


def test_what_waits_is_taken_up_after_a_restart(
    tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what somebody was at who has died since."""
    clock = VirtualClock()
    monkeypatch.setattr(reviews, "DEPTH", 50_000)
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, ben = server.client("Ann"), server.client("Ben")
        first, second = over(ann, ben), over(ann, ben)
        for at in (first, second):
            ann.ok("POST", f"{at}/review")
        waited(ann, first, "working")
        cookies = ann.http.cookies
        shallow = f"UPDATE reviews SET depth = {SHALLOW}"
        server.run(server.site.store.transact(lambda tx: tx.execute(shallow)))
    with running(tmp_path, database=store_url, now=clock) as server:
        ann = server.client()
        ann.http.cookies = cookies
        waited(ann, second, "done")
        assert ann.ok("GET", f"{first}/review")["state"] == "working"
        clock.go_on(match_reviews.LEASE / 1_000_000 + 1)
        waited(ann, first, "done")


def fails(_: Any) -> Any:
    """In a worker."""
    raise ValueError("nothing comes of it")


def test_a_worker_that_fails_is_tried_again_and_then_given_up(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openplan.server.store.jobs.wait_after", lambda _: 1)
    ann, ben = server.client("Ann"), server.client("Ben")
    at = over(ann, ben)
    real = match_reviews.judge_some
    monkeypatch.setattr(match_reviews, "judge_some", fails)
    ann.ok("POST", f"{at}/review")
    waited(ann, at, "failed")
    monkeypatch.setattr(match_reviews, "judge_some", real)
    ann.ok("POST", f"{at}/review")
    waited(ann, at, "done")


def test_an_account_that_goes_leaves_what_others_read(server: Running) -> None:
    ann, ben = member(server, "Ann"), server.client("Ben")
    at = over(ann, ben)
    ann.ok("POST", f"{at}/review")
    done = waited(ann, at, "done")
    exported = ann.ok("GET", "/api/me/export")
    assert [one["state"] for one in exported["reviews"]] == ["done"]
    ann.ok("POST", "/api/me/delete", {"password": PASSWORD})
    assert ben.ok("GET", f"{at}/review") == done
    assert stored(server, "SELECT user_id FROM reviews") == [(None,)]


# -- Trying again ----------------------------------------------------------------------------


def test_try_it_again_from_before_an_entry(server: Running) -> None:
    ann, ben, cleo = (server.client(name) for name in ("Ann", "Ben", "Cleo"))
    at = over(ann, ben)
    log = ann.ok("GET", f"{at}/log?viewer=all")["entries"]
    code = ann.ok("GET", at)["you"]
    for entry in (1, 4):
        new = ann.ok("POST", f"{at}/again", {"entry": entry})["id"]
        seen = ann.ok("GET", f"/api/tables/{new}")
        assert (seen["you"], seen["outcome"], seen["rated"]) == (code, None, False)
        other = [seat for seat in seen["seats"] if seat["seat"] != code]
        assert [seat["name"] for seat in other] == ["clerk (bot)"]
        again = ann.ok("GET", f"/api/tables/{new}/log")["entries"]
        assert len(again) >= entry - 1
        then = ann.ok("GET", f"{at}/at/{entry - 1}?viewer={code}")["view"]
        now = ann.ok("GET", f"/api/tables/{new}/at/{entry - 1}")["view"]
        assert then == now
    assert ann.refused("POST", f"{at}/again", {"entry": len(log) + 1}) == (422, "no-entry")
    assert ann.refused("POST", f"{at}/again", {"entry": 0}) == (422, "unreadable")
    assert cleo.refused("POST", f"{at}/again", {"entry": 1}) == (403, "not-seated")


def test_again_against_the_same_bot(server: Running) -> None:
    ann = server.client("Ann")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
    table = ann.ok("POST", "/api/tables", {"game": GAME, "seats": seats})["id"]
    assert ann.refused("POST", f"/api/tables/{table}/again", {"entry": 1}) == (409, "not-over")
    ann.ok("POST", f"/api/tables/{table}/resign")
    new = ann.ok("POST", f"/api/tables/{table}/again", {"entry": 1})["id"]
    seats = ann.ok("GET", f"/api/tables/{new}")["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "greedy (bot)"]


def test_another_move_is_weighed_where_one_was_made(server: Running) -> None:
    ann, ben, cleo = (server.client(name) for name in ("Ann", "Ben", "Cleo"))
    at = over(ann, ben)
    asked = f"{at}/review/try"
    ann.ok("POST", f"{at}/review")
    one = waited(ann, at, "done")["review"]["decisions"][2]
    made = {"entry": one["entry"], "move": one["move"]}
    expected = {name: one[name] for name in ("before", "after", "cost", "best")}
    assert ann.ok("POST", asked, made) == expected
    best = ann.ok("POST", asked, {"entry": one["entry"], "move": one["best"]})
    assert (best["best"], best["cost"]) == (one["best"], 0)
    assert ann.refused("POST", asked, {**made, "move": "place P99z E1"})[0] == 422
    assert ann.refused("POST", asked, {**made, "move": "hire M01d move E9 W9"})[0] == 409
    last = len(ann.ok("GET", f"{at}/log?viewer=all")["entries"])
    assert ann.refused("POST", asked, {**made, "entry": last}) == (422, "no-decision")
    assert ann.refused("POST", asked, {**made, "entry": last + 1}) == (422, "no-decision")
    assert cleo.refused("POST", asked, made) == (403, "not-seated")


# -- What it adds up to ----------------------------------------------------------------------


def rated(ann: Client, ben: Client) -> str:
    table = ann.ok("POST", "/api/tables", RATED)["id"]
    ben.ok("POST", f"/api/tables/{table}/join", {})
    play_on(table, ann, ben)
    ben.ok("POST", f"/api/tables/{table}/resign")
    return f"/api/tables/{table}"


def test_positions_to_learn_from_are_ones_own_and_of_this_week(
    tmp_path: Path, store_url: str
) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, ben, cleo = (server.client(name) for name in ("Ann", "Ben", "Cleo"))
        at = over(ann, ben)
        assert ann.ok("GET", "/api/me/mistakes") == {"positions": []}
        ann.ok("POST", f"{at}/review")
        found = waited(ann, at, "done")["review"]
        own = [one for one in found["decisions"] if one["seat"] == "A" and one["cost"] >= 0.02]
        own.sort(key=lambda one: -one["cost"])
        assert own
        told = ann.ok("GET", "/api/me/mistakes")["positions"]
        assert [one["entry"] for one in told] == [one["entry"] for one in own][:5]
        assert told[0] == {
            "table": at.rpartition("/")[2],
            "entry": own[0]["entry"],
            "game": GAME,
            "seat": "A",
            "cost": own[0]["cost"],
            "with": ["Ben"],
            "ended": "2023-11-14T22:13:20+00:00",
        }
        theirs = {one["entry"] for one in ben.ok("GET", "/api/me/mistakes")["positions"]}
        assert not theirs & {one["entry"] for one in told}
        assert cleo.ok("GET", "/api/me/mistakes") == {"positions": []}
        assert server.client().refused("GET", "/api/me/mistakes") == (401, "no-session")
        clock.go_on(8 * 86_400)
        assert ann.ok("GET", "/api/me/mistakes") == {"positions": []}


def test_luck_over_rated_matches_and_head_to_head(server: Running) -> None:
    ann, ben, cleo = member(server, "Ann"), member(server, "Ben"), server.client("Cleo")
    one, two = id_of(ann), id_of(ben)
    assert cleo.ok("GET", f"/api/people/{one}")["luck_adjusted"] is None
    sums = []
    for _ in range(2):
        at = rated(ann, ben)
        seats = waited(ann, at, "done")["review"]["seats"]
        sums.append(next(row for row in seats if row["seat"] == ann.ok("GET", at)["you"]))
    mean = sum(row["adjusted"] for row in sums) / 2
    apart = abs(sums[0]["adjusted"] - sums[1]["adjusted"]) / 2
    told = cleo.ok("GET", f"/api/people/{one}")["luck_adjusted"][GAME]
    assert told == {
        "matches": 2,
        "margin": sum(row["margin"] for row in sums) / 2,
        "adjusted": pytest.approx(mean, abs=0.011),
        "error": pytest.approx(apart, abs=0.011),
    }
    both = cleo.ok("GET", f"/api/people/{one}/against/{two}")
    assert both == [
        {
            "game": GAME,
            "played": 2,
            "won": 2,
            "drawn": 0,
            "lost": 0,
            "margin": told["margin"],
            "reviewed": 2,
            "adjusted": pytest.approx(mean, abs=0.011),
        }
    ]
    (back,) = cleo.ok("GET", f"/api/people/{two}/against/{one}")
    assert (back["won"], back["lost"], back["margin"]) == (0, 2, -told["margin"])
    # What two have played among themselves is told to them alone.
    hidden = ann.ok("POST", "/api/tables", {"game": GAME})["id"]
    invite = ann.ok("GET", f"/api/tables/{hidden}")["invite"]
    ben.ok("POST", f"/api/tables/{hidden}/join", {"invite": invite})
    ben.ok("POST", f"/api/tables/{hidden}/resign")
    assert cleo.ok("GET", f"/api/people/{one}/against/{two}") == both
    (own,) = ben.ok("GET", f"/api/people/{two}/against/{one}")
    assert (own["played"], own["lost"], own["reviewed"]) == (3, 3, 2)
    assert cleo.ok("GET", f"/api/people/{one}/against/{id_of(cleo)}") == []
    assert cleo.refused("GET", f"/api/people/{one}/against/nobody") == (404, "missing")
