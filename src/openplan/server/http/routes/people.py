"""Who you are: guests, members, sessions, and what is kept of you."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Final, Literal

import msgspec
from litestar import Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody
from msgspec import Meta

from openplan.server import clock
from openplan.server.errors import Forbidden
from openplan.server.http.routes.wire import (
    REFUSED,
    Asked,
    Req,
    Text,
    change,
    cookie_name,
    device_name,
    limit_anywhere,
    marks_of,
    session_of,
    site_of,
)
from openplan.server.notify.wishes import WishesChange
from openplan.server.people import accounts, belongings, one_time_links, profile, sign_in
from openplan.server.people.accounts import NewSession, Person
from openplan.server.people.belongings import LeftBehind
from openplan.server.people.profile import Me
from openplan.server.refusals import refused
from openplan.server.site import Site
from openplan.server.store import Tx
from openplan.server.tables import account_deletion
from openplan.server.texts import TOKEN

Name = Annotated[str, Meta(max_length=200)]
Token = Annotated[str, Meta(max_length=200)]


class GuestRequest(Asked, frozen=True):
    """`zone` and `language` are the browser's; what is not known here is left out."""

    name: Name = "Guest"
    zone: Name = ""
    language: Name = ""


class SignUp(Asked, frozen=True):
    """A sign-in name, a mail address, or both. `zone` and `language` are the browser's, for who has
    chosen none; what is not known here is left out."""

    password: Text
    name: Name
    login: Text = ""
    email: Text = ""
    zone: Name = ""
    language: Name = ""


class SignIn(Asked, frozen=True):
    """`login` is a sign-in name or a mail address."""

    login: Text
    password: Text


class EmailRequest(Asked, frozen=True):
    email: Text


class LinkRequest(Asked, frozen=True):
    """`token` is what follows # in the link of the letter."""

    token: Token


class NewPassword(Asked, frozen=True):
    token: Token
    password: Text


class ConfirmRequest(Asked, frozen=True):
    """Who is not signed in to the account says its password."""

    token: Token
    password: Text = ""


class PasswordChange(Asked, frozen=True):
    old: Text
    new: Text


class EmailChange(Asked, frozen=True):
    email: Text
    password: Text = ""


class DeleteRequest(Asked, frozen=True):
    """The password, if you have one."""

    password: Text = ""


class Change(Asked, frozen=True):
    """What is not given stays as it is."""

    name: Name | None = None
    zone: Text | None = None
    language: Text | None = None
    wishes: WishesChange | None = None


class Welcome(Me):
    """You, and the seats that you had as a guest and could not take along."""

    left_behind: list[LeftBehind]


Work = Callable[[Tx, Person | None, NewSession, int], Person]
"""Gets who has come in before, the session that is to begin, and the time."""


class SessionSight(msgspec.Struct):
    name: str
    is_this: bool
    since: int
    seen_at: int
    agent: str


def _cookie(site: Site, token: str, name: str = "") -> Cookie:
    return Cookie(
        name or cookie_name(site),
        value=token,
        max_age=accounts.LASTS // clock.SECOND if token else 0,
        httponly=True,
        samesite="lax",
        secure=site.settings.secure,
        path="/",
    )


def _device(request: Req) -> str:
    """By what the browser is known; a new one if it brings nothing of ours."""
    brought = request.cookies.get(device_name(site_of(request)), "")
    return brought if TOKEN.fullmatch(brought) else secrets.token_urlsafe(16)


def _new_session(request: Req, device: str) -> tuple[str, NewSession]:
    token = secrets.token_urlsafe(32)
    agent = re.sub(r"[^ -~]", "", request.headers.get("user-agent", ""))[:200]
    session = accounts.session_id(site_of(request).secret, token)
    return token, NewSession(session, agent, marks_of(request, device))


async def _enter(request: Req, work: Work) -> Response[Welcome]:
    """One transaction by which somebody comes in, and the cookie of the new session. What a guest
    had comes along."""
    site, old = site_of(request), session_of(request)
    device = _device(request)
    token, session = _new_session(request, device)

    def run(tx: Tx) -> Welcome:
        now = site.now()
        before = accounts.who(tx, old, now)
        person = work(tx, before, session, now)
        left = belongings.merge(tx, before, person, now)
        return Welcome(**msgspec.structs.asdict(profile.me(tx, person)), left_behind=left)

    welcome = await site.store.transact(run)
    known = _cookie(site, device, device_name(site))
    return Response(welcome, cookies=[_cookie(site, token), known])


async def _check_password(request: Req, password: str) -> Person:
    """Whoever changes what an account hangs on says its password again. A guest may have none."""
    await limit_anywhere(request, "sign-in")
    site = site_of(request)

    def work(tx: Tx, person: Person | None) -> tuple[Person, str | None]:
        found = accounts.someone(person)
        return found, sign_in.accounts_row(tx, found.id).password

    person, stored = await site.look(session_of(request), work)
    if stored is not None and not await asyncio.to_thread(accounts.is_password, password, stored):
        raise refused(Forbidden, "password", "password-wrong")
    return person


