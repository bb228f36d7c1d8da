"""Being away with notice: deadlines that are far enough ahead move for it."""

from __future__ import annotations

from typing import Final

import msgspec

from openplan.core.game import Illegal
from openplan.server.clock import DAY
from openplan.server.errors import Forbidden, Missing
from openplan.server.people.accounts import Person, new_id
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import notifications, turns
from openplan.server.tables.access import find, load
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.schedule import moved

LONGEST: Final = 60 * DAY
MOST_A_YEAR: Final = 90 * DAY
MOST_AT_ONCE: Final = 50


class Away(msgspec.Struct):
    id: str
    table: str | None
    from_at: int
    until_at: int


def announce(
    tx: Tx, cache: MatchCache, person: Person, table: str, start: int, end: int, now: int
) -> str:
    """Be away, at one table or (with none named) at all. Deadlines that are more than a day ahead
    move for it, as far as each table allows."""
    if table:
        find(tx, table, person).own_seats()
    if not (now - DAY < start < end and now < end and start - now <= 366 * DAY):
        raise refused(Illegal, "absence", "absence-when", days=LONGEST // DAY)
    # Who says today that they are away today means from now on, whenever their day began.
    start = max(start, now)
    if end - start > LONGEST:
        raise refused(Illegal, "absence", "absence-when", days=LONGEST // DAY)
    known = [
        row
        for row in absences(tx, person)
        if row.until_at > now - 365 * DAY and row.table in (None, table or None)
    ]
    if len(known) >= MOST_AT_ONCE:
        raise refused(Illegal, "absence", "absence-many", most=MOST_AT_ONCE)
    if sum(row.until_at - row.from_at for row in known) + end - start > MOST_A_YEAR:
        raise refused(Illegal, "absence", "absence-year", days=MOST_A_YEAR // DAY)
    absence = new_id()
    tx.execute(
        "INSERT INTO absences (id, user_id, table_id, from_at, until_at, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        absence,
        person.id,
        table or None,
        start,
        end,
        now,
    )
    seated = tx.rows(
        str,
        "SELECT DISTINCT tables.id FROM tables JOIN seats ON seats.table_id = tables.id"
        " WHERE seats.user_id = ? AND tables.state = 'playing' ORDER BY tables.id",
        person.id,
    )
    for one in seated:
        if table in ("", one):
            _move_deadline(tx, cache, one, person.id, now)
    return absence


def _move_deadline(tx: Tx, cache: MatchCache, table: str, away_id: str, now: int) -> None:
    """The others are told of the new time. Who is away is for that one to say."""
    here = load(tx, table, None, lock=True)
    assert here is not None
    with cache.timed(tx, here.row) as timed:
        rule, turn = timed.rule, turns.current(tx, here, timed)
        if turn is None or turn.is_overdue or rule.kind == "none":
            return
        away = turns.absences(tx, here, timed)
        due = moved(turn.base_at, away, rule.vacation * DAY, rule.schedule)
        if due > turn.due_at:
            turn.move_to(due, now)
            turns.keep(tx, here, turn)
            turns.wake(tx, here, timed, turn)
            others = [seat for seat in here.people() if here.seats[seat].user_id != away_id]
            notifications.tell_seats(tx, here, others, "moved", now, due_at=due)
            if (master := notifications.judge_of(here)) is not None:
                notifications.tell(tx, master, "moved", here, now, due_at=due)
            tx.signal("table", here.id)


def absences(tx: Tx, person: Person) -> list[Away]:
    return tx.rows(
        Away,
        'SELECT id, table_id AS "table", from_at, until_at FROM absences WHERE user_id = ?'
        " ORDER BY from_at",
        person.id,
    )


def be_back(tx: Tx, person: Person, absence: str, now: int) -> None:
    """Be there after all. Deadlines that have moved stay where they are."""
    find = "SELECT until_at FROM absences WHERE id = ? AND user_id = ?"
    until = tx.row(int, find, absence, person.id)
    if until is None:
        raise Missing
    if until <= now:
        raise refused(Forbidden, "absence", "absence-over")
    tx.execute("DELETE FROM absences WHERE id = ?", absence)
