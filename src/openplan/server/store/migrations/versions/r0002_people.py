"""People: mail addresses, wishes, ratings, who does not want to hear whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("mu", sa.Double(), nullable=False),
        sa.Column("sigma", sa.Double(), nullable=False),
        sa.Column("matches", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("user_id", "game"),
    )
    op.create_index("ratings_by_game", "ratings", ["game", "mu"], unique=False)
    op.create_table(
        "reports",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("about_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["about_id"],
            ["users.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("reports_by_about", "reports", ["about_id"], unique=False)
    op.create_index("reports_by_user", "reports", ["user_id"], unique=False)
    op.create_table(
        "shunned",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("other_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["other_id"],
            ["users.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("user_id", "other_id"),
    )
    op.create_index("shunned_by_other", "shunned", ["other_id"], unique=False)
    op.create_table(
        "tickets",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tickets_by_email", "tickets", ["email", "created_at"], unique=False)
    op.create_index("tickets_by_user", "tickets", ["user_id"], unique=False)
    op.create_table(
        "reliability",
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("on_time", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reminded", sa.Integer(), server_default="0", nullable=False),
        sa.Column("late", sa.Integer(), server_default="0", nullable=False),
        sa.Column("abandoned", sa.Integer(), server_default="0", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("user_id", "table_id"),
    )
    op.create_table(
        "results",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=True),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("is_rated", sa.Integer(), server_default="0", nullable=False),
        sa.Column("mu", sa.Double(), nullable=True),
        sa.Column("sigma", sa.Double(), nullable=True),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table_id", "seat"),
    )
    op.create_index("results_by_user", "results", ["user_id", "id"], unique=False)
    op.add_column("seats", sa.Column("first_user_id", sa.Text(), nullable=True))
    op.add_column("sessions", sa.Column("agent", sa.Text(), server_default="", nullable=False))
    op.create_index("sessions_by_end", "sessions", ["expires_at"], unique=False)
    op.add_column("tables", sa.Column("entry", sa.Text(), server_default="{}", nullable=False))
    op.add_column("users", sa.Column("new_email", sa.Text(), nullable=True))
    op.add_column("users", sa.Column("zone", sa.Text(), server_default="UTC", nullable=False))
    op.add_column("users", sa.Column("language", sa.Text(), server_default="en", nullable=False))
    op.add_column("users", sa.Column("wishes", sa.Text(), server_default="{}", nullable=False))
