"""Walks (CF-5.2), where an employee may be placed (CF-5), and what all of them score (CF-6).

`scoring.py` says why a score is what it is; here it is only
added up.
"""

from mypy_extensions import i64

from openplan.games.cube_farm.kernel.codes import (
    BIT,
    CLASS,
    EXTRA,
    FITS,
    GRID,
    NEGATIVE,
    NO_CUBE,
    NO_WALK,
    RECEPTIONIST,
    STEP,
    TAKEN,
    UNCOVERED,
    VP,
    Found,
)
from openplan.games.cube_farm.kernel.floor import Floor


def why_employee(floor: Floor, square: i64) -> i64:
    """Why an employee cannot take the cube at this square, or FITS."""
    if square < 0 or CLASS[i64(floor.kind[square])] != 16:
        return NO_CUBE
    cube = i64(floor.cube[square])
    if floor.cube_owner[cube] != 0:
        return TAKEN
    if floor.cube_negatives[cube] != 0:
        return NEGATIVE
    find_walks(floor)
    return FITS if floor.cube_walk[cube] == floor.version else NO_WALK


def find_walks(floor: Floor) -> None:
    """CF-5.2: mark the cubes from which there is a walk to an elevator."""
    if floor.walk_version == floor.version:
        return
    floor.walk_version = floor.version
    floor.stamp_now += 1
    now = floor.stamp_now
    version = floor.version
    stamp = floor.stamp
    queue = floor.queue
    way = floor.way
    size: i64 = 0
    for place in range(floor.elevator_count):
        queue[size] = floor.elevator[place]
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
                    floor.cube_walk[i64(floor.cube[square + STEP[side]])] = version


def walks_from(floor: Floor, starts: list[int]) -> dict[int, tuple[int, int, int]]:
    """CF-5.2: the squares to which there is a walk from these: each with its place in the order in
    which shortest walks come there, the number of its steps, and the square before it."""
    floor.stamp_now += 1
    now = floor.stamp_now
    stamp = floor.stamp
    queue = floor.queue
    size: i64 = 0
    for start in starts:
        first: i64 = start
        stamp[first] = now
        queue[size] = first
        size += 1
    found: dict[int, tuple[int, int, int]] = {}
    count: i64 = 0
    at: i64 = 0
    steps: i64 = 0
    while at < size:
        steps += 1
        end = size
        while at < end:
            square = queue[at]
            at += 1
            walls = i64(floor.wall[square])
            for side in range(4):
                other = square + STEP[side]
                kind = i64(floor.kind[other])
                if kind == UNCOVERED or stamp[other] == now or walls & BIT[side]:
                    continue
                stamp[other] = now
                found[other] = (count, steps, square)
                count += 1
                if CLASS[kind] == 1:
                    queue[size] = other
                    size += 1
    return found


def can_be_taken(floor: Floor, cube: i64) -> bool:
    """CF-5.1, CF-5.2: whether an employee could take this cube, once the walks are found. A number
    without squares is that of a cube which was joined to another."""
    return bool(
        floor.cube_walk[cube] == floor.version
        and floor.cube_size[cube] != 0
        and floor.cube_owner[cube] == 0
        and floor.cube_negatives[cube] == 0
    )


def add_employees(floor: Floor, found: Found) -> None:
    """Add one square of every cube that an employee could take now."""
    find_walks(floor)
    for cube in range(1, floor.cubes + 1):
        if can_be_taken(floor, cube):
            found.moves[found.count] = floor.cube_first[cube]
            found.count += 1


