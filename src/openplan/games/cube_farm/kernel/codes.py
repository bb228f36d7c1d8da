"""PBM Cube Farm as integers: numbers of things, bits, chance for playouts, the cards as tables.

With `floor.py` (what lies where), `gaps.py`, `placing.py`, `walking.py`, `table.py` (a turn),
`appraise.py`, `prospects.py`, `others.py`, `search.py` and `plain.py` it is one unit, which runs as
it is or compiled by mypyc and must do the same in both. It knows nothing of text or of who may see
what.

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
from mypy_extensions import i64, u8

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
WITH_CARD: Final = 13
WITH_EMPLOYEE: Final = 14

M32: Final = 4294967295
GOLDEN: Final = 2654435769


def _table(values: list[int]) -> vec[i64]:
    table = vec[i64]([0] * len(values))
    for i in range(len(values)):
        table[i] = values[i]
    return table


BIT: Final = _table([2**n for n in range(63)])
STEP: Final = _table([-STRIDE, 1, STRIDE, -1])  # north, east, south, west

# CF-6.6, CF-6.3: what a square is worth, which is also how far it works. A deck may state others.
VALUES: Final = [0, 0, 0, 0, 0, 3, 2, 4, 4, 3, 3, 3, 2, 2, 2, 2]
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


def mixed(number: i64) -> i64:
    """Another number of 32 bits for each, of which every bit depends on all bits of the first."""
    number ^= number >> 16
    number = (number * 569420461) & M32
    number ^= number >> 15
    number = (number * 1935289751) & M32
    return number ^ (number >> 15)


@final
class Rng:
    """A small generator that draws alike compiled and plain: xorshift plus a Weyl sequence. Seeds
    may be numbers in a row: what is drawn with one tells nothing about the next."""

    x: i64
    w: i64

    def __init__(self, seed: i64) -> None:
        self.x = 1
        self.w = 0
        self.restart(seed)

    def restart(self, seed: i64) -> None:
        """Draw as a new one does."""
        self.w = mixed(seed & M32)
        x = mixed(self.w ^ mixed((seed >> 32) & M32) ^ GOLDEN)
        self.x = x if x != 0 else i64(GOLDEN)  # xorshift would stay at 0

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
    """A deck's cards in all four turns as tables. `card * 4 + turn` is a card as it lies. With them
    what squares are worth in this deck, and how the table has settled what the rules leave open.

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
    value: vec[i64]  # by kind
    # House rules.
    spends_lost: bool
    loses_together: bool
    corner_touches: bool
    knows_from_afar: bool

    def __init__(
        self,
        sizes: list[list[int]],
        kinds: list[list[int]],
        walls: list[list[int]],
        values: list[int],
        spends_lost: bool,
        loses_together: bool,
        corner_touches: bool,
        knows_from_afar: bool,
    ) -> None:
        """By card: width and height as printed; kind and walls of each square, row by row."""
        self.value = _table(values)
        self.spends_lost = spends_lost
        self.loses_together = loses_together
        self.corner_touches = corner_touches
        self.knows_from_afar = knows_from_afar
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
        self.port_at = _table(ports or [0])
        self.shapes = len(seen)


def _turned(width: int, height: int, squares: list[int]) -> list[int]:
    return [squares[(height - 1 - x) * width + y] for y in range(width) for x in range(height)]


def _own_cubes(width: int, height: int, face: list[int], wall: list[int]) -> list[int]:
    """For each square the number of the card's own cube it belongs to, or -1."""
    cube = [-1] * (width * height)
    found = 0
    for start in range(width * height):
        if face[start] >= CUBE and face[start] <= RECEPTIONIST and cube[start] < 0:
            waiting = [start]
            cube[start] = found
            while waiting:
                place = waiting.pop()
                x, y = place % width, place // width
                for side, dx, dy in ((0, 0, -1), (1, 1, 0), (2, 0, 1), (3, -1, 0)):
                    if 0 <= x + dx < width and 0 <= y + dy < height:
                        other = place + dx + dy * width
                        is_cube = face[other] >= CUBE and face[other] <= RECEPTIONIST
                        if is_cube and cube[other] < 0 and not wall[place] & (1 << side):
                            cube[other] = found
                            waiting.append(other)
            found += 1
    return cube


# -- Placements as numbers -------------------------------------------------------------------
# bits 0-11 square of the grid, 12-13 turn, 14-21 card.


@final
class Found:
    """A buffer of placements, reused. A card cannot have more than one in each of 4 turns for each
    of the 62 by 62 squares of the grid."""

    moves: vec[i64]
    count: i64

    def __init__(self, cards: i64) -> None:
        self.moves = vec[i64]([0] * int(cards * 4 * USED * USED))
        self.count = 0

    def listed(self) -> list[int]:
        return [int(self.moves[i]) for i in range(self.count)]
