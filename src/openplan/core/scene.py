"""A neutral picture of a table: what lies where, for any medium to draw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Tile:
    """One square of a board. `kind` says what it is (`dark`, `light`, `floor`, ...); `walls` names
    its walled sides by their letters of `NESW`; `mark` tells why it stands out, if it does."""

    x: int
    y: int
    kind: str
    label: str = ""
    walls: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """`legend` names kinds, and `free` squares, where that is told in words."""

    title: str
    tiles: tuple[Tile, ...]
    legend: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardPicture:
    """A card as its viewer sees it. A card seen from behind has a back and nothing else. `worths`
    says what letters of the drawing are worth, if they are."""

    back: str
    name: str = ""
    title: str = ""
    value: int | None = None
    drawing: tuple[str, ...] = ()
    text: str = ""
    quip: str = ""
    worths: Mapping[str, int] = field(default_factory=dict)


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
    """`standings` has a line for every seat; `key` says what the letters on the boards mean."""

    title: str
    boards: tuple[Board, ...]
    panels: tuple[Panel, ...]
    status: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
