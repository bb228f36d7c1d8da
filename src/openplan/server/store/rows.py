"""Rows with types: what a query gives, told to the type checker, and compared with the schema by a
test. A query names its columns by `columns`, so that both stay the same."""

from __future__ import annotations

import msgspec

from openplan.core.game import Seat


class TableRow(msgspec.Struct, frozen=True, gc=False):
    """Of `tables`, all but the deck's text, which is long and only wanted when its match comes into
    memory, and what is over; how it is played is in `options`."""

    id: str
    game: str
    rules_version: int
    deck_name: str
    deck_hash: str
    options: str | None
    state: str
    owner_id: str | None
    invite: str | None
    deal: str | None
    salt: str | None
    commitment: str | None
    chance: str | None
    first_names: str | None
    offers: str
    rematch_of: str | None
    started_at: int | None
    master_id: str | None
    master_invite: str | None
    next_master_id: str | None
    next_master_by: str


class FurnishedTable(TableRow, frozen=True, gc=False):
    """And what there is beside the match, so that nobody need look for what most tables do not
    have."""

    outages: int
    master: str | None
    next_master: str | None
    has_standbys: bool
    has_press: bool
    has_audit: bool
    said_by_seats: int
    said_by_watchers: int


class LoadedTable(FurnishedTable, frozen=True, gc=False):
    """And how long the log is."""

    ply: int


class ListedTable(msgspec.Struct, frozen=True, gc=False):
    """Of `tables`, for a list."""

    id: str
    game: str
    state: str
    options: str | None
    deck_name: str
    created_at: int
    empty: int
    """Seats that are still to be taken."""


class SeatRow(msgspec.Struct, frozen=True, gc=False):
    table_id: str
    seat: Seat
    user_id: str | None
    bot: str | None
    name: str
    joined_at: int | None
    chance: str | None
    first_user_id: str | None
    is_open: int
    reported_ply: int


class UserRow(msgspec.Struct, frozen=True, gc=False):
    id: str
    kind: str
    name: str
    login: str | None
    email: str | None
    password: str | None
    created_at: int
    deleted_at: int | None
    new_email: str | None
    zone: str
    language: str
    wishes: str
    mail_trouble: str | None
    calendar: str | None


class SessionRow(msgspec.Struct, frozen=True, gc=False):
    id: str
    created_at: int
    seen_at: int
    expires_at: int
    agent: str


class TurnRow(msgspec.Struct, frozen=True, gc=False):
    table_id: str
    ply: int
    base_at: int
    due_at: int
    act_at: int
    stage: int
    tried: str
    waits: str
    reminded: str
    late: str
    readiness: str
    moved_at: int | None


class JobRow(msgspec.Struct, frozen=True, gc=False):
    """Of `outbox`."""

    id: int
    kind: str
    ident: str
    payload: str
    tries: int


class EntryRow(msgspec.Struct, frozen=True, gc=False):
    """Of `entries`, without where it stands."""

    kind: str
    seat: Seat | None
    text: str
    facts: str
    at: int


class ChatRow(msgspec.Struct, frozen=True, gc=False):
    room: str
    number: int
    user_id: str | None
    seat: Seat | None
    name: str
    text: str
    at: int


class PressRow(msgspec.Struct, frozen=True, gc=False):
    id: str
    user_id: str | None
    seat: Seat | None
    is_grey: int
    addressees: str
    text: str
    turn: int
    is_held: int
    at: int
    name: str


class SentLetterRow(msgspec.Struct, frozen=True, gc=False):
    name: str
    reader: str
    at: int
    kind: str
    subject: str
    table_id: str | None
    trouble: str | None
    read_at: int | None


OF: dict[type[msgspec.Struct], str] = {
    TableRow: "tables",
    SeatRow: "seats",
    UserRow: "users",
    SessionRow: "sessions",
    TurnRow: "turns",
    JobRow: "outbox",
    EntryRow: "entries",
    ChatRow: "chat",
    PressRow: "press",
    SentLetterRow: "sent_letters",
}
"""The table of the schema that each is of."""


def columns(kind: type[msgspec.Struct], *, of: str = "") -> str:
    """For a SELECT, which may need the name of the table they are of."""
    return ", ".join(f"{of}.{name}" if of else name for name in kind.__struct_fields__)


USER = f"SELECT {columns(UserRow)} FROM users WHERE id = ? AND deleted_at IS NULL"  # noqa: S608
"""Somebody who has an account, by id."""
