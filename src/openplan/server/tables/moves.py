"""The match goes on: what seats, bots and the clock do to it, each in one transaction.

A use-case finds the table as its caller may see it, lets the match judge, writes the entry and what
follows from it, and names the table to be told of after the commit. Clients name entries by their
numbers in their own record and look at the version of their own view; the log's own ply stays here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from openplan.core.game import Illegal, NotYourTurn, Seat, Unreadable, Viewer
from openplan.core.match import Match
from openplan.core.telling import tell_event
from openplan.server.errors import TimeIsUp
from openplan.server.mailing import letter_writer
from openplan.server.notify import notifications
from openplan.server.people import ratings
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx, jobs
from openplan.server.tables import press, snapshots, turns
from openplan.server.tables.access import TOKEN, Place, find_playing, load
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.timed_match import TimedMatch, is_adjudicated
from openplan.server.tables.turns import Turn

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
) -> dict[str, Any]:
    """A move. `name` is the client's own for this submission: sent twice it is answered twice and
    played once."""
    if not TOKEN.fullmatch(name):
        raise refused(Unreadable, "submission")
    asked = f"{person.seat} {version} {move}".lstrip()
    request = hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()
    found = tx.one(
        "SELECT request_hash, result FROM submissions"
        " WHERE table_id = ? AND user_id = ? AND name = ?",
        table,
        person.id,
        name,
    )
    if found is not None:
        if found.request_hash != request:
            raise refused(Illegal, "submission", "submission-twice")
        answer: dict[str, Any] = json.loads(found.result)
        return answer
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    if place.seats[seat].bot is not None:
        raise refused(Illegal, "bot-plays")
    answer = play(tx, cache, place, seat, move, version, now)
    tx.execute(
        "INSERT INTO submissions (table_id, user_id, name, request_hash, result, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        table,
        person.id,
        name,
        request,
        msgspec.json.encode(answer).decode(),
        now,
    )
    return answer


def play(
    tx: Tx, cache: MatchCache, place: Place, seat: Seat, move: str, version: int, now: int
) -> dict[str, Any]:
    """A seat's move, from a person or a bot; what the seat is told of it."""
    with cache.timed(tx, place.row) as timed:
        turn = check_time(tx, place, timed, now)
        settles = turn is None or turn.settles(now)
        happened = timed.move(seat, move, version, now, settles=settles)
        if place.seats[seat].is_open:
            _close_seat(tx, place, seat)
        write(tx, place, timed, turn, now)
        match = timed.match
        eyes = match.eyes(seat)
        return {
            "version": match.version(seat),
            "move": happened.text_for(eyes),
            "facts": happened.facts_for(eyes),
            "events": [tell_event(place.game, event, eyes) for event in happened.events],
        }


def play_bot(
    tx: Tx, cache: MatchCache, table: str, seat: Seat, move: str, version: int, now: int
) -> None:
    """A bot's move, unless the table has gone on since it began to think."""
    place = load(tx, table, None, lock=True)
    if place is not None and place.row.state == "playing" and place.seats[seat].bot is not None:
        play(tx, cache, place, seat, move, version, now)


def _close_seat(tx: Tx, place: Place, seat: Seat) -> None:
    """Whoever plays on keeps the seat."""
    tx.execute("UPDATE seats SET is_open = 0 WHERE table_id = ? AND seat = ?", place.id, seat)


