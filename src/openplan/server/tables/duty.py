"""What a viewer gets of a table's time and order: the turn, the rules for absence and press, the
game master, who stands by. As everywhere, the time of day is in none of it."""

from __future__ import annotations

import msgspec

from openplan.server.store import Tx
from openplan.server.tables import overdue, turns
from openplan.server.tables.access import Place
from openplan.server.tables.options import AbsenceRule, PressRule
from openplan.server.tables.press import read_with
from openplan.server.tables.timed_match import TimedMatch


class TurnSight(msgspec.Struct):
    number: int
    began_at: int
    due_at: int
    acts_at: int
    """When the rule for absence comes in; until then what is late still counts."""
    is_overdue: bool
    late: list[str] | None
    """Who is late; nothing where the table does not tell who has sent orders."""
    waits: bool | None
    """Whether you want the turn to wait for its deadline; nothing if that is not for you to say."""


class Duty(msgspec.Struct):
    turn: TurnSight | None
    absence: AbsenceRule
    press: PressRule
    press_lines: int
    """How many lines of press you can read by now."""
    master: str | None
    """The game master's name."""
    is_master: bool
    master_invite: str | None
    """For the game master: whoever gets this may become the game master."""
    standbys: int
    is_standby: bool


def see(tx: Tx, place: Place, user: str | None, timed: TimedMatch | None) -> Duty:
    row = place.row
    is_master = user is not None and row.master_id == user
    names = [seat.name for seat in place.seats]
    standing = {one.user_id for one in overdue.standing_by(tx, place)}
    return Duty(
        turn=None if timed is None else _turn(tx, place, timed),
        absence=place.options.absence,
        press=place.options.press,
        press_lines=len(read_with(tx, place, user, names)),
        master=row.master,
        is_master=is_master,
        master_invite=row.master_invite if is_master else None,
        standbys=len(standing),
        is_standby=user in standing,
    )


def _turn(tx: Tx, place: Place, timed: TimedMatch) -> TurnSight | None:
    turn = turns.current(tx, place, timed)
    if turn is None:
        return None
    late = overdue.late_told(place, timed, turn)
    match = timed.match
    is_waiter = place.game.sealed and place.seat in match.to_act
    return TurnSight(
        number=turn.stretch.number,
        began_at=turn.stretch.began,
        due_at=turn.due_at,
        acts_at=turn.act_at,
        is_overdue=turn.is_overdue,
        late=None if late is None else [place.game.seats[seat] for seat in late],
        waits=place.seat in turn.waits if is_waiter else None,
    )
