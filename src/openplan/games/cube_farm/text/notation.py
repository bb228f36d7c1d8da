"""Order sets as text, both ways. One set for a turn is one move (CF-3.1, CF-3.5):

    1: card 23 E3S2 turn 1 employee E4S2; 2: card 17 N2; 3: employee E1
    nothing

Read in any case and spacing, in one line or several, with or without punctuation and the words
`phase`, `at` and `turn`.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from openplan.core.game import Unreadable
from openplan.core.grid import MAX_COORDINATE, Square, format_square
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.text.words import LANGUAGES, say, why_unread

MAX_TEXT: Final = 1000
NOTHING: Final = "nothing"
SENT: Final = "sent"


class CardOrder(NamedTuple):
    card: str
    square: Square
    turn: int = 0


class Phase(NamedTuple):
    """What is ordered for one phase: a card, an employee, both or nothing."""

    card: CardOrder | None = None
    employee: Square | None = None


class Orders(NamedTuple):
    """One seat's orders for a turn. Untold ones are known only to have been sent."""

    phases: tuple[Phase, Phase, Phase] = (Phase(), Phase(), Phase())
    untold: bool = False

    def having(self, number: int, phase: Phase) -> Orders:
        """The same with another phase (0 to 2)."""
        first, second, third = (
            phase if place == number else old for place, old in enumerate(self.phases)
        )
        return Orders((first, second, third))


UNTOLD: Final = Orders(untold=True)


def format_orders(orders: Orders) -> str:
    if orders.untold:
        return SENT
    parts = [
        f"{number}: {_format_phase(phase)}"
        for number, phase in enumerate(orders.phases, 1)
        if phase != Phase()
    ]
    return "; ".join(parts) or NOTHING


def _format_phase(phase: Phase) -> str:
    words = []
    if phase.card is not None:
        words += ["card", phase.card.card, format_square(phase.card.square)]
        if phase.card.turn:
            words += ["turn", str(phase.card.turn)]
    if phase.employee is not None:
        words += ["employee", format_square(phase.employee)]
    return " ".join(words)


def unreadable(
    said: str, code: str = "unreadable", *, phase: int = 0, text: str = "", **params: object
) -> Unreadable:
    """Orders that cannot be read, for a reason in `words`."""
    told = why_unread(said, params, phase, text)
    return Unreadable(code, told["en"], "", {"phase": phase} if phase else {}, told)


def parse_orders(deck: FarmDeck, text: str) -> Orders:
    """`Unreadable` says which phase cannot be read, and why."""
    if len(text) > MAX_TEXT:
        raise unreadable("read-length", most=MAX_TEXT)
    return _Reader(deck, text).orders()


# The words come first, so that nothing need stand between them and a square.
_TOKEN: Final = re.compile(
    r"employee|card|phase|turned|turns|turn|[a-z]+|[0-9]+|[;\n:]|[ \t\r.,()#]+|-(?![0-9])|.",
    re.DOTALL,
)
_BETWEEN: Final = re.compile(r"[ \t\r.,()#]|-(?![0-9])")
_NOISE: Final = frozenset({"at", "on", "to", "in", "and", "then", "the", "a", "an", "place", "put"})
_CARD: Final = frozenset({"card"})
_EMPLOYEE: Final = frozenset({"employee"})
_TURN: Final = frozenset({"turn", "turns", "turned"})
_PHASE: Final = frozenset({"phase"})
_NOTHING: Final = frozenset({NOTHING, "none"})
_BREAKS: Final = frozenset({";", "\n"})


