"""Retries, tabs and broken commits: a move is there once or not at all, and nobody hears of it
before it is kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import apsw
import psycopg
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from openplan.mail.inbound.mailbox import Received
from openplan.mail.inbound.reading import Mail, read
from openplan.server.http.live_views import QUEUE, LiveSocket
from openplan.server.http.routes.live import MAX_FROM_CLIENT
from openplan.server.mailing import inbox
from openplan.server.store import StoreUnavailable, sqlite
from tests.server.running import Client, Running, frame, running


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


class Game:
    """Two people at a public table."""

    def __init__(self, server: Running, **wish: Any) -> None:
        self.people = {"A": server.client("Ann"), "B": server.client("Bob")}
        wish = {"game": "human-resources", "public": True, **wish}
        self.table = self.people["A"].ok("POST", "/api/tables", wish)["id"]
        self.at = f"/api/tables/{self.table}"
        self.people["B"].ok("POST", f"{self.at}/join", {})
        self.rng = Random(3)

    def turn(self) -> tuple[Client, dict[str, Any]]:
        """Whose turn it is, and a move that could be made."""
        (code,) = self.people["A"].ok("GET", self.at)["to_act"]
        mover = self.people[code]
        version = mover.ok("GET", self.at)["version"]
        move = mover.some_move(self.table, self.rng)
        return mover, {"move": move, "version": version, "submission": f"s{version}"}

    def entries(self) -> int:
        return len(self.people["A"].ok("GET", f"{self.at}/log")["entries"])


def test_the_same_submission_twice_is_played_once(server: Running) -> None:
    game = Game(server)
    mover, body = game.turn()
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(lambda _: mover.ask("POST", f"{game.at}/moves", body), range(16))
        )
    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.text for answer in answers}) == 1
    assert game.entries() == 1
    other = {**body, "move": "nonsense"}
    assert mover.refused("POST", f"{game.at}/moves", other) == (409, "submission")


def test_two_tabs_one_wins(server: Running) -> None:
    game = Game(server)
    for turn in range(1, 6):
        mover, body = game.turn()
        start = threading.Barrier(4)

        def send(
            tab: int,
            mover: Client = mover,
            body: dict[str, Any] = body,
            start: threading.Barrier = start,
        ) -> int:
            start.wait(10)
            asked = {**body, "submission": f"{body['submission']}-{tab}"}
            return mover.ask("POST", f"{game.at}/moves", asked).status_code

        with ThreadPoolExecutor(4) as threads:
            assert sorted(threads.map(send, range(4))) == [200, 409, 409, 409]
        assert game.entries() == turn


def test_an_old_view_is_stale_and_another_turn_is_not_yours(server: Running) -> None:
    game = Game(server)
    mover, body = game.turn()
    mover.ok("POST", f"{game.at}/moves", body)
    late = {**body, "submission": "late"}
    assert mover.refused("POST", f"{game.at}/moves", late) == (409, "stale")
    (code,) = mover.ok("GET", game.at)["to_act"]
    waiting = next(client for name, client in game.people.items() if name != code)
    now = {**body, "version": waiting.ok("GET", game.at)["version"], "submission": "early"}
    assert waiting.refused("POST", f"{game.at}/moves", now) == (409, "not-your-turn")
    unreadable = {**body, "move": "do something", "submission": "u"}
    assert mover.refused("POST", f"{game.at}/moves", unreadable)[0] == 422


def test_nothing_is_sent_before_the_commit(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit fails: the mover hears 503, nobody hears anything else, and nothing is there."""
    game = Game(server)
    mover, body = game.turn()
    other = next(client for client in game.people.values() if client is not mover)
    real = sqlite._storage

    def no_commit(connection: apsw.Connection, sql: str) -> None:
        if sql == "COMMIT":
            raise StoreUnavailable("no space left on the device")
        real(connection, sql)

    def no_commit_there(_: psycopg.Connection[Any]) -> None:
        raise psycopg.OperationalError("no space left on the device")

    with other.live(game.table) as watching, mover.live(game.table) as own:
        first, _ = frame(watching), frame(own)
        with monkeypatch.context() as patch:
            patch.setattr(sqlite, "_storage", no_commit)
            patch.setattr(psycopg.Connection, "commit", no_commit_there)
            answer = mover.ask("POST", f"{game.at}/moves", body)
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
            for live in (watching, own):
                with pytest.raises(TimeoutError):
                    live.recv(0.5)
            assert other.ok("GET", game.at) == first["table"]
        assert game.entries() == 0
        mover.ok("POST", f"{game.at}/moves", body)
        assert len(frame(watching)["told"]) == len(frame(own)["told"]) == 1
    assert game.entries() == 1


