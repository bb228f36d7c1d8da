"""Looking back on a match that is over: what each decision cost, and what was luck."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from litestar import delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    AsSeat,
    Created,
    Invite,
    Req,
    Text,
    adviser_of,
    change,
    language_of,
    limit,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables import looking_back, reviews
from openplan.server.tables.looking_back import Mistake
from openplan.server.tables.play_on import again
from openplan.server.tables.reviews import ReviewSight, Trying

EntryNumber = Annotated[int, Meta(ge=1, le=1_000_000)]


class AgainRequest(Asked, frozen=True):
    entry: EntryNumber
    """The one in whose place you want to move; all before it stay."""


class TriedRequest(Asked, frozen=True):
    entry: EntryNumber
    move: Text


class TriedSight(msgspec.Struct):
    """The chance to win after the best move found there, and after the one you name."""

    before: float
    after: float
    cost: float
    best: str


class MistakesSight(msgspec.Struct):
    positions: list[Mistake]


@post("/api/tables/{table:str}/review", status_code=202, responses=REFUSED)
async def ask_review(request: Req, table: FromPath[str]) -> ReviewSight:
    """Ask to look back on a match that you have played and that is over. It is made when no table
    wants the bots; a rated match is looked back on by itself."""
    site = site_of(request)
    limit(request, "review")
    return await change(request, lambda tx, who: reviews.ask(tx, who, table, site.now()))


@get("/api/tables/{table:str}/review", responses=REFUSED)
async def see_review(
    request: Req, table: FromPath[str], invite: Invite = "", seat: AsSeat = ""
) -> ReviewSight:
    """How far it is, and what was found. Of a match that goes on there is none for anybody."""
    language = language_of(request)

    def work(tx: Tx, person: Person | None) -> ReviewSight:
        return reviews.see(tx, reviews.find_over(tx, table, person, invite), language)

    return await site_of(request).look(session_of(request), work, seat)


@delete("/api/tables/{table:str}/review", status_code=200, responses=REFUSED)
async def stop_review(request: Req, table: FromPath[str]) -> ReviewSight:
    """Whoever has asked for it wants it no more."""
    return await change(request, lambda tx, who: reviews.stop(tx, who, table))


@post("/api/tables/{table:str}/review/try", status_code=200, responses=REFUSED)
async def try_move(request: Req, table: FromPath[str], data: JSONBody[TriedRequest]) -> TriedSight:
    """What another move would have been worth in place of one that was made, by what its maker
    could know."""
    site = site_of(request)
    limit(request, "hint")

    def work(tx: Tx, person: Person | None) -> tuple[str, Trying]:
        who = accounts.someone(person)
        return who.id, reviews.trying(tx, site.readers, who, table, data.entry, data.move)

    who, trying = await site.look(session_of(request), work)
    found = await adviser_of(request).weigh(who, trying)
    before, after, cost = (round(one, 4) for one in (found.before, found.after, found.cost))
    return TriedSight(before, after, cost, found.best)


@post("/api/tables/{table:str}/again", status_code=201, responses=REFUSED)
async def try_again(request: Req, table: FromPath[str], data: JSONBody[AgainRequest]) -> Created:
    """A table of your own where a match of yours goes on from just before an entry, against the
    same bots; for each other person one of the house plays. It is not rated."""
    site = site_of(request)
    limit(request, "create")
    return Created(
        await change(
            request,
            lambda tx, who: again(tx, site.writers, who, table, data.entry, site.now()),
        )
    )


@get("/api/me/mistakes", responses=REFUSED)
async def my_mistakes(request: Req) -> MistakesSight:
    """Up to five positions of the last week in which you could have done better, the worst first:
    from matches of yours that were looked back on."""
    site = site_of(request)
    return MistakesSight(
        await site.look(
            session_of(request),
            lambda tx, who: looking_back.mistakes(tx, accounts.someone(who), site.now()),
        )
    )


ROUTES: Final = [ask_review, see_review, stop_review, try_move, try_again, my_mistakes]
