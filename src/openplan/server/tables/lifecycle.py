"""Before and after a match: tables are set up, joined, begun, called off, listed, played again."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from openplan.bots import BOTS
from openplan.core.deal import ADDED_NOTHING, seal
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Illegal, Over, Unreadable
from openplan.core.match import Match, complete_house
from openplan.core.names import checked_name
from openplan.core.registry import game_named
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server.errors import DoesNotReplay, Forbidden
from openplan.server.people.accounts import Person, new_id
from openplan.server.people.blocks import taken
from openplan.server.refusals import refused
from openplan.server.store import Row, Tx, jobs
from openplan.server.tables import notifications
from openplan.server.tables.access import FoundTable, find, load, seat_coded, table_name
from openplan.server.tables.chance import Added, secret_for
from openplan.server.tables.entry_rules import EntryRules, admit, check_new, entry_rules_of
from openplan.server.tables.match_cache import MatchCache, deck_of, deck_text, rule_of
from openplan.server.tables.moves import ask_bots, set_time
from openplan.server.tables.press import PressRule, press_rule
from openplan.server.tables.timed_match import ClockRule, checked_rule
from openplan.server.tables.turns import AbsenceRule, absence_rule, checked_absence

MAX_LISTED: Final = 100


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`me`, `open` or `bot` with a bot's name. At a hot-seat table several are `me`, each with a
    name of its own."""

    kind: str
    bot: str = ""
    name: str = ""


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
    hot_seat: bool = False
    """You may hold several seats, for people who hand one device round."""
    hints: bool = False
    """Whoever is to act may ask for a hint."""
    take_back: Literal["strict", "friendly"] = "strict"
    """Friendly: with everybody's consent more can be taken back than the rules allow."""
    rated: bool = False
    """It counts for ratings, and refuses what does not count."""
    entry: EntryRules = EntryRules()
    """What is asked of whoever sits down."""
    absence: AbsenceRule = AbsenceRule()
    press: PressRule = PressRule()
    invites_master: bool = False
    """Somebody else is to be the game master: whoever gets the table's `master_invite`."""
    chance: Added | None = None
    """What your browser adds to the deal."""


def deck_wished(wish: NewTable) -> tuple[Deck, str]:
    """The deck wished for, and its text. A name is never a path here."""
    game = game_named(wish.game)
    if wish.deck_text:
        return game.read_deck(wish.deck_text, "deck"), wish.deck_text
    names = shipped(game)
    name = wish.deck or next(iter(names), "")
    if name not in names:
        raise refused(Forbidden, "deck", title=game.title, known=", ".join(names))
    return load_deck(game, name), shipped_text(game, name)


