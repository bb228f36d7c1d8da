"""A floor of PBM Cube Farm as integers: cards placed, cubes joined, gaps filled, walks, scores.

This file runs as it is or compiled by mypyc, and must do the same in both. It knows nothing of
text or of who may see what.

A floor lies on a grid of 64 by 64, of which columns and rows 0 to 61 are used, so that a row is a
mask of bits that never reaches an integer's sign. A floor gets one card to start with and at most
one in each of fifteen phases (CF-1.2, CF-3.2). `cards.py` refuses decks whose sixteen longest cards
in a row would be longer than LONGEST squares, which is 62 less a MARGIN on both sides. So when the
floor has come too near to an edge it can always be moved to the middle, and a card beside it lies
on the grid. A card of 3x2 squares leads to at most 48. Only a floor set up by hand can reach the
limit; there a card that would go beyond it is lost.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

# -- Numbers of things -----------------------------------------------------------------------

SEATS: Final = 3
FLOORS: Final = 3
TURNS: Final = 5
PHASES: Final = 3
NONE: Final = 255  # no card, or one that is not known

STRIDE: Final = 64
GRID: Final = 64 * 64
USED: Final = 62
MARGIN: Final = 4
LONGEST: Final = 54
CENTRE: Final = 29
MAX_SIDE: Final = 4
MAX_SQUARES: Final = 16  # on a card
MAX_SHAPES: Final = 16
MAX_LAID: Final = 1024  # more squares than cards can bring to a floor: 16 of at most 16

# Kinds of squares (CF-4.2).
UNCOVERED: Final = 0
FLOOR: Final = 1
FILLED: Final = 2
ELEVATOR: Final = 3
CUBE: Final = 4
VP: Final = 5
RECEPTIONIST: Final = 6
PHOTOCOPIER: Final = 7
SHREDDER: Final = 8
LASER_PRINTER: Final = 9
FAX_MACHINE: Final = 10
SUPPLY_CABINET: Final = 11
COFFEE_MACHINE: Final = 12
SODA_MACHINE: Final = 13
CANDY_MACHINE: Final = 14
WATER_COOLER: Final = 15
KINDS: Final = 16

# Sides of a square, and a wall on each as a bit.
NORTH: Final = 0
EAST: Final = 1
SOUTH: Final = 2
WEST: Final = 3
ALL_WALLS: Final = 15

# Why a placement is lost.
FITS: Final = 0
COVERED: Final = 1
NOT_TOUCHING: Final = 2
TWO_OCCUPANTS: Final = 3
SECOND_VP: Final = 4
NO_CUBE: Final = 5
TAKEN: Final = 6
NEGATIVE: Final = 7
NO_WALK: Final = 8
NOT_IN_HAND: Final = 9
NAMED_TWICE: Final = 10
NOT_ORDERED: Final = 11
TOO_LONG: Final = 12

M32: Final = 4294967295


def _table(values: list[int]) -> vec[i64]:
    table = vec[i64]([0] * len(values))
    for i in range(len(values)):
        table[i] = values[i]
    return table


BIT: Final = _table([2**n for n in range(63)])
STEP: Final = _table([-STRIDE, 1, STRIDE, -1])  # north, east, south, west

# CF-6.6, CF-6.3: what a square is worth, which is also how far it works.
VALUE: Final = _table([0, 0, 0, 0, 0, 3, 2, 4, 4, 3, 3, 3, 2, 2, 2, 2])
# CF-6.5: what knowledge adds.
EXTRA: Final = _table([0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 0, 0, 0, 0, 0])
# What stepping onto a square means, as bits of `way`: 1 it is walked on, 16 it is a cube.
CLASS: Final = _table([0, 1, 1, 0, 16, 16, 16, 1, 1, 1, 1, 1, 1, 1, 1, 1])

# The lowest bit set in eleven.
LOW: Final = _table([0] + [(n & -n).bit_length() - 1 for n in range(1, 2048)])
# Halves, quarters and bytes of a word, to count its bits.
ODD: Final = 6148914691236517205  # 0x5555...
PAIRS: Final = 3689348814741910323  # 0x3333...
NIBBLES: Final = 1085102592571150095  # 0x0F0F...


def count_bits(row: i64) -> i64:
    row -= (row >> 1) & ODD
    row = (row & PAIRS) + ((row >> 2) & PAIRS)
    row = (row + (row >> 4)) & NIBBLES
    row += row >> 8
    row += row >> 16
    row += row >> 32
    return row & 127


def lowest_bit(row: i64) -> i64:
    """The number of the lowest bit set; there must be one."""
    at: i64 = 0
    while row & 2047 == 0:
        row >>= 11
        at += 11
    return at + LOW[row & 2047]


# -- Chance for playouts ---------------------------------------------------------------------


@final
class Rng:
    """A small generator that draws alike compiled and plain: xorshift plus a Weyl sequence."""

    x: i64
    w: i64

    def __init__(self, seed: i64) -> None:
        self.x = (((seed & M32) * 2654435 + 88172645) & M32) | 1
        self.w = (seed >> 8) & M32
        for _ in range(8):
            self.next()

    def next(self) -> i64:
        x = self.x
        x ^= (x << 13) & M32
        x ^= x >> 17
        x ^= (x << 5) & M32
        self.x = x
        self.w = (self.w + 362437) & M32
        return (x + self.w) & M32

    def below(self, n: i64) -> i64:
        return (self.next() * n) >> 32


# -- Cards -----------------------------------------------------------------------------------


@final
class Cards:
    """A deck's cards in all four turns as tables. `card * 4 + turn` is a card as it lies.

    `port_at` lists where a card's cubes open outward: square (dx + 4 * dy) in bits 0 to 3, side in
    bits 4 and 5, and which of the card's own cubes in bits 6 to 9. A card cannot join anything but
    through these.
    """

    count: i64
    width: vec[i64]
    height: vec[i64]
    shape: vec[i64]
    kind: vec[u8]
    walls: vec[u8]
    port_first: vec[i64]
    port_at: vec[i64]
    own_cubes: vec[i64]
    own_negatives: vec[i64]  # of a card's own cube: card * 16 + cube
    has_vp: vec[i64]
    has_elevator: vec[i64]
    shapes: i64
    shape_width: vec[i64]
    shape_height: vec[i64]

    def __init__(
        self,
        sizes: list[list[int]],
        kinds: list[list[int]],
        walls: list[list[int]],
    ) -> None:
        """By card: width and height as printed; kind and walls of each square, row by row."""
        count = len(sizes)
        self.count = count
        self.width = vec[i64]([0] * (count * 4))
        self.height = vec[i64]([0] * (count * 4))
        self.shape = vec[i64]([0] * (count * 4))
        self.kind = vec[u8](bytes(count * 4 * MAX_SQUARES))
        self.walls = vec[u8](bytes(count * 4 * MAX_SQUARES))
        self.port_first = vec[i64]([0] * (count * 4 + 1))
        self.own_cubes = vec[i64]([0] * count)
        self.own_negatives = vec[i64]([0] * (count * MAX_SQUARES))
        self.has_vp = vec[i64]([0] * count)
        self.has_elevator = vec[i64]([0] * count)
        self.shape_width = vec[i64]([0] * MAX_SHAPES)
        self.shape_height = vec[i64]([0] * MAX_SHAPES)
        ports: list[int] = []
        seen: list[list[int]] = []
        for card in range(count):
            width, height = sizes[card]
            face, wall = list(kinds[card]), list(walls[card])
            cube = _own_cubes(width, height, face, wall)
            self.own_cubes[card] = max(cube) + 1
            for place in range(width * height):
                if face[place] == VP or face[place] == RECEPTIONIST:
                    self.own_negatives[card * MAX_SQUARES + cube[place]] += 1
                if face[place] == VP:
                    self.has_vp[card] = 1
                if face[place] == ELEVATOR:
                    self.has_elevator[card] = 1
            for turn in range(4):
                lie = card * 4 + turn
                self.width[lie] = width
                self.height[lie] = height
                if [width, height] not in seen:
                    self.shape_width[len(seen)] = width
                    self.shape_height[len(seen)] = height
                    seen.append([width, height])
                self.shape[lie] = seen.index([width, height])
                self.port_first[lie] = len(ports)
                for y in range(height):
                    for x in range(width):
                        place = y * width + x
                        at = lie * MAX_SQUARES + y * MAX_SIDE + x
                        self.kind[at] = u8(face[place])
                        self.walls[at] = u8(wall[place])
                        if cube[place] >= 0:
                            edges = [y == 0, x == width - 1, y == height - 1, x == 0]
                            for side in range(4):
                                if edges[side] and not wall[place] & (1 << side):
                                    port = (y * MAX_SIDE + x) | (side << 4) | (cube[place] << 6)
                                    ports.append(port)
                # A quarter turn clockwise: what was at (x, y) comes to (height - 1 - y, x).
                face = _turned(width, height, face)
                cube = _turned(width, height, cube)
                wall = [((w << 1) | (w >> 3)) & 15 for w in _turned(width, height, wall)]
                width, height = height, width
        self.port_first[count * 4] = len(ports)
        self.port_at = _table(ports if ports else [0])
        self.shapes = len(seen)


def _turned(width: int, height: int, squares: list[int]) -> list[int]:
    return [squares[(height - 1 - x) * width + y] for y in range(width) for x in range(height)]


def _own_cubes(width: int, height: int, face: list[int], wall: list[int]) -> list[int]:
    """For each square the number of the card's own cube it belongs to, or -1."""
    cube = [-1] * (width * height)
    found = 0
    for start in range(width * height):
        if CUBE <= face[start] and face[start] <= RECEPTIONIST and cube[start] < 0:
            waiting = [start]
            cube[start] = found
            while waiting:
                place = waiting.pop()
                x, y = place % width, place // width
                for side, dx, dy in ((0, 0, -1), (1, 1, 0), (2, 0, 1), (3, -1, 0)):
                    if 0 <= x + dx < width and 0 <= y + dy < height:
                        other = place + dx + dy * width
                        is_cube = CUBE <= face[other] and face[other] <= RECEPTIONIST
                        if is_cube and cube[other] < 0 and not wall[place] & (1 << side):
                            cube[other] = found
                            waiting.append(other)
            found += 1
    return cube


