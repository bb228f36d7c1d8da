"""What became of letters, and the operator's sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    for name in ("kind", "subject"):
        op.add_column("sent_letters", sa.Column(name, sa.Text(), server_default="", nullable=False))
    for name in ("table_id", "trouble"):
        op.add_column("sent_letters", sa.Column(name, sa.Text(), nullable=True))
    op.add_column("sent_letters", sa.Column("read_at", sa.BigInteger(), nullable=True))
    op.create_table(
        "operator_sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
