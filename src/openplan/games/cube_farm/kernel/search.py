"""Orders for a turn against what the others may order.

What the others order is imagined many times (`others.py`). A
seat comes to each floor once in a turn (CF-3.2), so that what its orders for a phase do depends on
nothing it orders for the others, but that a card is played only once. So candidates for each phase
are tried by themselves, all in the same samples, the worse half is left out after each round, and
then the three phases are put together by what they brought every seat in each sample.

What counts is the chance to win, as it would be drawn by lot with tickets that grow with the points
a seat may expect at the end.
"""

import time
from math import exp
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.cube_farm.kernel.appraise import FOR_EVER, Planner
from openplan.games.cube_farm.kernel.board import (
    HAND,
    NO_ORDER,
    Board,
    card_of,
    carry_out,
    floor_of,
    pack_employee,
)
from openplan.games.cube_farm.kernel.codes import BIT, PHASES, SEATS, TURNS, Cards, Rng
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.others import CARDS, SAMPLES, Others
from openplan.games.cube_farm.kernel.prospects import Prospects
from openplan.games.cube_farm.kernel.walking import can_be_taken, find_worths

CANDIDATES: Final = 384
"""At most, for each phase."""
SEATS_TRIED: Final = 3
"""So many cubes are tried for the employee with every placement of a card."""
FINALISTS: Final = 24
"""So many candidates of each phase are put together with those of the others."""
BY_THEN_FOUND: Final = 0.3
BY_THEN_IMAGINED: Final = 0.6
"""Parts of the time after which no further card is looked at, one's own or theirs."""
CHOSEN: Final = 64
"""So many whole order sets are compared by the chance to win."""


