"""The routes: what may be asked over HTTP and by WebSocket. Each reads its request, runs one
use-case in one transaction, and answers after the commit. The description is at /openapi.json."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated, Any, Final, Literal, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar import Request, Response, WebSocket, delete, get, patch, post, put, websocket
from litestar.datastructures import Cookie, State
from litestar.exceptions import WebSocketDisconnect
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from openplan.bots import BOTS
from openplan.core.deck import Deck
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.core.record import write_record
from openplan.core.registry import all_games, game_named
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server import accounts, sight, tables
from openplan.server.accounts import Person
from openplan.server.faults import Forbidden
from openplan.server.live import Listener
from openplan.server.shelf import rule_of
from openplan.server.site import Site
from openplan.server.store import Row, Tx

T = TypeVar("T")
Req = Request[Any, Any, State]
Socket = WebSocket[Any, Any, State]

MAX_FROM_CLIENT: Final = 200
"""Messages a socket may send before it is taken for a flood: there is nothing to say there."""

Text = Annotated[str, Meta(max_length=2_000)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Invite = Annotated[str, QueryParameter(max_length=100)]


# -- What is asked ---------------------------------------------------------------------------


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request's body. A field that nobody knows is a mistake, not something to pass over."""


class GuestRequest(Asked, frozen=True):
    name: Annotated[str, Meta(max_length=200)] = "Guest"


class SignUp(Asked, frozen=True):
    login: Text
    password: Text
    name: Annotated[str, Meta(max_length=200)]


class SignIn(Asked, frozen=True):
    login: Text
    password: Text


class Rename(Asked, frozen=True):
    name: Annotated[str, Meta(max_length=200)]


class JoinRequest(Asked, frozen=True):
    seat: Annotated[str, Meta(max_length=20)] = ""
    invite: Annotated[str, Meta(max_length=100)] = ""


class MoveRequest(Asked, frozen=True):
    """`version` is that of the view you looked at; `submission` a name of your own, so that sending
    it again does no harm."""

    move: Text
    version: Number
    submission: Annotated[str, Meta(max_length=64)]


class StepsRequest(Asked, frozen=True):
    steps: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=100)]


class TryRequest(Asked, frozen=True):
    move: Text


class NumberRequest(Asked, frozen=True):
    """An entry by its number in your own record."""

    number: Number


class DeclineRequest(Asked, frozen=True):
    kind: Literal["draw", "pause", "resume", "roll-back"]


class ChatRequest(Asked, frozen=True):
    text: Text


class Notes(Asked, frozen=True):
    text: Annotated[str, Meta(max_length=20_000)]


# -- What is answered ------------------------------------------------------------------------


class Refusal(msgspec.Struct):
    """Why something was not done. The code is stable; the clause is that of the rules, if any."""

    code: str
    reason: str
    clause: str


REFUSED: Final = {
    status: ResponseSpec(Refusal, description=what, generate_examples=False)
    for status, what in {
        401: "Say first who you are.",
        403: "You may see it, but this is not yours to do.",
        404: "It is not there, or not for you.",
        409: "Not now: stale, not your turn, against the rules, over.",
        422: "It cannot be read.",
        429: "Too many requests.",
        503: "It cannot be kept right now.",
    }.items()
}


class Me(msgspec.Struct):
    name: str
    kind: str


class GameSight(msgspec.Struct):
    name: str
    title: str
    credit: str
    rules_version: int
    seats: list[str]
    house_rules: list[dict[str, Any]]
    decks: list[str]


class BotSight(msgspec.Struct):
    name: str
    meaning: str


class Catalogue(msgspec.Struct):
    games: list[GameSight]
    bots: list[BotSight]


class Listed(msgspec.Struct):
    id: str
    game: str
    state: str
    clock: dict[str, Any]
    empty_seats: int
    created_at: int


class Created(msgspec.Struct):
    id: str


