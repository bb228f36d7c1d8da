"""How something is to be printed. Lengths are millimetres, from a page's upper left corner."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from openplan.core.game import GameError
from openplan.core.sentences import Sentences

refused: Final = Sentences.of("printing").refused

CARD: Final = (63.0, 88.0)
BLEED: Final = 3.0
"""What is printed beyond the line where a card is cut."""
MOST_OFFSET: Final = 10.0


class CannotPrint(GameError):
    """What was asked for cannot be put on paper."""

    status = 422


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"

    @property
    def size(self) -> tuple[float, float]:
        """Upright."""
        return (210.0, 297.0) if self is Paper.A4 else (215.9, 279.4)


class Backs(StrEnum):
    """Where a card's back is: on the next page, beside it across a fold, or nowhere."""

    DUPLEX = "duplex"
    FOLD = "fold"
    NONE = "none"


class Edge(StrEnum):
    """About which edge the printer turns the paper."""

    LONG = "long"
    SHORT = "short"


@dataclass(frozen=True, slots=True)
class Job:
    """`offset` moves the backs to the right and down as one looks at them, for a printer that does
    not hit the middle. `one_per_page` is for a print service: each page a card with its bleed."""

    paper: Paper = Paper.A4
    backs: Backs = Backs.DUPLEX
    edge: Edge = Edge.LONG
    offset: tuple[float, float] = (0.0, 0.0)
    low_ink: bool = False
    one_per_page: bool = False
    language: str = "en"
    is_preview: bool = False
    """A picture of the first page, to look at."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands on a seat's print beside the match; what is not known is left to be filled in."""

    game: str = ""
    """The match's short name, as in letters."""
    deadline: str = ""
    send_to: str = ""


def read_offset(text: str) -> tuple[float, float]:
    """`0.5,-1`: half a millimetre to the right, one up."""
    found = re.fullmatch(r"\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*,\s*([+-]?[0-9]+(?:\.[0-9]+)?)\s*", text)
    if found is None:
        raise refused(CannotPrint, "bad-offset", text=text[:20])
    offset = (float(found[1]), float(found[2]))
    if max(map(abs, offset)) > MOST_OFFSET:
        raise refused(CannotPrint, "far-offset", most=f"{MOST_OFFSET:g}")
    return offset
