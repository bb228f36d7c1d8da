"""The guard that every request passes, around the whole program.

It is plain ASGI, so that what it promises holds for every answer, errors included: strict headers,
no requests from other sites, a line in the log, a count in the metrics.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
import re
import time
from typing import Any, Final, TypeGuard, cast

import msgspec
import structlog
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from openplan.server.errors import TooMany
from openplan.server.http.lane import MoveLane
from openplan.server.http.rate_limits import Limits, network_of
from openplan.server.http.routes.wire import RefusalSight, is_own_origin
from openplan.server.http.slow_clients import answer_whole
from openplan.server.http.turnstile import Turnstile
from openplan.server.site import Site

FORM: Final = b"application/x-www-form-urlencoded"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_READS: Final = ("/options", "/why", "/preview", "/lesson")
"""Routes that read, though what they are asked comes in a body."""
MAX_PIECES: Final = 1_000
"""Of a body, each of up to 64 KB; the program refuses one that is too large long before."""

HEADERS: Final = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'none';"
    " frame-ancestors 'none'; form-action 'self'; require-trusted-types-for 'script'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

_JSON: Final = {"content-type": "application/json"}

_PACKED: Final = re.compile(r"/api/(?:games/|tables/[^/]+/deck$|decks(?:/[^/]+)?$)")
"""Cases, cards, lessons and decks are large and the same for everybody who may see them. Packing
what holds somebody's own would cost more than it saves, and its size would tell of what is in it.
"""
WORTH_PACKING: Final = 1000
_NOWHERE: Final = "/-"
_NOWHERE_IN_API: Final = "/api/-"
"""Addresses that nothing answers, and so are told to be missing: to readers by a page."""
_TOKEN: Final = re.compile(r"(?<=/)[^/]{24,}")
"""What may be a token: the name of no table or person is so long."""

_FOREIGN: Final = RefusalSight("origin", "this comes from another site", "")

log = structlog.get_logger()


class Metrics:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.answers = Counter(
            "openplan_answers", "Answers by status.", ["method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "openplan_answer_seconds", "Time to an answer.", registry=self.registry
        )
        self.sockets = Gauge("openplan_sockets", "Open sockets.", registry=self.registry)
        self._counters: dict[tuple[str, int], Counter] = {}

    def note(self, method: str, status: int, seconds: float) -> None:
        """One more answer."""
        key = (method if method in _METHODS else "other", status)
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self.answers.labels(*key)
        counter.inc()
        self.seconds.observe(seconds)


class Guard:
    """Around the whole program."""

    def __init__(self, app: ASGIApp, site: Site, metrics: Metrics, limits: Limits) -> None:
        self._app = app
        self.site = site
        self._metrics = metrics
        self._lane = MoveLane(site, limits)
        self._turnstile = Turnstile()
        headers = dict(HEADERS)
        if site.settings.secure:
            headers["strict-transport-security"] = "max-age=31536000"
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]
        written = [f"{name}: {value}\r\n" for name, value in (*_JSON.items(), *headers.items())]
        self._head = "".join(written).encode()
        """Of an answer that is always JSON."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _is_http(scope):
            await self._app(scope, receive, _without_words(send))
            return
        began = time.perf_counter()
        status = 500

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                there = {name.lower() for name, _ in message["headers"]}
                more = [header for header in self._headers if header[0] not in there]
                message["headers"] = [*message["headers"], *more]
            await send(message)

        if "\0" in scope["path"]:  # nothing is called so, and not every database can be asked
            scope["path"] = _NOWHERE_IN_API if scope["path"].startswith("/api/") else _NOWHERE
        method: str = scope["method"]
        answer: Send = send_on
        if _PACKED.match(scope["path"]) and _takes_gzip(scope):
            answer = packing(send_on)
        refusal = self._refusal(scope)
        if refusal is not None:
            await _answer(answer, *refusal)
        elif table := self._lane.table_of(scope):
            asked: list[Message] = []
            told = await self._lane.play(table, scope, receive, asked)
            if told is None:
                await self._app(scope, _again(asked, receive), answer)
            else:
                status = told.status
                await answer_whole(send, status, self._head, told.body)
        elif self._waits_in_line(scope):
            await self._in_line(scope, receive, answer)
        else:
            await self._app(scope, receive, answer)
        seconds = time.perf_counter() - began
        self._metrics.note(method, status, seconds)
        if log.is_enabled_for(logging.DEBUG):
            # No query, no headers, no body: they may hold invitations, cookies and moves.
            path = _TOKEN.sub("*", scope["path"])
            log.debug("answer", method=method, path=path, status=status, seconds=seconds)

    def _waits_in_line(self, scope: HTTPScope) -> bool:
        """What only reads, which may take long. What changes something is bounded by its own limits
        and shares a commit with as many as there are."""
        path = scope["path"]
        reads = scope["method"] in SAFE or path.endswith(_READS)
        return self.site.settings.limits and path.startswith("/api/") and reads

    async def _in_line(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Nobody holds a place by sending slowly, or by reading slowly what is answered."""
        asked: list[Any] = [await receive()]
        while asked[-1].get("more_body") and len(asked) < MAX_PIECES:
            asked.append(await receive())
        said: list[Message] = []

        async def keep(message: Message) -> None:
            said.append(message)

        try:
            async with self._turnstile.passed(self._asker(scope)):
                await self._app(scope, _again(asked, receive), keep)
        except TooMany as error:
            await _answer(send, 429, RefusalSight(error.code, error.reason, ""))
        for message in said:
            await send(message)

    def _asker(self, scope: HTTPScope) -> tuple[str, str]:
        """By address, and there by the cookie: somebody with many waits as one address."""
        client = scope["client"]
        cookies = b";".join(value for name, value in scope["headers"] if name == b"cookie")
        return network_of(client[0] if client else ""), cookies[:200].decode("latin-1")

    def _refusal(self, scope: HTTPScope) -> tuple[int, RefusalSight] | None:
        """Requests that change something must come from our own pages, or from no page."""
        if scope["method"] in SAFE:
            return None
        headers = dict(scope["headers"])
        origin = headers.get(b"origin")
        if origin is not None and not self._is_own(origin, headers.get(b"host")):
            return 403, _FOREIGN
        if headers.get(b"sec-fetch-site", b"none") not in (b"same-origin", b"none"):
            return 403, _FOREIGN
        if headers.get(b"content-type") == b"application/json":
            return None
        has_body = headers.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in headers
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        # Mail programs send a form (RFC 8058); its address alone shows who asks.
        is_one_click = scope["path"].startswith("/unsubscribe/") and kind == FORM
        if has_body and kind != b"application/json" and not is_one_click:
            return 415, RefusalSight("media-type", "a request's body is JSON", "")
        return None

    def _is_own(self, origin: bytes, host: bytes | None) -> bool:
        named = None if host is None else host.decode("latin-1")
        return is_own_origin(self.site, origin.decode("latin-1"), named)


def _again(asked: list[Message], receive: Receive) -> Receive:
    """What was read of a request, once more, and what comes after it."""
    pieces = iter(asked)

    async def receive_on() -> Any:
        piece = next(pieces, None)
        return await receive() if piece is None else piece

    return receive_on


def _takes_gzip(scope: HTTPScope) -> bool:
    asked = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding")
    return b"gzip" in asked


def packing(send: Send) -> Send:
    """Holds the head of an answer until its body is there, all of it, and packs that."""
    start: Any = None
    body = b""

    async def send_on(message: Any) -> None:
        nonlocal start, body
        if message["type"] == "http.response.start":
            start = message
            return
        if message["type"] != "http.response.body" or start is None:
            await send(message)
            return
        body += message["body"]
        if message["more_body"]:
            return
        headers = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        if len(body) >= WORTH_PACKING:
            body = await asyncio.to_thread(gzip.compress, body, 6)
            headers.append((b"content-encoding", b"gzip"))
        headers += [(b"vary", b"accept-encoding"), (b"content-length", b"%d" % len(body))]
        start["headers"], message["body"] = headers, body
        await send(start)
        await send(message)

    return send_on


def _without_words(send: Send) -> Send:
    """A start that fails is told by the calls that led there, for whoever started the program to
    read; see `Program.why_not`."""

    async def send_on(message: Message) -> None:
        kind: str = message["type"]  # of this one the type knows nothing either
        await send(cast(Message, {"type": kind}) if kind == "lifespan.startup.failed" else message)

    return send_on


def _is_http(scope: Scope) -> TypeGuard[HTTPScope]:
    kind: str = scope["type"]  # also "lifespan", of which the type knows nothing
    return kind == "http"


_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


async def _answer(send: Send, status: int, refusal: RefusalSight) -> None:
    body = msgspec.json.encode(refusal)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
