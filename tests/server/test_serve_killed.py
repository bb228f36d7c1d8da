"""The whole server is killed under load, again and again. Clients go on as clients do: what was not
answered they send again, under the same name. Every answered move is in the log once, and the
table's hook is told of each, perhaps twice but under one name, and of nothing else; a browser is
told whenever it is its person's turn; what was drafted is kept until the move is made; orders that
were saved are, and who was answered that they are ready, or not, is that."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.ports import own_port
from tests.server.databases import Postgres
from tests.server.endpoints import Browser, Endpoint, endpoint
from tests.server.running import Client

ROOT = Path(__file__).resolve().parent.parent.parent
TABLES = 2
PATIENCE = 15.0
"""Seconds until all that was kept must be told."""


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


class Patient(Client):
    """Somebody who is told to come back later does."""

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> httpx2.Response:
        answer = super().ask(method, path, body, **more)
        if answer.status_code in (429, 503):
            time.sleep(0.05)
            raise httpx2.TransportError(answer.text)
        return answer


class Table:
    """Two people who play on whatever happens, one match after the other."""

    def __init__(
        self,
        address: str,
        seed: int,
        patience: float = 0,
        there: Endpoint | None = None,
        **wish: Any,
    ) -> None:
        self._people = {"A": Patient(address), "B": Patient(address)}
        self._wish = {"game": "human-resources", "public": True, **wish}
        self._rng = random.Random(seed)
        self._there = there
        self._patience = patience
        self._names = count(1)
        self._asked: tuple[str, str, str, dict[str, Any]] | None = None
        self._refused: list[str] = []
        self._drafted: dict[str, str] = {}
        self._pushed = 0
        """So many had been pushed to A when B was last to move."""
        self.answered: dict[str, int] = {}
        for name, client in self._people.items():
            account = {"login": f"{name.lower()}-{seed}", "password": "a long phrase", "name": name}
            client.ok("POST", "/api/session/sign-up", account)
        if there is not None:
            self._browser = Browser(f"{there.address}/push-{seed}")
            self._people["A"].ok("POST", "/api/me/pushes", self._browser.subscription)
        time.sleep(patience)
        self._begin()

    def _begin(self) -> None:
        self._drafted, self._pushed = {}, len(self._pushes())
        table = self._people["A"].ok("POST", "/api/tables", self._wish)["id"]
        time.sleep(self._patience)
        if self._there is not None:
            hook = {"kind": "json", "address": f"{self._there.address}/{table}"}
            self._people["A"].ok("PUT", f"/api/tables/{table}/hook", hook)
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
            sight = self._people["A"].ok("GET", f"/api/tables/{self._table}")
            to_act = sight["to_act"]
            if not to_act:
                if sight["outcome"]["reason"] == "flag":
                    self._refused.append("somebody ran out of time")
                self._begin()
                return
            self._asked = self._next(to_act[0])
        code, method, path, body = self._asked
        answer = self._people[code].ask(method, f"/api/tables/{self._table}{path}", body)
        self._asked = None
        if not answer.is_success:
            self._refused.append(f"refused: {answer.text}")
        elif path == "/draft":
            self._drafted[code] = body["text"]
        else:
            self.answered[self._table] += 1
            self._drafted = {}

    def _next(self, code: str) -> tuple[str, str, str, dict[str, Any]]:
        """A move, or half of one; and a look whether what was answered before is so."""
        mover, at = self._people[code], f"/api/tables/{self._table}"
        chance = self._rng.random()
        if chance < 0.2:
            kept, drafted = mover.ok("GET", f"{at}/draft")["text"], self._drafted.get(code, "")
            if kept != drafted:
                self._refused.append(f"{drafted!r} was drafted, {kept!r} is kept")
        if chance < 0.4:
            text = f"half of {next(self._names)}"
            return code, "PUT", "/draft", {"text": text, "at": int(time.time() * 1_000_000)}
        if code == "B":
            self._pushed = len(self._pushes())
        elif chance > 0.8 and self._there is not None and not self._is_pushed():
            self._refused.append("it was A's turn, and no push said so")
        version = mover.ok("GET", at)["version"]
        move = mover.some_move(self._table, self._rng)
        name = str(next(self._names))
        return code, "POST", "/moves", {"move": move, "version": version, "submission": name}

    def _pushes(self) -> list[Any]:
        """What A's browser was told of this table, perhaps twice."""
        if self._there is None:
            return []
        place = self._browser.address.rpartition("/")[2]
        return [got for got in list(self._there.got) if got.path == f"/{place}"]

    def _is_pushed(self) -> bool:
        """Whether A was told since B was last to move; what a killed server had taken up is sent by
        the next."""
        end = time.monotonic() + PATIENCE
        while True:
            if any(
                self._table in self._browser.read(got.body)["link"]
                for got in self._pushes()[self._pushed :]
            ):
                return True
            if time.monotonic() > end:
                return False
            time.sleep(0.02)

    @property
    def number(self) -> int:
        """How many moves were answered."""
        return sum(self.answered.values())

    def faults(self, end: float) -> list[str]:
        """By that time all must be told."""
        found = list(self._refused)
        for table, answered in self.answered.items():
            log = self._people["A"].ask("GET", f"/api/tables/{table}/log")
            there = len(log.json()["entries"]) if log.is_success else -1  # not even begun
            if there != answered:
                found.append(f"{answered} moves were answered, {there} are in the log")
            elif self._there is not None:  # the beginning, and each move
                told = self._told(self._there, table, answered + 1, end)
                if told != answered + 1:
                    found.append(f"{answered} moves were answered, {told} things were told")
        return found

    def _told(self, there: Endpoint, table: str, least: int, end: float) -> int:
        """How many things the hook was told, as soon as there are so many: what a killed server had
        taken up is sent by the next."""
        while True:
            mine = [got for got in list(there.got) if got.path == f"/{table}"]
            names = {got.headers["webhook-id"] for got in mine}
            if len(names) >= least or time.monotonic() > end:
                return len(names)
            time.sleep(0.05)

    def close(self) -> None:
        for client in self._people.values():
            client.http.close()


