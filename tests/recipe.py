"""The recipe for a game in examples/README.md, followed line by line in a copy of this tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
GAME: Final = "auction"
BUILT: Final = (".venv", "build")
NOT_COPIED: Final = shutil.ignore_patterns(
    ".git", "node_modules", "__pycache__", ".*_cache", "*.egg-info", "data", *BUILT
)


def followed(to: Path) -> Path:
    """The copy, with the third game in it. What is built and installed is shared."""
    tree = to / "tree"
    shutil.copytree(ROOT, tree, ignore=NOT_COPIED)
    for name in BUILT:
        (tree / name).symlink_to(ROOT / name)
    run(tree, "bash", "-e", "-c", recipe())
    return tree


def recipe() -> str:
    page = (ROOT / "examples" / "README.md").read_text("utf-8")
    lines = re.findall(r"^    (.+)$", page.partition("## A bot")[0], re.MULTILINE)
    assert len(lines) > 5
    return "\n".join(lines)


def run(tree: Path, *command: str) -> str:
    done = subprocess.run(
        command, cwd=tree, env=environment(tree), text=True, capture_output=True, timeout=120
    )
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def environment(tree: Path) -> dict[str, str]:
    """Whatever is imported is the copy's."""
    paths = os.pathsep.join([str(tree / "src"), str(tree)])
    return {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
