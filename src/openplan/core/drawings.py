"""The drawings that a game brings: a folder of small SVG files, each a part of its pictures.

They are drawn once, for the page, letters, previews, cases and print. A file is an `svg` element
with a viewBox from 0 0 and paths in it, nothing else: so each medium can draw it with what it has.
A colour is written as `var(--name, #rrggbb)`: the page puts its theme's colour there, and what is
printed takes the one that stands behind the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Final

from openplan.core.scene import Part

_FILE: Final = re.compile(
    r'<svg xmlns="http://www\.w3\.org/2000/svg" viewBox="0 0 ([0-9.]+) ([0-9.]+)">\n'
    r'((?:<path(?: [a-z-]+="[^"<>&]*")+/>\n)+)</svg>\n'
)
_THEMED: Final = re.compile(r"var\(--[a-z0-9-]+, ([^()]+)\)")


class Parts(Mapping[str, Part]):
    """The drawings of a package by their names, each read when it is first asked for."""

    def __init__(self, package: str) -> None:
        self._folder = files(package)
        self._game = package.rpartition(".drawings")[0].rpartition(".")[2]
        self._known: dict[str, Part] = {}

    def __getitem__(self, name: str) -> Part:
        if name not in self._known:
            file = self._folder.joinpath(f"{name}.svg")
            if not file.is_file():
                raise KeyError(name)
            self._known[name] = _read(f"{self._game}-{name}", file.read_text("utf-8"))
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        names = (file.name for file in self._folder.iterdir())
        return iter(sorted(name.removesuffix(".svg") for name in names if name.endswith(".svg")))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _read(name: str, text: str) -> Part:
    found = _FILE.fullmatch(text)
    if found is None:
        raise ValueError(f"the drawing {name} is not an svg with a viewBox and paths alone")
    shapes = _THEMED.sub(r"\1", found[3]).replace("\n", "")
    return Part(name, float(found[1]), float(found[2]), shapes)
