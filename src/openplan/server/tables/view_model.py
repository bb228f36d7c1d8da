"""What a viewer is shown of a table, from the viewer's own view and record.

The same for HTTP, sockets and exports. The time of day is in none of it, so the same knowledge
gives the same bytes.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from openplan.core.deal import Draw
from openplan.core.deck import Deck
from openplan.core.game import OPEN, AnyGame, Seat, Viewer
from openplan.core.lines import shown_plainly
from openplan.core.match import Match
from openplan.core.record import format_entry, viewer_name, viewer_named, write_record
from openplan.core.telling import tell_outcome, tell_seen, tell_view
from openplan.server.errors import DoesNotReplay, Missing
from openplan.server.people import reliability
from openplan.server.store import Tx
from openplan.server.store.rows import ChatRow, SeatRow
from openplan.server.tables import game_master, overdue, turns
from openplan.server.tables.access import FROZEN, FoundTable
from openplan.server.tables.chance import opened
from openplan.server.tables.match_cache import MatchCache, deck_of
from openplan.server.tables.options import AbsenceRule, PressRule, TableOptions
from openplan.server.tables.press import ALL, MASTER, PressLine, read_with
from openplan.server.tables.standby import standing_by
from openplan.server.tables.timed_match import TimedMatch


class SeatSight(msgspec.Struct):
    seat: str
    called: str
    """What the game calls the seat, in your language."""
    kind: str
    """person, bot or empty"""
    name: str
    person: str | None
    """Whose profile it is at /api/people/..."""
    is_you: bool
    """You look from it."""
    is_yours: bool
    """You hold it; at a hot-seat table you may hold several and name one by `?seat=`."""
    stands_in: bool
    """A bot that plays for somebody who may come back."""
    is_open: bool
    """Who stands by may take it."""
    is_withdrawn: bool
    orders: turns.OrderState | None
    """How a seat stands with its sealed orders; your own only, where the table does not tell who
    has sent any."""


class ClockSight(msgspec.Struct):
    """A seat's time: `left` microseconds at the time `at`; it is up at `due` if it runs."""

    seat: str | None
    left: int | None
    due: int | None


class OfferSight(msgspec.Struct):
    """What waits for consent; a roll-back names an entry by its number in your record."""

    kind: str
    by: list[str]
    number: int | None


class UndoSight(msgspec.Struct):
    """Your last move, by its number in your record, where it can be taken back."""

    number: int
    asks: bool
    """Only if all agree."""


class Told(msgspec.Struct):
    """An entry of the viewer's own record, and what it caused, as data and in words."""

    number: int
    text: str
    events: list[dict[str, Any]] = []


class TurnSight(msgspec.Struct):
    """A turn and its deadline."""

    number: int
    began_at: int
    due_at: int
    acts_at: int
    """When the rule for absence comes in; until then what is late still counts."""
    is_overdue: bool
    late: list[str] | None
    """Who is late; nothing where the table does not tell who has sent orders."""
    waits: bool | None
    """Whether you want the turn to wait for its deadline; nothing if that is not for you to say."""
    orders: list[turns.OrderState | None]
    """By seat: as its `orders` say."""


class NextMaster(msgspec.Struct):
    """Somebody who would be the game master, and the seats that have agreed."""

    name: str
    by: list[str]


class Announcement(msgspec.Struct):
    """What the game master said last to everybody."""

    text: str
    at: int


class LostSeat(msgspec.Struct):
    """You had a seat here and have it no more: which one, if you had it from the start, and whether
    the game master took it."""

    seat: str | None
    by_master: bool


class Duty(msgspec.Struct):
    """A table's time and order: its turn, its rules for absence and press, its game master, who
    stands by."""

    turn: TurnSight | None
    absence: AbsenceRule
    press: PressRule
    press_lines: int
    """How many lines of press you can read by now."""
    master: str | None
    """The game master's name."""
    is_master: bool
    master_invite: str | None
    """For the game master: whoever gets this may become the game master."""
    next_master: NextMaster | None
    """Who would be the game master, while it waits for all seats to agree."""
    announcement: Announcement | None
    last_act: game_master.AuditLine | None
    """What was done last at the table besides playing; for its seats and its master."""
    lost_seat: LostSeat | None
    standbys: int
    is_standby: bool
    rematch: list[str]
    """Seats of a finished match whose players sit at the next table already."""