def test_a_socket_that_comes_back_gets_what_it_missed(server: Running) -> None:
    game = Game(server)
    for _ in range(3):
        mover, body = game.turn()
        mover.ok("POST", f"{game.at}/moves", body)
    with game.people["A"].live(game.table, "?version=1") as live:
        assert [told["number"] for told in frame(live)["told"]] == [2, 3]
    with game.people["A"].live(game.table, "?version=3") as live:
        assert frame(live)["told"] == []


def test_a_socket_answers_whoever_asks_and_ends_a_flood(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    with ann.live(table) as live:
        for _ in range(5):
            live.send("ping")
            assert frame(live, "pong") == {"type": "pong"}

        def flood() -> None:
            for _ in range(10 * MAX_FROM_CLIENT):
                live.send("ping")
                frame(live, "pong")

        with pytest.raises(ConnectionClosed):
            flood()


def test_a_socket_from_another_site_is_refused(server: Running) -> None:
    game = Game(server)
    for origin in ("https://evil.example", "null", f"http://{server.address}.evil.example"):
        with pytest.raises(InvalidStatus, match="403"):
            game.people["A"].live(game.table, headers={"Origin": origin})
    with game.people["A"].live(game.table, headers={"Origin": f"http://{server.address}"}) as live:
        assert frame(live)["table"]["you"] == "A"
    with pytest.raises(InvalidStatus, match="403"):
        server.client("Cleo").live("missing-table")


def test_requests_from_another_site_change_nothing(server: Running) -> None:
    game = Game(server)
    mover, body = game.turn()
    for headers in (
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ):
        answer = mover.ask("POST", f"{game.at}/moves", body, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "origin")
    form = mover.http.post(
        f"{game.at}/resign", content="a=b", headers={"Content-Type": "text/plain"}
    )
    assert form.status_code == 415
    assert game.entries() == 0


def test_a_slow_reader_is_dropped_and_the_others_are_not(server: Running) -> None:
    game = Game(server)
    hub = server.site.hub
    slow = LiveSocket(game.table, None, "", 0)

    async def join() -> None:
        assert hub.join(slow)

    server.run(join())
    with game.people["A"].live(game.table) as live:
        frame(live)
        for number in range(QUEUE + 5):
            game.people["A"].ok("POST", f"{game.at}/chat", {"text": f"line {number}"})
            frame(live, "chat")
    frames = [slow.frames.get_nowait() for _ in range(slow.frames.qsize())]
    assert len(frames) <= QUEUE + 2
    assert frames[-1] is None
    assert b"too slow" in (frames[-2] or b"")


def test_a_mail_that_takes_long_to_read_keeps_no_move_waiting(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, is_played = threading.Event(), threading.Event()

    def slowly(raw: bytes, *more: Any) -> Mail:
        begun.set()
        assert is_played.wait(10), "the move waits for the mail"
        return read(raw, *more)

    monkeypatch.setattr(inbox, "read", slowly)
    game = Game(server)
    mover, move = game.turn()
    with ThreadPoolExecutor(1) as pool:
        judged = pool.submit(server.run, server.site.inbox.judge(Received(b"From: x@y\r\n\r\n")))
        assert begun.wait(10)
        mover.ok("POST", f"{game.at}/moves", move)
        is_played.set()
        assert judged.result(10).silence == "stranger"
