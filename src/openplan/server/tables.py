"""What people do at a table: use-cases, each a function over one transaction.

A use-case finds the table as its caller may see it, lets the match judge, writes the entry and what
follows from it, and names the table to be told of after the commit. Clients name entries by their
numbers in their own record and look at the version of their own view; the log's own ply stays here.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from openplan.bots import bot_named
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Illegal, Over, Seat, Unreadable
from openplan.core.match import Match, complete_house
from openplan.core.registry import game_named
from openplan.server import outbox
from openplan.server.accounts import Person, new_id
from openplan.server.clock import ClockRule, Sitting, checked_rule
from openplan.server.faults import Forbidden, Missing, TimeIsUp
from openplan.server.shelf import Shelf, deck_of, deck_text
from openplan.server.speech import tell_event
from openplan.server.store import Row, Tx

MAX_LISTED: Final = 100
MAX_CHAT: Final = 500
MAX_NOTES: Final = 20_000
CHAT_SHOWN: Final = 200
CONSENTS: Final = ("draw", "pause", "resume", "roll-back")

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
# All but the deck's text, which is long, and only wanted when its match comes into memory.
_TABLE: Final = (
    "SELECT id, game, rules_version, deck_name, deck_hash, house, clock, is_public, state,"
    " owner_id, invite, deal, salt, commitment, first_names, offers, rematch_of, started_at,"
    " (SELECT COALESCE(MAX(ply), 0) FROM entries WHERE table_id = tables.id) AS ply"
    " FROM tables WHERE id = ?"
)


# -- A table and who looks at it -------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """A table as found for one person, and where that person sits."""

    row: Row
    seats: Sequence[Row]
    game: AnyGame
    seat: Seat | None

    @property
    def id(self) -> str:
        table: str = self.row.id
        return table

    def own_seat(self) -> Seat:
        if self.seat is None:
            raise Forbidden("not-seated", "you have no seat at this table")
        return self.seat

    def people(self) -> list[Seat]:
        return [Seat(row.seat) for row in self.seats if row.bot is None]


def find(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> Place:
    """The table, if this person may know of it. A hidden one and a missing one are answered alike.

    Whoever is going to change it locks it first, so that what was read stays true."""
    place = load(tx, table, None if person is None else person.id, lock=lock)
    if place is None:
        raise Missing
    row = place.row
    is_owner = person is not None and row.owner_id == person.id
    invited = hmac.compare_digest(invite.encode("utf-8", "replace"), row.invite.encode())
    if not (row.is_public or place.seat is not None or is_owner or invited):
        raise Missing
    return place


def load(tx: Tx, table: str, user: str | None, *, lock: bool = False) -> Place | None:
    """The table as it is, without asking who may know of it."""
    if not _TOKEN.fullmatch(table):
        return None
    row = tx.one(_TABLE + (tx.for_update if lock else ""), table)
    if row is None:
        return None
    seats = tx.execute("SELECT * FROM seats WHERE table_id = ? ORDER BY seat", table)
    own = [Seat(seat.seat) for seat in seats if user is not None and seat.user_id == user]
    return Place(row, seats, game_named(row.game), own[0] if own else None)


def find_begun(
    tx: Tx, table: str, person: Person | None, invite: str = "", *, lock: bool = False
) -> Place:
    place = find(tx, table, person, invite, lock=lock)
    if place.row.state == "waiting":
        raise Illegal("not-started", "the match has not begun")
    if place.row.state == "aborted":
        raise Over("aborted", "the match was called off")
    return place


def find_playing(tx: Tx, table: str, person: Person | None) -> Place:
    place = find_begun(tx, table, person, lock=True)
    if place.row.state == "over":
        raise Over("over", "the match is over")
    if place.row.state == "held":
        raise Illegal("held", "the match is held until its keeper has looked into it")
    return place


# -- Before the match ------------------------------------------------------------------------


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`me`, `open` or `bot` with a bot's name."""

    kind: str
    bot: str = ""


class NewTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """With no `seats`: you in the first, the others open. `deck` names one that comes with the
    game; `deck_text` is a deck of your own."""

    game: str
    deck: str = ""
    deck_text: str = ""
    house: dict[str, str] = msgspec.field(default_factory=dict)
    clock: ClockRule = ClockRule()
    public: bool = False
    seats: list[NewSeat] = msgspec.field(default_factory=list)
    starts_when_full: bool = True


