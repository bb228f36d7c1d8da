"""Moves and choices, offers, and looking back at a match."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

from openplan.core.match import Match
from openplan.core.record import write_record
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    AsSeat,
    Created,
    Invite,
    Number,
    Req,
    Text,
    adviser_of,
    change,
    choose,
    language_of,
    limit,
    look_back,
    seen,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.site import Site
from openplan.server.store import Tx
from openplan.server.tables import choices, view_model
from openplan.server.tables import moves as use
from openplan.server.tables.access import FoundTable, find_begun
from openplan.server.tables.bot_questions import Question, ask_hint
from openplan.server.tables.play_on import play_on


class MoveRequest(Asked, frozen=True):
    """`version` is that of the view you looked at; `submission` a name of your own, so that sending
    it again does no harm."""

    move: Text
    version: Number
    submission: Annotated[str, Meta(max_length=64)]
    ready: bool | None = None
    """Sealed orders: false saves them, true says that you are ready too. With nothing said you are,
    unless you want to wait."""


class StepsRequest(Asked, frozen=True):
    steps: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=100)]


class TryRequest(Asked, frozen=True):
    move: Text


class NumberRequest(Asked, frozen=True):
    """An entry by its number in your own record."""

    number: Number


class DeclineRequest(Asked, frozen=True):
    kind: Literal["draw", "pause", "resume", "roll-back", "take-back"]


class Played(msgspec.Struct):
    """Your move is kept for good. `version` is that of your view after it."""

    version: int
    move: str
    facts: list[str]
    events: list[dict[str, Any]]


_PLAYED: Final = msgspec.json.Decoder(Played)


class Hint(msgspec.Struct):
    """A move for the view of this version, and the chance to win after it, if anybody can tell."""

    version: int
    move: str
    chance: float | None


class Consent(msgspec.Struct):
    """Whether it has come to be, or waits for the others."""

    is_done: bool


class LogSight(msgspec.Struct):
    version: int
    entries: list[view_model.Told]


@post("/api/tables/{table:str}/moves", status_code=200, responses=REFUSED)
async def play(
    request: Req, table: FromPath[str], data: JSONBody[MoveRequest], seat: AsSeat = ""
) -> Played:
    """Make a move. The answer comes when it is kept for good; a repeated submission is answered as
    the first time."""
    limit(request, "move")
    answer = await keep_move(site_of(request), session_of(request), table, data, seat)
    return _PLAYED.decode(answer)


async def keep_move(
    site: Site, session: str, table: str, wish: MoveRequest, seat: str = ""
) -> bytes:
    """The answer, as JSON."""
    received = site.now()  # what counts, however long it takes from here
    return await site.change(
        session,
        lambda tx, who: use.submit(
            tx,
            site.writers,
            who,
            table,
            wish.move,
            wish.version,
            wish.submission,
            received,
            ready=wish.ready,
        ),
        seat,
    )


@post("/api/tables/{table:str}/options", status_code=200, responses=REFUSED)
async def options(
    request: Req, table: FromPath[str], data: JSONBody[StepsRequest], seat: AsSeat = ""
) -> choices.OptionsSight:
    """The next steps on the way to a move."""
    return await choose(
        request, table, seat, lambda match, own: choices.options(match, own, data.steps)
    )


@post("/api/tables/{table:str}/why", status_code=200, responses=REFUSED)
async def why(
    request: Req, table: FromPath[str], data: JSONBody[TryRequest], seat: AsSeat = ""
) -> choices.MoveCheck:
    """Whether a move could be made, and if not, by which rule."""
    language = language_of(request)
    return await choose(
        request, table, seat, lambda match, own: choices.why(match, own, data.move, language)
    )


@post("/api/tables/{table:str}/preview", status_code=200, responses=REFUSED)
async def preview(
    request: Req, table: FromPath[str], data: JSONBody[TryRequest], seat: AsSeat = ""
) -> choices.PreviewSight:
    """The table after a move, as far as you can know it, and what it would score."""
    language = language_of(request)
    return await choose(
        request, table, seat, lambda match, own: choices.preview(match, own, data.move, language)
    )


@post("/api/tables/{table:str}/hint", status_code=200, responses=REFUSED)
async def hint(request: Req, table: FromPath[str], seat: AsSeat = "") -> Hint:
    """What a bot would do in your place, where the table allows hints."""
    site = site_of(request)
    limit(request, "hint")

    def work(tx: Tx, person: Person | None) -> tuple[str, int, Question]:
        asking = accounts.someone(person)
        return asking.id, *ask_hint(tx, site.readers, find_begun(tx, table, asking))

    who, version, question = await site.look(session_of(request), work, seat)
    move, chance = await adviser_of(request).hint(who, question)
    return Hint(version, move, chance)


@post("/api/tables/{table:str}/resign", status_code=200, responses=REFUSED)
async def resign(request: Req, table: FromPath[str], seat: AsSeat = "") -> view_model.TableSight:
    site = site_of(request)
    limit(request, "consent")
    await change(
        request, lambda tx, who: use.resign(tx, site.writers, who, table, site.now()), seat
    )
    return await seen(request, table, seat=seat)


@post("/api/tables/{table:str}/take-back", status_code=200, responses=REFUSED)
async def take_back(
    request: Req, table: FromPath[str], data: JSONBody[NumberRequest], seat: AsSeat = ""
) -> view_model.TableSight:
    """Take back your own moves from this one on, if nothing was revealed since. At a friendly table
    it becomes an offer otherwise; others agree by naming the same entry."""
    site = site_of(request)
    limit(request, "consent")
    await change(
        request,
        lambda tx, who: use.take_back(tx, site.writers, who, table, data.number, site.now()),
        seat,
    )
    return await seen(request, table, seat=seat)


@post("/api/tables/{table:str}/draw", status_code=200, responses=REFUSED)
async def draw(request: Req, table: FromPath[str]) -> Consent:
    """Offer a draw, or accept one."""
    return await _consent(request, table, "draw")


@post("/api/tables/{table:str}/pause", status_code=200, responses=REFUSED)
async def pause(request: Req, table: FromPath[str]) -> Consent:
    """Ask for a pause, or agree to one."""
    return await _consent(request, table, "pause")


@post("/api/tables/{table:str}/resume", status_code=200, responses=REFUSED)
async def resume(request: Req, table: FromPath[str]) -> Consent:
    """Ask to go on after a pause, or agree to."""
    return await _consent(request, table, "resume")


@post("/api/tables/{table:str}/roll-back", status_code=200, responses=REFUSED)
async def roll_back(
    request: Req, table: FromPath[str], data: JSONBody[NumberRequest], seat: AsSeat = ""
) -> Consent:
    """Ask to have the table as before an entry, or agree to it."""
    return await _consent(request, table, "roll-back", data.number, seat)


@post("/api/tables/{table:str}/decline", status_code=200, responses=REFUSED)
async def decline(
    request: Req, table: FromPath[str], data: JSONBody[DeclineRequest]
) -> dict[str, Any]:
    """Refuse an offer, or withdraw your own."""
    site = site_of(request)
    limit(request, "consent")
    await change(request, lambda tx, who: use.decline(tx, who, table, data.kind, site.now()))
    return {}


async def _consent(request: Req, table: str, kind: str, number: int = 0, seat: str = "") -> Consent:
    """For all seats that one holds; `seat` says in whose record the number is."""
    site = site_of(request)
    limit(request, "consent")
    return Consent(
        await change(
            request,
            lambda tx, who: use.consent(tx, site.writers, who, table, kind, number, site.now()),
            seat,
        )
    )


# -- Looking back ----------------------------------------------------------------------------


@get("/api/tables/{table:str}/log", responses=REFUSED)
async def log(
    request: Req,
    table: FromPath[str],
    invite: Invite = "",
    seat: AsSeat = "",
    since: Annotated[int, QueryParameter(ge=0, le=1_000_000)] = 0,
    viewer: Annotated[str, QueryParameter(max_length=40)] = "",
) -> LogSight:
    """Your own record's entries after number `since`, or a spectator's; once the match is over,
    anybody's."""

    language = language_of(request)

    def work(match: Match, here: FoundTable) -> LogSight:
        eyes = view_model.viewpoint(here, match, viewer) if viewer else here.seat
        return LogSight(match.version(eyes), view_model.told(match, eyes, since, language))

    return await look_back(request, table, invite, seat, work)


