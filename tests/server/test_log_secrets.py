"""No secret stands in what the operator reads, whatever breaks; and tests that this can fail.

`BUGS` are faults of the program that have a sealed order in their words: nothing of it may be
logged. `LEAKS` write secrets into the log or the metrics, so that there is something to find.
"""

from __future__ import annotations

import asyncio
import io
import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from typing import Any, NoReturn

import pytest
import structlog
from litestar.types import Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter
from websockets.exceptions import WebSocketException

from openplan.core.game import GameError
from openplan.server import logs
from openplan.server.http import app
from openplan.server.http.guard import Guard
from openplan.server.logs import configure_logs
from openplan.server.ops.bot_pool import Lane
from openplan.server.store import StoreUnavailable
from openplan.server.tables import moves as use
from openplan.server.tables import view_model
from openplan.server.tables.access import FoundTable
from tests.server.people import cheap_passwords
from tests.server.running import Client, Running, frame, running

# One server does for all of these.
pytestmark = pytest.mark.xdist_group("server-log-secrets")

PASSWORD = "a secret phrase"
METRICS_TOKEN = "a-secret-of-the-operator"
OF_THE_BOT = "place P05d by the bot"
Plant = Callable[[pytest.MonkeyPatch], None]
log = structlog.get_logger()


class Site:
    """A server that logs all it can, and three people at it."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.people = {code: server.client() for code in "SPT"}
        for code, client in self.people.items():
            account = {"login": f"seat-{code}".lower(), "password": PASSWORD, "name": code}
            client.ok("POST", "/api/session/sign-up", account)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    settings: dict[str, Any] = {"bot_seconds": 5.0, "metrics_token": METRICS_TOKEN}
    with cheap_passwords(), running(tmp_path_factory.mktemp("site"), **settings) as server:
        log_everything("debug")
        yield Site(server)
        log_everything("error")


def log_everything(level: str) -> None:
    """A logger that was used before keeps to what was said then."""
    configure_logs(level)
    for name, module in list(sys.modules.items()):
        known: Any = getattr(module, "log", None)
        if name.startswith(("openplan.", "tests.")) and "bind" in getattr(known, "__dict__", ()):
            del known.bind


def played(site: Site, patch: pytest.MonkeyPatch, *, bot: bool = False) -> tuple[str, list[str]]:
    """All that the operator can read of some play, and what may not be in it."""
    written = io.StringIO()
    patch.setattr(sys, "stderr", written)
    patch.setattr(sys, "stdout", written)
    seated = {code: fresh(site, client) for code, client in site.people.items()}
    s = seated["S"]
    table = s.ok("POST", "/api/tables", {"game": "cube-farm"})["id"]
    at = f"/api/tables/{table}"
    invite: str = s.ok("GET", at)["invite"]
    for client in (seated["P"], seated["T"]):
        client.ok("GET", f"{at}?invite={invite}")
        client.ok("POST", f"{at}/join", {"invite": invite})
    order = s.some_move(table, Random(1))
    body = {"move": order, "version": 0, "submission": "one"}
    with s.live(table) as live, suppress(TimeoutError, WebSocketException):
        frame(live)
        s.ask("POST", f"{at}/moves", {**body, "move": f"{order}; 4: x", "submission": "none"})
        s.ask("POST", f"{at}/moves?seat=S", body)
        frame(live, timeout=0.5)
    s.ask("PUT", f"{at}/notes", {"text": "only for me"})
    s.ask("POST", f"{at}/press", {"to": ["P"], "text": "only for you"})
    if bot:
        seats = [{"kind": "bot", "bot": "random"}, {"kind": "me"}, {"kind": "bot", "bot": "random"}]
        s.ok("POST", "/api/tables", {"game": "cube-farm", "seats": seats})
        end = time.monotonic() + 10
        while "a bot did not answer" not in written.getvalue() and time.monotonic() < end:
            time.sleep(0.05)
    shown = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    metrics = s.ask("GET", "/metrics", headers=shown).text
    assert "openplan_answers" in metrics
    parts = [part.strip() for part in order.split(";")]
    tokens = [token for client in seated.values() for token in client.http.cookies.values()]
    private = ["only for me", "only for you", PASSWORD, METRICS_TOKEN, invite, '"deal', OF_THE_BOT]
    return written.getvalue() + metrics, [order, *parts, *tokens, *private]


def fresh(site: Site, client: Client) -> Client:
    """The same person by a new connection, which is made under the plant."""
    again = site.server.client()
    again.http.cookies.update(dict(client.http.cookies))
    return again


def found_in(text: str, secrets: list[str]) -> list[str]:
    return [secret for secret in secrets if secret in text]


def test_logs_tell_no_secrets(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    text, secrets = played(site, monkeypatch)
    assert '/moves", "status": 200' in text
    assert '"error"' not in text
    assert found_in(text, secrets) == []


# -- Faults of the program -------------------------------------------------------------------


def swapped(where: object, name: str, fake: Callable[..., Any]) -> Plant:
    """`fake` gets the real function before its arguments."""
    real = getattr(where, name)
    return lambda patch: patch.setattr(where, name, lambda *a, **k: fake(real, *a, **k))


def break_on_the_order(_: Any, *arguments: Any, **more: Any) -> NoReturn:
    try:
        raise KeyError(arguments[4])
    except KeyError as error:
        raise RuntimeError(f"{arguments[4]!r} cannot be kept") from error


def break_in_the_store(_: Any, *arguments: Any, **more: Any) -> NoReturn:
    try:
        raise ValueError(f"DETAIL: Failing row contains ({arguments[4]})")
    except ValueError as error:
        raise StoreUnavailable("the disk is full") from error


def break_when_told(real: Any, tx: Any, cache: Any, place: FoundTable, *more: Any) -> Any:
    for text in tx.rows(str, "SELECT text FROM entries WHERE table_id = ?", place.id):
        raise ValueError(f"{text} cannot be shown")
    return real(tx, cache, place, *more)


async def break_the_bot(_: Any, *arguments: Any, **more: Any) -> NoReturn:
    raise GameError("illegal", f"{OF_THE_BOT} is not allowed")


def called(before: Callable[[Scope, bytes], Any]) -> Plant:
    """Something that is done with a request and its body before it is served."""
    real = Guard.__call__

    async def call(self: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "POST":
            before(scope, b"")
            return await real(self, scope, receive, send)
        message = await receive()
        before(scope, message["body"] if message["type"] == "http.request" else b"")

        async def again() -> Any:
            return message

        return await real(self, scope, again, send)

    return lambda patch: patch.setattr(Guard, "__call__", call)


def break_outside(scope: Scope, body: bytes) -> None:
    """In a callback that nobody waits for, whose arguments asyncio writes out."""

    def fail(words: bytes) -> NoReturn:
        raise ValueError(words)

    if body:  # not after the last of a test, or the next one would read of it
        asyncio.get_running_loop().call_soon(fail, body)


def break_in_the_server(scope: Scope, body: bytes) -> None:
    """Where uvicorn alone hears of it."""
    if scope["path"].endswith("/moves"):
        raise ValueError(body)


BUGS: dict[str, Plant] = {
    "a move": swapped(use, "submit", break_on_the_order),
    "the store": swapped(use, "submit", break_in_the_store),
    "live views": swapped(view_model, "see_with_told", break_when_told),
    "a callback": called(break_outside),
    "the whole": called(break_in_the_server),
    "a bot": swapped(Lane, "do", break_the_bot),
}


@pytest.mark.parametrize("bug", BUGS, ids=lambda name: name.replace(" ", "-"))
def test_what_breaks_is_told_without_its_words(
    bug: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    BUGS[bug](monkeypatch)
    text, secrets = played(site, monkeypatch, bot=bug == "a bot")
    assert "the disk is full" in text if bug == "the store" else "test_log_secrets:" in text
    assert found_in(text, secrets) == []


# -- Leaks -----------------------------------------------------------------------------------


def told_in_a_line(real: Any, *arguments: Any, **more: Any) -> Any:
    log.info("played", move=arguments[4])
    return real(*arguments, **more)


def told_as_the_event(real: Any, *arguments: Any, **more: Any) -> Any:
    log.warning(f"the seat plays {arguments[4]}")
    return real(*arguments, **more)


def quoted_by_a_library(real: Any, *arguments: Any, **more: Any) -> Any:
    logging.getLogger("library").warning(f"seen: {arguments[4]}")
    return real(*arguments, **more)


def printed(real: Any, *arguments: Any, **more: Any) -> Any:
    print(arguments[4])
    return real(*arguments, **more)


def metrics_of_moves(patch: pytest.MonkeyPatch) -> None:
    registry = CollectorRegistry()
    moves = Counter("openplan_moves", "Moves.", ["move"], registry=registry)

    def count(real: Any, *arguments: Any, **more: Any) -> Any:
        moves.labels(arguments[4]).inc()
        return real(*arguments, **more)

    swapped(use, "submit", count)(patch)
    swapped(app, "generate_latest", lambda real, known: real(known) + real(registry))(patch)


def access_log_of_uvicorn(patch: pytest.MonkeyPatch) -> None:
    access = logging.getLogger("uvicorn.access")
    patch.setattr(access, "handlers", [logging.StreamHandler(logs._StandardError())])
    patch.setattr(access, "level", logging.INFO)
    patch.setattr(access, "_cache", {})


LEAKS: dict[str, Plant] = {
    "a line with the order": swapped(use, "submit", told_in_a_line),
    "the order as the event": swapped(use, "submit", told_as_the_event),
    "a library that quotes it": swapped(use, "submit", quoted_by_a_library),
    "something printed": swapped(use, "submit", printed),
    "a label of a metric": metrics_of_moves,
    "bodies in the access log": called(lambda _, body: log.debug("asked", body=str(body))),
    "queries in the access log": called(
        lambda scope, _: log.debug("asked", query=str(scope.get("query_string")))
    ),
    "headers in the access log": called(
        lambda scope, _: log.debug("asked", headers=str(scope.get("headers")))
    ),
    "uvicorn's own access log": access_log_of_uvicorn,
}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda name: name.replace(" ", "-"))
def test_a_planted_leak_is_found(leak: str, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    text, secrets = played(site, monkeypatch)
    assert found_in(text, secrets) != []


@pytest.mark.parametrize("bug", sorted(BUGS.keys() - {"the store"}))
def test_errors_told_by_their_words_are_found(
    bug: str, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As logs are usually written: with the traceback and what the error says."""
    processors = structlog.get_config()["processors"]
    number = processors.index(logs._without_words)
    BUGS[bug](monkeypatch)
    processors[number] = structlog.processors.format_exc_info  # loggers have this very list
    try:
        text, secrets = played(site, monkeypatch, bot=bug == "a bot")
    finally:
        processors[number] = logs._without_words
    assert found_in(text, secrets) != []
