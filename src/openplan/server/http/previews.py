"""What messengers show of a link to a table, or to a moment of its match: a title, a sentence, and
a picture drawn from what a spectator sees. Of a table that a stranger may not know of they show
what they show of none."""

from __future__ import annotations

import asyncio
import html
import json
import threading
from collections import OrderedDict
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.params import FromPath, QueryParameter

from openplan.core.game import Unreadable
from openplan.core.match import Match
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
_DRAWN: Final[OrderedDict[tuple[str, int, str, tuple[str, ...]], bytes]] = OrderedDict()
_DRAWING: Final = threading.Lock()
"""One at a time: it takes a tenth of a second of the processor."""


async def head_of(request: Req, table: str, invite: str, number: int | None = None) -> bytes:
    """Lines for the page's head; none where a stranger may know nothing. `number` is of the entry
    after which the match is shown, if it is not the match as it is now."""
    site, language = site_of(request), language_of(request)

    def work(tx: Tx) -> dict[str, str] | None:
        try:
            here = find(tx, table, None, invite)
        except Missing:
            return None
        return _said(here, _result_of(tx, here), language)

    said = await site.store.read(work)
    if said is None:
        return b""
    address = f"{site.settings.address}/table/{table}"
    invited = {"invite": invite} if invite else {}
    moment = {} if number is None else {"at": number}
    tags = {
        "og:site_name": "Open Plan",
        "og:type": "website",
        "og:title": said["title"],
        "og:description": said["text"],
        "og:url": _with(address if number is None else f"{address}/at/{number}", invited),
        "og:image": _with(
            f"{site.settings.address}/api/tables/{table}/picture.png", {**invited, **moment}
        ),
    }
    lines = [
        f'<meta property="{name}" content="{html.escape(value)}" />' for name, value in tags.items()
    ]
    lines.append('<meta name="twitter:card" content="summary_large_image" />')
    return "\n    ".join(lines).encode()


def _with(address: str, asked: dict[str, Any]) -> str:
    return f"{address}?{urlencode(asked)}" if asked else address


def _result_of(tx: Tx, here: FoundTable) -> dict[str, Any]:
    """Of a match that is over."""
    text = tx.row(str, "SELECT result FROM tables WHERE id = ?", here.id)
    result: dict[str, Any] = json.loads(text or "{}")
    return result


def _said(here: FoundTable, result: dict[str, Any], language: str) -> dict[str, str]:
    """In words that a stranger may read."""
    names = [seat.name for seat in here.seats if seat.name]
    known: dict[str, object] = {"game": here.game.title, "names": ", ".join(names)}
    code = {"waiting": "waiting", "over": "over"}.get(here.row.state, "playing")
    if code == "over":
        known["result"] = ", ".join(_points(here, result))
    text = _SENTENCES.say(f"{code}-text", known, language)
    won = _won(here, result, language)
    return {
        "title": _SENTENCES.say(f"{code}-title", known, language),
        "text": f"{won} {text}" if won else text,
    }


def _points(here: FoundTable, result: dict[str, Any]) -> list[str]:
    return [
        f"{seat.name} {n}" for seat, n in zip(here.seats, result.get("points", ()), strict=False)
    ]


def _won(here: FoundTable, result: dict[str, Any], language: str) -> str:
    """Who won a match that is over; nothing where nobody did."""
    winners = result.get("winners", ())
    names = [seat.name for seat in here.seats if here.game.seats[seat.seat] in winners]
    if not names:
        return ""
    code = "won" if len(names) == 1 else "won-together"
    return _SENTENCES.say(code, {"names": ", ".join(names)}, language)


@get("/api/tables/{table:str}/picture.png", include_in_schema=False)
async def picture(
    request: Req,
    table: FromPath[str],
    invite: Invite = "",
    at: Annotated[int | None, QueryParameter(ge=0, le=1_000_000)] = None,
) -> Response[bytes]:
    """All boards as a spectator sees them: now, or after entry `at`. Of a match that is over also
    who won, with which points."""
    site, language = site_of(request), language_of(request)

    def work(
        tx: Tx, who: Person | None
    ) -> tuple[str | None, int, tuple[Board, ...], tuple[str, ...]]:
        here = find(tx, table, None, invite)
        if here.row.deal is None:
            raise Missing
        with site.readers.timed(tx, here.row) as timed:
            match = timed.match if at is None else _after(timed.match, at)
            scene = here.game.scene(match.view(None), language)
            version = match.version(None)
        lines: tuple[str, ...] = ()
        if match.outcome is not None:
            result = _result_of(tx, here)
            told = (_won(here, result, language), ", ".join(_points(here, result)))
            lines = tuple(line for line in told if line)
        return None if who is None else who.id, version, scene.boards, lines

    user, version, boards, lines = await site.look(session_of(request), work)
    await note_look(request, table, user)
    key = (table, version, language, lines)
    png = _DRAWN.get(key)
    if png is None:
        png = _DRAWN[key] = await asyncio.to_thread(_drawn, boards, lines)
        while len(_DRAWN) > KEPT:
            _DRAWN.popitem(last=False)
    return Response(png, media_type="image/png", headers={"Cache-Control": "no-cache"})


def _after(match: Match, number: int) -> Match:
    """As it was after an entry of a spectator's record."""
    try:
        return match.at(0 if number == 0 else match.number_in_log(None, number))
    except Unreadable:
        raise Missing from None


def _drawn(boards: tuple[Board, ...], lines: tuple[str, ...]) -> bytes:
    with _DRAWING:
        return as_png(svg.draw_boards(boards, lines))


ROUTES: Final = [picture]
