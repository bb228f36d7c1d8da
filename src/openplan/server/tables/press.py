"""Press: what the seats of a table write to each other, by the table's rule.

Signed or grey. Who wrote grey press is told to nobody but its author: not by a name, an id, a time,
its place among the others, or by whom it leaves out. Postal press is held back until the turn is
over and comes with its report. The game master can always be reached.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from openplan.core.game import Illegal, Unreadable
from openplan.server.errors import Forbidden
from openplan.server.people import blocks
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import PressRow, columns
from openplan.server.tables import notifications
from openplan.server.tables.access import FoundTable, find, find_begun
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.texts import readable

MAX_PRESS: Final = 4_000
SHOWN: Final = 300
ALL: Final = "all"
MASTER: Final = "master"


class PressLine(msgspec.Struct):
    """`by` is nothing for grey press; `to` is `all`, or else yourself, where it is grey."""

    turn: int
    by: str | None
    name: str
    to: list[str]
    text: str
    is_mine: bool
    is_held: bool
    at: int | None
    is_grey: bool = False
    """To its author it has a name all the same."""


def write(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    to: list[str],
    text: str,
    now: int,
    *,
    grey: bool = False,
) -> None:
    """To seats by their codes, to `all` or to the `master`; from a seat or from the master."""
    here = find(tx, table, person, lock=True)
    is_master = here.master == person.id and here.is_spectator
    if not (here.own or is_master):
        raise refused(Forbidden, "not-seated")
    here = find_begun(tx, table, person, lock=True)
    to = _addressees(here, to)
    text = readable(text.strip(), MAX_PRESS, breaks="\n\t")
    rule = here.options.press
    if not is_master and to != [MASTER]:
        if rule.rule == "none":
            raise refused(Illegal, "press", "no-press")
        if grey and rule.rule != "all":
            raise refused(Illegal, "press", "press-signed")
    if grey and (is_master or MASTER in to):
        raise refused(Illegal, "press", "press-master")
    seat = None if is_master else here.own_seat()
    with cache.timed(tx, here.row) as timed:
        turn = timed.stretch.number
        is_playing = here.row.state == "playing"
        held = rule.postal and is_playing and not is_master and to != [MASTER]
        name = "" if seat is None else timed.match.names[seat]
        _insert(tx, here, person.id, name, seat, grey, to, text, turn, held, now)
        if not held:
            _send(tx, here, timed, seat, grey, to, text, now)
    tx.signal("table", here.id)


def _addressees(here: FoundTable, to: list[str]) -> list[str]:
    known = (*here.game.seats, MASTER, ALL)
    if not to or any(code not in known for code in to):
        raise refused(Unreadable, "to", "press-to", known=", ".join(known))
    if ALL in to:
        return [ALL]
    return [code for code in known if code in to]


def _insert(
    tx: Tx,
    here: FoundTable,
    user: str,
    name: str,
    seat: int | None,
    grey: bool,
    to: list[str],
    text: str,
    turn: int,
    held: bool,
    now: int,
) -> None:
    tx.execute(
        "INSERT INTO press (id, table_id, user_id, seat, is_grey, addressees, text, turn, is_held,"
        " at, name) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        secrets.token_hex(16),
        here.id,
        user,
        seat,
        int(grey),
        json.dumps(to),
        text,
        turn,
        int(held),
        now if grey else _after_the_last(tx, here, now),
        name,
    )


def _after_the_last(tx: Tx, here: FoundTable, now: int) -> int:
    """Signed press has an order, even if two come at once."""
    last = tx.row(int, "SELECT MAX(at) FROM press WHERE table_id = ? AND is_grey = 0", here.id)
    return now if last is None else max(now, last + 1)


def release(tx: Tx, here: FoundTable) -> None:
    """A turn is over: what was held back goes out, with the turn's report."""
    if here.row.has_press:
        tx.execute("UPDATE press SET is_held = 0 WHERE table_id = ? AND is_held = 1", here.id)


def announce(
    tx: Tx, here: FoundTable, timed: TimedMatch | None, person: Person, text: str, now: int
) -> None:
    """From the game master to all, at once, whatever the rule is."""
    text = readable(text.strip(), MAX_PRESS, breaks="\n\t")
    turn = 0 if timed is None else timed.stretch.number
    _insert(tx, here, person.id, person.name, None, False, [ALL], text, turn, False, now)
    said: dict[str, Any] = {"by": None, "is_master": True, "to": [ALL], "text": text}
    notifications.tell_seats(tx, here, here.people(), "announcement", now, **said)
    for user in notifications.watchers(tx, here):
        notifications.tell(tx, user, "announcement", here, now, **said)
    tx.signal("table", here.id)


