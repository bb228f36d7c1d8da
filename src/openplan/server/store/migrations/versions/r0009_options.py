"""How a table is played, as one text. Older tables keep it in columns of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("tables", sa.Column("options", sa.Text(), nullable=True))
