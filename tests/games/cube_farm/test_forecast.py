"""What a page needs to compose orders: the places of a card, walks, and what may yet be lost."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from openplan.core.deal import seeded
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.games.cube_farm.bot.chances import IMAGINED
from openplan.games.cube_farm.game import GAME
from tests.games.cube_farm.compare import shipped_deck
from tests.games.cube_farm.page_views import FILE, page_views
from tests.games.cube_farm.probe import PROBE

S, P, T = Seat(0), Seat(1), Seat(2)


def match_from(position: dict[str, str | list[str]]) -> Match:
    return Match.from_position(GAME, shipped_deck(), {}, position)


def imagined(match: Match, seat: Seat, text: str) -> list[dict[str, Any]]:
    move = GAME.parse_move(match.deck, text)
    events = GAME.preview(match.view(seat), move).events
    return [dict(event.params) for event in events if event.code == "imagined"]


def test_a_card_is_turned_before_it_is_moved() -> None:
    """All places of a turned card come in one answer."""
    match = Match.start(GAME, shipped_deck(), {}, secret=seeded(1))
    view = match.view(S)
    card = GAME.options(view, ["phase 1"]).next[0].value
    turns = GAME.options(view, ["phase 1", card]).next
    assert [step.value for step in turns] == ["turn 0", "turn 1", "turn 2", "turn 3"]
    found = set()
    for turn in turns:
        places = GAME.options(view, ["phase 1", card, turn.value]).next
        assert {step.kind for step in places} == {"square"}
        suffix = "" if turn.value == "turn 0" else f" {turn.value}"
        found |= {f"1: card {card} {step.value}{suffix}" for step in places}
    listed = [GAME.format_move(match.deck, move) for move in GAME.moves_of_part(view, "1")]
    assert found == {text for text in listed if text.startswith(f"1: card {card} ")}


def employees(match: Match, floor: str) -> list[dict[str, Any]]:
    data: Any = GAME.view_data(match.view(None))
    found: list[dict[str, Any]] = data["floors"][floor]["employees"]
    return found


@pytest.mark.parametrize(
    ("drawing", "way"),
    [
        (["+-+ + + +", "|# . . E ", "+-+ + + +"], ["0", "E1", "E2", "E3"]),
        # A cube at the door needs no steps: the walk is the door.
        (["+-+ +", "|# E ", "+-+ +"], ["0", "E1"]),
        # Around the wall in front of the elevator.
        (
            ["+-+ + + +", "|# . .|E ", "+-+ + + +", " _ _ . . ", "+ + + + +"],
            ["0", "E1", "E2", "E2S1", "E3S1", "E3"],
        ),
        # Cut off by a later card: the employee stays (CF-5.2).
        (["+-+-+ + +", "|# .|. E ", "+-+-+ + +"], []),
    ],
)
def test_cf_5_2_the_walk_to_an_elevator_is_told(drawing: list[str], way: list[str]) -> None:
    match = match_from({"draw top": drawing, "employees top": "S@0"})
    (score,) = employees(match, "top")
    assert score["way"] == way


def test_cf_3_2_a_floor_tells_who_comes_when() -> None:
    match = Match.start(GAME, shipped_deck(), {}, secret=seeded(1))
    data: Any = GAME.view_data(match.view(None))
    assert {name: floor["phases"] for name, floor in data["floors"].items()} == {
        "top": {"S": 1, "T": 2, "P": 3},
        "middle": {"P": 1, "S": 2, "T": 3},
        "basement": {"T": 1, "P": 2, "S": 3},
    }


def test_cf_3_2_nobody_comes_first_at_home() -> None:
    match = Match.start(GAME, shipped_deck(), {}, secret=seeded(2))
    text = GAME.format_move(match.deck, GAME.moves_of_part(match.view(S), "1")[0])
    assert imagined(match, S, text) == []


def test_cf_3_4_what_others_may_spoil_is_imagined() -> None:
    """The only free cube of the basement: Support comes there first, then Product Development."""
    drawing = ["+-+ +", "|# E ", "+-+ +"]
    match = match_from({"draw basement": drawing, "hand P": "10", "hand T": "11"})
    (told,) = imagined(match, S, "3: employee 0")
    assert told["before"] == ("T", "P")
    assert (told["phase"], told["floor"], told["part"]) == (3, "basement", "employee")
    assert told["lost"] == told["of"] == IMAGINED
    (told,) = imagined(match, P, "2: employee 0")
    assert (told["before"], told["lost"]) == (("T",), IMAGINED)
    assert imagined(match, T, "1: employee 0") == []


def test_cf_3_4_nobody_spoils_anything_who_has_left() -> None:
    drawing = ["+-+ +", "|# E ", "+-+ +"]
    match = match_from({"draw basement": drawing})
    match.enter("resign", P)
    match.enter("resign", T)
    assert imagined(match, S, "3: employee 0") == []


def test_the_forecast_is_the_same_each_time() -> None:
    match = Match.start(GAME, shipped_deck(), {}, secret=seeded(5))
    move = GAME.candidates(match.view(S))[0]
    assert GAME.preview(match.view(S), move) == GAME.preview(match.view(S), move)


def test_cf_4_3_a_result_names_what_it_filled_and_survives_as_bytes() -> None:
    """A turn's results say enough to play it back phase by phase."""
    rng = Random(7)
    filled = lost = 0
    for seed in range(6):
        match = Match.start(GAME, shipped_deck(), {}, secret=seeded(seed))
        while match.outcome is None:
            match.submit(*PROBE.random_move(GAME, match, rng))
        again = GAME.load(match.deck, GAME.dump(match.state))
        assert again.history == match.state.history
        data: Any = GAME.view_data(match.view(None))
        for turn in data["history"]:
            for result in turn["results"]:
                lost += "code" in result
                filled += "filled" in result
                if "code" not in result and result["part"] == "card":
                    place = {"card": result["card"], "square": result["square"]}
                    place["turn"] = result["turn"]
                    assert place in data["floors"][result["floor"]]["cards"]
    assert filled
    assert lost


def test_the_page_is_tested_with_views_of_today() -> None:
    assert FILE.read_text("utf-8") == page_views() + "\n", "run tests.games.cube_farm.page_views"


def test_cf_6_each_turn_tells_the_points_that_it_brought() -> None:
    """The race of points is told from what lies there now, and is what was told at the time."""
    rng = Random(11)
    for seed in range(4):
        match = Match.start(GAME, shipped_deck(), {}, secret=seeded(seed))
        at_the_time: list[Any] = []
        while match.outcome is None:
            before = len(match.state.history)
            match.submit(*PROBE.random_move(GAME, match, rng))
            if len(match.state.history) > before:
                told: Any = GAME.view_data(match.view(None))
                at_the_time.append(told["points"])
        data: Any = GAME.view_data(match.view(None))
        race = [turn["points"] for turn in data["history"]]
        for points, turn in zip(at_the_time, race, strict=True):
            assert {seat: sum(turn[floor][-1][seat] for floor in turn) for seat in "SPT"} == points
        # A phase without a loss or a gain on a floor leaves its points as they were.
        for turn in data["history"]:
            for floor, phases in turn["points"].items():
                assert len(phases) == 4
                for phase in (1, 2, 3):
                    if not any(
                        result["floor"] == floor and result["phase"] == phase
                        for result in turn["results"]
                    ):
                        assert phases[phase] == phases[phase - 1]
        for before, after in pairwise(race):
            assert {floor: told[0] for floor, told in after.items()} == {
                floor: told[-1] for floor, told in before.items()
            }
