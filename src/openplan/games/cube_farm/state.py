"""The whole truth about a table: the kernel's, what is sealed, and what everybody has been shown.

What each viewer may know of it (CF-9) is in `view.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from openplan.core.grid import Square, square_at
from openplan.games.cube_farm.cards import FarmDeck, kernel_cards, rulings_of
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import (
    NO_ORDER,
    Board,
    card_of,
    card_x,
    card_y,
    employee_x,
    employee_y,
    floor_of,
    pack_card,
    pack_employee,
    turn_of,
)
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.gaps import fill_gaps
from openplan.games.cube_farm.kernel.placing import place_card
from openplan.games.cube_farm.text.notation import (
    SENT,
    UNTOLD,
    CardOrder,
    Orders,
    Phase,
    format_orders,
    parse_orders,
)

SEATS: Final = ("S", "P", "T")
FLOORS: Final = ("top", "middle", "basement")
OVER: Final = codes.TURNS + 1


class Drawn(NamedTuple):
    """A square that was drawn by hand, not brought by a card."""

    x: int
    y: int
    kind: int
    walls: int


class Result(NamedTuple):
    """What became of one part of an order; no code if it was placed."""

    seat: int
    phase: int
    part: str
    square: Square
    card: str = ""
    turn: int = 0
    filled: tuple[Square, ...] = ()
    """The squares that became floor by it (CF-4.3)."""
    code: str = ""
    clause: str = ""
    at: tuple[Square, ...] = ()
    """What was in the way: a covered square, a VP's, or those of the cubes that would be joined."""
    by: str = ""
    """Who had the cube already."""


class Turn(NamedTuple):
    """A turn as everybody was told of it: all orders as given (CF-9) and what came of them."""

    number: int
    orders: tuple[str | None, ...]
    results: tuple[Result, ...]

    def filled(self, floor: int) -> list[Square]:
        """The squares of a floor that became floor in this turn."""
        return [
            square
            for result in self.results
            if int(floor_of(result.seat, result.phase - 1)) == floor
            for square in result.filled
        ]


@dataclass(slots=True)
class State:
    deck: FarmDeck
    house: Mapping[str, str]
    table: Board
    stock: tuple[int, ...]
    """The cards of this match; all of the deck, unless it began from a position."""
    drawn: tuple[tuple[Drawn, ...], ...] = ((), (), ())
    sealed: list[Orders | None] = field(default_factory=lambda: [None, None, None])
    withdrawn: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)
    """Cards in hands of which everybody knows, because an order for them was lost (CF-9)."""
    history: list[Turn] = field(default_factory=list)
    spent: list[int] = field(default_factory=list)
    """Lost cards that are out of the game, where the table says so (CF-3.4). Everybody knows."""

    def copy(self) -> State:
        table = Board(self.table.cards)
        table.copy_from(self.table)
        return State(
            self.deck,
            self.house,
            table,
            self.stock,
            self.drawn,
            list(self.sealed),
            set(self.withdrawn),
            set(self.shown),
            list(self.history),
            list(self.spent),
        )


def new_table(deck: FarmDeck, house: Mapping[str, str]) -> Board:
    return Board(kernel_cards(deck, rulings_of(house)))


def lay_floor(
    floor: Floor,
    drawn: Sequence[Drawn],
    cards: Sequence[tuple[int, int, int, int]],
    employees: Sequence[tuple[int, int, int]],
) -> None:
    """A floor from what was drawn, its cards in order (card, turn, x, y) and employees (x, y,
    seat); what became floor between the cards follows (CF-4.3)."""
    if drawn:
        xs, ys = [square.x for square in drawn], [square.y for square in drawn]
        floor.origin_x = codes.CENTRE + 1 - (min(xs) + max(xs)) // 2
        floor.origin_y = codes.CENTRE + 1 - (min(ys) + max(ys)) // 2
    for x, y, kind, walls in drawn:
        floor.lay(floor.square_at(x, y), kind, walls)
    for x, y, _, _ in drawn:
        floor.link(floor.square_at(x, y))
    if drawn:
        # No card has closed the gaps of a drawing, so nothing has judged them yet.
        fill_gaps(floor)
    for card, turn, x, y in cards:
        place_card(floor, card, turn, floor.square_at(x, y))
    for x, y, seat in employees:
        floor.employ(floor.square_at(x, y), seat)


def placed_cards(floor: Floor) -> list[tuple[int, int, int, int]]:
    return [
        (
            int(floor.placed[place]) >> 2,
            int(floor.placed[place]) & 3,
            int(floor.placed_x[place]),
            int(floor.placed_y[place]),
        )
        for place in range(int(floor.placed_count))
    ]


