"""The trusting way to play: packed moves, nothing checked, nothing written down, nobody told.

For simulations and learning, where a million games are played and none is kept. What can be known
by whom, records, events and refusals belong to the checked way (`Match`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class FastTable(Protocol):
    """A table that goes on by packed moves. A move is a number that means something only here and
    now; where a game's moves have parts, one part of a move is a decision of its own."""

    @property
    def turn(self) -> int:
        """The seat that decides next."""
        ...

    @property
    def is_over(self) -> bool: ...

    @property
    def points(self) -> tuple[int, ...]:
        """As they stand; final once it is over."""
        ...

    def moves(self) -> Sequence[int]:
        """Every decision that can be taken now. It is read before the next `push`: afterwards the
        same memory holds others."""
        ...

    def push(self, move: int) -> None:
        """Trusts its caller: one of `moves`."""
        ...

    def text(self, move: int) -> str:
        """In the notation; what is decided to be left out is an empty text."""
        ...

    def packed(self, text: str) -> int:
        """The other way round: `Illegal` if nothing that can be decided now reads like this."""
        ...

    def copy(self) -> FastTable: ...
