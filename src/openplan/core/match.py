"""A match: a header, a log, and the table they lead to. The only way a game advances.

The log only grows. A take-back or a roll-back is an entry like any other and deletes nothing; it
decides which of the entries before it are in force. The table is what those lead to.

Every entry has a form for each viewer and may be absent for some: a sealed order is told to nobody
else. So each viewer has a log of its own, with numbers of its own, and that is all that reaches it.
A match rebuilt from such a viewer's log holds the table as that viewer knows it, and only reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple

from openplan.core.deal import SALT_BYTES, new_salt, secure_chance
from openplan.core.deal import commitment as commit
from openplan.core.deal import opens as commitment_opens
from openplan.core.deck import Deck
from openplan.core.game import (
    OPEN,
    AnyGame,
    Deal,
    Event,
    GameError,
    Happening,
    Illegal,
    NotYourTurn,
    Outcome,
    Over,
    Position,
    Seat,
    Stale,
    Unreadable,
    Viewer,
)

KINDS: Final = (
    "move",
    "adjudicate",
    "deadline",
    "flag",
    "resign",
    "draw",
    "seat",
    "pause",
    "resume",
    "take-back",
    "roll-back",
)
OF_A_SEAT: Final = frozenset({"move", "flag", "resign", "seat", "take-back"})
"""Kinds that one seat enters; the others are by consent, by the clock or by the game master."""
WITH_TEXT: Final = frozenset({"move", "seat", "take-back", "roll-back"})

# These change the table. The others say which of them are in force, or stop the clock.
_ON_THE_TABLE: Final = frozenset({"move", "adjudicate", "deadline", "flag", "resign", "draw"})
# A pause stops clocks and moves. What people agree on, or the game master puts right, goes on.
_WHILE_PAUSED: Final = frozenset({"resume", "seat", "resign", "draw", "roll-back"})

MAX_NAME: Final = 60
# Marks that turn the direction of writing could make a line show something that it does not say.
_TURNS_WRITING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a log. `text` is the move, the new name or the entry's number, by kind."""

    kind: str
    seat: Seat | None
    text: str = ""
    facts: tuple[str, ...] = ()

    @property
    def written(self) -> str:
        """The entry without its facts, as a record has it."""
        return self.text if self.kind == "move" else f"{self.kind} {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class Reversal(Happening):
    """A take-back or a roll-back. It names an entry by its number in the reader's own log, and is
    absent where nothing changed for the reader: other numbers would count hidden entries."""

    numbers: Mapping[Viewer, int] = field(default_factory=dict)

    def text_for(self, viewer: Viewer) -> str | None:
        return f"{self.text} {self.numbers[viewer]}" if viewer in self.numbers else None


class _Link(NamedTuple):
    """The entries in force as a chain from the last to the first, so that every entry can keep the
    chain that stood before it."""

    number: int
    before: _Link | None


@dataclass(slots=True)
class _Table:
    state: Any
    decided: Outcome | None = None
    """An outcome from outside the game's own course: by resigning, by the clock, by agreement."""
    withdrawn: set[Seat] = field(default_factory=set)


