"""Time and absence: waiting for the deadline, standing by, coming back, being away with notice."""

from __future__ import annotations

from typing import Annotated, Any, Final

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    AsSeat,
    Created,
    Req,
    change,
    limit,
    seen,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.tables import away, moves, view_model
from openplan.server.tables import standby as use
from openplan.server.tables.away import Away

Moment = Annotated[int, Meta(ge=0, le=10**17)]
"""Microseconds since 1970."""


class WaitRequest(Asked, frozen=True):
    waits: bool


class StandbyRequest(Asked, frozen=True):
    is_on: bool
    invite: Annotated[str, Meta(max_length=100)] = ""


class AwayRequest(Asked, frozen=True):
    """With no `table`: at all of them."""

    from_at: Moment
    until_at: Moment
    table: Annotated[str, Meta(max_length=64)] = ""


@post("/api/tables/{table:str}/wait", status_code=200, responses=REFUSED)
async def wait(
    request: Req, table: FromPath[str], data: JSONBody[WaitRequest]
) -> view_model.TableSight:
    """Have the turn wait for its deadline even if all orders are in, or no longer. Nobody else is
    told."""
    site = site_of(request)
    limit(request, "consent")
    await change(
        request, lambda tx, who: moves.wait(tx, site.writers, who, table, data.waits, site.now())
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/ready", status_code=200, responses=REFUSED)
async def be_ready(request: Req, table: FromPath[str], seat: AsSeat = "") -> view_model.TableSight:
    """Say that your orders are as they shall be. When everybody is ready the turn is carried out,
    unless the table waits for its deadline."""
    return await _ready(request, table, seat, is_on=True)


@delete("/api/tables/{table:str}/ready", status_code=200, responses=REFUSED)
async def be_unready(
    request: Req, table: FromPath[str], seat: AsSeat = ""
) -> view_model.TableSight:
    """Your orders are saved and count at the deadline, but you are not ready."""
    return await _ready(request, table, seat, is_on=False)


async def _ready(request: Req, table: str, seat: str, *, is_on: bool) -> view_model.TableSight:
    site = site_of(request)
    limit(request, "consent")
    await change(
        request,
        lambda tx, who: moves.be_ready(tx, site.writers, who, table, is_on, site.now()),
        seat,
    )
    return await seen(request, table, seat=seat)


@post("/api/tables/{table:str}/standby", status_code=200, responses=REFUSED)
async def standby(
    request: Req, table: FromPath[str], data: JSONBody[StandbyRequest]
) -> view_model.TableSight:
    """Offer to take a seat that falls empty, or no longer; an open one is yours at once."""
    site = site_of(request)
    limit(request, "consent")
    await change(
        request,
        lambda tx, who: use.stand_by(
            tx, site.writers, who, table, data.invite, data.is_on, site.now()
        ),
    )
    return await seen(request, table, data.invite)


@post("/api/tables/{table:str}/come-back", status_code=200, responses=REFUSED)
async def come_back(request: Req, table: FromPath[str]) -> view_model.TableSight:
    """Take your seat back from the bot that stands in for you."""
    site = site_of(request)
    limit(request, "consent")
    await change(request, lambda tx, who: use.come_back(tx, site.writers, who, table, site.now()))
    return await seen(request, table)


@get("/api/me/absences", responses=REFUSED)
async def absences(request: Req) -> list[Away]:
    return await site_of(request).look(
        session_of(request), lambda tx, who: away.absences(tx, accounts.someone(who))
    )


@post("/api/me/absences", status_code=201, responses=REFUSED)
async def be_away(request: Req, data: JSONBody[AwayRequest]) -> Created:
    """Say beforehand that you are away; deadlines move for it as far as each table allows."""
    site = site_of(request)
    limit(request, "chat")
    absence = await change(
        request,
        lambda tx, who: away.announce(
            tx, site.writers, who, data.table, data.from_at, data.until_at, site.now()
        ),
    )
    return Created(absence)


@delete("/api/me/absences/{absence:str}", status_code=200, responses=REFUSED)
async def be_back(request: Req, absence: FromPath[str]) -> dict[str, Any]:
    """Be there after all."""
    site = site_of(request)
    limit(request, "consent")
    await change(request, lambda tx, who: away.be_back(tx, who, absence, site.now()))
    return {}


ROUTES: Final = [wait, be_ready, be_unready, standby, come_back, absences, be_away, be_back]
