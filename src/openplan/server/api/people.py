"""Who you are: guests, members, sessions."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated, Any, Final

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import JSONBody
from msgspec import Meta

from openplan.server import accounts
from openplan.server.accounts import Person
from openplan.server.api.wire import (
    REFUSED,
    Asked,
    Req,
    Text,
    change,
    cookie_name,
    limit,
    session_of,
    site_of,
)
from openplan.server.faults import Forbidden
from openplan.server.site import Site
from openplan.server.store import Tx


class GuestRequest(Asked, frozen=True):
    name: Annotated[str, Meta(max_length=200)] = "Guest"


class SignUp(Asked, frozen=True):
    login: Text
    password: Text
    name: Annotated[str, Meta(max_length=200)]


class SignIn(Asked, frozen=True):
    login: Text
    password: Text


class Rename(Asked, frozen=True):
    name: Annotated[str, Meta(max_length=200)]


class Me(msgspec.Struct):
    name: str
    kind: str


def _cookie(site: Site, token: str) -> Cookie:
    return Cookie(
        cookie_name(site),
        value=token,
        max_age=accounts.LASTS // accounts.SECOND if token else 0,
        httponly=True,
        samesite="lax",
        secure=site.settings.secure,
        path="/",
    )


def _welcome(site: Site, person: Person, token: str) -> Response[Me]:
    return Response(Me(person.name, person.kind), cookies=[_cookie(site, token)])


def _new_session(site: Site) -> tuple[str, str]:
    token = secrets.token_urlsafe(32)
    return token, accounts.session_id(site.secret, token)


@post("/api/session", status_code=201, responses=REFUSED)
async def become_guest(request: Req, data: JSONBody[GuestRequest]) -> Response[Me]:
    """Play without an account: you are kept by a cookie."""
    site = site_of(request)
    limit(request, "sign-up")
    token, session = _new_session(site)
    known = await site.look(session_of(request), lambda _, person: person)
    if known is not None:
        raise Forbidden("session", "you have a session already; sign out first")
    person = await site.store.transact(
        lambda tx: accounts.become_guest(tx, session, data.name, site.now())
    )
    return _welcome(site, person, token)


@post("/api/session/sign-up", status_code=201, responses=REFUSED)
async def sign_up(request: Req, data: JSONBody[SignUp]) -> Response[Me]:
    """Become a member; a guest's games come along."""
    site = site_of(request)
    limit(request, "sign-up")
    login = accounts.checked_login(data.login)
    password = accounts.checked_password(data.password)
    hashed = await asyncio.to_thread(accounts.hash_password, password)
    token, session = _new_session(site)
    old = session_of(request)

    def work(tx: Tx) -> Person:
        now = site.now()
        person = accounts.who(tx, old, now)
        return accounts.register(tx, person, session, login, hashed, data.name, now)

    return _welcome(site, await site.store.transact(work), token)


@post("/api/session/sign-in", status_code=200, responses=REFUSED)
async def sign_in(request: Req, data: JSONBody[SignIn]) -> Response[Me]:
    site = site_of(request)
    limit(request, "sign-in")
    login = data.login.strip().lower().replace("\0", "")
    found = await site.store.read(lambda tx: accounts.credentials(tx, login))
    stored = None if found is None else found[1]
    if not await asyncio.to_thread(accounts.is_password, data.password, stored) or found is None:
        raise accounts.wrong_sign_in()
    token, session = _new_session(site)
    old, user = session_of(request), found[0]

    def work(tx: Tx) -> Person:
        now = site.now()
        return accounts.sign_in(tx, accounts.who(tx, old, now), session, user, now)

    return _welcome(site, await site.store.transact(work), token)


@delete("/api/session", status_code=200, responses=REFUSED)
async def sign_out(request: Req) -> Response[dict[str, Any]]:
    """Ends this session here and closes its sockets."""
    site = site_of(request)
    await site.change(session_of(request), accounts.end_session)
    return Response({}, cookies=[_cookie(site, "")])


@get("/api/me", responses=REFUSED)
async def me(request: Req) -> Me:
    person = await site_of(request).look(session_of(request), lambda _, p: accounts.someone(p))
    return Me(person.name, person.kind)


@patch("/api/me", responses=REFUSED)
async def rename(request: Req, data: JSONBody[Rename]) -> Me:
    person = await change(request, lambda tx, who: accounts.rename(tx, who, data.name))
    return Me(person.name, person.kind)


ROUTES: Final = [become_guest, sign_up, sign_in, sign_out, me, rename]
