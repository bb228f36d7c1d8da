"""A move in steps, each of them one of a fixed number of actions: for programs that learn.

Up to some 1,400 moves are legal at a time, and the office has no bounds, so that moves have no
numbers of their own. Here a move is made of at most five steps: a card and what it is for, then as
far as it needs them another card, a square, a shape, a square to go to; and in the end what is
declared with it (Overtime, and by a house rule what is left incomplete). What can follow is found
for one step at a time, never by listing all moves. Walking all choices gives exactly the legal
moves, each once.

Squares are numbered within a window around the middle of the office. What lies beyond the window
comes in at the opposite side; where two squares that can be chosen meet in that way, the second
cannot be, and `cut` counts it. An office of up to 18 squares with a window of 24 never comes to
that.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    ACQUIRE,
    ACQUISITIONS,
    ARRANGE,
    AT_ARRANGING,
    AT_CHOICE,
    AT_END,
    AT_TURN,
    BIT,
    CARDS,
    CHOOSE,
    CROWDFUNDING,
    DARK,
    DRAW,
    EXCHANGE,
    IDLE,
    LEAVABLE,
    LEAVE_SHIFT,
    LIGHT,
    LOOK,
    MANAGER,
    MOVE,
    OPERATIONS,
    OTHER_AT,
    OVERTIME_DARK,
    OVERTIME_DARK_BIT,
    OVERTIME_LIGHT,
    OVERTIME_LIGHT_BIT,
    PICK_UP,
    PLACE,
    PLAY_PROJECT,
    PLAY_QUOTA,
    PROJECT,
    QUOTA,
    REMOVE,
    SHAPES,
    SHIFT,
    SQUARE_AT,
    STRIDE,
    SWAP,
    TAKE,
    TWO_PLAYS,
    arranged,
    card_of,
    kind_of,
    other_of,
    pack,
    pack_shift,
    second_of,
    shape_of,
    slide_of,
    square_of,
)
from openplan.games.human_resources.kernel.moves import (
    is_action,
    list_shifts_of,
    may_use_overtime,
)
from openplan.games.human_resources.kernel.one_piece import (
    parts_around,
    parts_touched,
    stays_whole_without,
)
from openplan.games.human_resources.kernel.patterns import completes, forms
from openplan.games.human_resources.kernel.turn import meets_quota

# The actions: a card with what is done with it, a shape, nothing more, a square of the window.
PLACE_CARD: Final = 0
USE_CARD: Final = 62
PICK_CARD: Final = 124
SHAPE_ACTION: Final = 186
DONE: Final = 195
SQUARE_ACTION: Final = 196

# What is asked for next.
TO_BEGIN: Final = 0
TO_PLACE: Final = 1
TO_SECOND: Final = 2
TO_SQUARE: Final = 3
TO_SHAPE: Final = 4
TO_OTHER: Final = 5
TO_CHOOSE: Final = 6
TO_ARRANGE: Final = 7
TO_DECLARE: Final = 8
TO_NOTHING: Final = 9

NO_SQUARE: Final = -1


@final
class Steps:
    """The move that the seat to act at a table is making. What can follow is in `lit`, and as ones
    in the mask, of which these are the places from `base` on."""

    table: Board
    side: i64
    actions: i64
    mask: vec[u8]
    base: i64
    lit: vec[i64]
    lit_square: vec[i64]
    lit_count: i64
    stage: i64
    move: i64  # as far as it is decided on
    picked: i64  # so many cards are arranged, or so many projects have been asked about
    top: i64  # the window's first row and column on the grid
    left: i64
    cut: i64

    def __init__(self, table: Board, side: i64, mask: vec[u8], base: i64) -> None:
        self.table = table
        self.side = side
        self.actions = SQUARE_ACTION + side * side
        self.mask = mask
        self.base = base
        self.lit = vec[i64]([0] * 320)
        self.lit_square = vec[i64]([0] * 320)
        self.lit_count = 0
        self.stage = TO_NOTHING
        self.move = 0
        self.picked = 0
        self.top = 0
        self.left = 0
        self.cut = 0

    # -- Going on ----------------------------------------------------------------------------

    def begin(self) -> None:
        """Ask for the first step of a move."""
        table = self.table
        table.measure()
        self.top = (table.top + table.bottom - self.side + 1) >> 1
        self.left = (table.left + table.right - self.side + 1) >> 1
        self.move = 0
        self.picked = 0
        if table.phase == AT_END:
            self.stage = TO_NOTHING
        elif table.phase == AT_CHOICE:
            self.stage = TO_CHOOSE
        elif table.phase == AT_ARRANGING:
            self.stage = TO_ARRANGE
            self.move = ARRANGE
        else:
            self.stage = TO_BEGIN
        self._fill()

    def is_lit(self, action: i64) -> bool:
        return 0 <= action and action < self.actions and self.mask[self.base + action] != 0

    def take(self, action: i64) -> i64:
        """Take a step, one of those that are lit. The move, if it is the last; else 0."""
        stage = self.stage
        if stage == TO_BEGIN:
            self._begin_with(action)
        elif stage == TO_PLACE or stage == TO_SQUARE:
            self.move |= self._square_for(action) << SQUARE_AT
            kind = kind_of(self.move)
            if kind == MOVE or kind == SWAP:
                self.stage = TO_OTHER
            elif kind == SHIFT:
                self.stage = TO_SHAPE
            else:
                self._declare()
        elif stage == TO_SECOND:
            self.move |= (action - PICK_CARD) << 12
            if kind_of(self.move) == EXCHANGE:
                self.stage = TO_SQUARE
            else:
                self.stage = TO_NOTHING
        elif stage == TO_SHAPE:
            self.move |= (action - SHAPE_ACTION) << 45
            self.stage = TO_OTHER
        elif stage == TO_OTHER:
            to = self._square_for(action)
            if kind_of(self.move) == SHIFT:
                self.move |= _slide(square_of(self.move), to)
            else:
                self.move |= to << OTHER_AT
            self._declare()
        elif stage == TO_CHOOSE:
            self.move = pack(CHOOSE, action - PICK_CARD, 0, 0, 0)
            self.stage = TO_NOTHING
        elif stage == TO_ARRANGE:
            self._arrange_next(action - PICK_CARD)
        elif stage == TO_DECLARE:
            self._declare_with(action)
        if self.stage == TO_NOTHING:
            return self.move
        self._fill()
        return 0

    def _begin_with(self, action: i64) -> None:
        table = self.table
        if action >= PICK_CARD:
            # HR-6.1, with the house rule `idle`.
            self.move = pack(IDLE, action - PICK_CARD, 0, 0, 0)
            self.stage = TO_NOTHING
            return
        if action < USE_CARD:
            self.move = pack(PLACE, action, 0, 0, 0)
            self.stage = TO_PLACE
            return
        card = action - USE_CARD
        kind = i64(table.cards.kind[card])
        self.stage = TO_NOTHING
        if kind == PROJECT or kind == CROWDFUNDING:
            self.move = pack(PLAY_PROJECT, card, 0, 0, 0)
        elif kind == QUOTA:
            self.move = pack(PLAY_QUOTA, card, 0, 0, 0)
        else:
            hire = 3 + i64(table.cards.ability[card])
            self.move = pack(hire, card, 0, 0, 0)
            if hire == EXCHANGE or hire == TAKE or hire == ACQUIRE:
                self.stage = TO_SECOND
            elif hire == MOVE or hire == SWAP or hire == SHIFT or hire == REMOVE:
                self.stage = TO_SQUARE

    def _arrange_next(self, card: i64) -> None:
        """HR-8.4: the cards looked at, from the top on; where the last one lies is clear then."""
        self.move |= _arranging(card, self.picked)
        self.picked += 1
        table = self.table
        if self.picked + 1 == table.looked:
            for i in range(table.looked):
                last = i64(table.deck[table.deck_size - 1 - i])
                if not self._is_arranged(last):
                    self.move |= _arranging(last, self.picked)
                    self.picked += 1
                    break
            for place in range(self.picked, 4):
                self.move |= _arranging(127, place)
            self.stage = TO_NOTHING

    def _is_arranged(self, card: i64) -> bool:
        for place in range(self.picked):
            if arranged(self.move, place) == card:
                return True
        return False

    def _declare(self) -> None:
        """The move stands; ask what is declared with it, if there is anything."""
        self.stage = TO_NOTHING
        table = self.table
        if table.play_size[table.actor] == 0 or not is_action(self.move):
            return
        may = may_use_overtime(table, OVERTIME_DARK) or may_use_overtime(table, OVERTIME_LIGHT)
        if (table.leave != 0 or may) and forms(table, self.move) != 0:
            self.picked = 0
            if (
                table.leave != 0
                or self._may_declare(OVERTIME_DARK)
                or (self._may_declare(OVERTIME_LIGHT))
            ):
                self.stage = TO_DECLARE

    def _declare_with(self, action: i64) -> None:
        card = action - PICK_CARD
        self.stage = TO_NOTHING
        if action == DONE:
            return
        if card == OVERTIME_DARK:
            self.move |= OVERTIME_DARK_BIT
        elif card == OVERTIME_LIGHT:
            self.move |= OVERTIME_LIGHT_BIT
        else:
            # HR-5.6: which of those formed; the next to be left stand behind it.
            rank: i64 = 0
            while self._formed_at(rank) != card:
                rank += 1
            self.move |= BIT[LEAVE_SHIFT + rank]
            self.picked = rank + 1
            self.stage = TO_DECLARE

    def _may_declare(self, overtime: i64) -> bool:
        """HR-8.2."""
        move = self.move
        if card_of(move) == overtime or not may_use_overtime(self.table, overtime):
            return False
        if kind_of(move) == EXCHANGE and second_of(move) == overtime:
            return False
        return completes(self.table, move)

    def _formed_at(self, rank: i64) -> i64:
        """The project that the move forms at this place in the order of their time in play, or -1;
        only so many can be left."""
        table = self.table
        if rank >= LEAVABLE:
            return -1
        places = forms(table, self.move)
        for i in range(table.play_size[table.actor]):
            if places & BIT[i] != 0:
                if rank == 0:
                    return i64(table.play[table.actor * 64 + i])
                rank -= 1
        return -1

    # -- What can follow ---------------------------------------------------------------------

    def _fill(self) -> None:
        mask = self.mask
        base = self.base
        for i in range(self.lit_count):
            mask[base + self.lit[i]] = 0
        self.lit_count = 0
        table = self.table
        stage = self.stage
        if stage == TO_BEGIN:
            self._fill_beginnings()
        elif stage == TO_PLACE:
            for i in range(table.frontier_size):
                self._light_square(table.frontier[i])
        elif stage == TO_SQUARE:
            self._fill_squares()
        elif stage == TO_OTHER:
            self._fill_others()
        elif stage == TO_SECOND:
            self._fill_seconds()
        elif stage == TO_SHAPE:
            for shape in range(SHAPES):
                if self._slides(square_of(self.move), i64(shape)) != 0:
                    self._light(SHAPE_ACTION + shape)
        elif stage == TO_CHOOSE:
            seat = table.to_act()
            for i in range(table.play_size[seat]):
                self._light(PICK_CARD + i64(table.play[seat * 64 + i]))
        elif stage == TO_ARRANGE:
            for i in range(table.looked):
                card = i64(table.deck[table.deck_size - 1 - i])
                if not self._is_arranged(card):
                    self._light(PICK_CARD + card)
        elif stage == TO_DECLARE:
            self._light(DONE)
            if table.leave != 0:
                for rank in range(self.picked, LEAVABLE):
                    card = self._formed_at(rank)
                    if card >= 0:
                        self._light(PICK_CARD + card)
            if self._may_declare(OVERTIME_DARK):
                self._light(PICK_CARD + OVERTIME_DARK)
            if self._may_declare(OVERTIME_LIGHT):
                self._light(PICK_CARD + OVERTIME_LIGHT)

    def _light(self, action: i64) -> None:
        self.mask[self.base + action] = 1
        self.lit[self.lit_count] = action
        self.lit_square[self.lit_count] = NO_SQUARE
        self.lit_count += 1

    def _light_square(self, square: i64) -> None:
        action = SQUARE_ACTION + self.cell_of(square)
        if self.mask[self.base + action] != 0:
            self.cut += 1
            return
        self.mask[self.base + action] = 1
        self.lit[self.lit_count] = action
        self.lit_square[self.lit_count] = square
        self.lit_count += 1

    def cell_of(self, square: i64) -> i64:
        """A square's place in the window."""
        row = (square >> 6) - self.top
        column = (square & 63) - self.left
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

    def _square_for(self, action: i64) -> i64:
        i: i64 = 0
        while self.lit[i] != action:
            i += 1
        assert i < self.lit_count
        return self.lit_square[i]

    def _fill_beginnings(self) -> None:
        table = self.table
        base = table.actor * 64
        hires = table.phase == AT_TURN
        for i in range(table.hand_size[table.actor]):
            card = i64(table.hand[base + i])
            if card >= CARDS:
                continue  # a blank is nobody's to play
            self._light(PLACE_CARD + card)
            kind = i64(table.cards.kind[card])
            if kind == PROJECT or kind == CROWDFUNDING:
                self._light(USE_CARD + card)
            elif kind == QUOTA:
                if meets_quota(table, table.actor, card):
                    self._light(USE_CARD + card)
            elif hires and (kind == MANAGER or kind == ACQUISITIONS or kind == OPERATIONS):
                if self._can_hire(3 + i64(table.cards.ability[card])):
                    self._light(USE_CARD + card)
                if table.idle != 0:
                    self._light(PICK_CARD + card)

    def _can_hire(self, hire: i64) -> bool:
        table = self.table
        me = table.actor
        if hire == MOVE or hire == REMOVE:
            # HR-6.2: of two cubicles or more there is always one whose leaving breaks nothing.
            return table.size > 1
        if hire == SWAP:
            # One piece with both colours in it has neighbours of both.
            colours: i64 = 0
            for i in range(table.size):
                colours |= i64(table.colour[table.squares[i]])
            return colours == DARK + LIGHT
        if hire == SHIFT:
            for shape in range(SHAPES):
                for i in range(table.size):
                    if self._slides(table.squares[i], i64(shape)) != 0:
                        return True
            return False
        if hire == EXCHANGE or hire == TWO_PLAYS:
            return table.hand_size[me] > 1
        if hire == TAKE:
            return table.discard_size != 0
        if hire == PICK_UP or hire == ACQUIRE:
            return table.play_size[1 - me] != 0
        return hire == DRAW or hire == LOOK

    def _slides(self, square: i64, shape: i64) -> i64:
        """How many slides a group has; they stand in the table's buffer of moves."""
        self.table.move_count = 0
        list_shifts_of(self.table, 0, square, shape, 0, 4)
        return self.table.move_count

    def _fill_seconds(self) -> None:
        table = self.table
        kind = kind_of(self.move)
        me = table.actor
        if kind == EXCHANGE:
            for i in range(table.hand_size[me]):
                card = i64(table.hand[me * 64 + i])
                if card != card_of(self.move):
                    self._light(PICK_CARD + card)
        elif kind == TAKE:
            for i in range(table.discard_size):
                self._light(PICK_CARD + i64(table.discard[i]))
        else:
            for i in range(table.play_size[1 - me]):
                self._light(PICK_CARD + i64(table.play[(1 - me) * 64 + i]))

    def _fill_squares(self) -> None:
        table = self.table
        kind = kind_of(self.move)
        for i in range(table.size):
            square = table.squares[i]
            if kind == EXCHANGE:
                can = True
            elif kind == REMOVE:
                can = stays_whole_without(table, square)
            elif kind == MOVE:
                can = self._landings(square, False)
            elif kind == SWAP:
                can = self._differs(square, square + 1) or self._differs(square, square + STRIDE)
            else:
                can = False
                for shape in range(SHAPES):
                    if self._slides(square, i64(shape)) != 0:
                        can = True
                        break
            if can:
                self._light_square(square)

    def _differs(self, square: i64, other: i64) -> bool:
        """HR-6.4."""
        colour = self.table.colour
        return colour[other] != 0 and colour[other] != colour[square]

    def _fill_others(self) -> None:
        table = self.table
        square = square_of(self.move)
        kind = kind_of(self.move)
        if kind == MOVE:
            self._landings(square, True)
        elif kind == SWAP:
            # East and south: each pair once, by its first in reading order.
            if self._differs(square, square + 1):
                self._light_square(square + 1)
            if self._differs(square, square + STRIDE):
                self._light_square(square + STRIDE)
        else:
            for i in range(self._slides(square, shape_of(self.move))):
                self._light_square(square + slide_of(table.moves[i]))

    def _landings(self, square: i64, light: bool) -> bool:
        """HR-6.3: whether this cubicle has a square to go to; lights all of them if asked."""
        table = self.table
        if table.size < 2:
            return False
        colour = table.colour
        before = colour[square]
        colour[square] = 0
        table.group[0] = square
        parts = parts_around(table, table.group, 1)
        found = False
        for k in range(table.frontier_size):
            to = table.frontier[k]
            if parts == 1:
                gap = to - square
                beside = gap == 1 or gap == -1 or gap == STRIDE or gap == -STRIDE
                if beside and table.near[to] == 1:
                    continue
            elif i64(table.near[to]) < parts or parts_touched(table, to, 0) != BIT[parts] - 1:
                continue
            found = True
            if not light:
                break
            self._light_square(to)
        colour[square] = before
        return found

    # -- Whole moves -------------------------------------------------------------------------

    def walk(self) -> list[int]:
        """Every move that any choice of steps leads to."""
        found: list[int] = []
        self.begin()
        self._walk_on(found)
        self.begin()
        return found

    def _walk_on(self, found: list[int]) -> None:
        choices: list[int] = []
        for i in range(self.lit_count):
            choices.append(int(self.lit[i]))
        stage = self.stage
        move = self.move
        picked = self.picked
        for action in choices:
            self.stage = stage
            self.move = move
            self.picked = picked
            self._fill()
            whole = self.take(i64(action))
            if whole != 0:
                found.append(int(whole))
            else:
                self._walk_on(found)

    def actions_of(self, move: i64) -> list[int]:
        """The steps that lead to a move of the table as it stands."""
        kind = kind_of(move)
        card = card_of(move)
        if kind == ARRANGE:
            return [
                int(PICK_CARD + arranged(move, i64(place)))
                for place in range(self.table.looked - 1)
            ]
        if kind == CHOOSE or kind == IDLE:
            return [int(PICK_CARD + card)]
        out = [int(PLACE_CARD + card if kind == PLACE else USE_CARD + card)]
        if kind == EXCHANGE or kind == TAKE or kind == ACQUIRE:
            out.append(int(PICK_CARD + second_of(move)))
        square = square_of(move)
        if kind in (PLACE, MOVE, SWAP, SHIFT, REMOVE, EXCHANGE):
            out.append(int(SQUARE_ACTION + self.cell_of(square)))
        if kind == SHIFT:
            out.append(int(SHAPE_ACTION + shape_of(move)))
            out.append(int(SQUARE_ACTION + self.cell_of(square + slide_of(move))))
        elif kind == MOVE or kind == SWAP:
            out.append(int(SQUARE_ACTION + self.cell_of(other_of(move))))
        bare = move & (BIT[57] - 1)
        if is_action(move):
            stage = self.stage
            pending = self.move
            picked = self.picked
            self.move = bare
            self._declare()
            if self.stage == TO_DECLARE:
                for rank in range(LEAVABLE):
                    if move & BIT[LEAVE_SHIFT + rank] != 0:
                        out.append(int(PICK_CARD + self._formed_at(i64(rank))))
                if move & OVERTIME_DARK_BIT != 0:
                    out.append(int(PICK_CARD + OVERTIME_DARK))
                elif move & OVERTIME_LIGHT_BIT != 0:
                    out.append(int(PICK_CARD + OVERTIME_LIGHT))
                else:
                    out.append(int(DONE))
            self.stage = stage
            self.move = pending
            self.picked = picked
        return out


def _slide(square: i64, to: i64) -> i64:
    """Direction and distance, as they stand in a shift."""
    if to < square and (square - to) & 63 == 0:
        return pack_shift(0, 0, 0, 0, (square - to) >> 6) ^ SHIFT
    if to > square and (to - square) & 63 == 0:
        return pack_shift(0, 0, 0, 2, (to - square) >> 6) ^ SHIFT
    if to > square:
        return pack_shift(0, 0, 0, 1, to - square) ^ SHIFT
    return pack_shift(0, 0, 0, 3, square - to) ^ SHIFT


def _arranging(card: i64, place: i64) -> i64:
    if place < 2:
        return card << (5 + 7 * place)
    return card << (SQUARE_AT + 13 * (place - 2))
