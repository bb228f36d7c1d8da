"""Seats that change hands: who stands by for one, who takes it, and who comes back to theirs."""

from __future__ import annotations

from typing import Literal

from openplan.core.game import Illegal, Seat
from openplan.server.clock import HOUR
from openplan.server.people import blocks
from openplan.server.people.accounts import Person
from openplan.server.people.names import name_among, taken_for
from openplan.server.people.reliability import note
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import entry_rules, moves, notifications, turns
from openplan.server.tables.access import FoundTable, called_at, find, find_playing, load
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.table_rows import change_seat
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn

LostBy = Literal["master", "absence"]


def new_time(timed: TimedMatch, turn: Turn, now: int) -> None:
    """Somebody new has the time of a whole turn."""
    turn.base_at = turns.full_length(timed, now)
    turn.move_to(turn.base_at, now)
    turn.act_at = turn.due_at + timed.rule.grace * HOUR


def open_seat(tx: Tx, here: FoundTable, seat: Seat) -> None:
    change_seat(tx, here.id, seat, is_open=1)
    tx.signal("table", here.id)


def hand_over(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    seat: Seat,
    user: str,
    name: str,
    now: int,
    *,
    why: LostBy = "absence",
) -> None:
    """Somebody else has the seat from now on, with the hand that is there and no orders. Who had it
    is told `why`."""
    row = here.seats[seat]
    # As they are by now: somebody else may have come in with this.
    others = "SELECT name FROM seats WHERE table_id = ? AND seat <> ?"
    name = name_among(name, tx.rows(str, others, here.id, seat))
    name = called_at(here.game, here.options, seat, name)
    if row.user_id is not None and row.user_id != user:
        note_abandoned(tx, here, seat, now)
        code = here.game.seats[seat]
        notifications.tell(tx, row.user_id, "seat-lost", here, now, who=code, why=why)
    change_seat(
        tx,
        here.id,
        seat,
        user_id=user,
        name=name,
        bot=None,
        is_open=0,
        joined_at=now,
    )
    tx.execute("DELETE FROM standbys WHERE table_id = ? AND user_id = ?", here.id, user)
    timed.enter("seat", seat, name, now)


def drop_orders(timed: TimedMatch, seat: Seat, now: int) -> None:
    """What was sealed by somebody who loses the seat is not carried out: the seat withdraws, and
    whoever is entered for it next takes it up again. It does so whether there are orders or not,
    so that nobody learns of any."""
    match = timed.match
    if match.game.sealed and seat in match.to_act and len(match.to_act) > 1:
        timed.enter("resign", seat, "", now, settles=False)


def note_abandoned(tx: Tx, here: FoundTable, seat: Seat, now: int) -> None:
    row = here.seats[seat]
    if row.user_id is not None and row.bot is None:
        note(tx, row.user_id, here.id, "abandoned", now)


def write_anew(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None, now: int) -> None:
    """Write what was entered, with the seats as they are now."""
    again = load(tx, here.id, None)
    assert again is not None
    if turn is not None and turn.stretch == timed.stretch:
        turns.keep(tx, here, turn)
    moves.write(tx, again, timed, turn, now)


def standing_by(tx: Tx, here: FoundTable) -> list[tuple[str, str]]:
    """Who would take a seat, by id and name, in the order in which they said so. Not who has one by
    now: a guest who stands by may sign in as somebody who plays there. Nor who by
    now is called what looks like somebody there: they would keep the seat from the others."""
    if not here.row.has_standbys:
        return []
    rows = tx.rows(
        tuple[str, str],
        "SELECT standbys.user_id, users.name FROM standbys JOIN users"
        " ON users.id = standbys.user_id WHERE table_id = ? AND users.deleted_at IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.table_id = standbys.table_id"
        " AND seats.user_id = standbys.user_id)"
        " ORDER BY standbys.created_at, standbys.user_id",
        here.id,
    )
    names = [row.name for row in here.seats if row.name]
    found = []
    for user, name in rows:
        if not taken_for(name, names):
            names.append(name)
            found.append((user, name))
    return found


def stand_by(
    tx: Tx, cache: MatchCache, person: Person, table: str, invite: str, is_on: bool, now: int
) -> str | None:
    """Offer to take a seat that falls empty, or no longer. If one is open it is taken at once; its
    code."""
    here = find(tx, table, person, invite, lock=True)
    if not is_on:
        tx.execute("DELETE FROM standbys WHERE table_id = ? AND user_id = ?", here.id, person.id)
        tx.signal("table", here.id)
        return None
    if here.own:
        raise refused(Illegal, "two-seats")
    if here.row.state != "playing":
        raise refused(Illegal, "not-playing")
    entry_rules.ask(tx, here, person)
    name_among(person.name, [row.name for row in here.seats])
    tx.execute(
        "INSERT INTO standbys (table_id, user_id, created_at) VALUES (?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO NOTHING",
        here.id,
        person.id,
        now,
    )
    tx.signal("table", here.id)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        open_seats = [Seat(row.seat) for row in here.seats if row.is_open]
        if not open_seats or blocks.who_blocks(tx, here.company, person.id) is not None:
            return None  # whoever is blocked stands by for ever
        seat = open_seats[0]
        hand_over(tx, here, timed, seat, person.id, person.name, now)
        if turn is not None and seat in timed.match.awaited:
            new_time(timed, turn, now)
        write_anew(tx, here, timed, turn, now)
        return here.game.seats[seat]


def come_back(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """Take one's seat back from the bot that stands in."""
    here = find_playing(tx, table, person)
    seat = here.own_seat()
    row = here.seats[seat]
    if row.bot is None:
        raise refused(Illegal, "not-away")
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        change_seat(tx, here.id, seat, bot=None)
        timed.enter("seat", seat, row.name, now)
        if turn is not None and seat in timed.match.awaited:
            new_time(timed, turn, now)
        write_anew(tx, here, timed, turn, now)
