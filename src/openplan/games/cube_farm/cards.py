"""The cards: decks read from files and checked (CF-8), and drawings of squares with walls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NamedTuple

from openplan.core.deck import (
    Deck,
    DeckError,
    Fault,
    Said,
    cards_of,
    content_hash,
    line_of,
    lines_of,
    not_a_text,
    not_one_line,
    parse_deck_file,
    write_deck,
)
from openplan.core.grid import Square
from openplan.games.cube_farm.kernel import codes

LETTERS: Final = "_.,E#VRPDLFCcsyw"
"""Each kind of square by its letter, in the order of the kernel's numbers; `,` is filled floor."""
ON_CARDS: Final = LETTERS.replace("_", "").replace(",", "")
KIND_NAMES: Final = (
    "uncovered",
    "floor",
    "filled",
    "elevator",
    "cube",
    "vp",
    "receptionist",
    "photocopier",
    "shredder",
    "laser-printer",
    "fax-machine",
    "supply-cabinet",
    "coffee-machine",
    "soda-machine",
    "candy-machine",
    "water-cooler",
)
SIDES: Final = "NESW"
MACHINES: Final = KIND_NAMES[codes.PHOTOCOPIER :]
"""What stands on bonus squares."""
LEAST_VALUE: Final = 1
MOST_VALUE: Final = 9

MIN_CARDS: Final = 48
MAX_CARDS: Final = 200
MAX_NUMBER: Final = 999
MIN_ELEVATORS: Final = 3
MAX_VPS: Final = 3
ON_ONE_FLOOR: Final = 16  # the card it starts with, and one in each of fifteen phases


@dataclass(frozen=True, slots=True)
class Card:
    """Kinds and walls of the squares, row by row, as printed; a wall is a bit per side of NESW."""

    number: int
    title: str
    text: str
    drawing: tuple[str, ...]
    width: int
    height: int
    kinds: tuple[int, ...]
    walls: tuple[int, ...]

    @property
    def name(self) -> str:
        return str(self.number)

    @property
    def is_elevator(self) -> bool:
        return codes.ELEVATOR in self.kinds


@dataclass(frozen=True, slots=True)
class FarmDeck(Deck):
    card: Mapping[str, Card]
    index: Mapping[str, int]
    """A card's number in the kernel: its place among the cards, which are sorted by number."""
    values: tuple[int, ...] = tuple(codes.VALUES)
    """What each kind of square is worth (CF-6.6), by the kernel's numbers."""

    def __hash__(self) -> int:
        return hash(self.hash)

    def covered_by(self, name: str, square: Square, turn: int) -> set[Square]:
        """The squares on which a card would lie with this north-west square."""
        card = self.card[name]
        size = (card.width, card.height)
        width, height = size if turn % 2 == 0 else reversed(size)
        x, y = square
        return {Square(x + dx, y + dy) for dx in range(width) for dy in range(height)}

    def name_of(self, index: int) -> str:
        return "?" if index == codes.NONE else self.cards[index]

    @property
    def longest(self) -> int:
        """The longest side of any card."""
        return max(max(card.width, card.height) for card in self.card.values())

    def worth(self, kind: int) -> int:
        """What a kind of square gives (CF-6.2) or takes (CF-6.3); 0 if neither."""
        return _worth(kind, self.values)


class Rulings(NamedTuple):
    """What a table has settled of that on which the author's rules are silent."""

    spends_lost: bool = False
    loses_together: bool = False
    corner_touches: bool = False
    knows_from_afar: bool = False


OURS: Final = Rulings()


def rulings_of(house: Mapping[str, str]) -> Rulings:
    return Rulings(
        house["spend-lost"] == "yes",
        house["lose-together"] == "yes",
        house["corner-touches"] == "yes",
        house["far-knowledge"] == "yes",
    )


@lru_cache(maxsize=64)
def kernel_cards(deck: FarmDeck, rulings: Rulings = OURS) -> codes.Cards:
    """The deck as the kernel's tables."""
    cards = [deck.card[name] for name in deck.cards]
    return codes.Cards(
        [[card.width, card.height] for card in cards],
        [list(card.kinds) for card in cards],
        [list(card.walls) for card in cards],
        list(deck.values),
        *rulings,
    )


# -- Drawings --------------------------------------------------------------------------------


