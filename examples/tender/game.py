"""Sealed Tender as a game of the house: the protocol, and where each part of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import (
    Game,
    Happening,
    HouseRule,
    Options,
    Outcome,
    Position,
    Preview,
    Refusal,
    Seat,
    Viewer,
    Written,
)
from openplan.core.scene import CardPicture, Scene

from . import cards, deal, learn, position, rules, state, steps, view
from .state import SEATS, State
from .text import notation, order_forms, scene, words
from .text.notation import Move
from .view import View


class SealedTender(Game[State, Move, View]):
    name = "tender"
    title = "Sealed Tender"
    credit = "Sealed Tender is an example of a game."
    rules_version = 3
    oldest_rules = 2
    sealed = True
    seats: ClassVar[tuple[str, ...]] = SEATS
    house_rules: ClassVar[tuple[HouseRule, ...]] = (
        HouseRule("chatter", ("yes", "no"), "long words are allowed", "ST-2.1"),
        HouseRule("asking", ("yes", "no"), "looking ahead is allowed", "ST-3.1", since=3),
    )

    # Decks and the deal.

    def read_deck(self, text: str, source: str) -> Deck:
        return cards.read_deck(text, source, self.name)

    def deck_template(self) -> str:
        return cards.deck_template(self.name, self.title)

    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture:
        return cards.card_picture(deck, card, language)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
        return deal.deal(chance)

    def deal_told(self, deck: Deck, deal_: Deal, viewer: Viewer) -> Deal:
        return deal.deal_told(deal_, viewer)

    def start(self, deck: Deck, house: Mapping[str, str], deal_: Deal) -> State:
        return deal.start(deck, house, deal_)

    def set_up(self, deck: Deck, house: Mapping[str, str], position_: Position) -> State:
        return position.set_up(deck, house, position_)

    # The course of a match.

    def to_act(self, state: State) -> frozenset[Seat]:
        return rules.to_act(state)

    def awaited(self, state: State) -> frozenset[Seat]:
        return rules.awaited(state)

    def shows_awaited(self, house: Mapping[str, str]) -> bool:
        return False

    def play(self, state: State, seat: Seat, move: Move) -> Happening:
        return rules.play(state, seat, move)

    def deadline(self, state: State) -> Happening:
        return rules.deadline(state)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
        return learn.learn(state, seat, text, facts)

    def learn_deadline(self, state: State, facts: Sequence[str]) -> None:
        learn.learn_deadline(state, facts)

    def outcome(self, state: State) -> Outcome | None:
        return rules.outcome(state)

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        return rules.withdraw(state, seat, reason)

    def rejoin(self, state: State, seat: Seat) -> None:
        rules.rejoin(state, seat)

    def agree_draw(self, state: State) -> Outcome:
        return rules.agree_draw(state)

    # What may be known.

    def view(self, state: State, viewer: Viewer) -> View:
        return view.view_of(state, viewer)

    def view_data(self, view_: View) -> dict[str, object]:
        return view.view_data(view_)

    def determinize(self, view_: View, rng: Random) -> State:
        return view.determinize(view_, rng)

    # From a view alone.

    def moves(self, view_: View) -> list[Move]:
        return steps.moves(view_)

    def options(self, view_: View, steps_: Sequence[str]) -> Options:
        return steps.options(view_, steps_)

    def why_not(self, view_: View, move: Move) -> Refusal | None:
        return rules.why_not(view_, move)

    def preview(self, view_: View, move: Move) -> Preview[View]:
        return rules.preview(view_)

    def appraise(self, view_: View, moves: Sequence[Move]) -> list[float]:
        """A bid is better than idle talk, and a high one better than a low one."""
        return [float(move.what[1]) if move.kind == "bid" else 0.0 for move in moves]

    def scene(self, view_: View, language: str = "en") -> Scene:
        return scene.scene_of(view_, language)

    # Text.

    def parse_move(self, deck: Deck, text: str) -> Move:
        return notation.parse_move(deck, text)

    def format_move(self, deck: Deck, move: Move) -> str:
        return notation.format_move(move)

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        return words.say(code, params, language)

    def say_house_rule(self, rule: HouseRule, language: str = "en") -> str:
        return words.say(f"house.{rule.name}", {}, language)

    # Orders in letters.

    def read_orders(self, deck: Deck, lines: Sequence[str]) -> list[Written[Move]]:
        return order_forms.read_orders(deck, lines)

    def order_form(self, view_: View, language: str = "en") -> list[str]:
        return order_forms.order_form()

    def tell_orders(self, view_: View, move: Move, language: str = "en") -> list[str]:
        return order_forms.tell_orders(move, language)

    # Bytes.

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(deck, data)


GAME: Final = SealedTender()
