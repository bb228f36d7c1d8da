"""What is pressed while the server has not answered yet is not lost: its answers are kept back here
until the test lets them go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import Desk

pytestmark = pytest.mark.xdist_group("web-site")


@contextmanager
def kept_back(page: Page, asked: str) -> Iterator[None]:
    """Questions to such addresses stay without an answer until the end."""
    routes: list[Route] = []
    is_over = False

    def keep(route: Route) -> None:
        if is_over:
            route.continue_()
        else:
            routes.append(route)

    page.route(asked, keep)
    yield
    is_over = True
    for route in routes:
        route.continue_()


def test_a_card_pressed_at_once_is_chosen(open_page: NewPage, site: Running) -> None:
    """The hand lies there before it is known what can be done with it."""
    page = open_page("/nowhere-yet", width=360, height=740, has_touch=True)
    desk = Desk(page)
    card = page.locator(".desk .hand [data-card=P03l]")
    with kept_back(page, "**/lesson/options"):
        with page.expect_request("**/lesson/options"):
            page.goto(f"http://{site.address}/learn/human-resources")
        card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    # Nor is a square lost that is pressed before it is known where the card may lie.
    desk.settled()
    card.click()
    expect(card).to_have_attribute("aria-pressed", "false")
    with kept_back(page, "**/lesson/options"):
        card.click()
        page.touchscreen.tap(*desk.middle_of("E2"))
    expect(page.locator("[data-confirm]")).to_be_visible()


def test_a_lesson_answers_a_move_once(open_page: NewPage) -> None:
    page = open_page("/learn/human-resources")
    desk = Desk(page)
    assert desk.is_asked()
    desk.choose("P03l")
    desk.tap("E2")
    asked = []
    page.on("request", lambda one: asked.append(one.url.rpartition("/")[2]))
    with page.expect_response("**/lesson/options"):
        desk.confirm()
    assert asked.count("lesson") == 1


def test_a_press_means_the_square_that_is_seen(open_page: NewPage, site: Running) -> None:
    """Also while the floor glides to where all of it can be seen; here it takes its time."""
    page = open_page("/nowhere-yet", reduced_motion="no-preference")
    page.add_init_script(SLOW)
    page.goto(f"http://{site.address}/learn/human-resources")
    desk = Desk(page)
    assert desk.is_asked()
    desk.choose("P03l")
    desk.tap("E2")
    expect(page.locator("[data-confirm]")).to_be_visible()
    assert "E2" in desk.cubicles()


SLOW = """
addEventListener('DOMContentLoaded', () => {
    document.documentElement.style.setProperty('--calm', '30s');
});
"""
