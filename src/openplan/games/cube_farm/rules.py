"""PBM Cube Farm as the rulebook tells it: orders, adjudication, why something is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from openplan.core.deck import Deck
from openplan.core.game import (
    Deal,
    Event,
    Game,
    Happening,
    HouseRule,
    Illegal,
    Options,
    Outcome,
    Position,
    Preview,
    Refusal,
    Seat,
    Secret,
    Step,
    Viewer,
)
from openplan.core.grid import Square, format_square, neighbours, parse_square
from openplan.core.match import Match
from openplan.core.scene import CardPicture, Scene
from openplan.games.cube_farm import answers, appraise, kernel, scene, setting, state, view, words
from openplan.games.cube_farm.cards import FarmDeck, deck_template, read_deck
from openplan.games.cube_farm.explain import totals
from openplan.games.cube_farm.floor import Floor
from openplan.games.cube_farm.notation import (
    ADJUDICATE,
    SENT,
    CardOrder,
    Orders,
    Phase,
    format_orders,
    parse_orders,
)
from openplan.games.cube_farm.placing import add_placements, place_card, why_card
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
from openplan.games.cube_farm.table import floor_of
from openplan.games.cube_farm.view import FarmView
from openplan.games.cube_farm.walking import add_employees

EVERYBODY: Final[frozenset[Viewer]] = frozenset({None, Seat(0), Seat(1), Seat(2)})

PLACES_TRIED: Final = 64
"""For each card, when orders are made up at once."""

CODES: Final = {
    kernel.COVERED: ("covered", "CF-4.1"),
    kernel.NOT_TOUCHING: ("not-touching", "CF-4.1"),
    kernel.TWO_OCCUPANTS: ("two-occupants", "CF-4.5"),
    kernel.SECOND_VP: ("second-vp", "CF-4.5"),
    kernel.TOO_LONG: ("too-long", "CF-4.1"),
    kernel.NO_CUBE: ("no-cube", "CF-5.1"),
    kernel.TAKEN: ("taken", "CF-5.1"),
    kernel.NEGATIVE: ("negative", "CF-5.1"),
    kernel.NO_WALK: ("no-walk", "CF-5.2"),
    kernel.NOT_IN_HAND: ("not-in-hand", "CF-3.4"),
    kernel.NAMED_TWICE: ("named-twice", "CF-3.4"),
}


class CubeFarm(Game[State, Orders, FarmView]):
    name = "cube-farm"
    title = "PBM Cube Farm"
    credit = "PBM Cube Farm is by Howard Bishop after Cheapass Games. An unofficial adaptation."
    rules_version = 1
    seats: ClassVar[tuple[str, ...]] = SEATS
    house_rules: ClassVar[tuple[HouseRule, ...]] = (
        HouseRule("show-sent", ("no", "yes"), "the table shows who has sent orders", "CF-9"),
    )

    parts: ClassVar[tuple[str, ...]] = ("1", "2", "3")

    # Decks and the deal.

    def read_deck(self, text: str, source: str) -> FarmDeck:
        return read_deck(text, source, self.name)

    def deck_template(self) -> str:
        return deck_template(self.name, self.title)

    def card_picture(self, deck: Deck, card: str) -> CardPicture:
        return scene.card_picture(_own(deck), card)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Random) -> Deal:
        return setting.deal(_own(deck), chance)

    def deal_told(self, deck: Deck, deal: Deal, viewer: Viewer) -> Deal:
        return setting.deal_told(deal, viewer)

    def start(self, deck: Deck, house: Mapping[str, str], deal: Deal) -> State:
        return setting.start(_own(deck), house, deal)

    def set_up(self, deck: Deck, house: Mapping[str, str], position: Position) -> State:
        found = setting.set_up(_own(deck), house, position)
        for seat, orders in setting.sealed_in(_own(deck), position).items():
            refusal = self.why_not(view.view_of(found, seat), orders)
            if refusal is not None:
                why = words.say(refusal.code, refusal.params)
                raise Illegal("position", f"orders {SEATS[seat]}: {why}", refusal.clause)
            found.sealed[seat] = orders
        if not self.awaited(found):
            raise Illegal("position", "with all orders sent the turn would be adjudicated")
        return found

    # The course of a match.

    def to_act(self, state: State) -> frozenset[Seat]:
        """CF-3.1: all give orders at once, and may give others until the turn is adjudicated."""
        if int(state.table.turn) == OVER:
            return frozenset()
        return frozenset(Seat(n) for n in range(len(SEATS)) if n not in state.withdrawn)

    def awaited(self, state: State) -> frozenset[Seat]:
        return frozenset(seat for seat in self.to_act(state) if state.sealed[seat] is None)

    def play(self, state: State, seat: Seat, move: Orders) -> Happening:
        """Seal a seat's orders in place of earlier ones; the last to come opens them all."""
        state.sealed[seat] = move
        text = format_orders(move)
        if self.awaited(state):
            cover = SENT if state.house["show-sent"] == "yes" else None
            return Happening(Secret(text, cover, frozenset({seat})))
        events = adjudicate(state)
        return Happening(Secret(text, ADJUDICATE, frozenset({seat})), events, reveals=True)

    def deadline(self, state: State) -> Happening:
        if int(state.table.turn) == OVER:
            raise Illegal("over", "the game is over", "CF-1.2")
        return Happening("deadline", adjudicate(state), reveals=True)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Orders:
        return setting.learn(state, seat, text, facts)

    def learn_deadline(self, state: State, facts: Sequence[str]) -> None:
        setting.learn_facts(state, facts)

    def outcome(self, state: State) -> Outcome | None:
        if int(state.table.turn) != OVER:
            return None
        return final_result(state, "points")

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        """The seat places nothing from now on and the others go on; its employees stay."""
        state.withdrawn.add(seat)
        state.sealed[seat] = None
        return final_result(state, "all-gone") if len(state.withdrawn) == len(SEATS) else None

    def rejoin(self, state: State, seat: Seat) -> None:
        state.withdrawn.discard(seat)

    def agree_draw(self, state: State) -> Outcome:
        return Outcome((), points_of(state), "agreed", "CF-6.7")

    # What may be known.

    def view(self, state: State, viewer: Viewer) -> FarmView:
        return view.view_of(state, viewer)

    def view_data(self, view_: FarmView) -> dict[str, object]:
        return view.view_data(view_)

    def determinize(self, view_: FarmView, rng: Random) -> State:
        return view.determinize(view_, rng)

    # From a view alone.

    def moves(self, view_: FarmView) -> list[Orders]:
        raise Illegal("too-many", "order sets are too many to list; list one phase's: 1, 2 or 3")

    def moves_of_part(self, view_: FarmView, part: str) -> list[Orders]:
        """One phase's cards and employees, each by itself, on the floor as it stands."""
        seat = view.own_seat(view_)
        if part not in self.parts:
            return super().moves_of_part(view_, part)
        if seat is None or view_.is_over or seat in view_.withdrawn:
            return []
        number = int(part) - 1
        phases = [
            Phase(card=place)
            for card in view_.hands[seat]
            for place in card_places(view_, seat, number, view_.deck.name_of(card))
        ]
        phases += [Phase(employee=square) for square in employee_places(view_, seat, number, None)]
        return [Orders().having(number, phase) for phase in phases]

    def candidates(self, view_: FarmView) -> list[Orders]:
        """Order sets that look good at once, each with another phase thought of first."""
        seat = view.own_seat(view_)
        if seat is None or view_.is_over or seat in view_.withdrawn:
            return []
        found: dict[Orders, None] = {}
        for first in range(kernel.PHASES):
            told = view.as_told(view_)
            appraise.order_well(told.table, seat, first, PLACES_TRIED)
            found[state.orders_in(told, seat)] = None
        return list(found)

    def options(self, view_: FarmView, steps: Sequence[str]) -> Options:
        return options(view_, steps)

    def why_not(self, view_: FarmView, move: Orders) -> Refusal | None:
        return next(_objections(view_, move), None)

    def warnings(self, view_: FarmView, move: Orders) -> list[Refusal]:
        """What would be lost on the floors as they stand, and may yet be lost otherwise."""
        return [
            Refusal(str(event.params["reason"]), event.clause, {**event.params, "warning": True})
            for event in forecast(view_, move).events
            if event.code in ("lost-card", "lost-employee")
        ]

    def preview(self, view_: FarmView, move: Orders) -> Preview[FarmView]:
        return forecast(view_, move)

    def appraise(self, view_: FarmView, moves: Sequence[Orders]) -> list[float]:
        seat = view.own_seat(view_)
        assert seat is not None
        told = view.as_told(view_)
        cards: list[int] = []
        employees: list[int] = []
        for move in moves:
            put_orders(told, seat, move)
            for place in range(seat * kernel.PHASES, (seat + 1) * kernel.PHASES):
                cards.append(int(told.table.card_order[place]))
                employees.append(int(told.table.employee_order[place]))
        return appraise.appraise_orders(told.table, seat, cards, employees)

    def scene(self, view_: FarmView) -> Scene:
        return scene.scene_of(view_)

    # Text and bytes.

    def parse_move(self, deck: Deck, text: str) -> Orders:
        return parse_orders(_own(deck), text)

    def format_move(self, deck: Deck, move: Orders) -> str:
        return format_orders(move)

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        return words.say(code, params, language)

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(_own(deck), data)

    def answer_case(self, match: Match, text: str) -> str | None:
        return answers.answer(match, text, CODES)


