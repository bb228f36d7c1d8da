"""What a viewer may know (CF-9), as data, and drawing a full table that fits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple

from openplan.core.game import OPEN, Seat, Viewer
from openplan.core.grid import format_square
from openplan.games.cube_farm.cards import KIND_NAMES, SIDES, FarmDeck
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import Board, floor_of
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.walking import score_floor
from openplan.games.cube_farm.scoring import Score, explain_floor
from openplan.games.cube_farm.state import (
    FLOORS,
    OVER,
    SEATS,
    Drawn,
    Result,
    State,
    Turn,
    employees_on,
    lay_floor,
    new_table,
    orders_in,
    placed_cards,
    square_of,
)
from openplan.games.cube_farm.text.notation import UNTOLD, Orders, format_orders
from openplan.games.cube_farm.text.words import DEPARTMENTS


@dataclass(frozen=True, slots=True)
class FloorView:
    drawn: tuple[Drawn, ...]
    cards: tuple[tuple[int, int, int, int], ...]
    """In the order of their placing: card, turn, x, y."""
    employees: tuple[tuple[int, int, int], ...]
    """In the order of their arrival: x, y, seat."""


@dataclass(frozen=True, slots=True)
class FarmView:
    viewer: Viewer
    deck: FarmDeck
    house: Mapping[str, str]
    floors: tuple[FloorView, ...]
    hands: tuple[tuple[int, ...], ...]
    """Sorted; NONE stands for a card that the viewer does not know."""
    pile: tuple[int, ...]
    turn: int
    sealed: tuple[Orders | None, ...]
    """Orders of this turn, if the viewer knows them or knows that they were sent."""
    withdrawn: frozenset[int]
    stock: tuple[int, ...]
    shown: frozenset[int]
    history: tuple[Turn, ...]
    spent: tuple[int, ...]
    _laid: list[Board] = field(default_factory=list, init=False, compare=False, repr=False)
    choices: dict[object, list[Any]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """What can be chosen on these floors, remembered once it was found."""

    @property
    def is_over(self) -> bool:
        return self.turn == OVER

    def unseen(self) -> list[int]:
        """The cards that may be in the places of which the viewer does not know."""
        seen = {card for floor in self.floors for card, *_ in floor.cards}
        seen.update(card for hand in (*self.hands, self.pile, self.spent) for card in hand)
        return [card for card in self.stock if card not in seen]

    def table(self) -> Board:
        """The kernel's table as the viewer knows it, new."""
        table = new_table(self.deck, self.house)
        table.copy_from(self.laid())
        return table

    def laid(self) -> Board:
        """The same, to be looked at only."""
        if not self._laid:
            table = new_table(self.deck, self.house)
            for number, floor in enumerate(self.floors):
                lay_floor(table.floor(number), floor.drawn, floor.cards, floor.employees)
            for seat, hand in enumerate(self.hands):
                table.set_hand(seat, list(hand))
            table.set_deck(list(self.pile))
            table.turn = self.turn
            self._laid.append(table)
        return self._laid[0]


def view_of(state: State, viewer: Viewer) -> FarmView:
    table = state.table
    all_open = viewer == OPEN or int(table.turn) == OVER
    shows_sent = state.house["show-sent"] == "yes"

    def hand(seat: int) -> tuple[int, ...]:
        cards = table.hand_of(seat)
        if not all_open and viewer != seat:
            cards = [card if card in state.shown else codes.NONE for card in cards]
        return tuple(sorted(cards))

    def sealed(seat: int) -> Orders | None:
        orders = state.sealed[seat]
        if orders is None or all_open or viewer == seat:
            return orders
        return UNTOLD if shows_sent else None

    pile = table.deck_list()
    floors = [table.floor(number) for number in range(codes.FLOORS)]
    return FarmView(
        viewer,
        state.deck,
        state.house,
        tuple(
            FloorView(state.drawn[number], tuple(placed_cards(floor)), tuple(employees_on(floor)))
            for number, floor in enumerate(floors)
        ),
        tuple(hand(seat) for seat in range(codes.SEATS)),
        tuple(pile if all_open else [codes.NONE] * len(pile)),
        int(table.turn),
        tuple(sealed(seat) for seat in range(codes.SEATS)),
        frozenset(state.withdrawn),
        state.stock,
        frozenset(state.shown),
        tuple(state.history),
        tuple(state.spent),
    )


def as_told(view: FarmView) -> State:
    """A state that holds no more than the view, on which to try what orders would do."""
    return State(
        view.deck,
        view.house,
        view.table(),
        view.stock,
        tuple(floor.drawn for floor in view.floors),
        list(view.sealed),
        set(view.withdrawn),
        set(view.shown),
        list(view.history),
        list(view.spent),
    )


