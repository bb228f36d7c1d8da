"""What belongs to a person: name, zone, language, wishes; all of it to take away, or to erase."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final
from zoneinfo import available_timezones

import msgspec

from openplan.core.game import GameError, Unreadable
from openplan.core.names import checked_name
from openplan.server.notify import letters
from openplan.server.notify.mail_preferences import Wishes, wishes_of
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.people.sign_in import accounts_row
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import lifecycle, moves, overdue
from openplan.server.tables.access import load
from openplan.server.tables.match_cache import MatchCache

FORMER: Final = "former member"
"""What stands where the name of somebody stood who is gone."""
REMOVED: Final = "(removed)"


class Me(msgspec.Struct):
    id: str
    name: str
    kind: str
    """guest or member"""
    login: str | None
    email: str | None
    new_email: str | None
    """An address that waits to be confirmed by the letter sent to it."""
    has_password: bool
    zone: str
    language: str
    wishes: Wishes
    mail_trouble: str | None
    """Why letters do not arrive, as far as is known."""


def me(tx: Tx, person: Person) -> Me:
    row = accounts_row(tx, person.id)
    return Me(
        row.id,
        row.name,
        row.kind,
        row.login,
        row.email,
        row.new_email,
        row.password is not None,
        row.zone,
        row.language,
        wishes_of(row),
        row.mail_trouble,
    )


def change(
    tx: Tx,
    person: Person,
    *,
    name: str | None,
    zone: str | None,
    language: str | None,
    wishes: Wishes | None,
) -> Me:
    """What is given; the rest stays."""
    given: dict[str, str] = {}
    if name is not None:
        given["name"] = checked_name(name)
    if zone is not None:
        given["zone"] = checked_zone(zone)
    if language is not None:
        given["language"] = _checked_language(language)
    if wishes is not None:
        given["wishes"] = msgspec.json.encode(wishes).decode()
    for column, value in given.items():
        tx.execute(f"UPDATE users SET {column} = ? WHERE id = ?", value, person.id)  # noqa: S608 - one of four
    return me(tx, person)


def checked_zone(zone: str) -> str:
    """A time zone by its name. Looked up in the list, never as a path."""
    if zone not in _zones():
        raise refused(Unreadable, "zone")
    return zone


def zone_named(zone: str) -> str:
    """The time zone whose name this is in any case."""
    found = [name for name in _zones() if name.lower() == zone.lower()]
    return checked_zone(found[0] if found else zone)


@lru_cache(maxsize=1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones()) | {"UTC"}


def _checked_language(language: str) -> str:
    parts = language.split("-")
    if not (
        language.isascii() and 2 <= len(parts[0]) <= 3 and parts[0].isalpha() and len(parts) <= 3
    ) or not all(part.isalnum() and len(part) <= 8 for part in parts):
        raise refused(Unreadable, "language")
    return language


# -- Taking everything away ------------------------------------------------------------------

# Each asks for what is one person's own, and for nothing of anybody else's.
EXPORTED: Final = {
    "account": "SELECT id, kind, name, login, email, new_email, mail_trouble, zone, language,"
    " wishes, created_at FROM users WHERE id = ?",
    "sessions": "SELECT created_at, seen_at, expires_at, agent FROM sessions WHERE user_id = ?"
    " ORDER BY created_at",
    "links": "SELECT kind, email, created_at, expires_at, used_at FROM tickets WHERE user_id = ?"
    " ORDER BY created_at",
    "tables": "SELECT id, game, deck_name, state, created_at FROM tables WHERE owner_id = ?"
    " ORDER BY created_at",
    "seats": "SELECT seats.table_id, tables.game, tables.state, seats.seat, seats.name,"
    " seats.joined_at, tables.started_at, tables.ended_at FROM seats"
    " JOIN tables ON tables.id = seats.table_id WHERE seats.user_id = ? ORDER BY seats.joined_at",
    "moves": "SELECT entries.table_id, entries.kind, entries.text, entries.at FROM entries"
    " JOIN seats ON seats.table_id = entries.table_id AND seats.seat = entries.seat"
    " WHERE seats.user_id = ? ORDER BY entries.table_id, entries.ply",
    "submissions": "SELECT table_id, name, at FROM submissions WHERE user_id = ?"
    " ORDER BY table_id, at",
    "chat": "SELECT table_id, room, text, at FROM chat WHERE user_id = ? ORDER BY table_id, at",
    "notes": "SELECT table_id, text, at FROM notes WHERE user_id = ? ORDER BY table_id",
    "results": "SELECT table_id, game, place, is_rated, mu, sigma, at FROM results"
    " WHERE user_id = ? ORDER BY id",
    "ratings": "SELECT game, mu, sigma, matches FROM ratings WHERE user_id = ? ORDER BY game",
    "reliability": "SELECT table_id, on_time, reminded, late, abandoned, at FROM reliability"
    " WHERE user_id = ? ORDER BY table_id",
    "absences": "SELECT table_id, from_at, until_at, created_at FROM absences WHERE user_id = ?"
    " ORDER BY from_at",
    "standbys": "SELECT table_id, created_at FROM standbys WHERE user_id = ? ORDER BY created_at",
    "letters": "SELECT sent_letters.kind, subject, table_id, trouble, at FROM sent_letters"
    " JOIN users ON users.id = reader OR users.email = reader WHERE users.id = ? ORDER BY at",
    "watched": "SELECT table_id, created_at FROM watchers WHERE user_id = ? ORDER BY created_at",
    "press": "SELECT table_id, addressees, is_grey, text, at FROM press WHERE user_id = ?"
    " ORDER BY table_id, at",
    "shunned": "SELECT other_id, kind, at FROM shunned WHERE user_id = ? ORDER BY at",
    "reports": "SELECT about_id, table_id, text, at FROM reports WHERE user_id = ? ORDER BY id",
}


def export(tx: Tx, person: Person) -> dict[str, list[dict[str, Any]]]:
    """All that is kept of a person. Times are microseconds since 1970."""
    return {
        name: [dict(zip(row._fields, row, strict=True)) for row in tx.execute(select, person.id)]
        for name, select in EXPORTED.items()
    }


# -- Going away ------------------------------------------------------------------------------

ERASED: Final = (
    "DELETE FROM notes WHERE user_id = ?",
    "DELETE FROM submissions WHERE user_id = ?",
    "DELETE FROM tickets WHERE user_id = ?",
    "DELETE FROM shunned WHERE user_id = ?",
    "DELETE FROM shunned WHERE other_id = ?",
    "DELETE FROM reliability WHERE user_id = ?",
    "DELETE FROM absences WHERE user_id = ?",
    "DELETE FROM standbys WHERE user_id = ?",
    "DELETE FROM watchers WHERE user_id = ?",
    "UPDATE tables SET master_id = NULL WHERE master_id = ?",
    "UPDATE seats SET acting_id = NULL WHERE acting_id = ?",
)


def erase(tx: Tx, cache: MatchCache, person: Person, now: int) -> None:
    """The account goes with all that is personal. Seats that wait are free again, tables that wait
    are called off, matches that run are resigned; what was played stays, by a former member."""
    row = accounts_row(tx, person.id)
    for seat in tx.execute(
        "SELECT DISTINCT table_id FROM seats WHERE user_id = ? ORDER BY table_id", person.id
    ):
        _leave_table(tx, cache, person, seat.table_id, now)
    for table in tx.execute(
        "SELECT id FROM tables WHERE owner_id = ? AND state = 'waiting' ORDER BY id", person.id
    ):
        lifecycle.abort(tx, cache, person, table.id, now)
    _forget_names(tx, person)
    for statement in ERASED:
        tx.execute(statement, person.id)
    accounts.end_sessions(tx, person.id)
    letters.take_back(tx, person.id, row.email or "", row.new_email or "")
    for name in (person.id, row.email or "", row.new_email or ""):
        tx.execute("DELETE FROM mails WHERE person = ?", name)
        tx.execute("DELETE FROM sent_letters WHERE reader = ?", name)
        tx.execute("DELETE FROM invitations WHERE email = ?", name)
    tx.execute(
        "UPDATE users SET name = ?, login = NULL, email = NULL, new_email = NULL, password = NULL,"
        " mail_trouble = NULL, zone = 'UTC', language = 'en', wishes = '{}', deleted_at = ?"
        " WHERE id = ?",
        FORMER,
        now,
        person.id,
    )


def _leave_table(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """One by one, where it is several seats at one device."""
    place = load(tx, table, person.id, lock=True)
    assert place is not None
    for seat in (seat for seat in place.own if place.seats[seat].user_id == person.id):
        seated = replace(person, seat=place.game.seats[seat])
        if place.row.state == "waiting":
            lifecycle.leave(tx, seated, table)
        elif place.row.state == "playing":
            overdue.expire(tx, cache, table, now)  # what was due before comes before
            with suppress(GameError):  # it is over by now, or has been resigned before
                moves.resign(tx, cache, seated, table, now)


def _forget_names(tx: Tx, person: Person) -> None:
    """The name goes out of every match, which is then read anew wherever it is in memory."""
    seats = tx.execute(
        "SELECT table_id, seat, user_id, first_user_id FROM seats"
        " WHERE user_id = ? OR first_user_id = ? ORDER BY table_id",
        person.id,
        person.id,
    )
    for seat in seats:
        table = tx.one("SELECT first_names FROM tables WHERE id = ?", seat.table_id)
        assert table is not None
        if table.first_names is not None and (seat.first_user_id or seat.user_id) == person.id:
            names = json.loads(table.first_names)
            names[seat.seat] = FORMER
            tx.execute(
                "UPDATE tables SET first_names = ? WHERE id = ?", json.dumps(names), seat.table_id
            )
        tx.execute(
            "UPDATE entries SET text = ? WHERE table_id = ? AND kind = 'seat' AND text = ?",
            FORMER,
            seat.table_id,
            person.name,
        )
        tx.execute(
            "UPDATE seats SET name = ? WHERE table_id = ? AND seat = ? AND user_id = ?",
            FORMER,
            seat.table_id,
            seat.seat,
            person.id,
        )
        tx.notify("names", seat.table_id)
        tx.notify("table", seat.table_id)
    tx.execute("UPDATE chat SET name = ?, text = ? WHERE user_id = ?", FORMER, REMOVED, person.id)
    tx.execute("UPDATE press SET text = ? WHERE user_id = ?", REMOVED, person.id)
