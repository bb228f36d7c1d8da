"""A scene as SVG, for letters, print and pages: boards like a blueprint, cards as they are printed.

Dark squares are hatched as well as shaded, walls are thick, and every label is written out, so that
nothing hangs on colour alone. Texts are escaped; nothing is loaded from anywhere.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from openplan.core.grid import format_square
from openplan.core.scene import Board, CardPicture, Scene, Tile

SQUARE: Final = 36
MARGIN: Final = 30
CARD_WIDTH: Final = 132
CARD_HEIGHT: Final = 150
_GAP: Final = 10
_CELL: Final = 14
_INK: Final = "#1d2b3a"
_PAPER: Final = "#fdfcf8"
_LINE: Final = "#b9c4cf"
_DARK: Final = "#4a5f78"
_MARKED: Final = "#c2410c"
_FONT: Final = "font-family='DejaVu Sans Mono, Menlo, Consolas, monospace'"
_HATCH: Final = (
    "<defs><pattern id='hatch' width='6' height='6' patternUnits='userSpaceOnUse'"
    f" patternTransform='rotate(45)'><rect width='6' height='6' fill='{_DARK}'/>"
    "<line x1='0' y1='0' x2='0' y2='6' stroke='#6d839c' stroke-width='2'/></pattern></defs>"
)
_SIDES: Final = {"N": (0, 0, 1, 0), "E": (1, 0, 1, 1), "S": (0, 1, 1, 1), "W": (0, 0, 0, 1)}


def draw_board(board: Board) -> str:
    """A board with the names of its columns and rows in the margins."""
    if not board.tiles:
        return _page(10, 10, [])
    xs, ys = [tile.x for tile in board.tiles], [tile.y for tile in board.tiles]
    west, north = min(xs), min(ys)
    columns, rows = max(xs) - west + 1, max(ys) - north + 1
    drawn = [
        _words(MARGIN + (x + 0.5) * SQUARE, MARGIN - 8, format_square((west + x, 0)), 11)
        for x in range(columns)
    ]
    drawn += [
        _words(MARGIN - 5, MARGIN + (y + 0.6) * SQUARE, format_square((0, north + y)), 11, "end")
        for y in range(rows)
    ]
    tiles = sorted(board.tiles, key=lambda tile: bool(tile.walls or tile.mark))
    drawn += [_tile(tile, west, north) for tile in tiles]
    # Walls last, so that no neighbour lies over them.
    drawn += [_walls(tile, west, north) for tile in tiles if tile.walls]
    return _page(MARGIN + columns * SQUARE + 6, MARGIN + rows * SQUARE + 6, drawn)


def _tile(tile: Tile, west: int, north: int) -> str:
    x, y = MARGIN + (tile.x - west) * SQUARE, MARGIN + (tile.y - north) * SQUARE
    fill = "url(#hatch)" if tile.kind == "dark" else _PAPER
    edge = f"stroke='{_MARKED}' stroke-width='3'" if tile.mark else f"stroke='{_LINE}'"
    square = f"<rect x='{x}' y='{y}' width='{SQUARE}' height='{SQUARE}' fill='{fill}' {edge}/>"
    if tile.label in ("", "."):
        return square
    return square + _label(tile, x + SQUARE / 2, y + SQUARE / 2)


def _label(tile: Tile, x: float, y: float) -> str:
    """On a hatched square a label has a plate of its own to be read on."""
    size = 14 if len(tile.label) <= 3 else 10
    plate = ""
    if tile.kind == "dark":
        wide = len(tile.label) * size * 0.62 + 4
        plate = (
            f"<rect x='{x - wide / 2:g}' y='{y - 9:g}' width='{wide:g}' height='18' rx='3'"
            f" fill='{_PAPER}'/>"
        )
    return plate + _words(x, y + size * 0.35, tile.label, size, weight="bold")


def _walls(tile: Tile, west: int, north: int) -> str:
    x, y = MARGIN + (tile.x - west) * SQUARE, MARGIN + (tile.y - north) * SQUARE
    return "".join(
        f"<line x1='{x + a * SQUARE}' y1='{y + b * SQUARE}' x2='{x + c * SQUARE}'"
        f" y2='{y + d * SQUARE}' stroke='{_INK}' stroke-width='3.5' stroke-linecap='round'/>"
        for a, b, c, d in (_SIDES[side] for side in tile.walls)
    )


# -- Cards -----------------------------------------------------------------------------------


def draw_cards(cards: Sequence[CardPicture], across: int = 4) -> str:
    """Cards in rows, as they lie on a table."""
    rows = -(-len(cards) // across)
    drawn = []
    for number, card in enumerate(cards):
        x = 1 + number % across * (CARD_WIDTH + _GAP)
        y = 1 + number // across * (CARD_HEIGHT + _GAP)
        drawn.append(f"<g transform='translate({x} {y})'>{_card(card)}</g>")
    wide = min(len(cards), across) * (CARD_WIDTH + _GAP)
    return _page(max(wide, 10), max(rows * (CARD_HEIGHT + _GAP), 10), drawn)


def _card(card: CardPicture) -> str:
    edge = f"width='{CARD_WIDTH}' height='{CARD_HEIGHT}' rx='8' stroke='{_INK}' stroke-width='1.5'"
    if not card.name:
        fill = "url(#hatch)" if card.back == "dark" else _PAPER
        return f"<rect {edge} fill='{fill}'/>"
    strip = "url(#hatch)" if card.back == "dark" else "#e4e9ee"
    parts = [
        f"<rect {edge} fill='{_PAPER}'/>",
        f"<rect x='1' y='{CARD_HEIGHT - 9}' width='{CARD_WIDTH - 2}' height='8' fill='{strip}'/>",
        _words(8, 17, card.name, 11, "start"),
        _words(8, 33, card.title, 11, "start", "bold"),
    ]
    if card.value is not None:
        parts.append(_words(CARD_WIDTH - 8, 19, str(card.value), 15, "end", "bold"))
    top = 44.0
    if card.drawing:
        parts.append(_pattern(card.drawing, top))
        top += len(card.drawing) * _CELL * (0.6 if _is_plan(card.drawing) else 1) + 12
    for line in textwrap.wrap(card.text, 19)[: max(0, int((CARD_HEIGHT - 14 - top) // 11))]:
        parts.append(_words(8, top + 8, line, 9.5, "start"))
        top += 11
    return "".join(parts)


def _is_plan(drawing: Sequence[str]) -> bool:
    """A floor plan drawn with walls (`+-+`), and not a pattern of squares."""
    return any("+" in line for line in drawing)


def _pattern(drawing: Sequence[str], top: float) -> str:
    """What is drawn on a card: squares of an office, or a floor plan with its walls."""
    across = max(len(line) for line in drawing)
    if _is_plan(drawing):
        return _plan(drawing, (CARD_WIDTH - across * _CELL * 0.7) / 2, top)
    left = (CARD_WIDTH - across * _CELL) / 2
    fills = {"D": "url(#hatch)", "L": _PAPER}
    return "".join(
        f"<rect x='{left + x * _CELL:g}' y='{top + y * _CELL:g}' width='{_CELL}' height='{_CELL}'"
        f" fill='{fills[letter]}' stroke='{_INK}'/>"
        for y, line in enumerate(drawing)
        for x, letter in enumerate(line)
        if letter in fills
    )


def _plan(drawing: Sequence[str], left: float, top: float) -> str:
    """Lines alternate: walls and corners, then squares with the walls between them."""
    wide, high = _CELL * 0.7, _CELL * 0.6
    parts = [
        f"<rect x='{left + (x - 0.5) * wide:g}' y='{top + (y - 1) * high:g}' width='{2 * wide:g}'"
        f" height='{2 * high:g}' fill='#eef2f6' stroke='{_LINE}'/>"
        for y, line in enumerate(drawing)
        for x, letter in enumerate(line)
        if y % 2 and x % 2 and letter != " "
    ]
    for row, line in enumerate(drawing):
        y = top + row * high
        for column, letter in enumerate(line):
            x = left + column * wide
            if letter == "-":
                parts.append(_stroke(x - wide / 2, y, x + wide * 1.5, y))
            elif letter == "|":
                parts.append(_stroke(x + wide / 2, y - high, x + wide / 2, y + high))
            elif letter not in "+. ":
                parts.append(_words(x + wide / 2, y + 4, letter, 10))
    return "".join(parts)


def _stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    ends = f"x1='{x1:g}' y1='{y1:g}' x2='{x2:g}' y2='{y2:g}'"
    return f"<line {ends} stroke='{_INK}' stroke-width='2' stroke-linecap='round'/>"


# -- Words -----------------------------------------------------------------------------------


def _words(
    x: float, y: float, text: str, size: float, anchor: str = "middle", weight: str = "normal"
) -> str:
    return (
        f"<text x='{x:g}' y='{y:g}' font-size='{size:g}' text-anchor='{anchor}'"
        f" font-weight='{weight}' fill='{_INK}' {_FONT}>{escape(text)}</text>"
    )


def _page(wide: float, high: float, parts: Iterable[str]) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {wide:g} {high:g}' width='{wide:g}'"
        f" height='{high:g}'>{_HATCH}{''.join(parts)}</svg>"
    )


def draw_scene(scene: Scene) -> list[tuple[str, str]]:
    """Each board of a scene by its title."""
    return [(board.title or scene.title, draw_board(board)) for board in scene.boards]