# -- Coming in -------------------------------------------------------------------------------


@post("/api/session", status_code=201, responses=REFUSED)
async def become_guest(request: Req, data: JSONBody[GuestRequest]) -> Response[Welcome]:
    """Play without an account: you are kept by a cookie."""
    await limit_anywhere(request, "sign-up")

    def work(tx: Tx, person: Person | None, session: NewSession, now: int) -> Person:
        if person is not None:
            raise refused(Forbidden, "session")
        guest = sign_in.become_guest(tx, session, data.name, now)
        profile.take_from_browser(tx, guest, data.zone, data.language)
        return guest

    return await _enter(request, work)


@post("/api/session/sign-up", status_code=201, responses=REFUSED)
async def sign_up(request: Req, data: JSONBody[SignUp]) -> Response[Welcome]:
    """Become a member; a guest's games come along. With an address alone you are a guest until you
    confirm it by the letter that is sent there."""
    await limit_anywhere(request, "sign-up")
    wish = sign_in.checked_account(data.login, data.email, data.name)
    password = accounts.checked_password(data.password)
    hashed = await asyncio.to_thread(accounts.hash_password, password)
    wish = replace(wish, password=hashed)

    def work(tx: Tx, person: Person | None, session: NewSession, now: int) -> Person:
        member = sign_in.sign_up(tx, person, session, wish, now)
        profile.take_from_browser(tx, member, data.zone, data.language)
        return member

    return await _enter(request, work)


@post("/api/session/sign-in", status_code=200, responses=REFUSED)
async def sign_in_by_password(request: Req, data: JSONBody[SignIn]) -> Response[Welcome]:
    """By sign-in name or address, and password; a guest's games come along."""
    site = site_of(request)
    await limit_anywhere(request, "sign-in")
    login = data.login.strip().lower().replace("\0", "")
    found = await site.store.read(lambda tx: sign_in.credentials(tx, login))
    stored = None if found is None else found[1]
    if not await asyncio.to_thread(accounts.is_password, data.password, stored) or found is None:
        raise accounts.wrong_sign_in()
    user = found[0]
    return await _enter(
        request,
        lambda tx, person, session, now: sign_in.sign_in(tx, person, session, user, now),
    )


@post("/api/session/link", status_code=202, responses=REFUSED)
async def send_link(request: Req, data: JSONBody[EmailRequest]) -> dict[str, Any]:
    """Have a link sent by mail that signs you in. The answer is the same for every address."""
    return await _send_link(request, "sign-in", data.email)


@post("/api/session/link/open", status_code=200, responses=REFUSED)
async def open_link(request: Req, data: JSONBody[LinkRequest]) -> Response[Welcome]:
    """Sign in by the link of a letter; it works once."""
    await limit_anywhere(request, "sign-in")
    secret = site_of(request).secret
    return await _enter(
        request,
        lambda tx, person, session, now: sign_in.sign_in_by_link(
            tx, secret, person, session, data.token, now
        ),
    )


@post("/api/session/reset", status_code=202, responses=REFUSED)
async def send_reset(request: Req, data: JSONBody[EmailRequest]) -> dict[str, Any]:
    """Have a link sent by mail to choose a new password. The answer is the same for every
    address."""
    return await _send_link(request, "reset", data.email)


async def _send_link(request: Req, kind: Literal["sign-in", "reset"], email: str) -> dict[str, Any]:
    site = site_of(request)
    await limit_anywhere(request, "letter")
    address = accounts.checked_email(email)
    await site.store.transact(lambda tx: sign_in.send_link(tx, kind, address, site.now()))
    return {}


@post("/api/session/reset/set", status_code=200, responses=REFUSED)
async def set_password(request: Req, data: JSONBody[NewPassword]) -> Response[Welcome]:
    """A new password by the link of a letter; everybody signed in to the account is signed out."""
    await limit_anywhere(request, "sign-in")
    secret = site_of(request).secret
    password = accounts.checked_password(data.password)
    hashed = await asyncio.to_thread(accounts.hash_password, password)
    return await _enter(
        request,
        lambda tx, person, session, now: sign_in.reset_password(
            tx, secret, person, session, data.token, hashed, now
        ),
    )


@delete("/api/session", status_code=200, responses=REFUSED)
async def sign_out(request: Req) -> Response[dict[str, Any]]:
    """Ends this session here and closes its sockets."""
    site = site_of(request)
    await site.change(session_of(request), accounts.end_session)
    return Response({}, cookies=[_cookie(site, "")])


@post("/unsubscribe/{token:str}", status_code=200, responses=REFUSED)
async def unsubscribe(request: Req, token: FromPath[str]) -> dict[str, Any]:
    """No more letters about games, by the address in a letter's List-Unsubscribe (RFC 8058)."""
    site = site_of(request)
    await site.store.transact(lambda tx: profile.unsubscribe(tx, site.secret, token))
    return {}


# -- You -------------------------------------------------------------------------------------


@get("/api/me", responses=REFUSED)
async def me(request: Req) -> Me:
    return await site_of(request).look(
        session_of(request), lambda tx, who: profile.me(tx, accounts.someone(who))
    )


