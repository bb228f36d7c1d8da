"""A floor: what lies where, square by square and cube by cube, on a grid that it cannot outgrow.

What may be done with a floor is in `placing.py`, `gaps.py` and
`walking.py`.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from openplan.games.cube_farm.kernel.codes import (
    BIT,
    CENTRE,
    CLASS,
    CUBE,
    ELEVATOR,
    GRID,
    MAX_LAID,
    MAX_SHAPES,
    PHOTOCOPIER,
    SEATS,
    STEP,
    STRIDE,
    UNCOVERED,
    USED,
    VP,
    Cards,
)


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

    # CF-5.1: one employee takes the whole cube.

    def employ(self, square: i64, seat: i64) -> None:
        self.cube_owner[i64(self.cube[square])] = seat + 1
        self.employee[self.employee_count] = square
        self.employee_seat[self.employee_count] = seat
        self.employee_count += 1
        # No walk is changed by it, but cards may no longer join this cube.
        self.open_version = -1

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
