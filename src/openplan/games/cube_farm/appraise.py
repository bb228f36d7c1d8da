"""How good orders look one step ahead, and orders that look good.

Compiled together with `kernel.py`. Orders are worth the points they bring on the floors as they
stand, less a part of what they bring to others; an employee's cube is worth its own score.
"""

from typing import Final

from mypy_extensions import i64

from openplan.games.cube_farm.kernel import (
    FITS,
    FLOORS,
    NONE,
    PHASES,
    SEATS,
    TURNS,
    Floor,
    Found,
    Rng,
)
from openplan.games.cube_farm.table import (
    HAND,
    NO_ORDER,
    Table,
    floor_of,
    pack_card,
    pack_employee,
)

THEIRS: Final = 0.4
"""How much a point of somebody else counts against one's own."""
LATER: Final = 0.3
"""What the next best free cube is worth, because there are more phases to come."""
CARD_LIES: Final = [1.0, 0.65, 0.45]
"""By phase: how likely a card comes to lie where others may have been before."""
CUBE_STAYS: Final = [1.0, 0.85, 0.75]
"""By phase: how likely a cube stays free that others are not expected to want most."""


def lead(floor: Floor, home: i64, seat: i64) -> float:
    """How well a seat stands on a floor, in points."""
    floor.score(home)
    own = floor.points[seat]
    others = floor.points[0] + floor.points[1] + floor.points[2] - own
    return float(int(own)) - THEIRS * float(int(others))


def worth_of_orders(table: Table, trial: Floor, seat: i64) -> float:
    """What the orders that stand in the table would bring a seat on the floors as they are."""
    total = 0.0
    for phase in range(PHASES):
        number = floor_of(seat, phase)
        floor = table.floor(number)
        before = lead(floor, number, seat)
        trial.copy_from(floor)
        order = table.card_order[seat * PHASES + phase]
        if order != NO_ORDER:
            square = trial.square_at(((order >> 10) & 255) - 128, ((order >> 18) & 255) - 128)
            turn = (order >> 8) & 3
            if trial.why_card(order & 255, turn, square) == FITS:
                trial.place(order & 255, turn, square)
        order = table.employee_order[seat * PHASES + phase]
        if order != NO_ORDER:
            square = trial.square_at((order & 255) - 128, (order >> 8) - 128)
            if trial.why_employee(square) == FITS:
                trial.employ(square, seat)
        total += lead(trial, number, seat) - before
    return total


def order_well(table: Table, seat: i64, first: i64, limit: i64) -> None:
    """Write orders into the table that look best at once, phase by phase, beginning with phase
    `first` (0 to 2). At most about `limit` places are tried for each card."""
    trial = Floor(table.cards)
    floor = Floor(table.cards)
    found = Found(1)
    seats = Found(1)
    used = [False] * HAND
    for step in range(PHASES):
        phase = (first + step) % PHASES
        place = seat * PHASES + phase
        number = floor_of(seat, phase)
        floor.copy_from(table.floor(number))
        _expect_others(floor, seats, number, phase)
        lies = CARD_LIES[int(phase)]
        stays = CUBE_STAYS[int(phase)]
        stands = lead(floor, number, seat)
        # Without a card, which is better kept only if it would do harm.
        best = _best_employee(floor, seats, number, seat, floor.cubes, lies, stays) - 0.001
        table.card_order[place] = NO_ORDER
        _order_employee(table, floor, place, seats)
        best_at: i64 = -1
        for at in range(table.hand_size[seat]):
            card = i64(table.hand[seat * HAND + at])
            if used[int(at)] or card == NONE:
                continue
            found.count = 0
            floor.add_placements(card, found)
            if found.count == 0:
                continue
            stride = 1 + (found.count - 1) // limit if limit > 0 else 1
            # Begin elsewhere for each card, so that not always the same places are tried.
            index = at % stride
            while index < found.count:
                move = found.moves[index]
                index += stride
                square = move & 4095
                turn = (move >> 12) & 3
                trial.copy_from(floor)
                trial.place(card, turn, square)
                worth = lies * (lead(trial, number, seat) - stands)
                worth += _best_employee(trial, seats, number, seat, floor.cubes, lies, stays)
                if worth > best:
                    best = worth
                    best_at = i64(at)
                    x = floor.x_of(square)
                    table.card_order[place] = pack_card(card, turn, x, floor.y_of(square))
                    _order_employee(table, trial, place, seats)
        if best_at >= 0:
            used[int(best_at)] = True


