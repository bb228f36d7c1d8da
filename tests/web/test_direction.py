"""Human Resources as it is felt: one thing at a time, what happened told and marked, the way back,
and the ending."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import (
    USUAL,
    Desk,
    Hand,
    check_with_axe,
    deal_this,
    eventually,
    table_for_two,
    table_with_bot,
)

pytestmark = pytest.mark.xdist_group("web-direction")

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
