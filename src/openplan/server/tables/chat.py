"""What is said at a table: chat among the seats and among spectators, and private notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from openplan.core.game import Illegal
from openplan.server.people.accounts import Person
from openplan.server.people.names import name_among
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import ChatRow, columns
from openplan.server.tables.access import FoundTable, find
from openplan.server.texts import readable

MAX_CHAT: Final = 500
MAX_NOTES: Final = 20_000
CHAT_SHOWN: Final = 200


def say(tx: Tx, person: Person, table: str, text: str, now: int) -> None:
    """A line of chat: seats speak to the table, spectators among themselves."""
    here = find(tx, table, person, lock=True)
    if here.own and here.row.state == "playing" and not may_talk(here):
        raise refused(Illegal, "press", "no-press")
    text = readable(text.strip(), MAX_CHAT, breaks="")
    room = "seats" if here.own else "watchers"
    (last,) = tx.rows(
        int,
        "SELECT COALESCE(MAX(number), 0) FROM chat WHERE table_id = ? AND room = ?",
        table,
        room,
    )
    tx.execute(
        "INSERT INTO chat (table_id, room, number, user_id, seat, name, text, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        table,
        room,
        last + 1,
        person.id,
        here.seat,
        _name(here, person),
        text,
        now,
    )
    tx.signal("table", table)


def _name(here: FoundTable, person: Person) -> str:
    """Who speaks: a seat by its name here, others by their own, unless that is taken for the name
    of a seat or of the game master."""
    if here.own:
        return here.seats[here.seat].name if here.seat is not None else person.name
    if here.row.master_id == person.id:
        return person.name
    return name_among(person.name, [*(row.name for row in here.seats), here.row.master or ""])


def may_talk(here: FoundTable) -> bool:
    """Whether seats may say anything to each other while they play."""
    return here.options.press.rule != "none"


def heard(tx: Tx, here: FoundTable, after: Mapping[str, int] | None = None) -> list[ChatRow]:
    """The last lines this viewer hears, after those numbers: none of whom they have muted. While it
    is played, seats hear no spectators: they may know better."""
    hears_all = here.is_spectator or here.row.state == "over"
    after = after or {}
    if after.get("seats", 0) == here.row.said_by_seats and (
        not hears_all or after.get("watchers", 0) == here.row.said_by_watchers
    ):
        return []
    rows = tx.rows(
        ChatRow,
        f"SELECT {columns(ChatRow)} FROM chat WHERE table_id = ?"  # noqa: S608 - of constants
        " AND (room = 'seats' AND number > ? OR room = ? AND number > ?)"
        " AND (user_id IS NULL OR user_id NOT IN"
        " (SELECT other_id FROM shunned WHERE user_id = ?))"
        " ORDER BY at DESC, room DESC, number DESC LIMIT ?",
        here.id,
        after.get("seats", 0),
        "watchers" if hears_all else "",
        after.get("watchers", 0),
        here.user or "",
        CHAT_SHOWN,
    )
    return rows[::-1]


def notes(tx: Tx, person: Person, table: str) -> str:
    here = find(tx, table, person)
    select = "SELECT text FROM notes WHERE table_id = ? AND user_id = ?"
    return tx.row(str, select, here.id, person.id) or ""


def write_notes(tx: Tx, person: Person, table: str, text: str, now: int) -> None:
    """Private notes: nobody else is ever shown them."""
    here = find(tx, table, person)
    text = readable(text, MAX_NOTES, breaks="\n\t", needed=False)
    tx.execute(
        "INSERT INTO notes (table_id, user_id, text, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO UPDATE SET text = excluded.text, at = excluded.at",
        here.id,
        person.id,
        text,
        now,
    )
