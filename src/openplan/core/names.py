"""Names and other lines from people: one line that shows what it says."""

from __future__ import annotations

from typing import Final

from openplan.core.game import Illegal
from openplan.core.lines import is_one_line
from openplan.core.sentences import refused

MAX_NAME: Final = 60


def checked_name(name: str) -> str:
    """A name for a seat: one line that shows what it says."""
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME:
        raise refused(Illegal, "name", "name-length", most=MAX_NAME)
    if not is_one_line(name):
        raise refused(Illegal, "name", "name-line")
    return name
