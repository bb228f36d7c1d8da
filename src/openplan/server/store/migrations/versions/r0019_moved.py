"""When the deadline of a turn was last moved."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.add_column("turns", sa.Column("moved_at", sa.BigInteger(), nullable=True))