class _Reader:
    """Takes a set's words one by one; letters and digits are words of their own, so that spacing
    means nothing."""

    def __init__(self, deck: FarmDeck, text: str) -> None:
        self.deck = deck
        self.text = text
        lowered = text.lower().replace("\r\n", "\n").replace("\r", "\n")
        self.words = [
            # A dash may stand between two words; before a number it would be a minus sign.
            found[0]
            for found in _TOKEN.finditer(lowered)
            if found[0] not in _NOISE and not _BETWEEN.match(lowered, found.start())
        ]
        self.place = 0
        self.phase = 0

    def fault(self, said: str, word: str = "") -> Unreadable:
        shown = " ".join(self.text.split())[:80]
        return unreadable(said, phase=self.phase, text=shown, word=word[:20])

    def peek(self, ahead: int = 0) -> str:
        at = self.place + ahead
        return self.words[at] if at < len(self.words) else ""

    def next(self) -> str:
        self.place += 1
        return self.words[self.place - 1]

    def pass_over(self, words: frozenset[str]) -> bool:
        """Whether any of these words stood here; they are passed over."""
        start = self.place
        while self.peek() and self.peek() in words:
            self.place += 1
        return self.place > start

    # The whole set.

    def orders(self) -> Orders:
        phases = [Phase(), Phase(), Phase()]
        named: set[int] = set()
        self.pass_over(_BREAKS)
        if not self.peek():
            raise self.fault("read-nothing", NOTHING)
        if self.peek() in _NOTHING and not self._after_breaks(1):
            return Orders()
        while self.peek():
            if self._begins_phase():
                self._phase_number(named)
            elif not self.phase:
                raise self.fault("read-before", self.peek())
            here = self.phase - 1
            if self.peek() in _CARD:
                if phases[here].card is not None:
                    raise self.fault("read-two-cards")
                phases[here] = phases[here]._replace(card=self._card())
            elif self.peek() in _EMPLOYEE:
                if phases[here].employee is not None:
                    raise self.fault("read-two-employees")
                self.next()
                self.pass_over(_BREAKS | {":"})
                phases[here] = phases[here]._replace(employee=self._square())
            elif self.peek() in _NOTHING:
                self.next()
            elif self.peek() and not self._begins_phase():
                raise self.fault("read-neither", self.peek())
            self.pass_over(_BREAKS)
        first, second, third = phases
        return Orders((first, second, third))

    def _after_breaks(self, ahead: int) -> str:
        while self.peek(ahead) in _BREAKS:
            ahead += 1
        return self.peek(ahead)

    def _begins_phase(self) -> bool:
        return self.peek() in _PHASE or self.peek().isdigit()

    def _phase_number(self, named: set[int]) -> None:
        self.pass_over(_PHASE)
        self.pass_over(frozenset({":"}))
        word = self.next() if self.peek() else ""
        if word not in ("1", "2", "3"):
            raise self.fault("read-phase", word)
        if int(word) in named:
            raise self.fault("read-phase-twice", word)
        self.phase = int(word)
        named.add(self.phase)
        self.pass_over(_BREAKS | {":"})

    # Its parts.

    def _card(self) -> CardOrder:
        self.next()
        self.pass_over(_BREAKS | {":"})
        word = self.next() if self.peek() else ""
        if not re.fullmatch(r"[0-9]{1,9}", word):
            raise self.fault("read-card", word)
        name = str(int(word))
        if name not in self.deck.card:
            params = {"phase": self.phase, "card": name}
            told = {language: say("unknown-card", params, language) for language in LANGUAGES}
            raise Unreadable("unknown-card", told["en"], "CF-2.2", params, told)
        # In a form every part may have a line of its own.
        self.pass_over(_BREAKS | {":"})
        square = self._square()
        return CardOrder(name, square, self._turn())

    def _turn(self) -> int:
        """How often the card is turned. Without the word it is a number right after the square that
        does not begin the next phase."""
        ahead = 0
        while self.peek(ahead) in _BREAKS | {":"}:
            ahead += 1
        if self.peek(ahead) in _TURN:
            self.place += ahead
            self.pass_over(_TURN)
            self.pass_over(frozenset({":"}))
        elif not self.peek().isdigit() or self.peek(1) in _CARD | {":"}:
            return 0
        word = self.next() if self.peek() else ""
        if word not in ("0", "1", "2", "3"):
            raise self.fault("read-turn", word)
        self.pass_over(_TURN)
        return int(word)

    def _square(self) -> Square:
        word = self.peek()
        if word == "0":
            self.next()
            return Square(0, 0)
        if word == "":
            raise self.fault("read-square-missing")
        x = self._distance("w", "e")
        y = self._distance("n", "s")
        if x is None:  # `S2E3`
            x = self._distance("w", "e")
        if x is None and y is None:
            raise self.fault("read-square", word)
        return Square(x or 0, y or 0)

    def _distance(self, less: str, more: str) -> int | None:
        if self.peek() not in (less, more):
            return None
        direction = self.next()
        word = self.next() if self.peek() else ""
        if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) > MAX_COORDINATE:
            raise self.fault("read-distance", f"{direction.upper()}{word}")
        return -int(word) if direction == less else int(word)
