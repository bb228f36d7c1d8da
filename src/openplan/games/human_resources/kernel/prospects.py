"""What a table promises a seat, in thousandths of a point.

A pattern fits into a 3x3 window. A window's content is a number
in base three (nothing, dark, light), and a table for each project says what a window with that
content still lacks. So the effect of a changed square is looked up in the nine windows around it,
and the best of all moves is found in microseconds (`choosing.py`).

What a lack is worth, and what a card in hand is worth, was fitted to the results of matches played
by these same weights (benchmarks/prospects.py).
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    AT_END,
    BIT,
    CARDS,
    COUNT,
    CROWDFUNDING,
    GRID,
    IDS,
    MANAGER,
    PROJECT,
    QUOTA,
    STRIDE,
    Cards,
    fixed,
)
from openplan.games.human_resources.kernel.turn import meets_quota

CODES: Final = 19683  # 3 ** 9
FOUND: Final = 64  # so many moves at most are kept
FAR: Final = 15
COST: Final = 15  # the bits of an entry that are a cost
EMPTY_COST: Final = 3
WRONG_COST: Final = 5

# Features: what is counted, each with a weight for every stage of the match.
MINE: Final = 0  # + lack: the value of my projects in play that lack so much
THEIRS: Final = 16
IN_HAND: Final = 32
HELD: Final = 48  # whose, not counted: projects in the other's hand
ABILITY: Final = 48  # + ability: managers and their like in my hand
UNMET: Final = 60  # + condition: the value of my quotas that cannot be played now
MET: Final = 66
HAND: Final = 72
OTHER_HAND: Final = 73
BIAS: Final = 74
BACKERS: Final = 75
THEIR_BACKERS: Final = 76
OTHER_CARDS: Final = 77
IN_PLAY: Final = 78
FEATURES: Final = 80

STAGES: Final = 5
STAGE: Final = fixed([5] + [0] * 3 + [1] * 4 + [2] * 6 + [3] * 10 + [4] * 40)
"""By the number of cards left in the deck. Before the last draw nothing counts but points."""

POWER: Final = fixed([1, 3, 9, 27, 81, 243, 729, 2187, 6561])
WITHIN: Final = fixed([(i // 3) * STRIDE + i % 3 for i in range(9)])  # its squares from the first
TRIPLE: Final = fixed([0, 1, 3, 4, 9, 10, 12, 13])  # three bits as a number in base three


def lack_of(dark: i64, light: i64, need_dark: i64, need_light: i64) -> i64:
    """What a window lacks to hold a pattern: an empty square counts 3, a wrong one 5."""
    empty = (need_dark | need_light) & ~(dark | light)
    wrong = (need_dark & light) | (need_light & dark)
    return EMPTY_COST * COUNT[empty] + WRONG_COST * COUNT[wrong]


def colours_of(dark: i64, light: i64) -> i64:
    """Which colours squares need that are missing or wrong: 1 dark, 2 light, 4 some of each."""
    if dark != 0 and light != 0:
        return 4
    return 1 if dark != 0 else 2 if light != 0 else 0


@final
class Prospects:
    cards: Cards
    lack: vec[u8]  # by card and window content; above COST, which colours it needs
    ready: vec[u8]
    weights: vec[i64]
    # What `look` found: every window's content by its top left square, and the cards that matter.
    code: vec[i64]
    top: i64
    bottom: i64
    left: i64
    right: i64
    seat: i64
    stage: i64  # where the weights of this stage begin
    card: vec[i64]
    whose: vec[i64]  # MINE, THEIRS, IN_HAND or HELD
    best: vec[i64]
    needs: vec[i64]  # colours that the best places need: 1 only dark, 2 only light, 4 both
    best_count: vec[i64]
    second: vec[i64]
    count: i64
    # The windows that a move changes.
    touched: vec[i64]
    touched_code: vec[i64]
    touched_size: i64
    stamp: vec[i64]
    stamp_now: i64
    feature: vec[i64]
    after: vec[i64]
    # The moves that promise most (`choosing.py`), and how many were equal to the last of them.
    found: vec[i64]
    found_value: vec[i64]
    found_size: i64
    found_room: i64
    found_ties: i64

    def __init__(self, cards: Cards, weights: list[int]) -> None:
        self.cards = cards
        self.lack = vec[u8](bytes(CARDS * CODES))
        self.ready = vec[u8](bytes(IDS))
        self.weights = fixed(weights + [0] * FEATURES)
        self.code = vec[i64]([0] * GRID)
        self.top = 0
        self.bottom = -1
        self.left = 0
        self.right = -1
        self.seat = 0
        self.stage = 0
        self.card = vec[i64]([0] * 128)
        self.whose = vec[i64]([0] * 128)
        self.best = vec[i64]([0] * 128)
        self.needs = vec[i64]([0] * 128)
        self.best_count = vec[i64]([0] * 128)
        self.second = vec[i64]([0] * 128)
        self.count = 0
        self.touched = vec[i64]([0] * 64)
        self.touched_code = vec[i64]([0] * 64)
        self.touched_size = 0
        self.stamp = vec[i64]([0] * GRID)
        self.stamp_now = 0
        self.feature = vec[i64]([0] * FEATURES)
        self.after = vec[i64]([0] * 128)
        self.found = vec[i64]([0] * FOUND)
        self.found_value = vec[i64]([0] * FOUND)
        self.found_size = 0
        self.found_room = 1
        self.found_ties = 1

    # -- The table as it is ------------------------------------------------------------------

    def _prepare(self, card: i64) -> None:
        """Fill in what every window lacks for this card."""
        cards = self.cards
        first = cards.turned[card]
        end = cards.turned[card + 1]
        code: i64 = 0
        while code < CODES:
            dark: i64 = 0
            light: i64 = 0
            rest = code
            for place in range(9):
                digit = rest % 3
                rest = rest // 3
                if digit == 1:
                    dark += BIT[place]
                elif digit == 2:
                    light += BIT[place]
            least: i64 = FAR
            needs: i64 = 0
            for way in range(first, end):
                lack = lack_of(dark, light, cards.turn_dark[way], cards.turn_light[way])
                if lack < least:
                    least = lack
                    needs = 0
                if lack == least:
                    needs |= colours_of(
                        cards.turn_dark[way] & ~dark, cards.turn_light[way] & ~light
                    )
            self.lack[card * CODES + code] = u8(least | (needs << 4))
            code += 1
        self.ready[card] = 1

    def look(self, table: Board, seat: i64, left: i64) -> None:
        """Read the office and the cards that matter to this seat, for when so many cards are left
        in the deck."""
        code = self.code
        for row in range(self.top, self.bottom + 1):
            for column in range(self.left, self.right + 1):
                code[row * STRIDE + column] = 0
        table.measure()
        self.top = table.top - 2
        self.bottom = table.bottom
        self.left = table.left - 2
        self.right = table.right
        for row in range(self.top, self.bottom + 1):
            dark = table.rows_dark[row]
            light = table.rows_light[row]
            dark1 = table.rows_dark[row + 1]
            light1 = table.rows_light[row + 1]
            dark2 = table.rows_dark[row + 2]
            light2 = table.rows_light[row + 2]
            for column in range(self.left, self.right + 1):
                code[row * STRIDE + column] = (
                    TRIPLE[(dark >> column) & 7]
                    + 2 * TRIPLE[(light >> column) & 7]
                    + 27 * (TRIPLE[(dark1 >> column) & 7] + 2 * TRIPLE[(light1 >> column) & 7])
                    + 729 * (TRIPLE[(dark2 >> column) & 7] + 2 * TRIPLE[(light2 >> column) & 7])
                )
        self.seat = seat
        self.stage = FEATURES * STAGE[left]
        self.count = 0
        for i in range(table.play_size[seat]):
            self.regard(i64(table.play[seat * 64 + i]), MINE)
        other = 1 - seat
        for i in range(table.play_size[other]):
            self.regard(i64(table.play[other * 64 + i]), THEIRS)
        for i in range(table.hand_size[seat]):
            self.regard(i64(table.hand[seat * 64 + i]), IN_HAND)

    def regard(self, card: i64, whose: i64) -> None:
        if i64(self.cards.kind[card]) != PROJECT:
            return
        if self.ready[card] == 0:
            self._prepare(card)
        lack = self.lack
        code = self.code
        base = card * CODES
        best: i64 = FAR
        best_count: i64 = 0
        second: i64 = FAR
        needs: i64 = 0
        for row in range(self.top, self.bottom + 1):
            at = i64(row) * STRIDE
            for column in range(self.left, self.right + 1):
                entry = i64(lack[base + code[at + column]])
                cost = entry & COST
                if cost < best:
                    second = best
                    best = cost
                    best_count = 1
                    needs = entry
                elif cost == best:
                    best_count += 1
                    needs |= entry
                elif cost < second:
                    second = cost
        k = self.count
        self.card[k] = card
        self.whose[k] = whose
        self.best[k] = best
        self.needs[k] = needs >> 4
        self.best_count[k] = best_count
        self.second[k] = second
        self.count = k + 1

    def worth_of(self, k: i64, cost: i64) -> i64:
        """What one of the cards that matter adds to my side, if its best place lacks so much."""
        return self.weights[self.stage + self.whose[k] + cost] * self.cards.value[self.card[k]]

    def held(self, table: Board, card: i64) -> i64:
        """What a card that is not a project is worth in my hand."""
        kind = i64(self.cards.kind[card])
        if kind == QUOTA:
            begin: i64 = MET if meets_quota(table, self.seat, card) else UNMET
            condition = i64(self.cards.quota[card])
            return self.weights[self.stage + begin + condition] * self.cards.value[card]
        if kind == MANAGER:
            return self.weights[self.stage + ABILITY + i64(self.cards.ability[card])]
        return self.weights[self.stage + OTHER_CARDS]

    def in_hand(self, table: Board, card: i64) -> i64:
        """What any card is worth in my hand, after `look`."""
        if i64(self.cards.kind[card]) == PROJECT:
            for k in range(self.count):
                if self.card[k] == card:
                    return (
                        self.weights[self.stage + IN_HAND + self.best[k]] * self.cards.value[card]
                    )
            return 0
        return self.held(table, card)

    def count_features(self, table: Board, seat: i64, fresh: i64) -> None:
        """Count what the weights are for; the last `fresh` cards of the hand, just drawn, are left
        out: what they are is chance's doing, not the move's."""
        feature = self.feature
        for i in range(FEATURES):
            feature[i] = 0
        table.hand_size[seat] -= fresh
        self.look(table, seat, table.deck_size)
        for k in range(self.count):
            feature[self.whose[k] + self.best[k]] += self.cards.value[self.card[k]]
        for i in range(table.hand_size[seat]):
            card = i64(table.hand[seat * 64 + i])
            kind = i64(self.cards.kind[card])
            if kind == QUOTA:
                begin: i64 = MET if meets_quota(table, seat, card) else UNMET
                feature[begin + i64(self.cards.quota[card])] += self.cards.value[card]
            elif kind == MANAGER:
                feature[ABILITY + i64(self.cards.ability[card])] += 1
            elif kind != PROJECT:
                feature[OTHER_CARDS] += 1
        other = 1 - seat
        feature[HAND] = table.hand_size[seat]
        feature[OTHER_HAND] = table.hand_size[other]
        feature[BIAS] = 1
        feature[IN_PLAY] = table.play_size[seat] - table.play_size[other]
        for i in range(table.play_size[seat]):
            if i64(self.cards.kind[i64(table.play[seat * 64 + i])]) == CROWDFUNDING:
                feature[BACKERS] += 1
        for i in range(table.play_size[other]):
            if i64(self.cards.kind[i64(table.play[other * 64 + i])]) == CROWDFUNDING:
                feature[THEIR_BACKERS] += 1
        table.hand_size[seat] += fresh

    def worth(self, table: Board, seat: i64, fresh: i64) -> i64:
        """How far a seat that has just moved is ahead, in thousandths of a point."""
        lead = 1000 * (table.points[seat] - table.points[1 - seat])
        if table.phase == AT_END:
            return lead
        self.count_features(table, seat, fresh)
        total = lead
        for i in range(FEATURES):
            total += self.feature[i] * self.weights[self.stage + i]
        return total

    # -- The table after a move --------------------------------------------------------------

    def touch(self, square: i64, change: i64) -> None:
        """Change a square's digit in the nine windows around it."""
        for i in range(9):
            window = square - WITHIN[i]
            if self.stamp[window] != self.stamp_now:
                self.stamp[window] = self.stamp_now
                self.touched[self.touched_size] = window
                self.touched_code[self.touched_size] = self.code[window]
                self.touched_size += 1
            self.code[window] += change * POWER[i]

    def begin(self) -> None:
        self.stamp_now += 1
        self.touched_size = 0

    def settle(self) -> i64:
        """What the touched windows change for the cards that matter; then untouch them. `after`
        keeps what each card is worth then."""
        lack = self.lack
        size = self.touched_size
        total: i64 = 0
        for k in range(self.count):
            base = self.card[k] * CODES
            best = self.best[k]
            least: i64 = FAR
            lost: i64 = 0
            formed = False
            for i in range(size):
                before = i64(lack[base + self.touched_code[i]]) & COST
                now = i64(lack[base + self.code[self.touched[i]]]) & COST
                if before == best:
                    lost += 1
                if now < least:
                    least = now
                if now == 0 and before != 0:
                    formed = True
            if least > best:
                least = min(least, best if self.best_count[k] > lost else self.second[k])
            if formed and self.whose[k] == MINE:
                points = 1000 * self.cards.value[self.card[k]]
                self.after[k] = points - self.weights[self.stage + IN_PLAY]
            else:
                self.after[k] = self.worth_of(k, least)
            total += self.after[k] - self.worth_of(k, best)
        for i in range(size):
            self.code[self.touched[i]] = self.touched_code[i]
        return total
