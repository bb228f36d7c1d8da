"""Placing a card (CF-4): where it may lie, why not, and what lying there does.

Positions are found many at a time, as rows of bits for the
north-west square. The rules for cubes (CF-4.5) forbid few of them, only beside an employee's open
cube, and only those are judged one by one.
"""

from mypy_extensions import i64

from openplan.games.cube_farm.kernel.codes import (
    BIT,
    CLASS,
    COVERED,
    FITS,
    LONGEST,
    LOW,
    MARGIN,
    MAX_SIDE,
    MAX_SQUARES,
    NOT_TOUCHING,
    SECOND_VP,
    STEP,
    STRIDE,
    TOO_LONG,
    TWO_OCCUPANTS,
    UNCOVERED,
    USED,
    Found,
    Rng,
    count_bits,
    lowest_bit,
)
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.gaps import fill_gaps, splits

# A place for a card, as one number: its square, its turn, the card.


def pack_place(card: i64, turn: i64, square: i64) -> i64:
    return square | (turn << 12) | (card << 14)


def square_in(place: i64) -> i64:
    return place & 4095


def turn_in(place: i64) -> i64:
    return (place >> 12) & 3


def place_card(floor: Floor, card: i64, turn: i64, square: i64) -> None:
    """Place a card with this north-west square, and fill gaps (CF-4.3). It must fit."""
    cards = floor.cards
    lie = card * 4 + turn
    width = cards.width[lie]
    height = cards.height[lie]
    floor.placed_x[floor.placed_count] = floor.x_of(square)
    floor.placed_y[floor.placed_count] = floor.y_of(square)
    floor.placed[floor.placed_count] = lie
    floor.placed_count += 1
    base = lie * MAX_SQUARES
    for dy in range(height):
        for dx in range(width):
            at = base + dy * MAX_SIDE + dx
            floor.lay(square + dy * STRIDE + dx, i64(cards.kind[at]), i64(cards.walls[at]))
    for dy in range(height):
        for dx in range(width):
            floor.link(square + dy * STRIDE + dx)
    floor.version += 1
    floor.filled_count = 0
    if floor.has_pockets != 0 or splits(floor, square, width, height):
        fill_gaps(floor)
    if (
        floor.top < MARGIN
        or floor.left < MARGIN
        or floor.bottom >= USED - MARGIN
        or floor.right >= USED - MARGIN
    ):
        floor.recentre()


def why_card(floor: Floor, card: i64, turn: i64, square: i64) -> i64:
    """Why a card cannot lie with this north-west square (-1: off the grid), or FITS."""
    cards = floor.cards
    lie = card * 4 + turn
    width = cards.width[lie]
    height = cards.height[lie]
    row = square >> 6
    column = square & 63
    if square < 0 or row + height > USED or column + width > USED:
        return NOT_TOUCHING
    covered = floor.covered
    span = (BIT[width] - 1) << column
    touches: i64 = 0
    for dy in range(height):
        line = covered[row + dy]
        if line & span != 0:
            return COVERED
        touches |= line & ((span << 1) | (span >> 1))
    if cards.corner_touches:
        span |= (span << 1) | (span >> 1)  # CF-4.1: a corner is enough
    if row > 0:
        touches |= covered[row - 1] & span
    touches |= covered[row + height] & span
    if touches == 0:
        return NOT_TOUCHING
    if _is_too_long(floor, width, height) and _within(floor, row, width, height) & BIT[column] == 0:
        return TOO_LONG
    if floor.has_vp != 0 and cards.has_vp[card] != 0:
        return SECOND_VP
    if not _cubes_allow(floor, lie, square):
        return TWO_OCCUPANTS
    return FITS


def _is_too_long(floor: Floor, width: i64, height: i64) -> bool:
    """Whether a card of this size could make the floor longer than the grid has room for."""
    return (
        floor.right - floor.left + 1 + width > LONGEST
        or floor.bottom - floor.top + 1 + height > LONGEST
    )