class Sitting(msgspec.Struct, frozen=True, gc=False):
    """Of `seats`: who sits somewhere."""

    user_id: str


class TableSight(TableOptions, frozen=True):
    """A table with its options. `is_public` is `public`."""

    id: str
    game: str
    title: str
    rules_version: int
    deck: dict[str, str]
    is_public: bool
    state: str
    seats: list[SeatSight]
    you: str | None
    is_owner: bool
    invite: str | None
    version: int
    to_act: list[str]
    is_paused: bool
    clocks: list[ClockSight]
    at: int | None
    offers: list[OfferSight]
    undo: UndoSight | None
    duty: Duty
    commitment: str | None
    outcome: dict[str, Any] | None
    view: dict[str, Any] | None


class Moment(msgspec.Struct):
    """The table as a viewer knew it after an entry of the record."""

    viewer: str
    number: int
    of: int
    entry: str | None
    view: dict[str, Any]


class Verification(msgspec.Struct):
    """The commitment from the start; once the match is over, the chance that it sealed, as lines
    from which the deal is drawn, and every draw. An older match has a salt instead of them."""

    commitment: str
    salt: str | None
    chance: list[str] | None
    draws: list[Draw] | None
    deal: dict[str, list[str]] | None
    record: str | None


class ChatLine(msgspec.Struct):
    room: str
    seat: str | None
    name: str
    person: str | None
    text: str
    at: int


# -- The table now ---------------------------------------------------------------------------


def see(
    tx: Tx, cache: MatchCache, here: FoundTable, user: str | None, language: str = "en"
) -> TableSight:
    return _looked_at(tx, cache, here, user, None, language)[0]


def see_with_told(
    tx: Tx, cache: MatchCache, here: FoundTable, user: str | None, since: int, language: str = "en"
) -> tuple[TableSight, list[Told]]:
    """The table, and the entries of the viewer's record after number `since`."""
    return _looked_at(tx, cache, here, user, since, language)


def _looked_at(
    tx: Tx, cache: MatchCache, here: FoundTable, user: str | None, since: int | None, language: str
) -> tuple[TableSight, list[Told]]:
    if here.row.deal is not None:
        try:
            with cache.timed(tx, here.row) as timed:
                match, order = timed.match, see_duty(tx, here, user, timed)
                seen = _see(here, user, timed, match.deck, order, language)
                return seen, [] if since is None else told(match, here.seat, since, language)
        except DoesNotReplay:
            if here.row.state != FROZEN:
                raise
    # Not begun, or nothing can be shown of it: who sits there, and how it stands.
    order = see_duty(tx, here, user, None)
    return _see(here, user, None, deck_of(tx, here.row), order, language), []


def told(match: Match, viewer: Viewer, since: int, language: str = "en") -> list[Told]:
    game = match.game
    return [
        Told(
            number,
            format_entry(game, number, entry),
            [tell_seen(game, event, language) for event in events],
        )
        for (number, entry), events in zip(
            match.told(viewer, since), match.events_told(viewer, since), strict=True
        )
    ]


def _see(
    here: FoundTable,
    user: str | None,
    timed: TimedMatch | None,
    deck: Deck,
    order: Duty,
    language: str,
) -> TableSight:
    row, game = here.row, here.game
    match = None if timed is None else timed.match
    is_owner = user is not None and row.owner_id == user
    is_one_of_us = is_owner or bool(here.own)
    return TableSight(
        id=row.id,
        game=row.game,
        title=game.title,
        rules_version=row.rules_version,
        deck={"name": deck.name, "title": deck.title, "hash": deck.hash},
        **msgspec.structs.asdict(here.options),
        is_public=here.options.public,
        state=row.state,
        seats=[_seat(game, here, seat, match, order.turn, language) for seat in here.seats],
        you=None if here.seat is None else game.seats[here.seat],
        is_owner=is_owner,
        invite=row.invite if is_one_of_us and row.state == "waiting" else None,
        version=0 if match is None else match.version(here.seat),
        to_act=[] if match is None else [game.seats[seat] for seat in sorted(match.to_act)],
        is_paused=match is not None and match.paused,
        clocks=[] if timed is None else _clocks(game, timed, order),
        at=None if timed is None or timed.rule.kind != "live" else timed.at,
        offers=[] if match is None else _offers(here, match),
        undo=None if match is None else _undo(here, match),
        duty=order,
        commitment=row.commitment,
        outcome=None if match is None else tell_outcome(game, match.outcome, language),
        view=None if match is None else tell_view(game, match.view(here.seat), language),
    )


