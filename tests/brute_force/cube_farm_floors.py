"""The floors of PBM Cube Farm once more, straight from the clauses, to catch the engine's mistakes:
squares and walls, cards, placing, walks and scores.

Nothing of the engine is imported here, nor may it be: only sets, dicts, lists and loops over
them. A clause that could be folded into a cleverer one is not.

Cards are named by their number in the published list, which every judgement gets (CF-2.2).
`place` and `with_employee` trust their caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

Square = tuple[int, int]  # x to the east, y to the south
Edge = frozenset[Square]  # the two squares on its sides
Cube = frozenset[Square]
Fault = tuple[str, str]  # code and clause

OPEN_FLOOR = "."
ELEVATOR = "E"
UNCOVERED = "_"
VP = "V"
# CF-6.6
BONUS = {"P": 4, "D": 4, "L": 3, "F": 3, "C": 3, "c": 2, "s": 2, "y": 2, "w": 2}
PENALTY = {VP: 3, "R": 2}
EXTRA = {"D": 1, "P": 1, "F": 2, "L": 2}  # CF-6.5
CUBE_KINDS = {"#", *PENALTY}
KINDS = {OPEN_FLOOR, ELEVATOR, *BONUS, *CUBE_KINDS}
WALKED_OVER = {OPEN_FLOOR, *BONUS}  # CF-5.2, filled floor being open floor too


@dataclass(frozen=True)
class Rulings:
    """What a table may decide, and what a deck's machines are worth."""

    lost_is_spent: bool = False  # CF-3.4
    lost_together: bool = False  # CF-3.4
    corner_is_enough: bool = False  # CF-4.1
    far_is_near: bool = False  # CF-6.5
    bonus: Mapping[str, int] = field(default_factory=lambda: BONUS)


OURS = Rulings()


# --- Squares and their edges ----------------------------------------------------------------


def parse_square(name: str) -> Square:
    """CF-3.6: `E3S2`, `W1N4`, `N2`, `0`."""
    x = y = 0
    spaced = "".join(f" {sign}" if sign in "EWSN" else sign for sign in name)
    for part in spaced.split():
        match part[0]:
            case "E":
                x += int(part[1:])
            case "W":
                x -= int(part[1:])
            case "S":
                y += int(part[1:])
            case "N":
                y -= int(part[1:])
    return x, y


def neighbours(square: Square) -> list[Square]:
    x, y = square
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def edge(one: Square, two: Square) -> Edge:
    return frozenset([one, two])


def reading_order(squares: Iterable[Square]) -> list[Square]:
    return sorted(squares, key=lambda square: (square[1], square[0]))


# --- Cards (CF-4.2, CF-8.2) -----------------------------------------------------------------


@dataclass(frozen=True)
class Card:
    """Squares from (0, 0) in the north-west. Walls on the border have one square outside."""

    squares: dict[Square, str]
    walls: frozenset[Edge]

    @property
    def width(self) -> int:
        return 1 + max(x for x, _ in self.squares)

    @property
    def height(self) -> int:
        return 1 + max(y for _, y in self.squares)


CardList = Mapping[int, Card]


def parse_drawing(rows: Sequence[str]) -> tuple[dict[Square, str], set[Edge]]:
    """The letters and walls of a drawing of 2h+1 rows of 2w+1 characters, `_` included."""
    height, width = len(rows) // 2, len(rows[0]) // 2
    if len(rows) != 2 * height + 1 or any(len(row) != 2 * width + 1 for row in rows):
        raise ValueError(f"not 2h+1 rows of 2w+1 characters: {rows}")
    letters = {}
    walls = set()
    for row, text in enumerate(rows):
        for column, sign in enumerate(text):
            x, y = column // 2, row // 2
            between_columns, between_rows = column % 2 == 0, row % 2 == 0
            if between_columns and between_rows:
                known = sign == "+"
            elif between_columns:
                known = sign in " |"
                if sign == "|":
                    walls.add(edge((x - 1, y), (x, y)))
            elif between_rows:
                known = sign in " -"
                if sign == "-":
                    walls.add(edge((x, y - 1), (x, y)))
            else:
                known = sign in KINDS or sign == UNCOVERED
                letters[x, y] = sign
            if not known:
                raise ValueError(f"{sign!r} in row {row}, column {column} of {rows}")
    return letters, walls


