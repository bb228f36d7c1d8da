"""Human Resources as a game of the house: the protocol, and where each part of it is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import (
    OPEN,
    Game,
    Happening,
    HouseRule,
    Options,
    Outcome,
    Position,
    Preview,
    Refusal,
    Seat,
    Step,
    Viewer,
    Written,
)
from openplan.core.grid import format_square
from openplan.core.match import Match
from openplan.core.scene import CardPicture, Scene
from openplan.games.human_resources import course, setting, state, view, why_not
from openplan.games.human_resources.bot.think import think
from openplan.games.human_resources.cards import (
    NUMBER,
    OfficeDeck,
    deck_template,
    read_deck,
    shown,
)
from openplan.games.human_resources.kernel import appraise, codes
from openplan.games.human_resources.kernel.moves import moves_of
from openplan.games.human_resources.state import State
from openplan.games.human_resources.text import order_forms, scene, words
from openplan.games.human_resources.text.notation import (
    DIRECTIONS,
    Move,
    format_move,
    from_kernel,
    parse_move,
    to_kernel,
)
from openplan.games.human_resources.view import SEATS, OfficeView

_ALONE: Final = tuple(frozenset({Seat(seat)}) for seat in (0, 1))


class HumanResources(Game[State, Move, OfficeView]):
    name = "human-resources"
    title = "Human Resources"
    credit = "Human Resources is a game by Nat Levan. This is an unofficial adaptation."
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

    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture:
        return scene.card_picture(_own(deck), NUMBER[card], language)

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
        return setting.deal(_own(deck), house, chance)

    def deal_told(self, deck: Deck, deal: Deal, viewer: Viewer) -> Deal:
        return setting.deal_told(deal, viewer)

    def start(self, deck: Deck, house: Mapping[str, str], deal: Deal) -> State:
        return setting.start(_own(deck), house, deal)

    def set_up(self, deck: Deck, house: Mapping[str, str], position: Position) -> State:
        return setting.set_up(_own(deck), house, position)

    # The course of a match.

    def to_act(self, state: State) -> frozenset[Seat]:
        if state.table.phase == codes.AT_END:
            return frozenset()
        return _ALONE[int(state.table.to_act())]

    def play(self, state: State, seat: Seat, move: Move) -> Happening:
        return course.carry_out(state, seat, move)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
        return setting.learn(state, seat, text, facts)

    def outcome(self, state: State) -> Outcome | None:
        if state.table.phase != codes.AT_END:
            return None
        return course.final_result(state)

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        points = (int(state.table.points[0]), int(state.table.points[1]))
        return Outcome((Seat(1 - seat),), points, reason, "HR-9")

    def agree_draw(self, state: State) -> Outcome:
        points = (int(state.table.points[0]), int(state.table.points[1]))
        return Outcome((), points, "agreed", "HR-9")

    # What may be known.

    def view(self, state: State, viewer: Viewer) -> OfficeView:
        return view.view_of(state, viewer)

    def view_data(self, view_: OfficeView) -> dict[str, object]:
        return view.view_data(view_)

    def determinize(self, view_: OfficeView, rng: Random) -> State:
        return view.determinize(view_, rng)

    # From a view alone.

    def moves(self, view_: OfficeView) -> list[Move]:
        if view_.to_act is None or view_.viewer not in (OPEN, view_.to_act):
            return []
        table = view_.table()
        return from_kernel(table, moves_of(table))

    def options(self, view_: OfficeView, steps: Sequence[str]) -> Options:
        found: dict[Step, None] = {}
        whole = None
        for move in self.moves(view_):
            following = _steps_after(move, steps)
            if following == []:
                whole = format_move(move)
            for step in following or ():
                found[step] = None
        return Options(tuple(found), whole)

    def why_not(self, view_: OfficeView, move: Move) -> Refusal | None:
        return next(why_not.objections(view_, move), None)

    def preview(self, view_: OfficeView, move: Move) -> Preview[OfficeView]:
        told = view.as_told(view_)
        seat = Seat(view_.actor if view_.to_act is None else view_.to_act)
        happening = course.carry_out(told, seat, move)
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

    # Bytes, and what only the cases ask.

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(_own(deck), data)

    def answer_case(self, match: Match, text: str) -> str | None:
        if not text.startswith("starts "):
            return None
        table = match.state.table
        hands = [[shown(card) for card in table.hand_of(seat)] for seat in (0, 1)]
        first = setting.who_starts(_own(match.deck), hands)
        return "starts chance" if first is None else f"starts {SEATS[first]}"


def _own(deck: Deck) -> OfficeDeck:
    assert isinstance(deck, OfficeDeck)
    return deck


# -- Steps towards a move --------------------------------------------------------------------


def _steps_after(move: Move, steps: Sequence[str]) -> list[Step] | None:
    """The steps that may follow these on the way to a move: none if they are the whole move, and
    `None` if they do not lead there."""
    given = [step.casefold() for step in steps]
    for group in _steps_of(move):
        left = {step.value.casefold(): step for step in group}
        while left:
            if not given:
                return list(left.values())
            if left.pop(given.pop(0), None) is None:
                return None
    return [] if not given else None


def _steps_of(move: Move) -> list[list[Step]]:
    """A move's steps in groups, which come in order; those of a group may come in any: the squares
    of a swap or shift, and the projects left incomplete."""
    cards = [Step("card", card) for card in move.cards]
    squares = [Step("square", format_square(square)) for square in move.squares]
    if move.kind == codes.ARRANGE:
        return [[step] for step in (Step("use", "arrange"), *cards)]
    if move.kind == codes.CHOOSE:
        return [[step] for step in (Step("use", "pick-up"), *cards)]
    uses = {
        codes.PLACE: "place",
        codes.PLAY_PROJECT: "project",
        codes.PLAY_QUOTA: "quota",
        codes.IDLE: "idle",
    }
    groups = [
        [cards[0]],
        [Step("use", uses.get(move.kind, "hire"))],
        *([card] for card in cards[1:]),
    ]
    if move.kind in (codes.SWAP, codes.SHIFT):
        groups.append(squares)
    else:
        groups += [[square] for square in squares]
    if move.kind == codes.SHIFT:
        groups.append([Step("direction", DIRECTIONS[move.direction])])
        groups.append([Step("distance", str(move.distance))])
    groups.append([Step("leave", card) for card in move.leave])
    groups.append([Step("overtime", move.overtime)] if move.overtime else [])
    return groups


GAME: Final = HumanResources()