class Match:
    """Begun by `start`, `from_deal` or `from_position`; goes on by `submit` and `enter`."""

    def __init__(
        self,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        *,
        deal: Deal | None = None,
        position: Position | None = None,
        salt: str = "",
        commitment: str = "",
        names: Sequence[str] | None = None,
        viewer: Viewer = OPEN,
    ) -> None:
        self.game = game
        self.deck = deck
        self.house = complete_house(game, house or {})
        self.deal = deal
        self.position = position
        self.salt = salt
        self.commitment = commitment
        self.viewer = viewer
        names = game.seats if names is None else names
        if len(names) != len(game.seats):
            raise Illegal("names", f"{game.title} has {len(game.seats)} seats, not {len(names)}")
        self.first_names = tuple(checked_name(name) for name in names)
        self.names = list(self.first_names)
        self.log: list[Entry] = []
        self.happenings: list[Happening] = []
        self.paused = False
        self._line: _Link | None = None
        self._line_before: list[_Link | None] = []
        self._table = self._first_table()

    # -- Beginnings --------------------------------------------------------------------------

    @classmethod
    def start(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None = None,
        *,
        chance: Random | None = None,
        names: Sequence[str] | None = None,
    ) -> Match:
        """A new match. Only tests and simulations pass a seeded chance; the salt then comes from it
        too."""
        rules = complete_house(game, house or {})
        deal = game.deal(deck, rules, chance or secure_chance())
        salt = chance.randbytes(SALT_BYTES).hex() if chance else new_salt()
        return cls.from_deal(game, deck, rules, deal, salt, names=names)

    @classmethod
    def from_deal(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        deal: Deal,
        salt: str,
        *,
        names: Sequence[str] | None = None,
        viewer: Viewer = OPEN,
        commitment: str | None = None,
    ) -> Match:
        """With a viewer, `deal` is as told to that viewer, and there is no salt to check with."""
        deal = {label: tuple(cards) for label, cards in deal.items()}
        if viewer == OPEN:
            _check_hexadecimal("salt", salt)
            if commitment is not None and not commitment_opens(commitment, salt, deal):
                raise Illegal("commitment", "the commitment does not fit the salt and the deal")
            commitment = commit(salt, game.deal_told(deck, deal, OPEN))
        else:
            _check_hexadecimal("commitment", commitment or "")
            salt = ""
        return cls(
            game,
            deck,
            house,
            deal=deal,
            salt=salt,
            commitment=commitment or "",
            names=names,
            viewer=viewer,
        )

    @classmethod
    def from_position(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        position: Position,
        *,
        names: Sequence[str] | None = None,
    ) -> Match:
        """A table set up by hand. It may name house rules, which are then the match's."""
        rules = dict(house or {})
        for rule in game.house_rules:
            choice = position.get(rule.name)
            if choice is not None:
                if not isinstance(choice, str) or rules.setdefault(rule.name, choice) != choice:
                    raise Illegal("house-rule", f"two choices for the house rule {rule.name!r}")
        table = {
            key: value if isinstance(value, str) else tuple(value)
            for key, value in position.items()
            if key not in rules
        }
        return cls(game, deck, rules, position=table, names=names)

    @classmethod
    def replay(
        cls,
        game: AnyGame,
        deck: Deck,
        house: Mapping[str, str] | None,
        entries: Iterable[Entry],
        *,
        deal: Deal | None = None,
        position: Position | None = None,
        salt: str = "",
        commitment: str | None = None,
        names: Sequence[str] | None = None,
        viewer: Viewer = OPEN,
    ) -> Match:
        """The match to which a log leads. Every entry must say exactly what the rules make of it,
        facts included; an error's `params["entry"]` is the number of the first that does not."""
        if position is not None:
            match = cls.from_position(game, deck, house, position, names=names)
        elif deal is not None:
            match = cls.from_deal(
                game, deck, house, deal, salt, names=names, viewer=viewer, commitment=commitment
            )
        else:
            raise Unreadable("no-deal", "there is neither a deal nor a position to start from")
        for number, entry in enumerate(entries, 1):
            try:
                match.repeat(entry)
            except GameError as error:
                params = {**error.params, "entry": number}
                reason = f"entry {number}: {error.reason}"
                raise type(error)(error.code, reason, error.clause, params) from None
        return match

    def walk(self) -> Iterator[Match]:
        """The match once more from its start, growing by one entry at a time."""
        match = Match(
            self.game,
            self.deck,
            self.house,
            deal=self.deal,
            position=self.position,
            salt=self.salt,
            commitment=self.commitment,
            names=self.first_names,
            viewer=self.viewer,
        )
        yield match
        for entry in self.log:
            match.repeat(entry)
            yield match

    def at(self, ply: int) -> Match:
        """The match as it was after so many entries."""
        if not 0 <= ply <= self.ply:
            raise Unreadable("no-entry", f"the log has entries up to {self.ply}, not {ply}")
        return next(islice(self.walk(), ply, None))

    # -- The table now -----------------------------------------------------------------------

    @property
    def state(self) -> Any:
        return self._table.state

    @property
    def ply(self) -> int:
        return len(self.log)

    @property
    def outcome(self) -> Outcome | None:
        return self._table.decided or self.game.outcome(self.state)

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats that may send a move now."""
        if self.paused or self.outcome is not None:
            return frozenset()
        return self.game.to_act(self.state)

    @property
    def awaited(self) -> frozenset[Seat]:
        """Those of them without whose move nothing goes on. If there are none and the match is not
        over, only a deadline takes it further."""
        return self.game.awaited(self.state) & self.to_act

    @property
    def withdrawn(self) -> frozenset[Seat]:
        """The seats that have resigned or run out of time, while the others play on."""
        return frozenset(self._table.withdrawn)

    def in_force(self) -> Iterator[int]:
        """The numbers in the log of the entries that the table stands on, from the last back."""
        line = self._line
        while line is not None:
            yield line.number
            line = line.before

    # -- What a viewer gets ------------------------------------------------------------------

    def view(self, viewer: Viewer) -> Any:
        return self.game.view(self.state, self.eyes(viewer))

    def told(self, viewer: Viewer) -> list[tuple[int, Entry]]:
        """The log as this viewer's record has it, numbered from 1."""
        eyes = self.eyes(viewer)
        numbers = (number for number in range(1, self.ply + 1) if self._is_told(number, eyes))
        return [(place, self._entry_for(number, eyes)) for place, number in enumerate(numbers, 1)]

    def events_told(self, viewer: Viewer) -> list[tuple[Event, ...]]:
        """What each of these entries caused, as far as this viewer may know it."""
        eyes = self.eyes(viewer)
        return [
            tuple(event.seen_by(eyes) for event in happening.events)
            for number, happening in enumerate(self.happenings, 1)
            if self._is_told(number, eyes)
        ]

    def version(self, viewer: Viewer) -> int:
        """Changes exactly when the viewer's log does, and its view never changes without."""
        eyes = self.eyes(viewer)
        return sum(self._is_told(number, eyes) for number in range(1, self.ply + 1))

    def number_in_log(self, viewer: Viewer, number: int) -> int:
        """Where an entry stands that has this number in the viewer's record."""
        eyes = self.eyes(viewer)
        numbers = [n for n in range(1, self.ply + 1) if self._is_told(n, eyes)]
        if not 1 <= number <= len(numbers):
            raise Unreadable("no-entry", f"there is no entry {number}")
        return numbers[number - 1]

    def eyes(self, viewer: Viewer) -> Viewer:
        """With whose eyes the viewer looks: once the match is over, everything is open."""
        if viewer != self.viewer and self.viewer != OPEN:
            raise Illegal("told", "a match from one viewer's record can only show that viewer")
        if viewer is not None and viewer != OPEN:
            self._check_seat(viewer)
        return viewer if self.outcome is None else OPEN

    def _is_told(self, number: int, eyes: Viewer) -> bool:
        return self.happenings[number - 1].text_for(eyes) is not None

    def _entry_for(self, number: int, eyes: Viewer) -> Entry:
        entry, happening = self.log[number - 1], self.happenings[number - 1]
        text = happening.text_for(eyes)
        assert text is not None
        return _entry(entry.kind, entry.seat, text, happening.facts_for(eyes))

    # -- Going on ----------------------------------------------------------------------------

    def submit(
        self, seat: Seat, text: str, *, version: int | None = None, settles: bool = True
    ) -> Happening:
        """A seat's move, as text, and all that it causes. `version` is that of the view which the
        seat looked at. Sealed moves that are complete stay sealed if it `settles` nothing; then
        `adjudicate` or `deadline` is to be entered later."""
        happening = self._submit(seat, text, version)
        return self._settle(happening) if settles else happening

    def _submit(self, seat: Seat, text: str, version: int | None = None) -> Happening:
        self._check_not_told()
        self._check_seat(seat)
        move = self.game.parse_move(self.deck, text)
        self._check_goes_on("move")
        if version is not None and version != self.version(seat):
            raise Stale("stale", "the table has changed since you looked at it")
        self._check_to_act(seat)
        entry = Entry("move", seat, text)
        self._check_legal(self.state, entry, move)
        return self._add(entry)

    def _settle(self, happening: Happening) -> Happening:
        """Where sealed moves were waiting for the last of them, open them all. It is an entry of
        its own and no seat's: whose move came last is nobody else's to know."""
        if self.outcome is not None or self.awaited or not self.to_act:
            return happening
        opened = self._add(Entry("adjudicate", None))
        events = (*happening.events, *opened.events)
        return replace(happening, events=events, reveals=happening.reveals or opened.reveals)

    def enter(
        self, kind: str, seat: Seat | None, text: str = "", *, settles: bool = True
    ) -> Happening:
        """Any entry but a move. `text` is the name for `seat`, and for `take-back` and `roll-back`
        the number in the log of the entry before which the table shall stand again."""
        self._check_not_told()
        happening = self._enter(Entry(kind, seat, text))
        is_last = settles and kind in ("flag", "resign")
        return self._settle(happening) if is_last else happening

    def _enter(self, entry: Entry) -> Happening:
        """Check an entry that is not a move, and add it."""
        kind, seat = entry.kind, entry.seat
        if kind not in KINDS or kind == "move":
            raise Unreadable("kind", f"there is no entry {kind[:40]!r}")
        if (seat is not None) != (kind in OF_A_SEAT):
            who = "a seat's" if kind in OF_A_SEAT else "no seat's"
            raise Unreadable("seat", f"{kind!r} is {who} entry")
        if entry.text and kind not in WITH_TEXT:
            raise Unreadable("text", f"nothing comes after {kind!r}, not {entry.text[:40]!r}")
        self._check_goes_on(kind)
        if seat is not None:
            self._check_seat(seat)
            if kind in ("flag", "resign") and seat in self._table.withdrawn:
                raise Illegal("withdrawn", f"seat {self.game.seats[seat]} has already withdrawn")
            if kind == "flag" and seat not in self.awaited:
                raise NotYourTurn("not-your-turn", "no time runs for a seat that is not awaited")
        if kind == "seat":
            entry = replace(entry, text=checked_name(entry.text))
        # Only the keeper of the whole log can know who has sent something.
        if kind == "adjudicate" and self.viewer == OPEN and (self.awaited or not self.to_act):
            raise Illegal("awaited", "not every seat that may move has done so")
        if kind == "resume" and not self.paused:
            raise Illegal("not-paused", "the match is not paused")
        if kind in ("take-back", "roll-back"):
            return self._turn_back(entry)
        return self._add(entry)

    def repeat(self, entry: Entry) -> None:
        """One entry of a log once more; it must come out as it is written there. What it caused is
        an entry of the log too, so nothing follows by itself."""
        if entry.kind != "move":
            self._enter(entry)
        elif self.viewer == OPEN:
            self._submit(_seat_of(entry), entry.text)
        else:
            self._repeat_told_move(entry)
        if self.log[-1] != entry:
            raise Illegal("differs", f"it should read {_quoted(self.log[-1])}")
        if self.viewer != OPEN and self.outcome is not None:
            # Once it is over everything is open, so there is no record for one viewer.
            raise Illegal("finished", "a finished match has no record for one viewer alone")

    def _repeat_told_move(self, entry: Entry) -> None:
        """A move as one viewer was told of it."""
        seat = _seat_of(entry)
        self._check_seat(seat)
        self._check_goes_on("move")
        self._check_to_act(seat)
        if seat == self.viewer:
            self._check_legal(self.state, entry, self.game.parse_move(self.deck, entry.text))
        self._add(entry)

    def _add(self, entry: Entry) -> Happening:
        """Carry out a checked entry and write it down."""
        # A new name changes nothing on the table, unless the seat stood empty.
        substitutes = entry.kind == "seat" and entry.seat in self._table.withdrawn
        on_the_table = substitutes or entry.kind in _ON_THE_TABLE
        happening = self._carry_out(self._table, entry)
        line = _Link(self.ply + 1, self._line) if on_the_table else self._line
        return self._write(entry, happening, line)

    def _write(self, entry: Entry, happening: Happening, line: _Link | None) -> Happening:
        text = happening.text_for(self.viewer)
        if text is None:
            raise Illegal("differs", "the viewer would not have been told of it")
        if entry.kind == "seat" and entry.seat is not None:
            self.names[entry.seat] = entry.text
        elif entry.kind in ("pause", "resume"):
            self.paused = entry.kind == "pause"
        self.log.append(_entry(entry.kind, entry.seat, text, happening.facts_for(self.viewer)))
        self.happenings.append(happening)
        self._line_before.append(self._line)
        self._line = line
        return happening

    def _carry_out(self, table: _Table, entry: Entry) -> Happening:
        """Change the table by an entry known to be right."""
        game, seat, told = self.game, entry.seat, self.viewer != OPEN
        if entry.kind == "move":
            assert seat is not None
            if told:
                move = game.learn(table.state, seat, entry.text, entry.facts)
                # Only now can it be judged, as far as the viewer knows what that takes.
                self._check_legal(table.state, entry, move)
            else:
                move = game.parse_move(self.deck, entry.text)
            return game.play(table.state, seat, move)
        if entry.kind in ("adjudicate", "deadline"):
            if told:
                game.learn_deadline(table.state, entry.facts)
            return replace(game.deadline(table.state), text=entry.written)
        if entry.kind in ("flag", "resign"):
            assert seat is not None
            table.decided = game.withdraw(table.state, seat, entry.kind)
            table.withdrawn.add(seat)
        elif entry.kind == "draw":
            table.decided = game.agree_draw(table.state)
        elif entry.kind == "seat" and seat in table.withdrawn:
            game.rejoin(table.state, seat)
            table.withdrawn.discard(seat)
        return Happening(entry.written)

    # -- Going back --------------------------------------------------------------------------

    def _turn_back(self, entry: Entry) -> Happening:
        number = int(entry.text) if re.fullmatch(r"[1-9][0-9]{0,5}", entry.text) else 0
        if not 1 <= number <= self.ply:
            raise Unreadable("no-entry", f"there is no entry {entry.text[:40]!r} to go back to")
        if entry.kind == "take-back":
            line = self._line_without_last_moves(_seat_of(entry), number)
        else:
            line = self._line_before[number - 1]
        numbers: dict[Viewer, int] = {}
        for viewer in self._viewers():
            stood, stands = self._line_told(self._line, viewer), self._line_told(line, viewer)
            if stood != stands:
                first = number
                if entry.kind == "take-back":
                    # It may begin with moves of which the viewer knows nothing.
                    first = next(taken for taken in stood if taken not in stands)
                numbers[viewer] = 1 + sum(self._is_told(n, viewer) for n in range(1, first))
        if self.viewer not in numbers:
            raise Illegal("no-change", f"the table stands as it did before entry {number}")
        table = self._first_table()
        for earlier in _in_order(line):
            self._carry_out(table, self.log[earlier - 1])
        self._table = table
        return self._write(entry, Reversal(entry.kind, numbers=numbers), line)

    def _line_without_last_moves(self, seat: Seat, number: int) -> _Link | None:
        """What stays in force when a seat takes back its moves from entry `number` on.

        Sealed orders that others sent meanwhile stay: a seat that has not been told of them can
        neither undo them nor find out about them by trying."""
        named = self.log[number - 1]
        if (named.kind, named.seat) != ("move", seat) or number not in _in_order(self._line):
            raise Illegal("not-yours", "only a move of your own that stands can be taken back")
        line = self._line
        kept: list[int] = []
        while line is not None and line.number >= number:
            entry, happening = self.log[line.number - 1], self.happenings[line.number - 1]
            if happening.text_for(seat) is None:
                kept.append(line.number)
            elif entry.kind != "move" or entry.seat != seat or happening.reveals:
                reason = "a move cannot be taken back once something was revealed or another acted"
                raise Illegal("reveals", reason)
            line = line.before
        for earlier in reversed(kept):
            line = _Link(earlier, line)
        return line

    def _line_told(self, line: _Link | None, viewer: Viewer) -> list[int]:
        return [number for number in _in_order(line) if self._is_told(number, viewer)]

    def _first_table(self) -> _Table:
        if self.position is not None:
            return _Table(self.game.set_up(self.deck, self.house, self.position))
        assert self.deal is not None
        return _Table(self.game.start(self.deck, self.house, self.deal))

    # -- Checks ------------------------------------------------------------------------------

    def _viewers(self) -> list[Viewer]:
        return [OPEN, None, *(Seat(number) for number in range(len(self.game.seats)))]

    def _check_not_told(self) -> None:
        if self.viewer != OPEN:
            raise Illegal("told", "a match from one viewer's record cannot go on")

    def _check_seat(self, seat: Seat) -> None:
        if not 0 <= seat < len(self.game.seats):
            raise Unreadable("no-seat", f"{self.game.title} has no seat number {seat}")

    def _check_goes_on(self, kind: str) -> None:
        if self.outcome is not None:
            raise Over("over", "the match is over")
        if self.paused and kind not in _WHILE_PAUSED:
            raise Illegal("paused", "the match is paused")

    def _check_to_act(self, seat: Seat) -> None:
        if seat not in self.to_act:
            raise NotYourTurn("not-your-turn", "it is not your turn")

    def _check_legal(self, state: Any, entry: Entry, move: Any) -> None:
        seat = _seat_of(entry)
        refusal = self.game.why_not(self.game.view(state, seat), move)
        if refusal is not None:
            sentence = self.game.say(refusal.code, refusal.params).rstrip(".")
            # The ply is the seat's own: the log's would count the sealed orders of others.
            ply = sum(self._is_told(number, seat) for number in range(1, self.ply + 1))
            reason = f"{sentence}: {entry.text[:100]!r} at ply {ply}"
            raise Illegal(refusal.code, reason, refusal.clause, refusal.params)


