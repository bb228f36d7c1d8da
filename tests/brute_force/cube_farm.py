"""The turns of PBM Cube Farm once more, straight from the clauses, on the floors of the other file:
orders, what comes of them phase by phase, and the end.

Nothing of the engine is imported here, nor may it be. `adjudicate` judges before it places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .cube_farm_floors import (
    OURS,
    CardList,
    Fault,
    Floor,
    Rulings,
    Square,
    employee_fault,
    parse_square,
    place,
    placement_fault,
    score,
    start_floor,
    with_employee,
)

SEATS = ("S", "P", "T")
HOME = {"top": "S", "middle": "P", "basement": "T"}
# CF-3.2
FLOOR_IN_PHASE = {
    1: {"S": "top", "P": "middle", "T": "basement"},
    2: {"S": "middle", "P": "basement", "T": "top"},
    3: {"S": "basement", "P": "top", "T": "middle"},
}
# CF-1.2, CF-2.3
LAST_TURN = 5
DEALT_AT_START = 5
DEALT_AFTER_TURN = {1: 3, 2: 3, 3: 3, 4: 1, 5: 0}


# --- Orders (CF-3) --------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """One phase's order of one seat."""

    card: int | None = None
    at: Square = (0, 0)
    turns: int = 0
    employee: Square | None = None


Orders = dict[int, Order]  # by phase


def parse_orders(written: str) -> Orders:
    """`1: card 23 E3S2 turn 1 employee E4S2; 2: card 17 N2; 3: employee E1`, or `nothing`."""
    orders: Orders = {}
    if written == "nothing":
        return orders
    for part in written.split(";"):
        phase, text = part.split(":")
        order = Order()
        words = text.split()
        while words:
            match words:
                case ["card", number, at, *rest]:
                    order = replace(order, card=int(number), at=parse_square(at))
                case ["turn", turns, *rest]:
                    order = replace(order, turns=int(turns))
                case ["employee", square, *rest]:
                    order = replace(order, employee=parse_square(square))
                case _:
                    raise ValueError(f"not in the canonical form: {written!r}")
            words = rest
        orders[int(phase)] = order
    return orders


# --- A whole turn ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Placement:
    """One line of the report (CF-3.4): placed if there is no fault, lost otherwise."""

    seat: str
    phase: int
    kind: str  # card, employee
    fault: Fault | None
    filled: frozenset[Square] = frozenset()  # what became floor by this card


@dataclass
class Position:
    """Everything on the table, open and hidden. Once `over`, `turn` stays at the last."""

    cards: CardList
    floors: dict[str, Floor]
    hands: dict[str, list[int]]
    deck: list[int]
    turn: int = 1
    over: bool = False
    report: list[Placement] = field(default_factory=list)  # of the last adjudication
    rulings: Rulings = OURS
    spent: list[int] = field(default_factory=list)

    def copy(self) -> Position:
        return replace(
            self,
            floors={name: floor.copy() for name, floor in self.floors.items()},
            hands={seat: list(cards) for seat, cards in self.hands.items()},
            deck=list(self.deck),
            report=list(self.report),
            spent=list(self.spent),
        )


def deal(table: Position, cards_each: int) -> None:
    """One seat after the other gets all its cards, while there are any."""
    for seat in SEATS:
        table.hands[seat] += table.deck[:cards_each]
        table.deck = table.deck[cards_each:]


def start_position(
    card_list: CardList, elevators: Sequence[int], deck: Sequence[int], rulings: Rulings = OURS
) -> Position:
    """CF-2.1: the three elevator cards as drawn, and all other cards as shuffled."""
    table = Position(
        cards=card_list,
        floors={
            name: start_floor(home, card, card_list, rulings)
            for (name, home), card in zip(HOME.items(), elevators, strict=True)
        },
        hands={seat: [] for seat in SEATS},
        deck=list(deck),
        rulings=rulings,
    )
    deal(table, DEALT_AT_START)
    return table


def naming_fault(card: int, hand: Iterable[int], named_before: Iterable[int]) -> Fault | None:
    """CF-3.4. The hand is that of the turn's beginning: a card placed since has been named."""
    if card not in hand:
        return "not-in-hand", "CF-3.4"
    if card in named_before:
        return "named-twice", "CF-3.4"
    return None


def adjudicate(position: Position, orders: Mapping[str, Orders]) -> Position:
    """The position after the whole turn. A seat without orders places nothing."""
    assert not position.over
    table = position.copy()
    table.report = []
    named: dict[str, list[int]] = {seat: [] for seat in SEATS}
    for phase in (1, 2, 3):
        for seat in SEATS:
            order = orders.get(seat, {}).get(phase)
            if order is None:
                continue
            name = FLOOR_IN_PHASE[phase][seat]
            before = after = table.floors[name]
            card_fault = employee_lost = None
            # CF-3.3: first the card. CF-3.4: its loss does not touch the employee.
            if order.card is not None:
                card_fault = naming_fault(order.card, position.hands[seat], named[seat])
                named[seat].append(order.card)
                if card_fault is None:
                    card_fault = placement_fault(
                        before, order.card, order.at, order.turns, table.cards
                    )
                if card_fault is None:
                    after = place(before, order.card, order.at, order.turns, table.cards)
            filled = after.filled - before.filled
            if order.employee is not None:
                employee_lost = employee_fault(after, order.employee, seat)
                if employee_lost is None:
                    after = with_employee(after, order.employee, seat)
            if position.rulings.lost_together and order.card and order.employee is not None:
                # CF-3.4, as this table has it: an order is carried out whole, or nothing of it.
                if card_fault is not None:
                    after, employee_lost = before, ("with-card", "CF-3.4")
                elif employee_lost is not None:
                    after, card_fault, filled = before, ("with-employee", "CF-3.4"), set()
            table.floors[name] = after
            if order.card is not None:
                if card_fault is None:
                    table.hands[seat].remove(order.card)
                elif position.rulings.lost_is_spent and order.card in table.hands[seat]:
                    table.hands[seat].remove(order.card)
                    table.spent.append(order.card)
                table.report.append(Placement(seat, phase, "card", card_fault, frozenset(filled)))
            if order.employee is not None:
                table.report.append(Placement(seat, phase, "employee", employee_lost))
    deal(table, DEALT_AFTER_TURN[table.turn])
    if table.turn == LAST_TURN:
        table.over = True
    else:
        table.turn += 1
    return table


def totals(position: Position) -> dict[str, int]:
    """Every department's points over all floors, as if scored now."""
    points = dict.fromkeys(SEATS, 0)
    for floor in position.floors.values():
        for employee in score(floor):
            points[employee.department] += employee.total
    return points


def winners(position: Position) -> list[str] | None:
    """CF-6.7; None while the game goes on."""
    if not position.over:
        return None
    points = totals(position)
    return [seat for seat in SEATS if points[seat] == max(points.values())]
