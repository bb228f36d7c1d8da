"""Decks by content: each once, however many tables play with it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "deck_texts",
        sa.Column("id", sa.Text(), primary_key=True, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("deck_texts_by_use", "deck_texts", ["used_at"])
    deck = sa.Column("deck_id", sa.Text(), sa.ForeignKey("deck_texts.id"), nullable=True)
    op.add_column("tables", deck, inline_references=True)
    op.create_index("tables_by_deck", "tables", ["deck_id"])
