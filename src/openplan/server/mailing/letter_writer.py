"""Writes the letters of a table, from what their readers knew when they were queued."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from openplan.core.game import AnyGame, Seat, Viewer
from openplan.core.match import Match
from openplan.mail.inbound.tokens import MASTER, SEAT, Claim, make_token
from openplan.mail.outbound import enclosures
from openplan.mail.outbound import table_letters as written
from openplan.mail.outbound.letter import Block, Letter
from openplan.mail.outbound.table_letters import Press, Reader, Table
from openplan.mail.widths import PROSE
from openplan.review import Review
from openplan.review.words import told
from openplan.server.notify.letters import Notice, TurnLetter
from openplan.server.notify.mail_preferences import language_of
from openplan.server.notify.wishes import wishes_of
from openplan.server.store import Tx
from openplan.server.tables import notifications, press, reviews, turns
from openplan.server.tables.access import FoundTable, load, table_name
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.notifications import times_of

PRESS: Final = ("press", "announcement", "to-master")


def turn_of(match: Match) -> int:
    """As letters and tokens count: by the rules' own turns, or by what everybody has seen."""
    counted: int | None = match.game.turn_number(match.view(None))
    return match.version(None) + 1 if counted is None else counted


def write(
    tx: Tx, cache: MatchCache, secret: bytes, site: str, queued: TurnLetter | Notice
) -> tuple[Letter, str] | None:
    """The letter that was queued, and the token that a reply must show; nothing if its reader has
    lost the seat since."""
    here = load(tx, queued.table, queued.to)
    if here is None:
        return None
    if isinstance(queued, Notice):
        return _write_notice(tx, cache, secret, site, here, queued)
    return _write_turn(tx, cache, secret, site, here, queued)


def _write_turn(
    tx: Tx, cache: MatchCache, secret: bytes, site: str, here: FoundTable, queued: TurnLetter
) -> tuple[Letter, str] | None:
    user, kind = queued.to, queued.kind
    seat = None if queued.seat is None else Seat(queued.seat)
    if here.row.deal is None or (seat is not None and here.seats[seat].user_id != user):
        return None
    said = _press(tx, cache, here, queued)
    with cache.timed(tx, here.row) as timed:
        match = timed.match.at(queued.ply)
    reader = reader_of(tx, here, match, secret, user, seat)
    table = facts_of(
        tx, here, match, user, site, queued.due, queued.grace, queued.usual, queued.states
    )
    if kind == "welcome":
        return written.welcome(match, table, reader), reader.token
    if kind == "master-welcome":
        return written.master_welcome(match, table, reader), reader.token
    if kind in ("reminder", "late"):
        return written.reminder(match, table, reader, late=kind == "late"), reader.token
    if kind in ("master-reminder", "master-late"):
        late = kind == "master-late"
        return written.master_reminder(match, table, reader, late=late), reader.token
    absent = [Seat(number) for number in queued.absent]
    names: tuple[str, ...] = ()
    if here.options.anonymous and match.outcome is not None:
        names = tuple(f"{here.game.seats[row.seat]}: {row.name}" for row in here.seats)
    letter = written.report(match, table, reader, queued.since, said, absent, queued.master, names)
    return letter, reader.token


def _write_notice(
    tx: Tx, cache: MatchCache, secret: bytes, site: str, here: FoundTable, queued: Notice
) -> tuple[Letter, str] | None:
    """Something is told that need not have to do with the match: there may be none yet, and the
    reader may have lost the seat. Then there is nothing to answer it with."""
    user, facts = queued.to, queued.facts
    own = [Seat(row.seat) for row in here.seats if row.user_id == user]
    seat = Seat(queued.seat) if queued.seat in own else own[0] if own else None
    match = due = grace = None
    if here.row.deal is not None:
        with cache.timed(tx, here.row) as timed:
            match = timed.match.at(queued.ply)
            playing = here.row.state == "playing" and timed.match.outcome is None
            due, grace = times_of(turns.current(tx, here, timed) if playing else None)
    reader = reader_of(tx, here, match, secret, user, seat)
    table = facts_of(tx, here, match, user, site, due, grace)
    if queued.kind in PRESS:
        to = tuple(facts["to"])
        said = Press(facts["text"], facts["by"], to, is_from_master=facts["is_master"])
        return written.press_letter(here.game, table, reader, said), reader.token
    letter = written.notice(here.game, table, reader, queued.kind, facts)
    found = reviews.kept(tx, here) if queued.kind == "review" and seat is not None else None
    if found is not None and seat is not None:
        enclosed = review_told(here.game, found, seat, reader.language)
        letter = replace(letter, blocks=[*letter.blocks, *enclosed])
    return letter, reader.token


def review_told(game: AnyGame, found: Review, seat: Seat, language: str) -> Iterator[Block]:
    """A review for the player of a seat."""
    return enclosures.looked_back(told(game, found, PROSE - 2, language, seat), language)


def reader_of(
    tx: Tx, here: FoundTable, match: Match | None, secret: bytes, user: str, seat: Viewer
) -> Reader:
    """With the token for a seat, or for the game master who has none."""
    is_master = seat is None and notifications.judge_of(here) == user
    token = ""
    if (seat is not None or is_master) and match is not None:
        turn = turn_of(match)
        claim = Claim(table_name(tx, here.id), MASTER if is_master else SEAT, seat, turn)
        token = make_token(secret, claim, user)
    return Reader(seat, token, language_of(tx, user), is_master)


def facts_of(
    tx: Tx,
    here: FoundTable,
    match: Match | None,
    user: str,
    site: str,
    due: int | None = None,
    grace: int | None = None,
    usual: int | None = None,
    states: Sequence[tuple[int, str]] = (),
) -> Table:
    """As its reader may know it, with times in the reader's zone."""
    seats = here.game.seats
    return Table(
        name=table_name(tx, here.id),
        turn=0 if match is None else turn_of(match),
        deadline=due,
        grace=grace,
        usual=usual,
        zone=tx.row(str, "SELECT zone FROM users WHERE id = ?", user) or "UTC",
        site=f"{site}/table/{here.id}",
        states=tuple((f"{seats[seat]} ({here.seats[seat].name})", state) for seat, state in states),
    )


def _press(tx: Tx, cache: MatchCache, here: FoundTable, queued: TurnLetter) -> list[Press]:
    """Press since the last report that was not sent by itself: held back, or not wished for."""
    wishes = tx.row(str, "SELECT wishes FROM users WHERE id = ?", queued.to)
    if queued.kind != "report" or wishes is None:
        return []
    if wishes_of(wishes).message and not here.options.press.postal:
        return []
    with cache.timed(tx, here.row) as timed:
        first = _turns_ended(timed.match.at(queued.since)) + 1
    return [
        Press(
            line.text,
            None if line.by in (None, press.MASTER) else press.signature(line.by, line.name),
            tuple(line.to),
            line.by == press.MASTER,
        )
        for line in press.read(tx, cache, here, queued.to)
        if first <= line.turn < queued.number and not line.is_mine
    ]


def _turns_ended(match: Match) -> int:
    ends = ("adjudicate", "deadline") if match.game.sealed else ("move",)
    return sum(match.log[number - 1].kind in ends for number in match.in_force())
