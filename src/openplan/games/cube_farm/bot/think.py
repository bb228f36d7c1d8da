"""A strong player's orders from a view: `search.py` looks at what the others may do."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import exp, log
from typing import Final

from openplan.games.cube_farm.bot.weights import WEIGHTS
from openplan.games.cube_farm.cards import Rulings, rulings_of
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.appraise import Planner, appraise_orders
from openplan.games.cube_farm.kernel.others import SAMPLES
from openplan.games.cube_farm.kernel.plain import plain_search
from openplan.games.cube_farm.kernel.search import Search
from openplan.games.cube_farm.state import orders_in, put_orders
from openplan.games.cube_farm.text.notation import Orders
from openplan.games.cube_farm.view import FarmView, as_told, own_seat

SPREAD: Final = (600, 3500, 5000, 6000, 7000)
"""By turns left, how many thousandths of a point multiply the chance to win by e."""
SHIFT: Final = -0.95
SLOPE: Final = 0.65
"""How the logarithm of the odds to win among three who search follows from that of the chance found
against others who do not (benchmarks/hints.py, docs/bots.md)."""
SHARE_KEPT_BACK: Final = 0.03
PLACES: Final = 256
"""So many places are looked at for each card: all, on most floors."""
PLACES_A_SECOND: Final = 640
"""Fewer if time is short."""
WIDTH: Final = 12
"""So many of them are tried."""
AT_A_GLANCE: Final = (4, 48, 4)
"""Samples, places and width for who does not look further."""

PLACES_TRIED: Final = 256
"""For each card, when orders are made up at once."""

MOST_SEARCHES: Final = 4
"""So many are kept, each for a deck and a table's rulings; one has some 20 MB."""

_searches: dict[tuple[str, Rulings], Search] = {}


def think(
    view: FarmView, seconds: float | None, iterations: int | None, seed: int, strength: str
) -> list[tuple[Orders, float]]:
    """The viewer's order sets with the estimated chance to win after each, best first."""
    began = time.monotonic()
    seat = own_seat(view)
    assert seat is not None
    told = as_told(view)
    table = told.table
    unseen = view.unseen()
    gone = sorted(view.withdrawn)
    search = search_for(view, table.cards)
    tries = iterations if iterations is not None else 1 << 40
    places, width = PLACES, WIDTH
    left = -1.0
    if seconds is not None:
        places = max(16, min(PLACES, int(seconds * PLACES_A_SECOND)))
        left = max(0.0, seconds * (1 - SHARE_KEPT_BACK) - (time.monotonic() - began))
    if strength == "plain":
        found = plain_search(table, seat, unseen, gone, seed, tries, left)
    else:
        if strength == "promise":
            tries, places, width = AT_A_GLANCE
        samples = min(tries, SAMPLES)
        found = search.run(table, seat, unseen, gone, seed, samples, left, places, width)
    advice = []
    for cards, employees, chance in found:
        for phase in range(codes.PHASES):
            table.order_card(seat, phase, cards[phase])
            table.order_employee(seat, phase, employees[phase])
        advice.append(
            (orders_in(told, seat), chance if strength == "plain" else calibrated(chance))
        )
    return advice


def candidates(view: FarmView) -> list[Orders]:
    """Order sets that look good at once, each with another phase thought of first."""
    seat = own_seat(view)
    if seat is None or view.is_over or seat in view.withdrawn:
        return []
    found: dict[Orders, None] = {}
    told = as_told(view)
    planner = Planner(told.table.cards)
    for first in range(codes.PHASES):
        planner.order_well(told.table, seat, first, PLACES_TRIED)
        found[orders_in(told, seat)] = None
    return list(found)


def appraise(view: FarmView, moves: Sequence[Orders]) -> list[float]:
    """What order sets look worth without looking ahead."""
    seat = own_seat(view)
    assert seat is not None
    told = as_told(view)
    cards: list[int] = []
    employees: list[int] = []
    for move in moves:
        put_orders(told, seat, move)
        for place in range(seat * codes.PHASES, (seat + 1) * codes.PHASES):
            cards.append(int(told.table.card_order[place]))
            employees.append(int(told.table.employee_order[place]))
    return appraise_orders(told.table, seat, cards, employees)


def search_for(view: FarmView, cards: codes.Cards) -> Search:
    """The one for this deck and these rulings; the one not asked for longest makes room."""
    key = (view.deck.hash, rulings_of(view.house))
    search = _searches.pop(key, None)
    if search is None:
        search = Search(cards, list(WEIGHTS), list(SPREAD))
    _searches[key] = search
    if len(_searches) > MOST_SEARCHES:
        del _searches[next(iter(_searches))]
    return search


def calibrated(chance: float) -> float:
    """Calibrated. Monotone: it changes what is told, not what is chosen."""
    chance = max(0.001, min(0.999, chance))
    return 1 / (1 + exp(-SHIFT - SLOPE * log(chance / (1 - chance))))
