"""Decks that people make: whose they are, who sees them, what is kept of them, and that no match
changes with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openplan.core.registry import game_named
from openplan.decks import load_deck, shipped_text
from openplan.server.people.names import FORMER
from openplan.server.store import Tx
from openplan.server.tables import workshop
from tests.server.running import Client, Running, VirtualClock, running

GAME = "human-resources"
OFFICE = game_named(GAME)


@pytest.fixture(scope="module")
def clock() -> VirtualClock:
    return VirtualClock()


@pytest.fixture(scope="module")
def server(
    site_url: str, clock: VirtualClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), database=site_url, now=clock) as site:
        yield site


def member(server: Running, login: str) -> Client:
    client = server.client()
    wish = {"login": login, "password": "p" * 9, "name": login.title()}
    client.ok("POST", "/api/session/sign-up", wish)
    return client


def made(client: Client, source: str = "house", **more: Any) -> str:
    wish = {"source": source, "game": GAME, **more}
    return str(client.ok("POST", "/api/me/decks", wish)["id"])


def save(client: Client, deck: str, title: str = "Ours", **card: Any) -> Any:
    """The first card changed, on top of what is there."""
    seen = client.ok("GET", f"/api/decks/{deck}")
    form = seen["form"]
    form["title"] = title
    form["cards"][0] |= card
    return client.ok("PUT", f"/api/decks/{deck}", {"edit": seen["edit"], "form": form})


def listed(client: Client) -> list[str]:
    return [one["id"] for one in client.ok("GET", f"/api/decks?game={GAME}")]


def counted(server: Running, table: str) -> int:
    select = f"SELECT COUNT(*) FROM {table}"
    (number,) = server.run(server.site.store.read(lambda tx: tx.rows(int, select)))
    return number


def test_a_deck_begins_edits_and_is_played_with(server: Running) -> None:
    ann = server.client("Ann")
    deck = made(ann)
    seen = ann.ok("GET", f"/api/decks/{deck}")
    assert (seen["is_own"], seen["edit"], seen["faults"]) == (True, 0, [])
    assert seen["deck"]["hash"] == load_deck(OFFICE).hash
    assert seen["about"]["title"] == workshop.UNTITLED
    faulty = save(ann, deck, pattern=["DDD"])
    assert [(fault["place"], fault["card"]) for fault in faulty["faults"]] == [
        (1, "P01d"),
        (16, "P01l"),
    ]
    assert faulty["faults"][0]["fault"] == "the pattern must use both colours"
    seen = ann.ok("GET", f"/api/decks/{deck}")
    assert (seen["about"]["faults"], seen["deck"]) == (2, None)
    # What is wrong stays wrong at a table, too.
    table = {"game": GAME, "deck_text": seen["text"]}
    assert ann.refused("POST", "/api/tables", table) == (422, "deck")
    good = save(ann, deck, title="Our office", pattern=["DDD", "L.L"])
    assert (good["faults"], good["title"], good["edit"]) == ([], "Our office", 2)
    text = ann.ok("GET", f"/api/decks/{deck}")["text"]
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    begun = {"game": GAME, "deck_text": text, "seats": seats}
    table_id = ann.ok("POST", "/api/tables", begun)["id"]
    before = ann.ok("GET", f"/api/tables/{table_id}/deck")
    assert before["cards"]["P01l"]["drawing"] == ["LLL", "D.D"]
    assert before["title"] == "Our office"
    save(ann, deck, pattern=["DD", "DL"], title="Changed")
    ann.ok("DELETE", f"/api/decks/{deck}")
    assert ann.ok("GET", f"/api/tables/{table_id}/deck") == before
    assert ann.refused("GET", f"/api/decks/{deck}") == (404, "missing")


def test_a_deck_is_its_owners_until_it_is_shared(server: Running) -> None:
    ann, ben, nobody = server.client("Ann"), server.client("Ben"), server.client()
    deck = made(ann)
    at = f"/api/decks/{deck}"
    asks: list[tuple[str, str, Any]] = [
        ("GET", at, None),
        ("PUT", at, {"edit": 0, "text": ""}),
        ("PATCH", at, {"shared": "public"}),
        ("DELETE", at, None),
        ("POST", f"{at}/report", {"text": "rude"}),
        ("POST", f"{at}/versions/1", None),
    ]
    for method, path, body in asks:
        missing = ben.ask(method, path.replace(deck, "m" * len(deck)), body)
        assert ben.ask(method, path, body).text == missing.text
        assert missing.status_code == 404
    assert ben.refused("POST", "/api/me/decks", {"source": "deck", "deck": deck})[0] == 404
    ann.ok("PATCH", at, {"shared": "link"})
    assert nobody.ok("GET", at)["is_own"] is False
    assert ben.ok("GET", at)["versions"] == []
    assert deck not in listed(ben)
    for method, path, body in asks[1:4]:
        assert ben.refused(method, path, body) == (403, "not-owner")
        assert nobody.refused(method, path, body)[0] == 401
    ann.ok("PATCH", at, {"shared": "public"})
    assert deck in listed(nobody)
    assert nobody.ok("GET", "/api/decks?game=cube-farm") == []
    save(ann, deck, title="")
    assert deck not in listed(nobody)
    assert ann.refused("PATCH", at, {"shared": "public"}) == (409, "deck-faulty")
    ann.ok("PATCH", at, {"shared": "private"})
    assert nobody.refused("GET", at) == (404, "missing")


def test_a_copy_keeps_its_makers_name(server: Running) -> None:
    ann, ben, cleo = (member(server, name) for name in ("ann-maker", "ben-copies", "cleo-too"))
    deck = made(ann)
    ann.ok("PATCH", f"/api/decks/{deck}", {"shared": "link"})
    second = made(ben, "deck", deck=deck)
    ben.ok("PATCH", f"/api/decks/{second}", {"shared": "link"})
    third = made(cleo, "deck", deck=second)
    about = cleo.ok("GET", f"/api/decks/{third}")["about"]
    assert (about["owner_name"], about["maker_name"]) == ("Cleo-Too", "Ann-Maker")
    assert about["shared"] == "private"
    own = made(ann, "deck", deck=deck)
    assert ann.ok("GET", f"/api/decks/{own}")["about"]["maker"] is None
    ann.ok("POST", "/api/me/delete", {"password": "p" * 9})
    assert cleo.ok("GET", f"/api/decks/{third}")["about"]["maker_name"] == FORMER
    assert cleo.refused("GET", f"/api/decks/{deck}") == (404, "missing")


def test_two_windows_do_not_undo_each_others_work(server: Running) -> None:
    ann = server.client("Ann")
    deck = made(ann)
    form = ann.ok("GET", f"/api/decks/{deck}")["form"]
    edit = {"edit": 0, "form": form | {"title": "One"}}
    assert ann.ok("PUT", f"/api/decks/{deck}", edit)["edit"] == 1
    assert ann.refused("PUT", f"/api/decks/{deck}", edit) == (409, "deck-changed")
    again = {"edit": 1, "form": form | {"title": "One"}}
    assert ann.ok("PUT", f"/api/decks/{deck}", again)["edit"] == 1


def test_how_a_deck_was_before_each_pause_is_kept_for_a_while(
    server: Running, clock: VirtualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workshop, "MOST_VERSIONS", 4)
    ann = server.client("Ann")
    deck = made(ann)
    at = f"/api/decks/{deck}"
    for number in range(6):
        clock.go_on(61)
        for letter in "ab":
            save(ann, deck, f"Title {number}{letter}")
            clock.go_on(1)
    versions = ann.ok("GET", at)["versions"]
    assert [one["number"] for one in versions] == [10, 8, 6, 4]
    ann.ok("POST", f"{at}/versions/6")
    seen = ann.ok("GET", at)
    assert seen["about"]["title"] == "Title 2b"
    assert [one["number"] for one in seen["versions"]] == [12, 10, 8, 6]
    ann.ok("POST", f"{at}/versions/12")
    assert ann.ok("GET", at)["about"]["title"] == "Title 5b"
    assert ann.refused("POST", f"{at}/versions/1") == (404, "missing")
    monkeypatch.setattr(workshop, "MOST_BYTES", len(seen["text"]) * 2 + 100)
    clock.go_on(61)
    save(ann, deck, "Title 9")
    assert len(ann.ok("GET", at)["versions"]) == 2


def test_guests_have_room_for_few_and_members_for_many(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.client("Guest")
    for _ in range(workshop.MOST_OF_A_GUEST):
        made(guest)
    wish = {"source": "house", "game": GAME}
    assert guest.refused("POST", "/api/me/decks", wish) == (403, "too-many-decks")
    guest.ok("DELETE", f"/api/decks/{guest.ok('GET', '/api/me/decks')[0]['id']}")
    made(guest)
    monkeypatch.setattr(workshop, "MOST", 7)
    login = {"login": "many-decks", "password": "p" * 9, "name": "Many"}
    guest.ok("POST", "/api/session/sign-up", login)
    assert len(guest.ok("GET", "/api/me/decks")) == 5
    made(guest, "blank")
    made(guest, "blank")
    assert guest.refused("POST", "/api/me/decks", wish) == (403, "too-many-decks")
    # And many guests of one address have no more than some.
    monkeypatch.setattr(workshop, "MOST_OF_GUESTS", 0)
    other = server.client("Other")
    assert other.refused("POST", "/api/me/decks", wish) == (403, "too-many-decks")


def test_a_guest_who_signs_in_takes_decks_along_and_all_goes_with_the_account(
    server: Running, clock: VirtualClock
) -> None:
    member(server, "takes-along")
    before = [counted(server, name) for name in ("decks", "deck_versions")]
    guest = server.client("Guest")
    deck = made(guest)
    clock.go_on(61)
    save(guest, deck)
    guest.ok("POST", "/api/session/sign-in", {"login": "takes-along", "password": "p" * 9})
    seen = guest.ok("GET", f"/api/decks/{deck}")
    assert (seen["is_own"], len(seen["versions"])) == (True, 1)
    assert [one["title"] for one in guest.ok("GET", "/api/me/export")["decks"]] == ["Ours"]
    guest.ok("POST", "/api/me/delete", {"password": "p" * 9})
    assert [counted(server, name) for name in ("decks", "deck_versions")] == before


def test_a_deck_begins_from_a_file(server: Running) -> None:
    ann = server.client("Ann")
    house = shipped_text(OFFICE, "house").replace('"The house deck"', '"From a file"', 1)
    toml = ann.ok("GET", f"/api/decks/{made(ann, 'toml', text=house)}")
    assert (toml["about"]["title"], toml["faults"]) == ("From a file", [])
    rows = "id,title,text,pattern\nP01d,Corner,Mine.,DD/DL\n"
    csv = ann.ok("GET", f"/api/decks/{made(ann, 'csv', text=rows)}")
    assert csv["form"]["cards"][0]["title"] == "Corner"
    assert csv["faults"][0]["card"] == "P02d"
    for source, text in (
        ("toml", "[" * 3000),
        ("toml", "x = 1"),
        ("toml", shipped_text(game_named("cube-farm"), "house")),
        ("csv", "nothing"),
        ("toml", "# " + "x" * 999 + "\n" + "#\n" * 40_000),
    ):
        wish = {"source": source, "game": GAME, "text": text}
        assert ann.refused("POST", "/api/me/decks", wish)[0] == 422, source
    house_itself = {"source": "toml", "game": GAME, "text": shipped_text(OFFICE, "house")}
    own = ann.ok("POST", "/api/me/decks", house_itself)["id"]
    (fault,) = ann.ok("GET", f"/api/decks/{own}")["faults"]
    assert (fault["place"], "title of a deck that comes" in fault["fault"]) == (0, True)


def test_a_deck_is_complained_of(server: Running) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    deck = made(ann)
    at = f"/api/decks/{deck}"
    ann.ok("PATCH", at, {"shared": "public"})
    ben.ok("POST", f"{at}/report", {"text": "A rude title."})

    def reports(tx: Tx) -> list[str]:
        return tx.rows(str, "SELECT text FROM reports ORDER BY id")

    assert server.run(server.site.store.read(reports))[-1] == f"/decks/{deck}\nA rude title."
    server.run(server.site.store.transact(lambda tx: workshop.withdraw(tx, deck)))
    assert ben.refused("GET", at) == (404, "missing")
    assert deck not in listed(ben)
    assert ann.ok("GET", at)["about"]["shared"] == "withdrawn"
    assert ann.refused("PATCH", at, {"shared": "link"}) == (403, "deck-withdrawn")


def test_nobody_complains_of_themselves_or_of_nothing(server: Running) -> None:
    ann, ben = server.client("Ann"), server.client("Ben")
    at = f"/api/decks/{made(ann)}"
    ann.ok("PATCH", at, {"shared": "link"})
    assert ann.refused("POST", f"{at}/report", {"text": "mine"}) == (409, "yourself")
    assert ben.refused("POST", f"{at}/report", {"text": " "})[0] == 422


def test_guests_who_are_gone_leave_no_decks(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, ben = server.client("Ann"), member(server, "ben-stays")
        deck = made(ann)
        clock.go_on(61)
        save(ann, deck)
        ann.ok("PATCH", f"/api/decks/{deck}", {"shared": "link"})
        copied = made(ben, "deck", deck=deck)
        clock.go_on(40 * 86_400)
        server.run(server.site.sweep())
        assert counted(server, "decks") == 1
        assert counted(server, "deck_versions") == 0
        assert ben.ok("GET", f"/api/decks/{copied}")["about"]["maker"] is None
