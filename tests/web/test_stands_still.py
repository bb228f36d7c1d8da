"""No page moves under somebody's eyes while it comes: layout shift, as the browser counts it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from openplan.server.ops.operator import act_page
from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.tables import begun

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
