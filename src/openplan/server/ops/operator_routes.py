"""The routes of the operator's page, under a session of its own."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta

import openplan
from openplan.mail.outbound.transport import Folder
from openplan.server.clock import SECOND
from openplan.server.http.routes.people import LinkRequest
from openplan.server.http.routes.wire import REFUSED, Asked, Req, hub_of, limit_anywhere
from openplan.server.mailing.inbox import ASIDE, spooled
from openplan.server.notify import mailboxes
from openplan.server.notify.mailboxes import IgnoredMail, MailboxSight
from openplan.server.ops import operator
from openplan.server.ops.operator import Opened
from openplan.server.ops.overview import (
    ComplaintSight,
    DueTable,
    Queue,
    complaints,
    health,
    next_deadlines,
    queues,
)
from openplan.server.ops.running_site import RunningSite
from openplan.server.people import accounts
from openplan.server.people.complaints import close_complaint
from openplan.server.store import Tx

T = TypeVar("T")

# A letter is shown in a frame: it runs nothing, loads nothing, and knows nothing of the page.
LETTER_POLICY: Final = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none';"
    " form-action 'none'; frame-ancestors 'self';"
    " sandbox allow-popups allow-popups-to-escape-sandbox"
)

Before = Annotated[int | None, QueryParameter(ge=0, le=1 << 62)]


class Overview(msgspec.Struct):
    """`until`: when this session ends."""

    version: str
    until: int
    carries: Literal["folder", "smtp"]
    site: str
    """Where letters send their readers."""
    mail_address: str
    is_good: bool
    revision: str
    tables: dict[str, int]
    users: int
    guests: int
    grown: dict[str, int]
    """What came within a day, by its kind."""
    entries: int
    overdue_jobs: int
    overdue_deadlines: int
    sockets: int
    laid_aside: int
    """Mails on which this program failed."""
    mailboxes: list[MailboxSight]
    ignored: list[IgnoredMail]
    """Mail that was not answered, the newest first."""
    queues: list[Queue]
    deadlines: list[DueTable]
    reports: list[ComplaintSight]


class LetterLine(msgspec.Struct):
    """`at` is when it left, or when it is tried next."""

    name: str
    state: Literal["waiting", "retrying", "written", "sent", "failed"]
    to: str
    who: str
    kind: str
    subject: str
    at: int
    table: str | None
    trouble: str
    is_read: bool


class LetterSight(msgspec.Struct):
    """`form`: what an answer begins with."""

    name: str
    sender: str
    to: str
    reply_to: str
    subject: str
    text: str
    form: str


class Answer(Asked, frozen=True):
    text: Annotated[str, Meta(max_length=50_000)]


class Judged(msgspec.Struct):
    """`silence`: why it gets no answer, if it gets none."""

    silence: str
    has_acted: bool


# -- The session -----------------------------------------------------------------------------


def _site_of(request: Req) -> RunningSite:
    site: RunningSite = request.app.state.site
    return site


def _cookie_name(site: RunningSite) -> str:
    return "__Host-openplan-operator" if site.settings.secure else "openplan-operator"


def _cookie(site: RunningSite, token: str) -> Cookie:
    return Cookie(
        _cookie_name(site),
        value=token,
        max_age=operator.LASTS // SECOND if token else 0,
        httponly=True,
        samesite="strict",
        secure=site.settings.secure,
        path="/",
    )


def _session(request: Req) -> str:
    site = _site_of(request)
    token = request.cookies.get(_cookie_name(site), "")
    # Another purpose than a person's session: neither opens what the other does.
    return accounts.session_id(site.secret, f"operator {token}") if token else ""


async def _operate(request: Req, work: Callable[[Tx, int], T]) -> T:
    """One transaction of the operator, which gets the time."""
    site, session = _site_of(request), _session(request)

    def run(tx: Tx) -> T:
        now = site.now()
        operator.check(tx, session, now)
        return work(tx, now)

    return await site.store.transact(run)


@post("/api/operator/session", status_code=201, responses=REFUSED)
async def enter(request: Req, data: JSONBody[LinkRequest]) -> Response[dict[str, Any]]:
    """Open the page by the link that `openplan admin page` prints; it works once."""
    await limit_anywhere(request, "sign-in")
    site, token = _site_of(request), secrets.token_urlsafe(32)
    session = accounts.session_id(site.secret, f"operator {token}")
    await site.store.transact(
        lambda tx: operator.enter(tx, site.secret, data.token, session, site.now())
    )
    return Response({}, cookies=[_cookie(site, token)])


@delete("/api/operator/session", status_code=200, responses=REFUSED)
async def leave(request: Req) -> Response[dict[str, Any]]:
    session = _session(request)
    await _operate(request, lambda tx, _: operator.leave(tx, session))
    return Response({}, cookies=[_cookie(_site_of(request), "")])


# -- How the site does -----------------------------------------------------------------------


@get("/api/operator", responses=REFUSED)
async def overview(request: Req) -> Overview:
    """Health, queues, deadlines and complaints."""
    site, hub, session = _site_of(request), hub_of(request), _session(request)
    carries: Literal["folder", "smtp"] = "folder" if _keeps_letters(site) else "smtp"
    laid_aside = len(await asyncio.to_thread(spooled, site.settings.data / ASIDE))

    def work(tx: Tx, now: int) -> Overview:
        found = health(tx, now)
        return Overview(
            version=openplan.__version__,
            until=operator.check(tx, session, now),
            carries=carries,
            site=site.settings.address,
            mail_address=site.settings.mail_address,
            is_good=found.is_good,
            revision=found.revision,
            tables=found.tables,
            users=found.users,
            guests=found.guests,
            grown=found.grown,
            entries=found.entries,
            overdue_jobs=found.waiting,
            overdue_deadlines=found.overdue,
            sockets=hub.count,
            laid_aside=laid_aside,
            mailboxes=found.mailboxes,
            ignored=mailboxes.ignored(tx),
            queues=queues(tx),
            deadlines=next_deadlines(tx),
            reports=complaints(tx),
        )

    return await _operate(request, work)


def _keeps_letters(site: RunningSite) -> bool:
    return isinstance(site.sender.transport, Folder)


@post("/api/operator/reports/{number:int}/close", status_code=200, responses=REFUSED)
async def close_report(request: Req, number: FromPath[int]) -> dict[str, Any]:
    await _operate(request, lambda tx, now: close_complaint(tx, number, now=now))
    return {}


# -- Letters ---------------------------------------------------------------------------------


@get("/api/operator/letters", responses=REFUSED)
async def letters(request: Req, before: Before = None) -> list[LetterLine]:
    """What waits, then what has left, the newest first; `before` goes on from a letter's time."""
    left: Literal["written", "sent"] = "written" if _keeps_letters(_site_of(request)) else "sent"

    def work(tx: Tx, _: int) -> list[LetterLine]:
        lines = [_waiting(one) for one in operator.waiting(tx)] if before is None else []
        return lines + [
            LetterLine(
                row.name,
                "failed" if row.trouble else left,
                row.reader if "@" in row.reader else row.email or "",
                row.who or "",
                row.kind,
                row.subject,
                row.at,
                row.table_id,
                row.trouble or "",
                row.read_at is not None,
            )
            for row in operator.gone(tx, before)
        ]

    return await _operate(request, work)


