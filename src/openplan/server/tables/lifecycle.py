"""Before and after a match: tables are set up, joined, begun, called off, listed, played again."""

from __future__ import annotations

import json
import secrets
from typing import Final

import msgspec

from openplan.bots import BOTS
from openplan.core.deal import ADDED_NOTHING, seal
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Illegal, Over, Unreadable
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server.errors import Forbidden
from openplan.server.people.accounts import Person, new_id
from openplan.server.people.blocks import taken
from openplan.server.people.marks import same_address
from openplan.server.people.names import chosen_name, name_among
from openplan.server.refusals import refused
from openplan.server.store import Tx, Value, jobs
from openplan.server.store.rows import ListedTable
from openplan.server.tables import deck_texts, notifications
from openplan.server.tables.access import (
    FoundTable,
    called_at,
    find,
    load,
    seat_coded,
    table_name,
)
from openplan.server.tables.chance import Added, secret_for
from openplan.server.tables.deck_check import own_deck
from openplan.server.tables.entry_rules import admit, check_new
from openplan.server.tables.match_cache import MatchCache, deck_of
from openplan.server.tables.moves import ask_bots, set_time
from openplan.server.tables.options import TableOptions, checked, columns
from openplan.server.tables.table_rows import (
    add_seat,
    add_table,
    change_seat,
    change_table,
    note_first_players,
)

MAX_LISTED: Final = 100
MAX_MASTERED: Final = 50


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`me`, `open` or `bot` with a bot's name. At a hot-seat table several are `me`, each with a
    name of its own."""

    kind: str
    bot: str = ""
    name: str = ""


class NewTable(TableOptions, frozen=True, forbid_unknown_fields=True):
    """With no `seats`: you in the first, the others open. `deck` names one that comes with the
    game; `deck_text` is a deck of your own. Everything else is how the table is played."""

    game: str
    deck: str = ""
    deck_text: str = ""
    seats: list[NewSeat] = msgspec.field(default_factory=list)
    invites_master: bool = False
    """Somebody else is to be the game master: whoever gets the table's `master_invite`."""
    chance: Added | None = None
    """What your browser adds to the deal."""


MOST_OF_A_GUEST: Final = 40
MOST_OF_A_MEMBER: Final = 200
"""Tables that somebody has opened and that are not over."""
MOST_OF_GUESTS: Final = 200
"""And all guests together who come from one address."""


def deck_wished(wish: NewTable) -> tuple[Deck, str]:
    """The deck wished for, and its text. A name is never a path here."""
    game = game_named(wish.game)
    names = shipped(game)
    if wish.deck_text:
        return own_deck(game, wish.deck_text), wish.deck_text
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
    _check_quota(tx, person)
    seats = wish.seats or _usual_seats(game, wish)
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
    options = checked(wish, game)
    check_new(
        person,
        options,
        bots="bot" in kinds,
        own_deck=bool(wish.deck_text),
        invites_master=wish.invites_master,
    )
    table = insert(tx, person, game, deck, text, options, secret_for(tx, key, wish.chance), now)
    if wish.invites_master:
        change_table(tx, table, master_invite=secrets.token_urlsafe(16))
    called: list[str] = []
    for number, seat in enumerate(seats):
        if seat.kind == "me":
            name = name_among(chosen_name(seat.name) if seat.name else person.name, called)
            name = called_at(game, options, number, name)
            called.append(name)
            add_seat(tx, table, number, person.id, None, name, now)
        elif seat.kind == "bot":
            add_seat(tx, table, number, None, seat.bot, f"{seat.bot} (bot)", now)
        else:
            add_seat(tx, table, number, None, None, "", None)
    if wish.chance is not None and "me" in kinds:
        change_seat(tx, table, kinds.index("me"), chance=wish.chance.bytes)
    tx.signal("list", "")
    _begin_if_full(tx, cache, find(tx, table, person, lock=True), now)
    return table


def _usual_seats(game: AnyGame, wish: NewTable) -> list[NewSeat]:
    """The first is one's own; any, where nobody is to know which."""
    seats = [NewSeat("open") for _ in game.seats]
    seats[secrets.randbelow(len(seats)) if wish.anonymous else 0] = NewSeat("me")
    return seats


def _check_quota(tx: Tx, person: Person) -> None:
    """Who opens tables without end finishes some first."""
    most = MOST_OF_A_GUEST if person.kind == "guest" else MOST_OF_A_MEMBER
    (number,) = tx.rows(
        int,
        "SELECT COUNT(*) FROM tables WHERE owner_id = ? AND state IN ('waiting', 'playing')",
        person.id,
    )
    if number >= most:
        raise refused(Forbidden, "too-many-tables", most=most)
    if person.kind == "guest" and _opened_by_guests(tx, person) >= MOST_OF_GUESTS:
        raise refused(Forbidden, "too-many-tables", "too-many-of-guests", most=MOST_OF_GUESTS)


