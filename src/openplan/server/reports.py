"""Letters of a table: who gets one when something has happened, and what is in it.

What is posted says only which table, which seat and up to which entry; the letter is written when
it is carried, from what its reader knew at that entry. So a letter that is carried twice is the
same, and nothing hidden waits in the outbox.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from openplan.core.game import Illegal, Seat, Viewer
from openplan.core.match import Match
from openplan.mail import letters as written
from openplan.mail.letter import Letter
from openplan.mail.letters import Press, Reader, Table
from openplan.mail.tokens import GUEST, SEAT, Claim, make_token
from openplan.server import letters, news, press, turns
from openplan.server.accounts import Person
from openplan.server.clock import Sitting, is_adjudicated
from openplan.server.faults import Forbidden, Missing
from openplan.server.place import Place, find, load, seat_coded
from openplan.server.shelf import Shelf
from openplan.server.store import Row, Tx
from openplan.server.turns import Turn
from openplan.server.wishes import wishes_of


def table_name(tx: Tx, table: str) -> str:
    """The short name of a table in letters; it gets one with the first."""
    tx.execute(
        "INSERT INTO mail_tables (table_id) VALUES (?) ON CONFLICT (table_id) DO NOTHING", table
    )
    row = tx.one("SELECT id FROM mail_tables WHERE table_id = ?", table)
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


def welcome(tx: Tx, place: Place, sitting: Sitting, turn: Turn | None, now: int) -> None:
    for row in place.seats:
        _post(tx, place, sitting, row, "welcome", turn, now)


def tell(tx: Tx, place: Place, sitting: Sitting, before: int, turn: Turn | None, now: int) -> None:
    """Something was entered after entry `before`: a report to who is concerned. Sealed orders that
    come in concern nobody, and so nobody can tell from a letter that they did."""
    match = sitting.match
    new = match.log[before:]
    if match.outcome is not None:
        readers = list(place.seats)
    elif is_adjudicated(place.game):
        is_opened = any(entry.kind in ("adjudicate", "deadline") for entry in new)
        readers = list(place.seats) if is_opened else []
    else:
        movers = {entry.seat for entry in new if entry.kind == "move"}
        readers = [place.seats[seat] for seat in sorted(match.awaited - movers)]
    for row in readers:
        _post(tx, place, sitting, row, "report", turn, now)
    if len(readers) == len(place.seats):
        _post_watchers(tx, place, sitting, turn, now)


def _post(
    tx: Tx, place: Place, sitting: Sitting, row: Row, kind: str, turn: Turn | None, now: int
) -> None:
    if row.user_id is None or row.bot is not None or not _wants(tx, row.user_id, sitting.match):
        return
    since, ply = row.reported_ply, sitting.match.ply
    facts = {"table": place.id, "seat": int(row.seat), "since": since, "ply": ply}
    letters.post(tx, row.user_id, kind, {**facts, **_times(turn)}, now)
    tx.execute(
        "UPDATE seats SET reported_ply = ? WHERE table_id = ? AND seat = ?", ply, place.id, row.seat
    )


def _post_watchers(tx: Tx, place: Place, sitting: Sitting, turn: Turn | None, now: int) -> None:
    since = _last_turn(sitting.match)
    facts = {"table": place.id, "seat": None, "since": since, "ply": sitting.match.ply}
    for row in tx.execute("SELECT user_id FROM watchers WHERE table_id = ?", place.id):
        letters.post(tx, row.user_id, "report", {**facts, **_times(turn)}, now)


def _last_turn(match: Match) -> int:
    """The entry after which the turn that was opened last had begun."""
    opened = [n for n, entry in enumerate(match.log) if entry.kind in ("adjudicate", "deadline")]
    return 0 if len(opened) < 2 else opened[-2] + 1


def _times(turn: Turn | None) -> dict[str, int]:
    if turn is None:
        return {}
    times = {"due": turn.due_at, "number": turn.stretch.number}
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


def invite(
    tx: Tx,
    person: Person,
    table: str,
    email: str,
    now: int,
    *,
    secret: bytes,
    site: str,
    reply: Callable[[str], str],
) -> None:
    """A letter to an address, whose owner takes a seat by answering it. Whether the address is
    known here is not told to who invites."""
    place = find(tx, table, person, lock=True)
    if place.row.owner_id != person.id and place.row.master_id != person.id:
        raise Forbidden("not-owner", "this is for who made the table, or its game master")
    if place.row.state != "waiting":
        raise Illegal("begun", "the match has begun")
    (row,) = tx.execute(
        "INSERT INTO invitations (table_id, email, created_at) VALUES (?, ?, ?) RETURNING id",
        place.id,
        email,
        now,
    )
    name = table_name(tx, place.id)
    token = make_token(secret, Claim(name, GUEST, None, row.id), email)
    game = place.game
    letter = written.invitation(
        game.title,
        person.name,
        game.say("brief", {}),
        name,
        f"{site}/table/{place.id}?invite={place.row.invite}",
        Reader(None, token),
    )
    letters.post_whole(tx, email, letter, now, table=place.id, reply_to=reply(token))


def remind(
    tx: Tx, place: Place, sitting: Sitting, turn: Turn, seats: Iterable[int], kind: str, now: int
) -> None:
    """Time is running out, or has: with the form once more, so that an answer is enough."""
    ply = sitting.match.ply
    for seat in seats:
        row = place.seats[seat]
        if row.user_id is not None and row.bot is None:
            facts = {"seat": int(seat), "since": row.reported_ply, "ply": ply, **_times(turn)}
            news.tell(tx, row.user_id, kind, place, now, **facts)


# -- Writing ---------------------------------------------------------------------------------


def write(
    tx: Tx, shelf: Shelf, secret: bytes, site: str, payload: dict[str, Any]
) -> tuple[Letter, str] | None:
    """The letter that was posted, and the token that a reply must show; nothing if its reader has
    lost the seat since."""
    user = str(payload["to"])
    place = load(tx, payload["table"], user)
    if place is None or place.row.deal is None:
        return None
    seat = None if payload["seat"] is None else Seat(payload["seat"])
    if seat is not None and place.seats[seat].user_id != user:
        return None
    said = _press(tx, shelf, place, user, payload)
    with shelf.sitting(tx, place.row) as sitting:
        match = sitting.match.at(payload["ply"])
        reader = reader_of(tx, place, match, secret, user, seat)
        table = facts_of(tx, place, match, payload, user, site)
        if payload["kind"] == "welcome":
            return written.welcome(match, table, reader), reader.token
        if payload["kind"] in ("reminder", "late"):
            late = payload["kind"] == "late"
            return written.reminder(match, table, reader, late=late), reader.token
        return written.report(match, table, reader, payload["since"], said), reader.token


def last_letters(
    tx: Tx, shelf: Shelf, secret: bytes, site: str, table: str, code: str
) -> list[Letter]:
    """What every seat, or one, would be told now: the last turn, the table, the hand, the form."""
    place = load(tx, table, None)
    if place is None or place.row.deal is None:
        raise Missing
    seats = [seat_coded(place.game, code)] if code else [Seat(row.seat) for row in place.seats]
    with shelf.sitting(tx, place.row) as sitting:
        match = sitting.match
        turn = turns.current(tx, place, sitting)
    since = _last_turn(match)
    found = []
    for seat in seats:
        user = place.seats[seat].user_id or ""
        reader = reader_of(tx, place, match, secret, user, seat)
        table_facts = facts_of(tx, place, match, _times(turn), user, site)
        found.append(written.report(match, table_facts, reader, since))
    return found


def reader_of(tx: Tx, place: Place, match: Match, secret: bytes, user: str, seat: Viewer) -> Reader:
    row = tx.one("SELECT language FROM users WHERE id = ?", user)
    token = ""
    if seat is not None:
        claim = Claim(table_name(tx, place.id), SEAT, seat, turn_of(match))
        token = make_token(secret, claim, user)
    return Reader(seat, token, "en" if row is None else row.language)


def facts_of(
    tx: Tx,
    place: Place,
    match: Match,
    times: dict[str, Any],
    user: str,
    site: str,
) -> Table:
    row = tx.one("SELECT zone FROM users WHERE id = ?", user)
    return Table(
        name=table_name(tx, place.id),
        turn=turn_of(match),
        deadline=times.get("due"),
        grace=times.get("grace"),
        zone="UTC" if row is None else row.zone,
        site=f"{site}/table/{place.id}",
    )


def _press(tx: Tx, shelf: Shelf, place: Place, user: str, payload: dict[str, Any]) -> list[Press]:
    """Press that was held back for this report."""
    if not press.press_rule(place).postal or "number" not in payload:
        return []
    lines = press.read(tx, shelf, place, user)
    return [
        Press(line.text, line.by, tuple(line.to), line.by == press.MASTER)
        for line in lines
        if line.turn == payload["number"] - 1 and not line.is_mine
    ]
