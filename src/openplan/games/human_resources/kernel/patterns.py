"""Patterns on the office (HR-5): what an action formed, and what one would complete."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    BIT,
    DARK,
    EXCHANGE,
    LEAVABLE,
    LEAVE_BITS,
    LEAVE_SHIFT,
    LIGHT,
    MOVE,
    PLACE,
    SHAPE_SIZE,
    SHAPE_SQUARES,
    SHIFT,
    STRIDE,
    SWAP,
    card_of,
    kind_of,
    other_of,
    second_of,
    shape_of,
    slide_of,
    square_of,
)


def _window(table: Board, square: i64) -> i64:
    """The 5x5 window around a square, row by row: dark in the low 25 bits, then light."""
    row = (square >> 6) - 2
    column = (square & 63) - 2
    if column < 0:  # only for a block that would slide past the margin
        return _window_at_edge(table, square)
    dark = table.rows_dark
    light = table.rows_light
    return (
        ((dark[row] >> column) & 31)
        | (((dark[row + 1] >> column) & 31) << 5)
        | (((dark[row + 2] >> column) & 31) << 10)
        | (((dark[row + 3] >> column) & 31) << 15)
        | (((dark[row + 4] >> column) & 31) << 20)
        | (((light[row] >> column) & 31) << 25)
        | (((light[row + 1] >> column) & 31) << 30)
        | (((light[row + 2] >> column) & 31) << 35)
        | (((light[row + 3] >> column) & 31) << 40)
        | (((light[row + 4] >> column) & 31) << 45)
    )


def _window_at_edge(table: Board, square: i64) -> i64:
    window: i64 = 0
    for i in range(25):
        column = (square & 63) - 2 + i % 5
        row = (square >> 6) - 2 + i // 5
        if column >= 0 and table.rows_dark[row] & BIT[column] != 0:
            window |= BIT[i]
        if column >= 0 and table.rows_light[row] & BIT[column] != 0:
            window |= BIT[i + 25]
    return window


def _block_window(table: Board, square: i64) -> i64:
    """The squares of the shifted block within the window around a square, in both halves."""
    window: i64 = 0
    for i in range(table.block_size):
        down = (table.block[i] >> 6) - (square >> 6) + 2
        along = (table.block[i] & 63) - (square & 63) + 2
        if 0 <= down and down < 5 and 0 <= along and along < 5:
            window |= BIT[down * 5 + along] | BIT[down * 5 + along + 25]
    return window


def formed(table: Board, seat: i64) -> i64:
    """Which of a seat's projects in play the last action newly forms, as bits by their place.

    HR-5.4: a match is new if it holds a square whose colour the action changed, and is not made
    of the shifted block alone.
    """
    found: i64 = 0
    count = table.play_size[seat]
    if count == 0:
        return 0
    first = table.cards.first
    needs = table.cards.need
    play = table.play
    base = seat * 64
    for c in range(table.changed_size):
        square = table.changed[c]
        centre = i64(table.colour[square])
        window = _window(table, square)
        block = _block_window(table, square) if table.block_size != 0 else 0
        for i in range(count):
            ways = i64(play[base + i]) * 3 + centre
            for way in range(first[ways], first[ways + 1]):
                need = needs[way]
                if window & need == need and need & ~block != 0:
                    found |= BIT[i]
                    break
    return found


def formed_squares(table: Board, card: i64) -> list[int]:
    """The squares of every new match of this card's pattern, after the last action."""
    found: list[int] = []
    for c in range(table.changed_size):
        square = table.changed[c]
        window = _window(table, square)
        block = _block_window(table, square)
        ways = card * 3 + i64(table.colour[square])
        for way in range(table.cards.first[ways], table.cards.first[ways + 1]):
            need = table.cards.need[way]
            if window & need == need and need & ~block != 0:
                for bit in range(25):
                    if need & (BIT[bit] | BIT[bit + 25]) != 0:
                        down = i64(bit // 5 - 2)
                        at = int(square + down * STRIDE + (bit % 5) - 2)
                        if at not in found:
                            found.append(at)
    return found


def paint(table: Board, square: i64, colour: i64) -> i64:
    """Change a square's colour for the matching of patterns only; the colour it had."""
    before = i64(table.colour[square])
    bit = BIT[square & 63]
    row = square >> 6
    if before == DARK:
        table.rows_dark[row] ^= bit
    elif before == LIGHT:
        table.rows_light[row] ^= bit
    if colour == DARK:
        table.rows_dark[row] ^= bit
    elif colour == LIGHT:
        table.rows_light[row] ^= bit
    table.colour[square] = u8(colour)
    return before


def completes(table: Board, move: i64) -> bool:
    """Whether an action would complete a project of the actor's own (HR-8.2)."""
    places = forms(table, move)
    return places != left_by(move, places)


def left_by(move: i64, places: i64) -> i64:
    """Which of the projects that it forms an action leaves incomplete (HR-5.6), as bits too."""
    left: i64 = 0
    if move & LEAVE_BITS != 0:
        rank: i64 = 0
        for place in range(63):
            if places & BIT[place] != 0 and rank < LEAVABLE:
                if move & BIT[LEAVE_SHIFT + rank] != 0:
                    left |= BIT[place]
                rank += 1
    return left


def formed_cards(table: Board, move: i64) -> list[int]:
    """The projects that an action would form, longest in play first, for callers that are not
    compiled."""
    places = forms(table, move)
    out: list[int] = []
    for i in range(table.play_size[table.actor]):
        if places & BIT[i] != 0:
            out.append(int(table.play[table.actor * 64 + i]))
    return out


def forms(table: Board, move: i64) -> i64:
    """Which of the actor's projects in play an action would newly form, as bits by their place."""
    if table.play_size[table.actor] == 0:
        return 0
    kind = kind_of(move)
    card = card_of(move)
    square = square_of(move)
    other = other_of(move)
    table.block_size = 0
    table.changed_size = 1
    found: i64 = 0
    if kind == PLACE:
        table.changed[0] = square
        paint(table, square, i64(table.cards.colour[card]))
        found = formed(table, table.actor)
        paint(table, square, 0)
    elif kind == MOVE:
        table.changed[0] = other
        colour = paint(table, square, 0)
        paint(table, other, colour)
        found = formed(table, table.actor)
        paint(table, other, 0)
        paint(table, square, colour)
    elif kind == SWAP:
        table.changed[0] = square
        table.changed[1] = other
        table.changed_size = 2
        colour = i64(table.colour[square])
        second = paint(table, other, colour)
        paint(table, square, second)
        found = formed(table, table.actor)
        paint(table, square, colour)
        paint(table, other, second)
    elif kind == EXCHANGE:
        colour = i64(table.colour[square])
        new = i64(table.cards.colour[second_of(move)])
        if colour != new:
            table.changed[0] = square
            paint(table, square, new)
            found = formed(table, table.actor)
            paint(table, square, colour)
    elif kind == SHIFT:
        found = _shift_forms(table, move)
    table.changed_size = 0
    table.block_size = 0
    return found


def _shift_forms(table: Board, move: i64) -> i64:
    square = square_of(move)
    shape = shape_of(move)
    by = slide_of(move)
    count = SHAPE_SIZE[shape]
    colours = vec[i64]([0, 0, 0])
    before = vec[i64]([0, 0, 0])
    for i in range(count):
        before[i] = i64(table.colour[square + SHAPE_SQUARES[shape * 3 + i] + by])
    for i in range(count):
        colours[i] = paint(table, square + SHAPE_SQUARES[shape * 3 + i], 0)
    table.block_size = count
    table.changed_size = 0
    for i in range(count):
        there = square + SHAPE_SQUARES[shape * 3 + i] + by
        paint(table, there, colours[i])
        table.block[i] = there
        if colours[i] != before[i]:
            table.changed[table.changed_size] = there
            table.changed_size += 1
    found = formed(table, table.actor)
    for i in range(count):
        paint(table, square + SHAPE_SQUARES[shape * 3 + i] + by, 0)
    for i in range(count):
        paint(table, square + SHAPE_SQUARES[shape * 3 + i], colours[i])
    return found
