"""The cards: their names, and decks read from files and checked (HR-1, HR-11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

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
from openplan.core.grid import mirrored, turned
from openplan.games.human_resources.kernel import codes

COLOURS: Final = ("dark", "light")
ABILITIES: Final = (
    "move",
    "swap",
    "draw",
    "shift",
    "remove",
    "exchange",
    "two-plays",
    "take",
    "pick-up",
)
PROMO: Final = ("crowdfunding", "overtime", "acquisitions", "operations")
PROMO_VALUE: Final = {"crowdfunding": 1, "acquisitions": 3}
PROJECT_VALUES: Final = (2, 4, 6, 5, 8, 5, 7, 3, 4, 1, 2, 3, 6, 4, 4)
QUOTAS: Final = {
    "Q01d": ("three-of-colour", 3),
    "Q02d": ("five-in-hand", 4),
    "Q03d": ("more-scored", 2),
    "Q01l": ("three-of-colour", 3),
    "Q02l": ("only-card", 5),
    "Q03l": ("fewer-scored", 1),
}
QUOTA_CODES: Final = {
    "three-of-colour": codes.THREE_OF_COLOUR,
    "five-in-hand": codes.FIVE_IN_HAND,
    "more-scored": codes.MORE_SCORED,
    "only-card": codes.ONLY_CARD,
    "fewer-scored": codes.FEWER_SCORED,
}


def _names() -> Iterator[str]:
    for letter, count in (("P", 15), ("M", 9), ("Q", 3), ("X", 4)):
        for colour in "dl":
            for number in range(1, count + 1):
                yield f"{letter}{number:02}{colour}"


NAMES: Final = tuple(_names())
"""Every card of any deck; a card's number in the kernel is its place here."""
NUMBER: Final = {name: number for number, name in enumerate(NAMES)}
BASIC: Final = 54
"""So many cards without the promo set (HR-1.5), and these come first."""

UNKNOWN: Final = {"dark": codes.BLANK_DARK, "light": codes.BLANK_LIGHT, "?": codes.BLANK}
SHOWN: Final = (*NAMES, "dark", "light", "?")
"""Every card and blank as written, by number."""
_COLOUR: Final = (
    *("dark" if name[-1] == "d" else "light" for name in NAMES),
    "dark",
    "light",
    "?",
)


def shown(number: int) -> str:
    """A card as written; a blank by the colour of its back, or `?`."""
    return SHOWN[number]


def number_of(text: str) -> int:
    """The card or blank so written."""
    return NUMBER[text] if text in NUMBER else UNKNOWN[text]


def colour_of(number: int) -> str:
    """`dark`, `light`, or `?` for a card of which not even the back is known."""
    return _COLOUR[number]


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    kind: str
    colour: str
    title: str
    text: str
    value: int | None = None
    ability: str = ""
    quota: str = ""
    pattern: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OfficeDeck(Deck):
    card: Mapping[str, Card]

    def names(self, promo: bool) -> tuple[str, ...]:
        return NAMES if promo else NAMES[:BASIC]

    def __hash__(self) -> int:
        return hash(self.hash)


def orientations(pattern: tuple[str, ...], mirror: bool) -> list[tuple[str, ...]]:
    """Every different way a pattern may lie (HR-5.3)."""
    found: list[tuple[str, ...]] = []
    for rows in [pattern, mirrored(pattern)] if mirror else [pattern]:
        for _ in range(4):
            if rows not in found:
                found.append(rows)
            rows = turned(rows)
    return found


