"""Somebody is not there, as everybody sees it: schedules, standby, coming back; in browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import expect

from openplan.server.clock import wall
from tests.server.running import Client, Running, running
from tests.web.conftest import NewPage
from tests.web.office_desk import check_with_axe

DAY = 86_400


class Ahead:
    """The time of day, put forward as told; a browser's own clock stays near enough."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> int:
        return wall() + int(self.seconds * 1_000_000)


CLOCK = Ahead()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("absence"), now=CLOCK, steady=CLOCK) as server:
        yield server


def table_of(site: Running, policy: str) -> tuple[str, dict[str, Client]]:
    """Cube Farm by days in its second turn, with who sits where."""
    people = [site.client(name) for name in ("Ann", "Bob", "Cleo")]
    wish = {
        "game": "cube-farm",
        "public": True,
        "clock": {"kind": "days", "days": 2},
        "absence": {"policy": policy},
    }
    table: str = people[0].ok("POST", "/api/tables", wish)["id"]
    for one in people[1:]:
        one.ok("POST", f"/api/tables/{table}/join", {})
    for one in people:
        send(one, table)
    return table, {one.ok("GET", f"/api/tables/{table}")["you"]: one for one in people}


def send(client: Client, table: str) -> None:
    version = client.ok("GET", f"/api/tables/{table}")["version"]
    client.play(table, client.some_move(table, Random(3)), version, f"s{version}")


def pass_time(site: Running, days: float) -> None:
    CLOCK.seconds += days * DAY
    site.run(site.site.look_at_clocks())


def test_a_schedule_is_chosen_and_its_deadline_told(open_page: NewPage, site: Running) -> None:
    page = open_page("/new?game=cube-farm", width=360, height=740, timezone_id="Europe/Berlin")
    page.get_by_label("Fixed time of day").check()
    days = page.get_by_role("group", name="Weekdays")
    for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"):
        days.get_by_label(day).set_checked(day in ("Tue", "Fri"))
    page.get_by_label("Time of day", exact=True).fill("21:30")
    page.get_by_label("Time zone").select_option("Europe/Lisbon")
    page.get_by_label("Grace period (hours)").fill("6")
    page.get_by_label("If somebody runs out of time").select_option("standby")
    for seat in ("Sales & Marketing", "Product Development", "Support & Training"):
        kind = "me" if seat.startswith("Sales") else "open"
        page.get_by_label(f"Seat {seat}").select_option(kind)
    check_with_axe(page, "a schedule")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_test_id("waiting")).to_be_visible()
    invite = page.get_by_test_id("invite").input_value()
    table = re.search(r"/table/([\w-]+)", page.url)
    assert table
    token = invite.partition("invite=")[2]
    for name in ("Bob", "Cleo"):
        path = f"/api/tables/{table[1]}/join"
        site.client(name).ok("POST", path, {"invite": token} if token else {})
    # In the reader's own zone: Lisbon's half past nine is half past ten in Berlin.
    told = page.get_by_text(re.compile(r"Deadline: (Tue|Fri).*10:30\sPM")).first
    expect(told).to_be_visible()


def test_who_stands_by_takes_a_seat_that_falls_empty(open_page: NewPage, site: Running) -> None:
    table, seats = table_of(site, "standby")
    dan = open_page(f"/table/{table}", site.client("Dan"))
    dan.get_by_test_id("menu").click()
    menu = dan.get_by_role("dialog")
    check_with_axe(dan, "menu of who looks on")
    menu.get_by_role("button", name="Become a standby player").click()
    expect(menu).to_contain_text("you take over their seat with the cards that are there")
    menu.get_by_test_id("stand-by").click()
    expect(menu).to_have_count(0)
    dan.get_by_test_id("menu").click()
    expect(menu.get_by_role("button", name="Stop standing by")).to_be_visible()
    dan.keyboard.press("Escape")
    expect(dan.locator(".seats li.you")).to_have_count(0)

    late = "T"
    for code, client in seats.items():
        if code != late:
            send(client, table)
    pass_time(site, 3.5)
    expect(dan.locator(".seats li.you")).to_contain_text("Dan")
    assert seats[late].ok("GET", f"/api/tables/{table}")["you"] is None
    lost = open_page(f"/table/{table}", seats[late])
    expect(lost.get_by_test_id("board")).to_be_visible()
    expect(lost.locator(".seats li.you")).to_have_count(0)
    expect(lost.get_by_test_id("lost-seat")).to_contain_text("Your time was up")


def test_whose_seat_a_bot_took_comes_back(open_page: NewPage, site: Running) -> None:
    table, seats = table_of(site, "bot")
    late = "P"
    page = open_page(f"/table/{table}", seats[late], width=360, height=740)
    expect(page.locator(".seats li.you")).to_be_visible()
    for code, client in seats.items():
        if code != late:
            send(client, table)
    pass_time(site, 3.5)
    expect(page.get_by_text("a bot is playing for you")).to_be_visible()
    other = next(client for code, client in seats.items() if code != late)
    seen = open_page(f"/table/{table}", other)
    expect(seen.get_by_text("(A bot stands in)")).to_be_visible()
    check_with_axe(page, "a bot stands in")
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.get_by_text("a bot is playing for you")).to_have_count(0)
    expect(seen.get_by_text("(A bot stands in)")).to_have_count(0)
    assert seats[late].ok("GET", f"/api/tables/{table}")["you"] == late
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
