"""What the lesson tells is what comes about."""

from __future__ import annotations

from typing import Any

import pytest

from openplan.core.game import Illegal
from openplan.core.lesson import FILE, GO_ON, Stand, parse_lesson, stand
from openplan.core.registry import files_beside
from openplan.games.cube_farm.game import GAME
from tests.games.cube_farm.compare import shipped_deck

((_, TEXT),) = files_beside(GAME, "", FILE)
LESSON = parse_lesson(TEXT, GAME)


def after(chapter: int, place: int = 0) -> Stand:
    """A chapter played through; `place` is that of the answer among those it takes."""
    done = [
        step.expect[min(place, len(step.expect) - 1)] if step.expect else GO_ON
        for step in LESSON.chapters[chapter].steps
    ]
    return stand(GAME, shipped_deck(), LESSON, chapter, done, "en")


def data(found: Stand) -> Any:
    return GAME.view_data(found.match.view(LESSON.you))


@pytest.mark.parametrize(
    ("chapter", "points", "place"),
    [(0, 1, 0), (0, 1, 1), (1, 4, 0), (1, 4, 1), (2, 7, 0), (2, 7, 1), (4, 7, 0), (4, 7, 1)],
)
def test_the_points_are_those_told(chapter: int, points: int, place: int) -> None:
    found = after(chapter, place)
    assert found.step is None
    assert data(found)["points"]["S"] == points


def test_only_the_cube_that_was_taken_before_is_lost() -> None:
    results = data(after(3))["history"][-1]["results"]
    assert [(r["seat"], r["phase"], r["code"], r["by"]) for r in results if "code" in r] == [
        ("S", 2, "taken", "P")
    ]


def test_the_lesson_ends_with_the_game() -> None:
    assert data(after(len(LESSON.chapters) - 1))["over"]


def test_other_orders_are_answered_with_a_nudge() -> None:
    with pytest.raises(Illegal, match="Only an employee this time") as caught:
        stand(GAME, shipped_deck(), LESSON, 0, [GO_ON, "nothing"], "en")
    assert caught.value.code == "not-asked"