def _own(deck: Deck) -> FarmDeck:
    assert isinstance(deck, FarmDeck)
    return deck


# -- Why orders are refused ------------------------------------------------------------------


def _objections(view_: FarmView, move: Orders) -> Iterator[Refusal]:
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
        own = _covered_by(view_.deck, phase.card)
        around = own | {other for square in own for other in neighbours(square)}
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


def _covered_by(deck: FarmDeck, order: CardOrder) -> set[Square]:
    card = deck.card[order.card]
    width, height = (card.width, card.height) if order.turn % 2 == 0 else (card.height, card.width)
    x, y = order.square
    return {Square(x + dx, y + dy) for dx in range(width) for dy in range(height)}


class _Within:
    """The squares that may be covered once others have placed so many more cards."""

    def __init__(self, floor: Floor, deck: FarmDeck) -> None:
        self.covered = {square_of(floor, square) for square in floor.squares()}
        self.sizes = {
            size
            for card in deck.card.values()
            for size in ((card.width, card.height), (card.height, card.width))
        }

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
        beside = {other for square in reach for other in neighbours(square)} - reach
        for x, y in beside:
            for width, height in self.sizes:
                for left in range(x - width + 1, x + 1):
                    for top in range(y - height + 1, y + 1):
                        card = {
                            Square(column, row)
                            for column in range(left, left + width)
                            for row in range(top, top + height)
                        }
                        if not card & self.covered:
                            found |= card
        return found


