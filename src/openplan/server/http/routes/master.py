"""For the game master of a table, and the audit log for its seats; press."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.server.http.routes.time import Moment
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    Invite,
    Number,
    Req,
    Text,
    change,
    limit,
    seen,
    session_of,
    site_of,
)
from openplan.server.people import accounts
from openplan.server.people.accounts import Person
from openplan.server.store import Tx
from openplan.server.tables import game_master as use
from openplan.server.tables import press, view_model
from openplan.server.tables.access import find

Code = Annotated[str, Meta(max_length=20)]


class TurnRequest(Asked, frozen=True):
    turn: Number


class DeadlineRequest(Asked, frozen=True):
    due_at: Moment


class EntryRequest(Asked, frozen=True):
    """An entry by its number in a spectator's record."""

    number: Number


class EjectRequest(Asked, frozen=True):
    """`then` is `open`, `nothing` or a bot."""

    seat: Code
    then: Code = "open"


class SeatRequest(Asked, frozen=True):
    """With a bot, or else with the first who stands by."""

    seat: Code
    bot: Code = ""


class OrdersRequest(Asked, frozen=True):
    """The orders of a seat, as its player would write them, line by line."""

    seat: Code
    orders: Text


class AcceptRequest(Asked, frozen=True):
    invite: Annotated[str, Meta(max_length=100)]


class AgreeRequest(Asked, frozen=True):
    """Whether you agree to who would be the next game master."""

    agrees: bool


class AnnounceRequest(Asked, frozen=True):
    text: Annotated[str, Meta(max_length=press.MAX_PRESS)]


class PressRequest(Asked, frozen=True):
    """`to` has codes of seats, `master` or `all`."""

    to: Annotated[list[Code], Meta(max_length=20)]
    text: Annotated[str, Meta(max_length=press.MAX_PRESS)]
    grey: bool = False


class Audit(msgspec.Struct):
    lines: list[use.AuditLine]


class PressSight(msgspec.Struct):
    lines: list[press.PressLine]


@post("/api/tables/{table:str}/master/process", status_code=200, responses=REFUSED)
async def process(
    request: Req, table: FromPath[str], data: JSONBody[TurnRequest]
) -> view_model.TableSight:
    """Carry out this turn now."""
    site = site_of(request)
    limit(request, "master")
    await change(
        request, lambda tx, who: use.process(tx, site.writers, who, table, data.turn, site.now())
    )
    return await seen(request, table)


@get("/api/tables/{table:str}/master/preview", responses=REFUSED)
async def preview(request: Req, table: FromPath[str]) -> use.MasterPreview:
    """Who is missing in this turn."""
    site = site_of(request)
    limit(request, "master")
    return await change(request, lambda tx, who: use.preview(tx, site.writers, who, table))


@get("/api/tables/{table:str}/master/calendar", responses=REFUSED)
async def calendar(request: Req, table: FromPath[str]) -> use.Calendar:
    """The turns so far, which can be rolled back to, and the deadlines to come."""
    site = site_of(request)
    limit(request, "master")
    return await change(request, lambda tx, who: use.calendar(tx, site.writers, who, table))