class SealedTable:
    """Three people with sealed orders who save them, say READY, and take it back, whatever happens.
    A ledger has what they were answered: it is in the log once, it stands, and a turn is carried
    out when all are ready and not before."""

    MOST_SAVES = 40
    """By one seat in a turn: there is a limit."""

    def __init__(self, address: str, seed: int, patience: float = 0) -> None:
        self._people = {code: Patient(address) for code in "SPT"}
        self._rng = random.Random(seed)
        self._patience = patience
        self._names = count(1)
        self._asked: tuple[str, str, str, dict[str, Any] | None] | None = None
        self._is_again = False
        self._found: list[str] = []
        self._number = 0
        for name, client in self._people.items():
            client.ok("POST", "/api/session", {"name": name})
        time.sleep(patience)
        self._begin()

    def _begin(self) -> None:
        wish = {"game": "cube-farm", "public": True, "clock": {"kind": "days", "days": 3}}
        table = self._people["S"].ok("POST", "/api/tables", wish)["id"]
        at = f"/api/tables/{table}"
        time.sleep(self._patience)
        for code in "PT":
            self._people[code].ok("POST", f"{at}/join", {"seat": code})
        self._at = at
        self._turn = 1
        self._saves = dict.fromkeys("SPT", 0)
        self._new_turn()

    def _new_turn(self) -> None:
        self._states = dict.fromkeys("SPT", "missing")
        self._left = dict.fromkeys("SPT", self.MOST_SAVES)

    @property
    def number(self) -> int:
        """How many requests were answered."""
        return self._number

    def play_until(self, stop: threading.Event) -> None:
        while not stop.is_set() or self._asked is not None:
            try:
                self._step()
            except httpx2.TransportError:
                time.sleep(0.005)
            except AssertionError as error:
                self._found.append(str(error))
                return

    def _step(self) -> None:
        if self._asked is None:
            if not self._is_going_on():
                self._begin()
                return
            self._asked, self._is_again = self._wish(), False
        code, method, path, body = self._asked
        is_again, self._is_again = self._is_again, True
        answer = self._people[code].ask(method, self._at + path, body)
        self._asked = None
        self._number += 1
        # Whoever made all ready and heard nothing is told that the next turn has begun.
        is_over = is_again and path == "/ready" and "nothing-ready" in answer.text
        assert answer.is_success or is_over, answer.text
        if path == "/moves":
            self._saves[code] += 1
            self._left[code] -= 1
        self._states[code] = "ready" if (method, path) == ("POST", "/ready") else "saved"
        if set(self._states.values()) == {"ready"}:
            self._turn += 1
            self._new_turn()
        assert not is_over or self._states[code] == "missing", "ready for nothing"

    def _is_going_on(self) -> bool:
        """Compare what stands with the ledger."""
        client = self._people[code := self._rng.choice("SPT")]
        sight = client.ok("GET", self._at)
        if sight["outcome"] is not None:
            return False
        there = sight["duty"]["turn"]["number"]
        assert there == self._turn, f"turn {there} of {self._turn}"
        (state,) = [seat["orders"] for seat in sight["seats"] if seat["is_you"]]
        assert state == self._states[code], f"{state}, but {self._states[code]} was answered"
        entries = client.ok("GET", f"{self._at}/log")["entries"]
        number = sum(f". {code} " in entry["text"] for entry in entries)
        saved = self._saves[code]
        assert number == saved, f"{saved} moves were answered, {number} are in the log"
        return True

    def _wish(self) -> tuple[str, str, str, dict[str, Any] | None]:
        code = self._rng.choice("SPT")
        is_missing = self._states[code] == "missing"
        if is_missing or (self._left[code] and self._rng.random() < 0.2):
            client = self._people[code]
            version = client.ok("GET", self._at)["version"]
            move = client.some_move(self._at.rpartition("/")[2], self._rng)
            name = str(next(self._names))
            body = {"move": move, "version": version, "submission": name, "ready": False}
            return code, "POST", "/moves", body
        return code, "POST" if self._rng.random() < 0.7 else "DELETE", "/ready", None

    def faults(self, _end: float) -> list[str]:
        try:
            self._found or self._is_going_on()
        except AssertionError as error:
            self._found.append(str(error))
        return self._found

    def close(self) -> None:
        for client in self._people.values():
            client.http.close()


