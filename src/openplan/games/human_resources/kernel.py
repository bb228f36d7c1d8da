"""The table of Human Resources as integers: what lies where, which moves there are, what they do.

This file runs as it is or compiled by mypyc, and must do the same in both. It knows nothing of
text or of who may see what. A card is a number from 0 to 61 (`cards.py` names them), or one of
three blanks that stand for a card unknown to whoever holds this table: a table full of blanks is
what a viewer knows, and the same code plays on it.

The office lies on a grid of 64 by 64 with two spare rows above and below. All cubicles are kept at
least MARGIN squares away from the grid's edge by re-centring, so that no slide and no 5x5 window
leaves it. A deck of 62 cards cannot make an office more than 56 squares long: at most 58 cubicles
can be placed, four of them founded as a square.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

# -- Numbers of things -----------------------------------------------------------------------

CARDS: Final = 62
BLANK_DARK: Final = 62
BLANK_LIGHT: Final = 63
BLANK: Final = 64
IDS: Final = 65
NONE: Final = 127

DARK: Final = 1
LIGHT: Final = 2

PROJECT: Final = 1
MANAGER: Final = 2
QUOTA: Final = 3
CROWDFUNDING: Final = 4
OVERTIME: Final = 5
ACQUISITIONS: Final = 6
OPERATIONS: Final = 7

# Kinds of moves. Hiring ability a (1 to 11) is the kind 3 + a.
PLACE: Final = 1
PLAY_PROJECT: Final = 2
PLAY_QUOTA: Final = 3
MOVE: Final = 4
SWAP: Final = 5
DRAW: Final = 6
SHIFT: Final = 7
REMOVE: Final = 8
EXCHANGE: Final = 9
TWO_PLAYS: Final = 10
TAKE: Final = 11
PICK_UP: Final = 12
ACQUIRE: Final = 13
LOOK: Final = 14
CHOOSE: Final = 15
ARRANGE: Final = 16

# What the table waits for.
AT_TURN: Final = 0
AT_PLAYS: Final = 1
AT_CHOICE: Final = 2
AT_ARRANGING: Final = 3
AT_END: Final = 4

# Quota conditions (HR-1.4).
THREE_OF_COLOUR: Final = 1
FIVE_IN_HAND: Final = 2
MORE_SCORED: Final = 3
ONLY_CARD: Final = 4
FEWER_SCORED: Final = 5

STRIDE: Final = 64
GRID: Final = 68 * 64
MARGIN: Final = 4
CENTRE: Final = 31

# HR-8.2: Overtime is declared with the action; which of the two cards is part of the move.
OVERTIME_DARK: Final = 55
OVERTIME_LIGHT: Final = 59
OVERTIME_DARK_BIT: Final = 144115188075855872  # 2 ** 57
OVERTIME_LIGHT_BIT: Final = 288230376151711744  # 2 ** 58
OVERTIME_BITS: Final = 432345564227567616
M32: Final = 4294967295


def _table(values: list[int]) -> vec[i64]:
    table = vec[i64]([0] * len(values))
    for i in range(len(values)):
        table[i] = values[i]
    return table


BIT: Final = _table([2**n for n in range(63)])
STEP: Final = _table([-STRIDE, 1, STRIDE, -1])  # north, east, south, west

# The nine shapes of a group of up to three cubicles, as offsets from the first in reading order.
SHAPES: Final = 9
SHAPE_SIZE: Final = _table([1, 2, 2, 3, 3, 3, 3, 3, 3])
SHAPE_SQUARES: Final = _table(
    [
        *(0, 0, 0),  # one
        *(0, 1, 0),  # two in a row
        *(0, STRIDE, 0),  # two in a column
        *(0, 1, 2),  # three in a row
        *(0, STRIDE, 2 * STRIDE),  # three in a column
        *(0, 1, STRIDE),  # the four corners
        *(0, 1, STRIDE + 1),
        *(0, STRIDE, STRIDE + 1),
        *(0, STRIDE - 1, STRIDE),
    ]
)


def _ring_keeps(mask: int) -> int:
    """Whether the square in the middle of a ring can go without the office falling apart: its
    occupied edge neighbours hang together within the ring. A ring is the eight squares around one
    as bits, clockwise from the north, so that neighbours in it are consecutive."""
    runs = 0
    for start in range(8):
        if mask & (1 << start) and not mask & (1 << ((start - 1) % 8)):
            length = 0
            edge = False
            while length < 8 and mask & (1 << ((start + length) % 8)):
                edge = edge or (start + length) % 2 == 0
                length += 1
            runs += 1 if edge else 0
    return 1 if runs == 1 or mask == 255 else 0


RING_KEEPS: Final = _table([_ring_keeps(mask) for mask in range(256)])
COUNT: Final = _table([bin(mask).count("1") for mask in range(512)])


# -- Packed moves ----------------------------------------------------------------------------
# bits 0-4 kind, 5-11 card, 12-18 second card, 19-31 square, 32-44 second square, 45-48 shape,
# 49-50 direction, 51-56 distance, 57 and 58 Overtime. Arranging puts its cards, top first, where
# card, second card, square and second square are.


def pack(kind: i64, card: i64, second: i64, square: i64, other: i64) -> i64:
    return kind | (card << 5) | (second << 12) | (square << 19) | (other << 32)


def pack_shift(card: i64, square: i64, shape: i64, direction: i64, distance: i64) -> i64:
    return pack(SHIFT, card, 0, square, 0) | (shape << 45) | (direction << 49) | (distance << 51)


def arranged(move: i64, place: i64) -> i64:
    """The card that an arranging move puts at this place from the top, or NONE."""
    if place < 2:
        return (move >> (5 + 7 * place)) & 127
    return (move >> (19 + 13 * (place - 2))) & 127


# -- Chance for playouts ---------------------------------------------------------------------


@final
class Rng:
    """A small generator that draws alike compiled and plain: xorshift plus a Weyl sequence."""

    x: i64
    w: i64

    def __init__(self, seed: i64) -> None:
        self.x = (((seed & M32) * 2654435 + 88172645) & M32) | 1
        self.w = (seed >> 8) & M32
        for _ in range(8):
            self.next()

    def next(self) -> i64:
        x = self.x
        x ^= (x << 13) & M32
        x ^= x >> 17
        x ^= (x << 5) & M32
        self.x = x
        self.w = (self.w + 362437) & M32
        return (x + self.w) & M32

    def below(self, n: i64) -> i64:
        return (self.next() * n) >> 32


# -- Cards -----------------------------------------------------------------------------------


@final
class Cards:
    """A deck's cards as tables. For a project, every way its pattern can lie over a square of one
    colour is a mask over the 5x5 window around that square: what must be dark in the low 25 bits,
    what must be light in the next 25. `first[card * 3 + colour]` is where a card's ways for that
    colour begin."""

    kind: vec[u8]
    colour: vec[u8]
    value: vec[i64]
    ability: vec[u8]
    quota: vec[u8]
    first: vec[i64]
    need: vec[i64]
    # For the appraisal: each way a pattern can be turned, as masks over a 3x3 window.
    turned: vec[i64]
    turn_dark: vec[i64]
    turn_light: vec[i64]

    def __init__(
        self,
        kind: list[int],
        colour: list[int],
        value: list[int],
        ability: list[int],
        quota: list[int],
        patterns: list[list[list[list[int]]]],
    ) -> None:
        """`patterns[card]` is a list of orientations, each a list of [x, y, colour]."""
        self.kind = vec[u8](bytes(kind))
        self.colour = vec[u8](bytes(colour))
        self.value = _table(value)
        self.ability = vec[u8](bytes(ability))
        self.quota = vec[u8](bytes(quota))
        first = [0]
        need: list[int] = []
        turned = [0]
        turn_dark: list[int] = []
        turn_light: list[int] = []
        for card in range(IDS):
            for centre_colour in range(3):
                for squares in patterns[card]:
                    for centre in squares:
                        if centre[2] == centre_colour:
                            masks = [0, 0, 0]
                            for square in squares:
                                bit = (square[1] - centre[1] + 2) * 5 + square[0] - centre[0] + 2
                                masks[square[2]] += 2**bit
                            need.append(masks[DARK] + 2**25 * masks[LIGHT])
                first.append(len(need))
            for squares in patterns[card]:
                masks = [0, 0, 0]
                for square in squares:
                    masks[square[2]] += 2 ** (square[1] * 3 + square[0])
                turn_dark.append(masks[DARK])
                turn_light.append(masks[LIGHT])
            turned.append(len(turn_dark))
        self.first = _table(first)
        self.need = _table(need)
        self.turned = _table(turned)
        self.turn_dark = _table(turn_dark)
        self.turn_light = _table(turn_light)


# -- The table -------------------------------------------------------------------------------


@final
class Table:
    cards: Cards
    # The office: by square, as bit rows per colour, and as lists of cubicles and free neighbours.
    colour: vec[u8]
    face: vec[u8]
    near: vec[u8]
    place_in_list: vec[u8]
    rows_dark: vec[i64]
    rows_light: vec[i64]
    squares: vec[i64]
    size: i64
    frontier: vec[i64]
    frontier_size: i64
    origin_x: i64
    origin_y: i64
    # Cards off the office. Both seats' lists stand in one vec, 64 places each.
    hand: vec[u8]
    hand_size: vec[i64]
    overtimes: vec[i64]  # so many Overtime cards in each hand
    play: vec[u8]
    play_size: vec[i64]
    scored: vec[u8]
    scored_size: vec[i64]
    points: vec[i64]
    deck: vec[u8]  # the top is the last
    deck_size: i64
    discard: vec[u8]
    discard_size: i64
    # Whose turn, and what is being waited for.
    actor: i64
    phase: i64
    plays_left: i64
    hiring: i64
    overtime_used: i64
    looked: i64
    # What the last action changed, for HR-5.4.
    changed: vec[i64]
    changed_size: i64
    block: vec[i64]
    block_size: i64
    # The buffer of moves, and scratch for floods.
    moves: vec[i64]
    move_count: i64
    stamp: vec[i64]
    stamp_now: i64
    stamp_first: i64
    queue: vec[i64]
    group: vec[i64]
    keep: vec[u8]
    # The rows and columns of the grid between which the office lies; `measure` sets them.
    top: i64
    bottom: i64
    left: i64
    right: i64

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.colour = vec[u8](bytes(GRID))
        self.face = vec[u8](bytes(GRID))
        self.near = vec[u8](bytes(GRID))
        self.place_in_list = vec[u8](bytes(GRID))
        self.rows_dark = vec[i64]([0] * 68)
        self.rows_light = vec[i64]([0] * 68)
        self.squares = vec[i64]([0] * 64)
        self.size = 0
        self.frontier = vec[i64]([0] * 256)
        self.frontier_size = 0
        self.origin_x = CENTRE
        self.origin_y = CENTRE
        self.hand = vec[u8](bytes(128))
        self.hand_size = vec[i64]([0, 0])
        self.overtimes = vec[i64]([0, 0])
        self.play = vec[u8](bytes(128))
        self.play_size = vec[i64]([0, 0])
        self.scored = vec[u8](bytes(128))
        self.scored_size = vec[i64]([0, 0])
        self.points = vec[i64]([0, 0])
        self.deck = vec[u8](bytes(64))
        self.deck_size = 0
        self.discard = vec[u8](bytes(64))
        self.discard_size = 0
        self.actor = 0
        self.phase = AT_TURN
        self.plays_left = 0
        self.hiring = NONE
        self.overtime_used = 0
        self.looked = 0
        self.changed = vec[i64]([0] * 4)
        self.changed_size = 0
        self.block = vec[i64]([0] * 4)
        self.block_size = 0
        self.moves = vec[i64]([0] * 1024)
        self.move_count = 0
        self.stamp = vec[i64]([0] * GRID)
        self.stamp_now = 0
        self.stamp_first = 0
        self.queue = vec[i64]([0] * 64)
        self.group = vec[i64]([0] * 4)
        self.keep = vec[u8](bytes(4))
        self.top = 0
        self.bottom = 0
        self.left = 0
        self.right = 0

    # The office, one cubicle at a time.

    def square_at(self, x: i64, y: i64) -> i64:
        """The grid index of a square by its distance from the origin, or -1 if it is off the grid
        and so certainly empty and far from the office."""
        column = x + self.origin_x
        row = y + self.origin_y
        if column < 0 or column >= STRIDE or row < 0 or row >= STRIDE:
            return -1
        return (row + 2) * STRIDE + column

    def x_of(self, square: i64) -> i64:
        return (square & 63) - self.origin_x

    def y_of(self, square: i64) -> i64:
        return (square >> 6) - 2 - self.origin_y

    def add(self, square: i64, card: i64) -> None:
        colour = i64(self.cards.colour[card])
        near = self.near
        if near[square] != 0:
            self._leave_frontier(square)
        self.colour[square] = u8(colour)
        self.face[square] = u8(card)
        if colour == DARK:
            self.rows_dark[square >> 6] |= BIT[square & 63]
        else:
            self.rows_light[square >> 6] |= BIT[square & 63]
        self.place_in_list[square] = u8(self.size)
        self.squares[self.size] = square
        self.size += 1
        for d in range(4):
            other = square + STEP[d]
            count = i64(near[other]) + 1
            near[other] = u8(count)
            if count == 1 and self.colour[other] == 0:
                self._join_frontier(other)

    def lift(self, square: i64) -> i64:
        """Take the cubicle off this square and return its card."""
        card = i64(self.face[square])
        if self.colour[square] == DARK:
            self.rows_dark[square >> 6] ^= BIT[square & 63]
        else:
            self.rows_light[square >> 6] ^= BIT[square & 63]
        self.colour[square] = 0
        self.face[square] = 0
        self.size -= 1
        last = self.squares[self.size]
        place = i64(self.place_in_list[square])
        self.squares[place] = last
        self.place_in_list[last] = u8(place)
        near = self.near
        for d in range(4):
            other = square + STEP[d]
            count = i64(near[other]) - 1
            near[other] = u8(count)
            if count == 0 and self.colour[other] == 0:
                self._leave_frontier(other)
        if near[square] != 0:
            self._join_frontier(square)
        return card

    def _join_frontier(self, square: i64) -> None:
        self.place_in_list[square] = u8(self.frontier_size)
        self.frontier[self.frontier_size] = square
        self.frontier_size += 1

    def _leave_frontier(self, square: i64) -> None:
        self.frontier_size -= 1
        last = self.frontier[self.frontier_size]
        place = i64(self.place_in_list[square])
        self.frontier[place] = last
        self.place_in_list[last] = u8(place)

    def clear_office(self) -> None:
        colour = self.colour
        near = self.near
        for i in range(self.frontier_size):
            near[self.frontier[i]] = 0
        for i in range(self.size):
            square = self.squares[i]
            colour[square] = 0
            near[square] = 0
            self.face[square] = 0
            self.rows_dark[square >> 6] = 0
            self.rows_light[square >> 6] = 0
        self.size = 0
        self.frontier_size = 0

    def recentre_if_needed(self) -> bool:
        """After something was added near the grid's edge; changed squares move along."""
        needed = False
        for i in range(self.changed_size):
            row = (self.changed[i] >> 6) - 2
            column = self.changed[i] & 63
            if row < MARGIN or row >= STRIDE - MARGIN:
                needed = True
            if column < MARGIN or column >= STRIDE - MARGIN:
                needed = True
        if not needed:
            return False
        self.measure()
        down = (67 - self.bottom - self.top) // 2
        along = (63 - self.right - self.left) // 2
        self._slide_grid(along, down)
        return True

    def measure(self) -> None:
        """Find the rows and columns of the grid (spare rows counted) that the office reaches."""
        first = self.squares[0]
        top = first >> 6
        bottom = top
        left = first & 63
        right = left
        for i in range(1, self.size):
            row = self.squares[i] >> 6
            column = self.squares[i] & 63
            if row < top:
                top = row
            if row > bottom:
                bottom = row
            if column < left:
                left = column
            if column > right:
                right = column
        self.top = top
        self.bottom = bottom
        self.left = left
        self.right = right

    def _slide_grid(self, along: i64, down: i64) -> None:
        offset = down * STRIDE + along
        count = self.size
        squares = vec[i64]([0] * count)
        faces = vec[i64]([0] * count)
        free_count = self.frontier_size
        free = vec[i64]([0] * free_count)
        for i in range(count):
            squares[i] = self.squares[i]
            faces[i] = i64(self.face[squares[i]])
        for i in range(free_count):
            free[i] = self.frontier[i]
        self.clear_office()
        for i in range(count):
            self.add(squares[i] + offset, faces[i])
        # The order of the free squares is kept: a re-centred table deals out the same moves.
        for i in range(free_count):
            self.frontier[i] = free[i] + offset
            self.place_in_list[free[i] + offset] = u8(i)
        self.origin_x += along
        self.origin_y += down
        for i in range(self.changed_size):
            self.changed[i] += offset
        for i in range(self.block_size):
            self.block[i] += offset

    # Lists of cards.

    def give(self, seat: i64, card: i64) -> None:
        self.hand[seat * 64 + self.hand_size[seat]] = u8(card)
        self.hand_size[seat] += 1
        if card == OVERTIME_DARK or card == OVERTIME_LIGHT:
            self.overtimes[seat] += 1

    def take_from_hand(self, seat: i64, card: i64) -> None:
        base = seat * 64
        last = base + self.hand_size[seat] - 1
        i = base
        while i64(self.hand[i]) != card:
            i += 1
        assert i <= last
        self.hand[i] = self.hand[last]
        self.hand_size[seat] -= 1
        if card == OVERTIME_DARK or card == OVERTIME_LIGHT:
            self.overtimes[seat] -= 1

    def holds(self, seat: i64, card: i64) -> bool:
        base = seat * 64
        for i in range(self.hand_size[seat]):
            if i64(self.hand[base + i]) == card:
                return True
        return False

    def put_in_play(self, seat: i64, card: i64) -> None:
        self.play[seat * 64 + self.play_size[seat]] = u8(card)
        self.play_size[seat] += 1

    def take_from_play(self, seat: i64, card: i64) -> None:
        base = seat * 64
        count = self.play_size[seat]
        i: i64 = 0
        while i64(self.play[base + i]) != card:
            i += 1
        assert i < count
        while i + 1 < count:
            self.play[base + i] = self.play[base + i + 1]
            i += 1
        self.play_size[seat] -= 1

    def score(self, seat: i64, card: i64) -> None:
        self.scored[seat * 64 + self.scored_size[seat]] = u8(card)
        self.scored_size[seat] += 1
        self.points[seat] += self.cards.value[card]

    def throw(self, card: i64) -> None:
        self.discard[self.discard_size] = u8(card)
        self.discard_size += 1

    def take_from_discard(self, card: i64) -> None:
        i: i64 = 0
        while i64(self.discard[i]) != card:
            i += 1
        assert i < self.discard_size
        while i + 1 < self.discard_size:
            self.discard[i] = self.discard[i + 1]
            i += 1
        self.discard_size -= 1

    def to_act(self) -> i64:
        return 1 - self.actor if self.phase == AT_CHOICE else self.actor

    # Patterns (HR-5).

    def _window(self, square: i64) -> i64:
        """The 5x5 window around a square, row by row: dark in the low 25 bits, then light."""
        row = (square >> 6) - 2
        column = (square & 63) - 2
        if column < 0:  # only for a block that would slide past the margin
            return self._window_at_edge(square)
        dark = self.rows_dark
        light = self.rows_light
        return (
            ((dark[row] >> column) & 31)
            | (((dark[row + 1] >> column) & 31) << 5)
            | (((dark[row + 2] >> column) & 31) << 10)
            | (((dark[row + 3] >> column) & 31) << 15)
            | (((dark[row + 4] >> column) & 31) << 20)
            | (((light[row] >> column) & 31) << 25)
            | (((light[row + 1] >> column) & 31) << 30)
            | (((light[row + 2] >> column) & 31) << 35)
            | (((light[row + 3] >> column) & 31) << 40)
            | (((light[row + 4] >> column) & 31) << 45)
        )

    def _window_at_edge(self, square: i64) -> i64:
        window: i64 = 0
        for i in range(25):
            column = (square & 63) - 2 + i % 5
            row = (square >> 6) - 2 + i // 5
            if column >= 0 and self.rows_dark[row] & BIT[column] != 0:
                window |= BIT[i]
            if column >= 0 and self.rows_light[row] & BIT[column] != 0:
                window |= BIT[i + 25]
        return window

    def _block_window(self, square: i64) -> i64:
        """The squares of the shifted block within the window around a square, in both halves."""
        window: i64 = 0
        for i in range(self.block_size):
            down = (self.block[i] >> 6) - (square >> 6) + 2
            along = (self.block[i] & 63) - (square & 63) + 2
            if 0 <= down and down < 5 and 0 <= along and along < 5:
                window |= BIT[down * 5 + along] | BIT[down * 5 + along + 25]
        return window

    def formed(self, seat: i64) -> i64:
        """Which of a seat's projects in play the last action newly forms, as bits by their place.

        HR-5.4: a match is new if it holds a square whose colour the action changed, and is not made
        of the shifted block alone.
        """
        found: i64 = 0
        count = self.play_size[seat]
        if count == 0:
            return 0
        first = self.cards.first
        needs = self.cards.need
        play = self.play
        base = seat * 64
        for c in range(self.changed_size):
            square = self.changed[c]
            centre = i64(self.colour[square])
            window = self._window(square)
            block = self._block_window(square) if self.block_size != 0 else 0
            for i in range(count):
                ways = i64(play[base + i]) * 3 + centre
                for way in range(first[ways], first[ways + 1]):
                    need = needs[way]
                    if window & need == need and need & ~block != 0:
                        found |= BIT[i]
                        break
        return found

    def formed_squares(self, card: i64) -> list[int]:
        """The squares of every new match of this card's pattern, after the last action."""
        found: list[int] = []
        for c in range(self.changed_size):
            square = self.changed[c]
            window = self._window(square)
            block = self._block_window(square)
            ways = card * 3 + i64(self.colour[square])
            for way in range(self.cards.first[ways], self.cards.first[ways + 1]):
                need = self.cards.need[way]
                if window & need == need and need & ~block != 0:
                    for bit in range(25):
                        if need & (BIT[bit] | BIT[bit + 25]) != 0:
                            down = i64(bit // 5 - 2)
                            at = int(square + down * STRIDE + (bit % 5) - 2)
                            if at not in found:
                                found.append(at)
        return found

    def _score_formed(self, actor: i64) -> i64:
        """Score what the action formed (HR-5.6, HR-8.1). How many of the actor's own projects."""
        if self.changed_size == 0:
            return 0
        other = 1 - actor
        own: i64 = 0
        mine = self.formed(actor)
        backers: i64 = 0
        theirs: i64 = 0
        for i in range(self.play_size[other]):
            if i64(self.cards.kind[i64(self.play[other * 64 + i])]) == CROWDFUNDING:
                backers += 1
        if backers != 0:
            theirs = self.formed(other)
        if mine != 0:
            # From the last to the first, so that places stay true; scored in order of time in play.
            own = self._score_places(actor, actor, mine)
        while backers != 0 and theirs != 0:
            best: i64 = -1
            best_value: i64 = -1
            for i in range(self.play_size[other]):
                if theirs & BIT[i] != 0:
                    value = self.cards.value[i64(self.play[other * 64 + i])]
                    if value > best_value:
                        best = i
                        best_value = value
            project = i64(self.play[other * 64 + best])
            backer: i64 = NONE
            for i in range(self.play_size[other]):
                card = i64(self.play[other * 64 + i])
                if i64(self.cards.kind[card]) == CROWDFUNDING and backer == NONE:
                    backer = card
            self.take_from_play(other, project)
            self.score(other, project)
            self.take_from_play(other, backer)
            self.score(actor, backer)
            backers -= 1
            theirs = self.formed(other) if backers != 0 else 0
        return own

    def _score_places(self, owner: i64, scorer: i64, places: i64) -> i64:
        base = owner * 64
        count = self.play_size[owner]
        kept: i64 = 0
        gone: i64 = 0
        for i in range(count):
            card = i64(self.play[base + i])
            if places & BIT[i] != 0:
                self.score(scorer, card)
                gone += 1
            else:
                self.play[base + kept] = u8(card)
                kept += 1
        self.play_size[owner] = kept
        return gone

    # Carrying out a move.

    def apply(self, move: i64) -> None:
        """Carry out a move that is known to be legal, up to the next choice of either seat."""
        kind = move & 31
        card = (move >> 5) & 127
        me = self.actor
        self.changed_size = 0
        self.block_size = 0
        if kind == PLACE:
            self.take_from_hand(me, card)
            self._settle_one((move >> 19) & 8191, card)
            self._after_action(move)
            self._next_play()
        elif kind == PLAY_PROJECT:
            self.take_from_hand(me, card)
            self.put_in_play(me, card)
            self._next_play()
        elif kind == PLAY_QUOTA:
            self.take_from_hand(me, card)
            self.score(me, card)
            self._next_play()
        elif kind == CHOOSE:
            self.take_from_play(1 - me, card)
            self.give(1 - me, card)
            self._finish_hire(move)
        elif kind == ARRANGE:
            self._arrange(move)
            self._finish_hire(move)
        else:
            self.take_from_hand(me, card)
            self.hiring = card
            self._hire(kind, move)

    def _hire(self, kind: i64, move: i64) -> None:
        me = self.actor
        second = (move >> 12) & 127
        square = (move >> 19) & 8191
        other = (move >> 32) & 8191
        if kind == MOVE:
            self._settle_one(other, self.lift(square))
        elif kind == SWAP:
            here = self.lift(square)
            there = self.lift(other)
            self.add(square, there)
            self.add(other, here)
            self.changed[0] = square
            self.changed[1] = other
            self.changed_size = 2
        elif kind == DRAW:
            if self._draw(me):
                self._finish_hire(move)
                return
        elif kind == SHIFT:
            self._shift(move)
        elif kind == REMOVE:
            self.give(me, self.lift(square))
        elif kind == EXCHANGE:
            before = i64(self.colour[square])
            taken = self.lift(square)
            self.take_from_hand(me, second)
            self.add(square, second)
            self.give(me, taken)
            if i64(self.colour[square]) != before:
                self.changed[0] = square
                self.changed_size = 1
        elif kind == TWO_PLAYS:
            self.phase = AT_PLAYS
            self.plays_left = 2
            return
        elif kind == TAKE:
            self.take_from_discard(second)
            self.give(me, second)
        elif kind == PICK_UP:
            if self.play_size[1 - me] > 1:
                self.phase = AT_CHOICE
                return
            project = i64(self.play[(1 - me) * 64])
            self.take_from_play(1 - me, project)
            self.give(1 - me, project)
        elif kind == ACQUIRE:
            # HR-8.3: the VP goes to the other player's scored pile, not to the discard.
            self.take_from_play(1 - me, second)
            self.put_in_play(me, second)
            self.score(1 - me, self.hiring)
            self.hiring = NONE
            self._end_turn()
            return
        else:
            self.looked = min(self.deck_size, 4)
            if self.looked > 1:
                self.phase = AT_ARRANGING
                return
        self._finish_hire(move)

    def _settle_one(self, square: i64, card: i64) -> None:
        self.add(square, card)
        self.changed[0] = square
        self.changed_size = 1
        self.recentre_if_needed()

    def _shift(self, move: i64) -> None:
        square = (move >> 19) & 8191
        shape = (move >> 45) & 15
        by = STEP[(move >> 49) & 3] * ((move >> 51) & 63)
        count = SHAPE_SIZE[shape]
        before = vec[i64]([0, 0, 0])
        faces = vec[i64]([0, 0, 0])
        for i in range(count):
            there = square + SHAPE_SQUARES[shape * 3 + i] + by
            before[i] = i64(self.colour[there])
        for i in range(count):
            faces[i] = self.lift(square + SHAPE_SQUARES[shape * 3 + i])
        for i in range(count):
            there = square + SHAPE_SQUARES[shape * 3 + i] + by
            self.add(there, faces[i])
            self.block[i] = there
            if i64(self.colour[there]) != before[i]:
                self.changed[self.changed_size] = there
                self.changed_size += 1
        self.block_size = count
        self.recentre_if_needed()

    def _arrange(self, move: i64) -> None:
        for i in range(self.looked):
            self.deck[self.deck_size - 1 - i] = u8(arranged(move, i))

    def _after_action(self, move: i64) -> None:
        """Scoring, then Overtime (HR-8.2)."""
        self._score_formed(self.actor)
        if move & OVERTIME_BITS != 0:
            card: i64 = OVERTIME_DARK if move & OVERTIME_DARK_BIT != 0 else OVERTIME_LIGHT
            self.take_from_hand(self.actor, card)
            self.throw(card)
            self.overtime_used = 1

    def _finish_hire(self, move: i64) -> None:
        # HR-6.1: a manager is discarded after its effect.
        self.throw(self.hiring)
        self.hiring = NONE
        self.looked = 0
        if self.phase != AT_END:
            self.phase = AT_TURN
            self._after_action(move)
            self._end_turn()

    def _next_play(self) -> None:
        """After a play from the hand: the turn's own, or one of two (HR-6.9)."""
        if self.phase == AT_PLAYS:
            self.plays_left -= 1
            if self.plays_left != 0 and self.hand_size[self.actor] != 0:
                return
            self.plays_left = 0
            self.throw(self.hiring)
            self.hiring = NONE
            self.phase = AT_TURN
        self._end_turn()

    def _draw(self, seat: i64) -> bool:
        """Draw a card; true if it was the last, which ends the game at once (HR-3.2)."""
        self.deck_size -= 1
        self.give(seat, i64(self.deck[self.deck_size]))
        if self.deck_size == 0:
            self.phase = AT_END
            return True
        return False

    def _end_turn(self) -> None:
        if self._draw(self.actor):
            return
        if self.overtime_used == 0:
            self.actor = 1 - self.actor
        self.overtime_used = 0

    # Whether the office stays one piece.

    def _ring(self, square: i64) -> i64:
        colour = self.colour
        mask: i64 = 0
        if colour[square - STRIDE] != 0:
            mask |= 1
        if colour[square - STRIDE + 1] != 0:
            mask |= 2
        if colour[square + 1] != 0:
            mask |= 4
        if colour[square + STRIDE + 1] != 0:
            mask |= 8
        if colour[square + STRIDE] != 0:
            mask |= 16
        if colour[square + STRIDE - 1] != 0:
            mask |= 32
        if colour[square - 1] != 0:
            mask |= 64
        if colour[square - STRIDE - 1] != 0:
            mask |= 128
        return mask

    def parts_around(self, group: vec[i64], count: i64) -> i64:
        """How many pieces the office falls into without a group whose squares the caller has
        blanked in `colour` (and will restore). If more than one, `stamp` numbers each square's
        piece from `stamp_first`."""
        colour = self.colour
        # Put the group back square by square, in whatever order goes: where each time the
        # neighbours hang together around the square, the office was one piece before too.
        # Usually this settles it.
        left = BIT[count] - 1
        going = True
        while left != 0 and going:
            going = False
            for i in range(count):
                if left & BIT[i] != 0 and RING_KEEPS[self._ring(group[i])] != 0:
                    left ^= BIT[i]
                    colour[group[i]] = 3
                    going = True
        for i in range(count):
            colour[group[i]] = 0
        if left == 0:
            return 1
        parts: i64 = 0
        first = self.stamp_now + 1
        for i in range(self.size):
            start = self.squares[i]
            if colour[start] != 0 and self.stamp[start] < first:
                self._flood(start, first + parts)
                parts += 1
        self.stamp_first = first
        self.stamp_now = first + parts
        return parts

    def parts_touched(self, square: i64, touched: i64) -> i64:
        """Add to a set of pieces (as bits) those that share an edge with this square."""
        for d in range(4):
            other = square + STEP[d]
            if self.colour[other] != 0:
                touched |= BIT[self.stamp[other] - self.stamp_first]
        return touched

    def stays_whole_without(self, square: i64) -> bool:
        """HR-6.2: the office without this cubicle is one piece and not empty."""
        if self.size < 2:
            return False
        self.group[0] = square
        before = self.colour[square]
        self.colour[square] = 0
        parts = self.parts_around(self.group, 1)
        self.colour[square] = before
        return parts == 1

    def _flood(self, start: i64, label: i64) -> None:
        colour = self.colour
        stamp = self.stamp
        queue = self.queue
        stamp[start] = label
        queue[0] = start
        head: i64 = 0
        tail: i64 = 1
        while head < tail:
            square = queue[head]
            head += 1
            for d in range(4):
                other = square + STEP[d]
                if colour[other] != 0 and stamp[other] < label:
                    stamp[other] = label
                    queue[tail] = other
                    tail += 1

    # Patterns tried out: what would an action complete?

    def paint(self, square: i64, colour: i64) -> i64:
        """Change a square's colour for the matching of patterns only; the colour it had."""
        before = i64(self.colour[square])
        bit = BIT[square & 63]
        row = square >> 6
        if before == DARK:
            self.rows_dark[row] ^= bit
        elif before == LIGHT:
            self.rows_light[row] ^= bit
        if colour == DARK:
            self.rows_dark[row] ^= bit
        elif colour == LIGHT:
            self.rows_light[row] ^= bit
        self.colour[square] = u8(colour)
        return before

    def completes(self, move: i64) -> bool:
        """Whether an action would complete a project of the actor's own (HR-8.2)."""
        if self.play_size[self.actor] == 0:
            return False
        kind = move & 31
        card = (move >> 5) & 127
        square = (move >> 19) & 8191
        other = (move >> 32) & 8191
        self.block_size = 0
        self.changed_size = 1
        found: i64 = 0
        if kind == PLACE:
            self.changed[0] = square
            self.paint(square, i64(self.cards.colour[card]))
            found = self.formed(self.actor)
            self.paint(square, 0)
        elif kind == MOVE:
            self.changed[0] = other
            colour = self.paint(square, 0)
            self.paint(other, colour)
            found = self.formed(self.actor)
            self.paint(other, 0)
            self.paint(square, colour)
        elif kind == SWAP:
            self.changed[0] = square
            self.changed[1] = other
            self.changed_size = 2
            colour = i64(self.colour[square])
            second = self.paint(other, colour)
            self.paint(square, second)
            found = self.formed(self.actor)
            self.paint(square, colour)
            self.paint(other, second)
        elif kind == EXCHANGE:
            colour = i64(self.colour[square])
            new = i64(self.cards.colour[(move >> 12) & 127])
            if colour != new:
                self.changed[0] = square
                self.paint(square, new)
                found = self.formed(self.actor)
                self.paint(square, colour)
        elif kind == SHIFT:
            found = self._shift_forms(move)
        self.changed_size = 0
        self.block_size = 0
        return found != 0

    def _shift_forms(self, move: i64) -> i64:
        square = (move >> 19) & 8191
        shape = (move >> 45) & 15
        by = STEP[(move >> 49) & 3] * ((move >> 51) & 63)
        count = SHAPE_SIZE[shape]
        colours = vec[i64]([0, 0, 0])
        before = vec[i64]([0, 0, 0])
        for i in range(count):
            before[i] = i64(self.colour[square + SHAPE_SQUARES[shape * 3 + i] + by])
        for i in range(count):
            colours[i] = self.paint(square + SHAPE_SQUARES[shape * 3 + i], 0)
        self.block_size = count
        self.changed_size = 0
        for i in range(count):
            there = square + SHAPE_SQUARES[shape * 3 + i] + by
            self.paint(there, colours[i])
            self.block[i] = there
            if colours[i] != before[i]:
                self.changed[self.changed_size] = there
                self.changed_size += 1
        found = self.formed(self.actor)
        for i in range(count):
            self.paint(square + SHAPE_SQUARES[shape * 3 + i] + by, 0)
        for i in range(count):
            self.paint(square + SHAPE_SQUARES[shape * 3 + i], colours[i])
        return found

    # Conditions that are part of the rules of moving.

    def meets_quota(self, seat: i64, card: i64) -> bool:
        """HR-1.4, judged with the quota itself in hand (HR-7.1)."""
        condition = i64(self.cards.quota[card])
        other = 1 - seat
        if condition == FIVE_IN_HAND:
            return self.hand_size[seat] >= 5
        if condition == ONLY_CARD:
            return self.hand_size[seat] == 1
        if condition == MORE_SCORED:
            return self.scored_size[seat] > self.scored_size[other]
        if condition == FEWER_SCORED:
            return self.scored_size[seat] < self.scored_size[other]
        colour = self.cards.colour[card]
        base = seat * 64
        for i in range(self.hand_size[seat]):
            if self.cards.colour[i64(self.hand[base + i])] != colour:
                return False
        return self.hand_size[seat] >= 3

    # Copies, and the whole table as numbers.

    def copy_from(self, source: "Table") -> None:
        self.clear_office()
        for i in range(source.size):
            square = source.squares[i]
            self.squares[i] = square
            self.place_in_list[square] = u8(i)
            self.colour[square] = source.colour[square]
            self.face[square] = source.face[square]
            self.near[square] = source.near[square]
            self.rows_dark[square >> 6] = source.rows_dark[square >> 6]
            self.rows_light[square >> 6] = source.rows_light[square >> 6]
        for i in range(source.frontier_size):
            square = source.frontier[i]
            self.frontier[i] = square
            self.place_in_list[square] = u8(i)
            self.near[square] = source.near[square]
        self.size = source.size
        self.frontier_size = source.frontier_size
        self.origin_x = source.origin_x
        self.origin_y = source.origin_y
        for seat in range(2):
            base = i64(seat) * 64
            for i in range(source.hand_size[seat]):
                self.hand[base + i] = source.hand[base + i]
            for i in range(source.play_size[seat]):
                self.play[base + i] = source.play[base + i]
            for i in range(source.scored_size[seat]):
                self.scored[base + i] = source.scored[base + i]
            self.hand_size[seat] = source.hand_size[seat]
            self.overtimes[seat] = source.overtimes[seat]
            self.play_size[seat] = source.play_size[seat]
            self.scored_size[seat] = source.scored_size[seat]
            self.points[seat] = source.points[seat]
        for i in range(source.deck_size):
            self.deck[i] = source.deck[i]
        for i in range(source.discard_size):
            self.discard[i] = source.discard[i]
        self.deck_size = source.deck_size
        self.discard_size = source.discard_size
        self.actor = source.actor
        self.phase = source.phase
        self.plays_left = source.plays_left
        self.hiring = source.hiring
        self.overtime_used = source.overtime_used
        self.looked = source.looked
        self.changed_size = 0
        self.block_size = 0

    def clear(self) -> None:
        self.clear_office()
        self.origin_x = CENTRE
        self.origin_y = CENTRE
        for seat in range(2):
            self.hand_size[seat] = 0
            self.overtimes[seat] = 0
            self.play_size[seat] = 0
            self.scored_size[seat] = 0
            self.points[seat] = 0
        self.deck_size = 0
        self.discard_size = 0
        self.actor = 0
        self.phase = AT_TURN
        self.plays_left = 0
        self.hiring = NONE
        self.overtime_used = 0
        self.looked = 0
        self.changed_size = 0
        self.block_size = 0

    def numbers(self) -> list[int]:
        """Everything that matters later, the order of lists included; see `from_numbers`."""
        out: list[int] = [int(self.origin_x), int(self.origin_y), int(self.size)]
        for i in range(self.size):
            out.append(int(self.squares[i]))
            out.append(int(self.face[self.squares[i]]))
        out.append(int(self.frontier_size))
        for i in range(self.frontier_size):
            out.append(int(self.frontier[i]))
        for seat in range(2):
            out.extend(self.hand_of(i64(seat), True))
            out.extend(self.play_of(i64(seat), True))
            out.extend(self.scored_of(i64(seat), True))
        out.append(int(self.deck_size))
        for i in range(self.deck_size):
            out.append(int(self.deck[i]))
        out.append(int(self.discard_size))
        for i in range(self.discard_size):
            out.append(int(self.discard[i]))
        for number in (
            self.actor,
            self.phase,
            self.plays_left,
            self.hiring,
            self.overtime_used,
            self.looked,
        ):
            out.append(int(number))
        return out

    def from_numbers(self, numbers: list[int]) -> None:
        self.clear()
        count = numbers[2]
        at = 3
        for _ in range(count):
            self.add(i64(numbers[at]), i64(numbers[at + 1]))
            at += 2
        for i in range(numbers[at]):
            square: i64 = numbers[at + 1 + i]
            self.frontier[i] = square
            self.place_in_list[square] = u8(i)
        at += 1 + numbers[at]
        for seat in range(2):
            for card in numbers[at + 1 : at + 1 + numbers[at]]:
                self.give(i64(seat), card)
            at += 1 + numbers[at]
            for card in numbers[at + 1 : at + 1 + numbers[at]]:
                self.put_in_play(i64(seat), card)
            at += 1 + numbers[at]
            for card in numbers[at + 1 : at + 1 + numbers[at]]:
                self.score(i64(seat), card)
            at += 1 + numbers[at]
        for card in numbers[at + 1 : at + 1 + numbers[at]]:
            self.stack(card)
        at += 1 + numbers[at]
        for card in numbers[at + 1 : at + 1 + numbers[at]]:
            self.throw(card)
        at += 1 + numbers[at]
        self.origin_x = numbers[0]
        self.origin_y = numbers[1]
        self.actor = numbers[at]
        self.phase = numbers[at + 1]
        self.plays_left = numbers[at + 2]
        self.hiring = numbers[at + 3]
        self.overtime_used = numbers[at + 4]
        self.looked = numbers[at + 5]

    def reface(self, square: i64, card: i64) -> None:
        """Another card of the same colour lies here, as it turns out."""
        self.face[square] = u8(card)

    def stack(self, card: i64) -> None:
        """Put a card on top of the deck."""
        self.deck[self.deck_size] = u8(card)
        self.deck_size += 1

    # Lists for callers that are not compiled.

    def hand_of(self, seat: i64, counted: bool = False) -> list[int]:
        return self._listed(self.hand, seat * 64, self.hand_size[seat], counted)

    def play_of(self, seat: i64, counted: bool = False) -> list[int]:
        return self._listed(self.play, seat * 64, self.play_size[seat], counted)

    def scored_of(self, seat: i64, counted: bool = False) -> list[int]:
        return self._listed(self.scored, seat * 64, self.scored_size[seat], counted)

    def deck_list(self) -> list[int]:
        """The deck, top first."""
        return self._listed(self.deck, 0, self.deck_size, False)[::-1]

    def discard_list(self) -> list[int]:
        return self._listed(self.discard, 0, self.discard_size, False)

    def _listed(self, cards: vec[u8], base: i64, count: i64, counted: bool) -> list[int]:
        out: list[int] = [int(count)] if counted else []
        for i in range(count):
            out.append(int(cards[base + i]))
        return out

    def cubicles(self) -> list[tuple[int, int, int]]:
        """Every cubicle as x, y, card, in reading order."""
        out: list[tuple[int, int, int]] = []
        for square in sorted(self._listed_squares()):
            out.append((int(self.x_of(square)), int(self.y_of(square)), int(self.face[square])))
        return out

    def _listed_squares(self) -> list[int]:
        out: list[int] = []
        for i in range(self.size):
            out.append(int(self.squares[i]))
        return out
