"""A turn carried out (CF-3): what was placed, lost, joined, filled and dealt; and the forecast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from openplan.core.game import Event, Outcome, Preview, Seat, Secret, Viewer
from openplan.core.grid import Square, format_square, neighbours, reading_order
from openplan.games.cube_farm import view
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.state import (
    FLOORS,
    OVER,
    SEATS,
    Result,
    State,
    Turn,
    put_orders,
    square_of,
)
from openplan.games.cube_farm.text.explain import explain_floor, totals
from openplan.games.cube_farm.text.notation import CardOrder, Orders, format_orders
from openplan.games.cube_farm.view import FarmView

CODES: Final = {
    codes.COVERED: ("covered", "CF-4.1"),
    codes.NOT_TOUCHING: ("not-touching", "CF-4.1"),
    codes.TWO_OCCUPANTS: ("two-occupants", "CF-4.5"),
    codes.SECOND_VP: ("second-vp", "CF-4.5"),
    codes.TOO_LONG: ("too-long", "CF-4.1"),
    codes.NO_CUBE: ("no-cube", "CF-5.1"),
    codes.TAKEN: ("taken", "CF-5.1"),
    codes.NEGATIVE: ("negative", "CF-5.1"),
    codes.NO_WALK: ("no-walk", "CF-5.2"),
    codes.NOT_IN_HAND: ("not-in-hand", "CF-3.4"),
    codes.NAMED_TWICE: ("named-twice", "CF-3.4"),
    codes.WITH_CARD: ("with-card", "CF-3.4"),
    codes.WITH_EMPLOYEE: ("with-employee", "CF-3.4"),
}


def adjudicate(state_: State) -> tuple[Event, ...]:
    """CF-3: open all orders, carry out the phases, deal; after the fifth turn score."""
    table = state_.table
    number = int(table.turn)
    events: list[Event] = []
    table.forget_orders()
    given: list[str | None] = []
    for seat, code in enumerate(SEATS):
        orders = state_.sealed[seat]
        put_orders(state_, seat, orders)
        text = None if orders is None else format_orders(orders)
        given.append(text)
        fact = f"{code} no orders" if text is None else f"{code} orders {text}"
        told = "no-orders" if text is None else "orders"
        events.append(Event(told, "CF-9", {"seat": code, "orders": text or ""}, fact))
    results: list[Result] = []
    for phase in range(codes.PHASES):
        for seat in range(len(SEATS)):
            events += _carry_out(state_, seat, phase, results)
    _remember_shown(state_)
    state_.history.append(Turn(number, tuple(given), tuple(results)))
    state_.sealed = [None, None, None]
    hands = [len(table.hand_of(seat)) for seat in range(len(SEATS))]
    table.end_turn()
    table.forget_orders()
    for seat, code in enumerate(SEATS):
        new = [state_.deck.name_of(card) for card in table.hand_of(seat)[hands[seat] :]]
        if new:
            events.append(_dealt(Seat(seat), code, new))
    if int(table.turn) == OVER:
        events += _scored(state_)
        points = dict(zip(SEATS, points_of(state_), strict=True))
        events.append(Event("scored", "CF-6", {"points": points}))
    else:
        events.append(Event("turn", "CF-1.2", {"turn": int(table.turn)}))
    return tuple(events)


def _carry_out(state_: State, seat: int, phase: int, results: list[Result]) -> Iterator[Event]:
    """One seat's orders for one phase (0 to 2): the card first, then the employee (CF-3.3)."""
    table = state_.table
    number = int(floor_of(seat, phase))
    floor = table.floor(number)
    orders = state_.sealed[seat]
    if orders is None:
        return
    order, employee = orders.phases[phase]
    where: dict[str, object] = {"seat": SEATS[seat], "phase": phase + 1, "floor": FLOORS[number]}
    place = seat * codes.PHASES + phase
    table.carry_out_card(seat, phase)
    if order is not None:
        params = {
            **where,
            "card": order.card,
            "square": format_square(order.square),
            "turn": order.turn,
        }
        result = int(table.card_result[place])
        came = Result(seat, phase + 1, "card", order.square, order.card, order.turn)
        if result == codes.FITS:
            squares = tuple(square_of(floor, square) for square in floor.filled_squares())
            results.append(came._replace(filled=squares))
            yield Event("placed-card", "CF-4.1", params)
            yield from _joined(state_, floor, order, where)
            if squares:
                names = tuple(format_square(square) for square in squares)
                fact = f"filled {FLOORS[number]} {' '.join(names)}"
                event_params = {"floor": FLOORS[number], "squares": names}
                yield Event("filled", "CF-4.3", event_params, fact)
        else:
            code, clause = CODES[result]
            at = _in_the_way(state_, floor, order, result)
            results.append(came._replace(code=code, clause=clause, at=at))
            why = _why_card(result, at)
            fact = f"lost {SEATS[seat]} {phase + 1} card {code}"
            spent = {"spent": True} if table.cards.spends_lost else {}
            yield Event("lost-card", clause, {**params, "reason": code, **why, **spent}, fact)
            if spent:
                state_.spent.append(state_.deck.index[order.card])
    table.carry_out_employee(seat, phase)
    if employee is not None:
        params = {**where, "square": format_square(employee)}
        result = int(table.employee_result[place])
        desk = int(floor.square_at(employee.x, employee.y))
        came = Result(seat, phase + 1, "employee", employee)
        if result == codes.FITS:
            results.append(came)
            cube = tuple(format_square(square_of(floor, s)) for s in floor.cube_squares(desk))
            yield Event("employed", "CF-5.1", {**params, "cube": cube})
        else:
            code, clause = CODES[result]
            by = SEATS[table.holder] if result == codes.TAKEN else ""
            results.append(came._replace(code=code, clause=clause, by=by))
            fact = f"lost {SEATS[seat]} {phase + 1} employee {code}"
            holder = {"by": by} if by else {}
            yield Event("lost-employee", clause, {**params, "reason": code, **holder}, fact)


