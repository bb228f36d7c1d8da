"""A neutral picture of a table: what lies where, for any medium to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Final

_DRAWN: Final = {"drawn": True}
"""For those alone who draw with a game's parts: not in what programs are told."""


@dataclass(frozen=True, slots=True)
class Part:
    """One of a game's drawings (see `drawings`): SVG paths in a box from 0, 0 to width, height. The
    name is one word, and no two games have the same."""

    name: str
    width: float
    height: float
    shapes: str


@dataclass(frozen=True, slots=True)
class Tile:
    """One square of a board. `kind` says what it is (`dark`, `light`, `floor`, ...); `walls` names
    its walled sides by their letters of `NESW`; `mark` tells why it stands out, if it does.

    Where things can be drawn, `parts` lie on the square one upon the other, with what it is worth
    in the corner, and stand for the label. Without them the label is written; and where it says
    more than they do (`is_named`), upon them."""

    x: int
    y: int
    kind: str
    label: str = ""
    walls: str = ""
    mark: str = ""
    parts: tuple[Part, ...] = field(default=(), metadata=_DRAWN)
    worth: int = field(default=0, metadata=_DRAWN)
    is_named: bool = field(default=False, metadata=_DRAWN)


@dataclass(frozen=True, slots=True)
class Board:
    """`legend` names kinds, and `free` squares, where that is told in words."""

    title: str
    tiles: tuple[Tile, ...]
    legend: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardPicture:
    """A card as its viewer sees it. A card seen from behind has a back and nothing else. `worths`
    says what letters of the drawing are worth, if they are.

    Where things can be drawn, `plan` stands for the drawing in letters, or `emblem` where there is
    none; `band` lies under the title, `behind` is the back, and `told` stands for the text where
    that speaks of letters."""

    back: str
    name: str = ""
    title: str = ""
    value: int | None = None
    drawing: tuple[str, ...] = ()
    text: str = ""
    quip: str = ""
    worths: Mapping[str, int] = field(default_factory=dict)
    plan: Board | None = field(default=None, metadata=_DRAWN)
    emblem: Part | None = field(default=None, metadata=_DRAWN)
    band: Part | None = field(default=None, metadata=_DRAWN)
    behind: Part | None = field(default=None, metadata=_DRAWN)
    told: str = field(default="", metadata=_DRAWN)


@dataclass(frozen=True, slots=True)
class Panel:
    """Cards that lie together: a hand, a pile, the projects in play. A private one is the viewer's
    own, with faces that nobody else sees."""

    title: str
    cards: tuple[CardPicture, ...]
    note: str = ""
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """`standings` has a line for every seat; `key` says what the letters on the boards mean, and
    `legend` what the drawings do."""

    title: str
    boards: tuple[Board, ...]
    panels: tuple[Panel, ...]
    status: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    legend: tuple[tuple[Tile, str], ...] = field(default=(), metadata=_DRAWN)


def data_of(scene: Scene | CardPicture) -> dict[str, Any]:
    """All that is told of a picture, for programs, which have drawings of their own or none."""
    data: dict[str, Any] = _plain(scene)
    return data


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        told = [one for one in fields(value) if not one.metadata]
        return {one.name: _plain(getattr(value, one.name)) for one in told}
    if isinstance(value, tuple):
        return tuple(_plain(one) for one in value)
    return dict(value) if isinstance(value, Mapping) else value
