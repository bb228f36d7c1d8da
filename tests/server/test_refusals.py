"""What people are refused, they are told in their language."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import openplan.server
from openplan.core import refusals as core_refusals
from openplan.games.cube_farm.text import words as farm_words
from openplan.games.human_resources.text import words as office_words
from openplan.mail.sentences import verdicts as mail_words
from openplan.server import refusals
from tests.server.running import running

ERRORS = {"GameError", "Illegal", "Unreadable", "Forbidden", "Over", "Stale", "NotYourTurn"}
FOR_OPERATORS = "ops"
"""The room whose modules speak English, as logs do."""
CATALOGUES = {
    "core": (core_refusals.ENGLISH, core_refusals.GERMAN),
    "house": (refusals.ENGLISH, refusals.GERMAN),
    "judge": (mail_words.ENGLISH, mail_words.GERMAN),
    "cube-farm": (farm_words.ENGLISH, farm_words.GERMAN),
    "human-resources": (office_words.ENGLISH, office_words.GERMAN),
}


def fields(sentence: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_both_languages_say_the_same(catalogue: str) -> None:
    english, german = CATALOGUES[catalogue]
    assert english.keys() == german.keys()
    for said, sentence in english.items():
        assert fields(sentence) == fields(german[said]), said


def test_a_sentence_stands_once() -> None:
    """The house also says what `core` says, and says nothing of it in other words."""
    assert not core_refusals.ENGLISH.keys() & refusals.ENGLISH.keys()
    for language in (core_refusals.ENGLISH, refusals.ENGLISH):
        assert len(set(language.values())) == len(language)


def test_the_house_refuses_nothing_in_english_alone() -> None:
    folder = Path(openplan.server.__file__).parent
    files = [file for file in folder.rglob("*.py") if file.parent.name != FOR_OPERATORS]
    assert len(files) > 50
    found = [
        f"{file.name}:{call.lineno}"
        for file in files
        for call in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ERRORS
        # What a game refuses it has said itself.
        if isinstance(call.args[0], ast.Constant)
    ]
    assert found == []


def test_every_sentence_of_the_house_is_said_somewhere() -> None:
    folder = Path(openplan.server.__file__).parent
    texts = "".join(
        file.read_text("utf-8") for file in folder.rglob("*.py") if file.name != "refusals.py"
    )
    assert [said for said in refusals.ENGLISH if f'"{said}"' not in texts] == []


def test_the_site_too_refuses_in_the_language_of_whoever_asks(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann = server.client("Ann")
        for language, words in (("de-AT", refusals.GERMAN), ("fr", refusals.ENGLISH)):
            answer = ann.ask("GET", "/api/tables/none", headers={"Accept-Language": language})
            assert (answer.status_code, answer.json()["code"]) == (404, "missing")
            assert answer.json()["reason"] == words["missing"]
