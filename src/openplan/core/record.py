"""A match as text: header, deal, log, result, and a check over all of it. Read and written.

There is one way to write a match for a viewer. A text is accepted if replaying it gives a match
that is written exactly so, and refused otherwise, with the line where it goes wrong.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final

from openplan.core.deal import ADDED_NOTHING, Deal, chance_lines, deal_lines
from openplan.core.deck import Deck, DeckError
from openplan.core.game import (
    OPEN,
    AnyGame,
    GameError,
    Illegal,
    Outcome,
    Position,
    Seat,
    Unreadable,
    Viewer,
)
from openplan.core.lines import is_one_line
from openplan.core.log import KINDS, Entry
from openplan.core.match import Match, complete_house
from openplan.core.names import checked_name

FORMATS: Final = ("1", "2")
"""In the first a salt seals the deal; in the second the seats add to the chance it is drawn from
(`deal.py`). A match without a deal is written in the first."""
MAX_BYTES: Final = 1_000_000
MAX_LINES: Final = 10_000

GameNamed = Callable[[str], AnyGame]
FindDeck = Callable[[AnyGame, str, str], Deck]
"""Game, the deck's name and its content hash. Core reads no files, so the caller brings this."""

_LABEL: Final = r"[A-Za-z][A-Za-z0-9-]*(?: [A-Za-z0-9-]+)*"
_HASH: Final = r"[0-9a-f]{64}"


# -- Writing ---------------------------------------------------------------------------------


def write_record(match: Match, viewer: Viewer = OPEN) -> str:
    """The match as `viewer` may have it; the same text for everybody once it is over."""
    eyes = match.eyes(viewer)
    lines = [
        *_header(match, eyes),
        "log:",
        *(format_entry(match.game, number, entry) for number, entry in match.told(viewer)),
        f"result: {format_outcome(match.game, match.outcome)}",
    ]
    return "".join(f"{line}\n" for line in [*lines, f"check: {_digest(lines)}"])


def _header(match: Match, eyes: Viewer) -> Iterator[str]:
    game, deck = match.game, match.deck
    yield f"open-plan record {FORMATS[0 if match.added is None else 1]}"
    yield f"game: {game.name}, rules {match.rules}"
    yield f"deck: {deck.name} {deck.hash}"
    yield f"house: {_format_house(match)}"
    for code, name in zip(game.seats, match.first_names, strict=True):
        yield f"seat {code}: {name}"
    yield f"viewer: {viewer_name(game, eyes)}"
    if match.position is not None:
        if eyes != OPEN:
            raise Illegal("position", "a match set up by hand has no record for one viewer alone")
        yield from _position_lines(match.position)
    elif match.deal is not None:
        yield f"commitment: {match.commitment}"
        if eyes == OPEN and match.added is None:
            yield f"salt: {match.salt}"
        elif eyes == OPEN and match.added is not None:
            yield from chance_lines(match.salt, game.seats, match.added)
        is_told = match.viewer != OPEN
        yield from deal_lines(match.deal if is_told else game.deal_told(deck, match.deal, eyes))


def _format_house(match: Match) -> str:
    known = [rule.name for rule in match.game.house_rules if rule.since <= match.rules]
    return " ".join(f"{name}={match.house[name]}" for name in known) or "none"


def _position_lines(position: Position) -> Iterator[str]:
    for key, value in position.items():
        line = f"position {key}: {_format_position(value)}"
        if _parse_position_line(line) != (key, value) or not is_one_line(line):
            raise Illegal("position", f"{key[:40]!r} of this position cannot be written down")
        yield line


def _format_position(value: str | Sequence[str]) -> str:
    """Rows are joined by a slash. One row has a slash after it, to tell it from a text."""
    if isinstance(value, str):
        return value
    return " / ".join(value) if len(value) > 1 else "".join(f"{row} /" for row in value)


def format_entry(game: AnyGame, number: int, entry: Entry) -> str:
    seat = "-" if entry.seat is None else game.seats[entry.seat]
    facts = f" -> {', '.join(entry.facts)}" if entry.facts else ""
    return f"{number}. {seat} {entry.written}{facts}"


def format_outcome(game: AnyGame, outcome: Outcome | None) -> str:
    if outcome is None:
        return "none yet"
    winners = [game.seats[seat] for seat in outcome.winners]
    if not winners:
        verdict = "draw"
    elif len(winners) == 1:
        verdict = f"{winners[0]} wins"
    else:
        verdict = f"{', '.join(winners[:-1])} and {winners[-1]} win"
    pairs = zip(game.seats, outcome.points, strict=False)
    points = ", ".join(f"{code} {number}" for code, number in pairs)
    why = ", ".join(filter(None, [outcome.reason, outcome.clause]))
    return f"{verdict}{': ' if points else ''}{points} ({why})"


def viewer_name(game: AnyGame, viewer: Viewer) -> str:
    if viewer is None:
        return "spectator"
    return "all" if viewer == OPEN else game.seats[viewer]


