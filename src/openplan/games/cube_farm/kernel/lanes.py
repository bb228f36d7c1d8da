"""Many matches side by side, stepped in one call: what each seat to act may know, what it can do,
who has won, in buffers that are written in place. Human Resources has the same."""

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
    turn_of,
)
from openplan.games.cube_farm.kernel.codes import (
    CLASS,
    FLOORS,
    MAX_LAID,
    NONE,
    PHASES,
    SEATS,
    STRIDE,
    TURNS,
    UNCOVERED,
    Cards,
    Found,
    Rng,
)
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.stepwise import (
    CARD_ACTION,
    TO_NOTHING,
    TO_SQUARE,
    TO_TURN,
    Steps,
)

# -- An observation: the floors in the order of the seat's phases, four planes of the window each;
# where each card is; numbers ----------------------------------------------------------------

PLANES: Final = 4
KIND_PLANE: Final = 0
WALL_PLANE: Final = 1
OWNER_PLANE: Final = 2
ORDER_PLANE: Final = 3
ORDERED_CARD: Final = 1
ORDERED_EMPLOYEE: Final = 2

# Where a card is, as far as the seat knows. In a hand: IN_HAND and how many seats further; on a
# floor: ON_FLOOR and the phase in which the seat comes there.
UNKNOWN: Final = 0
IN_HAND: Final = 1
ON_FLOOR: Final = 4
SPENT: Final = 7

# The numbers. What three seats have stands in the order of the seats from one's own on.
STAGE: Final = 0
PHASE: Final = 1
TURN: Final = 2
SEAT: Final = 3
DECK_SIZE: Final = 4
HAND_SIZES: Final = 5
POINTS: Final = 8
CHOSEN_CARD: Final = 11
CHOSEN_TURN: Final = 12
ORDERED_CARDS: Final = 13
ORDERED_TURNS: Final = 16
NUMBERS: Final = 19
POINTS_ZERO: Final = 100

HIDDEN: Final = 0
SHOWN: Final = 1


def observation_size(cards: i64, side: i64) -> i64:
    return FLOORS * PLANES * side * side + cards + NUMBERS


