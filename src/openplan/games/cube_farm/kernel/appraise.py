"""How good orders look one step ahead, and orders that look good.

Orders are worth the points they bring on the floors as they
stand, less a part of what they bring to others; an employee's cube is worth its own score.
"""

import time
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.cube_farm.kernel.board import (
    HAND,
    NO_ORDER,
    Board,
    card_of,
    carry_out,
    employee_x,
    employee_y,
    floor_of,
    pack_card,
    pack_employee,
)
from openplan.games.cube_farm.kernel.codes import NONE, PHASES, SEATS, Cards, Found
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import add_placements, place_card, square_in, turn_in
from openplan.games.cube_farm.kernel.walking import can_be_taken, find_worths, score_floor

THEIRS: Final = 0.4
"""How much a point of somebody else counts against one's own."""
CUBE_STAYS: Final = [1.0, 0.85, 0.75]
"""By phase: how likely a cube stays free that others are not expected to want most."""
COMES: Final = [1.0, 0.75, 0.5]
"""By phase: how much to trust in a cube that only one's own card would bring."""
MOST_CARDS: Final = 256
MOST_PLACES: Final = 4096
FOR_EVER: Final = 1.0e18
HOT: Final = 32
NEARLY_BEST: Final = 0.8
"""Placements worth this part of the best are where others are expected."""


def lead(floor: Floor, home: i64, seat: i64) -> float:
    """How well a seat stands on a floor, in points."""
    score_floor(floor, home)
    own = floor.points[seat]
    others = floor.points[0] + floor.points[1] + floor.points[2] - own
    return float(int(own)) - THEIRS * float(int(others))


def worth_of_orders(table: Board, trial: Floor, spare: Floor, seat: i64) -> float:
    """What the orders that stand in the table would bring a seat on the floors as they are."""
    total = 0.0
    for phase in range(PHASES):
        number = floor_of(seat, phase)
        floor = table.floor(number)
        before = lead(floor, number, seat)
        trial.copy_from(floor)
        place = seat * PHASES + phase
        carry_out(trial, spare, table.card_order[place], table.employee_order[place], seat)
        total += lead(trial, number, seat) - before
    return total


