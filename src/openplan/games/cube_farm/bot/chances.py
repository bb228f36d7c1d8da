"""What the others may do to orders before their phase comes (CF-3.4): turns imagined from a view.

On the home floor nobody comes first. On the other two floors one or two others have placed a card
and an employee before, and orders that fit now may be lost by then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

from openplan.core.game import Event
from openplan.games.cube_farm import view
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.appraise import Planner
from openplan.games.cube_farm.kernel.board import floor_of
from openplan.games.cube_farm.state import FLOORS, SEATS, put_orders
from openplan.games.cube_farm.text.notation import Orders
from openplan.games.cube_farm.view import FarmView

IMAGINED: Final = 16
PLACES_TRIED: Final = 4
"""For each card of the others: enough that they want what looks good, and not always the same."""


def chances(view_: FarmView, move: Orders) -> Iterator[Event]:
    """How often each part of an order was lost in the turns imagined. The same view and orders
    always give the same answer."""
    seat = view.own_seat(view_)
    assert seat is not None
    asked = [
        (phase, part)
        for phase in range(codes.PHASES)
        if _before(view_, seat, phase)
        for part, order in zip(("card", "employee"), move.phases[phase], strict=True)
        if order is not None
    ]
    if not asked:
        return
    planner = Planner(view_.laid().cards)
    lost: Counter[tuple[int, str]] = Counter()
    for number in range(IMAGINED):
        results = _imagine(view_, seat, move, planner, number)
        lost.update(place for place in asked if results[place] != codes.FITS)
    for phase, part in asked:
        yield Event(
            "imagined",
            "CF-3.4",
            {
                "phase": phase + 1,
                "floor": FLOORS[floor_of(seat, phase)],
                "part": part,
                "lost": lost[phase, part],
                "of": IMAGINED,
                "before": _before(view_, seat, phase),
            },
        )


def _imagine(
    view_: FarmView, seat: int, move: Orders, planner: Planner, number: int
) -> dict[tuple[int, str], int]:
    """One turn in which the others order what looks good to them, and what becomes of the move."""
    state = view.determinize(view_, Random(number))
    table = state.table
    for other in range(codes.SEATS):
        if other != seat and other not in view_.withdrawn:
            planner.order_well(table, other, number % codes.PHASES, PLACES_TRIED)
    put_orders(state, seat, move)
    table.adjudicate()
    results = {}
    for phase in range(codes.PHASES):
        place = seat * codes.PHASES + phase
        results[phase, "card"] = int(table.card_result[place])
        results[phase, "employee"] = int(table.employee_result[place])
    return results


def _before(view_: FarmView, seat: int, phase: int) -> tuple[str, ...]:
    """Who places something on the same floor in an earlier phase (CF-3.2)."""
    floor = int(floor_of(seat, phase))
    return tuple(
        SEATS[other]
        for earlier in range(phase)
        for other in range(codes.SEATS)
        if int(floor_of(other, earlier)) == floor and other not in view_.withdrawn
    )
