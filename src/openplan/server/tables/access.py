"""A table as one person finds it: who may know of it, where they sit, how far the match is."""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openplan.core.game import AnyGame, Illegal, Over, Seat, Unreadable
from openplan.core.registry import game_named
from openplan.server.errors import Forbidden, Missing
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import LoadedTable, SeatRow, TableRow, columns
from openplan.server.tables.options import TableOptions, options_of

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
TABLE: Final = (
    f"SELECT {columns(TableRow)},"  # noqa: S608 - of constants
    " (SELECT COALESCE(MAX(id), 0) FROM outages) AS outages,"
    " (SELECT COALESCE(MAX(ply), 0) FROM entries WHERE table_id = tables.id) AS ply,"
    " (SELECT name FROM users WHERE id = tables.master_id) AS master,"
    " EXISTS (SELECT 1 FROM standbys WHERE table_id = tables.id) AS has_standbys,"
    " EXISTS (SELECT 1 FROM press WHERE table_id = tables.id) AS has_press,"
    " (SELECT COALESCE(MAX(number), 0) FROM chat WHERE table_id = tables.id AND room = 'seats')"
    " AS said_by_seats,"
    " (SELECT COALESCE(MAX(number), 0) FROM chat WHERE table_id = tables.id AND room = 'watchers')"
    " AS said_by_watchers"
    " FROM tables WHERE id = ?"
)
SEATS: Final = f"SELECT {columns(SeatRow)} FROM seats WHERE table_id = ? ORDER BY seat"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Place:
    """A table as found for one person, and where that person sits.

    `seat` is the one they look from and speak for. Whoever holds several, at a hot-seat table, is a
    spectator until they name one of them: nobody sees with the eyes of two."""

    row: LoadedTable
    seats: Sequence[SeatRow]
    game: AnyGame
    options: TableOptions
    seat: Seat | None
    own: tuple[Seat, ...] = ()
    """All their seats."""
    user: str | None = None

    @property
    def id(self) -> str:
        table: str = self.row.id
        return table

    def found_by(self, user: str | None, code: str = "") -> Place:
        """The same table for another, with one of their seats."""
        own = tuple(
            Seat(row.seat)
            for row in self.seats
            if user is not None and user in (row.user_id, row.acting_id)
        )
        named = [seat for seat in own if self.game.seats[seat] == code] if code else own
        seat = named[0] if len(named) == 1 else None
        return Place(self.row, self.seats, self.game, self.options, seat, own, user)

    def own_seat(self) -> Seat:
        if self.seat is None:
            if self.own:
                codes = ", ".join(self.game.seats[seat] for seat in self.own)
                raise refused(Forbidden, "which-seat", codes=codes)
            raise refused(Forbidden, "not-seated")
        return self.seat

    def own_seats(self) -> tuple[Seat, ...]:
        if not self.own:
            raise refused(Forbidden, "not-seated")
        return self.own

    @property
    def empty(self) -> int:
        """How many seats are still to be taken."""
        return sum(row.user_id is None and row.bot is None for row in self.seats)

    def people(self) -> list[Seat]:
        """The seats that people play."""
        return [Seat(row.seat) for row in self.seats if row.bot is None and row.user_id is not None]


def find(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> Place:
    """The table, if this person may know of it. A hidden one and a missing one are answered alike.

    Whoever is going to change it locks it first, so that what was read stays true."""
    user, code = (None, "") if person is None else (person.id, person.seat)
    place = load(tx, table, user, code, lock=lock)
    if place is None:
        raise Missing
    row = place.row
    is_owner = person is not None and person.id in (row.owner_id, row.master_id)
    code_sent = invite.encode("utf-8", "replace")
    invited = row.invite is not None and hmac.compare_digest(code_sent, row.invite.encode())
    if not (place.options.public or place.own or is_owner or invited):
        raise Missing
    if code and seat_coded(place.game, code) != place.seat:
        raise refused(Forbidden, "not-yours", "seat-not-yours", code=code)
    return place


def load(
    tx: Tx, table: str, user: str | None, code: str = "", *, lock: bool = False
) -> Place | None:
    """The table as it is, without asking who may know of it. `code` names one of the user's seats;
    another's is not taken."""
    if not TOKEN.fullmatch(table):
        return None
    row = tx.row(LoadedTable, TABLE + (tx.for_update if lock else ""), table)
    if row is None:
        return None
    seats = tx.rows(SeatRow, SEATS, table)
    return Place(
        row, seats, game_named(row.game), options_of(tx, row.id, row.options), None
    ).found_by(user, code)


def find_begun(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> Place:
    place = find(tx, table, person, invite, lock=lock)
    if place.row.state == "waiting":
        raise refused(Illegal, "not-started")
    if place.row.state == "aborted":
        raise refused(Over, "aborted")
    return place


def find_playing(tx: Tx, table: str, person: Person | None) -> Place:
    place = find_begun(tx, table, person, lock=True)
    if place.row.state == "over":
        raise refused(Over, "over")
    if place.row.state == "held":
        raise refused(Illegal, "held")
    return place


def seat_coded(game: AnyGame, code: str) -> Seat:
    if code not in game.seats:
        known = ", ".join(game.seats)
        raise refused(Unreadable, "no-seat", title=game.title, code=code[:20], known=known)
    return Seat(game.seats.index(code))