def parse_card(rows: Sequence[str]) -> Card:
    letters, walls = parse_drawing(rows)
    if UNCOVERED in letters.values():
        raise ValueError(f"a card is a whole rectangle: {rows}")
    return Card(letters, frozenset(walls))


def quarter_turn(card: Card) -> Card:
    """Clockwise: the north row becomes the east column."""
    height = card.height

    def moved(square: Square) -> Square:
        x, y = square
        return height - 1 - y, x

    return Card(
        {moved(square): letter for square, letter in card.squares.items()},
        frozenset(frozenset(moved(square) for square in wall) for wall in card.walls),
    )


def turned(card: Card, turns: int) -> Card:
    if turns not in (0, 1, 2, 3):
        raise ValueError(f"a card is turned 0 to 3 times, not {turns}")
    for _ in range(turns):
        card = quarter_turn(card)
    return card


def moved_to(card: Card, at: Square) -> Card:
    """The card with its north-west square at the one given."""
    east, south = at

    def moved(square: Square) -> Square:
        x, y = square
        return x + east, y + south

    return Card(
        {moved(square): letter for square, letter in card.squares.items()},
        frozenset(frozenset(moved(square) for square in wall) for wall in card.walls),
    )


# --- Floors ---------------------------------------------------------------------------------


@dataclass
class Floor:
    home: str
    squares: dict[Square, str]  # every covered square; filled ones are open floor
    walls: set[Edge]  # those toward uncovered squares too
    filled: set[Square] = field(default_factory=set)
    employees: list[tuple[str, Square]] = field(default_factory=list)  # department, a cube square
    rulings: Rulings = OURS

    def copy(self) -> Floor:
        return replace(
            self,
            squares=dict(self.squares),
            walls=set(self.walls),
            filled=set(self.filled),
            employees=list(self.employees),
        )


def start_floor(home: str, card: int, card_list: CardList, rulings: Rulings = OURS) -> Floor:
    """CF-2.1 and CF-3.6: the elevator card unturned, its north-west square at `0`."""
    start = card_list[card]
    return Floor(home, dict(start.squares), set(start.walls), rulings=rulings)


def draw_floor(rows: Sequence[str], at: Square, home: str) -> Floor:
    """A floor drawn like a card of any size, with `_` for uncovered squares."""
    letters, walls = parse_drawing(rows)
    drawn = moved_to(Card(letters, frozenset(walls)), at)
    covered = {square: kind for square, kind in drawn.squares.items() if kind != UNCOVERED}
    for wall in drawn.walls:
        if not any(square in covered for square in wall):
            raise ValueError(f"a wall between uncovered squares {sorted(wall)}: {rows}")
    return Floor(home, covered, set(drawn.walls))


def has_wall(floor: Floor, one: Square, two: Square) -> bool:
    return edge(one, two) in floor.walls


def cube_of(floor: Floor, square: Square) -> Cube:
    """CF-4.4: all cube squares linked with this one; nothing if it is no cube square."""
    if floor.squares.get(square) not in CUBE_KINDS:
        return frozenset()
    cube = {square}
    to_visit = [square]
    while to_visit:
        here = to_visit.pop()
        for beside in neighbours(here):
            is_cube_square = floor.squares.get(beside) in CUBE_KINDS
            if is_cube_square and not has_wall(floor, here, beside) and beside not in cube:
                cube.add(beside)
                to_visit.append(beside)
    return frozenset(cube)


def employees_in(floor: Floor, cube: Cube) -> list[str]:
    """The departments of all employees in the cube."""
    return [department for department, square in floor.employees if square in cube]


def negatives_in(floor: Floor, cube: Cube) -> list[Square]:
    """Where VPs and receptionists stand in the cube."""
    return [square for square in reading_order(cube) if floor.squares[square] in PENALTY]


# --- Placing a card (CF-4) ------------------------------------------------------------------


def lay(floor: Floor, card: int, at: Square, turns: int, card_list: CardList) -> Floor:
    """The floor with the card on it, before anything is filled."""
    laid = moved_to(turned(card_list[card], turns), at)
    after = floor.copy()
    after.squares.update(laid.squares)
    after.walls |= laid.walls  # CF-4.2: a wall drawn on either side is a wall
    return after


