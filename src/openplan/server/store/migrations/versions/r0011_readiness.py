"""Who is ready in a turn, and whose last mail had lines that were refused."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.add_column("turns", sa.Column("readiness", sa.Text(), nullable=False, server_default="{}"))