class DrawingError(ValueError):
    """What is wrong with a drawing."""


def read_drawing(
    rows: Sequence[str], letters: str = ON_CARDS
) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
    """Width, height, kinds and walls of a rectangle drawn with walls between its squares: 2h+1 rows
    of 2w+1 characters. Rows may be shorter by blanks at their end."""
    if len(rows) < 3 or len(rows) % 2 == 0:
        raise DrawingError(f"{len(rows)} rows; h rows of squares are drawn with 2h+1 rows")
    length = max(len(row) for row in rows)
    length += 1 - length % 2
    # Before short rows are made as long as the longest: a few of them could fill all memory.
    if max(length, len(rows)) > 2 * codes.LONGEST + 1:
        most = codes.LONGEST
        raise DrawingError(f"{length // 2}x{len(rows) // 2} squares, at most {most}x{most} can be")
    if length < 3:
        raise DrawingError("the rows are too short; w squares are drawn with 2w+1 characters")
    lines = [row.ljust(length) for row in rows]
    width, height = length // 2, len(rows) // 2
    for y, line in enumerate(lines):
        for x, character in enumerate(line):
            allowed = _allowed(x, y, letters)
            if character not in allowed:
                raise DrawingError(
                    f"row {y + 1}, character {x + 1} is {character!r}, not one of {allowed!r}"
                )
    kinds, walls = [], []
    for y in range(1, len(lines), 2):
        for x in range(1, length, 2):
            kinds.append(LETTERS.index(lines[y][x]))
            around = (lines[y - 1][x], lines[y][x + 1], lines[y + 1][x], lines[y][x - 1])
            walls.append(sum(1 << side for side, edge in enumerate(around) if edge != " "))
    return width, height, tuple(kinds), tuple(walls)


def _allowed(x: int, y: int, letters: str) -> str:
    if x % 2 and y % 2:
        return letters
    if x % 2:
        return "- "
    return "| " if y % 2 else "+ "


# -- Reading a deck --------------------------------------------------------------------------

_FIELDS: Final = {"number", "title", "text", "drawing"}


def read_deck(text: str, source: str, game: str) -> FarmDeck:
    """A deck that satisfies CF-8.2, or a `DeckError` with everything that is wrong."""
    table, entries = parse_deck_file(text, source, game)
    faults: list[Fault] = []
    cards: dict[int, Card] = {}
    faces: list[Card] = []
    if len(entries) > MAX_CARDS:
        fault = f"{len(entries)} cards, at most {MAX_CARDS} can be played with"
        raise DeckError([Fault(source, "", fault)])
    for place, entry in enumerate(entries, 1):
        label, problems, card = _read_card(entry, place)
        faults += [Fault(source, label, fault, clause, place) for fault, clause in problems]
        if card and card.number in cards:
            twice = Said("a second card with this number", "eine zweite Karte mit dieser Nummer")
            faults.append(Fault(source, label, twice, "CF-2.2", place))
        if card:
            cards[card.number] = card
            faces.append(card)
    if len(entries) < MIN_CARDS:
        fault = Said(
            f"{len(entries)} cards, at least {MIN_CARDS} are needed",
            f"{len(entries)} Karten, mindestens {MIN_CARDS} sind nötig",
        )
        faults.append(Fault(source, "", fault, "CF-8.2"))
    values, wrong = _read_values(table.get("values", {}))
    faults += [Fault(source, "", fault, "CF-8.2") for fault in wrong]
    if len(faces) == len(entries):
        faults += [Fault(source, "", fault, clause) for fault, clause in _compare(faces)]
    if faults:
        raise DeckError(faults)
    ordered = {str(number): cards[number] for number in sorted(cards)}
    content: object = [[c.number, c.title, c.text, list(c.drawing)] for c in ordered.values()]
    # Stating what holds anyway means the same as not stating it.
    own = {
        name: value
        for name, value, usual in zip(KIND_NAMES, values, codes.VALUES, strict=True)
        if value != usual
    }
    if own:
        content = {"cards": content, "values": own}
    names = tuple(ordered)
    index = {name: place for place, name in enumerate(names)}
    title, hashed = table["title"], content_hash(content)
    return FarmDeck(table["name"], title, hashed, names, ordered, index, values)


