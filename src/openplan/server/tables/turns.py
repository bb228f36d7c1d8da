"""The turns of a match without a live clock: each has a deadline, kept in a row of its own.

A deadline comes from the table's clock and moves for absences that were known before, for outages,
or because the game master sets another. When it has passed there may be grace, and at `act_at` the
table's policy for absence comes in. What a seat sends changes none of these times.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

import msgspec

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.server.clock import DAY, HOUR, SECOND
from openplan.server.people.reliability import What, note
from openplan.server.store import Tx, jobs
from openplan.server.store.rows import TurnRow, columns
from openplan.server.tables.access import FoundTable
from openplan.server.tables.schedule import Absence, moved, turn_end
from openplan.server.tables.timed_match import Stretch, TimedMatch

PATIENCE: Final = 30 * DAY
"""How long somebody is waited for where no clock says it."""
SLACK: Final = 3 * SECOND
"""What arrived in time is let in first, before a deadline is entered."""


TURN: Final = f"SELECT {columns(TurnRow)} FROM turns WHERE table_id = ? AND ply = ?"  # noqa: S608


class Readiness(msgspec.Struct):
    """What seats have said of their sealed orders in a turn. Seats are by number."""

    ready: list[int] = []
    faulty: list[int] = []
    """Whose last mail had lines that were refused: what is held is not what was meant."""
    nothing: dict[int, list[str]] = {}
    """Parts for which a seat has ordered nothing, in so many words."""
    is_held_up: bool = False
    """Whether all were told that the deadline waits for a mailbox."""

    def forget(self, seat: int) -> None:
        """Other orders than those of which something was said."""
        self.ready = [other for other in self.ready if other != seat]
        self.faulty = [other for other in self.faulty if other != seat]


# Made once, when this is loaded: see `options`.
_READINESS: Final = msgspec.json.Decoder(Readiness)

OrderState = Literal["ready", "saved", "missing"]


@dataclass(slots=True)
class Turn:
    """Seats are by number in the lists."""

    match: Match
    bots: frozenset[int]
    early: Literal["ready", "deadline"]
    stretch: Stretch
    base_at: int
    due_at: int
    act_at: int
    stage: int = 0
    """How many reminders are over: a day before the deadline, at it, and daily from then on."""
    tried: str = ""
    waits: list[int] = field(default_factory=list)
    reminded: list[int] = field(default_factory=list)
    late: list[int] = field(default_factory=list)
    readiness: Readiness = field(default_factory=Readiness)
    moved_at: int | None = None
    """When it was given another deadline, the last time."""

    @property
    def is_overdue(self) -> bool:
        return self.stage > 1

    def settles(self, now: int) -> bool:
        """Whether orders are opened as soon as all are there: it is past time, or the table carries
        out early and every seat has done what it wants to."""
        if now >= self.due_at or not self.match.game.sealed:
            return True
        return self.early == "ready" and all(map(self.is_done, self.match.to_act))

    def is_done(self, seat: Seat) -> bool:
        """Whether a seat is waited for no longer: it has said READY, or there is nothing more that
        it could order. Not if it said that it is not ready, or was misunderstood."""
        if seat in self.bots:
            return True
        if seat in self.waits or seat in self.readiness.faulty:
            return False
        return seat in self.readiness.ready or not self.unordered(seat)

    def unordered(self, seat: Seat) -> list[str]:
        """The parts for which a seat that has orders has ordered less than it could, and has not
        said that it wants nothing there."""
        match = self.match
        view = match.view(seat)
        held = match.game.held(view)
        parts = match.game.parts if held is None else match.game.unordered(view, held)
        said = self.readiness.nothing.get(int(seat), ())
        return [part for part in parts if part not in said]

    def state_of(self, seat: Seat) -> OrderState | None:
        """Of a seat that may send sealed orders now."""
        if not self.match.game.sealed or seat not in self.match.to_act:
            return None
        if seat in self.match.awaited:
            return "missing"
        return "ready" if self.is_done(seat) else "saved"

    def declare(self, seat: int, *, ready: bool) -> None:
        self.waits = [other for other in self.waits if other != seat]
        self.readiness.forget(seat)
        (self.readiness.ready if ready else self.waits).append(seat)

    @property
    def next_reminder(self) -> int:
        return self.due_at + (self.stage - 1) * DAY

    def move_to(self, due: int, now: int) -> None:
        """Give the turn another deadline, with all that depends on it."""
        self.moved_at = now
        self.act_at += due - self.due_at
        self.due_at = due
        self.stage, self.late = min(self.stage, 0 if due - DAY > self.stretch.began else 1), []


# -- The turn now ----------------------------------------------------------------------------


def current(tx: Tx, here: FoundTable, timed: TimedMatch, *, thorough: bool = False) -> Turn | None:
    """The turn now; nothing if there is a live clock or nobody is waited for. Where there is no
    clock there is nothing to be found in the store but what was done about absence."""
    match = timed.match
    if timed.rule.kind == "live" or match.outcome is not None or match.paused:
        return None
    if not (thorough or _is_kept(here, timed)):
        return _fresh(tx, here, timed)
    row = tx.row(TurnRow, TURN, here.id, timed.stretch.ply)
    if row is None:
        return _fresh(tx, here, timed)
    lists = (json.loads(row.waits), json.loads(row.reminded), json.loads(row.late))
    said = _READINESS.decode(row.readiness)
    turn = Turn(*_of(here, timed), row.base_at, row.due_at, row.act_at, row.stage, row.tried)
    turn.waits, turn.reminded, turn.late = lists
    turn.readiness, turn.moved_at = said, row.moved_at
    return turn


def _of(
    here: FoundTable, timed: TimedMatch
) -> tuple[Match, frozenset[int], Literal["ready", "deadline"], Stretch]:
    bots = frozenset(int(row.seat) for row in here.seats if row.bot is not None)
    return timed.match, bots, here.options.early, timed.stretch


def begin(tx: Tx, here: FoundTable, timed: TimedMatch) -> Turn | None:
    """The turn that stands now gets its row, if it has none yet."""
    turn = current(tx, here, timed)
    if turn is not None and _is_kept(here, timed):
        keep(tx, here, turn, again=False)
    return turn


def keep(tx: Tx, here: FoundTable, turn: Turn, *, again: bool = True) -> None:
    changed = (
        "UPDATE SET base_at = excluded.base_at, due_at = excluded.due_at, act_at = excluded.act_at,"
        " stage = excluded.stage, tried = excluded.tried, waits = excluded.waits,"
        " reminded = excluded.reminded, late = excluded.late, readiness = excluded.readiness,"
        " moved_at = excluded.moved_at,"
        " moves = turns.moves + CASE WHEN turns.due_at <> excluded.due_at THEN 1 ELSE 0 END"
    )
    tx.execute(
        "INSERT INTO turns (table_id, ply, base_at, due_at, act_at, stage, tried, waits, reminded,"  # noqa: S608 - of constants
        " late, readiness, moved_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (table_id, ply) DO " + (changed if again else "NOTHING"),
        here.id,
        turn.stretch.ply,
        turn.base_at,
        turn.due_at,
        turn.act_at,
        turn.stage,
        turn.tried,
        json.dumps(sorted(turn.waits)),
        json.dumps(sorted(turn.reminded)),
        json.dumps(sorted(turn.late)),
        msgspec.json.encode(turn.readiness).decode(),
        turn.moved_at,
    )


def postpone(tx: Tx, start: int, length: int, table: str | None) -> None:
    """Deadlines that were to come after `start` move by that, at one table or at all."""
    tx.execute(
        "UPDATE turns SET act_at = act_at + ?,"
        " due_at = due_at + CASE WHEN due_at > ? THEN ? ELSE 0 END,"
        " base_at = base_at + CASE WHEN base_at > ? THEN ? ELSE 0 END,"
        " moves = moves + CASE WHEN due_at > ? THEN 1 ELSE 0 END,"
        " moved_at = CASE WHEN due_at > ? THEN ? ELSE moved_at END"
        " WHERE act_at > ? AND table_id = COALESCE(?, table_id)",
        length,
        start,
        length,
        start,
        length,
        start,
        start,
        max(start, start + length),
        start,
        table,
    )


def _is_kept(here: FoundTable, timed: TimedMatch) -> bool:
    """Without a clock and sealed orders there is no deadline that anybody could move."""
    return timed.rule.kind != "none" or here.game.sealed


def _fresh(tx: Tx, here: FoundTable, timed: TimedMatch) -> Turn | None:
    stretch, rule = timed.stretch, timed.rule
    if rule.kind == "none" and len(here.people()) < 2:
        return None  # nobody waits for anybody
    base = full_length(timed, stretch.began)
    schedule = rule.schedule
    if stretch.ply and timed.match.log[stretch.ply - 1].kind == "resume":
        base = _after_pause(tx, here, timed) or base
        base = base if schedule is None else schedule.next_from(base)
    if rule.kind != "none":
        # A turn that was over early takes none of the next one's time.
        base = max(base, _due_before(tx, here, stretch.ply) or 0)
    due = base
    if rule.kind != "none" and rule.vacation:
        due = moved(base, absences(tx, here, timed), rule.vacation * DAY, schedule)
    stage = 0 if due - DAY > stretch.began else 1
    turn = Turn(*_of(here, timed), base, due, due, stage=stage)
    turn.act_at = acts_at(here, timed, turn)
    return turn


def full_length(timed: TimedMatch, began: int) -> int:
    """When a turn ends by the clock alone that began then."""
    rule = timed.rule
    if (schedule := rule.schedule) is not None:
        return turn_end(schedule, began, rule.shortest * HOUR, rule.most * HOUR)
    return timed.after(began, rule.days * DAY if rule.kind == "days" else PATIENCE)


def acts_at(here: FoundTable, timed: TimedMatch, turn: Turn) -> int:
    """When the policy for absence comes in. Nobody's first orders are left out for being late."""
    policy = here.options.absence.policy
    is_first = turn.stretch.number == 1 and here.game.sealed
    waits = policy == "wait" or (is_first and policy in ("adjudicate", "resign"))
    return turn.due_at + timed.rule.grace * HOUR + (PATIENCE if waits else 0)