# -- Orders carried out ----------------------------------------------------------------------


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
    filled: list[tuple[Square, ...]] = [(), (), ()]
    for phase in range(kernel.PHASES):
        for seat in range(len(SEATS)):
            events += _carry_out(state_, seat, phase, results, filled)
    _remember_shown(state_)
    state_.history.append(Turn(number, tuple(given), tuple(results), tuple(filled)))
    state_.sealed = [None, None, None]
    hands = [len(table.hand_of(seat)) for seat in range(len(SEATS))]
    table.end_turn()
    table.forget_orders()
    for seat, code in enumerate(SEATS):
        new = [state_.deck.name_of(card) for card in table.hand_of(seat)[hands[seat] :]]
        if new:
            events.append(_dealt(Seat(seat), code, new))
    if int(table.turn) == OVER:
        points = dict(zip(SEATS, points_of(state_), strict=True))
        events.append(Event("scored", "CF-6", {"points": points}))
    else:
        events.append(Event("turn", "CF-1.2", {"turn": int(table.turn)}))
    return tuple(events)


def _carry_out(
    state_: State, seat: int, phase: int, results: list[Result], filled: list[tuple[Square, ...]]
) -> Iterator[Event]:
    """One seat's orders for one phase (0 to 2): the card first, then the employee (CF-3.3)."""
    table = state_.table
    number = int(floor_of(seat, phase))
    floor = table.floor(number)
    orders = state_.sealed[seat]
    if orders is None:
        return
    order, employee = orders.phases[phase]
    where: dict[str, object] = {"seat": SEATS[seat], "phase": phase + 1, "floor": FLOORS[number]}
    place = seat * kernel.PHASES + phase
    table.carry_out_card(seat, phase)
    if order is not None:
        params = {
            **where,
            "card": order.card,
            "square": format_square(order.square),
            "turn": order.turn,
        }
        result = int(table.card_result[place])
        if result == kernel.FITS:
            results.append(Result(seat, phase + 1, "card"))
            yield Event("placed-card", "CF-4.1", params)
            yield from _joined(state_, floor, order, where)
            squares = tuple(square_of(floor, square) for square in floor.filled_squares())
            if squares:
                filled[number] += squares
                names = tuple(format_square(square) for square in squares)
                fact = f"filled {FLOORS[number]} {' '.join(names)}"
                event_params = {"floor": FLOORS[number], "squares": names}
                yield Event("filled", "CF-4.3", event_params, fact)
        else:
            code, clause = CODES[result]
            results.append(Result(seat, phase + 1, "card", code, clause))
            why = _why_card(state_, floor, order, result)
            fact = f"lost {SEATS[seat]} {phase + 1} card {code}"
            yield Event("lost-card", clause, {**params, "reason": code, **why}, fact)
    table.carry_out_employee(seat, phase)
    if employee is not None:
        params = {**where, "square": format_square(employee)}
        result = int(table.employee_result[place])
        at = int(floor.square_at(employee.x, employee.y))
        if result == kernel.FITS:
            results.append(Result(seat, phase + 1, "employee"))
            cube = tuple(format_square(square_of(floor, s)) for s in floor.cube_squares(at))
            yield Event("employed", "CF-5.1", {**params, "cube": cube})
        else:
            code, clause = CODES[result]
            results.append(Result(seat, phase + 1, "employee", code, clause))
            fact = f"lost {SEATS[seat]} {phase + 1} employee {code}"
            holder: dict[str, object] = {}
            if result == kernel.TAKEN:
                holder["by"] = SEATS[floor.owner_at(at)]
            yield Event("lost-employee", clause, {**params, "reason": code, **holder}, fact)