def placement_fault(
    floor: Floor, card: int, at: Square, turns: int, card_list: CardList
) -> Fault | None:
    laid = moved_to(turned(card_list[card], turns), at)
    if any(square in floor.squares for square in laid.squares):
        return "covered", "CF-4.1"
    near = {beside for square in laid.squares for beside in neighbours(square)}
    if floor.rulings.corner_is_enough:
        near = {(x + dx, y + dy) for x, y in laid.squares for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    if not any(square in floor.squares for square in near):
        return "not-touching", "CF-4.1"
    if VP in laid.squares.values() and VP in floor.squares.values():
        return "second-vp", "CF-4.5"
    # Filling adds open floor only, so it has no part in this.
    after = lay(floor, card, at, turns, card_list)
    for _, square in after.employees:
        cube = cube_of(after, square)
        if len(employees_in(after, cube)) > 1 or negatives_in(after, cube):
            return "two-occupants", "CF-4.5"
    return None


def enclosed_groups(floor: Floor) -> list[set[Square]]:
    """CF-4.3: the groups of uncovered squares from which there is no way out."""
    columns = [x for x, _ in floor.squares]
    rows = [y for _, y in floor.squares]
    # One square more on every side: that ring lies outside, and the rest of the world beyond it.
    uncovered = {
        (x, y)
        for x in range(min(columns) - 1, max(columns) + 2)
        for y in range(min(rows) - 1, max(rows) + 2)
    } - set(floor.squares)
    outside = (min(columns) - 1, min(rows) - 1)
    groups = []
    while uncovered:
        group = {uncovered.pop()}
        to_visit = list(group)
        while to_visit:
            for beside in neighbours(to_visit.pop()):
                if beside in uncovered:
                    uncovered.remove(beside)
                    group.add(beside)
                    to_visit.append(beside)
        if outside not in group:
            groups.append(group)
    return groups


def fits_by_shape(card: Card, group: set[Square]) -> bool:
    for width, height in ((card.width, card.height), (card.height, card.width)):
        for west, north in group:
            if all(
                (x, y) in group
                for x in range(west, west + width)
                for y in range(north, north + height)
            ):
                return True
    return False


def fill_gaps(floor: Floor, card_list: CardList) -> Floor:
    after = floor.copy()
    for group in enclosed_groups(floor):
        if not any(fits_by_shape(card, group) for card in card_list.values()):
            for square in group:
                after.squares[square] = OPEN_FLOOR
                after.filled.add(square)
    return after


def place(floor: Floor, card: int, at: Square, turns: int, card_list: CardList) -> Floor:
    return fill_gaps(lay(floor, card, at, turns, card_list), card_list)


def all_placements(floor: Floor, card: int, card_list: CardList) -> set[tuple[int, int, int]]:
    """Every legal (x, y, turns), found by trying every square on and around the floor."""
    reach = max(card_list[card].width, card_list[card].height)
    columns = [x for x, _ in floor.squares]
    rows = [y for _, y in floor.squares]
    return {
        (x, y, turns)
        for x in range(min(columns) - reach, max(columns) + 2)
        for y in range(min(rows) - reach, max(rows) + 2)
        for turns in range(4)
        if placement_fault(floor, card, (x, y), turns, card_list) is None
    }


# --- Walking and placing an employee (CF-5) -------------------------------------------------


def steps_from(floor: Floor, cube: Cube) -> dict[Square, int]:
    """The fewest steps to every square that can be walked over, and 0 for the cube itself."""
    steps = dict.fromkeys(cube, 0)
    to_visit = list(cube)
    while to_visit:
        here = to_visit.pop(0)
        for beside in neighbours(here):
            can_stand = floor.squares.get(beside) in WALKED_OVER
            if can_stand and not has_wall(floor, here, beside) and beside not in steps:
                steps[beside] = steps[here] + 1
                to_visit.append(beside)
    return steps


def walk_distance(floor: Floor, cube: Cube, target: Square) -> int | None:
    """The fewest steps onto the target, which may itself be a cube square; None without a walk."""
    steps = steps_from(floor, cube)
    if target in steps:
        return steps[target]
    if target not in floor.squares:
        return None
    return min(
        (
            steps[beside] + 1
            for beside in neighbours(target)
            if beside in steps and not has_wall(floor, beside, target)
        ),
        default=None,
    )


def has_walk_to_an_elevator(floor: Floor, cube: Cube) -> bool:
    for square in steps_from(floor, cube):
        for beside in neighbours(square):
            if floor.squares.get(beside) == ELEVATOR and not has_wall(floor, square, beside):
                return True
    return False


def employee_fault(floor: Floor, square: Square, department: str) -> Fault | None:
    """The department never matters: cubes belong to nobody, and anybody fills them alike."""
    cube = cube_of(floor, square)
    if not cube:
        return "no-cube", "CF-5.1"
    if employees_in(floor, cube):
        return "taken", "CF-5.1"
    if negatives_in(floor, cube):
        return "negative", "CF-5.1"
    if not has_walk_to_an_elevator(floor, cube):
        return "no-walk", "CF-5.2"
    return None


def with_employee(floor: Floor, square: Square, department: str) -> Floor:
    after = floor.copy()
    after.employees.append((department, square))
    return after


# --- Scoring a floor (CF-6) -----------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """What one bonus square, VP or receptionist gives or takes."""

    letter: str
    square: Square
    points: int
    steps: int


@dataclass
class EmployeeScore:
    department: str
    square: Square
    base: int
    bonuses: list[Part] = field(default_factory=list)
    penalties: list[Part] = field(default_factory=list)
    extras: list[Part] = field(default_factory=list)

    @property
    def total(self) -> int:
        parts = self.bonuses + self.penalties + self.extras
        return self.base + sum(part.points for part in parts)


def squares_of_kinds(floor: Floor, letters: Iterable[str]) -> list[Square]:
    wanted = set(letters)
    return reading_order(square for square, letter in floor.squares.items() if letter in wanted)


def bonuses(floor: Floor, cube: Cube) -> Iterator[Part]:
    """CF-6.2"""
    for square in squares_of_kinds(floor, BONUS):
        letter = floor.squares[square]
        steps = walk_distance(floor, cube, square)
        value = floor.rulings.bonus[letter]
        if steps is not None and steps <= value:
            yield Part(letter, square, value, steps)


def penalties(floor: Floor, cube: Cube, *, is_at_home: bool) -> Iterator[Part]:
    """CF-6.3, CF-6.4"""
    for square in squares_of_kinds(floor, PENALTY):
        letter = floor.squares[square]
        if letter == VP and not is_at_home:
            continue
        ways = [walk_distance(floor, cube, entered) for entered in cube_of(floor, square)]
        steps = min((way for way in ways if way is not None), default=None)
        if steps is not None and steps <= PENALTY[letter]:
            yield Part(letter, square, -PENALTY[letter], steps)


def extras(floor: Floor, cubes: list[Cube], employee: int) -> Iterator[Part]:
    """CF-6.5, for an employee given by the place in the list, as the cubes are."""
    if floor.employees[employee][0] == floor.home:
        return
    for square in squares_of_kinds(floor, EXTRA):
        letter = floor.squares[square]
        steps = walk_distance(floor, cubes[employee], square)
        if steps is None:
            continue
        if steps > floor.rulings.bonus[letter] and not floor.rulings.far_is_near:
            continue
        others = [
            walk_distance(floor, cube, square)
            for other, cube in enumerate(cubes)
            if other != employee
        ]
        if all(way is None or steps < way for way in others):
            yield Part(letter, square, EXTRA[letter], steps)


def score(floor: Floor) -> list[EmployeeScore]:
    """What every employee on the floor scores, in the order of their coming."""
    cubes = [cube_of(floor, square) for _, square in floor.employees]
    return [
        EmployeeScore(
            department,
            square,
            base=len(cubes[employee]),
            bonuses=list(bonuses(floor, cubes[employee])),
            penalties=list(penalties(floor, cubes[employee], is_at_home=department == floor.home)),
            extras=list(extras(floor, cubes, employee)),
        )
        for employee, (department, square) in enumerate(floor.employees)
    ]
