"""Being told: wishes for one table, browsers that take pushes, hooks, who is at a table, calendars
of deadlines and how often a deadline moved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("users", sa.Column("calendar", sa.Text(), nullable=True))
    op.add_column("turns", sa.Column("moves", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "table_wishes",
        sa.Column(
            "user_id", sa.Text(), sa.ForeignKey("users.id"), primary_key=True, nullable=False
        ),
        sa.Column(
            "table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True, nullable=False
        ),
        sa.Column("wishes", sa.Text(), server_default="{}", nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column(
            "user_id", sa.Text(), sa.ForeignKey("users.id"), primary_key=True, nullable=False
        ),
        sa.Column(
            "table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True, nullable=False
        ),
        sa.Column("until_at", sa.BigInteger(), nullable=False),
    )
    op.create_table(
        "pushes",
        sa.Column("id", sa.Text(), primary_key=True, nullable=False),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("auth", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("pushes_by_user", "pushes", ["user_id"])
    op.create_table(
        "hooks",
        sa.Column("id", sa.Text(), primary_key=True, nullable=False),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id"), nullable=False),
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), server_default="", nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("hooks_by_user", "hooks", ["user_id"])
    op.create_index("hooks_by_table", "hooks", ["table_id"])
