"""What people are told by letter of what happens at their tables. The words are in `mail`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from openplan.core.game import Seat
from openplan.server.notify import letters
from openplan.server.people.mail_preferences import wishes_of
from openplan.server.store import Tx
from openplan.server.tables.access import Place

# What somebody may do without. The rest is about one's own seat and always told.
BY_WISH: Final = {
    "reminder": "reminder",
    "late": "reminder",
    "master-reminder": "reminder",
    "master-late": "reminder",
    "others-late": "reminder",
    "moved": "reminder",
    "press": "message",
    "called-off": "end",
}


def tell(
    tx: Tx, user: str, kind: str, place: Place, now: int, *, seat: int | None = None, **facts: Any
) -> None:
    """A letter to somebody about a table, if it is wished for. It is written as the table stands
    now, with these facts, for this seat of theirs or for any."""
    row = tx.one("SELECT wishes FROM users WHERE id = ? AND deleted_at IS NULL", user)
    if row is None or (kind in BY_WISH and not getattr(wishes_of(row), BY_WISH[kind])):
        return
    (last,) = tx.execute(
        "SELECT COALESCE(MAX(ply), 0) AS ply FROM entries WHERE table_id = ?", place.id
    )
    known: dict[str, Any] = {"table": place.id, "ply": last.ply, "facts": facts}
    letters.post(tx, user, kind, known if seat is None else {**known, "seat": seat}, now)


def tell_seats(
    tx: Tx, place: Place, seats: Iterable[int | Seat], kind: str, now: int, **facts: Any
) -> None:
    """A letter to the people in these seats; the same person is told once."""
    users: dict[str | None, int] = {}
    for seat in seats:
        if place.seats[seat].bot is None:
            users.setdefault(place.seats[seat].user_id, int(seat))
    for user, seat in users.items():
        if user is not None:
            tell(tx, user, kind, place, now, seat=seat, **facts)


def judge_of(place: Place) -> str | None:
    """The game master who gets letters as such: one who does not play."""
    master: str | None = place.row.master_id
    return None if any(row.user_id == master for row in place.seats) else master


def tell_master(tx: Tx, place: Place, what: str, now: int, **facts: Any) -> None:
    """A note to the game master: somebody has dropped out, or gets no mail."""
    master = judge_of(place)
    if master is not None:
        tell(tx, master, "master-note", place, now, what=what, **facts)
