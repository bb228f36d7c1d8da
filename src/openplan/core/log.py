"""What is written down in a match: every entry, who was told of it, and which are in force.

The log only grows. A take-back or a roll-back is an entry like any other and deletes nothing; it
decides which of the entries before it are in force.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from openplan.core.game import Happening, Illegal, Seat, Unreadable, Viewer
from openplan.core.sentences import refused

KINDS: Final = (
    "move",
    "adjudicate",
    "deadline",
    "flag",
    "resign",
    "draw",
    "seat",
    "by-master",
    "pause",
    "resume",
    "take-back",
    "roll-back",
)
OF_A_SEAT: Final = frozenset({"move", "flag", "resign", "seat", "by-master", "take-back"})
"""Kinds that one seat enters; the others are by consent, by the clock or by the game master.
`by-master` says that the seat's next orders were entered by the game master."""
WITH_TEXT: Final = frozenset({"move", "seat", "take-back", "roll-back"})


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

    @property
    def quoted(self) -> str:
        return repr(" -> ".join(filter(None, [self.written, ", ".join(self.facts)])))

    def of_seat(self) -> Seat:
        if self.seat is None:
            raise Unreadable("seat", f"a {self.kind} is a seat's entry")
        return self.seat


@dataclass(frozen=True, slots=True)
class Reversal(Happening):
    """A take-back or a roll-back. It names an entry by its number in the reader's own log, and is
    absent where nothing changed for the reader: other numbers would count hidden entries."""

    numbers: Mapping[Viewer, int] = field(default_factory=dict)

    def text_for(self, viewer: Viewer) -> str | None:
        return f"{self.text} {self.numbers[viewer]}" if viewer in self.numbers else None


class Line:
    """The entries in force as a chain from the last to the first, so that every entry can keep the
    chain that stood before it. A link may keep the table to which its entries have led."""

    __slots__ = ("before", "length", "number", "table")

    def __init__(self, number: int, before: Line | None) -> None:
        self.number = number
        self.before = before
        self.length: int = 1 if before is None else before.length + 1
        self.table: Any = None


class Log:
    """The entries of a match, numbered from 1, as its keeper has them."""

    def __init__(self, keeper: Viewer, viewers: Sequence[Viewer]) -> None:
        self.entries: list[Entry] = []
        self.happenings: list[Happening] = []
        self.line: Line | None = None
        self._keeper = keeper
        self._lines_before: list[Line | None] = []
        self._told: dict[Viewer, list[int]] = {viewer: [] for viewer in viewers}

    def __len__(self) -> int:
        return len(self.entries)

    def write(self, entry: Entry, happening: Happening, line: Line | None) -> None:
        """Add an entry as its keeper is told of it; `line` is what is in force after it."""
        self.entries.append(_entry(entry, happening, self._keeper))
        self.happenings.append(happening)
        self._lines_before.append(self.line)
        self.line = line
        for viewer, numbers in self._told.items():
            if happening.text_for(viewer) is not None:
                numbers.append(len(self.entries))

    # -- Who was told ------------------------------------------------------------------------

    def told(self, viewer: Viewer) -> Sequence[int]:
        """The numbers of the entries of which this viewer was told."""
        return self._told[viewer]

    def entry_for(self, number: int, viewer: Viewer) -> Entry:
        """An entry as this viewer was told of it."""
        return _entry(self.entries[number - 1], self.happenings[number - 1], viewer)

    # -- What is in force --------------------------------------------------------------------

    def line_before(self, number: int) -> Line | None:
        return self._lines_before[number - 1]

    def last_move(self, seat: Seat) -> int | None:
        """The number of a seat's last move that is in force."""
        for number in from_last(self.line):
            entry = self.entries[number - 1]
            if (entry.kind, entry.seat) == ("move", seat):
                return number
        return None

    def line_without(self, seat: Seat, number: int) -> Line | None:
        """What stays in force when a seat takes back its moves from entry `number` on.

        Sealed orders that others sent meanwhile stay: a seat that has not been told of them can
        neither undo them nor find out about them by trying."""
        named = self.entries[number - 1]
        found = next((one for one in from_last(self.line) if one <= number), 0)
        if (named.kind, named.seat) != ("move", seat) or found != number:
            raise refused(Illegal, "not-yours")
        line = self.line
        kept: list[int] = []
        while line is not None and line.number >= number:
            entry, happening = self.entries[line.number - 1], self.happenings[line.number - 1]
            if happening.text_for(seat) is None:
                kept.append(line.number)
            elif entry.kind != "move" or entry.seat != seat or happening.reveals:
                raise refused(Illegal, "reveals")
            line = line.before
        for earlier in reversed(kept):
            line = Line(earlier, line)
        return line

    def reversal(self, entry: Entry, number: int, line: Line | None) -> Reversal:
        """A take-back or roll-back to before entry `number`, as each viewer is told of it."""
        numbers: dict[Viewer, int] = {}
        fell, rose = _parted(self.line, line)
        for viewer, told in self._told.items():
            stood, stands = ([one for one in end if _is_in(told, one)] for end in (fell, rose))
            if stood != stands:
                first = number
                if entry.kind == "take-back":
                    # It may begin with moves of which the viewer knows nothing.
                    first = next(taken for taken in stood if taken not in stands)
                numbers[viewer] = 1 + bisect_left(told, first)
        return Reversal(entry.kind, numbers=numbers)


def _entry(entry: Entry, happening: Happening, viewer: Viewer) -> Entry:
    written = happening.text_for(viewer)
    if written is None:
        raise Illegal("differs", "the viewer would not have been told of it")
    text = written if entry.kind == "move" else written[len(entry.kind) + 1 :]
    return Entry(entry.kind, entry.seat, text, happening.facts_for(viewer))


def from_last(line: Line | None) -> Iterator[int]:
    while line is not None:
        yield line.number
        line = line.before


def _parted(one: Line | None, other: Line | None) -> tuple[list[int], list[int]]:
    """The ends of two chains, in order, from where they part. What they share is not walked: in a
    long log that would be nearly all."""
    ends: tuple[list[int], list[int]] = ([], [])
    while one is not other:
        if other is None or (one is not None and one.length >= other.length):
            assert one is not None
            ends[0].append(one.number)
            one = one.before
        else:
            ends[1].append(other.number)
            other = other.before
    return ends[0][::-1], ends[1][::-1]


def _is_in(numbers: Sequence[int], number: int) -> bool:
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number
