"""What may stand in a text or a name that comes from outside."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from openplan.core.game import Unreadable
from openplan.core.lines import shown_plainly
from openplan.server.refusals import refused

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""Ids of people and tables, and what clients name their submissions."""


def readable(text: str, limit: int, *, breaks: str, needed: bool = True) -> str:
    if not int(needed) <= len(text) <= limit:
        raise refused(Unreadable, "length", least=int(needed), most=limit)
    if any(
        unicodedata.category(character) in ("Cc", "Cs") and character not in breaks
        for character in text
    ):
        raise refused(Unreadable, "control")
    return shown_plainly(text)
