"""No page moves under somebody's eyes while it comes: layout shift, as the browser counts it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from openplan.server.ops.operator import act_page
from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.farm_desk import FarmDesk
from tests.web.office_desk import eventually
from tests.web.tables import begun, move_of, on_turn

pytestmark = pytest.mark.xdist_group("web-site")

MOST = 0.05
SHAPES = {"phone": (360, 740), "desk": (1440, 900)}
PAGES = [
    "/",
    "/rules/human-resources",
    "/cases/cube-farm",
    "/cards/human-resources",
    "/cards/cube-farm",
    "/learn/human-resources",
    "/learn/cube-farm",
    "/ladder",
    "/new",
    "/decks",
    "/account",
    "/nowhere/to/be/found",
]

_WATCH = """() => {
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
            const name = ({ node }) => node?.parentElement?.className || node?.nodeName;
            const moved = entry.sources.map(name);
            window.shifts.push([entry.value, moved.join(', ')]);
        }
    }).observe({ type: 'layout-shift', buffered: true });
}"""


def shift(page: Any) -> tuple[float, list[Any]]:
    page.evaluate(_WATCH)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    shifts: list[Any] = page.evaluate("window.shifts")
    return sum(value for value, _ in shifts), shifts


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("path", PAGES)
def test_pages_stand_still(site: Running, open_page: NewPage, path: str, shape: str) -> None:
    width, height = SHAPES[shape]
    total, shifts = shift(open_page(path, site.client("Ann"), width=width, height=height))
    assert total <= MOST, shifts


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("game", ["human-resources", "cube-farm"])
def test_tables_stand_still(site: Running, open_page: NewPage, game: str, shape: str) -> None:
    table, people = begun(site, game)
    width, height = SHAPES[shape]
    for path in (f"/table/{table}", f"/table/{table}/at/0"):
        total, shifts = shift(open_page(path, people[0], width=width, height=height))
        assert total <= MOST, (path, shifts)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_table_stands_still_while_moves_are_made(
    site: Running, open_page: NewPage, shape: str
) -> None:
    width, height = SHAPES[shape]
    table, people = begun(site, "human-resources")
    page = open_page(f"/table/{table}", people[0], width=width, height=height)
    page.wait_for_selector("[data-card]")
    shift(page)
    rng = Random("still")
    for name in ("You", "Bob") if on_turn(people, table) is people[0] else ("Bob", "You"):
        move_of(on_turn(people, table), table, rng)
        expect(page.get_by_test_id("told")).to_contain_text(name)
    total, shifts = shift(page)
    assert total <= MOST, shifts


@pytest.mark.parametrize("shape", SHAPES)
def test_a_turn_of_sealed_orders_is_opened_without_a_jump(
    site: Running, open_page: NewPage, shape: str
) -> None:
    width, height = SHAPES[shape]
    table, people = begun(site, "cube-farm")
    page = open_page(f"/table/{table}", people[0], width=width, height=height)
    page.wait_for_selector(".card-button")
    shift(page)
    rng = Random("still")
    for person in people[1:]:
        move_of(person, table, rng)
    FarmDesk(page).send_nothing()
    expect(page.locator("[data-playbar]")).to_be_visible()
    total, shifts = shift(page)
    assert total <= MOST, shifts


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("game", ["human-resources", "cube-farm"])
def test_what_is_over_stands_still(
    site: Running, open_page: NewPage, game: str, shape: str
) -> None:
    width, height = SHAPES[shape]
    table, people = begun(site, game)
    rng = Random("over")
    if game == "human-resources":
        for _ in range(4):
            move_of(on_turn(people, table), table, rng)
    else:
        for person in people:
            move_of(person, table, rng)
    for person in people[::-1]:
        if person.ok("GET", f"/api/tables/{table}")["outcome"] is None:
            person.ok("POST", f"/api/tables/{table}/resign")
    if game == "cube-farm":
        # What is sealed was not seen yet: somebody opens it, here or elsewhere.
        page = open_page(f"/table/{table}", people[0])
        page.locator("[data-open]").click()
        expect(page.get_by_test_id("result")).to_be_visible()
        seen = f"/api/tables/{table}/seen"
        eventually(lambda: people[0].ok("GET", seen)["turn"] == 1)
    page = open_page(f"/table/{table}", people[0], width=width, height=height)
    expect(page.get_by_test_id("result")).to_be_visible()
    total, shifts = shift(page)
    assert total <= MOST, shifts
    # And from one moment to the next.
    page = open_page(f"/table/{table}/at/2", people[0], width=width, height=height)
    total, shifts = shift(page)
    assert total <= MOST, shifts
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/at/3")
    total, shifts = shift(page)
    assert total <= MOST, ("the next moment", shifts)


@pytest.mark.parametrize("shape", SHAPES)
def test_pages_of_somebody_stand_still(site: Running, open_page: NewPage, shape: str) -> None:
    """A deck at work and as others see it, a waiting room from both sides, a person, a table's
    master, the operator."""
    ann = site.client("Ann")
    decks = [
        ann.ok("POST", "/api/me/decks", {"source": "house", "game": game})["id"]
        for game in ("human-resources", "cube-farm")
    ]
    for deck in decks:
        ann.ok("PATCH", f"/api/decks/{deck}", {"shared": "link"})
    table = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    led = ann.ok("POST", "/api/tables", {"game": "cube-farm"})["id"]
    invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
    person = ann.ok("GET", "/api/me")["id"]
    stranger = site.client("Ben")
    operator = site.run(act_page(site.site, {})).partition("/operator")[2]
    visits = [
        *((f"/decks/{deck}", who) for deck in decks for who in (ann, stranger)),
        (f"/table/{table}", ann),
        (f"/table/{table}?invite={invite}", stranger),
        (f"/table/{led}/master", ann),
        (f"/person/{person}", stranger),
        (f"/operator{operator}", None),
    ]
    width, height = SHAPES[shape]
    for path, who in visits:
        page = open_page(path, who, width=width, height=height)
        total, shifts = shift(page)
        expect(page.locator("h1").first).to_be_attached()
        assert total <= MOST, (path, shifts)