# -- As plain data ---------------------------------------------------------------------------


def view_data(view: FarmView) -> dict[str, object]:
    floors = [_floor_told(view, number) for number in range(codes.FLOORS)]
    points = [sum(told.points[seat] for told in floors) for seat in range(codes.SEATS)]
    sent = [SEATS[seat] for seat, orders in enumerate(view.sealed) if orders is not None]
    viewers = {None: "spectator", OPEN: "all"}
    data: dict[str, object] = {
        "viewer": viewers[view.viewer] if view.viewer in viewers else SEATS[view.viewer or 0],
        "turn": view.turn,
        "over": view.is_over,
        "departments": dict(zip(SEATS, DEPARTMENTS["en"], strict=True)),
        "floors": {name: told.data for name, told in zip(FLOORS, floors, strict=True)},
        "hands": {
            code: [view.deck.name_of(card) for card in hand]
            for code, hand in zip(SEATS, view.hands, strict=True)
        },
        "deck": {
            "count": len(view.pile),
            "known": [view.deck.name_of(card) for card in view.pile if card != codes.NONE],
        },
        "spent": [view.deck.name_of(card) for card in view.spent],
        "orders": {
            SEATS[seat]: format_orders(orders)
            for seat, orders in enumerate(view.sealed)
            if orders is not None and not orders.untold
        },
        "sent": sent,
        "points": dict(zip(SEATS, points, strict=True)),
        "withdrawn": [SEATS[seat] for seat in sorted(view.withdrawn)],
        "house": dict(view.house),
        "history": [
            {**_turn_data(turn), "points": points}
            for turn, points in zip(view.history, _race_told(view), strict=True)
        ],
    }
    return data


class _FloorTold(NamedTuple):
    """A floor as plain data, not to be changed, and each seat's points on it."""

    data: dict[str, object]
    points: tuple[int, int, int]


# Floors are open to everybody and change once in a turn, while every view of three seats and of
# all who look on has them: how each employee walks is found once.
_FLOORS: dict[tuple[str, str, int, FloorView], _FloorTold] = {}
_FLOORS_KEPT: Final = 2_000
_TURNS_KEPT: Final = 1_000


def _floor_told(view: FarmView, number: int) -> _FloorTold:
    # How a floor came about does not matter, but how it is scored does.
    key = (view.deck.hash, view.house["far-knowledge"], number, view.floors[number])
    told = _FLOORS.get(key)
    if told is None:
        floor = view.laid().floor(number)
        score_floor(floor, number)
        points = (int(floor.points[0]), int(floor.points[1]), int(floor.points[2]))
        told = _FloorTold(_floor_data(view, number, floor), points)
        if len(_FLOORS) >= _FLOORS_KEPT:
            _FLOORS.clear()
        _FLOORS[key] = told
    return told


_WALLS: Final = [
    "".join(side for bit, side in enumerate(SIDES) if wall & (1 << bit)) for wall in range(16)
]


def _floor_data(view: FarmView, number: int, floor: Floor) -> dict[str, object]:
    def name(square: int) -> str:
        return format_square(square_of(floor, square))

    squares = []
    cubes: dict[int, str] = {}  # by square: the first of its cube
    for square in floor.squares():
        kind = int(floor.kind[square])
        item: dict[str, object] = {
            "square": name(square),
            "kind": KIND_NAMES[kind],
            "walls": _WALLS[int(floor.wall[square])],
        }
        if worth := view.deck.worth(kind):
            item["worth"] = worth
        if codes.CLASS[kind] == codes.CLASS[codes.CUBE]:
            if square not in cubes:
                cube = floor.cube_squares(square)
                cubes |= dict.fromkeys(cube, name(cube[0]))
            item["cube"] = cubes[square]
            owner = floor.owner_at(square)
            if owner >= 0:
                item["employee"] = SEATS[owner]
        squares.append(item)
    return {
        "home": SEATS[number],
        # CF-3.2: in which phase each seat places something here.
        "phases": {
            SEATS[seat]: phase + 1
            for phase in range(codes.PHASES)
            for seat in range(codes.SEATS)
            if int(floor_of(seat, phase)) == number
        },
        "cards": [
            {
                "card": view.deck.name_of(card),
                "square": format_square((x, y)),
                "turn": turn,
            }
            for card, turn, x, y in view.floors[number].cards
        ],
        "squares": squares,
        "employees": [score_data(score) for score in explain_floor(floor, number)],
    }


