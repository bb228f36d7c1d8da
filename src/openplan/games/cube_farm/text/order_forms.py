"""Orders in letters: read from lines, the form to fill in, and what was sent told in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from openplan.core.game import Refusal, Unreadable, Written
from openplan.core.grid import format_square
from openplan.games.cube_farm import view
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.state import FLOORS
from openplan.games.cube_farm.text.notation import MAX_TEXT, Orders, Phase, parse_orders, unreadable
from openplan.games.cube_farm.text.words import FLOOR_NAMES, LETTERS
from openplan.games.cube_farm.view import FarmView

# -- Reading ---------------------------------------------------------------------------------

# What an order begins with: `1:`, `2)`, `phase 3`, or a bare number before one of its words.
_BEGINS: Final = re.compile(
    r"[-*\s]*(?:phase[\s:#]*[1-3](?![0-9])|[1-3]\s*(?:[:.)-]|(?=card|employee|nothing|none)))",
    re.IGNORECASE,
)
_ALL: Final = re.compile(r"[-*\s]*(?:nothing|none)[\s.!]*", re.IGNORECASE)
# Several orders may share a line: parted by a semicolon, or each with its number and a colon.
_PARTED: Final = re.compile(r";|(?=(?<![0-9A-Za-z])(?:phase\s*)?[1-3]\s*:)", re.IGNORECASE)
_WORD: Final = re.compile(r"[a-z]+|[0-9]+|[^\sa-z0-9]")
_VOCABULARY: Final = re.compile(
    r"card|employee|turn(?:s|ed)?|at|on|to|in|and|then|the|an?|place|put|[nesw]|[0-9]+|[.,()#:-]"
)
_UNFINISHED: Final = re.compile(r"card|employee|turn(?:s|ed)?|at|on|to|in|phase|[:#]")
_BLANK: Final = "__"
# In letters orders may be German: these words are read as if they were the English ones.
_GERMAN: Final = {
    **dict.fromkeys(("karte", "karten"), "card"),
    **dict.fromkeys(("mitarbeiter", "mitarbeiterin", "angestellte", "angestellter"), "employee"),
    **dict.fromkeys(("drehen", "drehe", "gedreht", "drehung", "drehungen"), "turn"),
    "nichts": "nothing",
    **dict.fromkeys(("auf", "bei", "nach", "dem", "die", "der", "lege", "setze"), "at"),
    "und": "and",
    "dann": "then",
}
_GERMAN_WORD: Final = re.compile(r"[a-zäöüß]+(?=\s*([0-9])?)", re.IGNORECASE)


def read_orders(deck: FarmDeck, lines: Sequence[str]) -> list[Written[Orders]]:
    found: list[Written[Orders]] = []
    for statement in _statements([_in_english(line) for line in lines]):
        found += _read(deck, statement)
    return found


def _in_english(line: str) -> str:
    def english(word: re.Match[str]) -> str:
        if word[0].lower() == "o" and word[1]:
            return "E"  # `O3` lies east
        return _GERMAN.get(word[0].lower(), word[0])

    return _GERMAN_WORD.sub(english, line)


class _Statement:
    """The pieces of lines that make one order."""

    def __init__(self, line: int, piece: str) -> None:
        self.first = line
        self.last = line
        self.text = ""
        self.words: list[str] = []
        begins = _BEGINS.match(piece)
        self.part = re.sub("[^1-3]", "", begins[0])[0] if begins else ""
        self.is_doubtful = False
        self.add(line, piece)

    def add(self, line: int, piece: str) -> None:
        self.last = line
        self.text += f" {piece}"
        self.words += _WORD.findall(piece.lower())

    def is_unfinished(self) -> bool:
        """Does something have to follow its last word, be it on the next line?"""
        return bool(self.words and _UNFINISHED.fullmatch(self.words[-1]))

    def doubts(self, new: _Statement) -> bool:
        """`1: card 23 E3S2` and then, on the next line, `2 employee N1`: phase 2, or turn 2?"""
        return (
            new.first == self.last + 1
            and new.words[1:2] == ["employee"]
            and "card" in self.words
            and not {"employee", "turn", "turns", "turned"} & set(self.words)
        )


def _statements(lines: Sequence[str]) -> Iterator[_Statement]:
    now: _Statement | None = None
    for line, piece in _pieces(lines):
        begins = _BEGINS.match(piece) is not None
        if (
            now is not None
            and line <= now.last + 1
            and _BLANK not in piece
            and (_is_vocabulary(piece) or (_ALL.fullmatch(piece) and now.is_unfinished()))
            and (now.is_unfinished() or not begins)
            and len(now.text) <= MAX_TEXT
        ):
            now.add(line, piece)
            continue
        new = _Statement(line, piece) if begins or _ALL.fullmatch(piece) else None
        if now is not None:
            if new is not None and now.doubts(new):
                now.is_doubtful = new.is_doubtful = True
            yield now
        now = new
        if now is not None and _BLANK in piece:
            # What follows a blank does not belong to it.
            yield now
            now = None
    if now is not None:
        yield now


def _pieces(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines):
        # A blank makes the whole line none, also where the line would be parted.
        parts = [line] if _BLANK in line else _PARTED.split(line)
        pieces = [piece for piece in parts if piece.strip()]
        yield from ((number, piece) for piece in pieces or [""])


def _is_vocabulary(piece: str) -> bool:
    """Nothing in it but words of which orders are made."""
    words = _WORD.findall(piece.lower())
    return bool(words) and all(_VOCABULARY.fullmatch(word) for word in words)


def _read(deck: FarmDeck, statement: _Statement) -> list[Written[Orders]]:
    first, last, text = statement.first, statement.last, statement.text
    part = statement.part
    if _BLANK in text:
        fault = None
        if re.search(r"card[\s#]*[0-9]|(?<![a-z])[nesw][0-9]", text, re.IGNORECASE):
            fault = unreadable("read-blank", "blank")
        return [Written(first, last, part, fault=fault)]
    if statement.is_doubtful:
        return [Written(first, last, part, fault=unreadable("read-doubtful", "doubtful"))]
    try:
        orders = parse_orders(deck, text.lstrip("-* \t"))
    except Unreadable as error:
        return [Written(first, last, part, fault=error)]
    if not part:
        return [Written(first, last, "", orders)]
    named = {str(n) for n, phase in enumerate(orders.phases, 1) if phase != Phase()}
    if {"nothing", "none"} & set(statement.words):
        named.add(part)
    if not named:
        # A number alone orders nothing: it was left blank, or the mail was cut off after it.
        return [Written(first, last, part)]
    return [Written(first, last, n, orders) for n in sorted(named)]


# -- Changing what is held -------------------------------------------------------------------


def with_part(
    held: Orders | None, part: str, move: Orders | None, *, adding: bool
) -> Orders | None:
    """A phase is ordered as a whole. Only within one letter may a second line add the employee to
    the card, or the card to the employee."""
    if not part:
        return move
    number = int(part) - 1
    old = Phase() if held is None else held.phases[number]
    new = Phase() if move is None else move.phases[number]
    if adding and new != Phase():
        lacks_card = old.card is None or new.card is None
        lacks_employee = old.employee is None or new.employee is None
        if lacks_card and lacks_employee:
            new = Phase(new.card or old.card, new.employee or old.employee)
    return (held or Orders()).having(number, new)


def unordered(view_: FarmView, move: Orders) -> tuple[str, ...]:
    """The phases without a card, as long as there is one in the hand, or without an employee."""
    seat = view.own_seat(view_)
    hand = 0 if seat is None else len(view_.hands[seat])
    has_cards = hand > sum(phase.card is not None for phase in move.phases)
    return tuple(
        str(number)
        for number, phase in enumerate(move.phases, 1)
        if phase.employee is None or (phase.card is None and has_cards)
    )


def taken_back(held: Orders | None, now: Orders, part: str) -> Refusal | None:
    if held is None or not part:
        return None
    before, after = held.phases[int(part) - 1], now.phases[int(part) - 1]
    if before.employee is not None and after.card is not None and after.employee is None:
        params: dict[str, object] = {"phase": part, "square": format_square(before.employee)}
        return Refusal("employee-back", "CF-3.5", params)
    if before.card is not None and after.employee is not None and after.card is None:
        return Refusal("card-back", "CF-3.5", {"phase": part, "card": before.card.card})
    return None


# -- The form, and what was sent -------------------------------------------------------------


def order_form(view_: FarmView, language: str) -> list[str]:
    seat = view.own_seat(view_)
    if seat is None or view_.is_over or seat in view_.withdrawn:
        return []
    words = LETTERS.get(language, LETTERS["en"])
    lines = []
    for number in range(3):
        floor = FLOOR_NAMES.get(language, FLOOR_NAMES["en"])[FLOORS[floor_of(seat, number)]]
        lines += [
            f"# {words['phase']} {number + 1}, {floor}",
            f"{number + 1}: {words['form-card']}",
            f"{number + 1}: {words['form-employee']}",
        ]
    return lines


def tell_orders(view_: FarmView, orders: Orders, language: str) -> list[str]:
    """No number is followed by a colon, and neither `phase` nor a line by a number or `nothing`:
    broken anywhere, none of it begins an order."""
    seat = view.own_seat(view_)
    words = LETTERS.get(language, LETTERS["en"])
    lines = []
    for number, phase in enumerate(orders.phases):
        parts = []
        if phase.card is not None:
            turned = words["turns"].split("|")[phase.card.turn]
            square = format_square(phase.card.square)
            parts.append(words["card"].format(card=phase.card.card, square=square, turned=turned))
        if phase.employee is not None:
            parts.append(words["employee"].format(square=format_square(phase.employee)))
        where = ""
        if seat is not None:
            names = FLOOR_NAMES.get(language, FLOOR_NAMES["en"])
            where = f", {names[FLOORS[floor_of(seat, number)]]}"
        nth = words["nth"].split("|")[number]
        lines.append(f"({nth}{where}) {', '.join(parts) or words['empty']}")
    return lines
