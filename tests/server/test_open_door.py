"""Nobody holds the door shut: silent connections, sockets of nobody, costly questions."""

from __future__ import annotations

import asyncio
import re
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest

from openplan.server.errors import TooMany
from openplan.server.http import app, live_views
from openplan.server.http.connections import WANTED_FILES, raise_file_limit
from openplan.server.http.routes import play
from openplan.server.http.routes.wire import Req
from openplan.server.http.turnstile import AT_ONCE, MOST_OF_ONE, MOST_WAITING, Turnstile
from tests.server.running import Running, running


@contextmanager
def small_room(folder: Path, most: int = 100) -> Iterator[Running]:
    """A server whose limit of files is low."""
    with (
        patch.object(app, "room", lambda: most),
        patch.object(live_views, "room", lambda: most),
        running(folder) as server,
    ):
        yield server


def address(server: Running) -> tuple[str, int]:
    host, port = server.address.split(":")
    return host, int(port)


@pytest.mark.parametrize("sent", [b"", b"GET /hea", b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"])
@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"])
def test_silent_connections_stop_nobody(tmp_path: Path, sent: bytes, source: str) -> None:
    """Whether they say nothing, half a word, or nothing any more; also who comes from the same
    address gets in."""
    with small_room(tmp_path) as server, ExitStack() as open_ones:
        for _ in range(400):
            silent = open_ones.enter_context(
                socket.create_connection(address(server), 5, (source, 0))
            )
            silent.sendall(sent)
            if sent.endswith(b"\r\n\r\n"):
                assert silent.recv(1000), "whoever has been answered is silent"
        began = time.monotonic()
        for _ in range(5):
            answer = httpx.get(f"http://{server.address}/health", timeout=5)
            assert answer.status_code == 200
        assert time.monotonic() - began < 5


def test_who_is_being_answered_is_not_turned_out(tmp_path: Path) -> None:
    with small_room(tmp_path, 60) as server, ExitStack() as open_ones:
        ann = server.client("Ann")
        table = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
        with ann.live(table) as live:
            for _ in range(200):
                open_ones.enter_context(socket.create_connection(address(server), 5))
            live.recv(timeout=5)
            # A connection on which she has not asked lately may have made room: that is no loss.
            cookies = dict(ann.http.cookies)
            path = f"http://{server.address}/api/tables/{table}"
            assert httpx.get(path, cookies=cookies).json()["id"] == table


def test_sockets_of_nobody_leave_room_for_people(tmp_path: Path) -> None:
    with small_room(tmp_path, 40) as server, ExitStack() as open_ones:
        ann = server.client("Ann")
        table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
        nobody = server.client()
        refused = 0
        for _ in range(60):
            live = open_ones.enter_context(nobody.live(table))
            try:
                live.recv(timeout=5)
            except Exception:  # noqa: BLE001 - it is closed, however that is said
                refused += 1
        assert refused == 60 - 40 // 4
        with ann.live(table) as live:
            assert live.recv(timeout=5)


@pytest.mark.parametrize(
    "origin", ["http://[", "http://]", "null", "http://a:b:c", "//", "http://\u2100"]
)
def test_an_origin_that_is_none_is_refused_like_others(tmp_path: Path, origin: str) -> None:
    with running(tmp_path) as server:
        answer = httpx.post(
            f"http://{server.address}/api/session",
            json={"name": "Ann"},
            headers={b"Origin": origin.encode("utf-8")},
        )
        other = httpx.post(
            f"http://{server.address}/api/session",
            json={"name": "Ann"},
            headers={"Origin": "http://evil.example"},
        )
    assert (answer.status_code, answer.json()) == (other.status_code, other.json())
    assert answer.status_code == 403
    assert set(answer.headers) == set(other.headers)
    assert "content-security-policy" in answer.headers


def served(asks: list[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Whose request was worked on, in order, if all of these ask at once."""

    async def go() -> list[tuple[str, str]]:
        gate, order = Turnstile(), list[tuple[str, str]]()

        async def ask(who: tuple[str, str]) -> None:
            async with gate.passed(who):
                order.append(who)
                await asyncio.sleep(0.001)

        await asyncio.gather(*map(ask, asks))
        return order

    return asyncio.run(go())[:count]


def test_who_asks_much_waits_for_nobody_but_themselves() -> None:
    """Ben at another address, and Ann at the same one, ask once, after two hundred of Mal's."""
    crowd = [("1.2.3.4", "mal")] * 200
    ann, ben = ("1.2.3.4", "ann"), ("5.6.7.8", "ben")
    first = served([*crowd, ann, ben], AT_ONCE + 4)
    assert {ann, ben} <= set(first)
    # And many at one address wait as one address does.
    puppets = [("1.2.3.4", f"puppet {number}") for number in range(150)]
    assert ben in served([*puppets, ben], AT_ONCE + 2)


def test_who_goes_away_while_waiting_leaves_no_place_taken() -> None:
    async def go() -> None:
        gate = Turnstile()

        async def ask(who: str) -> None:
            async with gate.passed((who, who)):
                await asyncio.sleep(0.01)

        for _ in range(20):
            tasks = [asyncio.create_task(ask(str(number % 7))) for number in range(60)]
            await asyncio.sleep(0.005)
            for task in tasks[::2]:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        async with asyncio.timeout(5):
            await asyncio.gather(*(ask(str(number)) for number in range(20)))
        assert not gate._inside
        assert not gate._waiting

    asyncio.run(go())


def test_one_more_than_may_wait_is_told_to_come_later() -> None:
    async def go() -> int:
        gate, refused = Turnstile(), 0

        async def ask() -> None:
            nonlocal refused
            try:
                async with gate.passed(("a", "b")):
                    await asyncio.sleep(0)
            except TooMany:
                refused += 1

        await asyncio.gather(*(ask() for _ in range(MOST_WAITING + MOST_OF_ONE + 7)))
        return refused

    assert asyncio.run(go()) == 7


def test_slow_senders_and_readers_hold_no_place(tmp_path: Path) -> None:
    with running(tmp_path, limits=True) as server, ExitStack() as open_ones:
        ann = server.client("Ann")
        table = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
        for _ in range(3 * AT_ONCE):
            slow = open_ones.enter_context(socket.create_connection(address(server), 5))
            slow.sendall(
                f"POST /api/tables/{table}/options HTTP/1.1\r\nHost: a\r\n".encode()
                + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
            )
        time.sleep(0.2)
        assert ann.ok("GET", f"/api/tables/{table}")["id"] == table


def test_somebody_else_comes_next_where_one_asks_two_hundred_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the server itself: all places are taken by two who ask on and on, and nobody is let in but
    by turns."""
    entered: list[str] = []
    gate = asyncio.Semaphore(0)

    async def cheap(request: Req, *_: object) -> play.LogSight:
        entered.append(request.cookies["openplan"])
        await gate.acquire()
        return play.LogSight(0, [])

    async def let_in(number: int) -> None:
        for _ in range(number):
            gate.release()

    monkeypatch.setattr(play, "look_back", cheap)
    with running(tmp_path, limits=True) as server, ExitStack() as open_ones:
        people = [server.client(name) for name in ("Mal", "Ory", "Ann")]
        mal, ory, ann = (client.http.cookies["openplan"] for client in people)

        def asks(cookie: str, times: int) -> None:
            for _ in range(times):
                one = open_ones.enter_context(socket.create_connection(address(server), 5))
                head = f"GET /api/tables/t/log HTTP/1.1\r\nHost: a\r\nCookie: openplan={cookie}"
                one.sendall(f"{head}\r\n\r\n".encode())

        asks(mal, 100)
        asks(ory, 100)
        until(lambda: len(entered) == AT_ONCE)
        assert sorted(entered) == sorted([mal, ory] * MOST_OF_ONE)
        asks(ann, 1)
        time.sleep(0.3)
        assert ann not in entered
        server.run(let_in(3))
        until(lambda: len(entered) == AT_ONCE + 3)
        assert ann in entered
        server.run(let_in(200))


def test_the_server_takes_as_many_files_as_it_may(tmp_path: Path) -> None:
    """A shell gives a program 1,024, and lets it have more."""
    before = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (300, 2000));"
    serve = f"{before} from openplan.cli.main import main; main()"
    command = [sys.executable, "-c", serve, "serve", "--port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert any("http://" in line for line in iter(server.stdout.readline, ""))
            (limits,) = re.findall(
                r"Max open files +(\d+) +(\d+)", Path(f"/proc/{server.pid}/limits").read_text()
            )
        finally:
            server.terminate()
    assert limits == ("2000", "2000")


@pytest.mark.parametrize(
    ("soft", "hard", "then"),
    [
        (1_024, 4_096, (4_096, 4_096)),
        (1_024, 1_000_000, (WANTED_FILES, 1_000_000)),
        (1_024, resource.RLIM_INFINITY, (WANTED_FILES, resource.RLIM_INFINITY)),
        (100_000, 1_000_000, None),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None),
    ],
)
def test_files_are_raised_to_what_is_of_use_and_never_lowered(
    soft: int, hard: int, then: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    was_set: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: was_set.append(limits))
    raise_file_limit()
    assert was_set == ([] if then is None else [then])


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)