def faults_after(
    server: Server, kills: int, seed: int, patience: float = 0
) -> tuple[int, list[str]]:
    """How many moves were answered in all, and what is wrong. Patience lets the people come in even
    where answers are sent before the commit."""
    with endpoint() as there:
        return _faults_after(server, kills, seed, patience, there)


def _faults_after(
    server: Server, kills: int, seed: int, patience: float, there: Endpoint
) -> tuple[int, list[str]]:
    chance = random.Random(seed)
    server.start()
    server.wait()
    tables: list[Table | SealedTable] = [
        SealedTable(server.address, seed, patience),
        *(Table(server.address, seed + number, patience, there) for number in range(TABLES)),
    ]
    found: list[str] = []
    try:
        with played(tables, found):
            for _ in range(kills):
                time.sleep(chance.uniform(0.02, 0.25))
                server.kill()
                server.start()
                if chance.random() < 0.8:  # the others are killed while they start
                    server.wait()
                    _wait_for_more(tables)
            server.wait()
    finally:
        server.kill()
    return _moves(tables), found


@contextmanager
def played(tables: Sequence[Table | SealedTable], found: list[str]) -> Iterator[None]:
    """They play until the block ends; then it is found what is wrong."""
    stop = threading.Event()
    playing = [threading.Thread(target=table.play_until, args=(stop,)) for table in tables]
    for thread in playing:
        thread.start()
    try:
        yield
        stop.set()
        for thread in playing:
            thread.join(60)
        end = time.monotonic() + PATIENCE
        found += [fault for table in tables for fault in table.faults(end)]
    finally:
        stop.set()
        for table in tables:
            table.close()


def _moves(tables: list[Table | SealedTable]) -> int:
    return sum(table.number for table in tables)


def _wait_for_more(tables: list[Table | SealedTable]) -> None:
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
    found = caught(tmp_path, "early", 4, patience=0.5)
    assert any("moves were answered" in fault for fault in found)


def test_what_is_struck_off_before_it_is_sent_is_missed(tmp_path: Path) -> None:
    found = caught(tmp_path, "untold", 10)
    assert found
    assert all("things were told" in fault or "no push" in fault for fault in found)


def test_a_draft_that_is_not_kept_is_missed(tmp_path: Path) -> None:
    found = caught(tmp_path, "undrafted", 3)
    assert any("was drafted" in fault for fault in found)


def caught(folder: Path, fault: str, kills: int, **more: float) -> list[str]:
    """What a planted fault was caught by. A kill must fall into the midst of something, so it is
    tried until one does."""
    found: list[str] = []
    for seed in range(2, 14):
        (one := folder / str(seed)).mkdir()
        with forked(one, "", fault) as server:
            _, found = faults_after(server, kills, seed=seed, **more)
        if found:
            break
    return found