@patch("/api/me", responses=REFUSED)
async def change_me(request: Req, data: JSONBody[Change]) -> Me:
    """Name, time zone, language, what to be told of by mail."""
    return await change(
        request,
        lambda tx, who: profile.change(
            tx, who, name=data.name, zone=data.zone, language=data.language, wishes=data.wishes
        ),
    )


@post("/api/me/password", status_code=200, responses=REFUSED)
async def change_password(request: Req, data: JSONBody[PasswordChange]) -> Response[Welcome]:
    """A new password; you are signed out everywhere else."""
    asked = await _check_password(request, data.old)
    if asked.kind == "guest":
        raise refused(Forbidden, "guest", "guest-password")
    hashed = await asyncio.to_thread(accounts.hash_password, accounts.checked_password(data.new))
    return await _enter(
        request,
        lambda tx, person, session, now: sign_in.change_password(
            tx, accounts.someone(person), session, hashed, now
        ),
    )


@post("/api/me/email", status_code=202, responses=REFUSED)
async def change_email(request: Req, data: JSONBody[EmailChange]) -> Me:
    """Give an address; it is yours when you have confirmed it by the letter that is sent there.
    The answer is the same for every address."""
    site = site_of(request)
    await limit_anywhere(request, "letter")
    address = accounts.checked_email(data.email)
    asked = await _check_password(request, data.password)
    if asked.kind == "guest":
        raise refused(Forbidden, "guest", "guest-address")

    def work(tx: Tx, person: Person) -> Me:
        sign_in.ask_to_confirm(tx, person.id, address, site.now())
        return profile.me(tx, person)

    return await change(request, work)


@post("/api/me/email/confirm", status_code=200, responses=REFUSED)
async def confirm_email(request: Req, data: JSONBody[ConfirmRequest]) -> Response[Welcome]:
    """Confirm an address by the link of a letter: signed in to its account, or with its
    password."""
    site, old = site_of(request), session_of(request)
    await limit_anywhere(request, "sign-in")

    def asked(tx: Tx, person: Person | None) -> tuple[bool, str | None]:
        ticket = one_time_links.look(tx, site.secret, data.token, "confirm", site.now())
        is_owner = person is not None and person.id == ticket.user_id
        return is_owner, sign_in.accounts_row(tx, ticket.user_id).password

    is_owner, stored = await site.look(old, asked)
    if not is_owner and not await asyncio.to_thread(accounts.is_password, data.password, stored):
        raise refused(Forbidden, "password", "password-first")

    def work(tx: Tx, person: Person | None, session: NewSession, now: int) -> Person:
        user = sign_in.confirm_email(tx, site.secret, data.token, now)
        return sign_in.sign_in(tx, person, session, user, now)

    return await _enter(request, work)


@get("/api/me/sessions", responses=REFUSED)
async def sessions(request: Req) -> list[SessionSight]:
    """Where you are signed in."""
    own = session_of(request)
    rows = await site_of(request).look(
        own, lambda tx, who: accounts.own_sessions(tx, accounts.someone(who))
    )
    return [
        SessionSight(
            accounts.session_name(row.id), row.id == own, row.created_at, row.seen_at, row.agent
        )
        for row in rows
    ]


@delete("/api/me/sessions", status_code=200, responses=REFUSED)
async def end_other_sessions(request: Req) -> dict[str, Any]:
    """Sign out everywhere else."""
    await change(request, lambda tx, who: accounts.end_sessions(tx, who.id, who.session))
    return {}


@delete("/api/me/sessions/{session:str}", status_code=200, responses=REFUSED)
async def end_one_session(request: Req, session: FromPath[str]) -> dict[str, Any]:
    """Sign out in one place, by its name in the list."""
    await change(request, lambda tx, who: accounts.end_session_named(tx, who, session))
    return {}


@get("/api/me/export", responses=REFUSED)
async def export(request: Req) -> Response[dict[str, Any]]:
    """All that is kept of you, as JSON; times are microseconds since 1970."""
    found = await site_of(request).look(
        session_of(request), lambda tx, who: profile.export(tx, accounts.someone(who))
    )
    name = 'attachment; filename="openplan-me.json"'
    return Response(found, headers={"Content-Disposition": name})


@post("/api/me/delete", status_code=200, responses=REFUSED)
async def delete_me(request: Req, data: JSONBody[DeleteRequest]) -> Response[dict[str, Any]]:
    """Delete the account: what is personal goes, running matches are resigned, what was played
    stays as a former member's."""
    site = site_of(request)
    await _check_password(request, data.password)
    await change(request, lambda tx, who: account_deletion.erase(tx, site.writers, who, site.now()))
    return Response({}, cookies=[_cookie(site, "")])


ROUTES: Final = [
    become_guest, sign_up, sign_in_by_password, send_link, open_link, send_reset, set_password,
    sign_out, unsubscribe,
    me, change_me, change_password, change_email, confirm_email,
    sessions, end_other_sessions, end_one_session, export, delete_me,
]  # fmt: skip
