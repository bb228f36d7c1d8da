"""What all routes share: who asks, what a request and a refusal look like, one transaction each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec
from litestar import Request, WebSocket
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import QueryParameter
from msgspec import Meta

from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.core.sentences import LANGUAGES
from openplan.review import Decision
from openplan.server.http.live_views import Hub
from openplan.server.http.rate_limits import Limits
from openplan.server.people import accounts, marks
from openplan.server.people.accounts import Person
from openplan.server.site import Site
from openplan.server.store import Tx
from openplan.server.tables import view_model
from openplan.server.tables.access import FoundTable, find, find_begun
from openplan.server.tables.bot_questions import Question
from openplan.server.tables.reviews import Trying

T = TypeVar("T")
Req = Request[Any, Any, State]
Socket = WebSocket[Any, Any, State]

Text = Annotated[str, Meta(max_length=2_000)]
Number = Annotated[int, Meta(ge=0, le=1_000_000)]
Invite = Annotated[str, QueryParameter(max_length=100)]
AsSeat = Annotated[str, QueryParameter(max_length=20, description="One of your seats, by code.")]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request's body. A field that nobody knows is a mistake, not something to pass over."""


class RefusalSight(msgspec.Struct):
    """Why something was not done. The code is stable; the clause is that of the rules, if any."""

    code: str
    reason: str
    clause: str


REFUSED: Final = {
    status: ResponseSpec(RefusalSight, description=what, generate_examples=False)
    for status, what in {
        401: "Say first who you are.",
        403: "You may see it, but this is not yours to do.",
        404: "It is not there, or not for you.",
        409: "Not now: stale, not your turn, against the rules, over.",
        422: "It cannot be read.",
        429: "Too many requests.",
        503: "It cannot be kept right now.",
    }.items()
}


class Created(msgspec.Struct):
    id: str


# -- Who asks --------------------------------------------------------------------------------


def site_of(connection: Req | Socket) -> Site:
    site: Site = connection.app.state.site
    return site


def hub_of(connection: Req | Socket) -> Hub:
    hub: Hub = connection.app.state.hub
    return hub


class Adviser(Protocol):
    """Who thinks of a hint, or judges a move, in a process of its own."""

    async def hint(self, person: str, question: Question) -> tuple[str, float | None]: ...

    async def weigh(self, person: str, trying: Trying) -> Decision: ...


def adviser_of(connection: Req) -> Adviser:
    adviser: Adviser = connection.app.state.adviser
    return adviser


def cookie_name(site: Site) -> str:
    return "__Host-openplan" if site.settings.secure else "openplan"


def session_of(connection: Req | Socket) -> str:
    site = site_of(connection)
    token = connection.cookies.get(cookie_name(site), "")
    return accounts.session_id(site.secret, token) if token else ""


def device_name(site: Site) -> str:
    """The cookie by which a browser is known, whoever signs in there."""
    return f"{cookie_name(site)}-device"


def marks_of(request: Req, device: str) -> tuple[str, ...]:
    return marks.marks_of(site_of(request).secret, device, _address_of(request))


def language_of(connection: Req | Socket) -> str:
    """The language that the asker reads best of those that we speak; a socket names it in its
    query, where a page cannot send headers."""
    asked = (
        connection.query_params.get("language", "")
        + ","
        + connection.headers.get("accept-language", "")
    )
    for one in asked.split(","):
        code = one.partition(";")[0].strip().lower()[:2]
        if code in LANGUAGES:
            return code
    return LANGUAGES[0]


def limit(request: Req, what: str) -> None:
    """Refuse if there have been too many of these by this one lately."""
    limits: Limits = request.app.state.limits
    limits.hit(what, session_of(request), _address_of(request))


async def limit_anywhere(request: Req, what: str) -> None:
    """The same for what guards others: by address, at whichever process."""
    limits: Limits = request.app.state.limits
    await limits.hit_anywhere(what, _address_of(request))


def _address_of(request: Req) -> str:
    return request.client.host if request.client else ""


def is_own_origin(site: Site, origin: str | None, host: str | None) -> bool:
    """Whether a request comes from our own pages, or from no page at all."""
    if origin is None:
        return True
    if site.settings.origins:
        return origin in site.settings.origins
    try:
        return bool(host) and urlsplit(origin).netloc == host
    except ValueError:  # no address at all, such as `http://[`
        return False


# -- One transaction -------------------------------------------------------------------------


async def change(request: Req, work: Callable[[Tx, Person], T], seat: str = "") -> T:
    return await site_of(request).change(session_of(request), work, seat)


async def seen(request: Req, table: str, invite: str = "", seat: str = "") -> view_model.TableSight:
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> tuple[str | None, view_model.TableSight]:
        here = find(tx, table, person, invite)
        user = None if person is None else person.id
        return user, view_model.see(tx, site.readers, here, user, language_of(request))

    user, sight = await site.look(session_of(request), work, seat)
    await note_look(request, sight.id, user)
    return sight


async def note_look(connection: Req | Socket, table: str, user: str | None) -> None:
    """Somebody, or nobody, has seen something of a table in this browser."""
    site = site_of(connection)
    device = connection.cookies.get(device_name(site), "")
    mark = marks.mark_of_device(site.secret, device) if device else ""
    await site.looks.note(table, user, mark, site.now())


async def choose(request: Req, table: str, seat: str, ask: Callable[[Match, Seat], T]) -> T:
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> T:
        here = find_begun(tx, table, accounts.someone(person))
        own = here.own_seat()
        with site.readers.timed(tx, here.row) as timed:
            return ask(timed.match, own)

    return await site.look(session_of(request), work, seat)


async def look_back(
    request: Req, table: str, invite: str, seat: str, ask: Callable[[Match, FoundTable], T]
) -> T:
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> tuple[str, str | None, T]:
        here = find_begun(tx, table, person, invite)
        with site.readers.timed(tx, here.row) as timed:
            return here.id, here.user, ask(timed.match, here)

    found, user, answer = await site.look(session_of(request), work, seat)
    await note_look(request, found, user)
    return answer
