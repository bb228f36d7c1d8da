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
# In letters moves may be German: these words are read as if they were the English ones.
_GERMAN: Final = {
    **dict.fromkeys(("legen", "lege", "platzieren", "platziere", "setze"), "place"),
    **dict.fromkeys(("projekt", "projektstart"), "project"),
    "quote": "quota",
    **dict.fromkeys(("einstellen", "stelle", "einstelle"), "hire"),
    **dict.fromkeys(("nehmen", "nimm", "aufnehmen"), "pick-up"),
    **dict.fromkeys(("ordnen", "ordne", "sortieren", "sortiere"), "arrange"),
    **dict.fromkeys(("auf", "nach", "von", "mit", "bei", "um", "ein", "zu"), "to"),
    "und": "and",
    "norden": "north",
    "osten": "east",
    **dict.fromkeys(("süden", "sueden"), "south"),
    "westen": "west",
}
_GERMAN_WORD: Final = re.compile(r"(?<![a-z0-9-])[a-zäöüß]+(?![a-z0-9-])|o(?=[0-9])", re.IGNORECASE)


def _in_english(line: str) -> str:
    def english(word: re.Match[str]) -> str:
        # `O3` lies east.
        return "E" if word[0].lower() == "o" else _GERMAN.get(word[0].lower(), word[0])

    return _GERMAN_WORD.sub(english, line)


def read_moves(lines: Sequence[str]) -> list[Written[Move]]:
    found: list[Written[Move]] = []
    first = last = -2
    text = ""
    for number, line in enumerate(map(_in_english, lines)):
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


_HIRE: Final = -1
_FORMS: Final = {
    "en": {
        codes.PLACE: "place ____ at ____",
        codes.PLAY_PROJECT: "project ____",
        codes.PLAY_QUOTA: "quota ____",
        codes.CHOOSE: "pick-up ____",
        codes.ARRANGE: "arrange ____ ____ ____ ____",
        _HIRE: "hire ____ ____",
    },
    "de": {
        codes.PLACE: "legen ____ auf ____",
        codes.PLAY_PROJECT: "Projekt ____",
        codes.PLAY_QUOTA: "Quote ____",
        codes.CHOOSE: "nehmen ____",
        codes.ARRANGE: "ordnen ____ ____ ____ ____",
        _HIRE: "einstellen ____ ____",
    },
}
_SUCH_AS: Final = {"en": "# such as: {move}", "de": "# etwa: {move}"}


# The word after a manager's card may be left out, and there is none in German.
_SAID: Final = {
    "hire": "einstellen",
    "north": "Norden",
    "east": "Osten",
    "south": "Süden",
    "west": "Westen",
    **dict.fromkeys((word for word in HIRES if word != "idle"), ""),
}


def _in_german(move: str) -> str:
    """A hire as it may be written in a German letter."""
    return " ".join(filter(None, (_SAID.get(word, word) for word in move.split())))


def order_form(moves: Iterable[Move], language: str) -> list[str]:
    """A line for every use that some card has now; and of each manager in hand, who is hired in a
    way of their own, an example."""
    form = _FORMS.get(language, _FORMS["en"])
    such_as = _SUCH_AS.get(language, _SUCH_AS["en"])
    kinds: set[int] = set()
    examples: dict[str, str] = {}
    for move in moves:
        kinds.add(move.kind if move.kind in form else _HIRE)
        if move.is_hire:
            written = format_move(move) if language != "de" else _in_german(format_move(move))
            examples.setdefault(move.cards[0], such_as.format(move=written))
    return [*(form[kind] for kind in form if kind in kinds), *examples.values()]
