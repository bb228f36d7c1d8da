"""What belongs to a person: name, zone, language, wishes; all of it to take away."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final
from zoneinfo import available_timezones

import msgspec

from openplan.core.game import Unreadable
from openplan.core.sentences import LANGUAGES
from openplan.server.errors import Missing
from openplan.server.notify.mail_preferences import unsubscriber
from openplan.server.notify.wishes import (
    Wishes,
    WishesChange,
    set_table_wishes,
    table_wishes,
    wishes_of,
)
from openplan.server.people.accounts import Person, UserColumns, change_user, note_name
from openplan.server.people.belongings import rename_where_waiting
from openplan.server.people.names import chosen_name
from openplan.server.people.sign_in import accounts_row
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import USER, UserRow


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
        wishes_of(row.wishes),
        row.mail_trouble,
    )


def change(
    tx: Tx,
    person: Person,
    *,
    name: str | None,
    zone: str | None,
    language: str | None,
    wishes: WishesChange | None,
) -> Me:
    """What is given; the rest stays."""
    given: UserColumns = {}
    if name is not None:
        given["name"] = chosen_name(name)
        note_name(tx, person.id, person.name)
        rename_where_waiting(tx, person.id, person.name, given["name"])
    if zone is not None:
        given["zone"] = checked_zone(zone)
    if language is not None:
        given["language"] = _checked_language(language)
    if wishes is not None:
        known = wishes_of(accounts_row(tx, person.id).wishes)
        given["wishes"] = msgspec.json.encode(wishes.applied(known)).decode()
    if given:
        change_user(tx, person.id, **given)
    return me(tx, person)


def take_from_browser(tx: Tx, person: Person, zone: str, language: str) -> None:
    """For who has chosen neither: the zone and the language of the browser, as far as they are
    known here."""
    row = accounts_row(tx, person.id)
    given: UserColumns = {}
    if row.zone == "UTC" and zone in _zones():
        given["zone"] = zone
    short = language[:2].lower()
    if row.language == LANGUAGES[0] and short in LANGUAGES:
        given["language"] = short
    if given:
        change_user(tx, person.id, **given)


def unsubscribe(tx: Tx, secret: bytes, token: str) -> None:
    """No more letters about games. Those about the account itself still go."""
    user = unsubscriber(secret, token)
    row = None if user is None else tx.row(UserRow, USER, user)
    if row is None:
        raise Missing
    silent = msgspec.structs.replace(wishes_of(row.wishes), mail="never")
    change_user(tx, row.id, wishes=msgspec.json.encode(silent).decode())
    # Also where somebody wanted letters of one table.
    for table in tx.rows(str, "SELECT table_id FROM table_wishes WHERE user_id = ?", row.id):
        here = msgspec.structs.replace(table_wishes(tx, row.id, table), mail=None)
        set_table_wishes(tx, row.id, table, here)


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
    "names": "SELECT name FROM earlier_names WHERE user_id = ? ORDER BY name",
    "marks": "SELECT mark, at FROM marks WHERE user_id = ? ORDER BY at",
    "looks": "SELECT table_id, at FROM table_looks WHERE user_id = ? ORDER BY at",
    "links": "SELECT kind, email, created_at, expires_at, used_at FROM tickets WHERE user_id = ?"
    " ORDER BY created_at",
    "tables": "SELECT id, game, deck_name, state, created_at FROM tables WHERE owner_id = ?"
    " ORDER BY created_at",
    "seats": "SELECT seats.table_id, tables.game, tables.state, seats.seat, seats.name,"
    " seats.joined_at, tables.started_at, tables.ended_at FROM seats"
    " JOIN tables ON tables.id = seats.table_id WHERE seats.user_id = ? ORDER BY seats.joined_at",
    "moves": "SELECT entries.table_id, entries.kind, entries.text, entries.at, entries.ply"
    " FROM entries"
    " JOIN seats ON seats.table_id = entries.table_id AND seats.seat = entries.seat"
    " WHERE seats.user_id = ? ORDER BY entries.table_id, entries.ply",
    "submissions": "SELECT table_id, name, at FROM submissions WHERE user_id = ?"
    " ORDER BY table_id, at",
    "chat": "SELECT table_id, room, text, at FROM chat WHERE user_id = ? ORDER BY table_id, at",
    "notes": "SELECT table_id, text, at FROM notes WHERE user_id = ? ORDER BY table_id",
    "drafts": "SELECT place, text, at FROM drafts WHERE user_id = ? ORDER BY place",
    "seen": "SELECT place, entry, turn FROM seen WHERE user_id = ? ORDER BY place",
    "decks": "SELECT game, title, shared, text, created_at, changed_at FROM decks"
    " WHERE user_id = ? ORDER BY created_at",
    "deck_versions": "SELECT deck_id, number, text, at FROM deck_versions"
    " WHERE user_id = ? ORDER BY deck_id, number",
    "deck_trials": "SELECT deck_id, state, games, played, result, at FROM deck_trials"
    " WHERE user_id = ? ORDER BY deck_id",
    "reviews": "SELECT table_id, state, at FROM reviews WHERE user_id = ? ORDER BY at",
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
    "told_of_tables": "SELECT table_id, wishes FROM table_wishes WHERE user_id = ?"
    " ORDER BY table_id",
    "at_tables": "SELECT table_id, until_at FROM presence WHERE user_id = ? ORDER BY table_id",
    "pushes": "SELECT endpoint, agent, created_at FROM pushes WHERE user_id = ?"
    " ORDER BY created_at",
    "hooks": "SELECT table_id, kind, address, trouble, created_at FROM hooks WHERE user_id = ?"
    " ORDER BY created_at",
    "reports": "SELECT about_id, table_id, text, at FROM reports WHERE user_id = ? ORDER BY id",
}


def export(tx: Tx, person: Person) -> dict[str, list[dict[str, Any]]]:
    """All that is kept of a person. Times are microseconds since 1970."""
    found = {name: tx.rows(dict, select, person.id) for name, select in EXPORTED.items()}
    return found | {"moves": _by_own_numbers(found["moves"])}


def _by_own_numbers(moves: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A take-back names one's own entry by its number among those that are exported: the log's own
    would count the sealed orders of others."""
    numbers: dict[str, list[int]] = {}
    own = []
    for move in moves:
        plies = numbers.setdefault(move["table_id"], [])
        plies.append(move["ply"])
        told = {name: value for name, value in move.items() if name != "ply"}
        if move["kind"] == "take-back":
            told["text"] = str(sum(ply <= int(move["text"]) for ply in plies))
        own.append({"number": len(plies), **told})
    return own
