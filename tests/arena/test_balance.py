"""A balance study on every game: its figures add up, alike for any number of workers."""

import json
from pathlib import Path

import pytest

from openplan.arena.balance import note_match, page, study
from openplan.arena.tournament import Terms
from openplan.core.game import AnyGame
from openplan.core.registry import all_games
from openplan.decks import deck_file, load_deck
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