def _joined(
    state_: State, floor: Floor, order: CardOrder, where: Mapping[str, object]
) -> Iterator[Event]:
    """CF-4.4: cubes that reach beyond the card just placed."""
    own = _covered_by(state_.deck, order)
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


def _why_card(state_: State, floor: Floor, order: CardOrder, result: int) -> dict[str, object]:
    """What stood in the way, for the sentence."""
    own = sorted(_covered_by(state_.deck, order), key=lambda square: (square.y, square.x))
    if result == kernel.COVERED:
        for square in own:
            at = int(floor.square_at(square.x, square.y))
            if at >= 0 and int(floor.kind[at]) != kernel.UNCOVERED:
                return {"at": format_square(square)}
    if result == kernel.SECOND_VP:
        for place in range(int(floor.negative_count)):
            at = int(floor.negative[place])
            if int(floor.kind[at]) == kernel.VP:
                return {"at": format_square(square_of(floor, at))}
    if result == kernel.TWO_OCCUPANTS:
        around = {other for square in own for other in neighbours(square)}.difference(own)
        cubes = {
            format_square(square_of(floor, floor.cube_squares(at)[0]))
            for square in around
            if (at := int(floor.square_at(square.x, square.y))) >= 0 and floor.cube_squares(at)
            if floor.owner_at(at) >= 0
        }
        return {"cubes": tuple(sorted(cubes))}
    return {}


def _remember_shown(state_: State) -> None:
    """CF-9: the number of a lost card is known although the card stays in hand."""
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
    for phase in range(kernel.PHASES):
        events += _carry_out(told, seat, phase, [], [(), (), ()])
    after = points_of(told)
    told.sealed = list(view_.sealed)
    told.table.forget_orders()
    return Preview(view.view_of(told, view_.viewer), tuple(events), after[seat] - before[seat])


# -- The result ------------------------------------------------------------------------------


def points_of(state_: State) -> tuple[int, int, int]:
    return totals([state_.table.floor(number) for number in range(kernel.FLOORS)])