def create(
    tx: Tx, shelf: Shelf, person: Person, wish: NewTable, deck: Deck, text: str, now: int
) -> str:
    """A new table; the match begins at once if no seat is left to be taken."""
    game = game_named(wish.game)
    seats = wish.seats or [NewSeat("me"), *(NewSeat("open") for _ in game.seats[1:])]
    if len(seats) != len(game.seats):
        raise Illegal("seats", f"{game.title} has {len(game.seats)} seats, not {len(seats)}")
    kinds = [seat.kind for seat in seats]
    if unknown := [kind for kind in kinds if kind not in ("me", "open", "bot")]:
        raise Unreadable("seats", f"a seat is me, open or bot, not {unknown[0][:40]!r}")
    if kinds.count("me") > 1:
        raise Illegal("two-seats", "one person has one seat at a table")
    if "me" not in kinds and "open" not in kinds:
        raise Illegal("seats", "a table needs a seat for somebody")
    for seat in seats:
        if seat.kind == "bot":
            bot_named(seat.bot)
        elif seat.bot:
            raise Unreadable("seats", "only a bot's seat names a bot")
    table = _insert(
        tx,
        person,
        now,
        game=game,
        deck=deck,
        deck_text=text,
        house=complete_house(game, wish.house),
        clock=checked_rule(wish.clock, game),
        public=wish.public,
        starts_when_full=wish.starts_when_full,
        rematch_of=None,
    )
    for number, seat in enumerate(seats):
        if seat.kind == "me":
            _seat(tx, table, number, person.id, None, person.name, now)
        elif seat.kind == "bot":
            _seat(tx, table, number, None, seat.bot, f"{seat.bot} (bot)", now)
        else:
            _seat(tx, table, number, None, None, "", None)
    tx.notify("list", "")
    _begin_if_full(tx, shelf, find(tx, table, person, lock=True), now)
    return table


def _insert(
    tx: Tx,
    person: Person,
    now: int,
    *,
    game: AnyGame,
    deck: Deck,
    deck_text: str,
    house: Mapping[str, str],
    clock: ClockRule,
    public: bool,
    starts_when_full: bool,
    rematch_of: str | None,
) -> str:
    table = new_id()
    tx.execute(
        "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text, house,"
        " clock, is_public, take_back, state, owner_id, invite, offers, rematch_of, created_at,"
        " changed_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'strict', 'waiting', ?, ?, ?, ?, ?, ?)",
        table,
        game.name,
        game.rules_version,
        deck.name,
        deck.hash,
        deck_text,
        json.dumps(house),
        msgspec.json.encode(clock).decode(),
        int(public),
        person.id,
        secrets.token_urlsafe(16),
        json.dumps({} if starts_when_full else {"start": {"entry": 0, "by": []}}),
        rematch_of,
        now,
        now,
    )
    return table


def _seat(
    tx: Tx, table: str, number: int, user: str | None, bot: str | None, name: str, at: int | None
) -> None:
    tx.execute(
        "INSERT INTO seats (table_id, seat, user_id, bot, name, joined_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        table,
        number,
        user,
        bot,
        name,
        at,
    )


def join(
    tx: Tx, shelf: Shelf, person: Person, table: str, code: str, invite: str, now: int
) -> None:
    """Take an empty seat: the one named, or the first."""
    place = find(tx, table, person, invite, lock=True)
    if place.seat is not None:
        raise Illegal("two-seats", "you have a seat at this table already")
    _check_waiting(place)
    empty = [row.seat for row in place.seats if row.user_id is None and row.bot is None]
    if code:
        empty = [seat for seat in empty if seat == seat_coded(place.game, code)]
    if not empty:
        raise Illegal("taken", "there is no such empty seat")
    tx.execute(
        "UPDATE seats SET user_id = ?, name = ?, joined_at = ? WHERE table_id = ? AND seat = ?",
        person.id,
        person.name,
        now,
        table,
        empty[0],
    )
    tx.notify("table", table)
    _begin_if_full(tx, shelf, find(tx, table, person, lock=True), now)