def score_data(score: Score) -> dict[str, object]:
    """CF-6 for one employee, so that a page can draw it and a letter can say it."""
    return {
        "seat": SEATS[score.seat],
        "square": format_square(score.square),
        "cube": [format_square(square) for square in score.cube],
        "way": [format_square(square) for square in score.way],
        "total": score.total,
        "base": score.base,
        "parts": [
            {
                "kind": part.kind,
                "what": part.what,
                "square": format_square(part.square),
                "points": part.points,
                "steps": part.steps,
                "walk": [format_square(square) for square in part.walk],
                "clause": part.clause,
                "compared": [
                    {"seat": seat, "square": format_square(square), "steps": steps}
                    for seat, square, steps in part.compared
                ],
            }
            for part in score.parts
        ],
    }


def _race_told(view: FarmView) -> list[dict[str, list[dict[str, int]]]]:
    """How the points came about: for each turn, each floor's points before it and after each of
    its phases."""
    # Cards and employees are in the order in which they came: what lay there before is the
    # beginning of what lies there now.
    left = [[len(floor.cards), len(floor.employees)] for floor in view.floors]
    race: list[dict[str, list[dict[str, int]]]] = []
    for turn in reversed(view.history):
        told: dict[str, list[dict[str, int]]] = {name: [] for name in FLOORS}
        for phase in range(codes.PHASES, -1, -1):
            for number, name in enumerate(FLOORS):
                told[name].insert(0, _points_told(view, number, *left[number]))
            for result in turn.results:
                if result.phase == phase and not result.code:
                    left[int(floor_of(result.seat, phase - 1))][result.part == "employee"] -= 1
        race.insert(0, told)
    return race


_POINTS: dict[tuple[str, str, int, FloorView], dict[str, int]] = {}


def _points_told(view: FarmView, number: int, cards: int, employees: int) -> dict[str, int]:
    """Each seat's points on a floor when so many cards and employees were there."""
    now = view.floors[number]
    floor = FloorView(now.drawn, now.cards[:cards], now.employees[:employees])
    key = (view.deck.hash, view.house["far-knowledge"], number, floor)
    points = _POINTS.get(key)
    if points is None:
        laid = new_table(view.deck, view.house).floor(number)
        lay_floor(laid, floor.drawn, floor.cards, floor.employees)
        score_floor(laid, number)
        points = {code: int(laid.points[seat]) for seat, code in enumerate(SEATS)}
        if len(_POINTS) >= _FLOORS_KEPT * codes.PHASES:
            _POINTS.clear()
        _POINTS[key] = points
    return points


@lru_cache(maxsize=_TURNS_KEPT)
def _turn_data(turn: Turn) -> dict[str, object]:
    """A turn so that it can be played back: every part of an order with what became of it. Each
    view has all turns that are over, as the same data, not to be changed."""
    return {
        "turn": turn.number,
        "orders": dict(zip(SEATS, turn.orders, strict=True)),
        "results": [_result_data(result) for result in turn.results],
    }


def _result_data(result: Result) -> dict[str, object]:
    data: dict[str, object] = {
        "seat": SEATS[result.seat],
        "phase": result.phase,
        "floor": FLOORS[floor_of(result.seat, result.phase - 1)],
        "part": result.part,
        "square": format_square(result.square),
    }
    if result.part == "card":
        data |= {"card": result.card, "turn": result.turn}
    if result.filled:
        data["filled"] = [format_square(square) for square in result.filled]
    if result.code:
        at = [format_square(square) for square in result.at]
        data |= {"code": result.code, "clause": result.clause, "at": at, "by": result.by}
    return data


# -- Drawing a possible truth ----------------------------------------------------------------


def determinize(view: FarmView, rng: Random) -> State:
    """A truth that gives this view, as likely as chance would make it.

    Every order of the cards not seen over hidden hands and deck is equally likely: hands and deck
    were shuffled together, and a lost card's number tells where that card is and no more. Orders
    known to be sealed are drawn at random; of others nobody knows whether there are any.
    """
    table = view.laid()
    loose = view.unseen()
    rng.shuffle(loose)

    def drawn(cards: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(loose.pop() if card == codes.NONE else card for card in cards)

    hands = tuple(tuple(sorted(drawn(hand))) for hand in view.hands)
    truth = replace(view, hands=hands, pile=drawn(view.pile))
    assert not loose, "a view that no truth explains"
    state = as_told(truth)
    for seat, orders in enumerate(view.sealed):
        if orders is not None and orders.untold:
            state.table.sample_orders(seat, codes.Rng(rng.getrandbits(32)))
            state.sealed[seat] = orders_in(state, seat)
    state.table.forget_orders()
    assert int(table.turn) == int(state.table.turn)
    return state


def own_seat(view: FarmView) -> Seat | None:
    """The seat whose orders the viewer gives."""
    return None if view.viewer is None or view.viewer == OPEN else view.viewer
