"""A scene as SVG, for letters, previews, cases and print: boards and cards from a game's own
drawings (`core.drawings`), the same that the page shows.

Without drawings of a game its labels are written. Nothing hangs on colour alone: dark carpets are
hatched and light ones dotted, walls are thick, departments have shapes and letters. Colours are
written out, texts are escaped, nothing is loaded from anywhere. Lengths are CSS pixels; a card is
63 by 88 mm at three to the millimetre.

`draw_board`, `draw_boards`, `draw_card`, `draw_cards`, `draw_legend` and `draw_scene` are whole
pictures; `draw_face`, `draw_back` and `draw_tile` are cards to be cut out, with what is cut off
around them. `Sheet` collects what is drawn, for who puts several things on one page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import Final

from openplan.core.grid import Square, format_square, neighbours
from openplan.core.scene import Board, CardPicture, Part, Scene, Tile

SQUARE: Final = 40
MARGIN: Final = 30
CARD_WIDTH: Final = 189
CARD_HEIGHT: Final = 264
INK: Final = "#1c2630"
SOFT: Final = "#4c5a66"
PAPER: Final = "#ffffff"
LINE: Final = "#b9cddf"
OUTSIDE: Final = "#cfdae4"
WALL: Final = "#12293f"
ACCENT: Final = "#e3a63b"
_MARKED: Final = "#c2410c"
_DARK: Final = "#35506b"
_GAP: Final = 10
_SIDES: Final = {"N": (0, 0, 1, 0), "E": (1, 0, 1, 1), "S": (0, 1, 1, 1), "W": (0, 0, 0, 1)}

TEXT: Final = "Atkinson Hyperlegible Next, Verdana, sans-serif"
SIGN: Final = "Barlow Semi Condensed, Barlow, Arial Narrow, sans-serif"
MONO: Final = "DejaVu Sans Mono, Menlo, Consolas, monospace"


class Sheet:
    """What is drawn on one page, and the parts that it is made of, each once. With `low_ink` lines
    stand for surfaces."""

    def __init__(self, *, low_ink: bool = False) -> None:
        self.low_ink = low_ink
        self.drawn: list[str] = []
        self._parts: dict[str, Part] = {}

    def add(self, *shapes: str) -> None:
        self.drawn += shapes

    def part(self, part: Part, x: float, y: float, width: float, height: float = 0) -> None:
        """A part at a place; by its width alone it keeps its proportions."""
        self._parts[part.name] = _in_outline(part) if self.low_ink else part
        across, down = width / part.width, (height or 0) / part.height or width / part.width
        size = f"{across:.4g}" if across == down else f"{across:.4g} {down:.4g}"
        self.add(
            f"<use href='#{escape(part.name)}' transform='translate({x:g} {y:g}) scale({size})'/>"
        )

    def plate(
        self, x: float, y: float, width: float, height: float, round_: float, fill: str
    ) -> None:
        """What a word stands on."""
        look = f"fill='{fill}'"
        if self.low_ink:
            look = f"fill='{PAPER}' stroke='{INK}' stroke-width='1.2'"
        self.add(
            f"<rect x='{x:g}' y='{y:g}' width='{width:g}' height='{height:g}' rx='{round_:g}'"
            f" {look}/>"
        )

    def on_dark(self) -> str:
        """The colour of words on what is dark, unless ink is saved."""
        return INK if self.low_ink else PAPER

    def page(self, width: float, height: float, scale: float = 1) -> str:
        parts = "".join(
            f"<g id='{escape(name)}'>{part.shapes}</g>" for name, part in self._parts.items()
        )
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:g} {height:g}'"
            f" width='{width * scale:g}' height='{height * scale:g}'><defs>{parts}</defs>"
            f"{''.join(self.drawn)}</svg>"
        )


_COLOUR: Final = re.compile(r'((?:fill|stroke)=")#([0-9a-f]{6})"')
_OPACITY: Final = re.compile(r' stroke-opacity="[0-9.]+"')


def _in_outline(part: Part) -> Part:
    """A part that costs little ink: what covers it all becomes paper, and what was drawn in white
    on a dark surface is drawn in dark on paper."""
    first, end, rest = part.shapes.partition("/>")
    surface = _COLOUR.search(first)
    if surface is None or f"M0 0h{part.width:g}v{part.height:g}H0z" not in first:
        return part
    was_dark = _light(surface[2]) < 0.5
    first = _COLOUR.sub(rf'\g<1>{PAPER}"', first, count=1)

    def turned(colour: re.Match[str]) -> str:
        return f'{colour[1]}{PAPER if _light(colour[2]) < 0.5 else _DARK}"'

    if was_dark:
        rest = _OPACITY.sub("", _COLOUR.sub(turned, rest))
    return replace(part, shapes=first + end + rest)


def _light(colour: str) -> float:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return 0.3 * red + 0.59 * green + 0.11 * blue


# -- Boards ----------------------------------------------------------------------------------


def draw_board(board: Board) -> str:
    """A board with the names of its columns and rows in the margins; where cards may be laid beside
    it, those squares by their names."""
    sheet = Sheet()
    if not board.tiles:
        return sheet.page(10, 10)
    return sheet.page(*_board(sheet, board, 0, 0, names=True))


def draw_boards(boards: Sequence[Board], lines: Sequence[str] = ()) -> str:
    """All boards of a table side by side, by their titles where there are several, and lines about
    them: one picture of a match."""
    sheet = Sheet()
    shown = [board for board in boards if board.tiles]
    top = 28.0 if len(shown) > 1 else 0.0
    left, bottom = 0.0, top
    for board in shown:
        if top:
            sheet.add(words(left + 4, 20, board.title, 16, "start", font=SIGN, weight=600))
        wide, high = _board(sheet, board, left, top, names=False)
        left += max(wide, _wide(board.title, 16) if top else 0) + _GAP
        bottom = max(bottom, top + high)
    for line in lines:
        bottom += 24
        sheet.add(words(4, bottom - 6, line, 17, "start", font=SIGN, weight=600))
    wide = max([left - _GAP, *(_wide(line, 17) + 8 for line in lines), 10])
    paper = f"<rect width='{wide:g}' height='{max(bottom, 10):g}' fill='{PAPER}'/>"
    sheet.drawn.insert(0, paper)
    return sheet.page(wide, max(bottom, 10))


def _board(
    sheet: Sheet, board: Board, left: float, top: float, *, names: bool
) -> tuple[float, float]:
    """A board at a place, and how much of the paper it takes."""
    free = _free(board) if names else set()
    xs = [tile.x for tile in board.tiles] + [square.x for square in free]
    ys = [tile.y for tile in board.tiles] + [square.y for square in free]
    west, north = min(xs), min(ys)
    columns, rows = max(xs) - west + 1, max(ys) - north + 1
    margin = MARGIN if names else 3
    left, top = left + margin, top + margin
    if "free" not in board.legend:
        # What is not built is darker than what is, as on the page.
        sheet.add(
            f"<rect x='{left - 3:g}' y='{top - 3:g}' width='{columns * SQUARE + 6}'"
            f" height='{rows * SQUARE + 6}' rx='4' fill='{OUTSIDE}'/>"
        )
    if names:
        sheet.add(
            *(
                words(left + (x + 0.5) * SQUARE, top - 8, format_square((west + x, 0)), 12)
                for x in range(columns)
            ),
            *(
                words(left - 6, top + (y + 0.6) * SQUARE, format_square((0, north + y)), 12, "end")
                for y in range(rows)
            ),
        )
    for square in sorted(free):
        x, y = left + (square.x - west) * SQUARE, top + (square.y - north) * SQUARE
        sheet.add(
            f"<rect x='{x + 3:g}' y='{y + 3:g}' width='{SQUARE - 6}' height='{SQUARE - 6}' rx='3'"
            f" fill='none' stroke='{LINE}' stroke-dasharray='3 3'/>",
            words(x + SQUARE / 2, y + SQUARE / 2 + 4, format_square(square), 10.5, fill=SOFT),
        )
    _plan(sheet, board.tiles, left - west * SQUARE, top - north * SQUARE, SQUARE)
    return margin + columns * SQUARE + 6, margin + rows * SQUARE + 6


def _free(board: Board) -> set[Square]:
    """Squares beside cards, where the board's words have a name for such."""
    if "free" not in board.legend:
        return set()
    taken = {Square(tile.x, tile.y) for tile in board.tiles}
    return {beside for square in taken for beside in neighbours(square)} - taken


