"""In which lane a bot waits: what looks ahead takes long, and the others wait for nobody."""

from __future__ import annotations

from typing import Final

from openplan.bots import BOTS, SearchBot

QUICK: Final = "bot-quick"
SLOW: Final = "bot"
"""The kinds of their jobs."""


def is_quick(name: str | None) -> bool:
    """Does it answer without looking ahead?"""
    return name is not None and not isinstance(BOTS.get(name), SearchBot)
