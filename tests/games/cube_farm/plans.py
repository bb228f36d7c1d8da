"""Floor plans for tests: layouts as the rules page writes them, made into drawings with walls."""

from __future__ import annotations

from collections.abc import Mapping

from openplan.core.game import Position
from openplan.core.match import complete_house
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.scoring import Score, explain_floor
from openplan.games.cube_farm.state import FLOORS, State
from tests.games.cube_farm.compare import shipped_deck

HOUSE = complete_house(GAME, {})
CUBES = "#VR"


def drawing(layout: str, joined: str = "") -> list[str]:
    """Rows divided by `/`; cubes open toward floor and bonus squares and are walled otherwise. In
    `joined` the letters of a row's neighbours that are one cube are written together."""
    rows = layout.split("/")
    width, height = max(len(row) for row in rows), len(rows)
    at = {(x, y): row[x] for y, row in enumerate(rows) for x in range(len(row))}

    def wall(one: tuple[int, int], two: tuple[int, int]) -> bool:
        pair = at.get(one, "_") + at.get(two, "_")
        if not set(pair) & set(CUBES):
            return False
        if set(pair) <= set(CUBES):
            return pair not in joined and pair[::-1] not in joined
        return not set(pair) & set(".PDLFCcsyw")

    lines = []
    for y in range(height + 1):
        edge = "+"
        for x in range(width):
            edge += ("-" if wall((x, y - 1), (x, y)) else " ") + "+"
        lines.append(edge)
        if y < height:
            row = ""
            for x in range(width + 1):
                row += "|" if wall((x - 1, y), (x, y)) else " "
                row += at.get((x, y), "_") if x < width else ""
            lines.append(row)
    return lines


def position(layout: str, employees: str = "", joined: str = "", **more: str) -> Position:
    return {
        "draw top": drawing(layout, joined),
        "employees top": employees,
        "turn": "5",
        **{key.replace("_", " "): value for key, value in more.items()},
    }


def table(layout: str, employees: str = "", joined: str = "", **more: str) -> State:
    return GAME.set_up(shipped_deck(), HOUSE, position(layout, employees, joined, **more))


def scores(state: State, floor: str = "top") -> Mapping[str, Score]:
    """Every employee's score by its square."""
    number = FLOORS.index(floor)
    found = explain_floor(state.table.floor(number), number)
    return {str(score.square): score for score in found}