def _expect_others(floor: Floor, seats: Found, home: i64, phase: i64) -> None:
    """CF-3.2: others come to this floor in earlier phases. Whoever they are, they will want the
    best cube that everybody can see."""
    for earlier in range(phase):
        other = (home - earlier) % SEATS
        _best_employee(floor, seats, home, other, floor.cubes, 1.0, 1.0)
        if seats.count != 0:
            floor.employ(seats.moves[0], other)


def _order_employee(table: Table, floor: Floor, place: i64, seats: Found) -> None:
    table.employee_order[place] = NO_ORDER
    if seats.count != 0:
        square = seats.moves[0]
        table.employee_order[place] = pack_employee(floor.x_of(square), floor.y_of(square))


def _best_employee(
    floor: Floor, seats: Found, home: i64, seat: i64, cubes: i64, lies: float, stays: float
) -> float:
    """What the best new employee of a seat would bring; a square of the cube is left in `seats`, or
    nothing if nobody should be placed. The first `cubes` were there before the card, and stay free
    with these odds; the others come with the card, if it comes to lie."""
    floor.find_worths(home, seat)
    best = 0.0
    second = 0.0
    at: i64 = -1
    for cube in range(1, floor.cubes + 1):
        if (
            floor.cube_walk[cube] == floor.version
            and floor.cube_size[cube] != 0
            and floor.cube_owner[cube] == 0
            and floor.cube_negatives[cube] == 0
        ):
            worth = float(int(floor.cube_worth[cube])) * (stays if cube <= cubes else lies)
            if worth > best:
                second = best
                best = worth
                at = floor.cube_first[cube]
            elif worth > second:
                second = worth
    seats.count = 0
    if at >= 0:
        seats.moves[0] = at
        seats.count = 1
    return best + LATER * second


def appraise_orders(table: Table, seat: i64, cards: list[int], employees: list[int]) -> list[float]:
    """A number for each order set, three packed orders of each kind one after another."""
    trial = Floor(table.cards)
    out: list[float] = []
    for place in range(len(cards) // PHASES):
        for phase in range(PHASES):
            table.order_card(seat, phase, cards[place * PHASES + phase])
            table.order_employee(seat, phase, employees[place * PHASES + phase])
        out.append(worth_of_orders(table, trial, seat))
    return out


def greedy_games(table: Table, seed: i64, count: i64, limit: i64) -> list[int]:
    """Games between three that order well: the totals, cards, employees, lost cards and lost
    employees of each, one after another. For studies of a deck."""
    out: list[int] = []
    for number in range(count):
        rng = Rng(seed + number)
        table.deal(rng)
        lost_cards = 0
        lost_employees = 0
        while table.turn <= TURNS:
            for seat in range(SEATS):
                order_well(table, seat, rng.below(PHASES), limit)
            table.adjudicate()
            for place in range(SEATS * PHASES):
                if table.card_order[place] != NO_ORDER and table.card_result[place] != FITS:
                    lost_cards += 1
                if table.employee_order[place] != NO_ORDER:
                    if table.employee_result[place] != FITS:
                        lost_employees += 1
        table.score()
        out += [int(table.points[0]), int(table.points[1]), int(table.points[2])]
        placed: i64 = 0
        employed: i64 = 0
        for floor in range(FLOORS):
            placed += table.floor(floor).placed_count
            employed += table.floor(floor).employee_count
        out += [int(placed), int(employed), lost_cards, lost_employees]
    return out
