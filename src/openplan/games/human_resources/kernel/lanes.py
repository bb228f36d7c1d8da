"""Many matches side by side, stepped in one call: what each seat to act may know, what it can do,
who has won, in buffers that are written in place.

A table's large scratch is shared by all, so that many tables stay in the processor's cache.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    ARRANGE,
    AT_END,
    BIT,
    CARDS,
    EXCHANGE,
    IDS,
    LEAVABLE,
    LEAVE_SHIFT,
    LOOK,
    NONE,
    SHAPE_SIZE,
    SHAPE_SQUARES,
    SHIFT,
    Cards,
    Rng,
    arranged,
    card_of,
    kind_of,
    second_of,
    shape_of,
    square_of,
)
from openplan.games.human_resources.kernel.knowing import apply_knowing, know_deal
from openplan.games.human_resources.kernel.moves import deal_random
from openplan.games.human_resources.kernel.stepwise import (
    SQUARE_ACTION,
    TO_NOTHING,
    TO_OTHER,
    TO_SECOND,
    Steps,
)
from openplan.games.human_resources.kernel.weighing import winner_for

# -- An observation: three planes of the window, where each card is, numbers -----------------

PLANES: Final = 3
COLOUR_PLANE: Final = 0
FACE_PLANE: Final = 1
CHOSEN_PLANE: Final = 2

# Where a card is, as far as the seat knows. In the deck: IN_DECK and its place from the top.
UNKNOWN: Final = 0
OWN_HAND: Final = 1
OTHER_HAND: Final = 2
OWN_PLAY: Final = 3
OTHER_PLAY: Final = 4
OWN_SCORED: Final = 5
OTHER_SCORED: Final = 6
DISCARD: Final = 7
OFFICE: Final = 8
HIRED: Final = 9
IN_DECK: Final = 16

# The numbers.
STAGE: Final = 0
PHASE: Final = 1
TO_ACT: Final = 2
OWN_TURN: Final = 3
SEAT: Final = 4
STARTED: Final = 5
DECK_SIZE: Final = 6
TOP_BACK: Final = 7
OWN_POINTS: Final = 8
OTHER_POINTS: Final = 9
OWN_HAND_SIZE: Final = 10
OTHER_HAND_DARK: Final = 11
OTHER_HAND_LIGHT: Final = 12
PLAYS_LEFT: Final = 13
OVERTIME_USED: Final = 14
LOOKED: Final = 15
HIRING: Final = 16
MOVE_KIND: Final = 17
MOVE_CARD: Final = 18
MOVE_SECOND: Final = 19
MOVE_THIRD: Final = 20
MOVE_LEAVES: Final = 21
NUMBERS: Final = 22


def observation_size(side: i64) -> i64:
    return PLANES * side * side + CARDS + NUMBERS


@final
class Sight:
    """Where one seat's observation is written, and which squares of it are not empty."""

    out: vec[u8]
    base: i64
    cells: i64
    drawn: vec[i64]
    drawn_count: i64
    chosen: vec[i64]
    chosen_count: i64

    def __init__(self, out: vec[u8], base: i64, side: i64) -> None:
        self.out = out
        self.base = base
        self.cells = side * side
        self.drawn = vec[i64]([0] * 64)
        self.drawn_count = 0
        self.chosen = vec[i64]([0] * 4)
        self.chosen_count = 0

    def write(
        self, table: Board, steps: Steps, known: vec[u8], seat: i64, started: i64, deep: bool
    ) -> None:
        """All that the seat may know of a table and nothing else. What is in the deck is looked
        through only if somebody may know of it (`deep`)."""
        out = self.out
        base = self.base
        for i in range(self.drawn_count):
            out[base + self.drawn[i]] = 0
            out[base + self.cells + self.drawn[i]] = 0
        at = base + PLANES * self.cells
        for card in range(CARDS):
            out[at + card] = UNKNOWN
        bit = 1 + seat
        squares = table.squares
        drawn = self.drawn
        for i in range(table.size):
            square = squares[i]
            cell = steps.cell_of(square)
            drawn[i] = cell
            out[base + cell] = table.colour[square]
            card = i64(table.face[square])
            if i64(known[card]) & bit != 0 and card < CARDS:
                out[base + self.cells + cell] = u8(card + 1)
                out[at + card] = OFFICE
        self.drawn_count = table.size
        other = 1 - seat
        own_base = seat * 64
        other_base = other * 64
        colours = table.cards.colour
        for i in range(table.hand_size[seat]):
            out[at + i64(table.hand[own_base + i])] = OWN_HAND
        lights: i64 = 0
        for i in range(table.hand_size[other]):
            card = i64(table.hand[other_base + i])
            lights += i64(colours[card]) - 1
            if i64(known[card]) & bit != 0 and card < CARDS:
                out[at + card] = OTHER_HAND
        for i in range(table.play_size[seat]):
            out[at + i64(table.play[own_base + i])] = OWN_PLAY
        for i in range(table.play_size[other]):
            out[at + i64(table.play[other_base + i])] = OTHER_PLAY
        for i in range(table.scored_size[seat]):
            out[at + i64(table.scored[own_base + i])] = OWN_SCORED
        for i in range(table.scored_size[other]):
            out[at + i64(table.scored[other_base + i])] = OTHER_SCORED
        for i in range(table.discard_size):
            out[at + i64(table.discard[i])] = DISCARD
        if deep:
            for place in range(table.deck_size):
                card = i64(table.deck[table.deck_size - 1 - place])
                if i64(known[card]) & bit != 0 and card < CARDS:
                    out[at + card] = u8(IN_DECK + place)
        hiring = table.hiring
        if hiring != NONE:
            out[at + hiring] = HIRED
        at += CARDS
        out[at + PHASE] = u8(table.phase)
        out[at + OWN_TURN] = 1 if table.actor == seat else 0
        out[at + SEAT] = u8(seat)
        out[at + STARTED] = 1 if started == seat else 0
        out[at + DECK_SIZE] = u8(table.deck_size)
        out[at + TOP_BACK] = 0
        if table.deck_size != 0:
            # HR-10.1: all see the back on top.
            out[at + TOP_BACK] = colours[i64(table.deck[table.deck_size - 1])]
        out[at + OWN_POINTS] = u8(table.points[seat])
        out[at + OTHER_POINTS] = u8(table.points[other])
        out[at + OWN_HAND_SIZE] = u8(table.hand_size[seat])
        out[at + OTHER_HAND_DARK] = u8(table.hand_size[other] - lights)
        out[at + OTHER_HAND_LIGHT] = u8(lights)
        out[at + PLAYS_LEFT] = u8(table.plays_left)
        out[at + OVERTIME_USED] = u8(table.overtime_used)
        out[at + LOOKED] = u8(table.looked)
        out[at + HIRING] = u8(0 if hiring == NONE else hiring + 1)
        self.write_step(table, steps, seat)

    def write_step(self, table: Board, steps: Steps, seat: i64) -> None:
        """What the seat to act has chosen so far; another sees nothing of it."""
        out = self.out
        plane = self.base + CHOSEN_PLANE * self.cells
        for i in range(self.chosen_count):
            out[plane + self.chosen[i]] = 0
        self.chosen_count = 0
        at = self.base + PLANES * self.cells + CARDS
        for i in range(MOVE_KIND, NUMBERS):
            out[at + i] = 0
        if steps.stage == TO_NOTHING or table.to_act() != seat:
            out[at + STAGE] = TO_NOTHING
            out[at + TO_ACT] = 0
            return
        out[at + STAGE] = u8(steps.stage)
        out[at + TO_ACT] = 1
        move = steps.move
        if move == 0:
            return
        kind = kind_of(move)
        out[at + MOVE_KIND] = u8(kind)
        if kind == ARRANGE:
            for place in range(steps.picked):
                out[at + MOVE_CARD + place] = u8(arranged(move, place) + 1)
            return
        out[at + MOVE_CARD] = u8(card_of(move) + 1)
        if kind == EXCHANGE:
            # The only one that goes on after its second card.
            picked = steps.stage != TO_SECOND
            out[at + MOVE_SECOND] = u8(second_of(move) + 1 if picked else 0)
        leaves: i64 = 0
        for rank in range(LEAVABLE):
            if move & BIT[LEAVE_SHIFT + rank] != 0:
                leaves += BIT[rank]
        out[at + MOVE_LEAVES] = u8(leaves)
        square = square_of(move)
        if square == 0:
            return
        count: i64 = 1
        shape: i64 = 0
        if kind == SHIFT and steps.stage == TO_OTHER:
            shape = shape_of(move)
            count = SHAPE_SIZE[shape]
        for i in range(count):
            cell = steps.cell_of(square + SHAPE_SQUARES[shape * 3 + i])
            self.chosen[i] = cell
            out[plane + cell] = 1
        self.chosen_count = count