def leave(tx: Tx, person: Person, table: str) -> None:
    """Give back a seat before the match has begun."""
    place = find(tx, table, person, lock=True)
    seat = place.own_seat()
    _check_waiting(place)
    tx.execute(
        "UPDATE seats SET user_id = NULL, name = '', joined_at = NULL"
        " WHERE table_id = ? AND seat = ?",
        table,
        seat,
    )
    tx.notify("table", table)


def start(tx: Tx, shelf: Shelf, person: Person, table: str, now: int) -> None:
    """The owner begins a match whose seats are all taken."""
    place = find(tx, table, person, lock=True)
    if place.row.owner_id != person.id:
        raise Forbidden("not-owner", "whoever made the table starts it")
    _check_waiting(place)
    if not _is_full(place):
        raise Illegal("empty-seat", "a seat is still empty")
    _begin(tx, shelf, place, now)


def abort(tx: Tx, person: Person, table: str, now: int) -> None:
    """Call it off before the first move."""
    place = find(tx, table, person, lock=True)
    if place.seat is None and place.row.owner_id != person.id:
        raise Forbidden("not-seated", "only who sits at the table or made it can call it off")
    if place.row.state not in ("waiting", "playing"):
        raise Over("over", "the match is over")
    if place.row.ply:
        raise Illegal("begun", "a match cannot be called off after the first move")
    tx.execute(
        "UPDATE tables SET state = 'aborted', ended_at = ?, changed_at = ? WHERE id = ?",
        now,
        now,
        table,
    )
    outbox.wake(tx, table, None)
    tx.notify("table", table)


def rematch(tx: Tx, shelf: Shelf, person: Person, table: str, now: int) -> str:
    """The same again with the seats moved on by one; whoever asks second takes their seat there."""
    place = find(tx, table, person, lock=True)
    own = place.own_seat()
    if place.row.state != "over":
        raise Illegal("not-over", "a rematch comes after the match")
    count = len(place.seats)
    found = tx.one("SELECT id, invite FROM tables WHERE rematch_of = ?", table)
    if found is not None:
        again = find(tx, found.id, person, found.invite)
        if again.seat is None and again.row.state == "waiting":
            code = place.game.seats[(own + 1) % count]
            join(tx, shelf, person, again.id, code, found.invite, now)
        return again.id
    new = _insert(
        tx,
        person,
        now,
        game=place.game,
        deck=deck_of(tx, place.row),
        deck_text=deck_text(tx, place.row),
        house=json.loads(place.row.house),
        clock=msgspec.json.decode(place.row.clock, type=ClockRule),
        public=bool(place.row.is_public),
        starts_when_full=True,
        rematch_of=table,
    )
    for number in range(count):
        old = place.seats[(number - 1) % count]
        if old.seat == own:
            _seat(tx, new, number, person.id, None, person.name, now)
        else:
            _seat(tx, new, number, None, old.bot, old.name if old.bot else "", None)
    tx.notify("table", table)
    _begin_if_full(tx, shelf, find(tx, new, person, lock=True), now)
    return new


def public_tables(tx: Tx) -> list[Row]:
    """Those that wait for somebody first, then the others, the newest first."""
    return tx.execute(
        "SELECT id, game, state, clock, created_at,"
        " (SELECT COUNT(*) FROM seats WHERE table_id = tables.id AND user_id IS NULL"
        " AND bot IS NULL) AS empty FROM tables"
        " WHERE is_public = 1 AND state IN ('waiting', 'playing')"
        " ORDER BY state DESC, created_at DESC LIMIT ?",
        MAX_LISTED,
    )


def own_tables(tx: Tx, person: Person) -> list[Row]:
    return tx.execute(
        "SELECT tables.id, game, tables.state, clock, created_at,"
        " (SELECT COUNT(*) FROM seats AS others WHERE others.table_id = tables.id"
        " AND others.user_id IS NULL AND others.bot IS NULL) AS empty FROM tables"
        " JOIN seats ON seats.table_id = tables.id WHERE seats.user_id = ?"
        " ORDER BY created_at DESC LIMIT ?",
        person.id,
        MAX_LISTED,
    )