class Played(msgspec.Struct):
    """Your move is kept for good. `version` is that of your view after it."""

    version: int
    move: str
    facts: list[str]
    events: list[dict[str, Any]]


class Consent(msgspec.Struct):
    """Whether it has come to be, or waits for the others."""

    is_done: bool


class Chat(msgspec.Struct):
    lines: list[sight.ChatLine]


class Log(msgspec.Struct):
    version: int
    entries: list[sight.Told]


# -- Sessions --------------------------------------------------------------------------------


def site_of(connection: Req | Socket) -> Site:
    site: Site = connection.app.state.site
    return site


def cookie_name(site: Site) -> str:
    return "__Host-openplan" if site.settings.secure else "openplan"


def session_of(connection: Req | Socket) -> str:
    site = site_of(connection)
    token = connection.cookies.get(cookie_name(site), "")
    return accounts.session_id(site.secret, token) if token else ""


def _cookie(site: Site, token: str) -> Cookie:
    return Cookie(
        cookie_name(site),
        value=token,
        max_age=accounts.LASTS // accounts.SECOND if token else 0,
        httponly=True,
        samesite="lax",
        secure=site.settings.secure,
        path="/",
    )


def _welcome(site: Site, person: Person, token: str) -> Response[Me]:
    return Response(Me(person.name, person.kind), cookies=[_cookie(site, token)])


def _new_session(site: Site) -> tuple[str, str]:
    token = secrets.token_urlsafe(32)
    return token, accounts.session_id(site.secret, token)


@post("/api/session", status_code=201, responses=REFUSED)
async def become_guest(request: Req, data: JSONBody[GuestRequest]) -> Response[Me]:
    """Play without an account: you are kept by a cookie."""
    site = site_of(request)
    limit(request, "sign-up")
    token, session = _new_session(site)
    known = await site.look(session_of(request), lambda _, person: person)
    if known is not None:
        raise Forbidden("session", "you have a session already; sign out first")
    person = await site.store.transact(
        lambda tx: accounts.become_guest(tx, session, data.name, site.now())
    )
    return _welcome(site, person, token)


@post("/api/session/sign-up", status_code=201, responses=REFUSED)
async def sign_up(request: Req, data: JSONBody[SignUp]) -> Response[Me]:
    """Become a member; a guest's games come along."""
    site = site_of(request)
    limit(request, "sign-up")
    login = accounts.checked_login(data.login)
    password = accounts.checked_password(data.password)
    hashed = await asyncio.to_thread(accounts.hash_password, password)
    token, session = _new_session(site)
    old = session_of(request)

    def work(tx: Tx) -> Person:
        now = site.now()
        person = accounts.who(tx, old, now)
        return accounts.register(tx, person, session, login, hashed, data.name, now)

    return _welcome(site, await site.store.transact(work), token)


@post("/api/session/sign-in", status_code=200, responses=REFUSED)
async def sign_in(request: Req, data: JSONBody[SignIn]) -> Response[Me]:
    site = site_of(request)
    limit(request, "sign-in")
    login = data.login.strip().lower().replace("\0", "")
    found = await site.store.read(lambda tx: accounts.credentials(tx, login))
    stored = None if found is None else found[1]
    if not await asyncio.to_thread(accounts.is_password, data.password, stored) or found is None:
        raise accounts.wrong_sign_in()
    token, session = _new_session(site)
    old, user = session_of(request), found[0]

    def work(tx: Tx) -> Person:
        now = site.now()
        return accounts.sign_in(tx, accounts.who(tx, old, now), session, user, now)

    return _welcome(site, await site.store.transact(work), token)


@delete("/api/session", status_code=200, responses=REFUSED)
async def sign_out(request: Req) -> Response[dict[str, Any]]:
    """Ends this session here and closes its sockets."""
    site = site_of(request)
    await site.change(session_of(request), accounts.end_session)
    return Response({}, cookies=[_cookie(site, "")])