@lru_cache(maxsize=64)
def kernel_cards(deck: OfficeDeck, mirror: bool) -> codes.Cards:
    """The deck as the kernel's tables."""
    size = codes.IDS
    kind, colour, value, ability, quota = ([0] * size for _ in range(5))
    patterns: list[list[list[list[int]]]] = [[] for _ in range(size)]
    colour[codes.BLANK_DARK] = codes.DARK
    colour[codes.BLANK_LIGHT] = codes.LIGHT
    kinds = {
        "project": codes.PROJECT,
        "manager": codes.MANAGER,
        "quota": codes.QUOTA,
        "crowdfunding": codes.CROWDFUNDING,
        "overtime": codes.OVERTIME,
        "acquisitions": codes.ACQUISITIONS,
        "operations": codes.OPERATIONS,
    }
    for number, name in enumerate(NAMES):
        card = deck.card[name]
        kind[number] = kinds[card.kind]
        colour[number] = codes.DARK if card.colour == "dark" else codes.LIGHT
        value[number] = card.value or 0
        if card.ability:
            ability[number] = 1 + ABILITIES.index(card.ability)
        elif card.kind == "acquisitions":
            ability[number] = codes.ACQUIRE - 3
        elif card.kind == "operations":
            ability[number] = codes.LOOK - 3
        quota[number] = QUOTA_CODES.get(card.quota, 0)
        for rows in orientations(card.pattern, mirror) if card.pattern else []:
            patterns[number].append(
                [
                    [x, y, codes.DARK if letter == "D" else codes.LIGHT]
                    for y, row in enumerate(rows)
                    for x, letter in enumerate(row)
                    if letter != "."
                ]
            )
    return codes.Cards(kind, colour, value, ability, quota, patterns)


# -- Reading a deck --------------------------------------------------------------------------

_FIELDS: Final = {
    "project": {"value", "pattern"},
    "manager": {"ability"},
    "quota": {"value", "quota"},
    "crowdfunding": {"value"},
    "acquisitions": {"value"},
    "overtime": set[str](),
    "operations": set[str](),
}
_COMMON: Final = {"id", "kind", "colour", "title", "text"}
_SWAPPED: Final = str.maketrans("DL", "LD")


def read_deck(text: str, source: str, game: str) -> OfficeDeck:
    """A deck that satisfies HR-11.1, or a `DeckError` with everything that is wrong."""
    table, entries = parse_deck_file(text, source, game)
    faults: list[Fault] = []
    cards: dict[str, Card] = {}
    places: dict[str, int] = {}
    for place, entry in enumerate(entries, 1):
        label, problems, card = _read_card(entry, place)
        faults += [Fault(source, label, fault, clause, place) for fault, clause in problems]
        if card and card.name in cards:
            faults.append(Fault(source, card.name, "named twice", "HR-1.1", place))
        elif card:
            cards[card.name] = card
            places[card.name] = place
    if not faults:
        missing = [name for name in NAMES if name not in cards]
        faults += [Fault(source, name, "missing", "HR-1.1") for name in missing]
    if not faults:
        faults += [
            Fault(source, name, fault, clause, places[name])
            for name, fault, clause in _compare(cards)
        ]
    if faults:
        raise DeckError(faults)
    ordered = {name: cards[name] for name in NAMES}
    content = [
        [c.name, c.kind, c.colour, c.title, c.text, c.value, c.ability, c.quota, list(c.pattern)]
        for c in ordered.values()
    ]
    return OfficeDeck(table["name"], table["title"], content_hash(content), NAMES, ordered)


