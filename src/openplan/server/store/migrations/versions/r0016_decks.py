"""Decks that people make: their own, with versions; and what bots found out about one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "decks",
        sa.Column("id", sa.Text(), primary_key=True, nullable=False),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("maker_id", sa.Text(), sa.ForeignKey("users.id"), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("shared", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("edit", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("decks_by_user", "decks", ["user_id"])
    op.create_index("decks_by_maker", "decks", ["maker_id"])
    op.create_index("decks_by_sharing", "decks", ["shared", "changed_at"])
    op.create_table(
        "deck_versions",
        sa.Column(
            "deck_id", sa.Text(), sa.ForeignKey("decks.id"), primary_key=True, nullable=False
        ),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("deck_versions_by_user", "deck_versions", ["user_id", "at"])
    op.create_table(
        "deck_trials",
        sa.Column(
            "deck_id", sa.Text(), sa.ForeignKey("decks.id"), primary_key=True, nullable=False
        ),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), server_default="0", nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("deck_trials_by_user", "deck_trials", ["user_id"])
