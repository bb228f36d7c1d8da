"""Writes the rows of tables and of their seats. Nobody else does, but for what belongs to a person
who goes (`people.belongings`)."""

from __future__ import annotations

from typing import TypedDict, Unpack

from openplan.server.store import Tx, Value


class SeatColumns(TypedDict, total=False):
    """What may change of a seat."""

    user_id: str | None
    bot: str | None
    name: str
    joined_at: int | None
    chance: str | None
    is_open: int
    reported_ply: int


class TableColumns(TypedDict, total=False):
    """What may change of a table."""

    state: str
    master_id: str | None
    master_invite: str | None
    next_master_id: str | None
    next_master_by: str
    rules_version: int
    deck_id: str
    deck_text: str
    deal: str
    salt: str
    commitment: str
    chance: str
    first_names: str
    offers: str
    result: str
    started_at: int
    ended_at: int
    changed_at: int
    evaluator: str


def add_table(tx: Tx, row: dict[str, Value]) -> None:
    names, marks = ", ".join(row), ", ".join("?" for _ in row)
    tx.execute(f"INSERT INTO tables ({names}) VALUES ({marks})", *row.values())  # noqa: S608


def change_table(tx: Tx, table: str, **columns: Unpack[TableColumns]) -> None:
    tx.change("tables", {"id": table}, columns)


def add_seat(
    tx: Tx, table: str, number: int, user: str | None, bot: str | None, name: str, at: int | None
) -> None:
    tx.execute(
        "INSERT INTO seats (table_id, seat, user_id, bot, name, joined_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        table,
        number,
        user,
        bot,
        name,
        at,
    )


def change_seat(tx: Tx, table: str, seat: int, **columns: Unpack[SeatColumns]) -> None:
    tx.change("seats", {"table_id": table, "seat": seat}, columns)


def note_first_players(tx: Tx, table: str) -> None:
    """The match begins: who sits where now."""
    tx.execute("UPDATE seats SET first_user_id = user_id WHERE table_id = ?", table)