@final
class Sight:
    """Where one seat's observation is written, and which places of it are not empty."""

    out: vec[u8]
    base: i64
    cells: i64
    drawn: vec[i64]
    drawn_count: i64
    ordered: vec[i64]
    ordered_count: i64

    def __init__(self, out: vec[u8], base: i64, side: i64) -> None:
        self.out = out
        self.base = base
        self.cells = side * side
        self.drawn = vec[i64]([0] * (FLOORS * MAX_LAID))
        self.drawn_count = 0
        self.ordered = vec[i64]([0] * 64)
        self.ordered_count = 0

    def write(self, steps: Steps, shown: vec[u8], seat: i64) -> None:
        """All that the seat may know (CF-9) and nothing else."""
        out = self.out
        board = steps.board
        for i in range(self.drawn_count):
            at = self.base + self.drawn[i]
            out[at] = 0
            out[at + self.cells] = 0
            out[at + 2 * self.cells] = 0
        self.drawn_count = 0
        cards = self.base + FLOORS * PLANES * self.cells
        for card in range(board.cards.count):
            # Spent, unless it is found elsewhere: who orders a card that is spent shows it.
            out[cards + card] = SPENT if shown[card] != HIDDEN else UNKNOWN
        window_x = steps.window_x
        window_y = steps.window_y
        for phase in range(FLOORS):
            floor = board.floor(floor_of(seat, i64(phase)))
            steps.look_at(floor)
            self._write_floor(steps, floor, i64(phase) * PLANES * self.cells, seat)
            for i in range(floor.placed_count):
                out[cards + (floor.placed[i] >> 2)] = u8(ON_FLOOR + phase)
        steps.window_x = window_x
        steps.window_y = window_y
        numbers = cards + board.cards.count
        for further in range(SEATS):
            other = (seat + further) % SEATS
            for i in range(board.hand_size[other]):
                card = i64(board.hand[other * 64 + i])
                if card != NONE and (further == 0 or shown[card] != HIDDEN):
                    out[cards + card] = u8(IN_HAND + further)
            out[numbers + HAND_SIZES + further] = u8(board.hand_size[other])
            points = board.points[other] + POINTS_ZERO
            out[numbers + POINTS + further] = u8(max(i64(0), min(points, i64(255))))
        out[numbers + TURN] = u8(board.turn)
        out[numbers + SEAT] = u8(seat)
        out[numbers + DECK_SIZE] = u8(board.deck_size - board.deck_next)
        self.write_step(steps, seat)

    def _write_floor(self, steps: Steps, floor: Floor, plane: i64, seat: i64) -> None:
        out = self.out
        base = self.base
        cells = self.cells
        for row in range(floor.top, floor.bottom + 1):
            for column in range(floor.left, floor.right + 1):
                square = i64(row) * STRIDE + column
                kind = floor.kind[square]
                if kind == UNCOVERED:
                    continue
                place = plane + steps.cell_of(floor.x_of(square), floor.y_of(square))
                self.drawn[self.drawn_count] = place
                self.drawn_count += 1
                at = base + place
                out[at] = kind
                out[at + WALL_PLANE * cells] = floor.wall[square]
                if CLASS[i64(kind)] == 16:
                    owner = floor.cube_owner[i64(floor.cube[square])]
                    if owner != 0:
                        further = (owner - 1 - seat + SEATS) % SEATS
                        out[at + OWNER_PLANE * cells] = u8(1 + further)

    def write_step(self, steps: Steps, seat: i64) -> None:
        """What the seat has ordered in this turn, and what it has chosen so far; others see
        nothing of it."""
        out = self.out
        board = steps.board
        for i in range(self.ordered_count):
            out[self.base + self.ordered[i]] = 0
        self.ordered_count = 0
        numbers = self.base + FLOORS * PLANES * self.cells + board.cards.count
        acts = steps.stage != TO_NOTHING and steps.seat == seat
        out[numbers + STAGE] = u8(steps.stage if acts else i64(TO_NOTHING))
        out[numbers + PHASE] = u8(steps.phase if acts else i64(0))
        out[numbers + CHOSEN_CARD] = 0
        out[numbers + CHOSEN_TURN] = 0
        if acts and (steps.stage == TO_TURN or steps.stage == TO_SQUARE):
            out[numbers + CHOSEN_CARD] = u8(steps.card + 1)
            if steps.stage == TO_SQUARE:
                out[numbers + CHOSEN_TURN] = u8(steps.turn + 1)
        window_x = steps.window_x
        window_y = steps.window_y
        for phase in range(PHASES):
            card = board.card_order[seat * PHASES + phase]
            employee = board.employee_order[seat * PHASES + phase]
            out[numbers + ORDERED_CARDS + phase] = 0
            out[numbers + ORDERED_TURNS + phase] = 0
            if card == NO_ORDER and employee == NO_ORDER:
                continue
            steps.look_at(board.floor(floor_of(seat, i64(phase))))
            plane = (i64(phase) * PLANES + ORDER_PLANE) * self.cells
            if card != NO_ORDER:
                out[numbers + ORDERED_CARDS + phase] = u8(card_of(card) + 1)
                out[numbers + ORDERED_TURNS + phase] = u8(turn_of(card) + 1)
                lie = card_of(card) * 4 + turn_of(card)
                for dy in range(board.cards.height[lie]):
                    for dx in range(board.cards.width[lie]):
                        cell = steps.cell_of(card_x(card) + dx, card_y(card) + dy)
                        self._order(plane + cell, ORDERED_CARD)
            if employee != NO_ORDER:
                cell = steps.cell_of(employee_x(employee), employee_y(employee))
                self._order(plane + cell, ORDERED_EMPLOYEE)
        steps.window_x = window_x
        steps.window_y = window_y

    def _order(self, place: i64, what: i64) -> None:
        self.out[self.base + place] = u8(what)
        self.ordered[self.ordered_count] = place
        self.ordered_count += 1


# -- The matches -----------------------------------------------------------------------------


@final
class Lane:
    """One match after the other."""

    board: Board
    steps: Steps
    sight: Sight
    shown: vec[u8]  # cards in hands of which everybody knows, and those that are spent
    rng: Rng

    def __init__(self, board: Board, steps: Steps, sight: Sight) -> None:
        self.board = board
        self.steps = steps
        self.sight = sight
        self.shown = vec[u8](bytes(256))
        self.rng = Rng(0)

    def deal(self) -> None:
        self.board.deal(self.rng)
        for card in range(256):
            self.shown[card] = HIDDEN
        self.begin()

    def begin(self) -> None:
        """A turn begins."""
        self.board.score()
        self.steps.begin()
        self.sight.write(self.steps, self.shown, 0)

    def take(self, action: i64) -> bool:
        """Take a step; whether the match is over with it."""
        steps = self.steps
        seat = steps.seat
        if not steps.take(action):
            if steps.seat == seat:
                self.sight.write_step(steps, seat)
            else:
                self.sight.write(steps, self.shown, steps.seat)
            return False
        board = self.board
        board.adjudicate()
        # CF-9: of a card whose order was lost everybody knows where it is.
        for place in range(SEATS * PHASES):
            order = board.card_order[place]
            if order != NO_ORDER:
                self.shown[card_of(order)] = SHOWN
        self.begin()
        return board.turn > TURNS


