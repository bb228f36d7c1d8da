"""The compiled form is used exactly when it was built from the source that is there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("compiled")  # one build serves all of them

ROOT = Path(__file__).resolve().parent.parent

SIZES = """\
from typing import Final

STRIDE: Final = 8
"""
GRID = """\
from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.toy.sizes import STRIDE


class Grid:
    cells: vec[i64]

    def __init__(self) -> None:
        self.cells = vec[i64]([0] * STRIDE)


def total(grid: Grid) -> i64:
    result: i64 = 0
    for i in range(STRIDE):
        result += grid.cells[i] + i
    return result
"""
SEARCH = """\
from mypy_extensions import i64

from openplan.games.toy.kernel.grid import Grid, total


def best(n: i64) -> i64:
    return total(Grid()) + n
"""
ASK = """\
from openplan import compiled
from openplan.games.toy.kernel import grid, search
print(compiled.describe())
print(search.best(2), grid.__file__.endswith(".py"), search.__file__.endswith(".py"))
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small project of the same form, with a group of two modules, built."""
    if shutil.which(os.environ.get("CC", "cc")) is None:
        pytest.fail("no C compiler (cc) at hand: install one, such as Debian's package gcc")
    root = tmp_path_factory.mktemp("checkout")
    toy = root / "src" / "openplan" / "games" / "toy"
    kernel = toy / "kernel"
    kernel.mkdir(parents=True)
    for package in (kernel, toy, toy.parent):
        (package / "__init__.py").touch()
    for file, text in (
        (toy / "sizes", SIZES),
        (kernel / "grid", GRID),
        (kernel / "search", SEARCH),
    ):
        file.with_suffix(".py").write_text(text)
    for name in ("__init__.py", "compiled.py"):
        shutil.copy(ROOT / "src" / "openplan" / name, root / "src" / "openplan")
    shutil.copytree(ROOT / "scripts", root / "scripts")
    (root / "pyproject.toml").write_text('[tool.mypy]\nmypy_path = "src"\n')
    run(root, "scripts/build.py")
    return root


def run(root: Path, *arguments: str, **environment: str) -> tuple[str, str]:
    clean = {name: value for name, value in os.environ.items() if name != "OPENPLAN_PLAIN"}
    # Without bytecode: a source changed and changed back within a second would leave a false one.
    own = {"PYTHONPATH": str(root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=root,
        env={**clean, **own, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_a_group_is_compiled_and_nothing_lies_beside_the_source(checkout: Path) -> None:
    out, err = run(checkout, "-c", ASK)
    assert out == "compiled: toy.kernel.grid, toy.kernel.search\n30 False False\n"
    assert err == ""
    assert {file.suffix for file in (checkout / "src").rglob("*") if file.is_file()} <= {
        ".py",
        ".pyc",
    }


def test_a_second_build_has_nothing_to_do(checkout: Path) -> None:
    assert run(checkout, "scripts/build.py") == ("", "")


def test_plain_can_be_chosen(checkout: Path) -> None:
    out, err = run(checkout, "-c", ASK, OPENPLAN_PLAIN="1")
    assert out == "plain (OPENPLAN_PLAIN=1)\n30 True True\n"
    assert err == ""


@pytest.mark.parametrize(
    ("changed", "before", "after", "result"),
    [
        ("kernel/search", "+ n", "+ n + 1", 31),
        ("kernel/grid", "+ i\n", "+ i + 1\n", 38),
        # mypyc has copied this constant into the compiled kernel.
        ("sizes", "8", "9", 38),
    ],
)
def test_a_stale_build_is_refused_as_a_whole(
    checkout: Path, changed: str, before: str, after: str, result: int
) -> None:
    file = checkout / "src" / "openplan" / "games" / "toy" / f"{changed}.py"
    original = file.read_text()
    try:
        file.write_text(original.replace(before, after))
        out, err = run(checkout, "-c", ASK)
    finally:
        file.write_text(original)
    assert out == f"plain (build is stale: run make build)\n{result} True True\n"
    assert err.count("\n") == 1
    assert "stale" in err


def test_without_a_build_it_runs_plain(checkout: Path, tmp_path: Path) -> None:
    shutil.copytree(checkout / "src", tmp_path / "src")
    shutil.copy(checkout / "pyproject.toml", tmp_path)
    out, err = run(tmp_path, "-c", ASK)
    assert out == "plain (no build: run make build)\n30 True True\n"
    assert err == ""


def test_without_a_compiler_the_build_says_so_and_goes_on(checkout: Path) -> None:
    out, err = run(checkout, "scripts/build.py", CC="no-such-compiler")
    assert out == "not compiled, running plain: no C compiler (no-such-compiler) at hand\n"
    assert err == ""