def complete_house(game: AnyGame, house: Mapping[str, str]) -> dict[str, str]:
    """Every house rule of the game with its choice, in the game's order."""
    if unknown := [name for name in house if name not in {rule.name for rule in game.house_rules}]:
        raise Illegal("house-rule", f"{game.title} has no house rule {unknown[0][:40]!r}")
    for rule in game.house_rules:
        if house.get(rule.name, rule.choices[0]) not in rule.choices:
            choices = ", ".join(rule.choices)
            reason = f"the house rule {rule.name!r} is one of {choices}, not {house[rule.name]!r}"
            raise Illegal("house-rule", reason, rule.clause)
    return {rule.name: house.get(rule.name, rule.choices[0]) for rule in game.house_rules}


def checked_name(name: str) -> str:
    """A name for a seat: one line that shows what it says."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME:
        raise Illegal("name", f"a name has 1 to {MAX_NAME} characters")
    if not is_one_line(name):
        raise Illegal("name", "a name cannot hold line breaks or other control characters")
    return name


def is_one_line(text: str) -> bool:
    """Without line breaks, control characters and marks that turn the writing round."""
    # By category and not by `isprintable`, which differs with the version of Unicode.
    return not any(
        character in _TURNS_WRITING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        for character in text
    )


def _check_hexadecimal(what: str, text: str) -> None:
    if not re.fullmatch(rf"[0-9a-f]{{{2 * SALT_BYTES}}}", text):
        raise Unreadable(what, f"the {what} must be {2 * SALT_BYTES} of the digits 0-9 and a-f")


def _entry(kind: str, seat: Seat | None, written: str, facts: tuple[str, ...]) -> Entry:
    text = written if kind == "move" else written[len(kind) + 1 :]
    return Entry(kind, seat, text, facts)


def _seat_of(entry: Entry) -> Seat:
    if entry.seat is None:
        raise Unreadable("seat", f"a {entry.kind} is a seat's entry")
    return entry.seat


def _quoted(entry: Entry) -> str:
    return repr(" -> ".join(filter(None, [entry.written, ", ".join(entry.facts)])))


def _in_order(line: _Link | None) -> Iterator[int]:
    numbers: list[int] = []
    while line is not None:
        numbers.append(line.number)
        line = line.before
    return reversed(numbers)