@post("/api/tables/{table:str}/master/deadline", status_code=200, responses=REFUSED)
async def set_deadline(
    request: Req, table: FromPath[str], data: JSONBody[DeadlineRequest]
) -> view_model.TableSight:
    site = site_of(request)
    limit(request, "master")
    await change(
        request,
        lambda tx, who: use.set_deadline(tx, site.writers, who, table, data.due_at, site.now()),
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/master/pause", status_code=200, responses=REFUSED)
async def pause(request: Req, table: FromPath[str]) -> view_model.TableSight:
    site = site_of(request)
    limit(request, "master")
    await change(request, lambda tx, who: use.pause(tx, site.writers, who, table, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/master/resume", status_code=200, responses=REFUSED)
async def resume(request: Req, table: FromPath[str]) -> view_model.TableSight:
    site = site_of(request)
    limit(request, "master")
    await change(request, lambda tx, who: use.resume(tx, site.writers, who, table, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/master/roll-back", status_code=200, responses=REFUSED)
async def roll_back(
    request: Req, table: FromPath[str], data: JSONBody[EntryRequest]
) -> view_model.TableSight:
    """Have the table as before an entry; every seat is told."""
    site = site_of(request)
    limit(request, "master")
    await change(
        request,
        lambda tx, who: use.roll_back(tx, site.writers, who, table, data.number, site.now()),
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/master/terminate", status_code=200, responses=REFUSED)
async def terminate(request: Req, table: FromPath[str]) -> view_model.TableSight:
    """End the match without a result."""
    site = site_of(request)
    limit(request, "master")
    await change(request, lambda tx, who: use.terminate(tx, who, table, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/master/eject", status_code=200, responses=REFUSED)
async def eject(
    request: Req, table: FromPath[str], data: JSONBody[EjectRequest]
) -> view_model.TableSight:
    """Take a seat from somebody, with the orders that were sealed."""
    site = site_of(request)
    limit(request, "master")
    await change(
        request,
        lambda tx, who: use.eject(tx, site.writers, who, table, data.seat, data.then, site.now()),
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/master/seat", status_code=200, responses=REFUSED)
async def seat(
    request: Req, table: FromPath[str], data: JSONBody[SeatRequest]
) -> view_model.TableSight:
    """Fill a seat that nobody plays."""
    site = site_of(request)
    limit(request, "master")
    await change(
        request,
        lambda tx, who: use.seat(tx, site.writers, who, table, data.seat, site.now(), bot=data.bot),
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/master/orders", status_code=200, responses=REFUSED)
async def orders_for(
    request: Req, table: FromPath[str], data: JSONBody[OrdersRequest]
) -> view_model.TableSight:
    """Enter the orders of a player who sends them on paper, and who is told of it. What the seat
    holds, and what of them can be carried out, is told to the player alone."""
    site = site_of(request)
    limit(request, "master")
    await change(
        request,
        lambda tx, who: use.orders_for(
            tx, site.writers, who, table, data.seat, data.orders, site.now()
        ),
    )
    return await seen(request, table)


@post("/api/tables/{table:str}/master/announce", status_code=200, responses=REFUSED)
async def announce(
    request: Req, table: FromPath[str], data: JSONBody[AnnounceRequest]
) -> dict[str, Any]:
    """Say something to all."""
    site = site_of(request)
    limit(request, "chat")
    await change(
        request, lambda tx, who: use.announce(tx, site.writers, who, table, data.text, site.now())
    )
    return {}


@post("/api/tables/{table:str}/master/hand-over", status_code=200, responses=REFUSED)
async def hand_over(request: Req, table: FromPath[str]) -> view_model.TableSight:
    """Look for another game master: whoever gets the new `master_invite`, if all seats agree."""
    site = site_of(request)
    limit(request, "master")
    await change(request, lambda tx, who: use.offer(tx, who, table, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/master/accept", status_code=200, responses=REFUSED)
async def accept(
    request: Req, table: FromPath[str], data: JSONBody[AcceptRequest]
) -> view_model.TableSight:
    """Be the game master, by an invitation, once all seats agree."""
    site = site_of(request)
    limit(request, "master")
    await change(request, lambda tx, who: use.accept(tx, who, table, data.invite, site.now()))
    return await seen(request, table)


@post("/api/tables/{table:str}/master/agree", status_code=200, responses=REFUSED)
async def agree(
    request: Req, table: FromPath[str], data: JSONBody[AgreeRequest]
) -> view_model.TableSight:
    """For whoever sits there: agree to the next game master, or not."""
    site = site_of(request)
    limit(request, "master")
    await change(request, lambda tx, who: use.agree(tx, who, table, data.agrees, site.now()))
    return await seen(request, table)


@get("/api/tables/{table:str}/audit", responses=REFUSED)
async def audit(request: Req, table: FromPath[str]) -> Audit:
    """What was done at the table besides playing, for its seats."""
    return Audit(
        await site_of(request).look(
            session_of(request),
            lambda tx, who: use.audit_of(tx, accounts.someone(who), table),
        )
    )


# -- Press -----------------------------------------------------------------------------------


@get("/api/tables/{table:str}/press", responses=REFUSED)
async def read_press(request: Req, table: FromPath[str], invite: Invite = "") -> PressSight:
    """All press that you may read, turn by turn."""
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> PressSight:
        here = find(tx, table, person, invite)
        return PressSight(press.read(tx, site.readers, here, None if person is None else person.id))

    return await site.look(session_of(request), work)


@post("/api/tables/{table:str}/press", status_code=201, responses=REFUSED)
async def write_press(
    request: Req, table: FromPath[str], data: JSONBody[PressRequest]
) -> dict[str, Any]:
    """Write to seats, to all or to the game master, by the table's rule."""
    site = site_of(request)
    limit(request, "chat")
    await change(
        request,
        lambda tx, who: press.write(
            tx, site.writers, who, table, data.to, data.text, site.now(), grey=data.grey
        ),
    )
    return {}


ROUTES: Final = [
    process, preview, calendar, set_deadline, pause, resume, roll_back, terminate, eject, seat,
    orders_for, announce, hand_over, accept, agree, audit, read_press, write_press,
]  # fmt: skip
