"""A turn's orders in steps, each of them one of a fixed number of actions: for programs that learn.

Each seat in turn decides phase by phase: a card or none, how it is turned, where it lies; then a
cube for an employee, or none. Offered is what is possible on the floors as they stand, with the
card of the same phase; after the last seat's last step the turn is carried out (CF-3).

Squares are numbered within a window around the middle of the phase's floor. What lies beyond the
window comes in at the opposite side; where two squares that can be chosen meet in that way, the
second cannot be, and `cut` counts it.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.cube_farm.kernel.board import (
    NO_ORDER,
    Board,
    card_of,
    card_x,
    card_y,
    employee_x,
    employee_y,
    floor_of,
    pack_card,
    pack_employee,
    turn_of,
)
from openplan.games.cube_farm.kernel.codes import NONE, PHASES, SEATS, TURNS, Found
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import add_placements, place_card, square_in, turn_in
from openplan.games.cube_farm.kernel.walking import add_employees

# The actions: nothing; then the deck's cards, the four turns, the squares of the window.
NOTHING: Final = 0
CARD_ACTION: Final = 1

# What is asked for next.
TO_CARD: Final = 0
TO_TURN: Final = 1
TO_SQUARE: Final = 2
TO_EMPLOYEE: Final = 3
TO_NOTHING: Final = 4

UNDECIDED: Final = -2
LIT_ROOM: Final = 1024


@final
class Steps:
    """The orders that a seat is giving. What can follow is in `lit`, and as ones in the mask, of
    which these are the places from `base` on."""

    board: Board
    trial: Floor
    found: Found
    side: i64
    turn_action: i64
    square_action: i64
    actions: i64
    mask: vec[u8]
    base: i64
    lit: vec[i64]
    lit_x: vec[i64]
    lit_y: vec[i64]
    lit_count: i64
    seat: i64
    alone: bool  # only this seat is asked
    phase: i64
    stage: i64
    card: i64
    turn: i64
    window_x: i64  # the window's first square, counted from the origin
    window_y: i64
    cut: i64

    def __init__(
        self, board: Board, trial: Floor, found: Found, side: i64, mask: vec[u8], base: i64
    ) -> None:
        """A floor to try a card on and a buffer of placements are lent."""
        self.board = board
        self.trial = trial
        self.found = found
        self.side = side
        self.turn_action = CARD_ACTION + board.cards.count
        self.square_action = self.turn_action + 4
        self.actions = self.square_action + side * side
        self.mask = mask
        self.base = base
        self.lit = vec[i64]([0] * LIT_ROOM)
        self.lit_x = vec[i64]([0] * LIT_ROOM)
        self.lit_y = vec[i64]([0] * LIT_ROOM)
        self.lit_count = 0
        self.seat = 0
        self.alone = False
        self.phase = 0
        self.stage = TO_NOTHING
        self.card = 0
        self.turn = 0
        self.window_x = 0
        self.window_y = 0
        self.cut = 0

    # -- Going on ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Ask all seats for their orders, from the first on."""
        self.ask(0)
        self.alone = False

    def ask(self, seat: i64) -> None:
        """Ask one seat for its orders."""
        self.board.forget_orders()
        self.seat = seat
        self.alone = True
        self.phase = 0
        self._begin_phase()

    def rest(self) -> None:
        """Ask for nothing."""
        self.stage = TO_NOTHING
        self._fill()

    def _begin_phase(self) -> None:
        floor = self.floor()
        self.look_at(floor)
        self.stage = TO_NOTHING if self.board.turn > TURNS else i64(TO_CARD)
        self._fill()

    def look_at(self, floor: Floor) -> None:
        """Lay the window around the middle of a floor."""
        self.window_x = ((floor.left + floor.right - self.side + 1) >> 1) - floor.origin_x
        self.window_y = ((floor.top + floor.bottom - self.side + 1) >> 1) - floor.origin_y

    def floor(self) -> Floor:
        return self.board.floor(floor_of(self.seat, self.phase))

    def is_lit(self, action: i64) -> bool:
        return 0 <= action and action < self.actions and self.mask[self.base + action] != 0

    def take(self, action: i64) -> bool:
        """Take a step, one of those that are lit; whether all orders asked for are given."""
        order = self.choose(action)
        if order == UNDECIDED:
            return False
        if self.stage != TO_EMPLOYEE:
            self.board.order_card(self.seat, self.phase, order)
            self.stage = TO_EMPLOYEE
            self._fill()
            return False
        self.board.order_employee(self.seat, self.phase, order)
        self.phase += 1
        if self.phase == PHASES:
            self.phase = 0
            if self.alone or self.seat + 1 == SEATS:
                self.stage = TO_NOTHING
                self._fill()
                return True
            self.seat += 1
        self._begin_phase()
        return False

    def choose(self, action: i64) -> i64:
        """The order that is decided on with this step, or UNDECIDED."""
        if action == NOTHING:
            return NO_ORDER
        if self.stage == TO_CARD:
            self.card = action - CARD_ACTION
            self.stage = TO_TURN
        elif self.stage == TO_TURN:
            self.turn = action - self.turn_action
            self.stage = TO_SQUARE
        else:
            i: i64 = 0
            while self.lit[i] != action:
                i += 1
            if self.stage == TO_SQUARE:
                return pack_card(self.card, self.turn, self.lit_x[i], self.lit_y[i])
            return pack_employee(self.lit_x[i], self.lit_y[i])
        self._fill()
        return UNDECIDED

    # -- What can follow ---------------------------------------------------------------------

    def _fill(self) -> None:
        for i in range(self.lit_count):
            self.mask[self.base + self.lit[i]] = 0
        self.lit_count = 0
        if self.stage == TO_CARD:
            self._light(NOTHING)
            for place in range(self.board.hand_size[self.seat]):
                card = i64(self.board.hand[self.seat * 64 + place])
                if can_order(self.board, self.seat, self.phase, card) and self._places(card) != 0:
                    self._light(CARD_ACTION + card)
        elif self.stage == TO_TURN:
            turns: i64 = 0
            for i in range(self._places(self.card)):
                turns |= i64(1) << turn_in(self.found.moves[i])
            for turn in range(4):
                if turns & (i64(1) << turn) != 0:
                    self._light(self.turn_action + turn)
        elif self.stage == TO_SQUARE:
            floor = self.floor()
            for i in range(self._places(self.card)):
                place = self.found.moves[i]
                if turn_in(place) == self.turn:
                    square = square_in(place)
                    self._light_square(floor.x_of(square), floor.y_of(square))
        elif self.stage == TO_EMPLOYEE:
            self._light(NOTHING)
            self._fill_cubes()

    def _fill_cubes(self) -> None:
        floor = floor_with_card(self.board, self.seat, self.phase, self.trial)
        found = self.found
        found.count = 0
        add_employees(floor, found)
        for i in range(found.count):
            first = first_of_cube(floor, found.moves[i])
            self._light_square(floor.x_of(first), floor.y_of(first))

    def _places(self, card: i64) -> i64:
        """How many places a card has; they stand in the buffer."""
        self.found.count = 0
        add_placements(self.floor(), card, self.found)
        return self.found.count

    def _light(self, action: i64) -> None:
        self.mask[self.base + action] = 1
        self.lit[self.lit_count] = action
        self.lit_count += 1

    def _light_square(self, x: i64, y: i64) -> None:
        action = self.square_action + self.cell_of(x, y)
        if self.mask[self.base + action] != 0:
            self.cut += 1
            return
        self.lit_x[self.lit_count] = x
        self.lit_y[self.lit_count] = y
        self._light(action)

    def cell_of(self, x: i64, y: i64) -> i64:
        """A square's place in the window."""
        row = y - self.window_y
        column = x - self.window_x
        side = self.side
        while row < 0:
            row += side
        while row >= side:
            row -= side
        while column < 0:
            column += side
        while column >= side:
            column -= side
        return row * side + column

    # -- Whole orders ------------------------------------------------------------------------

    def walk(self) -> list[int]:
        """Every order that any choice of steps leads to from here, for a card or an employee."""
        found: list[int] = []
        stage = self.stage
        self._walk_on(found)
        self.stage = stage
        self._fill()
        return found

    def _walk_on(self, found: list[int]) -> None:
        choices: list[int] = []
        for i in range(self.lit_count):
            choices.append(int(self.lit[i]))
        stage = self.stage
        card = self.card
        turn = self.turn
        for action in choices:
            self.stage = stage
            self.card = card
            self.turn = turn
            self._fill()
            order = self.choose(i64(action))
            if order == UNDECIDED:
                self._walk_on(found)
            else:
                found.append(int(order))

    def actions_of(self, order: i64) -> list[int]:
        """The steps that lead to an order for a card, or for an employee if that is asked for."""
        if order == NO_ORDER:
            return [int(NOTHING)]
        if self.stage == TO_EMPLOYEE:
            cell = self.cell_of(employee_x(order), employee_y(order))
            return [int(self.square_action + cell)]
        return [
            int(CARD_ACTION + card_of(order)),
            int(self.turn_action + turn_of(order)),
            int(self.square_action + self.cell_of(card_x(order), card_y(order))),
        ]


