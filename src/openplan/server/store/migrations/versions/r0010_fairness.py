"""Who may lead a table, how much a match counts, and names that are to be forgotten."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "earlier_names",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("user_id", "name"),
    )
    op.create_table(
        "marks",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("user_id", "mark"),
    )
    op.create_index("marks_by_mark", "marks", ["mark"])
    op.create_table(
        "table_looks",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("table_id", "user_id"),
    )
    op.create_index("table_looks_by_user", "table_looks", ["user_id"])
    op.add_column("tables", sa.Column("next_master_id", sa.Text(), nullable=True))
    op.add_column(
        "tables", sa.Column("next_master_by", sa.Text(), server_default="[]", nullable=False)
    )
    op.add_column(
        "results", sa.Column("percent", sa.Integer(), server_default="100", nullable=False)
    )
    op.add_column("results", sa.Column("lessened", sa.Text(), server_default="", nullable=False))
