"""Who sends slowly, or without end, or never reads, is not waited for; nobody else is cut off."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest
from websockets.exceptions import InvalidState
from websockets.server import ServerProtocol

from openplan.server.http.slow_clients import MAX_HEAD, PatientProtocol
from openplan.server.store import Tx
from tests.server.running import Running, frame, running

BEGUN = b"POST /api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder: Path = tmp_path_factory.mktemp("site")
    with patch.object(PatientProtocol, "seconds", 0.5), running(folder) as server:
        yield server


def connected(server: Running, *parts: bytes) -> socket.socket:
    host, port = server.address.split(":")
    made = socket.create_connection((host, int(port)), timeout=20)
    for part in parts:
        made.sendall(part)
    return made


def told(connection: socket.socket) -> tuple[int, str]:
    """What it is told before it is closed: the status and the code, or nothing."""
    with connection:
        said = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = said.rpartition(b"\r\n\r\n")
    assert said.count(b"HTTP/1.1") <= 1, said
    return (int(head.split()[1]), json.loads(body)["code"]) if said else (0, "")


def test_a_request_that_does_not_end(server: Running) -> None:
    client = server.client("Ann")
    table = client.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    with client.live(table) as live:
        frame(live)
        slow = [
            connected(server),
            connected(server, b"GET /hea"),
            connected(server, b"\r\n"),
            connected(server, BEGUN, b"X: y\r\n"),
            connected(server, BEGUN, b"Content-Length: 100\r\n\r\n", b"{"),
        ]
        assert [told(one) for one in slow] == [(408, "slow")] * len(slow)
        # A socket, which was there before them, has nothing to do with it.
        assert live.ping().wait(20)
        client.ok("POST", f"/api/tables/{table}/chat", {"text": "still here"})
        assert frame(live, "chat")["lines"]


def test_a_connection_that_is_kept_with_an_empty_line(server: Running) -> None:
    kept = connected(server, b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
    answer = b""
    while not answer.endswith(b"}"):
        answer += kept.recv(65536)
    kept.sendall(b"\r\n")
    assert told(kept) == (408, "slow")


def test_a_head_that_does_not_end(server: Running) -> None:
    # The last byte is one too many, and nothing of what was sent is left unread.
    endless = connected(server, BEGUN, b"X: ", b"y" * (MAX_HEAD - len(BEGUN) - 3), b"y")
    assert told(endless) == (431, "too-large")


@pytest.mark.parametrize("said", [b"\x16\x03\x01\x02\x00", b"NONSENSE / HTTP/1.1\r\n\r\n"])
def test_what_is_no_request(said: bytes, server: Running) -> None:
    assert told(connected(server, said)) == (400, "unreadable")


def test_an_answer_that_nobody_reads(server: Running) -> None:
    """It is asked for again and again, until no buffer holds any more."""
    asked = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"
    with connected(server) as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            flood(lazy, asked)


def flood(connection: socket.socket, asked: bytes) -> None:
    while True:
        connection.sendall(asked)


def test_what_is_said_is_not_taken_for_another_answer(server: Running) -> None:
    """The request before is still being seen to when the next has taken too long."""
    held = Event()

    async def slow(_: Callable[[Tx], object]) -> None:
        await asyncio.to_thread(held.wait, 20)

    with patch.object(server.site.store, "read", slow):
        two = connected(server, b"GET /ready HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /hea")
        assert told(two) == (0, "")
        held.set()


def test_a_server_ends_while_a_browser_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its socket is closing already and may not be told so again; all else is closed in order."""

    def refuse(*_: object) -> None:
        raise InvalidState("connection is closing")

    with ExitStack() as later, running(tmp_path) as server:
        ann = server.client("Ann")
        table = ann.ok("POST", "/api/tables", {"game": "cube-farm"})["id"]
        frame(later.enter_context(ann.live(table)))
        monkeypatch.setattr(ServerProtocol, "send_close", refuse)
    assert not server.site.is_ready
