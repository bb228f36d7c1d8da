"""What the game master of a table may do.

That is whoever made it, or to whom it was handed. Every act is written into the audit log, which
the seats can read, and the seats are told.

The master sees what a spectator sees: no hand and no sealed order. A master who plays judges
nobody: that one may announce, give more time, fill empty seats and hand the table over; what takes
something from a player needs a master without a seat. To become a player is the only way to see
with that player's eyes, and the player is told.
"""

from __future__ import annotations

import hmac
import json
import secrets
from typing import Any, Final

import msgspec

from openplan.bots import BOTS
from openplan.core.game import Illegal, Over, Seat, Stale, Unreadable
from openplan.server.clock import DAY
from openplan.server.errors import Forbidden, Missing
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx, jobs
from openplan.server.tables import moves, notifications, press, standby, table_rows, turns
from openplan.server.tables.access import FoundTable, find, find_playing, load, seat_coded
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.table_rows import change_seat, change_table
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn

LATEST: Final = 90 * DAY
"""How far ahead a deadline may be set."""
AUDIT_SHOWN: Final = 500


class MasterPreview(msgspec.Struct):
    """What the master may know of a turn that is not over: who is missing, never what was sent."""

    turn: int
    due_at: int | None
    missing: list[str]


class AuditLine(msgspec.Struct):
    act: str
    by: str | None
    detail: dict[str, Any]
    at: int


# -- Who may ---------------------------------------------------------------------------------


def _find(tx: Tx, person: Person, table: str) -> FoundTable:
    here = find(tx, table, person, lock=True)
    if here.row.master_id != person.id:
        raise refused(Forbidden, "not-master")
    return here


def _find_playing(tx: Tx, person: Person, table: str) -> FoundTable:
    _find(tx, person, table)
    return find_playing(tx, table, person)


def _find_judging(tx: Tx, person: Person, table: str) -> FoundTable:
    """For what takes something from a player."""
    here = _find_playing(tx, person, table)
    if any(row.user_id == person.id for row in here.seats):
        raise refused(Forbidden, "master-plays")
    return here


def audit(tx: Tx, table: str | None, user: str | None, act: str, now: int, **detail: Any) -> None:
    """Write down what was done. It is read by all seats: nothing hidden may be in it."""
    tx.execute(
        "INSERT INTO audit (table_id, user_id, act, detail, at) VALUES (?, ?, ?, ?, ?)",
        table,
        user,
        act,
        json.dumps(detail),
        now,
    )


def audit_of(tx: Tx, person: Person, table: str) -> list[AuditLine]:
    """All that was done at the table, for its seats and its master."""
    here = find(tx, table, person)
    if here.is_spectator and person.id not in (here.row.master_id, here.row.owner_id):
        raise refused(Forbidden, "not-seated", "audit-for-seats")
    rows = tx.rows(
        tuple[str, str, int, str | None, str | None],
        "SELECT act, detail, audit.at, audit.user_id, users.name FROM audit"
        " LEFT JOIN users ON users.id = audit.user_id"
        " WHERE table_id = ? ORDER BY audit.id DESC LIMIT ?",
        here.id,
        AUDIT_SHOWN,
    )
    # Why the operator holds a match may quote what is hidden in it.
    return [
        AuditLine(act, name, json.loads(detail) if user else {}, at)
        for act, detail, at, user, name in rows[::-1]
    ]


def _done(
    tx: Tx,
    here: FoundTable,
    person: Person,
    act: str,
    now: int,
    told: frozenset[str] = frozenset(),
    **detail: Any,
) -> None:
    """Into the audit log, and a letter to every seat; but to none of those who were `told` of it by
    the report of what it caused."""
    audit(tx, here.id, person.id, act, now, **detail)
    facts = {"who" if name == "seat" else name: value for name, value in detail.items()}
    seats = [seat for seat in here.people() if here.seats[seat].user_id not in told]
    notifications.tell_seats(tx, here, seats, "master", now, act=act, **facts)
    tx.signal("table", here.id)


# -- Time ------------------------------------------------------------------------------------