def resign(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    with cache.timed(tx, place.row) as timed:
        turn = check_time(tx, place, timed, now)
        settles = turn is None or turn.settles(now)
        timed.enter("resign", seat, "", now, settles=settles)
        write(tx, place, timed, turn, now)
    notifications.tell_master(tx, place, "resign", now, who=place.game.seats[seat])


def wait(tx: Tx, cache: MatchCache, person: Person, table: str, waits: bool, now: int) -> None:
    """Ask that the turn is not carried out before its deadline even if all orders are in, or ask no
    longer. Nobody else is told."""
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    with cache.timed(tx, place.row) as timed:
        turn = check_time(tx, place, timed, now)
        match = timed.match
        if turn is None or not is_adjudicated(place.game):
            raise refused(Illegal, "no-wait")
        if seat not in match.to_act:
            raise refused(NotYourTurn, "not-your-turn")
        turn.waits = sorted({*turn.waits, int(seat)} - (set() if waits else {int(seat)}))
        turns.keep(tx, place, turn)
        if not turn.waits and not match.awaited:
            timed.enter("adjudicate", None, "", now)
            write(tx, place, timed, turn, now)
        tx.notify("table", place.id)


def take_back(tx: Tx, cache: MatchCache, person: Person, table: str, number: int, now: int) -> None:
    """Strict: one's own last moves, as long as nothing was revealed and nobody else acted. At a
    friendly table also later, if all agree: then it is rolled back to before the move."""
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    with cache.timed(tx, place.row) as timed:
        turn = check_time(tx, place, timed, now)
        match = timed.match
        named = match.number_in_log(seat, number)
        offer = json.loads(place.row.offers).get("take-back")
        if offer is not None and offer["entry"] == named and seat not in offer["by"]:
            _agree(tx, place, timed, turn, "take-back", named, now)
            return
        try:
            timed.enter("take-back", seat, str(named), now)
        except Illegal as error:
            if error.code != "reveals" or place.row.take_back != "friendly":
                raise
            named = public_entry(match, seat, number)
            _agree(tx, place, timed, turn, "take-back", named, now)
        else:
            write(tx, place, timed, turn, now)


def consent(
    tx: Tx, cache: MatchCache, person: Person, table: str, kind: str, number: int, now: int
) -> bool:
    """Offer something that needs everybody's consent, or agree to it; whether it came to be.

    A roll-back names an entry that everybody was told of, by its number in the asker's record."""
    place = find_playing(tx, table, person)
    place.own_seats()
    with cache.timed(tx, place.row) as timed:
        turn = check_time(tx, place, timed, now)
        match = timed.match
        if kind == "draw" and len(place.people()) < len(place.seats):
            raise refused(Illegal, "bot", "bot-draw")
        if kind == "pause" and match.paused:
            raise refused(Illegal, "paused")
        if kind == "resume" and not match.paused:
            raise refused(Illegal, "not-paused")
        if kind == "roll-back" and place.row.rated:
            raise refused(Illegal, "rated", "rated-stays")
        named = public_entry(match, place.seat, number) if kind == "roll-back" else 0
        return _agree(tx, place, timed, turn, kind, named, now)


def _agree(
    tx: Tx, place: Place, timed: TimedMatch, turn: Turn | None, kind: str, named: int, now: int
) -> bool:
    """Count somebody's consent, for all seats they hold; with the last one it comes to be."""
    offers = json.loads(place.row.offers)
    offer = offers.get(kind)
    if offer is None or offer["entry"] != named:
        offer = {"entry": named, "by": []}
    offer["by"] = sorted({*offer["by"], *map(int, place.own)})
    if all(seat in offer["by"] for seat in place.people()):
        entered = "roll-back" if kind == "take-back" else kind
        timed.enter(entered, None, str(named) if named else "", now)
        write(tx, place, timed, turn, now)
        return True
    _set_offers(tx, place, {**offers, kind: offer}, now)
    return False


def decline(tx: Tx, person: Person, table: str, kind: str, now: int) -> None:
    """Refuse an offer, or withdraw one's own."""
    place = find_playing(tx, table, person)
    place.own_seats()
    offers = json.loads(place.row.offers)
    if kind not in offers:
        raise refused(Illegal, "no-offer")
    del offers[kind]
    _set_offers(tx, place, offers, now)


def check_time(tx: Tx, place: Place, timed: TimedMatch, now: int) -> Turn | None:
    """The turn now, unless something has fallen due that has to be entered first."""
    turn, flag = turns.current(tx, place, timed), timed.flag()
    if (flag is not None and flag.at <= now) or (turn is not None and turn.act_at <= now):
        raise TimeIsUp(place.id)
    return turn


def write(
    tx: Tx, place: Place, timed: TimedMatch, in_turn: Turn | None, now: int, **by_master: Any
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
            place.id,
            ply,
            entry.kind,
            entry.seat,
            entry.text,
            msgspec.json.encode(entry.facts).decode(),
            timed.at,
        )
    timed.stored = match.ply
    snapshots.keep(tx, place.id, timed, before)
    outcome = match.outcome
    if outcome is not None:
        tx.execute(
            "UPDATE tables SET state = 'over', result = ?, offers = '{}', ended_at = ?,"
            " changed_at = ? WHERE id = ?",
            json.dumps(
                {
                    "winners": [place.game.seats[seat] for seat in outcome.winners],
                    "points": list(outcome.points),
                    "reason": outcome.reason,
                    "clause": outcome.clause,
                }
            ),
            now,
            now,
            place.id,
        )
        ratings.settle(tx, place, ratings.ending_of(match), now)
    elif place.row.offers != "{}" and any(
        happening.text_for(None) is not None for happening in match.happenings[before:]
    ):
        # What everybody saw happen ends an offer; what nobody saw must not be told by its end.
        _set_offers(tx, place, {}, now)
    ask_bots(tx, place, timed, now)
    begun = set_time(tx, place, timed, in_turn, now)
    told = letter_writer.tell(tx, place, timed, before, begun, now, **by_master)
    tx.notify("table", place.id)
    return told


def set_time(tx: Tx, place: Place, timed: TimedMatch, before: Turn | None, now: int) -> Turn | None:
    """Begin the turn that stands now, if another ended, and see that its deadline is noticed."""
    if before is not None and before.stretch != timed.stretch and timed.stretch.ply:
        began = timed.match.log[timed.stretch.ply - 1]
        if began.kind in ("move", "adjudicate", "deadline"):
            turns.close(tx, place, timed, before, began.seat, now)
            press.release(tx, place)
    turn = turns.begin(tx, place, timed)
    is_first = before is None and turn is not None
    if timed.rule.kind != "none" or is_first or timed.match.outcome is not None:
        # Without a clock the first look is a month away, and looks on from there.
        turns.wake(tx, place, timed, turn)
    return turn


def _set_offers(tx: Tx, place: Place, offers: Mapping[str, Any], now: int) -> None:
    tx.execute(
        "UPDATE tables SET offers = ?, changed_at = ? WHERE id = ?",
        json.dumps(offers),
        now,
        place.id,
    )
    tx.notify("table", place.id)


def ask_bots(tx: Tx, place: Place, timed: TimedMatch, now: int) -> None:
    match = timed.match
    bots = [Seat(row.seat) for row in place.seats if row.bot is not None]
    for seat in sorted(match.awaited.intersection(bots)):
        payload = {"seat": seat, "version": match.version(seat)}
        jobs.add(tx, "bot", place.id, payload, now=now)
        tx.notify("bot", place.id)


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