def _waiting(one: operator.WaitingLetter) -> LetterLine:
    return LetterLine(
        one.name,
        "retrying" if one.trouble else "waiting",
        one.address,
        one.who,
        one.letter.kind,
        "",
        one.due_at,
        one.letter.table,
        one.trouble,
        False,
    )


async def _open(request: Req, name: str) -> Opened:
    site = _site_of(request)
    file, row = await _operate(
        request, lambda tx, now: operator.read(tx, site, site.sender.transport, name, now)
    )
    return await asyncio.to_thread(operator.opened, file, row)


@get("/api/operator/letters/{name:str}", responses=REFUSED)
async def letter(request: Req, name: FromPath[str]) -> LetterSight:
    """One letter as text, where nothing carries them. The seats of its table are told."""
    found = await _open(request, name)
    mail = found.mail
    return LetterSight(
        name,
        str(mail["From"]),
        str(mail["To"]),
        str(mail["Reply-To"] or ""),
        str(mail["Subject"]),
        found.text,
        found.form,
    )


@get(
    "/api/operator/letters/{name:str}/html",
    responses=REFUSED,
    media_type="text/html",
)
async def letter_page(request: Req, name: FromPath[str]) -> Response[str]:
    """The same as HTML with its pictures, for a frame: it can run and load nothing."""
    found = await _open(request, name)
    return Response(
        found.html, media_type="text/html", headers={"Content-Security-Policy": LETTER_POLICY}
    )


@post("/api/operator/letters/{name:str}/answer", status_code=200, responses=REFUSED)
async def answer(request: Req, name: FromPath[str], data: JSONBody[Answer]) -> Judged:
    """Answer a letter as its reader would by mail. The seats of its table are told."""
    found = await _open(request, name)
    site = _site_of(request)
    judgement = await operator.answer(site, site.inbox, found, data.text)
    return Judged(judgement.silence, judgement.has_acted)


ROUTES: Final = [
    enter, leave, overview, close_report, letters, letter, letter_page, answer,
]  # fmt: skip
