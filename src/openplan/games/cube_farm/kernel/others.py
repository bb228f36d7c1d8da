"""What the others may order in a turn, as one of three may imagine it.

What looks good with each card in each phase is found once, on
the floors as they stand. Then, as often as is asked, hands are dealt from the cards not seen, and
whoever holds them orders what looks good to him, with some whim.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.cube_farm.kernel.appraise import Planner
from openplan.games.cube_farm.kernel.board import HAND, NO_ORDER, Board, card_of
from openplan.games.cube_farm.kernel.codes import NONE, PHASES, SEATS, Rng

SAMPLES: Final = 512
CARDS: Final = 256
IDEAS: Final = 6
"""So many placements of a card they are believed to consider."""
WHIM: Final = 1500
"""By how many thousandths of a point what they see in them may be wrong."""


@final
class Book:
    """What a seat may think of doing with each card in each phase, on the floors as they stand."""

    count: vec[i64]
    card: vec[i64]
    employee: vec[i64]
    worth: vec[i64]

    def __init__(self) -> None:
        size = SEATS * PHASES * CARDS
        self.count = vec[i64]([0] * size)
        self.card = vec[i64]([0] * (size * IDEAS))
        self.employee = vec[i64]([0] * (size * IDEAS))
        self.worth = vec[i64]([0] * (size * IDEAS))

    def clear(self) -> None:
        for page in range(SEATS * PHASES * CARDS):
            self.count[page] = 0

    def note(self, page: i64, card: i64, employee: i64, worth: i64) -> None:
        """Keep the best ideas of a page."""
        size = self.count[page]
        base = page * IDEAS
        if size == IDEAS:
            if self.worth[base + size - 1] >= worth:
                return
            size -= 1
        at = base + size
        while at > base and self.worth[at - 1] < worth:
            self.card[at] = self.card[at - 1]
            self.employee[at] = self.employee[at - 1]
            self.worth[at] = self.worth[at - 1]
            at -= 1
        self.card[at] = card
        self.employee[at] = employee
        self.worth[at] = worth
        self.count[page] = size + 1


@final
class Others:
    book: Book
    seat: i64  # who imagines
    unseen: vec[i64]
    unseen_size: i64
    gone: vec[i64]
    hand: vec[i64]
    # Imagined orders, by sample, seat and phase.
    card: vec[i64]
    employee: vec[i64]

    def __init__(self) -> None:
        self.book = Book()
        self.seat = 0
        self.unseen = vec[i64]([0] * CARDS)
        self.unseen_size = 0
        self.gone = vec[i64]([0] * SEATS)
        self.hand = vec[i64]([0] * HAND)
        self.card = vec[i64]([0] * (SAMPLES * SEATS * PHASES))
        self.employee = vec[i64]([0] * (SAMPLES * SEATS * PHASES))

    def meet(self, seat: i64, unseen: list[int], gone: list[int]) -> None:
        """Who imagines, which cards may be in hidden places, who has withdrawn."""
        self.seat = seat
        self.unseen_size = len(unseen)
        for at in range(len(unseen)):
            self.unseen[at] = unseen[at]
        for at in range(SEATS):
            self.gone[at] = 0
        for one in gone:
            self.gone[one] = 1

    def fill_book(self, table: Board, planner: Planner, places: i64, until: float) -> None:
        book = self.book
        book.clear()
        for step in range(1, SEATS):
            seat = (self.seat + step) % SEATS
            if self.gone[seat] != 0:
                continue
            planner.cards = 0
            for at in range(self.unseen_size):
                planner.card[planner.cards] = self.unseen[at]
                planner.cards += 1
            for at in range(table.hand_size[seat]):
                card = i64(table.hand[seat * HAND + at])
                if card != NONE:
                    planner.card[planner.cards] = card
                    planner.cards += 1
            for phase in range(PHASES):
                planner.survey(table, seat, i64(phase), places, until)
                found = planner.places
                found.find_hot()
                for place in range(found.count):
                    order = found.order[place]
                    card = card_of(order) if order != NO_ORDER else i64(NONE)
                    worth = i64(int(1000.0 * found.worth(i64(place), i64(phase))))
                    employee = found.seat_order(i64(place), i64(phase))
                    book.note((seat * PHASES + phase) * CARDS + card, order, employee, worth)

    def imagine(self, table: Board, rng: Rng, sample: i64) -> None:
        """Deal hands from the unseen cards and let everybody order by the book. The table has NONE
        for cards that are not known."""
        unseen = self.unseen
        dealt: i64 = 0
        for step in range(1, SEATS):
            seat = (self.seat + step) % SEATS
            base = (sample * SEATS + seat) * PHASES
            for phase in range(PHASES):
                self.card[base + phase] = NO_ORDER
                self.employee[base + phase] = NO_ORDER
            if self.gone[seat] != 0:
                continue
            for at in range(table.hand_size[seat]):
                card = i64(table.hand[seat * HAND + at])
                if card == NONE:
                    other = dealt + rng.below(self.unseen_size - dealt)
                    card = unseen[other]
                    unseen[other] = unseen[dealt]
                    unseen[dealt] = card
                    dealt += 1
                self.hand[at] = card
            self._order_by_book(rng, seat, base, table.hand_size[seat])

    def _order_by_book(self, rng: Rng, seat: i64, base: i64, size: i64) -> None:
        book = self.book
        hand = self.hand
        first = rng.below(PHASES)
        for step in range(PHASES):
            phase = (first + step) % PHASES
            pages = (seat * PHASES + phase) * CARDS
            best: i64 = -1000000000
            best_at: i64 = size
            for at in range(size + 1):
                card = hand[at] if at < size else i64(NONE)
                if card < 0:
                    continue
                page = pages + card
                for idea in range(book.count[page]):
                    worth = book.worth[page * IDEAS + idea] + rng.below(WHIM)
                    if worth > best:
                        best = worth
                        best_at = i64(at)
                        self.card[base + phase] = book.card[page * IDEAS + idea]
                        self.employee[base + phase] = book.employee[page * IDEAS + idea]
            if best_at < size:
                hand[best_at] = -1
