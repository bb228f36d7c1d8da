"""A deck as data: what every game's deck has, and reading its file without trusting it."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from openplan.core.lines import is_one_line

FORMAT = "open-plan deck 1"
MAX_BYTES = 64 * 1024
MAX_LINE = 1000
MAX_NESTING = 8
MAX_TITLE = 80
MAX_TEXT = 400


class Said(str):
    """A fault in English that knows itself in German: what people may meet while they make a deck.
    The rest is only met by who writes files by hand."""

    __slots__ = ("german",)
    german: str

    def __new__(cls, english: str, german: str) -> Self:
        said = super().__new__(cls, english)
        said.german = german
        return said


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a deck file. `card` is empty where the fault is not one card's, and
    `place` is the card's place in the file, from 1 on, or 0."""

    source: str
    card: str
    fault: str
    clause: str = ""
    place: int = 0

    def told(self, language: str) -> str:
        """What is wrong, in a language, or in English where it is not said in that one."""
        return (
            self.fault.german if language == "de" and isinstance(self.fault, Said) else self.fault
        )

    def __str__(self) -> str:
        where = f"{self.source}: {self.card}" if self.card else self.source
        return f"{where}: {self.fault}" + (f" [{self.clause}]" if self.clause else "")


class DeckError(ValueError):
    """A deck that cannot be played with; every fault found, not only the first."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Translation:
    """What a deck and its cards are called in another language: a title and a joke each."""

    title: str
    cards: Mapping[str, tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Deck:
    """What is common to all decks; a game's own deck adds its cards."""

    name: str
    title: str
    hash: str
    cards: tuple[str, ...]
    translations: Mapping[str, Translation] = field(
        default_factory=dict, kw_only=True, compare=False
    )
    """By language. They are no part of what a match is frozen to."""

    def called(self, card: str, language: str, title: str, joke: str) -> tuple[str, str]:
        """A card's title and joke in a language, or as the deck itself has them."""
        known = self.translations.get(language)
        return (title, joke) if known is None else known.cards.get(card, (title, joke))


def content_hash(content: object) -> str:
    """The same for two files that mean the same, however they are laid out."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def not_a_text(field: str) -> Said:
    return Said(f"the field `{field}` must be a text", f"das Feld `{field}` muss ein Text sein")


def not_one_line(field: str, most: int) -> Said:
    return Said(
        f"the field `{field}` must be one line of at most {most} characters",
        f"das Feld `{field}` muss eine Zeile von höchstens {most} Zeichen sein",
    )


def read_table(text: str, source: str) -> dict[str, Any]:
    """What stands in a deck file, of whatever game and however wrong, if it can be read at all."""

    def fail(fault: str) -> DeckError:
        return DeckError([Fault(source, "", fault)])

    # The limits come before parsing: a TOML reader recurses on nested arrays and is quadratic on
    # dotted keys.
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        most = MAX_BYTES // 1024
        raise fail(Said(f"larger than {most} KB", f"größer als {most} KB"))
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_LINE:
            raise fail(f"line {number} is longer than {MAX_LINE} characters")
    if _bracket_depth(text) > MAX_NESTING:
        raise fail(f"brackets nested deeper than {MAX_NESTING}")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise fail(f"not readable as TOML: {error}") from None


def parse_deck_file(text: str, source: str, game: str) -> tuple[Mapping[str, Any], list[Any]]:
    """The file's own fields and its cards, unchecked but of the right format and game."""

    def fail(fault: str) -> DeckError:
        return DeckError([Fault(source, "", fault)])

    table = read_table(text, source)
    if table.get("format") != FORMAT:
        raise fail(f"the field `format` must be {FORMAT!r}, not {table.get('format')!r}")
    if table.get("game") != game:
        raise fail(f"a deck of {table.get('game')!r}, not of {game!r}")
    for name in ("name", "title"):
        if not isinstance(table.get(name), str) or not table[name].strip():
            raise fail(not_a_text(name))
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}", table["name"]):
        raise fail("the field `name` must be 1 to 40 small letters, digits and hyphens")
    cards = table.get("card")
    if not isinstance(cards, list) or not cards:
        raise fail("no [[card]] in it")
    return table, cards