def score_floor(floor: Floor, home: i64) -> i64:
    """The points of each seat on this floor, into `points`; returns all of them together."""
    points = floor.points
    owner = floor.cube_owner
    points[0] = 0
    points[1] = 0
    points[2] = 0
    if floor.employee_count == 0:
        return 0
    for place in range(floor.employee_count):
        cube = i64(floor.cube[floor.employee[place]])
        points[owner[cube] - 1] += floor.cube_size[cube]
    queue = floor.queue
    value = floor.cards.value
    for place in range(floor.bonus_count):
        square = floor.bonus[place]
        kind = i64(floor.kind[square])
        queue[0] = square
        _near(floor, 1, value[kind], False)
        for hit in range(floor.hit_count):
            points[owner[floor.hit_cube[hit]] - 1] += value[kind]
        if floor.cards.knows_from_afar and EXTRA[kind] != 0 and floor.hit_count == 0:
            queue[0] = square
            _near(floor, 1, GRID, False)
        if EXTRA[kind] != 0 and floor.hit_count != 0:
            # Hits come nearest first. CF-6.5: strictly nearer than all others, and from away.
            if floor.hit_count == 1 or floor.hit_steps[0] < floor.hit_steps[1]:
                nearest = owner[floor.hit_cube[0]] - 1
                if nearest != home:
                    points[nearest] += EXTRA[kind]
    for place in range(floor.negative_count):
        square = floor.negative[place]
        kind = i64(floor.kind[square])
        size = floor.cube_size[i64(floor.cube[square])]
        for member in range(size):
            queue[member] = square
            square = i64(floor.cube_next[square])
        _near(floor, size, value[kind], False)
        for hit in range(floor.hit_count):
            seat = owner[floor.hit_cube[hit]] - 1
            # CF-6.4: away from home one is immune to the VP.
            if kind == RECEPTIONIST or seat == home:
                points[seat] -= value[kind]
    return points[0] + points[1] + points[2]


def find_worths(floor: Floor, home: i64, seat: i64) -> None:
    """What an employee of this seat would score in each cube, into `cube_worth`, as if it were
    the only one to come."""
    worth = floor.cube_worth
    owner = floor.cube_owner
    find_walks(floor)
    for cube in range(1, floor.cubes + 1):
        worth[cube] = floor.cube_size[cube]
    queue = floor.queue
    value = floor.cards.value
    for place in range(floor.bonus_count):
        square = floor.bonus[place]
        kind = i64(floor.kind[square])
        extra = EXTRA[kind] if seat != home else 0
        reach = value[kind]
        if extra != 0 and floor.cards.knows_from_afar:
            reach = GRID
        nearest = reach + 1
        queue[0] = square
        _near(floor, 1, reach, True)
        for hit in range(floor.hit_count):
            cube = floor.hit_cube[hit]
            if floor.hit_steps[hit] <= value[kind]:
                worth[cube] += value[kind]
            if owner[cube] != 0 and floor.hit_steps[hit] < nearest:
                nearest = floor.hit_steps[hit]
            if floor.hit_steps[hit] < nearest:
                worth[cube] += extra
    for place in range(floor.negative_count):
        square = floor.negative[place]
        kind = i64(floor.kind[square])
        if kind == VP and seat != home:
            continue
        size = floor.cube_size[i64(floor.cube[square])]
        for member in range(size):
            queue[member] = square
            square = i64(floor.cube_next[square])
        _near(floor, size, value[kind], True)
        for hit in range(floor.hit_count):
            worth[floor.hit_cube[hit]] -= value[kind]


def _near(floor: Floor, size: i64, limit: i64, also_empty: bool) -> None:
    """Cubes of employees, or all, within `limit` steps of the first `size` squares in the
    queue, the nearest first."""
    floor.stamp_now += 1
    now = floor.stamp_now
    stamp = floor.stamp
    cube_stamp = floor.cube_stamp
    owner = floor.cube_owner
    queue = floor.queue
    way = floor.way
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
                        cube = i64(floor.cube[square + STEP[side]])
                        if cube_stamp[cube] != now and (also_empty or owner[cube] != 0):
                            cube_stamp[cube] = now
                            floor.hit_cube[hits] = cube
                            floor.hit_steps[hits] = steps
                            hits += 1
            if steps < limit:
                for side in range(4):
                    if ways & BIT[side]:
                        other = square + STEP[side]
                        if stamp[other] != now:
                            stamp[other] = now
                            queue[size] = other
                            size += 1
        if at == size:
            break
    floor.hit_count = hits
