"""No turn burns: every one has its time, no deadline comes before the one before it, and nobody
learns too late that one has moved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from openplan.server.clock import DAY, HOUR, MINUTE
from openplan.server.tables.options import ClockRule
from tests.server.running import Client, Running, VirtualClock
from tests.server.test_overdue import Table, serving

Site = tuple[Running, VirtualClock]

BERLIN = {"kind": "schedule", "time": "18:00", "zone": "Europe/Berlin", "weekdays": ["mon", "thu"]}
MONDAY = 1_781_539_200_000_000  # 2026-06-15 16:00 UTC, 18:00 in Berlin
THURSDAY = MONDAY + 3 * DAY


@pytest.fixture
def site(tmp_path: Path, store_url: str) -> Iterator[Site]:
    with serving(tmp_path, store_url) as pair:
        yield pair


def due_of(table: Table) -> int:
    due: int = table.see()["duty"]["turn"]["due_at"]
    return due


def posted(table: Table, kind: str) -> list[dict[str, Any]]:
    queue = "SELECT payload FROM outbox WHERE kind = 'letter' AND ? != '' ORDER BY id"
    found = [json.loads(payload) for payload in table.rows(str, queue)]
    return [one for one in found if one.get("table") == table.id and one["kind"] == kind]


def test_orders_in_the_last_minute_do_not_burn_the_next_turn(site: Site) -> None:
    server, clock = site
    clock.at = MONDAY - 4 * DAY
    table = Table(server, clock, "cube-farm", clock=BERLIN)
    assert table.see()["clock"]["least"] == 48
    assert due_of(table) == MONDAY
    table.pass_time(4 * DAY - 42_000_000)
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["number"] == 2
    # Due in 42 seconds, it would be carried out with no orders; Thursday leaves its time.
    assert due_of(table) == THURSDAY
    table.pass_time(HOUR)
    assert table.see()["duty"]["turn"]["number"] == 2


def test_the_first_turn_has_its_full_time(site: Site) -> None:
    server, clock = site
    clock.at = MONDAY - MINUTE
    assert due_of(Table(server, clock, "cube-farm", clock=BERLIN)) == THURSDAY
    assert due_of(Table(server, clock, "cube-farm", clock={**BERLIN, "least": 1})) == THURSDAY
    clock.at = MONDAY - 2 * HOUR
    assert due_of(Table(server, clock, "cube-farm", clock={**BERLIN, "least": 1})) == MONDAY


def test_no_minimum_is_none_by_accident(site: Site) -> None:
    server, _ = site
    someone = server.client("Somebody")
    for given, kept in ((0, 48), (12, 12), (1, 1)):
        rule = {**BERLIN, "least": given}
        assert _made(someone, rule)["least"] == kept
    assert _made(someone, {**BERLIN, "most": 30})["least"] == 29
    assert _made(someone, {**BERLIN, "most": 2})["least"] == 1
    for wrong in ({"least": -1}, {"most": 1}, {"least": 1, "most": 1}):
        wish = {"game": "cube-farm", "clock": {**BERLIN, **wrong}}
        assert someone.refused("POST", "/api/tables", wish) == (409, "clock")


def test_a_turn_of_an_hour_at_most_is_not_over_before_it_has_begun() -> None:
    """As a table has it that was made before an hour at most was refused."""
    assert ClockRule("schedule", most=1).shortest == 1


def _made(someone: Client, rule: dict[str, Any]) -> Any:
    ident = someone.ok("POST", "/api/tables", {"game": "cube-farm", "clock": rule})["id"]
    return someone.ok("GET", f"/api/tables/{ident}")["clock"]


def test_a_deadline_is_never_before_the_one_before_it(site: Site) -> None:
    table = Table(*site, "cube-farm", clock={"kind": "days", "days": 3})
    start = table.clock.at
    away = {"from_at": start + 2 * DAY, "until_at": start + 9 * DAY}
    table.people["P"].ok("POST", "/api/me/absences", away)
    first = due_of(table)
    assert first == start + 10 * DAY
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["number"] == 2
    assert due_of(table) >= first


def test_a_table_may_carry_out_only_at_the_deadline(site: Site) -> None:
    table = Table(*site, "cube-farm", early="deadline")
    assert table.see()["early"] == "deadline"
    due = due_of(table)
    table.send("S", "P", "T")
    assert table.see()["duty"]["turn"]["number"] == 1
    table.pass_time(due - table.clock.at - 1)
    assert table.kinds()[-1] == "move"
    table.pass_time(HOUR)
    assert table.kinds()[-1] == "deadline"
    # It says nothing where nothing has a deadline.
    someone = table.server.client("Somebody")
    for wish in (
        {"game": "cube-farm"},
        {"game": "human-resources", "clock": {"kind": "days", "days": 2}},
    ):
        assert someone.refused("POST", "/api/tables", {**wish, "early": "deadline"}) == (
            409,
            "early",
        )


def test_an_absence_that_begins_today_can_be_said_today(site: Site) -> None:
    table = Table(*site, "cube-farm", clock={"kind": "days", "days": 3})
    due, now = due_of(table), table.clock.at
    today = {"from_at": now - 9 * HOUR, "until_at": now + 3 * DAY}
    bob = table.people["P"]
    bob.ok("POST", "/api/me/absences", today)
    (kept,) = bob.ok("GET", "/api/me/absences")
    assert kept["from_at"] == now
    assert due_of(table) == now + 4 * DAY > due
    # The others are told of the new time and why; and so is everybody in the next turn's letter.
    assert [one["facts"]["due_at"] for one in posted(table, "moved")] == 2 * [now + 4 * DAY]
    long_ago = {"from_at": now - 2 * DAY, "until_at": now + DAY}
    assert bob.refused("POST", "/api/me/absences", long_ago) == (409, "absence")
    over = {"from_at": now - 9 * HOUR, "until_at": now}
    assert bob.refused("POST", "/api/me/absences", over) == (409, "absence")


def test_nobody_is_left_with_an_old_deadline_after_a_pause(site: Site) -> None:
    table = Table(*site, "cube-farm", clock={"kind": "days", "days": 4})
    due = due_of(table)
    for person in table.people.values():
        person.ok("POST", f"{table.at}/pause", {})
    assert len(posted(table, "paused")) == 3
    table.pass_time(2 * DAY)
    for person in table.people.values():
        person.ok("POST", f"{table.at}/resume", {})
    assert due_of(table) == due + 2 * DAY
    assert [one["facts"]["due_at"] for one in posted(table, "resumed")] == 3 * [due + 2 * DAY]


def test_the_master_who_resumes_tells_the_new_deadline(site: Site) -> None:
    table = Table(*site, "cube-farm", clock={"kind": "days", "days": 4}, master=True)
    assert table.master is not None
    due = due_of(table)
    table.master.ok("POST", f"{table.at}/master/pause", {})
    table.pass_time(DAY)
    table.master.ok("POST", f"{table.at}/master/resume", {})
    told = [one["facts"] for one in posted(table, "master") if one["facts"]["act"] == "resume"]
    assert [facts["due_at"] for facts in told] == 3 * [due + DAY]
