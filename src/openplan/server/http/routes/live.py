"""Live views by WebSocket."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any, Final

from litestar import websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from openplan.server.errors import Forbidden
from openplan.server.http.live_views import PONG, PUSH, LiveSocket
from openplan.server.http.routes.wire import (
    Socket,
    hub_of,
    is_own_origin,
    language_of,
    note_look,
    session_of,
    site_of,
)
from openplan.server.notify import presence
from openplan.server.people.accounts import Person
from openplan.server.refusals import refused
from openplan.server.site import Site
from openplan.server.store import StoreError, Tx
from openplan.server.tables.access import find

MAX_FROM_CLIENT: Final = 200
"""Messages a socket may send in an hour before it is taken for a flood: there is little to say."""
HERE, AWAY = "here", "away"
"""What a page says: somebody looks at it and does something, or nobody looks any more."""
PING: Final = "ping"
"""It asks whether we are there, a little less than once in two seconds while it hears nothing."""


@websocket("/api/tables/{table:str}/live")
async def live(socket: Socket, table: FromPath[str]) -> None:
    """The table's frames for this viewer. `?version=` is that of the view one has already, `?seat=`
    the seat one looks from, for who holds several."""
    site, hub, session = site_of(socket), hub_of(socket), session_of(socket)
    if not is_own_origin(site, socket.headers.get("origin"), socket.headers.get("host")):
        raise refused(Forbidden, "origin")
    asked = socket.query_params
    invite, version, seat = (asked.get(name, "") for name in ("invite", "version", "seat"))

    def work(tx: Tx, person: Person | None) -> LiveSocket:
        here = find(tx, table, person, invite)
        since = int(version) if version.isascii() and version.isdigit() and len(version) < 8 else 0
        user = None if person is None else person.id
        address = socket.client.host if socket.client else ""
        return LiveSocket(here.id, user, session, since, language_of(socket), seat, address)

    listener = await site.look(session, work, seat)
    await note_look(socket, listener.table, listener.user)
    await socket.accept()
    offered: Any = (socket.scope.get("extensions") or {}).get(PUSH)
    listener.push = None if offered is None else offered[PUSH]
    if not hub.join(listener):
        await socket.close(1013, "too many listen")
        return
    try:
        reading = asyncio.create_task(_read(socket, listener))
        writing = asyncio.create_task(_write(socket, listener))
        _, waiting = await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
    finally:
        hub.leave(listener)
    with suppress(RuntimeError, WebSocketDisconnect):
        await socket.close()


async def _read(socket: Socket, listener: LiveSocket) -> None:
    """All that is said here is whether somebody looks, and whether we do; and reading notices when
    they go."""
    site, began, heard, pings = site_of(socket), time.monotonic(), 0, 0
    is_here = False
    with suppress(WebSocketDisconnect, RuntimeError, StoreError):
        while (
            heard < MAX_FROM_CLIENT * (1 + (passed := time.monotonic() - began) / 3600)
            and pings < MAX_FROM_CLIENT + passed
        ):
            said = await socket.receive_text()
            if said == PING:
                pings += 1
                listener.send(PONG)
                continue
            heard += 1
            if listener.user is not None and said in (HERE, AWAY):
                is_here = said == HERE
                await _note(site, listener.user, listener.table, is_here=is_here)
    if is_here and listener.user is not None:
        with suppress(StoreError):
            await _note(site, listener.user, listener.table, is_here=False)


async def _note(site: Site, user: str, table: str, *, is_here: bool) -> None:
    def work(tx: Tx) -> None:
        if is_here:
            presence.note(tx, user, table, site.now())
        else:
            presence.leave(tx, user, table)

    await site.store.transact(work)


async def _write(socket: Socket, listener: LiveSocket) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        async for frame in listener.next_frames():
            await socket.send_text(frame.decode())


ROUTES: Final = [live]
