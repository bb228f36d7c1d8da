"""What is certainly wrong with orders when they are sent. All else may come right or be lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openplan.core.game import Refusal, Seat
from openplan.core.grid import Square, format_square, neighbours
from openplan.games.cube_farm import view
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.state import (
    square_of,
)
from openplan.games.cube_farm.text.notation import Orders, Phase
from openplan.games.cube_farm.view import FarmView

_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def objections(view_: FarmView, move: Orders) -> Iterator[Refusal]:
    """What is certainly wrong with a set when it is sent; anything else may come right or be lost
    (CF-3.4)."""
    seat = view.own_seat(view_)
    if view_.is_over:
        yield Refusal("over", "CF-1.2")
        return
    if seat is None or seat in view_.withdrawn:
        yield Refusal("no-orders-from-here", "CF-3.1")
        return
    hand = {view_.deck.name_of(card) for card in view_.hands[seat]}
    named: set[str] = set()
    for number, phase in enumerate(move.phases):
        where: dict[str, object] = {"phase": number + 1}
        if phase.card is not None:
            where["card"] = phase.card.card
            if phase.card.card not in hand:
                yield Refusal("not-in-hand", "CF-3.4", where)
            elif phase.card.card in named:
                yield Refusal("named-twice", "CF-3.4", where)
            named.add(phase.card.card)
        yield from _object_to_squares(view_, seat, number, phase)


def _object_to_squares(view_: FarmView, seat: Seat, number: int, phase: Phase) -> Iterator[Refusal]:
    """CF-4.1: too far away to touch anything, whatever the others place there before."""
    floor = view_.laid().floor(floor_of(seat, number))
    within = _Within(floor, view_.deck)
    own: set[Square] = set()
    if phase.card is not None:
        own = view_.deck.covered_by(*phase.card)
        around = own | within.beside(own)
        if not within.meets(around, number):
            where = {
                "phase": number + 1,
                "card": phase.card.card,
                "square": format_square(phase.card.square),
            }
            yield Refusal("never-possible", "CF-4.1", where)
            return
    if phase.employee is not None and phase.employee not in own:
        if not within.meets({phase.employee}, number):
            where = {"phase": number + 1, "square": format_square(phase.employee)}
            yield Refusal("never-possible", "CF-4.1", where)


class _Within:
    """The squares that may be covered once others have placed so many more cards."""

    def __init__(self, floor: Floor, deck: FarmDeck) -> None:
        self.corner_touches = floor.cards.corner_touches
        self.covered = {square_of(floor, square) for square in floor.squares()}
        self.sizes = {
            size
            for card in deck.card.values()
            for size in ((card.width, card.height), (card.height, card.width))
        }

    def beside(self, squares: set[Square]) -> set[Square]:
        """The squares that touch one of these (CF-4.1)."""
        found = {other for square in squares for other in neighbours(square)}
        if self.corner_touches:
            found |= {Square(x + dx, y + dy) for x, y in squares for dx, dy in _CORNERS}
        return found - squares

    def meets(self, squares: set[Square], cards: int) -> bool:
        reach = self.covered
        for more in range(cards + 1):
            if squares & reach:
                return True
            if more < cards:
                reach = self._grown(reach)
        return False

    def _grown(self, reach: set[Square]) -> set[Square]:
        found = set(reach)
        beside = self.beside(reach)
        for width, height in self.sizes:
            offsets = [(x, y) for x in range(width) for y in range(height)]
            # A card that lies beside several squares is looked at once.
            for left, top in {(x - dx, y - dy) for x, y in beside for dx, dy in offsets}:
                card = [Square(left + x, top + y) for x, y in offsets]
                if self.covered.isdisjoint(card):
                    found.update(card)
        return found
