"""The judge's port to the server: what a mail may do, by the same use-cases as the site.

One transaction for each mail: what it changes, the note that it was received, and its answer are
stored together or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from openplan.bots import BOTS
from openplan.core.game import Illegal, Unreadable
from openplan.core.match import Match
from openplan.mail.commands.arguments import Given
from openplan.mail.commands.grammar import done
from openplan.mail.commands.port import Bearer, Role, Standing
from openplan.mail.inbound.tokens import make_token
from openplan.mail.outbound.table_letters import when
from openplan.mail.sentences import say
from openplan.server.clock import SECOND
from openplan.server.errors import Forbidden, Missing, TimeIsUp
from openplan.server.mailing import open_by_mail
from openplan.server.mailing.letter_writer import turn_of
from openplan.server.mailing.mail_identity import MailIdentity, new_address_proof, visit
from openplan.server.people import accounts, profile, sign_in
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.store import Tx
from openplan.server.tables import (
    away,
    chat,
    game_master,
    invitations,
    lifecycle,
    moves,
    notifications,
    press,
    standby,
)
from openplan.server.tables.access import (
    FoundTable,
    find_playing,
    load,
    seat_called,
    table_name,
    table_named,
)
from openplan.server.tables.match_cache import MatchCache

T = TypeVar("T")


class Due(Exception):
    """A deadline has passed that has to be entered before this mail can be judged."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class JudgesPort(MailIdentity):
    """Implements `Post` within one transaction."""

    def __init__(
        self,
        tx: Tx,
        cache: MatchCache,
        secret: bytes,
        now: int,
        reply_address: Callable[[str], str] = lambda _: "",
        site_address: str = "",
        arrived: int | None = None,
    ) -> None:
        super().__init__(tx, secret, now)
        self._arrived = now if arrived is None else arrived
        self._reply_address = reply_address
        self._site_address = site_address
        self.cache = cache
        self._opened = ""
        self.looked: set[tuple[str, str]] = set()
        """Tables that were shown, and to whom: to be noted after the transaction, since noting it
        waits for whoever changes the table."""

    # -- The table of who writes -------------------------------------------------------------

    def table_of(self, who: Bearer) -> FoundTable:
        table = table_named(self.tx, who.table)
        here = None if table is None else load(self.tx, table, who.person, lock=True)
        if here is None:
            raise Missing
        return here

    def person(self, who: Bearer) -> Person:
        row = self.user(who.person)
        if row is None:
            raise Missing
        here = self.table_of(who) if who.table else None
        seat = "" if here is None or who.seat is None else here.game.seats[who.seat]
        return Person(row.id, row.name, row.kind, "", seat)

    def _do(self, who: Bearer, work: Callable[[Person, str], T]) -> T:
        """A use-case at the table of who writes."""
        try:
            return work(self.person(who), self.table_of(who).id)
        except TimeIsUp as late:
            raise Due(late.table) from None

    def zone(self, who: Bearer) -> str:
        row = self.user(who.person)
        return "UTC" if row is None else row.zone

    def match(self, who: Bearer) -> Match:
        """Of one's own table, which is locked: until the mail is judged nobody else moves it."""
        here = self.table_of(who)
        if here.row.deal is None:
            raise refused(Illegal, "not-started")
        with self.cache.timed(self.tx, here.row) as timed:
            return timed.match

    def do(self, word: str, who: Bearer, given: Given) -> str:
        command: Callable[[Bearer, Given], str] = getattr(self, f"do_{word.lower()}")
        return command(who, given)

    # -- Orders ------------------------------------------------------------------------------

    def turn(self, who: Bearer) -> int:
        return 0 if self.table_of(who).row.deal is None else turn_of(self.match(who))

    def standing(self, who: Bearer) -> Standing:
        match = self.match(who)
        return Standing(match.game, match.deck, match.view(who.seat), turn_of(match))

    def submit(self, who: Bearer, text: str) -> None:
        assert who.seat is not None
        seat = who.seat

        def work(person: Person, table: str) -> None:
            here = find_playing(self.tx, table, person)
            row = here.seats[seat]
            if row.bot is not None and row.user_id == person.id:
                # Whoever sends orders is back.
                standby.come_back(self.tx, self.cache, person, table, self.now)
                here = find_playing(self.tx, table, person)
            version = self.match(who).version(seat)
            moves.play(
                self.tx,
                self.cache,
                here,
                seat,
                text,
                version,
                self.now,
                by_mail=here.game.sealed,
                arrived=self._arrived,
            )

        self._do(who, work)

    def conclude(
        self, who: Bearer, *, is_clean: bool, nothing: Sequence[str], changed: Sequence[str]
    ) -> None:
        def work(person: Person, table: str) -> None:
            if self.table_of(who).row.state == "playing":
                moves.conclude(
                    self.tx,
                    self.cache,
                    person,
                    table,
                    self.now,
                    is_clean=is_clean,
                    nothing=nothing,
                    changed=changed,
                    arrived=self._arrived,
                )

        self._do(who, work)

    def clear(self, who: Bearer) -> None:
        """What was sealed is taken back, by its number in the seat's own record."""
        assert who.seat is not None
        match = self.match(who)
        own = [number for number, entry in match.told(who.seat) if entry.seat == who.seat]
        if not own:
            raise refused(Illegal, "nothing-held")
        self._do(
            who,
            lambda person, table: moves.take_back(
                self.tx, self.cache, person, table, own[-1], self.now, arrived=self._arrived
            ),
        )

    # -- Tables that have not begun ----------------------------------------------------------

    def do_open(self, who: Bearer, given: Given) -> str:
        person = self._member(who)
        opening = given.opening
        assert opening is not None
        wish = open_by_mail.as_wished(opening, self.zone(who))
        deck, text = lifecycle.deck_wished(wish)
        open_by_mail.check_number(self.tx, person)
        table = lifecycle.create(self.tx, self.cache, person, wish, deck, text, self.key, self.now)
        self._opened = table_name(self.tx, table)
        here = load(self.tx, table, person.id)
        assert here is not None
        told = {
            "table": self._opened,
            "title": here.game.title,
            "seat": "" if here.seat is None else here.game.seats[here.seat],
            "days": opening.days,
            "time": f"{opening.time} {self.zone(who)}",
            "options": ", ".join(opening.wishes),
        }
        is_clocked = here.options.clock.kind in ("days", "schedule")
        parts = (
            "opened",
            *(["opened-time" if opening.time else "opened-days"] if is_clocked else []),
            *(["opened-options"] if opening.wishes else []),
            "opened-leading" if opening.leads else "opened-seat",
            "opened-public" if here.options.public else "opened-invite",
        )
        return " ".join(say(part, told, who.language) for part in parts)

    def do_invite(self, who: Bearer, given: Given) -> str:
        person = self._member(who)
        name = given.table or self._opened or self._hosted(who, person)
        invitations.invite(
            self.tx,
            person,
            self._table(name),
            accounts.checked_email(given.who),
            self.now,
            secret=self.key,
            site=self._site_address,
            reply=self._reply_address,
            note=given.text,
        )
        return done("INVITE", {"table": name, "who": given.who}, who.language)

    def _hosted(self, who: Bearer, person: Person) -> str:
        """The table that is meant when none is named."""
        if who.role is not Role.GUEST:
            return who.table
        waiting = open_by_mail.waiting(self.tx, person)
        if len(waiting) != 1:
            raise refused(Unreadable, "which-game")
        return table_name(self.tx, waiting[0])

    def do_close(self, who: Bearer, given: Given) -> str:
        person, found = self._member(who), self._table(given.table)
        open_by_mail.check_closes(self.tx, person, found)
        lifecycle.abort(self.tx, self.cache, person, found, self.now)
        return done("CLOSE", {"table": given.table}, who.language)

    def _table(self, name: str) -> str:
        found = table_named(self.tx, name)
        if found is None:
            raise Missing
        return found

    def _member(self, who: Bearer) -> Person:
        """Whoever has an account. One who was invited has none before taking the seat."""
        found = self.known(who.proof) if "@" in who.person else who
        if found is None:
            raise refused(Forbidden, "no-account")
        return self.person(Bearer(found.person, who.role))

    # -- Players -----------------------------------------------------------------------------

    def do_join(self, who: Bearer, given: Given) -> str:
        named = given.table or who.table
        found = self._table(named)
        here = load(self.tx, found, None)
        assert here is not None
        is_invited = who.role is Role.GUEST and found == table_named(self.tx, who.table)
        if is_invited and who.seat is not None:
            seat = here.game.seats[who.seat]
            try:
                game_master.accept_seat(
                    self.tx, self.cache, self._newcomer(who), found, seat, who.turn, self.now
                )
            except TimeIsUp as late:
                raise Due(late.table) from None
            return say("seated-now", {"table": named}, who.language)
        if is_invited:
            person, invite = self._newcomer(who), here.row.invite or ""
        else:
            person, invite = self.person(Bearer(who.person, who.role)), ""
        code = seat_called(here.game, given.seat) if given.seat else ""
        if code and any(row.user_id == person.id for row in here.seats):
            lifecycle.change_place(self.tx, person, found, code)
        else:
            lifecycle.join(self.tx, self.cache, person, found, code, invite, self.now)
        begun = load(self.tx, found, None)
        said = "joined" if begun is None or begun.row.deal is None else "seated-now"
        return say(said, {"table": named}, who.language)

    def do_leave(self, who: Bearer, given: Given) -> str:
        person = self._member(who)
        name = given.table or who.table
        lifecycle.leave(self.tx, person, self._table(name))
        return done("LEAVE", {"table": name}, who.language)

    def do_name(self, who: Bearer, given: Given) -> str:
        # Whoever is invited says it together with JOIN, and not always after it.
        person = self._newcomer(who) if "@" in who.person else self._member(who)
        profile.change(self.tx, person, name=given.who, zone=None, language=None, wishes=None)
        found = self.user(person.id)
        assert found is not None
        return done("NAME", {"name": found.name}, who.language)

    def _newcomer(self, who: Bearer) -> Person:
        """Whoever answers an invitation has shown that the address is theirs."""
        found = self.known(who.proof)
        if found is None:
            return sign_in.member_by_mail(self.tx, who.proof, who.language, self.now)
        return self.person(found)

    def do_watch(self, who: Bearer, given: Given) -> str:
        found = self._table(given.table)
        person = self.person(Bearer(who.person, who.role))
        notifications.watch(self.tx, person, found, self.now)
        return done("WATCH", {"table": given.table}, who.language)

    def do_standby(self, who: Bearer, given: Given) -> str:
        found = self._table(given.table)
        person = self.person(Bearer(who.person, who.role))
        seat = standby.stand_by(self.tx, self.cache, person, found, "", True, self.now)
        said = "seated-now" if seat else "standing-by"
        return say(said, {"table": given.table}, who.language)

    def do_press(self, who: Bearer, given: Given) -> str:
        to, text, grey = given.to, given.text, given.grey
        names = [*to.seats, *([press.ALL] if to.to_all else [])]
        names += [press.MASTER] if to.to_master else []
        self._do(
            who,
            lambda person, table: press.write(
                self.tx, self.cache, person, table, names, text, self.now, grey=grey
            ),
        )
        return say("pressed", {"names": ", ".join(names)}, who.language)

    do_broadcast = do_press

    def do_diary(self, who: Bearer, given: Given) -> str:
        def work(person: Person, table: str) -> None:
            before = chat.notes(self.tx, person, table)
            chat.write_notes(self.tx, person, table, f"{before}\n{given.text}".strip(), self.now)

        self._do(who, work)
        return done("DIARY", {}, who.language)

    def diary(self, who: Bearer) -> str:
        return self._do(who, lambda person, table: chat.notes(self.tx, person, table))

    def do_wait(self, who: Bearer, given: Given) -> str:
        self._wait(who, waiting=True)
        return done("WAIT", {}, who.language)

    def do_nowait(self, who: Bearer, given: Given) -> str:
        self._wait(who, waiting=False)
        return done("NOWAIT", {}, who.language)

    def _wait(self, who: Bearer, *, waiting: bool) -> None:
        self._do(
            who,
            lambda person, table: moves.wait(
                self.tx, self.cache, person, table, waiting, self.now, arrived=self._arrived
            ),
        )

    def do_ready(self, who: Bearer, given: Given) -> str:
        self._ready(who, is_on=True)
        return done("READY", {}, who.language)

    def do_not(self, who: Bearer, given: Given) -> str:
        self._ready(who, is_on=False)
        return done("NOT", {}, who.language)

    def _ready(self, who: Bearer, *, is_on: bool) -> None:
        self._do(
            who,
            lambda person, table: moves.be_ready(
                self.tx, self.cache, person, table, is_on, self.now, arrived=self._arrived
            ),
        )

    def do_absence(self, who: Bearer, given: Given) -> str:
        assert given.days is not None
        (first, last), zone = given.days, self.zone(who)
        start, end = _midnight(first, zone), _midnight(last + timedelta(days=1), zone)
        self._do(
            who,
            lambda person, table: away.announce(
                self.tx, self.cache, person, table, start, end, self.now
            ),
        )
        return done("ABSENCE", {"first": first, "last": last}, who.language)

    def do_resign(self, who: Bearer, given: Given) -> str:
        self._do(
            who,
            lambda person, table: moves.resign(self.tx, self.cache, person, table, self.now),
        )
        return done("RESIGN", {}, who.language)

    def do_address(self, who: Bearer, given: Given) -> str:
        person = self.person(Bearer(who.person, who.role))
        email = accounts.checked_email(given.who)
        token = make_token(self.key, visit(self.now), new_address_proof(person.id, email))
        sign_in.ask_to_confirm(
            self.tx, person.id, email, self.now, reply_to=self._reply_address(token)
        )
        return done("ADDRESS", {}, who.language)

    def do_confirm(self, who: Bearer, given: Given) -> str:
        row = self.user(who.person)
        if row is None or not who.proof:
            raise refused(Illegal, "no-new-address")
        sign_in.confirm_by_mail(self.tx, row.id, self.now)
        return done("CONFIRM", {}, who.language)

    def do_language(self, who: Bearer, given: Given) -> str:
        person = self.person(Bearer(who.person, who.role))
        profile.change(self.tx, person, name=None, zone=None, language=given.topic, wishes=None)
        return done("LANGUAGE", {}, given.topic)

    def do_zone(self, who: Bearer, given: Given) -> str:
        person = self.person(Bearer(who.person, who.role))
        zone = profile.zone_named(given.topic)
        profile.change(self.tx, person, name=None, zone=zone, language=None, wishes=None)
        return done("ZONE", {"zone": zone}, who.language)

    # -- The game master ---------------------------------------------------------------------

    def do_process(self, who: Bearer, given: Given) -> str:
        turn = given.turn
        self._do(
            who,
            lambda person, table: game_master.process(
                self.tx, self.cache, person, table, turn, self.now
            ),
        )
        return done("PROCESS", {"turn": turn}, who.language)

    def do_pause(self, who: Bearer, given: Given) -> str:
        self._do(
            who,
            lambda person, table: game_master.pause(self.tx, self.cache, person, table, self.now),
        )
        return done("PAUSE", {}, who.language)

    def do_resume(self, who: Bearer, given: Given) -> str:
        self._do(
            who,
            lambda person, table: game_master.resume(self.tx, self.cache, person, table, self.now),
        )
        return done("RESUME", {}, who.language)

    def do_deadline(self, who: Bearer, given: Given) -> str:
        to = given.when
        assert to is not None

        def work(person: Person, table: str) -> int:
            at = self._deadline(who, person, to)
            game_master.set_deadline(self.tx, self.cache, person, table, at, self.now)
            return at

        due = when(self._do(who, work), self.zone(who))
        return done("DEADLINE", {"due": due}, who.language)

    def _deadline(self, who: Bearer, person: Person, to: datetime | timedelta) -> int:
        if isinstance(to, timedelta):
            due = game_master.preview(self.tx, self.cache, person, self.table_of(who).id).due_at
            return (self.now if due is None else due) + int(to.total_seconds()) * SECOND
        zone = ZoneInfo(self.zone(who))
        return int(to.replace(tzinfo=zone).timestamp()) * SECOND

    def do_rollback(self, who: Bearer, given: Given) -> str:
        match, turn = self.match(who), given.turn
        if not 1 <= turn < turn_of(match):
            raise refused(Illegal, "turn", "turn-not-over", turn=turn)
        number, said = turn, "rolled-back-moves"
        if match.game.sealed:
            said = "rolled-back"
            # The entry that ended this turn, as it was played last.
            ends = [one for one in match.in_force() if match.log[one - 1].kind in moves.OPENS]
            told = [match.number_in_log(None, one + 1) for one in range(match.version(None))]
            number = told.index(ends[-turn]) + 1
        self._do(
            who,
            lambda person, table: game_master.roll_back(
                self.tx, self.cache, person, table, number, self.now
            ),
        )
        return say(said, {"turn": turn}, who.language)

    def do_eject(self, who: Bearer, given: Given) -> str:
        seat = given.seat
        self._do(
            who,
            lambda person, table: game_master.eject(
                self.tx, self.cache, person, table, seat, "open", self.now
            ),
        )
        return done("EJECT", {"seat": seat}, who.language)

    def do_seat(self, who: Bearer, given: Given) -> str:
        seat, to = given.seat, given.who

        def work(person: Person, table: str) -> None:
            if to in BOTS:
                game_master.seat(self.tx, self.cache, person, table, seat, self.now, bot=to)
                return
            game_master.check_offer(self.tx, self.cache, person, table, seat, self.now)
            invitations.offer(
                self.tx,
                person,
                table,
                seat,
                accounts.checked_email(to),
                self.now,
                secret=self.key,
                site=self._site_address,
                reply=self._reply_address,
            )

        self._do(who, work)
        said = "seat-given" if to in BOTS else "seat-offered"
        return say(said, {"seat": seat, "who": to}, who.language)

    def do_orders(self, who: Bearer, given: Given) -> str:
        seat, text = given.seat, given.text
        self._do(
            who,
            lambda person, table: game_master.orders_for(
                self.tx, self.cache, person, table, seat, text, self.now
            ),
        )
        return done("ORDERS", {"seat": seat}, who.language)

    def do_terminate(self, who: Bearer, given: Given) -> str:
        turn = given.turn
        if self.turn(who) != turn:
            raise refused(Illegal, "turn", number=turn)
        self._do(who, lambda person, table: game_master.terminate(self.tx, person, table, self.now))
        return done("TERMINATE", {}, who.language)

    def do_announce(self, who: Bearer, given: Given) -> str:
        text = given.text
        self._do(
            who,
            lambda person, table: game_master.announce(
                self.tx, self.cache, person, table, text, self.now
            ),
        )
        return done("ANNOUNCE", {}, who.language)


def _midnight(day: date, zone: str) -> int:
    moment = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone))
    return int(moment.timestamp()) * SECOND
