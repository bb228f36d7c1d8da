"""Time and duty: schedules, absence, the game master, press."""

from __future__ import annotations

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Filled by what needs it."""
