"""The whole server as one ASGI program: the site, its routes, and the operator's page."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from litestar import Litestar
from litestar.datastructures import State
from litestar.serialization import encode_json

from openplan.server.clock import Now, steady, wall
from openplan.server.http.app import DESCRIBED, HANDLERS, make_litestar
from openplan.server.http.guard import Guard, Metrics
from openplan.server.http.pages import Pages, built_folder
from openplan.server.http.rate_limits import Limits
from openplan.server.ops import operator_routes
from openplan.server.ops.running_site import RunningSite
from openplan.server.settings import Settings, load_secret
from openplan.server.store import StoreError, open_store

_ALL: Final = [*HANDLERS, *operator_routes.ROUTES]


class Program(Guard):
    site: RunningSite
    why_not: StoreError | OSError | None = None
    """Why it did not start."""


def make_routes() -> Litestar:
    """All that can be asked, of no site yet: reading it takes most of a start."""
    return make_litestar(_ALL, lifespan=[_lifespan])


def make_app(
    settings: Settings,
    *,
    now: Now = wall,
    steady: Now = steady,
    greet: Callable[[RunningSite], Awaitable[None]] | None = None,
    routes: Litestar | None = None,
) -> Program:
    """The server with a store of its own. `greet` is called when it has started. `routes` are those
    of a program that has ended."""
    secret = load_secret(settings.data)
    site = RunningSite(settings, secret, open_store(settings.store_url), now=now, steady=steady)
    metrics, limits = Metrics(), Limits(site)
    app = routes or make_routes()
    program = Program(app, site, metrics, limits)
    app.state = State(
        {
            "site": site,
            "hub": site.hub,
            "adviser": site.bots,
            "limits": limits,
            "metrics": metrics,
            "pages": Pages(built_folder()),
            "program": program,
            "greet": greet,
        }
    )
    return program


@asynccontextmanager
async def _lifespan(app: Litestar) -> AsyncIterator[None]:
    program: Program = app.state.program
    site = program.site
    try:
        await site.open()
        if app.state.greet is not None:
            await app.state.greet(site)
    except (StoreError, OSError) as error:
        program.why_not = error
        await site.close()
        raise
    try:
        yield
    finally:
        await site.close()


def description() -> bytes:
    """What can be asked, as /openapi.json tells it, without a store or a start."""
    return encode_json(Litestar(_ALL, openapi_config=DESCRIBED).openapi_schema.to_schema())
