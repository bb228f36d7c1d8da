"""The game master: what may be done, who is told of it, and what a master never sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from openplan.server.clock import DAY, HOUR
from openplan.server.tables import moves
from tests.server.masters import MEANT, master_routes
from tests.server.people import PASSWORD, cheap_passwords, member
from tests.server.running import Client, Running, VirtualClock, frame
from tests.server.test_overdue import Table, serving

Site = tuple[Running, VirtualClock]


@pytest.fixture(scope="module")
def site(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with cheap_passwords(), serving(tmp_path_factory.mktemp("site"), site_url) as pair:
        yield pair


def farm(site: Site, **wish: Any) -> tuple[Table, Client, str]:
    table = Table(*site, "cube-farm", master=True, **wish)
    assert table.master is not None
    return table, table.master, f"{table.at}/master"


def audit(table: Table) -> list[tuple[str, Any]]:
    lines = table.people["S"].ok("GET", f"{table.at}/audit")["lines"]
    return [(line["act"], line["detail"]) for line in lines]


def test_only_the_master_may(site: Site) -> None:
    table, _, at = farm(site)
    for who in (table.people["S"], table.server.client("Cleo")):
        for act, body in (
            ("process", {"turn": 1}),
            ("pause", None),
            ("announce", {"text": "x"}),
            ("eject", {"seat": "S"}),
            ("orders", {"seat": "P", "orders": "1: card 9 N2"}),
            ("hand-over", None),
        ):
            assert who.refused("POST", f"{at}/{act}", body) == (403, "not-master")
        assert who.refused("GET", f"{at}/preview") == (403, "not-master")
    assert table.server.client("Cleo").refused("GET", f"{table.at}/audit")[0] == 403


def test_processing_is_guarded_by_the_turns_number(site: Site) -> None:
    table, master, at = farm(site)
    table.send("S")
    assert master.ok("GET", f"{at}/preview")["missing"] == ["P", "T"]
    assert master.refused("POST", f"{at}/process", {"turn": 1}) == (409, "first-turn")
    table.send("P", "T")
    assert master.refused("POST", f"{at}/process", {"turn": 1}) == (409, "turn")
    assert master.ok("POST", f"{at}/process", {"turn": 2})["duty"]["turn"]["number"] == 3
    assert master.refused("POST", f"{at}/process", {"turn": 2}) == (409, "turn")
    assert table.kinds()[-1] == "deadline"
    assert audit(table) == [("process", {"turn": 2})]
    told = [who for kind, who in table.letters() if kind == "master"]
    assert told == ["Player 0", "Player 1", "Player 2"]


def test_the_master_sees_no_orders_and_no_hand(site: Site) -> None:
    table, master, _ = farm(site)
    watcher = table.server.client("Watcher")

    def shown(client: Client) -> dict[str, Any]:
        seen: dict[str, Any] = client.ok("GET", table.at)
        return {name: seen[name] for name in ("view", "version", "to_act", "clocks", "you")}

    table.send("S")
    assert shown(master) == shown(watcher)
    orders = table.rows(str, "SELECT text FROM entries WHERE table_id = ?")[0]
    paths = ("", "/log", "/record", "/press", "/audit", "/master/preview", "/at/0")
    everything = [master.ask("GET", f"{table.at}{path}").text for path in paths]
    assert not any(orders in json.dumps(text) or orders in text for text in everything)
    assert master.refused("GET", f"{table.at}/record?viewer=S") == (404, "missing")


def test_nobody_becomes_a_player(site: Site) -> None:
    table, master, at = farm(site)
    assert master.ask("POST", f"{at}/become", {"seat": "P"}).status_code in (404, 405)
    assert master.ok("GET", table.at)["you"] is None


def orders_of(table: Table, code: str) -> str:
    """Orders that this seat could send."""
    orders: str = table.people[code].some_move(table.id, table.rng)
    return orders


def test_orders_are_entered_for_a_seat_whose_player_is_told_at_once(site: Site) -> None:
    table, master, at = farm(site)
    player = table.people["P"]
    orders = orders_of(table, "P")
    with player.live(table.id) as live, master.live(table.id) as other:
        frame(live), frame(other)
        seen = master.ok("POST", f"{at}/orders", {"seat": "P", "orders": orders})
        told = frame(live)
        shown = frame(other)
    assert seen["you"] is None
    assert [line["text"] for line in told["told"]] == ["1. P by-master", f"2. P {orders}"]
    assert [line["text"] for line in shown["told"]] == ["1. P by-master"]
    assert orders not in json.dumps(shown)
    assert ("orders-entered", "Player 1") in table.letters()
    others = [who for kind, who in table.letters() if kind == "master"]
    assert others == ["Player 0", "Player 2"]
    assert audit(table) == [("orders-for", {"seat": "P"})]
    assert table.kinds() == ["by-master", "move"]
    # The turn waits, so that the player can look at them; who says that it need not has agreed.
    table.send("S", "T")
    assert table.see("S")["view"]["turn"] == 1
    assert player.ok("GET", table.at)["duty"]["turn"]["waits"]
    player.ok("POST", f"{table.at}/wait", {"waits": False})
    assert table.see("S")["view"]["turn"] == 2


def test_a_player_changes_what_was_entered(site: Site) -> None:
    table, master, at = farm(site)
    master.ok("POST", f"{at}/orders", {"seat": "P", "orders": orders_of(table, "P")})
    table.send("P")
    assert table.kinds() == ["by-master", "move", "move"]


def test_what_cannot_be_carried_out_is_told_to_the_player_alone(site: Site) -> None:
    table, master, at = farm(site)
    hand = table.see("P")["view"]["hands"]["P"]
    other = next(str(number) for number in range(1, 55) if str(number) not in hand)
    answers = []
    for card in (other, hand[0]):
        body = {"seat": "P", "orders": f"1: card {card} N2"}
        answers.append(master.ok("POST", f"{at}/orders", body))
    assert answers[0]["seats"] == answers[1]["seats"]
    assert master.ok("GET", f"{at}/preview")["missing"] == ["S", "T"]
    queue = "SELECT payload FROM outbox WHERE kind = 'letter' AND ? != '' ORDER BY id"
    letters = [json.loads(payload) for payload in table.rows(str, queue)]
    own = [one["facts"] for one in letters if one.get("table") == table.id and "facts" in one]
    assert next(one["lost"] for one in own if "lost" in one)
    # What other phases hold stays.
    table.send("P")
    held = table.see("P")["view"]["orders"]
    master.ok("POST", f"{at}/orders", {"seat": "P", "orders": f"3: card {other} N2"})
    assert table.see("P")["view"]["orders"] == held


def test_orders_cannot_be_entered_where_they_would_tell(site: Site) -> None:
    table, master, at = farm(site)
    for orders, code in (("", "orders-for"), ("hello", "orders-for"), ("1: card 9999 N2", None)):
        status, found = master.refused("POST", f"{at}/orders", {"seat": "P", "orders": orders})
        assert status == 422
        assert code is None or found == code
    assert master.refused("POST", f"{at}/orders", {"seat": "X", "orders": "1: card 9 N2"})[0] == 422
    master.ok("POST", f"{at}/pause")
    assert master.refused("POST", f"{at}/orders", {"seat": "P", "orders": "1: card 9 N2"}) == (
        409,
        "paused",
    )
    assert table.kinds() == ["pause"]
    # Where moves are carried out at once, whether one was possible would be seen.
    office = Table(*site, "human-resources", master=True)
    assert office.master is not None
    body = {"seat": "A", "orders": "draw"}
    refused = office.master.refused("POST", f"{office.at}/master/orders", body)
    assert refused == (409, "orders-for")


def test_deadline_pause_and_resume(site: Site) -> None:
    table, master, at = farm(site, clock={"kind": "days", "days": 4, "grace": 6})
    start = table.clock.at
    master.ok("POST", f"{at}/deadline", {"due_at": start + DAY})
    turn = table.see()["duty"]["turn"]
    assert turn["due_at"] == start + DAY
    assert master.refused("POST", f"{at}/deadline", {"due_at": start}) == (409, "deadline")
    far = {"due_at": start + 91 * DAY}
    assert master.refused("POST", f"{at}/deadline", far) == (409, "deadline")
    master.ok("POST", f"{at}/pause")
    assert master.refused("POST", f"{at}/pause") == (409, "paused")
    table.pass_time(5 * DAY)
    assert table.see()["is_paused"]
    assert table.see()["duty"]["turn"] is None
    master.ok("POST", f"{at}/resume")
    assert table.see()["duty"]["turn"]["due_at"] == start + 6 * DAY
    assert [act for act, _ in audit(table)] == ["deadline", "pause", "resume"]


def test_no_master_has_a_turn_due_before_the_one_before_it(site: Site) -> None:
    table, master, at = farm(site, clock={"kind": "days", "days": 4})
    first = table.see()["duty"]["turn"]["due_at"]
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["number"] == 2
    early = {"due_at": first - HOUR}
    assert master.refused("POST", f"{at}/deadline", early) == (409, "deadline")
    master.ok("POST", f"{at}/deadline", {"due_at": first + HOUR})
    # Resumed it is the same turn, and may be due sooner again, but not too soon.
    master.ok("POST", f"{at}/pause")
    table.pass_time(DAY)
    master.ok("POST", f"{at}/resume")
    assert table.see()["duty"]["turn"]["due_at"] == first + DAY + HOUR
    assert master.refused("POST", f"{at}/deadline", early) == (409, "deadline")
    master.ok("POST", f"{at}/deadline", {"due_at": first})
    # Rolled back, the first turn is the first again.
    master.ok("POST", f"{at}/roll-back", {"number": 1})
    master.ok("POST", f"{at}/deadline", early)


def test_a_roll_back_is_told_to_all(site: Site) -> None:
    table, master, at = farm(site)
    table.send("S", "P", "T")
    table.send("S")
    before = table.see("S")["view"]
    assert before["turn"] == 2
    ident = table.people["S"].ok("GET", "/api/me")["id"]
    has_mail = "UPDATE users SET email = ? WHERE id = ?"
    table.server.run(
        table.server.site.store.transact(
            lambda tx: tx.execute(has_mail, f"{ident}@x.example", ident)
        )
    )
    master.ok("POST", f"{at}/roll-back", {"number": 1})
    for code in "SPT":
        assert table.see(code)["view"]["turn"] == 1
    assert table.see()["duty"]["turn"]["number"] == 1
    assert audit(table) == [("roll-back", {"entry": 1})]
    # All have seen what was ordered, so nobody is held to it.
    # Whoever gets a report is told by it, and by no second letter.
    told = [(kind, who) for kind, who in table.letters() if kind in ("master", "report")]
    assert told == [("report", "Player 0"), ("master", "Player 1"), ("master", "Player 2")]
    table.send("S", "P")
    assert table.see("S")["view"]["turn"] == 1
    table.send("T")
    assert table.see("S")["view"]["turn"] == 2
    assert master.refused("POST", f"{at}/roll-back", {"number": 99})[0] == 422


def test_an_ejected_players_orders_are_not_carried_out(site: Site) -> None:
    table, master, at = farm(site)
    table.send("S", "P", "T")
    table.send("P")
    table.pass_time(HOUR)
    ejected = table.people["P"]
    master.ok("POST", f"{at}/eject", {"seat": "P", "then": "open"})
    assert ejected.ok("GET", table.at)["you"] is None
    assert ("seat-lost", "Player 1") in table.letters()
    assert master.ok("GET", f"{at}/preview")["missing"] == ["S", "P", "T"]
    # Whether there were orders is not told: without them the log reads the same.
    other, second, at2 = farm(site)
    other.send("S", "P", "T")
    second.ok("POST", f"{at2}/eject", {"seat": "P", "then": "open"})
    logs = [one.people["T"].ok("GET", f"{one.at}/log")["entries"][-2:] for one in (table, other)]
    assert [line["text"] for line in logs[0]] == [line["text"] for line in logs[1]]
    dora = table.server.client("Dora")
    assert dora.ok("POST", f"{table.at}/standby", {"is_on": True})["you"] == "P"
    table.people["P"] = dora
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["number"] == 3


@pytest.mark.parametrize("public", [True, False])
def test_an_ejected_players_socket_is_closed_at_once(site: Site, public: bool) -> None:
    table, master, at = farm(site)
    ejected = table.people["P"]
    run = table.server.site.store.transact
    hide = f"UPDATE tables SET options = REPLACE(options, '\"public\":true', '{HIDDEN[public]}')"
    table.server.run(run(lambda tx: tx.execute(f"{hide} WHERE id = ?", table.id)))
    with ejected.live(table.id) as live, table.people["S"].live(table.id) as other:
        assert frame(live)["table"]["you"] == "P"
        frame(other)
        master.ok("POST", f"{at}/eject", {"seat": "P", "then": "open"})
        assert frame(live, "gone")["reason"] == "seat lost"
        with pytest.raises(ConnectionClosed):
            live.recv(20)
        # The seat's screens are told, and the others'.
        assert frame(other)["table"]["seats"][1]["is_open"]
    if not public:
        assert ejected.refused("GET", table.at) == (403, "seat-lost")


HIDDEN = {True: '"public":true', False: '"public":false'}


def test_a_seat_goes_to_a_bot_or_to_nobody(site: Site) -> None:
    table, master, at = farm(site)
    table.send("S", "T")
    master.ok("POST", f"{at}/eject", {"seat": "P", "then": "nothing"})
    assert table.kinds()[-1] == "adjudicate"
    assert table.see()["seats"][1]["is_withdrawn"]
    assert master.refused("POST", f"{at}/seat", {"seat": "S"}) == (409, "taken")
    seats = master.ok("POST", f"{at}/seat", {"seat": "P", "bot": "random"})["seats"]
    assert (seats[1]["kind"], seats[1]["is_withdrawn"]) == ("bot", False)
    master.ok("POST", f"{at}/eject", {"seat": "T", "then": "random"})
    assert table.see()["seats"][2]["kind"] == "bot"
    assert master.refused("POST", f"{at}/eject", {"seat": "T", "then": "open"})[1] == "empty-seat"
    assert master.refused("POST", f"{at}/seat", {"seat": "P", "bot": "deep"})[1] == "unknown-bot"


def test_a_master_who_plays_judges_nobody(site: Site) -> None:
    table = Table(*site, "cube-farm")
    player, at = table.people["S"], f"{table.at}/master"
    assert player.ok("GET", table.at)["duty"]["is_master"]
    for act, body in (
        ("process", {"turn": 1}),
        ("pause", None),
        ("eject", {"seat": "P"}),
        ("orders", {"seat": "P", "orders": "1: card 9 N2"}),
        ("roll-back", {"number": 1}),
        ("terminate", None),
        ("deadline", {"due_at": table.clock.at + HOUR}),
    ):
        assert player.refused("POST", f"{at}/{act}", body) == (403, "master-plays")
    assert player.refused("GET", f"{at}/preview") == (403, "master-plays")
    later = table.clock.at + 3 * DAY
    assert player.ok("POST", f"{at}/deadline", {"due_at": later})["duty"]["turn"]["due_at"] == later
    player.ok("POST", f"{at}/announce", {"text": "more time for all"})
    lines = table.people["T"].ok("GET", f"{table.at}/press")["lines"]
    assert [(line["by"], line["text"]) for line in lines] == [("master", "more time for all")]


def test_the_table_is_handed_over_if_all_seats_agree(site: Site) -> None:
    table, master, at = farm(site)
    invite = master.ok("POST", f"{at}/hand-over")["duty"]["master_invite"]
    assert table.see()["duty"]["master_invite"] is None
    emil = member(table.server, "Emil")
    assert emil.refused("POST", f"{at}/accept", {"invite": "guess"}) == (404, "missing")
    taken = emil.ok("POST", f"{at}/accept", {"invite": invite})["duty"]
    assert (taken["is_master"], taken["next_master"]) == (False, {"name": "Emil", "by": []})
    assert emil.refused("POST", f"{at}/agree", {"agrees": True}) == (403, "not-seated")
    for code in "SP":
        table.people[code].ok("POST", f"{at}/agree", {"agrees": True})
    assert table.see()["duty"]["next_master"] == {"name": "Emil", "by": ["S", "P"]}
    assert emil.refused("POST", f"{at}/pause") == (403, "not-master")
    table.people["T"].ok("POST", f"{at}/agree", {"agrees": True})
    assert table.see()["duty"]["master"] == "Emil"
    assert table.see()["duty"]["next_master"] is None
    assert emil.ok("GET", table.at)["duty"]["is_master"]
    assert emil.refused("POST", f"{at}/accept", {"invite": invite}) == (404, "missing")
    assert master.refused("POST", f"{at}/pause") == (403, "not-master")


def test_one_seat_refuses_the_next_master(site: Site) -> None:
    table, master, at = farm(site)
    invite = master.ok("POST", f"{at}/hand-over")["duty"]["master_invite"]
    emil = member(table.server, "Emil")
    emil.ok("POST", f"{at}/accept", {"invite": invite})
    table.people["T"].ok("POST", f"{at}/agree", {"agrees": False})
    assert table.see()["duty"]["next_master"] is None
    assert table.people["S"].refused("POST", f"{at}/agree", {"agrees": True}) == (409, "no-offer")
    assert emil.refused("POST", f"{at}/accept", {"invite": invite}) == (404, "missing")


def test_no_accomplice_leads_a_table(site: Site) -> None:
    """Not a guest, not who sits there, not who has looked, by any account on the same device."""
    table = Table(*site, "cube-farm")
    maker, at = table.people["S"], f"{table.at}/master"
    invite = maker.ok("POST", f"{at}/hand-over")["duty"]["master_invite"]
    take = {"invite": invite}
    guest = table.server.client("Guest")
    assert guest.refused("POST", f"{at}/accept", take) == (403, "members")
    assert maker.refused("POST", f"{at}/accept", take) == (403, "members")
    looker = member(table.server, "Looker")
    looker.ok("GET", table.at)
    assert looker.refused("POST", f"{at}/accept", take) == (403, "master-looked")
    # Another account in the browser of somebody who sits there, or has looked.
    player = table.people["P"]
    player.ok("DELETE", "/api/session")
    other = member(table.server, "Other", player)
    assert other.refused("POST", f"{at}/accept", take) == (403, "master-plays")
    looker.ok("DELETE", "/api/session")
    second = member(table.server, "Second", looker)
    assert second.refused("POST", f"{at}/accept", take) == (403, "master-looked")
    emil = member(table.server, "Emil")
    emil.ok("POST", f"{at}/accept", take)


@pytest.mark.parametrize("look", ["{at}", "{at}/log", "{at}/picture.png", "/table/{id}/feed.atom"])
def test_who_looked_before_signing_in_leads_no_table(look: str, site: Site) -> None:
    """The browser is known by its cookie, though nobody was signed in there."""
    table = Table(*site, "cube-farm")
    invite = table.people["S"].ok("POST", f"{table.at}/master/hand-over")["duty"]["master_invite"]
    path = look.format(at=table.at, id=table.at.rpartition("/")[2])
    for is_member in (False, True):
        browser = member(table.server, f"Before {len(path)}")
        if not is_member:
            browser.ok("DELETE", "/api/session")
        assert browser.ask("GET", path).is_success
        # Nor does it help to have that account forgotten.
        if is_member:
            browser.ok("POST", "/api/me/delete", {"password": PASSWORD})
        later = member(table.server, f"Later {len(path)}", browser)
        refused = later.refused("POST", f"{table.at}/master/accept", {"invite": invite})
        assert refused == (403, "master-looked")


def test_made_up_browsers_fill_nothing(site: Site) -> None:
    """Whoever sends another cookie each time is not noted each time."""
    table = Table(*site, "cube-farm")
    browsers = [table.server.client(), member(table.server, "Known")]
    for number in range(20):
        for browser in browsers:
            browser.http.cookies.set("openplan-device", f"made-up-{number}")
            browser.ok("GET", table.at)
    count = "SELECT COUNT(*) FROM device_looks WHERE table_id = ? AND mark NOT IN"
    count += " (SELECT mark FROM marks)"
    read, ident = table.server.site.store.read, table.at.rpartition("/")[2]
    assert table.server.run(read(lambda tx: tx.rows(int, count, ident))) == [0]


def test_no_seat_changes_hands_without_end(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moves, "MOST_IN_A_TURN", 4)
    table = Table(*site, "cube-farm")
    master, at = member(table.server, "Emil"), f"{table.at}/master"
    invite = table.people["S"].ok("POST", f"{at}/hand-over")["duty"]["master_invite"]
    master.ok("POST", f"{at}/accept", {"invite": invite})
    for code in "PT":
        table.people[code].ok("POST", f"{at}/agree", {"agrees": True})
    master.ok("POST", f"{at}/eject", {"seat": "P", "then": "random"})
    again = {"seat": "P", "bot": "random"}
    codes = [master.ask("POST", f"{at}/seat", again).status_code for _ in range(4)]
    assert codes == [200, 200, 200, 409]


def test_a_rated_table_has_no_master_but_the_clock(site: Site) -> None:
    server, _ = site
    ann, bob = member(server, "Ann"), member(server, "Bob")
    wish = {
        "game": "human-resources",
        "public": True,
        "rated": True,
        "clock": {"kind": "live", "bank": 600, "increment": 5},
    }
    assert ann.refused("POST", "/api/tables", {**wish, "invites_master": True}) == (409, "rated")
    table = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    bob.ok("POST", f"{at}/join", {})
    duty = ann.ok("GET", at)["duty"]
    assert (duty["master"], duty["is_master"]) == (None, False)
    acts = [(method, path) for method, path in master_routes() if not path.endswith("/agree")]
    for method, path in acts:
        body = MEANT.get(path.rpartition("/")[2]) if method == "POST" else None
        for who in (ann, bob):
            answer = who.ask(method, path.replace("{table}", table), body)
            assert answer.status_code in (403, 404), (path, answer.text)
    # One that was made when they had one has none any more.
    run = server.site.store.transact
    lead = "UPDATE tables SET master_id = owner_id, master_invite = 'known' WHERE id = ?"
    server.run(run(lambda tx: tx.execute(lead, table)))
    assert ann.refused("POST", f"{at}/master/announce", {"text": "x"}) == (403, "not-master")
    assert bob.refused("POST", f"{at}/master/accept", {"invite": "known"}) == (404, "missing")


def test_signing_in_joins_no_two_sides_of_a_table(site: Site) -> None:
    server, _ = site
    for leads in (True, False):  # the guest leads and the member plays, or the other way round
        master = server.client("Guest") if leads else member(server, "Leader")
        player = member(server, "Player") if leads else server.client("Guest")
        seats = [{"kind": "open"}, {"kind": "open"}]
        wish = {"game": "human-resources", "public": True, "seats": seats}
        table = master.ok("POST", "/api/tables", wish)["id"]
        at = f"/api/tables/{table}"
        player.ok("POST", f"{at}/join", {})
        server.client("Third").ok("POST", f"{at}/join", {})
        guest, account = (master, player) if leads else (player, master)
        login = account.ok("GET", "/api/me")["login"]
        came = guest.ok("POST", "/api/session/sign-in", {"login": login, "password": PASSWORD})
        seen = guest.ok("GET", at)
        if leads:
            assert seen["you"] is not None
            assert not seen["duty"]["is_master"]
        else:
            assert (seen["you"], seen["duty"]["is_master"]) == (None, True)
            (behind,) = came["left_behind"]
            assert behind["table"] == table
            assert "leads" in behind["reason"]


def test_a_match_is_terminated(site: Site) -> None:
    table, master, at = farm(site)
    table.send("S")
    assert master.ok("POST", f"{at}/terminate")["state"] == "aborted"
    assert table.people["S"].refused("POST", f"{table.at}/resign") == (409, "aborted")
    table.pass_time(100 * DAY)
    assert table.kinds() == ["move"]
    assert audit(table) == [("terminate", {})]
