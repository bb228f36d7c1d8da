"""The program that serves: Litestar within a guard that every request passes.

The guard is plain ASGI, so that what it promises holds for every answer, errors included: strict
headers, no requests from other sites, a line in the log, a count in the metrics.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, TypeGuard, cast

import msgspec
import structlog
import uvicorn
from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException, SerializationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.serialization import encode_json
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

import openplan
from openplan.core.deck import DeckError
from openplan.core.game import GameError
from openplan.server.clock import Now, steady, wall
from openplan.server.errors import Missing
from openplan.server.http.pages import PAGES, Pages, built_folder, is_for_a_reader, nowhere
from openplan.server.http.rate_limits import Limits
from openplan.server.http.routes import ROUTES
from openplan.server.http.routes.wire import Refusal, Req, is_own_origin, language_of, site_of
from openplan.server.http.slow_clients import PatientProtocol, PatientSocket
from openplan.server.ops.site import Site
from openplan.server.settings import Settings, load_secret
from openplan.server.store import Conflict, StoreError, Unkeepable, open_store

MAX_BODY: Final = 256 * 1024
FORM: Final = "application/x-www-form-urlencoded"
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})

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
# Codes for what the framework refuses before a route sees it.
_FRAMEWORK: Final = {
    400: (422, "unreadable", "the request cannot be read"),
    404: (404, "missing", "there is no such thing here"),
    405: (405, "method", "this cannot be asked in this way"),
    413: (413, "too-large", "the request is too large"),
    415: (415, "media-type", "a request's body is JSON"),
}

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


class Guard:
    """Around the whole program."""

    def __init__(self, app: ASGIApp, site: Site, metrics: Metrics) -> None:
        self._app = app
        self.site = site
        self.why_not: StoreError | OSError | None = None
        """Why it did not start."""
        self._metrics = metrics
        headers = dict(HEADERS)
        if site.settings.secure:
            headers["strict-transport-security"] = "max-age=31536000"
        self._headers = [(name.encode(), value.encode()) for name, value in headers.items()]

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

        method: str = scope["method"]
        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send_on)
        else:
            await _answer(send_on, *refusal)
        seconds = time.perf_counter() - began
        self._metrics.answers.labels(method if method in _METHODS else "other", status).inc()
        self._metrics.seconds.observe(seconds)
        # No query, no headers, no body: they may hold invitations, cookies and moves.
        log.debug("answer", method=method, path=scope["path"], status=status, seconds=seconds)

    def _refusal(self, scope: HTTPScope) -> tuple[int, Refusal] | None:
        """Requests that change something must come from our own pages, or from no page."""
        if "\0" in scope["path"]:  # nothing is called so, and not every database can be asked
            return 404, Refusal("missing", "there is no such thing here", "")
        if scope["method"] in SAFE:
            return None
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        is_ours = is_own_origin(self.site, headers.get(b"origin"), headers.get(b"host"))
        if not is_ours or headers.get(b"sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, Refusal("origin", "this comes from another site", "")
        has_body = headers.get(b"content-length", "0") != "0" or b"transfer-encoding" in headers
        kind = headers.get(b"content-type", "").partition(";")[0].strip().lower()
        # Mail programs send a form (RFC 8058); its address alone shows who asks.
        is_one_click = scope["path"].startswith("/unsubscribe/") and kind == FORM
        if has_body and kind != "application/json" and not is_one_click:
            return 415, Refusal("media-type", "a request's body is JSON", "")
        return None


def _without_words(send: Send) -> Send:
    """A start that fails is told by the calls that led there, for whoever started the program to
    read; see `Guard.why_not`."""

    async def send_on(message: Message) -> None:
        kind: str = message["type"]  # of this one the type knows nothing either
        await send(cast(Message, {"type": kind}) if kind == "lifespan.startup.failed" else message)

    return send_on


def _is_http(scope: Scope) -> TypeGuard[HTTPScope]:
    kind: str = scope["type"]  # also "lifespan", of which the type knows nothing
    return kind == "http"


_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})


async def _answer(send: Send, status: int, refusal: Refusal) -> None:
    body = msgspec.json.encode(refusal)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


# -- Errors ----------------------------------------------------------------------------------


def _refused(request: Req, error: GameError) -> Response[Refusal]:
    reason = error.reason_in(language_of(request))
    return Response(Refusal(error.code, reason, error.clause), status_code=error.status)


def _bad_deck(_: Req, error: DeckError) -> Response[Refusal]:
    return Response(Refusal("deck", str(error)[:2000], error.faults[0].clause), status_code=422)


def _store_failed(_: Req, error: StoreError) -> Response[Refusal]:
    if isinstance(error, Conflict):
        return Response(Refusal("conflict", "something else came first", ""), status_code=409)
    if isinstance(error, Unkeepable):
        reason = "there is a character in it that cannot be kept"
        return Response(Refusal("unreadable", reason, ""), status_code=422)
    log.error("the store failed", reason=str(error))
    reason = "this cannot be kept right now; try again under the same submission"
    return Response(Refusal("unavailable", reason, ""), status_code=503)


def _framework_refused(request: Req, error: HTTPException) -> Response[Refusal] | Response[bytes]:
    if error.status_code == 404 and is_for_a_reader(request):
        return nowhere(request)
    status, code, reason = _FRAMEWORK.get(
        error.status_code, (error.status_code, "refused", "this cannot be done")
    )
    details = error.extra if isinstance(error.extra, list) else []
    wrong = [_wrong(str(one.get("key")), one["message"]) for one in details if "message" in one]
    if isinstance(error.__cause__, SerializationException):  # where in the body, and no more of it
        wrong = [str(error.__cause__)]
    if status == 422 and wrong:
        reason = f"{reason}: {'; '.join(wrong)[:500]}"
    return Response(Refusal(code, reason, ""), status_code=status, headers=error.headers)


def _wrong(name: str, message: str) -> str:
    if message == repr(name):  # a KeyError, which has no other words
        return "there is no body" if name == "data" else f"{name} is missing"
    return f"{name}: {message}"


def _not_text(_: Req, _error: UnicodeDecodeError) -> Response[Refusal]:
    return Response(Refusal("unreadable", "the request is not UTF-8", ""), status_code=422)


def _too_deep(_: Req, _error: RecursionError) -> Response[Refusal]:
    return Response(Refusal("unreadable", "the request is nested too deep", ""), status_code=422)


def _broken(_: Req, error: Exception) -> Response[Refusal]:
    log.error("a fault of this program", exc_info=error)
    return Response(Refusal("internal", "a fault of this program", ""), status_code=500)


# -- The program -----------------------------------------------------------------------------


@get("/health")
async def health() -> dict[str, str]:
    """The process runs."""
    return {"status": "ok", "version": openplan.__version__}


@get("/ready")
async def ready(request: Req) -> Response[dict[str, str]]:
    """Requests can be served: the store answers."""
    site = site_of(request)
    try:
        await site.store.read(lambda tx: tx.execute("SELECT 1"))
    except StoreError:
        return Response({"status": "unavailable"}, status_code=503)
    is_ready = site.is_ready
    return Response(
        {"status": "ok" if is_ready else "stopping"}, status_code=200 if is_ready else 503
    )


@get("/metrics", include_in_schema=False)
async def metrics(request: Req) -> Response[bytes]:
    """For those who have the operator's token: how busy a club is, is its own affair. Where a
    request comes from shows nothing, since behind a proxy all come from this machine."""
    token = site_of(request).settings.metrics_token
    shown = request.headers.get("authorization", "").encode()
    if not token or not hmac.compare_digest(shown, f"Bearer {token}".encode()):
        raise Missing
    counts: Metrics = request.app.state.metrics
    counts.sockets.set(site_of(request).hub.count)
    return Response(generate_latest(counts.registry), media_type="text/plain; version=0.0.4")


_HANDLERS: Final = [*ROUTES, *PAGES, health, ready, metrics]
DESCRIBED: Final = OpenAPIConfig(
    title="Open Plan",
    version=openplan.__version__,
    path="/openapi.json",
    render_plugins=[JsonRenderPlugin(path="/")],
    use_handler_docstrings=True,
)


def make_app(
    settings: Settings,
    *,
    now: Now = wall,
    steady: Now = steady,
    greet: Callable[[Site], Awaitable[None]] | None = None,
) -> Guard:
    """The server as an ASGI program, with a store of its own. `greet` is called when it has
    started."""
    counts = Metrics()
    secret = load_secret(settings.data)
    pages = Pages(built_folder())
    state = State({"metrics": counts, "pages": pages})

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        try:
            await site.open()
            if greet is not None:
                await greet(site)
        except (StoreError, OSError) as error:
            guard.why_not = error
            await site.close()
            raise
        try:
            yield
        finally:
            await site.close()

    site = Site(settings, secret, open_store(settings.store_url), now=now, steady=steady)
    state["site"] = site
    state["limits"] = Limits(site)
    app = Litestar(
        _HANDLERS,
        state=state,
        lifespan=[lifespan],
        logging_config=None,
        request_max_body_size=MAX_BODY,
        exception_handlers={
            GameError: _refused,
            DeckError: _bad_deck,
            StoreError: _store_failed,
            HTTPException: _framework_refused,
            UnicodeDecodeError: _not_text,
            RecursionError: _too_deep,
            Exception: _broken,
        },
        openapi_config=DESCRIBED,
    )
    guard = Guard(app, site, counts)
    return guard


def description() -> bytes:
    """What can be asked, as /openapi.json tells it, without a store or a start."""
    return encode_json(Litestar(_HANDLERS, openapi_config=DESCRIBED).openapi_schema.to_schema())


def serving(app: Guard) -> uvicorn.Config:
    """How the program is run."""
    settings = app.site.settings
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=PatientProtocol,
        ws=PatientSocket,
        ws_max_size=4096,
        # Packing costs more time than the view it packs, and some 300 KB for each socket.
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )
