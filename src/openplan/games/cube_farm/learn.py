"""A viewer's table, followed entry by entry: what the viewer's record tells is put in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from openplan.core.game import Illegal, Seat
from openplan.core.grid import format_square
from openplan.games.cube_farm.deal import HIDDEN
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import AWAY
from openplan.games.cube_farm.state import SEATS, State
from openplan.games.cube_farm.text.notation import SENT, UNTOLD, Orders, format_orders, parse_orders

_TOLD_ORDERS: Final = re.compile(r"([SPT]) orders (.+)")
_TOLD_DEAL: Final = re.compile(r"dealt ([SPT])((?: (?:\?|\d{1,3}))*)")


def learn(state: State, text: str) -> Orders:
    """The orders that an entry tells; of another seat's only that they were sent."""
    return UNTOLD if text == SENT else parse_orders(state.deck, text)


def learn_deadline(state: State, facts: Sequence[str]) -> None:
    """Put the orders told into their seals, and the cards where they must have been."""
    table, deck = state.table, state.deck
    orders: dict[Seat, Orders] = {}
    pile = table.deck_list()
    dealt = 0
    for fact in facts:
        if found := _TOLD_ORDERS.fullmatch(fact):
            seat = Seat(SEATS.index(found[1]))
            orders[seat] = parse_orders(deck, found[2])
            _find_in_hand(state, seat, orders[seat])
        elif found := _TOLD_DEAL.fullmatch(fact):
            for name in found[2].split():
                if name != HIDDEN and dealt < len(pile):
                    if name not in deck.index or not _is_loose(state, deck.index[name]):
                        raise Illegal("record", f"card {name[:20]} cannot have been dealt")
                    pile[dealt] = deck.index[name]
                dealt += 1
    if dealt:
        table.set_deck(pile)
    if orders:
        # An adjudication: whoever is not told to have sent orders has sent none.
        for number in range(len(SEATS)):
            state.sealed[number] = orders.get(Seat(number))


def _find_in_hand(state: State, seat: Seat, orders: Orders) -> None:
    """Cards show themselves by being named: they were among those of the hand not known."""
    named = [phase.card.card for phase in orders.phases if phase.card is not None]
    if len(set(named)) < len(named):
        # CF-3.4: such orders are refused when they are sent.
        raise Illegal("record", f"one card cannot have been ordered twice: {format_orders(orders)}")
    for phase in orders.phases:
        for square in (phase.card and phase.card.square, phase.employee):
            if square is not None and max(abs(square.x), abs(square.y)) >= AWAY:
                raise Illegal("record", f"{format_square(square)} cannot have been ordered")
        if phase.card is not None:
            hand = state.table.hand_of(seat)
            card = state.deck.index[phase.card.card]
            if card not in hand:
                if codes.NONE not in hand or not _is_loose(state, card):
                    raise Illegal("record", f"card {phase.card.card} cannot be in that hand")
                hand[hand.index(codes.NONE)] = card
                state.table.set_hand(seat, hand)


def _is_loose(state: State, card: int) -> bool:
    """Whether nobody has seen this card anywhere yet."""
    table = state.table
    lying = {
        int(floor.placed[place]) >> 2
        for floor in (table.floor(number) for number in range(codes.FLOORS))
        for place in range(int(floor.placed_count))
    }
    held = {held for seat in range(codes.SEATS) for held in table.hand_of(seat)}
    return card not in lying | held | set(table.deck_list()) | set(state.spent)