def _read_values(entry: Any) -> tuple[tuple[int, ...], list[str]]:
    """What each kind of square is worth in this deck (CF-6.6), and what is wrong with that."""
    values = list(codes.VALUES)
    if not isinstance(entry, dict):
        return tuple(values), ["the field `values` must be a table, such as { shredder = 4 }"]
    faults = []
    for name, value in entry.items():
        if name not in MACHINES:
            faults.append(
                f"no value can be stated for {name!r:.60}, only for {', '.join(MACHINES)}"
            )
        elif isinstance(value, bool) or not isinstance(value, int):
            faults.append(f"the value of {name} must be a whole number, not {value!r:.60}")
        elif not LEAST_VALUE <= value <= MOST_VALUE:
            fault = f"the value of {name} must be from {LEAST_VALUE} to {MOST_VALUE}, not {value}"
            faults.append(fault[:200])
        else:
            values[KIND_NAMES.index(name)] = value
    return tuple(values), faults


def _read_card(entry: Any, place: int) -> tuple[str, list[tuple[str, str]], Card | None]:
    """A card's label, what is wrong with it (fault, clause), and the card if it can be drawn."""
    if not isinstance(entry, dict):
        return f"card {place}", [("not a table of fields", "")], None
    faults: list[tuple[str, str]] = []
    number = entry.get("number")
    label = f"card {number}"
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MAX_NUMBER:
        number = -place
        label = f"card at place {place}"
        fault = Said(
            f"the field `number` must be from 1 to {MAX_NUMBER}, not {entry.get('number')!r:.60}",
            f"die Nummer muss von 1 bis {MAX_NUMBER} sein, nicht {entry.get('number')!r:.60}",
        )
        faults.append((fault, "CF-2.2"))
    for field in ("title", "text"):
        value = entry.get(field)
        if not isinstance(value, str) or not value.strip():
            faults.append((not_a_text(field), ""))
        elif len(value) > 120 or not value.isprintable():
            faults.append((not_one_line(field, 120), ""))
    for field in sorted(set(entry) - _FIELDS):
        faults.append((f"a card has no field `{field:.40}`", "CF-8.2"))
    rows = entry.get("drawing")
    width = height = 0
    kinds: tuple[int, ...] = ()
    walls: tuple[int, ...] = ()
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        faults.append(("the field `drawing` must be a list of rows", "CF-8.2"))
    else:
        try:
            width, height, kinds, walls = read_drawing(rows)
        except DrawingError as error:
            faults.append((f"the drawing: {error}", "CF-8.2"))
        else:
            faults += _face_faults(width, height, kinds)
    if not kinds:
        return label, faults, None
    # Blanks at the end of a row mean nothing, so that they do not change the deck's hash.
    drawing = tuple(row.ljust(2 * width + 1) for row in rows or ())
    title, quip = str(entry.get("title", "")), str(entry.get("text", ""))
    return label, faults, Card(number, title, quip, drawing, width, height, kinds, walls)


def _face_faults(width: int, height: int, kinds: Sequence[int]) -> Iterator[tuple[str, str]]:
    side = codes.MAX_SIDE
    if width > side or height > side:
        english = f"the drawing has {width}x{height} squares, at most {side}x{side} can be"
        german = f"die Zeichnung hat {width}x{height} Felder, höchstens {side}x{side} sind möglich"
        yield Said(english, german), "CF-8.2"
    if kinds.count(codes.VP) > 1:
        yield Said("more than one VP", "mehr als ein Vizepräsident"), "CF-8.2"


def _compare(cards: Sequence[Card]) -> Iterator[tuple[str, str]]:
    """What is wrong with all cards together."""
    elevators = sum(card.is_elevator for card in cards)
    if elevators < MIN_ELEVATORS:
        english = f"{elevators} elevator cards, at least {MIN_ELEVATORS} are needed"
        german = f"{elevators} Karten mit Aufzug, mindestens {MIN_ELEVATORS} sind nötig"
        yield Said(english, german), "CF-8.2"
    vps = sum(card.kinds.count(codes.VP) for card in cards)
    if vps > MAX_VPS:
        english = f"{vps} VPs, at most {MAX_VPS} may be in a deck"
        german = f"{vps} Vizepräsidenten, höchstens {MAX_VPS} dürfen in einem Deck sein"
        yield Said(english, german), "CF-8.2"
    longest = sorted(max(card.width, card.height) for card in cards)[-ON_ONE_FLOOR:]
    if sum(longest) > codes.LONGEST:
        english = f"{ON_ONE_FLOOR} cards in a row could become {sum(longest)} squares long"
        german = f"{ON_ONE_FLOOR} Karten hintereinander könnten {sum(longest)} Felder lang werden"
        yield (
            Said(
                f"{english}, and a floor has room for {codes.LONGEST}",
                f"{german}, und ein Stockwerk hat Platz für {codes.LONGEST}",
            ),
            "",
        )