def create(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    wish: NewTable,
    deck: Deck,
    text: str,
    key: bytes,
    now: int,
) -> str:
    """A new table; the match begins at once if no seat is left to be taken. `key` is the site's
    secret, from which sealed chance is made."""
    game = game_named(wish.game)
    seats = wish.seats or [NewSeat("me"), *(NewSeat("open") for _ in game.seats[1:])]
    if len(seats) != len(game.seats):
        raise refused(
            Illegal,
            "seats",
            "seat-count",
            title=game.title,
            count=len(game.seats),
            given=len(seats),
        )
    kinds = [seat.kind for seat in seats]
    if unknown := [kind for kind in kinds if kind not in ("me", "open", "bot")]:
        raise refused(Unreadable, "seats", "seat-kind", kind=unknown[0][:40])
    if kinds.count("me") > 1 and not wish.hot_seat:
        raise refused(Illegal, "two-seats", "seat-for-one")
    if "me" not in kinds and "open" not in kinds:
        raise refused(Illegal, "seats", "seat-for-somebody")
    for seat in seats:
        if seat.kind == "bot":
            # Only a bot of the house. A program of somebody's own would run on this machine.
            if seat.bot not in BOTS:
                known = ", ".join(BOTS)
                raise refused(Illegal, "unknown-bot", bot=seat.bot[:40], known=known)
        elif seat.bot:
            raise refused(Unreadable, "seats", "bot-named")
        if seat.name and (seat.kind != "me" or not wish.hot_seat):
            raise refused(Unreadable, "seats", "seat-named")
    clock = checked_rule(wish.clock, game)
    check_new(
        person,
        wish.entry,
        rated=wish.rated,
        bots="bot" in kinds,
        shared=wish.hot_seat,
        hints=wish.hints,
        take_back=wish.take_back,
        own_deck=bool(wish.deck_text),
        clock=clock,
    )
    table = _insert(
        tx,
        person,
        now,
        game=game,
        deck=deck,
        deck_text=text,
        house=complete_house(game, wish.house),
        clock=clock,
        public=wish.public,
        hot_seat=wish.hot_seat,
        hints=wish.hints,
        take_back=wish.take_back,
        rated=wish.rated,
        entry=wish.entry,
        starts_when_full=wish.starts_when_full,
        rematch_of=None,
        secret=secret_for(tx, key, wish.chance),
    )
    absence = checked_absence(wish.absence, wish.clock, game)
    _set_duty(tx, table, absence, wish.press, person.id)
    if wish.invites_master:
        tx.execute(
            "UPDATE tables SET master_invite = ? WHERE id = ?", secrets.token_urlsafe(16), table
        )
    for number, seat in enumerate(seats):
        if seat.kind == "me":
            name = checked_name(seat.name or person.name)
            _seat(tx, table, number, person.id, None, name, now)
        elif seat.kind == "bot":
            _seat(tx, table, number, None, seat.bot, f"{seat.bot} (bot)", now)
        else:
            _seat(tx, table, number, None, None, "", None)
    if wish.chance is not None and "me" in kinds:
        _add_chance(tx, table, kinds.index("me"), wish.chance)
    tx.notify("list", "")
    _begin_if_full(tx, cache, find(tx, table, person, lock=True), now)
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
    hot_seat: bool,
    hints: bool,
    take_back: str,
    rated: bool,
    entry: EntryRules,
    starts_when_full: bool,
    rematch_of: str | None,
    secret: str,
) -> str:
    table = new_id()
    tx.execute(
        "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text, house,"
        " clock, is_public, rated, entry, hot_seat, hints, take_back, state, owner_id, invite,"
        " offers, rematch_of, salt, commitment, created_at, changed_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', ?, ?, ?, ?, ?, ?, ?, ?)",
        table,
        game.name,
        game.rules_version,
        deck.name,
        deck.hash,
        deck_text,
        json.dumps(house),
        msgspec.json.encode(clock).decode(),
        int(public),
        int(rated),
        msgspec.json.encode(entry).decode(),
        int(hot_seat),
        int(hints),
        take_back,
        person.id,
        secrets.token_urlsafe(16),
        json.dumps({} if starts_when_full else {"start": {"entry": 0, "by": []}}),
        rematch_of,
        secret,
        seal(secret),
        now,
        now,
    )
    return table


def _set_duty(tx: Tx, table: str, absence: AbsenceRule, press: PressRule, master: str) -> None:
    """Who looks after the table, and by which rules for absence and press; and its short name, by
    which mail speaks of it."""
    table_name(tx, table)
    tx.execute(
        "UPDATE tables SET absence = ?, press = ?, master_id = ? WHERE id = ?",
        msgspec.json.encode(absence).decode(),
        msgspec.json.encode(press).decode(),
        master,
        table,
    )


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


def _add_chance(tx: Tx, table: str, seat: int, added: Added) -> None:
    tx.execute(
        "UPDATE seats SET chance = ? WHERE table_id = ? AND seat = ?", added.bytes, table, seat
    )


