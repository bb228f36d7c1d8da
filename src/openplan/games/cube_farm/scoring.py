"""Scoring, explained (CF-6): for each employee the base, every bonus, penalty and extra, with
steps, the walk itself, and the distances compared. The kernel only adds up; this says why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openplan.core.grid import Square
from openplan.games.cube_farm.cards import KIND_NAMES
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.walking import score_floor, walks_from
from openplan.games.cube_farm.state import SEATS, square_of

_IMMUNE_TO: Final = codes.VP


class Part(NamedTuple):
    """One bonus, penalty or extra. `walk` leads from a square of the cube to the square of `what`,
    both included; `compared` is each other employee's cube and its steps to the same square."""

    kind: str
    what: str
    square: Square
    points: int
    steps: int
    walk: tuple[Square, ...]
    clause: str
    compared: tuple[tuple[str, Square, int], ...] = ()


class Score(NamedTuple):
    """What one employee brings. `way` is a walk from a square of the cube to an elevator's, both
    included; empty if a later card has cut it off (CF-5.2)."""

    seat: int
    square: Square
    cube: tuple[Square, ...]
    base: int
    parts: tuple[Part, ...]
    way: tuple[Square, ...]

    @property
    def total(self) -> int:
        return self.base + sum(part.points for part in self.parts)


def explain_floor(floor: Floor, home: int) -> list[Score]:
    """Every employee of a floor, in the order of their arrival."""
    count = int(floor.employee_count)
    seats = [int(floor.employee_seat[place]) for place in range(count)]
    named = [int(floor.employee[place]) for place in range(count)]
    cubes = [floor.cube_squares(square) for square in named]
    ways = [Walks(floor, cube) for cube in cubes]
    parts: list[list[Part]] = [[] for _ in range(count)]
    values = [int(floor.cards.value[kind]) for kind in range(codes.KINDS)]
    for source in sorted(int(floor.bonus[place]) for place in range(int(floor.bonus_count))):
        kind = int(floor.kind[source])
        value, extra = values[kind], int(codes.EXTRA[kind])
        walks = [way.to([source], value) for way in ways]
        where = square_of(floor, source)
        near = {place: len(walk) - 1 for place, walk in enumerate(walks) if walk}
        for place, steps in near.items():
            part = Part("bonus", KIND_NAMES[kind], where, value, steps, walks[place], "CF-6.2")
            parts[place].append(part)
        if extra and floor.cards.knows_from_afar:
            walks = [way.to([source], codes.GRID) for way in ways]
            near = {place: len(walk) - 1 for place, walk in enumerate(walks) if walk}
        if extra and near:
            nearest = min(near, key=lambda place: near[place])
            alone = sum(steps == near[nearest] for steps in near.values()) == 1
            if alone and seats[nearest] != home:
                compared = tuple(
                    (SEATS[seats[place]], square_of(floor, named[place]), steps)
                    for place, steps in near.items()
                    if place != nearest
                )
                part = Part(
                    "extra",
                    KIND_NAMES[kind],
                    where,
                    extra,
                    near[nearest],
                    walks[nearest],
                    "CF-6.5",
                    compared,
                )
                parts[nearest].append(part)
    for source in sorted(int(floor.negative[place]) for place in range(int(floor.negative_count))):
        kind = int(floor.kind[source])
        value = values[kind]
        targets = floor.cube_squares(source)
        for place, way in enumerate(ways):
            walk = way.to(targets, value)
            if walk and (kind != _IMMUNE_TO or seats[place] == home):
                steps = len(walk) - 1
                where = square_of(floor, source)
                part = Part("penalty", KIND_NAMES[kind], where, -value, steps, walk, "CF-6.3")
                parts[place].append(part)
    elevators = [int(floor.elevator[place]) for place in range(int(floor.elevator_count))]
    return [
        Score(
            seats[place],
            square_of(floor, named[place]),
            tuple(square_of(floor, square) for square in cubes[place]),
            len(cubes[place]),
            tuple(parts[place]),
            ways[place].to(elevators, codes.GRID),
        )
        for place in range(count)
    ]


class Walks:
    """The shortest walks (CF-5.2) from the squares of one cube."""

    def __init__(self, floor: Floor, cube: list[int]) -> None:
        self._floor = floor
        self._reached = walks_from(floor, cube)

    def to(self, targets: Sequence[int], limit: int) -> tuple[Square, ...]:
        """A walk of at most `limit` steps into one of these squares, both ends included; empty if
        there is none."""
        found = [(self._reached[one], one) for one in targets if one in self._reached]
        if not found:
            return ()
        (_, steps, before), square = min(found)
        if steps > limit:
            return ()
        walk = [square_of(self._floor, square)]
        while before in self._reached:
            walk.append(square_of(self._floor, before))
            before = self._reached[before][2]
        return (square_of(self._floor, before), *reversed(walk))


def totals(floors: Sequence[Floor]) -> tuple[int, int, int]:
    """The points of each seat as the floors stand."""
    points = [0, 0, 0]
    for home, floor in enumerate(floors):
        score_floor(floor, home)
        for seat in range(codes.SEATS):
            points[seat] += int(floor.points[seat])
    return points[0], points[1], points[2]
