"""PBM Cube Farm as a game of the house: the protocol, and where each part of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Final

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import (
    Fortune,
    Game,
    Happening,
    HouseRule,
    Illegal,
    Options,
    Outcome,
    Position,
    Preview,
    Refusal,
    Remark,
    Seat,
    Viewer,
    Written,
)
from openplan.core.match import Match
from openplan.core.pieces import Pieces
from openplan.core.scene import CardPicture, Scene
from openplan.games.cube_farm import (
    deal,
    learn,
    looking_back,
    position,
    rules,
    state,
    steps,
    view,
)
from openplan.games.cube_farm.bot import judging, think
from openplan.games.cube_farm.bot.chances import chances
from openplan.games.cube_farm.cards import (
    FarmDeck,
    deck_form,
    deck_template,
    deck_text,
    read_deck,
)
from openplan.games.cube_farm.fast import FastFarm
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.learning import FarmLearning
from openplan.games.cube_farm.state import SEATS, State
from openplan.games.cube_farm.text import case_answers, order_forms, pieces, scene, words
from openplan.games.cube_farm.text.notation import Orders, format_orders, parse_orders
from openplan.games.cube_farm.view import FarmView


def _ruling(name: str, meaning: str, clause: str) -> HouseRule:
    """Where the author's rules are silent a table may decide otherwise than we did."""
    return HouseRule(name, ("no", "yes"), meaning, clause, since=2)