@get("/api/me", responses=REFUSED)
async def me(request: Req) -> Me:
    person = await site_of(request).look(session_of(request), lambda _, p: accounts.someone(p))
    return Me(person.name, person.kind)


@patch("/api/me", responses=REFUSED)
async def rename(request: Req, data: JSONBody[Rename]) -> Me:
    person = await _change(request, lambda tx, who: accounts.rename(tx, who, data.name))
    return Me(person.name, person.kind)


@get("/api/me/tables", responses=REFUSED)
async def my_tables(request: Req) -> list[Listed]:
    rows = await site_of(request).look(
        session_of(request), lambda tx, who: tables.own_tables(tx, accounts.someone(who))
    )
    return [_listed(row) for row in rows]


# -- Before a match --------------------------------------------------------------------------


@get("/api/games", responses=REFUSED)
async def games() -> Catalogue:
    return Catalogue(
        [
            GameSight(
                game.name,
                game.title,
                game.credit,
                game.rules_version,
                list(game.seats),
                [asdict(rule) for rule in game.house_rules],
                shipped(game),
            )
            for _, game in sorted(all_games().items())
        ],
        [BotSight(bot.name, bot.meaning) for bot in BOTS.values()],
    )


@get("/api/tables", responses=REFUSED)
async def public_tables(request: Req) -> list[Listed]:
    return [_listed(row) for row in await site_of(request).store.read(tables.public_tables)]


@post("/api/tables", status_code=201, responses=REFUSED)
async def create_table(request: Req, data: JSONBody[tables.NewTable]) -> Created:
    site = site_of(request)
    limit(request, "create")
    deck, text = await asyncio.to_thread(_deck, data)
    table = await _change(
        request,
        lambda tx, who: tables.create(tx, site.writers, who, data, deck, text, site.now()),
    )
    return Created(table)


def _deck(wish: tables.NewTable) -> tuple[Deck, str]:
    """The deck wished for, and its text. A name is never a path here."""
    game = game_named(wish.game)
    if wish.deck_text:
        return game.read_deck(wish.deck_text, "deck"), wish.deck_text
    names = shipped(game)
    name = wish.deck or next(iter(names), "")
    if name not in names:
        raise Forbidden("deck", f"{game.title} comes with these decks: {', '.join(names)}")
    return load_deck(game, name), shipped_text(game, name)


def _listed(row: Row) -> Listed:
    clock = msgspec.to_builtins(rule_of(row))
    return Listed(row.id, row.game, row.state, clock, row.empty, row.created_at)


@get("/api/tables/{table:str}", responses=REFUSED)
async def see_table(request: Req, table: FromPath[str], invite: Invite = "") -> sight.TableSight:
    """The table as you may see it: from your seat, or as a spectator."""
    return await _seen(request, table, invite)


@post("/api/tables/{table:str}/join", status_code=200, responses=REFUSED)
async def join(request: Req, table: FromPath[str], data: JSONBody[JoinRequest]) -> sight.TableSight:
    """Take an empty seat; a private table wants its invitation."""
    site = site_of(request)
    await _change(
        request,
        lambda tx, who: tables.join(
            tx, site.writers, who, table, data.seat, data.invite, site.now()
        ),
    )
    return await _seen(request, table)


@post("/api/tables/{table:str}/leave", status_code=200, responses=REFUSED)
async def leave(request: Req, table: FromPath[str]) -> dict[str, Any]:
    await _change(request, lambda tx, who: tables.leave(tx, who, table))
    return {}


@post("/api/tables/{table:str}/start", status_code=200, responses=REFUSED)
async def start(request: Req, table: FromPath[str]) -> sight.TableSight:
    site = site_of(request)
    await _change(request, lambda tx, who: tables.start(tx, site.writers, who, table, site.now()))
    return await _seen(request, table)


