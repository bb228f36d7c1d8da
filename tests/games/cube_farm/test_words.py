"""Every code has its sentence in every language."""

from string import Formatter

from openplan.games.cube_farm.cards import KIND_NAMES
from openplan.games.cube_farm.course import CODES
from openplan.games.cube_farm.words import ENGLISH, GERMAN, KINDS


def fields(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_the_languages_say_the_same() -> None:
    assert ENGLISH.keys() == GERMAN.keys()
    for code, sentence in ENGLISH.items():
        assert fields(sentence) == fields(GERMAN[code]), code


def test_every_loss_and_every_kind_of_square_has_words() -> None:
    assert {code for code, _ in CODES.values()} <= ENGLISH.keys()
    for words in KINDS.values():
        assert set(KIND_NAMES) - {"uncovered"} == words.keys()
