"""The chance a table is dealt from: what the server seals, what each page adds, what is opened."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import pytest

from openplan.core.deal import Chance, salted, seal
from openplan.core.record import read_record
from openplan.core.registry import game_named
from openplan.decks import find_deck
from openplan.server.store import Tx
from tests.server.running import Client, Running, running

TWO = {"game": "human-resources", "public": True}
AGAINST_A_BOT = {**TWO, "seats": [{"kind": "me"}, {"kind": "bot", "bot": "random"}]}
ANN, BOB = "a1" * 32, "b2" * 32


@pytest.fixture(scope="module")
def server(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url) as site:
        yield site


def sealed(client: Client) -> Any:
    return client.ok("POST", "/api/chance")


def opened(client: Client, table: str) -> Any:
    return client.ok("GET", f"/api/tables/{table}/verify")


def resigned(client: Client, table: str) -> Any:
    client.ok("POST", f"/api/tables/{table}/resign")
    return opened(client, table)


def test_a_deal_is_drawn_from_the_sealed_chance_and_what_both_pages_added(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    promise = sealed(ann)
    wish = {**TWO, "chance": {"seal": promise["seal"], "bytes": ANN}}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    seen = bob.ok("GET", f"/api/tables/{table}")
    # Bob's page knows the seal before it sends its bytes, and it is the one Ann's page was given.
    assert (seen["state"], seen["commitment"]) == ("waiting", promise["commitment"])
    seen = bob.ok("POST", f"/api/tables/{table}/join", {"chance": {"bytes": BOB}})
    assert (seen["state"], seen["commitment"]) == ("playing", promise["commitment"])
    hidden = opened(ann, table)
    assert {name for name, value in hidden.items() if value is not None} == {"commitment"}

    proof = resigned(bob, table)
    server_line = proof["chance"][0]
    assert proof["chance"][1:] == [f"chance A: {ANN}", f"chance B: {BOB}"]
    sum_ = hashlib.sha256(f"{server_line}\n".encode()).hexdigest()
    assert sum_ == proof["commitment"] == promise["commitment"]
    match = read_record(proof["record"], game_named, find_deck)
    again = match.game.deal(match.deck, match.house, Chance(proof["chance"]))
    assert {label: list(cards) for label, cards in again.items()} == proof["deal"]
    for draw in proof["draws"]:
        assert draw["pool"] == sorted(draw["pool"])
        assert set(draw["drawn"]) <= set(draw["pool"])
    drawn: dict[str, list[str]] = {}
    for draw in proof["draws"]:
        drawn.setdefault(draw["label"], []).extend(draw["drawn"])
    for label, names in drawn.items():
        assert proof["deal"][label][: len(names)] == names
    assert {"office", "hand A", "hand B", "deck"} <= set(drawn)


def test_a_bot_adds_nothing_and_the_servers_seal_is_older_than_the_pages_bytes(
    server: Running,
) -> None:
    ann = server.client("Ann")
    promise = sealed(ann)
    wish = {**AGAINST_A_BOT, "chance": {"seal": promise["seal"], "bytes": ANN}}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    proof = resigned(ann, table)
    assert proof["commitment"] == promise["commitment"]
    assert proof["chance"][1:] == [f"chance A: {ANN}", "chance B: none"]


def test_who_sends_no_bytes_adds_none(server: Running) -> None:
    ann = server.client("Ann")
    table = ann.ok("POST", "/api/tables", AGAINST_A_BOT)["id"]
    assert resigned(ann, table)["chance"][1:] == ["chance A: none", "chance B: none"]


def test_a_seal_serves_once(server: Running) -> None:
    """Opened at one table, it would be known to whoever plays at another."""
    ann = server.client("Ann")
    wish = {**AGAINST_A_BOT, "chance": {"seal": sealed(ann)["seal"], "bytes": ANN}}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    assert ann.refused("POST", "/api/tables", wish) == (409, "seal-used")
    over = resigned(ann, table)
    assert ann.refused("POST", "/api/tables", wish) == (409, "seal-used")
    again = {"chance": wish["chance"]}
    assert ann.refused("POST", f"/api/tables/{table}/rematch", again) == (409, "seal-used")
    assert opened(ann, table) == over


def test_bytes_and_seals_that_are_none_are_refused(server: Running) -> None:
    ann = server.client("Ann")
    for bad in (
        {},
        {"bytes": ""},
        {"bytes": "A1" * 32},
        {"bytes": ANN + "\n"},
        {"bytes": ANN[:-1]},
        {"bytes": 5},
        {"bytes": ANN, "seal": "x" * 65},
        {"bytes": ANN, "seal": "no spaces"},
        {"bytes": ANN, "more": 1},
    ):
        assert ann.refused("POST", "/api/tables", {**TWO, "chance": bad})[0] == 422


def test_whoever_leaves_takes_their_chance_along(server: Running) -> None:
    ann, bob, cleo = (server.client(name) for name in ("Ann", "Bob", "Cleo"))
    table = ann.ok("POST", "/api/tables", TWO)["id"]
    bob_sits = {"chance": {"bytes": BOB}}
    held = {**TWO, "starts_when_full": False}
    waiting = ann.ok("POST", "/api/tables", held)["id"]
    bob.ok("POST", f"/api/tables/{waiting}/join", bob_sits)
    bob.ok("POST", f"/api/tables/{waiting}/leave")
    cleo.ok("POST", f"/api/tables/{waiting}/join", {})
    ann.ok("POST", f"/api/tables/{waiting}/start")
    assert resigned(cleo, waiting)["chance"][2] == "chance B: none"
    bob.ok("POST", f"/api/tables/{table}/join", bob_sits)
    assert resigned(ann, table)["chance"][2] == f"chance B: {BOB}"


def test_both_add_to_a_rematch(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", TWO)["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    resigned(ann, table)
    promise = sealed(bob)
    bobs = {"chance": {"seal": promise["seal"], "bytes": BOB}}
    again = bob.ok("POST", f"/api/tables/{table}/rematch", bobs)["id"]
    assert ann.ok("POST", f"/api/tables/{table}/rematch", {"chance": {"bytes": ANN}})["id"] == again
    proof = resigned(ann, again)
    assert proof["commitment"] == promise["commitment"]
    assert proof["chance"][1:] == [f"chance A: {BOB}", f"chance B: {ANN}"]


def test_at_one_screen_the_device_adds_once(server: Running) -> None:
    ann = server.client("Ann")
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
    wish = {**TWO, "public": False, "hot_seat": True, "seats": seats, "chance": {"bytes": ANN}}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    ann.ok("POST", f"/api/tables/{table}/resign?seat=A")
    assert opened(ann, table)["chance"][1:] == [f"chance A: {ANN}", "chance B: none"]


def test_a_table_from_before_seals_begins(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", TWO)["id"]

    def age(tx: Tx) -> None:
        tx.execute("UPDATE tables SET salt = NULL, commitment = NULL WHERE id = ?", table)

    server.run(server.site.store.transact(age))
    bob.ok("POST", f"/api/tables/{table}/join", {"chance": {"bytes": BOB}})
    proof = resigned(ann, table)
    assert seal(proof["chance"][0].removeprefix("chance server: ")) == proof["commitment"]
    assert proof["chance"][1:] == ["chance A: none", f"chance B: {BOB}"]


def test_an_older_match_opens_with_its_salt(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    table = ann.ok("POST", "/api/tables", TWO)["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    make_older(server, table)
    proof = resigned(ann, table)
    assert (proof["chance"], proof["draws"]) == (None, None)
    assert proof["record"].startswith("open-plan record 1\n")
    assert f"salt: {proof['salt']}\n" in proof["record"]


def make_older(server: Running, table: str) -> None:
    """As a match was stored before seats added chance."""

    def work(tx: Tx) -> None:
        select = "SELECT deal, salt FROM tables WHERE id = ?"
        ((cards_dealt, salt),) = tx.rows(tuple[str, str], select, table)
        deal = {label: tuple(cards) for label, cards in json.loads(cards_dealt).items()}
        tx.execute(
            "UPDATE tables SET chance = NULL, commitment = ?, rules_version = 1 WHERE id = ?",
            salted(salt, deal),
            table,
        )

    server.run(server.site.store.transact(work))
