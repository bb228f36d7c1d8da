"""The whole truth about a table: what lies where, and what each viewer has seen of it (HR-10).

The kernel knows only what lies where. Here stands who knows which face, and the story of the
hands, from which a viewer may reason about what is hidden.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from openplan.core.game import Seat, Viewer
from openplan.core.grid import Square
from openplan.games.human_resources.cards import NAMES, OfficeDeck, colour_of, kernel_cards
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board

SEATS: Final = ("A", "B")
ALL: Final = 7
BLANK_OF: Final = {
    "dark": codes.BLANK_DARK,
    "light": codes.BLANK_LIGHT,
    "?": codes.BLANK,
}
BACK: Final = [BLANK_OF[colour_of(card)] for card in range(codes.IDS)]
"""For each card the blank with its back."""
NO_TOKEN: Final = -1


def eye(viewer: Viewer) -> int:
    """A viewer's bit in a set of those who know something; a spectator has one too."""
    return 4 if viewer is None else 1 << viewer


class Told(NamedTuple):
    """One card that came into a hand or left it, or that was arranged in the deck, and who learned
    which card it was.

    `what`: `deal` and `draw` into the hand; `gain` into it face up; `show` out of it face up;
    `lay` out of it as a cubicle; `lift` a cubicle into it. `token` is the place in the story where
    that cubicle was laid, or NO_TOKEN for one that lay there from the start.

    HR-8.4: `look` for each card looked at, as they lay, and `put` for each as they lie then;
    `token` is the place from the top, which has 0 and shows its back. Both together say what
    others remember: what they knew of these cards, but no longer of which.
    """

    what: str
    seat: int
    card: int
    knows: int
    token: int = NO_TOKEN


@dataclass(slots=True)
class State:
    deck: OfficeDeck
    house: Mapping[str, str]
    table: Board
    stock: tuple[int, ...]
    """The cards of this match; all of them, unless it began from a position."""
    started: int
    tossed: bool
    dealt: bool
    """Whether it began with a deal, so that who starts tells something about the hands (HR-2.3)."""
    known: list[int] = field(default_factory=lambda: [0] * codes.IDS)
    story: list[Told] = field(default_factory=list)
    laid: dict[Square, int] = field(default_factory=dict)
    _told: dict[int, list[Told]] = field(default_factory=dict, repr=False, compare=False)

    # What is seen. A blank is nobody's to know.

    def mark(self, card: int, knows: int) -> None:
        if card < codes.CARDS:
            self.known[card] = knows

    def tell(self, what: str, seat: int, card: int, token: int = NO_TOKEN) -> None:
        self.story.append(Told(what, seat, card, self.known[card], token))

    def told_to(self, sees: int) -> list[Told]:
        """The story as one viewer was told it. It only grows, so what was made of it before stays
        true."""
        told = self._told.setdefault(sees, [])
        for one in self.story[len(told) :]:
            knows = one.knows & sees
            covered = one.what in ("look", "put") and one.token > 0
            hidden = codes.BLANK if covered else BACK[one.card]
            card = one.card if knows else hidden
            told.append(Told(one.what, one.seat, card, knows, one.token))
        return told

    def draw(self, seat: int, card: int, what: str = "draw") -> None:
        """Its drawer sees it; whoever arranged it in the deck knew it already (HR-10.2)."""
        self.mark(card, self.known[card] | eye(Seat(seat)))
        self.tell(what, seat, card)

    def show(self, seat: int, card: int) -> None:
        self.mark(card, ALL)
        self.tell("show", seat, card)

    def gain(self, seat: int, card: int) -> None:
        self.mark(card, ALL)
        self.tell("gain", seat, card)

    def lay(self, seat: int, card: int, square: Square, hired: int = codes.NONE) -> None:
        """HR-10.3: a card leaves the hand face down. If it was the hand's only card of the colour,
        whoever knew it knows the cubicle; else all that others knew of that colour is dropped.
        A manager hired for this has left the hand before."""
        colour = colour_of(card)
        hand = self.table.hand_of(seat)
        same = [other for other in hand if other != hired and colour_of(other) == colour]
        if len(same) > 1:
            for other in same:
                self.mark(other, self.known[other] & eye(Seat(seat)))
        self.laid[square] = len(self.story)
        self.tell("lay", seat, card)

    def lift(self, seat: int, card: int, square: Square) -> None:
        self.mark(card, self.known[card] | eye(Seat(seat)))
        self.tell("lift", seat, card, self.laid.pop(square, NO_TOKEN))

    def arrange(self, seat: int, before: list[int], after: list[int]) -> None:
        """HR-8.4: others forget what lay where, not that it is among these."""
        for place, card in enumerate(before):
            self.tell("look", seat, card, place)
            self.mark(card, eye(Seat(seat)))
        for place, card in enumerate(after):
            self.tell("put", seat, card, place)

    def carry(self, pairs: list[tuple[Square, Square]]) -> None:
        """Cubicles changed their squares."""
        tokens = [(to, self.laid.pop(old, NO_TOKEN)) for old, to in pairs]
        self.laid.update((to, token) for to, token in tokens if token != NO_TOKEN)

    def copy(self) -> State:
        table = Board(self.table.cards)
        table.copy_from(self.table)
        return State(
            self.deck,
            self.house,
            table,
            self.stock,
            self.started,
            self.tossed,
            self.dealt,
            list(self.known),
            list(self.story),
            dict(self.laid),
        )


def new_table(deck: OfficeDeck, house: Mapping[str, str]) -> Board:
    table = Board(kernel_cards(deck, house["mirror"] == "yes"))
    table.idle = int(house["idle"] == "yes")
    table.leave = int(house["leave"] == "yes")
    table.to_hand = int(house["to-hand"] == "yes")
    return table


def dump(state: State) -> bytes:
    """Everything but the deck's cards, which are named by their hash."""
    content = {
        "deck": state.deck.hash,
        "house": dict(state.house),
        "table": state.table.numbers(),
        "stock": list(state.stock),
        "start": [state.started, int(state.tossed), int(state.dealt)],
        "known": state.known,
        "story": [list(told) for told in state.story],
        "laid": [[x, y, token] for (x, y), token in state.laid.items()],
    }
    return json.dumps(content, separators=(",", ":")).encode()


def load(deck: OfficeDeck, data: bytes) -> State:
    content = json.loads(data)
    if content["deck"] != deck.hash:
        raise ValueError(f"a state of deck {content['deck'][:12]}, not of {deck.hash[:12]}")
    table = new_table(deck, content["house"])
    table.from_numbers(content["table"])
    started, tossed, dealt = content["start"]
    return State(
        deck,
        content["house"],
        table,
        tuple(content["stock"]),
        started,
        bool(tossed),
        bool(dealt),
        content["known"],
        [Told(*told) for told in content["story"]],
        {Square(x, y): token for x, y, token in content["laid"]},
    )


def full_stock(house: Mapping[str, str]) -> tuple[int, ...]:
    return tuple(range(len(NAMES) if house["promo"] == "yes" else 54))
