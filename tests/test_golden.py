"""Whole matches of every kind of ending, kept as they were recorded: they must stay playable."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from openplan.cli.main import app
from openplan.core.record import read_record, write_record
from openplan.core.registry import all_games, game_named
from openplan.decks import find_deck
from tests.probes import probe_of

FOLDER = Path(__file__).parent / "golden"
RECORDS = sorted(FOLDER.glob("*/*.record"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_recorded_match_still_plays_the_same(path: Path) -> None:
    text = path.read_text("utf-8")
    match = read_record(text, game_named, find_deck)
    assert match.game.name == path.parent.name
    assert match.outcome is not None
    assert write_record(match) == text
    done = CliRunner().invoke(app, ["verify", str(path)])
    assert done.exit_code == 0, done.output
    assert f", rules {match.rules}, " in done.output


@pytest.mark.parametrize("name", sorted(all_games()))
def test_every_kind_of_ending_has_a_record(name: str) -> None:
    found = set()
    for path in RECORDS:
        if path.parent.name == name:
            outcome = read_record(path.read_text("utf-8"), game_named, find_deck).outcome
            assert outcome is not None
            found.add(outcome.reason)
    assert found == probe_of(game_named(name)).recorded_endings


def test_every_golden_match_is_of_a_game_that_is_there() -> None:
    assert {path.parent.name for path in RECORDS} <= set(all_games())
    assert RECORDS
