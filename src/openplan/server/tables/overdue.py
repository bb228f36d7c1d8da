"""When somebody is not there: reminders, then what the table's policy says; and being away with
notice. Nobody blocks the others for ever: whatever is tried first, in the end the turn is carried
out or the seat's time is up.
"""

from __future__ import annotations

from typing import Final

from openplan.core.game import Illegal, Seat
from openplan.server.errors import Forbidden, Missing
from openplan.server.mailing import letter_writer
from openplan.server.notify import notifications
from openplan.server.people import blocks
from openplan.server.people.accounts import Person, new_id
from openplan.server.people.reliability import note
from openplan.server.refusals import refused
from openplan.server.store import Row, Tx, jobs
from openplan.server.tables import entry_rules, moves, turns
from openplan.server.tables.access import Place, find, find_playing, load
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.schedule import DAY, HOUR, moved
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import PATIENCE, SLACK, Turn

BOT_TIME: Final = DAY
"""How long a bot that stands in may take, if it breaks."""
OPEN_FOR: Final = 7 * DAY
"""How long a seat is open before the turn goes on without it."""
LONGEST: Final = 60 * DAY
MOST_A_YEAR: Final = 90 * DAY
MOST_AT_ONCE: Final = 50


# -- What falls due --------------------------------------------------------------------------


def expire(tx: Tx, cache: MatchCache, table: str, now: int) -> bool:
    """Do what has fallen due; whether something was entered. Called twice, it does so once."""
    place = load(tx, table, None, lock=True)
    if place is None or place.row.state != "playing":
        jobs.wake(tx, table, None)
        return False
    with cache.timed(tx, place.row) as timed:
        return _expire(tx, place, timed, now)


def _expire(tx: Tx, place: Place, timed: TimedMatch, now: int) -> bool:
    match, flag = timed.match, timed.flag()
    if match.paused and now >= timed.at + PATIENCE:
        # Going on needs everybody's consent, and somebody may be gone.
        timed.enter("resume", None, "", now)
        moves.write(tx, place, timed, None, now)
        return True
    if flag is not None and flag.at <= now:
        timed.enter("flag", flag.seat, "", now)
        moves.write(tx, place, timed, None, now)
        return True
    turn = turns.current(tx, place, timed, thorough=True)
    if turn is None:
        turns.wake(tx, place, timed, None)
        return False
    if turn.next_reminder <= now:
        _remind(tx, place, timed, turn, now)
    if place.game.sealed and not match.awaited and now >= turn.due_at + SLACK:
        _enter_deadline(tx, place, timed, turn, now)
        return True
    if now >= turn.act_at + SLACK:
        _act(tx, place, timed, turn, now)
        return True
    turns.wake(tx, place, timed, turn)
    return False


def _remind(tx: Tx, place: Place, timed: TimedMatch, turn: Turn, now: int) -> None:
    """A day before the deadline, at it, and daily from then on; what was missed is not repeated."""
    was_overdue = turn.is_overdue
    while turn.next_reminder <= now:
        turn.stage += 1
    missing = [seat for seat in sorted(timed.match.awaited) if place.seats[seat].bot is None]
    if not turn.is_overdue:
        turn.reminded = sorted({*turn.reminded, *map(int, missing)})
        letter_writer.remind(tx, place, timed, turn, missing, "reminder", now)
    else:
        if not was_overdue:
            turn.late = [int(seat) for seat in missing]
            others = [seat for seat in place.people() if seat not in missing]
            if missing:
                late = late_told(place, timed, turn)
                names = None if late is None else [timed.match.names[seat] for seat in late]
                notifications.tell_seats(tx, place, others, "others-late", now, late=names)
        letter_writer.remind(tx, place, timed, turn, missing, "late", now)
    if not was_overdue:
        letter_writer.remind_master(tx, place, timed, turn, now)
    turns.keep(tx, place, turn)
    tx.notify("table", place.id)


def late_told(place: Place, timed: TimedMatch, turn: Turn) -> list[int] | None:
    """Who is late, as far as everybody may know: where the table hides who has sent orders, naming
    the late would name the others."""
    is_told = place.game.shows_awaited(timed.match.house)
    return turn.late if is_told else None


def _enter_deadline(tx: Tx, place: Place, timed: TimedMatch, turn: Turn, now: int) -> None:
    timed.enter("deadline", None, "", now)
    moves.write(tx, place, timed, turn, now)


# -- The policy ------------------------------------------------------------------------------


def _act(tx: Tx, place: Place, timed: TimedMatch, turn: Turn, now: int) -> None:
    """The time of the seats that are waited for is over, and so is their grace."""
    rule = place.options.absence
    missing = sorted(timed.match.awaited)
    people = [seat for seat in missing if place.seats[seat].bot is None]
    if rule.policy == "bot" and people:
        for seat in people:
            stand_in(tx, place, timed, seat, rule.bot, now)
        _grant(turn, now + BOT_TIME, "bot")
    elif rule.policy == "standby" and people and _hand_on(tx, place, timed, turn, people, now):
        pass
    elif place.game.sealed and turn.stretch.number > 1 and rule.policy != "resign":
        _enter_deadline(tx, place, timed, turn, now)
        return
    else:
        for seat in missing:
            if timed.match.outcome is None and seat in timed.match.awaited:
                notifications.tell_seats(tx, place, [seat], "time-up", now)
                notifications.tell_master(tx, place, "flag", now, who=place.game.seats[seat])
                note_abandoned(tx, place, seat, now)
                timed.enter("flag", seat, "", now, settles=False)
    write_anew(tx, place, timed, turn, now)


