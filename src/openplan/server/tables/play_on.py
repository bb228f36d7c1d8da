"""A finished match, played on from one of its moments: a new table with the same deal and the same
entries so far, where somebody takes a seat against bots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from openplan.bots import BOTS
from openplan.core.game import OPEN, Illegal, Seat, Unreadable
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import deck_texts, lifecycle, reviews
from openplan.server.tables.access import FoundTable, find_begun, load, seat_coded
from openplan.server.tables.match_cache import MatchCache, deck_of
from openplan.server.tables.moves import write
from openplan.server.tables.options import TableOptions
from openplan.server.tables.table_rows import add_seat, change_table

INSTEAD: Final = "clerk"
"""Who plays for somebody who is not there."""


def play_on(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    invite: str,
    number: int,
    code: str,
    bot: str,
    now: int,
) -> str:
    """`number` is that of an entry in the record, which is open once the match is over."""
    here = find_begun(tx, table, person, invite)
    if here.row.state != "over":
        raise refused(Illegal, "not-over", "not-over-yet")
    seat = seat_coded(here.game, code)
    if bot not in BOTS:
        raise refused(Illegal, "unknown-bot", bot=bot[:40], known=", ".join(BOTS))
    return _from(tx, cache, here, person, seat, [bot for _ in here.seats], number, now)


def again(tx: Tx, cache: MatchCache, person: Person, table: str, number: int, now: int) -> str:
    """A player of a match that is over tries another move in place of this entry: from one's own
    seat against the bots that sat in the others, and a bot instead of each person."""
    here = reviews.find_over(tx, table, person)
    own = here.own_seats()
    with cache.timed(tx, here.row) as timed:
        match = timed.match
        mover = match.log[match.number_in_log(OPEN, number) - 1].seat
    seat = mover if mover is not None and mover in own else own[0]
    bots = [row.bot if row.bot in BOTS else INSTEAD for row in here.seats]
    return _from(tx, cache, here, person, seat, bots, number - 1, now)


def _from(
    tx: Tx,
    cache: MatchCache,
    here: FoundTable,
    person: Person,
    seat: Seat,
    bots: Sequence[str],
    number: int,
    now: int,
) -> str:
    """A table that stands as this one did after an entry."""
    with cache.timed(tx, here.row) as timed:
        match = timed.match
        entries = match.log[: match.number_in_log(OPEN, number) if number else 0]
    if any(entry.kind in ("resign", "flag", "draw", "pause") for entry in entries):
        raise refused(Unreadable, "no-moment")
    new = _same_deal(tx, here, person, seat, bots, now)
    begun = load(tx, new, None, lock=True)
    assert begun is not None
    with cache.timed(tx, begun.row) as timed:
        for entry in entries:
            if entry.kind != "seat":
                timed.repeat(entry, now)
        timed.stored = 0
        write(tx, begun, timed, None, now)
    return new


def _same_deal(
    tx: Tx, here: FoundTable, person: Person, seat: Seat, bots: Sequence[str], now: int
) -> str:
    row = here.row
    options = TableOptions(house=here.options.house, hints=True)
    table = lifecycle.insert(
        tx,
        person,
        here.game,
        deck_of(tx, row),
        deck_texts.at_table(tx, row.id),
        options,
        row.salt or "",
        now,
    )
    names = []
    for number in range(len(here.seats)):
        is_own, bot = number == seat, bots[number]
        names.append(person.name if is_own else f"{bot} (bot)")
        user, plays = (person.id, None) if is_own else (None, bot)
        add_seat(tx, table, number, user, plays, names[-1], now)
    assert row.deal is not None
    assert row.salt is not None
    assert row.commitment is not None
    if row.chance is not None:  # of a match that is older than seals there is none
        change_table(tx, table, chance=row.chance)
    change_table(
        tx,
        table,
        state="playing",
        rules_version=row.rules_version,
        deal=row.deal,
        salt=row.salt,
        commitment=row.commitment,
        evaluator=here.game.evaluator,
        first_names=json.dumps(names),
        started_at=now,
        changed_at=now,
    )
    return table
