"""PBM Cube Farm, clause by clause, in the order of its rules (docs/rules/cube-farm.md).

Orders are sealed (CF-3.1), and what can never be is refused when they are sent (CF-3.4); at the
deadline the turn is carried out phase by phase, and for each part of an order it is told what
became of it. What a card or an employee does on a floor, and whether it can, is judged by the
kernel (`placing.py`, `gaps.py`, `walking.py`), as it is for the bots, millions of times; here it is
told, with its clause. The deal (CF-2) is in `deal.py`, scoring (CF-6) in `scoring.py`, decks (CF-8)
in `cards.py`, what each may know (CF-9) in `view.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from openplan.core.game import (
    Event,
    Happening,
    Illegal,
    Outcome,
    Preview,
    Refusal,
    Seat,
    Secret,
    Viewer,
)
from openplan.core.grid import Square, format_square, neighbours, reading_order
from openplan.games.cube_farm import view
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.scoring import explain_floor, totals
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
from openplan.games.cube_farm.text.notation import SENT, CardOrder, Orders, Phase, format_orders
from openplan.games.cube_farm.view import FarmView

# -- CF-3.1 Sealed orders --------------------------------------------------------------------


def to_act(state: State) -> frozenset[Seat]:
    """All give orders at once, and may give others until the turn is carried out."""
    if int(state.table.turn) == OVER:
        return frozenset()
    return frozenset(Seat(n) for n in range(len(SEATS)) if n not in state.withdrawn)


def awaited(state: State) -> frozenset[Seat]:
    return frozenset(seat for seat in to_act(state) if state.sealed[seat] is None)


def seal(state: State, seat: Seat, orders: Orders) -> Happening:
    """Seal a seat's orders in place of earlier ones."""
    state.sealed[seat] = orders
    cover = SENT if state.house["show-sent"] == "yes" else None
    return Happening(Secret(format_orders(orders), cover, frozenset({seat})))


# -- CF-3.4 What is refused when it is sent --------------------------------------------------


def why_not(view_: FarmView, orders: Orders) -> Refusal | None:
    """The first thing that is certainly wrong with orders; all else may come right or be lost."""
    return next(_objections(view_, orders), None)


def _objections(view_: FarmView, orders: Orders) -> Iterator[Refusal]:
    """One after the other: what comes later relies on what was asked before."""
    seat = view.own_seat(view_)
    if view_.is_over:
        yield Refusal("over", "CF-1.2")
    if seat is None or seat in view_.withdrawn:
        yield Refusal("no-orders-from-here", "CF-3.1")
        return
    hand = {view_.deck.name_of(card) for card in view_.hands[seat]}
    named: set[str] = set()
    for number, phase in enumerate(orders.phases):
        if phase.card is not None:
            where = {"phase": number + 1, "card": phase.card.card}
            if phase.card.card not in hand:
                yield Refusal("not-in-hand", "CF-3.4", where)
            elif phase.card.card in named:
                yield Refusal("named-twice", "CF-3.4", where)
            named.add(phase.card.card)
        yield from _refuse_out_of_reach(view_, seat, number, phase)


def _refuse_out_of_reach(
    view_: FarmView, seat: Seat, number: int, phase: Phase
) -> Iterator[Refusal]:
    """CF-4.1: too far away to touch anything, whatever the others place there before."""
    floor = view_.laid().floor(floor_of(seat, number))
    within = _Within(floor, view_.deck)
    own: set[Square] = set()
    where: dict[str, object] = {"phase": number + 1}
    if phase.card is not None:
        own = view_.deck.covered_by(*phase.card)
        if not within.meets(own | within.beside(own), number):
            square = format_square(phase.card.square)
            where |= {"card": phase.card.card, "square": square}
            yield Refusal("never-possible", "CF-4.1", where)
    if phase.employee is not None and phase.employee not in own:
        if not within.meets({phase.employee}, number):
            where |= {"square": format_square(phase.employee)}
            yield Refusal("never-possible", "CF-4.1", where)


_CORNERS: Final = ((-1, -1), (1, -1), (1, 1), (-1, 1))


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


# -- CF-3.4 What is lost when it is carried out ----------------------------------------------