def _grant(turn: Turn, act_at: int, tried: str) -> None:
    turn.act_at, turn.tried = act_at, tried


def write_anew(tx: Tx, place: Place, timed: TimedMatch, turn: Turn | None, now: int) -> None:
    """Write what was entered, with the seats as they are now."""
    again = load(tx, place.id, None)
    assert again is not None
    if turn is not None and turn.stretch == timed.stretch:
        turns.keep(tx, place, turn)
    moves.write(tx, again, timed, turn, now)


def stand_in(tx: Tx, place: Place, timed: TimedMatch, seat: Seat, bot: str, now: int) -> None:
    """A bot plays on; the seat stays its owner's."""
    notifications.tell_seats(tx, place, [seat], "stand-in", now, bot=bot)
    notifications.tell_master(tx, place, "stand-in", now, who=place.game.seats[seat], bot=bot)
    note_abandoned(tx, place, seat, now)
    tx.execute(
        "UPDATE seats SET bot = ?, is_open = 0 WHERE table_id = ? AND seat = ?", bot, place.id, seat
    )
    timed.enter("seat", seat, f"{bot} (bot)", now)


def note_abandoned(tx: Tx, place: Place, seat: Seat, now: int) -> None:
    row = place.seats[seat]
    if row.user_id is not None and row.bot is None:
        note(tx, row.user_id, place.id, "abandoned", now)


def _hand_on(
    tx: Tx, place: Place, timed: TimedMatch, turn: Turn, seats: list[Seat], now: int
) -> bool:
    """Give the seats to who stands by; open them if nobody does. False if they have been open for
    long enough."""
    standing = standing_by(tx, place)
    welcome = [one for one in standing if blocks.who_blocks(tx, place, one.user_id) is None]
    takers = welcome[: len(seats)]
    if not takers and turn.tried == "open":
        return False
    for seat, taker in zip(seats, takers, strict=False):
        hand_over(tx, place, timed, seat, taker.user_id, taker.name, now)
        who = place.game.seats[seat]
        notifications.tell_master(tx, place, "handed", now, who=who, name=taker.name)
    for seat in seats[len(takers) :]:
        if not place.seats[seat].is_open:
            notifications.tell_seats(tx, place, [seat], "seat-open", now)
            notifications.tell_master(tx, place, "seat-open", now, who=place.game.seats[seat])
            open_seat(tx, place, seat)
    if takers:
        new_time(timed, turn, now)
    else:
        _grant(turn, now + OPEN_FOR, "open")
    return True


def new_time(timed: TimedMatch, turn: Turn, now: int) -> None:
    """Somebody new has the time of a whole turn."""
    turn.base_at = turns.full_length(timed, now)
    turn.move_to(turn.base_at)
    turn.act_at = turn.due_at + timed.rule.grace * HOUR


def open_seat(tx: Tx, place: Place, seat: Seat) -> None:
    tx.execute("UPDATE seats SET is_open = 1 WHERE table_id = ? AND seat = ?", place.id, seat)
    tx.notify("table", place.id)


def hand_over(
    tx: Tx, place: Place, timed: TimedMatch, seat: Seat, user: str, name: str, now: int
) -> None:
    """Somebody else has the seat from now on, with the hand that is there and no orders."""
    row = place.seats[seat]
    if row.user_id is not None and row.user_id != user:
        note_abandoned(tx, place, seat, now)
        notifications.tell(tx, row.user_id, "seat-lost", place, now, who=place.game.seats[seat])
    tx.execute(
        "UPDATE seats SET user_id = ?, name = ?, bot = NULL, is_open = 0, acting_id = NULL,"
        " joined_at = ? WHERE table_id = ? AND seat = ?",
        user,
        name,
        now,
        place.id,
        seat,
    )
    tx.execute("DELETE FROM standbys WHERE table_id = ? AND user_id = ?", place.id, user)
    timed.enter("seat", seat, name, now)


def drop_orders(timed: TimedMatch, seat: Seat, now: int) -> None:
    """What was sealed by somebody who loses the seat is not carried out: the seat withdraws, and
    whoever is entered for it next takes it up again. It does so whether there are orders or not,
    so that nobody learns of any."""
    match = timed.match
    if match.game.sealed and seat in match.to_act and len(match.to_act) > 1:
        timed.enter("resign", seat, "", now, settles=False)


# -- Standing by, and coming back ------------------------------------------------------------


