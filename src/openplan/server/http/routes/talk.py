"""What is said at a table, and what is private there: notes, moves half made, how far one has
seen."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.server.http.routes.time import Moment
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    AsSeat,
    Invite,
    Req,
    Text,
    change,
    limit,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables import chat, drafts, seen, view_model
from openplan.server.tables.access import find


class ChatRequest(Asked, frozen=True):
    text: Text


class Notes(Asked, frozen=True):
    text: Annotated[str, Meta(max_length=20_000)]


class DraftRequest(Asked, frozen=True):
    """What you have of a move, in your client's own words, and when you had it."""

    text: Annotated[str, Meta(max_length=drafts.MAX_DRAFT)]
    at: Moment

    @property
    def draft(self) -> drafts.Draft:
        return drafts.Draft(self.text, self.at)


class SeenRequest(Asked, frozen=True):
    """The last entry of your record that you were shown, and how many turns were opened."""

    entry: Annotated[int, Meta(ge=0, le=1_000_000)]
    turn: Annotated[int, Meta(ge=0, le=1_000_000)]


class Chat(msgspec.Struct):
    lines: list[view_model.ChatLine]


@get("/api/tables/{table:str}/chat", responses=REFUSED)
async def read_chat(request: Req, table: FromPath[str], invite: Invite = "") -> Chat:
    def work(tx: Tx, person: Person | None) -> Chat:
        here = find(tx, table, person, invite)
        return Chat([view_model.chat_line(here, row) for row in chat.heard(tx, here)])

    return await site_of(request).look(session_of(request), work)


@post("/api/tables/{table:str}/chat", status_code=201, responses=REFUSED)
async def say(request: Req, table: FromPath[str], data: JSONBody[ChatRequest]) -> dict[str, Any]:
    """Seats speak to the table; spectators among themselves while the match is played."""
    site = site_of(request)
    limit(request, "chat")
    await change(request, lambda tx, who: chat.say(tx, who, table, data.text, site.now()))
    return {}


@get("/api/tables/{table:str}/notes", responses=REFUSED)
async def read_notes(request: Req, table: FromPath[str]) -> Notes:
    """Your private notes on this table."""
    return await site_of(request).look(
        session_of(request),
        lambda tx, who: Notes(chat.notes(tx, accounts.someone(who), table)),
    )


@put("/api/tables/{table:str}/notes", responses=REFUSED)
async def write_notes(request: Req, table: FromPath[str], data: JSONBody[Notes]) -> Notes:
    site = site_of(request)
    await change(request, lambda tx, who: chat.write_notes(tx, who, table, data.text, site.now()))
    return data


@get("/api/tables/{table:str}/draft", responses=REFUSED)
async def read_draft(request: Req, table: FromPath[str], seat: AsSeat = "") -> drafts.Draft:
    """The move that you have half made at this table."""
    return await site_of(request).look(
        session_of(request),
        lambda tx, who: drafts.of_seat(tx, accounts.someone(who), table),
        seat,
    )


@put("/api/tables/{table:str}/draft", responses=REFUSED)
async def write_draft(
    request: Req, table: FromPath[str], data: JSONBody[DraftRequest], seat: AsSeat = ""
) -> drafts.Draft:
    """Keep a move half made, until it is made or its turn is over. The newest counts: the answer is
    what is kept now."""
    now = site_of(request).now()
    limit(request, "draft")
    return await change(
        request, lambda tx, who: drafts.write_for_seat(tx, who, table, data.draft, now), seat
    )


@get("/api/games/{game:str}/lesson/draft", responses=REFUSED)
async def read_lesson_draft(request: Req, game: FromPath[str]) -> drafts.Draft:
    """How far you are in a lesson."""
    return await site_of(request).look(
        session_of(request), lambda tx, who: drafts.of_lesson(tx, accounts.someone(who), game)
    )


@put("/api/games/{game:str}/lesson/draft", responses=REFUSED)
async def write_lesson_draft(
    request: Req, game: FromPath[str], data: JSONBody[DraftRequest]
) -> drafts.Draft:
    now = site_of(request).now()
    limit(request, "draft")
    return await change(
        request, lambda tx, who: drafts.write_for_lesson(tx, who, game, data.draft, now)
    )


@get("/api/tables/{table:str}/seen", responses=REFUSED)
async def read_seen(request: Req, table: FromPath[str], seat: AsSeat = "") -> seen.Seen:
    """How far you have seen this table, on whichever device."""
    return await site_of(request).look(
        session_of(request), lambda tx, who: seen.of_seat(tx, accounts.someone(who), table), seat
    )


@put("/api/tables/{table:str}/seen", responses=REFUSED)
async def write_seen(
    request: Req, table: FromPath[str], data: JSONBody[SeenRequest], seat: AsSeat = ""
) -> seen.Seen:
    limit(request, "seen")
    now = seen.Seen(data.entry, data.turn)
    return await change(request, lambda tx, who: seen.write(tx, who, table, now), seat)


ROUTES: Final = [
    read_chat, say, read_notes, write_notes, read_seen, write_seen,
    read_draft, write_draft, read_lesson_draft, write_lesson_draft,
]  # fmt: skip
