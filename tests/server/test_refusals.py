"""What people are refused, they are told in their language."""

from __future__ import annotations

import ast
from pathlib import Path

import openplan.server
from openplan.server.refusals import SENTENCES
from tests.server.running import running

ERRORS = {"GameError", "Illegal", "Unreadable", "Forbidden", "Over", "Stale", "NotYourTurn"}
FOR_OPERATORS = "ops"
"""The room whose modules speak English, as logs do."""


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


def test_the_site_too_refuses_in_the_language_of_whoever_asks(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        ann = server.client("Ann")
        for language, spoken in (("de-AT", "de"), ("fr", "en")):
            answer = ann.ask("GET", "/api/tables/none", headers={"Accept-Language": language})
            assert (answer.status_code, answer.json()["code"]) == (404, "missing")
            assert answer.json()["reason"] == SENTENCES.say("missing", {}, spoken)