def _plan(sheet: Sheet, tiles: Sequence[Tile], left: float, top: float, size: float) -> None:
    """Squares of a size, then walls and marks, so that no neighbour lies over them."""
    places = [(tile, left + tile.x * size, top + tile.y * size) for tile in tiles]
    for tile, x, y in places:
        _tile(sheet, tile, x, y, size)
    for tile, x, y in places:
        sheet.add(*(_wall(side, x, y, size) for side in tile.walls))
    for tile, x, y in places:
        if tile.mark:
            sheet.add(
                f"<rect x='{x + 1.5:g}' y='{y + 1.5:g}' width='{size - 3:g}' height='{size - 3:g}'"
                f" fill='none' stroke='{_MARKED}' stroke-width='3'/>"
            )


def _tile(sheet: Sheet, tile: Tile, x: float, y: float, size: float) -> None:
    for part in tile.parts:
        sheet.part(part, x, y, size)
    if not tile.parts:
        fill = _DARK if tile.kind == "dark" else PAPER
        sheet.add(
            f"<rect x='{x:g}' y='{y:g}' width='{size:g}' height='{size:g}' fill='{fill}'"
            f" stroke='{LINE}'/>"
        )
    scale = size / 40
    if tile.parts and tile.worth:
        # CF-6.6: what it is worth is printed on it.
        less = tile.worth < 0
        number = f"\N{MINUS SIGN}{-tile.worth}" if less else str(tile.worth)
        sheet.add(
            words(
                x + (28 if less else 31) * scale,
                y + 35 * scale,
                number,
                11.5 * scale,
                fill=PAPER if less else INK,
                weight=700,
            )
        )
    if tile.label not in ("", ".") and (tile.is_named or not tile.parts):
        _label(sheet, tile, x, y, size)


