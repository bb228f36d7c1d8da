"""Paper: decks, counters, rules and reference cards for anybody, a turn for the player of its seat.

One at a time is set, in a thread of its own: it takes some tenths of a second of the processor. Who
comes when too many wait is asked to come back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, Final, Literal

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from openplan.core.deck import Deck
from openplan.core.game import AnyGame
from openplan.core.registry import game_named
from openplan.decks import load_deck, shipped
from openplan.printing.alignment import print_alignment
from openplan.printing.booklet import print_reference, print_rules
from openplan.printing.counters import print_counters
from openplan.printing.deck import print_deck
from openplan.printing.paper import Backs, Edge, Job, Paper, read_offset
from openplan.printing.postal import print_turns
from openplan.server.errors import Missing, TooMany
from openplan.server.http.routes.wire import (
    REFUSED,
    AsSeat,
    Invite,
    Req,
    language_of,
    limit,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables import workshop
from openplan.server.tables.access import find, find_begun
from openplan.server.tables.match_cache import deck_of
from openplan.server.tables.prints import printed_turn

_PRESS: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="press")
_MOST_WAITING: Final = 20
_waiting = 0

ALL: Final = "all"
"""In place of a seat: those that the asker holds."""
PaperName = Annotated[Literal["a4", "letter"], QueryParameter()]


async def _printed(work: Callable[[], bytes]) -> bytes:
    global _waiting
    if _waiting >= _MOST_WAITING:
        raise TooMany
    _waiting += 1
    try:
        return await asyncio.get_running_loop().run_in_executor(_PRESS, work)
    finally:
        _waiting -= 1


def _answer(data: bytes, name: str, *, is_preview: bool = False) -> Response[bytes]:
    """To be looked at or saved, and kept by nobody on the way: a turn is its player's."""
    kind = "image/png" if is_preview else "application/pdf"
    headers = {"Cache-Control": "private, no-store"}
    if not is_preview:
        headers["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return Response(data, media_type=kind, headers=headers)


@get("/api/games/{game:str}/print/{what:str}", responses=REFUSED)
async def print_game(
    request: Req,
    game: FromPath[str],
    what: FromPath[str],
    deck: Annotated[str, QueryParameter(max_length=40)] = "",
    table: Annotated[str, QueryParameter(max_length=40)] = "",
    made: Annotated[str, QueryParameter(max_length=40)] = "",
    invite: Invite = "",
    paper: PaperName = "a4",
    backs: Annotated[Literal["duplex", "fold", "none"], QueryParameter()] = "duplex",
    edge: Annotated[Literal["long", "short"], QueryParameter()] = "long",
    offset: Annotated[str, QueryParameter(max_length=20)] = "0,0",
    low_ink: Annotated[bool, QueryParameter()] = False,
    one_per_page: Annotated[bool, QueryParameter()] = False,
    preview: Annotated[bool, QueryParameter()] = False,
) -> Response[bytes]:
    """Something of a game as PDF: its `deck` (or that of a `table`, or one that somebody
    `made`), `counters`, `rules`, a `reference` card, or a `test-sheet` to measure a printer; as a
    `preview`, its first page as a picture."""
    limit(request, "print")
    found = game_named(game)
    job = Job(
        Paper(paper),
        Backs(backs),
        Edge(edge),
        read_offset(offset),
        low_ink,
        one_per_page,
        language_of(request),
        preview,
    )
    if what not in _SETS:
        raise Missing
    cards = await _deck(request, found, deck, table, made, invite)
    data = await _printed(lambda: _SETS[what](found, cards, job))
    return _answer(data, f"{found.name}-{what}", is_preview=preview)


async def _deck(request: Req, game: AnyGame, name: str, table: str, made: str, invite: str) -> Deck:
    """That of a table that the asker may know of, one that the asker made or somebody shares, or
    one that comes with the game."""
    if not table and not made:
        name = name or shipped(game)[0]
        if name not in shipped(game):
            raise Missing
        return await asyncio.to_thread(load_deck, game, name)

    def work(tx: Tx, person: Person | None) -> Deck:
        if made:
            row = workshop.find(tx, person, made)
            if row.game != game.name or row.faults:
                raise Missing
            return game.read_deck(row.text, "deck")
        here = find(tx, table, person, invite)
        if here.game.name != game.name:
            raise Missing
        return deck_of(tx, here.row)

    return await site_of(request).look(session_of(request), work)


_SETS: Final[dict[str, Callable[[AnyGame, Deck, Job], bytes]]] = {
    "deck": print_deck,
    "counters": print_counters,
    "rules": lambda game, _, job: print_rules(game, job),
    "reference": print_reference,
    "test-sheet": lambda _, __, job: print_alignment(job),
}


@get("/api/tables/{table:str}/print", responses=REFUSED)
async def print_seat(
    request: Req,
    table: FromPath[str],
    seat: AsSeat = "",
    what: Annotated[Literal["turn", "form"], QueryParameter()] = "turn",
    paper: PaperName = "a4",
) -> Response[bytes]:
    """Your turn as PDF: what happened, the table, your hand, and a form for a pen; or the form
    alone. It shows what you may know and nothing else. Of `all` your seats at a table shared on
    one screen it is one PDF, each seat's pages on paper of their own."""
    limit(request, "print")
    site, language = site_of(request), language_of(request)
    is_all = seat == ALL

    def work(tx: Tx, person: Person | None) -> list[dict[str, Any]]:
        here = find_begun(tx, table, accounts.someone(person))
        with site.readers.timed(tx, here.row) as timed:
            return [
                printed_turn(
                    tx, here, timed, site.settings, own, language, form_only=what == "form"
                )
                for own in (here.own_seats() if is_all else [here.own_seat()])
            ]

    told = await site.look(session_of(request), work, "" if is_all else seat)
    data = await _printed(lambda: print_turns(told, Paper(paper), language))
    return _answer(data, what)


ROUTES: Final = [print_game, print_seat]
