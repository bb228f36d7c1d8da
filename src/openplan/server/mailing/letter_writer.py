"""Letters of a table: who gets one when something has happened, and what is in it.

What is posted says only which table, which seat and up to which entry; the letter is written when
it is carried, from what its reader knew at that entry. So a letter that is carried twice is the
same, and nothing hidden waits in the outbox.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from openplan.core.game import Seat, Viewer
from openplan.core.match import Match
from openplan.mail.inbound.tokens import MASTER, SEAT, Claim, make_token
from openplan.mail.outbound import table_letters as written
from openplan.mail.outbound.letter import Letter
from openplan.mail.outbound.table_letters import Press, Reader, Table
from openplan.server.errors import Missing
from openplan.server.notify import letters, notifications
from openplan.server.people.mail_preferences import wishes_of
from openplan.server.store import Tx
from openplan.server.store.rows import SeatRow
from openplan.server.tables import press, turns
from openplan.server.tables.access import Place, load, seat_coded
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.tables.turns import Turn

PRESS: Final = ("press", "announcement", "to-master")


def table_name(tx: Tx, table: str) -> str:
    """The short name of a table in letters."""
    find = "SELECT id FROM mail_tables WHERE table_id = ?"
    row = tx.one(find, table)
    if row is None:  # to try in vain would use up a number
        tx.execute(
            "INSERT INTO mail_tables (table_id) VALUES (?) ON CONFLICT (table_id) DO NOTHING", table
        )
        row = tx.one(find, table)
        assert row is not None
    return str(row.id)


def table_named(tx: Tx, name: str) -> str | None:
    if not (name.isascii() and name.isdecimal() and len(name) < 18):
        return None
    row = tx.one("SELECT table_id FROM mail_tables WHERE id = ?", int(name))
    return None if row is None else row.table_id


def turn_of(match: Match) -> int:
    """As letters and tokens count: by the rules' own turns, or by what everybody has seen."""
    counted: int | None = match.game.turn_number(match.view(None))
    return match.version(None) + 1 if counted is None else counted


# -- Posting ---------------------------------------------------------------------------------


def welcome(tx: Tx, place: Place, timed: TimedMatch, turn: Turn | None, now: int) -> None:
    for row in place.seats:
        _post(tx, place, timed, row, "welcome", turn, now)
    _post_master(tx, place, timed, "master-welcome", turn, now)


