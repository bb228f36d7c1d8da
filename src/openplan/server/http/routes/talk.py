"""What is said at a table, and private notes."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
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
from openplan.server.tables import chat, view_model
from openplan.server.tables.access import find


class ChatRequest(Asked, frozen=True):
    text: Text


class Notes(Asked, frozen=True):
    text: Annotated[str, Meta(max_length=20_000)]


class Chat(msgspec.Struct):
    lines: list[view_model.ChatLine]


@get("/api/tables/{table:str}/chat", responses=REFUSED)
async def read_chat(request: Req, table: FromPath[str], invite: Invite = "") -> Chat:
    def work(tx: Tx, person: Person | None) -> Chat:
        here = find(tx, table, person, invite)
        return Chat([view_model.chat_line(here.game, row) for row in chat.heard(tx, here)])

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


ROUTES: Final = [read_chat, say, read_notes, write_notes]
