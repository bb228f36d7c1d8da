"""What a match on paper needs besides the cards: floor cards at one scale, counters, a folding tent
for each player, a score pad."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from openplan.core.deck import Deck
from openplan.core.game import AnyGame
from openplan.core.pieces import Counter, Pieces, Tent
from openplan.core.scene import CardPicture
from openplan.core.sentences import Sentences
from openplan.printing.paper import BLEED, Backs, CannotPrint, Job, refused
from openplan.printing.press import print_pages
from openplan.printing.sheets import Page, Piece, Placed, lay_out
from openplan.render.svg import (
    INK,
    PER_MM,
    SIGN,
    SOFT,
    Sheet,
    draw_tile,
    draw_tile_back,
    words,
)

_SENTENCES: Final = Sentences.of("printing")
SQUARE: Final = 21.0
"""A card of three squares is as wide as any other card."""
COUNTER: Final = 16.0
"""Smaller than a square, so that one sees what it stands on."""
TENT: Final = (120.0, 38.0)
"""One side of it."""
_PADS: Final = (2, 3)


def print_counters(game: AnyGame, deck: Deck, job: Job) -> bytes:
    title = _SENTENCES.say("counters-title", {"game": game.title}, job.language)
    return print_pages(
        list(counter_pages(game, deck, job)), title, job.language, is_preview=job.is_preview
    )


def counter_pages(game: AnyGame, deck: Deck, job: Job) -> Iterator[Page]:
    pieces = game.pieces(deck, job.language)
    if pieces == Pieces():
        raise refused(CannotPrint, "no-counters", title=game.title)
    # A fold is for cards; what is cut out here has the same on both sides, or nothing.
    job = replace(job, one_per_page=False)
    cards = (game.card_picture(deck, card, job.language) for card in pieces.tiles)
    yield from lay_out([_tile(card, job) for card in cards], job)
    yield from lay_out(list(_counters(pieces.counters, job)), job)
    for page in _single(pieces, game, job):
        yield page
        if job.backs is Backs.DUPLEX:
            # Nothing stands behind it: the next sheet begins on paper of its own.
            yield Page(page.width, page.height, ())


def _single(pieces: Pieces, game: AnyGame, job: Job) -> Iterator[Page]:
    if pieces.tents:
        yield from _tents(pieces.tents, job)
    if pieces.pad:
        yield _pad(pieces, game, job)


def _tile(card: CardPicture, job: Job) -> Piece:
    assert card.plan is not None
    across = max(tile.x for tile in card.plan.tiles) + 1
    down = max(tile.y for tile in card.plan.tiles) + 1
    size = (across * SQUARE, down * SQUARE)
    return Piece(
        *size,
        draw_tile(card, SQUARE, BLEED, low_ink=job.low_ink),
        draw_tile_back(card, *size, BLEED, low_ink=job.low_ink),
        ". ".join(filter(None, (f"{card.name} {card.title}", card.told or card.text))),
        _SENTENCES.say("back", {"card": card.name}, job.language),
    )


def _counters(counters: tuple[Counter, ...], job: Job) -> Iterator[Piece]:
    for counter in counters:
        size = (COUNTER + 2 * BLEED) * PER_MM
        sheet = Sheet(low_ink=job.low_ink)
        for part in counter.tile.parts:
            # The drawing is larger than its counter: around a person is air.
            wide = COUNTER * 1.3 * PER_MM
            sheet.part(part, (size - wide) / 2, (size - wide) / 2, wide)
        drawn = sheet.page(size, size)
        yield from [Piece(COUNTER, COUNTER, drawn, drawn, counter.title, counter.title)] * (
            counter.count
        )


def _tents(tents: tuple[Tent, ...], job: Job) -> Iterator[Page]:
    """Two sides, head to head at the fold, and a strip to glue under one of them."""
    wide, high = job.paper.size
    foot = 12.0
    each = 2 * TENT[1] + foot
    on_page = int((high - 2) // (each + 8))
    for first in range(0, len(tents), on_page):
        some = tents[first : first + on_page]
        top = (high - len(some) * each - (len(some) - 1) * 8) / 2
        left = (wide - TENT[0]) / 2
        placed, marks = [], []
        for number, tent in enumerate(some):
            y = top + number * (each + 8)
            svg = _tent(tent, job)
            said = f"{tent.title}. {' '.join(tent.lines)}"
            none = (0.0, 0.0, 0.0, 0.0)
            placed += [
                Placed(left, y, *TENT, svg, said, none, is_turned=True),
                Placed(left, y + TENT[1], *TENT, svg, said, none),
            ]
            marks += [*_frame(left, y, TENT[0], each)]
            for at in (y + TENT[1], y + 2 * TENT[1]):
                # Short strokes beside the paper's folds.
                marks += [
                    (left - 6, at, left - 1, at),
                    (left + TENT[0] + 1, at, left + TENT[0] + 6, at),
                ]
        note = _SENTENCES.say("tent-how", {}, job.language)
        yield Page(wide, high, tuple(placed), tuple(marks), note=note)


def _frame(
    x: float, y: float, width: float, height: float
) -> Iterator[tuple[float, float, float, float]]:
    right, under = x + width, y + height
    yield (x, y, right, y)
    yield (x, under, right, under)
    yield (x, y, x, under)
    yield (right, y, right, under)


def _tent(tent: Tent, job: Job) -> str:
    off = BLEED * PER_MM
    width, height = (side * PER_MM for side in TENT)
    sheet = Sheet(low_ink=job.low_ink)
    if tent.tile is not None:
        for part in tent.tile.parts:
            sheet.part(part, off + 6, off + 12, height - 24)
    left = off + height - 6
    size = min(38.0, (width - height) / (0.5 * max(len(tent.title), 1)))
    sheet.add(words(left, off + 42, tent.title, size, "start", font=SIGN, weight=600))
    for number, line in enumerate(tent.lines):
        sheet.add(words(left, off + 64 + number * 18, line, 15, "start", fill=SOFT))
    return sheet.page(width + 2 * off, height + 2 * off)


def _pad(pieces: Pieces, game: AnyGame, job: Job) -> Page:
    """Blocks to write in, one for each match."""
    wide, high = job.paper.size
    across, down = _PADS
    width, height = (wide - 24) / across, (high - 30) / down
    left, top = 12.0, 12.0
    drawn = _score_block(pieces, game, job, width - 6, height - 6)
    said = _SENTENCES.say("pad", {}, job.language)
    placed = tuple(
        Placed(
            left + column * width + 3,
            top + row * height + 3,
            width - 6,
            height - 6,
            drawn,
            said,
            (0.0, 0.0, 0.0, 0.0),
        )
        for row in range(down)
        for column in range(across)
    )
    return Page(wide, high, placed)


def _score_block(pieces: Pieces, game: AnyGame, job: Job, width: float, height: float) -> str:
    off = BLEED * PER_MM
    wide, high = width * PER_MM - 1, height * PER_MM - 1
    sheet = Sheet(low_ink=job.low_ink)
    name, total = (_SENTENCES.say(code, {}, job.language) for code in ("name", "total"))
    rows = [name, *pieces.pad, total]
    first = max(76.0, wide * 0.3)
    each = (wide - first) / len(game.seats)
    head, step = 36.0, (high - 36) / len(rows)
    sheet.add(words(off, off + 14, game.title, 14, "start", font=SIGN, weight=600))
    when = _SENTENCES.say("date", {}, job.language)
    sheet.add(words(off + wide * 0.55, off + 14, f"{when} ______________", 10, "start", fill=SOFT))
    for number, seat in enumerate(game.seats):
        sheet.add(words(off + first + (number + 0.5) * each, off + 31, seat, 13, weight=700))
    for number, row in enumerate(rows):
        y = off + head + number * step
        heavy = row == total
        sheet.add(
            f"<path d='M{off:g} {y:g}h{wide:g}' stroke='{INK}'"
            f" stroke-width='{1.6 if heavy else 0.6}'/>",
            words(off + 2, y + step / 2 + 4, row, 11, "start", weight=700 if heavy else 400),
        )
    for number in range(len(game.seats) + 1):
        x = off + first + number * each
        sheet.add(
            f"<path d='M{x:g} {off + head:g}v{high - head:g}' stroke='{INK}' stroke-width='0.6'/>"
        )
    sheet.add(
        f"<path d='M{off:g} {off + head:g}v{high - head:g}h{wide:g}' fill='none' stroke='{INK}'"
        " stroke-width='0.6'/>"
    )
    return sheet.page(wide + 1 + 2 * off, high + 1 + 2 * off)