# -- The matches -----------------------------------------------------------------------------


@final
class Lane:
    """One match after the other."""

    table: Board
    steps: Steps
    sight: Sight
    known: vec[u8]
    rng: Rng
    started: i64
    deep: bool

    def __init__(self, table: Board, steps: Steps, sight: Sight) -> None:
        self.table = table
        self.steps = steps
        self.sight = sight
        self.known = vec[u8](bytes(IDS))
        self.rng = Rng(0)
        self.started = 0
        self.deep = False

    def deal(self, cards: i64) -> None:
        deal_random(self.table, self.rng, cards)
        know_deal(self.table, self.known)
        self.started = self.table.actor
        self.deep = False
        self.begin()

    def begin(self) -> None:
        table = self.table
        self.steps.begin()
        self.sight.write(table, self.steps, self.known, table.to_act(), self.started, self.deep)

    def take(self, action: i64) -> bool:
        """Take a step; whether the match is over with it."""
        table = self.table
        steps = self.steps
        move = steps.take(action)
        if move == 0:
            self.sight.write_step(table, steps, table.to_act())
            return False
        if kind_of(move) == LOOK:
            self.deep = True
        apply_knowing(table, self.known, move)
        return table.phase == AT_END


@final
class Lanes:
    """Each buffer has a row for each match: `observations`, `masks`, `rewards` (of both seats, for
    a match that ended with this step), `done`, `turns` (the seat to act), `points` (of both seats
    as they stand, or as they were in the end if the match is done)."""

    lanes: list[Lane]
    count: i64
    cards: i64
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
    shared: Board
    restarts: bool

    def __init__(
        self,
        tables: Cards,
        count: i64,
        cards: i64,
        side: i64,
        house: tuple[int, int, int],
        restarts: bool,
    ) -> None:
        """With `restarts` a match that ends is followed by the next at once."""
        self.count = count
        self.cards = cards
        self.side = side
        self.actions = SQUARE_ACTION + side * side
        self.observation = observation_size(side)
        self.observations = vec[u8](bytes(int(count * self.observation)))
        self.masks = vec[u8](bytes(int(count * self.actions)))
        self.rewards = vec[float]([0.0] * int(2 * count))
        self.done = vec[u8](bytes(int(count)))
        self.turns = vec[u8](bytes(int(count)))
        self.points = vec[i64]([0] * int(2 * count))
        self.sampled = vec[i64]([0] * int(count))
        self.seen = vec[u8](bytes(int(self.observation)))
        self.sight = Sight(self.seen, 0, side)
        self.rng = Rng(0)
        self.shared = Board(tables)
        self.restarts = restarts
        self.lanes = []
        for i in range(count):
            table = Board(tables)
            table.idle = house[0]
            table.leave = house[1]
            table.to_hand = house[2]
            table.stamp = self.shared.stamp
            table.queue = self.shared.queue
            table.moves = self.shared.moves
            steps = Steps(table, side, self.masks, i64(i) * self.actions)
            sight = Sight(self.observations, i64(i) * self.observation, side)
            self.lanes.append(Lane(table, steps, sight))

    def seed(self, lane: i64, seed: i64) -> None:
        """What is dealt in a lane from now on."""
        self.lanes[lane].rng.restart(seed)

    def seed_samples(self, seed: i64) -> None:
        self.rng.restart(seed)

    def restart(self, lane: i64) -> None:
        """A new match."""
        one = self.lanes[lane]
        self._lend(one)
        one.deal(self.cards)
        self._take_back(one)
        self.rewards[2 * lane] = 0.0
        self.rewards[2 * lane + 1] = 0.0
        self.done[lane] = 0
        self._tell(lane)

    def load(self, lane: i64, table: Board, known: list[int], started: i64) -> None:
        """Go on from another table."""
        one = self.lanes[lane]
        self._lend(one)
        one.table.copy_from(table)
        for card in range(IDS):
            one.known[card] = u8(known[card])
        one.started = started
        one.deep = True
        one.begin()
        self._take_back(one)
        self.done[lane] = 1 if table.phase == AT_END else 0
        self._tell(lane)

    def choose(self, lane: i64, action: i64) -> i64:
        """Take a step that is possible, and leave the table as it is: the move, if it is the last;
        else 0."""
        one = self.lanes[lane]
        self._lend(one)
        move = one.steps.take(action)
        self._take_back(one)
        return move

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
        lanes = self.lanes
        for i in range(self.count):
            lane = i64(i)
            self.rewards[2 * lane] = 0.0
            self.rewards[2 * lane + 1] = 0.0
            if self.done[lane] != 0:
                if not self.restarts:
                    continue
                self.done[lane] = 0
                self._tell(lane)
            if self._step_one(lanes[lane], lane, _action(actions, lane)):
                ended += 1
        return ended

    def _step_one(self, one: Lane, lane: i64, action: i64) -> bool:
        self._lend(one)
        table = one.table
        over = one.take(action)
        if over:
            result = winner_for(table, 0)
            self.rewards[2 * lane] = float(result)
            self.rewards[2 * lane + 1] = float(-result)
            self.done[lane] = 1
            self.points[2 * lane] = table.points[0]
            self.points[2 * lane + 1] = table.points[1]
            if self.restarts:
                one.deal(self.cards)
            else:
                one.begin()
            self.turns[lane] = u8(table.to_act())
        elif one.steps.stage == TO_NOTHING:
            one.begin()
            self._tell(lane)
        self._take_back(one)
        return over

    def _tell(self, lane: i64) -> None:
        table = self.lanes[lane].table
        self.turns[lane] = u8(table.to_act())
        self.points[2 * lane] = table.points[0]
        self.points[2 * lane + 1] = table.points[1]

    def _lend(self, one: Lane) -> None:
        """The stamps of all tables stand in one grid."""
        one.table.stamp_now = self.shared.stamp_now

    def _take_back(self, one: Lane) -> None:
        self.shared.stamp_now = one.table.stamp_now

    def sample(self) -> None:
        """Any possible action for each lane, in `sampled`; 0 where a match is over."""
        for i in range(self.count):
            steps = self.lanes[i].steps
            count = steps.lit_count
            self.sampled[i] = steps.lit[self.rng.below(count)] if count != 0 else i64(0)

    def look(self, lane: i64, seat: i64) -> None:
        """What one seat may know, also one that is not to act, in `seen`."""
        one = self.lanes[lane]
        self.sight.write(one.table, one.steps, one.known, seat, one.started, one.deep)

    def cut(self) -> i64:
        """How many squares that could have been chosen had no place in the window."""
        total: i64 = 0
        for lane in self.lanes:
            total += lane.steps.cut
        return total


def _action(actions: bytes, lane: i64) -> i64:
    return i64(actions[2 * lane]) | (i64(actions[2 * lane + 1]) << 8)