@final
class Search:
    mind: Prospects
    planner: Planner
    others: Others
    rng: Rng
    spread: vec[i64]
    before: Floor
    trial: Floor
    spare: Floor
    # The table as its viewer knows it, and whose turn it is to order.
    table: Board
    seat: i64
    left: i64  # turns after this one
    # Candidates by phase.
    count: vec[i64]
    card: vec[i64]
    employee: vec[i64]
    order: vec[i64]  # the best first
    score: vec[i64]
    tried: vec[i64]
    value: vec[i64]  # by candidate, sample and seat
    share: vec[i64]  # how much each seat's points count, in thousandths
    kept_of: vec[i64]
    rest: vec[i64]

    def __init__(self, cards: Cards, weights: list[int], spread: list[int]) -> None:
        self.mind = Prospects(weights)
        self.planner = Planner(cards)
        self.others = Others()
        self.rng = Rng(1)
        self.spread = vec[i64]([0] * TURNS)
        for left in range(TURNS):
            self.spread[left] = spread[left]
        self.before = Floor(cards)
        self.trial = Floor(cards)
        self.spare = Floor(cards)
        self.table = Board(cards)
        self.seat = 0
        self.left = 0
        self.count = vec[i64]([0] * PHASES)
        self.card = vec[i64]([0] * (PHASES * CANDIDATES))
        self.employee = vec[i64]([0] * (PHASES * CANDIDATES))
        self.order = vec[i64]([0] * (PHASES * CANDIDATES))
        self.score = vec[i64]([0] * (PHASES * CANDIDATES))
        self.tried = vec[i64]([0] * (PHASES * CANDIDATES))
        self.value = vec[i64]([0] * (PHASES * CANDIDATES * SAMPLES * SEATS))
        self.share = vec[i64]([0] * SEATS)
        self.kept_of = vec[i64]([0] * CARDS)
        self.rest = vec[i64]([0] * CANDIDATES)

    def run(
        self,
        table: Board,
        seat: i64,
        unseen: list[int],
        gone: list[int],
        seed: i64,
        samples: i64,
        seconds: float,
        places: i64,
        width: i64,
    ) -> list[tuple[list[int], list[int], float]]:
        """Order sets, best first, each with the chance to win: the cards' orders, the employees'
        orders. The table has NONE for cards that its viewer does not know; `unseen` are those that
        may be them. The others' orders are imagined at most `samples` times, and no more than
        SAMPLES. `seconds` below 0: no limit of time. At most `places` are looked at for a card,
        and `width` of them tried."""
        began = time.monotonic()
        timed = seconds >= 0.0
        self.table.copy_from(table)
        self.seat = seat
        self.left = TURNS - table.turn
        self.rng = Rng(seed)
        self._weigh_seats()
        until = began + BY_THEN_FOUND * seconds if timed else FOR_EVER
        for phase in range(PHASES):
            self._find_candidates(phase, places, width, until)
        until = began + BY_THEN_IMAGINED * seconds if timed else FOR_EVER
        self.others.meet(seat, unseen, gone)
        self.others.fill_book(self.table, self.planner, max(places // 3, 8), until)
        self._try_all(began, seconds, samples)
        return self._put_together()

    # -- How much the points of each seat count ----------------------------------------------

    def _weigh_seats(self) -> None:
        """The more dangerous another seat is, the more its points count against one's own."""
        total = vec[i64]([0] * SEATS)
        for number in range(SEATS):
            self.mind.look(self.table.floor(number), number, self.left)
            for seat in range(SEATS):
                total[seat] += self.mind.value[seat]
        spread = float(int(self.spread[self.left]))
        one = (self.seat + 1) % SEATS
        two = (self.seat + 2) % SEATS
        ahead = exp(float(int(total[one] - total[two])) / spread)
        self.share[self.seat] = 1000
        self.share[one] = i64(int(1000.0 * ahead / (1.0 + ahead)))
        self.share[two] = 1000 - self.share[one]

    def _lead(self, value: vec[i64], at: i64) -> i64:
        one = (self.seat + 1) % SEATS
        two = (self.seat + 2) % SEATS
        share = self.share
        return (
            1000 * value[at + self.seat]
            - share[one] * value[at + one]
            - share[two] * value[at + two]
        ) // 1000

    # -- Candidates --------------------------------------------------------------------------

    def _find_candidates(self, phase: i64, places: i64, width: i64, until: float) -> None:
        """The placements of each card that look best on the floor as it stands, each with the best
        cubes for an employee."""
        table = self.table
        seat = self.seat
        planner = self.planner
        planner.cards = 0
        for at in range(table.hand_size[seat]):
            planner.card[planner.cards] = i64(table.hand[seat * HAND + at])
            planner.cards += 1
        planner.survey(table, seat, phase, places, until)
        found = planner.places
        self.count[phase] = 0
        self._add_candidates(phase, NO_ORDER)
        worths = [found.total(i64(place)) for place in range(found.count)]
        begin: i64 = 1
        while begin < found.count:
            end = begin
            card = card_of(found.order[begin])
            while end < found.count and card_of(found.order[end]) == card:
                end += 1
            for _ in range(min(width, end - begin)):
                best = begin
                for place in range(begin, end):
                    if worths[int(place)] > worths[int(best)]:
                        best = i64(place)
                worths[int(best)] = -1000000.0
                self._add_candidates(phase, found.order[best])
            begin = end
        self._sort(phase, self.count[phase])

    def _add_candidates(self, phase: i64, card: i64) -> None:
        number = floor_of(self.seat, phase)
        floor = self.before
        floor.copy_from(self.planner.floor)
        carry_out(floor, self.spare, card, NO_ORDER, self.seat)
        find_worths(floor, number, self.seat)
        taken: i64 = 0
        for _ in range(SEATS_TRIED):
            best: i64 = 0
            for cube in range(1, floor.cubes + 1):
                if (
                    can_be_taken(floor, cube)
                    and floor.cube_worth[cube] > 0
                    and (best == 0 or floor.cube_worth[cube] > floor.cube_worth[best])
                ):
                    best = i64(cube)
            if best == 0:
                break
            taken += 1
            square = floor.cube_first[best]
            self._add(phase, card, pack_employee(floor.x_of(square), floor.y_of(square)))
            floor.cube_worth[best] = 0
        if taken == 0:
            self._add(phase, card, NO_ORDER)

    def _add(self, phase: i64, card: i64, employee: i64) -> None:
        if self.count[phase] == CANDIDATES:
            return
        at = phase * CANDIDATES + self.count[phase]
        number = floor_of(self.seat, phase)
        trial = self.trial
        trial.copy_from(self.before)
        carry_out(trial, self.spare, NO_ORDER, employee, self.seat)
        self.mind.look(trial, number, self.left)
        self.card[at] = card
        self.employee[at] = employee
        self.score[at] = self._lead(self.mind.value, 0)
        self.tried[at] = 1
        self.order[at] = at
        self.count[phase] += 1

    # -- What the others may do --------------------------------------------------------------

    # -- Trying ------------------------------------------------------------------------------

    def _try_all(self, began: float, seconds: float, samples: i64) -> None:
        """Rounds that take equally long; after each the worse half of each phase's candidates is
        left out, so that the next has twice the samples."""
        alive = vec[i64]([0] * PHASES)
        most: i64 = 0
        for phase in range(PHASES):
            alive[phase] = self.count[phase]
            most = max(most, self.count[phase])
            for at in range(phase * CANDIDATES, phase * CANDIDATES + self.count[phase]):
                self.score[at] = 0
                self.tried[at] = 0
        rounds: i64 = 1
        while most > FINALISTS:
            most = (most + 1) // 2
            rounds += 1
        begun = time.monotonic()
        left = began + seconds - begun
        sample: i64 = 0
        for number in range(rounds):
            end = max(samples * (BIT[number + 1] - 1) // (BIT[rounds] - 1), 1)
            until = begun + left * float(int(number + 1)) / float(int(rounds))
            while sample < end and not (seconds >= 0.0 and time.monotonic() > until):
                self.others.imagine(self.table, self.rng, sample)
                for phase in range(PHASES):
                    self._try_phase(i64(phase), alive[phase], sample)
                sample += 1
            for phase in range(PHASES):
                self._sort(i64(phase), alive[phase])
                half = max((alive[phase] + 1) // 2, min(alive[phase], FINALISTS))
                alive[phase] = self._keep(i64(phase), alive[phase], half)

    def _try_phase(self, phase: i64, alive: i64, sample: i64) -> None:
        """Every candidate of a phase in one sample: others before, the candidate, others after."""
        number = floor_of(self.seat, phase)
        before = self.before
        before.copy_from(self.table.floor(number))
        for earlier in range(phase):
            self._let_other(before, number, i64(earlier), sample)
        trial = self.trial
        for at in range(alive):
            one = self.order[phase * CANDIDATES + at]
            trial.copy_from(before)
            carry_out(trial, self.spare, self.card[one], self.employee[one], self.seat)
            for later in range(phase + 1, PHASES):
                self._let_other(trial, number, i64(later), sample)
            self.mind.look(trial, number, self.left)
            place = (one * SAMPLES + sample) * SEATS
            for seat in range(SEATS):
                self.value[place + seat] = self.mind.value[seat]
            self.score[one] += self._lead(self.mind.value, 0)
            self.tried[one] += 1

    def _let_other(self, floor: Floor, number: i64, phase: i64, sample: i64) -> None:
        seat = (number - phase) % SEATS
        place = (sample * SEATS + seat) * PHASES + phase
        carry_out(floor, self.spare, self.others.card[place], self.others.employee[place], seat)

    def _sort(self, phase: i64, size: i64) -> None:
        """The first `size` by their mean, best first; equals keep their order."""
        order = self.order
        begin = phase * CANDIDATES
        for i in range(begin + 1, begin + size):
            one = order[i]
            at = i64(i)
            while at > begin and self._is_better(one, order[at - 1]):
                order[at] = order[at - 1]
                at -= 1
            order[at] = one

    def _keep(self, phase: i64, size: i64, most: i64) -> i64:
        """Move the best `most` to the front, but of each card no more than a third of them, so that
        there is a choice of three cards; returns how many that are."""
        order = self.order
        begin = phase * CANDIDATES
        quota = max(most // PHASES, 1)
        for card in range(CARDS):
            self.kept_of[card] = 0
        kept: i64 = 0
        rest: i64 = 0
        for i in range(begin, begin + size):
            one = order[i]
            card = card_of(self.card[one])
            if kept < most and self.kept_of[card] < quota:
                self.kept_of[card] += 1
                order[begin + kept] = one
                kept += 1
            else:
                self.rest[rest] = one
                rest += 1
        for i in range(rest):
            order[begin + kept + i] = self.rest[i]
        return kept

    def _is_better(self, one: i64, other: i64) -> bool:
        if self.tried[one] == 0 or self.tried[other] == 0:
            return False
        return self.score[one] * self.tried[other] > self.score[other] * self.tried[one]

    # -- The three phases together -----------------------------------------------------------

    def _put_together(self) -> list[tuple[list[int], list[int], float]]:
        """Order sets without a card named twice, those with the best leads compared by their
        chances in all samples that all finalists were tried in."""
        size = vec[i64]([0] * PHASES)
        for phase in range(PHASES):
            size[phase] = self._keep(i64(phase), self.count[phase], FINALISTS)
        best: list[tuple[int, int, int, int]] = []
        lowest: i64 = -1000000000000
        for first in range(size[0]):
            one = self.order[first]
            for second in range(size[1]):
                two = self.order[CANDIDATES + second]
                if _same_card(self.card[one], self.card[two]):
                    continue
                both = self._mean(one) + self._mean(two)
                for third in range(size[2]):
                    three = self.order[2 * CANDIDATES + third]
                    mean = both + self._mean(three)
                    if mean <= lowest and len(best) >= CHOSEN:
                        break
                    if _same_card(self.card[one], self.card[three]):
                        continue
                    if _same_card(self.card[two], self.card[three]):
                        continue
                    best.append((int(mean), int(one), int(two), int(three)))
                if len(best) > 8 * CHOSEN:
                    best.sort(key=_by_mean)
                    del best[CHOSEN:]
                    lowest = best[CHOSEN - 1][0]
        best.sort(key=_by_mean)
        found: list[tuple[list[int], list[int], float]] = []
        for row in best[:CHOSEN]:
            parts = [row[1], row[2], row[3]]
            chance = self._chance(row[1], row[2], row[3])
            cards = [int(self.card[part]) for part in parts]
            found.append((cards, [int(self.employee[part]) for part in parts], chance))
        found.sort(key=_by_chance)
        return found

    def _mean(self, one: i64) -> i64:
        return self.score[one] // self.tried[one] if self.tried[one] != 0 else i64(0)

    def _chance(self, one: i64, two: i64, three: i64) -> float:
        samples = min(self.tried[one], self.tried[two], self.tried[three])
        if samples == 0:
            return 1.0 / 3.0
        spread = float(int(self.spread[self.left]))
        other = (self.seat + 1) % SEATS
        another = (self.seat + 2) % SEATS
        total = 0.0
        for sample in range(samples):
            a = (one * SAMPLES + sample) * SEATS
            b = (two * SAMPLES + sample) * SEATS
            c = (three * SAMPLES + sample) * SEATS
            value = self.value
            mine = value[a + self.seat] + value[b + self.seat] + value[c + self.seat]
            his = value[a + other] + value[b + other] + value[c + other]
            hers = value[a + another] + value[b + another] + value[c + another]
            rest = exp(float(int(his - mine)) / spread) + exp(float(int(hers - mine)) / spread)
            total += 1.0 / (1.0 + rest)
        return total / float(int(samples))


def _same_card(one: i64, other: i64) -> bool:
    return one != NO_ORDER and other != NO_ORDER and card_of(one) == card_of(other)


def _by_mean(row: tuple[int, int, int, int]) -> int:
    return -row[0]


def _by_chance(row: tuple[list[int], list[int], float]) -> float:
    return -row[2]
