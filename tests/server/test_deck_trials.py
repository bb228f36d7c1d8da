"""Bots try a deck out for its maker: after all tables, bounded, and as long as it is wanted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openplan.server.ops import deck_trials as playing
from openplan.server.tables import deck_trials
from tests.server.running import Client, Running, running
from tests.server.test_workshop import made, save


@pytest.fixture
def server(tmp_path: Path, store_url: str) -> Iterator[Running]:
    with running(tmp_path, database=store_url) as site:
        yield site


def waited(client: Client, deck: str, *states: str, played: int = 0) -> Any:
    end = time.monotonic() + 90
    while True:
        seen = client.ok("GET", f"/api/decks/{deck}/trial")
        if seen["state"] in states and seen["played"] >= played:
            return seen
        assert time.monotonic() < end, seen
        time.sleep(0.05)


def test_bots_play_with_a_deck_and_tell_what_they_found(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_trials, "GAMES", 40)
    ann = server.client("Ann")
    deck = made(ann)
    at = f"/api/decks/{deck}/trial"
    assert ann.refused("GET", at) == (404, "missing")
    begun = ann.ok("POST", at)
    assert (begun["state"], begun["games"], begun["played"]) == ("waiting", 40, 0)
    assert ann.refused("POST", at) == (409, "trial-running")
    done = waited(ann, deck, "done")
    assert (done["played"], done["is_current"]) == (40, True)
    found = done["result"]
    assert (found["matches"], found["bots"]) == (40, [playing.BOT] * 2)
    assert 0 < found["first"]["rate"] < 1
    assert found["entries"]["mean"] > 10
    rows = {row["card"]: row for row in found["cards"]}
    assert rows["P01d"]["title"] == "Corner Desk"
    assert rows["P01d"]["value"] == 2
    assert rows["P01d"]["used_rate"] > 0
    assert rows["X01d"]["advice"] == "unused"
    save(ann, deck)
    assert ann.ok("GET", at)["is_current"] is False
    ben = server.client("Ben")
    for method in ("GET", "POST", "DELETE"):
        assert ben.refused(method, at) == (404, "missing")
    # Nothing is left to be done.
    select = "SELECT COUNT(*) FROM outbox WHERE kind = 'trial'"
    assert server.run(server.site.store.read(lambda tx: tx.rows(int, select))) == [0]


def test_a_trial_of_floors_says_what_is_used_too_seldom(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck_trials, "GAMES", 40)
    ann = server.client("Ann")
    deck = ann.ok("POST", "/api/me/decks", {"source": "house", "game": "cube-farm"})["id"]
    ann.ok("POST", f"/api/decks/{deck}/trial")
    found = waited(ann, deck, "done")["result"]
    assert (found["matches"], found["bots"], found["first"]) == (40, [playing.BOT] * 3, None)
    advice = {row["card"]: row["advice"] for row in found["cards"]}
    # Nothing is on it for which anybody would lay it.
    assert advice["54"] == "seldom"
    assert "seldom" not in {advice[card] for card in ("10", "15", "47")}


def test_a_trial_is_stopped_and_asked_for_anew(server: Running) -> None:
    ann = server.client("Ann")
    deck, other = made(ann), made(ann)
    ann.ok("POST", f"/api/decks/{deck}/trial")
    waited(ann, deck, "running", played=1)
    assert ann.refused("POST", f"/api/decks/{other}/trial") == (409, "trial-running")
    ann.ok("DELETE", f"/api/decks/{deck}/trial")
    stopped = waited(ann, deck, "stopped")
    assert stopped["played"] < stopped["games"]
    time.sleep(1.5)
    assert ann.ok("GET", f"/api/decks/{deck}/trial") == stopped
    ann.ok("POST", f"/api/decks/{other}/trial")
    waited(ann, other, "running", played=1)
    ann.ok("DELETE", f"/api/decks/{other}")
    ann.ok("POST", f"/api/decks/{deck}/trial")
    waited(ann, deck, "running", played=1)


def test_a_deck_that_is_wrong_is_not_tried(server: Running) -> None:
    ann = server.client("Ann")
    deck = made(ann, "blank")
    assert ann.refused("POST", f"/api/decks/{deck}/trial") == (409, "deck-faulty")


def test_a_table_does_not_wait_for_a_trial(server: Running) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    deck = made(ann)
    ann.ok("POST", f"/api/decks/{deck}/trial")
    waited(ann, deck, "running", played=1)
    seats = [{"kind": "bot", "bot": "clerk"}, {"kind": "me"}]
    wish = {"game": "human-resources", "seats": seats, "house": {}}
    began = time.monotonic()
    table = ben.ok("POST", "/api/tables", wish)["id"]
    while True:
        seen = ben.ok("GET", f"/api/tables/{table}")
        if seen["version"] > 0 or seen["to_act"] == [seen["you"]]:
            break
        assert time.monotonic() - began < 10, "the bot has not answered"
        time.sleep(0.02)
    assert ann.ok("GET", f"/api/decks/{deck}/trial")["state"] == "running"


def test_matches_are_played_by_parts_that_have_an_end(server: Running) -> None:
    ann = server.client("Ann")
    text = ann.ok("GET", f"/api/decks/{made(ann)}")["text"]
    trial = deck_trials.Trial("x", "human-resources", text, 6, 0)
    under_way = playing.TrialUnderWay(None, trial)  # type: ignore[arg-type]
    while not under_way.is_done:
        play, some = under_way.part()
        under_way.takes(play(some))
    numbers = [note.result.number for note in under_way.notes]
    assert numbers == list(range(6))
    json.dumps(under_way.result())
    under_way.notes.clear()
    under_way.spent = playing.BUDGET + 1
    assert under_way.is_done