def _seat(
    game: AnyGame,
    here: FoundTable,
    row: SeatRow,
    match: Match | None,
    turn: TurnSight | None,
    language: str,
) -> SeatSight:
    kind = "bot" if row.bot is not None else "empty" if row.user_id is None else "person"
    # At the end the seats say who played; the match has the names that were told in it.
    is_stored = match is None or here.options.anonymous
    name = row.name if is_stored or match is None else match.names[row.seat]
    is_you, is_yours = row.seat == here.seat, row.seat in here.own
    return SeatSight(
        seat=game.seats[row.seat],
        called=game.seat_name(row.seat, language),
        kind=kind,
        name=name,
        person=row.user_id if is_yours or not here.hides_names else None,
        is_you=is_you,
        is_yours=is_yours,
        stands_in=row.bot is not None and row.user_id is not None,
        is_open=bool(row.is_open),
        is_withdrawn=match is not None and row.seat in match.withdrawn,
        orders=None if turn is None else turn.orders[row.seat],
    )


def see_duty(tx: Tx, here: FoundTable, user: str | None, timed: TimedMatch | None) -> Duty:
    row = here.row
    is_master = user is not None and here.master == user
    names = [seat.name for seat in here.seats]
    lines = read_with(tx, here, user, names)
    standing = {standby for standby, _ in standing_by(tx, here)}
    return Duty(
        turn=None if timed is None else _turn(tx, here, timed),
        absence=here.options.absence,
        press=here.options.press,
        press_lines=len(lines),
        master=row.master if here.master is not None and here.shows_person(here.master) else None,
        is_master=is_master,
        master_invite=row.master_invite if is_master else None,
        next_master=_next_master(here),
        announcement=_announcement(lines),
        last_act=game_master.last_act(tx, here, user),
        lost_seat=None if user is None else _lost_seat(tx, here, user),
        standbys=len(standing),
        is_standby=user in standing,
        rematch=_again(tx, here),
    )


def _announcement(lines: list[PressLine]) -> Announcement | None:
    said = [line for line in lines if line.by == MASTER and line.to == [ALL]]
    return None if not said else Announcement(said[-1].text, said[-1].at or 0)


def _lost_seat(tx: Tx, here: FoundTable, user: str) -> LostSeat | None:
    if here.own or here.row.deal is None or not reliability.has_abandoned(tx, user, here.id):
        return None
    first = [here.game.seats[row.seat] for row in here.seats if row.first_user_id == user]
    taken = game_master.seats_ejected(tx, here)
    return LostSeat(next(iter(first), None), any(seat in taken for seat in first))


def _again(tx: Tx, here: FoundTable) -> list[str]:
    if here.row.state != "over":
        return []
    found = tx.rows(
        Sitting,
        "SELECT user_id FROM seats WHERE user_id IS NOT NULL AND table_id IN"
        " (SELECT id FROM tables WHERE rematch_of = ?)",
        here.row.id,
    )
    there = {one.user_id for one in found}
    return [here.game.seats[seat.seat] for seat in here.seats if seat.user_id in there]


def _next_master(here: FoundTable) -> NextMaster | None:
    row = here.row
    if row.next_master is None or here.options.rated:
        return None
    agreed = json.loads(row.next_master_by)
    by = [here.game.seats[seat.seat] for seat in here.seats if seat.user_id in agreed]
    return NextMaster(row.next_master if here.shows_person(row.next_master_id) else "", by)


