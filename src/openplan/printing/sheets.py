"""Where each card lies on the sheets, front and back, and where the knife goes.

Cards touch each other, so that one cut parts two of them; what is printed beyond the cut lies
around the whole block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from openplan.printing.paper import BLEED, Backs, CannotPrint, Edge, Job, refused

_FREE: Final = 3.0
"""No printer reaches the paper's edge."""
_MARGIN: Final = 7.5
"""For what is printed beyond the cut, and the marks."""
_AWAY: Final = 0.5
"""Marks keep away from what is printed."""
_RIM: Final = 2.0
"""And from the paper's edge."""
_MARK: Final = 4.0
_GUTTER: Final = BLEED + 2.0
"""Between a fold and the cards beside it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Something of a size to be cut out: its drawings with `BLEED` on every side, and what they say
    to who does not see them."""

    width: float
    height: float
    face: str
    back: str
    said: str
    said_of_back: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A drawing on a page, where it is cut. What lies beyond that is shown as far as `shown` says:
    to the left, above, to the right, below."""

    x: float
    y: float
    width: float
    height: float
    svg: str
    said: str
    shown: tuple[float, float, float, float] = (BLEED, BLEED, BLEED, BLEED)
    is_turned: bool = False
    """Upside down."""


Line = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Page:
    """`bleed` is set where the page is cut itself; then its size is that after cutting."""

    width: float
    height: float
    placed: tuple[Placed, ...]
    marks: tuple[Line, ...] = ()
    fold: Line | None = None
    bleed: float = 0.0
    note: str = ""


def lay_out(pieces: Sequence[Piece], job: Job) -> list[Page]:
    """All pieces on pages, in their order."""
    if job.one_per_page:
        return list(_singles(pieces, job))
    if not pieces:
        return []
    width, height = max(p.width for p in pieces), max(p.height for p in pieces)
    if job.backs is Backs.FOLD:
        return list(_folded(pieces, job, width, height))
    across, down = _fitting(job, width, height, *job.paper.size)
    pages = []
    for first in range(0, len(pieces), across * down):
        some = pieces[first : first + across * down]
        front = _front(some, job, across, down, width, height)
        pages.append(front)
        if job.backs is Backs.DUPLEX:
            pages.append(behind(front, job, some))
    return pages


def _fitting(job: Job, width: float, height: float, wide: float, high: float) -> tuple[int, int]:
    """How many fit, with room for the marks around them."""
    across, down = int((wide - 2 * _MARGIN) // width), int((high - 2 * _MARGIN) // height)
    if across < 1 or down < 1:
        raise refused(CannotPrint, "too-large", paper=job.paper.value)
    return across, down


def _singles(pieces: Sequence[Piece], job: Job) -> Iterator[Page]:
    for piece in pieces:
        for svg, said in ((piece.face, piece.said), (piece.back, piece.said_of_back)):
            if svg is piece.back and job.backs is Backs.NONE:
                continue
            placed = Placed(0, 0, piece.width, piece.height, svg, said)
            yield Page(piece.width, piece.height, (placed,), bleed=BLEED)


def _front(
    pieces: Sequence[Piece], job: Job, across: int, down: int, width: float, height: float
) -> Page:
    wide, high = job.paper.size
    left, top = (wide - across * width) / 2, (high - down * height) / 2
    placed = tuple(_block(pieces, across, left, top, width, height))
    marks = crop_marks(left, top, across, down, width, height)
    return Page(wide, high, placed, tuple(marks))


def _block(
    pieces: Sequence[Piece], across: int, left: float, top: float, width: float, height: float
) -> Iterator[Placed]:
    for number, piece in enumerate(pieces):
        column, row = number % across, number // across
        last = number == len(pieces) - 1 or column == across - 1
        under = number + across >= len(pieces)
        # What a smaller piece leaves free is waste, and may be printed on.
        shown = (
            BLEED * (column == 0),
            BLEED * (row == 0),
            BLEED * (last or piece.width < width),
            BLEED * (under or piece.height < height),
        )
        x, y = left + column * width, top + row * height
        yield Placed(x, y, piece.width, piece.height, piece.face, piece.said, shown)


def crop_marks(
    left: float, top: float, across: int, down: int, width: float, height: float
) -> Iterator[Line]:
    """Outside the block, on every line of a cut."""
    right, under = left + across * width, top + down * height
    near = BLEED + _AWAY
    far = min(near + _MARK, min(left, top) - _RIM)
    for column in range(across + 1):
        x = left + column * width
        yield (x, top - far, x, top - near)
        yield (x, under + near, x, under + far)
    for row in range(down + 1):
        y = top + row * height
        yield (left - far, y, left - near, y)
        yield (right + near, y, right + far, y)


def behind(front: Page, job: Job, pieces: Sequence[Piece]) -> Page:
    """The page on the other side of the paper, as its printer turns it."""
    dx, dy = job.offset
    over_long = job.edge is Edge.LONG
    placed = []
    for at, piece in zip(front.placed, pieces, strict=True):
        left, above, right, under = at.shown
        if over_long:
            x, y = front.width - at.x - at.width, at.y
            shown = (right, above, left, under)
        else:
            # The back's head lies at the front's foot: turned, it stands as its face does.
            x, y = at.x, front.height - at.y - at.height
            shown = (left, under, right, above)
        placed.append(
            replace(
                at,
                x=x + dx,
                y=y + dy,
                svg=piece.back,
                said=piece.said_of_back,
                shown=shown,
                is_turned=not over_long,
            )
        )
    return replace(front, placed=tuple(placed), marks=())


def _folded(pieces: Sequence[Piece], job: Job, width: float, height: float) -> Iterator[Page]:
    """Faces left of a fold down the middle of the sheet, backs right of it, to be glued."""
    high, wide = job.paper.size
    across, down = _fitting(job, width, height, wide / 2 + _MARGIN - _GUTTER, high)
    middle, top = wide / 2, (high - down * height) / 2
    left, right = middle - _GUTTER - across * width, middle + _GUTTER
    for first in range(0, len(pieces), across * down):
        some = pieces[first : first + across * down]
        faces = tuple(_block(some, across, left, top, width, height))
        backs = tuple(
            replace(
                at,
                x=wide - at.x - at.width,
                svg=piece.back,
                said=piece.said_of_back,
                shown=(at.shown[2], at.shown[1], at.shown[0], at.shown[3]),
            )
            for at, piece in zip(faces, some, strict=True)
        )
        marks = [
            line
            for x in (left, right)
            for line in crop_marks(x, top, across, down, width, height)
            # None where the other half is.
            if not (line[1] == line[3] and left + across * width < line[0] < right)
        ]
        fold = (middle, _FREE, middle, high - _FREE)
        yield Page(wide, high, faces + backs, tuple(marks), fold)
