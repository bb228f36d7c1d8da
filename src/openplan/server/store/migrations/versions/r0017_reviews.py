"""Looking back: reviews of finished matches, and which judge a match began with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("tables", sa.Column("evaluator", sa.Text(), nullable=True))
    op.create_table(
        "reviews",
        sa.Column(
            "table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True, nullable=False
        ),
        sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id"), nullable=True),
        sa.Column("evaluator", sa.Text(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("judged", sa.Integer(), server_default="0", nullable=False),
        sa.Column("entries", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("posted_to", sa.Text(), server_default="[]", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("reviews_by_user", "reviews", ["user_id"])
    op.create_table(
        "review_seats",
        sa.Column(
            "table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True, nullable=False
        ),
        sa.Column("seat", sa.Integer(), primary_key=True, autoincrement=False, nullable=False),
        sa.Column("luck", sa.Double(), nullable=False),
        sa.Column("margin", sa.Integer(), nullable=False),
        sa.Column("adjusted", sa.Double(), nullable=False),
    )
    op.create_table(
        "review_mistakes",
        sa.Column(
            "table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True, nullable=False
        ),
        sa.Column("entry", sa.Integer(), primary_key=True, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Double(), nullable=False),
    )
