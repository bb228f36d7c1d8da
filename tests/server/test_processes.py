"""The command as a process of its own: how soon it is back, and several on one PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

from benchmarks.server import SERVE, processor_seconds, serving
from tests.server.databases import Postgres
from tests.server.running import Client, frame

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
    loads = "import sys, openplan.cli.serve, openplan.server.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True).stdout
    assert "openplan.server.site" in loaded.split()
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
