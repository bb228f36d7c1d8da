"""The protocol every game keeps, and the words in which any game speaks.

A game is a table of functions over its own `State`, `Move` and `View`. Three kinds of data cross
its border: refusals and events (a code, parameters, the clause), secrets (a value, its cover, and
who sees through it), and text (the notation). Sentences for people are made last, by `say`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from random import Random
from typing import Any, ClassVar, Final, Generic, NewType, TypeVar

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.fast import FastTable
from openplan.core.learning import Learning
from openplan.core.pieces import Pieces
from openplan.core.scene import CardPicture, Scene
from openplan.core.sentences import refused

Seat = NewType("Seat", int)
Viewer = Seat | None
"""Who looks: a seat, or `None` for a spectator."""

OPEN: Final = Seat(-1)
"""The viewer from whom nothing is hidden: the record's keeper, and everybody once it is over."""

Position = Mapping[str, str | Sequence[str]]
"""A table set up by hand, as a case file or a tool writes it."""

State = TypeVar("State")
Move = TypeVar("Move")
View = TypeVar("View")


# -- Secrets ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that only some viewers see; the others get its cover (`None`: nothing at all)."""

    text: str
    cover: str | None
    knows: frozenset[Viewer]


_MAY_HIDE: Final = (Secret, tuple)


def seen_by(viewer: Viewer, value: object) -> Any:
    """What `viewer` gets of a value that may be or hold secrets."""
    if isinstance(value, Secret):
        return value.text if viewer == OPEN or viewer in value.knows else value.cover
    if isinstance(value, tuple):
        return tuple(seen_by(viewer, item) for item in value)
    return value


# -- What is said ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not possible: a stable code, the clause, and parameters for a sentence."""

    code: str
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened. `fact` is its short form in a record, where it tells something."""

    code: str
    clause: str
    params: Mapping[str, object] = field(default_factory=dict)
    fact: str | Secret | None = None

    def seen_by(self, viewer: Viewer) -> Event:
        if self.fact.__class__ is not Secret and not any(
            value.__class__ in _MAY_HIDE for value in self.params.values()
        ):
            return self  # most have nothing to hide
        params = {name: seen_by(viewer, value) for name, value in self.params.items()}
        return Event(self.code, self.clause, params, seen_by(viewer, self.fact))


@dataclass(frozen=True, slots=True)
class Happening:
    """One entry carried out: how it is written for whom, and the events it caused, in order.

    `reveals` says whether somebody learned something hidden; a strict take-back stops there.
    """

    text: str | Secret
    events: tuple[Event, ...] = ()
    reveals: bool = False

    def text_for(self, viewer: Viewer) -> str | None:
        """The entry as written in this viewer's record; `None` if it does not appear there."""
        text: str | None = seen_by(viewer, self.text)
        return text

    def facts_for(self, viewer: Viewer) -> tuple[str, ...]:
        facts = [seen_by(viewer, event.fact) for event in self.events if event.fact is not None]
        return tuple([fact for fact in facts if fact is not None])


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended. No winner is a draw; several share the win."""

    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    reason: str
    clause: str


@dataclass(frozen=True, slots=True)
class Fortune:
    """What chance gave a seat, beside what it could have given: so many points more than on average
    over so many things that could have come."""

    seat: Seat
    what: str
    """Cards by their names, `deal` for all that was dealt, or the `dark` or `light` back of the
    card that comes next."""
    points: float
    among: int
    error: float = 0.0
    """The standard error, where the average is of a sample."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to be said of a match that is over: a code and parameters for a sentence."""

    code: str
    params: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One choice on the way to a move."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Options:
    """What may come next; `whole` is the move that the steps so far already make, as text."""

    next: tuple[Step, ...]
    whole: str | None


