"""A game with sealed orders at the server: nobody else sees or finds out that one is there."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection

from openplan.core import registry
from tests import tender
from tests.server.running import Client, Running, VirtualClock, frame, running


@pytest.fixture
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture
def server(
    tmp_path: Path, store_url: str, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Running]:
    monkeypatch.setattr(registry, "all_games", lambda: {tender.GAME.name: tender.GAME})
    with running(tmp_path, database=store_url, now=clock) as site:
        yield site


def everything(client: Client, at: str) -> list[str]:
    paths = ("", "/log", "/record", "/verify", "/chat", "/at/0")
    return [client.ask("GET", f"{at}{path}").text for path in paths]


def bid(client: Client, table: str, submission: str) -> str:
    seen = client.ok("GET", f"/api/tables/{table}")
    move = f"bid {seen['view']['hand'][0]}"
    client.play(table, move, seen["version"], submission)
    return move


def test_a_look_after_anothers_order_has_nothing_to_catch_up_with(server: Running) -> None:
    """Else it would take longer, and tell of the order."""
    ann, bob, cleo, watcher = (server.client(name) for name in ("Ann", "Bob", "Cleo", "Dan"))
    wish = {"game": "tender", "deck_text": tender.FILE.read_text("utf-8"), "public": True}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    cleo.ok("POST", f"{at}/join", {})
    watcher.ok("GET", at)
    bid(ann, table, "a1")
    end = time.monotonic() + 10
    kept = server.site.readers._matches
    while table not in kept or kept[table].match.ply < 1:
        assert time.monotonic() < end, "nobody has brought it up to date"
        time.sleep(0.01)


def test_an_export_counts_no_orders_of_others(server: Running) -> None:
    """With an order of another before it or without, what one took back is told by one's own
    numbers."""
    moves = []
    for is_first in (True, False):
        people = [server.client(name) for name in ("Ann", "Bob", "Cleo")]
        ann, bob, cleo = people
        wish = {"game": "tender", "deck_text": tender.FILE.read_text("utf-8"), "public": True}
        table = ann.ok("POST", "/api/tables", wish)["id"]
        at = f"/api/tables/{table}"
        bob.ok("POST", f"{at}/join", {})
        cleo.ok("POST", f"{at}/join", {})
        if is_first:
            bid(bob, table, "b1")
        hand = ann.ok("GET", at)["view"]["hand"]
        bid(ann, table, "a1")
        ann.ok("POST", f"{at}/take-back", {"number": 1})
        told = json.dumps(ann.ok("GET", "/api/me/export")["moves"])
        told = re.sub(r'"at": \d+', "", told.replace(table, "table"))
        moves.append(told.replace(hand[0], "card"))
    assert moves[0] == moves[1]
    assert '"take-back"' in moves[0]


def test_a_sealed_order_reaches_nobody_else(server: Running, clock: VirtualClock) -> None:
    people = [server.client(name) for name in ("Ann", "Bob", "Cleo")]
    ann, bob, cleo = people
    watcher = server.client("Dan")
    wish = {
        "game": "tender",
        "deck_text": tender.FILE.read_text("utf-8"),
        "public": True,
        "clock": {"kind": "days", "days": 2},
    }
    table = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    cleo.ok("POST", f"{at}/join", {})
    others = (bob, cleo, watcher)
    with ExitStack() as stack:
        sockets: list[ClientConnection] = [
            stack.enter_context(client.live(table)) for client in (ann, *others)
        ]
        for live in sockets:
            frame(live)
        before = [everything(client, at) for client in others]
        clock.go_on(3600)
        bid(ann, table, "a1")
        assert frame(sockets[0])["table"]["version"] == 1
        ann.ok("POST", f"{at}/take-back", {"number": 1})
        assert frame(sockets[0])["table"]["version"] == 2
        sealed = bid(ann, table, "a2")
        frame(sockets[0])
        for live in sockets[1:]:
            with pytest.raises(TimeoutError):
                live.recv(0.3)
        assert [everything(client, at) for client in others] == before
        # Three seats may send at once: Bob's view is the old one, and it is not stale.
        bid(bob, table, "b1")
        frame(sockets[1])
        bid(cleo, table, "c1")
        frames = [frame(live) for live in sockets]
        assert [message["table"]["view"]["left"] for message in frames] == [2, 2, 2, 2]
        assert all(sealed.split()[1] in str(message["told"]) for message in frames)