@post("/api/tables/{table:str}/abort", status_code=200, responses=REFUSED)
async def abort(request: Req, table: FromPath[str]) -> sight.TableSight:
    """Call the match off before its first move."""
    site = site_of(request)
    await _change(request, lambda tx, who: tables.abort(tx, who, table, site.now()))
    return await _seen(request, table)


@post("/api/tables/{table:str}/rematch", status_code=200, responses=REFUSED)
async def rematch(request: Req, table: FromPath[str]) -> Created:
    """The same again with seats changed; whoever asks second joins the same table."""
    site = site_of(request)
    limit(request, "create")
    again = await _change(
        request, lambda tx, who: tables.rematch(tx, site.writers, who, table, site.now())
    )
    return Created(again)


# -- Moves -----------------------------------------------------------------------------------


@post("/api/tables/{table:str}/moves", status_code=200, responses=REFUSED)
async def play(request: Req, table: FromPath[str], data: JSONBody[MoveRequest]) -> Played:
    """Make a move. The answer comes when it is kept for good; a repeated submission is answered as
    the first time."""
    site = site_of(request)
    limit(request, "move")
    answer = await _change(
        request,
        lambda tx, who: tables.submit(
            tx, site.writers, who, table, data.move, data.version, data.submission, site.now()
        ),
    )
    return Played(**answer)


@post("/api/tables/{table:str}/options", status_code=200, responses=REFUSED)
async def options(
    request: Req, table: FromPath[str], data: JSONBody[StepsRequest]
) -> sight.OptionsSight:
    """The next steps on the way to a move."""
    return await _choose(request, table, lambda match, seat: sight.options(match, seat, data.steps))


@post("/api/tables/{table:str}/why", status_code=200, responses=REFUSED)
async def why(request: Req, table: FromPath[str], data: JSONBody[TryRequest]) -> sight.Verdict:
    """Whether a move could be made, and if not, by which rule."""
    return await _choose(request, table, lambda match, seat: sight.why(match, seat, data.move))


@post("/api/tables/{table:str}/preview", status_code=200, responses=REFUSED)
async def preview(
    request: Req, table: FromPath[str], data: JSONBody[TryRequest]
) -> sight.PreviewSight:
    """The table after a move, as far as you can know it, and what it would score."""
    return await _choose(request, table, lambda match, seat: sight.preview(match, seat, data.move))


@post("/api/tables/{table:str}/resign", status_code=200, responses=REFUSED)
async def resign(request: Req, table: FromPath[str]) -> sight.TableSight:
    site = site_of(request)
    await _change(request, lambda tx, who: tables.resign(tx, site.writers, who, table, site.now()))
    return await _seen(request, table)


@post("/api/tables/{table:str}/take-back", status_code=200, responses=REFUSED)
async def take_back(
    request: Req, table: FromPath[str], data: JSONBody[NumberRequest]
) -> sight.TableSight:
    """Take back your own moves from this one on, if nothing was revealed since."""
    site = site_of(request)
    await _change(
        request,
        lambda tx, who: tables.take_back(tx, site.writers, who, table, data.number, site.now()),
    )
    return await _seen(request, table)


@post("/api/tables/{table:str}/draw", status_code=200, responses=REFUSED)
async def draw(request: Req, table: FromPath[str]) -> Consent:
    """Offer a draw, or accept one."""
    return await _consent(request, table, "draw", 0)


@post("/api/tables/{table:str}/pause", status_code=200, responses=REFUSED)
async def pause(request: Req, table: FromPath[str]) -> Consent:
    """Ask for a pause, or agree to one."""
    return await _consent(request, table, "pause", 0)


@post("/api/tables/{table:str}/resume", status_code=200, responses=REFUSED)
async def resume(request: Req, table: FromPath[str]) -> Consent:
    """Ask to go on after a pause, or agree to."""
    return await _consent(request, table, "resume", 0)


