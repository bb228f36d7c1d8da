"""A balance study on every game: its figures add up, alike for any number of workers."""

import json
from pathlib import Path

import pytest

from openplan.arena.balance import advised, note_match, page, study
from openplan.arena.tournament import Terms, deck_of
from openplan.core.game import AnyGame
from openplan.core.registry import all_games, game_named
from openplan.decks import deck_file, load_deck, shipped_text
from tests.cli.command import openplan

GAMES = sorted(all_games().values(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@every_game
def test_the_figures_add_up(game: AnyGame) -> None:
    terms = Terms(game.name, deck_file(game)[0], ("greedy",) * len(game.seats))
    notes = [note_match(terms, number) for number in range(3)]
    figures = study(terms, notes[::-1])
    assert figures == study(terms, notes)
    assert [row["card"] for row in figures["cards"]] == list(load_deck(game).cards)
    assert sum(figures["points"]["spread"].values()) == 3 * len(game.seats)
    assert sum(figures["entries"]["spread"].values()) == 3
    assert any(row["used"] for row in figures["cards"])
    assert 0 <= figures["first"]["low"] <= figures["first"]["rate"] <= figures["first"]["high"] <= 1
    html = page("A <deck>", figures)
    assert "A &lt;deck&gt;" in html
    assert html.count("<svg") == 3


def test_the_command_writes_a_table_a_page_and_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    name = GAMES[-1].name
    command = ["balance", name, "--games", "2", "--bot", "clerk", "--workers", "1"]
    file = tmp_path / "balance.html"
    told = openplan(capsys, *command, "--page", str(file))
    assert told.status == 0
    assert "first player: " in told.out
    assert file.read_text().startswith("<!doctype html>")
    one = json.loads(openplan(capsys, *command, "--json").out)
    command[-1] = "2"
    assert json.loads(openplan(capsys, *command, "--json").out) == one


def test_what_scores_too_seldom_for_its_value_is_told() -> None:
    """A made-up study in which each point of value halves how often a card scores, but for two."""
    terms = Terms("human-resources", shipped_text(game_named("human-resources"), "house"), ("x",))
    deck = deck_of(terms)
    rows = []
    for card in deck.cards:
        value = game_named(terms.game).card_picture(deck, card).value
        count = 0 if value is None else 4096 >> value
        count = {"P05d": 1024, "P01l": 40}.get(card, count)
        used = {} if card == "M01d" else {"played": count + 1}
        rows.append({"card": card, "used": used, "scored": count})
    told = advised(terms, {"matches": 4096, "cards": rows})["cards"]
    found = {row["card"]: row["advice"] for row in told if row["advice"]}
    assert found == {"P05d": "easy", "P01l": "hard", "M01d": "unused"}
    few = advised(terms, {"matches": 10, "cards": rows})["cards"]
    assert {row["advice"] for row in few} == {""}


def test_where_no_card_scores_it_is_told_what_is_used_too_seldom_for_its_worth() -> None:
    """A made-up study in which each point on a card brings it out a quarter more often, but for
    two."""
    game = game_named("cube-farm")
    terms = Terms("cube-farm", shipped_text(game, "house"), ("x",) * 3)
    deck = deck_of(terms)
    rows = []
    for card in deck.cards:
        plan = game.card_picture(deck, card).plan
        assert plan is not None
        count = round(400 * 1.25 ** sum(tile.worth for tile in plan.tiles))
        count = {"10": 100, "20": 4000, "30": 0}.get(card, count)
        rows.append({"card": card, "used": {"placed-card": count} if count else {}, "scored": 0})
    told = advised(terms, {"matches": 300, "cards": rows, "first": None})["cards"]
    found = {row["card"]: row["advice"] for row in told if row["advice"]}
    assert found == {"10": "seldom", "20": "often", "30": "unused"}
    worth = {row["card"]: row["worth"] for row in told}
    assert (worth["13"], worth["10"]) == (-3, 3)
    assert all(row["usual"] is not None for row in told)


def test_bots_find_a_machine_that_is_worth_too_little() -> None:
    """The figures of real matches: cards with a machine come out more often than those with a
    boss."""
    game = game_named("cube-farm")
    terms = Terms("cube-farm", shipped_text(game, "house"), ("greedy",) * 3)
    told = advised(terms, study(terms, [note_match(terms, number) for number in range(40)]))
    by_worth: dict[bool, list[float]] = {True: [], False: []}
    for row in told["cards"]:
        if row["worth"]:
            by_worth[row["worth"] > 0].append(row["used_rate"])
    mean = {sign: sum(rates) / len(rates) for sign, rates in by_worth.items()}
    assert mean[True] > mean[False]
    assert any(row["advice"] == "seldom" for row in told["cards"])
