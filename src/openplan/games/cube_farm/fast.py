"""The kernel's own table in hand (`core.fast`). An order set is too many decisions for one number:
each seat in turn decides phase by phase on a card and where it lies, or none, then on a cube for an
employee, or none; after the third seat's last the turn is carried out (CF-3). Offered is what is
possible on the floors as they stand, as everywhere (`steps.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openplan.core.game import Illegal, Seat
from openplan.core.grid import Square, format_square
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import (
    NO_ORDER,
    Board,
    card_of,
    card_x,
    card_y,
    employee_x,
    employee_y,
    turn_of,
)
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.stepwise import card_orders, employee_orders

_SEATS: Final = int(codes.SEATS)
_PHASES: Final = int(codes.PHASES)
_TURNS: Final = int(codes.TURNS)


class FastFarm:
    __slots__ = ("_phase", "_seat", "_trial", "_with_card", "board", "deck")

    def __init__(self, deck: FarmDeck, board: Board) -> None:
        self.deck = deck
        self.board = Board(board.cards)
        self.board.copy_from(board)
        self.board.forget_orders()
        self._trial = Floor(board.cards)
        self._seat = self._phase = 0
        self._with_card = False
        """The card of this phase has been decided on."""

    @property
    def turn(self) -> Seat:
        return Seat(self._seat)

    @property
    def is_over(self) -> bool:
        return self.board.turn > _TURNS

    @property
    def points(self) -> tuple[int, int, int]:
        self.board.score()
        points = self.board.points
        return points[0], points[1], points[2]

    def moves(self) -> Sequence[int]:
        if self._with_card:
            return employee_orders(self.board, self._seat, self._phase, self._trial)
        return card_orders(self.board, self._seat, self._phase)

    def push(self, move: int) -> None:
        board = self.board
        if not self._with_card:
            board.order_card(self._seat, self._phase, move)
            self._with_card = True
            return
        board.order_employee(self._seat, self._phase, move)
        self._with_card = False
        self._phase += 1
        if self._phase == _PHASES:
            self._phase = 0
            self._seat += 1
        if self._seat == _SEATS:
            self._seat = 0
            board.adjudicate()

    def text(self, move: int) -> str:
        if move == NO_ORDER:
            return ""
        number = self._phase + 1
        if self._with_card:
            square = format_square(Square(employee_x(move), employee_y(move)))
            return f"{number}: employee {square}"
        square = format_square(Square(card_x(move), card_y(move)))
        turned = f" turn {turn_of(move)}" if turn_of(move) else ""
        return f"{number}: card {self.deck.name_of(card_of(move))} {square}{turned}"

    def packed(self, text: str) -> int:
        wanted = " ".join(text.split())
        for move in self.moves():
            if self.text(move) == wanted:
                return move
        raise Illegal("not-possible", f"{text[:100]!r} cannot be ordered now")

    def copy(self) -> FastFarm:
        other = FastFarm(self.deck, self.board)
        other.board.copy_from(self.board)
        other._seat, other._phase = self._seat, self._phase
        other._with_card = self._with_card
        return other
