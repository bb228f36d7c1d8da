"""Make a wheel in dist/: the package, with the compiled kernels and the built web client inside.

`make wheel` builds both first. Where there was no C compiler the wheel has no kernels and runs
plain; without the client it is not made. What it needs to be installed is in
`requirements/program.in`, and for its extras in `server.in`, `print.in`, `envs.in`, `mcp.in`
and `open_spiel.in` there, with the versions of `run.txt` for whoever wants exactly those.
"""

from __future__ import annotations

import os
import shutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setuptools.build_meta import build_wheel

ROOT = Path(__file__).resolve().parent.parent
STAGE = ROOT / "build" / "wheel"
TAG = EXTENSION_SUFFIXES[0].split(".")[1]

# A wheel with libraries in it is for one kind of machine, and says so by its name.
SETUP = """
from setuptools import Distribution, setup

class Compiled(Distribution):
    def has_ext_modules(self):
        return True

setup(distclass=Compiled)
"""


def main() -> None:
    site, kernels = ROOT / "build" / "web", ROOT / "build" / "compiled" / TAG
    if not (site / "index.html").is_file():
        sys.exit("the web client is not built: run make build first")
    shutil.rmtree(STAGE, ignore_errors=True)
    package = STAGE / "src" / "openplan"
    shutil.copytree(
        ROOT / "src" / "openplan", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(site, package / "_web")
    shutil.copytree(ROOT / "docs" / "rules", package / "_rules")
    if (kernels / "manifest.json").is_file():
        shutil.copytree(kernels, package / "_compiled" / TAG)
        (STAGE / "setup.py").write_text(SETUP)
    (STAGE / "requirements").mkdir()
    lists = [f"requirements/{file.name}" for file in (ROOT / "requirements").glob("*.in")]
    for name in ("pyproject.toml", "README.md", "LICENSE", *lists):
        shutil.copy(ROOT / name, STAGE / name)
    os.chdir(STAGE)
    dist = ROOT / "dist"
    dist.mkdir(exist_ok=True)
    print(f"dist/{build_wheel(str(dist), {'--global-option': ['--quiet']})}")


if __name__ == "__main__":
    main()
