"""The page tells every event that the rules can cause, in each of its languages."""

from __future__ import annotations

import re
from pathlib import Path

from openplan.games.human_resources import course

ROOT = Path(__file__).resolve().parents[3]
# The table itself shows these: the deck's new top, and the result.
SHOWN = {"top", "over"}


def test_the_page_has_words_for_every_event() -> None:
    source = Path(course.__file__).read_text("utf-8")
    codes = set(re.findall(r'Event\(\s*"([a-z-]+)"', source)) - SHOWN
    codes |= {f"hired-{effect}" for effect in course._EFFECT.values()}
    codes |= {"removed", "exchanged"}
    assert len(codes) > 20
    page = (ROOT / "web/src/games/human_resources/words.ts").read_text("utf-8")
    for code in codes:
        for who in ("you", "other"):
            assert page.count(f'"event.{code}.{who}": ') == 2, code
