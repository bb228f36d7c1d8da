"""Human Resources as it is seen: cards whole, boards large, fingers that find what they want; on a
phone, a tablet and a desk."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import (
    PHONE,
    USUAL,
    Desk,
    Hand,
    check_with_axe,
    deal_this,
    eventually,
    table_for_two,
    table_with_bot,
)

pytestmark = pytest.mark.xdist_group("web-cards")


def test_on_a_phone_fingers_find_what_they_want(site: Running, open_page: NewPage) -> None:
    table, ann, bob = table_for_two(site)
    people, rng = {"A": ann, "B": bob}, Random("large")
    # An office too large for a phone.
    for turn in range(24):
        sight = ann.ok("GET", f"/api/tables/{table}")
        if sight["outcome"] is not None:
            break
        mover = people[sight["to_act"][0]]
        mine = mover.ok("GET", f"/api/tables/{table}")
        seen = [mover.some_move(table, rng) for _ in range(12)]
        moves = [move for move in seen if move.startswith("place")] or seen
        mover.play(table, moves[0], mine["version"], f"t{turn}")
    acts = ann.ok("GET", f"/api/tables/{table}")["to_act"][0]
    page = open_page(f"/table/{table}", people[acts], **PHONE)
    desk = Desk(page)
    assert desk.is_asked()
    assert desk.middle_of("E1")[0] - desk.middle_of("0")[0] >= 39.9
    for card in page.locator(".desk .hand [data-card], .mine .play [data-card]").all():
        box = card.bounding_box()
        assert box is not None
        assert box["width"] >= 71.9
    # One row says who has what, and the board stays in sight however far one scrolls.
    row = page.locator(".seats").bounding_box()
    assert row is not None
    assert row["height"] < 60
    page.evaluate("document.querySelector('div.desk').scrollIntoView({ block: 'end' })")
    board = page.get_by_role("application").bounding_box()
    assert board is not None
    assert board["y"] >= -1
    hand = page.locator(".desk .hand").bounding_box()
    assert hand is not None
    assert hand["y"] + hand["height"] <= 740, "nothing is cut"
    assert hand["y"] >= board["y"] + board["height"], "nor covered"
    check_with_axe(page, "a large office on a phone")


def test_projects_of_both_are_large_and_the_hand_whole_on_a_phone(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, bob = table_for_two(site)
    Hand(ann, table).play("project P10d")
    Hand(bob, table).play("project P05d")
    page = open_page(f"/table/{table}", ann, **PHONE)
    desk = Desk(page)
    assert desk.is_asked()
    # Board, prompt and the whole hand, without a swipe.
    board, hand = page.get_by_role("application"), page.locator(".desk .hand")
    for found in (page.locator(".actions .prompt"), hand.locator("[data-card]").first, board):
        box = found.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 740
    page.locator(".theirs").tap()
    for zone in (".mine .play", ".other .play", ".desk .hand"):
        cards = page.locator(f"{zone} [data-card]").all()
        assert cards, zone
        for card in cards:
            box = card.bounding_box()
            assert box is not None
            assert box["width"] >= 71.9, zone


def test_on_a_phone_a_third_project_looks_in_and_all_are_counted(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P08d P11d", "P05d P07l P06d", "P04d P02l P12d P03d")
    table, ann, bob = table_for_two(site)
    for card in ("P10d", "P08d", "P11d"):
        Hand(ann, table).play(f"project {card}")
        Hand(bob, table).play(bob.some_move(table, Random(card)))
    for locale, words in (("en-GB", "My projects: 3"), ("de-DE", "Meine Projekte: 3")):
        page = open_page(f"/table/{table}", ann, **PHONE, locale=locale)
        expect(page.locator(".mine h2")).to_have_text(words)
        row = page.locator(".mine .play").bounding_box()
        third = page.locator(".mine .play [data-card]").nth(2).bounding_box()
        assert row is not None
        assert third is not None
        seen = row["x"] + row["width"] - third["x"]
        assert 10 <= seen < third["width"]


def test_on_a_tablet_the_board_has_its_width(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann, width=768, height=1024, has_touch=True)
    desk = Desk(page)
    assert desk.is_asked()
    board = page.get_by_role("application").bounding_box()
    mine = page.locator(".mine").bounding_box()
    hand = page.locator(".desk .hand").bounding_box()
    assert board is not None
    assert mine is not None
    assert hand is not None
    assert board["width"] >= 768 * 0.64
    assert mine["x"] + mine["width"] <= board["x"], "projects stand beside the board"
    assert mine["y"] < 1024
    assert board["y"] + board["height"] <= hand["y"]
    assert hand["y"] + hand["height"] <= 1024
    assert page.evaluate("document.documentElement.scrollWidth") <= 768


def test_a_swipe_over_a_board_that_is_all_seen_scrolls_the_page(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann, **PHONE)
    desk = Desk(page)
    assert desk.is_asked()
    page.evaluate("scrollTo(0, 0)")
    x, y = desk.middle_of("0")

    def lies() -> float:
        """Where the office lies in its window, which scrolls."""
        found: float = page.evaluate(
            "new DOMMatrix(getComputedStyle(document.querySelector('g.camera')).transform).f"
        )
        return found

    before = lies()
    touch = page.context.new_cdp_session(page)
    for kind, at in (("touchStart", y), *(("touchMove", y - n * 20) for n in range(1, 8))):
        points = [{"x": x, "y": at}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    eventually(lambda: page.evaluate("scrollY") > 50)
    assert lies() == pytest.approx(before, abs=1)


def test_on_a_desk_the_board_is_the_hero_and_the_log_is_read(
    site: Running, open_page: NewPage
) -> None:
    table, ann = table_with_bot(site, "clerk")
    page = open_page(f"/table/{table}", ann, width=1440, height=900)
    desk, rng = Desk(page), Random("desk")
    for _ in range(6):
        assert desk.is_asked()
        desk.any_move(rng)
    assert desk.is_asked()
    board = page.get_by_role("application").bounding_box()
    assert board is not None
    assert board["width"] >= 1440 * 0.64
    log = page.get_by_role("list", name="Moves")
    newest = log.get_by_role("listitem").first.bounding_box()
    frame = log.bounding_box()
    assert newest is not None
    assert frame is not None
    assert newest["y"] >= frame["y"] - 1
    assert newest["y"] + newest["height"] <= frame["y"] + frame["height"] + 1
    assert page.evaluate("document.querySelector('div.desk').getBoundingClientRect().bottom <= 900")
    expect(page.locator("[data-portrait=clerk]").first).to_be_visible()


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_titles_are_whole_and_values_never_lie_on_the_pattern(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    deal_this(monkeypatch, "P04l M07d P02l", "P05d P13l Q02d", "P08d")
    table, *people = table_for_two(site)
    sizes: list[dict[str, Any]] = [{"width": 1440, "height": 900}, PHONE]
    for person, size in product(people, sizes):
        page = open_page(f"/table/{table}", person, locale=language, **size)
        page.wait_for_selector(".desk .hand [data-card]")
        found = page.evaluate(
            """() => [...document.querySelectorAll('.desk .hand [data-card]')].flatMap((card) => {
                const box = (query) => card.querySelector(query)?.getBoundingClientRect();
                const [head, title, value, art] = ['.head', '.title', '.value i', '.art'].map(box);
                const faults = [];
                if (title.right > head.right + 0.5) faults.push('wide');
                if (title.bottom > head.bottom + 0.5) faults.push('high');
                if (value && value.bottom > art.top + 0.5) faults.push('value on the pattern');
                return faults.map((fault) => `${card.dataset.card} ${fault}`);
            })"""
        )
        assert found == []
        # Dark and light are told apart by a word.
        dark = page.locator(".desk .hand [data-card$=d] .kind").first
        expect(dark).to_contain_text("dark" if language == "en-GB" else "dunkel")


# How a card is drawn at any size: faults of those found by the query.
FAULTS = """(query) => [...document.querySelectorAll(query)].flatMap((card) => {
    const box = (part) => card.querySelector(part)?.getBoundingClientRect();
    const [head, title, value, art] = ['.head', '.title', '.value i', '.art'].map(box);
    const faults = [];
    if (title.right > head.right + 0.5) faults.push('wide');
    if (title.bottom > head.bottom + 0.5) faults.push('high');
    if (card.querySelector('.title').scrollWidth > head.width + 0.5) faults.push('cut');
    if (value && value.bottom > art.top + 0.5) faults.push('value on the pattern');
    const name = card.querySelector('.title').textContent;
    return faults.map((fault) => `${name}: ${fault}`);
})"""


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_every_card_of_the_deck_is_drawn_whole_on_a_phone(
    open_page: NewPage, language: str
) -> None:
    page = open_page("/cards/human-resources", locale=language, **PHONE)
    page.wait_for_selector(".cards .card")
    assert page.locator(".cards .card").count() > 40
    assert page.evaluate(FAULTS, ".cards .card") == []
    # The same cards as small as they are in a hand.
    page.evaluate(
        """() => document.querySelectorAll('.cards .card').forEach((card) => {
            card.classList.replace('full', 'small');
            card.querySelector('.text')?.remove();
            card.style.width = '5.4rem';
        })"""
    )
    assert page.evaluate(FAULTS, ".cards .card") == []


def test_the_joke_is_on_the_card_where_there_is_room(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann, width=768, height=1024)
    assert Desk(page).is_asked()
    jokes = page.locator(".desk .hand .quip")
    for joke in jokes.all():
        expect(joke).to_be_visible()
    # On a phone the card that is lifted tells its own.
    page = open_page(f"/table/{table}", ann, **PHONE)
    desk = Desk(page)
    assert desk.is_asked()
    card = desk.seen()["hand"][0]
    joke = page.locator(f".desk .hand [data-card={card}] .quip")
    expect(joke).to_be_hidden()
    desk.choose(card)
    expect(joke).to_be_visible()
    page.locator("[data-back]").tap()
    expect(joke).to_be_hidden()
