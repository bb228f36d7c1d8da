"""Who is told of what happens at a table, by letter, push or hook; `mailing` and `telling` write.

What is queued says only which table, which seat and up to which entry; the letter is written from
what its reader knew at that entry. So one that is sent twice is the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.server.notify.letters import Notice, NoticeKind, TurnKind, TurnLetter, post
from openplan.server.notify.tellings import What, reach, tell_hook
from openplan.server.notify.wishes import Wish
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.store.rows import SeatRow
from openplan.server.tables.access import FoundTable, find
from openplan.server.tables.table_rows import change_seat
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn

# What somebody may do without. The rest is about one's own seat and always told.
BY_WISH: Final[dict[NoticeKind, Wish]] = {
    "others-late": "reminder",
    "moved": "reminder",
    "mailbox": "reminder",
    "paused": "reminder",
    "resumed": "reminder",
    "press": "message",
    "called-off": "end",
}
# What a push or a hook calls it; all else are news.
IN_SHORT: Final[dict[NoticeKind, What]] = {
    "press": "message",
    "announcement": "message",
    "to-master": "message",
    "called-off": "end",
    "moved": "moved",
    "paused": "paused",
    "resumed": "resumed",
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
    """Something to somebody about a table, if it is wished for. A letter is written as the table
    stands now, with these facts, for this seat of theirs or for any."""
    last = "SELECT COALESCE(MAX(ply), 0) FROM entries WHERE table_id = ?"
    (ply,) = tx.rows(int, last, here.id)
    what, wish = IN_SHORT.get(kind, "news"), BY_WISH.get(kind)
    if not reach(tx, user, here.id, what, wish, now, ply=ply, due=facts.get("due_at")).letter:
        return
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
    tell_hook(tx, here.id, "table-begun", now, ply=timed.match.ply)


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
    _tell_hook(tx, here, match, before, now)
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


def _tell_hook(tx: Tx, here: FoundTable, match: Match, before: int, now: int) -> None:
    """The table's own hook is told what everybody saw happen."""
    is_seen = any(happening.text_for(None) is not None for happening in match.happenings[before:])
    if is_seen or match.outcome is not None:
        what: What = "table-turn" if match.outcome is None else "table-over"
        tell_hook(tx, here.id, what, now, ply=match.ply)


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
        if row.user_id is None or row.bot is not None:
            continue
        ply = timed.match.ply
        if reach(tx, row.user_id, here.id, kind, "reminder", now, ply=ply, due=turn.due_at).letter:
            since = row.reported_ply
            _post(tx, here, timed, row.user_id, kind, turn, now, seat=int(seat), since=since)


def remind_master(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn, now: int) -> None:
    """Who has sent orders and who has not; a day before the deadline, and when it has passed."""
    master, ply = judge_of(here), timed.match.ply
    if master is not None and reach(tx, master, here.id, "news", "reminder", now, ply=ply).letter:
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
    """Whether there is somebody who wants a letter."""
    if row.user_id is None or row.bot is not None:
        return False
    awaits = row.seat in timed.match.awaited
    if not _wants(tx, here, timed, row.user_id, turn, now, "turn" if awaits else "news"):
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
        if user not in told and _wants(tx, here, timed, user, turn, now, "news"):
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
    if master is not None and _wants(tx, here, timed, master, turn, now, "news"):
        since = last_turn(timed.match)
        _post(tx, here, timed, master, kind, turn, now, seat=None, since=since, **facts)


def states_of(here: FoundTable, turn: Turn | None) -> tuple[tuple[int, str], ...]:
    """Whose orders are ready, saved or missing, where everybody can see it."""
    if turn is None or not here.game.shows_awaited(turn.match.house):
        return ()
    seats = (Seat(row.seat) for row in here.seats)
    states = ((int(seat), turn.state_of(seat)) for seat in seats)
    return tuple((seat, state) for seat, state in states if state is not None)


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
            states=_states_told(here, turn, kind),
            **facts,
        ),
    )


def _states_told(
    here: FoundTable, turn: Turn | None, kind: TurnKind
) -> tuple[tuple[int, str], ...]:
    """In a reminder always; in another letter to players unless nobody has sent anything yet. A
    game master's letters say it in their own way."""
    if kind.startswith("master-"):
        return ()
    states = states_of(here, turn)
    is_news = any(state != "missing" for _, state in states)
    return states if is_news or kind in ("reminder", "late") else ()


def times_of(turn: Turn | None) -> tuple[int | None, int | None]:
    """When orders are due, and until when they are waited for if that is longer."""
    if turn is None:
        return None, None
    return turn.due_at, turn.act_at if turn.act_at > turn.due_at else None


def last_turn(match: Match) -> int:
    """The entry after which the turn that was opened last had begun."""
    opened = [n for n, entry in enumerate(match.log) if entry.kind in ("adjudicate", "deadline")]
    return 0 if len(opened) < 2 else opened[-2] + 1


def _wants(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    user: str,
    turn: Turn | None,
    now: int,
    what: What,
) -> bool:
    """Tells somebody that a turn has begun or all is over; whether a letter is to say so too: to
    people with a mail address who want it."""
    match = timed.match
    wish: Wish = "turn"
    if match.outcome is not None:
        what = wish = "end"
    due, _ = times_of(turn)
    reached = reach(tx, user, here.id, what, wish, now, ply=match.ply, due=due)
    return reached.letter and reached.email
