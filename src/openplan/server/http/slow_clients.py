"""How long and how much of one request is waited for.

Whoever sends a byte now and then, or a head without end, or never reads an answer, holds neither a
connection nor memory for ever.

A proxy in front does that too, but a club's server may have none.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, ClassVar, Final, cast

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from openplan.server.http.connections import Connections
from openplan.server.http.routes.wire import RefusalSight

SECONDS: Final = 30.0
"""For a request to arrive whole, from the connection's opening or from its first byte; and for an
answer to be read on, once the reader has let it pile up."""
MAX_HEAD: Final = 64 * 1024

_STATUS: Final = {
    400: "Bad Request",
    408: "Request Timeout",
    431: "Request Header Fields Too Large",
}


class PatientProtocol(HttpToolsProtocol):
    """HTTP as uvicorn speaks it, with an end to waiting."""

    seconds = SECONDS
    doorway: ClassVar[Connections]
    """Of this process."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._asking_since: float | None = None
        self._stuck_since: float | None = None
        self._in_head = True
        self._head = 0
        self._watch: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._asking_since = self.loop.time()
        self._look()
        peer = transport.get_extra_info("peername")
        self._place = self.doorway.enter(self, peer[0] if peer else "")

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        self.doorway.leave(self, self._place)
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        self._stop_watching()  # sockets are asked now and then whether they are there
        self.doorway.leave(self, self._place)  # and are counted where they listen
        super().handle_websocket_upgrade()

    def turn_out(self) -> None:
        self.transport.abort()

    # -- How long ----------------------------------------------------------------------------

    def _look(self) -> None:
        """Now and then rather than by a timer for each request: requests are many."""
        now = self.loop.time()
        if self.transport.is_closing() and self._stuck_since is None:
            self._stuck_since = now  # what was said last may never be read
        if self._stuck_since is not None and self._stuck_since < now - self.seconds:
            self.transport.abort()
            return
        if self._asking_since is not None and self._asking_since < now - self.seconds:
            self._refuse(408, RefusalSight("slow", "the request took too long to arrive", ""))
        self._watch = self.loop.call_later(self.seconds / 4, self._look)

    def _stop_watching(self) -> None:
        if self._watch is not None:
            self._watch.cancel()

    def on_message_begin(self) -> None:
        self._in_head, self._head = True, 0
        if self._asking_since is None:
            self._asking_since = self.loop.time()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._asking_since = None
        self.doorway.is_asking(self, self._place)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and not self.pipeline:
            self.doorway.is_silent(self, self._place)

    def pause_writing(self) -> None:
        self._stuck_since = self.loop.time()
        super().pause_writing()

    def resume_writing(self) -> None:
        self._stuck_since = None
        super().resume_writing()

    # -- How much ----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if self._asking_since is None:  # also for an empty line, which begins no message
            self._asking_since = self.loop.time()
        super().data_received(data)
        if self._in_head:
            self._head += len(data)
            if self._head > MAX_HEAD:
                self._refuse(431, RefusalSight("too-large", "the request's head is too large", ""))

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    # -- How that is said --------------------------------------------------------------------

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, RefusalSight("unreadable", "this is no request of HTTP", ""))

    def _refuse(self, status: int, refusal: RefusalSight) -> None:
        """Nothing is said if it would be taken for the answer to a request before this one, or come
        in the middle of an answer."""
        if not self.transport.is_closing():
            last = cast(RequestResponseCycle | None, self.cycle)
            is_own = not self._in_head and not self.pipeline
            if last is None or last.response_complete or (is_own and not last.response_started):
                body = msgspec.json.encode(refusal)
                self.transport.write(
                    f"HTTP/1.1 {status} {_STATUS[status]}\r\n"
                    "content-type: application/json\r\n"
                    "x-content-type-options: nosniff\r\n"
                    f"content-length: {len(body)}\r\n"
                    "connection: close\r\n\r\n".encode()
                    + body
                )
            self.transport.close()


class PatientSocket(WebSocketsSansIOProtocol):
    """A socket whose browser leaves in the moment in which the server ends keeps nothing from being
    closed: uvicorn would say goodbye once more, which is a fault, and go no further."""

    def shutdown(self) -> None:
        with suppress(InvalidState):
            super().shutdown()
        self.transport.close()
