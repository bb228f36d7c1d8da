"""How you are told: what waits for you, browsers that take pushes, hooks, calendar and feed."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, delete, get, post, put
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.core.sentences import spoken_in
from openplan.server.errors import Forbidden, Missing
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    Req,
    change,
    language_of,
    limit_anywhere,
    note_look,
    session_of,
    site_of,
)
from openplan.server.notify import addresses, tellings, wishes
from openplan.server.notify.addresses import HookKind, HookRow
from openplan.server.notify.outgoing import LONGEST, Outgoing
from openplan.server.notify.push_key import public_key
from openplan.server.notify.tellings import Telling
from openplan.server.notify.wishes import TableWishes
from openplan.server.people.accounts import Person, someone
from openplan.server.refusals import refused
from openplan.server.site import Site
from openplan.server.store import Tx
from openplan.server.tables import feeds
from openplan.server.tables.access import FoundTable, find
from openplan.server.tables.waiting import Waiting, waiting_for

Address = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Short = Annotated[str, Meta(max_length=300)]


class PushKeys(Asked, frozen=True):
    p256dh: Short
    auth: Short


class NewPush(Asked, frozen=True):
    """What a browser's `PushSubscription` has."""

    endpoint: Address
    keys: PushKeys


class NewHook(Asked, frozen=True):
    """`secret` is the access token of a Matrix server; nothing else has one to give."""

    kind: HookKind
    address: Address
    secret: Short = ""


class PushSight(msgspec.Struct):
    id: str
    agent: str
    since: int


class HookSight(msgspec.Struct):
    kind: str
    address: str
    secret: str | None
    """With which what is sent is signed, as `whsec_...`, where it is plain JSON."""
    trouble: str | None
    """Why it could not be reached last."""


class WaysSight(msgspec.Struct):
    """By which ways you are told beside mail."""

    push_key: str | None
    """The server's key for pushes; nothing where it sends none."""
    pushes: list[PushSight]
    hook: HookSight | None
    calendar: str | None
    """The address of your calendar of deadlines. Whoever has it can read it."""


class CalendarSight(msgspec.Struct):
    address: str


# -- What waits ------------------------------------------------------------------------------


@get("/api/me/waiting", responses=REFUSED)
async def waiting(request: Req) -> list[Waiting]:
    """The games that wait for you, what is due first coming first."""
    site = site_of(request)
    return await site.look(
        session_of(request), lambda tx, who: waiting_for(tx, site.readers, someone(who).id)
    )


# -- By which ways ---------------------------------------------------------------------------


@get("/api/me/told", responses=REFUSED)
async def told(request: Req) -> WaysSight:
    site = site_of(request)

    def work(tx: Tx, who: Person | None) -> WaysSight:
        person = someone(who)
        hook = addresses.hook_of(tx, person.id, None)
        token = feeds.calendar_token(tx, site.secret, person.id)
        return WaysSight(
            None if _outgoing(site).is_off else public_key(site.secret),
            [
                PushSight(one.id, one.agent, one.created_at)
                for one in addresses.pushes_of(tx, person.id)
            ],
            None if hook is None else _seen(site, hook),
            None if token is None else _calendar_address(site, token),
        )

    return await site.look(session_of(request), work)


@post("/api/me/pushes", status_code=201, responses=REFUSED)
async def add_push(request: Req, data: JSONBody[NewPush]) -> PushSight:
    """This browser takes pushes."""
    site = site_of(request)
    await limit_anywhere(request, "hook")
    agent = request.headers.get("user-agent", "")[:200]

    def work(tx: Tx, who: Person) -> PushSight:
        keys = data.keys
        row = addresses.add_push(
            tx, who.id, data.endpoint, keys.p256dh, keys.auth, agent, _outgoing(site), site.now()
        )
        return PushSight(row.id, row.agent, row.created_at)

    return await change(request, work)


@delete("/api/me/pushes/{push:str}", status_code=200, responses=REFUSED)
async def drop_push(request: Req, push: FromPath[str]) -> dict[str, Any]:
    def work(tx: Tx, who: Person) -> None:
        found = addresses.push(tx, push)
        if found is None or found.user_id != who.id:
            raise Missing
        addresses.drop_push(tx, push)

    await change(request, work)
    return {}


@post("/api/me/told/try", status_code=202, responses=REFUSED)
async def try_it(request: Req) -> dict[str, Any]:
    """Have something sent to all your browsers and to your hook, to see whether it arrives."""
    site = site_of(request)
    await limit_anywhere(request, "hook")

    def work(tx: Tx, who: Person) -> None:
        for channel in ("push", "hook"):
            for address in tellings.addresses(tx, who.id, channel):
                tellings.post(
                    tx,
                    Telling(
                        what="test", channel=channel, at=site.now(), to=who.id, address=address
                    ),
                )

    await change(request, work)
    return {}


@put("/api/me/hook", responses=REFUSED)
async def set_hook(request: Req, data: JSONBody[NewHook]) -> HookSight:
    """Tell another program what you are told."""
    site = site_of(request)
    await limit_anywhere(request, "hook")

    def work(tx: Tx, who: Person) -> HookSight:
        return _set_hook(tx, site, who, None, data)

    return await change(request, work)


@delete("/api/me/hook", status_code=200, responses=REFUSED)
async def drop_hook(request: Req) -> dict[str, Any]:
    await change(request, lambda tx, who: addresses.drop_hook(tx, who.id, None))
    return {}


# -- At one table ----------------------------------------------------------------------------