def process(tx: Tx, cache: MatchCache, person: Person, table: str, number: int, now: int) -> None:
    """Carry out the turn now. `number` is the one that is meant: if it is over, nothing is done."""
    here = _find_judging(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        if number != timed.stretch.number:
            raise refused(Stale, "turn", number=number)
        if not here.game.sealed:
            raise refused(Illegal, "no-deadline", title=here.game.title)
        if timed.match.awaited and number == 1:
            raise refused(Illegal, "first-turn")
        timed.enter("deadline", None, "", now)
        told = moves.write(tx, here, timed, turn, now, act="process", turn=number)
    _done(tx, here, person, "process", now, told, turn=number)


def preview(tx: Tx, cache: MatchCache, person: Person, table: str) -> MasterPreview:
    """Who is missing. To a master who plays that would tell who has sent orders."""
    here = _find_judging(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        turn = turns.current(tx, here, timed)
        missing = [here.game.seats[seat] for seat in sorted(timed.match.awaited)]
        due = None if turn is None else turn.due_at
        return MasterPreview(timed.stretch.number, due, missing)


def set_deadline(tx: Tx, cache: MatchCache, person: Person, table: str, at: int, now: int) -> None:
    """Give the turn another deadline; an earlier one is not for a master who plays."""
    here = _find_playing(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        if turn is None:
            raise refused(Illegal, "no-deadline", "no-deadline-now")
        if not now < at <= now + LATEST:
            raise refused(Illegal, "deadline")
        if at < turn.due_at:
            _find_judging(tx, person, table)
        turn.base_at = at
        turn.move_to(at)
        turn.act_at = turns.acts_at(here, timed, turn)
        turns.keep(tx, here, turn)
        turns.wake(tx, here, timed, turn)
    _done(tx, here, person, "deadline", now, due_at=at)


def pause(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    _enter(tx, cache, person, table, "pause", "", now)


def resume(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    _enter(tx, cache, person, table, "resume", "", now)


def roll_back(tx: Tx, cache: MatchCache, person: Person, table: str, number: int, now: int) -> None:
    """Have the table as before an entry, by its number in a spectator's record."""
    here = _find_judging(tx, person, table)
    if here.options.rated:
        raise refused(Illegal, "rated", "rated-stays")
    with cache.timed(tx, here.row) as timed:
        named = moves.public_entry(timed.match, None, number)
    _enter(tx, cache, person, table, "roll-back", str(named), now, entry=number)


def _enter(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    kind: str,
    text: str,
    now: int,
    **detail: Any,
) -> None:
    here = _find_judging(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        if kind == "pause" and timed.match.paused:
            raise refused(Illegal, "paused")
        timed.enter(kind, None, text, now)
        told = moves.write(tx, here, timed, turn, now, act=kind)
        if kind == "resume" and (begun := turns.current(tx, here, timed)) is not None:
            detail["due_at"] = begun.due_at
    _done(tx, here, person, kind, now, told, **detail)


def terminate(tx: Tx, person: Person, table: str, now: int) -> None:
    """End the match without a result."""
    here = _find_judging(tx, person, table)
    change_table(tx, here.id, state="aborted", offers="{}", ended_at=now, changed_at=now)
    jobs.wake(tx, here.id, None)
    _done(tx, here, person, "terminate", now)


# -- Seats -----------------------------------------------------------------------------------


def eject(
    tx: Tx, cache: MatchCache, person: Person, table: str, code: str, then: str, now: int
) -> None:
    """Take a seat from somebody, and with it the orders that were sealed. Then a `bot` plays, or it
    is `open` to who stands by, or it places `nothing`."""
    here = _find_judging(tx, person, table)
    seat = seat_coded(here.game, code)
    row = here.seats[seat]
    if then not in ("open", "nothing", *BOTS):
        raise refused(Unreadable, "then", known=", ".join(BOTS))
    if row.user_id is None:
        raise refused(Illegal, "empty-seat", "nobody-there")
    if then == "nothing" and not here.game.sealed:
        raise refused(Illegal, "then", "then-nothing", title=here.game.title)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        notifications.tell(tx, row.user_id, "seat-lost", here, now, who=code)
        standby.note_abandoned(tx, here, seat, now)
        _empty(tx, here, seat, bot=then if then in BOTS else None, is_open=then == "open")
        standby.drop_orders(timed, seat, now)
        if then != "nothing":
            timed.enter("seat", seat, f"{then} (bot)" if then in BOTS else f"({code})", now)
        _write(tx, here, timed, turn, now)
    _done(tx, here, person, "eject", now, seat=code, then=then)


def _empty(tx: Tx, here: FoundTable, seat: Seat, *, bot: str | None, is_open: bool) -> None:
    name = f"{bot} (bot)" if bot else ""
    change_seat(
        tx, here.id, seat, user_id=None, bot=bot, acting_id=None, is_open=int(is_open), name=name
    )


def _write(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None, now: int) -> None:
    match = timed.match
    is_complete = match.outcome is None and match.to_act and not match.awaited
    if is_complete and (turn is None or turn.settles(now)):
        timed.enter("adjudicate", None, "", now)
    standby.write_anew(tx, here, timed, turn, now)


def seat(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    code: str,
    now: int,
    *,
    bot: str = "",
    user: str = "",
) -> None:
    """Fill a seat that nobody plays (empty, withdrawn, open, or a bot's) with a bot, with a certain
    user, or with the first who stands by; if nobody does, the seat is open."""
    here = _find_playing(tx, person, table)
    number = seat_coded(here.game, code)
    row = here.seats[number]
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        is_withdrawn = number in timed.match.withdrawn
        is_played = row.user_id is not None and row.bot is None
        if is_played and not (row.is_open or is_withdrawn):
            raise refused(Illegal, "taken", "eject-first")
        if bot:
            if bot not in BOTS:
                raise refused(Illegal, "unknown-bot", bot=bot[:40], known=", ".join(BOTS))
            _empty(tx, here, number, bot=bot, is_open=False)
            timed.enter("seat", number, f"{bot} (bot)", now)
        else:
            taker = _taker(tx, here, user)
            if taker is None:
                standby.open_seat(tx, here, number)
                _done(tx, here, person, "seat", now, seat=code, by="open")
                return
            standby.hand_over(tx, here, timed, number, *taker, now)
            if turn is not None:
                standby.new_time(timed, turn, now)
        _write(tx, here, timed, turn, now)
    _done(tx, here, person, "seat", now, seat=code, by=bot or "person")


def _taker(tx: Tx, here: FoundTable, user: str) -> tuple[str, str] | None:
    """Who takes the seat, and by what name."""
    if user:
        name = tx.row(str, "SELECT name FROM users WHERE id = ? AND deleted_at IS NULL", user)
        if name is None:
            raise Missing
        if any(row.user_id == user for row in here.seats):
            raise refused(Illegal, "two-seats", "seat-twice")
        return user, name
    return next(iter(standby.standing_by(tx, here)), None)


def become(tx: Tx, person: Person, table: str, code: str, now: int) -> None:
    """See and act as a player, who is told; with no code, be oneself again."""
    here = _find_judging(tx, person, table)
    table_rows.be_oneself(tx, here.id, person.id)
    if code:
        number = seat_coded(here.game, code)
        change_seat(tx, here.id, number, acting_id=person.id)
        notifications.tell_seats(tx, here, [number], "became", now)
    _done(tx, here, person, "become", now, seat=code)


def be_oneself(tx: Tx, table: str, user: str, now: int) -> None:
    """At the end of a mail in which the master wrote for a player. Nobody need be told again."""
    table_rows.be_oneself(tx, table, user)
    audit(tx, table, user, "become", now, seat="")
    tx.signal("table", table)


# -- The table -------------------------------------------------------------------------------


def announce(tx: Tx, cache: MatchCache, person: Person, table: str, text: str, now: int) -> None:
    """Say something to all seats and spectators, whatever the rule for press is."""
    here = _find(tx, person, table)
    if here.row.state == "aborted":
        raise refused(Over, "aborted")
    if here.row.deal is None:
        press.announce(tx, here, None, person, text, now)
    else:
        with cache.timed(tx, here.row) as timed:
            press.announce(tx, here, timed, person, text, now)
    audit(tx, here.id, person.id, "announce", now)


def hand_over(tx: Tx, person: Person, table: str, code: str, now: int) -> None:
    """Make somebody at the table its game master; with no code, whoever gets the invitation."""
    here = _find(tx, person, table)
    if not code:
        invite = secrets.token_urlsafe(16)
        change_table(tx, here.id, master_invite=invite)
        audit(tx, here.id, person.id, "offer-table", now)
        tx.signal("table", here.id)
        return
    row = here.seats[seat_coded(here.game, code)]
    if row.user_id is None:
        raise refused(Illegal, "empty-seat", "nobody-there")
    _appoint(tx, here, person, row.user_id, now)


def accept(tx: Tx, person: Person, table: str, invite: str, now: int) -> None:
    """Become the game master, by an invitation."""
    here = load(tx, table, person.id, lock=True)
    known = "" if here is None else here.row.master_invite or ""
    is_right = hmac.compare_digest(invite.encode("utf-8", "replace"), known.encode())
    if here is None or not known or not is_right:
        raise Missing
    _appoint(tx, here, person, person.id, now)


def _appoint(tx: Tx, here: FoundTable, person: Person, user: str, now: int) -> None:
    change_table(tx, here.id, master_id=user, master_invite=None)
    table_rows.be_oneself(tx, here.id)
    _done(tx, here, person, "hand-over", now)