def final_result(state_: State, reason: str) -> Outcome:
    """CF-6.7: the highest total wins, and equal totals share it."""
    points = points_of(state_)
    winners = tuple(Seat(n) for n in range(len(SEATS)) if points[n] == max(points))
    return Outcome(winners, points, reason, "CF-6.7")


# -- Steps towards orders --------------------------------------------------------------------

NO_CARD: Final = "no-card"
NO_EMPLOYEE: Final = "no-employee"


def options(view_: FarmView, steps: Sequence[str]) -> Options:
    """Phase by phase: a card, its square, its turn, an employee; each may be left out. Offered is
    what is possible on the floors as they stand."""
    seat = view.own_seat(view_)
    if seat is None or view_.is_over or seat in view_.withdrawn:
        return Options((), None)
    orders = Orders()
    left = [step.casefold() for step in steps]
    for number in range(kernel.PHASES):
        builder = _PhaseBuilder(view_, seat, number, orders)
        choices = builder.follow(left)
        if choices is None or choices:
            return Options(tuple(choices or ()), None)
        orders = orders.having(number, builder.phase)
    return Options((), None if left else format_orders(orders))


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
        self.found = kernel.Found(1)

    def follow(self, left: list[str]) -> list[Step] | None:
        """Take this phase's steps from those given: the choices if more are needed, none if the
        phase is complete, `None` if they do not lead anywhere."""
        name = self._take(left, [Step("phase", f"phase {self.number + 1}")])
        if not isinstance(name, str):
            return name
        cards = [Step("card", card) for card in self.hand if self._fits_somewhere(card)]
        card = self._take(left, [*cards, Step("card", NO_CARD)])
        if not isinstance(card, str):
            return card
        if card != NO_CARD:
            places = card_places(self.view, self.seat, self.number, card)
            squares = [format_square(square) for square in dict.fromkeys(p.square for p in places)]
            square = self._take(left, [Step("square", square) for square in squares])
            if not isinstance(square, str):
                return square
            where = parse_square(square)
            at = [order for order in places if order.square == where]
            turn = self._take(left, [Step("turn", f"turn {order.turn}") for order in at])
            if not isinstance(turn, str):
                return turn
            self.phase = Phase(next(order for order in at if f"turn {order.turn}" == turn))
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

    def _fits_somewhere(self, card: str) -> bool:
        self.found.count = 0
        add_placements(self.floor, self.view.deck.index[card], self.found)
        return self.found.count > 0

    def _take(self, left: list[str], choices: list[Step]) -> str | list[Step] | None:
        if not left:
            return choices
        word = left.pop(0)
        return next((step.value for step in choices if step.value.casefold() == word), None)


def card_places(view_: FarmView, seat: Seat, number: int, card: str) -> list[CardOrder]:
    """Everywhere a card fits in a phase (0 to 2), on the floor as it stands."""
    floor = view_.laid().floor(floor_of(seat, number))
    found = kernel.Found(1)
    add_placements(floor, view_.deck.index[card], found)
    # By square in reading order, then by turn.
    packed = sorted(found.listed(), key=lambda place: ((place & 4095) << 2) | (place >> 12) & 3)
    return [CardOrder(card, square_of(floor, place & 4095), (place >> 12) & 3) for place in packed]


def employee_places(
    view_: FarmView, seat: Seat, number: int, card: CardOrder | None
) -> list[Square]:
    """One square of every cube that can be taken in a phase, after the card ordered for it."""
    floor = view_.laid().floor(floor_of(seat, number))
    if card is not None:
        trial = Floor(floor.cards)
        trial.copy_from(floor)
        at = trial.square_at(card.square.x, card.square.y)
        index = view_.deck.index[card.card]
        if why_card(trial, index, card.turn, at) == kernel.FITS:
            place_card(trial, index, card.turn, at)
        floor = trial
    found = kernel.Found(1)
    add_employees(floor, found)
    squares = [square_of(floor, floor.cube_squares(square)[0]) for square in found.listed()]
    return sorted(squares, key=lambda square: (square.y, square.x))


GAME: Final = CubeFarm()