@final
class Places:
    """The placements of all cards of a hand that are compared for one phase, and what each would
    bring. Cubes are kept apart: old ones were there before, new ones come with the card."""

    together: bool  # card and employee are lost together (CF-3.4)
    count: i64
    order: vec[i64]
    left: vec[i64]
    top: vec[i64]
    right: vec[i64]
    bottom: vec[i64]
    gain: list[float]
    old_worth: vec[i64]
    old_order: vec[i64]
    new_worth: vec[i64]
    new_order: vec[i64]
    hot: vec[i64]
    hot_count: i64

    def __init__(self, size: int, together: bool) -> None:
        self.together = together
        self.count = 0
        self.order = vec[i64]([0] * size)
        self.left = vec[i64]([0] * size)
        self.top = vec[i64]([0] * size)
        self.right = vec[i64]([0] * size)
        self.bottom = vec[i64]([0] * size)
        self.gain = [0.0] * size
        self.old_worth = vec[i64]([0] * size)
        self.old_order = vec[i64]([0] * size)
        self.new_worth = vec[i64]([0] * size)
        self.new_order = vec[i64]([0] * size)
        self.hot = vec[i64]([0] * HOT)
        self.hot_count = 0

    def find_hot(self) -> None:
        """The placements that look best, where others will want to place something too."""
        best = 0.0
        for place in range(self.count):
            best = max(best, self.total(i64(place)))
        self.hot_count = 0
        for place in range(self.count):
            if self.hot_count < HOT and self.total(i64(place)) >= NEARLY_BEST * best:
                self.hot[self.hot_count] = place
                self.hot_count += 1

    def total(self, place: i64) -> float:
        return self.gain[int(place)] + float(int(max(self.old_worth[place], self.new_worth[place])))

    def crowding(self, place: i64) -> float:
        """Which part of the hot placements would be in the way of this one."""
        if self.hot_count == 0:
            return 0.0
        overlaps: i64 = 0
        for number in range(self.hot_count):
            other = self.hot[number]
            if (
                self.left[place] <= self.right[other]
                and self.left[other] <= self.right[place]
                and self.top[place] <= self.bottom[other]
                and self.top[other] <= self.bottom[place]
            ):
                overlaps += 1
        return float(int(overlaps)) / float(int(self.hot_count))

    def worth(self, place: i64, phase: i64) -> float:
        """What a placement looks worth, considering that others may have been there before;
        `find_hot` comes first."""
        lies = self._lies(place, phase)
        if self.together and self.order[place] != NO_ORDER:
            gain = self.gain[int(place)]
            return lies * max(gain, self._old_too(place, phase), self._new_too(place, phase))
        old = CUBE_STAYS[int(phase)] * float(int(self.old_worth[place]))
        new = lies * COMES[int(phase)] * float(int(self.new_worth[place]))
        return lies * self.gain[int(place)] + max(old, new)

    def seat_order(self, place: i64, phase: i64) -> i64:
        """The employee's order that goes with it."""
        if self.together and self.order[place] != NO_ORDER:
            both = max(self._old_too(place, phase), self._new_too(place, phase))
            if self.gain[int(place)] > both:
                return NO_ORDER
            is_new = self._new_too(place, phase) == both
            return self.new_order[place] if is_new else self.old_order[place]
        old = CUBE_STAYS[int(phase)] * float(int(self.old_worth[place]))
        new = COMES[int(phase)] * float(int(self.new_worth[place]))
        if self._lies(place, phase) * new > old:
            return self.new_order[place]
        return self.old_order[place]

    def _old_too(self, place: i64, phase: i64) -> float:
        """What card and employee are worth if a cube must stay free for either to come."""
        if self.old_order[place] == NO_ORDER:
            return self.gain[int(place)]
        both = self.gain[int(place)] + float(int(self.old_worth[place]))
        return CUBE_STAYS[int(phase)] * both

    def _new_too(self, place: i64, phase: i64) -> float:
        """The same with a cube that the card brings."""
        if self.new_order[place] == NO_ORDER:
            return self.gain[int(place)]
        both = self.gain[int(place)] + float(int(self.new_worth[place]))
        return COMES[int(phase)] * both

    def _lies(self, place: i64, phase: i64) -> float:
        """How likely the card finds its place free."""
        if self.order[place] == NO_ORDER:
            return 1.0
        free = 1.0 - self.crowding(place)
        lies = 1.0
        for _ in range(phase):
            lies *= free
        return lies


