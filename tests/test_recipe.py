"""A third game is added as examples/README.md says: no file is changed that was there, and all that
is asked of every game holds for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recipe import GAME, ROOT, followed, run

OVER_EVERY_GAME = (
    "tests/test_every_game.py",
    "tests/test_cases.py",
    "tests/test_chance.py",
    "tests/test_docs.py",
    "tests/test_golden.py",
    "tests/test_languages.py",
    "tests/arena",
    "tests/bots/test_bots.py",
    "tests/cli/test_deck.py",
    "tests/cli/test_engine.py",
    "tests/cli/test_play.py",
    "tests/core/test_forged_records.py",
    "tests/core/test_lesson.py",
    "tests/mail/test_quoting.py",
    "tests/mail/test_secrecy.py",
    "tests/render",
    "tests/server/test_library.py",
    "tests/server/test_options.py",
)
OF_ALL_AT_ONCE = "generated_pages or links_between or golden_match_is or catalogue"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return followed(tmp_path_factory.mktemp("recipe"))


def test_no_file_is_changed_that_was_there(tree: Path) -> None:
    folders = ("src", "tests", "examples", "scripts", "docs", "web/src", "pyproject.toml")
    there = [
        file
        for name in folders
        for file in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
    ]
    changed = [
        str(file.relative_to(ROOT))
        for file in there
        if file.read_bytes() != (tree / file.relative_to(ROOT)).read_bytes()
    ]
    # Written from the games, and never by hand.
    assert [name for name in changed if not name.startswith("docs/reference/")] == []


def test_it_holds_to_the_house_style(tree: Path) -> None:
    run(
        tree, ".venv/bin/python", "-m", "ruff", "check", f"src/openplan/games/{GAME}", "tests/games"
    )


def test_the_tests_over_every_game_hold_for_it(tree: Path) -> None:
    which = f"{GAME} or ST. or {OF_ALL_AT_ONCE}"
    command = (".venv/bin/python", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")
    said = run(tree, *command, "-k", which, *OVER_EVERY_GAME)
    assert int(said.strip().splitlines()[-1].split()[0]) > 100, said[-300:]
