"""The pages under docs/: those that are generated are up to date, and clauses cited are there."""

import inspect
import re
from pathlib import Path

import pytest

from openplan.cli.cases import read_cases
from openplan.core.game import AnyGame
from openplan.core.registry import all_games
from scripts.docs import FOLDER, clause_of, pages

GAMES = [pytest.param(game, id=name) for name, game in sorted(all_games().items())]
RULES = FOLDER.parent / "rules"
CITED = r"[A-Z]+-\d+(?:\.\d+)?\b"
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")


def clauses(game: AnyGame) -> list[str]:
    """The chapters and clauses of a game's rules, in the order of the page."""
    page = (RULES / f"{game.name}.md").read_text("utf-8")
    return re.findall(rf"(?m)^(?:## |<a id=\S+></a>\*\*)({CITED})", page)


def test_the_generated_pages_are_up_to_date() -> None:
    made = pages()
    there = {file.name: file.read_text("utf-8") for file in FOLDER.glob("*.md")}
    stale = [name for name in made.keys() | there.keys() if made.get(name) != there.get(name)]
    assert not stale, f"run `make docs`: {', '.join(sorted(stale))}"


@pytest.mark.parametrize("game", GAMES)
def test_clauses_are_numbered_without_gaps(game: AnyGame) -> None:
    chapter = clause = 0
    for name in clauses(game):
        numbers = [int(number) for number in name.partition("-")[2].split(".")]
        chapter, clause = (chapter, clause + 1) if len(numbers) == 2 else (chapter + 1, 0)
        assert numbers == ([chapter, clause] if clause else [chapter]), name


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_that_is_cited_is_in_the_rules(game: AnyGame) -> None:
    """By a case or its refusals; by a refusal, an event or a comment in the game's own files."""
    known = clauses(game)
    letters = {name.partition("-")[0] for name in known}
    cited = {clause_of(case): case.name for case in read_cases(game)}
    folder = Path(inspect.getfile(type(game))).parent
    for file in [*folder.rglob("*.py"), *folder.glob("cases/*.case")]:
        for found in re.findall(rf"\b{CITED}", file.read_text("utf-8")):
            if found.partition("-")[0] in letters:
                cited[found] = file.name
    assert len(cited) > 5, "the game's files are not where this test looks"
    assert not {clause: where for clause, where in cited.items() if clause not in known}


@pytest.mark.parametrize("game", GAMES)
def test_every_case_has_its_place_on_the_page(game: AnyGame) -> None:
    page = pages()[f"cases-{game.name}.md"]
    missing = [case.name for case in read_cases(game) if f"\n### {case.name} " not in page]
    assert not missing


def test_every_test_that_is_named_against_a_threat_is_there() -> None:
    page = (FOLDER.parent / "threats.md").read_text("utf-8")
    named = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", page)
    assert len(named) > 50
    for file, name in named:
        source = (FOLDER.parent.parent / "tests" / file).read_text("utf-8")
        assert re.search(rf"^def {name or 'test_'}", source, re.MULTILINE), f"{file}::{name}"


def test_every_file_on_the_walks_is_there() -> None:
    page = (FOLDER.parent / "architecture.md").read_text("utf-8")
    named = [
        path
        for path in re.findall(r"`((?:src|web|tests|examples)/[^`]*)`", page)
        if "<" not in path
    ]
    assert len(named) > 20
    assert not [path for path in named if not (FOLDER.parent.parent / path).exists()]


def test_the_python_in_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    page = (FOLDER.parent.parent / "README.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert said.startswith("Human Resources")
    assert said.splitlines()[-1].startswith("Outcome(winners=")


def test_links_between_pages_lead_somewhere() -> None:
    root = FOLDER.parent.parent
    for file in [
        *RULES.glob("*.md"),
        *FOLDER.parent.glob("*.md"),
        *FOLDER.glob("*.md"),
        *root.glob("*.md"),
    ]:
        for target, anchor in LINK.findall(file.read_text("utf-8")):
            if "//" in target:
                continue
            there = (file.parent / target).resolve() if target else file
            assert there.exists(), f"{file.name}: {target}"
            if not anchor or there.is_dir():
                continue
            page = there.read_text("utf-8")
            headings = {
                re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
                for title in re.findall(r"(?m)^#+ (.+)$", page)
            }
            assert anchor in headings or f'id="{anchor}"' in page, anchor
