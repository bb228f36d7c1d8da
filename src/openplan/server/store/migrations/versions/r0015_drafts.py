"""Moves half made, kept until they are made; and under what name each letter was written."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "drafts",
        sa.Column(
            "user_id", sa.Text(), sa.ForeignKey("users.id"), primary_key=True, nullable=False
        ),
        sa.Column("place", sa.Text(), primary_key=True, nullable=False),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("drafts_by_table", "drafts", ["table_id"])
    op.add_column("press", sa.Column("name", sa.Text(), server_default="", nullable=False))
