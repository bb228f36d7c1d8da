"""What games share in reading a position that was set up by hand."""

from __future__ import annotations

from openplan.core.game import Illegal, Position


def unset(reason: str) -> Illegal:
    """The table cannot be set up so."""
    return Illegal("position", reason)


def text_of(position: Position, key: str, default: str = "") -> str:
    value = position.get(key, default)
    if not isinstance(value, str):
        raise unset(f"{key!r} must be one text")
    return value.strip()
