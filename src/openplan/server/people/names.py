"""Names that people choose: one line that shows what it says, and nobody else's.

What a match has once written down is not judged again; this is asked when a name is chosen, and
when somebody sits down beside others. Two names look alike if their skeletons are the same (UTS 39
of Unicode): what cannot be seen is left out, and of letters that look the same one stands for all.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, Final

from openplan.core.game import Illegal
from openplan.core.names import MAX_NAME, checked_name
from openplan.server.refusals import refused

FORMER: Final = "former member"
"""What stands where the name of somebody stood who is gone."""
# These are letters or marks by their category, and show nothing.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_TAKEN: Final = (FORMER, "ehemaliges Mitglied", "game master", "Spielleitung")
_BOT: Final = "(bot)"


def chosen_name(name: str) -> str:
    """A name that somebody wants to have here."""
    name = unicodedata.normalize("NFC", checked_name(name))
    if any(_is_unseen(character) for character in name):
        raise refused(Illegal, "name", "name-unseen")
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise refused(Illegal, "name", "name-unseen")
    if any(bot in own for bot, own in zip(skeletons(_BOT), skeletons(name), strict=True)):
        raise refused(Illegal, "name", "name-bot")
    if any(is_alike(name, taken) for taken in _TAKEN):
        raise refused(Illegal, "name", "name-taken")
    return name


def name_among(name: str, others: Iterable[str]) -> str:
    """What somebody is called beside these. Who has the very name of another gets a number; who has
    one that only looks like it is refused."""
    taken = [other for other in others if other]
    if name not in taken:
        if other := taken_for(name, taken):
            raise refused(Illegal, "name", "name-alike", other=other)
        return name
    numbered = (f"{name[: MAX_NAME - 4]} {number}" for number in range(2, 100))
    return next(one for one in numbered if not any(is_alike(one, other) for other in taken))


def taken_for(name: str, others: Iterable[str]) -> str:
    """The first of these that a name looks like and is not."""
    return next((other for other in others if other != name and is_alike(name, other)), "")


def is_alike(one: str, other: str) -> bool:
    """Whether two texts look alike, as they stand or in small letters."""
    return any(a == b for a, b in zip(skeletons(one), skeletons(other), strict=True))


@lru_cache(maxsize=5000)
def skeletons(text: str) -> tuple[str, str]:
    """The skeleton of a text as it stands, and of its small letters: a capital I looks like a small
    l, which its small letter does not."""
    text = unicodedata.normalize("NFKC", text)
    return _skeleton(text), _skeleton(text.casefold())


def _skeleton(text: str) -> str:
    seen = (one for one in unicodedata.normalize("NFD", text) if not _is_unseen(one))
    shown = "".join(map(_prototype, seen)).casefold()
    again = "".join(map(_prototype, shown)).casefold()
    return " ".join(unicodedata.normalize("NFD", again).split())


def _is_unseen(character: str) -> bool:
    is_selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"
    return is_selector or character in _BLANK or unicodedata.category(character) in ("Cf", "Cn")


def _prototype(character: str) -> str:
    """Of all that look like it, the one that the table of Unicode names."""
    found = _alike().get(character, [])
    if len(found) != 1:
        return character
    other: str = found[0]["c"]
    back = _alike().get(other, [])
    return other if len(back) > 1 else min(character, other)


@cache
def _alike() -> dict[str, list[Any]]:
    # Not at the start: a table of ten thousand.
    from confusable_homoglyphs.confusables import confusables_data  # type: ignore[import-untyped]

    return dict(confusables_data)
