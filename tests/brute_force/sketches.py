"""Small floors for the checker's own tests.

Layouts are written as in CF-7, rows divided by `/`. `sketch` walls the cubes as CF-7 says;
`wall_less` has no wall at all; where single walls matter, the floor is drawn in full.
Employees are written `S@E2`. Unless said, the floor is the home of S.
"""

from __future__ import annotations

from .cube_farm_floors import (
    CUBE_KINDS,
    Card,
    CardList,
    Floor,
    Square,
    draw_floor,
    edge,
    neighbours,
    parse_square,
    score,
)


def letters(layout: str) -> dict[Square, str]:
    return {
        (x, y): letter
        for y, row in enumerate(layout.split("/"))
        for x, letter in enumerate(row)
        if letter != "_"
    }


def occupants(employees: tuple[str, ...]) -> list[tuple[str, Square]]:
    return [(name[0], parse_square(name[2:])) for name in employees]


def wall_less(layout: str, *employees: str, home: str = "S") -> Floor:
    return Floor(home, letters(layout), set(), employees=occupants(employees))


def sketch(layout: str, *employees: str, home: str = "S") -> Floor:
    """CF-7: cubes open toward open floor (bonus squares too) and are walled otherwise. Cube
    squares side by side are one cube."""
    floor = wall_less(layout, *employees, home=home)
    for square, letter in floor.squares.items():
        if letter in CUBE_KINDS:
            for beside in neighbours(square):
                if floor.squares.get(beside, "E") == "E":
                    floor.walls.add(edge(square, beside))
    return floor


def drawn(rows: list[str], *employees: str, home: str = "S") -> Floor:
    floor = draw_floor(rows, (0, 0), home)
    floor.employees = occupants(employees)
    return floor


def listed(**cards: str) -> CardList:
    """Cards without walls: listed(c7="##") is number 7."""
    return {int(name[1:]): Card(letters(layout), frozenset()) for name, layout in cards.items()}


def points(floor: Floor) -> list[int]:
    return [employee.total for employee in score(floor)]


def squares(names: str) -> set[Square]:
    return {parse_square(name) for name in names.split()}
