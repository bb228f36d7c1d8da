"""People: mail addresses, wishes, ratings, who does not want to hear whom."""

from __future__ import annotations

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Filled by what needs it."""
