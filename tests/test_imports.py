"""What import-linter cannot say: core and games stand on the standard library alone.

It knows lists of what is forbidden; here the list is of what is allowed. The directions between
the layers are in pyproject.toml.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import openplan

PACKAGE = Path(openplan.__file__).parent
ALLOWED = {*sys.stdlib_module_names, "openplan", "mypy_extensions", "librt"}
# Core has no clock, no network, no tasks (deal takes its chance from `secrets`).
NOT_IN_CORE = {
    "asyncio",
    "datetime",
    "sched",
    "signal",
    "socket",
    "subprocess",
    "threading",
    "time",
}


def imports(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            assert node.module is not None
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def faults(file: Path, source: str) -> list[str]:
    """One line for each import that this file must not have."""
    path = file.relative_to(PACKAGE)
    room = path.parts[0]
    bad = []
    for name in imports(source):
        top = name.partition(".")[0]
        foreign = room in ("core", "games") and top not in ALLOWED
        forbidden = room == "core" and top in NOT_IN_CORE
        # Games are found by scanning: nothing outside a game's folder names it.
        names_a_game = name.startswith("openplan.games.") and room != "games"
        if foreign or forbidden or names_a_game:
            bad.append(f"{path.as_posix()} imports {name}")
    return bad


def test_every_room_imports_only_what_it_may() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    assert PACKAGE / "core" / "game.py" in files
    assert [line for file in files for line in faults(file, file.read_text())] == []


@pytest.mark.parametrize(
    ("file", "source", "caught"),
    [
        ("core/game.py", "import random_thing", True),
        ("core/game.py", "from rich.text import Text", True),
        ("core/game.py", "def now():\n    import time", True),
        ("games/chess/rules.py", "import pydantic.fields", True),
        ("games/chess/kernel.py", "from librt.vecs import vec\nimport mypy_extensions", False),
        ("bots/greedy.py", "from openplan.games.chess.rules import GAME", True),
        ("games/chess/view.py", "from openplan.games.chess.rules import GAME", False),
        ("cli/main.py", "import typer, time\nfrom openplan import games", False),
        ("core/deal.py", "import secrets, hashlib\nfrom openplan.core import grid", False),
    ],
)
def test_a_planted_import_is_caught(file: str, source: str, caught: bool) -> None:
    assert bool(faults(PACKAGE / file, source)) == caught


def test_readers_of_json_are_made_when_a_module_is_loaded() -> None:
    """Several threads read what is stored, and msgspec 0.22 crashes if they are the first to read a
    type: so no type is given where something is read."""
    late = [
        f"{file.relative_to(PACKAGE)}:{node.lineno}"
        for file in sorted((PACKAGE / "server").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("msgspec.json.decode", "msgspec.convert")
        and (len(node.args) > 1 or node.keywords)
    ]
    assert late == []
