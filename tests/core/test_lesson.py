"""Lessons: read strictly, gone through step by step, and each can be played to its end."""

import pytest

from openplan.core.game import AnyGame, Illegal
from openplan.core.lesson import FILE, Lesson, LessonError, faults, parse_lesson, stand
from openplan.core.registry import all_games, files_beside
from openplan.decks import load_deck

GAME = all_games()["human-resources"]
DECK = load_deck(GAME)
TEXT = """
you = "A"
[[chapter]]
title = { en = "One", de = "Eins" }
[chapter.position]
office = ["DL", "LD"]
"hand A" = "P05d M01l"
"hand B" = "P03l P04l"
deck = "P05l P06l P07l P08l"
[[chapter.step]]
say = { en = "Look.", de = "Schau." }
[[chapter.step]]
say = { en = "Place it.", de = "Leg sie." }
expect = ["place P05d *"]
nudge = { en = "Place the project.", de = "Leg das Projekt." }
replies = ["B: project P03l"]
point = ["E2"]
[[chapter.step]]
say = { en = "Once more.", de = "Noch einmal." }
expect = ["place M01l W1"]
nudge = { en = "West.", de = "Westen." }
"""


def lesson(text: str = TEXT) -> Lesson:
    return parse_lesson(text, GAME)


def test_a_chapter_goes_on_by_what_is_done() -> None:
    first = stand(GAME, DECK, lesson(), 0, [], "en")
    assert first.step is not None
    assert first.step.say["de"] == "Schau."
    second = stand(GAME, DECK, lesson(), 0, [""], "en")
    assert second.step is not None
    assert second.step.point == ("E2",)
    third = stand(GAME, DECK, lesson(), 0, ["", "place P05d E2"], "en")
    assert third.match.ply == 2, "B's reply is there"
    assert third.before == 0
    last = stand(GAME, DECK, lesson(), 0, ["", "place P05d E2", "place M01l W1"], "en")
    assert last.step is None
    assert last.before == 2
    assert not faults(GAME, DECK, lesson())


def test_another_move_is_nudged_and_one_against_the_rules_refused_as_anywhere() -> None:
    with pytest.raises(Illegal) as other:
        stand(GAME, DECK, lesson(), 0, ["", "place M01l E2"], "de")
    assert (other.value.code, other.value.reason) == ("not-asked", "Leg das Projekt.")
    with pytest.raises(Illegal) as wrong:
        stand(GAME, DECK, lesson(), 0, ["", "place P05d E9"], "en")
    assert wrong.value.clause.startswith("HR-")
    with pytest.raises(Illegal, match="chapters"):
        stand(GAME, DECK, lesson(), 7, [], "en")
    with pytest.raises(Illegal, match="3 steps"):
        stand(GAME, DECK, lesson(), 0, [""] * 4, "en")
    with pytest.raises(Illegal, match="Look"):
        stand(GAME, DECK, lesson(), 0, ["place P05d E2"], "en")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (', de = "Schau."', "", "not said in each"),
        ('nudge = { en = "West.", de = "Westen." }', "", "'nudge' is missing"),
        ('"B: project', '"C: project', "does not begin with a seat"),
        ("point =", "pointing =", "a step has no pointing"),
        ('you = "A"', 'you = "Z"', "seat"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(old: str, new: str, fault: str) -> None:
    assert old in TEXT
    with pytest.raises(LessonError, match=fault):
        lesson(TEXT.replace(old, new))


def test_a_step_that_cannot_be_played_is_found() -> None:
    broken = lesson(TEXT.replace("place M01l W1", "place M01l W9"))
    assert [fault.startswith("chapter 1, step 3") for fault in faults(GAME, DECK, broken)] == [True]


TAUGHT = [game for game in all_games().values() if any(files_beside(game, "", FILE))]


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_every_lesson_is_played_to_its_end(game: AnyGame) -> None:
    ((_, text),) = files_beside(game, "", FILE)
    found = parse_lesson(text, game)
    assert not faults(game, load_deck(game), found)
    asked = [step for chapter in found.chapters for step in chapter.steps if step.expect]
    assert len(asked) >= 5, "a lesson is played, not read"
