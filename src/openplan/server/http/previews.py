"""What messengers show of a link to a table: a title, a sentence, and a picture drawn from what a
spectator sees. Of a table that a stranger may not know of they show what they show of none."""

from __future__ import annotations

import asyncio
import html
import json
import threading
from collections import OrderedDict
from typing import Any, Final

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath

from openplan.core.scene import Board
from openplan.core.sentences import Sentences
from openplan.mail.outbound.pictures import as_png
from openplan.render import svg
from openplan.server.errors import Missing
from openplan.server.http.routes.wire import Invite, language_of, note_look, session_of, site_of
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables.access import FoundTable, find

Req = Request[Any, Any, State]

_SENTENCES: Final = Sentences.of("previews")
KEPT: Final = 64
_DRAWN: Final[OrderedDict[tuple[str, int, str], bytes]] = OrderedDict()
_DRAWING: Final = threading.Lock()
"""One at a time: it takes a tenth of a second of the processor."""


async def head_of(request: Req, table: str, invite: str) -> bytes:
    """Lines for the page's head; none where a stranger may know nothing."""
    site, language = site_of(request), language_of(request)

    def work(tx: Tx) -> dict[str, str] | None:
        try:
            here = find(tx, table, None, invite)
        except Missing:
            return None
        result = tx.row(str, "SELECT result FROM tables WHERE id = ?", here.id) or "{}"
        return _said(here, json.loads(result).get("points", []), language)

    said = await site.store.read(work)
    if said is None:
        return b""
    address = f"{site.settings.address}/table/{table}"
    more = f"?invite={invite}" if invite else ""
    picture = f"{site.settings.address}/api/tables/{table}/picture.png{more}"
    tags = {
        "og:site_name": "Open Plan",
        "og:type": "website",
        "og:title": said["title"],
        "og:description": said["text"],
        "og:url": address + more,
        "og:image": picture,
    }
    lines = [
        f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in tags.items()
    ]
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    return "\n    ".join(lines).encode()


def _said(here: FoundTable, points: list[int], language: str) -> dict[str, str]:
    """In words that a stranger may read."""
    names = [seat.name for seat in here.seats if seat.name]
    known: dict[str, object] = {"game": here.game.title, "names": ", ".join(names)}
    code = {"waiting": "waiting", "over": "over"}.get(here.row.state, "playing")
    if code == "over":
        each = [f"{seat.name} {n}" for seat, n in zip(here.seats, points, strict=False)]
        known["result"] = ", ".join(each)
    return {
        "title": _SENTENCES.say(f"{code}-title", known, language),
        "text": _SENTENCES.say(f"{code}-text", known, language),
    }


@get("/api/tables/{table:str}/picture.png", include_in_schema=False)
async def picture(request: Req, table: FromPath[str], invite: Invite = "") -> Response[bytes]:
    """The boards as a spectator sees them."""
    site, language = site_of(request), language_of(request)

    def work(tx: Tx, who: Person | None) -> tuple[str | None, int, list[Board]]:
        here = find(tx, table, None, invite)
        if here.row.deal is None:
            raise Missing
        with site.readers.timed(tx, here.row) as timed:
            match = timed.match
            scene = here.game.scene(match.view(None), language)
            user = None if who is None else who.id
            return user, match.version(None), list(scene.boards)

    user, version, boards = await site.look(session_of(request), work)
    await note_look(request, table, user)
    key = (table, version, language)
    png = _DRAWN.get(key)
    if png is None:
        png = _DRAWN[key] = await asyncio.to_thread(_drawn, boards[0])
        while len(_DRAWN) > KEPT:
            _DRAWN.popitem(last=False)
    return Response(png, media_type="image/png", headers={"Cache-Control": "no-cache"})


def _drawn(board: Board) -> bytes:
    with _DRAWING:
        return as_png(svg.draw_board(board))


ROUTES: Final = [picture]
