"""A scene as text, at most 80 columns wide and readable without colour.

Dark squares are shaded and light ones open, on a board as on a card. A square's name is read off
the margins: first the column's, then the row's (`E2` and `S1`: `E2S1`).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, zip_longest

from rich.cells import cell_len, chop_cells, set_cell_size

from openplan.core.grid import Square, format_square, neighbours
from openplan.core.scene import Board, CardPicture, Panel, Scene, Tile

SHADE = "▒"
FREE = "·"
ONWARDS = "→"
_FILL = {"dark": SHADE, "light": " "}
_SAMPLE = {"dark": SHADE * 2, "light": "[]"}
_PATTERN = {"D": SHADE * 2, "L": "[]", ".": f" {FREE}"}
_SIGNS = "*+%!"

# The character where lines meet, by the sides they come from: 1 north, 2 east, 4 south, 8 west.
_LINES = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
_ASCII = str.maketrans(
    {**dict.fromkeys("╵│╷", "|"), **dict.fromkeys("╶─╴", "-"), **dict.fromkeys("└┌├┘┴┐┤┬┼", "+")}
    | {SHADE: "#", FREE: ".", ONWARDS: ">", "…": "~"}
)

CARD_WIDTH = 19
"""Four cards side by side, with a space between, in 79 columns."""
_INSIDE = CARD_WIDTH - 2
_SMALL_CARD = 5  # lines of writing on a card at the table
_GAP = 3
_HEAP = 8  # more cards than this are told, not drawn
_NARROWEST = 30  # columns for what is told beside a board


def draw_scene(scene: Scene, width: int = 80) -> str:
    """The whole table: the boards, beside them what is told in a line, then cards, then words."""
    blocks = [block for board in scene.boards for block in draw_board(board, width)]
    beside = width - _width(blocks[-1]) - _GAP if blocks else 0
    told = [panel for panel in scene.panels if not _is_spread(panel)]
    room = beside if beside >= _NARROWEST else width
    blocks.append([line for panel in told for line in draw_panel(panel, room)])
    blocks += [draw_panel(panel, width) for panel in scene.panels if _is_spread(panel)]
    lines = [scene.title, ""] if scene.title else []
    lines += _flow([block for block in blocks if block], width)
    for line in ("  ".join(scene.standings), *scene.status):
        lines += _wrap(line, width)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def as_ascii(text: str) -> str:
    """The same drawing for a terminal that knows ASCII only; nothing changes its place."""
    return text.translate(_ASCII)


# -- Boards ----------------------------------------------------------------------------------


def draw_board(board: Board, width: int = 80) -> list[list[str]]:
    """The board as blocks of lines: one, or several from west to east if it is too wide."""
    if not board.tiles:
        return [[board.title]]
    at = {Square(tile.x, tile.y): tile for tile in board.tiles}
    # Beside a card there is room for another: a dot shows where, so that its name can be read off.
    room = {
        square for place in at if at[place].kind in _FILL for square in neighbours(place)
    }.difference(at)
    xs, ys = ({square[axis] for square in (*at, *room)} for axis in (0, 1))
    margin = 1 + max(len(format_square((0, y))) for y in ys)
    inside = _square_width(board.tiles, width - margin, max(xs) - min(xs) + 1)
    columns = (width - margin - 1) // (inside + 1)
    title = "   ".join([board.title, *_samples(board, room)])
    blocks = []
    for west in range(min(xs), max(xs) + 1, columns):
        east = min(west + columns - 1, max(xs))
        lines = [title, " " * margin + _column_names(west, east, inside)]
        for y in range(min(ys), max(ys) + 2):
            walls = " " * margin + _wall_line(at, y, west, east, inside)
            # Above the first row and below the last one there may be nothing to draw.
            if walls.strip() or min(ys) < y <= max(ys):
                lines.append(walls.rstrip())
            if y <= max(ys):
                name = f"{format_square((0, y)):>{margin - 1}} "
                lines.append((name + _square_line(at, room, y, west, east, inside)).rstrip())
        blocks.append(lines)
        title = f"{board.title} {ONWARDS}"
    blocks[-1] += _notes(board.tiles, inside, width)
    return blocks


def _square_width(tiles: Sequence[Tile], room: int, columns: int) -> int:
    """How wide a square is inside its walls; one that holds all labels if that can be."""
    labels = [cell_len(tile.label) + 2 * _is_shaded(tile) for tile in tiles if tile.label]
    for inside in (max([4, *labels]), 4, 3, 2):
        if columns * (inside + 1) + 1 <= room:
            return inside
    return 1


def _wall_line(at: Mapping[Square, Tile], y: int, west: int, east: int, inside: int) -> str:
    """The walls on the north side of a row, and the corners where they meet others."""
    line = ""
    for x in range(west, east + 2):
        sides = (
            _has_wall(at, x, y - 1, "W")
            + 2 * (x <= east and _has_wall(at, x, y, "N"))
            + 4 * _has_wall(at, x, y, "W")
            + 8 * (x > west and _has_wall(at, x - 1, y, "N"))
        )
        line += _LINES[sides]
        if x <= east:
            line += ("─" if sides & 2 else " ") * inside
    return line


def _square_line(
    at: Mapping[Square, Tile], room: set[Square], y: int, west: int, east: int, inside: int
) -> str:
    marks = _marks(at.values())
    line = ""
    for x in range(west, east + 2):
        line += "│" if _has_wall(at, x, y, "W") else " "
        if x > east:
            break
        square = Square(x, y)
        if square in at:
            line += _draw_square(at[square], inside, marks)
        else:
            line += _centred(FREE if square in room else "", inside, " ")
    return line


def _has_wall(at: Mapping[Square, Tile], x: int, y: int, side: str) -> bool:
    """Is there a wall on this square's north or west side, its own or its neighbour's?"""
    beyond, facing = (Square(x, y - 1), "S") if side == "N" else (Square(x - 1, y), "E")
    here, there = at.get(Square(x, y)), at.get(beyond)
    return (here is not None and side in _walls(here)) or (
        there is not None and facing in _walls(there)
    )


def _walls(tile: Tile) -> str:
    return "NESW" if tile.kind in _FILL else tile.walls


def _draw_square(tile: Tile, inside: int, marks: Mapping[str, str]) -> str:
    # On the narrowest squares a sign would hide what the square is.
    mark = marks.get(tile.mark, "") if inside > 1 else ""
    content = (tile.label if _label_fits(tile, inside) else "") + mark
    if cell_len(content) > inside:
        content = mark
    return _centred(content, inside, _FILL.get(tile.kind, " "))


def _label_fits(tile: Tile, inside: int) -> bool:
    # A label must leave some of the shading to be seen.
    return cell_len(tile.label) + 2 * _is_shaded(tile) <= inside


def _is_shaded(tile: Tile) -> bool:
    return _FILL.get(tile.kind, " ") != " "


def _marks(tiles: Iterable[Tile]) -> dict[str, str]:
    """A sign for every kind of mark on the board."""
    meanings = sorted({tile.mark for tile in tiles if tile.mark})
    return dict(zip(meanings, cycle(_SIGNS), strict=False))


def _column_names(west: int, east: int, inside: int) -> str:
    """Every column's name over its middle; only every second or third where they are narrow."""
    names = {x: format_square((x, 0)) for x in range(west, east + 1)}
    pitch = inside + 1
    every = -(-(max(len(name) for name in names.values()) + 1) // pitch)
    line = [" "] * (pitch * len(names) + 4)
    for x, name in names.items():
        if x % every == 0:
            start = (x - west) * pitch + 1 + (inside - len(name)) // 2
            line[max(start, 0) : max(start, 0) + len(name)] = name
    return "".join(line).rstrip()


def _samples(board: Board, room: set[Square]) -> list[str]:
    kinds = {tile.kind for tile in board.tiles}
    samples = [
        f"{sample} {board.legend.get(kind, kind)}"
        for kind, sample in _SAMPLE.items()
        if kind in kinds
    ]
    return [*samples, f"{FREE} {board.legend.get('free', 'free')}"] if room else samples


def _notes(tiles: Sequence[Tile], inside: int, width: int) -> list[str]:
    """What found no room on the squares, and what the marks mean."""
    lines = []
    for meaning, sign in _marks(tiles).items():
        squares = " ".join(_square(tile) for tile in tiles if tile.mark == meaning)
        lines += _wrap(f"{sign} {meaning}: {squares}", width)
    left_out = [t for t in tiles if t.label and not _label_fits(t, inside)]
    if left_out:
        lines += _wrap(", ".join(f"{_square(tile)} {tile.label}" for tile in left_out), width)
    return lines


def _square(tile: Tile) -> str:
    return format_square(Square(tile.x, tile.y))


# -- Cards -----------------------------------------------------------------------------------


def draw_card(picture: CardPicture) -> list[str]:
    """One card with all that is on it."""
    return draw_cards([picture])


def draw_cards(pictures: Sequence[CardPicture], width: int = 80) -> list[str]:
    """Whole cards in rows."""
    per_row = max(1, (width + 1) // (CARD_WIDTH + 1))
    lines: list[str] = []
    for start in range(0, len(pictures), per_row):
        row = pictures[start : start + per_row]
        writings = [_writing(picture, whole=True) for picture in row]
        height = max(_SMALL_CARD, *(len(writing) for writing in writings))
        cards = [
            _card(picture, writing + [""] * (height - len(writing)))
            for picture, writing in zip(row, writings, strict=True)
        ]
        lines += [line.rstrip() for line in _beside(cards, 1)]
    return lines


def draw_panel(panel: Panel, width: int = 80) -> list[str]:
    """Cards that lie together: drawn side by side, or told in a line."""
    title = f"{panel.title} ({panel.note})" if panel.note else panel.title
    if not _is_spread(panel):
        written = " ".join(_in_line(card) for card in panel.cards) or "-"
        return _wrap(f"{title}: {written}", width, "  ")
    per_row = max(1, (width + 1) // (CARD_WIDTH + 1))
    cards = [_card(card, _writing(card, whole=False)) for card in panel.cards]
    lines = [title]
    for start in range(0, len(cards), per_row):
        lines += _beside(cards[start : start + per_row], 1)
    return lines


def _is_spread(panel: Panel) -> bool:
    """Are its cards laid out to be read? Not backs, not a pile that a note sums up, not a heap."""
    return 0 < len(panel.cards) <= _HEAP and not panel.note and all(c.name for c in panel.cards)


def _writing(picture: CardPicture, whole: bool) -> list[str]:
    title = _wrap(picture.title, _INSIDE)
    drawing = list(picture.drawing)
    # Corners show that walls are drawn between the squares; then it is a picture as it stands.
    has_walls = any("+" in row for row in drawing)
    if not has_walls:
        drawing = ["".join(_PATTERN.get(letter, letter * 2) for letter in row) for row in drawing]
    drawing = [_centred(row, _INSIDE, " ") for row in drawing]
    text = _wrap(picture.text, _INSIDE)
    if whole:
        parts = [title, drawing, text, _wrap(picture.quip, _INSIDE)]
        return [line for part in parts if part for line in (*part, "")][:-1]
    if has_walls:
        return [*title[:1], *drawing]
    lines = title[:2] + (drawing or text)
    if len(lines) > _SMALL_CARD:
        lines = [*lines[: _SMALL_CARD - 1], _cut(lines[_SMALL_CARD - 1] + "…", _INSIDE)]
    return lines + [""] * (_SMALL_CARD - len(lines))


def _card(picture: CardPicture, writing: Sequence[str]) -> list[str]:
    if not picture.name:
        return _back(picture, len(writing))
    value = "" if picture.value is None else str(picture.value)
    # The lower edge shows the colour of the back.
    edge = SHADE if picture.back == "dark" else "─"
    lines = ["┌" + picture.name + "─" * (_INSIDE - len(picture.name + value)) + value + "┐"]
    lines += ["│" + set_cell_size(line, _INSIDE) + "│" for line in writing]
    return [*lines, "└" + edge * _INSIDE + "┘"]


def _back(picture: CardPicture, height: int) -> list[str]:
    fill = _FILL.get(picture.back, "?") * _INSIDE
    return ["┌" + "─" * _INSIDE + "┐", *[f"│{fill}│"] * height, "└" + "─" * _INSIDE + "┘"]


def _in_line(picture: CardPicture) -> str:
    if picture.name:
        return picture.name if picture.value is None else f"{picture.name}={picture.value}"
    return _SAMPLE.get(picture.back, "?")


# -- Lines -----------------------------------------------------------------------------------


def _flow(blocks: Iterable[list[str]], width: int) -> list[str]:
    """Blocks beside each other as far as they fit, then below."""
    lines: list[str] = []
    row: list[list[str]] = []
    for block in blocks:
        if row and sum(_width(other) + _GAP for other in row) + _width(block) > width:
            lines += [*_beside(row, _GAP), ""]
            row = []
        row.append(block)
    return [*lines, *_beside(row, _GAP), ""] if row else lines


def _beside(blocks: Sequence[Sequence[str]], gap: int) -> list[str]:
    widths = [_width(block) for block in blocks]
    return [
        (" " * gap).join(
            set_cell_size(part, size) for part, size in zip(parts, widths, strict=True)
        )
        for parts in zip_longest(*blocks, fillvalue="")
    ]


def _width(block: Iterable[str]) -> int:
    return max((cell_len(line.rstrip()) for line in block), default=0)


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most `width` columns; wide letters count double."""
    if cell_len(text) == len(text):
        return textwrap.wrap(text, width, subsequent_indent=indent)
    return [line.strip() for line in chop_cells(" ".join(text.split()), width)]


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"


def _centred(text: str, width: int, fill: str) -> str:
    room = max(0, width - cell_len(text))
    return fill * (room // 2) + text + fill * (room - room // 2)
