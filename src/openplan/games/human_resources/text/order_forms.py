"""Moves in letters: read from lines, and the form to fill in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from openplan.core.game import Unreadable, Written
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.text.notation import (
    DIRECTIONS,
    HIRES,
    MAX_TEXT,
    Move,
    format_move,
    parse_move,
    unreadable,
)

_BEGINS: Final = re.compile(
    r"[-*\s]*(?:place|project|quota|hire|pick[- ]?up|arrange)(?![a-z])", re.IGNORECASE
)
_WORD: Final = re.compile(r"[a-z0-9+-]+|[^\sa-z0-9+-]")
# Of these a move may go on in the next line, besides cards and squares.
_SMALL: Final = re.compile(r"to|from|at|on|by|with|and|leave|overtime|two|plays|pick|up|[nesw,.]")
_CARD: Final = re.compile(r"[pmqx][0-9]{1,2}[dl]")
_SQUARE: Final = re.compile(r"[0-9]{0,3}|(?:[ew][0-9]{1,4})?(?:[ns][0-9]{1,4})?")
_BLANK: Final = "__"


def read_moves(lines: Sequence[str]) -> list[Written[Move]]:
    found: list[Written[Move]] = []
    first = last = -2
    text = ""
    for number, line in enumerate(lines):
        if _BEGINS.match(line):
            found += _read(first, last, text)
            first, last, text = number, number, line
        elif number == last + 1 and _goes_on(line) and len(text) <= MAX_TEXT:
            last, text = number, f"{text} {line}"
    return found + _read(first, last, text)


def _goes_on(line: str) -> bool:
    words = _WORD.findall(line.lower())
    return bool(words) and all(
        word in HIRES
        or word in DIRECTIONS
        or _SMALL.fullmatch(word)
        or _CARD.fullmatch(word)
        or all(_SQUARE.fullmatch(square) for square in word.split("+"))
        for word in words
    )


def _read(first: int, last: int, text: str) -> list[Written[Move]]:
    if first < 0:
        return []
    fault = None
    if _BLANK in text:
        if re.search(r"[pmqx][0-9]|(?<![a-z])[nesw][0-9]", text, re.IGNORECASE):
            fault = unreadable("read-blank", "blank")
        return [Written(first, last, fault=fault)]
    try:
        return [Written(first, last, "", parse_move(text.strip("-* \t.;!")))]
    except Unreadable as error:
        return [Written(first, last, fault=error)]


_FORM: Final = {
    codes.PLACE: "place ____ at ____",
    codes.PLAY_PROJECT: "project ____",
    codes.PLAY_QUOTA: "quota ____",
    codes.CHOOSE: "pick-up ____",
    codes.ARRANGE: "arrange ____ ____ ____ ____",
}
_HIRE: Final = "hire ____ ____"


_SUCH_AS: Final = {"en": "# such as: {move}", "de": "# etwa: {move}"}


def order_form(moves: Iterable[Move], language: str) -> list[str]:
    """A line for every use that some card has now; and of each manager in hand, who is hired in a
    way of their own, an example."""
    such_as = _SUCH_AS.get(language, _SUCH_AS["en"])
    forms: set[str] = set()
    examples: dict[str, str] = {}
    for move in moves:
        forms.add(_FORM.get(move.kind, _HIRE))
        if move.kind not in _FORM and (text := format_move(move)).startswith("hire"):
            examples.setdefault(text.split()[1], such_as.format(move=text))
    lines = sorted(forms, key=[*_FORM.values(), _HIRE].index)
    return [*lines, *examples.values()]
