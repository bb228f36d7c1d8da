"""Orders built step by step, from what is possible on the floors as they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from openplan.core.game import Options, Seat, Step
from openplan.core.grid import Square, format_square
from openplan.games.cube_farm import view
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import (
    add_placements,
    place_card,
    square_in,
    turn_in,
    why_card,
)
from openplan.games.cube_farm.kernel.walking import add_employees
from openplan.games.cube_farm.state import square_of
from openplan.games.cube_farm.text.notation import CardOrder, Orders, Phase, format_orders
from openplan.games.cube_farm.view import FarmView

T = TypeVar("T")
NO_CARD: Final = "no-card"
NO_EMPLOYEE: Final = "no-employee"


def options(view_: FarmView, steps: Sequence[str]) -> Options:
    """Phase by phase: a card, its turn, its square, an employee; each may be left out. Offered is
    what is possible on the floors as they stand."""
    seat = view.own_seat(view_)
    if seat is None or view_.is_over or seat in view_.withdrawn:
        return Options((), None)
    orders = Orders()
    left = [step.casefold() for step in steps]
    for number in range(codes.PHASES):
        builder = _PhaseBuilder(view_, seat, number, orders)
        choices = builder.follow(left)
        if choices is None or choices:
            return Options(tuple(choices or ()), None)
        orders = orders.having(number, builder.phase)
    return Options((), None if left else format_orders(orders))


def moves_of_phase(view_: FarmView, number: int) -> list[Orders]:
    """One phase's cards and employees (0 to 2), each by itself, on the floor as it stands."""
    seat = view.own_seat(view_)
    if seat is None or view_.is_over or seat in view_.withdrawn:
        return []
    phases = [
        Phase(card=place)
        for card in view_.hands[seat]
        for place in card_places(view_, seat, number, view_.deck.name_of(card))
    ]
    phases += [Phase(employee=square) for square in employee_places(view_, seat, number, None)]
    return [Orders().having(number, phase) for phase in phases]


class _PhaseBuilder:
    """The steps of one phase."""

    def __init__(self, view_: FarmView, seat: Seat, number: int, before: Orders) -> None:
        self.view = view_
        self.number = number
        self.seat = seat
        self.floor = view_.laid().floor(floor_of(seat, number))
        used = {phase.card.card for phase in before.phases if phase.card is not None}
        hand = [view_.deck.name_of(card) for card in view_.hands[seat]]
        self.hand = [name for name in hand if name not in used]
        self.phase = Phase()

    def follow(self, left: list[str]) -> list[Step] | None:
        """Take this phase's steps from those given: the choices if more are needed, none if the
        phase is complete, `None` if they do not lead anywhere."""
        name = self._take(left, [Step("phase", f"phase {self.number + 1}")])
        if not isinstance(name, str):
            return name
        fitting = remembered(self.view, (self.number,), self._fitting_cards)
        cards = [Step("card", card) for card in self.hand if card in fitting]
        card = self._take(left, [*cards, Step("card", NO_CARD)])
        if not isinstance(card, str):
            return card
        if card != NO_CARD:
            places = card_places(self.view, self.seat, self.number, card)
            turns = sorted({order.turn for order in places})
            turn = self._take(left, [Step("turn", f"turn {number}") for number in turns])
            if not isinstance(turn, str):
                return turn
            # Once turned, all places of a card are offered together: a hand moves it over them.
            lying = [order for order in places if f"turn {order.turn}" == turn]
            squares = [Step("square", format_square(order.square)) for order in lying]
            square = self._take(left, squares)
            if not isinstance(square, str):
                return square
            self.phase = Phase(next(o for o in lying if format_square(o.square) == square))
        cubes = employee_places(self.view, self.seat, self.number, self.phase.card)
        seats = [Step("employee", format_square(square)) for square in cubes]
        employee = self._take(left, [*seats, Step("employee", NO_EMPLOYEE)])
        if not isinstance(employee, str):
            return employee
        if employee != NO_EMPLOYEE:
            self.phase = self.phase._replace(
                employee=next(square for square in cubes if format_square(square) == employee)
            )
        return []

    def _fitting_cards(self) -> list[str]:
        return [
            name
            for card in self.view.hands[self.seat]
            if self._fits_somewhere(name := self.view.deck.name_of(card))
        ]

    def _fits_somewhere(self, card: str) -> bool:
        found = codes.Found(1)
        add_placements(self.floor, self.view.deck.index[card], found)
        return found.count > 0

    def _take(self, left: list[str], choices: list[Step]) -> str | list[Step] | None:
        if not left:
            return choices
        word = left.pop(0)
        return next((step.value for step in choices if step.value.casefold() == word), None)


def remembered(view_: FarmView, about: tuple[object, ...], find: Callable[[], list[T]]) -> list[T]:
    """Found once for each view: many steps are asked of the same floors."""
    if about not in view_.choices:
        view_.choices[about] = find()
    return view_.choices[about]


def card_places(view_: FarmView, seat: Seat, number: int, card: str) -> list[CardOrder]:
    """Everywhere a card fits in a phase (0 to 2), on the floor as it stands."""
    return remembered(
        view_, ("card", seat, number, card), lambda: _card_places(view_, seat, number, card)
    )


def _card_places(view_: FarmView, seat: Seat, number: int, card: str) -> list[CardOrder]:
    floor = view_.laid().floor(floor_of(seat, number))
    found = codes.Found(1)
    add_placements(floor, view_.deck.index[card], found)
    # By square in reading order, then by turn.
    places = sorted((int(square_in(place)), int(turn_in(place))) for place in found.listed())
    return [CardOrder(card, square_of(floor, square), turn) for square, turn in places]


def employee_places(
    view_: FarmView, seat: Seat, number: int, card: CardOrder | None
) -> list[Square]:
    """One square of every cube that can be taken in a phase, after the card ordered for it."""
    return remembered(
        view_, ("employee", seat, number, card), lambda: _employee_places(view_, seat, number, card)
    )


def _employee_places(
    view_: FarmView, seat: Seat, number: int, card: CardOrder | None
) -> list[Square]:
    floor = view_.laid().floor(floor_of(seat, number))
    if card is not None:
        trial = Floor(floor.cards)
        trial.copy_from(floor)
        at = trial.square_at(card.square.x, card.square.y)
        index = view_.deck.index[card.card]
        if why_card(trial, index, card.turn, at) == codes.FITS:
            place_card(trial, index, card.turn, at)
        floor = trial
    found = codes.Found(1)
    add_employees(floor, found)
    squares = [square_of(floor, floor.cube_squares(square)[0]) for square in found.listed()]
    return sorted(squares, key=lambda square: (square.y, square.x))