def _read_card(entry: Any, place: int) -> tuple[str, list[tuple[str, str]], Card | None]:
    """A card's label, what is wrong with it (fault, clause), and the card if nothing is."""
    if not isinstance(entry, dict):
        return f"card {place}", [("not a table of fields", "")], None
    name = entry.get("id")
    if not isinstance(name, str) or name not in NUMBER:
        fault = f"the field `id` must be a card such as P01d or M09l, not {name!r:.60}"
        return f"card {place}", [(fault, "HR-1.1")], None
    faults: list[tuple[str, str]] = []
    kind = _kind_of(name)
    if entry.get("kind") != kind:
        faults.append((f"the field `kind` must be {kind!r}, not {entry.get('kind')!r:.60}", "HR-1"))
    colour = "dark" if name[-1] == "d" else "light"
    if entry.get("colour") != colour:
        fault = f"the field `colour` must be {colour!r}, not {entry.get('colour')!r:.60}"
        faults.append((fault, "HR-1.1"))
    for field in ("title", "text"):
        value = entry.get(field)
        if not isinstance(value, str) or not value.strip():
            faults.append((not_a_text(field), "HR-11.1"))
        elif len(value) > 120 or not value.isprintable():
            faults.append((not_one_line(field, 120), ""))
    for field in sorted(set(entry) - _COMMON - _FIELDS[kind]):
        faults.append((f"a {kind} has no field `{field:.40}`", "HR-11.1"))
    expected = _expected_value(name)
    value = entry.get("value")
    if expected is not None and (value != expected or isinstance(value, bool)):
        faults.append((f"worth {expected}, not {value!r:.40}", "HR-1"))
    number = int(name[1:3])
    if kind == "manager" and entry.get("ability") != ABILITIES[number - 1]:
        fault = f"the ability must be {ABILITIES[number - 1]!r}, not {entry.get('ability')!r:.60}"
        faults.append((fault, "HR-1.3"))
    if kind == "quota" and entry.get("quota") != QUOTAS[name][0]:
        fault = f"the quota must be {QUOTAS[name][0]!r}, not {entry.get('quota')!r:.60}"
        faults.append((fault, "HR-1.4"))
    if kind == "project":
        faults += _pattern_faults(entry.get("pattern"), colour)
    if faults:
        return name, faults, None
    return (
        name,
        [],
        Card(
            name,
            kind,
            colour,
            entry["title"],
            entry["text"],
            expected,
            entry.get("ability", ""),
            entry.get("quota", ""),
            tuple(entry.get("pattern", ())),
        ),
    )


def _kind_of(name: str) -> str:
    if name[0] == "X":
        return PROMO[int(name[1:3]) - 1]
    return {"P": "project", "M": "manager", "Q": "quota"}[name[0]]


def _expected_value(name: str) -> int | None:
    if name[0] == "P":
        return PROJECT_VALUES[int(name[1:3]) - 1]
    if name[0] == "Q":
        return QUOTAS[name][1]
    return PROMO_VALUE.get(_kind_of(name))


def _pattern_faults(pattern: Any, colour: str) -> list[tuple[str, str]]:
    if not isinstance(pattern, list) or not all(isinstance(row, str) for row in pattern):
        return [("the field `pattern` must be a list of rows", "HR-11.1")]
    if fault := _pattern_fault(pattern, colour):
        return [(fault, "HR-11.1")]
    return []


def _pattern_fault(pattern: list[str], colour: str) -> str:
    if not pattern:
        return Said("the pattern shows no square yet", "das Muster zeigt noch kein Feld")
    if not 1 <= len(pattern) <= 3 or any(not 1 <= len(row) <= 3 for row in pattern):
        return Said(
            "the pattern must lie within 3x3 squares", "das Muster muss auf 3x3 Felder passen"
        )
    if len({len(row) for row in pattern}) > 1:
        return "the rows of the pattern must be equally long"
    if set("".join(pattern)) - set("DL."):
        return "a pattern is drawn with D, L and . only"
    columns = ["".join(column) for column in zip(*pattern, strict=True)]
    if any(set(line) == {"."} for line in (pattern[0], pattern[-1], columns[0], columns[-1])):
        return "the pattern's outer rows and columns must not be empty"
    count = Counter("".join(pattern))
    own, other = ("D", "L") if colour == "dark" else ("L", "D")
    if not count["D"] or not count["L"]:
        return Said("the pattern must use both colours", "das Muster muss beide Farben zeigen")
    if count[own] <= count[other]:
        german = "dunkle" if colour == "dark" else "helle"
        return Said(
            f"the pattern must show more {colour} squares than others",
            f"das Muster muss mehr {german} Felder zeigen als andere",
        )
    return ""


def _compare(cards: Mapping[str, Card]) -> Iterator[tuple[str, str, str]]:
    """What is wrong between cards: twins that are not reversed, patterns that are the same."""
    seen: dict[tuple[str, ...], str] = {}
    for name, card in cards.items():
        if card.kind != "project":
            continue
        twin = cards[name[:3] + ("l" if name[3] == "d" else "d")]
        reverse = tuple(row.translate(_SWAPPED) for row in twin.pattern)
        if name[3] == "l" and reverse not in orientations(card.pattern, mirror=False):
            yield name, f"not {twin.name} with its colours reversed", "HR-1.2"
        key = min(orientations(card.pattern, mirror=False))
        if key in seen:
            english, german = f"the same pattern as {seen[key]}", f"dasselbe Muster wie {seen[key]}"
            yield name, Said(f"{english}, turned", f"{german}, gedreht"), "HR-11.1"
        seen.setdefault(key, name)


