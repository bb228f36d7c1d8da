"""Human Resources in real browsers, against the real server: what is seen, read,
dragged and zoomed, by whatever means."""

from __future__ import annotations

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
    focus_by_tab,
    table_for_two,
    table_with_bot,
)

pytestmark = pytest.mark.xdist_group("web-human-resources-seen")


# -- What is seen ----------------------------------------------------------------------------


def test_a_completed_project_is_celebrated_on_its_squares(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, bob = table_for_two(site)
    desk, across = (Desk(open_page(f"/table/{table}", who)) for who in (ann, bob))
    assert desk.is_asked()
    desk.choose("P10d")
    desk.step("project")
    desk.confirm()
    Hand(bob, table).play("project P05d")
    assert desk.is_asked()
    desk.choose("P01d")
    # Pointing is enough to see what it would bring.
    desk.page.mouse.move(*desk.middle_of("W1"))
    expect(desk.page.locator("[data-glow]")).to_have_count(1)
    desk.tap("N1")
    desk.tap("W1")
    desk.says("Completes Short Queue: 1 point")
    assert desk.glowing() == ["W1 0 E1"]
    desk.confirm()
    desk.says("You complete Short Queue: 1 point!")
    for who in (desk, across):
        expect(who.page.locator("[data-glow]")).to_have_attribute("data-glow", "W1 0 E1")
    across.says("Ann completes Short Queue: 1 point.")
    expect(across.page.locator("[data-zone=scored-A]")).to_contain_text("1")


def test_what_the_other_did_is_motion_and_words(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "M04d P01d M01l", "P05d P07l P06d", "P08d")
    table, ann, bob = table_for_two(site)
    page = open_page(f"/table/{table}", bob, reduced_motion="no-preference", speed="calm")
    page.wait_for_selector(".hand [data-card]")
    page.evaluate(
        """() => {
            window.moved = [];
            const real = Element.prototype.animate;
            Element.prototype.animate = function (frames, options) {
                const square = this.dataset?.square;
                if (square) window.moved.push([square, frames[0].transform]);
                return real.call(this, frames, options);
            };
        }"""
    )
    Hand(ann, table).play("hire M04d shift E1+E1S1 south 1")
    expect(page.locator(".table")).to_contain_text(
        "Ann hires Shift Manager: E1, E1S1 slide 1 south."
    )
    moved = page.evaluate("window.moved")
    assert sorted(moved) == [
        ["E1S1", "translate(0px, -100px)"],
        ["E1S2", "translate(0px, -100px)"],
    ]
    assert page.locator("path.marked").count() == 2


def test_a_card_is_read_by_hover_focus_and_long_press(site: Running, open_page: NewPage) -> None:
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    card = page.locator(".desk .hand [data-card]").first
    card.hover()
    expect(page.locator("[data-peek]")).to_be_visible()
    page.mouse.move(5, 5)
    expect(page.locator("[data-peek]")).to_have_count(0)
    focus_by_tab(page, ".desk .hand [data-card]")
    expect(page.locator("[data-peek]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-peek]")).to_have_count(0)
    phone = open_page(f"/table/{table}", ann, width=360, height=740, has_touch=True)
    box = phone.locator(".desk .hand [data-card]").first.bounding_box()
    assert box is not None
    held = {"x": box["x"] + 20, "y": box["y"] + 20}
    touch = phone.context.new_cdp_session(phone)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [held]})
    expect(phone.locator("[data-peek]")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(phone.locator("[data-peek]")).to_have_count(0)
    assert phone.locator(".desk .hand [aria-pressed=true]").count() == 0


def test_a_card_is_dragged_to_a_square_and_to_the_desk(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, bob = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    drag(page, "P10d", *desk.middle_of("E2"))
    page.wait_for_selector("[data-confirm]")
    assert "E2" in desk.cubicles()
    desk.confirm()
    Hand(bob, table).play("project P05d")
    assert desk.is_asked()
    box = page.locator("[data-zone=play-A]").bounding_box()
    assert box is not None
    drag(page, "P01d", box["x"] + 60, box["y"] + 20)
    page.wait_for_selector("[data-confirm]")
    desk.confirm()
    assert Hand(ann, table).view()["play"]["A"] == ["P01d"]


def drag(page: Page, card: str, x: float, y: float) -> None:
    page.locator(f".desk .hand [data-card={card}]").hover()
    page.mouse.down()
    page.mouse.move(x, y - 40, steps=4)
    page.mouse.move(x, y, steps=3)
    page.mouse.up()


def test_the_floor_is_panned_zoomed_and_fitted(site: Running, open_page: NewPage) -> None:
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    page.wait_for_selector("g.camera")
    desk = Desk(page)

    def size(of: Desk = desk) -> float:
        return of.middle_of("E1")[0] - of.middle_of("0")[0]

    first = desk.middle_of("0")
    floor = page.get_by_role("application")
    box = floor.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 110, steps=4)
    page.mouse.up()
    there = pytest.approx((first[0] + 100, first[1] + 50), abs=1)
    eventually(lambda: desk.middle_of("0") == there)
    near = size()
    page.mouse.wheel(0, -400)
    eventually(lambda: size() > 1.2 * near)
    near = size()
    page.get_by_role("button", name="Farther").click()
    eventually(lambda: size() < 0.9 * near)
    floor.focus()
    page.keyboard.press("f")
    eventually(lambda: desk.middle_of("0") == pytest.approx(first, abs=1))
    near = size()
    page.keyboard.press("+")
    eventually(lambda: size() > 1.1 * near)
    # Two fingers on a phone.
    phone = open_page(f"/table/{table}", ann, width=360, height=740, has_touch=True)
    phone.wait_for_selector("g.camera")
    small = Desk(phone)
    before = size(small)
    x, y = small.middle_of("0")
    touch = phone.context.new_cdp_session(phone)
    for kind, gap in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60), ("touchEnd", 0)):
        fingers = [{"x": x - gap, "y": y, "id": 1}, {"x": x + gap, "y": y, "id": 2}]
        points = [] if kind == "touchEnd" else fingers
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    eventually(lambda: size(small) > 1.5 * before)


