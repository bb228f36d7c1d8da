"""The match goes on: what seats, bots and the clock do to it, each in one transaction.

A use-case finds the table as its caller may see it, lets the match judge, writes the entry and what
follows from it, and names the table to be told of after the commit. Clients name entries by their
numbers in their own record and look at the version of their own view; the log's own ply stays here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, Literal

import msgspec

from openplan.core.game import GameError, Illegal, NotYourTurn, Seat, Unreadable, Viewer
from openplan.core.log import Entry
from openplan.core.match import Match
from openplan.core.telling import tell_event
from openplan.server.errors import TimeIsUp
from openplan.server.notify import mailboxes
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Conflict, Tx, jobs
from openplan.server.tables import drafts, notifications, press, results, reviews, snapshots, turns
from openplan.server.tables.access import LAST, FoundTable, find_playing, load
from openplan.server.tables.bot_lanes import QUICK, SLOW, is_quick
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.table_rows import change_seat, change_table
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn
from openplan.server.texts import TOKEN

MOST_IN_A_TURN: Final = 100
"""Entries of one kind before the table goes on: who changes their mind for ever fills the log."""
STOPS: Final = ("pause", "roll-back")
"""Entries that stop or undo a turn, by consent or by the game master."""
OPENS: Final = ("adjudicate", "deadline")
"""Entries that open sealed orders."""


def submit(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    move: str,
    version: int,
    name: str,
    now: int,
    *,
    ready: bool | None = None,
) -> bytes:
    """A move; what its maker is told, as JSON. `name` is the client's own for this submission: sent
    twice it is answered twice and played once. Sealed orders are only saved if they are not
    `ready`; with nothing said they are, unless the seat wants to wait."""
    if not TOKEN.fullmatch(name):
        raise refused(Unreadable, "submission")
    asked = f"{person.seat} {version} {move}".lstrip()
    if ready is not None:
        asked += f" ready: {ready}"
    request = hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()
    written = tx.writes
    try:
        here = find_playing(tx, table, person)
        seat = here.own_seat()
        if here.seats[seat].bot is not None:
            raise refused(Illegal, "bot-plays")
        answer = msgspec.json.encode(play(tx, cache, here, seat, move, version, now, ready=ready))
    except GameError:
        # One that is sent again is always refused: at least its version is an old one.
        said = _said_before(tx, person, table, name, request) if tx.writes == written else None
        if said is None:
            raise
        return said
    try:
        tx.execute(
            "INSERT INTO submissions (table_id, user_id, name, request_hash, result, at)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            table,
            person.id,
            name,
            request,
            answer.decode(),
            now,
        )
    except Conflict:
        raise refused(Illegal, "submission", "submission-twice") from None
    return answer


def _said_before(tx: Tx, person: Person, table: str, name: str, request: str) -> bytes | None:
    """What was answered to a submission of this name."""
    found = tx.row(
        tuple[str, str],
        "SELECT request_hash, result FROM submissions"
        " WHERE table_id = ? AND user_id = ? AND name = ?",
        table,
        person.id,
        name,
    )
    if found is None:
        return None
    before, result = found
    if before != request:
        raise refused(Illegal, "submission", "submission-twice")
    return result.encode()


def play(
    tx: Tx,
    cache: MatchCache,
    here: FoundTable,
    seat: Seat,
    move: str,
    version: int,
    now: int,
    *,
    ready: bool | None = None,
    by_mail: bool = False,
    arrived: int | None = None,
) -> dict[str, Any]:
    """A seat's move, from a person or a bot; what the seat is told of it. What comes by mail says
    nothing of being ready, and opens nothing before the whole mail is judged (`conclude`)."""
    with cache.timed(tx, here.row) as timed:
        turn, before = check_time(tx, here, timed, now, arrived), timed.match.ply
        if seat not in timed.match.awaited:  # whoever is waited for may always send something
            _check_changes(timed, seat)
        if ready is False and (turn is None or not here.game.sealed):
            raise refused(Illegal, "no-wait")
        happened = timed.move(seat, move, version, now, settles=False)
        if here.game.sealed and turn is not None:
            if ready is None and not by_mail:
                ready = seat not in turn.waits
            _note(tx, here, turn, seat, ready)
        if not by_mail:
            _open_if_done(timed, turn, now)
        if here.seats[seat].is_open:
            _close_seat(tx, here, seat)
        write(tx, here, timed, turn, now)
        match = timed.match
        eyes = match.eyes(seat)
        caused = [event for one in match.happenings[before:] for event in one.events]
        return {
            "version": match.version(seat),
            "move": happened.text_for(eyes),
            "facts": happened.facts_for(eyes),
            "events": [tell_event(here.game, event, eyes) for event in caused],
        }


def check_number(
    timed: TimedMatch, kinds: Collection[str], seat: Seat | None, back_to: int | None = None
) -> None:
    """Refuse if there were too many such entries since the last turn that is over; if it is to go
    back to before an entry, since the last that will be over then. So nothing that is repeated
    begins the count anew, and the log of a turn has an end."""
    _check_sum(entry.kind in kinds for entry in _lately(timed, seat, back_to))


def _check_changes(timed: TimedMatch, seat: Seat, back_to: int | None = None) -> None:
    """A seat's moves and take-backs; what the game master entered for it counts for nobody else."""
    by_seat = {"move": 1, "take-back": 1, "by-master": -1}
    _check_sum(by_seat.get(entry.kind, 0) for entry in _lately(timed, seat, back_to))