def viewer_named(game: AnyGame, name: str) -> Viewer:
    for viewer in (OPEN, None, *(Seat(number) for number in range(len(game.seats)))):
        if name == viewer_name(game, viewer):
            return viewer
    known = ", ".join(["all", "spectator", *game.seats])
    raise Unreadable("viewer", f"there is no viewer {name[:40]!r}; there are: {known}")


def _digest(lines: Sequence[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


# -- Reading ---------------------------------------------------------------------------------


def read_record(text: str | bytes, game_named: GameNamed, find_deck: FindDeck) -> Match:
    """The match that a record tells of, replayed by the rules. Anything that does not fit is
    refused by a `GameError` whose `params["line"]` is the line."""
    lines = _lines(text)
    told = _parse(lines, game_named, find_deck)
    try:
        match = Match.replay(
            told.game,
            told.deck,
            told.house,
            told.entries,
            deal=told.deal or None,
            position=told.position or None,
            salt=told.salt,
            added=told.added,
            commitment=told.commitment,
            names=told.names,
            viewer=told.viewer,
            rules=told.rules,
        )
    except GameError as error:
        entry = error.params.get("entry")
        in_header = told.line_of.get(error.code, told.line_of["deal"])
        number = told.line_of["log"] + entry if isinstance(entry, int) else in_header
        raise _at_line(number, error) from None
    expected = write_record(match, match.viewer).split("\n")[:-1]
    for number, (line, right) in enumerate(zip(lines[:-1], expected, strict=False), 1):
        if line != right:
            raise _fault(number, f"it should read {right[:200]!r}", "differs")
    if lines != expected:
        raise _fault(len(lines), "the check does not fit: the text was changed or cut", "check")
    return match


def _lines(text: str | bytes) -> list[str]:
    """The text cut into lines, within limits, from its first line to its check."""
    try:
        data = text.encode() if isinstance(text, str) else text
        text = data.decode()
    except UnicodeError as error:
        raise Unreadable("encoding", f"not readable as UTF-8: {error}") from None
    lines = text.split("\n")
    if len(data) > MAX_BYTES or len(lines) > MAX_LINES:
        raise Unreadable("size", f"a record has at most {MAX_BYTES} bytes, {MAX_LINES} lines")
    for number, line in enumerate(lines, 1):
        # Most lines pass the quick test.
        if not line.isprintable() and not is_one_line(line):
            raise _fault(number, "there is a control character in it", "control")
    found = re.fullmatch(r"open-plan record ([0-9]{1,9})", lines[0])
    if not found:
        raise _fault(1, "not a record: it must begin 'open-plan record' and a number", "format")
    if found[1] not in FORMATS:
        known = " and ".join(FORMATS)
        raise _fault(1, f"record format {found[1]} is not known here, only {known}", "format")
    if lines[-1] or not re.fullmatch(f"check: {_HASH}", lines[-2]):
        end = len(lines) if lines[-1] else len(lines) - 1
        raise _fault(end, "the text must end with a check line: it was changed or cut", "cut")
    return lines[:-1]


@dataclass(slots=True)
class _Told:
    """What a record says, before the rules have judged it."""

    game: AnyGame
    rules: int
    deck: Deck
    house: Mapping[str, str]
    names: Sequence[str]
    viewer: Viewer
    commitment: str
    salt: str
    added: Sequence[str] | None
    deal: Deal
    position: Position
    entries: Sequence[Entry]
    line_of: Mapping[str, int]
    """Where a part of the record stands."""


class _Cursor:
    """Takes the lines one by one and knows where it is."""

    def __init__(self, lines: Sequence[str], number: int) -> None:
        self._lines = lines
        self.number = number

    def is_at(self, start: str) -> bool:
        return self._lines[self.number - 1].startswith(start)

    def take(self, pattern: str, what: str) -> tuple[str, ...]:
        line = self._lines[self.number - 1]
        found = re.fullmatch(pattern, line)
        if not found:
            raise _fault(self.number, f"expected {what}, not {line[:60]!r}", "unreadable")
        self.number += 1
        return found.groups()

    @contextmanager
    def judging(self) -> Iterator[None]:
        """What is refused in here was wrong with the line just taken."""
        try:
            yield
        except GameError as error:
            raise _at_line(self.number - 1, error) from None
        except DeckError as error:
            raise _fault(self.number - 1, str(error), "deck") from None


def _parse(lines: Sequence[str], game_named: GameNamed, find_deck: FindDeck) -> _Told:
    # The first line has been read, and so has the last, which stays as a stop for the cursor.
    cursor = _Cursor(lines, 2)
    line_of: dict[str, int] = {}

    name, rules = cursor.take(r"game: (\S+), rules ([0-9]{1,9})", "'game: NAME, rules NUMBER'")
    with cursor.judging():
        game = game_named(name)
        if not game.oldest_rules <= int(rules) <= game.rules_version:
            known = " to ".join(map(str, sorted({game.oldest_rules, game.rules_version})))
            raise Unreadable("rules", f"rules {rules} of {name} are not known here, only {known}")

    name, content = cursor.take(rf"deck: ([a-z0-9-]+) ({_HASH})", "'deck: NAME HASH'")
    with cursor.judging():
        deck = find_deck(game, name, content)
        if deck.hash != content:
            raise Unreadable("deck", f"the deck {deck.name!r} here is another than the match's")
        # A match is frozen to the content. The name is what the deck was called then.
        deck = replace(deck, name=name)

    (choices,) = cursor.take(r"house: (none|\S+=\S+(?: \S+=\S+)*)", "'house: RULE=CHOICE ...'")
    with cursor.judging():
        pairs = [choice.partition("=") for choice in choices.split() if choices != "none"]
        house = {rule: choice for rule, _, choice in pairs}
        complete_house(game, house, int(rules))

    names = []
    for code in game.seats:
        (name,) = cursor.take(f"seat {re.escape(code)}: (.+)", f"'seat {code}: NAME'")
        with cursor.judging():
            names.append(checked_name(name))

    (name,) = cursor.take(r"viewer: (\S+)", "'viewer: all', a seat or 'spectator'")
    with cursor.judging():
        viewer = viewer_named(game, name)

    commitment = salt = ""
    added: list[str] | None = [] if lines[0].endswith(FORMATS[1]) else None
    deal: dict[str, tuple[str, ...]] = {}
    position: dict[str, str | Sequence[str]] = {}
    line_of["deal"] = cursor.number
    if cursor.is_at("position ") and viewer == OPEN:
        while cursor.is_at("position "):
            (line,) = cursor.take("(position .*)", "'position KEY: VALUE'")
            key, value = _parse_position_line(line) or ("", "")
            if not key or key in position:
                raise _fault(cursor.number - 1, "not a new part of the position", "position")
            position[key] = value
    else:
        line_of["commitment"] = cursor.number
        (commitment,) = cursor.take(f"commitment: ({_HASH})", "'commitment: HASH'")
        line_of["chance"] = line_of["server's chance"] = line_of["salt"] = cursor.number
        if added is not None and viewer == OPEN:
            (salt,) = cursor.take(f"chance server: ({_HASH})", "'chance server: DIGITS'")
            for code in game.seats:
                (bytes_,) = cursor.take(
                    f"chance {re.escape(code)}: ({_HASH}|{ADDED_NOTHING})", f"'chance {code}: ...'"
                )
                added.append(bytes_)
        elif viewer == OPEN:
            (salt,) = cursor.take(f"salt: ({_HASH})", "'salt: DIGITS'")
        line_of["deal"] = cursor.number
        while cursor.is_at("deal ") or not deal:
            label, cards = cursor.take(rf"deal ({_LABEL}):((?: \S+)*)", "'deal LABEL: CARDS'")
            if label in deal:
                raise _fault(cursor.number - 1, f"a second deal of {label[:40]!r}", "deal")
            deal[label] = tuple(cards.split())

    line_of["log"] = cursor.number
    cursor.take("log:", "'log:'")
    entries: list[Entry] = []
    while not cursor.is_at("result: "):
        number, seat, written = cursor.take(
            r"([1-9][0-9]{0,4})\. (\S+) (\S.*)", "an entry such as '1. A ...', or the result"
        )
        with cursor.judging():
            if number != str(len(entries) + 1):
                raise Unreadable("number", f"expected entry {len(entries) + 1}, not {number}")
            entries.append(_parse_entry(game, seat, written))
    cursor.take("result: .+", "'result: ...'")
    if cursor.number != len(lines):
        raise _fault(cursor.number, "only the check line may come after the result", "unreadable")
    return _Told(
        game,
        int(rules),
        deck,
        house,
        names,
        viewer,
        commitment,
        salt,
        added,
        deal,
        position,
        entries,
        line_of,
    )


def _parse_position_line(line: str) -> tuple[str, str | tuple[str, ...]] | None:
    found = re.fullmatch(f"position ({_LABEL}): (.*)", line)
    if not found:
        return None
    key, value = found.groups()
    if value.endswith(" /"):
        return key, (value.removesuffix(" /"),)
    return key, tuple(value.split(" / ")) if " / " in value else value


def _parse_entry(game: AnyGame, seat_code: str, written: str) -> Entry:
    if seat_code != "-" and seat_code not in game.seats:
        raise Unreadable("no-seat", f"{game.title} has no seat {seat_code[:40]!r}")
    seat = None if seat_code == "-" else Seat(game.seats.index(seat_code))
    if written.startswith("seat "):
        # A name may hold anything, also what would look like facts.
        return Entry("seat", seat, written.removeprefix("seat "))
    text, arrow, facts = written.partition(" -> ")
    told = tuple(facts.split(", ")) if arrow else ()
    kind, _, argument = text.partition(" ")
    if kind in KINDS and kind != "move":
        return Entry(kind, seat, argument, told)
    return Entry("move", seat, text, told)


def _at_line(number: int, error: GameError) -> GameError:
    params = {**error.params, "line": number}
    return type(error)(error.code, f"line {number}: {error.reason}", error.clause, params)


def _fault(number: int, reason: str, code: str) -> Unreadable:
    return Unreadable(code, f"line {number}: {reason}", "", {"line": number})
