"""The whole table as integers: three floors, hands, deck, the orders of a turn and what they do.

An order is a number: for a card its bits 0-7 are the card, 8-9
the quarter turns, 10-17 and 18-25 the square; for an employee bits 0-7 and 8-15 are the square.
Squares are counted from the origin, which has the number AWAY, so that orders outlive a floor's
moving on its grid.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.cube_farm.kernel.codes import (
    BIT,
    CUBE,
    FITS,
    FLOORS,
    MAX_SIDE,
    MAX_SQUARES,
    NAMED_TWICE,
    NONE,
    NOT_IN_HAND,
    NOT_ORDERED,
    PHASES,
    SEATS,
    STRIDE,
    TAKEN,
    TURNS,
    WITH_CARD,
    WITH_EMPLOYEE,
    Cards,
    Found,
    Rng,
)
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import (
    place_card,
    sample_placement,
    square_in,
    turn_in,
    why_card,
)
from openplan.games.cube_farm.kernel.walking import add_employees, score_floor, why_employee

NO_ORDER: Final = -1
AWAY: Final = 128
FIRST_DEAL: Final = 5
HAND: Final = 64  # places kept for a hand


def deal_after(turn: i64) -> i64:
    """CF-2.3: how many cards each seat receives at the end of a turn."""
    if turn <= 3:
        return 3
    return 1 if turn == 4 else 0


def floor_of(seat: i64, phase: i64) -> i64:
    """CF-3.2: at home in the first phase (0), then one floor further each time."""
    return (seat + phase) % FLOORS


def pack_card(card: i64, turn: i64, x: i64, y: i64) -> i64:
    return card | (turn << 8) | ((x + AWAY) << 10) | ((y + AWAY) << 18)


def card_of(order: i64) -> i64:
    return order & 255


def turn_of(order: i64) -> i64:
    return (order >> 8) & 3


def card_x(order: i64) -> i64:
    return ((order >> 10) & 255) - AWAY


def card_y(order: i64) -> i64:
    return ((order >> 18) & 255) - AWAY


def pack_employee(x: i64, y: i64) -> i64:
    return (x + AWAY) | ((y + AWAY) << 8)


def employee_x(order: i64) -> i64:
    return (order & 255) - AWAY


def employee_y(order: i64) -> i64:
    return (order >> 8) - AWAY


def carry_out(floor: Floor, spare: Floor, card: i64, employee: i64, seat: i64) -> None:
    """CF-3.3, CF-3.4: what a seat's orders for a phase do to a floor. `spare` is a floor to copy it
    to, where card and employee are lost together."""
    together = floor.cards.loses_together and card != NO_ORDER and employee != NO_ORDER
    if card != NO_ORDER:
        turn = turn_of(card)
        square = floor.square_at(card_x(card), card_y(card))
        if why_card(floor, card_of(card), turn, square) == FITS:
            if together:
                spare.copy_from(floor)
            place_card(floor, card_of(card), turn, square)
        elif together:
            return
    if employee != NO_ORDER:
        square = floor.square_at(employee_x(employee), employee_y(employee))
        if why_employee(floor, square) == FITS:
            floor.employ(square, seat)
        elif together:
            floor.copy_from(spare)


@final
class Board:
    cards: Cards
    top: Floor
    middle: Floor
    basement: Floor
    hand: vec[u8]
    hand_size: vec[i64]
    deck: vec[u8]  # the next to be dealt is at `deck_next`
    deck_next: i64
    deck_size: i64
    turn: i64  # 1 to 5; 6 when it is over
    # By seat * 3 + phase: what was ordered, and after adjudication what came of it.
    card_order: vec[i64]
    employee_order: vec[i64]
    card_result: vec[i64]
    employee_result: vec[i64]
    holder: i64  # who has the cube for which the last employee came too late
    points: vec[i64]
    found: Found
    spare: Floor | None  # to try a phase on, where card and employee are lost together

    def __init__(self, cards: Cards) -> None:
        self.cards = cards
        self.top = Floor(cards)
        self.middle = Floor(cards)
        self.basement = Floor(cards)
        self.hand = vec[u8](bytes(SEATS * HAND))
        self.hand_size = vec[i64]([0] * SEATS)
        self.deck = vec[u8](bytes(256))
        self.deck_next = 0
        self.deck_size = 0
        self.turn = 1
        self.card_order = vec[i64]([NO_ORDER] * (SEATS * PHASES))
        self.employee_order = vec[i64]([NO_ORDER] * (SEATS * PHASES))
        self.card_result = vec[i64]([NOT_ORDERED] * (SEATS * PHASES))
        self.employee_result = vec[i64]([NOT_ORDERED] * (SEATS * PHASES))
        self.holder = -1
        self.points = vec[i64]([0] * SEATS)
        self.found = Found(1)
        self.spare = Floor(cards) if cards.loses_together else None

    def floor(self, number: i64) -> Floor:
        if number == 0:
            return self.top
        return self.middle if number == 1 else self.basement

    # Hands and deck.

    def give(self, seat: i64, card: i64) -> None:
        self.hand[seat * HAND + self.hand_size[seat]] = u8(card)
        self.hand_size[seat] += 1

    def holds(self, seat: i64, card: i64) -> bool:
        for place in range(self.hand_size[seat]):
            if i64(self.hand[seat * HAND + place]) == card:
                return True
        return False

    def take(self, seat: i64, card: i64) -> None:
        """Take a card out of a hand, whose order stays as it is."""
        size = self.hand_size[seat]
        place: i64 = 0
        while i64(self.hand[seat * HAND + place]) != card:
            place += 1
        while place + 1 < size:
            self.hand[seat * HAND + place] = self.hand[seat * HAND + place + 1]
            place += 1
        self.hand_size[seat] = size - 1

    # CF-3: a turn.

    def order_card(self, seat: i64, phase: i64, order: i64) -> None:
        self.card_order[seat * PHASES + phase] = order

    def order_employee(self, seat: i64, phase: i64, order: i64) -> None:
        self.employee_order[seat * PHASES + phase] = order

    def forget_orders(self) -> None:
        for place in range(SEATS * PHASES):
            self.card_order[place] = NO_ORDER
            self.employee_order[place] = NO_ORDER
            self.card_result[place] = NOT_ORDERED
            self.employee_result[place] = NOT_ORDERED

    def adjudicate(self) -> None:
        """All phases, then the deal. Within a phase every seat has a floor to itself (CF-3.2)."""
        for phase in range(PHASES):
            for seat in range(SEATS):
                self.carry_out_card(seat, phase)
                self.carry_out_employee(seat, phase)
        self.end_turn()

    def carry_out_card(self, seat: i64, phase: i64) -> None:
        """CF-3.4: place the card, or lose the placement and keep the card, or spend it where the
        table says so."""
        place = seat * PHASES + phase
        order = self.card_order[place]
        floor = self.floor(floor_of(seat, phase))
        floor.filled_count = 0
        if order == NO_ORDER:
            self.card_result[place] = NOT_ORDERED
            return
        card = card_of(order)
        for earlier in range(phase):
            other = self.card_order[seat * PHASES + earlier]
            if other != NO_ORDER and card_of(other) == card:
                self.card_result[place] = NAMED_TWICE
                return
        if not self.holds(seat, card):
            self.card_result[place] = NOT_IN_HAND
            return
        turn = turn_of(order)
        square = floor.square_at(card_x(order), card_y(order))
        result = why_card(floor, card, turn, square)
        employee = self.employee_order[place]
        spare = self.spare
        if result == FITS and spare is not None and employee != NO_ORDER:
            # Both are judged before either is done.
            spare.copy_from(floor)
            place_card(spare, card, turn, square)
            if self._judge_employee(spare, place, employee) != FITS:
                result = WITH_EMPLOYEE
        self.card_result[place] = result
        if result == FITS:
            place_card(floor, card, turn, square)
        if result == FITS or self.cards.spends_lost:
            self.take(seat, card)

    def carry_out_employee(self, seat: i64, phase: i64) -> None:
        place = seat * PHASES + phase
        order = self.employee_order[place]
        if order == NO_ORDER:
            self.employee_result[place] = NOT_ORDERED
            return
        if self.cards.loses_together:
            card = self.card_result[place]
            if card == WITH_EMPLOYEE:
                return
            if card != FITS and card != NOT_ORDERED:
                self.employee_result[place] = WITH_CARD
                return
        floor = self.floor(floor_of(seat, phase))
        if self._judge_employee(floor, place, order) == FITS:
            floor.employ(floor.square_at(employee_x(order), employee_y(order)), seat)

    def _judge_employee(self, floor: Floor, place: i64, order: i64) -> i64:
        """Note down what would come of an employee's order on this floor."""
        square = floor.square_at(employee_x(order), employee_y(order))
        result = why_employee(floor, square)
        self.employee_result[place] = result
        self.holder = -1
        if result == TAKEN:
            self.holder = floor.owner_at(square)
        return result

    def end_turn(self) -> None:
        """CF-2.3: every seat receives its cards, in the order of the seats, whatever was lost."""
        count = deal_after(self.turn)
        for seat in range(SEATS):
            for _ in range(count):
                if self.deck_next < self.deck_size:
                    self.give(seat, i64(self.deck[self.deck_next]))
                    self.deck_next += 1
        self.turn += 1

    def score(self) -> None:
        """CF-6: the total of each seat into `points`."""
        points = self.points
        points[0] = 0
        points[1] = 0
        points[2] = 0
        for number in range(FLOORS):
            floor = self.floor(number)
            score_floor(floor, number)
            for seat in range(SEATS):
                points[seat] += floor.points[seat]

    # Copies and lists.

    def copy_from(self, source: "Board") -> None:
        self.top.copy_from(source.top)
        self.middle.copy_from(source.middle)
        self.basement.copy_from(source.basement)
        for place in range(SEATS * HAND):
            self.hand[place] = source.hand[place]
        for seat in range(SEATS):
            self.hand_size[seat] = source.hand_size[seat]
            self.points[seat] = source.points[seat]
        for place in range(source.deck_size):
            self.deck[place] = source.deck[place]
        self.deck_next = source.deck_next
        self.deck_size = source.deck_size
        self.turn = source.turn
        for place in range(SEATS * PHASES):
            self.card_order[place] = source.card_order[place]
            self.employee_order[place] = source.employee_order[place]
            self.card_result[place] = source.card_result[place]
            self.employee_result[place] = source.employee_result[place]

    def set_hand(self, seat: i64, cards: list[int]) -> None:
        self.hand_size[seat] = 0
        for card in cards:
            self.give(seat, card)

    def set_deck(self, cards: list[int]) -> None:
        self.deck_next = 0
        self.deck_size = len(cards)
        for place in range(len(cards)):
            self.deck[place] = u8(cards[place])

    def hand_of(self, seat: i64) -> list[int]:
        return [int(i64(self.hand[seat * HAND + i])) for i in range(self.hand_size[seat])]

    def deck_list(self) -> list[int]:
        """The undealt cards, the next one first."""
        return [int(i64(self.deck[i])) for i in range(self.deck_next, self.deck_size)]

    # Random games.

    def deal(self, rng: Rng) -> None:
        """CF-2 with the kernel's own chance, for playouts; a match is dealt elsewhere."""
        cards = self.cards
        deck = self.deck
        size = cards.count
        elevators: i64 = 0
        for card in range(size):
            deck[card] = u8(card)
            if cards.has_elevator[card] != 0:
                deck[card] = deck[elevators]
                deck[elevators] = u8(card)
                elevators += 1
        for number in range(FLOORS):
            self._draw(number, elevators, rng)
            floor = self.floor(number)
            floor.clear()
            place_card(floor, i64(deck[number]), 0, floor.square_at(0, 0))
        # All others are shuffled only now, further elevators among them: in an order shuffled
        # before, these would come after the three.
        for place in range(FLOORS, size - 1):
            self._draw(place, size, rng)
        self.deck_next = FLOORS
        self.deck_size = size
        for seat in range(SEATS):
            self.hand_size[seat] = 0
            for _ in range(FIRST_DEAL):
                self.give(seat, i64(deck[self.deck_next]))
                self.deck_next += 1
        self.turn = 1
        self.forget_orders()

    def _draw(self, place: i64, end: i64, rng: Rng) -> None:
        """Any card of the deck from this place up to `end` comes here."""
        other = place + rng.below(end - place)
        card = self.deck[other]
        self.deck[other] = self.deck[place]
        self.deck[place] = card

    def sample_orders(self, seat: i64, rng: Rng) -> None:
        """An order set that is possible on the floors as they stand: for each phase a card from the
        hand somewhere it fits, and an employee in a cube of the floor or of that card."""
        used: i64 = 0
        size = self.hand_size[seat]
        for phase in range(PHASES):
            place = seat * PHASES + phase
            floor = self.floor(floor_of(seat, phase))
            self.card_order[place] = NO_ORDER
            self.employee_order[place] = NO_ORDER
            found = self.found
            found.count = 0
            add_employees(floor, found)
            if phase < size:
                pick = rng.below(size - phase)
                at: i64 = 0
                while True:
                    if used & BIT[at] == 0:
                        if pick == 0:
                            break
                        pick -= 1
                    at += 1
                used |= BIT[at]
                card = i64(self.hand[seat * HAND + at])
                move = sample_placement(floor, card, rng) if card != NONE else -1
                if move >= 0:
                    square = square_in(move)
                    turn = turn_in(move)
                    self.card_order[place] = pack_card(
                        card, turn, floor.x_of(square), floor.y_of(square)
                    )
                    self._add_own_cubes(card * 4 + turn, square)
            if found.count != 0:
                square = found.moves[rng.below(found.count)]
                self.employee_order[place] = pack_employee(floor.x_of(square), floor.y_of(square))

    def _add_own_cubes(self, lie: i64, square: i64) -> None:
        """Add the cube squares that a card would bring, as it would lie."""
        cards = self.cards
        found = self.found
        for dy in range(cards.height[lie]):
            for dx in range(cards.width[lie]):
                if i64(cards.kind[lie * MAX_SQUARES + dy * MAX_SIDE + dx]) == CUBE:
                    found.moves[found.count] = square + dy * STRIDE + dx
                    found.count += 1

    def play_out(self, rng: Rng) -> None:
        """Random orders to the end."""
        while self.turn <= TURNS:
            for seat in range(SEATS):
                self.sample_orders(seat, rng)
            self.adjudicate()
        self.score()


def random_games(cards: Cards, seed: i64, count: i64) -> list[int]:
    """Full random games: the totals, placed cards and employees of each, one after another."""
    table = Board(cards)
    out: list[int] = []
    for number in range(count):
        rng = Rng(seed + number)
        table.deal(rng)
        table.play_out(rng)
        out += [int(table.points[0]), int(table.points[1]), int(table.points[2])]
        placed: i64 = 0
        employed: i64 = 0
        for floor in range(FLOORS):
            placed += table.floor(floor).placed_count
            employed += table.floor(floor).employee_count
        out += [int(placed), int(employed)]
    return out
