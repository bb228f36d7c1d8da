"""`openplan admin` as an operator types it."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from openplan.server.notify import mailboxes
from openplan.server.people.accounts import new_id
from openplan.server.store import Tx
from openplan.server.store.migrations import HEAD
from tests.cli.command import openplan
from tests.server.databases import opened
from tests.server.people import id_of
from tests.server.running import running
from tests.server.test_backup_and_replay import fill, lose_an_entry
from tests.test_golden import RECORDS

Capture = pytest.CaptureFixture[str]
COUNT = len(RECORDS) + 1


def url_of(folder: Path) -> str:
    return f"sqlite:///{folder / 'openplan.sqlite'}"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()

    async def make() -> None:
        store = await opened(url_of(folder))
        await fill(store)
        await store.close()

    asyncio.run(make())
    return folder


def test_backup_restore_and_look_around(data: Path, tmp_path: Path, capsys: Capture) -> None:
    file, new = str(tmp_path / "a.backup"), tmp_path / "not" / "there yet"
    assert "checked" in openplan(capsys, "admin", "backup", file, "--data", str(data)).out
    done = openplan(capsys, "admin", "restore", file, "--data", str(new))
    assert done == (0, f"{COUNT} matches replayed, 0 differ\n", "")
    for folder in (data, new):
        done = openplan(capsys, "admin", "health", "--data", str(folder))
        assert done.status == 0
        assert f"tables     {len(RECORDS)} over, 1 playing, 1 waiting" in done.out
    assert (
        "guest     1970-01-01 00:00  Zoë"
        in openplan(capsys, "admin", "users", "--data", str(new)).out
    )
    assert openplan(capsys, "admin", "matches", "--data", str(new)).out.count("over-") == COUNT - 1
    done = openplan(capsys, "admin", "restore", file, "--data", str(new))
    assert done.status == 2
    assert "is there already" in done.err


def test_health_tells_of_the_last_mails_that_were_not_answered(data: Path, capsys: Capture) -> None:
    async def leave() -> None:
        store = await opened(url_of(data))
        for number in range(7):
            name = f"<{number}@example.org>" if number < 6 else ""
            await store.transact(partial(mailboxes.ignore, name=name, reason="list", now=number))
        await store.close()

    asyncio.run(leave())
    done = openplan(capsys, "admin", "health", "--data", str(data))
    assert done.status == 0
    told = [line for line in done.out.splitlines() if line.startswith("unanswered")]
    assert told == [
        "unanswered 1970-01-01 00:00 UTC  list  without a Message-ID",
        *(f"unanswered 1970-01-01 00:00 UTC  list  <{n}@example.org>" for n in (5, 4, 3, 2)),
    ]


def test_a_running_server_does_it_itself(data: Path, capsys: Capture) -> None:
    def at(command: str) -> Any:
        return openplan(capsys, "admin", *command.split(), "--data", str(data))

    with running(data) as server:
        server.run(server.site.store.transact(lose_an_entry))
        frozen = (
            1,
            f"over-0: the log has gaps\n{COUNT} matches replayed, 1 differs and is frozen\n",
            "",
        )
        assert at("replay-all") == frozen
        assert at("health").status == 1
        done = at("release over-0")
        assert (done.status, done.out) == (2, "")
        assert "the log has gaps" in done.err
    # With no server it is done here.
    assert at("replay-all").status == 1
    assert "the log has gaps" in at("release over-0").err
    assert at("release over-1").status == 2
    (line,) = at("audit over-0").out.splitlines()
    assert "  over-0  -  hold  " in line
    assert at("audit nothing").out == ""


def test_a_running_server_closes_reports_and_rebuilds_ratings(
    tmp_path: Path, capsys: Capture
) -> None:
    def at(command: str) -> Any:
        return openplan(capsys, "admin", *command.split(), "--data", str(tmp_path))

    def spoil(tx: Tx) -> None:
        tx.execute("INSERT INTO ratings SELECT id, 'cube-farm', 99, 1, 7 FROM users LIMIT 1")

    with running(tmp_path) as server:
        ann, bob = server.client("Ann"), server.client("Bob")
        for number in (1, 2, 3):
            ann.ok("POST", f"/api/people/{id_of(bob)}/report", {"text": f"reason {number}"})
        table = ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})["id"]
        bob.ok("POST", f"/api/tables/{table}/join", {})
        bob.ok("POST", f"/api/tables/{table}/resign")
        server.run(server.site.store.transact(spoil))
        assert at("rebuild-ratings") == (0, "1 matches, 1 ratings changed\n", "")
        assert at("rebuild-ratings").out == "1 matches, 0 ratings changed\n"
        assert "reason 2" not in at("reports --close 2").out
        done = at("reports --close 2")
        assert (done.status, done.out) == (2, "")
        assert done.err == "openplan: there is no open complaint 2\n"
    # With no server it is done here.
    assert "reason 1" in at("reports").out
    assert "reason 1" not in at("reports --close 1").out
    assert at("reports --close 1").err == "openplan: there is no open complaint 1\n"
    assert at("rebuild-ratings").out == "1 matches, 0 ratings changed\n"


def test_a_deck_is_withdrawn(tmp_path: Path, capsys: Capture) -> None:
    def at(deck: str) -> Any:
        return openplan(capsys, "admin", "withdraw-deck", deck, "--data", str(tmp_path))

    with running(tmp_path) as server:
        ann = server.client("Ann")
        wish = {"source": "house", "game": "human-resources"}
        one, other = (ann.ok("POST", "/api/me/decks", wish)["id"] for _ in range(2))
        for deck in (one, other):
            ann.ok("PATCH", f"/api/decks/{deck}", {"shared": "public"})
        assert at(one).out == f"withdrawn: {one}\n"
        assert ann.ok("GET", f"/api/decks/{one}")["about"]["shared"] == "withdrawn"
        assert at("nothing") == (2, "", "openplan: there is no such deck\n")
    assert at(other).out == f"withdrawn: {other}\n"


def test_no_id_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-dash", "-again", "fine"])
    monkeypatch.setattr("secrets.token_urlsafe", lambda _size: next(drawn))
    assert new_id() == "fine"


def test_without_its_socket_a_server_keeps_its_database(data: Path, capsys: Capture) -> None:
    async def go() -> None:
        store = await opened(url_of(data))
        # The command has an event loop of its own, as if typed elsewhere.
        done = await asyncio.to_thread(openplan, capsys, "admin", "replay-all", "--data", str(data))
        assert done.status == 2
        assert "another process has this database open" in done.err
        await store.close()

    asyncio.run(go())


def test_a_database_is_migrated_by_hand(tmp_path: Path, capsys: Capture) -> None:
    done = openplan(capsys, "admin", "migrate", "--data", str(tmp_path))
    assert done == (0, f"revision none before, {HEAD} now\n", "")
    done = openplan(capsys, "admin", "migrate", "--data", str(tmp_path))
    assert done == (0, f"revision {HEAD} before, {HEAD} now\n", "")


@pytest.mark.parametrize("command", ["health", "users", "replay-all", "page", "backup x.backup"])
def test_what_is_not_there_is_said_in_one_line(
    command: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    for folder in (tmp_path, tmp_path / "none", tmp_path / "file"):
        done = openplan(capsys, "admin", *command.split(), "--data", str(folder))
        assert done.status == 2
        assert done.err.count("\n") == 1
    (tmp_path / "openplan.sqlite").touch()
    if command != "backup x.backup":  # of nothing, which is no fault
        done = openplan(capsys, "admin", *command.split(), "--data", str(tmp_path))
        assert done.status == 2
        assert "openplan admin migrate" in done.err


@pytest.mark.parametrize(
    "content", [None, b"", b"no database, and longer than a header of one" * 9]
)
def test_what_is_no_backup_is_not_restored(
    content: bytes | None, tmp_path: Path, capsys: Capture
) -> None:
    file = tmp_path / "a.backup"
    if content is not None:
        file.write_bytes(content)
    done = openplan(capsys, "admin", "restore", str(file), "--data", str(tmp_path / "new"))
    assert done.status == 2
    assert str(file) in done.err
    assert not (tmp_path / "new").exists()
