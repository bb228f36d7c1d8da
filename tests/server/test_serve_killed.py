"""The whole server is killed under load, again and again. Clients go on as clients do: what was not
answered they send again, under the same name. Every answered move is in the log once."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.ports import own_port
from tests.server.databases import Postgres
from tests.server.running import Client

ROOT = Path(__file__).resolve().parent.parent.parent
TABLES = 2


class Server:
    """`openplan serve`, forked; see forked.py."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self._process = process
        self.address = f"127.0.0.1:{port}"
        self._there = -1

    def start(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        # Not by its number, which may be another's by the time it is killed.
        self._let_go()
        self._there = os.pidfd_open(int(self._process.stdout.readline()))

    def kill(self) -> None:
        signal.pidfd_send_signal(self._there, signal.SIGKILL)

    def _let_go(self) -> None:
        if self._there >= 0:
            os.close(self._there)
            self._there = -1

    def wait(self) -> None:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            asking = HTTPConnection(self.address, timeout=5)
            try:
                asking.request("GET", "/health")
                if asking.getresponse().status == 200:
                    return
            except (OSError, HTTPException):
                time.sleep(0.01)
            finally:
                asking.close()
        raise AssertionError("the server does not come back")


@contextmanager
def forked(folder: Path, database: str, *faults: str) -> Iterator[Server]:
    port = own_port()
    command = [sys.executable, "-m", "tests.server.forked", str(folder), str(port), database]
    with subprocess.Popen(
        [*command, *faults], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield Server(process, port)
        finally:
            process.terminate()


class Table:
    """Two people who play on whatever happens, one match after the other."""

    def __init__(self, server: Server, seed: int, patience: float) -> None:
        self._people = {"A": Client(server.address), "B": Client(server.address)}
        self._rng = random.Random(seed)
        self._patience = patience
        self._names = count(1)
        self._asked: tuple[Client, dict[str, Any]] | None = None
        self._refused: list[str] = []
        self.answered: dict[str, int] = {}
        for name, client in self._people.items():
            client.ok("POST", "/api/session", {"name": name})
        time.sleep(patience)
        self._begin()

    def _begin(self) -> None:
        wish = {"game": "human-resources", "public": True}
        table = self._people["A"].ok("POST", "/api/tables", wish)["id"]
        time.sleep(self._patience)
        self._people["B"].ok("POST", f"/api/tables/{table}/join", {})
        self.answered[table] = 0
        self._table = table

    def play_until(self, stop: threading.Event) -> None:
        while not stop.is_set() or self._asked is not None:
            try:
                self._step()
            except httpx2.TransportError:
                time.sleep(0.005)
            except AssertionError as error:
                self._refused.append(str(error))

    def _step(self) -> None:
        if self._asked is None:
            to_act = self._people["A"].ok("GET", f"/api/tables/{self._table}")["to_act"]
            if not to_act:
                self._begin()
                return
            mover = self._people[to_act[0]]
            version = mover.ok("GET", f"/api/tables/{self._table}")["version"]
            move = mover.some_move(self._table, self._rng)
            body = {"move": move, "version": version, "submission": str(next(self._names))}
            self._asked = (mover, body)
        mover, body = self._asked
        answer = mover.ask("POST", f"/api/tables/{self._table}/moves", body)
        self._asked = None
        if answer.is_success:
            self.answered[self._table] += 1
        else:
            self._refused.append(f"refused: {answer.text}")

    def faults(self) -> list[str]:
        found = list(self._refused)
        for table, answered in self.answered.items():
            log = self._people["A"].ask("GET", f"/api/tables/{table}/log")
            there = len(log.json()["entries"]) if log.is_success else -1  # not even begun
            if there != answered:
                found.append(f"{answered} moves were answered, {there} are in the log")
        return found

    def close(self) -> None:
        for client in self._people.values():
            client.http.close()


def faults_after(
    server: Server, kills: int, seed: int, patience: float = 0
) -> tuple[int, list[str]]:
    """How many moves were answered in all, and what is wrong. Patience lets the people come in even
    where answers are sent before the commit."""
    chance = random.Random(seed)
    server.start()
    server.wait()
    tables = [Table(server, seed + number, patience) for number in range(TABLES)]
    stop = threading.Event()
    playing = [threading.Thread(target=table.play_until, args=(stop,)) for table in tables]
    for thread in playing:
        thread.start()
    try:
        for _ in range(kills):
            time.sleep(chance.uniform(0.02, 0.25))
            server.kill()
            server.start()
            if chance.random() < 0.8:  # the others are killed while they start
                server.wait()
                _wait_for_more(tables)
        stop.set()
        server.wait()
        for thread in playing:
            thread.join(60)
        found = [fault for table in tables for fault in table.faults()]
    finally:
        stop.set()
        server.kill()
        for table in tables:
            table.close()
    return _moves(tables), found


def _moves(tables: list[Table]) -> int:
    return sum(sum(table.answered.values()) for table in tables)


def _wait_for_more(tables: list[Table]) -> None:
    """So that the next kill comes while people play, also on a busy machine."""
    enough, end = _moves(tables) + 2, time.monotonic() + 5
    while _moves(tables) < enough and time.monotonic() < end:
        time.sleep(0.005)


@pytest.mark.parametrize(
    "database",
    ["sqlite", pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))],
)
def test_twenty_kills_lose_and_double_no_move(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = ""
    if database == "postgresql":
        postgres: Postgres = request.getfixturevalue("postgres")
        url = postgres.new_url()
    with forked(tmp_path, url) as server:
        answered, found = faults_after(server, 20, seed=1)
    assert found == []
    assert answered > 20


def test_an_answer_before_the_commit_is_caught(tmp_path: Path) -> None:
    with forked(tmp_path, "", "early") as server:
        _, found = faults_after(server, 8, seed=2, patience=0.5)
    assert any("moves were answered" in fault for fault in found)
