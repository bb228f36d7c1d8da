"""Squares of an unbounded grid and their compass names, the same in every game.

`E3S2` is three squares east and two south of the origin, `W1N4` one west and four north; a
direction with zero is left out, and `0` is the origin itself. Read in either order: `S2 E3` too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from openplan.core.game import Unreadable

MAX_COORDINATE = 9999
_NAME = re.compile(
    r"([EW])(\d{1,4})(?: *([NS])(\d{1,4}))?|([NS])(\d{1,4})(?: *([EW])(\d{1,4}))?",
    re.IGNORECASE | re.ASCII,
)


class Square(NamedTuple):
    """`x` squares east and `y` squares south of the origin."""

    x: int
    y: int

    def __str__(self) -> str:
        return format_square(self)


@lru_cache(maxsize=4_096)
def parse_square(text: str) -> Square:
    """`E3S2`, `W1N4`, `0`; a direction with zero may be left out or written."""
    if text.strip() == "0":
        return Square(0, 0)
    found = _NAME.fullmatch(text.strip())
    if not found:
        raise Unreadable("square", f"{text[:40]!r} is not a square such as E3S2, W1 or 0")
    across, x, down, y = (
        found.groups()[:4] if found[1] else (*found.groups()[6:], *found.groups()[4:6])
    )
    west, north = (across or "").upper() == "W", (down or "").upper() == "N"
    return Square(int(x or 0) * (-1 if west else 1), int(y or 0) * (-1 if north else 1))


@lru_cache(maxsize=4_096)
def square_at(x: int, y: int) -> Square:
    """Squares are few and asked for over and over."""
    return Square(x, y)


@lru_cache(maxsize=4_096)
def format_square(square: tuple[int, int]) -> str:
    x, y = square
    east = f"{'E' if x > 0 else 'W'}{abs(x)}" if x else ""
    south = f"{'S' if y > 0 else 'N'}{abs(y)}" if y else ""
    return east + south or "0"


@lru_cache(maxsize=4_096)
def neighbours(square: Square) -> tuple[Square, Square, Square, Square]:
    """North, east, south, west."""
    x, y = square
    return Square(x, y - 1), Square(x + 1, y), Square(x, y + 1), Square(x - 1, y)


def reading_order(squares: Iterable[Square]) -> list[Square]:
    """North to south, then west to east."""
    return sorted(squares, key=lambda square: (square.y, square.x))


def flood(start: Square, passable: Callable[[Square], bool]) -> set[Square]:
    """All squares reached from `start` by edge steps over passable squares."""
    reached = {start}
    front = [start]
    while front:
        for square in neighbours(front.pop()):
            if square not in reached and passable(square):
                reached.add(square)
                front.append(square)
    return reached


def turned(rows: tuple[str, ...]) -> tuple[str, ...]:
    """A drawn rectangle after a quarter turn clockwise."""
    return tuple("".join(column) for column in zip(*reversed(rows), strict=True))


def mirrored(rows: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(row[::-1] for row in rows)
