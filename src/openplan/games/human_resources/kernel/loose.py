"""The cards of a truth that could as well lie in each other's places, dealt anew.

One truth is drawn from a view with all that it tells
(`view.py`); most of its hidden cards are tied to nothing but the colour of their backs. These are
shuffled here, as often as is asked, so that a search sees a truth only once.
"""

from typing import final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import CARDS, DARK, OVERTIME, Cards, Rng


@final
class Loose:
    """Where the loose cards of a table lie: where backs are seen, and in the deck where not."""

    hand: vec[i64]  # places in the table's vec of both hands
    hand_count: i64
    square: vec[i64]
    square_count: i64
    deck: vec[i64]
    deck_count: i64
    top: i64  # the deck's uppermost card if it is loose, whose back is seen; or -1
    pool: vec[u8]  # dark cards from the front, light ones from the 64th place on
    dark: i64
    light: i64

    def __init__(self, table: Board, cards: list[int]) -> None:
        is_loose = [False] * 256
        for card in cards:
            is_loose[card] = True
        self.hand = vec[i64]([0] * 128)
        self.square = vec[i64]([0] * CARDS)
        self.deck = vec[i64]([0] * CARDS)
        self.hand_count = 0
        self.square_count = 0
        self.deck_count = 0
        self.top = -1
        self.pool = vec[u8](bytes(128))
        self.dark = 0
        self.light = 0
        for seat in range(2):
            for i in range(table.hand_size[seat]):
                if is_loose[int(i64(table.hand[seat * 64 + i]))]:
                    self.hand[self.hand_count] = seat * 64 + i
                    self.hand_count += 1
        for i in range(table.size):
            if is_loose[int(i64(table.face[table.squares[i]]))]:
                self.square[self.square_count] = table.squares[i]
                self.square_count += 1
        for i in range(table.deck_size):
            if is_loose[int(i64(table.deck[i]))]:
                if i == table.deck_size - 1:
                    self.top = i64(i)
                else:
                    self.deck[self.deck_count] = i64(i)
                    self.deck_count += 1

    def deal(self, table: Board, rng: Rng) -> None:
        """Deal the loose cards anew; the table must be a copy of the one they were found in."""
        cards = table.cards
        self.dark = 0
        self.light = 0
        for i in range(self.hand_count):
            self._collect(cards, table.hand[self.hand[i]])
        for i in range(self.square_count):
            self._collect(cards, table.face[self.square[i]])
        for i in range(self.deck_count):
            self._collect(cards, table.deck[self.deck[i]])
        if self.top >= 0:
            self._collect(cards, table.deck[self.top])
        for i in range(self.hand_count):
            place = self.hand[i]
            card = i64(table.hand[place])
            now = self._draw(rng, i64(cards.colour[card]))
            table.hand[place] = now
            self._count_overtime(table, place // 64, card, i64(now))
        for i in range(self.square_count):
            square = self.square[i]
            table.face[square] = self._draw(rng, i64(table.colour[square]))
        if self.top >= 0:
            colour = i64(cards.colour[i64(table.deck[self.top])])
            table.deck[self.top] = self._draw(rng, colour)
        # Below the top backs are not seen: what is left, in any order.
        left = self.dark + self.light
        for i in range(self.deck_count):
            pick = rng.below(left)
            left -= 1
            table.deck[self.deck[i]] = self._draw(rng, i64(DARK if pick < self.dark else 3 - DARK))

    def _collect(self, cards: Cards, card: u8) -> None:
        if i64(cards.colour[i64(card)]) == DARK:
            self.pool[self.dark] = card
            self.dark += 1
        else:
            self.pool[64 + self.light] = card
            self.light += 1

    def _draw(self, rng: Rng, colour: i64) -> u8:
        pool = self.pool
        first: i64 = 0
        left: i64 = 0
        if colour == DARK:
            left = self.dark
            self.dark -= 1
        else:
            first = 64
            left = self.light
            self.light -= 1
        pick = first + rng.below(left)
        card = pool[pick]
        pool[pick] = pool[first + left - 1]
        return card

    def _count_overtime(self, table: Board, seat: i64, gone: i64, come: i64) -> None:
        kind = table.cards.kind
        if i64(kind[gone]) == OVERTIME:
            table.overtimes[seat] -= 1
        if i64(kind[come]) == OVERTIME:
            table.overtimes[seat] += 1