@post("/api/tables/{table:str}/roll-back", status_code=200, responses=REFUSED)
async def roll_back(request: Req, table: FromPath[str], data: JSONBody[NumberRequest]) -> Consent:
    """Ask to have the table as before an entry, or agree to it."""
    return await _consent(request, table, "roll-back", data.number)


@post("/api/tables/{table:str}/decline", status_code=200, responses=REFUSED)
async def decline(
    request: Req, table: FromPath[str], data: JSONBody[DeclineRequest]
) -> dict[str, Any]:
    """Refuse an offer, or withdraw your own."""
    site = site_of(request)
    await _change(request, lambda tx, who: tables.decline(tx, who, table, data.kind, site.now()))
    return {}


# -- Looking back ----------------------------------------------------------------------------


@get("/api/tables/{table:str}/log", responses=REFUSED)
async def log(
    request: Req,
    table: FromPath[str],
    invite: Invite = "",
    since: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
) -> Log:
    """Your own record's entries after number `since`."""

    def work(match: Match, place: tables.Place) -> Log:
        return Log(match.version(place.seat), sight.told(match, place.seat, since))

    return await _look_back(request, table, invite, work)


@get("/api/tables/{table:str}/at/{number:int}", responses=REFUSED)
async def replay(
    request: Req,
    table: FromPath[str],
    number: FromPath[int],
    invite: Invite = "",
    viewer: Annotated[str, QueryParameter(max_length=40)] = "",
) -> sight.Moment:
    """The table after an entry: through your own eyes or a spectator's; through any, once the match
    is over."""

    def work(match: Match, place: tables.Place) -> sight.Moment:
        return sight.moment(match, sight.viewpoint(place, match, viewer), number)

    return await _look_back(request, table, invite, work)


@get("/api/tables/{table:str}/record", responses=REFUSED)
async def record(
    request: Req,
    table: FromPath[str],
    invite: Invite = "",
    viewer: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[str]:
    """The match as a record, as you may have it."""

    def work(match: Match, place: tables.Place) -> str:
        return write_record(match, sight.viewpoint(place, match, viewer))

    text = await _look_back(request, table, invite, work)
    name = 'attachment; filename="match.record"'
    return Response(
        text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name}
    )


@get("/api/tables/{table:str}/verify", responses=REFUSED)
async def verify(request: Req, table: FromPath[str], invite: Invite = "") -> sight.Verification:
    """The commitment to the deal; its opening once the match is over. It shows that the deal was
    not changed, not that the host did not choose it."""
    return await _look_back(request, table, invite, lambda match, _: sight.verification(match))


# -- What is said ----------------------------------------------------------------------------


@get("/api/tables/{table:str}/chat", responses=REFUSED)
async def chat(request: Req, table: FromPath[str], invite: Invite = "") -> Chat:
    def work(tx: Tx, person: Person | None) -> Chat:
        place = tables.find(tx, table, person, invite)
        return Chat([sight.chat_line(place.game, row) for row in tables.heard(tx, place)])

    return await site_of(request).look(session_of(request), work)


@post("/api/tables/{table:str}/chat", status_code=201, responses=REFUSED)
async def say(request: Req, table: FromPath[str], data: JSONBody[ChatRequest]) -> dict[str, Any]:
    """Seats speak to the table; spectators among themselves while the match is played."""
    site = site_of(request)
    limit(request, "chat")
    await _change(request, lambda tx, who: tables.say(tx, who, table, data.text, site.now()))
    return {}


@get("/api/tables/{table:str}/notes", responses=REFUSED)
async def read_notes(request: Req, table: FromPath[str]) -> Notes:
    """Your private notes on this table."""
    return await site_of(request).look(
        session_of(request),
        lambda tx, who: Notes(tables.notes(tx, accounts.someone(who), table)),
    )


@put("/api/tables/{table:str}/notes", responses=REFUSED)
async def write_notes(request: Req, table: FromPath[str], data: JSONBody[Notes]) -> Notes:
    site = site_of(request)
    await _change(
        request, lambda tx, who: tables.write_notes(tx, who, table, data.text, site.now())
    )
    return data


