"""Looking back on a match that is over: who asks for it, how far it is, and what was found. Who
judges is `ops.match_reviews`.

A match keeps the name of the judge it began with. There is one review of it for good, by that judge
or, where this program has it no longer, by the one that took its place: so nobody can ask until
the answer is kinder. Of a match that goes on there is nothing here, for anybody.
"""

from __future__ import annotations

import json
from typing import Any, Final

import msgspec

from openplan.core.game import OPEN, Illegal, Unreadable
from openplan.core.match import Match
from openplan.core.record import write_record
from openplan.core.sentences import LANGUAGES
from openplan.review import DEPTH, SOUND, Review, decisions_of
from openplan.review.words import as_data
from openplan.server.errors import Forbidden
from openplan.server.notify.letters import Notice, post
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx, jobs
from openplan.server.tables import deck_texts
from openplan.server.tables.access import FoundTable, find, load
from openplan.server.tables.match_cache import MatchCache

MOST_WAITING: Final = 5
"""Reviews that one person has asked for and that are not done."""
MISTAKES_KEPT: Final = 5
"""Of each seat, to learn from."""

_REVIEW: Final = msgspec.json.Decoder(Review)


class Wanted(msgspec.Struct, frozen=True):
    """A review that is to be made, or is being made."""

    table: str
    depth: int
    at: int


class Finished(msgspec.Struct, frozen=True):
    """A match that is over, as a worker gets it."""

    record: str
    deck_text: str


class Trying(msgspec.Struct, frozen=True):
    """Another move in place of a decision, for a worker to judge."""

    match: Finished
    number: int
    move: str
    depth: int


class ReviewSight(msgspec.Struct):
    state: str
    """none, waiting, working, done or failed."""
    progress: float
    """From 0 to 1."""
    review: dict[str, Any] | None
    """What was found, once it is done: see `openplan review --json`."""
    judge_before: str | None = None
    """The judge that there was when the match began, if this server no longer had it."""


class _Row(msgspec.Struct, frozen=True):
    user_id: str | None
    state: str
    judged: int
    entries: int
    result: str | None


