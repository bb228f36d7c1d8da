"""Who is told by letter of what happens at a table; `mailing` writes the letters.

What is queued says only which table, which seat and up to which entry; the letter is written from
what its reader knew at that entry. So one that is sent twice is the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.server.notify.letters import Notice, NoticeKind, TurnKind, TurnLetter, post
from openplan.server.notify.mail_preferences import Wishes, wishes_of
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.store.rows import SeatRow
from openplan.server.tables.access import FoundTable, find
from openplan.server.tables.table_rows import change_seat
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn

# What somebody may do without. The rest is about one's own seat and always told.
BY_WISH: Final[dict[NoticeKind, str]] = {
    "others-late": "reminder",
    "moved": "reminder",
    "paused": "reminder",
    "resumed": "reminder",
    "press": "message",
    "called-off": "end",
}


def watch(tx: Tx, person: Person, table: str, now: int) -> None:
    """Get the reports of a table that one may know of, as a spectator."""
    here = find(tx, table, person)
    tx.execute(
        "INSERT INTO watchers (table_id, user_id, created_at) VALUES (?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO NOTHING",
        here.id,
        person.id,
        now,
    )


def watchers(tx: Tx, here: FoundTable) -> list[str]:
    return tx.rows(str, "SELECT user_id FROM watchers WHERE table_id = ?", here.id)


# -- Between the turns -----------------------------------------------------------------------


def tell(
    tx: Tx,
    user: str,
    kind: NoticeKind,
    here: FoundTable,
    now: int,
    *,
    seat: int | None = None,
    **facts: Any,
) -> None:
    """A letter to somebody about a table, if it is wished for. It is written as the table stands
    now, with these facts, for this seat of theirs or for any."""
    wishes = _wishes(tx, user)
    if wishes is None or (kind in BY_WISH and not getattr(wishes, BY_WISH[kind])):
        return
    last = "SELECT COALESCE(MAX(ply), 0) FROM entries WHERE table_id = ?"
    (ply,) = tx.rows(int, last, here.id)
    post(tx, Notice(to=user, at=now, kind=kind, table=here.id, ply=ply, facts=facts, seat=seat))


def tell_seats(
    tx: Tx, here: FoundTable, seats: Iterable[int | Seat], kind: NoticeKind, now: int, **facts: Any
) -> None:
    """A letter to the people in these seats; the same person is told once."""
    users: dict[str | None, int] = {}
    for seat in seats:
        if here.seats[seat].bot is None:
            users.setdefault(here.seats[seat].user_id, int(seat))
    for user, seat in users.items():
        if user is not None:
            tell(tx, user, kind, here, now, seat=seat, **facts)


def judge_of(here: FoundTable) -> str | None:
    """The game master who gets letters as such: one who does not play."""
    master = here.master
    return None if any(row.user_id == master for row in here.seats) else master


def tell_master(tx: Tx, here: FoundTable, what: str, now: int, **facts: Any) -> None:
    """A note to the game master: somebody has dropped out, or gets no mail."""
    master = judge_of(here)
    if master is not None:
        tell(tx, master, "master-note", here, now, what=what, **facts)


# -- Turn by turn ----------------------------------------------------------------------------


def welcome(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None, now: int) -> None:
    for row in here.seats:
        _post_seat(tx, here, timed, row, "welcome", turn, now)
    _post_master(tx, here, timed, "master-welcome", turn, now)


def report(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    before: int,
    begun: Turn | None,
    now: int,
    **by_master: Any,
) -> frozenset[str]:
    """Something was entered after entry `before`: a report to who is concerned, and says so if it
    was an act of the game master. Sealed orders that come in concern nobody, and so nobody can tell
    from a letter that they did. Which seats' people get one."""
    facts = {"master": by_master} if by_master else {}
    match = timed.match
    new = match.log[before:]
    _welcome_new(tx, here, timed, before, begun, now)
    concerns_all = any(entry.kind in ("adjudicate", "deadline", "roll-back") for entry in new)
    if match.outcome is not None or concerns_all:
        readers = list(here.seats)
    elif here.game.sealed:
        readers = []
    else:
        movers = {entry.seat for entry in new if entry.kind == "move"}
        readers = [here.seats[seat] for seat in sorted(match.awaited - movers)]
    told = [
        row for row in readers if _post_seat(tx, here, timed, row, "report", begun, now, **facts)
    ]
    if len(readers) == len(here.seats):
        _post_watchers(tx, here, timed, begun, now, **facts)
        absent = tuple(
            int(seat)
            for number, entry in enumerate(new, before)
            if entry.kind == "deadline"
            for seat in sorted(timed.awaited_before[number])
        )
        _post_master(tx, here, timed, "report", begun, now, absent=absent, **facts)
    return frozenset(row.user_id for row in told if row.user_id is not None)


