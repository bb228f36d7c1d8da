"""Moves as text, both ways, and as the kernel's numbers.

    place P05d E2S1                     hire M05d remove E1
    project P05d                        hire M06d exchange P05l E1
    quota Q02l                          hire M07d two-plays
    hire M01d move E1 W1                hire M08d take P03l
    hire M02d swap 0 E1                 hire M09d pick-up
    hire M03d draw                      hire X03d acquire P03l
    hire M04d shift 0+E1+E1S1 east 2    hire X04d look
    pick-up P03l                        arrange P01d P02l M03d Q01l

Where the house rule `idle` is on, `hire M08d idle` hires for no effect.

Where the house rule `leave` is on, an action that would complete projects may name those that it
leaves incomplete: `place M01l E2 leave P01d P10d`.

An action that completes a project may end with `overtime X02d`. Case, spacing and small words such
as `to` are free, and the word after `hire CARD` may be left out: the card says what it does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from openplan.core.game import Unreadable
from openplan.core.grid import Square, format_square, parse_square, reading_order
from openplan.games.human_resources.cards import NUMBER, UNKNOWN, number_of, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.patterns import formed_cards
from openplan.games.human_resources.text.words import why_unread

DIRECTIONS: Final = ("north", "east", "south", "west")
_DELTA: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))

HIRES: Final = {
    "move": codes.MOVE,
    "swap": codes.SWAP,
    "draw": codes.DRAW,
    "shift": codes.SHIFT,
    "remove": codes.REMOVE,
    "exchange": codes.EXCHANGE,
    "two-plays": codes.TWO_PLAYS,
    "take": codes.TAKE,
    "pick-up": codes.PICK_UP,
    "acquire": codes.ACQUIRE,
    "look": codes.LOOK,
    "idle": codes.IDLE,
}
USES: Final = {
    "place": codes.PLACE,
    "project": codes.PLAY_PROJECT,
    "quota": codes.PLAY_QUOTA,
    "pick-up": codes.CHOOSE,
    "arrange": codes.ARRANGE,
}
WORD: Final = {kind: word for words in (USES, HIRES) for word, kind in words.items()}
MAX_TEXT: Final = 200
_IS_SQUARE: Final = re.compile(r"[nesw][0-9]{1,4}")


class Move(NamedTuple):
    """`cards` begins with the card played; for arranging it is the new order, top first."""

    kind: int
    cards: tuple[str, ...]
    squares: tuple[Square, ...] = ()
    direction: int = 0
    distance: int = 0
    overtime: str = ""
    leave: tuple[str, ...] = ()
    """Projects left incomplete (HR-5.6), by their names in order."""

    @property
    def is_hire(self) -> bool:
        return codes.MOVE <= self.kind <= codes.LOOK or self.kind == codes.IDLE


# -- Text ------------------------------------------------------------------------------------


def format_move(move: Move) -> str:
    words = [WORD[move.kind]]
    squares = [format_square(square) for square in move.squares]
    if move.kind == codes.SHIFT:
        squares = ["+".join(squares), DIRECTIONS[move.direction], str(move.distance)]
    if move.is_hire:
        words = ["hire", move.cards[0], *words, *move.cards[1:]]
    else:
        words += move.cards
    words += squares
    if move.leave:
        words += ["leave", *move.leave]
    if move.overtime:
        words += ["overtime", move.overtime]
    return " ".join(words)


def unreadable(
    said: str, code: str = "unreadable", *, text: str = "", **params: object
) -> Unreadable:
    """A move that cannot be read, for a reason in `words`."""
    told = why_unread(said, params, text)
    return Unreadable(code, told["en"], told=told)


def parse_move(text: str, *, covered: bool = False) -> Move:
    """Read a move. `covered` also allows backs (`dark`, `light`, `?`) where a viewer's record has
    them instead of cards."""
    if len(text) > MAX_TEXT:
        raise unreadable("read-length", most=MAX_TEXT)
    reader = _Reader(text, covered)
    use = reader.word("read-begin")
    move = _parse_hire(reader) if use == "hire" else _parse_use(reader, use)
    if reader.peek() == "leave":
        reader.word("")
        leave = [reader.card()]
        while reader.peek() not in ("overtime", ""):
            leave.append(reader.card())
        if len(set(leave)) != len(leave):
            raise reader.fault("read-leave")
        move = move._replace(leave=tuple(sorted(leave)))
    if reader.peek() == "overtime":
        reader.word("")
        move = move._replace(overtime=reader.card())
    reader.end()
    return move


def _parse_use(reader: _Reader, use: str) -> Move:
    if use not in USES:
        raise reader.fault("read-use", use)
    kind = USES[use]
    if kind == codes.ARRANGE:
        cards = [reader.card(), reader.card()]
        while reader.peek() and len(cards) < 4:
            cards.append(reader.card())
        return Move(kind, tuple(cards))
    card = reader.card()
    return Move(kind, (card,), (reader.square(alone=True),) if kind == codes.PLACE else ())


def _parse_hire(reader: _Reader) -> Move:
    card = reader.card()
    word = reader.peek()
    if word in HIRES:
        reader.word("")
    else:  # the card's number says what it does
        word = _ability_word(card)
        if not word:
            raise reader.fault("read-hire", card)
    kind = HIRES[word]
    if kind in (codes.MOVE, codes.SWAP):
        alone = reader.has_pairs()
        squares = [reader.square(alone=alone), reader.square(alone=alone)]
        if kind == codes.SWAP:
            squares = reading_order(squares)
        return Move(kind, (card,), tuple(squares))
    if kind == codes.SHIFT:
        group = [reader.square()]
        while reader.peek() == "+":
            reader.word("")
            group.append(reader.square())
        if len(set(group)) != len(group) or len(group) > 3:
            raise reader.fault("read-group")
        direction = reader.direction()
        return Move(kind, (card,), tuple(reading_order(group)), direction, reader.distance())
    if kind == codes.REMOVE:
        return Move(kind, (card,), (reader.square(alone=True),))
    if kind == codes.EXCHANGE:
        second = reader.card()
        return Move(kind, (card, second), (reader.square(alone=True),))
    if kind in (codes.TAKE, codes.ACQUIRE):
        return Move(kind, (card, reader.card()))
    return Move(kind, (card,))


def _ability_word(card: str) -> str:
    if card[0] == "M":
        return WORD[3 + int(card[1:3])]
    return {"X03": "acquire", "X04": "look"}.get(card[:3], "")


class _Reader:
    """Takes a move's words one by one. Case, spacing and small words between are free."""

    _NOISE: Final = frozenset({"to", "from", "at", "on", "by", "with", "and"})
    _TWO_PLAYS: Final = re.compile(r"\btwo\s+plays\b")
    _PICK_UP: Final = re.compile(r"\bpick\s*up\b")
    _CARD: Final = re.compile(r"([pmqx])0?(\d{1,2})([dl])")

    def __init__(self, text: str, covered: bool) -> None:
        self.text = text
        self.covered = covered
        cleaned = text.lower().replace("+", " + ").replace(",", " ")
        if "two" in cleaned:
            cleaned = self._TWO_PLAYS.sub("two-plays", cleaned)
        if "pick" in cleaned:
            cleaned = self._PICK_UP.sub("pick-up", cleaned)
        self.words = [word for word in cleaned.split() if word not in self._NOISE]
        self.place = 0

    def fault(self, said: str, word: str = "") -> Unreadable:
        return unreadable(said, text=self.text[:80], word=word)

    def peek(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def word(self, missing: str) -> str:
        if self.place == len(self.words):
            raise self.fault(missing)
        self.place += 1
        return self.words[self.place - 1]

    def card(self) -> str:
        word = self.word("read-card-missing")
        if self.covered and word in UNKNOWN:
            return word
        name = self._name(word)
        if name not in NUMBER:
            raise self.fault("read-card", word[:20])
        return name

    @classmethod
    @lru_cache(maxsize=1_000)
    def _name(cls, word: str) -> str:
        found = cls._CARD.fullmatch(word)
        return f"{found[1].upper()}{int(found[2]):02}{found[3]}" if found else ""

    def square(self, *, alone: bool = False) -> Square:
        """`alone` says that no other square follows: `E2 S1` is then one."""
        word = self.word("read-square-missing")
        if alone and _IS_SQUARE.fullmatch(word) and _IS_SQUARE.fullmatch(self.peek()):
            word += self.word("")
        try:
            return parse_square(word)
        except Unreadable:
            raise self.fault("read-square", word[:40]) from None

    def has_pairs(self) -> bool:
        """Do four halves of squares follow, as in `move E1 S1 to W2 N1`?"""
        halves = self.words[self.place : self.place + 4]
        return len(halves) == 4 and all(_IS_SQUARE.fullmatch(half) for half in halves)

    def direction(self) -> int:
        word = self.word("read-direction-missing")
        for number, direction in enumerate(DIRECTIONS):
            if word in (direction, direction[0]):
                return number
        raise self.fault("read-direction", word[:20])

    def distance(self) -> int:
        word = self.word("read-distance-missing")
        if not re.fullmatch(r"[0-9]{1,3}", word) or int(word) < 1:
            raise self.fault("read-distance", word[:20])
        return int(word)

    def end(self) -> None:
        if self.place < len(self.words):
            raise self.fault("read-end", self.words[self.place][:20])


# -- The kernel's numbers --------------------------------------------------------------------

_OFFSETS: Final = [
    [int(codes.SHAPE_SQUARES[3 * shape + i]) for i in range(int(codes.SHAPE_SIZE[shape]))]
    for shape in range(codes.SHAPES)
]
_SHAPE_OF: Final = {
    # An offset is rows times the stride plus columns, and columns may be to the west.
    tuple(((offset + 32) % 64 - 32, (offset + 32) // 64) for offset in offsets): shape
    for shape, offsets in enumerate(_OFFSETS)
}


def shape_of(squares: tuple[Square, ...]) -> int | None:
    """Which shape a group in reading order has, or `None` if it does not hang together."""
    first = squares[0]
    return _SHAPE_OF.get(tuple((s.x - first.x, s.y - first.y) for s in squares))


def to_kernel(table: Board, move: Move) -> int:
    """The packed move. Its squares must be on the table's grid, its group a shape, and what it
    leaves among what it forms."""
    if move.leave:
        packed = to_kernel(table, move._replace(leave=()))
        for rank, card in enumerate(formed_cards(table, packed)[: codes.LEAVABLE]):
            if shown(card) in move.leave:
                packed |= 1 << (codes.LEAVE_SHIFT + rank)
        return packed
    numbers = [number_of(card) for card in move.cards]
    bits = {"": 0, "X02d": codes.OVERTIME_DARK_BIT, "X02l": codes.OVERTIME_LIGHT_BIT}
    overtime = bits[move.overtime]
    if move.kind == codes.ARRANGE:
        numbers += [codes.NONE] * (4 - len(numbers))
        return int(codes.pack(move.kind, *numbers))
    at = [int(table.square_at(x, y)) for x, y in move.squares]
    if move.kind == codes.SHIFT:
        shape = shape_of(move.squares)
        assert shape is not None
        packed = codes.pack_shift(numbers[0], at[0], shape, move.direction, move.distance)
        return int(packed) | overtime
    first, second = [*numbers, 0][:2]
    square, other = [*at, 0, 0][:2]
    return int(codes.pack(move.kind, first, second, square, other)) | overtime


def from_kernel(table: Board, packed: Sequence[int]) -> list[Move]:
    """Packed moves of this table as moves; many at a time, since squares and cards recur."""
    origin_x, origin_y = int(table.origin_x), int(table.origin_y)

    @cache
    def square(number: int) -> Square:
        return Square((number & 63) - origin_x, (number >> 6) - 2 - origin_y)

    @cache
    def squares(number: int) -> tuple[Square, ...]:
        return (square(number),)

    @cache
    def card(number: int) -> tuple[str, ...]:
        return (shown(number),)

    def unpack(move: int) -> Move:
        kind = int(codes.kind_of(move))
        first = int(codes.square_of(move))
        overtime = ""
        if move & codes.OVERTIME_BITS:
            overtime = "X02d" if move & codes.OVERTIME_DARK_BIT else "X02l"
        cards = card(codes.card_of(move))
        if kind in (codes.PLACE, codes.REMOVE):
            return Move(kind, cards, squares(first), 0, 0, overtime)
        if kind in (codes.EXCHANGE, codes.TAKE, codes.ACQUIRE):
            cards += card(codes.second_of(move))
            where = squares(first) if kind == codes.EXCHANGE else ()
            return Move(kind, cards, where, 0, 0, overtime)
        if kind in (codes.MOVE, codes.SWAP):
            where = (square(first), square(codes.other_of(move)))
            return Move(kind, cards, where, 0, 0, overtime)
        if kind == codes.SHIFT:
            shape = codes.shape_of(move)
            group = tuple(square(first + offset) for offset in _OFFSETS[shape])
            direction, distance = int(codes.direction_of(move)), int(codes.distance_of(move))
            return Move(kind, cards, group, direction, distance, overtime)
        if kind == codes.ARRANGE:
            order = [int(codes.arranged(move, place)) for place in range(4)]
            return Move(kind, tuple(shown(c) for c in order if c != codes.NONE))
        return Move(kind, cards)

    def unpack_whole(move: int) -> Move:
        left = (move & codes.LEAVE_BITS) >> codes.LEAVE_SHIFT
        if not left:
            return unpack(move)
        names = [shown(number) for number in formed_cards(table, move)[: codes.LEAVABLE]]
        leave = sorted(name for rank, name in enumerate(names) if left >> rank & 1)
        return unpack(move)._replace(leave=tuple(leave))

    return [unpack_whole(move) for move in packed]


def shifted(move: Move) -> tuple[Square, ...]:
    """Where a shift's group ends up."""
    x, y = _DELTA[move.direction]
    return tuple(Square(s.x + x * move.distance, s.y + y * move.distance) for s in move.squares)


def step_of(direction: int) -> tuple[int, int]:
    return _DELTA[direction]