def _send(
    tx: Tx,
    here: FoundTable,
    timed: TimedMatch,
    seat: int | None,
    grey: bool,
    to: list[str],
    text: str,
    now: int,
) -> None:
    """Letters to those who are to read it. A grey one goes to its author too if it is for all: who
    gets none would be known for it."""
    codes = here.game.seats
    by = None if grey or seat is None else signature(codes[seat], timed.match.names[seat])
    is_master = seat is None and not grey
    said: dict[str, Any] = {"by": by, "is_master": False, "to": to, "text": text}
    for number, code in enumerate(codes):
        is_meant = ALL in to or code in to
        reader = here.seats[number].user_id
        author = None if seat is None or grey else here.seats[seat].user_id
        if reader is not None and author in blocks.silenced(tx, reader):
            continue
        if is_meant and (number != seat or grey):
            told = [ALL] if ALL in to else [code] if grey else to
            letter = {**said, "is_master": is_master, "to": told}
            notifications.tell_seats(tx, here, [number], "press", now, **letter)
    if MASTER in to and here.master is not None:
        notifications.tell(tx, here.master, "to-master", here, now, **said)


def signature(code: str, name: str) -> str:
    return code if name == code else f"{code} ({name})"


def read(tx: Tx, cache: MatchCache, here: FoundTable, user: str | None) -> list[PressLine]:
    if here.row.deal is None:
        return read_with(tx, here, user, [row.name for row in here.seats])
    with cache.timed(tx, here.row) as timed:
        return read_with(tx, here, user, timed.match.names)


def read_with(tx: Tx, here: FoundTable, user: str | None, names: Sequence[str]) -> list[PressLine]:
    """All press that this viewer may read: within a turn what is signed in the order of its
    writing, then the grey in an order that has nothing to do with it."""
    if not here.row.has_press:
        return []
    rows = tx.rows(
        PressRow,
        f"SELECT {columns(PressRow)} FROM press WHERE table_id = ?"  # noqa: S608 - of constants
        " ORDER BY turn DESC, is_grey DESC, at DESC, id LIMIT ?",
        here.id,
        SHOWN,
    )
    # Only for who sits here, and only what is signed: whose grey press is missing would be known.
    silenced = blocks.silenced(tx, user) if user is not None and here.own else frozenset()
    rows = [row for row in rows if row.is_grey or row.seat is None or row.user_id not in silenced]
    is_master = user is not None and here.master == user
    # A letter to somebody is not for who takes the seat after them.
    own = {here.game.seats[seat]: here.seats[seat].joined_at or 0 for seat in here.own}
    lines = [
        (row, line)
        for row in rows
        if (line := _line(here, row, user, own, names, is_master=is_master)) is not None
    ]

    return [line for _, line in sorted(lines, key=lambda pair: _order(pair[0]))]


def _order(row: PressRow) -> tuple[int, int, int, str]:
    """Signed press as it was written. Ids are chance, and so is the order of the grey."""
    return row.turn, row.is_grey, 0 if row.is_grey else row.at, row.id


def _line(
    here: FoundTable,
    row: PressRow,
    user: str | None,
    since: Mapping[str, int],
    names: Sequence[str],
    *,
    is_master: bool,
) -> PressLine | None:
    """`since` are the reader's seats, and from when on they are the reader's."""
    to = json.loads(row.addressees)
    own = [code for code, at in since.items() if row.at >= at]
    # Whoever has lost the seat is a spectator like any other.
    is_here = is_master if row.seat is None else row.seat in here.own
    is_mine = user is not None and row.user_id == user and is_here
    is_meant = ALL in to or any(code in to for code in own) or (MASTER in to and is_master)
    if not is_mine and (row.is_held or not is_meant):
        return None
    if row.is_grey and not is_mine:
        told = [ALL] if ALL in to else [code for code in own if code in to]
        return PressLine(row.turn, None, "", told, row.text, False, False, None, True)
    by = MASTER if row.seat is None else here.game.seats[row.seat]
    # Under the name of who wrote it, whoever has the seat by now.
    name = "" if row.seat is None else row.name or names[row.seat]
    return PressLine(
        row.turn,
        by,
        name,
        to,
        row.text,
        is_mine,
        bool(row.is_held),
        None if row.is_grey else row.at,
        bool(row.is_grey),
    )
