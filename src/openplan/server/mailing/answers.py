"""The answer to one mail, and what it encloses, from what its writer may know."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from openplan.core.game import AnyGame, GameError
from openplan.core.registry import game_named
from openplan.mail.commands.items import Command
from openplan.mail.commands.judge import Judgement
from openplan.mail.commands.port import Bearer, Role
from openplan.mail.inbound.tokens import GUEST, HOUSE, MASTER, SEAT, Claim, make_token
from openplan.mail.outbound import enclosures
from openplan.mail.outbound.answer_letters import answer
from openplan.mail.outbound.enclosures import Listed, Progress
from openplan.mail.outbound.letter import Block, Words
from openplan.mail.outbound.table_letters import Reader, draw_hand, draw_table
from openplan.mail.sentences.verdicts import reason_of
from openplan.server.mailing.letter_writer import facts_of, table_name, table_named, turn_of
from openplan.server.mailing.port import House
from openplan.server.notify import letters
from openplan.server.store.rows import ListedTable
from openplan.server.tables import game_master, turns
from openplan.server.tables.access import Place, find
from openplan.server.tables.lifecycle import mastered_tables, own_tables, public_tables
from openplan.server.tables.moves import OPENS
from openplan.server.tables.turns import Turn

if TYPE_CHECKING:
    from openplan.server.ops.site import Site

MOST_TURNS = 20
"""Reports in one answer to HISTORY."""


class Answering:
    def __init__(self, house: House, judgement: Judgement, who: Bearer, site: Site) -> None:
        self._house = house
        self._judgement = judgement
        self._who = who
        self._site = site
        # A master who became a player still reads the answer as the master.
        seat = who.seat if who.role is Role.SEAT else None
        # This mail may have changed it, or brought an account about.
        language = letters.language_of(house.tx, who.person, who.language)
        self._reader = Reader(seat, "", language, who.role is Role.MASTER)

    def post(self) -> None:
        house, who, reader, settings = self._house, self._who, self._reader, self._site.settings
        match = table = None
        title = "Open Plan"
        if self._is_begun():
            place = house.place(who)
            match, title = house.match(who), place.game.title
            reader = self._with_token(self._table_token(turn_of(match)))
            turn = self._turn()
            times = {} if turn is None else {"due": turn.due_at}
            table = facts_of(house.tx, place, match, times, who.person, settings.address)
        elif who.role is Role.GUEST and who.table != HOUSE:
            # The invitation's own, so that whoever slips can try again. Once it has served, orders
            # are to answer the letter with the hand, and not this one.
            if not self._judgement.has_acted:
                claim = Claim(who.table, GUEST, None, who.turn)
                reader = self._with_token(make_token(house.key, claim, who.proof))
        elif "@" not in who.person:
            reader = self._with_token(house.visitor_token(who.person))
        enclosed = [block for ask in self._judgement.asks for block in self._enclosed(ask)]
        letter = answer(self._judgement, title, match, table, reader, enclosed)
        letters.post_whole(
            house.tx,
            who.person,
            letter,
            house.now,
            table=None if who.table in ("", HOUSE) else house.place(who).id,
            reply_to=settings.reply_address(reader.token) if reader.token else "",
            answers=self._judgement.mail.name if "@" in self._judgement.mail.name else "",
        )

    def _is_begun(self) -> bool:
        who = self._who
        is_at_table = who.role in (Role.SEAT, Role.MASTER)
        return is_at_table and self._house.place(who).row.deal is not None

    def _table_token(self, turn: int) -> str:
        who = self._who
        role = MASTER if who.role is Role.MASTER else SEAT
        claim = Claim(who.table, role, who.seat if role == SEAT else None, turn)
        return make_token(self._house.key, claim, who.person)

    def _with_token(self, token: str) -> Reader:
        reader = self._reader
        return Reader(reader.seat, token, reader.language, reader.is_master)

    def _turn(self) -> Turn | None:
        house = self._house
        place = house.place(self._who)
        if place.row.state != "playing":  # a match that was ended without a result has no deadline
            return None
        with house.cache.timed(house.tx, place.row) as timed:
            return turns.current(house.tx, place, timed)

    # -- What is asked for -------------------------------------------------------------------

    def _enclosed(self, ask: Command) -> Iterator[Block]:
        asks: dict[str, Callable[[Command], Iterator[Block]]] = {
            "HELP": lambda ask: enclosures.help_(
                self._who.role, ask.given.topic, self._reader.language
            ),
            "LIST": self._list,
            "GAME": self._game,
            "RULES": self._rules,
            "HISTORY": self._history,
            "STATUS": self._status,
            "PREVIEW": self._preview,
            "DIARY": lambda _: enclosures.diary(
                self._house.diary(self._who), self._reader.language
            ),
            "HAND": lambda _: draw_hand(self._house.match(self._who), self._reader),
            "MAP": lambda _: draw_table(self._house.match(self._who), self._reader),
            "FORECAST": lambda _: enclosures.forecast(self._house.match(self._who), self._reader),
        }
        try:
            yield from list(asks[ask.verb.word](ask))
        except GameError as error:
            yield Words(f"{ask.verb.word}: {reason_of(error, self._reader.language)}")

    def _list(self, _: Command) -> Iterator[Block]:
        """One's own games with the address to write to, should the letters be lost; and all that
        are open to everybody."""
        house, who = self._house, self._who
        own: list[Listed] = []
        if "@" not in who.person:
            person = house.person(Bearer(who.person, Role.KNOWN))
            found = (*own_tables(house.tx, person), *mastered_tables(house.tx, person))
            rows = {row.id: row for row in found}
            own = [
                self._listed(row, find(house.tx, row.id, person))
                for row in rows.values()
                if row.state in ("waiting", "playing", "held")
            ]
        names = {row.name for row in own}
        others = [self._listed(row, None) for row in public_tables(house.tx)]
        others = [row for row in others if row.name not in names]
        yield from enclosures.tables(own, others, self._reader.language)

    def _listed(self, row: ListedTable, place: Place | None) -> Listed:
        house, name = self._house, table_name(self._house.tx, row.id)
        title = game_named(row.game).title
        if place is None:
            return Listed(name, title, row.state, row.empty)
        empty = place.empty
        seats = [one for one in place.seats if one.user_id == self._who.person]
        is_master = place.row.master_id == self._who.person and not seats
        address = ""
        if place.row.deal is not None and (seats or is_master):
            with house.cache.timed(house.tx, place.row) as timed:
                turn = turn_of(timed.match)
            role, seat = (MASTER, None) if is_master else (SEAT, seats[0].seat)
            token = make_token(house.key, Claim(name, role, seat, turn), self._who.person)
            address = self._site.settings.reply_address(token)
        code = place.game.seats[seats[0].seat] if seats else ""
        return Listed(name, title, row.state, empty, code, is_master, address)

    def _game(self, ask: Command) -> Iterator[Block]:
        """As everybody may know it who may know of it at all."""
        house, language = self._house, self._reader.language
        table = table_named(house.tx, ask.given.table)
        person = house.person(Bearer(self._who.person, Role.KNOWN))
        place = find(house.tx, table or "", person)
        empty = place.empty
        title, state = place.game.title, place.row.state
        yield from enclosures.game_heading(ask.given.table, title, state, empty, language)
        if place.row.deal is not None:
            with house.cache.timed(house.tx, place.row) as timed:
                match = timed.match
            yield from draw_table(match, Reader(None, "", language))

    def _rules(self, ask: Command) -> Iterator[Block]:
        who = self._who
        game: AnyGame | None = None
        if who.role in (Role.SEAT, Role.MASTER):
            game = self._house.place(who).game
        site = self._site.settings.address
        return enclosures.rules(game, ask.given.topic, site, self._reader.language)

    def _history(self, ask: Command) -> Iterator[Block]:
        house, given, reader = self._house, ask.given, self._reader
        if given.table:
            person = house.person(Bearer(self._who.person, Role.KNOWN))
            place = find(house.tx, table_named(house.tx, given.table) or "", person)
            seats = [row.seat for row in place.seats if row.user_id == person.id]
            reader = Reader(seats[0] if len(seats) == 1 else None, "", reader.language)
            match = house.match_at(place)
        else:
            match = house.match(self._who)
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

    def _status(self, _: Command) -> Iterator[Block]:
        house, who = self._house, self._who
        place, match, turn = house.place(who), house.match(who), self._turn()
        missing = None
        if place.game.shows_awaited(match.house):
            missing = [place.game.seats[seat] for seat in sorted(match.awaited)]
        due = None if turn is None else turn.due_at
        waits = turn is not None and who.seat is not None and int(who.seat) in turn.waits
        progress = Progress(missing, due, house.zone(who), waits)
        return enclosures.status(match, progress, self._reader, for_master=False)

    def _preview(self, _: Command) -> Iterator[Block]:
        house, who = self._house, self._who
        seen = game_master.preview(house.tx, house.cache, house.person(who), house.place(who).id)
        progress = Progress(seen.missing, seen.due_at, house.zone(who))
        return enclosures.status(house.match(who), progress, self._reader, for_master=True)