@get("/api/tables/{table:str}/at/{number:int}", responses=REFUSED)
async def replay(
    request: Req,
    table: FromPath[str],
    number: FromPath[int],
    invite: Invite = "",
    seat: AsSeat = "",
    viewer: Annotated[str, QueryParameter(max_length=40)] = "",
) -> view_model.Moment:
    """The table after an entry: through your own eyes or a spectator's; through any, once the match
    is over."""

    language = language_of(request)

    def work(match: Match, here: FoundTable) -> view_model.Moment:
        return view_model.moment(match, view_model.viewpoint(here, match, viewer), number, language)

    return await look_back(request, table, invite, seat, work)


class PlayOnRequest(Asked, frozen=True):
    seat: Annotated[str, Meta(max_length=20)]
    bot: Annotated[str, Meta(max_length=40)] = "clerk"


@post("/api/tables/{table:str}/at/{number:int}/play-on", responses=REFUSED)
async def play_on_from(
    request: Req,
    table: FromPath[str],
    number: FromPath[int],
    data: JSONBody[PlayOnRequest],
    invite: Invite = "",
) -> Created:
    """A table of your own where a finished match goes on from this moment, against bots."""
    limit(request, "create")
    site = site_of(request)
    return Created(
        await change(
            request,
            lambda tx, who: play_on(
                tx, site.writers, who, table, invite, number, data.seat, data.bot, site.now()
            ),
        )
    )


@get("/api/tables/{table:str}/record", responses=REFUSED)
async def record(
    request: Req,
    table: FromPath[str],
    invite: Invite = "",
    seat: AsSeat = "",
    viewer: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[str]:
    """The match as a record, as you may have it."""

    def work(match: Match, here: FoundTable) -> str:
        return write_record(match, view_model.viewpoint(here, match, viewer))

    text = await look_back(request, table, invite, seat, work)
    name = 'attachment; filename="match.record"'
    return Response(
        text, media_type="text/plain; charset=utf-8", headers={"Content-Disposition": name}
    )


@get("/api/tables/{table:str}/verify", responses=REFUSED)
async def verify(
    request: Req, table: FromPath[str], invite: Invite = ""
) -> view_model.Verification:
    """The commitment to the deal; its opening once the match is over. It shows that the deal was
    not changed, not that the host did not choose it."""
    return await look_back(
        request, table, invite, "", lambda match, _: view_model.verification(match)
    )


ROUTES: Final = [
    play, options, why, preview, hint, resign, take_back, draw, pause, resume, roll_back, decline,
    log, replay, play_on_from, record, verify,
]  # fmt: skip
