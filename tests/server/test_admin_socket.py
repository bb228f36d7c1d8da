"""Work handed to a running server by its socket: who may, and what comes back."""

from __future__ import annotations

import json
import socket
import stat
from pathlib import Path
from typing import Any

import pytest

from openplan.server.clock import DAY
from openplan.server.ops import admin_socket
from openplan.server.ops.admin_socket import NAME, NoServer, Refused, ask
from openplan.server.store import Tx
from tests.server.databases import Postgres
from tests.server.running import VirtualClock, running
from tests.server.test_overdue import BY_DAYS, Table


def test_a_server_does_what_it_is_asked(tmp_path: Path) -> None:
    with pytest.raises(NoServer):
        ask(tmp_path, "replay-all")
    with running(tmp_path) as server:
        mode = (tmp_path / NAME).stat().st_mode
        assert stat.S_ISSOCK(mode)
        assert stat.S_IMODE(mode) == 0o600
        table = Table(server, VirtualClock(), "human-resources")
        assert ask(tmp_path, "replay-all") == {"matches": 1, "differing": {}}
        file = tmp_path / "copy.backup"
        assert ask(tmp_path, "backup", file=str(file))["bytes"] == file.stat().st_size
        with pytest.raises(Refused, match="there already"):
            ask(tmp_path, "backup", file=str(file))
        with pytest.raises(Refused) as refused:
            ask(tmp_path, "release", table=table.id)
        assert refused.value.code == "not-held"
        for bad in ("nonsense", "", "release"):
            with pytest.raises(Refused):
                ask(tmp_path, bad)
        assert server.client().ok("GET", "/ready") == {"status": "ok"}
    assert not (tmp_path / NAME).exists()
    with pytest.raises(NoServer):
        ask(tmp_path, "replay-all")


def test_a_socket_of_a_killed_server_is_taken_over(tmp_path: Path) -> None:
    dead = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    dead.bind(str(tmp_path / NAME))
    dead.close()
    with pytest.raises(NoServer):
        ask(tmp_path, "replay-all")
    with running(tmp_path):
        assert ask(tmp_path, "replay-all")["matches"] == 0


def test_a_folder_may_lie_deep(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 90) / ("e" * 90)
    deep.mkdir(parents=True)
    with running(deep):
        assert ask(deep, "replay-all")["matches"] == 0


@pytest.mark.parametrize("line", [b"", b"{\n", b"[]\n", b'"x"\n', b"\xff\n", b"[" * 9000 + b"\n"])
def test_what_cannot_be_read_is_refused(tmp_path: Path, line: bytes) -> None:
    with running(tmp_path), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.connect(str(tmp_path / NAME))
        asking.sendall(line)
        asking.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: asking.recv(65536), b""))
        assert "code" in json.loads(answer)["refused"]


def test_others_are_not_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running(tmp_path):
        monkeypatch.setattr(admin_socket, "_is_own", lambda _: False)
        with pytest.raises(Refused):
            ask(tmp_path, "replay-all")


@pytest.mark.xdist_group("postgresql")
def test_on_postgresql_there_is_no_socket(tmp_path: Path, postgres: Postgres) -> None:
    with running(tmp_path, database=postgres.new_url()):
        assert not (tmp_path / NAME).exists()


def test_a_frozen_match_is_released_if_it_replays(tmp_path: Path) -> None:
    clock = VirtualClock()
    with running(tmp_path, now=clock) as server:
        table = Table(server, clock, "human-resources", clock=BY_DAYS)
        (code,) = table.see()["to_act"]
        table.send(code)
        due = table.see()["duty"]["turn"]["due_at"]

        def change(sql: str) -> Any:
            def work(tx: Tx) -> None:
                tx.execute(sql, table.id)

            return server.run(server.site.store.transact(work))

        right = table.rows(str, "SELECT text FROM entries WHERE table_id = ?")[0]
        change("UPDATE entries SET text = 'nonsense' WHERE table_id = ?")
        assert list(ask(tmp_path, "replay-all")["differing"]) == [table.id]
        assert ask(tmp_path, "replay-all")["matches"] == 1
        clock.go_on(10 * 86_400)
        server.run(server.site.look_at_clocks())
        with pytest.raises(Refused) as refused:
            ask(tmp_path, "release", table=table.id)
        assert refused.value.code == "differs"
        change(f"UPDATE entries SET text = '{right}' WHERE table_id = ?")
        ask(tmp_path, "release", table=table.id)
        seen = table.see()
        assert seen["state"] == "playing"
        assert seen["duty"]["turn"]["due_at"] == due + 10 * DAY
        acts = [line["act"] for line in table.people["A"].ok("GET", f"{table.at}/audit")["lines"]]
        assert acts == ["hold", "release"]
        table.send(*seen["to_act"])