def _label(sheet: Sheet, tile: Tile, x: float, y: float, size: float) -> None:
    """On what is drawn or dark a label has a plate of its own to be read on."""
    letters = (0.3 if len(tile.label) <= 3 else 0.25) * size
    middle = y + size * (0.82 if tile.parts else 0.5)
    if tile.parts or tile.kind == "dark":
        wide = min(size - 2, _wide(tile.label, letters) + 6)
        sheet.add(
            f"<rect x='{x + (size - wide) / 2:g}' y='{middle - letters * 0.6:g}' width='{wide:g}'"
            f" height='{letters * 1.2:g}' rx='2' fill='{PAPER}'/>"
        )
    sheet.add(words(x + size / 2, middle + letters * 0.36, tile.label, letters, weight=700))


def _wall(side: str, x: float, y: float, size: float) -> str:
    a, b, c, d = _SIDES[side]
    return (
        f"<line x1='{x + a * size:g}' y1='{y + b * size:g}' x2='{x + c * size:g}'"
        f" y2='{y + d * size:g}' stroke='{WALL}' stroke-width='{size / 10:g}'"
        " stroke-linecap='round'/>"
    )


def draw_scene(scene: Scene) -> list[tuple[str, str]]:
    """Each board of a scene by its title."""
    return [(board.title or scene.title, draw_board(board)) for board in scene.boards]


