"""Human Resources as it is felt: one thing at a time, what happened told and marked, the way back,
the ending, the settings; on a phone, on a desk, and over a slow network."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from itertools import product
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import (
    Desk,
    Hand,
    check_with_axe,
    deal_this,
    eventually,
    table_for_two,
    table_with_bot,
)

pytestmark = pytest.mark.xdist_group("web-direction")

# Hands and the top of the deck, with which Ann begins.
USUAL = ("P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


# Everything that the page tells from now on, with the millisecond in which it came.
WATCH = """() => {
    window.shown = [];
    const text = (query) => document.querySelector(query)?.innerText.trim() ?? '';
    const look = () =>
        window.shown.push([performance.now(), text('[data-testid=told]'), text('.waiting')]);
    const what = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.body, what);
}"""


def told(page: Page) -> str:
    return page.get_by_test_id("told").inner_text()


def marks(page: Page) -> int:
    return page.locator("path.marked").count()


# -- One thing at a time -----------------------------------------------------------------------


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_my_move_is_seen_alone_before_the_bots_comes(
    site: Running, open_page: NewPage, motion: str
) -> None:
    table, ann = table_with_bot(site, "clerk")
    page = open_page(f"/table/{table}", ann, speed="calm", reduced_motion=motion)
    desk = Desk(page)
    assert desk.is_asked()
    desk.choose(desk.seen()["hand"][0])
    desk.tap("E2")
    page.evaluate(WATCH)
    page.locator("[data-confirm]").click()
    expect(page.get_by_test_id("told")).to_contain_text("Clerk", timeout=20_000)
    shown: list[tuple[float, str, str]] = page.evaluate("() => window.shown")
    mine = [(at, waits) for at, tells, waits in shown if tells.startswith("You place")]
    bots = [at for at, tells, _ in shown if tells.startswith("Clerk")]
    # The bot thinks, whatever it has answered by now; and nobody is asked.
    assert "Clerk is thinking." in [waits for _, waits in mine]
    assert bots[0] - mine[0][0] > 600
    assert "You" not in told(page)
    assert desk.is_asked()
    seen, marked = told(page), marks(page)
    # It stays to be seen while I choose, and after a reload.
    desk.choose(desk.seen()["hand"][0])
    assert told(page) == seen
    page.reload()
    assert desk.is_asked()
    assert (told(page), marks(page)) == (seen, marked)


def test_who_was_away_sees_what_came_since(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P10l P07l P05d", "P08d P02l P11d P03d")
    table, ann, bob = table_for_two(site)
    page = open_page(f"/table/{table}", ann, speed="calm")
    desk, other = Desk(page), Hand(bob, table)
    assert desk.is_asked()
    Hand(ann, table).play("project P10d")
    expect(page.get_by_test_id("told")).to_contain_text("You start Short Queue")
    other.play("project P10l")
    expect(page.get_by_test_id("told")).to_contain_text("Bob starts Short Queue")
    page.goto(f"http://{site.address}/rules/human-resources")
    Hand(ann, table).play("place M01l E2")
    other.play("place P05d E3")
    assert other.view()["points"] == {"A": 0, "B": 1}
    score = page.locator("[data-zone=scored-B] strong")
    page.goto(f"http://{site.address}/table/{table}")
    expect(page.get_by_test_id("since")).to_contain_text("Since your last visit: 2 moves")
    # What Bob has scored is not given away before it is seen.
    expect(score).to_have_text("0")
    expect(page.get_by_test_id("told")).to_contain_text("Bob places", timeout=15_000)
    expect(score).to_have_text("1")
    assert desk.is_asked()
    expect(page.get_by_test_id("since")).to_have_count(0)
    # Once seen, it is not shown again.
    page.reload()
    assert desk.is_asked()
    expect(page.get_by_test_id("since")).to_have_count(0)
    expect(page.get_by_test_id("told")).to_contain_text("Bob places")


def test_what_was_seen_is_seen_on_another_device_too(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P10l P07l P05d", "P08d P02l P11d P03d")
    table, ann, bob = table_for_two(site)
    here = Desk(page := open_page(f"/table/{table}", ann))
    other = Hand(bob, table)
    Hand(ann, table).play("project P10d")
    other.play("project P10l")
    expect(page.get_by_test_id("told")).to_contain_text("Bob starts Short Queue")
    assert here.is_asked()
    page.goto(f"http://{site.address}/rules/human-resources")
    eventually(lambda: ann.ok("GET", f"/api/tables/{table}/seen")["entry"] > 0)
    Hand(ann, table).play("place M01l E2")
    other.play("place P05d E3")
    # A browser that has never been here plays what came since, and nothing before.
    there = open_page(f"/table/{table}", ann, speed="calm")
    expect(there.get_by_test_id("since")).to_contain_text("Since your last visit: 2 moves")
    expect(there.locator("[data-zone=scored-B] strong")).to_have_text("0")
    expect(there.get_by_test_id("told")).to_contain_text("Bob places", timeout=15_000)
    assert Desk(there).is_asked()
    last = ann.ok("GET", f"/api/tables/{table}")["version"]
    eventually(lambda: ann.ok("GET", f"/api/tables/{table}/seen")["entry"] == last)
    # And the first one plays none of it twice.
    page.goto(f"http://{site.address}/table/{table}")
    assert here.is_asked()
    expect(page.get_by_test_id("told")).to_contain_text("Bob places")
    expect(page.get_by_test_id("since")).to_have_count(0)


def test_points_are_stamped_on_their_squares_and_count_into_the_score(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, bob = table_for_two(site)
    desk = Desk(open_page(f"/table/{table}", ann, speed="calm", reduced_motion="no-preference"))
    across = Desk(open_page(f"/table/{table}", bob))
    Hand(ann, table).play("project P10d")
    Hand(bob, table).play("project P05d")
    assert desk.is_asked()
    desk.choose("P01d")
    desk.tap("W1")
    desk.says("Completes Short Queue: 1 point")
    page = desk.page
    page.locator("[data-confirm]").click()
    score = page.locator("[data-zone=scored-A]")
    expect(page.locator("[data-stamp]")).to_contain_text("DONE +1")
    expect(score.locator("em")).to_have_text("+1")
    expect(score.locator("strong")).to_have_text("1")
    # Without motion the same is seen.
    expect(across.page.locator("[data-stamp]")).to_have_attribute("data-glow", "W1 0 E1")
    expect(across.page.locator("[data-zone=scored-A] em")).to_have_text("+1")
    # On a phone too the number is not hidden by what was added to it.
    across.page.set_viewport_size({"width": 360, "height": 740})
    number, more = (
        across.page.locator(f"[data-zone=scored-A] {part}").bounding_box()
        for part in ("strong", "em")
    )
    assert number is not None
    assert more is not None
    assert more["y"] >= number["y"] + number["height"] - 4
    across.page.set_viewport_size({"width": 1280, "height": 800})
    across.page.reload()
    expect(across.page.locator("[data-stamp]")).to_contain_text("DONE +1")
    # Points open into the cards they come from.
    score.click()
    expect(page.get_by_role("dialog")).to_contain_text("Short Queue")


def test_speed_none_waits_for_nothing(site: Running, open_page: NewPage) -> None:
    table, ann = table_with_bot(site, "random")
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    desk.choose(desk.seen()["hand"][0])
    desk.tap("E2")
    page.locator("[data-confirm]").click()
    expect(page.get_by_test_id("told")).to_contain_text("Random bot")


# -- What am I doing ---------------------------------------------------------------------------


def test_the_goal_is_always_there_and_every_action_says_what_it_does(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "M07d P15l Q02l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann, width=1440, height=900)
    desk = Desk(page)
    assert desk.is_asked()
    goal = page.get_by_test_id("goal")
    expect(goal).to_have_text("Most points when the deck runs out: 44 cards left")
    desk.choose("P15l")
    step = page.locator("[data-step]")
    expect(step.filter(has_text="Place")).to_contain_text("Lay it face down as a light cubicle.")
    expect(step.filter(has_text="Start")).to_contain_text("4 points once its pattern stands")
    desk.step("project")
    expect(page.locator("[data-confirm]")).to_have_text(
        "Start Hot Desking: 4 points once its pattern stands"
    )
    desk.choose("M07d")
    expect(page.locator("[data-step=hire]")).to_contain_text("Play two more cards")
    desk.step("hire")
    expect(page.locator("[data-confirm]")).to_have_text(
        "Hire Multitasking Manager: two more plays, then draw one"
    )
    # What cannot be done yet is no error.
    desk.choose("Q02l")
    desk.says("Not yet: No other card in hand.")
    expect(page.locator(".objection")).to_have_count(0)
    desk.tap("0")
    expect(page.locator(".objection")).to_have_text("Square 0 is already taken.")
    expect(goal).to_be_visible()


def test_the_board_stands_still_and_the_hand_keeps_its_order(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P15d P02l M04d", "P05d P07l P06d", "P01d P02d P11d")
    table, ann, bob = table_for_two(site)
    page = open_page(f"/table/{table}", ann, width=1440, height=900)
    desk = Desk(page)
    assert desk.is_asked()

    def hand() -> list[str]:
        cards: list[str] = page.eval_on_selector_all(
            ".desk .hand [data-card]", "all => all.map((one) => one.dataset.card)"
        )
        return cards

    first, before = desk.middle_of("0"), hand()
    frame = page.get_by_role("application").bounding_box()
    steps: list[Callable[[], None]] = [
        lambda: desk.choose("M04d"),
        lambda: desk.step("hire"),
        lambda: desk.tap("E1"),
        lambda: desk.choose("P15d"),
        lambda: desk.step("project"),
    ]
    for step in steps:
        step()
        assert desk.middle_of("0") == pytest.approx(first, abs=1)
        assert page.get_by_role("application").bounding_box() == frame
    desk.confirm()
    Hand(bob, table).play("project P05d")
    assert desk.is_asked()
    mine = [*(card for card in before if card != "P15d"), "P01d"]
    assert hand() == mine != sorted(mine)
    page.reload()
    assert desk.is_asked()
    assert hand() == mine


def test_an_order_of_four_is_not_thrown_away_by_its_last_card(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(
        monkeypatch, "M09d X04l M07d", "P05d P07l P06d", "P10l P01d P02d P03l P04d", promo=True
    )
    table, ann, _ = table_for_two(site, {"promo": "yes"})
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    desk.choose("X04l")
    desk.step("hire")
    desk.confirm()
    page.wait_for_selector(".tray [data-card]")
    for card in ("P03l", "P01d", "P10l", "P02d", "P02d"):
        page.locator(f".tray [data-card={card}]").click()
        desk.settled()
    picked = page.locator(".tray [aria-pressed=true]")
    expect(picked).to_have_count(4)
    expect(page.locator("[data-confirm]")).to_have_text("Put the 4 cards back in this order")


def test_a_card_looked_at_never_takes_a_click(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    card = page.locator(".desk .hand [data-card]").first
    card.hover()
    peek = page.locator("[data-peek]")
    expect(peek).to_be_visible()
    box = peek.bounding_box()
    assert box is not None
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    under = "([x, y]) => document.elementFromPoint(x, y).closest('[data-peek]') === null"
    assert page.evaluate(under, middle)
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")


def test_a_move_that_revealed_nothing_can_be_taken_back(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "M07d P15l P02l", "P05d P07l P06d", "P08d P02d P11d")
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    expect(page.get_by_test_id("take-back")).to_have_count(0)
    desk.choose("M07d")
    desk.step("hire")
    desk.confirm()
    desk.says("Two more cards to play")
    page.get_by_test_id("take-back").click()
    desk.says("Your turn: choose a card.")
    expect(page.locator(".desk .hand [data-card=M07d]")).to_be_visible()


@pytest.mark.parametrize("way", ["strict", "friendly"])
def test_the_way_back_is_offered_where_there_is_one(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, bob = table_for_two(site, take_back=way)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    take_back = page.get_by_test_id("take-back")

    def in_the_menu() -> list[str]:
        page.get_by_test_id("menu").click()
        panel = page.get_by_role("dialog")
        found: list[str] = panel.get_by_role("button").all_inner_texts()
        panel.get_by_role("button", name="Close").click()
        return [text for text in found if "take back" in text.lower()]

    assert in_the_menu() == []
    # Whoever plays draws a card, and what was seen cannot be unseen.
    Hand(ann, table).play("project P10d")
    expect(page.get_by_test_id("told")).to_contain_text("You start Short Queue")
    if way == "strict":
        expect(take_back).to_have_count(0)
        assert in_the_menu() == []
        return
    # Also while the other thinks; and once it is asked for, not again.
    expect(take_back).to_have_text("Ask to take back")
    assert in_the_menu() == ["Ask to take back my last move"]
    take_back.click()
    expect(take_back).to_have_count(0)
    assert in_the_menu() == []
    number = bob.ok("GET", f"/api/tables/{table}")["offers"][0]["number"]
    bob.ok("POST", f"/api/tables/{table}/take-back", {"number": number})
    desk.says("Your turn: choose a card.")
    expect(page.locator(".desk .hand [data-card=P10d]")).to_be_visible()


# -- Cards, phone and desk -----------------------------------------------------------------------


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


# -- At one screen -------------------------------------------------------------------------------


def test_at_one_screen_the_others_move_is_seen_in_nobodys_view(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    ada = site.client("Ada")
    seats = [{"kind": "me", "name": name} for name in ("Ann", "Bob")]
    wish = {"game": "human-resources", "hot_seat": True, "seats": seats}
    table = ada.ok("POST", "/api/tables", wish)["id"]
    page = open_page(f"/table/{table}", ada, speed="calm")
    page.get_by_test_id("hand-over").get_by_role("button").click()
    desk = Desk(page)
    assert desk.is_asked()
    desk.choose("P10d")
    desk.step("project")
    desk.confirm()
    page.get_by_test_id("pass").click()
    # What Ann has done is told to all, before Bob has sat down: nobody's cards are here.
    expect(page.get_by_test_id("told")).to_contain_text("Ann starts Short Queue")
    expect(page.get_by_test_id("hand-over")).to_be_visible()
    assert page.locator(".desk .hand [data-card]").count() == 0
    page.get_by_test_id("hand-over").get_by_role("button").click()
    assert desk.is_asked()
    expect(page.get_by_test_id("told")).to_contain_text("Ann starts Short Queue")
    expect(page.get_by_test_id("since")).to_have_count(0)
    assert set(desk.seen()["hand"]) == {"P05d", "P07l", "P06d"}


# -- Settings ------------------------------------------------------------------------------------


def test_settings_are_chosen_kept_and_followed(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    page.evaluate("localStorage.removeItem('openplan.settings')")
    desk = Desk(page)
    assert desk.is_asked()
    sound = page.get_by_test_id("sound")
    expect(sound).to_have_attribute("aria-label", "Turn the sound on")
    sound.click()
    expect(sound).to_have_attribute("aria-label", "Mute")
    expect(page.locator(".rim text")).to_have_count(0)
    page.get_by_test_id("settings").click()
    panel = page.get_by_role("dialog")
    check_with_axe(page, "settings")
    panel.get_by_label("Names of the squares on the rim").check()
    panel.get_by_label("Ask before a move is sent").uncheck()
    panel.get_by_label("At once").check()
    panel.get_by_role("button", name="Close").click()
    expect(page.locator(".rim text").first).to_be_visible()
    page.reload()
    assert desk.is_asked()
    expect(sound).to_have_attribute("aria-label", "Mute")
    expect(page.locator(".rim text").first).to_be_visible()
    # A move that is clear is sent without a last question.
    desk.choose(desk.seen()["hand"][0])
    desk.tap("E2")
    expect(page.get_by_test_id("told")).to_contain_text("You place")


def test_what_is_heard_is_made_here_and_only_if_wished_for(
    site: Running, open_page: NewPage
) -> None:
    table, ann = table_with_bot(site, "random")
    page = open_page(f"/table/{table}", ann)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.evaluate(
        """() => {
            window.heard = 0;
            const real = AudioContext.prototype.createGain;
            AudioContext.prototype.createGain = function () {
                window.heard += 1;
                return real.call(this);
            };
        }"""
    )
    desk, rng = Desk(page), Random("heard")
    assert desk.is_asked()
    desk.any_move(rng)
    assert desk.is_asked()
    assert page.evaluate("window.heard") == 0
    assert not [url for url in asked if "synth" in url]
    page.get_by_test_id("sound").click()
    eventually(lambda: page.evaluate("window.heard") > 0)
    before = page.evaluate("window.heard")
    desk.any_move(rng)
    eventually(lambda: page.evaluate("window.heard") > before)


# Tones that begin and buzzes, from now on; a bell rings at 1760, a chime begins at 784.
LISTEN = """() => {
    window.tones = [];
    window.buzzes = [];
    const real = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        const made = real.call(this);
        const set = made.frequency.setValueAtTime.bind(made.frequency);
        made.frequency.setValueAtTime = (tone, at) => {
            window.tones.push(Math.round(tone));
            return set(tone, at);
        };
        return made;
    };
    navigator.vibrate = (pattern) => window.buzzes.push(pattern) > 0;
}"""


def test_points_chime_and_the_turn_rings_once(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, bob = table_for_two(site)
    Hand(ann, table).play("project P10d")
    Hand(bob, table).play("project P05d")
    page = open_page(f"/table/{table}", ann, speed="quick", settings={"sound": True})
    desk = Desk(page)
    assert desk.is_asked()
    page.evaluate(LISTEN)
    # Whoever opens the page on their turn has it before them.
    desk.choose("P01d")
    desk.tap("W1")
    assert page.evaluate("window.buzzes") == []
    desk.confirm()
    eventually(lambda: page.evaluate("window.tones.includes(784)"))
    eventually(lambda: page.evaluate("window.buzzes") == [[25, 60, 40]])
    assert 1760 not in page.evaluate("window.tones")
    page.evaluate("window.tones = []")
    Hand(bob, table).play("place P07l E1N1")
    assert desk.is_asked()
    eventually(lambda: page.evaluate("window.tones.includes(1760)"))
    assert page.evaluate("window.tones.filter((tone) => tone === 1760).length") == 1
    assert 784 not in page.evaluate("window.tones"), "nobody has scored"
    assert page.evaluate("window.buzzes") == [[25, 60, 40], [40]]
    # Who wishes for none of it has none.
    page.get_by_test_id("sound").click()
    page.get_by_test_id("settings").click()
    page.get_by_role("dialog").get_by_label("Vibration").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.evaluate("window.tones = []; window.buzzes = []")
    Hand(ann, table).play("place P08d W2")
    Hand(bob, table).play(bob.some_move(table, Random(1)))
    assert desk.is_asked()
    expect(page.get_by_test_id("told")).to_contain_text("Bob")
    assert page.evaluate("[window.tones, window.buzzes]") == [[], []]


# -- Slow networks -------------------------------------------------------------------------------


def test_choosing_a_card_answers_at_once_however_slow_the_network(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    hand = desk.seen()["hand"]
    # A person looks at the hand before they choose: what each card may do is asked for meanwhile.
    page.wait_for_load_state("networkidle")
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    for card in hand:
        desk.choose(card)
        expect(page.locator(f".desk .hand [data-card={card}]")).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(page.locator("[data-step]").first).to_be_visible()


def test_a_chosen_card_rises_within_50_ms_while_every_answer_takes_800(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    # From here on nothing is answered sooner; the pieces of the page are here.
    page.evaluate(
        """() => {
            const real = window.fetch;
            window.fetch = async (...asked) => {
                await new Promise((done) => setTimeout(done, 800));
                return real(...asked);
            };
        }"""
    )
    Desk(page).is_asked()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2_000)
    # From the press to the frame in which the card stands out, its ways are there and squares glow.
    took: list[float] = page.evaluate(
        """async () => {
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            const all = (query) => document.querySelectorAll(query).length;
            const took = [];
            for (let round = 0; round < 3; round += 1)
                for (const card of document.querySelectorAll('.desk .hand [data-card]')) {
                    const began = performance.now();
                    card.click();
                    do await frame();
                    while (
                        performance.now() - began < 3000 &&
                        !(card.ariaPressed === 'true' && all('[data-step]') && all('[data-choose]'))
                    );
                    took.push(performance.now() - began);
                    document.querySelector('[data-back]').click();
                    await frame();
                    await frame();
                }
            return took;
        }"""
    )
    # The machine may be busy with other tests: the best of some says what the page needs.
    assert len(took) == 9
    assert min(took) < 50, took
    assert max(took) < 800, "none of them waited for an answer"


class Wire:
    """A network between a browser and the server that can go silent: nobody hangs up."""

    def __init__(self, address: str) -> None:
        host, port = address.split(":")
        self.to = (host, int(port))
        self.is_silent = False
        self.sockets: list[socket.socket] = []
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.door.getsockname()[1]}"
        self._start(self._open)

    def _start(self, work: Callable[..., None], *given: Any) -> None:
        threading.Thread(target=work, args=given, daemon=True).start()

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                near, far = self.door.accept()[0], socket.create_connection(self.to)
                self.sockets += [near, far]
                self._start(self._carry, near, far)
                self._start(self._carry, far, near)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(65_536):
                while self.is_silent:
                    time.sleep(0.02)
                far.sendall(data)
            far.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.is_silent = False
        for one in (self.door, *self.sockets):
            one.close()


def test_a_network_that_goes_silent_is_said_within_three_seconds(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    with closing(Wire(site.address)) as wire:
        page = open_page("/rules/human-resources", ann)
        page.goto(f"http://{wire.address}/table/{table}")
        assert Desk(page).is_asked()
        page.evaluate(
            """() => {
                const look = () => {
                    const is = document.querySelector('.banner[role=alert]') !== null;
                    if (is) window.lost ??= performance.now();
                };
                const what = { subtree: true, childList: true };
                new MutationObserver(look).observe(document.body, what);
            }"""
        )
        # While nothing is to be told, nothing is lost.
        page.wait_for_timeout(6_000)
        assert page.evaluate("window.lost") is None
        wire.is_silent = True
        began = page.evaluate("performance.now()")
        expect(page.get_by_text("Connection lost.")).to_be_visible(timeout=15_000)
        assert page.evaluate("window.lost") - began <= 3_000
        # It is back before anybody has hung up: so is the table.
        wire.is_silent = False
        expect(page.get_by_text("Connection lost.")).to_have_count(0)
        # Silent for long, it is given up, and another one found.
        sockets = len(wire.sockets)
        wire.is_silent = True
        eventually(lambda: len(wire.sockets) > sockets)
        wire.is_silent = False
        expect(page.get_by_text("Connection lost.")).to_have_count(0)


def test_a_lost_network_is_said_and_the_choice_is_kept(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    card = desk.seen()["hand"][0]
    desk.choose(card)
    desk.tap("E2")
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible(timeout=5_000)
    expect(page.locator("[data-confirm]")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(False)
    expect(page.get_by_text("You are offline.")).to_have_count(0, timeout=20_000)
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.wait_for_timeout(300)
    assert not [url for url in asked if "/options" in url], "the choice was begun anew"
    page.reload()
    expect(page.locator("[data-confirm]")).to_contain_text("at E2")
    assert "E2" in desk.cubicles()
    desk.confirm()
    expect(page.get_by_test_id("told")).to_contain_text("You place")


# -- The ending ------------------------------------------------------------------------------------


def test_the_ending_is_worth_a_picture(site: Running, open_page: NewPage) -> None:
    table, ann = table_with_bot(site, "intern", hints=True)
    page = open_page(f"/table/{table}", ann)
    desk, rng = Desk(page), Random("ending")
    while desk.is_asked():
        desk.any_move(rng)
    result = page.get_by_test_id("result")
    expect(result.get_by_role("heading", level=2)).to_contain_text(" to ")
    expect(result.get_by_test_id("poster").get_by_role("img")).to_be_visible()
    expect(result).to_contain_text("The race of points")
    # The bot has the last word, unless nobody wants to hear it.
    expect(result.get_by_test_id("line")).to_be_visible()
    page.get_by_test_id("settings").click()
    page.get_by_role("dialog").get_by_label("Bots say a word now and then").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(result.get_by_test_id("line")).to_have_count(0)
    check_with_axe(page, "the ending")
    with page.expect_download() as download:
        result.get_by_test_id("picture").click()
    picture = download.value.path().read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000
    points = ann.ok("GET", f"/api/tables/{table}")["outcome"]["points"]
    race = result.get_by_role("img").nth(1).get_attribute("aria-label") or ""
    assert race.split("; ")[0].endswith(f" {points['A']}")
    assert race.split("; ")[1].endswith(f" {points['B']}")


def test_a_rematch_tells_who_waits_for_it(site: Running, open_page: NewPage) -> None:
    table, ann, bob = table_for_two(site)
    Hand(ann, table).client.ok("POST", f"/api/tables/{table}/resign")
    page = open_page(f"/table/{table}", bob)
    result = page.get_by_test_id("result")
    expect(result).to_contain_text("You win!")
    expect(result).not_to_contain_text("waits at a new table")
    ann.ok("POST", f"/api/tables/{table}/rematch", {})
    expect(result).to_contain_text("Ann waits at a new table.")
    result.get_by_role("button", name="Rematch").click()
    expect(page.get_by_test_id("board")).to_be_visible()