# -- A file to fill in -----------------------------------------------------------------------

_TEMPLATE_HEAD: Final = """\
# A deck of {title}, to be filled in by somebody who owns the printed cards.
# Only the patterns, titles and texts are missing; the rest is the same in every deck (HR-1).
# A pattern's rows run north to south: D dark, L light, . not shown. Draw the square on the card's
# dark twin as the card shows it; the light twin has every colour reversed.
# `openplan deck check {game} FILE` says what is still wrong.

format = "open-plan deck 1"
game = "{game}"
name = "my-deck"
title = "My deck"
"""


def deck_template(game: str, title: str) -> str:
    parts = [_TEMPLATE_HEAD.format(game=game, title=title)]
    for name in NAMES:
        fixed = _fixed(name)
        lines = ["[[card]]"]
        lines += [
            f'{field} = "{value}"' if isinstance(value, str) else f"{field} = {value}"
            for field, value in fixed.items()
        ]
        lines += [f'title = "{name}"', 'text = "..."']
        if fixed["kind"] == "project":
            lines.append('pattern = ["...", "...", "..."]')
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


# -- A deck that is being made ---------------------------------------------------------------


def deck_form(table: Mapping[str, Any]) -> dict[str, Any]:
    """Every card with what is fixed of it (HR-1) and what its maker says. Patterns are drawn within
    three by three squares; a light project's is its dark twin's, reversed (HR-1.2)."""
    given: dict[str, Mapping[str, Any]] = {}
    for entry in cards_of(table):
        given.setdefault(line_of(entry.get("id")).strip(), entry)
    cards = []
    for name in NAMES:
        entry = given.get(name, {})
        card: dict[str, Any] = _fixed(name) | {
            field: line_of(entry.get(field)) for field in ("title", "text")
        }
        if card["kind"] == "project":
            dark, light = (given.get(name[:3] + colour, {}) for colour in "dl")
            if "pattern" in dark:
                rows = _trimmed(lines_of(dark["pattern"]))
            else:
                rows = _reversed(_trimmed(lines_of(light.get("pattern"))))
            card["pattern"] = rows if name[3] == "d" else _reversed(rows)
        cards.append(card)
    return {"title": line_of(table.get("title")), "cards": cards}


def deck_text(form: Mapping[str, Any], game: str) -> str:
    table = {"title": form.get("title"), "card": form.get("cards")}
    whole = deck_form(table)
    return write_deck(game, whole["title"], whole["cards"])


def _fixed(name: str) -> dict[str, Any]:
    """What is the same of a card in every deck."""
    kind = _kind_of(name)
    found: dict[str, Any] = {
        "id": name,
        "kind": kind,
        "colour": "dark" if name[-1] == "d" else "light",
    }
    value = _expected_value(name)
    if value is not None:
        found["value"] = value
    if kind == "manager":
        found["ability"] = ABILITIES[int(name[1:3]) - 1]
    if kind == "quota":
        found["quota"] = QUOTAS[name][0]
    return found


def _trimmed(rows: list[str]) -> list[str]:
    """Without what is empty around the pattern, which may be drawn anywhere."""
    width = max((len(row) for row in rows), default=0)
    rows = [row.ljust(width, ".").replace(" ", ".") for row in rows]
    while rows and not rows[0].strip("."):
        rows = rows[1:]
    while rows and not rows[-1].strip("."):
        rows = rows[:-1]
    if not rows:
        return []
    left = min(len(row) - len(row.lstrip(".")) for row in rows)
    right = max(len(row.rstrip(".")) for row in rows)
    return [row[left:right] for row in rows]


def _reversed(rows: list[str]) -> list[str]:
    return [row.translate(_SWAPPED) for row in rows]