@get("/api/tables/{table:str}/wishes", responses=REFUSED)
async def see_table_wishes(request: Req, table: FromPath[str]) -> TableWishes:
    """How you want to be told of this table, where that is not as for all."""

    def work(tx: Tx, who: Person | None) -> TableWishes:
        person = someone(who)
        return wishes.table_wishes(tx, person.id, find(tx, table, person).id)

    return await site_of(request).look(session_of(request), work)


@put("/api/tables/{table:str}/wishes", responses=REFUSED)
async def set_table_wishes(
    request: Req, table: FromPath[str], data: JSONBody[TableWishes]
) -> TableWishes:
    def work(tx: Tx, who: Person) -> TableWishes:
        wishes.set_table_wishes(tx, who.id, find(tx, table, who).id, data)
        return data

    return await change(request, work)


@get("/api/tables/{table:str}/hook", responses=REFUSED)
async def see_table_hook(request: Req, table: FromPath[str]) -> HookSight | None:
    """The table's own hook, for who made the table or leads it."""
    site = site_of(request)

    def work(tx: Tx, who: Person | None) -> HookSight | None:
        here = _hosted(tx, someone(who), table)
        hook = addresses.hook_of(tx, "", here.id)
        return None if hook is None else _seen(site, hook)

    return await site.look(session_of(request), work)


@put("/api/tables/{table:str}/hook", responses=REFUSED)
async def set_table_hook(request: Req, table: FromPath[str], data: JSONBody[NewHook]) -> HookSight:
    """Tell another program what everybody may know of this table."""
    site = site_of(request)
    await limit_anywhere(request, "hook")

    def work(tx: Tx, who: Person) -> HookSight:
        return _set_hook(tx, site, who, _hosted(tx, who, table).id, data)

    return await change(request, work)


@delete("/api/tables/{table:str}/hook", status_code=200, responses=REFUSED)
async def drop_table_hook(request: Req, table: FromPath[str]) -> dict[str, Any]:
    def work(tx: Tx, who: Person) -> None:
        addresses.drop_hook(tx, who.id, _hosted(tx, who, table).id)

    await change(request, work)
    return {}


def _hosted(tx: Tx, person: Person, table: str) -> FoundTable:
    here = find(tx, table, person)
    if person.id not in (here.row.owner_id, here.master):
        raise refused(Forbidden, "host", "hook-host")
    return here


def _set_hook(tx: Tx, site: Site, who: Person, table: str | None, data: NewHook) -> HookSight:
    if who.kind == "guest":
        raise refused(Forbidden, "guest", "hook-guest")
    addresses.set_hook(
        tx, who.id, table, data.kind, data.address, data.secret, _outgoing(site), site.now()
    )
    hook = addresses.hook_of(tx, who.id, table)
    assert hook is not None
    return _seen(site, hook)


def _seen(site: Site, hook: HookRow) -> HookSight:
    secret = None
    if hook.kind == "json":
        key = addresses.signing_key(site.secret, hook.id)
        secret = f"whsec_{base64.b64encode(key).decode()}"
    return HookSight(hook.kind, hook.address, secret, hook.trouble)


def _outgoing(site: Site) -> Outgoing:
    return Outgoing(site.settings.outgoing)


# -- Feeds -----------------------------------------------------------------------------------


@post("/api/me/calendar", status_code=201, responses=REFUSED)
async def new_calendar(request: Req) -> CalendarSight:
    """An address for your calendar of deadlines. One that you had leads nowhere from now on."""
    site = site_of(request)
    token = await change(request, lambda tx, who: feeds.new_calendar(tx, site.secret, who.id))
    return CalendarSight(_calendar_address(site, token))


@delete("/api/me/calendar", status_code=200, responses=REFUSED)
async def drop_calendar(request: Req) -> dict[str, Any]:
    await change(request, lambda tx, who: feeds.drop_calendar(tx, who.id))
    return {}


def _calendar_address(site: Site, token: str) -> str:
    return f"{site.settings.address}/calendar/{token}"


@get("/calendar/{token:str}", include_in_schema=False)
async def calendar(request: Req, token: FromPath[str]) -> Response[str]:
    """For a calendar program, which has nothing to show but this address."""
    site = site_of(request)
    await limit_anywhere(request, "feed")

    def work(tx: Tx) -> str:
        user = feeds.calendar_owner(tx, site.secret, token.removesuffix(".ics"))
        settings = site.settings
        return feeds.calendar(
            tx, site.readers, user, settings.address, settings.mail_host, site.now()
        )

    found = await site.store.read(work)
    return Response(found, media_type="text/calendar")


@get("/table/{table:str}/feed.atom", include_in_schema=False)
async def feed(request: Req, table: FromPath[str]) -> Response[str]:
    """What everybody may know of a public table."""
    site = site_of(request)
    await limit_anywhere(request, "feed")
    language = spoken_in(language_of(request))

    def work(tx: Tx, who: Person | None) -> tuple[str | None, str]:
        user = None if who is None else who.id
        return user, feeds.feed(tx, site.readers, table, site.settings.address, language)

    user, found = await site.look(session_of(request), work)
    await note_look(request, table, user)
    return Response(found, media_type="application/atom+xml")


ROUTES: Final = [
    waiting, told, add_push, drop_push, try_it, set_hook, drop_hook,
    see_table_wishes, set_table_wishes, see_table_hook, set_table_hook, drop_table_hook,
    new_calendar, drop_calendar, calendar, feed,
]  # fmt: skip
