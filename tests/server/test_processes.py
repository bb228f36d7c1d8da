"""The command as a process of its own: how soon it is back, and several on one PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from benchmarks.server import SERVE, processor_seconds, serving
from openplan.server.clock import DAY
from openplan.server.store import open_store
from openplan.server.tables.turns import SLACK
from tests.ports import own_port
from tests.server.databases import Postgres
from tests.server.running import Client, frame, is_ready

ROOT = Path(__file__).resolve().parent.parent.parent
# Known to take long to load. A start that has nothing to migrate needs none of them.
SLOW = ("alembic", "sqlalchemy", "openskill", "psycopg", "aiosmtplib", "aiosmtpd", "imap_tools")


def ready(address: str) -> Client:
    client = Client(address)
    assert client.ok("GET", "/ready") == {"status": "ok"}
    return client


def test_a_killed_server_is_back_in_two_seconds(tmp_path: Path) -> None:
    """In processor time: beside other tests the clock on the wall says more about those."""
    arguments = ("-c", SERVE, "serve", "--port", "PORT", "--data", str(tmp_path))
    with serving(*arguments) as (port, process):
        ready(f"127.0.0.1:{port}").http.close()
        os.kill(process, signal.SIGKILL)
    with serving(*arguments) as (port, process):
        ready(f"127.0.0.1:{port}").http.close()
        assert processor_seconds(process) < 2


def test_a_start_loads_nothing_that_serving_does_not_need() -> None:
    loads = "import sys, openplan.cli.serve, openplan.server.ops.serve; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True).stdout
    assert "openplan.server.ops.running_site" in loaded.split()
    assert [name for name in SLOW if name in loaded.split()] == []


@pytest.mark.xdist_group("postgresql")
def test_a_socket_at_one_process_sees_what_is_played_at_another(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.new_url()
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
        (folder / "openplan.toml").write_text(f'database = "{url}"\nlimits = false\n')

    def arguments(folder: Path) -> list[str]:
        config = str(folder / "openplan.toml")
        return ["-c", SERVE, "serve", "--port", "PORT", "--data", str(folder), "--config", config]

    with serving(*arguments(folders[0])) as (first, _):
        ann = ready(f"127.0.0.1:{first}")
        shutil.copy(folders[0] / "secret", folders[1] / "secret")
        with serving(*arguments(folders[1])) as (second, _):
            ann.ok("POST", "/api/session", {"name": "Ann"})
            bob = ready(f"127.0.0.1:{second}")
            bob.ok("POST", "/api/session", {"name": "Bob"})
            table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
            at = f"/api/tables/{table}"
            bob.ok("POST", f"{at}/join", {})
            elsewhere = Client(f"127.0.0.1:{second}")
            elsewhere.http.cookies.update(dict(ann.http.cookies))
            people, rng = {"A": ann, "B": bob}, Random(3)
            with elsewhere.live(table) as ann_live, bob.live(table) as bob_live:
                for live in (ann_live, bob_live):
                    assert frame(live)["table"]["state"] == "playing"
                for turn in range(1, 7):
                    (code,) = ann.ok("GET", at)["to_act"]
                    mover = people[code]
                    mover.play(table, mover.some_move(table, rng), turn - 1, f"s{turn}")
                    for live in (ann_live, bob_live):
                        assert frame(live)["table"]["version"] == turn
            # Two tabs at two processes: one wins.
            (code,) = ann.ok("GET", at)["to_act"]
            tabs = [Client(f"127.0.0.1:{port}") for port in (first, second)]
            move = people[code].some_move(table, rng)
            for tab in tabs:
                tab.http.cookies.update(dict(people[code].http.cookies))

            def send(number: int) -> int:
                body = {"move": move, "version": 6, "submission": f"tab{number}"}
                return int(tabs[number].ask("POST", f"{at}/moves", body).status_code)

            with ThreadPoolExecutor(2) as threads:
                assert sorted(threads.map(send, range(2))) == [200, 409]
            for client in (ann, bob, elsewhere, *tabs):
                client.http.close()


class Process:
    """One of several servers, each with its own folder and port; see calendar.py."""

    def __init__(self, folder: Path, clock: Path, url: str) -> None:
        self.data = folder / "data"
        self.data.mkdir(parents=True)
        self._port = own_port()
        self._settings = folder / "settings.json"
        wish = {"data": str(self.data), "clock": str(clock), "port": self._port, "database": url}
        self._settings.write_text(json.dumps(wish))

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.server.calendar", str(self._settings)], cwd=ROOT
        )
        until(self._is_ready)

    def _is_ready(self) -> bool:
        assert self._process.poll() is None, "it has gone"
        return is_ready(self._port)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(20)

    def client(self, like: Client | None = None) -> Client:
        """Somebody who reaches this one, perhaps with the cookie of somebody elsewhere."""
        client = Client(f"127.0.0.1:{self._port}")
        if like is not None:
            client.http.cookies.update(dict(like.http.cookies))
        return client


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.xdist_group("postgresql")
def test_seats_at_two_processes_of_which_one_is_killed(tmp_path: Path, postgres: Postgres) -> None:
    """What was answered is there, the other process enters the deadline, once, and whoever sat at
    the killed one goes on at the other."""
    url, clock, rng = postgres.new_url(), tmp_path / "clock", Random(6)

    def set_time(at: int) -> None:
        clock.with_suffix(".part").write_text(str(at))
        clock.with_suffix(".part").rename(clock)  # never read half written

    def kinds() -> list[str]:
        async def go() -> list[str]:
            store = open_store(url)
            log = "SELECT kind FROM entries ORDER BY ply"
            found = await store.read(lambda tx: tx.rows(str, log))
            await store.close()
            return found

        return asyncio.run(go())

    def send(client: Client, name: str) -> None:
        client.play(table, client.some_move(table, rng), client.ok("GET", at)["version"], name)

    set_time(start := 1_700_000_000_000_000)
    one, two = Process(tmp_path / "one", clock, url), Process(tmp_path / "two", clock, url)
    one.start()
    shutil.copy(one.data / "secret", two.data / "secret")
    two.start()
    try:
        people = {"S": one.client(), "P": two.client(), "T": two.client()}
        for code, client in people.items():
            client.ok("POST", "/api/session", {"name": code})
        wish = {"game": "cube-farm", "public": True, "clock": {"kind": "days", "days": 2}}
        table = people["S"].ok("POST", "/api/tables", wish)["id"]
        at = f"/api/tables/{table}"
        for code in "PT":
            people[code].ok("POST", f"{at}/join", {"seat": code})
        for code, client in people.items():
            send(client, f"1{code}")
        assert kinds() == ["move", "move", "move", "adjudicate"]
        with people["P"].live(table) as watching:
            frame(watching)
            send(people["S"], "2S")
            one.kill()
            assert kinds()[4:] == ["move"]
            set_time(start + 2 * DAY + SLACK)
            # A sealed order is told to nobody; the turn is.
            until(lambda: kinds()[4:] == ["move", "deadline"])
            assert frame(watching)["table"]["duty"]["turn"]["number"] == 3
        moved = two.client(people["S"])
        assert moved.ok("GET", at)["duty"]["turn"]["number"] == 3
        send(moved, "3S")
        one.start()
        send(people["T"], "3T")
        set_time(start + 4 * DAY + 2 * SLACK)
        until(lambda: kinds().count("deadline") == 2)
        time.sleep(1)  # both look at their clocks several times
        assert kinds()[6:] == ["move", "move", "deadline"]
        views = [client.ok("GET", at) for client in (people["S"], moved)]
        assert views[0] == views[1]
        assert views[0]["duty"]["turn"]["number"] == 4
        for client in (*people.values(), moved):
            client.http.close()
    finally:
        one.kill()
        two.kill()
