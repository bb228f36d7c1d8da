"""Every code has its sentence in every language."""

import re
from pathlib import Path
from string import Formatter

from openplan.games.cube_farm.cards import KIND_NAMES
from openplan.games.cube_farm.course import CODES
from openplan.games.cube_farm.words import ENGLISH, GERMAN, KINDS

ROOT = Path(__file__).resolve().parents[3]


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


def test_the_page_has_words_for_every_loss_and_every_kind() -> None:
    """In each of its languages; the compiler sees to it that they have the same keys."""
    page = (ROOT / "web/src/games/cube_farm/words.ts").read_text("utf-8")
    losses = {code for code, _ in CODES.values()} | {"never-possible"}
    for key in [f"why.{code}" for code in losses]:
        assert page.count(f'"{key}": ') == 2, key
    for kind in set(KIND_NAMES) - {"uncovered"}:
        assert len(re.findall(rf'^    "?{kind}"?: "', page, re.MULTILINE)) == 2, kind
