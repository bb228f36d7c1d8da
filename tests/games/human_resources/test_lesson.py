"""The lesson is played to its end, and does what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from openplan.core.game import Illegal
from openplan.core.lesson import FILE, Lesson, faults, parse_lesson, stand
from openplan.decks import load_deck
from openplan.games.human_resources import game

GAME = game.GAME
DECK = load_deck(GAME)


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    text = (Path(game.__file__).parent / FILE).read_text(encoding="utf-8")
    return parse_lesson(text, GAME)


def test_the_lesson_can_be_played_to_its_end(lesson: Lesson) -> None:
    assert faults(GAME, DECK, lesson) == []


def test_every_step_is_played(lesson: Lesson) -> None:
    assert all(step.expect for chapter in lesson.chapters for step in chapter.steps)


@pytest.mark.parametrize(
    ("chapter", "points", "scored"),
    [
        (0, 1, ["P10d"]),
        (1, 6, ["P01d", "P11d", "Q03d"]),
        (2, 3, ["P08d"]),
        (3, 8, ["P09d", "P02d"]),
    ],
)
def test_a_chapter_scores_what_it_promises(
    lesson: Lesson, chapter: int, points: int, scored: list[str]
) -> None:
    done = [step.expect[0] for step in lesson.chapters[chapter].steps]
    match = stand(GAME, DECK, lesson, chapter, done, "en").match
    view = GAME.view_data(match.view(lesson.you))
    assert view["points"]["A"] == points  # type: ignore[index]
    assert view["scored"]["A"] == scored  # type: ignore[index]
    assert (match.outcome is not None) == (chapter == 3)


@pytest.mark.parametrize("card", ["P07d", "P13d"])
@pytest.mark.parametrize("square", ["W1", "N1", "E1S2", "E2S1"])
def test_any_way_to_the_first_project_is_welcome(lesson: Lesson, square: str, card: str) -> None:
    done = ["place P03l E2", "project P10d", f"place {card} {square}"]
    match = stand(GAME, DECK, lesson, 0, done, "en").match
    assert GAME.view_data(match.view(lesson.you))["scored"]["A"] == ["P10d"]  # type: ignore[index]


@pytest.mark.parametrize("square", ["E3", "E1N1", "W1S1", "S2", "E2N1"])
def test_a_move_that_misses_the_point_is_refused_with_a_nudge(lesson: Lesson, square: str) -> None:
    with pytest.raises(Illegal) as caught:
        stand(
            GAME, DECK, lesson, 0, ["place P03l E2", "project P10d", f"place P07d {square}"], "de"
        )
    assert caught.value.reason.startswith("Das vollendet nichts")
