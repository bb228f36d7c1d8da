"""The page tells every event that the rules can cause, in each of its languages."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from openplan.games.human_resources import managers, rules

ROOT = Path(__file__).resolve().parents[3]
# The table itself shows these: the deck's new top, and the result.
SHOWN = {"top", "over"}


def test_the_page_has_words_for_every_event() -> None:
    source = inspect.getsource(rules) + inspect.getsource(managers)
    told = r'(?:Event\(|openly\(state, seat, move,|code, clause = \(|code =)\s*"([a-z-]+)"'
    codes = {*re.findall(told, source), *managers.HIRED.values(), "acquired", "completed"} - SHOWN
    assert len(codes) > 20
    page = (ROOT / "web/src/games/human_resources/words.ts").read_text("utf-8")
    for code in codes:
        for who in ("you", "other"):
            assert page.count(f'"event.{code}.{who}": ') == 2, code