@final
class Planner:
    """Looks for orders with floors of its own to try them on, which are used again and again."""

    trial: Floor
    floor: Floor
    found: Found
    places: Places
    card: vec[i64]
    cards: i64

    def __init__(self, cards: Cards) -> None:
        self.trial = Floor(cards)
        self.floor = Floor(cards)
        self.found = Found(1)
        self.places = Places(MOST_PLACES, cards.loses_together)
        self.card = vec[i64]([0] * MOST_CARDS)
        self.cards = 0

    def order_well(self, table: Board, seat: i64, first: i64, limit: i64) -> None:
        """Write orders into the table that look best at once, phase by phase, beginning with phase
        `first` (0 to 2). At most `limit` places are tried for each card."""
        places = self.places
        used: i64 = NONE
        used_too: i64 = NONE
        for step in range(PHASES):
            phase = (first + step) % PHASES
            self.cards = 0
            for at in range(table.hand_size[seat]):
                card = i64(table.hand[seat * HAND + at])
                if card != used and card != used_too and card != NONE:
                    self.card[self.cards] = card
                    self.cards += 1
            self.survey(table, seat, phase, limit, FOR_EVER)
            places.find_hot()
            chosen: i64 = 0
            best = -1000.0
            for place in range(places.count):
                worth = places.worth(i64(place), phase)
                if worth > best:
                    best = worth
                    chosen = i64(place)
            table.card_order[seat * PHASES + phase] = places.order[chosen]
            table.employee_order[seat * PHASES + phase] = places.seat_order(chosen, phase)
            if places.order[chosen] != NO_ORDER:
                used_too = used
                used = card_of(places.order[chosen])

    def survey(self, table: Board, seat: i64, phase: i64, limit: i64, until: float) -> None:
        """Fill in the places of the cards in `card` on the floor of a phase, at most `limit` for
        each; the first is no card at all. After a time no further card is begun."""
        floor = self.floor
        places = self.places
        found = self.found
        number = floor_of(seat, phase)
        floor.copy_from(table.floor(number))
        _expect_others(floor, places, number, phase)
        stands = lead(floor, number, seat)
        _find_seats(floor, places, 0, number, seat, floor.cubes)
        places.order[0] = NO_ORDER
        places.gain[0] = -0.001
        places.count = 1
        for at in range(self.cards):
            if time.monotonic() > until:
                return
            found.count = 0
            add_placements(floor, self.card[at], found)
            stride = 1 + (found.count - 1) // limit if found.count > limit else 1
            # Begin elsewhere for each card, so that not always the same places are tried.
            index = at % stride
            while index < found.count and places.count < MOST_PLACES:
                self._try_card(found.moves[index], number, seat, stands)
                index += stride

    def _try_card(self, move: i64, home: i64, seat: i64, stands: float) -> None:
        floor = self.floor
        trial = self.trial
        places = self.places
        square = square_in(move)
        turn = turn_in(move)
        card = move >> 14
        place = places.count
        x = floor.x_of(square)
        y = floor.y_of(square)
        places.order[place] = pack_card(card, turn, x, y)
        places.left[place] = x
        places.top[place] = y
        places.right[place] = x + floor.cards.width[card * 4 + turn] - 1
        places.bottom[place] = y + floor.cards.height[card * 4 + turn] - 1
        trial.copy_from(floor)
        place_card(trial, card, turn, square)
        places.gain[int(place)] = lead(trial, home, seat) - stands
        _find_seats(trial, places, place, home, seat, floor.cubes)
        places.count = place + 1


def _expect_others(floor: Floor, places: Places, home: i64, phase: i64) -> None:
    """CF-3.2: others come to this floor in earlier phases. Whoever they are, they will want the
    best cube that everybody can see."""
    for earlier in range(phase):
        other = (home - earlier) % SEATS
        _find_seats(floor, places, 0, home, other, floor.cubes)
        order = places.old_order[0]
        if order != NO_ORDER:
            floor.employ(floor.square_at(employee_x(order), employee_y(order)), other)


def _find_seats(floor: Floor, places: Places, place: i64, home: i64, seat: i64, cubes: i64) -> None:
    """The best cubes for a new employee of a seat: among the first `cubes`, which were there
    before, and among those that came with the card."""
    find_worths(floor, home, seat)
    places.old_worth[place] = 0
    places.new_worth[place] = 0
    places.old_order[place] = NO_ORDER
    places.new_order[place] = NO_ORDER
    for cube in range(1, floor.cubes + 1):
        if can_be_taken(floor, cube):
            worth = floor.cube_worth[cube]
            square = floor.cube_first[cube]
            if cube <= cubes:
                if worth > places.old_worth[place]:
                    places.old_worth[place] = worth
                    order = pack_employee(floor.x_of(square), floor.y_of(square))
                    places.old_order[place] = order
            elif worth > places.new_worth[place]:
                places.new_worth[place] = worth
                order = pack_employee(floor.x_of(square), floor.y_of(square))
                places.new_order[place] = order


def appraise_orders(table: Board, seat: i64, cards: list[int], employees: list[int]) -> list[float]:
    """A number for each order set, three packed orders of each kind one after another."""
    trial = Floor(table.cards)
    spare = Floor(table.cards)
    out: list[float] = []
    for place in range(len(cards) // PHASES):
        for phase in range(PHASES):
            table.order_card(seat, phase, cards[place * PHASES + phase])
            table.order_employee(seat, phase, employees[place * PHASES + phase])
        out.append(worth_of_orders(table, trial, spare, seat))
    return out
