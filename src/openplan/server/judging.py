"""The judge's side of the house: what a mail may do, over the same use-cases as the site.

One transaction for each mail: what it changes, the note that it was received, and its answer are
stored together or not at all.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from openplan.bots import BOTS
from openplan.core.game import Illegal, Seat
from openplan.core.match import Match
from openplan.mail.post import Bearer, Recipients, Role, Standing
from openplan.mail.tokens import GUEST, MASTER, SEAT, Claim
from openplan.server import absence, accounts, entrance, master, play, press, tables, talk
from openplan.server.accounts import Person
from openplan.server.clock import SECOND
from openplan.server.faults import Missing, TimeIsUp
from openplan.server.place import Place, find, find_playing, load, seat_coded
from openplan.server.reports import table_named, turn_of
from openplan.server.schedule import DAY, HOUR
from openplan.server.shelf import Shelf
from openplan.server.store import Row, Tx

T = TypeVar("T")

ANSWERS_AN_HOUR = 40
"""To one person, whatever they write."""


class Due(Exception):
    """A deadline has passed that has to be entered before this mail can be judged."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class House:
    """Implements `Post` within one transaction."""

    def __init__(self, tx: Tx, shelf: Shelf, secret: bytes, now: int) -> None:
        self.tx = tx
        self.shelf = shelf
        self.key = secret
        self.now = now
        self._received = ("", "")

    # -- Who writes --------------------------------------------------------------------------

    def holder(self, claim: Claim) -> Bearer | None:
        table = table_named(self.tx, claim.table)
        place = None if table is None else load(self.tx, table, None)
        if place is None:
            return None
        if claim.role == GUEST:
            return self._guest(claim, place)
        person = place.row.master_id if claim.role == MASTER else self._sitter(claim, place)
        row = self._user(person)
        if row is None:
            return None
        role = Role.MASTER if claim.role == MASTER else Role.SEAT
        return Bearer(row.id, role, claim.table, claim.seat, claim.turn, row.language)

    def _sitter(self, claim: Claim, place: Place) -> str | None:
        assert claim.role == SEAT
        if claim.seat is None or claim.seat >= len(place.seats):
            return None
        user: str | None = place.seats[claim.seat].user_id
        return user

    def _guest(self, claim: Claim, place: Place) -> Bearer | None:
        """Somebody invited by mail: the number of the invitation stands for the turn."""
        row = self.tx.one(
            "SELECT email FROM invitations WHERE id = ? AND table_id = ?", claim.turn, place.id
        )
        return None if row is None else Bearer(row.email, Role.GUEST, claim.table, turn=claim.turn)

    def known(self, address: str) -> Bearer | None:
        row = self.tx.one(
            "SELECT id, language FROM users WHERE email = ? AND deleted_at IS NULL", address.lower()
        )
        return None if row is None else Bearer(row.id, Role.KNOWN, language=row.language)

    def _user(self, user: str | None) -> Row | None:
        if user is None:
            return None
        return self.tx.one(
            "SELECT id, name, kind, language, zone FROM users WHERE id = ?"
            " AND email IS NOT NULL AND deleted_at IS NULL",
            user,
        )

    def receive(self, who: Bearer, name: str) -> bool:
        self._received = (who.person, name)
        return bool(
            self.tx.execute(
                "INSERT INTO mails (person, name, at) VALUES (?, ?, ?)"
                " ON CONFLICT (person, name) DO NOTHING RETURNING name",
                *self._received,
                self.now,
            )
        )

    def may_answer(self, who: Bearer, *, in_vain: bool) -> bool:
        (lately,) = self.tx.execute(
            "SELECT COUNT(*) AS answers FROM mails WHERE person = ? AND is_answered = 1 AND at > ?",
            who.person,
            self.now - HOUR,
        )
        vain = f"{who.table} {who.turn}" if in_vain else ""
        before = in_vain and self.tx.execute(
            "SELECT 1 FROM mails WHERE person = ? AND vain = ? AND at > ? LIMIT 1",
            who.person,
            vain,
            self.now - 30 * DAY,
        )
        may = lately.answers < ANSWERS_AN_HOUR and not before
        self.tx.execute(
            "UPDATE mails SET is_answered = ?, vain = ? WHERE person = ? AND name = ?",
            int(may),
            vain,
            *self._received,
        )
        return may

    # -- The table of who writes -------------------------------------------------------------

    def place(self, who: Bearer) -> Place:
        table = table_named(self.tx, who.table)
        place = None if table is None else load(self.tx, table, who.person, lock=True)
        if place is None:
            raise Missing
        return place

    def person(self, who: Bearer) -> Person:
        row = self._user(who.person)
        if row is None:
            raise Missing
        place = self.place(who) if who.table else None
        seat = "" if place is None or who.seat is None else place.game.seats[who.seat]
        return Person(row.id, row.name, row.kind, "", seat)

    def _do(self, who: Bearer, work: Callable[[Person, str], T]) -> T:
        """A use-case at the table of who writes."""
        try:
            return work(self.person(who), self.place(who).id)
        except TimeIsUp as late:
            raise Due(late.table) from None

    def match(self, who: Bearer) -> Match:
        place = self.place(who)
        if place.row.deal is None:
            raise Illegal("not-started", "the match has not begun")
        with self.shelf.sitting(self.tx, place.row) as sitting:
            return sitting.match

    # -- Orders ------------------------------------------------------------------------------

    def turn(self, who: Bearer) -> int:
        return 0 if self.place(who).row.deal is None else turn_of(self.match(who))

    def standing(self, who: Bearer) -> Standing:
        match = self.match(who)
        return Standing(match.game, match.deck, match.view(who.seat), turn_of(match))

    def submit(self, who: Bearer, text: str) -> None:
        assert who.seat is not None
        seat = who.seat
        version = self.match(who).version(seat)

        def work(person: Person, table: str) -> None:
            place = find_playing(self.tx, table, person)
            play.play(self.tx, self.shelf, place, seat, text, version, self.now)

        self._do(who, work)

    def clear(self, who: Bearer) -> None:
        """What was sealed is taken back, by its number in the seat's own record."""
        assert who.seat is not None
        match = self.match(who)
        own = [number for number, entry in match.told(who.seat) if entry.seat == who.seat]
        if not own:
            raise Illegal("nothing-held", "nothing is held for you")
        self._do(
            who,
            lambda person, table: play.take_back(
                self.tx, self.shelf, person, table, own[-1], self.now
            ),
        )

    # -- Players -----------------------------------------------------------------------------

    def join(self, who: Bearer, table: str, seat: str) -> str:
        found = table_named(self.tx, table or who.table)
        if found is None:
            raise Missing
        place = load(self.tx, found, None)
        assert place is not None
        if who.role is Role.GUEST and found == table_named(self.tx, who.table):
            person, invite = self._newcomer(who), place.row.invite
        else:
            person, invite = self.person(Bearer(who.person, who.role)), ""
        tables.join(self.tx, self.shelf, person, found, seat, invite, self.now)
        return f"you have a seat in game {table or who.table}"

    def _newcomer(self, who: Bearer) -> Person:
        """Whoever answers an invitation has shown that the address is theirs."""
        found = self.known(who.person)
        if found is None:
            return entrance.member_by_mail(self.tx, who.person, self.now)
        return self.person(found)

    def watch(self, who: Bearer, table: str) -> str:
        found = table_named(self.tx, table)
        if found is None:
            raise Missing
        person = self.person(Bearer(who.person, who.role))
        find(self.tx, found, person)
        self.tx.execute(
            "INSERT INTO watchers (table_id, user_id, created_at) VALUES (?, ?, ?)"
            " ON CONFLICT (table_id, user_id) DO NOTHING",
            found,
            person.id,
            self.now,
        )
        return f"you will get the reports of game {table}"

    def press(self, who: Bearer, to: Recipients, text: str, *, grey: bool) -> str:
        names = [*to.seats, *([press.ALL] if to.to_all else [])]
        names += [press.MASTER] if to.to_master else []
        self._do(
            who,
            lambda person, table: press.write(
                self.tx, self.shelf, person, table, names, text, self.now, grey=grey
            ),
        )
        return f"sent to {', '.join(names)}"

    def write_diary(self, who: Bearer, text: str) -> str:
        def work(person: Person, table: str) -> None:
            before = talk.notes(self.tx, person, table)
            talk.write_notes(self.tx, person, table, f"{before}\n{text}".strip(), self.now)

        self._do(who, work)
        return "noted; nobody else can read it"

    def diary(self, who: Bearer) -> str:
        return self._do(who, lambda person, table: talk.notes(self.tx, person, table))

    def wait(self, who: Bearer, *, waiting: bool) -> str:
        self._do(
            who,
            lambda person, table: play.wait(self.tx, self.shelf, person, table, waiting, self.now),
        )
        return "the turn waits for its deadline" if waiting else "the turn waits no longer for you"

    def absence(self, who: Bearer, first: date, last: date) -> str:
        row = self._user(who.person)
        zone = "UTC" if row is None else row.zone
        start, end = _midnight(first, zone), _midnight(last + timedelta(days=1), zone)
        self._do(
            who,
            lambda person, table: absence.announce(
                self.tx, self.shelf, person, table, start, end, self.now
            ),
        )
        return f"you are away from {first} to {last}"

    def resign(self, who: Bearer) -> str:
        self._do(
            who,
            lambda person, table: play.resign(self.tx, self.shelf, person, table, self.now),
        )
        return "you have resigned"

    def change_address(self, who: Bearer, address: str) -> str:
        person = self.person(who)
        entrance.ask_to_confirm(self.tx, person.id, accounts.checked_email(address), self.now)
        return "a letter to the new address asks whether it is yours"

    # -- The game master ---------------------------------------------------------------------

    def process(self, who: Bearer, turn: int) -> str:
        self._do(
            who,
            lambda person, table: master.process(
                self.tx, self.shelf, person, table, turn, self.now
            ),
        )
        return f"turn {turn} is carried out"

    def pause(self, who: Bearer) -> str:
        self._do(
            who, lambda person, table: master.pause(self.tx, self.shelf, person, table, self.now)
        )
        return "the clocks stand still"

    def resume(self, who: Bearer) -> str:
        self._do(
            who, lambda person, table: master.resume(self.tx, self.shelf, person, table, self.now)
        )
        return "the clocks run again"

    def set_deadline(self, who: Bearer, when: datetime | timedelta) -> str:
        def work(person: Person, table: str) -> int:
            at = self._deadline(who, person, when)
            master.set_deadline(self.tx, self.shelf, person, table, at, self.now)
            return at

        at = datetime.fromtimestamp(self._do(who, work) // SECOND, UTC)
        return f"the deadline is {at:%Y-%m-%d %H:%M} UTC"

    def _deadline(self, who: Bearer, person: Person, when: datetime | timedelta) -> int:
        if isinstance(when, timedelta):
            due = master.preview(self.tx, self.shelf, person, self.place(who).id).due_at
            return (self.now if due is None else due) + int(when.total_seconds()) * SECOND
        row = self._user(person.id)
        zone = ZoneInfo("UTC" if row is None else row.zone)
        return int(when.replace(tzinfo=zone).timestamp()) * SECOND

    def roll_back(self, who: Bearer, turn: int) -> str:
        match = self.match(who)
        before = [
            number
            for number, _ in match.told(None)
            if turn_of(match.at(match.number_in_log(None, number))) > turn
        ]
        if not before:
            raise Illegal("turn", f"turn {turn} is not over")
        self._do(
            who,
            lambda person, table: master.roll_back(
                self.tx, self.shelf, person, table, before[0], self.now
            ),
        )
        return f"the table is as it was at the beginning of turn {turn}"

    def eject(self, who: Bearer, seat: str) -> str:
        self._do(
            who,
            lambda person, table: master.eject(
                self.tx, self.shelf, person, table, seat, "open", self.now
            ),
        )
        return f"the seat {seat} is open"

    def give_seat(self, who: Bearer, seat: str, to: str) -> str:
        def work(person: Person, table: str) -> None:
            if to in BOTS:
                master.seat(self.tx, self.shelf, person, table, seat, self.now, bot=to)
                return
            found = self.known(to)
            if found is None:
                raise Illegal("unknown", f"nobody here has the address {to[:80]}")
            master.seat(self.tx, self.shelf, person, table, seat, self.now, user=found.person)

        self._do(who, work)
        return f"the seat {seat} is given to {to}"

    def become(self, who: Bearer, seat: str) -> Bearer:
        place = self.place(who)
        number = seat_coded(place.game, seat)
        self._do(
            who,
            lambda person, table: master.become(self.tx, person, table, seat, self.now),
        )
        return Bearer(who.person, Role.SEAT, who.table, Seat(number), who.turn, who.language)

    def terminate(self, who: Bearer, turn: int) -> str:
        if self.turn(who) != turn:
            raise Illegal("turn", f"turn {turn} is not the one that is being played")
        self._do(who, lambda person, table: master.terminate(self.tx, person, table, self.now))
        return "the game is ended"

    def announce(self, who: Bearer, text: str) -> str:
        self._do(
            who,
            lambda person, table: master.announce(
                self.tx, self.shelf, person, table, text, self.now
            ),
        )
        return "announced to all"


def _midnight(day: date, zone: str) -> int:
    moment = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone))
    return int(moment.timestamp()) * SECOND
