"""My games by what is due, the calendar of a game master, who loses a seat, the browser's zone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from openplan.server.clock import DAY, HOUR
from tests.server.people import PASSWORD, cheap_passwords
from tests.server.running import Client, Running, VirtualClock
from tests.server.test_overdue import Table, serving

Site = tuple[Running, VirtualClock]


@pytest.fixture(scope="module")
def site(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with cheap_passwords(), serving(tmp_path_factory.mktemp("site"), site_url) as pair:
        yield pair


def mine(client: Client) -> list[Any]:
    found: list[Any] = client.ok("GET", "/api/me/tables")
    return found


def one_of(client: Client, table: Table) -> Any:
    (found,) = [one for one in mine(client) if one["id"] == table.id]
    return found


# -- My games --------------------------------------------------------------------------------


def test_a_game_in_my_list_says_its_turn_when_it_is_due_and_who_is_missing(site: Site) -> None:
    wish: dict[str, Any] = {"name": "The Thursday office", "language": "de", "master": True}
    table = Table(*site, "cube-farm", **wish)
    s = table.people["S"]
    listed = one_of(s, table)
    assert (listed["name"], listed["language"]) == ("The Thursday office", "de")
    assert listed["seats"][0] == "Sales & Marketing"
    assert (listed["turn"], listed["due_at"]) == (1, table.see("S")["duty"]["turn"]["due_at"])
    assert (listed["you"], listed["waits_for_you"], listed["is_master"]) == ([0], True, False)
    table.send("S")
    assert not one_of(s, table)["waits_for_you"]
    # Who has sent sealed orders is not told to a player, but to a master who does not play.
    assert one_of(s, table)["missing"] is None
    assert table.master is not None
    led = one_of(table.master, table)
    assert (led["is_master"], led["missing"], led["you"]) == (True, [1, 2], [])


def test_whose_move_it_is_in_an_open_game_is_told_to_all(site: Site) -> None:
    table = Table(*site, "human-resources")
    acts = table.see()["to_act"][0]
    assert [one_of(client, table)["missing"] for client in table.people.values()] == [
        ["AB".index(acts)]
    ] * 2


def test_my_games_are_sorted_by_what_is_due(site: Site) -> None:
    server, _ = site
    ann, bob = server.client("Ann"), server.client("Bob")

    def table(days: int, mover: Client, **wish: Any) -> str:
        seats = [{"kind": "me"}, {"kind": "open"}]
        wish = {"clock": {"kind": "days", "days": days}, "public": True, "seats": seats, **wish}
        owner, other = (ann, bob) if mover is ann else (bob, ann)
        made: str = owner.ok("POST", "/api/tables", {"game": "human-resources", **wish})["id"]
        other.ok("POST", f"/api/tables/{made}/join", {})
        acts = owner.ok("GET", f"/api/tables/{made}")
        if acts["to_act"] != [acts["you"]]:
            move = other.some_move(made, Random(1))
            version = other.ok("GET", f"/api/tables/{made}")["version"]
            other.play(made, move, version, "s")
        return made

    waiting: str = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    theirs = table(1, bob)
    later, sooner = table(5, ann), table(2, ann)
    unhurried = table(1, ann, clock={"kind": "none"})
    over = table(3, ann)
    ann.ok("POST", f"/api/tables/{over}/resign")
    order = [one["id"] for one in mine(ann)]
    assert order == [sooner, later, unhurried, theirs, waiting, over]


def test_a_table_is_called_as_people_are(site: Site) -> None:
    server, _ = site
    ann = server.client("Ann")
    for name in ("x" * 61, "game master", "a\u200bb"):
        assert ann.ask("POST", "/api/tables", {"game": "human-resources", "name": name}).is_error
    wish = {"game": "human-resources", "language": "xx"}
    assert ann.refused("POST", "/api/tables", wish) == (409, "language")


def test_the_lobby_tells_decks_and_seats_by_their_names(site: Site) -> None:
    server, _ = site
    ann = server.client("Ann")
    made = ann.ok("POST", "/api/tables", {"game": "cube-farm", "public": True, "language": "en"})
    answer = server.client().ask("GET", "/api/tables", headers={"Accept-Language": "de"}).json()
    (listed,) = [one for one in answer if one["id"] == made["id"]]
    assert listed["seats"] == ["Vertrieb & Marketing", "Produktentwicklung", "Support & Schulung"]
    assert (listed["own_deck"], listed["language"], listed["empty_seats"]) == (False, "en", 2)
    catalogue = ann.ok("GET", "/api/games")
    (farm,) = [game for game in catalogue["games"] if game["name"] == "cube-farm"]
    assert farm["seat_names"][2] == "Support & Training"
    seats = ann.ok("GET", f"/api/tables/{made['id']}")["seats"]
    assert [seat["called"] for seat in seats][1] == "Product Development"


# -- Game masters ----------------------------------------------------------------------------


def test_the_calendar_has_the_turns_so_far_and_the_deadlines_to_come(site: Site) -> None:
    table = Table(*site, "cube-farm", master=True)
    master, at = table.master, f"{table.at}/master"
    assert master is not None
    table.send("S", "P", "T")
    found = master.ok("GET", f"{at}/calendar")
    (past,) = found["past"]
    assert (past["turn"], past["seat"]) == (1, None)
    assert past["due_at"] > past["ended_at"]
    assert [one["turn"] for one in found["ahead"]] == [2, 3, 4, 5]
    dues = [one["due_at"] for one in found["ahead"]]
    assert dues[0] == table.see("S")["duty"]["turn"]["due_at"]
    assert [later - before for before, later in pairwise(dues)] == [2 * DAY] * 3
    # What ended a turn is what one rolls back to.
    table.send("S", "P", "T")
    past = master.ok("GET", f"{at}/calendar")["past"]
    master.ok("POST", f"{at}/roll-back", {"number": past[1]["entry"]})
    assert table.see("S")["view"]["turn"] == 2
    assert table.see("S")["duty"]["turn"]["number"] == 2
    assert len(master.ok("GET", f"{at}/calendar")["past"]) == 1
    for who in (table.people["S"], table.server.client("Cleo")):
        assert who.refused("GET", f"{at}/calendar") == (403, "not-master")


def test_the_master_sees_how_each_seat_stands_and_a_player_does_not(site: Site) -> None:
    table = Table(*site, "cube-farm", master=True)
    assert table.master is not None
    table.send("S")
    preview = table.master.ok("GET", f"{table.at}/master/preview")
    assert preview["orders"][1:] == ["missing", "missing"]
    assert preview["orders"][0] in ("saved", "ready")
    assert [seat["orders"] for seat in table.see("P")["seats"]] == [None, "missing", None]


def test_what_a_master_did_and_announced_is_on_every_screen(site: Site) -> None:
    table = Table(*site, "cube-farm", master=True)
    master = table.master
    assert master is not None
    assert table.see("S")["duty"]["announcement"] is None
    assert table.see("S")["duty"]["last_act"] is None
    master.ok("POST", f"{table.at}/master/announce", {"text": "Snow: no post on Friday."})
    watcher = table.server.client("Watcher")
    for client in (*table.people.values(), watcher, table.server.client()):
        duty = client.ok("GET", table.at)["duty"]
        assert duty["announcement"]["text"] == "Snow: no post on Friday."
    master.ok("POST", f"{table.at}/master/pause")
    act = table.see("P")["duty"]["last_act"]
    assert (act["act"], act["by"]) == ("pause", "Master")
    assert watcher.ok("GET", table.at)["duty"]["last_act"] is None


# -- A seat is lost --------------------------------------------------------------------------


def hide(table: Table) -> None:
    hidden = "UPDATE tables SET options = REPLACE(options, ?, ?) WHERE id = ?"
    names = ('"public":true', '"public":false')
    change = table.server.site.store.transact
    table.server.run(change(lambda tx: tx.execute(hidden, *names, table.id)))


def test_who_loses_a_seat_is_told_so(site: Site) -> None:
    for public in (True, False):
        table = Table(*site, "cube-farm", master=True)
        if not public:
            hide(table)
        lost = table.people["P"]
        assert table.master is not None
        table.master.ok("POST", f"{table.at}/master/eject", {"seat": "P", "then": "open"})
        listed = one_of(lost, table)
        assert (listed["is_lost"], listed["waits_for_you"], listed["missing"]) == (
            True,
            False,
            None,
        )
        assert ("seat-lost", "Player 1") in table.letters()
        if public:
            seen = lost.ok("GET", table.at)["duty"]["lost_seat"]
            assert seen == {"seat": "P", "by_master": True}
            assert table.see("S")["duty"]["lost_seat"] is None
        else:
            assert lost.refused("GET", table.at) == (403, "seat-lost")
            assert table.server.client("Cleo").refused("GET", table.at) == (404, "missing")


def test_a_seat_lost_by_absence_is_no_masters_doing(site: Site) -> None:
    table = Table(*site, "human-resources", absence={"policy": "standby"})
    acts = table.see()["to_act"][0]
    cleo = table.server.client("Cleo")
    cleo.ok("POST", f"{table.at}/standby", {"is_on": True})
    table.pass_time(3 * DAY)
    lost = table.people[acts].ok("GET", table.at)
    assert lost["you"] is None
    assert lost["duty"]["lost_seat"] == {"seat": acts, "by_master": False}
    assert cleo.ok("GET", table.at)["duty"]["lost_seat"] is None


def test_press_stays_with_who_wrote_it_and_for_whom(site: Site) -> None:
    table = Table(*site, "cube-farm", press={"rule": "all", "postal": False}, master=True)
    s, p, _ = table.people.values()
    write = f"{table.at}/press"
    p.ok("POST", write, {"to": ["all"], "text": "from the first"})
    s.ok("POST", write, {"to": ["P"], "text": "for the first alone"})
    s.ok("POST", write, {"to": ["P"], "text": "grey for the first alone", "grey": True})
    assert table.master is not None
    cleo = table.server.client("Cleo")
    cleo.ok("POST", f"{table.at}/standby", {"is_on": True})
    table.clock.go_on(60)
    table.master.ok("POST", f"{table.at}/master/eject", {"seat": "P", "then": "open"})
    table.master.ok("POST", f"{table.at}/master/seat", {"seat": "P"})
    assert cleo.ok("GET", table.at)["you"] == "P"
    cleo.ok("POST", write, {"to": ["all"], "text": "from the second"})
    s.ok("POST", write, {"to": ["P"], "text": "for the second"})
    names = {line["text"]: line["name"] for line in s.ok("GET", write)["lines"]}
    assert names["from the first"] == "Player 1"
    assert names["from the second"] == "Cleo"
    read = [line["text"] for line in cleo.ok("GET", write)["lines"]]
    assert read == ["from the first", "from the second", "for the second"]
    mine = {line["text"]: line["is_mine"] for line in cleo.ok("GET", write)["lines"]}
    assert not mine["from the first"]


# -- Drafts ----------------------------------------------------------------------------------


def draft(client: Client, table: Table, text: str | None = None, at: int | None = None) -> str:
    path = f"{table.at}/draft"
    if text is None:
        return str(client.ok("GET", path)["text"])
    when = table.clock.at if at is None else at
    return str(client.ok("PUT", path, {"text": text, "at": when})["text"])


def test_a_draft_is_its_authors_alone_and_the_newest_counts(site: Site) -> None:
    table = Table(*site, "cube-farm", master=True)
    s, p, _ = table.people.values()
    assert draft(s, table) == ""
    assert draft(s, table, "half an order") == "half an order"
    assert (draft(s, table), draft(p, table)) == ("half an order", "")
    # Another device comes late with what is older; one whose clock is ahead gains nothing by it.
    assert draft(s, table, "old", at=table.clock.at - 1) == "half an order"
    assert draft(s, table, "from tomorrow", at=table.clock.at + DAY) == "from tomorrow"
    table.clock.go_on(1)
    assert draft(s, table, "newer") == "newer"
    assert draft(s, table, "") == ""
    assert table.master is not None
    for who in (table.master, table.server.client("Watcher")):
        assert who.refused("GET", f"{table.at}/draft") == (403, "not-seated")
        body = {"text": "x", "at": 1}
        assert who.refused("PUT", f"{table.at}/draft", body) == (403, "not-seated")
    long = {"text": "x" * 4001, "at": 1}
    assert s.ask("PUT", f"{table.at}/draft", long).status_code == 422


def test_a_draft_goes_when_the_move_is_made_or_the_turn_is_over(site: Site) -> None:
    table = Table(*site, "cube-farm")
    s, p, t = table.people.values()
    for client in (s, p, t):
        draft(client, table, "half")
    table.send("S")
    assert [draft(client, table) for client in (s, p, t)] == ["", "half", "half"]
    draft(s, table, "changed")
    table.send("P", "T")
    assert [draft(client, table) for client in (s, p, t)] == ["", "", ""]
    for client in (s, p, t):
        draft(client, table, "half")
    table.pass_time(2 * DAY + 5 * HOUR)
    assert [draft(client, table) for client in (s, p, t)] == ["", "", ""]


def test_a_draft_of_an_open_game_goes_with_any_move(site: Site) -> None:
    table = Table(*site, "human-resources")
    for client in table.people.values():
        draft(client, table, "half")
    table.send(table.see()["to_act"][0])
    assert [draft(client, table) for client in table.people.values()] == ["", ""]
    draft(table.people["A"], table, "half")
    table.people["B"].ok("POST", f"{table.at}/resign")
    assert draft(table.people["A"], table) == ""
    assert draft(table.people["A"], table, "too late") == ""


def test_a_lesson_is_gone_on_with_on_another_device(site: Site) -> None:
    server, clock = site
    ann, bob = server.client("Ann"), server.client("Bob")
    path = "/api/games/cube-farm/lesson/draft"
    ann.ok("PUT", path, {"text": '{"chapter":1}', "at": clock.at})
    assert ann.ok("GET", path)["text"] == '{"chapter":1}'
    assert bob.ok("GET", path)["text"] == ""
    assert ann.refused("GET", "/api/games/chess/lesson/draft") == (404, "missing")
    assert server.client().refused("GET", path)[0] == 401


def test_drafts_come_along_and_are_forgotten(site: Site) -> None:
    server, _ = site
    table = Table(*site, "human-resources")
    guest = table.people["A"]
    draft(guest, table, "half")
    exported = guest.ok("GET", "/api/me/export")["drafts"]
    assert [(one["place"], one["text"]) for one in exported] == [(f"{table.id} A", "half")]
    body = {"login": "drafty-ann", "password": PASSWORD, "name": "Drafty Ann"}
    server.client().ok("POST", "/api/session/sign-up", body)
    guest.ok("POST", "/api/session/sign-in", {"login": "drafty-ann", "password": PASSWORD})
    assert draft(guest, table) == "half"
    guest.ok("POST", "/api/me/delete", {"password": PASSWORD})
    assert table.rows(str, "SELECT text FROM drafts WHERE table_id = ?") == []


# -- How far one has seen --------------------------------------------------------------------


def test_how_far_one_has_seen_is_ones_own_and_comes_along(site: Site) -> None:
    server, _ = site
    table = Table(*site, "human-resources", master=True)
    guest, other = table.people.values()
    path = f"{table.at}/seen"
    nothing = {"entry": 0, "turn": 0}
    assert guest.ok("GET", path) == nothing
    assert guest.ok("PUT", path, {"entry": 4, "turn": 1}) == {"entry": 4, "turn": 1}
    assert (guest.ok("GET", path)["entry"], other.ok("GET", path)) == (4, nothing)
    # After a roll-back it is less, and a move does not forget it.
    guest.ok("PUT", path, {"entry": 3, "turn": 0})
    table.send(table.see()["to_act"][0])
    assert guest.ok("GET", path) == {"entry": 3, "turn": 0}
    assert table.master is not None
    for who in (table.master, server.client("Watcher")):
        assert who.refused("GET", path) == (403, "not-seated")
        assert who.refused("PUT", path, nothing) == (403, "not-seated")
    assert guest.ask("PUT", path, {"entry": -1, "turn": 0}).status_code == 422
    exported = guest.ok("GET", "/api/me/export")["seen"]
    assert exported == [{"place": f"{table.id} A", "entry": 3, "turn": 0}]
    body = {"login": "seen-ann", "password": PASSWORD, "name": "Seen Ann"}
    server.client().ok("POST", "/api/session/sign-up", body)
    guest.ok("POST", "/api/session/sign-in", {"login": "seen-ann", "password": PASSWORD})
    assert guest.ok("GET", path)["entry"] == 3
    guest.ok("POST", "/api/me/delete", {"password": PASSWORD})
    assert table.rows(int, "SELECT entry FROM seen WHERE table_id = ?") == []


def test_at_one_screen_it_is_kept_for_all_who_sit_there(site: Site) -> None:
    ada = site[0].client("Ada")
    seats = [{"kind": "me", "name": name} for name in ("Ann", "Bob")]
    wish = {"game": "human-resources", "hot_seat": True, "seats": seats}
    path = f"/api/tables/{ada.ok('POST', '/api/tables', wish)['id']}/seen"
    ada.ok("PUT", path, {"entry": 2, "turn": 0})
    assert ada.ok("GET", path)["entry"] == 2
    assert ada.ok("GET", f"{path}?seat=A")["entry"] == 0


# -- A new account ---------------------------------------------------------------------------


def test_a_new_account_has_the_zone_and_the_language_of_the_browser(site: Site) -> None:
    server, _ = site
    guest = server.client()
    body = {"name": "Ann", "zone": "Europe/Vienna", "language": "de-AT"}
    me = guest.ok("POST", "/api/session", body)
    assert (me["zone"], me["language"]) == ("Europe/Vienna", "de")
    # What somebody has chosen stays.
    guest.ok("PATCH", "/api/me", {"zone": "Asia/Tokyo"})
    up = {"login": "zoned", "password": PASSWORD, "name": "Zoe", "zone": "Europe/Vienna"}
    assert guest.ok("POST", "/api/session/sign-up", up)["zone"] == "Asia/Tokyo"
    other = server.client()
    up = {**up, "login": "zoned2", "language": "fr", "zone": "Middle/Earth"}
    me = other.ok("POST", "/api/session/sign-up", up)
    assert (me["zone"], me["language"]) == ("UTC", "en")
    third = server.client("Old browser")
    up = {**up, "login": "zoned3", "language": "de", "zone": "Europe/Rome"}
    me = third.ok("POST", "/api/session/sign-up", up)
    assert (me["zone"], me["language"]) == ("Europe/Rome", "de")


def test_a_table_called_after_somebody_is_called_nothing_when_they_are_gone(site: Site) -> None:
    server, _ = site
    ann = server.client("Annabel")
    wish = {"game": "human-resources", "name": "With Annabel at one", "public": True}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    bob = server.client("Bob")
    bob.ok("POST", f"/api/tables/{table}/join", {})
    ann.ok("POST", "/api/me/delete", {})
    assert bob.ok("GET", f"/api/tables/{table}")["name"] == ""
