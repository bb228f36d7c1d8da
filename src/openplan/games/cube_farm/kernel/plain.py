"""A search of the ordinary way, to compare with: random order sets, random play to the end.

Which set is tried next is decided by UCB1; a try deals the
hidden cards anew and lets everybody order at random from there, and counts the win.
"""

import time
from math import log, sqrt
from typing import Final

from mypy_extensions import i64, u8

from openplan.games.cube_farm.kernel.board import HAND, NO_ORDER, Board
from openplan.games.cube_farm.kernel.codes import NONE, PHASES, SEATS, Rng

SETS: Final = 64
CURIOSITY: Final = 0.5


def plain_search(
    known: Board,
    seat: i64,
    unseen: list[int],
    gone: list[int],
    seed: i64,
    tries: i64,
    seconds: float,
) -> list[tuple[list[int], list[int], float]]:
    """Order sets by how often they were tried, with the share of the wins; the table has NONE for
    cards that its viewer does not know. `seconds` below 0: no limit of time."""
    until = time.monotonic() + seconds
    rng = Rng(seed)
    table = Board(known.cards)
    cards: list[list[int]] = []
    employees: list[list[int]] = []
    for _ in range(SETS):
        table.copy_from(known)
        table.sample_orders(seat, rng)
        cards.append([int(table.card_order[seat * PHASES + phase]) for phase in range(PHASES)])
        employees.append(
            [int(table.employee_order[seat * PHASES + phase]) for phase in range(PHASES)]
        )
    visits = [0] * SETS
    wins = [0.0] * SETS
    done: i64 = 0
    while done < tries and not (seconds >= 0.0 and time.monotonic() > until):
        chosen = int(done) % SETS
        if done >= SETS:
            highest = -1.0
            for one in range(SETS):
                bound = wins[one] / visits[one] + CURIOSITY * sqrt(log(int(done)) / visits[one])
                if bound > highest:
                    highest = bound
                    chosen = one
        table.copy_from(known)
        _deal_hidden(table, unseen, rng)
        for other in range(SEATS):
            table.sample_orders(other, rng)
        for phase in range(PHASES):
            table.order_card(seat, phase, cards[chosen][phase])
            table.order_employee(seat, phase, employees[chosen][phase])
            for one in gone:
                table.order_card(one, phase, NO_ORDER)
                table.order_employee(one, phase, NO_ORDER)
        table.adjudicate()
        table.play_out(rng)
        wins[chosen] += _share(table, seat)
        visits[chosen] += 1
        done += 1
    found = [(-visits[one], one) for one in range(SETS)]
    found.sort()
    return [
        (cards[one], employees[one], wins[one] / visits[one] if visits[one] else 1.0 / SEATS)
        for _, one in found
    ]


def _deal_hidden(table: Board, unseen: list[int], rng: Rng) -> None:
    """Any of the unseen cards for each that is not known, in hands and deck."""
    left = len(unseen)
    for place in range(SEATS * HAND + table.deck_size):
        in_hand = place < SEATS * HAND
        if in_hand and place % HAND >= table.hand_size[place // HAND]:
            continue
        at = place if in_hand else place - SEATS * HAND
        if i64(table.hand[at] if in_hand else table.deck[at]) == NONE:
            pick = int(rng.below(left))
            left -= 1
            card = unseen[pick]
            unseen[pick] = unseen[left]
            unseen[left] = card
            if in_hand:
                table.hand[at] = u8(card)
            else:
                table.deck[at] = u8(card)


def _share(table: Board, seat: i64) -> float:
    """CF-6.7: equal totals share the win."""
    best = max(table.points[0], table.points[1], table.points[2])
    if table.points[seat] < best:
        return 0.0
    sharing = 0
    for other in range(SEATS):
        if table.points[other] == best:
            sharing += 1
    return 1.0 / sharing