def _opened_by_guests(tx: Tx, person: Person) -> int:
    """By those who may be this guest under another name."""
    kin = sorted(same_address(tx, person.id))
    (number,) = tx.rows(
        int,
        "SELECT COUNT(*) FROM tables JOIN users ON users.id = owner_id AND kind = 'guest'"  # noqa: S608
        f" WHERE state IN ('waiting', 'playing') AND owner_id IN ({', '.join('?' * len(kin))})",
        *kin,
    )
    return number


def insert(
    tx: Tx,
    person: Person,
    game: AnyGame,
    deck: Deck,
    deck_text: str,
    options: TableOptions,
    secret: str,
    now: int,
    *,
    rematch_of: str | None = None,
) -> str:
    table = new_id()
    row: dict[str, Value] = {
        "id": table,
        "game": game.name,
        "rules_version": game.rules_version,
        "deck_name": deck.name,
        "deck_hash": deck.hash,
        "deck_id": deck_texts.keep(tx, game.name, deck_text, now),
        "deck_text": "",
        **columns(options),
        "state": "waiting",
        "owner_id": person.id,
        "master_id": None if options.rated else person.id,
        "invite": secrets.token_urlsafe(16),
        "rematch_of": rematch_of,
        "salt": secret,
        "commitment": seal(secret),
        "created_at": now,
        "changed_at": now,
    }
    add_table(tx, row)
    table_name(tx, table)  # its short name, by which mail speaks of it
    return table


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
    here = find(tx, table, person, invite, lock=True)
    if here.own and not (here.options.hot_seat and here.row.owner_id == person.id):
        raise refused(Illegal, "two-seats")
    check_waiting(here)
    empty = [row.seat for row in here.seats if row.user_id is None and row.bot is None]
    if code:
        empty = [seat for seat in empty if seat == seat_coded(here.game, code)]
    if not empty:
        raise taken()
    admit(tx, here, person)
    seat = secrets.choice(empty) if here.options.anonymous else empty[0]
    name = name_among(person.name, [row.name for row in here.seats])
    name = called_at(here.game, here.options, seat, name)
    change_seat(tx, table, seat, user_id=person.id, name=name, joined_at=now)
    if added is not None:
        change_seat(tx, table, seat, chance=added.bytes)
    tx.signal("table", table)
    _begin_if_full(tx, cache, find(tx, table, person, lock=True), now)


def change_place(tx: Tx, person: Person, table: str, code: str) -> None:
    """Take another seat instead of one's own, before the match has begun."""
    here = find(tx, table, person, lock=True)
    old, new = here.own_seat(), seat_coded(here.game, code)
    check_waiting(here)
    if new == old:
        return
    if here.seats[new].user_id is not None or here.seats[new].bot is not None:
        raise taken()
    row = here.seats[old]
    name = called_at(here.game, here.options, new, row.name)
    change_seat(tx, table, old, user_id=None, name="", joined_at=None, chance=None)
    change_seat(
        tx, table, new, user_id=person.id, name=name, joined_at=row.joined_at, chance=row.chance
    )
    tx.signal("table", table)


def leave(tx: Tx, person: Person, table: str) -> None:
    """Give back a seat before the match has begun."""
    here = find(tx, table, person, lock=True)
    seat = here.own_seat()
    check_waiting(here)
    change_seat(tx, table, seat, user_id=None, name="", joined_at=None, chance=None)
    tx.signal("table", table)