def strange_texts(text: str, source: str) -> list[Fault]:
    """What is too long or shows something else than it says among a deck's titles and texts. Asked
    when somebody brings a deck; a match that was begun with one plays on."""
    table = tomllib.loads(text)
    found = [(0, "", "title", table.get("title"), MAX_TITLE)]
    for place, card in enumerate(table.get("card", []), 1):
        name = str(card.get("id", card.get("number", place)))
        found += [(place, name, "title", card.get("title"), MAX_TITLE)]
        found += [(place, name, "text", card.get("text"), MAX_TEXT)]
    faults = []
    for place, name, part, value, most in found:
        if not isinstance(value, str):
            continue
        if len(value) > most:
            fault = Said(
                f"the {part} is longer than {most} characters",
                f"das Feld `{part}` ist länger als {most} Zeichen",
            )
            faults.append(Fault(source, name, fault, place=place))
        if not is_one_line(value):
            fault = Said(
                f"the {part} has control characters in it, or such as turn the writing round",
                f"im Feld `{part}` stehen Steuerzeichen, oder solche, die die Schrift umdrehen",
            )
            faults.append(Fault(source, name, fault, place=place))
    return faults


# -- Decks that are being made ---------------------------------------------------------------


def read_csv(text: str, source: str) -> dict[str, Any]:
    """The same as `read_table` of cards in rows, under a row with the names of their fields. What
    is a list elsewhere has its lines parted by slashes here, which is for the game to undo."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise DeckError([Fault(source, "", f"larger than {MAX_BYTES // 1024} KB")])
    first = text.lstrip("\ufeff").partition("\n")[0]
    parting = max(",;\t", key=first.count)  # spreadsheets in much of Europe write semicolons
    try:
        rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=parting))
    except csv.Error as error:
        raise DeckError([Fault(source, "", f"not readable as CSV: {error}")]) from None
    names = [name.strip().lower() for name in rows[0]] if rows else []
    if len(names) < 2 or "title" not in names:
        fault = "the first row must name the columns, `title` among them"
        raise DeckError([Fault(source, "", fault)])
    cards = [dict(zip(names, row, strict=False)) for row in rows[1:] if any(map(str.strip, row))]
    return {"card": cards}


def write_deck(
    game: str, title: str, cards: Iterable[Mapping[str, object]], **fields: Mapping[str, int]
) -> str:
    """A deck file of these cards, which may still lack something."""
    head: dict[str, object] = {
        "format": FORMAT,
        "game": game,
        "name": name_for(title),
        "title": title,
    }
    parts = [_lines({**head, **fields})]
    parts += ["[[card]]\n" + _lines(card) for card in cards]
    text = "\n".join(parts)
    read_table(text, "deck")  # whoever opens it again must be able to
    return text


def name_for(title: str) -> str:
    """A deck's name in files and lists, made of its title."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return f"my-{re.sub(r'[^a-z0-9]+', '-', plain).strip('-')}"[:40].strip("-")


def line_of(value: object) -> str:
    """A text out of a form that anybody may have sent."""
    return value if isinstance(value, str) else ""


def lines_of(value: object) -> list[str]:
    """The same of a list of lines, or of one text with slashes between them."""
    if isinstance(value, str):
        return value.split("/")
    return [line_of(line) for line in value] if isinstance(value, list) else []


def cards_of(table: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    cards = table.get("card")
    return [card for card in cards if isinstance(card, dict)] if isinstance(cards, list) else []


def _lines(fields: Mapping[str, object]) -> str:
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _toml(value: object) -> str:
    if isinstance(value, str):
        # JSON's way of writing a text is TOML's, but for one character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {_toml(one)}' for name, one in value.items())} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(_toml, value))}]"
    return str(value)


def _bracket_depth(text: str) -> int:
    depth = deepest = 0
    for character in text:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
        elif character == "\n" and depth > MAX_NESTING:
            return depth
    return deepest