def _after_pause(tx: Tx, here: FoundTable, timed: TimedMatch) -> int | None:
    """A turn that was paused has the time that was left."""
    log, resumed = timed.match.log, timed.stretch.ply
    paused = max(ply for ply in range(1, resumed) if log[ply - 1].kind == "pause")
    due_at = _due_before(tx, here, resumed)
    if due_at is None:
        return None
    return timed.time_of(resumed) + max(due_at - timed.time_of(paused), HOUR)


def earliest(tx: Tx, here: FoundTable, timed: TimedMatch) -> int:
    """No turn is due before the one before it was, whoever says so. What was paused or rolled back
    is the same turn still."""
    ends = timed.turn_ends()
    return (_due_before(tx, here, ends[-1]) if ends else None) or 0


def _due_before(tx: Tx, here: FoundTable, ply: int) -> int | None:
    """The last deadline that was given before this entry."""
    last = "SELECT due_at FROM turns WHERE table_id = ? AND ply < ? ORDER BY ply DESC LIMIT 1"
    return tx.row(int, last, here.id, ply)


def deadlines(tx: Tx, here: FoundTable) -> dict[int, int]:
    """When each turn so far was due, by the entry it began with."""
    select = "SELECT ply, due_at FROM turns WHERE table_id = ? ORDER BY ply"
    return dict(tx.rows(tuple[int, int], select, here.id))