@final
class Lanes:
    """Each buffer has a row for each match: `observations`, `masks`, `rewards` (of all seats, for a
    match that ended with this step), `done`, `turns` (the seat to act), `points` (of all seats as
    they stand, or as they were in the end if the match is done)."""

    lanes: list[Lane]
    count: i64
    side: i64
    actions: i64
    observation: i64
    observations: vec[u8]
    masks: vec[u8]
    rewards: vec[float]
    done: vec[u8]
    turns: vec[u8]
    points: vec[i64]
    sampled: vec[i64]
    seen: vec[u8]
    sight: Sight
    rng: Rng
    restarts: bool

    def __init__(self, cards: Cards, count: i64, side: i64, restarts: bool) -> None:
        """With `restarts` a match that ends is followed by the next at once."""
        self.count = count
        self.side = side
        self.actions = CARD_ACTION + cards.count + 4 + side * side
        self.observation = observation_size(cards.count, side)
        self.observations = vec[u8](bytes(int(count * self.observation)))
        self.masks = vec[u8](bytes(int(count * self.actions)))
        self.rewards = vec[float]([0.0] * int(SEATS * count))
        self.done = vec[u8](bytes(int(count)))
        self.turns = vec[u8](bytes(int(count)))
        self.points = vec[i64]([0] * int(SEATS * count))
        self.sampled = vec[i64]([0] * int(count))
        self.seen = vec[u8](bytes(int(self.observation)))
        self.sight = Sight(self.seen, 0, side)
        self.rng = Rng(0)
        self.restarts = restarts
        self.lanes = []
        trial = Floor(cards)
        found = Found(1)
        for i in range(count):
            board = Board(cards)
            board.found = found
            steps = Steps(board, trial, found, side, self.masks, i64(i) * self.actions)
            sight = Sight(self.observations, i64(i) * self.observation, side)
            self.lanes.append(Lane(board, steps, sight))

    def seed(self, lane: i64, seed: i64) -> None:
        """What is dealt in a lane from now on."""
        self.lanes[lane].rng.restart(seed)

    def seed_samples(self, seed: i64) -> None:
        self.rng.restart(seed)

    def restart(self, lane: i64) -> None:
        """A new match."""
        self.lanes[lane].deal()
        self._clear(lane)
        self._tell(lane)

    def load(self, lane: i64, board: Board, shown: list[int]) -> None:
        """Go on from another table at the beginning of a turn."""
        one = self.lanes[lane]
        one.board.copy_from(board)
        for card in range(256):
            one.shown[card] = HIDDEN
        for card in shown:
            one.shown[card] = SHOWN
        one.begin()
        self._clear(lane)
        self.done[lane] = 1 if board.turn > TURNS else 0
        self._tell(lane)

    def first_impossible(self, actions: bytes) -> i64:
        """The first lane whose action is not possible, or -1. Actions are two bytes each, the
        lower first."""
        for i in range(self.count):
            if self.done[i] != 0 and not self.restarts:
                continue
            if not self.lanes[i].steps.is_lit(_action(actions, i64(i))):
                return i64(i)
        return -1

    def step(self, actions: bytes) -> i64:
        """One step in each lane, each of them possible; how many matches ended. Where matches are
        not restarted, those that are over stand still."""
        ended: i64 = 0
        for i in range(self.count):
            lane = i64(i)
            over = self.done[lane] != 0
            self._clear(lane)
            if over and not self.restarts:
                self.done[lane] = 1
                continue
            one = self.lanes[lane]
            if one.take(_action(actions, lane)):
                ended += 1
                self.done[lane] = 1
                self._reward(lane)
                self._tell(lane)
                if self.restarts:
                    one.deal()
            elif over or one.steps.phase == 0:
                self._tell(lane)
            self.turns[lane] = u8(one.steps.seat)
        return ended

    def _clear(self, lane: i64) -> None:
        for seat in range(SEATS):
            self.rewards[SEATS * lane + seat] = 0.0
        self.done[lane] = 0

    def _reward(self, lane: i64) -> None:
        """CF-6.7: who wins has 1 and each other -1/2; equal totals share. It adds up to nothing."""
        points = self.lanes[lane].board.points
        best = max(points[0], points[1], points[2])
        winners: i64 = 0
        for seat in range(SEATS):
            if points[seat] == best:
                winners += 1
        for seat in range(SEATS):
            share = 3.0 / float(winners) if points[seat] == best else 0.0
            self.rewards[SEATS * lane + seat] = (share - 1.0) / 2.0

    def _tell(self, lane: i64) -> None:
        one = self.lanes[lane]
        self.turns[lane] = u8(one.steps.seat)
        for seat in range(SEATS):
            self.points[SEATS * lane + seat] = one.board.points[seat]

    def sample(self) -> None:
        """Any possible action for each lane, in `sampled`; 0 where a match is over."""
        for i in range(self.count):
            steps = self.lanes[i].steps
            count = steps.lit_count
            self.sampled[i] = steps.lit[self.rng.below(count)] if count != 0 else i64(0)

    def look(self, lane: i64, seat: i64) -> None:
        """What one seat may know, also one that is not to act, in `seen`."""
        one = self.lanes[lane]
        self.sight.write(one.steps, one.shown, seat)

    def cut(self) -> i64:
        """How many squares that could have been chosen had no place in the window."""
        total: i64 = 0
        for lane in self.lanes:
            total += lane.steps.cut
        return total


def _action(actions: bytes, lane: i64) -> i64:
    return i64(actions[2 * lane]) | (i64(actions[2 * lane + 1]) << 8)
