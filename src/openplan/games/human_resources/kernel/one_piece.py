"""Whether the office stays one piece (HR-6.2) when cubicles leave their squares."""

from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import BIT, RING_KEEPS, STEP, STRIDE


def _ring(table: Board, square: i64) -> i64:
    colour = table.colour
    mask: i64 = 0
    if colour[square - STRIDE] != 0:
        mask |= 1
    if colour[square - STRIDE + 1] != 0:
        mask |= 2
    if colour[square + 1] != 0:
        mask |= 4
    if colour[square + STRIDE + 1] != 0:
        mask |= 8
    if colour[square + STRIDE] != 0:
        mask |= 16
    if colour[square + STRIDE - 1] != 0:
        mask |= 32
    if colour[square - 1] != 0:
        mask |= 64
    if colour[square - STRIDE - 1] != 0:
        mask |= 128
    return mask


def parts_around(table: Board, group: vec[i64], count: i64) -> i64:
    """How many pieces the office falls into without a group whose squares the caller has
    blanked in `colour` (and will restore). If more than one, `stamp` numbers each square's
    piece from `stamp_first`."""
    colour = table.colour
    # Put the group back square by square, in whatever order goes: where each time the
    # neighbours hang together around the square, the office was one piece before too.
    # Usually this settles it.
    left = BIT[count] - 1
    going = True
    while left != 0 and going:
        going = False
        for i in range(count):
            if left & BIT[i] != 0 and RING_KEEPS[_ring(table, group[i])] != 0:
                left ^= BIT[i]
                colour[group[i]] = 3
                going = True
    for i in range(count):
        colour[group[i]] = 0
    if left == 0:
        return 1
    parts: i64 = 0
    first = table.stamp_now + 1
    for i in range(table.size):
        start = table.squares[i]
        if colour[start] != 0 and table.stamp[start] < first:
            _flood(table, start, first + parts)
            parts += 1
    table.stamp_first = first
    table.stamp_now = first + parts
    return parts


def parts_touched(table: Board, square: i64, touched: i64) -> i64:
    """Add to a set of pieces (as bits) those that share an edge with this square."""
    for d in range(4):
        other = square + STEP[d]
        if table.colour[other] != 0:
            touched |= BIT[table.stamp[other] - table.stamp_first]
    return touched


def stays_whole_without(table: Board, square: i64) -> bool:
    """HR-6.2: the office without this cubicle is one piece and not empty."""
    if table.size < 2:
        return False
    table.group[0] = square
    before = table.colour[square]
    table.colour[square] = 0
    parts = parts_around(table, table.group, 1)
    table.colour[square] = before
    return parts == 1


def _flood(table: Board, start: i64, label: i64) -> None:
    colour = table.colour
    stamp = table.stamp
    queue = table.queue
    stamp[start] = label
    queue[0] = start
    head: i64 = 0
    tail: i64 = 1
    while head < tail:
        square = queue[head]
        head += 1
        for d in range(4):
            other = square + STEP[d]
            if colour[other] != 0 and stamp[other] < label:
                stamp[other] = label
                queue[tail] = other
                tail += 1
