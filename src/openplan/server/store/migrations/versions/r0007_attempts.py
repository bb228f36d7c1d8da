"""How often somebody tried to come in, for all processes together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "attempts",
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("minute", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("who", "minute"),
    )
    op.create_index("attempts_by_minute", "attempts", ["minute"], unique=False)