WHY_LOST: Final = {
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


def warnings(view_: FarmView, orders: Orders) -> list[Refusal]:
    """What would be lost on the floors as they stand, and may yet be lost otherwise."""
    return [
        Refusal(str(event.params["reason"]), event.clause, {**event.params, "warning": True})
        for event in forecast(view_, orders).events
        if event.code in ("lost-card", "lost-employee")
    ]


def forecast(view_: FarmView, orders: Orders) -> Preview[FarmView]:
    """Own orders on the floors as they stand. A seat is on each floor once in a turn (CF-3.2), so
    what others do is all that is left out."""
    seat = view.own_seat(view_)
    assert seat is not None
    told = view.as_told(view_)
    told.sealed = [None, None, None]
    told.sealed[seat] = orders
    put_orders(told, seat, orders)
    before = points_of(told)
    events: list[Event] = []
    for phase in range(codes.PHASES):
        events += _carry_out(told, seat, phase, [])
    after = points_of(told)
    told.sealed = list(view_.sealed)
    told.table.forget_orders()
    return Preview(view.view_of(told, view_.viewer), tuple(events), after[seat] - before[seat])


# -- CF-1.2, CF-3 A turn ---------------------------------------------------------------------


def deadline(state: State) -> Happening:
    if int(state.table.turn) == OVER:
        raise Illegal("over", "the game is over", "CF-1.2")
    return Happening("deadline", tuple(_turn(state)), reveals=True)


def _turn(state: State) -> Iterator[Event]:
    """Open all orders, carry out the phases, deal; after the fifth turn score."""
    table = state.table
    number = int(table.turn)
    yield from _open(state)
    results: list[Result] = []
    for phase in range(codes.PHASES):
        for seat in range(len(SEATS)):
            yield from _carry_out(state, seat, phase, results)
    _remember_shown(state)
    given = tuple(None if orders is None else format_orders(orders) for orders in state.sealed)
    state.history.append(Turn(number, given, tuple(results)))
    state.sealed = [None, None, None]
    yield from _new_cards(state)
    if int(table.turn) == OVER:
        yield from _scored(state)
    else:
        yield Event("turn", "CF-1.2", {"turn": int(table.turn)})


def _open(state: State) -> Iterator[Event]:
    """CF-9.1: after a turn everybody is told all orders as they were given."""
    state.table.forget_orders()
    for seat, code in enumerate(SEATS):
        orders = state.sealed[seat]
        put_orders(state, seat, orders)
        text = "" if orders is None else format_orders(orders)
        fact = f"{code} no orders" if orders is None else f"{code} orders {text}"
        told = "no-orders" if orders is None else "orders"
        yield Event(told, "CF-9", {"seat": code, "orders": text}, fact)


def _carry_out(state: State, seat: int, phase: int, results: list[Result]) -> Iterator[Event]:
    """CF-3.3: one seat's orders for one phase (0 to 2), the card first, then the employee."""
    orders = state.sealed[seat]
    if orders is None:
        return
    card, employee = orders.phases[phase]
    state.table.carry_out_card(seat, phase)
    if card is not None:
        yield from _place_card(state, seat, phase, card, results)
    state.table.carry_out_employee(seat, phase)
    if employee is not None:
        yield _place_employee(state, seat, phase, employee, results)


def _where(seat: int, phase: int) -> dict[str, object]:
    """CF-3.2."""
    floor = FLOORS[int(floor_of(seat, phase))]
    return {"seat": SEATS[seat], "phase": phase + 1, "floor": floor}


def _new_cards(state: State) -> Iterator[Event]:
    """CF-2.3."""
    table = state.table
    held = [len(table.hand_of(seat)) for seat in range(len(SEATS))]
    table.end_turn()
    table.forget_orders()
    for seat, code in enumerate(SEATS):
        new = [state.deck.name_of(card) for card in table.hand_of(seat)[held[seat] :]]
        if new:
            yield _dealt(Seat(seat), code, new)


def _dealt(seat: Seat, code: str, names: Sequence[str]) -> Event:
    hidden = " ".join("?" for _ in names)
    knows: frozenset[Viewer] = frozenset({seat})
    cards = Secret(" ".join(names), "", knows)
    fact = Secret(f"dealt {code} {' '.join(names)}", f"dealt {code} {hidden}", knows)
    return Event("dealt", "CF-2.3", {"seat": code, "count": len(names), "cards": cards}, fact)


def _remember_shown(state: State) -> None:
    """CF-9.1: the number of a lost card is known although the card stays in hand, if it does."""
    held = {card for seat in range(len(SEATS)) for card in state.table.hand_of(seat)}
    for seat in range(len(SEATS)):
        for phase in (state.sealed[seat] or Orders()).phases:
            if phase.card is not None:
                state.shown.add(state.deck.index[phase.card.card])
    state.shown &= held


# -- CF-4 Placing a card ---------------------------------------------------------------------


def _place_card(
    state: State, seat: int, phase: int, order: CardOrder, results: list[Result]
) -> Iterator[Event]:
    """Tell what became of a card: the kernel has just placed it, or not."""
    table = state.table
    number = int(floor_of(seat, phase))
    floor = table.floor(number)
    params = {
        **_where(seat, phase),
        "card": order.card,
        "square": format_square(order.square),
        "turn": order.turn,
    }
    result = int(table.card_result[seat * codes.PHASES + phase])
    came = Result(seat, phase + 1, "card", order.square, order.card, order.turn)
    if result == codes.FITS:
        filled = tuple(square_of(floor, square) for square in floor.filled_squares())
        results.append(came._replace(filled=filled))
        yield Event("placed-card", "CF-4.1", params)
        yield from _joined(state, floor, order, FLOORS[number])
        if filled:
            yield _filled(FLOORS[number], filled)
        return
    code, clause = WHY_LOST[result]
    at = _in_the_way(state, floor, order, result)
    results.append(came._replace(code=code, clause=clause, at=at))
    # CF-3.4: with the house rule `spend-lost` it is out of the game.
    spent = {"spent": True} if table.cards.spends_lost else {}
    params |= {"reason": code, **_why_card(result, at), **spent}
    yield Event("lost-card", clause, params, f"lost {SEATS[seat]} {phase + 1} card {code}")
    if spent:
        state.spent.append(state.deck.index[order.card])


def _filled(floor: str, squares: Sequence[Square]) -> Event:
    """CF-4.3: a gap that no card fits became floor."""
    names = tuple(format_square(square) for square in squares)
    fact = f"filled {floor} {' '.join(names)}"
    return Event("filled", "CF-4.3", {"floor": floor, "squares": names}, fact)


def _joined(state: State, floor: Floor, order: CardOrder, name: str) -> Iterator[Event]:
    """CF-4.4: cubes that reach beyond the card just placed."""
    own = state.deck.covered_by(*order)
    seen: set[Square] = set()
    for square in sorted(own, key=lambda square: (square.y, square.x)):
        at = int(floor.square_at(square.x, square.y))
        cube = [square_of(floor, member) for member in floor.cube_squares(at)]
        if square not in seen and not own.issuperset(cube):
            seen.update(cube)
            params: dict[str, object] = {
                "floor": name,
                "squares": tuple(format_square(member) for member in cube),
            }
            owner = floor.owner_at(at)
            if owner >= 0:
                params["seat"] = SEATS[owner]
            yield Event("joined", "CF-4.4", params)


def _in_the_way(state: State, floor: Floor, order: CardOrder, result: int) -> tuple[Square, ...]:
    """The first covered square (CF-4.1), the VP, or the cubes beside the card that somebody has
    (CF-4.5)."""
    own = reading_order(state.deck.covered_by(*order))
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


def _why_card(result: int, at: Sequence[Square]) -> Mapping[str, object]:
    """The same for the sentence."""
    names = tuple(format_square(square) for square in at)
    if result == codes.TWO_OCCUPANTS:
        return {"cubes": names}
    return {"at": names[0]} if names else {}


# -- CF-5 Placing an employee ----------------------------------------------------------------


def _place_employee(
    state: State, seat: int, phase: int, square: Square, results: list[Result]
) -> Event:
    """Tell what became of an employee: the kernel has just placed it, or not."""
    table = state.table
    floor = table.floor(floor_of(seat, phase))
    params = {**_where(seat, phase), "square": format_square(square)}
    result = int(table.employee_result[seat * codes.PHASES + phase])
    came = Result(seat, phase + 1, "employee", square)
    if result == codes.FITS:
        results.append(came)
        desk = floor.cube_squares(floor.square_at(square.x, square.y))
        params["cube"] = tuple(format_square(square_of(floor, at)) for at in desk)
        return Event("employed", "CF-5.1", params)
    code, clause = WHY_LOST[result]
    params["reason"] = code
    by = SEATS[table.holder] if result == codes.TAKEN else ""
    if by:
        params["by"] = by
    results.append(came._replace(code=code, clause=clause, by=by))
    fact = f"lost {SEATS[seat]} {phase + 1} employee {code}"
    return Event("lost-employee", clause, params, fact)


# -- CF-6 Scoring, and who wins --------------------------------------------------------------


def points_of(state: State) -> tuple[int, int, int]:
    return totals([state.table.floor(number) for number in range(codes.FLOORS)])


def _scored(state: State) -> Iterator[Event]:
    """What every employee brings, with the reasons, and the sums."""
    for number, name in enumerate(FLOORS):
        for score in explain_floor(state.table.floor(number), number):
            yield Event("employee-scored", "CF-6", {"floor": name, **view.score_data(score)})
    points = dict(zip(SEATS, points_of(state), strict=True))
    yield Event("scored", "CF-6", {"points": points})


def outcome(state: State) -> Outcome | None:
    return _result(state, "points") if int(state.table.turn) == OVER else None


def _result(state: State, reason: str) -> Outcome:
    """CF-6.7: the highest total wins, and equal totals share it."""
    points = points_of(state)
    winners = tuple(Seat(n) for n in range(len(SEATS)) if points[n] == max(points))
    return Outcome(winners, points, reason, "CF-6.7")


def withdraw(state: State, seat: Seat) -> Outcome | None:
    """The seat places nothing from now on and the others go on; its employees stay."""
    state.withdrawn.add(seat)
    state.sealed[seat] = None
    return _result(state, "all-gone") if len(state.withdrawn) == len(SEATS) else None


def rejoin(state: State, seat: Seat) -> None:
    state.withdrawn.discard(seat)


def agree_draw(state: State) -> Outcome:
    return Outcome((), points_of(state), "agreed", "CF-6.7")
