"""A deck as data: what every game's deck has, and reading its file without trusting it."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openplan.core.lines import is_one_line

FORMAT = "open-plan deck 1"
MAX_BYTES = 64 * 1024
MAX_LINE = 1000
MAX_NESTING = 8
MAX_TITLE = 80
MAX_TEXT = 400


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with a deck file. `card` is empty where the fault is not one card's."""

    source: str
    card: str
    fault: str
    clause: str = ""

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


def parse_deck_file(text: str, source: str, game: str) -> tuple[Mapping[str, Any], list[Any]]:
    """The file's own fields and its cards, unchecked but of the right format and game."""

    def fail(fault: str) -> DeckError:
        return DeckError([Fault(source, "", fault)])

    # The limits come before parsing: a TOML reader recurses on nested arrays and is quadratic on
    # dotted keys.
    if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise fail(f"larger than {MAX_BYTES // 1024} KB")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) > MAX_LINE:
            raise fail(f"line {number} is longer than {MAX_LINE} characters")
    if _bracket_depth(text) > MAX_NESTING:
        raise fail(f"brackets nested deeper than {MAX_NESTING}")
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise fail(f"not readable as TOML: {error}") from None
    if table.get("format") != FORMAT:
        raise fail(f"the field `format` must be {FORMAT!r}, not {table.get('format')!r}")
    if table.get("game") != game:
        raise fail(f"a deck of {table.get('game')!r}, not of {game!r}")
    for name in ("name", "title"):
        if not isinstance(table.get(name), str) or not table[name].strip():
            raise fail(f"the field `{name}` must be a text")
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
    found = [("", "title", table.get("title"), MAX_TITLE)]
    for number, card in enumerate(table.get("card", []), 1):
        name = str(card.get("id", card.get("number", number)))
        found += [(name, "title", card.get("title"), MAX_TITLE)]
        found += [(name, "text", card.get("text"), MAX_TEXT)]
    faults = []
    for name, part, value, most in found:
        if not isinstance(value, str):
            continue
        if len(value) > most:
            faults.append(Fault(source, name, f"the {part} is longer than {most} characters"))
        if not is_one_line(value):
            fault = f"the {part} has control characters in it, or such as turn the writing round"
            faults.append(Fault(source, name, fault))
    return faults


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
