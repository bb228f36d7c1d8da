"""Uses the compiled form of a kernel where there is one that fits its source.

`make build` writes extension modules and a manifest under `build/compiled/`, never beside the
source, where they would hide edits. A finder offers a group of modules from there only if
every file the group was built from has the hash it had then. Otherwise the source runs as it
is, with the same results, only slower. `OPENPLAN_PLAIN=1` chooses that by hand.
"""

import hashlib
import json
import os
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
TAG = EXTENSION_SUFFIXES[0].split(".")[1]  # such as cpython-311-x86_64-linux-gnu


class CompiledFinder(MetaPathFinder):
    """Finds the modules of every compiled group that is up to date."""

    def __init__(self) -> None:
        self.libraries: dict[str, Path] = {}  # module name -> extension module
        self.compiled: list[str] = []
        self.stale: list[str] = []
        self.plain_by_choice = os.environ.get("OPENPLAN_PLAIN", "") not in ("", "0")
        if not self.plain_by_choice:
            self._read(_build_folder())

    def _read(self, folder: Path) -> None:
        try:
            manifest = json.loads((folder / "manifest.json").read_bytes())
        except FileNotFoundError:
            return
        for group in manifest["groups"]:
            modules = [_short(name) for name in group["modules"]]
            # A group stands or falls together: its modules call each other natively.
            inputs = group["inputs"].items()
            if all(_sha256(PACKAGE.parent / file) == seen for file, seen in inputs):
                self.compiled += modules
                for name, file in group["libraries"].items():
                    self.libraries[name] = folder / file
            else:
                self.stale += modules

    def find_spec(
        self, fullname: str, _path: object = None, _target: object = None
    ) -> ModuleSpec | None:
        file = self.libraries.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(
            fullname, file, loader=ExtensionFileLoader(fullname, str(file))
        )


_finder: CompiledFinder | None = None


def install() -> None:
    """Put the finder in front of the ordinary ones, once; say so if a build is out of date."""
    global _finder
    if _finder is None:
        _finder = CompiledFinder()
        sys.meta_path.insert(0, _finder)
        if _finder.stale:
            names = ", ".join(_finder.stale)
            line = f"openplan: the build of {names} is stale, running plain (run make build)"
            print(line, file=sys.stderr)


def describe() -> str:
    """Which form runs, in one line: `compiled: human_resources.kernel`."""
    if _finder is None or _finder.plain_by_choice:
        return "plain (OPENPLAN_PLAIN=1)"
    parts = []
    if _finder.compiled:
        parts.append("compiled: " + ", ".join(_finder.compiled))
    if _finder.stale:
        names = "" if not _finder.compiled else ": " + ", ".join(_finder.stale)
        parts.append(f"plain (build is stale: run make build){names}")
    return "; ".join(parts) or "plain (no build: run make build)"


def _build_folder() -> Path:
    checkout = PACKAGE.parent.parent
    if PACKAGE.parent.name == "src" and (checkout / "pyproject.toml").is_file():
        return checkout / "build" / "compiled" / TAG
    return PACKAGE / "_compiled" / TAG  # an installed wheel brings its own


def _sha256(file: Path) -> str:
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return "missing"


def _short(module: str) -> str:
    return module.removeprefix("openplan.").removeprefix("games.")
