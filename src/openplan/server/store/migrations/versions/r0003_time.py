"""Time and duty: schedules, absence, the game master, press."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _text(name: str, default: str | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default=default, nullable=False)


def _maybe(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=True)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), server_default="0", nullable=False)


def _time(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=False)


def upgrade() -> None:
    op.add_column("tables", _text("absence", "{}"))
    op.add_column("tables", _text("press", "{}"))
    op.add_column("tables", _maybe("master_id"))
    op.add_column("tables", _maybe("master_invite"))
    op.add_column("seats", _maybe("acting_id"))
    op.add_column("seats", _count("is_open"))
    op.create_table(
        "turns",
        _text("table_id"),
        sa.Column("ply", sa.Integer(), autoincrement=False, nullable=False),
        _time("base_at"),
        _time("due_at"),
        _time("act_at"),
        _count("stage"),
        _text("tried", ""),
        _text("waits", "[]"),
        _text("reminded", "[]"),
        _text("late", "[]"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("table_id", "ply"),
    )
    op.create_table(
        "absences",
        _text("id"),
        _text("user_id"),
        _maybe("table_id"),
        _time("from_at"),
        _time("until_at"),
        _time("created_at"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("absences_by_user", "absences", ["user_id"], unique=False)
    op.create_table(
        "standbys",
        _text("table_id"),
        _text("user_id"),
        _time("created_at"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("table_id", "user_id"),
    )
    op.create_table(
        "outages",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        _time("from_at"),
        _time("to_at"),
        _maybe("table_id"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        _time("at"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "press",
        _text("id"),
        _text("table_id"),
        _maybe("user_id"),
        sa.Column("seat", sa.Integer(), nullable=True),
        _count("is_grey"),
        _text("addressees", "[]"),
        _text("text"),
        sa.Column("turn", sa.Integer(), nullable=False),
        _count("is_held"),
        _time("at"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("press_by_table", "press", ["table_id", "at"], unique=False)
