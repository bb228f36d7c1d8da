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
from litestar.types import Send
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.http11 import Request
from websockets.protocol import State

from openplan.server.http.connections import Connections
from openplan.server.http.live_views import PUSH
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


async def answer_whole(send: Send, status: int, headers: bytes, body: bytes) -> None:
    """An answer at once, its headers written out: as uvicorn does it, but for looking through each
    of them again for what must not be in it."""
    cycle = getattr(send, "__self__", None)
    assert isinstance(cycle, RequestResponseCycle)
    if cycle.flow.write_paused and not cycle.disconnected:
        await cycle.flow.drain()
    if cycle.disconnected:
        return
    cycle.response_started = True
    cycle.waiting_for_100_continue = False
    head = [STATUS_LINE[status], headers, b"content-length: %d\r\n" % len(body)]
    for name, value in cycle.default_headers:
        head += (name, b": ", value, b"\r\n")
    if not cycle.keep_alive:
        head.append(b"connection: close\r\n")
    cycle.transport.write(b"".join([*head, b"\r\n", body]))
    cycle.response_complete = True
    cycle.message_event.set()
    if not cycle.keep_alive:
        cycle.transport.close()
    cycle.on_response()


class PatientSocket(WebSocketsSansIOProtocol):
    """A socket whose browser leaves in the moment in which the server ends keeps nothing from being
    closed: uvicorn would say goodbye once more, which is a fault, and go no further."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:  # the program has not begun to look at it yet
            self.scope["extensions"][PUSH] = {PUSH: self.push}

    def push(self, text: bytes) -> bool:
        """A whole text (RFC 6455, 5.6) at once, past the framework; false where it has to wait its
        turn, or the socket has come to its end."""
        is_open = self.conn.state is State.OPEN and not (self.close_sent or self.disconnected)
        if not is_open or not self.writable.is_set() or self.conn.extensions:
            return False
        size = len(text)
        if size < 126:
            head = bytes((0x81, size))
        elif size < 1 << 16:
            head = b"\x81\x7e" + size.to_bytes(2)
        else:
            head = b"\x81\x7f" + size.to_bytes(8)
        self.transport.write(head + text)
        return True

    def shutdown(self) -> None:
        with suppress(InvalidState):
            super().shutdown()
        self.transport.close()
