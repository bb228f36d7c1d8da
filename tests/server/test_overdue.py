"""Somebody is not there: reminders, what each policy does, and that nobody waits for ever."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from openplan.server.clock import DAY, HOUR
from openplan.server.store import Tx
from tests.server.running import Running, VirtualClock, running

T = TypeVar("T")

SEATS = {"cube-farm": 3, "human-resources": 2}
BY_DAYS = {"kind": "days", "days": 2}


class Table:
    """A public table with somebody in each seat, on a virtual clock."""

    def __init__(self, server: Running, now: VirtualClock, game: str, **wish: Any) -> None:
        self.server, self.clock, self.rng = server, now, Random(1)
        self.master = server.client("Master") if wish.pop("master", False) else None
        people = [server.client(f"Player {number}") for number in range(SEATS[game])]
        wish = {"game": game, "public": True, "clock": BY_DAYS, **wish}
        maker = self.master or people[0]
        if self.master:
            wish["seats"] = [{"kind": "open"} for _ in people]
        self.id: str = maker.ok("POST", "/api/tables", wish)["id"]
        self.at = f"/api/tables/{self.id}"
        for person in people if self.master else people[1:]:
            person.ok("POST", f"{self.at}/join", {})
        codes = [person.ok("GET", self.at)["you"] for person in people]
        self.people = dict(zip(codes, people, strict=True))
        self.sent = 0

    def see(self, code: str = "") -> Any:
        """As somebody in this seat, or in the first."""
        client = self.people[code] if code else next(iter(self.people.values()))
        return client.ok("GET", self.at)

    def send(self, *codes: str) -> None:
        for code in codes:
            self.sent += 1
            client = self.people[code]
            version = client.ok("GET", self.at)["version"]
            client.play(self.id, client.some_move(self.id, self.rng), version, f"s{self.sent}")

    def pass_time(self, micros: float) -> None:
        """So much time goes by, and what falls due meanwhile is done when it does."""
        end = self.clock.at + int(micros)
        while True:
            due = self.server.run(self.server.site.store.read(_next_due))
            if due is None or due > end:
                break
            self.clock.at = max(self.clock.at, due)
            self.server.run(self.server.site.look_at_clocks())
            # The server's own look may have claimed it and not entered it yet.
            self.server.run(self.server.site.expire(self.id))
        self.clock.at = end

    def kinds(self) -> list[str]:
        return self.rows(str, "SELECT kind FROM entries WHERE table_id = ? ORDER BY ply")

    def rows(self, kind: type[T], sql: str) -> list[T]:
        return self.server.run(self.server.site.store.read(lambda tx: tx.rows(kind, sql, self.id)))

    def letters(self) -> list[tuple[str, str]]:
        """Kind and reader of every letter so far."""
        names = dict(self.rows(tuple[str, str], "SELECT id, name FROM users WHERE ? != ''"))
        queue = "SELECT payload FROM outbox WHERE kind = 'letter' AND ? != '' ORDER BY id"
        payloads = [json.loads(payload) for payload in self.rows(str, queue)]
        return [(one["kind"], names[one["to"]]) for one in payloads if one.get("table") == self.id]


def _next_due(tx: Tx) -> int | None:
    return tx.row(int, "SELECT MIN(due_at) FROM deadlines")


@contextmanager
def serving(folder: Path, url: str) -> Iterator[tuple[Running, VirtualClock]]:
    clock = VirtualClock()
    with running(folder, now=clock, database=url, are_letters_held=True) as server:
        yield server, clock


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Iterator[tuple[Running, VirtualClock]]:
    with serving(tmp_path, store_url) as pair:
        yield pair


def test_a_deadline_adjudicates_what_is_there_once(site: tuple[Running, VirtualClock]) -> None:
    table = Table(*site, "cube-farm")
    # In the first turn nobody's orders are left out.
    table.send("S")
    table.pass_time(2 * DAY + 10 * HOUR)
    turn = table.see("P")["duty"]["turn"]
    assert (turn["number"], turn["is_overdue"], turn["late"]) == (1, True, None)
    assert table.see("P")["version"] == 0
    table.send("P", "T")
    assert table.see("P")["duty"]["turn"]["number"] == 2
    table.send("S")
    table.pass_time(2 * DAY - 1)
    assert table.kinds()[-1] == "move"
    table.pass_time(10_000_000)
    for _ in range(3):
        table.server.run(table.server.site.expire(table.id))
    assert table.kinds()[-2:] == ["move", "deadline"]
    seen = table.see("P")
    assert (
        seen["clocks"][0]["due"]
        == table.rows(int, "SELECT MAX(at) FROM entries WHERE table_id = ?")[0] + 2 * DAY
    )
    select = "SELECT late, on_time FROM reliability WHERE table_id = ? ORDER BY late, on_time"
    assert table.rows(tuple, select) == [(0, 2), (2, 0), (2, 0)]


def test_reminders_come_a_day_before_and_daily_after(site: tuple[Running, VirtualClock]) -> None:
    table = Table(*site, "cube-farm", absence={"policy": "wait"})
    table.send("S")
    table.pass_time(DAY - HOUR)
    assert table.letters() == []
    table.pass_time(2 * HOUR)
    reminded = [("reminder", "Player 1"), ("reminder", "Player 2")]
    assert table.letters() == reminded
    table.send("P")
    table.pass_time(DAY)
    late = [("others-late", "Player 0"), ("others-late", "Player 1"), ("late", "Player 2")]
    assert table.letters() == reminded + late
    table.pass_time(2 * DAY)
    assert table.letters() == reminded + late + 2 * [("late", "Player 2")]
    # Who is late is in no letter: it would tell who has sent orders.
    rows = table.rows(str, "SELECT payload FROM outbox WHERE kind = 'letter' AND ? != ''")
    assert not any("Player" in json.loads(row).get("late", "") for row in rows)


def test_where_the_table_shows_it_the_late_are_named(site: tuple[Running, VirtualClock]) -> None:
    table = Table(*site, "cube-farm", absence={"policy": "wait"}, house={"show-sent": "yes"})
    table.send("S")
    table.pass_time(2 * DAY + HOUR)
    assert table.see("S")["duty"]["turn"]["late"] == ["P", "T"]
    rows = table.rows(str, "SELECT payload FROM outbox WHERE kind = 'letter' AND ? != ''")
    said = [json.loads(row).get("facts", {}).get("late") for row in rows]
    assert ["Player 1", "Player 2"] in said


def test_a_bot_stands_in_and_the_owner_comes_back(site: tuple[Running, VirtualClock]) -> None:
    rule = {"policy": "bot", "bot": "random"}
    table = Table(*site, "human-resources", absence=rule, clock={**BY_DAYS, "grace": 12})
    (code,) = table.see()["to_act"]
    seat = "AB".index(code)
    table.pass_time(2 * DAY + 11 * HOUR)
    assert table.kinds() == []
    assert table.see()["duty"]["turn"]["late"] == [code]
    table.pass_time(2 * HOUR)
    assert table.kinds()[0] == "seat"
    shown = table.see()["seats"][seat]
    assert (shown["kind"], shown["stands_in"], shown["name"]) == ("bot", True, "random (bot)")
    table.people[code].ok("POST", f"{table.at}/come-back")
    shown = table.see()["seats"][seat]
    assert (shown["kind"], shown["stands_in"]) == ("person", False)
    assert shown["name"] == f"Player {seat}"
    assert table.people[code].refused("POST", f"{table.at}/come-back") == (409, "not-away")
    assert table.see()["state"] == "playing"


def test_who_stands_by_takes_the_seat(site: tuple[Running, VirtualClock]) -> None:
    table = Table(*site, "cube-farm", absence={"policy": "standby"})
    dora, emil = table.server.client("Dora"), table.server.client("Emil")
    seen = dora.ok("POST", f"{table.at}/standby", {"is_on": True})
    assert (seen["you"], seen["duty"]["is_standby"], seen["duty"]["standbys"]) == (None, True, 1)
    assert table.people["S"].refused("POST", f"{table.at}/standby", {"is_on": True})[0] == 409
    table.send("S")
    table.pass_time(2 * DAY + HOUR)
    # Two are missing and one stands by; the other seat is open, and its owner still has it.
    assert dora.ok("GET", table.at)["you"] == "P"
    assert table.people["P"].ok("GET", table.at)["you"] is None
    assert [seat["is_open"] for seat in table.see()["seats"]] == [False, False, True]
    assert emil.ok("POST", f"{table.at}/standby", {"is_on": True})["you"] == "T"
    table.people |= {"P": dora, "T": emil}
    turn = table.see("T")["duty"]["turn"]
    assert turn["due_at"] == table.clock.at + 2 * DAY
    table.send("P", "T")
    assert table.see()["duty"]["turn"]["number"] == 2


def test_who_looks_like_somebody_there_holds_nobody_up(
    site: tuple[Running, VirtualClock],
) -> None:
    """Whoever stands by may be called otherwise by the time a seat falls empty."""
    table = Table(*site, "cube-farm", absence={"policy": "standby"})
    names = ("Pl\u0430yer 0", "Eve", "Dora", "Dora")
    false, eve, *doras = (table.server.client(name) for name in names)
    asked = ("POST", f"{table.at}/standby", {"is_on": True})
    assert false.refused(*asked) == (409, "name")
    for one in (eve, *doras):
        one.ok(*asked)
    eve.ok("PATCH", "/api/me", {"name": "Pl\u0430yer 0"})
    table.send("S")
    table.pass_time(2 * DAY + HOUR)
    assert [seat["name"] for seat in table.see()["seats"]] == ["Player 0", "Dora", "Dora 2"]


def test_an_open_seat_is_kept_by_playing_on(site: tuple[Running, VirtualClock]) -> None:
    table = Table(*site, "cube-farm", absence={"policy": "standby"})
    table.send("S", "P")
    table.pass_time(2 * DAY + HOUR)
    assert table.see()["seats"][2]["is_open"]
    table.send("T")
    assert not table.see()["seats"][2]["is_open"]
    assert table.kinds()[-1] == "adjudicate"


def test_waiting_for_the_deadline_is_hidden_and_ends_with_it(
    site: tuple[Running, VirtualClock],
) -> None:
    table = Table(*site, "cube-farm")
    before = [table.see(code) for code in "PT"]
    table.people["S"].ok("POST", f"{table.at}/wait", {"waits": True})
    assert [table.see(code) for code in "PT"] == before
    assert table.see("S")["duty"]["turn"]["waits"] is True
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["number"] == 1
    table.people["S"].ok("POST", f"{table.at}/wait", {"waits": False})
    assert table.kinds()[-1] == "adjudicate"
    table.people["P"].ok("POST", f"{table.at}/wait", {"waits": True})
    table.send("S", "P", "T")
    table.pass_time(2 * DAY - 1)
    assert table.kinds()[-1] == "move"
    table.pass_time(HOUR)
    assert table.kinds()[-1] == "deadline"
    assert table.see()["duty"]["turn"]["number"] == 3
    assert table.see("P")["duty"]["turn"]["waits"] is False


def test_an_absence_moves_the_deadline_for_all(site: tuple[Running, VirtualClock]) -> None:
    table = Table(*site, "cube-farm", clock={"kind": "days", "days": 3, "vacation": 5})
    due = table.see()["duty"]["turn"]["due_at"]
    start, bob = table.clock.at, table.people["P"]
    table.send("P")  # it makes no difference that the orders are there
    away = {"from_at": start + 2 * DAY, "until_at": start + 4 * DAY}
    number = bob.ok("POST", "/api/me/absences", away)["id"]
    assert table.see()["duty"]["turn"]["due_at"] == start + 5 * DAY == due + 2 * DAY
    assert [one["id"] for one in bob.ok("GET", "/api/me/absences")] == [number]
    cleo = table.people["T"]
    longer = {"from_at": start, "until_at": start + 30 * DAY, "table": table.id}
    cleo.ok("POST", "/api/me/absences", longer)
    assert table.see()["duty"]["turn"]["due_at"] == due + 5 * DAY
    bob.ok("DELETE", f"/api/me/absences/{number}")
    assert table.see()["duty"]["turn"]["due_at"] == due + 5 * DAY
    assert cleo.refused("DELETE", f"/api/me/absences/{number}") == (404, "missing")
    too_long = {"from_at": start, "until_at": start + 61 * DAY}
    assert bob.refused("POST", "/api/me/absences", too_long) == (409, "absence")
    in_the_past = {"from_at": start - DAY, "until_at": start + DAY}
    assert bob.refused("POST", "/api/me/absences", in_the_past) == (409, "absence")
    for _ in range(4):
        cleo.ask("POST", "/api/me/absences", {"from_at": start, "until_at": start + 50 * DAY})
    assert len(cleo.ok("GET", "/api/me/absences")) == 2  # ninety days in a year


def test_a_schedule_across_a_change_of_clocks(site: tuple[Running, VirtualClock]) -> None:
    _, clock = site
    clock.at = 1_774_512_000_000_000  # Thursday 2026-03-26 08:00 UTC, 09:00 in Berlin
    rule = {"kind": "schedule", "time": "18:00", "zone": "Europe/Berlin", "least": 12}
    table = Table(*site, "cube-farm", clock={**rule, "weekdays": ["thu", "mon"]})
    # The Thursday's evening is too near; on Monday it is summer time already.
    monday = 1_774_886_400_000_000  # 2026-03-30 16:00 UTC
    assert table.see()["duty"]["turn"]["due_at"] == monday
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["due_at"] == monday
