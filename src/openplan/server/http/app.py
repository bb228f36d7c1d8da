"""The Litestar program: its routes and pages, and how it is run."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Sequence
from typing import Any, Final

import uvicorn
from litestar import Litestar, Response, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ControllerRouterHandler
from prometheus_client import generate_latest

import openplan
from openplan.server.errors import Missing
from openplan.server.http.connections import Connections, room
from openplan.server.http.error_answers import ANSWERS
from openplan.server.http.guard import Guard, Metrics
from openplan.server.http.pages import PAGES
from openplan.server.http.routes import ROUTES
from openplan.server.http.routes.wire import Req, hub_of, site_of
from openplan.server.http.slow_clients import PatientProtocol, PatientSocket
from openplan.server.store import StoreError

MAX_BODY: Final = 256 * 1024
READY_SECONDS: Final = 1.5
"""A store that does not answer by then is not there."""


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
        exception_handlers={**ANSWERS},
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
