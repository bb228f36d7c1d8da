"""A sheet to measure how far a printer's backs lie from its fronts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openplan.core.sentences import Sentences
from openplan.printing.paper import BLEED, CARD, Edge, Job
from openplan.printing.press import print_pages
from openplan.printing.sheets import Page, Piece, Placed, behind
from openplan.render.svg import INK, PER_MM, Sheet, words

_SENTENCES: Final = Sentences.of("printing")
_REACH: Final = 5
_SCALE: Final = 2.0 * _REACH + 14.0
"""A scale with its numbers is so wide."""


def print_alignment(job: Job) -> bytes:
    title = _SENTENCES.say("test-title", {}, job.language)
    return print_pages(list(alignment_pages(job)), title, job.language, is_preview=job.is_preview)


def alignment_pages(job: Job) -> Iterator[Page]:
    """Where the corners of the cards are: scales on the front, crosses on the back."""
    wide, high = job.paper.size
    half = _SCALE / 2
    centres = [
        (wide / 2 + x * CARD[0], high / 2 + y * CARD[1])
        for x, y in ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1))
    ]

    def say(code: str, **params: object) -> str:
        return _SENTENCES.say(code, params, job.language)

    scale = Piece(_SCALE, _SCALE, _scale(job), _cross(), say("test-title"), say("test-title"))
    placed = tuple(
        Placed(x - half, y - half, _SCALE, _SCALE, scale.face, "±5 mm") for x, y in centres
    )
    told = say("test-how", edge=say("edge-long" if job.edge is Edge.LONG else "edge-short"))
    line = _line("100 mm")
    front = Page(wide, high, placed, note=told)
    yield Page(
        wide,
        high,
        (*placed, Placed(wide / 2 - 52, high / 2 + 26, 104, 8, line, "100 mm")),
        note=told,
    )
    back = behind(front, job, [scale] * len(centres))
    x, y = job.offset
    yield Page(wide, high, back.placed, note=say("test-back", x=x, y=y))


def _sheet() -> tuple[Sheet, float]:
    return Sheet(), (_SCALE / 2 + BLEED) * PER_MM


def _stroke(x1: float, y1: float, x2: float, y2: float, width: float) -> str:
    return (
        f"<path d='M{x1:g} {y1:g}L{x2:g} {y2:g}' fill='none' stroke='{INK}'"
        f" stroke-width='{width:g}'/>"
    )


def _scale(job: Job) -> str:
    """Its numbers are the offset that brings what lies there to the middle: across, a back that is
    turned over its long edge moves the other way than it seems to; down, over its short edge."""
    sheet, middle = _sheet()
    across, down = (1, -1) if job.edge is Edge.LONG else (-1, 1)
    reach = _REACH * PER_MM
    sheet.add(
        _stroke(middle - reach, middle, middle + reach, middle, 0.4),
        _stroke(middle, middle - reach, middle, middle + reach, 0.4),
    )
    for half in range(-2 * _REACH, 2 * _REACH + 1):
        at, long = middle + half * PER_MM / 2, 4.0 if half % 2 == 0 else 2.0
        sheet.add(_stroke(at, middle - long, at, middle + long, 0.3))
        sheet.add(_stroke(middle - long, at, middle + long, at, 0.3))
        if half % 10 == 0 and half:
            out = middle + half * PER_MM / 2 + (11 if half > 0 else -11)
            sheet.add(words(out, middle + 2.5, f"{across * half // 2:+}", 7))
            sheet.add(words(middle, out + 2.5, f"{down * half // 2:+}", 7))
    return sheet.page(2 * middle, 2 * middle)


def _cross() -> str:
    sheet, middle = _sheet()
    reach = (_REACH + 3) * PER_MM
    sheet.add(
        _stroke(middle - reach, middle, middle + reach, middle, 0.5),
        _stroke(middle, middle - reach, middle, middle + reach, 0.5),
    )
    return sheet.page(2 * middle, 2 * middle)


def _line(told: str) -> str:
    sheet, off = Sheet(), BLEED * PER_MM
    left, y = off + 2 * PER_MM, off + 2 * PER_MM
    right = left + 100 * PER_MM
    sheet.add(
        _stroke(left, y, right, y, 0.5),
        _stroke(left, y - 5, left, y + 5, 0.5),
        _stroke(right, y - 5, right, y + 5, 0.5),
        words((left + right) / 2, y + 14, told, 10),
    )
    return sheet.page(104 * PER_MM + 2 * off, 8 * PER_MM + 2 * off)
