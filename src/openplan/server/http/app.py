"""The Litestar program: its routes and pages, and how errors are answered."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from typing import Any, Final

import structlog
import uvicorn
from litestar import Litestar, Response, get
from litestar.exceptions import HTTPException, SerializationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ControllerRouterHandler
from prometheus_client import generate_latest

import openplan
from openplan.core.deck import DeckError
from openplan.core.game import GameError
from openplan.server.errors import Missing
from openplan.server.http.connections import Connections, room
from openplan.server.http.guard import Guard, Metrics
from openplan.server.http.pages import PAGES, is_for_a_reader, nowhere
from openplan.server.http.routes import ROUTES
from openplan.server.http.routes.wire import RefusalSight, Req, hub_of, language_of, site_of
from openplan.server.http.slow_clients import PatientProtocol, PatientSocket
from openplan.server.store import Conflict, StoreError, Unkeepable

MAX_BODY: Final = 256 * 1024
READY_SECONDS: Final = 1.5
"""A store that does not answer by then is not there."""
# Codes for what the framework refuses before a route sees it.
_FRAMEWORK: Final = {
    400: (422, "unreadable", "the request cannot be read"),
    404: (404, "missing", "not found"),
    405: (405, "method", "this cannot be asked in this way"),
    413: (413, "too-large", "the request is too large"),
    415: (415, "media-type", "a request's body is JSON"),
}

log = structlog.get_logger()


# -- Errors ----------------------------------------------------------------------------------


def _refused(request: Req, error: GameError) -> Response[RefusalSight]:
    reason = error.reason_in(language_of(request))
    return Response(RefusalSight(error.code, reason, error.clause), status_code=error.status)


def _bad_deck(_: Req, error: DeckError) -> Response[RefusalSight]:
    return Response(
        RefusalSight("deck", str(error)[:2000], error.faults[0].clause), status_code=422
    )


def _store_failed(_: Req, error: StoreError) -> Response[RefusalSight]:
    if isinstance(error, Conflict):
        return Response(RefusalSight("conflict", "something else came first", ""), status_code=409)
    if isinstance(error, Unkeepable):
        reason = "there is a character in it that cannot be kept"
        return Response(RefusalSight("unreadable", reason, ""), status_code=422)
    log.error("the store failed", reason=str(error))
    reason = "this cannot be kept right now; try again under the same submission"
    return Response(RefusalSight("unavailable", reason, ""), status_code=503)


def _framework_refused(
    request: Req, error: HTTPException
) -> Response[RefusalSight] | Response[bytes]:
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
    return Response(RefusalSight(code, reason, ""), status_code=status, headers=error.headers)


def _wrong(name: str, message: str) -> str:
    if message == repr(name):  # a KeyError, which has no other words
        return "there is no body" if name == "data" else f"{name} is missing"
    return f"{name}: {message}"


def _not_text(_: Req, _error: UnicodeDecodeError) -> Response[RefusalSight]:
    return Response(RefusalSight("unreadable", "the request is not UTF-8", ""), status_code=422)


def _too_deep(_: Req, _error: RecursionError) -> Response[RefusalSight]:
    return Response(
        RefusalSight("unreadable", "the request is nested too deep", ""), status_code=422
    )


def _broken(_: Req, error: Exception) -> Response[RefusalSight]:
    log.error("a fault of this program", exc_info=error)
    return Response(RefusalSight("internal", "a fault of this program", ""), status_code=500)


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
        async with asyncio.timeout(READY_SECONDS):
            await site.store.read(lambda tx: tx.rows(int, "SELECT 1"))
    except (StoreError, TimeoutError):
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
    counts.sockets.set(hub_of(request).count)
    return Response(generate_latest(counts.registry), media_type="text/plain; version=0.0.4")


HANDLERS: Final = [*ROUTES, *PAGES, health, ready, metrics]
DESCRIBED: Final = OpenAPIConfig(
    title="Open Plan",
    version=openplan.__version__,
    path="/openapi.json",
    render_plugins=[JsonRenderPlugin(path="/")],
    use_handler_docstrings=True,
)


def make_litestar(handlers: Sequence[ControllerRouterHandler], **more: Any) -> Litestar:
    return Litestar(
        handlers,
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
        **more,
    )


def serving(app: Guard) -> uvicorn.Config:
    """How the program is run."""
    settings = app.site.settings

    class Protocol(PatientProtocol):
        doorway = Connections(room(), settings.proxies)

    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        http=Protocol,
        ws=PatientSocket,
        ws_max_size=4096,
        # Packing costs more time than the view it packs, and some 300 KB for each socket.
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
    )
