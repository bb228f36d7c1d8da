"""What a viewer gets of a table: built from the viewer's own view and record, for HTTP, sockets and
exports alike. The time of day is in none of it, so the same knowledge gives the same bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from openplan.core.deal import Draw
from openplan.core.deck import Deck
from openplan.core.game import OPEN, AnyGame, Illegal, NotYourTurn, Over, Seat, Viewer
from openplan.core.match import Match
from openplan.core.record import format_entry, viewer_name, viewer_named, write_record
from openplan.server.errors import DoesNotReplay, Missing
from openplan.server.refusals import refused
from openplan.server.store import Row, Tx
from openplan.server.store.rows import SeatRow
from openplan.server.tables import duty
from openplan.server.tables.access import Place
from openplan.server.tables.chance import opened
from openplan.server.tables.duty import Duty
from openplan.server.tables.match_cache import MatchCache, deck_of
from openplan.server.tables.options import TableOptions
from openplan.server.tables.speech import tell_event, tell_outcome
from openplan.server.tables.timed_match import TimedMatch


class SeatSight(msgspec.Struct):
    seat: str
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


class Told(msgspec.Struct):
    """An entry of the viewer's own record, and what it caused, as data and in words."""

    number: int
    text: str
    events: list[dict[str, Any]] = []


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
    tx: Tx, cache: MatchCache, place: Place, user: str | None, language: str = "en"
) -> TableSight:
    return _looked_at(tx, cache, place, user, None, language)[0]


def see_with_told(
    tx: Tx, cache: MatchCache, place: Place, user: str | None, since: int, language: str = "en"
) -> tuple[TableSight, list[Told]]:
    """The table, and the entries of the viewer's record after number `since`."""
    return _looked_at(tx, cache, place, user, since, language)


def _looked_at(
    tx: Tx, cache: MatchCache, place: Place, user: str | None, since: int | None, language: str
) -> tuple[TableSight, list[Told]]:
    if place.row.deal is not None:
        try:
            with cache.timed(tx, place.row) as timed:
                match, order = timed.match, duty.see(tx, place, user, timed)
                seen = _see(place, user, timed, match.deck, order, language)
                return seen, [] if since is None else told(match, place.seat, since, language)
        except DoesNotReplay:
            if place.row.state != "held":
                raise
    # Not begun, or nothing can be shown of it: who sits there, and how it stands.
    order = duty.see(tx, place, user, None)
    return _see(place, user, None, deck_of(tx, place.row), order, language), []


def told(match: Match, viewer: Viewer, since: int, language: str = "en") -> list[Told]:
    game = match.game
    return [
        Told(
            number,
            format_entry(game, number, entry),
            [tell_event(game, event, language) for event in events],
        )
        for (number, entry), events in zip(
            match.told(viewer, since), match.events_told(viewer, since), strict=True
        )
    ]


def _see(
    place: Place, user: str | None, timed: TimedMatch | None, deck: Deck, order: Duty, language: str
) -> TableSight:
    row, game = place.row, place.game
    match = None if timed is None else timed.match
    is_owner = user is not None and row.owner_id == user
    is_one_of_us = is_owner or bool(place.own)
    return TableSight(
        id=row.id,
        game=row.game,
        title=game.title,
        rules_version=row.rules_version,
        deck={"name": deck.name, "title": deck.title, "hash": deck.hash},
        **msgspec.structs.asdict(place.options),
        is_public=place.options.public,
        state=row.state,
        seats=[_seat(game, place, seat, match) for seat in place.seats],
        you=None if place.seat is None else game.seats[place.seat],
        is_owner=is_owner,
        invite=row.invite if is_one_of_us and row.state == "waiting" else None,
        version=0 if match is None else match.version(place.seat),
        to_act=[] if match is None else [game.seats[seat] for seat in sorted(match.to_act)],
        is_paused=match is not None and match.paused,
        clocks=[] if timed is None else _clocks(game, timed, order),
        at=None if timed is None or timed.rule.kind != "live" else timed.at,
        offers=[] if match is None else _offers(place, match),
        duty=order,
        commitment=row.commitment,
        outcome=None if match is None else tell_outcome(game, match.outcome, language),
        view=None if match is None else game.view_data(match.view(place.seat)),
    )


