"""The fast lane: a move, sent as pages send it, is read and answered without the framework.

A move is what a server is asked most, and a fifth of what it took was the framework's. It is the
same use-case as `routes.play`, in the same transaction, and errors are answered by the same words.
Whatever is not as plain (a seat in the query, a body in pieces or not to be read) goes the common
way, as if nobody had looked at it.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

import msgspec
from litestar import Request
from litestar.types import HTTPScope, Message, Receive

from openplan.server.http.error_answers import answer_to
from openplan.server.http.rate_limits import Limits
from openplan.server.http.routes.play import MoveRequest, keep_move
from openplan.server.http.routes.wire import cookie_name
from openplan.server.people import accounts
from openplan.server.site import Site

_PATH: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,64})/moves")
_MOVE: Final = msgspec.json.Decoder(MoveRequest)
MAX_BODY: Final = 16 * 1024
"""A move is much shorter; whether more than this is too much, the framework knows."""


class LaneAnswer(NamedTuple):
    status: int
    body: bytes


class MoveLane:
    def __init__(self, site: Site, limits: Limits) -> None:
        self._site = site
        self._limits = limits
        # As we set it, alone in its header or among others; the last counts, if there are several.
        name = re.escape(cookie_name(site).encode())
        self._cookie = re.compile(rb"(?:.*;)? *" + name + rb"=([A-Za-z0-9_-]+) *(?:;.*)?")

    def table_of(self, scope: HTTPScope) -> str:
        """The table, if it may be a move that goes this way."""
        if scope["method"] != "POST" or scope["query_string"]:
            return ""
        found = _PATH.fullmatch(scope["path"])
        return found[1] if found else ""

    async def play(
        self, table: str, scope: HTTPScope, receive: Receive, asked: list[Message]
    ) -> LaneAnswer | None:
        """Nothing, if it has to go the common way; what was read of it is in `asked` then."""
        message: Any = await receive()
        asked.append(message)
        body = message.get("body", b"")
        if message["type"] != "http.request" or message["more_body"] or len(body) > MAX_BODY:
            return None
        session, client = self._session_of(scope), scope["client"]
        if session is None:
            return None
        try:
            wish = _MOVE.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None
        try:
            self._limits.hit("move", session, client[0] if client else "")
            return LaneAnswer(200, await keep_move(self._site, session, table, wish))
        except Exception as error:  # noqa: BLE001 - answered as the framework would
            refusal = answer_to(Request(scope), error)
            return LaneAnswer(refusal.status_code or 500, msgspec.json.encode(refusal.content))

    def _session_of(self, scope: HTTPScope) -> str | None:
        """Nothing, if there is no such cookie to be found in this way."""
        for name, value in scope["headers"]:
            if name == b"cookie":
                found = self._cookie.fullmatch(value)
                return accounts.session_id(self._site.secret, found[1].decode()) if found else None
        return None