# -- Live ------------------------------------------------------------------------------------


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str]) -> None:
    """The table's frames for this viewer. `?version=` is that of the view one has already."""
    site, session = site_of(socket), session_of(socket)
    if not is_own_origin(site, socket.headers.get("origin"), socket.headers.get("host")):
        raise Forbidden("origin", "this comes from another site")
    invite, version = socket.query_params.get("invite", ""), socket.query_params.get("version", "")

    def work(tx: Tx, person: Person | None) -> Listener:
        place = tables.find(tx, table, person, invite)
        since = int(version) if version.isascii() and version.isdigit() and len(version) < 8 else 0
        return Listener(place.id, None if person is None else person.id, session, since)

    listener = await site.look(session, work)
    await socket.accept()
    if not site.hub.join(listener):
        await socket.close(1013, "too many listen")
        return
    try:
        reading = asyncio.create_task(_read(socket))
        writing = asyncio.create_task(_write(socket, listener))
        _, waiting = await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    finally:
        site.hub.leave(listener)
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()


async def _read(socket: Socket) -> None:
    """Nothing is said here by clients; reading notices when they go."""
    with suppress(WebSocketDisconnect, RuntimeError):
        for _ in range(MAX_FROM_CLIENT):
            await socket.receive_text()


async def _write(socket: Socket, listener: Listener) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        while (frame := await listener.frames.get()) is not None:
            await socket.send_text(frame.decode())


# -- Shared ----------------------------------------------------------------------------------


async def _change(request: Req, work: Callable[[Tx, Person], T]) -> T:
    return await site_of(request).change(session_of(request), work)


async def _seen(request: Req, table: str, invite: str = "") -> sight.TableSight:
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> sight.TableSight:
        place = tables.find(tx, table, person, invite)
        return sight.see(tx, site.readers, place, None if person is None else person.id)

    return await site.look(session_of(request), work)


async def _consent(request: Req, table: str, kind: str, number: int) -> Consent:
    site = site_of(request)
    return Consent(
        await _change(
            request,
            lambda tx, who: tables.consent(tx, site.writers, who, table, kind, number, site.now()),
        )
    )


async def _choose(request: Req, table: str, ask: Callable[[Match, Seat], T]) -> T:
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> T:
        place = tables.find_begun(tx, table, accounts.someone(person))
        seat = place.own_seat()
        with site.readers.sitting(tx, place.row) as sitting:
            return ask(sitting.match, seat)

    return await site.look(session_of(request), work)


async def _look_back(
    request: Req, table: str, invite: str, ask: Callable[[Match, tables.Place], T]
) -> T:
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> T:
        place = tables.find_begun(tx, table, person, invite)
        with site.readers.sitting(tx, place.row) as sitting:
            return ask(sitting.match, place)

    return await site.look(session_of(request), work)


def limit(request: Req, what: str) -> None:
    """Refuse if there have been too many of these from here lately."""
    address = request.client.host if request.client else ""
    who = session_of(request) if what not in ("sign-up", "sign-in") else ""
    request.app.state.limits.hit(what, who or address)


def is_own_origin(site: Site, origin: str | None, host: str | None) -> bool:
    """Whether a request comes from our own pages, or from no page at all."""
    if origin is None:
        return True
    if site.settings.origins:
        return origin in site.settings.origins
    return bool(host) and urlsplit(origin).netloc == host


ROUTES: Final = [
    become_guest, sign_up, sign_in, sign_out, me, rename, my_tables,
    games, public_tables, create_table, see_table, join, leave, start, abort, rematch,
    play, options, why, preview, resign, take_back, draw, pause, resume, roll_back, decline,
    log, replay, record, verify, chat, say, read_notes, write_notes, live,
]  # fmt: skip
