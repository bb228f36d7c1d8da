"""Make a wheel in dist/: the package, with the compiled kernels and the built web client inside.

`python scripts/package.py [FOLDER]` makes it there instead. `make wheel` builds both first. Where
there was no C compiler the wheel has no kernels and runs plain; without the client it is not made.
What it needs to be installed is in `requirements/program.in`, and for its extras in `server.in`,
`print.in`, `envs.in`, `mcp.in` and `open_spiel.in` there, with the versions of `run.txt` for
whoever wants exactly those.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from setuptools.build_meta import build_wheel

ROOT = Path(__file__).resolve().parent.parent
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
    if not (ROOT / "build" / "web" / "index.html").is_file():
        sys.exit("the web client is not built: run make build first")
    dist = Path(sys.argv[1] if sys.argv[1:] else ROOT / "dist").resolve()
    dist.mkdir(parents=True, exist_ok=True)
    # A stage of its own, so that two at once do not take it from each other.
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix="wheel-") as stage:
        lay_out(Path(stage))
        os.chdir(stage)
        print(dist / build_wheel(str(dist), {"--global-option": ["--quiet"]}))
        os.chdir(ROOT)


def lay_out(stage: Path) -> None:
    kernels = ROOT / "build" / "compiled" / TAG
    package = stage / "src" / "openplan"
    shutil.copytree(
        ROOT / "src" / "openplan", package, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "build" / "web", package / "_web")
    shutil.copytree(ROOT / "docs" / "rules", package / "_rules")
    if (kernels / "manifest.json").is_file():
        shutil.copytree(kernels, package / "_compiled" / TAG)
        (stage / "setup.py").write_text(SETUP)
    (stage / "requirements").mkdir()
    lists = [f"requirements/{file.name}" for file in (ROOT / "requirements").glob("*.in")]
    for name in ("pyproject.toml", "README.md", "LICENSE", *lists):
        shutil.copy(ROOT / name, stage / name)


if __name__ == "__main__":
    main()