def _welcome_new(
    tx: Tx, here: FoundTable, timed: TimedMatch, before: int, turn: Turn | None, now: int
) -> None:
    """Whoever was given a seat gets the table, the hand and a form."""
    if timed.match.outcome is None:
        for entry in timed.match.log[before:]:
            if entry.kind == "seat" and entry.seat is not None:
                _post_seat(tx, here, timed, here.seats[entry.seat], "welcome", turn, now)


def remind(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    turn: Turn,
    seats: Iterable[int],
    kind: Literal["reminder", "late"],
    now: int,
) -> None:
    """Time is running out, or has: with the form once more, so that an answer is enough."""
    for seat in seats:
        row = here.seats[seat]
        if row.user_id is not None and row.bot is None and _wishes_reminders(tx, row.user_id):
            since = row.reported_ply
            _post(tx, here, timed, row.user_id, kind, turn, now, seat=int(seat), since=since)


def remind_master(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn, now: int) -> None:
    """Who has sent orders and who has not; a day before the deadline, and when it has passed."""
    master = judge_of(here)
    if master is not None and _wishes_reminders(tx, master):
        kind: TurnKind = "master-late" if turn.is_overdue else "master-reminder"
        _post(tx, here, timed, master, kind, turn, now, seat=None, since=0)


def _post_seat(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    row: SeatRow,
    kind: TurnKind,
    turn: Turn | None,
    now: int,
    **facts: Any,
) -> bool:
    """Whether there is somebody who wants it."""
    if row.user_id is None or row.bot is not None or not _wants(tx, row.user_id, timed.match):
        return False
    seat, since = int(row.seat), row.reported_ply
    _post(tx, here, timed, row.user_id, kind, turn, now, seat=seat, since=since, **facts)
    change_seat(tx, here.id, row.seat, reported_ply=timed.match.ply)
    return True


def _post_watchers(
    tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None, now: int, **facts: Any
) -> None:
    since = last_turn(timed.match)
    told = {judge_of(here), *(row.user_id for row in here.seats)}
    for user in watchers(tx, here):
        if user not in told:
            _post(tx, here, timed, user, "report", turn, now, seat=None, since=since, **facts)


def _post_master(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    kind: TurnKind,
    turn: Turn | None,
    now: int,
    **facts: Any,
) -> None:
    """To a game master who does not play, as a spectator would be told."""
    master = judge_of(here)
    if master is not None and _wants(tx, master, timed.match):
        since = last_turn(timed.match)
        _post(tx, here, timed, master, kind, turn, now, seat=None, since=since, **facts)


def _post(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    to: str,
    kind: TurnKind,
    turn: Turn | None,
    now: int,
    *,
    seat: int | None,
    since: int,
    **facts: Any,
) -> None:
    """With which table it is, up to which entry, and its times."""
    due, grace = times_of(turn)
    usual = None if turn is None or turn.due_at <= turn.base_at else turn.base_at
    post(
        tx,
        TurnLetter(
            to=to,
            at=now,
            kind=kind,
            table=here.id,
            ply=timed.match.ply,
            number=timed.stretch.number,
            seat=seat,
            since=since,
            due=due,
            grace=grace,
            usual=usual,
            **facts,
        ),
    )


def times_of(turn: Turn | None) -> tuple[int | None, int | None]:
    """When orders are due, and until when they are waited for if that is longer."""
    if turn is None:
        return None, None
    return turn.due_at, turn.act_at if turn.act_at > turn.due_at else None


def last_turn(match: Match) -> int:
    """The entry after which the turn that was opened last had begun."""
    opened = [n for n, entry in enumerate(match.log) if entry.kind in ("adjudicate", "deadline")]
    return 0 if len(opened) < 2 else opened[-2] + 1


def _wants(tx: Tx, user: str, match: Match) -> bool:
    """People with a mail address who want it."""
    wishes = _wishes(tx, user, " AND email IS NOT NULL")
    return wishes is not None and (wishes.turn if match.outcome is None else wishes.end)


def _wishes_reminders(tx: Tx, user: str) -> bool:
    wishes = _wishes(tx, user)
    return wishes is not None and wishes.reminder


def _wishes(tx: Tx, user: str, condition: str = "") -> Wishes | None:
    select = "SELECT wishes FROM users WHERE id = ? AND deleted_at IS NULL"
    text = tx.row(str, select + condition, user)
    return None if text is None else wishes_of(text)