def join(
    tx: Tx,
    cache: MatchCache,
    person: Person,
    table: str,
    code: str,
    invite: str,
    now: int,
    *,
    added: Added | None = None,
) -> None:
    """Take an empty seat: the one named, or the first."""
    place = find(tx, table, person, invite, lock=True)
    if place.own and not (place.row.hot_seat and place.row.owner_id == person.id):
        raise refused(Illegal, "two-seats")
    check_waiting(place)
    empty = [row.seat for row in place.seats if row.user_id is None and row.bot is None]
    if code:
        empty = [seat for seat in empty if seat == seat_coded(place.game, code)]
    if not empty:
        raise taken()
    admit(tx, place, person)
    tx.execute(
        "UPDATE seats SET user_id = ?, name = ?, joined_at = ? WHERE table_id = ? AND seat = ?",
        person.id,
        person.name,
        now,
        table,
        empty[0],
    )
    if added is not None:
        _add_chance(tx, table, empty[0], added)
    tx.notify("table", table)
    _begin_if_full(tx, cache, find(tx, table, person, lock=True), now)


def leave(tx: Tx, person: Person, table: str) -> None:
    """Give back a seat before the match has begun."""
    place = find(tx, table, person, lock=True)
    seat = place.own_seat()
    check_waiting(place)
    tx.execute(
        "UPDATE seats SET user_id = NULL, name = '', joined_at = NULL, chance = NULL"
        " WHERE table_id = ? AND seat = ?",
        table,
        seat,
    )
    tx.notify("table", table)


