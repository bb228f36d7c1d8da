"""A table as one person finds it: who may know of it, where they sit, how far the match is."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from openplan.core.game import AnyGame, Illegal, Over, Seat, Unreadable
from openplan.core.registry import game_named
from openplan.core.sentences import LANGUAGES
from openplan.server.errors import Forbidden, Missing
from openplan.server.people import reliability
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.store.rows import FurnishedTable, LoadedTable, SeatRow, TableRow, columns
from openplan.server.tables.options import TableOptions, options_of
from openplan.server.texts import TOKEN

FROZEN: Final = "held"
"""The stored state of a match that is stopped because it does not replay."""
# All but the deck's text, which is long, and only wanted when its match comes into memory; and what
# there is beside the match, so that nobody need look for what most tables do not have.
TABLE: Final = (
    f"SELECT {columns(TableRow)},"  # noqa: S608 - of constants
    " (SELECT COALESCE(MAX(id), 0) FROM outages) AS outages,"
    " (SELECT name FROM users WHERE id = tables.master_id) AS master,"
    " (SELECT name FROM users WHERE id = tables.next_master_id) AS next_master,"
    " EXISTS (SELECT 1 FROM standbys WHERE table_id = tables.id) AS has_standbys,"
    " EXISTS (SELECT 1 FROM press WHERE table_id = tables.id) AS has_press,"
    " EXISTS (SELECT 1 FROM audit WHERE table_id = tables.id) AS has_audit,"
    " (SELECT COALESCE(MAX(number), 0) FROM chat WHERE table_id = tables.id AND room = 'seats')"
    " AS said_by_seats,"
    " (SELECT COALESCE(MAX(number), 0) FROM chat WHERE table_id = tables.id AND room = 'watchers')"
    " AS said_by_watchers"
)
WHICH: Final = " FROM tables WHERE id = ?"
PLY: Final = "(SELECT COALESCE(MAX(ply), 0) FROM entries WHERE table_id = tables.id) AS ply"
# Where it may be known, all but what every move changes.
FURNISHED: Final = TABLE + WHICH
LOADED: Final = f"{TABLE}, {PLY}{WHICH}"
LAST: Final = "SELECT COALESCE(MAX(ply), 0) FROM entries WHERE table_id = ?"
SEATS: Final = f"SELECT {columns(SeatRow)} FROM seats WHERE table_id = ? ORDER BY seat"  # noqa: S608


class FoundTable(NamedTuple):
    """A table as one person finds it, and where that person sits. A variable of this type is called
    `here`.

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
        return self.row.id

    @property
    def master(self) -> str | None:
        """The game master. A rated table has none but the clock, also one that was made when rated
        tables had one."""
        return None if self.options.rated else self.row.master_id

    def found_by(self, user: str | None, code: str = "") -> FoundTable:
        """The same table for another, with one of their seats."""
        own = tuple(
            Seat(row.seat) for row in self.seats if user is not None and user == row.user_id
        )
        named = [seat for seat in own if self.game.seats[seat] == code] if code else own
        seat = named[0] if len(named) == 1 else None
        return FoundTable(self.row, self.seats, self.game, self.options, seat, own, user)

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
    def is_spectator(self) -> bool:
        """Whoever holds no seat."""
        return not self.own

    @property
    def empty(self) -> int:
        """How many seats are still to be taken."""
        return sum(row.user_id is None and row.bot is None for row in self.seats)

    @property
    def company(self) -> list[str | None]:
        """Whom one meets there: the owner, and who sits in each seat."""
        return [self.row.owner_id, *(seat.user_id for seat in self.seats)]

    @property
    def is_shown_around(self) -> bool:
        """A match of one person against bots that is over: whoever has its address may look."""
        is_alone = len(self.people()) <= 1 and any(seat.bot is not None for seat in self.seats)
        return self.row.state == "over" and is_alone and not self.options.closed_after

    @property
    def hides_names(self) -> bool:
        """Nobody is to know who sits where."""
        return self.options.anonymous and self.row.state != "over"

    def shows_person(self, user: str | None) -> bool:
        """Whether somebody may be named: not who sits where that is hidden."""
        return not self.hides_names or all(seat.user_id != user for seat in self.seats)

    def people(self) -> list[Seat]:
        """The seats that people play."""
        return [Seat(row.seat) for row in self.seats if row.bot is None and row.user_id is not None]


