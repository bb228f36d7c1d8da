"""The game master: what may be done, who is told of it, and what a master never sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from openplan.server.clock import DAY, HOUR
from tests.server.running import Client, Running, VirtualClock
from tests.server.test_overdue import Table, serving

Site = tuple[Running, VirtualClock]


@pytest.fixture(scope="module")
def site(site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("site"), site_url) as pair:
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
            ("become", {"seat": "P"}),
            ("hand-over", {}),
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


def test_becoming_a_player_is_told(site: Site) -> None:
    table, master, at = farm(site)
    assert master.ok("POST", f"{at}/become", {"seat": "P"})["you"] == "P"
    assert master.ok("GET", table.at)["view"] == table.see("P")["view"]
    assert ("became", "Player 1") in table.letters()
    assert audit(table) == [("become", {"seat": "P"})]
    table.people["P"], player = master, table.people["P"]
    table.send("P")
    assert player.ok("GET", table.at)["version"] == 1
    assert master.ok("POST", f"{at}/become", {})["you"] is None
    assert master.refused("POST", f"{table.at}/resign")[0] == 403


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
        ("become", {"seat": "P"}),
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


def test_the_table_is_handed_over(site: Site) -> None:
    table, master, at = farm(site)
    invite = master.ok("POST", f"{at}/hand-over", {})["duty"]["master_invite"]
    assert table.see()["duty"]["master_invite"] is None
    emil = table.server.client("Emil")
    assert emil.refused("POST", f"{at}/accept", {"invite": "guess"}) == (404, "missing")
    assert emil.ok("POST", f"{at}/accept", {"invite": invite})["duty"]["is_master"]
    assert emil.refused("POST", f"{at}/accept", {"invite": invite}) == (404, "missing")
    assert master.refused("POST", f"{at}/pause") == (403, "not-master")
    assert table.see()["duty"]["master"] == "Emil"
    emil.ok("POST", f"{at}/hand-over", {"seat": "P"})
    assert table.see("P")["duty"]["is_master"]


def test_a_match_is_terminated(site: Site) -> None:
    table, master, at = farm(site)
    table.send("S")
    assert master.ok("POST", f"{at}/terminate")["state"] == "aborted"
    assert table.people["S"].refused("POST", f"{table.at}/resign") == (409, "aborted")
    table.pass_time(100 * DAY)
    assert table.kinds() == ["move"]
    assert audit(table) == [("terminate", {})]