def absences(tx: Tx, here: FoundTable, timed: TimedMatch) -> list[Absence]:
    """The absences of all who are to act: also of who has sent sealed orders, or else the deadline
    would tell."""
    match = timed.match
    seats = match.to_act if here.game.sealed else match.awaited
    people = [row.user_id for row in here.seats if row.seat in seats and row.bot is None]
    found = []
    for user in sorted({user for user in people if user is not None}):
        found += tx.rows(
            tuple[int, int, int],
            "SELECT created_at, from_at, until_at FROM absences"
            " WHERE user_id = ? AND (table_id IS NULL OR table_id = ?) AND until_at > ?",
            user,
            here.id,
            timed.stretch.began - DAY,
        )
    return [Absence(*row) for row in found]


# -- What follows from it --------------------------------------------------------------------


def wake(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None) -> None:
    """Have the table looked at when something is next to be done there."""
    flag = timed.flag()
    if timed.match.outcome is not None:
        at = None
    elif timed.match.paused:
        at = timed.at + PATIENCE
    elif flag is not None:
        at = flag.at
    elif turn is not None:
        at = min(turn.next_reminder, turn.act_at + SLACK)
        if not timed.match.awaited:
            at = min(at, turn.due_at + SLACK)
    else:
        at = None
    jobs.wake(tx, here.id, at)


def close(
    tx: Tx, here: FoundTable, timed: TimedMatch, before: Turn | None, mover: Seat | None, now: int
) -> None:
    """A turn is over: note how everybody kept to it. Not earlier, or whoever looks at a profile
    would see that somebody's orders have been sent."""
    if before is None or timed.rule.kind not in ("days", "schedule"):
        return
    seats: Iterable[int] = range(len(here.seats)) if mover is None else [int(mover)]
    for seat in seats:
        row = here.seats[seat]
        if row.bot is None and row.user_id is not None and seat not in timed.match.withdrawn:
            was_late = seat in before.late
            whats: list[What] = ["late" if was_late else "on_time"]
            if seat in before.reminded:
                whats.append("reminded")
            for what in whats:
                note(tx, row.user_id, here.id, what, now)