def _within(floor: Floor, row: i64, width: i64, height: i64) -> i64:
    """The columns for a card's north-west square in this row that keep to LONGEST, as bits."""
    columns: i64 = 0
    if floor.bottom - row < LONGEST and row + height - floor.top <= LONGEST:
        for column in range(USED - width):
            if floor.right - column < LONGEST and column + width - floor.left <= LONGEST:
                columns |= BIT[column]
    return columns


def _cubes_allow(floor: Floor, lie: i64, square: i64) -> bool:
    """CF-4.5: no cube would hold two employees, nor an employee and a VP or receptionist."""
    cards = floor.cards
    own = cards.own_cubes[lie >> 2]
    # What is joined by the card: first its own cubes, then the cubes it opens onto. Equal
    # labels are one cube.
    label = floor.label
    joined = floor.hit_cube
    count = own
    for cube in range(own):
        label[cube] = cube
    for place in range(cards.port_first[lie], cards.port_first[lie + 1]):
        port = cards.port_at[place]
        side = (port >> 4) & 3
        at = square + ((port >> 2) & 3) * STRIDE + (port & 3)
        other = at + STEP[side]
        if CLASS[i64(floor.kind[other])] != 16 or i64(floor.wall[other]) & BIT[side ^ 2] != 0:
            continue
        outer = i64(floor.cube[other])
        found = own
        while found < count and joined[found] != outer:
            found += 1
        if found == count:
            joined[found] = outer
            label[found] = found
            count += 1
        mine = label[port >> 6]
        theirs = label[found]
        for cube in range(count):
            if label[cube] == theirs:
                label[cube] = mine
    if count == own:
        return True
    for cube in range(count):
        if label[cube] >= 0:
            same = label[cube]
            employees: i64 = 0
            negatives: i64 = 0
            for member in range(count):
                if label[member] == same:
                    label[member] = -1
                    if member < own:
                        negatives += cards.own_negatives[(lie >> 2) * MAX_SQUARES + member]
                    else:
                        negatives += floor.cube_negatives[joined[member]]
                        if floor.cube_owner[joined[member]] != 0:
                            employees += 1
            if employees > 1 or (employees == 1 and negatives != 0):
                return False
    return True


def _find_positions(floor: Floor, shape: i64) -> None:
    """Where a shape covers nothing and touches something, as rows of bits."""
    if floor.positions_of[shape] == floor.version:
        return
    floor.positions_of[shape] = floor.version
    covered = floor.covered
    width = floor.cards.shape_width[shape]
    height = floor.cards.shape_height[shape]
    base = shape * 64
    is_too_long = _is_too_long(floor, width, height)
    corner_touches = floor.cards.corner_touches
    for row in range(floor.top - height, floor.bottom + 2):
        blocked: i64 = 0
        beside: i64 = 0
        for dy in range(height):
            line = covered[row + dy]
            blocked |= line
            beside |= line << 1
        far = blocked
        above = covered[row - 1] if row > 0 else 0
        above |= covered[row + height]
        for _ in range(1, width):
            far >>= 1
            blocked |= far
            above |= above >> 1
        beside |= far >> 1
        if corner_touches:
            above |= (above << 1) | (above >> 1)  # CF-4.1: a corner is enough
        places = (above | beside) & ~blocked
        if is_too_long:
            places &= _within(floor, row, width, height)
        floor.positions[base + row] = places


def _find_open_cubes(floor: Floor) -> None:
    """Uncovered squares onto which an employee's cube opens, by the side on which it lies."""
    if floor.open_version == floor.version:
        return
    floor.open_version = floor.version
    open_to = floor.open_to
    for row in range(floor.top - MAX_SIDE, floor.bottom + MAX_SIDE + 1):
        open_to[row] = 0
        open_to[64 + row] = 0
        open_to[128 + row] = 0
        open_to[192 + row] = 0
    for place in range(floor.employee_count):
        square = floor.employee[place]
        for _ in range(floor.cube_size[i64(floor.cube[square])]):
            wall = i64(floor.wall[square])
            for side in range(4):
                other = square + STEP[side]
                if wall & BIT[side] == 0 and floor.kind[other] == UNCOVERED:
                    open_to[(side ^ 2) * 64 + (other >> 6)] |= BIT[other & 63]
            square = i64(floor.cube_next[square])


