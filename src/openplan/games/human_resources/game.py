"""Human Resources as a game of the house: the protocol, and where each part of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import (
    Fortune,
    Game,
    Happening,
    HouseRule,
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
from openplan.games.human_resources import (
    deal,
    learn,
    looking_back,
    position,
    rules,
    state,
    steps,
    view,
)
from openplan.games.human_resources.bot.luck import fortunes
from openplan.games.human_resources.bot.think import EVALUATOR, judge, think
from openplan.games.human_resources.cards import (
    NUMBER,
    OfficeDeck,
    deck_form,
    deck_template,
    deck_text,
    read_deck,
    shown,
)
from openplan.games.human_resources.fast import FastOffice
from openplan.games.human_resources.kernel import appraise
from openplan.games.human_resources.learning import OfficeLearning
from openplan.games.human_resources.state import SEATS, State
from openplan.games.human_resources.text import order_forms, scene, words
from openplan.games.human_resources.text.notation import (
    Move,
    format_move,
    parse_move,
    to_kernel,
)
from openplan.games.human_resources.view import OfficeView


class HumanResources(Game[State, Move, OfficeView]):
    name = "human-resources"
    title = "Human Resources"
    credit = "Human Resources is a game by Nat Levan. This is an unofficial adaptation."
    has_page = True
    rules_version = 2
    seats: ClassVar[tuple[str, ...]] = SEATS
    house_rules: ClassVar[tuple[HouseRule, ...]] = (
        HouseRule("promo", ("no", "yes"), "play with the eight promo cards", "HR-1.5"),
        HouseRule("mirror", ("no", "yes"), "mirror images of a pattern count", "HR-5.3"),
        HouseRule("memory", ("no", "yes"), "show a player the faces they have seen", "HR-10.2"),
        HouseRule("leave", ("no", "yes"), "completing a project is a choice", "HR-5.6", since=2),
        HouseRule("idle", ("no", "yes"), "managers may be hired for no effect", "HR-6.1", since=2),
        HouseRule("to-hand", ("no", "yes"), "acquired projects come to hand", "HR-8.3", since=2),
    )

    # Decks and the deal.

    def read_deck(self, text: str, source: str) -> OfficeDeck:
        return read_deck(text, source, self.name)

    def deck_template(self) -> str:
        return deck_template(self.name, self.title)

    def deck_form(self, table: Mapping[str, Any]) -> dict[str, Any]:
        return deck_form(table)

    def deck_text(self, form: Mapping[str, Any]) -> str:
        return deck_text(form, self.name)

    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture:
        return scene.card_picture(_own(deck), NUMBER[card], language)

    def pieces(self, deck: Deck, language: str = "en") -> Pieces:
        return Pieces(pad=words.PAD[words.spoken_in(language)], key=words.KEY)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
        return deal.deal(_own(deck), house, chance)

    def deal_told(self, deck: Deck, deal_: Deal, viewer: Viewer) -> Deal:
        return deal.deal_told(deal_, viewer)

    def start(self, deck: Deck, house: Mapping[str, str], deal_: Deal) -> State:
        return deal.start(_own(deck), house, deal_)

    def set_up(self, deck: Deck, house: Mapping[str, str], position_: Position) -> State:
        return position.set_up(_own(deck), house, position_)

    # The course of a match.

    def to_act(self, state: State) -> frozenset[Seat]:
        return rules.to_act(state)

    def play(self, state: State, seat: Seat, move: Move) -> Happening:
        return rules.play(state, seat, move)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
        return learn.learn(state, seat, text, facts)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        return rules.withdraw(state, seat, reason)

    def agree_draw(self, state: State) -> Outcome:
        return rules.agree_draw(state)

    # What may be known.

    def view(self, state: State, viewer: Viewer) -> OfficeView:
        return view.view_of(state, viewer)

    def view_data(self, view_: OfficeView) -> dict[str, object]:
        return view.view_data(view_)

    def determinize(self, view_: OfficeView, rng: Random) -> State:
        return view.determinize(view_, rng)

    # From a view alone.

    def moves(self, view_: OfficeView) -> list[Move]:
        return steps.moves(view_)

    def options(self, view_: OfficeView, steps_: Sequence[str]) -> Options:
        return steps.options(view_, steps_)

    def why_not(self, view_: OfficeView, move: Move) -> Refusal | None:
        return rules.why_not(view_, move)

    def preview(self, view_: OfficeView, move: Move) -> Preview[OfficeView]:
        told = view.as_told(view_)
        seat = Seat(view_.actor if view_.to_act is None else view_.to_act)
        happening = rules.play(told, seat, move)
        after = view.view_of(told, view_.viewer)
        events = tuple(event.seen_by(view_.viewer) for event in happening.events)
        return Preview(after, events, after.points[seat] - view_.points[seat])

    def appraise(self, view_: OfficeView, moves: Sequence[Move]) -> list[float]:
        table = view_.table()
        return appraise.appraise(table, [to_kernel(table, move) for move in moves])

    def search(
        self,
        view_: OfficeView,
        seconds: float | None,
        iterations: int | None,
        seed: int,
        strength: str = "",
    ) -> list[tuple[Move, float]]:
        return think(view_, seconds, iterations, seed, strength)

    evaluator = EVALUATOR

    def judge(
        self, view_: OfficeView, moves: Sequence[Move], iterations: int, seed: int
    ) -> list[float]:
        return judge(view_, moves, iterations, seed)

    def fortunes(self, before: State | None, after: State) -> list[Fortune]:
        return fortunes(before, after)

    def reasons(self, view_: OfficeView, best: Move, made: Move) -> list[Remark]:
        after = []
        for move in (best, made):
            seen = self.preview(view_, move)
            after.append(looking_back.After(move, seen.view, seen.events))
        return looking_back.reasons(view_, *after)

    def truth(self, state_: State, seat: Seat) -> list[Remark]:
        return looking_back.truth(state_, seat)

    def scene(self, view_: OfficeView, language: str = "en") -> Scene:
        return scene.scene_of(view_, language)

    # Text.

    def parse_move(self, deck: Deck, text: str) -> Move:
        return parse_move(text)

    def format_move(self, deck: Deck, move: Move) -> str:
        return format_move(move)

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        return words.say(code, params, language)

    # Moves in letters.

    def read_orders(self, deck: Deck, lines: Sequence[str]) -> list[Written[Move]]:
        return order_forms.read_moves(lines)

    def order_form(self, view_: OfficeView, language: str = "en") -> list[str]:
        return order_forms.order_form(self.moves(view_), language)

    def tell_orders(self, view_: OfficeView, move: Move, language: str = "en") -> list[str]:
        return [f"({format_move(move)})"]

    # The trusting way, bytes, and what only the cases ask.

    def fast(self, state_: State) -> FastOffice:
        return FastOffice(state_.table)

    def learning(self, deck: Deck, house: Mapping[str, str]) -> OfficeLearning:
        return OfficeLearning(_own(deck), house)

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(_own(deck), data)

    def answer_case(self, match: Match, text: str) -> str | None:
        if not text.startswith("starts "):
            return None
        table = match.state.table
        hands = [[shown(card) for card in table.hand_of(seat)] for seat in (0, 1)]
        first = deal.who_starts(_own(match.deck), hands)
        return "starts chance" if first is None else f"starts {SEATS[first]}"


def _own(deck: Deck) -> OfficeDeck:
    assert isinstance(deck, OfficeDeck)
    return deck


GAME: Final = HumanResources()
