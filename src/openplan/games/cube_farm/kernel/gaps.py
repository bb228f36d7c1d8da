"""Gaps that nothing fits into become floor (CF-4.3).
Rows of bits stand for squares, as in the floor's `covered`.
"""

from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.cube_farm.kernel.codes import BIT, FILLED, STRIDE, UNCOVERED, lowest_bit
from openplan.games.cube_farm.kernel.floor import Floor


def splits(floor: Floor, square: i64, width: i64, height: i64) -> bool:
    """Whether the uncovered squares around a card are not all beside each other, so that it may
    have cut some of them off."""
    kinds = floor.kind
    runs: i64 = 0
    at = square - STRIDE - 1
    before = kinds[at + STRIDE] == UNCOVERED  # the last of the ring, west of the card
    for side in range(4):
        step: i64 = 1
        length = width + 1
        if side == 1:
            step = STRIDE
            length = height + 1
        elif side == 2:
            step = -1
        elif side == 3:
            step = -STRIDE
            length = height + 1
        for _ in range(length):
            free = kinds[at] == UNCOVERED
            if free and not before:
                runs += 1
            before = free
            at += step
    return runs > 1


def fill_gaps(floor: Floor) -> None:
    """Judge every group of uncovered squares that cannot reach the outside."""
    covered = floor.covered
    outside = floor.outside
    top = floor.top
    bottom = floor.bottom
    box: i64 = 0
    for column in range(floor.left - 1, floor.right + 2):
        box |= BIT[column]
    edge = BIT[floor.left - 1] | BIT[floor.right + 1]
    for row in range(top, bottom + 1):
        outside[row] = edge
    outside[top - 1] = box
    outside[bottom + 1] = box
    _spread_rows(outside, covered, box, top, bottom)
    floor.has_pockets = 0
    group = floor.group
    for row in range(top, bottom + 1):
        left_over = box & ~covered[row] & ~outside[row]
        while left_over != 0:
            for other in range(top - 1, bottom + 2):
                group[other] = 0
            group[row] = left_over & -left_over
            _spread_rows(group, covered, box, top, bottom)
            fits = _some_card_fits(floor, group, top, bottom)
            for other in range(row, bottom + 1):
                outside[other] |= group[other]
                if not fits:
                    _fill_row(floor, i64(other), group[other])
            if fits:
                floor.has_pockets = 1
            left_over &= ~group[row]
    if floor.filled_count != 0:
        for place in range(floor.filled_count):
            floor.link(floor.filled[place])
        floor.version += 1


def _spread_rows(marks: vec[i64], covered: vec[i64], box: i64, top: i64, bottom: i64) -> None:
    """Let marks spread over uncovered squares of the box, by edge steps, to all they reach."""
    changed = True
    down = True
    while changed:
        changed = False
        for place in range(bottom - top + 1):
            row = top + place if down else bottom - place
            free = box & ~covered[row]
            old = marks[row]
            new = (old | marks[row - 1] | marks[row + 1]) & free
            while True:
                wider = (new | (new << 1) | (new >> 1)) & free
                if wider == new:
                    break
                new = wider
            if new != old:
                marks[row] = new
                changed = True
        down = not down


def _some_card_fits(floor: Floor, group: vec[i64], top: i64, bottom: i64) -> bool:
    """By shape alone, in any rotation, wherever the card now is."""
    cards = floor.cards
    for shape in range(cards.shapes):
        width = cards.shape_width[shape]
        height = cards.shape_height[shape]
        for row in range(top, bottom + 2 - height):
            room = group[row]
            for dy in range(height):
                room &= group[row + dy]
            if width >= 2:
                room &= room >> 1
            if width >= 3:
                room &= room >> (1 if width == 3 else 2)
            if room != 0:
                return True
    return False


def _fill_row(floor: Floor, row: i64, squares: i64) -> None:
    while squares != 0:
        square = row * STRIDE + lowest_bit(squares)
        squares &= squares - 1
        floor.lay(square, FILLED, 0)
        floor.filled[floor.filled_count] = square
        floor.filled_count += 1
