"""What a game needs on a table besides its deck, for who plays it on paper."""

from __future__ import annotations

from dataclasses import dataclass

from openplan.core.scene import Tile


@dataclass(frozen=True, slots=True)
class Counter:
    """Something that lies on the board, and how many of it a match may need."""

    tile: Tile
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class Tent:
    """Stands before a player: whose place it is, and what to remember there."""

    tile: Tile | None
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """`tiles` are cards that are laid on the board by their plans, in the order in which they are
    to be cut out. `pad` names the rows of the score pad, `key` the clauses of the rules that a
    player looks up most."""

    tiles: tuple[str, ...] = ()
    counters: tuple[Counter, ...] = ()
    tents: tuple[Tent, ...] = ()
    pad: tuple[str, ...] = ()
    legend: tuple[tuple[Tile, str], ...] = ()
    key: tuple[str, ...] = ()
