"""Paper from the pages: a deck with its preview, one's own turn, pages as a printer gets them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import check_with_axe
from tests.web.tables import begun


def has_picture(page: Page) -> None:
    picture = page.get_by_test_id("print-preview")
    expect(picture).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=print-preview]')?.naturalWidth > 400"
    )


def pdf_behind(page: Page, name: str) -> bytes:
    href = page.get_by_test_id(name).get_attribute("href")
    assert href is not None
    answer = page.request.get(f"{page.evaluate('location.origin')}{href}")
    assert answer.ok, answer.text()
    return answer.body()


@pytest.mark.parametrize("game", ["human-resources", "cube-farm"])
def test_a_deck_is_seen_before_it_is_printed(open_page: NewPage, game: str) -> None:
    page = open_page(f"/cards/{game}")
    page.get_by_test_id("print").click()
    has_picture(page)
    check_with_axe(page, "print")
    page.get_by_label("Save ink").check()
    page.get_by_role("spinbutton", name="right").fill("0.5")
    assert "low_ink=true" in (page.get_by_test_id("print-pdf").get_attribute("href") or "")
    assert "offset=0.5%2C0" in (page.get_by_test_id("print-pdf").get_attribute("href") or "")
    assert pdf_behind(page, "print-pdf").startswith(b"%PDF-")
    for what in ("counters", "rules", "reference", "test-sheet"):
        page.get_by_test_id("print-what").select_option(what)
        has_picture(page)
        assert pdf_behind(page, "print-pdf").startswith(b"%PDF-")


def test_a_player_prints_a_turn_from_the_menu(open_page: NewPage, site: Running) -> None:
    table, people = begun(site, "cube-farm")
    page = open_page(f"/table/{table}", people[0])
    page.get_by_test_id("menu").click()
    turn, form = pdf_behind(page, "print-turn"), pdf_behind(page, "print-form")
    assert turn.startswith(b"%PDF-")
    assert form.startswith(b"%PDF-")
    assert len(form) < len(turn)
    expect(page.get_by_test_id("print-all")).to_have_count(0)


def test_who_holds_several_seats_prints_them_all_from_the_menu(
    open_page: NewPage, site: Running
) -> None:
    ann = site.client("Ann")
    seats = [{"kind": "me", "name": name} for name in ("Ida", "Udo", "Eva")]
    wish = {"game": "cube-farm", "seats": seats, "hot_seat": True}
    page = open_page(f"/table/{ann.ok('POST', '/api/tables', wish)['id']}", ann)
    page.get_by_test_id("hand-over").get_by_role("button").click()
    page.get_by_test_id("menu").click()
    assert pdf_behind(page, "print-all").startswith(b"%PDF-")


def test_a_page_on_paper_is_what_is_read(open_page: NewPage) -> None:
    page = open_page("/rules/cube-farm")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator("header.site")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator(".button:visible")).to_have_count(0)
    ink = page.locator("article p").first.evaluate("one => getComputedStyle(one).color")
    assert max(int(part) for part in ink[4:-1].split(",")) < 100, ink
