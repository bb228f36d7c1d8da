"""What the game master of a table may do.

That is whoever made it, or to whom it was handed. Every act is written into the audit log, which
the seats can read, and the seats are told.

The master sees what a spectator sees: no hand and no sealed order. A master who plays judges
nobody: that one may announce, give more time, fill empty seats and look for another master; what
takes something from a player needs a master without a seat. A rated table has none but the clock.
Orders that a player sends on paper are entered blindly, and the player is told. Whoever leads a
table is a member whom all seats have accepted, and who has never looked at it before.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from openplan.bots import BOTS
from openplan.core.game import Illegal, NotYourTurn, Over, Seat, Stale, Unreadable
from openplan.core.match import Match
from openplan.server.clock import DAY
from openplan.server.errors import Forbidden, Missing
from openplan.server.people import blocks, marks
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx, jobs
from openplan.server.tables import moves, notifications, press, standby, table_looks, turns
from openplan.server.tables.access import FoundTable, find, find_playing, load, seat_coded
from openplan.server.tables.entry_rules import admit
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.table_rows import change_seat, change_table
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn

OFFERED_FOR: Final = 14 * DAY
"""A seat to somebody who was asked."""
LATEST: Final = 90 * DAY
"""How far ahead a deadline may be set."""
AUDIT_SHOWN: Final = 500
PAST_SHOWN: Final = 40
AHEAD_SHOWN: Final = 12


class MasterPreview(msgspec.Struct):
    """What the master may know of a turn that is not over: who is missing, never what was sent."""

    turn: int
    due_at: int | None
    missing: list[str]
    orders: list[turns.OrderState | None]
    """By seat: whether orders are ready, saved or missing; nothing where none are to be sent."""


class PastTurn(msgspec.Struct):
    """A turn that is over: its number, the entry of a spectator's record that ended it (to roll
    back to before it), who moved where one alone did, when it was due and when it ended."""

    turn: int
    entry: int
    seat: str | None
    due_at: int | None
    ended_at: int


class Deadline(msgspec.Struct):
    """A turn and when it is due; one that has not begun if all before it take their time."""

    turn: int
    due_at: int


class Calendar(msgspec.Struct):
    past: list[PastTurn]
    ahead: list[Deadline]


class AuditLine(msgspec.Struct):
    act: str
    by: str | None
    detail: dict[str, Any]
    at: int


# -- Who may ---------------------------------------------------------------------------------


def _find(tx: Tx, person: Person, table: str) -> FoundTable:
    here = find(tx, table, person, lock=True)
    if here.master != person.id:
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
    if not reads_audit(here, person.id):
        raise refused(Forbidden, "not-seated", "audit-for-seats")
    return _audit(tx, here, AUDIT_SHOWN)


def reads_audit(here: FoundTable, user: str | None) -> bool:
    is_leader = user is not None and user in (here.master, here.row.owner_id)
    return is_leader or not here.is_spectator


def last_act(tx: Tx, here: FoundTable, user: str | None) -> AuditLine | None:
    """What was done last, for those who may read of it."""
    if not (here.row.has_audit and reads_audit(here, user)):
        return None
    return next(iter(_audit(tx, here, 1)), None)


def _audit(tx: Tx, here: FoundTable, limit: int) -> list[AuditLine]:
    rows = tx.rows(
        tuple[str, str, int, str | None, str | None],
        "SELECT act, detail, audit.at, audit.user_id, users.name FROM audit"
        " LEFT JOIN users ON users.id = audit.user_id"
        " WHERE table_id = ? ORDER BY audit.id DESC LIMIT ?",
        here.id,
        limit,
    )
    # Why the operator holds a match may quote what is hidden in it.
    return [
        AuditLine(
            act, name if here.shows_person(user) else None, json.loads(detail) if user else {}, at
        )
        for act, detail, at, user, name in rows[::-1]
    ]


def seats_ejected(tx: Tx, here: FoundTable) -> set[str]:
    """The seats that a game master has taken from somebody."""
    select = "SELECT detail FROM audit WHERE table_id = ? AND act = 'eject'"
    return {json.loads(detail)["seat"] for detail in tx.rows(str, select, here.id)}


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
        states = [None if turn is None else turn.state_of(Seat(row.seat)) for row in here.seats]
        return MasterPreview(timed.stretch.number, due, missing, states)


def calendar(tx: Tx, cache: MatchCache, person: Person, table: str) -> Calendar:
    """The turns of a match with their deadlines: those that are over, the one now, and some of
    those to come."""
    here = _find_playing(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        return Calendar(_past(tx, here, timed), _ahead(tx, here, timed))


def _past(tx: Tx, here: FoundTable, timed: TimedMatch) -> list[PastTurn]:
    match = timed.match
    told = [happened.text_for(None) is not None for happened in match.happenings]
    dues = turns.deadlines(tx, here)
    found = []
    for turn, ply in enumerate(timed.turn_ends(), 1):
        mover = match.log[ply - 1].seat
        due = max((one for one in dues if one < ply), default=None)
        found.append(
            PastTurn(
                turn,
                sum(told[:ply]),
                None if mover is None else here.game.seats[mover],
                None if due is None or timed.rule.kind in ("none", "live") else dues[due],
                timed.time_of(ply),
            )
        )
    return found[-PAST_SHOWN:]


def _ahead(tx: Tx, here: FoundTable, timed: TimedMatch) -> list[Deadline]:
    turn = turns.current(tx, here, timed)
    if turn is None or timed.rule.kind not in ("days", "schedule"):
        return []
    # Where players take turns, who moves when is anybody's guess.
    last = here.game.turn_count() or turn.stretch.number
    found = [Deadline(turn.stretch.number, turn.due_at)]
    while found[-1].turn < last and len(found) < AHEAD_SHOWN:
        due = turns.full_length(timed, found[-1].due_at)
        found.append(Deadline(found[-1].turn + 1, due))
    return found


def set_deadline(tx: Tx, cache: MatchCache, person: Person, table: str, at: int, now: int) -> None:
    """Give the turn another deadline; an earlier one is not for a master who plays."""
    here = _find_playing(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        if turn is None:
            raise refused(Illegal, "no-deadline", "no-deadline-now")
        if not now < at <= now + LATEST:
            raise refused(Illegal, "deadline")
        if at < turns.earliest(tx, here, timed):
            raise refused(Illegal, "deadline", "deadline-before")
        if at < turn.due_at:
            _find_judging(tx, person, table)
        turn.base_at = at
        turn.move_to(at, now)
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
        if kind in moves.STOPS:
            moves.check_number(timed, moves.STOPS, None, int(text) if text else None)
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
        moves.check_number(timed, ("seat",), seat)
        notifications.tell(tx, row.user_id, "seat-lost", here, now, who=code, why="master")
        standby.note_abandoned(tx, here, seat, now)
        _empty(tx, here, seat, bot=then if then in BOTS else None, is_open=then == "open")
        standby.drop_orders(timed, seat, now)
        if then != "nothing":
            timed.enter("seat", seat, f"{then} (bot)" if then in BOTS else f"({code})", now)
        _write(tx, here, timed, turn, now)
    _done(tx, here, person, "eject", now, seat=code, then=then)


def _empty(tx: Tx, here: FoundTable, seat: Seat, *, bot: str | None, is_open: bool) -> None:
    name = f"{bot} (bot)" if bot else ""
    change_seat(tx, here.id, seat, user_id=None, bot=bot, is_open=int(is_open), name=name)


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
) -> None:
    """Fill a seat that nobody plays (empty, withdrawn, open, or a bot's) with a bot, or with the
    first who stands by; if nobody does, the seat is open."""
    here = _find_playing(tx, person, table)
    number = seat_coded(here.game, code)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        _check_vacant(here, timed, number)
        moves.check_number(timed, ("seat",), number)
        if bot:
            if bot not in BOTS:
                raise refused(Illegal, "unknown-bot", bot=bot[:40], known=", ".join(BOTS))
            _empty(tx, here, number, bot=bot, is_open=False)
            timed.enter("seat", number, f"{bot} (bot)", now)
        else:
            taker = next(iter(standby.standing_by(tx, here)), None)
            if taker is None:
                standby.open_seat(tx, here, number)
                _done(tx, here, person, "seat", now, seat=code, by="open")
                return
            standby.hand_over(tx, here, timed, number, *taker, now, why="master")
            if turn is not None:
                standby.new_time(timed, turn, now)
        _write(tx, here, timed, turn, now)
    _done(tx, here, person, "seat", now, seat=code, by=bot or "person")


def _check_vacant(here: FoundTable, timed: TimedMatch, seat: Seat) -> None:
    if not _is_vacant(here, timed, seat):
        raise refused(Illegal, "taken", "eject-first")


def _is_vacant(here: FoundTable, timed: TimedMatch, seat: Seat) -> bool:
    row = here.seats[seat]
    is_played = row.user_id is not None and row.bot is None
    return bool(not is_played or row.is_open or seat in timed.match.withdrawn)


def check_offer(tx: Tx, cache: MatchCache, person: Person, table: str, code: str, now: int) -> None:
    """Whether the game master may offer this seat to somebody."""
    here = _find_playing(tx, person, table)
    with cache.timed(tx, here.row) as timed:
        moves.check_time(tx, here, timed, now)
        _check_vacant(here, timed, seat_coded(here.game, code))


def accept_seat(
    tx: Tx, cache: MatchCache, person: Person, table: str, code: str, offer: int, now: int
) -> None:
    """Whoever was offered a seat takes it, if nobody plays it by now."""
    here = load(tx, table, person.id, lock=True)
    made_at = tx.row(int, "SELECT created_at FROM invitations WHERE id = ?", offer)
    if here is None or here.row.state != "playing":
        raise refused(Illegal, "not-playing")
    if here.own:
        raise refused(Illegal, "two-seats")
    if made_at is None or made_at < now - OFFERED_FOR:
        raise blocks.taken()
    seat = seat_coded(here.game, code)
    admit(tx, here, person)
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        if not _is_vacant(here, timed, seat):
            raise blocks.taken()
        standby.hand_over(tx, here, timed, seat, person.id, person.name, now, why="master")
        if turn is not None:
            standby.new_time(timed, turn, now)
        _write(tx, here, timed, turn, now)
    notifications.tell_master(tx, here, "accepted", now, who=code)
    _done(tx, here, person, "seat", now, seat=code, by="person")


def orders_for(
    tx: Tx, cache: MatchCache, person: Person, table: str, code: str, text: str, now: int
) -> None:
    """Enter the orders of a player who sends them on paper. The game master only writes: what the
    seat holds, and what of these orders can be carried out, is for its player alone, who is told at
    once. What cannot be is left out, and the seat counts as having sent orders whatever is left, so
    that nobody can find out what is in a hand by trying. The turn waits for its deadline, until the
    player says that it need not."""
    here = _find_judging(tx, person, table)
    number = seat_coded(here.game, code)
    row = here.seats[number]
    if not (here.game.sealed and here.game.parts):
        raise refused(Illegal, "orders-for", "orders-at-once", title=here.game.title)
    if row.user_id is None or row.bot is not None:
        raise refused(Illegal, "empty-seat", "nobody-there")
    with cache.timed(tx, here.row) as timed:
        turn = moves.check_time(tx, here, timed, now)
        match = timed.match
        wanted = _read_orders(match, text)
        if match.paused:
            raise refused(Illegal, "paused")
        if turn is None or number not in match.to_act:
            raise refused(NotYourTurn, "not-your-turn", "not-their-turn", seat=code)
        moves.check_number(timed, ("by-master",), number)
        kept, lost = _what_fits(match, number, wanted)
        turn.waits = sorted({*turn.waits, int(number)})
        turns.keep(tx, here, turn)
        timed.enter("by-master", number, "", now)
        timed.move(number, here.game.format_move(match.deck, kept), None, now, settles=False)
        moves.write(tx, here, timed, turn, now)
    notifications.tell_seats(tx, here, [number], "orders-entered", now, lost=lost)
    _done(tx, here, person, "orders-for", now, frozenset({row.user_id}), seat=code)


def _read_orders(match: Match, text: str) -> dict[str, Any]:
    """What is ordered there, by the part of a turn it is for. Whether it can be read says the deck
    alone."""
    game = match.game
    wanted: dict[str, Any] = {}
    for order in game.read_orders(match.deck, text.splitlines()):
        if order.fault is not None:
            raise order.fault
        if order.move is not None:
            for part in [order.part] if order.part else game.parts:
                before = wanted.get(part)
                wanted[part] = game.with_part(before, part, order.move, adding=True)
    if not wanted:
        raise refused(Unreadable, "orders-for", "no-orders")
    return wanted


def _what_fits(match: Match, seat: Seat, wanted: Mapping[str, Any]) -> tuple[Any, bool]:
    """What the seat orders then, and whether something was left out. The parts that are named are
    put in place of what was held for them, if that can be; the others stay."""
    game, view = match.game, match.view(seat)
    held = game.held(view)
    kept = game.with_part(held, game.parts[0], held)  # nothing, where nothing is held
    for part in wanted:
        kept = game.with_part(kept, part, None)
    lost = False
    for part, move in wanted.items():
        tried = [game.with_part(kept, part, one) for one in (move, held)]
        fitting = [one for one in tried if game.why_not(view, one) is None]
        lost |= fitting[:1] != tried[:1]
        kept = fitting[0] if fitting else kept
    return kept, lost


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


def offer(tx: Tx, person: Person, table: str, now: int) -> None:
    """Look for another game master: whoever gets the invitation, if all seats agree."""
    here = _find(tx, person, table)
    invite = secrets.token_urlsafe(16)
    change_table(tx, here.id, master_invite=invite, next_master_id=None, next_master_by="[]")
    _done(tx, here, person, "offer-table", now)


def accept(tx: Tx, person: Person, table: str, invite: str, now: int) -> None:
    """By an invitation: be the game master, if all who sit there agree. Whoever has invited does,
    and whoever sits down later knows who it is."""
    here = load(tx, table, person.id, lock=True)
    known = "" if here is None or here.options.rated else here.row.master_invite or ""
    is_right = hmac.compare_digest(invite.encode("utf-8", "replace"), known.encode())
    if here is None or not known or not is_right:
        raise Missing
    _check_stranger(tx, here, person)
    agreed = [] if here.master is None else [here.master]
    change_table(tx, here.id, next_master_id=person.id, master_invite=None)
    audit(tx, here.id, person.id, "accept-table", now)
    _appoint_if_agreed(tx, here, person.id, agreed, now)


def agree(tx: Tx, person: Person, table: str, is_agreed: bool, now: int) -> None:
    """Somebody who sits there agrees to the next game master, or does not: then there is none."""
    here = find(tx, table, person, lock=True)
    here.own_seats()
    if here.row.next_master_id is None or here.options.rated:
        raise refused(Illegal, "no-offer")
    if not is_agreed:
        change_table(tx, here.id, next_master_id=None, next_master_by="[]")
        _done(tx, here, person, "refuse-master", now)
        return
    audit(tx, here.id, person.id, "agree-master", now)
    agreed = [*json.loads(here.row.next_master_by), person.id]
    _appoint_if_agreed(tx, here, here.row.next_master_id, agreed, now)


def _check_stranger(tx: Tx, here: FoundTable, person: Person) -> None:
    """Nobody leads a table at which they sit or sat, or which they have looked at, by whatever
    account."""
    if person.kind != "member":
        raise refused(Forbidden, "members", "master-member")
    kin = marks.same_device(tx, person.id)
    seated = {user for row in here.seats for user in (row.user_id, row.first_user_id)}
    if kin & seated:
        raise refused(Forbidden, "master-plays", "master-sits")
    if table_looks.has_looked(tx, here.id, sorted(kin)):
        raise refused(Forbidden, "master-looked")


def _appoint_if_agreed(tx: Tx, here: FoundTable, user: str, agreed: list[str], now: int) -> None:
    """With the last who agrees the table has another game master."""
    seated = {here.seats[seat].user_id for seat in here.people()}
    if seated - set(agreed):
        change_table(tx, here.id, next_master_by=json.dumps(agreed))
        others = [seat for seat in here.people() if here.seats[seat].user_id not in agreed]
        notifications.tell_seats(tx, here, others, "master", now, act="next-master")
        tx.signal("table", here.id)
        return
    if user in seated:  # has sat down meanwhile
        raise refused(Forbidden, "master-plays", "master-sits")
    change_table(
        tx, here.id, master_id=user, master_invite=None, next_master_id=None, next_master_by="[]"
    )
    audit(tx, here.id, user, "hand-over", now)
    notifications.tell_seats(tx, here, here.people(), "master", now, act="hand-over")
    tx.signal("table", here.id)