def add_placements(floor: Floor, card: i64, found: Found) -> None:
    """Add every place where this card fits now."""
    cards = floor.cards
    if floor.has_vp != 0 and cards.has_vp[card] != 0:
        return
    _find_open_cubes(floor)
    moves = found.moves
    count = found.count
    open_to = floor.open_to
    positions = floor.positions
    for turn in range(4):
        lie = card * 4 + turn
        shape = cards.shape[lie]
        _find_positions(floor, shape)
        first = cards.port_first[lie]
        end = cards.port_first[lie + 1]
        mark = pack_place(card, turn, 0)
        for row in range(floor.top - cards.height[lie], floor.bottom + 2):
            places = positions[shape * 64 + row]
            if places == 0:
                continue
            doubtful: i64 = 0
            for place in range(first, end):
                port = cards.port_at[place]
                line = open_to[((port >> 4) & 3) * 64 + row + ((port >> 2) & 3)]
                if line != 0:
                    column = port & 3
                    doubtful |= line >> column
            doubtful &= places
            while doubtful != 0:
                low = doubtful & -doubtful
                doubtful ^= low
                if not _cubes_allow(floor, lie, row * STRIDE + lowest_bit(low)):
                    places ^= low
            start = mark | (row * STRIDE)
            while places != 0:
                while places & 2047 == 0:
                    places >>= 11
                    start += 11
                moves[count] = start + LOW[places & 2047]
                count += 1
                places &= places - 1
    found.count = count


def sample_placement(floor: Floor, card: i64, rng: Rng) -> i64:
    """One place where this card fits, each as likely as any other; -1 if there is none."""
    cards = floor.cards
    if floor.has_vp != 0 and cards.has_vp[card] != 0:
        return -1
    # Half a turn leaves a card's shape as it is: two shapes, each for two turns.
    flat = cards.shape[card * 4]
    upright = cards.shape[card * 4 + 1]
    _find_positions(floor, flat)
    _find_positions(floor, upright)
    first = _count_positions(floor, flat)
    total = first + _count_positions(floor, upright)
    _find_open_cubes(floor)
    for _ in range(40):
        at = rng.below(2 * total)
        turn: i64 = 0
        if at >= total:
            at -= total
            turn = 2
        shape = flat
        if at >= first:
            at -= first
            turn += 1
            shape = upright
        square = _position(floor, shape, at)
        if not _is_doubtful(floor, card * 4 + turn, square):
            return pack_place(card, turn, square)
        if _cubes_allow(floor, card * 4 + turn, square):
            return pack_place(card, turn, square)
    found = Found(1)
    add_placements(floor, card, found)
    return found.moves[rng.below(found.count)] if found.count else -1


def _is_doubtful(floor: Floor, lie: i64, square: i64) -> bool:
    cards = floor.cards
    row = square >> 6
    column = square & 63
    for place in range(cards.port_first[lie], cards.port_first[lie + 1]):
        port = cards.port_at[place]
        line = floor.open_to[((port >> 4) & 3) * 64 + row + ((port >> 2) & 3)]
        if line & BIT[column + (port & 3)] != 0:
            return True
    return False


def _count_positions(floor: Floor, shape: i64) -> i64:
    total: i64 = 0
    positions = floor.positions
    base = shape * 64
    for row in range(floor.top - floor.cards.shape_height[shape], floor.bottom + 2):
        line = positions[base + row]
        if line != 0:
            total += count_bits(line)
    return total


def _position(floor: Floor, shape: i64, number: i64) -> i64:
    """The square of a shape's position by its number in reading order."""
    base = shape * 64
    row = floor.top - floor.cards.shape_height[shape]
    while True:
        line = floor.positions[base + row]
        count = count_bits(line)
        if number < count:
            break
        number -= count
        row += 1
    for _ in range(number):
        line &= line - 1
    return row * STRIDE + lowest_bit(line)
