"""Names and other lines from people: one line that shows what it says."""

from __future__ import annotations

import unicodedata
from typing import Final

from openplan.core.game import Illegal
from openplan.core.sentences import refused

MAX_NAME: Final = 60
# Marks that turn the direction of writing could make a line show something that it does not say.
_TURNS_WRITING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def checked_name(name: str) -> str:
    """A name for a seat: one line that shows what it says."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME:
        raise refused(Illegal, "name", "name-length", most=MAX_NAME)
    if not is_one_line(name):
        raise refused(Illegal, "name", "name-line")
    return name


def is_one_line(text: str) -> bool:
    """Without line breaks, control characters and marks that turn the writing round."""
    # By category and not by `isprintable`, which differs with the version of Unicode.
    return not any(
        character in _TURNS_WRITING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        for character in text
    )
