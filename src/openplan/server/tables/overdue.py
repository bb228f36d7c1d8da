"""What falls due: reminders, deadlines, and then what the table's rule for absence says.

Nobody blocks the others for ever: whatever is tried first, in the end the turn is carried out or
the seat's time is up.
"""

from __future__ import annotations

from typing import Final

from openplan.core.game import Seat
from openplan.server.clock import DAY, MINUTE, SECOND
from openplan.server.notify import mailboxes
from openplan.server.people import blocks
from openplan.server.store import Tx, jobs
from openplan.server.tables import moves, notifications, standby, turns
from openplan.server.tables.access import FoundTable, load
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.table_rows import change_seat
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import PATIENCE, SLACK, Turn

BOT_TIME: Final = DAY
"""How long a bot that stands in may take, if it breaks."""
LOOK_AGAIN: Final = 2 * SECOND
"""While a mailbox is to be read first."""
HELD_UP: Final = 10 * MINUTE
"""After so long all are told that a deadline waits for a mailbox."""
OPEN_FOR: Final = 7 * DAY
"""How long a seat is open before the turn goes on without it."""


# -- What falls due --------------------------------------------------------------------------


def expire(tx: Tx, cache: MatchCache, table: str, now: int) -> bool:
    """Do what has fallen due; whether something was entered. Called twice, it does so once."""
    here = load(tx, table, None, lock=True)
    if here is None or here.row.state != "playing":
        jobs.wake(tx, table, None)
        return False
    with cache.timed(tx, here.row) as timed:
        return _expire(tx, here, timed, now)


def _expire(tx: Tx, here: FoundTable, timed: TimedMatch, now: int) -> bool:
    match, flag = timed.match, timed.flag()
    if match.paused and now >= timed.at + PATIENCE:
        # Going on needs everybody's consent, and somebody may be gone.
        timed.enter("resume", None, "", now)
        moves.write(tx, here, timed, None, now)
        moves.tell_pause(tx, here, timed, now)
        return True
    if flag is not None and flag.at <= now:
        timed.enter("flag", flag.seat, "", now)
        moves.write(tx, here, timed, None, now)
        return True
    turn = turns.current(tx, here, timed, thorough=True)
    if turn is None:
        turns.wake(tx, here, timed, None)
        return False
    if turn.next_reminder <= now:
        _remind(tx, here, timed, turn, now)
    is_due = here.game.sealed and not match.awaited and now >= turn.due_at + SLACK
    is_over = now >= turn.act_at + SLACK
    if is_due or is_over:
        if mailboxes.waits(tx, turn.due_at if is_due else turn.act_at, now):
            # Orders that came in time may still lie there.
            _tell_of_mailbox(tx, here, turn, now)
            jobs.wake(tx, here.id, now + LOOK_AGAIN)
            return False
    if is_due:
        _enter_deadline(tx, here, timed, turn, now)
        return True
    if is_over:
        _act(tx, here, timed, turn, now)
        return True
    turns.wake(tx, here, timed, turn)
    return False


def _tell_of_mailbox(tx: Tx, here: FoundTable, turn: Turn, now: int) -> None:
    """Once in a turn, and not for the moments until the mailbox is read anyway."""
    if turn.readiness.is_held_up or now < turn.due_at + HELD_UP:
        return
    turn.readiness.is_held_up = True
    turns.keep(tx, here, turn)
    notifications.tell_seats(tx, here, here.people(), "mailbox", now)
    notifications.tell_master(tx, here, "mailbox", now)