def standing_by(tx: Tx, place: Place) -> list[Row]:
    """Who would take a seat, in the order in which they said so. Not who has one by now: a guest
    who stands by may sign in as somebody who plays there."""
    if not place.row.has_standbys:
        return []
    return tx.execute(
        "SELECT standbys.user_id, users.name FROM standbys JOIN users"
        " ON users.id = standbys.user_id WHERE table_id = ? AND users.deleted_at IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM seats WHERE seats.table_id = standbys.table_id"
        " AND seats.user_id = standbys.user_id)"
        " ORDER BY standbys.created_at, standbys.user_id",
        place.id,
    )


def stand_by(
    tx: Tx, cache: MatchCache, person: Person, table: str, invite: str, is_on: bool, now: int
) -> str | None:
    """Offer to take a seat that falls empty, or no longer. If one is open it is taken at once; its
    code."""
    place = find(tx, table, person, invite, lock=True)
    if not is_on:
        tx.execute("DELETE FROM standbys WHERE table_id = ? AND user_id = ?", place.id, person.id)
        tx.notify("table", place.id)
        return None
    if place.own:
        raise refused(Illegal, "two-seats")
    if place.row.state != "playing":
        raise refused(Illegal, "not-playing")
    entry_rules.ask(tx, place, person)
    tx.execute(
        "INSERT INTO standbys (table_id, user_id, created_at) VALUES (?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO NOTHING",
        place.id,
        person.id,
        now,
    )
    tx.notify("table", place.id)
    with cache.timed(tx, place.row) as timed:
        turn = moves.check_time(tx, place, timed, now)
        open_seats = [Seat(row.seat) for row in place.seats if row.is_open]
        if not open_seats or blocks.who_blocks(tx, place, person.id) is not None:
            return None  # whoever is blocked stands by for ever
        seat = open_seats[0]
        hand_over(tx, place, timed, seat, person.id, person.name, now)
        if turn is not None and seat in timed.match.awaited:
            new_time(timed, turn, now)
        write_anew(tx, place, timed, turn, now)
        return place.game.seats[seat]


def come_back(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """Take one's seat back from the bot that stands in."""
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    row = place.seats[seat]
    if row.bot is None:
        raise refused(Illegal, "not-away")
    with cache.timed(tx, place.row) as timed:
        turn = moves.check_time(tx, place, timed, now)
        tx.execute("UPDATE seats SET bot = NULL WHERE table_id = ? AND seat = ?", place.id, seat)
        timed.enter("seat", seat, row.name, now)
        if turn is not None and seat in timed.match.awaited:
            new_time(timed, turn, now)
        write_anew(tx, place, timed, turn, now)


# -- Away with notice ------------------------------------------------------------------------


def announce(
    tx: Tx, cache: MatchCache, person: Person, table: str, start: int, end: int, now: int
) -> str:
    """Be away, at one table or (with none named) at all. Deadlines that are more than a day ahead
    move for it, as far as each table allows."""
    if table:
        find(tx, table, person).own_seats()
    if not (now <= start < end and end - start <= LONGEST and start - now <= 366 * DAY):
        raise refused(Illegal, "absence", "absence-when", days=LONGEST // DAY)
    known = [
        row
        for row in absences(tx, person)
        if row.until_at > now - 365 * DAY and row.table_id in (None, table or None)
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
    seated = tx.execute(
        "SELECT DISTINCT tables.id FROM tables JOIN seats ON seats.table_id = tables.id"
        " WHERE seats.user_id = ? AND tables.state = 'playing' ORDER BY tables.id",
        person.id,
    )
    for row in seated:
        if table in ("", row.id):
            _move_deadline(tx, cache, row.id, person.id, now)
    return absence


def _move_deadline(tx: Tx, cache: MatchCache, table: str, away_id: str, now: int) -> None:
    """The others are told of the new time. Who is away is for that one to say."""
    place = load(tx, table, None, lock=True)
    assert place is not None
    with cache.timed(tx, place.row) as timed:
        rule, turn = timed.rule, turns.current(tx, place, timed)
        if turn is None or turn.is_overdue or rule.kind == "none":
            return
        away = turns.absences(tx, place, timed)
        due = moved(turn.base_at, away, rule.vacation * DAY, rule.schedule)
        if due > turn.due_at:
            turn.move_to(due)
            turns.keep(tx, place, turn)
            turns.wake(tx, place, timed, turn)
            others = [seat for seat in place.people() if place.seats[seat].user_id != away_id]
            notifications.tell_seats(tx, place, others, "moved", now, due_at=due)
            if (master := notifications.judge_of(place)) is not None:
                notifications.tell(tx, master, "moved", place, now, due_at=due)
            tx.notify("table", place.id)


def absences(tx: Tx, person: Person) -> list[Row]:
    return tx.execute("SELECT * FROM absences WHERE user_id = ? ORDER BY from_at", person.id)


def be_back(tx: Tx, person: Person, absence: str, now: int) -> None:
    """Be there after all. Deadlines that have moved stay where they are."""
    found = tx.one("SELECT until_at FROM absences WHERE id = ? AND user_id = ?", absence, person.id)
    if found is None:
        raise Missing
    if found.until_at <= now:
        raise refused(Forbidden, "absence", "absence-over")
    tx.execute("DELETE FROM absences WHERE id = ?", absence)