# -- What can be ordered in a phase ----------------------------------------------------------


def can_order(board: Board, seat: i64, phase: i64, card: i64) -> bool:
    """CF-3.1: not twice in a turn; and what nobody has told is no card to lay."""
    for earlier in range(phase):
        order = board.card_order[seat * PHASES + earlier]
        if order != NO_ORDER and card_of(order) == card:
            return False
    return card != NONE


def floor_with_card(board: Board, seat: i64, phase: i64, trial: Floor) -> Floor:
    """A phase's floor with the card that is ordered there; then it is the floor lent for it."""
    floor = board.floor(floor_of(seat, phase))
    order = board.card_order[seat * PHASES + phase]
    if order == NO_ORDER:
        return floor
    trial.copy_from(floor)
    square = trial.square_at(card_x(order), card_y(order))
    place_card(trial, card_of(order), turn_of(order), square)
    return trial


def first_of_cube(floor: Floor, square: i64) -> i64:
    """A cube goes by the first of its squares in reading order."""
    first = square
    for _ in range(floor.cube_size[i64(floor.cube[square])]):
        square = i64(floor.cube_next[square])
        if square < first:
            first = square
    return first


def card_orders(board: Board, seat: i64, phase: i64) -> list[int]:
    """Every order for a card in a phase, and none."""
    floor = board.floor(floor_of(seat, phase))
    found = board.found
    out: list[int] = [int(NO_ORDER)]
    for place in range(board.hand_size[seat]):
        card = i64(board.hand[seat * 64 + place])
        if not can_order(board, seat, phase, card):
            continue
        found.count = 0
        add_placements(floor, card, found)
        for i in range(found.count):
            one = found.moves[i]
            square = square_in(one)
            order = pack_card(card, turn_in(one), floor.x_of(square), floor.y_of(square))
            out.append(int(order))
    return out


def employee_orders(board: Board, seat: i64, phase: i64, trial: Floor) -> list[int]:
    """Every order for an employee in a phase, and none."""
    floor = floor_with_card(board, seat, phase, trial)
    found = board.found
    found.count = 0
    add_employees(floor, found)
    out: list[int] = [int(NO_ORDER)]
    for i in range(found.count):
        square = first_of_cube(floor, found.moves[i])
        out.append(int(pack_employee(floor.x_of(square), floor.y_of(square))))
    return out