def find(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> FoundTable:
    """The table, if this person may know of it. A hidden one and a missing one are answered alike.

    Whoever is going to change it locks it first, so that what was read stays true."""
    user, code = (None, "") if person is None else (person.id, person.seat)
    here = load(tx, table, user, code, lock=lock)
    if here is None:
        raise Missing
    row = here.row
    is_owner = person is not None and person.id in (row.owner_id, here.master)
    code_sent = invite.encode("utf-8", "replace")
    invited = row.invite is not None and hmac.compare_digest(code_sent, row.invite.encode())
    if not (here.options.public or here.own or is_owner or invited or here.is_shown_around):
        if user is not None and reliability.has_abandoned(tx, user, here.id):
            raise refused(Forbidden, "seat-lost")  # who sat there knows of it
        raise Missing
    if code and seat_coded(here.game, code) != here.seat:
        raise refused(Forbidden, "not-yours", "seat-not-yours", code=code)
    return here


def load(
    tx: Tx, table: str, user: str | None, code: str = "", *, lock: bool = False
) -> FoundTable | None:
    """The table as it is, without asking who may know of it. `code` names one of the user's seats;
    another's is not taken."""
    if not TOKEN.fullmatch(table):
        return None
    row = _row(tx, table, lock=lock)
    if row is None:
        return None
    seats = tx.kept(table, SeatRow, SEATS, table)
    options = options_of(tx, row.id, row.options)
    here = FoundTable(row, seats, game_named(row.game), options, None)
    return here.found_by(user, code)


def _row(tx: Tx, table: str, *, lock: bool) -> LoadedTable | None:
    if not tx.keeps:
        return tx.row(LoadedTable, LOADED + (tx.for_update if lock else ""), table)
    found = tx.kept(table, FurnishedTable, FURNISHED, table)
    if not found:
        return None
    (ply,) = tx.kept(table, int, LAST, table)
    fields = (*msgspec.structs.astuple(found[0]), ply)
    return LoadedTable(*fields)


def find_begun(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> FoundTable:
    here = find(tx, table, person, invite, lock=lock)
    if here.row.state == "waiting":
        raise refused(Illegal, "not-started")
    if here.row.state == "aborted":
        raise refused(Over, "aborted")
    return here


def find_playing(tx: Tx, table: str, person: Person | None) -> FoundTable:
    here = find_begun(tx, table, person, lock=True)
    if here.row.state == "over":
        raise refused(Over, "over")
    if here.row.state == FROZEN:
        raise refused(Illegal, "held")
    return here


def seat_coded(game: AnyGame, code: str) -> Seat:
    if code not in game.seats:
        known = ", ".join(game.seats)
        raise refused(Unreadable, "no-seat", title=game.title, code=code[:20], known=known)
    return Seat(game.seats.index(code))


def called_at(game: AnyGame, options: TableOptions, seat: int, name: str) -> str:
    """What somebody of this name is called in a seat there. It is stored with the seat and goes
    into the match, so where names are hidden none is there to be told."""
    return game.seat_name(Seat(seat), options.language or "en") if options.anonymous else name


def seat_called(game: AnyGame, name: str) -> str:
    """The code of a seat that somebody names by it, or as the game calls it in any language; the
    beginning is enough where it begins no other."""
    low, begun = name.lower(), []
    for seat, code in enumerate(game.seats):
        names = [game.seat_name(Seat(seat), language).lower() for language in LANGUAGES]
        if low == code.lower() or low in names:
            return code
        if any(called.startswith(low) for called in names):
            begun.append(code)
    if len(begun) == 1:
        return begun[0]
    known = ", ".join(
        code if (called := game.seat_name(Seat(seat))) == code else f"{code} ({called})"
        for seat, code in enumerate(game.seats)
    )
    raise refused(Unreadable, "no-seat", title=game.title, code=name[:20], known=known)


def table_name(tx: Tx, table: str) -> str:
    """The short name of a table, by which mail speaks of it."""
    find = "SELECT id FROM mail_tables WHERE table_id = ?"
    number = tx.row(int, find, table)
    if number is None:  # to try in vain would use up a number
        tx.execute(
            "INSERT INTO mail_tables (table_id) VALUES (?) ON CONFLICT (table_id) DO NOTHING", table
        )
        (number,) = tx.rows(int, find, table)
    return str(number)


def table_named(tx: Tx, name: str) -> str | None:
    if not (name.isascii() and name.isdecimal() and len(name) < 18):
        return None
    return tx.row(str, "SELECT table_id FROM mail_tables WHERE id = ?", int(name))
