"""What people are told by letter of what happens at their tables. The words are in `letters`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from openplan.core.game import Seat
from openplan.server import letters
from openplan.server.place import Place
from openplan.server.store import Tx
from openplan.server.wishes import wishes_of

# What somebody may do without. The rest is about one's own seat and always told.
BY_WISH: Final = {
    "reminder": "reminder",
    "late": "reminder",
    "others-late": "reminder",
    "press": "message",
}


def tell(tx: Tx, user: str, kind: str, place: Place, now: int, **facts: Any) -> None:
    """A letter to somebody about a table, if it is wished for."""
    row = tx.one("SELECT wishes FROM users WHERE id = ? AND deleted_at IS NULL", user)
    if row is not None and (kind not in BY_WISH or getattr(wishes_of(row), BY_WISH[kind])):
        known = {"table": place.id, "title": place.game.title, **facts}
        letters.post(tx, user, kind, known, now)


def tell_seats(
    tx: Tx, place: Place, seats: Iterable[int | Seat], kind: str, now: int, **facts: str
) -> None:
    """A letter to the people in these seats; the same person is told once."""
    users = {place.seats[seat].user_id: None for seat in seats if place.seats[seat].bot is None}
    for user in users:
        if user is not None:
            tell(tx, user, kind, place, now, **facts)
