"""Reads what was printed: pages as pictures by pdftoppm, their text and boxes."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

DPI = 600


def run(*arguments: str) -> bytes:
    return subprocess.run(arguments, capture_output=True, check=True).stdout


def text_of(pdf: Path, *options: str) -> str:
    return run("pdftotext", *options, str(pdf), "-").decode()


def page_count(pdf: Path) -> int:
    found = re.search(r"Pages:\s+([0-9]+)", run("pdfinfo", str(pdf)).decode())
    assert found is not None
    return int(found[1])


def boxes_of(pdf: Path) -> dict[str, list[float]]:
    """Of the first page, in millimetres."""
    told = run("pdfinfo", "-box", "-f", "1", "-l", "1", str(pdf)).decode()
    found = re.findall(r"(\w+Box):\s+([0-9.]+)\s+([0-9.]+)\s+([0-9.]+)\s+([0-9.]+)", told)
    return {name: [float(n) * 25.4 / 72 for n in sides] for name, *sides in found}


@dataclass(frozen=True)
class Picture:
    """A page in grey. Places are millimetres."""

    width: int
    height: int
    grey: bytes
    dpi: int

    def dot(self, millimetres: float) -> int:
        return round(millimetres * self.dpi / 25.4)

    def at(self, x: float, y: float) -> int:
        return self.grey[self.dot(y) * self.width + self.dot(x)]

    def row(self, y: float, x1: float, x2: float) -> bytes:
        first = self.dot(y) * self.width
        return self.grey[first + self.dot(x1) : first + self.dot(x2)]

    def column(self, x: float, y1: float, y2: float) -> bytes:
        first = self.dot(y1) * self.width + self.dot(x)
        return self.grey[first : self.dot(y2) * self.width : self.width]

    def dark_in_row(
        self, y: float, x1: float, x2: float, than: int = 128
    ) -> list[tuple[float, float]]:
        """Where what is darker begins and ends."""
        return self._runs(self.row(y, x1, x2), x1, than)

    def dark_in_column(
        self, x: float, y1: float, y2: float, than: int = 128
    ) -> list[tuple[float, float]]:
        return self._runs(self.column(x, y1, y2), y1, than)

    def _runs(self, line: bytes, start: float, than: int) -> list[tuple[float, float]]:
        bits = bytes(value < than for value in line)
        begin = self.dot(start)
        return [
            ((begin + found.start()) * 25.4 / self.dpi, (begin + found.end()) * 25.4 / self.dpi)
            for found in re.finditer(b"\x01+", bits)
        ]


def picture_of(pdf: Path, page: int, dpi: int = DPI) -> Picture:
    """Without smoothing: a dot is either printed on or not."""
    data = run(
        *("pdftoppm", "-r", str(dpi), "-gray", "-aaVector", "no", "-aa", "no"),
        *("-f", str(page), "-l", str(page), str(pdf)),
    )
    head = re.match(rb"P5\s+([0-9]+)\s+([0-9]+)\s+255\s", data)
    assert head is not None
    return Picture(int(head[1]), int(head[2]), data[head.end() :], dpi)
