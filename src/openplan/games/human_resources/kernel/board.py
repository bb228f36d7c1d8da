"""What lies where: the office square by square, hands, piles and deck, and whose turn it is."""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.codes import (
    AT_CHOICE,
    AT_TURN,
    BIT,
    CENTRE,
    DARK,
    GRID,
    MARGIN,
    NONE,
    OVERTIME_DARK,
    OVERTIME_LIGHT,
    STEP,
    STRIDE,
    Cards,
)


@final
class Board:
    cards: Cards
    # House rules, each 0 or 1; whoever makes a table sets them, and a copy has them too.
    idle: i64  # HR-6.1: a manager may be hired for no effect
    leave: i64  # HR-5.6: what an action completes may be left incomplete
    to_hand: i64  # HR-8.3: the VP of Acquisitions takes a project into hand
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
        self.idle = 0
        self.leave = 0
        self.to_hand = 0
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

    # Copies, and the whole table as numbers.

    def copy_from(self, source: "Board") -> None:
        self.idle = source.idle
        self.leave = source.leave
        self.to_hand = source.to_hand
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
