"""How far each mailbox was read, and mail that was not answered with the reason."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "mailboxes",
        sa.Column("name", sa.Text(), primary_key=True, nullable=False),
        sa.Column("validity", sa.BigInteger(), nullable=True),
        sa.Column("uid", sa.BigInteger(), nullable=True),
        sa.Column("read_at", sa.BigInteger(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("trouble_at", sa.BigInteger(), nullable=True),
    )
    op.create_table(
        "ignored_mails",
        sa.Column("id", _NUMBER, primary_key=True, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ignored_mails_by_time", "ignored_mails", ["at"])
