"""The answer to one mail, and what it encloses, from what its writer may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from openplan.core.game import AnyGame, GameError, Illegal, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.mail.commands.arguments import Given
from openplan.mail.commands.items import Command
from openplan.mail.commands.judge import Judgement
from openplan.mail.commands.port import Bearer, Role
from openplan.mail.inbound.tokens import GUEST, HOUSE, MASTER, SEAT, Claim, make_token
from openplan.mail.outbound import enclosures
from openplan.mail.outbound.answer_letters import HowReady, answer
from openplan.mail.outbound.enclosures import Progress, TableLine
from openplan.mail.outbound.letter import Block, Words, to_data
from openplan.mail.outbound.table_letters import Reader, draw_hand, draw_table
from openplan.mail.sentences import reason_of, unreadable
from openplan.server.mailing import table_options
from openplan.server.mailing.letter_writer import facts_of, review_told, turn_of
from openplan.server.mailing.port import JudgesPort
from openplan.server.notify.letters import WholeLetter, post
from openplan.server.notify.mail_preferences import language_of
from openplan.server.refusals import refused
from openplan.server.settings import Settings
from openplan.server.store.rows import ListedTable
from openplan.server.tables import game_master, reviews, turns
from openplan.server.tables.access import FROZEN, FoundTable, find, load, table_name, table_named
from openplan.server.tables.lifecycle import mastered_tables, own_tables, public_tables
from openplan.server.tables.moves import OPENS
from openplan.server.tables.notifications import states_of
from openplan.server.tables.prints import printed_turn
from openplan.server.tables.turns import Turn

MOST_TURNS = 20
"""Reports in one answer to HISTORY."""


class Answering:
    def __init__(
        self, port: JudgesPort, judgement: Judgement, who: Bearer, settings: Settings
    ) -> None:
        self._port = port
        self._judgement = judgement
        self._who = who
        self._settings = settings
        seat = who.seat if who.role is Role.SEAT else None
        # This mail may have changed it, or brought an account about.
        language = language_of(port.tx, who.person, who.language)
        self._reader = Reader(seat, "", language, who.role is Role.MASTER)
        self._printed: dict[str, Any] | None = None

    def post(self) -> None:
        port, who, reader, settings = self._port, self._who, self._reader, self._settings
        match = table = None
        title = "Open Plan"
        if self._is_begun():
            here = port.table_of(who)
            match, title = port.match(who), here.game.title
            reader = self._with_token(self._table_token(turn_of(match)))
            turn = self._turn()
            due = None if turn is None else turn.due_at
            states = states_of(here, turn)
            table = facts_of(port.tx, here, match, who.person, settings.address, due, states=states)
        elif who.role is Role.GUEST and who.table != HOUSE:
            # The invitation's own, so that whoever slips can try again. Once it has served, what
            # answers this letter speaks for who has come, and for the seat where it has begun.
            if not self._judgement.has_acted:
                claim = Claim(who.table, GUEST, who.seat, who.turn)
                reader = self._with_token(make_token(port.key, claim, who.proof))
        elif "@" not in who.person:
            reader = self._with_token(port.visitor_token(who.person))
        enclosed = [block for ask in self._judgement.asks for block in self._enclosed(ask)]
        readiness = self._readiness() if table is not None else None
        letter = answer(self._judgement, title, match, table, reader, enclosed, readiness)
        reply = reader.token or self._newcomers_token()
        queued = WholeLetter(
            to=who.person,
            at=port.now,
            kind="answer",
            letter=to_data(letter),
            table=None if who.table in ("", HOUSE) else port.table_of(who).id,
            reply_to=settings.reply_address(reply) if reply else "",
            answers=self._judgement.mail.name if "@" in self._judgement.mail.name else "",
            printed=self._printed,
        )
        post(port.tx, queued)

    def _newcomers_token(self) -> str:
        """For whoever has taken a seat by this very mail: people answer the letter that comes last,
        and that may be this one and not the one with the hand."""
        port, who = self._port, self._who
        found = port.known(who.proof) if who.role is Role.GUEST and who.table != HOUSE else None
        if found is None:
            return ""
        here = load(port.tx, table_named(port.tx, who.table) or "", found.person)
        if here is None or here.row.deal is None or here.seat is None:
            return port.visitor_token(found.person)
        with port.cache.timed(port.tx, here.row) as timed:
            turn = turn_of(timed.match)
        claim = Claim(who.table, SEAT, here.seat, turn)
        return make_token(port.key, claim, found.person)

    def _is_begun(self) -> bool:
        who = self._who
        is_at_table = who.role in (Role.SEAT, Role.MASTER)
        return is_at_table and self._port.table_of(who).row.deal is not None

    def _table_token(self, turn: int) -> str:
        who = self._who
        role = MASTER if who.role is Role.MASTER else SEAT
        claim = Claim(who.table, role, who.seat if role == SEAT else None, turn)
        return make_token(self._port.key, claim, who.person)

    def _with_token(self, token: str) -> Reader:
        reader = self._reader
        return Reader(reader.seat, token, reader.language, reader.is_master)

    def _turn(self) -> Turn | None:
        port = self._port
        here = port.table_of(self._who)
        if here.row.state != "playing":  # a match that was ended without a result has no deadline
            return None
        with port.cache.timed(port.tx, here.row) as timed:
            return turns.current(port.tx, here, timed)

    def _readiness(self) -> HowReady | None:
        """How the turn stands with the seat's orders; nothing if none are held or they are open."""
        turn, seat = self._turn(), self._reader.seat
        if turn is None or seat is None or not isinstance(seat, int):
            return None
        state = turn.state_of(Seat(seat))
        if state is None or state == "missing":
            return None
        return HowReady(state == "ready", turn.unordered(Seat(seat)), turn.early == "deadline")

    # -- What is asked for -------------------------------------------------------------------

    def _enclosed(self, ask: Command) -> Iterator[Block]:
        asks: dict[str, Callable[[Command], Iterator[Block]]] = {
            "HELP": self._help,
            "LIST": self._list,
            "GAME": self._game,
            "RULES": self._rules,
            "HISTORY": self._history,
            "REVIEW": self._review,
            "STATUS": self._status,
            "PREVIEW": self._preview,
            "DIARY": lambda _: enclosures.diary(self._port.diary(self._who), self._reader.language),
            "HAND": lambda _: draw_hand(self._port.match(self._who), self._reader),
            "MAP": lambda _: draw_table(self._port.match(self._who), self._reader),
            "PRINT": self._print,
            "FORECAST": lambda _: enclosures.forecast(self._port.match(self._who), self._reader),
        }
        try:
            yield from list(asks[ask.verb.word](ask))
        except GameError as error:
            yield Words(f"{ask.verb.word}: {reason_of(error, self._reader.language)}")

    def _print(self, _: Command) -> Iterator[Block]:
        port, seat = self._port, self._reader.seat
        here = port.table_of(self._who)
        if here.row.deal is None:
            raise refused(Illegal, "not-started")
        assert seat is not None
        with port.cache.timed(port.tx, here.row) as timed:
            self._printed = printed_turn(
                port.tx, here, timed, self._settings, Seat(seat), self._reader.language
            )
        yield from enclosures.printed(self._reader.language)

    def _help(self, ask: Command) -> Iterator[Block]:
        who, language = self._who, self._reader.language
        topic, _, rest = ask.given.topic.partition(" ")
        if topic in ("orders", "order", "zuege"):
            is_at_table = who.role in (Role.SEAT, Role.MASTER)
            game = self._port.table_of(who).game if is_at_table else None
            return enclosures.help_with_orders(game, rest, language)
        lines = table_options.help_lines() if topic == "open" else []
        return enclosures.help_(who.role, ask.given.topic, language, lines)

    def _list(self, _: Command) -> Iterator[Block]:
        """One's own games with the address to write to, should the letters be lost; and all that
        are open to everybody."""
        port, who = self._port, self._who
        own: list[TableLine] = []
        if "@" not in who.person:
            person = port.person(Bearer(who.person, Role.KNOWN))
            found = (*own_tables(port.tx, person), *mastered_tables(port.tx, person))
            rows = {row.id: row for row in found}
            own = [
                self._listed(row, find(port.tx, row.id, person))
                for row in rows.values()
                if row.state in ("waiting", "playing", FROZEN)
            ]
        names = {row.name for row in own}
        others = [self._listed(row, None) for row in public_tables(port.tx)]
        others = [row for row in others if row.name not in names]
        yield from enclosures.tables(own, others, self._reader.language)

    def _listed(self, row: ListedTable, here: FoundTable | None) -> TableLine:
        port, name = self._port, table_name(self._port.tx, row.id)
        title = game_named(row.game).title
        if here is None:
            return TableLine(name, title, row.state, row.empty)
        empty = here.empty
        seats = [one for one in here.seats if one.user_id == self._who.person]
        is_master = here.master == self._who.person and not seats
        address = ""
        if here.row.deal is not None and (seats or is_master):
            with port.cache.timed(port.tx, here.row) as timed:
                turn = turn_of(timed.match)
            role, seat = (MASTER, None) if is_master else (SEAT, seats[0].seat)
            token = make_token(port.key, Claim(name, role, seat, turn), self._who.person)
            address = self._settings.reply_address(token)
        code = here.game.seats[seats[0].seat] if seats else ""
        return TableLine(name, title, row.state, empty, code, is_master, address)

    def _game(self, ask: Command) -> Iterator[Block]:
        """As everybody may know it who may know of it at all."""
        port, language = self._port, self._reader.language
        table = table_named(port.tx, ask.given.table)
        person = port.person(Bearer(self._who.person, Role.KNOWN))
        here = find(port.tx, table or "", person)
        port.looked.add((here.id, person.id))
        empty = here.empty
        title, state = here.game.title, here.row.state
        yield from enclosures.game_heading(ask.given.table, title, state, empty, language)
        if here.row.deal is not None:
            # Another's table is not locked: only while it is borrowed does nobody else move it.
            with port.cache.timed(port.tx, here.row) as timed:
                drawn = list(draw_table(timed.match, Reader(None, "", language)))
            yield from drawn

    def _rules(self, ask: Command) -> Iterator[Block]:
        who = self._who
        game: AnyGame | None = None
        if who.role in (Role.SEAT, Role.MASTER):
            game = self._port.table_of(who).game
        site = self._settings.address
        return enclosures.rules(game, ask.given.topic, site, self._reader.language)

    def _history(self, ask: Command) -> Iterator[Block]:
        port, given, reader = self._port, ask.given, self._reader
        if given.table:
            person = port.person(Bearer(self._who.person, Role.KNOWN))
            here = find(port.tx, table_named(port.tx, given.table) or "", person)
            port.looked.add((here.id, person.id))
            seats = [row.seat for row in here.seats if row.user_id == person.id]
            reader = Reader(seats[0] if len(seats) == 1 else None, "", reader.language)
            if here.row.deal is None:
                raise refused(Illegal, "not-started")
            with port.cache.timed(port.tx, here.row) as timed:
                return iter(list(_reports(timed.match, reader, given)))
        return _reports(port.match(self._who), reader, given)

    def _review(self, ask: Command) -> Iterator[Block]:
        """From the seat of who asks. What is not there yet is asked for by this."""
        port, language = self._port, self._reader.language
        person = port.person(Bearer(self._who.person, Role.KNOWN))
        name = ask.given.table
        if not name and self._who.role is Role.SEAT:
            name = self._who.table
        if not name:
            raise unreadable("no-game", "no-game")
        table = table_named(port.tx, name) or ""
        seen = reviews.ask_by_mail(port.tx, person, table, port.now)
        here = find(port.tx, table, person)
        found = reviews.kept(port.tx, here)
        if found is None:
            return enclosures.looking_back(round(100 * seen.progress), language)
        return review_told(here.game, found, here.own[0], language)

    def _status(self, _: Command) -> Iterator[Block]:
        port, who = self._port, self._who
        here, match, turn = port.table_of(who), port.match(who), self._turn()
        missing = None
        if here.game.shows_awaited(match.house):
            missing = [here.game.seats[seat] for seat in sorted(match.awaited)]
        due = None if turn is None else turn.due_at
        waits = turn is not None and who.seat is not None and int(who.seat) in turn.waits
        progress = Progress(missing, due, port.zone(who), waits)
        return enclosures.status(match, progress, self._reader, for_master=False)

    def _preview(self, _: Command) -> Iterator[Block]:
        port, who = self._port, self._who
        seen = game_master.preview(port.tx, port.cache, port.person(who), port.table_of(who).id)
        progress = Progress(seen.missing, seen.due_at, port.zone(who))
        return enclosures.status(port.match(who), progress, self._reader, for_master=True)


def _reports(match: Match, reader: Reader, given: Given) -> Iterator[Block]:
    """The reports of the turns that are asked for."""
    assert given.turns is not None
    ends = {0: 0}  # the entry after which each turn was over
    for ply in range(1, match.ply + 1):
        if match.log[ply - 1].kind in OPENS or not match.game.sealed:
            ends[len(ends)] = ply
    first, last = given.turns
    wanted = [
        (turn, ends[turn - 1], ends[turn])
        for turn in range(max(first, 1), min(last, len(ends) - 1) + 1)
    ]
    return enclosures.history(match, reader, wanted[:MOST_TURNS])
