"""Cube Farm for programs that learn (`core.learning`): the kernel's steps and lanes, with their
numbers explained."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from openplan.core.game import Illegal
from openplan.core.learning import Encoding, Part, checked_window
from openplan.games.cube_farm.cards import FarmDeck, kernel_cards, rulings_of
from openplan.games.cube_farm.kernel import codes, lanes
from openplan.games.cube_farm.state import read_orders, write_orders
from openplan.games.cube_farm.text.notation import Orders
from openplan.games.cube_farm.view import FarmView

_STEPS_OF_PHASE: Final = 4
_THREE: Final = "own, next seat's, the one's after that"
_NUMBERS: Final = (
    "what is asked for (0 a card, 1 its turn, 2 its square, 3 an employee, 4 nothing)",
    "phase, from 0",
    "turn, from 1",
    "the seat, from 0",
    "cards in the deck",
    *(f"cards in hand: {whose}" for whose in _THREE.split(", ")),
    *(f"points + 100: {whose}" for whose in _THREE.split(", ")),
    "card chosen + 1",
    "its turn + 1",
    *(f"card ordered for phase {phase} + 1" for phase in (1, 2, 3)),
    *(f"turn of the card ordered for phase {phase} + 1" for phase in (1, 2, 3)),
)


class FarmLearning:
    window = 32
    longest = int(codes.TURNS * codes.SEATS * codes.PHASES) * _STEPS_OF_PHASE

    def __init__(self, deck: FarmDeck, house: Mapping[str, str]) -> None:
        self._deck = deck
        self._cards = kernel_cards(deck, rulings_of(house))

    def encoding(self, window: int) -> Encoding:
        cells = checked_window(window, 16, 64) ** 2
        count = len(self._deck.cards)
        actions = (
            Part("nothing", 1, "no card, no employee; for who waits for others, the only one"),
            Part("card", count, "this card"),
            Part("turn", 4, "turned by so many quarters"),
            Part("square", cells, "this square of the window, row by row from the north-west"),
        )
        planes: list[Part] = []
        for phase in (1, 2, 3):
            planes += [
                Part(f"kind {phase}", cells, f"kind of square, floor of phase {phase}"),
                Part(f"walls {phase}", cells, "walls as bits: north, east, south, west"),
                Part(f"owner {phase}", cells, f"whose employee has the cube: {_THREE}, from 1"),
                Part(f"orders {phase}", cells, "own orders: 1 a card, 2 an employee"),
            ]
        observation = (
            *planes,
            Part(
                "cards",
                count,
                "where each card is, as far as known: 0 unknown, 1 to 3 in a hand "
                f"({_THREE}), 4 to 6 on the floor of phase 1 to 3, 7 spent",
            ),
            *(Part(f"number {place}", 1, meaning) for place, meaning in enumerate(_NUMBERS)),
        )
        return Encoding(actions, observation, window)

    def lanes(self, count: int, window: int, restarts: bool) -> lanes.Lanes:
        checked_window(window, 16, 64)
        return lanes.Lanes(self._cards, count, window, restarts)

    def memory(self, view: FarmView) -> list[str]:
        """CF-9: what was ordered is open, and in which order the own cards came means nothing."""
        return []

    def desk(self, window: int) -> FarmDesk:
        return FarmDesk(self._deck, self.lanes(1, window, restarts=False))


class FarmDesk:
    def __init__(self, deck: FarmDeck, lanes_: lanes.Lanes) -> None:
        self._deck = deck
        self._lanes = lanes_
        self._steps = lanes_.lanes[0].steps
        self._seat = 0

    @property
    def mask(self) -> Any:
        return self._lanes.masks

    @property
    def seen(self) -> Any:
        return self._lanes.seen

    def ask(self, view: FarmView) -> None:
        assert view.viewer is not None
        self._seat = int(view.viewer)
        self._lanes.load(0, view.laid(), [*view.shown, *view.spent])
        if not view.is_over:
            self._steps.ask(self._seat)

    def watch(self, view: FarmView) -> None:
        self.ask(view)
        self._steps.rest()
        write_orders(self._steps.board, self._deck, self._seat, view.sealed[self._seat])

    def observe(self) -> None:
        self._lanes.look(0, self._seat)

    def take(self, action: int) -> Orders | None:
        steps = self._steps
        if not steps.is_lit(action):
            raise Illegal("no-such-step", f"action {action} is not possible now")
        return read_orders(steps.board, self._deck, self._seat) if steps.take(action) else None


assert len(_NUMBERS) == lanes.NUMBERS
