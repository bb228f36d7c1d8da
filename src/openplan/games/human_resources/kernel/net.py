"""A small network that judges a table: the chance to win, and the lead to come.

What lies on a table is told as a list of tokens, each of which is there or not: a project of mine
in play that lacks one square, a card in the other's hand, a lead of five with few cards left. Every
token adds a row of numbers to the first layer; the two layers after it are small. All numbers are
integers, so that plain and compiled code agree to the bit, and three units of the first layer share
one word: a sum of packed rows is the packed sum of rows.

A seat judges what it has brought about: the one who has just moved is `me`. Blanks (`codes.py`)
count by the colour of their backs, so that the same network judges a whole truth and a table that
shows only what one seat knows. It is trained on both (benchmarks/train_net.py).
"""

from math import exp
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    CARDS,
    DARK,
    IDS,
    PROJECT,
    QUOTA,
    fixed,
)
from openplan.games.human_resources.kernel.prospects import HELD, STAGE, Prospects
from openplan.games.human_resources.kernel.turn import meets_quota

PROJECTS: Final = 30  # the first cards of every deck (HR-1.2), then managers, quotas and promo
OTHERS: Final = 32
SCORES: Final = 30  # a lead is told up to so many points
MOST_IN_HAND: Final = 11

# Where each sort of token begins.
LACKS: Final = 0  # + whose * 480 + project * 16 + what its best place lacks
NEEDS: Final = 1920  # + whose * 128 + lack * 8 + which colours it needs
PLACES: Final = 2432  # + whose * 48 + lack * 3 + one, two or more such places
MY_CARD: Final = 2624  # + card - 30, in hand
MET: Final = 2656  # + card - 30, a quota that can be played
THEIR_CARD: Final = 2688
MY_BACKER: Final = 2720  # Crowdfunding in play
THEIR_BACKER: Final = 2752
DISCARDED: Final = 2784  # + card
GONE: Final = 2848  # + card, scored or seen in the office
MY_DARK: Final = 2912  # + how many dark backs in hand
MY_LIGHT: Final = 2924
THEIR_DARK: Final = 2936
THEIR_LIGHT: Final = 2948
MY_BLANKS: Final = 2960  # + dark or light * 12 + how many
THEIR_BLANKS: Final = 2984
DECK: Final = 3008  # + how many cards
LEAD: Final = 3072  # + stage * 61 + lead
SCORED: Final = 3438  # + how many more cards I have scored than the other, up to 5
TOP: Final = 3449  # + the colour of the deck's top card, 0 if it is not seen
NEXT: Final = 3452  # + 1 if the one who has moved moves again
TOKENS: Final = 3454

ROOM: Final = 192  # no table has more tokens
WORDS: Final = 32
HIDDEN: Final = 96
SECOND: Final = 16
LANE: Final = 21  # bits of one unit's sum
HALF: Final = 1048576
MASK: Final = 2097151
ONE: Final = 1024
BITS_OF_ONE: Final = 10
MOST: Final = 8192  # a unit gives no more than 8
LARGEST: Final = 5400
"""A weight of the first layer is no larger, so that no sum of ROOM of them leaves its lane."""
SIZE: Final = 2 * (TOKENS * HIDDEN + HIDDEN + HIDDEN * SECOND + SECOND + 2 * SECOND + 2)
"""Bytes of all weights: rows of the first layer, its bias, and the same of the other two."""
CERTAIN: Final = 1000000


