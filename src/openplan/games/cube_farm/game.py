"""PBM Cube Farm as the rulebook tells it: set-up, sealed orders, what may be known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Final

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import (
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
    Viewer,
    Written,
)
from openplan.core.match import Match
from openplan.core.scene import CardPicture, Scene
from openplan.games.cube_farm import setting, state, view
from openplan.games.cube_farm.bot.chances import chances
from openplan.games.cube_farm.bot.think import think
from openplan.games.cube_farm.cards import FarmDeck, deck_template, read_deck
from openplan.games.cube_farm.course import CODES, adjudicate, final_result, forecast, points_of
from openplan.games.cube_farm.kernel import appraise, codes
from openplan.games.cube_farm.state import (
    OVER,
    SEATS,
    State,
    put_orders,
)
from openplan.games.cube_farm.steps import card_places, employee_places, options
from openplan.games.cube_farm.text import case_answers, order_forms, scene, words
from openplan.games.cube_farm.text.notation import SENT, Orders, Phase, format_orders, parse_orders
from openplan.games.cube_farm.view import FarmView
from openplan.games.cube_farm.why_not import objections

PLACES_TRIED: Final = 256
"""For each card, when orders are made up at once."""


def _ruling(name: str, meaning: str, clause: str) -> HouseRule:
    """Where the author's rules are silent a table may decide otherwise than we did."""
    return HouseRule(name, ("no", "yes"), meaning, clause, since=2)


class CubeFarm(Game[State, Orders, FarmView]):
    name = "cube-farm"
    title = "PBM Cube Farm"
    credit = "PBM Cube Farm is by Howard Bishop after Cheapass Games. An unofficial adaptation."
    rules_version = 2
    seats: ClassVar[tuple[str, ...]] = SEATS
    house_rules: ClassVar[tuple[HouseRule, ...]] = (
        HouseRule("show-sent", ("no", "yes"), "the table shows who has sent orders", "CF-9"),
        _ruling("spend-lost", "a lost card is spent, not kept", "CF-3.4"),
        _ruling("lose-together", "card and employee of a phase are lost together", "CF-3.4"),
        _ruling("corner-touches", "a corner is enough for a card to touch", "CF-4.1"),
        _ruling("far-knowledge", "knowledge is power out of range too", "CF-6.5"),
    )

    notation_events: ClassVar[frozenset[str]] = frozenset({"orders"})
    sealed: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("1", "2", "3")

    # Decks and the deal.

    def read_deck(self, text: str, source: str) -> FarmDeck:
        return read_deck(text, source, self.name)

    def deck_template(self) -> str:
        return deck_template(self.name, self.title)

    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture:
        return scene.card_picture(_own(deck), card, language)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
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

    def shows_awaited(self, house: Mapping[str, str]) -> bool:
        return house["show-sent"] == "yes"

    def play(self, state: State, seat: Seat, move: Orders) -> Happening:
        """Seal a seat's orders in place of earlier ones."""
        state.sealed[seat] = move
        cover = SENT if state.house["show-sent"] == "yes" else None
        return Happening(Secret(format_orders(move), cover, frozenset({seat})))

    def deadline(self, state: State) -> Happening:
        if int(state.table.turn) == OVER:
            raise Illegal("over", "the game is over", "CF-1.2")
        return Happening("deadline", adjudicate(state), reveals=True)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Orders:
        return setting.learn(state, text)

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
        told = view.as_told(view_)
        planner = appraise.Planner(told.table.cards)
        for first in range(codes.PHASES):
            planner.order_well(told.table, seat, first, PLACES_TRIED)
            found[state.orders_in(told, seat)] = None
        return list(found)

    def options(self, view_: FarmView, steps: Sequence[str]) -> Options:
        return options(view_, steps)

    def why_not(self, view_: FarmView, move: Orders) -> Refusal | None:
        return next(objections(view_, move), None)

    def warnings(self, view_: FarmView, move: Orders) -> list[Refusal]:
        """What would be lost on the floors as they stand, and may yet be lost otherwise."""
        return [
            Refusal(str(event.params["reason"]), event.clause, {**event.params, "warning": True})
            for event in forecast(view_, move).events
            if event.code in ("lost-card", "lost-employee")
        ]

    def preview(self, view_: FarmView, move: Orders) -> Preview[FarmView]:
        """The forecast, and how often the others would spoil it."""
        after = forecast(view_, move)
        return replace(after, events=(*after.events, *chances(view_, move)))

    def appraise(self, view_: FarmView, moves: Sequence[Orders]) -> list[float]:
        seat = view.own_seat(view_)
        assert seat is not None
        told = view.as_told(view_)
        cards: list[int] = []
        employees: list[int] = []
        for move in moves:
            put_orders(told, seat, move)
            for place in range(seat * codes.PHASES, (seat + 1) * codes.PHASES):
                cards.append(int(told.table.card_order[place]))
                employees.append(int(told.table.employee_order[place]))
        return appraise.appraise_orders(told.table, seat, cards, employees)

    def search(
        self,
        view_: FarmView,
        seconds: float | None,
        iterations: int | None,
        seed: int,
        strength: str = "",
    ) -> list[tuple[Orders, float]]:
        return think(view_, seconds, iterations, seed, strength)

    def scene(self, view_: FarmView, language: str = "en") -> Scene:
        return scene.scene_of(view_, language)

    # Text.

    def parse_move(self, deck: Deck, text: str) -> Orders:
        return parse_orders(_own(deck), text)

    def format_move(self, deck: Deck, move: Orders) -> str:
        return format_orders(move)

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        return words.say(code, params, language)

    # Orders in letters.

    def turn_number(self, view_: FarmView) -> int | None:
        return view_.turn

    def held(self, view_: FarmView) -> Orders | None:
        seat = view.own_seat(view_)
        return None if seat is None else view_.sealed[seat]

    def read_orders(self, deck: Deck, lines: Sequence[str]) -> list[Written[Orders]]:
        return order_forms.read_orders(_own(deck), lines)

    def with_part(
        self, held: Orders | None, part: str, move: Orders | None, *, adding: bool = False
    ) -> Orders | None:
        if part and part not in self.parts:
            return super().with_part(held, part, move, adding=adding)
        return order_forms.with_part(held, part, move, adding=adding)

    def part_of(self, refusal: Refusal) -> str:
        return str(refusal.params.get("phase", ""))

    def order_form(self, view_: FarmView, language: str = "en") -> list[str]:
        return order_forms.order_form(view_, language)

    def tell_orders(self, view_: FarmView, move: Orders, language: str = "en") -> list[str]:
        return order_forms.tell_orders(view_, move, language)

    # Bytes, and what only the cases ask.

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(_own(deck), data)

    def answer_case(self, match: Match, text: str) -> str | None:
        return case_answers.answer(match, text, CODES)


def _own(deck: Deck) -> FarmDeck:
    assert isinstance(deck, FarmDeck)
    return deck


GAME: Final = CubeFarm()
