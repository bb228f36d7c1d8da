"""Options of a table: one struct, one column, told as they are; older tables are understood."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openplan.core.game import AnyGame
from openplan.core.registry import all_games
from openplan.server.store import Tx
from openplan.server.tables.options import SIMPLE, TableOptions
from tests.server.running import Running, running

WORDS = Path(__file__).parents[2] / "web" / "src" / "words"
WISH: dict[str, Any] = {
    "game": "human-resources",
    "house": {"memory": "yes"},
    "clock": {"kind": "days", "days": 4, "grace": 12},
    "public": True,
    "starts_when_full": False,
    "hints": True,
    "take_back": "friendly",
    "entry": {"reliable": 20},
    "absence": {"policy": "bot"},
    "press": {"rule": "all", "postal": True},
}
TOLD = tuple(TableOptions.__struct_fields__)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site")) as site:
        yield site


def options(seen: dict[str, Any]) -> dict[str, Any]:
    return {name: seen[name] for name in TOLD}


def make_old(server: Running, table: str, offers: str) -> None:
    """As a program without the column has left it."""

    def work(tx: Tx) -> None:
        tx.execute("UPDATE tables SET options = NULL, offers = ? WHERE id = ?", offers, table)

    server.run(server.site.store.transact(work))


def row_of(server: Running, table: str) -> dict[str, Any]:
    select = "SELECT * FROM tables WHERE id = ?"
    (row,) = server.run(server.site.store.read(lambda tx: tx.rows(dict, select, table)))
    return row


def test_a_table_is_told_with_the_options_it_was_made_with(server: Running) -> None:
    ann = server.client("Ann")
    seen = ann.ok("GET", f"/api/tables/{ann.ok('POST', '/api/tables', WISH)['id']}")
    for name in ("public", "starts_when_full", "hints", "take_back", "press"):
        assert seen[name] == WISH[name]
    assert seen["is_public"] is True
    assert seen["house"]["memory"] == "yes"
    assert (seen["clock"]["days"], seen["clock"]["grace"]) == (4, 12)
    assert seen["absence"] == seen["duty"]["absence"] == {"policy": "bot", "bot": "clerk"}
    (listed,) = [one for one in ann.ok("GET", "/api/tables") if one["id"] == seen["id"]]
    assert listed["options"] == ["hints", "take_back"]
    assert listed["clock"] == seen["clock"]


def test_a_table_from_before_there_was_a_column_is_the_same_table(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", WISH)["id"]
    at = f"/api/tables/{table}"
    before = options(ann.ok("GET", at))
    make_old(server, table, '{"start": {"entry": 0, "by": []}}')
    assert options(ann.ok("GET", at)) == before
    assert bob.ok("POST", f"{at}/join", {})["state"] == "waiting"
    begun = ann.ok("POST", f"{at}/start")
    assert begun["state"] == "playing"
    assert begun["offers"] == []
    assert options(begun) == {**before, "starts_when_full": True}
    # And a rematch of it has a column.
    bob.ok("POST", f"{at}/resign")
    again = ann.ok("POST", f"{at}/rematch")["id"]
    assert options(ann.ok("GET", f"/api/tables/{again}")) == {**before, "starts_when_full": True}
    assert row_of(server, again)["options"] is not None


def test_an_old_table_starts_when_it_is_full(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", {**WISH, "starts_when_full": True})["id"]
    make_old(server, table, "{}")
    assert bob.ok("POST", f"/api/tables/{table}/join", {})["state"] == "playing"


def test_programs_of_the_release_before_find_all_they_know_of(server: Running) -> None:
    """What they read: each option in a column of its own."""
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", WISH)["id"]
    row, seen = row_of(server, table), ann.ok("GET", f"/api/tables/{table}")
    for name in ("house", "clock", "entry", "absence", "press"):
        assert json.loads(row[name]) == seen[name]
    for name in ("rated", "hot_seat", "hints"):
        assert bool(row[name]) == seen[name]
    assert (bool(row["is_public"]), row["take_back"]) == (True, "friendly")


def test_an_option_of_a_newer_program_is_passed_over(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", WISH)["id"]
    newer = json.dumps({**json.loads(row_of(server, table)["options"]), "blindfold": True})

    def work(tx: Tx) -> None:
        tx.execute("UPDATE tables SET options = ? WHERE id = ?", newer, table)

    server.run(server.site.store.transact(work))
    assert ann.ok("GET", f"/api/tables/{table}")["hints"] is True
    assert ann.refused("POST", "/api/tables", {**WISH, "blindfold": True})[0] == 422


def test_the_catalogue_describes_what_a_form_needs(server: Running) -> None:
    found = server.client("Ann").ok("GET", "/api/games")
    assert {one["name"]: one["sealed"] for one in found["games"]} == {
        game.name: game.sealed for game in all_games().values()
    }
    described = {one["name"]: one for one in found["options"]}
    assert described["take_back"] == {
        "name": "take_back",
        "group": "play",
        "off": "strict",
        "on": "friendly",
        "default": "strict",
    }
    assert (described["starts_when_full"]["on"], described["starts_when_full"]["default"]) == (
        True,
        True,
    )
    assert "hot_seat" not in described


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_simple_option_has_its_words(language: str) -> None:
    words = (WORDS / f"{language}.ts").read_text("utf-8")
    named = set(re.findall(r'^  "option\.([a-z_]+)":', words, re.MULTILINE))
    assert named == {option.name for option in SIMPLE}


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.name)
def test_every_house_rule_has_its_words(game: AnyGame) -> None:
    """Once in each language, and no other has any; in the game's page, or else in the game."""
    folder = WORDS.parent / "games" / game.name.replace("-", "_")
    assert game.has_page == (folder / "about.ts").is_file()
    if not game.has_page:
        for rule in game.house_rules:
            assert game.say_house_rule(rule, "de") != game.say_house_rule(rule, "en")
        return
    named = re.findall(r'"house\.([a-z-]+)":', (folder / "about.ts").read_text("utf-8"))
    assert sorted(named) == sorted(2 * [rule.name for rule in game.house_rules])
