"""Human Resources for programs that learn (`core.learning`): the kernel's steps and lanes, with
their numbers explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from openplan.core.game import Illegal
from openplan.core.learning import Encoding, Part, checked_window
from openplan.games.human_resources.cards import OfficeDeck, kernel_cards
from openplan.games.human_resources.kernel import codes, lanes, stepwise
from openplan.games.human_resources.state import ALL, full_stock
from openplan.games.human_resources.text.notation import Move, from_kernel
from openplan.games.human_resources.view import OfficeView, story_told

_CARDS: Final = int(codes.CARDS)
_ASKED: Final = (
    "what is asked for (0 a card and its use, 1 a square to place it, 2 another card, 3 a square, "
    "4 a shape, 5 where to, 6 a project to pick up, 7 a card of those looked at, 8 what is "
    "declared, 9 nothing)"
)
_NUMBERS: Final = (
    _ASKED,
    "phase of the turn",
    "1 if the seat is to act",
    "1 if it is the seat's turn",
    "the seat, 0 or 1",
    "1 if the seat started",
    "cards in the deck",
    "back of the deck's top card (1 dark, 2 light)",
    "own points",
    "the other's points",
    "cards in the own hand",
    "dark cards in the other's hand",
    "light cards in the other's hand",
    "plays left of two",
    "1 if Overtime was used in this turn",
    "cards looked at",
    "manager at work, card + 1",
    "kind of the move so far",
    "its card + 1, or the first card arranged + 1",
    "its second card + 1, or the second arranged",
    "third card arranged + 1",
    "projects left incomplete so far, as bits",
)


# HR-3: each turn draws a card. It may hire for two plays, be answered, arrange four cards; a
# shift has most steps: its card, a square, a shape, where to, and what is declared with it.
_MOVES_OF_TURN: Final = 4
_STEPS_OF_MOVE: Final = 6 + int(codes.LEAVABLE)


class OfficeLearning:
    window = 24
    longest = _CARDS * _MOVES_OF_TURN * _STEPS_OF_MOVE

    def __init__(self, deck: OfficeDeck, house: Mapping[str, str]) -> None:
        self._cards = kernel_cards(deck, house["mirror"] == "yes")
        self._stock = len(full_stock(house))
        self._house = tuple(int(house[name] == "yes") for name in ("idle", "leave", "to-hand"))

    def encoding(self, window: int) -> Encoding:
        cells = checked_window(window, 12, 64) ** 2
        actions = (
            Part("place", _CARDS, "place this card as a cubicle"),
            Part("use", _CARDS, "start this project, score this quota, hire this manager"),
            Part(
                "pick",
                _CARDS,
                "this card: to exchange, from the discard, from before a player, next in the deck, "
                "to be left incomplete, Overtime; as a first step, hired for no effect",
            ),
            Part("shape", int(codes.SHAPES), "the form of the group that is shifted"),
            Part("done", 1, "nothing more is declared"),
            Part("square", cells, "this square of the window, row by row from the north-west"),
        )
        observation = (
            Part("colour", cells, "0 free, 1 dark, 2 light"),
            Part("face", cells, "card + 1 of a cubicle whose face the seat knows"),
            Part("chosen", cells, "1 where a square is chosen for the move so far"),
            Part(
                "cards",
                _CARDS,
                "where each card is, as far as known: 0 unknown, hands 1 own 2 other, in play 3 4, "
                "scored 5 6, 7 discard, 8 office, 9 hired, 16 + place in the deck from the top",
            ),
            *(Part(f"number {place}", 1, meaning) for place, meaning in enumerate(_NUMBERS)),
        )
        return Encoding(actions, observation, window)

    def lanes(self, count: int, window: int, restarts: bool) -> lanes.Lanes:
        checked_window(window, 12, 64)
        idle, leave, to_hand = self._house
        return lanes.Lanes(
            self._cards, count, self._stock, window, (idle, leave, to_hand), restarts
        )

    def memory(self, view: OfficeView) -> list[str]:
        """HR-10: which cards came to which hand and left it."""
        return story_told(view)

    def desk(self, window: int) -> OfficeDesk:
        return OfficeDesk(self.lanes(1, window, restarts=False))


class OfficeDesk:
    def __init__(self, lanes_: lanes.Lanes) -> None:
        self._lanes = lanes_
        self._lane = lanes_.lanes[0]
        self._seat = 0

    @property
    def mask(self) -> Any:
        return self._lanes.masks

    @property
    def seen(self) -> Any:
        return self._lanes.seen

    def ask(self, view: OfficeView) -> None:
        assert view.viewer in (0, 1)
        self._seat = int(view.viewer)
        # What is known of a view's own table is known.
        self._lanes.load(0, view.table(), [ALL] * int(codes.IDS), view.started)

    def watch(self, view: OfficeView) -> None:
        self.ask(view)

    def observe(self) -> None:
        self._lanes.look(0, self._seat)

    def take(self, action: int) -> Move | None:
        if not self._lane.steps.is_lit(action):
            raise Illegal("no-such-step", f"action {action} is not possible now")
        packed = self._lanes.choose(0, action)
        if packed == 0:
            return None
        (move,) = from_kernel(self._lane.table, [packed])
        return move


assert len(_NUMBERS) == lanes.NUMBERS
assert 3 * _CARDS + int(codes.SHAPES) + 1 == stepwise.SQUARE_ACTION
