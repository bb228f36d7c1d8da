"""After a match: what orders were worth beside others, in the same imagined turns; and what the
cards that came were worth beside those that could have come.

The chance to win after orders is found as the search finds it (`kernel/search.py`): the others'
orders are imagined from what the seat knows, and what then stands on the floors is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Final

from openplan.core.game import Fortune, Seat, judge_name
from openplan.games.cube_farm.bot.think import (
    PLACES,
    SHIFT,
    SLOPE,
    SPREAD,
    calibrated,
    search_for,
)
from openplan.games.cube_farm.bot.weights import WEIGHTS
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.appraise import FOR_EVER, Planner, worth_of_orders
from openplan.games.cube_farm.kernel.board import Board, carry_out
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.others import SAMPLES
from openplan.games.cube_farm.kernel.search import Search
from openplan.games.cube_farm.state import State, new_table, put_orders
from openplan.games.cube_farm.text.notation import Orders
from openplan.games.cube_farm.view import FarmView, as_told, own_seat

DEALS: Final = 32
"""So many hands that could have come are drawn for each that came."""
LUCK_PLACES: Final = 64
"""So many places are looked at for each card of a hand."""
LUCK_COUNTS: Final = 0.8
"""How much of what a hand promises at once is seen in the final margins (benchmarks/luck.py)."""
EVALUATOR: Final = judge_name(
    "prospects", WEIGHTS, SPREAD, SHIFT, SLOPE, DEALS, LUCK_PLACES, LUCK_COUNTS
)
"""A review is of one evaluator."""

Packed = tuple[list[int], list[int]]
"""The orders for cards and for employees, by phase."""


def judge(view: FarmView, moves: Sequence[Orders], iterations: int, seed: int) -> list[float]:
    """The estimated chance to win after each of these, in the same imagined turns."""
    seat = own_seat(view)
    assert seat is not None
    told = as_told(view)
    search = search_for(view, told.table.cards)
    packed = [_packed(told, seat, move) for move in moves]
    told.table.forget_orders()
    imagined = _Imagined(search, told.table, seat)
    others = search.others
    others.meet(seat, view.unseen(), sorted(view.withdrawn))
    others.fill_book(told.table, search.planner, PLACES // 3, FOR_EVER)
    rng = codes.Rng(seed)
    samples = max(1, min(iterations // len(moves), SAMPLES))
    total = [0.0] * len(moves)
    for sample in range(samples):
        others.imagine(told.table, rng, sample)
        for number, orders in enumerate(packed):
            total[number] += imagined.chance(orders, sample)
    return [calibrated(chance / samples) for chance in total]


def _packed(told: State, seat: int, move: Orders) -> Packed:
    put_orders(told, seat, move)
    places = range(seat * codes.PHASES, (seat + 1) * codes.PHASES)
    table = told.table
    return [int(table.card_order[at]) for at in places], [
        int(table.employee_order[at]) for at in places
    ]


class _Imagined:
    """Turns on a table as a seat knows it."""

    def __init__(self, search: Search, table: Board, seat: int) -> None:
        self._search = search
        self._table = table
        self._seat = seat
        self._trial = Floor(table.cards)
        self._spare = Floor(table.cards)
        self._left = codes.TURNS - int(table.turn)

    def chance(self, orders: Packed, sample: int) -> float:
        """To win, if the others order as in this sample: by lot, with tickets that grow with the
        points to be expected."""
        value = [0] * codes.SEATS
        for number in range(codes.FLOORS):
            self._carry_out(number, orders, sample)
            self._search.mind.look(self._trial, number, self._left)
            for seat in range(codes.SEATS):
                value[seat] += int(self._search.mind.value[seat])
        own = value[self._seat]
        return 1 / sum(exp((other - own) / SPREAD[self._left]) for other in value)

    def _carry_out(self, number: int, orders: Packed, sample: int) -> None:
        """CF-3.2: whoever comes to this floor in each phase."""
        others = self._search.others
        self._trial.copy_from(self._table.floor(number))
        for phase in range(codes.PHASES):
            seat = (number - phase) % codes.SEATS
            if seat == self._seat:
                card, employee = orders[0][phase], orders[1][phase]
            else:
                place = (sample * codes.SEATS + seat) * codes.PHASES + phase
                card, employee = int(others.card[place]), int(others.employee[place])
            carry_out(self._trial, self._spare, card, employee, seat)


# -- Luck ------------------------------------------------------------------------------------


def fortunes(before: State | None, after: State) -> list[Fortune]:
    """CF-2.1, CF-2.3: the cards that each seat was dealt, beside as many drawn by lot from those
    that were not dealt before. Every card of the deck was as likely to come as another, so the
    mean of this is nought whatever a hand is thought to be worth."""
    if int(after.table.turn) > codes.TURNS:
        return []
    dealt = [_dealt(before, after, seat) for seat in range(codes.SEATS)]
    rest = after.table.deck_list()
    table = new_table(after.deck, after.house)
    table.copy_from(after.table)
    planner = Planner(table.cards)
    found = []
    for seat, cards in enumerate(dealt):
        if not cards or seat in after.withdrawn:
            continue
        kept = [card for card in after.table.hand_of(seat) if card not in cards]
        open_ = sorted([*cards, *(card for later in dealt[seat + 1 :] for card in later), *rest])
        # By what lies there, so that the same deal is always judged the same.
        rng = Random(repr((int(after.table.turn), seat, sorted(cards))))
        came = _worth(planner, table, seat, [*kept, *cards])
        could = [
            _worth(planner, table, seat, [*kept, *rng.sample(open_, len(cards))])
            for _ in range(DEALS)
        ]
        table.set_hand(seat, after.table.hand_of(seat))
        names = ", ".join(after.deck.name_of(card) for card in sorted(cards))
        points = LUCK_COUNTS * (came - fmean(could))
        error = LUCK_COUNTS * stdev(could) / sqrt(DEALS)
        found.append(Fortune(Seat(seat), names, points, DEALS, error))
    return found


def _dealt(before: State | None, after: State, seat: int) -> list[int]:
    hand = after.table.hand_of(seat)
    if before is None:
        return hand
    pile = set(before.table.deck_list())
    return [card for card in hand if card in pile]


def _worth(planner: Planner, table: Board, seat: int, hand: list[int]) -> float:
    """What looks best with these cards, in points of lead."""
    table.set_hand(seat, sorted(hand))
    planner.order_well(table, seat, 0, LUCK_PLACES)
    trial, spare = Floor(table.cards), Floor(table.cards)
    worth = worth_of_orders(table, trial, spare, seat)
    table.forget_orders()
    return float(worth)