def _chances() -> list[int]:
    """From the logarithm of the odds, in steps of 16 from -8 to 8: from -1000000 to 1000000."""
    found: list[int] = []
    for i in range(MOST // 8 + 1):
        odds = exp((i * 16 - MOST) / ONE)
        found.append(int(CERTAIN * (odds - 1.0) / (odds + 1.0)))
    return found


CHANCES: Final = fixed(_chances())
NOBODY: Final = vec[u8](bytes(IDS))


@final
class Net:
    mind: Prospects
    rows: vec[i64]
    bias: vec[i64]
    second: vec[i64]  # by unit of the first layer
    second_bias: vec[i64]
    last: vec[i64]
    last_bias: vec[i64]
    token: vec[i16]
    count: i64
    # The tokens that `sums` are of, and by token how many more there are now.
    summed: vec[i16]
    summed_count: i64
    more: vec[i16]
    sums: vec[i64]
    sums2: vec[i64]
    # What was found: in 1024ths the logarithm of the odds to win, and the final lead less the
    # lead now, in points.
    odds: i64
    points: i64

    def __init__(self, mind: Prospects, weights: bytes) -> None:
        if len(weights) != SIZE:
            raise ValueError(f"the network's weights have {len(weights)} bytes, not {SIZE}")
        self.mind = mind
        self.rows = vec[i64]([0] * (TOKENS * WORDS))
        for token in range(TOKENS):
            for word in range(WORDS):
                at = 2 * (token * HIDDEN + word * 3)
                self.rows[token * WORDS + word] = (
                    _number(weights, at)
                    + (_number(weights, at + 2) << LANE)
                    + (_number(weights, at + 4) << (2 * LANE))
                )
        at = 2 * TOKENS * HIDDEN
        self.bias = _numbers(weights, at, HIDDEN)
        at += 2 * HIDDEN
        self.second = _numbers(weights, at, HIDDEN * SECOND)
        at += 2 * HIDDEN * SECOND
        self.second_bias = _numbers(weights, at, SECOND)
        at += 2 * SECOND
        self.last = _numbers(weights, at, 2 * SECOND)
        self.last_bias = _numbers(weights, at + 4 * SECOND, 2)
        self.token = vec[i16]([i16(0)] * ROOM)
        self.count = 0
        self.summed = vec[i16]([i16(0)] * ROOM)
        self.summed_count = 0
        self.more = vec[i16]([i16(0)] * TOKENS)
        self.sums = vec[i64]([0] * WORDS)
        self.sums2 = vec[i64]([0] * SECOND)
        self.odds = 0
        self.points = 0

    # -- What lies on a table ----------------------------------------------------------------

    def gather(self, table: Board, me: i64, fresh: i64, known: vec[u8], eyes: i64) -> None:
        """The tokens of a table. The last `fresh` cards of my hand, just drawn, count by their
        backs: what they are is chance's doing, not the move's. With `eyes`, only the cards that
        these know (`knowing.py`) count by their faces."""
        mind = self.mind
        other = 1 - me
        self.count = 0
        mine = table.hand_size[me] - fresh
        kept = table.hand_size[me]
        table.hand_size[me] = mine
        mind.look(table, me, table.deck_size)
        table.hand_size[me] = kept
        base = other * 64
        for i in range(table.hand_size[other]):
            card = i64(table.hand[base + i])
            if eyes == 0 or i64(known[card]) & eyes != 0:
                mind.regard(card, HELD)
        for k in range(mind.count):
            card = mind.card[k]
            whose = mind.whose[k] >> 4
            if eyes != 0 and i64(known[card]) & eyes == 0:
                continue  # taken from the office unseen
            lack = mind.best[k]
            places = mind.best_count[k] - 1
            self._tell(LACKS + whose * 480 + card * 16 + lack)
            self._tell(NEEDS + whose * 128 + lack * 8 + mind.needs[k])
            self._tell(PLACES + whose * 48 + lack * 3 + (places if places < 2 else i64(2)))
        self._tell_hand(table, me, mine, known, eyes, MY_CARD)
        self._tell_hand(table, other, table.hand_size[other], known, eyes, THEIR_CARD)
        cards = table.cards
        for seat in range(2):
            begin: i64 = MY_BACKER if seat == me else THEIR_BACKER
            for i in range(table.play_size[seat]):
                card = i64(table.play[seat * 64 + i])
                if i64(cards.kind[card]) != PROJECT:
                    self._tell(begin + card - PROJECTS)
            for i in range(table.scored_size[seat]):
                self._tell(GONE + i64(table.scored[seat * 64 + i]))
        for i in range(table.discard_size):
            self._tell(DISCARDED + i64(table.discard[i]))
        for i in range(table.size):
            card = i64(table.face[table.squares[i]])
            if card < CARDS and (eyes == 0 or i64(known[card]) & eyes != 0):
                self._tell(GONE + card)
        left = table.deck_size
        self._tell(DECK + left)
        lead = table.points[me] - table.points[other]
        lead = max(-SCORES, min(SCORES, lead))
        self._tell(LEAD + STAGE[left] * (2 * SCORES + 1) + SCORES + lead)
        more = table.scored_size[me] - table.scored_size[other]
        self._tell(SCORED + 5 + max(-5, min(5, more)))
        top: i64 = 0
        if left != 0:
            top = i64(cards.colour[i64(table.deck[left - 1])])
        self._tell(TOP + top)
        self._tell(NEXT + (1 if table.actor == me else 0))

    def _tell(self, token: i64) -> None:
        self.token[self.count] = i16(token)
        self.count += 1

    def _tell_hand(
        self, table: Board, seat: i64, shown: i64, known: vec[u8], eyes: i64, begin: i64
    ) -> None:
        """The cards of a hand that are no projects, and how many of each colour there are."""
        cards = table.cards
        dark: i64 = 0
        light: i64 = 0
        blank_dark: i64 = 0
        blank_light: i64 = 0
        for i in range(table.hand_size[seat]):
            card = i64(table.hand[seat * 64 + i])
            is_dark = i64(cards.colour[card]) == DARK
            if is_dark:
                dark += 1
            else:
                light += 1
            if card >= CARDS or i >= shown or (eyes != 0 and i64(known[card]) & eyes == 0):
                if is_dark:
                    blank_dark += 1
                else:
                    blank_light += 1
            elif card >= PROJECTS:
                self._tell(begin + card - PROJECTS)
                if begin == MY_CARD and i64(cards.kind[card]) == QUOTA:
                    if meets_quota(table, seat, card):
                        self._tell(MET + card - PROJECTS)
        counts: i64 = MY_DARK if begin == MY_CARD else THEIR_DARK
        blanks: i64 = MY_BLANKS if begin == MY_CARD else THEIR_BLANKS
        self._tell(counts + min(dark, MOST_IN_HAND))
        self._tell(counts + 12 + min(light, MOST_IN_HAND))
        self._tell(blanks + min(blank_dark, MOST_IN_HAND))
        self._tell(blanks + 12 + min(blank_light, MOST_IN_HAND))

    # -- What it is worth --------------------------------------------------------------------

    def judge(self) -> None:
        """What the gathered tokens are worth: `odds` and `points`."""
        self._sum()
        sums = self.sums
        sums2 = self.sums2
        second = self.second
        bias = self.bias
        for j in range(SECOND):
            sums2[j] = 0
        unit: i64 = 0
        for word in range(WORDS):
            packed = sums[word]
            for _ in range(3):
                # The lowest lane with its sign; what is left of the word is the lanes above it.
                here = ((packed + HALF) & MASK) - HALF
                packed = (packed - here) >> LANE
                here += bias[unit]
                if here > 0:
                    if here > MOST:
                        here = MOST
                    begin = unit * SECOND
                    for j in range(SECOND):
                        sums2[j] += here * second[begin + j]
                unit += 1
        odds = self.last_bias[0] << BITS_OF_ONE
        points = self.last_bias[1] << BITS_OF_ONE
        for j in range(SECOND):
            there = (sums2[j] >> BITS_OF_ONE) + self.second_bias[j]
            if there > 0:
                if there > MOST:
                    there = MOST
                odds += there * self.last[j]
                points += there * self.last[SECOND + j]
        self.odds = odds >> BITS_OF_ONE
        self.points = points >> BITS_OF_ONE

    def _sum(self) -> None:
        """Bring the sums of rows from the tokens judged last to those of now. Mostly it is one
        table after different moves, so that few tokens differ."""
        more = self.more
        for t in range(self.summed_count):
            more[i64(self.summed[t])] -= 1
        for t in range(self.count):
            more[i64(self.token[t])] += 1
        for t in range(self.summed_count):
            self._add(i64(self.summed[t]))
        for t in range(self.count):
            self._add(i64(self.token[t]))
            self.summed[t] = self.token[t]
        self.summed_count = self.count

    def _add(self, token: i64) -> None:
        times = i64(self.more[token])
        if times != 0:
            self.more[token] = 0
            at = token * WORDS
            for word in range(WORDS):
                self.sums[word] += times * self.rows[at + word]

    def as_chance(self) -> i64:
        """The chance to win less that to lose, in millionths, after `judge`."""
        odds = max(-MOST, min(MOST, self.odds))
        return CHANCES[(odds + MOST) >> 4]


def _number(weights: bytes, at: i64) -> i64:
    """Two bytes, the low one first, with a sign."""
    number = i64(weights[int(at)]) + 256 * i64(weights[int(at + 1)])
    return number - 65536 if number >= 32768 else number


def _numbers(weights: bytes, at: i64, count: i64) -> vec[i64]:
    found = vec[i64]([0] * int(count))
    for i in range(count):
        found[i] = _number(weights, at + 2 * i)
    return found
