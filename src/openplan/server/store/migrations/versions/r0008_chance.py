"""Chance that seats add to the deal, and the seal of what the server brings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("tables", sa.Column("chance", sa.Text(), nullable=True))
    op.add_column("seats", sa.Column("chance", sa.Text(), nullable=True))
    op.create_index("tables_by_commitment", "tables", ["commitment"], unique=False)