def test_a_square_that_cannot_be_had_says_why(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d Q02l M08l", "P05d P07l P06d", "P08d")
    table, ann, _ = table_for_two(site)
    desk = Desk(open_page(f"/table/{table}", ann, width=1440))
    assert desk.is_asked()
    desk.choose("P10d")
    desk.tap("0")
    desk.says("Square 0 is already taken.")
    desk.tap("E2N1")
    desk.says("E2N1 does not share a wall with another cubicle.")
    desk.choose("Q02l")
    desk.says("Not yet: No other card in hand.")
    desk.choose("M08l")
    desk.says("Cannot be hired: the discard pile is empty.")


def test_the_text_board_is_enough_to_play(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    page.get_by_text("Text board").click()
    page.get_by_role("button", name="Short Queue, Project, dark, worth 1").click()
    desk.settled()
    page.get_by_role("button", name="W1, free, choose").click()
    desk.settled()
    page.get_by_role("button", name="Place Short Queue, dark, at W1").click()
    page.wait_for_selector("[data-confirm]", state="detached")
    assert {"square": "W1", "colour": "dark", "face": "P10d"} in Hand(ann, table).view()["office"]


# -- Everybody can use it --------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_any_state_of_the_table(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    deal_this(monkeypatch, "P10d M04d M08l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, bob = table_for_two(site)
    page = open_page(f"/table/{table}", ann, color_scheme=scheme)
    desk = Desk(page)
    assert desk.is_asked()
    check_with_axe(page, "to choose a card")
    page.locator(".desk .hand [data-card]").first.hover()
    expect(page.locator("[data-peek]")).to_be_visible()
    check_with_axe(page, "a card is read")
    desk.choose("M04d")
    check_with_axe(page, "to choose a use")
    desk.step("hire")
    desk.tap("0")
    page.get_by_text("Text board").click()
    check_with_axe(page, "in the middle of a shift")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    desk.choose("P10d")
    desk.step("project")
    desk.confirm()
    check_with_axe(page, "to wait")
    Hand(bob, table).play("project P05d")
    assert desk.is_asked()
    desk.choose("P08d")
    desk.tap("W1")
    check_with_axe(page, "to confirm")
    page.get_by_role("button", name="The discard pile is empty").click()
    check_with_axe(page, "a dialog")


# -- Learning --------------------------------------------------------------------------------


def test_the_lesson_is_played_to_its_end(site: Running, open_page: NewPage) -> None:
    page = open_page("/learn/human-resources", width=360, height=740, has_touch=True)
    desk = Desk(page)
    lesson = page.get_by_test_id("lesson")

    def play(card: str, *steps: str, squares: tuple[str, ...] = ()) -> None:
        page.wait_for_selector(f".desk .hand [data-card={card}][data-open]")
        desk.choose(card)
        for step in steps[:1]:
            desk.step(step)
        desk.tap(*squares)
        for step in steps[1:]:
            desk.step(step)
        desk.confirm()

    # Another move than the one wanted is not made, and the lesson says what it wants.
    assert desk.is_asked()
    desk.choose("P10d")
    desk.tap("E2")
    page.locator("[data-confirm]").click()
    expect(lesson).to_contain_text("For now: Merger as a cubicle on E2")
    desk.choose("P03l")
    assert page.locator(".pointed").count() == 1
    desk.tap("E2")
    desk.confirm()
    play("P10d", "project")
    play("P07d", squares=("W1",))
    expect(page.locator("[data-glow]")).to_have_attribute("data-glow", "W1 0 E1")
    check_with_axe(page, "in the lesson")
    page.get_by_test_id("next-chapter").click()
    play("M02d", "hire", squares=("E1", "E2"))
    play("M04l", "hire", "north", squares=("E1", "E1S1"))
    play("Q03d", "quota")
    page.get_by_test_id("next-chapter").click()
    play("M09l", "hire")
    play("M07d", "hire")
    play("P08d", "project")
    play("P13d", squares=("E1S1",))
    page.get_by_test_id("next-chapter").click()
    play("P12d", squares=("E2",))
    expect(page.get_by_test_id("learned")).to_be_visible()


def test_a_hint_is_laid_out_and_not_sent(site: Running, open_page: NewPage) -> None:
    table, ann = table_with_bot(site, "random", hints=True)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    before = Hand(ann, table).view()
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector("[data-confirm]")
    desk.says("Hint: the bot would play this.")
    assert Hand(ann, table).view() == before
    page.locator("[data-back]").click()
    assert desk.seen()["picked"] == []


def test_everything_is_said_in_german_too(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d Q02l M08l", "P05d P07l P06d", "P08d")
    table, ann, bob = table_for_two(site)
    desk = Desk(open_page(f"/table/{table}", ann, locale="de-DE"))
    assert desk.is_asked()
    desk.says("Du bist dran: wähle eine Karte.")
    desk.choose("Q02l")
    desk.says("Noch nicht: Keine andere Karte auf der Hand.")
    desk.choose("P10d")
    desk.step("project")
    desk.confirm()
    desk.says("Du beginnst Kurze Schlange.")
    Hand(bob, table).play("place P05d E2")
    desk.says("Bob legt eine dunkle Karte auf E2.")