class CubeFarm(Game[State, Orders, FarmView]):
    name = "cube-farm"
    title = "PBM Cube Farm"
    credit = "PBM Cube Farm is by Howard Bishop after Cheapass Games. An unofficial adaptation."
    has_page = True
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

    def deck_form(self, table: Mapping[str, Any]) -> dict[str, Any]:
        return deck_form(table)

    def deck_text(self, form: Mapping[str, Any]) -> str:
        return deck_text(form, self.name)

    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture:
        return scene.card_picture(_own(deck), card, language)

    def pieces(self, deck: Deck, language: str = "en") -> Pieces:
        return pieces.pieces_of(_own(deck), language)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
        return deal.deal(_own(deck), chance)

    def deal_told(self, deck: Deck, deal_: Deal, viewer: Viewer) -> Deal:
        return deal.deal_told(deal_, viewer)

    def start(self, deck: Deck, house: Mapping[str, str], deal_: Deal) -> State:
        return deal.start(_own(deck), house, deal_)

    def set_up(self, deck: Deck, house: Mapping[str, str], position_: Position) -> State:
        return position.set_up(_own(deck), house, position_)

    # The course of a match.

    def to_act(self, state: State) -> frozenset[Seat]:
        return rules.to_act(state)

    def awaited(self, state: State) -> frozenset[Seat]:
        return rules.awaited(state)

    def shows_awaited(self, house: Mapping[str, str]) -> bool:
        return house["show-sent"] == "yes"

    def play(self, state: State, seat: Seat, move: Orders) -> Happening:
        return rules.seal(state, seat, move)

    def deadline(self, state: State) -> Happening:
        return rules.deadline(state)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Orders:
        return learn.learn(state, text)

    def learn_deadline(self, state: State, facts: Sequence[str]) -> None:
        learn.learn_deadline(state, facts)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        return rules.withdraw(state, seat)

    def rejoin(self, state: State, seat: Seat) -> None:
        rules.rejoin(state, seat)

    def agree_draw(self, state: State) -> Outcome:
        return rules.agree_draw(state)

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
        if part not in self.parts:
            return super().moves_of_part(view_, part)
        return steps.moves_of_phase(view_, int(part) - 1)

    def candidates(self, view_: FarmView) -> list[Orders]:
        return think.candidates(view_)

    def options(self, view_: FarmView, steps_: Sequence[str]) -> Options:
        return steps.options(view_, steps_)

    def why_not(self, view_: FarmView, move: Orders) -> Refusal | None:
        return rules.why_not(view_, move)

    def warnings(self, view_: FarmView, move: Orders) -> list[Refusal]:
        return rules.warnings(view_, move)

    def preview(self, view_: FarmView, move: Orders) -> Preview[FarmView]:
        """The forecast, and how often the others would spoil it."""
        after = rules.forecast(view_, move)
        return replace(after, events=(*after.events, *chances(view_, move)))

    def appraise(self, view_: FarmView, moves: Sequence[Orders]) -> list[float]:
        return think.appraise(view_, moves)

    def search(
        self,
        view_: FarmView,
        seconds: float | None,
        iterations: int | None,
        seed: int,
        strength: str = "",
    ) -> list[tuple[Orders, float]]:
        return think.think(view_, seconds, iterations, seed, strength)

    evaluator = judging.EVALUATOR

    def judge(
        self, view_: FarmView, moves: Sequence[Orders], iterations: int, seed: int
    ) -> list[float]:
        return judging.judge(view_, moves, iterations, seed)

    def fortunes(self, before: State | None, after: State) -> list[Fortune]:
        return judging.fortunes(before, after)

    def reasons(self, view_: FarmView, best: Orders, made: Orders) -> list[Remark]:
        return looking_back.reasons(self.preview(view_, best), self.preview(view_, made))

    def truth(self, state_: State, seat: Seat) -> list[Remark]:
        return looking_back.truth(state_, seat)

    def scene(self, view_: FarmView, language: str = "en") -> Scene:
        return scene.scene_of(view_, language)

    # Text.

    def parse_move(self, deck: Deck, text: str) -> Orders:
        return parse_orders(_own(deck), text)

    def format_move(self, deck: Deck, move: Orders) -> str:
        return format_orders(move)

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        return words.say(code, params, language)

    def seat_name(self, seat: Seat, language: str = "en") -> str:
        return words.DEPARTMENTS[words.spoken_in(language)][seat]

    # Orders in letters.

    def turn_number(self, view_: FarmView) -> int | None:
        return view_.turn

    def turn_count(self) -> int | None:
        return codes.TURNS

    def held(self, view_: FarmView) -> Orders | None:
        seat = view.own_seat(view_)
        return None if seat is None else view_.sealed[seat]

    def unordered(self, view_: FarmView, move: Orders) -> tuple[str, ...]:
        return order_forms.unordered(view_, move)

    def read_orders(self, deck: Deck, lines: Sequence[str]) -> list[Written[Orders]]:
        return order_forms.read_orders(_own(deck), lines)

    def with_part(
        self, held: Orders | None, part: str, move: Orders | None, *, adding: bool = False
    ) -> Orders | None:
        if part and part not in self.parts:
            return super().with_part(held, part, move, adding=adding)
        return order_forms.with_part(held, part, move, adding=adding)

    def taken_back(self, held: Orders | None, now: Orders, part: str) -> Refusal | None:
        return order_forms.taken_back(held, now, part)

    def part_of(self, refusal: Refusal) -> str:
        return str(refusal.params.get("phase", ""))

    def order_form(self, view_: FarmView, language: str = "en") -> list[str]:
        return order_forms.order_form(view_, language)

    def tell_orders(self, view_: FarmView, move: Orders, language: str = "en") -> list[str]:
        return order_forms.tell_orders(view_, move, language)

    # The trusting way, bytes, and what only the cases ask.

    def fast(self, state_: State) -> FastFarm:
        return FastFarm(state_.deck, state_.table)

    def learning(self, deck: Deck, house: Mapping[str, str]) -> FarmLearning:
        return FarmLearning(_own(deck), house)

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(_own(deck), data)

    def answer_case(self, match: Match, text: str) -> str | None:
        return case_answers.answer(match, text, rules.WHY_LOST)


def _own(deck: Deck) -> FarmDeck:
    assert isinstance(deck, FarmDeck)
    return deck


GAME: Final = CubeFarm()