def _check_waiting(place: Place) -> None:
    if place.row.state == "aborted":
        raise Over("aborted", "the match was called off")
    if place.row.state != "waiting":
        raise Illegal("begun", "the match has begun")


def _is_full(place: Place) -> bool:
    return all(row.user_id is not None or row.bot is not None for row in place.seats)


def _begin_if_full(tx: Tx, shelf: Shelf, place: Place, now: int) -> None:
    if _is_full(place) and "start" not in json.loads(place.row.offers):
        _begin(tx, shelf, place, now)


def _begin(tx: Tx, shelf: Shelf, place: Place, now: int) -> None:
    names = [row.name for row in place.seats]
    house = json.loads(place.row.house)
    match = Match.start(place.game, deck_of(tx, place.row), house, names=names)
    tx.execute(
        "UPDATE tables SET state = 'playing', deal = ?, salt = ?, commitment = ?, first_names = ?,"
        " offers = '{}', started_at = ?, changed_at = ? WHERE id = ?",
        json.dumps(match.deal),
        match.salt,
        match.commitment,
        json.dumps(match.first_names),
        now,
        now,
        place.id,
    )
    begun = tx.one(_TABLE, place.id)
    assert begun is not None
    with shelf.sitting(tx, begun) as sitting:
        _ask_bots(tx, place, sitting, now)
        _wake(tx, place.id, sitting)
    tx.notify("table", place.id)


def seat_coded(game: AnyGame, code: str) -> Seat:
    if code not in game.seats:
        known = ", ".join(game.seats)
        raise Unreadable("no-seat", f"{game.title} has no seat {code[:20]!r}; there are: {known}")
    return Seat(game.seats.index(code))


# -- The match goes on -----------------------------------------------------------------------


def submit(
    tx: Tx, shelf: Shelf, person: Person, table: str, move: str, version: int, name: str, now: int
) -> dict[str, Any]:
    """A move. `name` is the client's own for this submission: sent twice it is answered twice and
    played once."""
    if not _TOKEN.fullmatch(name):
        raise Unreadable("submission", "a submission is named by up to 64 letters, digits, - and _")
    request = hashlib.sha256(f"{version} {move}".encode("utf-8", "replace")).hexdigest()
    found = tx.one(
        "SELECT request_hash, result FROM submissions"
        " WHERE table_id = ? AND user_id = ? AND name = ?",
        table,
        person.id,
        name,
    )
    if found is not None:
        if found.request_hash != request:
            raise Illegal("submission", "another move was sent under this submission's name")
        answer: dict[str, Any] = json.loads(found.result)
        return answer
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    answer = play(tx, shelf, place, seat, move, version, now)
    tx.execute(
        "INSERT INTO submissions (table_id, user_id, name, request_hash, result, at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        table,
        person.id,
        name,
        request,
        json.dumps(answer),
        now,
    )
    return answer


def play(
    tx: Tx, shelf: Shelf, place: Place, seat: Seat, move: str, version: int, now: int
) -> dict[str, Any]:
    """A seat's move, from a person or a bot; what the seat is told of it."""
    with shelf.sitting(tx, place.row) as sitting:
        _check_time(place, sitting, now)
        happened = sitting.move(seat, move, version, now)
        _write(tx, place, sitting, now)
        match = sitting.match
        eyes = match.eyes(seat)
        return {
            "version": match.version(seat),
            "move": happened.text_for(eyes),
            "facts": happened.facts_for(eyes),
            "events": [
                tell_event(place.game, event)
                for event in (event.seen_by(eyes) for event in happened.events)
            ],
        }


def play_bot(
    tx: Tx, shelf: Shelf, table: str, seat: Seat, move: str, version: int, now: int
) -> None:
    """A bot's move, unless the table has gone on since it began to think."""
    place = load(tx, table, None, lock=True)
    if place is not None and place.row.state == "playing" and place.seats[seat].bot is not None:
        play(tx, shelf, place, seat, move, version, now)


def resign(tx: Tx, shelf: Shelf, person: Person, table: str, now: int) -> None:
    place = find_playing(tx, table, person)
    _enter(tx, shelf, place, "resign", place.own_seat(), "", now)


