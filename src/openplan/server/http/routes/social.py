"""Others: profiles, results, ratings; whom you do not want to meet or hear; complaints."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import delete, get, post, put
from litestar.params import FromPath, JSONBody, QueryParameter

from openplan.core.registry import all_games
from openplan.server.errors import Missing
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    Req,
    Text,
    change,
    limit,
    session_of,
    site_of,
)
from openplan.server.people import accounts, blocks, complaints, ratings, reliability
from openplan.server.people.accounts import Person
from openplan.server.people.blocks import Shunned
from openplan.server.people.ratings import PROVISIONAL, Rating
from openplan.server.people.reliability import Reliability
from openplan.server.store import Tx
from openplan.server.tables import looking_back
from openplan.server.tables import results as match_results
from openplan.server.tables.access import find
from openplan.server.tables.looking_back import AgainstSight, LuckSight

PAGE: Final = 50
LADDER: Final = 100


class RatingSight(msgspec.Struct):
    game: str
    rating: int
    matches: int
    is_provisional: bool
    """From too few matches to mean much."""


class Profile(msgspec.Struct):
    id: str
    name: str
    kind: str
    since: int
    ratings: list[RatingSight]
    reliability: Reliability
    lessened: dict[str, int]
    """How many rated matches counted less or not at all, by the reason (short, device, address,
    repeated), and how many were called off after the deal (called-off)."""
    luck_adjusted: dict[str, LuckSight] | None
    """By game, over rated matches: the margin, and what it is without luck."""


class Participant(msgspec.Struct):
    seat: str
    person: str | None
    """Nobody: a bot, or somebody who is gone."""
    place: int


class ResultSight(msgspec.Struct):
    number: int
    """To ask for what came `before` it."""
    game: str
    table: str | None
    """Where it can be looked at, if by everybody."""
    seat: str
    place: int
    rated: bool
    rating: int | None
    """After the match, if it was rated."""
    at: int
    all: list[Participant]


class Rated(msgspec.Struct):
    person: str
    name: str
    rating: RatingSight


class ShunRequest(Asked, frozen=True):
    """`block`: cannot join your tables, and you do not hear them. `mute`: you do not hear them."""

    kind: Literal["block", "mute"]


class ComplaintRequest(Asked, frozen=True):
    text: Text
    table: Annotated[str, msgspec.Meta(max_length=64)] = ""


def _rating(game: str, rating: Rating) -> RatingSight:
    return RatingSight(game, rating.shown, rating.matches, rating.matches < PROVISIONAL)


@get("/api/people/{person:str}", responses=REFUSED)
async def profile(request: Req, person: FromPath[str]) -> Profile:
    """Somebody's name, since when, ratings, and how they keep to their time."""

    def work(tx: Tx) -> Profile:
        row = accounts.somebody(tx, person)
        return Profile(
            row.id,
            row.name,
            row.kind,
            row.created_at,
            [_rating(game, rating) for game, rating in ratings.all_of(tx, row.id)],
            reliability.of(tx, row.id),
            match_results.lessened_of(tx, row.id),
            looking_back.luck_of(tx, row.id),
        )

    return await site_of(request).store.read(work)


@get("/api/people/{person:str}/results", responses=REFUSED)
async def results(
    request: Req,
    person: FromPath[str],
    before: Annotated[int, QueryParameter(ge=0, le=2**53)] = 0,
) -> list[ResultSight]:
    """Somebody's matches, the newest first: rated ones and those at public tables; your own all."""

    def work(tx: Tx, asker: Person | None) -> list[ResultSight]:
        row = accounts.somebody(tx, person)
        is_own = asker is not None and asker.id == row.id
        found = match_results.results_of(tx, row.id, all_tables=is_own, before=before, limit=PAGE)
        return [_result(tx, one, is_own) for one in found]

    return await site_of(request).look(session_of(request), work)


def _result(tx: Tx, row: match_results.ResultRow, is_own: bool) -> ResultSight:
    seats = all_games()[row.game].seats
    rating = None if row.mu is None or row.sigma is None else Rating(row.mu, row.sigma, 0).shown
    everybody = match_results.participants(tx, row.table_id)
    return ResultSight(
        number=row.id,
        game=row.game,
        table=row.table_id if row.is_public or is_own else None,
        seat=seats[row.seat],
        place=row.place,
        rated=bool(row.is_rated),
        rating=rating,
        at=row.at,
        all=[Participant(seats[seat], person, place) for seat, person, place in everybody],
    )


@get("/api/people/{person:str}/against/{other:str}", responses=REFUSED)
async def against(request: Req, person: FromPath[str], other: FromPath[str]) -> list[AgainstSight]:
    """How two people have ended against each other: at public tables and in rated matches; all of
    them for the two. How either plays is not told."""

    def work(tx: Tx, asker: Person | None) -> list[AgainstSight]:
        two = [accounts.somebody(tx, one).id for one in (person, other)]
        is_own = asker is not None and asker.id in two
        return looking_back.against(tx, *two, all_tables=is_own)

    return await site_of(request).look(session_of(request), work)


@get("/api/ratings/{game:str}", responses=REFUSED)
async def ladder(request: Req, game: FromPath[str]) -> list[Rated]:
    """The best at a game."""
    if game not in all_games():
        raise Missing
    found = await site_of(request).store.read(lambda tx: ratings.ladder(tx, game, LADDER))
    return [Rated(person, name, _rating(game, rating)) for person, name, rating in found]


@get("/api/me/shunned", responses=REFUSED)
async def shunned(request: Req) -> list[Shunned]:
    """Whom you have blocked or muted."""
    return await site_of(request).look(
        session_of(request), lambda tx, who: blocks.shunned_by(tx, accounts.someone(who))
    )


@put("/api/me/shunned/{person:str}", responses=REFUSED)
async def shun(request: Req, person: FromPath[str], data: JSONBody[ShunRequest]) -> dict[str, Any]:
    """Block or mute somebody, who is not told."""
    site = site_of(request)
    limit(request, "shun")
    await change(request, lambda tx, who: blocks.shun(tx, who, person, data.kind, site.now()))
    return {}


@delete("/api/me/shunned/{person:str}", status_code=200, responses=REFUSED)
async def forgive(request: Req, person: FromPath[str]) -> dict[str, Any]:
    await change(request, lambda tx, who: blocks.forgive(tx, who, person))
    return {}


@post("/api/people/{person:str}/report", status_code=201, responses=REFUSED)
async def report(
    request: Req, person: FromPath[str], data: JSONBody[ComplaintRequest]
) -> dict[str, Any]:
    """Tell whoever runs the site about somebody; nobody else learns of it."""
    site = site_of(request)
    limit(request, "report")

    def work(tx: Tx, who: Person) -> None:
        if data.table:
            find(tx, data.table, who)
        complaints.complain(tx, who, person, data.table, data.text, site.now())

    await change(request, work)
    return {}


ROUTES: Final = [profile, results, against, ladder, shunned, shun, forgive, report]
