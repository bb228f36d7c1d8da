"""Plain and compiled code do the same: every move, every view, every result."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from openplan.games.human_resources.kernel import codes

ROOT = Path(__file__).resolve().parent.parent
SEEDS = "24"


def run(plain: bool) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "OPENPLAN_PLAIN"}
    if plain:
        environment["OPENPLAN_PLAIN"] = "1"
    command = [sys.executable, "-m", "tests.parity", SEEDS]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    assert "stale" not in done.stderr
    return done.stdout.splitlines()


@pytest.mark.long
def test_plain_and_compiled_agree_on_everything() -> None:
    assert not str(codes.__file__).endswith(".py"), "the kernel is not compiled here"
    compiled, plain = run(plain=False), run(plain=True)
    assert len(compiled) >= int(SEEDS)
    assert compiled == plain
