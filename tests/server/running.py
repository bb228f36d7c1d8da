"""A server for tests: the real program on a loopback port, in a thread, and clients for it."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, TypeVar

import httpx2
import pytest
import uvicorn
from litestar import Litestar
from websockets.sync.client import ClientConnection, connect

from openplan.server.clock import Now, wall
from openplan.server.clock import steady as real_steady
from openplan.server.http.app import serving
from openplan.server.logs import configure_logs
from openplan.server.ops.running_site import RunningSite
from openplan.server.ops.serve import make_app, make_routes
from openplan.server.settings import Settings

T = TypeVar("T")

_idle_routes: list[Litestar] = []
"""Of servers that have ended."""


class VirtualClock:
    """Time that goes on when told to."""

    def __init__(self, at: int = 1_700_000_000_000_000) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at

    def go_on(self, seconds: float) -> None:
        self.at += int(seconds * 1_000_000)


class Running:
    def __init__(self, site: RunningSite, loop: asyncio.AbstractEventLoop, port: int) -> None:
        self.site = site
        self.address = f"127.0.0.1:{port}"
        self._loop = loop
        self._clients: list[Client] = []

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """On the server's own loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def client(self, name: str = "") -> Client:
        """Somebody with a browser; with a name, as a guest."""
        client = Client(self.address)
        self._clients.append(client)
        if name:
            client.ok("POST", "/api/session", {"name": name})
        return client

    def close(self) -> None:
        for client in self._clients:
            client.http.close()


class Client:
    def __init__(self, address: str) -> None:
        self.address = address
        # Without certificates, which take long to read and are of no use here.
        self.http = httpx2.Client(base_url=f"http://{address}", timeout=30, verify=False)

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        return self.http.request(method, path, json=body, **more)

    def ok(self, method: str, path: str, body: Any = None) -> Any:
        answer = self.ask(method, path, body)
        assert answer.is_success, (method, path, body, answer.status_code, answer.text)
        is_json = answer.headers["content-type"].startswith("application/json")
        return answer.json() if is_json else answer.text

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        answer = self.ask(method, path, body)
        assert not answer.is_success, (method, path, body, answer.text)
        refusal = answer.json()
        assert set(refusal) == {"code", "reason", "clause"}, refusal
        return answer.status_code, refusal["code"]

    def live(self, table: str, query: str = "", **more: Any) -> ClientConnection:
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"Cookie": cookies} if cookies else {}
        headers |= more.pop("headers", {})
        url = f"ws://{self.address}/api/tables/{table}/live{query}"
        live: ClientConnection = connect(url, additional_headers=headers, proxy=None, **more)
        return live

    def some_move(self, table: str, rng: Random, query: str = "") -> str:
        """A legal move, built step by step as a client would."""
        steps: list[str] = []
        while True:
            options = self.ok("POST", f"/api/tables/{table}/options{query}", {"steps": steps})
            whole: str | None = options["whole"]
            if whole is not None and (not options["next"] or rng.random() < 0.5):
                return whole
            steps.append(rng.choice(options["next"])["value"])

    def play(self, table: str, move: str, version: int, submission: str) -> Any:
        body = {"move": move, "version": version, "submission": submission}
        return self.ok("POST", f"/api/tables/{table}/moves", body)


def is_ready(port: int) -> bool:
    """Whether a server answers there, and can work."""
    try:
        return httpx2.get(f"http://127.0.0.1:{port}/ready", verify=False).is_success
    except httpx2.HTTPError:
        return False


def frame(live: ClientConnection, kind: str = "table", timeout: float = 20) -> Any:
    """The next frame of a kind."""
    while True:
        message = json.loads(live.recv(timeout))
        if message["type"] == kind:
            return message


def the_same_chance(name: str, patch: pytest.MonkeyPatch) -> None:
    """Servers of this process deal, and their bots play, the same whenever a test is run."""
    chance = Random(name)
    patch.setattr("openplan.server.tables.chance.new_secret", lambda: chance.randbytes(32).hex())
    patch.setattr(
        "openplan.server.tables.bot_questions.secrets", SimpleNamespace(randbits=chance.getrandbits)
    )


class PromptServer(uvicorn.Server):
    """Looks at nothing every tenth of a second when it starts and ends: there are hundreds of tests
    with a server of their own."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = threading.Event()
        self._ending = asyncio.Event()

    def end(self, loop: asyncio.AbstractEventLoop) -> None:
        """From another thread."""
        self.should_exit = True
        with suppress(RuntimeError):  # it has ended already
            loop.call_soon_threadsafe(self._ending.set)

    async def main_loop(self) -> None:
        ticking = asyncio.ensure_future(super().main_loop())
        self.is_up.set()
        await self._ending.wait()
        ticking.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        end = time.monotonic() + 10
        while self.server_state.connections or self.server_state.tasks:
            if time.monotonic() > end:
                for task in self.server_state.tasks:
                    task.cancel()
                break
            await asyncio.sleep(0.002)
        await self.lifespan.shutdown()
        # Whoever was let in just before the door closed, as browsers are who connect ahead.
        for _ in range(3):
            await asyncio.sleep(0)
        for late in list(asyncio.get_running_loop()._transports.values()):  # type: ignore[attr-defined]
            late.abort()
        for _ in range(3):
            await asyncio.sleep(0)


async def _carry_nothing() -> int:
    return 0


@contextmanager
def running(
    folder: Path,
    *,
    now: Now = wall,
    steady: Now | None = None,
    are_letters_held: bool = False,
    **settings: Any,
) -> Iterator[Running]:
    """The program as `openplan serve` runs it, until the block ends. A virtual clock that goes on
    is taken for time that passes, unless a steady clock says otherwise. Letters that are held
    stay in the outbox, where they can be looked at."""
    steady = steady or (real_steady if now is wall else now)
    settings = {"limits": False, "host": "127.0.0.1", "port": 0, **settings}
    configure_logs("error")
    routes = _idle_routes.pop() if _idle_routes else make_routes()
    app = make_app(Settings(data=folder, **settings), now=now, steady=steady, routes=routes)
    if are_letters_held:
        app.site.sender.carry = _carry_nothing  # type: ignore[method-assign]
    # With its protocol named, or asyncio would not switch the delay of small packets off.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    server = PromptServer(serving(app))
    loop = asyncio.new_event_loop()

    def serve() -> None:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(server.serve([listening]))
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()

    thread = threading.Thread(target=serve, name="server")
    thread.start()
    try:
        assert server.is_up.wait(60), "the server did not start"
        with closing(Running(app.site, loop, listening.getsockname()[1])) as site:
            yield site
    finally:
        server.end(loop)
        thread.join(30)
        listening.close()
    assert not thread.is_alive()
    _idle_routes.append(routes)