def _remind(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn, now: int) -> None:
    """A day before the deadline, at it, and daily from then on; what was missed is not repeated."""
    was_overdue = turn.is_overdue
    while turn.next_reminder <= now:
        turn.stage += 1
    missing = [seat for seat in sorted(timed.match.awaited) if here.seats[seat].bot is None]
    if not turn.is_overdue:
        turn.reminded = sorted({*turn.reminded, *map(int, missing)})
        notifications.remind(tx, here, timed, turn, missing, "reminder", now)
    else:
        if not was_overdue:
            turn.late = [int(seat) for seat in missing]
            others = [seat for seat in here.people() if seat not in missing]
            if missing:
                late = late_told(here, timed, turn)
                names = None if late is None else [timed.match.names[seat] for seat in late]
                notifications.tell_seats(tx, here, others, "others-late", now, late=names)
        notifications.remind(tx, here, timed, turn, missing, "late", now)
    if not was_overdue:
        notifications.remind_master(tx, here, timed, turn, now)
    turns.keep(tx, here, turn)
    tx.signal("table", here.id)


def late_told(here: FoundTable, timed: TimedMatch, turn: Turn) -> list[int] | None:
    """Who is late, as far as everybody may know: where the table hides who has sent orders, naming
    the late would name the others."""
    is_told = here.game.shows_awaited(timed.match.house)
    return turn.late if is_told else None


def _enter_deadline(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn, now: int) -> None:
    timed.enter("deadline", None, "", now)
    moves.write(tx, here, timed, turn, now)


# -- The policy ------------------------------------------------------------------------------


def _act(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn, now: int) -> None:
    """The time of the seats that are waited for is over, and so is their grace."""
    rule = here.options.absence
    missing = sorted(timed.match.awaited)
    people = [seat for seat in missing if here.seats[seat].bot is None]
    if rule.policy == "bot" and people:
        for seat in people:
            stand_in(tx, here, timed, seat, rule.bot, now)
        _grant(turn, now + BOT_TIME, "bot")
    elif rule.policy == "standby" and people and _hand_on(tx, here, timed, turn, people, now):
        pass
    elif here.game.sealed and turn.stretch.number > 1 and rule.policy != "resign":
        _enter_deadline(tx, here, timed, turn, now)
        return
    else:
        for seat in missing:
            if timed.match.outcome is None and seat in timed.match.awaited:
                notifications.tell_seats(tx, here, [seat], "time-up", now)
                notifications.tell_master(tx, here, "flag", now, who=here.game.seats[seat])
                standby.note_abandoned(tx, here, seat, now)
                timed.enter("flag", seat, "", now, settles=False)
    standby.write_anew(tx, here, timed, turn, now)


def _grant(turn: Turn, act_at: int, tried: str) -> None:
    turn.act_at, turn.tried = act_at, tried


def stand_in(tx: Tx, here: FoundTable, timed: TimedMatch, seat: Seat, bot: str, now: int) -> None:
    """A bot plays on; the seat stays its owner's."""
    notifications.tell_seats(tx, here, [seat], "stand-in", now, bot=bot)
    notifications.tell_master(tx, here, "stand-in", now, who=here.game.seats[seat], bot=bot)
    standby.note_abandoned(tx, here, seat, now)
    change_seat(tx, here.id, seat, bot=bot, is_open=0)
    timed.enter("seat", seat, f"{bot} (bot)", now)


def _hand_on(
    tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn, seats: list[Seat], now: int
) -> bool:
    """Give the seats to who stands by; open them if nobody does. False if they have been open for
    long enough."""
    standing = standby.standing_by(tx, here)
    welcome = [one for one in standing if blocks.who_blocks(tx, here.company, one[0]) is None]
    takers = welcome[: len(seats)]
    if not takers and turn.tried == "open":
        return False
    for seat, (user, name) in zip(seats, takers, strict=False):
        standby.hand_over(tx, here, timed, seat, user, name, now)
        who = here.game.seats[seat]
        notifications.tell_master(tx, here, "handed", now, who=who, name=name)
    for seat in seats[len(takers) :]:
        if not here.seats[seat].is_open:
            notifications.tell_seats(tx, here, [seat], "seat-open", now)
            notifications.tell_master(tx, here, "seat-open", now, who=here.game.seats[seat])
            standby.open_seat(tx, here, seat)
    if takers:
        standby.new_time(timed, turn, now)
    else:
        _grant(turn, now + OPEN_FOR, "open")
    return True
