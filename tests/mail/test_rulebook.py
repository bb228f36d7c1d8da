"""The rules by mail: the clauses that are written in docs/rules, all of them, as plain text."""

from __future__ import annotations

import re

import pytest

from openplan.mail.outbound.enclosures import rules
from openplan.mail.outbound.letter import Letter, as_text
from openplan.mail.outbound.rulebook import clauses, folder, looked_up
from tests.probes import games

NAMES = pytest.mark.parametrize("name", [game.name for game in games()])


@NAMES
def test_every_clause_is_there_as_it_is_written(name: str) -> None:
    written = (folder() / f"{name}.md").read_text("utf-8")
    numbers = re.findall(r"\*\*([A-Z]+-[0-9.]+) ", written)
    assert [clause.number for clause in clauses(name)] == numbers
    plain = " ".join(re.findall(r"\w+", re.sub(r"\]\([^)]*\)", "", written)))
    for clause in clauses(name):
        assert clause.title
        assert clause.part.partition(" ")[0] == clause.number.partition(".")[0]
        assert " ".join(re.findall(r"\w+", clause.lines[0])) in plain, clause
        assert not re.search(r"[*`]|\]\(|<a ", " ".join(clause.lines)), clause


@NAMES
def test_the_whole_of_the_rules_can_be_had(name: str) -> None:
    text = as_text(Letter("", "", list(rules(None, f"{name} all", "https://x.example", "en"))))
    assert all(f"| {clause.number} {clause.title}" in text for clause in clauses(name))


def test_a_clause_a_part_and_a_word_are_found() -> None:
    assert [clause.number for clause in looked_up("cube-farm", "CF-5.2")] == ["CF-5.2"]
    assert looked_up("cube-farm", "5.2") == looked_up("cube-farm", "cf-5.2")
    assert [clause.number for clause in looked_up("cube-farm", "CF-5")] == ["CF-5.1", "CF-5.2"]
    assert [one.number for one in looked_up("human-resources", "HR-1")] == [
        *(f"HR-1.{n}" for n in range(1, 7))
    ]
    assert looked_up("human-resources", "overtime")[0].title == "Overtime"
    assert looked_up("cube-farm", "zeppelin") == []
    assert looked_up("cube-farm", "CF-99.1") == []


def test_at_no_table_the_clause_says_whose_it_is() -> None:
    def told(topic: str) -> str:
        return as_text(Letter("", "", [*rules(None, topic, "https://x.example", "en")]))

    assert "| HR-5.2 Completing one" in told("hr-5.2")
    assert "| CF-5.2 A way" in told("cube-farm 5.2")
    assert "|   CF-9.4 Afterwards" in told("cube-farm")
    assert "| human-resources: Human Resources" in told("")
    assert "| human-resources: Human Resources" in told("zeppelin")
