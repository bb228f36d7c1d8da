"""Every code has its sentence in every language."""

from string import Formatter

from openplan.games.cube_farm.cards import KIND_NAMES
from openplan.games.cube_farm.rules import WHY_LOST
from openplan.games.cube_farm.text.words import (
    ENGLISH,
    GERMAN,
    KINDS,
    LANGUAGES,
    LOSSES,
    say,
    words_of_the_page,
)


def fields(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_the_languages_say_the_same() -> None:
    assert ENGLISH.keys() == GERMAN.keys()
    for code, sentence in ENGLISH.items():
        assert fields(sentence) == fields(GERMAN[code]), code


def test_every_loss_and_every_kind_of_square_has_words() -> None:
    assert {code for code, _ in WHY_LOST.values()} <= ENGLISH.keys()
    for words in KINDS.values():
        assert set(KIND_NAMES) - {"uncovered"} == words.keys()


def test_the_page_says_every_loss_and_every_kind_in_the_same_words() -> None:
    page = words_of_the_page()
    losses = {code for code, _ in WHY_LOST.values()} | {"never-possible"}
    assert {*LOSSES} == losses
    for language, sentences in LANGUAGES.items():
        assert page["why"][language] == {code: sentences[code] for code in LOSSES}
        # All that a page fills in.
        for sentence in page["why"][language].values():
            assert fields(sentence) <= {"at", "card", "square", "by"}
    assert page["kinds"] is KINDS


def test_the_phase_is_named_where_a_loss_stands_alone() -> None:
    params = {"phase": 2, "card": "9", "square": "E1", "seat": "S", "floor": "top"}
    assert say("not-in-hand", params) == "phase 2: card 9 is not in your hand"
    lost = say("lost-card", {**params, "reason": "not-in-hand"})
    assert lost == "phase 2, top floor: S loses card 9 at E1: card 9 is not in your hand"