def _turn(tx: Tx, here: FoundTable, timed: TimedMatch) -> TurnSight | None:
    turn = turns.current(tx, here, timed)
    if turn is None:
        return None
    late = overdue.late_told(here, timed, turn)
    match = timed.match
    is_waiter = here.game.sealed and here.seat in match.to_act
    is_told = here.game.shows_awaited(match.house)
    return TurnSight(
        number=turn.stretch.number,
        began_at=turn.stretch.began,
        due_at=turn.due_at,
        acts_at=turn.act_at,
        is_overdue=turn.is_overdue,
        late=None if late is None else [here.game.seats[seat] for seat in late],
        waits=here.seat in turn.waits if is_waiter else None,
        orders=[
            turn.state_of(Seat(seat.seat)) if is_told or seat.seat == here.seat else None
            for seat in here.seats
        ],
    )


def _clocks(game: AnyGame, timed: TimedMatch, order: Duty) -> list[ClockSight]:
    flag = timed.flag()
    if timed.rule.kind == "live":
        due = {} if flag is None else {flag.seat: flag.at}
        return [
            ClockSight(code, timed.left[number], due.get(Seat(number)))
            for number, code in enumerate(game.seats)
        ]
    if order.turn is None or timed.rule.kind == "none":
        return []
    # Whose sealed orders are missing is not told: then the deadline is everybody's.
    seats = [None] if game.sealed else sorted(timed.match.awaited)
    return [
        ClockSight(None if seat is None else game.seats[seat], None, order.turn.due_at)
        for seat in seats
    ]


def _offers(here: FoundTable, match: Match) -> list[OfferSight]:
    offers = []
    for kind, offer in json.loads(here.row.offers).items():
        entry, number = offer["entry"], None
        if entry:
            told_before = match.happenings[:entry]
            eyes = match.eyes(here.seat)
            number = sum(happened.text_for(eyes) is not None for happened in told_before)
        by = [here.game.seats[seat] for seat in offer["by"]]
        offers.append(OfferSight(kind, by, number))
    return offers


def _undo(here: FoundTable, match: Match) -> UndoSight | None:
    """As `moves.take_back` would have it."""
    if here.row.state != "playing" or match.outcome is not None or here.seat is None:
        return None
    last = match.last_move(here.seat)
    if last is None:
        return None
    number, is_free = last
    if is_free:
        return UndoSight(number, asks=False)
    if here.options.take_back != "friendly":
        return None
    return UndoSight(number, asks=any(seat not in here.own for seat in here.people()))


# -- Looking back ----------------------------------------------------------------------------


def viewpoint(here: FoundTable, match: Match, name: str) -> Viewer:
    """Whose eyes somebody may look through: one's own and a spectator's; any, once it is over."""
    viewer = here.seat if not name else viewer_named(here.game, name)
    if match.outcome is None and viewer is not None and viewer != here.seat:
        raise Missing
    return viewer


def moment(match: Match, viewer: Viewer, number: int, language: str = "en") -> Moment:
    """The table after entry `number` of the viewer's record; 0 is the start."""
    eyes = viewer if match.outcome is None else OPEN
    entries = match.told(eyes)
    ply = 0 if number == 0 else match.number_in_log(eyes, number)
    then = match.at(ply)
    entry = None if number == 0 else format_entry(match.game, *entries[number - 1])
    return Moment(
        viewer=viewer_name(match.game, viewer),
        number=number,
        of=len(entries),
        entry=entry,
        view=tell_view(match.game, then.view(viewer), language),
    )


def verification(match: Match) -> Verification:
    if match.outcome is None:
        return Verification(match.commitment, None, None, None, None, None)
    assert match.deal is not None
    deal = {label: list(cards) for label, cards in match.deal.items()}
    record = write_record(match)
    found = opened(match)
    if found is None:
        return Verification(match.commitment, match.salt, None, None, deal, record)
    return Verification(match.commitment, None, found[0], found[1], deal, record)


def chat_line(here: FoundTable, row: ChatRow) -> ChatLine:
    seat = None if row.seat is None else here.game.seats[row.seat]
    person = row.user_id if row.seat is None or not here.hides_names else None
    return ChatLine(row.room, seat, row.name, person, shown_plainly(row.text), row.at)
