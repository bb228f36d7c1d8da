"""Texts from people: what is one line, and what would show something else than it says."""

from __future__ import annotations

import unicodedata
from typing import Final

# Marks that turn the direction of writing could make a line show something that it does not say.
_OVERRIDES: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_TURNS_WRITING: Final = _OVERRIDES | frozenset("\u061c\u200e\u200f")


def is_one_line(text: str) -> bool:
    """Without line breaks, control characters and marks that turn the writing round."""
    # By category and not by `isprintable`, which differs with the version of Unicode.
    return not any(
        character in _TURNS_WRITING or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        for character in text
    )


def shown_plainly(text: str) -> str:
    """With marks that turn round what follows named and not obeyed. Those that only place a letter
    stay: people who write from right to left need them."""
    return "".join(
        f"[U+{ord(character):04X}]" if character in _OVERRIDES else character for character in text
    )
