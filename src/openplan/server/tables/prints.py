"""What is printed of a match for its players, told as plain data: typst sets it elsewhere, when the
store is no longer needed."""

from __future__ import annotations

from typing import Any

from openplan.core.game import Seat
from openplan.mail.outbound.table_letters import when
from openplan.printing.paper import Sheet
from openplan.printing.postal import tell_turn
from openplan.server.errors import Missing
from openplan.server.notify.mail_preferences import language_of
from openplan.server.settings import Settings
from openplan.server.store import Tx
from openplan.server.tables import turns
from openplan.server.tables.access import FoundTable, load, seat_coded, table_name
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.notifications import times_of
from openplan.server.tables.timed_match import TimedMatch


def last_turns(
    tx: Tx, cache: MatchCache, settings: Settings, table: str, code: str
) -> list[dict[str, Any]]:
    """What is printed for every seat, or one: the last turn, the table, the hand, the form."""
    here = load(tx, table, None)
    if here is None or here.row.deal is None:
        raise Missing
    seats = [seat_coded(here.game, code)] if code else [Seat(row.seat) for row in here.seats]
    with cache.timed(tx, here.row) as timed:
        return [printed_turn(tx, here, timed, settings, seat) for seat in seats]


def printed_turn(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    settings: Settings,
    seat: Seat,
    language: str = "",
    *,
    form_only: bool = False,
) -> dict[str, Any]:
    """What is printed for a seat: until when its player may order, and where to."""
    user = here.seats[seat].user_id or ""
    due, _ = times_of(turns.current(tx, here, timed))
    zone = tx.row(str, "SELECT zone FROM users WHERE id = ?", user) or "UTC"
    sheet = Sheet(
        table_name(tx, here.id),
        "" if due is None else when(due, zone),
        settings.mail_address or f"{settings.address}/table/{here.id}",
    )
    language = language or language_of(tx, user)
    return tell_turn(timed.match, seat, sheet, language, form_only=form_only)