def _lately(timed: TimedMatch, seat: Seat | None, back_to: int | None) -> list[Entry]:
    log = timed.match.log
    return [entry for entry in log[timed.turn_began(back_to) :] if entry.seat == seat]


def _check_sum(numbers: Iterable[int]) -> None:
    if sum(numbers) >= MOST_IN_A_TURN:
        raise refused(Illegal, "too-many-entries", most=MOST_IN_A_TURN)


def _note(tx: Tx, here: FoundTable, turn: Turn, seat: Seat, ready: bool | None) -> None:
    """What a seat that sends orders has said of them; by mail, nothing yet."""
    if ready is None:
        turn.readiness.forget(int(seat))
    else:
        turn.declare(int(seat), ready=ready)
        turn.readiness.nothing.pop(int(seat), None)
    turns.keep(tx, here, turn)


def _open_if_done(timed: TimedMatch, turn: Turn | None, now: int) -> None:
    """Carry out sealed orders that are all there, if nobody is waited for any more."""
    match = timed.match
    is_complete = match.outcome is None and match.to_act and not match.awaited
    if is_complete and (turn is None or turn.settles(now)):
        timed.enter("adjudicate", None, "", now)


def play_bot(
    tx: Tx, cache: MatchCache, table: str, seat: Seat, move: str, version: int, now: int
) -> None:
    """A bot's move, unless the table has gone on since it began to think."""
    here = load(tx, table, None, lock=True)
    if here is not None and here.row.state == "playing" and here.seats[seat].bot is not None:
        play(tx, cache, here, seat, move, version, now)


def _close_seat(tx: Tx, here: FoundTable, seat: Seat) -> None:
    """Whoever plays on keeps the seat."""
    change_seat(tx, here.id, seat, is_open=0)