def tell(
    tx: Tx,
    place: Place,
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
    _welcome_new(tx, place, timed, before, begun, now)
    concerns_all = any(entry.kind in ("adjudicate", "deadline", "roll-back") for entry in new)
    if match.outcome is not None or concerns_all:
        readers = list(place.seats)
    elif place.game.sealed:
        readers = []
    else:
        movers = {entry.seat for entry in new if entry.kind == "move"}
        readers = [place.seats[seat] for seat in sorted(match.awaited - movers)]
    told = [row for row in readers if _post(tx, place, timed, row, "report", begun, now, **facts)]
    if len(readers) == len(place.seats):
        _post_watchers(tx, place, timed, begun, now, **facts)
        absent = [
            int(seat)
            for number, entry in enumerate(new, before)
            if entry.kind == "deadline"
            for seat in sorted(timed.awaited_before[number])
        ]
        _post_master(tx, place, timed, "report", begun, now, absent=absent, **facts)
    return frozenset(row.user_id for row in told if row.user_id is not None)


def _welcome_new(
    tx: Tx, place: Place, timed: TimedMatch, before: int, turn: Turn | None, now: int
) -> None:
    """Whoever was given a seat gets the table, the hand and a form."""
    if timed.match.outcome is None:
        for entry in timed.match.log[before:]:
            if entry.kind == "seat" and entry.seat is not None:
                _post(tx, place, timed, place.seats[entry.seat], "welcome", turn, now)


def _post(
    tx: Tx,
    place: Place,
    timed: TimedMatch,
    row: SeatRow,
    kind: str,
    turn: Turn | None,
    now: int,
    **facts: Any,
) -> bool:
    """Whether there is somebody who wants it."""
    if row.user_id is None or row.bot is not None or not _wants(tx, row.user_id, timed.match):
        return False
    facts = {"seat": int(row.seat), "since": row.reported_ply, **facts}
    letters.post(tx, row.user_id, kind, {**_standing(place, timed, turn), **facts}, now)
    tx.execute(
        "UPDATE seats SET reported_ply = ? WHERE table_id = ? AND seat = ?",
        timed.match.ply,
        place.id,
        row.seat,
    )
    return True


def _post_watchers(
    tx: Tx, place: Place, timed: TimedMatch, turn: Turn | None, now: int, **facts: Any
) -> None:
    facts = {"seat": None, "since": _last_turn(timed.match), **facts}
    told = {notifications.judge_of(place), *(row.user_id for row in place.seats)}
    for row in tx.execute("SELECT user_id FROM watchers WHERE table_id = ?", place.id):
        if row.user_id not in told:
            letters.post(tx, row.user_id, "report", {**_standing(place, timed, turn), **facts}, now)


def _post_master(
    tx: Tx, place: Place, timed: TimedMatch, kind: str, turn: Turn | None, now: int, **facts: Any
) -> None:
    """To a game master who does not play, as a spectator would be told."""
    master = notifications.judge_of(place)
    if master is not None and _wants(tx, master, timed.match):
        facts = {"seat": None, "since": _last_turn(timed.match), **facts}
        letters.post(tx, master, kind, {**_standing(place, timed, turn), **facts}, now)


def _standing(place: Place, timed: TimedMatch, turn: Turn | None) -> dict[str, Any]:
    """Which table, up to which entry, and its times."""
    number = timed.stretch.number
    return {"table": place.id, "ply": timed.match.ply, "number": number, **_times(turn)}


def _last_turn(match: Match) -> int:
    """The entry after which the turn that was opened last had begun."""
    opened = [n for n, entry in enumerate(match.log) if entry.kind in ("adjudicate", "deadline")]
    return 0 if len(opened) < 2 else opened[-2] + 1


def _times(turn: Turn | None) -> dict[str, int]:
    if turn is None:
        return {}
    times = {"due": turn.due_at}
    return {**times, "grace": turn.act_at} if turn.act_at > turn.due_at else times


def _wants(tx: Tx, user: str, match: Match) -> bool:
    """People with a mail address who want it."""
    row = tx.one(
        "SELECT wishes FROM users WHERE id = ? AND email IS NOT NULL AND deleted_at IS NULL", user
    )
    if row is None:
        return False
    wishes = wishes_of(row)
    return wishes.turn if match.outcome is None else wishes.end


def remind(
    tx: Tx, place: Place, timed: TimedMatch, turn: Turn, seats: Iterable[int], kind: str, now: int
) -> None:
    """Time is running out, or has: with the form once more, so that an answer is enough."""
    for seat in seats:
        row = place.seats[seat]
        if row.user_id is not None and row.bot is None and _wishes_reminders(tx, row.user_id):
            facts = {"seat": int(seat), "since": row.reported_ply}
            letters.post(tx, row.user_id, kind, {**_standing(place, timed, turn), **facts}, now)


def remind_master(tx: Tx, place: Place, timed: TimedMatch, turn: Turn, now: int) -> None:
    """Who has sent orders and who has not; a day before the deadline, and when it has passed."""
    master = notifications.judge_of(place)
    if master is not None and _wishes_reminders(tx, master):
        kind = "master-late" if turn.is_overdue else "master-reminder"
        facts = {"seat": None, "since": 0}
        letters.post(tx, master, kind, {**_standing(place, timed, turn), **facts}, now)


def _wishes_reminders(tx: Tx, user: str) -> bool:
    row = tx.one("SELECT wishes FROM users WHERE id = ? AND deleted_at IS NULL", user)
    return row is not None and wishes_of(row).reminder


# -- Writing ---------------------------------------------------------------------------------


def write(
    tx: Tx, cache: MatchCache, secret: bytes, site: str, payload: dict[str, Any]
) -> tuple[Letter, str] | None:
    """The letter that was posted, and the token that a reply must show; nothing if its reader has
    lost the seat since."""
    user, kind = str(payload["to"]), payload["kind"]
    place = load(tx, payload["table"], user)
    if place is None:
        return None
    if kind in BETWEEN:
        return _write_between(tx, cache, secret, site, place, payload)
    if place.row.deal is None:
        return None
    seat = None if payload["seat"] is None else Seat(payload["seat"])
    if seat is not None and place.seats[seat].user_id != user:
        return None
    said = _press(tx, cache, place, user, payload)
    with cache.timed(tx, place.row) as timed:
        match = timed.match.at(payload["ply"])
    reader = reader_of(tx, place, match, secret, user, seat)
    table = facts_of(tx, place, match, payload, user, site)
    if kind == "welcome":
        return written.welcome(match, table, reader), reader.token
    if kind == "master-welcome":
        return written.master_welcome(match, table, reader), reader.token
    if kind in ("reminder", "late"):
        return written.reminder(match, table, reader, late=kind == "late"), reader.token
    if kind in ("master-reminder", "master-late"):
        late = kind == "master-late"
        return written.master_reminder(match, table, reader, late=late), reader.token
    absent = [Seat(number) for number in payload.get("absent", ())]
    by_master = payload.get("master", {})
    letter = written.report(match, table, reader, payload["since"], said, absent, by_master)
    return letter, reader.token


BETWEEN: Final = (*written.NOTICES, *PRESS)
"""Letters between the reports."""


def _write_between(
    tx: Tx, cache: MatchCache, secret: bytes, site: str, place: Place, payload: dict[str, Any]
) -> tuple[Letter, str] | None:
    """Something is told that need not have to do with the match: there may be none yet, and the
    reader may have lost the seat. Then there is nothing to answer it with."""
    user, kind, facts = str(payload["to"]), payload["kind"], payload["facts"]
    own = [Seat(row.seat) for row in place.seats if row.user_id == user]
    seat = Seat(payload["seat"]) if payload.get("seat") in own else own[0] if own else None
    match = None
    if place.row.deal is not None:
        with cache.timed(tx, place.row) as timed:
            match = timed.match.at(payload["ply"])
    reader = reader_of(tx, place, match, secret, user, seat)
    table = facts_of(tx, place, match, {}, user, site)
    if kind in PRESS:
        to = tuple(facts["to"])
        said = Press(facts["text"], facts["by"], to, is_from_master=facts["is_master"])
        return written.press_letter(place.game, table, reader, said), reader.token
    return written.notice(place.game, table, reader, kind, facts), reader.token


def places_of(tx: Tx, user: str) -> Iterator[tuple[Place, SeatRow]]:
    """Where somebody plays just now."""
    for row in tx.execute(
        "SELECT tables.id FROM tables JOIN seats ON seats.table_id = tables.id"
        " WHERE seats.user_id = ? AND tables.state = 'playing' ORDER BY tables.id",
        user,
    ):
        place = load(tx, row.id, user)
        assert place is not None
        yield from ((place, seat) for seat in place.seats if seat.user_id == user)


def last_letters(
    tx: Tx, cache: MatchCache, secret: bytes, site: str, table: str, code: str
) -> list[Letter]:
    """What every seat, or one, would be told now: the last turn, the table, the hand, the form."""
    place = load(tx, table, None)
    if place is None or place.row.deal is None:
        raise Missing
    seats = [seat_coded(place.game, code)] if code else [Seat(row.seat) for row in place.seats]
    with cache.timed(tx, place.row) as timed:
        match = timed.match
        turn = turns.current(tx, place, timed)
    since = _last_turn(match)
    found = []
    for seat in seats:
        user = place.seats[seat].user_id or ""
        reader = reader_of(tx, place, match, secret, user, seat)
        table_facts = facts_of(tx, place, match, _times(turn), user, site)
        found.append(written.report(match, table_facts, reader, since))
    return found


def reader_of(
    tx: Tx, place: Place, match: Match | None, secret: bytes, user: str, seat: Viewer
) -> Reader:
    """With the token for a seat, or for the game master who has none."""
    is_master = seat is None and notifications.judge_of(place) == user
    token = ""
    if (seat is not None or is_master) and match is not None:
        turn = turn_of(match)
        claim = Claim(table_name(tx, place.id), MASTER if is_master else SEAT, seat, turn)
        token = make_token(secret, claim, user)
    return Reader(seat, token, letters.language_of(tx, user), is_master)


def facts_of(
    tx: Tx,
    place: Place,
    match: Match | None,
    times: Mapping[str, Any],
    user: str,
    site: str,
) -> Table:
    row = tx.one("SELECT zone FROM users WHERE id = ?", user)
    return Table(
        name=table_name(tx, place.id),
        turn=0 if match is None else turn_of(match),
        deadline=times.get("due"),
        grace=times.get("grace"),
        zone="UTC" if row is None else row.zone,
        site=f"{site}/table/{place.id}",
    )


def _press(
    tx: Tx, cache: MatchCache, place: Place, user: str, payload: dict[str, Any]
) -> list[Press]:
    """Press since the last report that was not sent by itself: held back, or not wished for."""
    row = tx.one("SELECT wishes FROM users WHERE id = ?", user)
    if payload["kind"] != "report" or row is None:
        return []
    if wishes_of(row).message and not place.options.press.postal:
        return []
    with cache.timed(tx, place.row) as timed:
        first = _turns_ended(timed.match.at(payload["since"])) + 1
    return [
        Press(
            line.text,
            None if line.by in (None, press.MASTER) else press.signature(line.by, line.name),
            tuple(line.to),
            line.by == press.MASTER,
        )
        for line in press.read(tx, cache, place, user)
        if first <= line.turn < payload["number"] and not line.is_mine
    ]


def _turns_ended(match: Match) -> int:
    ends = ("adjudicate", "deadline") if match.game.sealed else ("move",)
    return sum(match.log[number - 1].kind in ends for number in match.in_force())