def _joined(
    state_: State, floor: Floor, order: CardOrder, where: Mapping[str, object]
) -> Iterator[Event]:
    """CF-4.4: cubes that reach beyond the card just placed."""
    own = state_.deck.covered_by(*order)
    seen: set[Square] = set()
    for square in sorted(own, key=lambda square: (square.y, square.x)):
        at = int(floor.square_at(square.x, square.y))
        cube = [square_of(floor, member) for member in floor.cube_squares(at)]
        if square not in seen and not own.issuperset(cube):
            seen.update(cube)
            params: dict[str, object] = {
                "floor": where["floor"],
                "squares": tuple(format_square(member) for member in cube),
            }
            owner = floor.owner_at(at)
            if owner >= 0:
                params["seat"] = SEATS[owner]
            yield Event("joined", "CF-4.4", params)


def _in_the_way(state_: State, floor: Floor, order: CardOrder, result: int) -> tuple[Square, ...]:
    """The first covered square, the VP, or the cubes beside the card that somebody has."""
    own = reading_order(state_.deck.covered_by(*order))
    if result == codes.COVERED:
        for square in own:
            at = int(floor.square_at(square.x, square.y))
            if at >= 0 and int(floor.kind[at]) != codes.UNCOVERED:
                return (square,)
    if result == codes.SECOND_VP:
        for place in range(int(floor.negative_count)):
            at = int(floor.negative[place])
            if int(floor.kind[at]) == codes.VP:
                return (square_of(floor, at),)
    if result == codes.TWO_OCCUPANTS:
        around = {other for square in own for other in neighbours(square)}.difference(own)
        cubes = {
            square_of(floor, floor.cube_squares(at)[0])
            for square in around
            if (at := int(floor.square_at(square.x, square.y))) >= 0 and floor.cube_squares(at)
            if floor.owner_at(at) >= 0
        }
        return tuple(reading_order(cubes))
    return ()


def _why_card(result: int, at: Sequence[Square]) -> dict[str, object]:
    """The same for the sentence."""
    names = tuple(format_square(square) for square in at)
    if result == codes.TWO_OCCUPANTS:
        return {"cubes": names}
    return {"at": names[0]} if names else {}


def _scored(state_: State) -> Iterator[Event]:
    """CF-6: what every employee brings, with the reasons."""
    for number, name in enumerate(FLOORS):
        for score in explain_floor(state_.table.floor(number), number):
            yield Event("employee-scored", "CF-6", {"floor": name, **view.score_data(score)})


def _remember_shown(state_: State) -> None:
    """CF-9: the number of a lost card is known although the card stays in hand, if it does."""
    held = {card for seat in range(len(SEATS)) for card in state_.table.hand_of(seat)}
    for seat in range(len(SEATS)):
        for phase in (state_.sealed[seat] or Orders()).phases:
            if phase.card is not None:
                state_.shown.add(state_.deck.index[phase.card.card])
    state_.shown &= held


def _dealt(seat: Seat, code: str, names: Sequence[str]) -> Event:
    hidden = " ".join("?" for _ in names)
    knows: frozenset[Viewer] = frozenset({seat})
    cards = Secret(" ".join(names), "", knows)
    fact = Secret(f"dealt {code} {' '.join(names)}", f"dealt {code} {hidden}", knows)
    return Event("dealt", "CF-2.3", {"seat": code, "count": len(names), "cards": cards}, fact)


# -- The forecast ----------------------------------------------------------------------------


def forecast(view_: FarmView, move: Orders) -> Preview[FarmView]:
    """Own orders on the floors as they stand. A seat is on each floor once in a turn (CF-3.2), so
    what others do is all that is left out."""
    seat = view.own_seat(view_)
    assert seat is not None
    told = view.as_told(view_)
    told.sealed = [None, None, None]
    told.sealed[seat] = move
    put_orders(told, seat, move)
    before = points_of(told)
    events: list[Event] = []
    for phase in range(codes.PHASES):
        events += _carry_out(told, seat, phase, [])
    after = points_of(told)
    told.sealed = list(view_.sealed)
    told.table.forget_orders()
    return Preview(view.view_of(told, view_.viewer), tuple(events), after[seat] - before[seat])


# -- The result ------------------------------------------------------------------------------


def points_of(state_: State) -> tuple[int, int, int]:
    return totals([state_.table.floor(number) for number in range(codes.FLOORS)])


def final_result(state_: State, reason: str) -> Outcome:
    """CF-6.7: the highest total wins, and equal totals share it."""
    points = points_of(state_)
    winners = tuple(Seat(n) for n in range(len(SEATS)) if points[n] == max(points))
    return Outcome(winners, points, reason, "CF-6.7")
