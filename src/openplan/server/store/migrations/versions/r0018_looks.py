"""From which browsers a table was looked at; what waits for a table is found by the table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "device_looks",
        sa.Column(
            "table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True, nullable=False
        ),
        sa.Column("mark", sa.Text(), primary_key=True, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
    )
    op.create_index("outbox_by_ident", "outbox", ["ident", "kind"])