def employees_on(floor: Floor) -> list[tuple[int, int, int]]:
    return [
        (
            int(floor.x_of(floor.employee[place])),
            int(floor.y_of(floor.employee[place])),
            int(floor.employee_seat[place]),
        )
        for place in range(int(floor.employee_count))
    ]


def square_of(floor: Floor, square: int) -> Square:
    return square_at(int(floor.x_of(square)), int(floor.y_of(square)))


def put_orders(state: State, seat: int, orders: Orders | None) -> None:
    write_orders(state.table, state.deck, seat, orders)


def write_orders(table: Board, deck: FarmDeck, seat: int, orders: Orders | None) -> None:
    """Write a seat's orders into the kernel's table."""
    for number, phase in enumerate((orders or Orders()).phases):
        card = employee = NO_ORDER
        if phase.card is not None:
            x, y = phase.card.square
            card = int(pack_card(deck.index[phase.card.card], phase.card.turn, x, y))
        if phase.employee is not None:
            employee = int(pack_employee(*phase.employee))
        table.order_card(seat, number, card)
        table.order_employee(seat, number, employee)


def orders_in(state: State, seat: int) -> Orders:
    return read_orders(state.table, state.deck, seat)


def read_orders(table: Board, deck: FarmDeck, seat: int) -> Orders:
    """The orders that stand in the kernel's table."""
    phases = []
    for number in range(codes.PHASES):
        card = int(table.card_order[seat * codes.PHASES + number])
        employee = int(table.employee_order[seat * codes.PHASES + number])
        order = where = None
        if card != NO_ORDER:
            square = Square(int(card_x(card)), int(card_y(card)))
            order = CardOrder(deck.cards[int(card_of(card))], square, int(turn_of(card)))
        if employee != NO_ORDER:
            where = Square(int(employee_x(employee)), int(employee_y(employee)))
        phases.append(Phase(order, where))
    first, second, third = phases
    return Orders((first, second, third))


# -- As bytes --------------------------------------------------------------------------------


def dump(state: State) -> bytes:
    """Everything but the deck's cards, which are named by their hash."""
    table = state.table
    floors = [table.floor(number) for number in range(codes.FLOORS)]
    content = {
        "deck": state.deck.hash,
        "house": dict(state.house),
        "floors": [
            [state.drawn[number], placed_cards(floor), employees_on(floor)]
            for number, floor in enumerate(floors)
        ],
        "hands": [table.hand_of(seat) for seat in range(codes.SEATS)],
        "pile": table.deck_list(),
        "turn": int(table.turn),
        "stock": list(state.stock),
        "sealed": [None if orders is None else format_orders(orders) for orders in state.sealed],
        "withdrawn": sorted(state.withdrawn),
        "shown": sorted(state.shown),
        "history": state.history,
        "spent": state.spent,
    }
    return json.dumps(content, separators=(",", ":")).encode()


def load(deck: FarmDeck, data: bytes) -> State:
    content = json.loads(data)
    if content["deck"] != deck.hash:
        raise ValueError(f"a state of deck {content['deck'][:12]}, not of {deck.hash[:12]}")
    table = new_table(deck, content["house"])
    for number, (drawn, cards, employees) in enumerate(content["floors"]):
        lay_floor(table.floor(number), [Drawn(*square) for square in drawn], cards, employees)
    for seat, hand in enumerate(content["hands"]):
        table.set_hand(seat, hand)
    table.set_deck(content["pile"])
    table.turn = content["turn"]
    sealed = [
        None if text is None else UNTOLD if text == SENT else parse_orders(deck, text)
        for text in content["sealed"]
    ]
    history = [
        Turn(
            number,
            tuple(orders),
            tuple(_result_from(*result) for result in results),
        )
        for number, orders, results in content["history"]
    ]
    return State(
        deck,
        content["house"],
        table,
        tuple(content["stock"]),
        tuple(tuple(Drawn(*square) for square in drawn) for drawn, _, _ in content["floors"]),
        sealed,
        set(content["withdrawn"]),
        set(content["shown"]),
        history,
        content["spent"],
    )


def _result_from(
    seat: int,
    phase: int,
    part: str,
    square: list[int],
    card: str,
    turn: int,
    filled: list[list[int]],
    code: str,
    clause: str,
    at: list[list[int]],
    by: str,
) -> Result:
    def squares(pairs: list[list[int]]) -> tuple[Square, ...]:
        return tuple(Square(x, y) for x, y in pairs)

    (where,) = squares([square])
    filling, in_the_way = squares(filled), squares(at)
    return Result(seat, phase, part, where, card, turn, filling, code, clause, in_the_way, by)
