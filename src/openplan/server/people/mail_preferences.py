"""What people want to be told of by mail."""

from __future__ import annotations

import json

import msgspec

from openplan.server.store import Row
from openplan.server.store.rows import UserRow


class Wishes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one wants to be told of by mail."""

    turn: bool = True
    """It is my turn, or a new phase has begun."""
    reminder: bool = True
    """My time is running out."""
    end: bool = True
    """A match of mine is over."""
    message: bool = False
    """Somebody has written to me."""


def wishes_of(row: UserRow | Row) -> Wishes:
    """Of a row of users; what an older or newer program wrote there is left out."""
    known = {name: bool(value) for name, value in json.loads(row.wishes).items()}
    return Wishes(**{name: known[name] for name in Wishes.__struct_fields__ if name in known})