# -- Placements as numbers -------------------------------------------------------------------
# bits 0-11 square of the grid, 12-13 turn, 14-21 card.


@final
class Found:
    """A buffer of placements, reused. One card has at most 8,192 on any floor: each of at most 256
    edges of the outline is touched by at most 8 positions in each of 4 turns."""

    moves: vec[i64]
    count: i64

    def __init__(self, cards: i64) -> None:
        self.moves = vec[i64]([0] * int(cards * 8192))
        self.count = 0

    def listed(self) -> list[int]:
        return [int(self.moves[i]) for i in range(self.count)]


# -- A floor ---------------------------------------------------------------------------------


@final
class Floor:
    cards: Cards
    origin_x: i64
    origin_y: i64
    # By square. `way` has a bit for every side over which one can step: 1, 2, 4, 8 onto a square
    # that is walked on, 16, 32, 64, 128 into a cube. `wall` is kept on both sides of an edge.
    kind: vec[u8]
    wall: vec[u8]
    way: vec[u8]
    cube: vec[i16]
    cube_next: vec[i16]  # the squares of a cube form a ring
    covered: vec[i64]  # rows of bits
    top: i64
    bottom: i64
    left: i64
    right: i64
    # By cube, numbered from 1.
    cubes: i64
    cube_size: vec[i64]
    cube_first: vec[i64]
    cube_owner: vec[i64]  # seat + 1 of the employee in it
    cube_negatives: vec[i64]
    # Lists of squares.
    bonus: vec[i64]
    bonus_count: i64
    negative: vec[i64]
    negative_count: i64
    elevator: vec[i64]
    elevator_count: i64
    employee: vec[i64]
    employee_seat: vec[i64]
    employee_count: i64
    has_vp: i64
    has_pockets: i64
    # What the last card did: squares that became floor.
    filled: vec[i64]
    filled_count: i64
    # The cards in the order of their placing: where from the origin, and card * 4 + turn.
    placed_x: vec[i64]
    placed_y: vec[i64]
    placed: vec[i64]
    placed_count: i64
    # Scratch. Positions are rows of bits: where the north-west square of a shape may lie.
    positions: vec[i64]
    positions_of: vec[i64]  # the version for which they hold
    open_to: vec[i64]  # by side: uncovered squares on whose side an employee's cube is open
    version: i64
    open_version: i64
    walk_version: i64
    stamp: vec[i64]
    stamp_now: i64
    cube_stamp: vec[i64]
    cube_walk: vec[i64]
    queue: vec[i64]
    outside: vec[i64]
    group: vec[i64]
    hit_cube: vec[i64]
    hit_steps: vec[i64]
    hit_count: i64
    points: vec[i64]
    label: vec[i64]
    cube_worth: vec[i64]

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.origin_x = CENTRE
        self.origin_y = CENTRE
        self.kind = vec[u8](bytes(GRID))
        self.wall = vec[u8](bytes(GRID))
        self.way = vec[u8](bytes(GRID))
        self.cube = vec[i16]([0] * GRID)
        self.cube_next = vec[i16]([0] * GRID)
        self.covered = vec[i64]([0] * 64)
        self.top = USED
        self.bottom = -1
        self.left = USED
        self.right = -1
        self.cubes = 0
        self.cube_size = vec[i64]([0] * MAX_LAID)
        self.cube_first = vec[i64]([0] * MAX_LAID)
        self.cube_owner = vec[i64]([0] * MAX_LAID)
        self.cube_negatives = vec[i64]([0] * MAX_LAID)
        self.bonus = vec[i64]([0] * MAX_LAID)
        self.bonus_count = 0
        self.negative = vec[i64]([0] * MAX_LAID)
        self.negative_count = 0
        self.elevator = vec[i64]([0] * MAX_LAID)
        self.elevator_count = 0
        self.employee = vec[i64]([0] * MAX_LAID)
        self.employee_seat = vec[i64]([0] * MAX_LAID)
        self.employee_count = 0
        self.has_vp = 0
        self.has_pockets = 0
        self.filled = vec[i64]([0] * GRID)
        self.filled_count = 0
        self.placed_x = vec[i64]([0] * 64)
        self.placed_y = vec[i64]([0] * 64)
        self.placed = vec[i64]([0] * 64)
        self.placed_count = 0
        self.positions = vec[i64]([0] * (MAX_SHAPES * 64))
        self.positions_of = vec[i64]([-1] * MAX_SHAPES)
        self.open_to = vec[i64]([0] * (4 * 64))
        self.version = 0
        self.open_version = -1
        self.walk_version = -1
        self.stamp = vec[i64]([0] * GRID)
        self.stamp_now = 0
        self.cube_stamp = vec[i64]([0] * MAX_LAID)
        self.cube_walk = vec[i64]([-1] * MAX_LAID)
        self.queue = vec[i64]([0] * GRID)
        self.outside = vec[i64]([0] * 64)
        self.group = vec[i64]([0] * 64)
        self.hit_cube = vec[i64]([0] * MAX_LAID)
        self.hit_steps = vec[i64]([0] * MAX_LAID)
        self.hit_count = 0
        self.points = vec[i64]([0] * SEATS)
        self.label = vec[i64]([0] * 64)
        self.cube_worth = vec[i64]([0] * MAX_LAID)

    # Squares and their names.

    def square_at(self, x: i64, y: i64) -> i64:
        """The grid index of a square by its distance from the origin, or -1 if it is off the grid
        and so far from everything."""
        column = x + self.origin_x
        row = y + self.origin_y
        if column < 0 or column >= USED or row < 0 or row >= USED:
            return -1
        return row * STRIDE + column

    def x_of(self, square: i64) -> i64:
        return (square & 63) - self.origin_x

    def y_of(self, square: i64) -> i64:
        return (square >> 6) - self.origin_y

    # Laying squares.

    def clear(self) -> None:
        """An empty floor with its origin in the middle of the grid."""
        for row in range(self.top - 1, self.bottom + 2):
            for column in range(self.left - 1, self.right + 2):
                square = row * STRIDE + column
                self.kind[square] = 0
                self.wall[square] = 0
                self.way[square] = 0
                self.cube[square] = 0
            self.covered[row] = 0
        self.origin_x = CENTRE
        self.origin_y = CENTRE
        self.top = USED
        self.bottom = -1
        self.left = USED
        self.right = -1
        self.cubes = 0
        self.bonus_count = 0
        self.negative_count = 0
        self.elevator_count = 0
        self.employee_count = 0
        self.has_vp = 0
        self.has_pockets = 0
        self.filled_count = 0
        self.placed_count = 0
        self.version += 1

    def lay(self, square: i64, kind: i64, walls: i64) -> None:
        """Cover one square. `link` must follow once its neighbours of the same card lie too."""
        row = square >> 6
        column = square & 63
        self.kind[square] = u8(kind)
        self.covered[row] |= BIT[column]
        if row < self.top:
            self.top = row
        if row > self.bottom:
            self.bottom = row
        if column < self.left:
            self.left = column
        if column > self.right:
            self.right = column
        wall = self.wall
        if walls != 0:
            wall[square] = wall[square] | u8(walls)
            for side in range(4):
                if walls & BIT[side]:
                    other = square + STEP[side]
                    wall[other] = wall[other] | u8(BIT[side ^ 2])
        if kind >= PHOTOCOPIER:
            self.bonus[self.bonus_count] = square
            self.bonus_count += 1
        elif kind == ELEVATOR:
            self.elevator[self.elevator_count] = square
            self.elevator_count += 1
        elif kind >= CUBE:
            self.cubes += 1
            cube = self.cubes
            self.cube[square] = i16(cube)
            self.cube_next[square] = i16(square)
            self.cube_size[cube] = 1
            self.cube_first[cube] = square
            self.cube_owner[cube] = 0
            self.cube_negatives[cube] = 0
            if kind != CUBE:
                self.cube_negatives[cube] = 1
                self.negative[self.negative_count] = square
                self.negative_count += 1
                if kind == VP:
                    self.has_vp = 1

    def link(self, square: i64) -> None:
        """Open the ways between a new square and its neighbours, and join its cube to theirs."""
        kinds = self.kind
        way = self.way
        wall = i64(self.wall[square])
        meaning = CLASS[i64(kinds[square])]
        is_cube = meaning == 16
        for side in range(4):
            if wall & BIT[side] == 0:
                other = square + STEP[side]
                kind = i64(kinds[other])
                if kind != UNCOVERED:
                    way[square] = way[square] | u8(CLASS[kind] << side)
                    way[other] = way[other] | u8(meaning << (side ^ 2))
                    if is_cube and CLASS[kind] == 16:
                        self._join(i64(self.cube[square]), i64(self.cube[other]))

    def _join(self, one: i64, two: i64) -> None:
        """CF-4.4: two cubes become one, which keeps the number of the larger."""
        if one == two:
            return
        if self.cube_size[one] < self.cube_size[two]:
            one, two = two, one
        ring = self.cube_next
        here = self.cube_first[one]
        there = self.cube_first[two]
        square = there
        for _ in range(self.cube_size[two]):
            self.cube[square] = i16(one)
            square = i64(ring[square])
        after = ring[here]
        ring[here] = ring[there]
        ring[there] = after
        self.cube_size[one] += self.cube_size[two]
        self.cube_size[two] = 0
        self.cube_negatives[one] += self.cube_negatives[two]
        if self.cube_owner[two] != 0:
            self.cube_owner[one] = self.cube_owner[two]
            self.cube_owner[two] = 0

    def place(self, card: i64, turn: i64, square: i64) -> None:
        """Place a card with this north-west square, and fill gaps (CF-4.3). It must fit."""
        cards = self.cards
        lie = card * 4 + turn
        width = cards.width[lie]
        height = cards.height[lie]
        self.placed_x[self.placed_count] = self.x_of(square)
        self.placed_y[self.placed_count] = self.y_of(square)
        self.placed[self.placed_count] = lie
        self.placed_count += 1
        base = lie * MAX_SQUARES
        for dy in range(height):
            for dx in range(width):
                at = base + dy * MAX_SIDE + dx
                self.lay(square + dy * STRIDE + dx, i64(cards.kind[at]), i64(cards.walls[at]))
        for dy in range(height):
            for dx in range(width):
                self.link(square + dy * STRIDE + dx)
        self.version += 1
        self.filled_count = 0
        if self.has_pockets != 0 or self._splits(square, width, height):
            self.fill_gaps()
        if (
            self.top < MARGIN
            or self.left < MARGIN
            or self.bottom >= USED - MARGIN
            or self.right >= USED - MARGIN
        ):
            self.recentre()

    # CF-4.3: gaps.

    def _splits(self, square: i64, width: i64, height: i64) -> bool:
        """Whether the uncovered squares around a card are not all beside each other, so that it may
        have cut some of them off."""
        kinds = self.kind
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

    def fill_gaps(self) -> None:
        """Judge every group of uncovered squares that cannot reach the outside."""
        covered = self.covered
        outside = self.outside
        top = self.top
        bottom = self.bottom
        box: i64 = 0
        for column in range(self.left - 1, self.right + 2):
            box |= BIT[column]
        edge = BIT[self.left - 1] | BIT[self.right + 1]
        for row in range(top, bottom + 1):
            outside[row] = edge
        outside[top - 1] = box
        outside[bottom + 1] = box
        self._spread_rows(outside, covered, box, top, bottom)
        self.has_pockets = 0
        group = self.group
        for row in range(top, bottom + 1):
            left_over = box & ~covered[row] & ~outside[row]
            while left_over != 0:
                for other in range(top - 1, bottom + 2):
                    group[other] = 0
                group[row] = left_over & -left_over
                self._spread_rows(group, covered, box, top, bottom)
                fits = self._some_card_fits(group, top, bottom)
                for other in range(row, bottom + 1):
                    outside[other] |= group[other]
                    if not fits:
                        self._fill_row(i64(other), group[other])
                if fits:
                    self.has_pockets = 1
                left_over &= ~group[row]
        if self.filled_count != 0:
            for place in range(self.filled_count):
                self.link(self.filled[place])
            self.version += 1

    def _spread_rows(
        self, marks: vec[i64], covered: vec[i64], box: i64, top: i64, bottom: i64
    ) -> None:
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

    def _some_card_fits(self, group: vec[i64], top: i64, bottom: i64) -> bool:
        """By shape alone, in any rotation, wherever the card now is."""
        cards = self.cards
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

    def _fill_row(self, row: i64, squares: i64) -> None:
        while squares != 0:
            square = row * STRIDE + lowest_bit(squares)
            squares &= squares - 1
            self.lay(square, FILLED, 0)
            self.filled[self.filled_count] = square
            self.filled_count += 1

    # Moving on the grid.

    def recentre(self) -> None:
        """Move the floor to the middle of the grid; the squares keep their names."""
        along = CENTRE + 1 - (self.left + self.right) // 2
        down = CENTRE + 1 - (self.top + self.bottom) // 2
        by = down * STRIDE + along
        old_kind = vec[u8](bytes(GRID))
        old_wall = vec[u8](bytes(GRID))
        old_way = vec[u8](bytes(GRID))
        old_cube = vec[i16]([0] * GRID)
        old_next = vec[i16]([0] * GRID)
        for square in range(GRID):
            old_kind[square] = self.kind[square]
            old_wall[square] = self.wall[square]
            old_way[square] = self.way[square]
            old_cube[square] = self.cube[square]
            old_next[square] = self.cube_next[square]
            self.kind[square] = 0
            self.wall[square] = 0
            self.way[square] = 0
            self.cube[square] = 0
        for row in range(64):
            self.covered[row] = 0
        # Walls stand on uncovered squares around the floor too.
        for row in range(self.top - 1, self.bottom + 2):
            for column in range(self.left - 1, self.right + 2):
                here = row * STRIDE + column
                there = here + by
                self.kind[there] = old_kind[here]
                self.wall[there] = old_wall[here]
                self.way[there] = old_way[here]
                self.cube[there] = old_cube[here]
                self.cube_next[there] = i16(i64(old_next[here]) + by)
                if old_kind[here] != UNCOVERED:
                    self.covered[there >> 6] |= BIT[there & 63]
        for cube in range(1, self.cubes + 1):
            self.cube_first[cube] += by
        for place in range(self.bonus_count):
            self.bonus[place] += by
        for place in range(self.negative_count):
            self.negative[place] += by
        for place in range(self.elevator_count):
            self.elevator[place] += by
        for place in range(self.employee_count):
            self.employee[place] += by
        for place in range(self.filled_count):
            self.filled[place] += by
        self.origin_x += along
        self.origin_y += down
        self.left += along
        self.right += along
        self.top += down
        self.bottom += down
        self.version += 1

    # CF-4.1, CF-4.5: where a card may lie.

    def why_card(self, card: i64, turn: i64, square: i64) -> i64:
        """Why a card cannot lie with this north-west square (-1: off the grid), or FITS."""
        cards = self.cards
        lie = card * 4 + turn
        width = cards.width[lie]
        height = cards.height[lie]
        row = square >> 6
        column = square & 63
        if square < 0 or row + height > USED or column + width > USED:
            return NOT_TOUCHING
        covered = self.covered
        span = (BIT[width] - 1) << column
        touches: i64 = 0
        for dy in range(height):
            line = covered[row + dy]
            if line & span != 0:
                return COVERED
            touches |= line & ((span << 1) | (span >> 1))
        if row > 0:
            touches |= covered[row - 1] & span
        touches |= covered[row + height] & span
        if touches == 0:
            return NOT_TOUCHING
        if self._is_too_long(width, height) and self._within(row, width, height) & BIT[column] == 0:
            return TOO_LONG
        if self.has_vp != 0 and cards.has_vp[card] != 0:
            return SECOND_VP
        if not self._cubes_allow(lie, square):
            return TWO_OCCUPANTS
        return FITS

    def _is_too_long(self, width: i64, height: i64) -> bool:
        """Whether a card of this size could make the floor longer than the grid has room for."""
        return (
            self.right - self.left + 1 + width > LONGEST
            or self.bottom - self.top + 1 + height > LONGEST
        )

    def _within(self, row: i64, width: i64, height: i64) -> i64:
        """The columns for a card's north-west square in this row that keep to LONGEST, as bits."""
        columns: i64 = 0
        if self.bottom - row < LONGEST and row + height - self.top <= LONGEST:
            for column in range(USED - width):
                if self.right - column < LONGEST and column + width - self.left <= LONGEST:
                    columns |= BIT[column]
        return columns

    def _cubes_allow(self, lie: i64, square: i64) -> bool:
        """CF-4.5: no cube would hold two employees, nor an employee and a VP or receptionist."""
        cards = self.cards
        own = cards.own_cubes[lie >> 2]
        # What is joined by the card: first its own cubes, then the cubes it opens onto. Equal
        # labels are one cube.
        label = self.label
        joined = self.hit_cube
        count = own
        for cube in range(own):
            label[cube] = cube
        for place in range(cards.port_first[lie], cards.port_first[lie + 1]):
            port = cards.port_at[place]
            side = (port >> 4) & 3
            at = square + ((port >> 2) & 3) * STRIDE + (port & 3)
            other = at + STEP[side]
            if CLASS[i64(self.kind[other])] != 16 or i64(self.wall[other]) & BIT[side ^ 2] != 0:
                continue
            outer = i64(self.cube[other])
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
                            negatives += self.cube_negatives[joined[member]]
                            if self.cube_owner[joined[member]] != 0:
                                employees += 1
                if employees > 1 or (employees == 1 and negatives != 0):
                    return False
        return True

    def _find_positions(self, shape: i64) -> None:
        """Where a shape covers nothing and touches something, as rows of bits."""
        if self.positions_of[shape] == self.version:
            return
        self.positions_of[shape] = self.version
        covered = self.covered
        width = self.cards.shape_width[shape]
        height = self.cards.shape_height[shape]
        base = shape * 64
        is_too_long = self._is_too_long(width, height)
        for row in range(self.top - height, self.bottom + 2):
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
            places = (above | beside) & ~blocked
            if is_too_long:
                places &= self._within(row, width, height)
            self.positions[base + row] = places

    def _find_open_cubes(self) -> None:
        """Uncovered squares onto which an employee's cube opens, by the side on which it lies."""
        if self.open_version == self.version:
            return
        self.open_version = self.version
        open_to = self.open_to
        for row in range(self.top - MAX_SIDE, self.bottom + MAX_SIDE + 1):
            open_to[row] = 0
            open_to[64 + row] = 0
            open_to[128 + row] = 0
            open_to[192 + row] = 0
        for place in range(self.employee_count):
            square = self.employee[place]
            for _ in range(self.cube_size[i64(self.cube[square])]):
                wall = i64(self.wall[square])
                for side in range(4):
                    other = square + STEP[side]
                    if wall & BIT[side] == 0 and self.kind[other] == UNCOVERED:
                        open_to[(side ^ 2) * 64 + (other >> 6)] |= BIT[other & 63]
                square = i64(self.cube_next[square])

    def add_placements(self, card: i64, found: Found) -> None:
        """Add every place where this card fits now."""
        cards = self.cards
        if self.has_vp != 0 and cards.has_vp[card] != 0:
            return
        self._find_open_cubes()
        moves = found.moves
        count = found.count
        open_to = self.open_to
        positions = self.positions
        for turn in range(4):
            lie = card * 4 + turn
            shape = cards.shape[lie]
            self._find_positions(shape)
            first = cards.port_first[lie]
            end = cards.port_first[lie + 1]
            mark = (i64(turn) << 12) | (card << 14)
            for row in range(self.top - cards.height[lie], self.bottom + 2):
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
                    if not self._cubes_allow(lie, row * STRIDE + lowest_bit(low)):
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

    def sample_placement(self, card: i64, rng: Rng) -> i64:
        """One place where this card fits, each as likely as any other; -1 if there is none."""
        cards = self.cards
        if self.has_vp != 0 and cards.has_vp[card] != 0:
            return -1
        # Half a turn leaves a card's shape as it is: two shapes, each for two turns.
        flat = cards.shape[card * 4]
        upright = cards.shape[card * 4 + 1]
        self._find_positions(flat)
        self._find_positions(upright)
        first = self._count_positions(flat)
        total = first + self._count_positions(upright)
        self._find_open_cubes()
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
            square = self._position(shape, at)
            if not self._is_doubtful(card * 4 + turn, square):
                return square | (turn << 12) | (card << 14)
            if self._cubes_allow(card * 4 + turn, square):
                return square | (turn << 12) | (card << 14)
        found = Found(1)
        self.add_placements(card, found)
        return found.moves[rng.below(found.count)] if found.count else -1

    def _is_doubtful(self, lie: i64, square: i64) -> bool:
        cards = self.cards
        row = square >> 6
        column = square & 63
        for place in range(cards.port_first[lie], cards.port_first[lie + 1]):
            port = cards.port_at[place]
            line = self.open_to[((port >> 4) & 3) * 64 + row + ((port >> 2) & 3)]
            if line & BIT[column + (port & 3)] != 0:
                return True
        return False

    def _count_positions(self, shape: i64) -> i64:
        total: i64 = 0
        positions = self.positions
        base = shape * 64
        for row in range(self.top - self.cards.shape_height[shape], self.bottom + 2):
            line = positions[base + row]
            if line != 0:
                total += count_bits(line)
        return total

    def _position(self, shape: i64, number: i64) -> i64:
        """The square of a shape's position by its number in reading order."""
        base = shape * 64
        row = self.top - self.cards.shape_height[shape]
        while True:
            line = self.positions[base + row]
            count = count_bits(line)
            if number < count:
                break
            number -= count
            row += 1
        for _ in range(number):
            line &= line - 1
        return row * STRIDE + lowest_bit(line)

    # CF-5: employees.

    def why_employee(self, square: i64) -> i64:
        """Why an employee cannot take the cube at this square, or FITS."""
        if square < 0 or CLASS[i64(self.kind[square])] != 16:
            return NO_CUBE
        cube = i64(self.cube[square])
        if self.cube_owner[cube] != 0:
            return TAKEN
        if self.cube_negatives[cube] != 0:
            return NEGATIVE
        self.find_walks()
        return FITS if self.cube_walk[cube] == self.version else NO_WALK

    def employ(self, square: i64, seat: i64) -> None:
        self.cube_owner[i64(self.cube[square])] = seat + 1
        self.employee[self.employee_count] = square
        self.employee_seat[self.employee_count] = seat
        self.employee_count += 1
        # No walk is changed by it, but cards may no longer join this cube.
        self.open_version = -1

    def find_walks(self) -> None:
        """CF-5.2: mark the cubes from which there is a walk to an elevator."""
        if self.walk_version == self.version:
            return
        self.walk_version = self.version
        self.stamp_now += 1
        now = self.stamp_now
        version = self.version
        stamp = self.stamp
        queue = self.queue
        way = self.way
        size: i64 = 0
        for place in range(self.elevator_count):
            queue[size] = self.elevator[place]
            size += 1
        at: i64 = 0
        while at < size:
            square = queue[at]
            at += 1
            ways = i64(way[square])
            for side in range(4):
                if ways & BIT[side]:
                    other = square + STEP[side]
                    if stamp[other] != now:
                        stamp[other] = now
                        queue[size] = other
                        size += 1
            if ways >= 16:
                for side in range(4):
                    if ways & BIT[side + 4]:
                        self.cube_walk[i64(self.cube[square + STEP[side]])] = version

    def add_employees(self, found: Found) -> None:
        """Add one square of every cube that an employee could take now."""
        self.find_walks()
        for cube in range(1, self.cubes + 1):
            if (
                self.cube_walk[cube] == self.version
                and self.cube_size[cube] != 0
                and self.cube_owner[cube] == 0
                and self.cube_negatives[cube] == 0
            ):
                found.moves[found.count] = self.cube_first[cube]
                found.count += 1

    # CF-6: scoring.

    def score(self, home: i64) -> i64:
        """The points of each seat on this floor, into `points`; returns all of them together."""
        points = self.points
        owner = self.cube_owner
        points[0] = 0
        points[1] = 0
        points[2] = 0
        if self.employee_count == 0:
            return 0
        for place in range(self.employee_count):
            cube = i64(self.cube[self.employee[place]])
            points[owner[cube] - 1] += self.cube_size[cube]
        queue = self.queue
        for place in range(self.bonus_count):
            square = self.bonus[place]
            kind = i64(self.kind[square])
            queue[0] = square
            self._near(1, VALUE[kind], False)
            for hit in range(self.hit_count):
                points[owner[self.hit_cube[hit]] - 1] += VALUE[kind]
            if EXTRA[kind] != 0 and self.hit_count != 0:
                # Hits come nearest first. CF-6.5: strictly nearer than all others, and from away.
                if self.hit_count == 1 or self.hit_steps[0] < self.hit_steps[1]:
                    nearest = owner[self.hit_cube[0]] - 1
                    if nearest != home:
                        points[nearest] += EXTRA[kind]
        for place in range(self.negative_count):
            square = self.negative[place]
            kind = i64(self.kind[square])
            size = self.cube_size[i64(self.cube[square])]
            for member in range(size):
                queue[member] = square
                square = i64(self.cube_next[square])
            self._near(size, VALUE[kind], False)
            for hit in range(self.hit_count):
                seat = owner[self.hit_cube[hit]] - 1
                # CF-6.4: away from home one is immune to the VP.
                if kind == RECEPTIONIST or seat == home:
                    points[seat] -= VALUE[kind]
        return points[0] + points[1] + points[2]

    def find_worths(self, home: i64, seat: i64) -> None:
        """What an employee of this seat would score in each cube, into `cube_worth`, as if it were
        the only one to come."""
        worth = self.cube_worth
        owner = self.cube_owner
        self.find_walks()
        for cube in range(1, self.cubes + 1):
            worth[cube] = self.cube_size[cube]
        queue = self.queue
        for place in range(self.bonus_count):
            square = self.bonus[place]
            kind = i64(self.kind[square])
            extra = EXTRA[kind] if seat != home else 0
            nearest = VALUE[kind] + 1
            queue[0] = square
            self._near(1, VALUE[kind], True)
            for hit in range(self.hit_count):
                cube = self.hit_cube[hit]
                worth[cube] += VALUE[kind]
                if owner[cube] != 0 and self.hit_steps[hit] < nearest:
                    nearest = self.hit_steps[hit]
                if self.hit_steps[hit] < nearest:
                    worth[cube] += extra
        for place in range(self.negative_count):
            square = self.negative[place]
            kind = i64(self.kind[square])
            if kind == VP and seat != home:
                continue
            size = self.cube_size[i64(self.cube[square])]
            for member in range(size):
                queue[member] = square
                square = i64(self.cube_next[square])
            self._near(size, VALUE[kind], True)
            for hit in range(self.hit_count):
                worth[self.hit_cube[hit]] -= VALUE[kind]

    def _near(self, size: i64, limit: i64, also_empty: bool) -> None:
        """Cubes of employees, or all, within `limit` steps of the first `size` squares in the
        queue, the nearest first."""
        self.stamp_now += 1
        now = self.stamp_now
        stamp = self.stamp
        cube_stamp = self.cube_stamp
        owner = self.cube_owner
        queue = self.queue
        way = self.way
        hits: i64 = 0
        at: i64 = 0
        for place in range(size):
            stamp[queue[place]] = now
        for steps in range(1, limit + 1):
            end = size
            while at < end:
                square = queue[at]
                at += 1
                ways = i64(way[square])
                if ways >= 16:
                    for side in range(4):
                        if ways & BIT[side + 4]:
                            cube = i64(self.cube[square + STEP[side]])
                            if cube_stamp[cube] != now and (also_empty or owner[cube] != 0):
                                cube_stamp[cube] = now
                                self.hit_cube[hits] = cube
                                self.hit_steps[hits] = steps
                                hits += 1
                if steps < limit:
                    for side in range(4):
                        if ways & BIT[side]:
                            other = square + STEP[side]
                            if stamp[other] != now:
                                stamp[other] = now
                                queue[size] = other
                                size += 1
        self.hit_count = hits

    # Copies.

    def copy_from(self, source: "Floor") -> None:
        self.clear()
        self.origin_x = source.origin_x
        self.origin_y = source.origin_y
        self.top = source.top
        self.bottom = source.bottom
        self.left = source.left
        self.right = source.right
        left = self.left - 1
        right = self.right + 2
        for row in range(self.top - 1, self.bottom + 2):
            self.covered[row] = source.covered[row]
            for square in range(row * STRIDE + left, row * STRIDE + right):
                self.kind[square] = source.kind[square]
                self.wall[square] = source.wall[square]
                self.way[square] = source.way[square]
                self.cube[square] = source.cube[square]
                self.cube_next[square] = source.cube_next[square]
        self.cubes = source.cubes
        for cube in range(1, self.cubes + 1):
            self.cube_size[cube] = source.cube_size[cube]
            self.cube_first[cube] = source.cube_first[cube]
            self.cube_owner[cube] = source.cube_owner[cube]
            self.cube_negatives[cube] = source.cube_negatives[cube]
        self.bonus_count = source.bonus_count
        for place in range(self.bonus_count):
            self.bonus[place] = source.bonus[place]
        self.negative_count = source.negative_count
        for place in range(self.negative_count):
            self.negative[place] = source.negative[place]
        self.elevator_count = source.elevator_count
        for place in range(self.elevator_count):
            self.elevator[place] = source.elevator[place]
        self.employee_count = source.employee_count
        for place in range(self.employee_count):
            self.employee[place] = source.employee[place]
            self.employee_seat[place] = source.employee_seat[place]
        self.has_vp = source.has_vp
        self.has_pockets = source.has_pockets
        self.filled_count = 0
        self.placed_count = source.placed_count
        for place in range(self.placed_count):
            self.placed_x[place] = source.placed_x[place]
            self.placed_y[place] = source.placed_y[place]
            self.placed[place] = source.placed[place]
        self.version += 1

    # For others to read, not in hot paths.

    def squares(self) -> list[int]:
        """Every covered square of the grid, north to south, west to east."""
        return [
            row * STRIDE + column
            for row in range(self.top, self.bottom + 1)
            for column in range(self.left, self.right + 1)
            if self.kind[row * STRIDE + column] != UNCOVERED
        ]

    def cube_squares(self, square: i64) -> list[int]:
        """The squares of the cube at this square, in reading order."""
        found: list[int] = []
        if CLASS[i64(self.kind[square])] == 16:
            for _ in range(self.cube_size[i64(self.cube[square])]):
                found.append(int(square))
                square = i64(self.cube_next[square])
        return sorted(found)

    def owner_at(self, square: i64) -> int:
        """The seat whose employee has the cube at this square, or -1."""
        return int(self.cube_owner[i64(self.cube[square])]) - 1

    def filled_squares(self) -> list[int]:
        return [int(self.filled[place]) for place in range(self.filled_count)]