def take_back(tx: Tx, shelf: Shelf, person: Person, table: str, number: int, now: int) -> None:
    """Strict: one's own last moves, as long as nothing was revealed and nobody else acted."""
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    with shelf.sitting(tx, place.row) as sitting:
        _check_time(place, sitting, now)
        named = sitting.match.number_in_log(seat, number)
        sitting.enter("take-back", seat, str(named), now)
        _write(tx, place, sitting, now)


def consent(
    tx: Tx, shelf: Shelf, person: Person, table: str, kind: str, number: int, now: int
) -> bool:
    """Offer something that needs everybody's consent, or agree to it; whether it came to be.

    A roll-back names an entry that everybody was told of, by its number in the asker's record."""
    place = find_playing(tx, table, person)
    seat = place.own_seat()
    with shelf.sitting(tx, place.row) as sitting:
        _check_time(place, sitting, now)
        match = sitting.match
        if kind == "draw" and len(place.people()) < len(place.seats):
            raise Illegal("bot", "a bot does not agree to a draw")
        if kind == "pause" and match.paused:
            raise Illegal("paused", "the match is paused")
        if kind == "resume" and not match.paused:
            raise Illegal("not-paused", "the match is not paused")
        named = _public_entry(match, seat, number) if kind == "roll-back" else 0
        offers = json.loads(place.row.offers)
        offer = offers.get(kind)
        if offer is None or offer["entry"] != named:
            offer = {"entry": named, "by": []}
        offer["by"] = sorted({*offer["by"], int(seat)})
        if all(seat in offer["by"] for seat in place.people()):
            text = str(named) if kind == "roll-back" else ""
            sitting.enter(kind, None, text, now)
            _write(tx, place, sitting, now)
            return True
        _set_offers(tx, place, {**offers, kind: offer}, now)
        return False


def decline(tx: Tx, person: Person, table: str, kind: str, now: int) -> None:
    """Refuse an offer, or withdraw one's own."""
    place = find_playing(tx, table, person)
    place.own_seat()
    offers = json.loads(place.row.offers)
    if kind not in offers:
        raise Illegal("no-offer", "there is no such offer")
    del offers[kind]
    _set_offers(tx, place, offers, now)


def expire(tx: Tx, shelf: Shelf, table: str, now: int) -> bool:
    """Enter what has fallen due, if anything has. Called twice, it does so once."""
    place = load(tx, table, None, lock=True)
    if place is None or place.row.state != "playing":
        outbox.wake(tx, table, None)
        return False
    with shelf.sitting(tx, place.row) as sitting:
        due = sitting.due()
        if due is None or due.at > now:
            _wake(tx, table, sitting)
            return False
        sitting.enter("deadline" if due.seat is None else "flag", due.seat, "", now)
        _write(tx, place, sitting, now)
        return True


def _enter(
    tx: Tx, shelf: Shelf, place: Place, kind: str, seat: Seat | None, text: str, now: int
) -> None:
    with shelf.sitting(tx, place.row) as sitting:
        _check_time(place, sitting, now)
        sitting.enter(kind, seat, text, now)
        _write(tx, place, sitting, now)


def _check_time(place: Place, sitting: Sitting, now: int) -> None:
    due = sitting.due()
    if due is not None and due.at <= now:
        raise TimeIsUp(place.id)


def _write(tx: Tx, place: Place, sitting: Sitting, now: int) -> None:
    """The entries just made into the log, with all that follows from them."""
    match = sitting.match
    before = sitting.stored
    for ply, entry in enumerate(match.log[before:], before + 1):
        tx.execute(
            "INSERT INTO entries (table_id, ply, kind, seat, text, facts, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            place.id,
            ply,
            entry.kind,
            entry.seat,
            entry.text,
            json.dumps(entry.facts),
            sitting.at,
        )
    sitting.stored = match.ply
    outcome = match.outcome
    if outcome is not None:
        tx.execute(
            "UPDATE tables SET state = 'over', result = ?, offers = '{}', ended_at = ?,"
            " changed_at = ? WHERE id = ?",
            json.dumps(
                {
                    "winners": [place.game.seats[seat] for seat in outcome.winners],
                    "points": list(outcome.points),
                    "reason": outcome.reason,
                    "clause": outcome.clause,
                }
            ),
            now,
            now,
            place.id,
        )
    elif place.row.offers != "{}" and any(
        happening.text_for(None) is not None for happening in match.happenings[before:]
    ):
        # What everybody saw happen ends an offer; what nobody saw must not be told by its end.
        _set_offers(tx, place, {}, now)
    _ask_bots(tx, place, sitting, now)
    _wake(tx, place.id, sitting)
    tx.notify("table", place.id)


