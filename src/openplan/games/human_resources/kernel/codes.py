"""Human Resources as integers: numbers of things, packed moves, the cards as tables.

With `table.py` (what lies where), `patterns.py`, `pieces.py`, `turn.py` (what a move does),
`generate.py` (which moves there are) and `appraise.py` it is one unit, which runs as it is or
compiled by mypyc and must do the same in both. It knows nothing of text or of who may see what.

A card is a number from 0 to 61 (`cards.py` names them), or one of three blanks that stand for a
card unknown to whoever holds the table: a table full of blanks is what a viewer knows, and the
same code plays on it.

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

# Kinds of moves. Hiring ability a (1 to 11) is the kind 3 + a; for no effect it is IDLE (HR-6.1).
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
IDLE: Final = 17

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
# HR-5.6, with the house rule `leave`: which of the first LEAVABLE projects that an action forms,
# in the order of their time in play, it leaves incomplete.
LEAVABLE: Final = 4
LEAVE_SHIFT: Final = 59
LEAVE_BITS: Final = 8646911284551352320  # 15 * 2 ** 59
M32: Final = 4294967295
GOLDEN: Final = 2654435769


def fixed(values: list[int]) -> vec[i64]:
    table = vec[i64]([0] * len(values))
    for i in range(len(values)):
        table[i] = values[i]
    return table


BIT: Final = fixed([2**n for n in range(63)])
STEP: Final = fixed([-STRIDE, 1, STRIDE, -1])  # north, east, south, west

# The nine shapes of a group of up to three cubicles, as offsets from the first in reading order.
SHAPES: Final = 9
SHAPE_SIZE: Final = fixed([1, 2, 2, 3, 3, 3, 3, 3, 3])
SHAPE_SQUARES: Final = fixed(
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


RING_KEEPS: Final = fixed([_ring_keeps(mask) for mask in range(256)])
COUNT: Final = fixed([bin(mask).count("1") for mask in range(512)])


# -- Packed moves ----------------------------------------------------------------------------
# bits 0-4 kind, 5-11 card, 12-18 second card, 19-31 square, 32-44 second square, 45-48 shape,
# 49-50 direction, 51-56 distance, 57 and 58 Overtime, 59-62 what is left incomplete. Arranging puts
# its cards, top first, where card, second card, square and second square are.


SQUARE_AT: Final = 19
OTHER_AT: Final = 32


def pack(kind: i64, card: i64, second: i64, square: i64, other: i64) -> i64:
    return kind | (card << 5) | (second << 12) | (square << SQUARE_AT) | (other << OTHER_AT)


def pack_shift(card: i64, square: i64, shape: i64, direction: i64, distance: i64) -> i64:
    return pack(SHIFT, card, 0, square, 0) | (shape << 45) | (direction << 49) | (distance << 51)


def kind_of(move: i64) -> i64:
    return move & 31


def card_of(move: i64) -> i64:
    return (move >> 5) & 127


def second_of(move: i64) -> i64:
    return (move >> 12) & 127


def square_of(move: i64) -> i64:
    return (move >> SQUARE_AT) & 8191


def other_of(move: i64) -> i64:
    return (move >> OTHER_AT) & 8191


def shape_of(move: i64) -> i64:
    return (move >> 45) & 15


def direction_of(move: i64) -> i64:
    return (move >> 49) & 3


def distance_of(move: i64) -> i64:
    return (move >> 51) & 63


def slide_of(move: i64) -> i64:
    """How far a shift goes, as a difference of squares."""
    return STEP[direction_of(move)] * distance_of(move)


def arranged(move: i64, place: i64) -> i64:
    """The card that an arranging move puts at this place from the top, or NONE."""
    if place < 2:
        return (move >> (5 + 7 * place)) & 127
    return (move >> (SQUARE_AT + 13 * (place - 2))) & 127


# -- Chance for playouts ---------------------------------------------------------------------


def mixed(number: i64) -> i64:
    """Another number of 32 bits for each, of which every bit depends on all bits of the first."""
    number ^= number >> 16
    number = (number * 569420461) & M32
    number ^= number >> 15
    number = (number * 1935289751) & M32
    return number ^ (number >> 15)


@final
class Rng:
    """A small generator that draws alike compiled and plain: xorshift plus a Weyl sequence. Seeds
    may be numbers in a row: what is drawn with one tells nothing about the next."""

    x: i64
    w: i64

    def __init__(self, seed: i64) -> None:
        self.x = 1
        self.w = 0
        self.restart(seed)

    def restart(self, seed: i64) -> None:
        """Draw as a new one does."""
        self.w = mixed(seed & M32)
        x = mixed(self.w ^ mixed((seed >> 32) & M32) ^ GOLDEN)
        self.x = x if x != 0 else i64(GOLDEN)  # xorshift would stay at 0

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
        self.value = fixed(value)
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
        self.first = fixed(first)
        self.need = fixed(need)
        self.turned = fixed(turned)
        self.turn_dark = fixed(turn_dark)
        self.turn_light = fixed(turn_light)