def start(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """The owner begins a match whose seats are all taken."""
    place = find(tx, table, person, lock=True)
    if place.row.owner_id != person.id:
        raise refused(Forbidden, "not-owner", "owner-starts")
    check_waiting(place)
    if not _is_full(place):
        raise refused(Illegal, "empty-seat")
    _begin(tx, cache, place, now)


def abort(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """Call it off before the first move."""
    place = find(tx, table, person, lock=True)
    if not place.own and place.row.owner_id != person.id:
        raise refused(Forbidden, "not-seated", "who-calls-off")
    if place.row.state not in ("waiting", "playing"):
        raise refused(Over, "over")
    if place.row.deal is not None:
        with cache.timed(tx, place.row) as timed:
            # What nobody was told of must not be told by this either.
            if timed.match.version(None):
                raise refused(Illegal, "begun", "first-moved")
    tx.execute(
        "UPDATE tables SET state = 'aborted', ended_at = ?, changed_at = ? WHERE id = ?",
        now,
        now,
        table,
    )
    jobs.wake(tx, table, None)
    others = [seat for seat in place.people() if place.seats[seat].user_id != person.id]
    notifications.tell_seats(tx, place, others, "called-off", now)
    tx.notify("table", table)


def rematch(
    tx: Tx, cache: MatchCache, person: Person, table: str, added: Added | None, key: bytes, now: int
) -> str:
    """The same again with the seats moved on by one; whoever asks second takes their seat there."""
    place = find(tx, table, person, lock=True)
    own = place.own_seats()
    if place.row.state != "over":
        raise refused(Illegal, "not-over")
    count = len(place.seats)
    found = tx.one("SELECT id, invite FROM tables WHERE rematch_of = ?", table)
    if found is not None:
        again = find(tx, found.id, person, found.invite)
        if not again.own and again.row.state == "waiting":
            code = place.game.seats[(own[0] + 1) % count]
            join(tx, cache, person, again.id, code, found.invite, now, added=added)
        return again.id
    if place.row.hot_seat and place.row.owner_id != person.id:
        raise refused(Forbidden, "not-owner", "device-rematch")
    new = _insert(
        tx,
        person,
        now,
        game=place.game,
        deck=deck_of(tx, place.row),
        deck_text=deck_text(tx, place.row),
        house=json.loads(place.row.house),
        clock=rule_of(place.row),
        public=bool(place.row.is_public),
        hot_seat=bool(place.row.hot_seat),
        hints=bool(place.row.hints),
        take_back=place.row.take_back,
        rated=bool(place.row.rated),
        entry=entry_rules_of(place.row),
        starts_when_full=True,
        rematch_of=table,
        secret=secret_for(tx, key, added),
    )
    _set_duty(tx, new, absence_rule(place), press_rule(place), person.id)
    for number in range(count):
        old = place.seats[(number - 1) % count]
        if old.seat in own:
            name = old.name if place.row.hot_seat else person.name
            _seat(tx, new, number, person.id, None, name, now)
        else:
            _seat(tx, new, number, None, old.bot, old.name if old.bot else "", None)
    if added is not None:
        _add_chance(tx, new, (own[0] + 1) % count, added)
    tx.notify("table", table)
    _begin_if_full(tx, cache, find(tx, new, person, lock=True), now)
    return new


def public_tables(tx: Tx) -> list[Row]:
    """Those that wait for somebody first, then the others, the newest first."""
    return tx.execute(
        "SELECT id, game, state, clock, rated, created_at,"
        " (SELECT COUNT(*) FROM seats WHERE table_id = tables.id AND user_id IS NULL"
        " AND bot IS NULL) AS empty FROM tables"
        " WHERE is_public = 1 AND state IN ('waiting', 'playing')"
        " ORDER BY state DESC, created_at DESC LIMIT ?",
        MAX_LISTED,
    )


def own_tables(tx: Tx, person: Person) -> list[Row]:
    """Those where this person has a seat or stands in; each once, however many seats that are."""
    return tx.execute(
        "SELECT id, game, state, clock, rated, created_at,"
        " (SELECT COUNT(*) FROM seats WHERE table_id = tables.id AND user_id IS NULL"
        " AND bot IS NULL) AS empty FROM tables"
        " WHERE id IN (SELECT table_id FROM seats WHERE user_id = ? OR acting_id = ?)"
        " ORDER BY created_at DESC LIMIT ?",
        person.id,
        person.id,
        MAX_LISTED,
    )


def names(tx: Tx, table: str) -> list[str]:
    """Who sits there, seat by seat; an empty seat has no name."""
    rows = tx.execute("SELECT name FROM seats WHERE table_id = ? ORDER BY seat", table)
    return [row.name for row in rows]


def waits_for(tx: Tx, cache: MatchCache, table: str, person: Person) -> bool:
    """Whether nothing goes on there without a move of this person."""
    place = find(tx, table, person)
    try:
        with cache.timed(tx, place.row) as timed:
            return not timed.match.awaited.isdisjoint(place.own)
    except DoesNotReplay:  # whoever goes there is told; the other tables are found all the same
        return False


def check_waiting(place: FoundTable) -> None:
    if place.row.state == "aborted":
        raise refused(Over, "aborted")
    if place.row.state != "waiting":
        raise refused(Illegal, "begun")


def _is_full(place: FoundTable) -> bool:
    return place.empty == 0


def _begin_if_full(tx: Tx, cache: MatchCache, place: FoundTable, now: int) -> None:
    if _is_full(place) and "start" not in json.loads(place.row.offers):
        _begin(tx, cache, place, now)


def _begin(tx: Tx, cache: MatchCache, place: FoundTable, now: int) -> None:
    names = [row.name for row in place.seats]
    house = json.loads(place.row.house)
    match = Match.start(
        place.game,
        deck_of(tx, place.row),
        house,
        secret=place.row.salt or "",  # a table that is older than seals has none yet
        added=[row.chance or ADDED_NOTHING for row in place.seats],
        names=names,
        rules=place.row.rules_version,
    )
    tx.execute(
        "UPDATE tables SET state = 'playing', deal = ?, salt = ?, commitment = ?, chance = ?,"
        " first_names = ?, offers = '{}', started_at = ?, changed_at = ? WHERE id = ?",
        json.dumps(match.deal),
        match.salt,
        match.commitment,
        json.dumps(match.added),
        json.dumps(match.first_names),
        now,
        now,
        place.id,
    )
    tx.execute("UPDATE seats SET first_user_id = user_id WHERE table_id = ?", place.id)
    begun = load(tx, place.id, None)
    assert begun is not None
    with cache.timed(tx, begun.row) as timed:
        ask_bots(tx, begun, timed, now)
        turn = set_time(tx, begun, timed, None, now)
        notifications.welcome(tx, begun, timed, turn, now)
    tx.notify("table", place.id)