def _set_offers(tx: Tx, place: Place, offers: Mapping[str, Any], now: int) -> None:
    tx.execute(
        "UPDATE tables SET offers = ?, changed_at = ? WHERE id = ?",
        json.dumps(offers),
        now,
        place.id,
    )
    tx.notify("table", place.id)


def _wake(tx: Tx, table: str, sitting: Sitting) -> None:
    due = sitting.due()
    if sitting.rule.kind != "none":
        outbox.wake(tx, table, None if due is None else due.at)


def _ask_bots(tx: Tx, place: Place, sitting: Sitting, now: int) -> None:
    match = sitting.match
    bots = [Seat(row.seat) for row in place.seats if row.bot is not None]
    for seat in sorted(match.awaited.intersection(bots)):
        payload = {"seat": seat, "version": match.version(seat)}
        outbox.add(tx, "bot", place.id, payload, now=now)
        tx.notify("bot", place.id)


def _public_entry(match: Match, seat: Seat, number: int) -> int:
    named = match.number_in_log(seat, number)
    if match.happenings[named - 1].text_for(None) is None:
        raise Illegal("sealed", "only an entry that everybody was told of can be gone back to")
    return named


# -- What is said ----------------------------------------------------------------------------


def say(tx: Tx, person: Person, table: str, text: str, now: int) -> None:
    """A line of chat: seats speak to the table, spectators among themselves."""
    place = find(tx, table, person, lock=True)
    text = _readable(text.strip(), MAX_CHAT, breaks="")
    room = "watchers" if place.seat is None else "seats"
    last = tx.one(
        "SELECT COALESCE(MAX(number), 0) AS number FROM chat WHERE table_id = ? AND room = ?",
        table,
        room,
    )
    assert last is not None
    tx.execute(
        "INSERT INTO chat (table_id, room, number, user_id, seat, name, text, at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        table,
        room,
        last.number + 1,
        person.id,
        place.seat,
        person.name,
        text,
        now,
    )
    tx.notify("table", table)


def heard(tx: Tx, place: Place, after: Mapping[str, int] | None = None) -> list[Row]:
    """The last lines this viewer hears, after those numbers. While it is played, seats hear no
    spectators: they may know better."""
    hears_all = place.seat is None or place.row.state == "over"
    after = after or {}
    rows = tx.execute(
        "SELECT room, number, seat, name, text, at FROM chat WHERE table_id = ?"
        " AND (room = 'seats' AND number > ? OR room = ? AND number > ?)"
        " ORDER BY at DESC, room DESC, number DESC LIMIT ?",
        place.id,
        after.get("seats", 0),
        "watchers" if hears_all else "",
        after.get("watchers", 0),
        CHAT_SHOWN,
    )
    return rows[::-1]


def notes(tx: Tx, person: Person, table: str) -> str:
    place = find(tx, table, person)
    row = tx.one("SELECT text FROM notes WHERE table_id = ? AND user_id = ?", place.id, person.id)
    return "" if row is None else str(row.text)


def write_notes(tx: Tx, person: Person, table: str, text: str, now: int) -> None:
    """Private notes: nobody else is ever shown them."""
    place = find(tx, table, person)
    text = _readable(text, MAX_NOTES, breaks="\n\t", needed=False)
    tx.execute(
        "INSERT INTO notes (table_id, user_id, text, at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (table_id, user_id) DO UPDATE SET text = excluded.text, at = excluded.at",
        place.id,
        person.id,
        text,
        now,
    )


def _readable(text: str, limit: int, *, breaks: str, needed: bool = True) -> str:
    if not int(needed) <= len(text) <= limit:
        raise Unreadable("length", f"a text here has {int(needed)} to {limit} characters")
    if any(
        unicodedata.category(character) in ("Cc", "Cs") and character not in breaks
        for character in text
    ):
        raise Unreadable("control", "there is a control character in it")
    return text
