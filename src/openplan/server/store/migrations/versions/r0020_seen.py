"""How far somebody has seen a table, so that another device goes on from there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "seen",
        sa.Column(
            "user_id", sa.Text(), sa.ForeignKey("users.id"), primary_key=True, nullable=False
        ),
        sa.Column("place", sa.Text(), primary_key=True, nullable=False),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), nullable=False),
        sa.Column("entry", sa.Integer(), server_default="0", nullable=False),
        sa.Column("turn", sa.Integer(), server_default="0", nullable=False),
    )
    op.create_index("seen_by_table", "seen", ["table_id"])