def find_over(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> FoundTable:
    """A table whose match is over and was not called off. All others are refused alike, whoever
    asks."""
    here = find(tx, table, person, invite, lock=lock)
    if here.row.state != "over":
        raise refused(Illegal, "not-over", "review-not-over")
    return here


def ask(tx: Tx, person: Person, table: str, now: int) -> ReviewSight:
    """One of the players wants to look back; whoever asks second waits for the same review."""
    here = find_over(tx, table, person, lock=True)
    check_judge(here)
    here.own_seats()
    found = _row(tx, table)
    if found is None or found.state == "failed":
        _check_number(tx, person)
        _begin(tx, here, person.id, here.row.ply, now)
    return see(tx, here, "en")


def ask_by_mail(tx: Tx, person: Person, table: str, now: int) -> ReviewSight:
    """The same for who writes letters, and gets one when it is done."""
    seen = ask(tx, person, table, now)
    if seen.state in ("waiting", "working"):
        (text,) = tx.rows(str, "SELECT posted_to FROM reviews WHERE table_id = ?", table)
        own = find(tx, table, person).own
        seats = sorted({*json.loads(text), *map(int, own[:1])})
        tx.change("reviews", {"table_id": table}, {"posted_to": json.dumps(seats)})
    return seen


def begin_by_itself(tx: Tx, here: FoundTable, match: Match, now: int) -> None:
    """A match has ended. Where it was rated, it is looked back on without being asked."""
    if here.options.rated and here.game.evaluator:
        _begin(tx, here, None, match.ply, now)


def stop(tx: Tx, person: Person, table: str) -> ReviewSight:
    """Who has asked for it wants it no more. One that is done stays."""
    here = find_over(tx, table, person, lock=True)
    found = _row(tx, table)
    if found is not None and found.state in ("waiting", "working"):
        if found.user_id != person.id:
            raise refused(Forbidden, "not-your-review")
        tx.execute("DELETE FROM reviews WHERE table_id = ?", here.id)
    return see(tx, here, "en")


def see(tx: Tx, here: FoundTable, language: str) -> ReviewSight:
    found = _row(tx, here.id)
    if found is None:
        return ReviewSight("none", 0.0, None)
    progress = round(found.judged / found.entries, 3)
    if found.result is None:
        return ReviewSight(found.state, progress, None)
    review = _REVIEW.decode(found.result)
    began = _evaluator(tx, here)
    before = None if began == review.evaluator else began
    return ReviewSight(found.state, 1.0, as_data(here.game, review, language), before)


def kept(tx: Tx, here: FoundTable) -> Review | None:
    """What was found, if it was."""
    found = _row(tx, here.id)
    return None if found is None or found.result is None else _REVIEW.decode(found.result)


def trying(tx: Tx, cache: MatchCache, person: Person, table: str, number: int, move: str) -> Trying:
    """What a player of the match wants judged: a move that could have been made there."""
    here = find_over(tx, table, person)
    check_judge(here)
    here.own_seats()
    with cache.timed(tx, here.row) as timed:
        match = timed.match
        decided = decisions_of(match).get(number)
        if decided is None:
            raise refused(Unreadable, "no-decision", number=number)
        seat, then = decided[0], match.at(number - 1)
        meant = match.game.parse_move(match.deck, move)
        refusal = match.game.why_not(then.view(seat), meant)
        if refusal is not None:
            said = {
                language: match.game.say(refusal.code, refusal.params, language)
                for language in LANGUAGES
            }
            raise Illegal(refusal.code, said[LANGUAGES[0]], refusal.clause, told=said)
        finished = Finished(write_record(match, OPEN), deck_texts.at_table(tx, here.id))
    return Trying(finished, number, move, DEPTH)


def check_judge(here: FoundTable) -> None:
    if not here.game.evaluator:
        raise refused(Illegal, "no-judge", title=here.game.title)


def _row(tx: Tx, table: str) -> _Row | None:
    select = "SELECT user_id, state, judged, entries, result FROM reviews WHERE table_id = ?"
    return tx.row(_Row, select, table)


def _check_number(tx: Tx, person: Person) -> None:
    (number,) = tx.rows(
        int,
        "SELECT COUNT(*) FROM reviews WHERE user_id = ? AND state IN ('waiting', 'working')",
        person.id,
    )
    if number >= MOST_WAITING:
        raise refused(Illegal, "reviews-waiting", most=MOST_WAITING)


def _evaluator(tx: Tx, here: FoundTable) -> str | None:
    """The judge that there was when the match began."""
    return tx.row(str, "SELECT evaluator FROM tables WHERE id = ?", here.id)


def _begin(tx: Tx, here: FoundTable, user: str | None, ply: int, now: int) -> None:
    tx.execute("DELETE FROM reviews WHERE table_id = ?", here.id)
    tx.execute(
        "INSERT INTO reviews (table_id, user_id, evaluator, depth, state, entries, at)"
        " VALUES (?, ?, ?, ?, 'waiting', ?, ?)",
        here.id,
        user,
        _evaluator(tx, here) or here.game.evaluator,
        DEPTH,
        ply + 1,  # the deal is judged too
        now,
    )
    jobs.add(tx, "review", here.id, {"at": now}, now=now)
    tx.signal("bot", "")


# -- For who judges --------------------------------------------------------------------------


def wanted(tx: Tx, table: str, at: int) -> Wanted | None:
    """The review that was asked for then, unless it was stopped or asked for anew."""
    return tx.row(
        Wanted,
        'SELECT table_id AS "table", depth, at FROM reviews WHERE table_id = ? AND at = ?'
        " AND state IN ('waiting', 'working')",
        table,
        at,
    )


def note(tx: Tx, one: Wanted, state: str, judged: int) -> bool:
    """How far it is; whether anybody still wants to know."""
    return bool(
        tx.rows(
            str,
            "UPDATE reviews SET state = ?, judged = ? WHERE table_id = ? AND at = ?"
            " AND state IN ('waiting', 'working') RETURNING table_id",
            state,
            judged,
            one.table,
            one.at,
        )
    )


def keep(tx: Tx, one: Wanted, found: Review, now: int) -> None:
    """It is done, if anybody still wanted it."""
    if not note(tx, one, "done", len(found.entries)):
        return
    tx.change(
        "reviews",
        {"table_id": one.table},
        {"result": msgspec.json.encode(found).decode(), "evaluator": found.evaluator},
    )
    _post(tx, one.table, now)
    for row in found.sums():
        tx.execute(
            "INSERT INTO review_seats (table_id, seat, luck, margin, adjusted)"
            " VALUES (?, ?, ?, ?, ?)",
            one.table,
            row.seat,
            row.luck,
            row.margin,
            row.adjusted,
        )
        own = [move for move in found.decisions if move.seat == row.seat and move.cost >= SOUND]
        for move in sorted(own, key=lambda move: -move.cost)[:MISTAKES_KEPT]:
            tx.execute(
                "INSERT INTO review_mistakes (table_id, entry, seat, cost) VALUES (?, ?, ?, ?)",
                one.table,
                move.number,
                move.seat,
                move.cost,
            )


def _post(tx: Tx, table: str, now: int) -> None:
    """To those who have asked by mail and still have their seats."""
    here = load(tx, table, None)
    (text,) = tx.rows(str, "SELECT posted_to FROM reviews WHERE table_id = ?", table)
    if here is None:
        return
    for seat in json.loads(text):
        user = here.seats[seat].user_id
        if user is not None:
            ply = here.row.ply
            post(
                tx,
                Notice(to=user, at=now, kind="review", table=table, ply=ply, facts={}, seat=seat),
            )
