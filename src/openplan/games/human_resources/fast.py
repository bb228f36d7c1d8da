"""The kernel's own table in hand (`core.fast`): a decision is a move, as the kernel packs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openplan.core.game import Illegal, Seat
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.moves import list_moves
from openplan.games.human_resources.kernel.turn import apply
from openplan.games.human_resources.text.notation import (
    format_move,
    from_kernel,
    parse_move,
    to_kernel,
)

_AT_END: Final = int(codes.AT_END)
_AT_CHOICE: Final = int(codes.AT_CHOICE)


class FastOffice:
    __slots__ = ("board",)

    def __init__(self, board: Board) -> None:
        self.board = Board(board.cards)
        self.board.copy_from(board)

    @property
    def turn(self) -> Seat:
        actor = self.board.actor
        return Seat(1 - actor if self.board.phase == _AT_CHOICE else actor)

    @property
    def is_over(self) -> bool:
        return self.board.phase == _AT_END

    @property
    def points(self) -> tuple[int, int]:
        return self.board.points[0], self.board.points[1]

    def moves(self) -> Sequence[int]:
        count = list_moves(self.board)
        return memoryview(self.board.moves)[:count]

    def push(self, move: int) -> None:
        apply(self.board, move)

    def text(self, move: int) -> str:
        (whole,) = from_kernel(self.board, [move])
        return format_move(whole)

    def packed(self, text: str) -> int:
        move = to_kernel(self.board, parse_move(text))
        if move not in self.moves():
            raise Illegal("not-possible", f"{text[:100]!r} cannot be played now")
        return move

    def copy(self) -> FastOffice:
        return FastOffice(self.board)