def start(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """The owner begins a match whose seats are all taken."""
    here = find(tx, table, person, lock=True)
    if here.row.owner_id != person.id:
        raise refused(Forbidden, "not-owner", "owner-starts")
    check_waiting(here)
    if not _is_full(here):
        raise refused(Illegal, "empty-seat")
    _begin(tx, cache, here, now)


def abort(tx: Tx, cache: MatchCache, person: Person, table: str, now: int) -> None:
    """Call it off before the first move."""
    here = find(tx, table, person, lock=True)
    if here.is_spectator and here.row.owner_id != person.id:
        raise refused(Forbidden, "not-seated", "who-calls-off")
    if here.row.state not in ("waiting", "playing"):
        raise refused(Over, "over")
    if here.row.deal is not None:
        with cache.timed(tx, here.row) as timed:
            # What nobody was told of must not be told by this either.
            if timed.match.version(None):
                raise refused(Illegal, "begun", "first-moved")
    change_table(tx, table, state="aborted", ended_at=now, changed_at=now)
    jobs.wake(tx, table, None)
    others = [seat for seat in here.people() if here.seats[seat].user_id != person.id]
    notifications.tell_seats(tx, here, others, "called-off", now)
    tx.signal("table", table)


def rematch(
    tx: Tx, cache: MatchCache, person: Person, table: str, added: Added | None, key: bytes, now: int
) -> str:
    """The same again with the seats moved on by one; whoever asks second takes their seat there."""
    here = find(tx, table, person, lock=True)
    own = here.own_seats()
    if here.row.state != "over":
        raise refused(Illegal, "not-over")
    count = len(here.seats)
    found = tx.row(tuple[str, str], "SELECT id, invite FROM tables WHERE rematch_of = ?", table)
    if found is not None:
        new, invite = found
        again = find(tx, new, person, invite)
        if not again.own and again.row.state == "waiting":
            code = here.game.seats[(own[0] + 1) % count]
            join(tx, cache, person, again.id, code, invite, now, added=added)
        return again.id
    if here.options.hot_seat and here.row.owner_id != person.id:
        raise refused(Forbidden, "not-owner", "device-rematch")
    new = insert(
        tx,
        person,
        here.game,
        deck_of(tx, here.row),
        deck_texts.at_table(tx, here.id),
        msgspec.structs.replace(here.options, starts_when_full=True),
        secret_for(tx, key, added),
        now,
        rematch_of=table,
    )
    for number in range(count):
        old = here.seats[(number - 1) % count]
        if old.seat in own:
            name = old.name if here.options.hot_seat else person.name
            name = called_at(here.game, here.options, number, name)
            add_seat(tx, new, number, person.id, None, name, now)
        else:
            add_seat(tx, new, number, None, old.bot, old.name if old.bot else "", None)
    if added is not None:
        change_seat(tx, new, (own[0] + 1) % count, chance=added.bytes)
    tx.signal("table", table)
    _begin_if_full(tx, cache, find(tx, new, person, lock=True), now)
    return new


_LISTED: Final = (
    "SELECT id, game, state, options, deck_name, created_at,"
    " (SELECT COUNT(*) FROM seats WHERE table_id = tables.id AND user_id IS NULL"
    " AND bot IS NULL) AS empty FROM tables "
)


def public_tables(tx: Tx) -> list[ListedTable]:
    """Those that wait for somebody first, then the others, the newest first."""
    return tx.rows(
        ListedTable,
        _LISTED + "WHERE is_public = 1 AND state IN ('waiting', 'playing')"
        " ORDER BY state DESC, created_at DESC, id LIMIT ?",
        MAX_LISTED,
    )


def own_tables(tx: Tx, person: Person) -> list[ListedTable]:
    """Those where this person has a seat; each once, however many seats that are."""
    return tx.rows(
        ListedTable,
        _LISTED  # noqa: S608 - of constants
        + "WHERE id IN (SELECT table_id FROM seats WHERE user_id = ?)"
        " ORDER BY created_at DESC, id LIMIT ?",
        person.id,
        MAX_LISTED,
    )


def lost_tables(tx: Tx, person: Person) -> list[ListedTable]:
    """Matches that go on without this person, who had a seat there."""
    return tx.rows(
        ListedTable,
        _LISTED  # noqa: S608 - of constants
        + "WHERE state = 'playing' AND id IN"
        " (SELECT table_id FROM reliability WHERE user_id = ? AND abandoned > 0)"
        " AND id NOT IN (SELECT table_id FROM seats WHERE user_id = ?)"
        " ORDER BY created_at DESC LIMIT ?",
        person.id,
        person.id,
        MAX_MASTERED,
    )


def mastered_tables(tx: Tx, person: Person) -> list[ListedTable]:
    """Those that this person leads and that are not over."""
    return tx.rows(
        ListedTable,
        _LISTED + "WHERE master_id = ? AND rated = 0 AND state IN ('waiting', 'playing')"
        " ORDER BY created_at DESC, id LIMIT ?",
        person.id,
        MAX_MASTERED,
    )


def names(tx: Tx, table: str) -> list[str]:
    """Who sits there, seat by seat; an empty seat has no name."""
    return tx.rows(str, "SELECT name FROM seats WHERE table_id = ? ORDER BY seat", table)


def seats_of(tx: Tx, table: str, person: Person) -> list[int]:
    select = "SELECT seat FROM seats WHERE table_id = ? AND user_id = ? ORDER BY seat"
    return tx.rows(int, select, table, person.id)


def check_waiting(here: FoundTable) -> None:
    if here.row.state == "aborted":
        raise refused(Over, "aborted")
    if here.row.state != "waiting":
        raise refused(Illegal, "begun")


def _is_full(here: FoundTable) -> bool:
    return here.empty == 0


def _begin_if_full(tx: Tx, cache: MatchCache, here: FoundTable, now: int) -> None:
    if _is_full(here) and here.options.starts_when_full:
        _begin(tx, cache, here, now)


def _begin(tx: Tx, cache: MatchCache, here: FoundTable, now: int) -> None:
    names = [row.name for row in here.seats]
    match = Match.start(
        here.game,
        deck_of(tx, here.row),
        here.options.house,
        secret=here.row.salt or "",  # a table that is older than seals has none yet
        added=[row.chance or ADDED_NOTHING for row in here.seats],
        names=names,
        rules=here.row.rules_version,
    )
    change_table(
        tx,
        here.id,
        state="playing",
        deal=json.dumps(match.deal),
        salt=match.salt,
        commitment=match.commitment,
        chance=json.dumps(match.added),
        first_names=json.dumps(match.first_names),
        offers="{}",
        evaluator=here.game.evaluator,
        started_at=now,
        changed_at=now,
    )
    note_first_players(tx, here.id)
    begun = load(tx, here.id, None)
    assert begun is not None
    with cache.timed(tx, begun.row) as timed:
        ask_bots(tx, begun, timed, now)
        turn = set_time(tx, begun, timed, None, now)
        notifications.welcome(tx, begun, timed, turn, now)
    tx.signal("table", here.id)