# -- A file to fill in -----------------------------------------------------------------------

_TEMPLATE_HEAD: Final = """\
# A deck of {title}, to be filled in: at least 48 cards, at least three with an elevator (CF-8.2).
# Each card is drawn as it is printed: squares with the edges between them, a corner at each `+`.
# Edges: - and | are walls, a blank is open. Squares:
#   . floor   # cube   V cube with the VP   R cube with a receptionist   E elevator
#   P photocopier 4   D shredder 4   L laser printer 3   F fax machine 3   C supply cabinet 3
#   c coffee machine 2   s soda machine 2   y candy machine 2   w water cooler 2
# If machines are worth something else on your cards, say so below the title (CF-6.6), from 1 to 9:
#   values = {{ shredder = 3, fax-machine = 4 }}
# `openplan deck check {game} FILE` says what is still wrong.

format = "open-plan deck 1"
game = "{game}"
name = "my-deck"
title = "My deck"
"""

_TEMPLATE_CARD: Final = """\
[[card]]
number = {number}
title = "Card {number}"
text = "..."
drawing = [
  "+-+ + +",
  "|#|. . ",
  "+ + + +",
  " . . {letter} ",
  "+ + + +",
]
"""


def deck_template(game: str, title: str) -> str:
    parts = [_TEMPLATE_HEAD.format(game=game, title=title)]
    for number in range(1, 55):
        letter = "E" if number <= 4 else "."
        parts.append(_TEMPLATE_CARD.format(number=number, letter=letter))
    return "\n".join(parts)


# -- A deck that is being made ---------------------------------------------------------------


def deck_form(table: Mapping[str, Any]) -> dict[str, Any]:
    """The cards as they are drawn, what machines are worth, and what squares there are to choose
    from (by letter, with what they are), with the limits of a card (CF-8.2)."""
    cards = []
    for place, entry in enumerate(cards_of(table), 1):
        number = entry.get("number", place)
        if isinstance(number, str) and number.strip().isdecimal() and len(number) < 9:
            number = int(number)
        drawing = [row.rstrip() for row in lines_of(entry.get("drawing"))]
        length = max((len(row) for row in drawing), default=0)
        length += 1 - length % 2
        cards.append(
            {
                "number": number if type(number) is int else 0,
                "title": line_of(entry.get("title")),
                "text": line_of(entry.get("text")),
                # Longer ones cannot be drawn; the reader says how long they are.
                "drawing": [row.ljust(min(length, 2 * codes.MAX_SIDE + 1)) for row in drawing],
            }
        )
    own = table.get("values")
    values, _ = _read_values(own if isinstance(own, dict) else {})
    return {
        "title": line_of(table.get("title")),
        "cards": cards,
        "values": {name: values[KIND_NAMES.index(name)] for name in MACHINES},
        "squares": {
            letter: {"kind": KIND_NAMES[kind], "worth": _worth(kind, values)}
            for kind, letter in enumerate(LETTERS)
            if letter in ON_CARDS
        },
        "least_value": LEAST_VALUE,
        "most_value": MOST_VALUE,
        "most_side": codes.MAX_SIDE,
        "most_cards": MAX_CARDS,
    }


def deck_text(form: Mapping[str, Any], game: str) -> str:
    table = {name: form.get(name) for name in ("title", "values")} | {"card": form.get("cards")}
    whole = deck_form(table)
    values = {
        name: value
        for name, value in whole["values"].items()
        if value != codes.VALUES[KIND_NAMES.index(name)]
    }
    fields = {"values": values} if values else {}
    return write_deck(game, whole["title"], whole["cards"], **fields)


def _worth(kind: int, values: Sequence[int]) -> int:
    return -values[kind] if kind in (codes.VP, codes.RECEPTIONIST) else values[kind]