def _seat(game: AnyGame, place: Place, row: SeatRow, match: Match | None) -> SeatSight:
    kind = "bot" if row.bot is not None else "empty" if row.user_id is None else "person"
    name = row.name if match is None else match.names[row.seat]
    is_you, is_yours = row.seat == place.seat, row.seat in place.own
    return SeatSight(
        seat=game.seats[row.seat],
        kind=kind,
        name=name,
        person=row.user_id,
        is_you=is_you,
        is_yours=is_yours,
        stands_in=row.bot is not None and row.user_id is not None,
        is_open=bool(row.is_open),
        is_withdrawn=match is not None and row.seat in match.withdrawn,
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


def _offers(place: Place, match: Match) -> list[OfferSight]:
    offers = []
    for kind, offer in json.loads(place.row.offers).items():
        entry, number = offer["entry"], None
        if entry:
            told_before = match.happenings[:entry]
            eyes = match.eyes(place.seat)
            number = sum(happened.text_for(eyes) is not None for happened in told_before)
        by = [place.game.seats[seat] for seat in offer["by"]]
        offers.append(OfferSight(kind, by, number))
    return offers


# -- Choices ---------------------------------------------------------------------------------


class StepSight(msgspec.Struct):
    kind: str
    value: str


class OptionsSight(msgspec.Struct):
    """The next steps, and the move that those taken already make."""

    version: int
    next: list[StepSight]
    whole: str | None


class Verdict(msgspec.Struct):
    is_legal: bool
    code: str | None
    reason: str | None
    clause: str | None


class PreviewSight(msgspec.Struct):
    version: int
    view: dict[str, Any]
    events: list[dict[str, Any]]
    points: int


def options(match: Match, seat: Seat, steps: Sequence[str]) -> OptionsSight:
    found = match.game.options(_choosing(match, seat), steps)
    steps_next = [StepSight(step.kind, step.value) for step in found.next]
    return OptionsSight(match.version(seat), steps_next, found.whole)


def why(match: Match, seat: Seat, text: str, language: str = "en") -> Verdict:
    move = match.game.parse_move(match.deck, text)
    refusal = match.game.why_not(_choosing(match, seat), move)
    if refusal is None:
        return Verdict(True, None, None, None)
    reason = match.game.say(refusal.code, refusal.params, language)
    return Verdict(False, refusal.code, reason, refusal.clause)


def preview(match: Match, seat: Seat, text: str, language: str = "en") -> PreviewSight:
    game, view = match.game, _choosing(match, seat)
    move = game.parse_move(match.deck, text)
    refusal = game.why_not(view, move)
    if refusal is not None:
        reason = game.say(refusal.code, refusal.params, language)
        raise Illegal(refusal.code, reason, refusal.clause)
    after = game.preview(view, move)
    events = [tell_event(game, event.seen_by(seat), language) for event in after.events]
    return PreviewSight(match.version(seat), game.view_data(after.view), events, after.points)


def _choosing(match: Match, seat: Seat) -> Any:
    """The view of a seat that has something to choose."""
    check_choosing(match, seat)
    return match.view(seat)


def check_choosing(match: Match, seat: Seat) -> None:
    if match.outcome is not None:
        raise refused(Over, "over")
    if match.paused:
        raise refused(Illegal, "paused")
    if seat not in match.to_act:
        raise refused(NotYourTurn, "not-your-turn")


# -- Looking back ----------------------------------------------------------------------------


def viewpoint(place: Place, match: Match, name: str) -> Viewer:
    """Whose eyes somebody may look through: one's own and a spectator's; any, once it is over."""
    viewer = place.seat if not name else viewer_named(place.game, name)
    if match.outcome is None and viewer is not None and viewer != place.seat:
        raise Missing
    return viewer


def moment(match: Match, viewer: Viewer, number: int) -> Moment:
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
        view=match.game.view_data(then.view(viewer)),
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


def chat_line(game: AnyGame, row: Row) -> ChatLine:
    seat = None if row.seat is None else game.seats[row.seat]
    return ChatLine(row.room, seat, row.name, row.user_id, row.text, row.at)
