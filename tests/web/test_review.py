"""Looking back on a match: asked for on its page, drawn, explained, tried again."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.running import Client, Running
from tests.web.conftest import NewPage
from tests.web.office_desk import Hand, check_with_axe, table_for_two

pytestmark = pytest.mark.xdist_group("web-review")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """How well it is judged is tested elsewhere."""
    monkeypatch.setattr("openplan.server.tables.reviews.DEPTH", 60)


def finished(site: Running) -> tuple[str, Client, Client]:
    """A match of two who play at random."""
    table, ann, bob = table_for_two(site)
    hands, rng = {"A": Hand(ann, table), "B": Hand(bob, table)}, Random("review")
    people = {"A": ann, "B": bob}
    while to_act := ann.ok("GET", f"/api/tables/{table}")["to_act"]:
        (seat,) = to_act
        hands[seat].play(people[seat].some_move(table, rng))
    return table, ann, bob


def test_a_match_is_reviewed_and_a_mistake_is_tried_again(
    site: Running, open_page: NewPage
) -> None:
    table, ann, bob = finished(site)
    last = len(ann.ok("GET", f"/api/tables/{table}/log")["entries"])
    page = open_page(f"/table/{table}/at/{last}", ann)
    page.get_by_role("button", name="Review this match").click()
    expect(page.get_by_test_id("graph")).to_be_visible(timeout=120_000)
    found: dict[str, Any] = ann.ok("GET", f"/api/tables/{table}/review")["review"]
    assert found["moments"], "who plays at random makes mistakes"

    # A key moment opens with what it cost, what was better, and what nobody could know.
    moments = page.locator(".moments button")
    expect(moments).to_have_count(len(found["moments"]))
    first = found["moments"][0]
    (one,) = [each for each in found["decisions"] if each["entry"] == first]
    name = {"A": "Ann", "B": "Bob"}[one["seat"]]
    moments.first.click()
    expect(page).to_have_url(re.compile(rf"/at/{first}\b"))
    judged = page.get_by_test_id("judged")
    expect(judged).to_contain_text(f"This move cost {round(100 * one['cost'])}%")
    expect(judged).to_contain_text("Better:")
    expect(judged.locator("code")).to_have_count(0)
    assert not re.search(r"\b[PQMX]\d\d[dl]\b", judged.inner_text()), "cards have titles"
    # Who looks does so by the eyes of whoever had to choose.
    page.get_by_role("button", name=f"See it as {name} did").click()
    expect(page).to_have_url(re.compile(rf"/at/{first - 1}\?viewer={one['seat']}"))
    # The graph leads to the moves, from the start to the end.
    box = page.get_by_test_id("graph").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + 5)
    expect(page).to_have_url(re.compile(rf"/at/{last}\b"))
    # The sums are those of the data.
    rows = page.locator(".review tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(f"{round(100 * found['seats'][0]['accuracy'])}%")

    mine = next(each for each in found["decisions"] if each["seat"] == "A" and each["cost"] >= 0.02)
    page.goto(f"http://{site.address}/table/{table}/at/{mine['entry']}")
    judged.get_by_text("Weigh another move").click()
    judged.get_by_label("A move in notation").fill(mine["best"])
    judged.get_by_role("button", name="Weigh it").click()
    expect(judged.get_by_role("status")).to_contain_text("to win", timeout=30_000)
    judged.get_by_role("button", name="Try it again").click()
    page.wait_for_url(lambda url: "/at/" not in url and table not in url)
    again = page.url.rpartition("/")[2]
    seen = ann.ok("GET", f"/api/tables/{again}")
    assert [seat["kind"] for seat in seen["seats"]] == ["person", "bot"]

    # What is worth learning from is on one's own page; how others play is not.
    page.goto(f"http://{site.address}/person/{ann.ok('GET', '/api/me')['id']}")
    expect(page.get_by_test_id("mistakes").get_by_role("link").first).to_contain_text("with Bob")
    page.goto(f"http://{site.address}/person/{bob.ok('GET', '/api/me')['id']}")
    expect(page.get_by_test_id("against")).to_contain_text("1 match")
    expect(page.get_by_test_id("mistakes")).to_have_count(0)


def test_looking_back_everybody_sits_where_they_sat(site: Running, open_page: NewPage) -> None:
    table, ann, bob = finished(site)
    for who, viewer in ((ann, ""), (ann, "?viewer=all"), (bob, "?viewer=B")):
        page = open_page(f"/table/{table}", who)
        expect(page.locator(".seats .name")).to_contain_text(["Ann", "Bob"])
        page = open_page(f"/table/{table}/at/3{viewer}", who)
        expect(page.locator(".table .who [data-badge]")).to_have_count(2)
        badges = page.locator(".table .who .score").evaluate_all(
            "all => all.map((one) => one.dataset.zone)"
        )
        assert badges == ["scored-A", "scored-B"]


def test_the_review_fits_every_screen_and_reads_well(site: Running, open_page: NewPage) -> None:
    table, ann, _ = finished(site)
    ann.ok("POST", f"/api/tables/{table}/review")
    for width, scheme, locale in (
        (360, "dark", "de-DE"),
        (768, "light", "en-GB"),
        (1440, "dark", "en-GB"),
    ):
        page = open_page(
            f"/table/{table}/at/3", ann, width=width, color_scheme=scheme, locale=locale
        )
        expect(page.get_by_test_id("graph")).to_be_visible(timeout=120_000)
        expect(page.get_by_test_id("board")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        check_with_axe(page, f"review at {width}")


def test_of_a_match_that_goes_on_the_page_has_nothing(site: Running, open_page: NewPage) -> None:
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}/at/0", ann)
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("review")).to_have_count(0)