def resign(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    here = find_playing(tx, table, person)
    seat = here.own_seat()
    with cache.timed(tx, here.row) as timed:
        turn = check_time(tx, here, timed, now)
        timed.enter("resign", seat, "", now, settles=False)
        _open_if_done(timed, turn, now)
        write(tx, here, timed, turn, now)
    notifications.tell_master(tx, here, "resign", now, who=here.game.seats[seat])


def wait(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    waits: bool,
    now: int,
    *,
    arrived: int | None = None,
) -> None:
    """Ask that the turn is not carried out before its deadline even if all orders are in, or ask no
    longer. Nobody else is told."""
    here = find_playing(tx, table, person)
    seat = here.own_seat()
    with cache.timed(tx, here.row) as timed:
        turn = check_time(tx, here, timed, now, arrived)
        match = timed.match
        if turn is None or not here.game.sealed:
            raise refused(Illegal, "no-wait")
        if seat not in match.to_act:
            raise refused(NotYourTurn, "not-your-turn")
        if waits or seat not in match.awaited:
            turn.declare(int(seat), ready=not waits)
        else:
            turn.waits = [other for other in turn.waits if other != seat]
        turns.keep(tx, here, turn)
        _go_on(tx, here, timed, turn, now)


def be_ready(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    is_on: bool,
    now: int,
    *,
    arrived: int | None = None,
) -> None:
    """Say that one's orders are as they shall be, or that they are not. Orders that are only saved
    count at the deadline; before it, a turn is carried out when everybody is ready."""
    if not is_on:
        wait(tx, cache, person, table, True, now, arrived=arrived)
        return
    here = find_playing(tx, table, person)
    seat = here.own_seat()
    with cache.timed(tx, here.row) as timed:
        turn = check_time(tx, here, timed, now, arrived)
        match = timed.match
        if not here.game.sealed:
            raise refused(Illegal, "no-wait")
        if seat not in match.to_act:
            raise refused(NotYourTurn, "not-your-turn")
        if seat in match.awaited:
            raise refused(Illegal, "nothing-ready")
        if turn is not None:
            turn.declare(int(seat), ready=True)
            turns.keep(tx, here, turn)
        _go_on(tx, here, timed, turn, now)


def conclude(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    now: int,
    *,
    is_clean: bool,
    nothing: Iterable[str],
    changed: Iterable[str],
    arrived: int | None = None,
) -> None:
    """A mail of a seat is judged. If lines of it were refused, the seat is not ready, whatever it
    has said; `nothing` are the parts for which it ordered nothing, of those that it `changed`."""
    here = find_playing(tx, table, person)
    seat = here.own_seat()
    with cache.timed(tx, here.row) as timed:
        turn = check_time(tx, here, timed, now, arrived)
        if not here.game.sealed or seat not in timed.match.to_act:
            return
        if turn is not None:
            said, number = turn.readiness, int(seat)
            kept = [part for part in said.nothing.get(number, ()) if part not in changed]
            said.nothing[number] = sorted({*kept, *nothing})
            said.faulty = sorted({*said.faulty, number} - ({number} if is_clean else set()))
            turns.keep(tx, here, turn)
        _go_on(tx, here, timed, turn, now)


def _go_on(tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None, now: int) -> None:
    before = timed.match.ply
    _open_if_done(timed, turn, now)
    if timed.match.ply > before:
        write(tx, here, timed, turn, now)
    tx.signal("table", here.id)


def take_back(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    number: int,
    now: int,
    *,
    arrived: int | None = None,
) -> None:
    """Strict: one's own last moves, as long as nothing was revealed and nobody else acted. At a
    friendly table also later, if all agree: then it is rolled back to before the move."""
    here = find_playing(tx, table, person)
    seat = here.own_seat()
    with cache.timed(tx, here.row) as timed:
        turn = check_time(tx, here, timed, now, arrived)
        match = timed.match
        named = match.number_in_log(seat, number)
        _check_changes(timed, seat, named)
        offer = json.loads(here.row.offers).get("take-back")
        if offer is not None and offer["entry"] == named and seat not in offer["by"]:
            _agree(tx, here, timed, turn, "take-back", named, now)
            return
        try:
            timed.enter("take-back", seat, str(named), now)
        except Illegal as error:
            if error.code != "reveals" or here.options.take_back != "friendly":
                raise
            named = public_entry(match, seat, number)
            _agree(tx, here, timed, turn, "take-back", named, now)
        else:
            if turn is not None:
                turn.readiness.forget(int(seat))
                turn.readiness.nothing.pop(int(seat), None)
                turns.keep(tx, here, turn)
            write(tx, here, timed, turn, now)


def consent(
    tx: Tx, cache: MatchCache, person: Person, table: str, kind: str, number: int, now: int
) -> bool:
    """Offer something that needs everybody's consent, or agree to it; whether it came to be.

    A roll-back names an entry that everybody was told of, by its number in the asker's record."""
    here = find_playing(tx, table, person)
    here.own_seats()
    with cache.timed(tx, here.row) as timed:
        turn = check_time(tx, here, timed, now)
        match = timed.match
        if kind == "draw" and len(here.people()) < len(here.seats):
            raise refused(Illegal, "bot", "bot-draw")
        if kind == "pause" and match.paused:
            raise refused(Illegal, "paused")
        if kind == "resume" and not match.paused:
            raise refused(Illegal, "not-paused")
        if kind == "roll-back" and here.options.rated:
            raise refused(Illegal, "rated", "rated-stays")
        named = public_entry(match, here.seat, number) if kind == "roll-back" else 0
        return _agree(tx, here, timed, turn, kind, named, now)


def _agree(
    tx: Tx, here: FoundTable, timed: TimedMatch, turn: Turn | None, kind: str, named: int, now: int
) -> bool:
    """Count somebody's consent, for all seats they hold; with the last one it comes to be."""
    if kind in (*STOPS, "take-back"):
        check_number(timed, STOPS, None, named or None)
    offers = json.loads(here.row.offers)
    offer = offers.get(kind)
    if offer is None or offer["entry"] != named:
        offer = {"entry": named, "by": []}
    offer["by"] = sorted({*offer["by"], *map(int, here.own)})
    if all(seat in offer["by"] for seat in here.people()):
        entered = "roll-back" if kind == "take-back" else kind
        timed.enter(entered, None, str(named) if named else "", now)
        write(tx, here, timed, turn, now)
        if kind in ("pause", "resume"):
            tell_pause(tx, here, timed, now)
        return True
    _set_offers(tx, here, {**offers, kind: offer}, now)
    return False


def tell_pause(tx: Tx, here: FoundTable, timed: TimedMatch, now: int) -> None:
    """No deadline goes or comes back without everybody being told which one counts."""
    turn = turns.current(tx, here, timed)
    kind: Literal["paused", "resumed"] = "paused" if timed.match.paused else "resumed"
    facts = {} if turn is None else {"due_at": turn.due_at}
    notifications.tell_seats(tx, here, here.people(), kind, now, **facts)
    if (master := notifications.judge_of(here)) is not None:
        notifications.tell(tx, master, kind, here, now, **facts)


def decline(tx: Tx, person: Person, table: str, kind: str, now: int) -> None:
    """Refuse an offer, or withdraw one's own."""
    here = find_playing(tx, table, person)
    here.own_seats()
    offers = json.loads(here.row.offers)
    if kind not in offers:
        raise refused(Illegal, "no-offer")
    del offers[kind]
    _set_offers(tx, here, offers, now)


def check_time(
    tx: Tx, here: FoundTable, timed: TimedMatch, now: int, arrived: int | None = None
) -> Turn | None:
    """The turn now, unless something has fallen due that has to be entered first. What `arrived`
    in time counts as long as it is not entered, and so does all while a mailbox is waited for."""
    turn, flag = turns.current(tx, here, timed), timed.flag()
    if flag is not None and flag.at <= now:
        raise TimeIsUp(here.id)
    if turn is not None and turn.act_at <= (now if arrived is None else arrived):
        if not mailboxes.waits(tx, turn.act_at, now):
            raise TimeIsUp(here.id)
    return turn


def write(
    tx: Tx, here: FoundTable, timed: TimedMatch, in_turn: Turn | None, now: int, **by_master: Any
) -> frozenset[str]:
    """The entries just made into the log, with all that follows from them. `in_turn` is the one in
    which they were made; `by_master` is the game master's act, if one made them. To whom a report
    of it goes."""
    match = timed.match
    before = timed.stored
    for ply, entry in enumerate(match.log[before:], before + 1):
        tx.execute(
            "INSERT INTO entries (table_id, ply, kind, seat, text, facts, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            here.id,
            ply,
            entry.kind,
            entry.seat,
            entry.text,
            msgspec.json.encode(entry.facts).decode(),
            timed.at,
        )
    timed.stored = match.ply
    tx.know(here.id, [match.ply], LAST, here.id)
    snapshots.keep(tx, here.id, timed, before)
    outcome = match.outcome
    drafts.settle(tx, here, match.log[before:], is_over=outcome is not None)
    if outcome is not None:
        result = {
            "winners": [here.game.seats[seat] for seat in outcome.winners],
            "points": list(outcome.points),
            "reason": outcome.reason,
            "clause": outcome.clause,
        }
        told_of = json.dumps(result)
        change_table(
            tx, here.id, state="over", result=told_of, offers="{}", ended_at=now, changed_at=now
        )
        results.settle(tx, here, results.ending_of(match), now)
        reviews.begin_by_itself(tx, here, match, now)
        if here.options.anonymous:
            results.tell_names(tx, here)
    elif here.row.offers != "{}" and any(
        happening.text_for(None) is not None for happening in match.happenings[before:]
    ):
        # What everybody saw happen ends an offer; what nobody saw must not be told by its end.
        _set_offers(tx, here, {}, now)
    ask_bots(tx, here, timed, now)
    begun = set_time(tx, here, timed, in_turn, now)
    told = notifications.report(tx, here, timed, before, begun, now, **by_master)
    tx.signal("table", here.id)
    return told


def put_back(tx: Tx, now: int) -> None:
    """A clock was ahead when these were entered, and has been put right."""
    tx.execute("UPDATE entries SET at = ? WHERE at > ?", now, now)


def set_time(
    tx: Tx, here: FoundTable, timed: TimedMatch, before: Turn | None, now: int
) -> Turn | None:
    """Begin the turn that stands now, if another ended, and see that its deadline is noticed."""
    if before is not None and before.stretch != timed.stretch and timed.stretch.ply:
        began = timed.match.log[timed.stretch.ply - 1]
        if began.kind in ("move", "adjudicate", "deadline"):
            turns.close(tx, here, timed, before, began.seat, now)
            press.release(tx, here)
    turn = turns.begin(tx, here, timed)
    is_first = before is None and turn is not None
    if timed.rule.kind != "none" or is_first or timed.match.outcome is not None:
        # Without a clock the first look is a month away, and looks on from there.
        turns.wake(tx, here, timed, turn)
    return turn


def _set_offers(tx: Tx, here: FoundTable, offers: Mapping[str, Any], now: int) -> None:
    change_table(tx, here.id, offers=json.dumps(offers), changed_at=now)
    tx.signal("table", here.id)


def ask_bots(tx: Tx, here: FoundTable, timed: TimedMatch, now: int) -> None:
    """What waits to be thought of at the table is one question for each bot that is to act: whoever
    changes their mind all the time asks no more than others, and keeps no bot waiting."""
    match = timed.match
    bots = [Seat(row.seat) for row in here.seats if row.bot is not None]
    if not bots:
        return
    wanted = [
        (
            QUICK if is_quick(here.seats[seat].bot) else SLOW,
            {"seat": seat, "version": match.version(seat)},
        )
        for seat in sorted(match.awaited.intersection(bots))
    ]
    jobs.settle(tx, here.id, (QUICK, SLOW), wanted, now=now)
    if wanted:
        tx.signal("bot", here.id)


def public_entry(match: Match, viewer: Viewer, number: int) -> int:
    """The entry to go back to, by its number in the viewer's record. Where it opened sealed orders
    it is the first after the turn began: they were seen, so nobody is held to them, and everybody
    orders anew."""
    named = match.number_in_log(viewer, number)
    if match.happenings[named - 1].text_for(None) is None:
        raise refused(Illegal, "sealed")
    if match.log[named - 1].kind in OPENS:
        while named > 1 and match.log[named - 2].kind not in (*OPENS, "roll-back"):
            named -= 1
    return named