@dataclass(frozen=True, slots=True)
class Preview(Generic[View]):
    """The table after a move, as far as its maker can know it, and what it would cause."""

    view: View
    events: tuple[Event, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Written(Generic[Move]):
    """One order among the lines of a letter, numbered from 0: a whole move, or the named part of
    one. There is a fault instead if it cannot be read, and neither if it is a form left blank."""

    first: int
    last: int
    part: str = ""
    move: Move | None = None
    fault: Unreadable | None = None


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A named option of a match. The first choice is the default."""

    name: str
    choices: tuple[str, ...]
    meaning: str
    clause: str
    since: int = 1
    """The version of the rules that brought it. Older matches are played by its default."""


# -- The error ladder ------------------------------------------------------------------------


class GameError(ValueError):
    """Something the caller asked for is not possible. Nothing was changed."""

    status: ClassVar[int] = 409

    def __init__(
        self,
        code: str,
        reason: str,
        clause: str = "",
        params: Mapping[str, object] | None = None,
        told: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{reason} [{clause}]" if clause else reason)
        self.code = code
        self.reason = reason
        self.clause = clause
        self.params = dict(params or {})
        self._told = dict(told or {})

    def reason_in(self, language: str) -> str:
        """The reason in a language, or in English where it is not said in that one."""
        return self._told.get(language, self.reason)


class Unreadable(GameError):
    """The text is not in the notation."""

    status = 422


class NotYourTurn(GameError):
    """The seat has nothing to decide now."""


class Stale(GameError):
    """The caller looked at an older table."""


class Illegal(GameError):
    """Readable, but the rules forbid it."""


class Over(GameError):
    """The match has ended."""


# -- The protocol ----------------------------------------------------------------------------


class Game(ABC, Generic[State, Move, View]):
    """A game's rules as functions. `play` and `deadline` change the state they are given and trust
    their caller; everything that takes a view uses nothing that its viewer cannot know."""

    name: ClassVar[str]
    title: ClassVar[str]
    credit: ClassVar[str]
    rules_version: ClassVar[int]
    """The rules that a new match is frozen to."""
    oldest_rules: ClassVar[int] = 1
    """The oldest version that is still played here as it was."""
    seats: ClassVar[tuple[str, ...]]
    """The code of each seat, in order, as records and notation write it."""
    house_rules: ClassVar[tuple[HouseRule, ...]]
    notation_events: ClassVar[frozenset[str]] = frozenset()
    """Events that quote a move in the notation. Letters leave them out: sent back without marks
    they would be orders."""
    sealed: ClassVar[bool] = False
    """Moves are sealed orders: they are carried out together, once all are there or `deadline` says
    so. Such a game has a `deadline`; in any other, a seat whose time is up has lost."""
    parts: ClassVar[tuple[str, ...]] = ()
    """Where whole moves are too many to list, the parts of one that can be listed."""
    has_page: ClassVar[bool] = False
    """A folder of its own in `web/src/games` draws it. The page draws any other by its `scene`."""

    # Decks and the deal. All that the players do not decide is here.

    @abstractmethod
    def read_deck(self, text: str, source: str) -> Deck: ...

    @abstractmethod
    def deck_template(self) -> str: ...

    def deck_form(self, table: Mapping[str, Any]) -> dict[str, Any] | None:
        """A deck file's fields, unchecked and perhaps unfinished, as the game's own page edits
        them: plain data with its `title` and its `cards`, in the order in which `deck_text` writes
        them. Nothing from a game that has no such page; its decks are edited as text."""
        return None

    def deck_text(self, form: Mapping[str, Any]) -> str:
        """The deck file of such a form, whatever stands in it; `read_deck` says what is wrong."""
        raise Illegal("no-deck-form", f"decks of {self.title} are edited as text")

    @abstractmethod
    def card_picture(self, deck: Deck, card: str, language: str = "en") -> CardPicture: ...

    def pieces(self, deck: Deck, language: str = "en") -> Pieces:
        """What a match on paper needs besides the cards."""
        return Pieces()

    @abstractmethod
    def deal(self, deck: Deck, house: Mapping[str, str], chance: Chance) -> Deal:
        """Every line of the deal, drawn by `chance.draw` under the line's own label. What the rules
        make of the cards drawn may stand in a line too, after what was drawn for it."""

    @abstractmethod
    def deal_told(self, deck: Deck, deal: Deal, viewer: Viewer) -> Deal:
        """A whole deal as this viewer gets it; `Illegal` if something in it is covered already."""

    @abstractmethod
    def start(self, deck: Deck, house: Mapping[str, str], deal: Deal) -> State:
        """The table after set-up. A deal as told to a viewer gives the table as that viewer knows
        it; `Illegal` names what is wrong with a deal."""

    @abstractmethod
    def set_up(self, deck: Deck, house: Mapping[str, str], position: Position) -> State: ...

    # A match's course.

    @abstractmethod
    def to_act(self, state: State) -> frozenset[Seat]:
        """The seats that may send a move now."""

    def awaited(self, state: State) -> frozenset[Seat]:
        """Those of them without whose move nothing goes on."""
        return self.to_act(state)

    def shows_awaited(self, house: Mapping[str, str]) -> bool:
        """Whether everybody can see who is still awaited: not where moves are sealed in secret."""
        return True

    @abstractmethod
    def play(self, state: State, seat: Seat, move: Move) -> Happening: ...

    def deadline(self, state: State) -> Happening:
        """Carry out what is there, because time is up."""
        raise refused(Illegal, "no-deadline", title=self.title)

    @abstractmethod
    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
        """In a viewer's table, fill in what an entry of the viewer's record tells, so that the
        returned move can be judged there by `why_not` on the seat's view, and played."""

    def learn_deadline(self, state: State, facts: Sequence[str]) -> None:
        """The same for a deadline: fill in what its facts tell, so that it can be carried out."""
        raise refused(Illegal, "no-deadline", title=self.title)

    @abstractmethod
    def outcome(self, state: State) -> Outcome | None: ...

    @abstractmethod
    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        """A seat resigns or runs out of time (reason `resign` or `flag`): the outcome, or `None` if
        the others play on; then the seat is not to act any more."""

    def rejoin(self, state: State, seat: Seat) -> None:
        """Somebody new takes a seat that has withdrawn, and is to act again."""
        raise refused(Illegal, "no-substitute", title=self.title)

    @abstractmethod
    def agree_draw(self, state: State) -> Outcome: ...

    # What may be known.

    @abstractmethod
    def view(self, state: State, viewer: Viewer) -> View: ...

    @abstractmethod
    def view_data(self, view: View) -> dict[str, object]:
        """The view as plain data (strings, numbers, lists, dicts), the same bytes for the same
        knowledge."""

    @abstractmethod
    def determinize(self, view: View, rng: Random) -> State:
        """A full table that gives this view, drawn as chance would have drawn it."""

    # From a view alone.

    @abstractmethod
    def moves(self, view: View) -> list[Move]:
        """All legal moves of the viewer; `Illegal` where they are too many and a move has parts
        (contract 7)."""

    def moves_of_part(self, view: View, part: str) -> list[Move]:
        """Every move that consists of one choice for this part and nothing else."""
        raise Illegal("no-such-part", f"a move of {self.title} has no part {part[:40]!r}")

    def candidates(self, view: View) -> list[Move]:
        """Moves among which somebody who does not look ahead would choose."""
        return self.moves(view)

    @abstractmethod
    def options(self, view: View, steps: Sequence[str]) -> Options: ...

    @abstractmethod
    def why_not(self, view: View, move: Move) -> Refusal | None: ...

    def warnings(self, view: View, move: Move) -> list[Refusal]:
        """What speaks against a move that is not refused: it may come to nothing."""
        return []

    def taken_back(self, held: Move | None, now: Move, part: str) -> Refusal | None:
        """What was held for this part of a move and is no longer, though nobody said so."""
        return None

    @abstractmethod
    def preview(self, view: View, move: Move) -> Preview[View]: ...

    @abstractmethod
    def appraise(self, view: View, moves: Sequence[Move]) -> list[float]:
        """How good each move looks without looking ahead; the greedy bot plays the best."""

    def search(
        self,
        view: View,
        seconds: float | None,
        iterations: int | None,
        seed: int,
        strength: str = "",
    ) -> list[tuple[Move, float]]:
        """Moves of the viewer, best first, each with the estimated chance to win after it, found by
        looking ahead within a budget; nothing from a game that offers no search. With iterations
        only, the same view and seed give the same answer. `strength` may name a lesser way:
        `promise` looks ahead no further than the move, `plain` is a search to compare with."""
        return []

    # After a match: what was skill, what was luck.

    evaluator: ClassVar[str] = ""
    """The name of what judges here, another whenever it judges otherwise; none if nothing does."""

    def judge(self, view: View, moves: Sequence[Move], iterations: int, seed: int) -> list[float]:
        """The estimated chance to win after each of these moves of the viewer, all tried equally
        often in the same possible truths with the same chance."""
        raise refused(Illegal, "no-judge", title=self.title)

    def fortunes(self, before: State | None, after: State) -> list[Fortune]:
        """What chance gave between these two tables, one entry apart; of both the whole truth.
        With none before, it is the deal."""
        return []

    def reasons(self, view: View, best: Move, made: Move) -> list[Remark]:
        """What speaks for the better of two moves of the viewer, as far as the viewer knows."""
        return []

    def truth(self, state: State, seat: Seat) -> list[Remark]:
        """What is hidden from a seat and would matter to its move, for when the match is over."""
        return []

    @abstractmethod
    def scene(self, view: View, language: str = "en") -> Scene: ...

    # Text.

    @abstractmethod
    def parse_move(self, deck: Deck, text: str) -> Move:
        """`Unreadable` if it is not in the notation or names no card of the deck."""

    @abstractmethod
    def format_move(self, deck: Deck, move: Move) -> str: ...

    @abstractmethod
    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        """The sentence for a refusal, an event or an outcome's reason; for `brief`, what it is all
        about. For `order-examples`, orders as letters read them, each on a line, and for
        `order-naming` what the first of them means and how things are named."""

    def say_house_rule(self, rule: HouseRule, language: str = "en") -> str:
        """What it settles, as a table offers it."""
        return rule.meaning

    def seat_name(self, seat: Seat, language: str = "en") -> str:
        """What the game calls a seat; its code, where it has no other name for it."""
        return self.seats[seat]

    # Orders in letters. A line with a blank (`____`) is no order.

    def turn_number(self, view: View) -> int | None:
        """The number of the turn, where the rules count turns that are the same for all."""
        return None

    def turn_count(self) -> int | None:
        """How many such turns a match has, where the rules know it."""
        return None

    def held(self, view: View) -> Move | None:
        """What the viewer has sent for this turn and may still change; nothing where a move is
        carried out at once."""
        return None

    def unordered(self, view: View, move: Move) -> tuple[str, ...]:
        """The parts for which the viewer, with this move, could order more than it does. With none
        left a set is complete, and need not be called ready."""
        return ()

    @abstractmethod
    def read_orders(self, deck: Deck, lines: Sequence[str]) -> list[Written[Move]]:
        """The orders among these lines, in their order. A line may be broken anywhere between its
        words; what is no order and does not look like one is passed over."""

    def with_part(
        self, held: Move | None, part: str, move: Move | None, *, adding: bool = False
    ) -> Move | None:
        """The held move with this part as it is in `move`, or empty without one. `adding` keeps of
        the part what `move` does not speak of. The part with no name is all of it."""
        if part:
            raise Illegal("no-such-part", f"a move of {self.title} has no part {part[:40]!r}")
        return move

    def part_of(self, refusal: Refusal) -> str:
        """Which part of a move a refusal or warning is about, if one."""
        return ""

    @abstractmethod
    def order_form(self, view: View, language: str = "en") -> list[str]:
        """Lines to be filled in by the viewer; as they stand they hold no order."""

    @abstractmethod
    def tell_orders(self, view: View, move: Move, language: str = "en") -> list[str]:
        """What the viewer has sent, in words that are never read as orders, however the lines are
        broken or quoted."""

    # The trusting way, and a state as bytes; simulations, snapshots and other processes.

    def fast(self, state: State) -> FastTable:
        """A copy of this table that goes on by packed moves, with nothing checked or told."""
        raise Illegal("no-fast-table", f"{self.title} offers no fast table")

    def learning(self, deck: Deck, house: Mapping[str, str]) -> Learning:
        """The game as programs learn it, with complete house rules."""
        raise Illegal("no-environment", f"{self.title} offers no environment")

    @abstractmethod
    def dump(self, state: State) -> bytes: ...

    @abstractmethod
    def load(self, deck: Deck, data: bytes) -> State: ...


AnyGame = Game[Any, Any, Any]


def judge_name(sort: str, *made_of: object) -> str:
    """The name of an evaluator: another one whenever a number of it is another."""
    return f"{sort}-{sha256(repr(made_of).encode()).hexdigest()[:8]}"
