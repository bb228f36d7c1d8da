"""Play by mail."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "mail_tables",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table_id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "invitations",
        sa.Column("id", number, autoincrement=True, nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mails",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("vain", sa.Text(), server_default="", nullable=False),
        sa.Column("is_answered", sa.Integer(), server_default="0", nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person", "name"),
    )
    op.create_index("mails_by_time", "mails", ["at"], unique=False)
    op.create_table(
        "sent_letters",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("reader", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_index("sent_letters_by_time", "sent_letters", ["at"], unique=False)
    op.create_table(
        "watchers",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"]),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"]),
        sa.PrimaryKeyConstraint("table_id", "user_id"),
    )
    op.add_column("users", sa.Column("mail_trouble", sa.Text(), nullable=True))
    op.add_column(
        "seats", sa.Column("reported_ply", sa.Integer(), server_default="0", nullable=False)
    )