def draw_legend(legend: Sequence[tuple[Tile, str]], across: int = 3) -> str:
    """What is drawn on the boards, with what it is called."""
    sheet = Sheet()
    size, high = 30, 38
    wide = 14 + size + max((_wide(name, 13) for _, name in legend), default=0)
    for number, (tile, name) in enumerate(legend):
        x, y = 2 + number % across * wide, 2 + number // across * high
        _plan(sheet, [tile], x, y, size)
        sheet.add(words(x + size + 7, y + size / 2 + 4.5, name, 13, "start"))
    rows = -(-len(legend) // across)
    return sheet.page(max(min(len(legend), across) * wide, 10), max(rows * high, 10))


# -- Cards -----------------------------------------------------------------------------------


def draw_card(picture: CardPicture) -> str:
    """One card, 63 by 88 mm: its face, or its back where that is all there is to see."""
    sheet = Sheet()
    _card(sheet, picture, 0, 0)
    return sheet.page(CARD_WIDTH, CARD_HEIGHT)


def draw_cards(pictures: Sequence[CardPicture], across: int = 4) -> str:
    """Cards in rows, as they lie on a table."""
    sheet = Sheet()
    for number, picture in enumerate(pictures):
        x = number % across * (CARD_WIDTH + _GAP)
        y = number // across * (CARD_HEIGHT + _GAP)
        _card(sheet, picture, x, y)
    rows = -(-len(pictures) // across)
    wide = min(len(pictures), across) * (CARD_WIDTH + _GAP)
    return sheet.page(max(wide, 10), max(rows * (CARD_HEIGHT + _GAP), 10))


def draw_backs(pictures: Sequence[CardPicture]) -> str:
    """Cards from behind, small, in a row."""
    sheet = Sheet()
    for number, picture in enumerate(pictures):
        _card(sheet, picture, number * (CARD_WIDTH + _GAP), 0)
    wide = max(len(pictures) * (CARD_WIDTH + _GAP) - _GAP, 10)
    return sheet.page(wide, CARD_HEIGHT, scale=0.25)


_BAND: Final = 46
_FOOT: Final = 26
_EDGE: Final = 8
_INSIDE: Final = CARD_WIDTH - 2 * _EDGE


def _card(sheet: Sheet, card: CardPicture, left: float, top: float) -> None:
    frame = (
        f"<rect x='{left + 1:g}' y='{top + 1:g}' width='{CARD_WIDTH - 2}'"
        f" height='{CARD_HEIGHT - 2}' rx='9' fill='{{}}' stroke='{INK}' stroke-width='1.5'/>"
    )
    if not card.name:
        sheet.add(frame.format(_DARK if card.back == "dark" and card.behind is None else PAPER))
        if card.behind is not None:
            inside = (left + 7, top + 7, CARD_WIDTH - 14, CARD_HEIGHT - 14)
            sheet.part(card.behind, *inside)
        return
    sheet.add(frame.format(PAPER))
    if card.band is not None:
        sheet.part(card.band, left + 5, top + 5, CARD_WIDTH - 10, _BAND)
    _face(sheet, card, left, top)


def _face(sheet: Sheet, card: CardPicture, left: float, top: float) -> None:
    """What stands on a card, without its frame."""
    _title(sheet, card, left, top)
    lines = list(_wrapped(card.told or card.text, 12, _INSIDE))
    joke = list(_wrapped(card.quip, 11, _INSIDE))
    first, last = top + _BAND + 12, top + CARD_HEIGHT - _FOOT - 6
    needed = 14.5 * len(lines) + (13 * len(joke) + 4 if joke else 0)
    if last - needed - first < 64:
        joke, needed = [], 14.5 * len(lines)
    _art(sheet, card, left, first, last - needed - 8)
    y = last - needed + 8
    for line in lines:
        sheet.add(words(left + _EDGE, y, line, 12, "start"))
        y += 14.5
    y += 4
    for line in joke:
        sheet.add(words(left + _EDGE, y, line, 11, "start", fill=SOFT))
        y += 13
    _name(sheet, card.name, left + _EDGE, top + CARD_HEIGHT - _FOOT)


def _title(sheet: Sheet, card: CardPicture, left: float, top: float) -> None:
    """Under it the band, beside it the value on a plate."""
    dark = card.band is not None and card.back == "dark"
    room = _INSIDE - 6.0
    if card.value is not None:
        room -= 32
        sheet.plate(left + CARD_WIDTH - 41, top + 14, 30, 27, 5, ACCENT)
        sheet.add(
            words(left + CARD_WIDTH - 26, top + 34.5, str(card.value), 20, font=SIGN, weight=600)
        )
    size = 19.0
    while size > 12 and len(list(_wrapped(card.title, size * 0.88, room))) > (
        2 if size < 18 else 1
    ):
        size -= 0.5
    lines = list(_wrapped(card.title, size * 0.88, room))[:2]
    y = top + 5 + _BAND / 2 + size * 0.35 - (len(lines) - 1) * size * 0.53
    for line in lines:
        ink = sheet.on_dark() if dark else INK
        sheet.add(words(left + 11, y, line, size, "start", font=SIGN, weight=600, fill=ink))
        y += size * 1.06


def _art(sheet: Sheet, card: CardPicture, left: float, top: float, bottom: float) -> None:
    """The plan or the emblem in the middle of its room, as large as it may be."""
    high, middle = bottom - top, left + CARD_WIDTH / 2
    if card.plan is not None and card.plan.tiles:
        tiles = card.plan.tiles
        columns = max(tile.x for tile in tiles) + 1
        rows = max(tile.y for tile in tiles) + 1
        size = min(_INSIDE / max(columns, 3), (high - 4) / rows, 42)
        _plan(sheet, tiles, middle - columns * size / 2, top + (high - rows * size) / 2, size)
    elif card.emblem is not None:
        part = card.emblem
        wide = min(high / part.height, 110 / part.width) * part.width
        tall = wide / part.width * part.height
        sheet.part(part, middle - wide / 2, top + (high - tall) / 2, wide)
    else:
        y = top + 12.0
        for row in card.drawing:
            sheet.add(words(middle, y, row, 12, font=MONO))
            y += 13


def _name(sheet: Sheet, name: str, x: float, y: float) -> None:
    """What orders call it, on a plate."""
    wide = _wide(name, 13) + 14
    sheet.plate(x, y, wide, 19, 9.5, "#1f4e79")
    sheet.add(words(x + wide / 2, y + 14, name, 13, fill=sheet.on_dark(), weight=700))


# -- To be cut out -----------------------------------------------------------------------------

PER_MM: Final = 3
"""Pixels of a drawing for a millimetre of paper."""
_KEPT: Final = 0.96
"""So small a face keeps away from the knife."""


def draw_face(card: CardPicture, bleed: float, *, low_ink: bool = False) -> str:
    """The face of a card without a frame, which no knife would follow. `bleed` millimetres on every
    side of it are cut off."""
    sheet, off = Sheet(low_ink=low_ink), bleed * PER_MM
    width, height = CARD_WIDTH + 2 * off, CARD_HEIGHT + 2 * off
    sheet.add(_paper(width, height))
    left, top = CARD_WIDTH * (1 - _KEPT) / 2, CARD_HEIGHT * (1 - _KEPT) / 2
    under = off + top + (_BAND + 5) * _KEPT
    if card.band is not None:
        # In lines it would strike the title out: then a strip above it is enough.
        sheet.part(card.band, 0, 0, width, off + 12 if low_ink else under)
    if card.band is None or low_ink:
        sheet.add(f"<path d='M0 {under:g}h{width:g}' stroke='{INK}' stroke-width='1.5'/>")
    sheet.add(f"<g transform='translate({off + left:g} {off + top:g}) scale({_KEPT})'>")
    _face(sheet, card, 0, 0)
    sheet.add("</g>")
    return sheet.page(width, height)


def draw_back(card: CardPicture, bleed: float, *, low_ink: bool = False) -> str:
    """The same from behind."""
    sheet, off = Sheet(low_ink=low_ink), bleed * PER_MM
    width, height = CARD_WIDTH + 2 * off, CARD_HEIGHT + 2 * off
    sheet.add(_paper(width, height))
    if card.behind is not None:
        sheet.part(card.behind, 0, 0, width, height)
    return sheet.page(width, height)


def draw_tile(card: CardPicture, square: float, bleed: float, *, low_ink: bool = False) -> str:
    """The plan of a card to be laid on the table, its squares so many millimetres wide, with its
    name in the corner that is north-west before it is turned. The outermost squares go on into
    what is cut off."""
    assert card.plan is not None
    sheet, off, size = Sheet(low_ink=low_ink), bleed * PER_MM, square * PER_MM
    tiles = card.plan.tiles
    across, down = max(tile.x for tile in tiles) + 1, max(tile.y for tile in tiles) + 1
    width, height = across * size + 2 * off, down * size + 2 * off
    sheet.add(_paper(width, height))
    for tile in tiles:
        # The carpet of a square at the rim reaches beyond it.
        x, y = off + tile.x * size, off + tile.y * size
        left, top = off * (tile.x == 0), off * (tile.y == 0)
        right, under = off * (tile.x == across - 1), off * (tile.y == down - 1)
        if tile.parts and left + top + right + under:
            sheet.part(tile.parts[0], x - left, y - top, size + left + right, size + top + under)
    _plan(sheet, tiles, off, off, size)
    letters = size * 0.16
    wide = _wide(card.name, letters) + letters * 0.7
    sheet.plate(off + size * 0.065, off + size * 0.065, wide, letters * 1.25, 2, "#1f4e79")
    sheet.add(
        words(
            off + size * 0.065 + wide / 2,
            off + size * 0.065 + letters * 0.98,
            card.name,
            letters,
            fill=sheet.on_dark(),
            weight=700,
        )
    )
    return sheet.page(width, height)


def draw_tile_back(
    card: CardPicture, width: float, height: float, bleed: float, *, low_ink: bool = False
) -> str:
    """A plan from behind: the middle of the card's back, in millimetres."""
    sheet, off = Sheet(low_ink=low_ink), bleed * PER_MM
    wide, high = width * PER_MM + 2 * off, height * PER_MM + 2 * off
    sheet.add(_paper(wide, high))
    if card.behind is not None:
        part, (across, down) = card.behind, (wide, high)
        lies = (wide > high) != (part.width > part.height)
        if lies:
            across, down = high, wide
            sheet.add(f"<g transform='translate({wide:g} 0) rotate(90)'>")
        # Large enough to cover it, and what is too much of it lies outside.
        scale = max(across / part.width, down / part.height)
        x, y = (across - part.width * scale) / 2, (down - part.height * scale) / 2
        sheet.part(part, x, y, part.width * scale)
        if lies:
            sheet.add("</g>")
    return sheet.page(wide, high)


def draw_emblem(card: CardPicture) -> str:
    """What a card shows of what it does, by itself."""
    sheet = Sheet()
    assert card.emblem is not None
    sheet.part(card.emblem, 0, 0, card.emblem.width)
    return sheet.page(card.emblem.width, card.emblem.height)


def _paper(width: float, height: float) -> str:
    return f"<rect width='{width:g}' height='{height:g}' fill='{PAPER}'/>"


# -- Words -----------------------------------------------------------------------------------


def words(
    x: float,
    y: float,
    text: str,
    size: float,
    anchor: str = "middle",
    *,
    font: str = TEXT,
    weight: int = 400,
    fill: str = INK,
) -> str:
    """A line of text on its base line. `xml:space` keeps what is drawn in letters in its places."""
    keep = " xml:space='preserve'" if font == MONO else ""
    return (
        f"<text x='{x:g}' y='{y:g}' font-size='{size:g}' text-anchor='{anchor}'"
        f" font-weight='{weight}' fill='{fill}' font-family='{font}'{keep}>{escape(text)}</text>"
    )


_NARROW: Final = frozenset("iljtfrI.,:;'!|()[]-/ ")
_BROAD: Final = frozenset("mwMW@%")


def _wide(text: str, size: float) -> float:
    """How wide a text is set, near enough to break lines by."""
    return size * sum(
        0.34 if c in _NARROW else 0.88 if c in _BROAD else 0.66 if c.isupper() else 0.57
        for c in text
    )


def _wrapped(text: str, size: float, room: float) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and _wide(longer, size) > room:
            yield line
            line = word
        else:
            line = longer
    if line:
        yield line
