"""After a match, in words: what spoke for better orders by what their seat could know, and what was
hidden from it. Which orders are better says the judge (`bot`); here is said what can be seen."""

from __future__ import annotations

from openplan.core.game import Preview, Remark, Seat
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.state import SEATS, State
from openplan.games.cube_farm.view import FarmView


def reasons(best: Preview[FarmView], made: Preview[FarmView]) -> list[Remark]:
    """What they score on the floors as they stand, and how often the others spoil them."""
    found = []
    if best.points > made.points:
        points: dict[str, str | int] = {"score": f"{best.points:+}", "instead": f"{made.points:+}"}
        found.append(Remark("why-forecast", points))
    risk, instead = _lost(best), _lost(made)
    if risk < instead:
        found.append(Remark("why-safer", {"percent": risk, "instead": instead}))
    return found


def _lost(after: Preview[FarmView]) -> int:
    """How much of the orders on other floors is lost on average, in percent."""
    lost = of = 0
    for event in after.events:
        if event.code == "imagined":
            lost += int(str(event.params["lost"]))
            of += int(str(event.params["of"]))
    return round(100 * lost / of) if of else 0


def truth(state: State, seat: Seat) -> list[Remark]:
    """What the others had in hand and had not shown."""
    found = []
    for other in range(codes.SEATS):
        hidden = [card for card in state.table.hand_of(other) if card not in state.shown]
        if other != seat and hidden and other not in state.withdrawn:
            names = ", ".join(state.deck.name_of(card) for card in sorted(hidden))
            found.append(Remark("truth-hand", {"seat": SEATS[other], "names": names}))
    return found
