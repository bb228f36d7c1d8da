"""An owner who has never seen the format enters cards in the browser and plays with them."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from openplan.server.tables import deck_trials
from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import check_with_axe
from tests.web.tables import client_of

# Twelve given cards: six projects, each with its twin.
GIVEN = (
    ("Long Bench", "Sit down. There is room.", ["DDD", "..L"], "Short Bench"),
    ("Two Doors", "One of them is painted on.", ["D.D", ".L."], "Two Windows"),
    ("Open Stage", "All eyes on the printer.", ["DDD", "LDL"], "Closed Stage"),
    ("Back Stairs", "Mind the third step.", ["D..", "DL.", ".DD"], "Front Stairs"),
    ("Long Way Round", "Past the kitchen.", ["DD.", "LD.", ".DL"], "Short Cut"),
    ("Round Table", "Nobody sits at its head.", [".D.", "DLD", ".D."], "Square Table"),
)
TAPS = {".": 0, "D": 1, "L": 2}


def begin(page: Page, game: str, source: str) -> None:
    page.get_by_role("radio", name=game).check()
    page.get_by_test_id(f"from-{source}").click()
    expect(page.get_by_test_id("deck-title")).to_be_visible()


def is_saved(page: Page) -> None:
    expect(page.get_by_test_id("saved")).to_have_text("Saved")


def fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def shoot(page: Page, folder: Path, name: str) -> None:
    page.screenshot(path=str(folder / f"{name}.png"), full_page=True)


@pytest.mark.parametrize("width", [360, 1440])
def test_twelve_given_cards_are_entered_and_played_with(
    open_page: NewPage, site: Running, tmp_path: Path, width: int
) -> None:
    began = time.monotonic()
    page = open_page("/decks", width=width, height=800)
    check_with_axe(page, "decks")
    begin(page, "Human Resources", "house")
    page.get_by_test_id("deck-title").fill("The printed game")
    page.locator("[data-card=P01d]").click()
    for title, text, rows, twin in GIVEN:
        page.get_by_role("button", name="Clear the pattern").click()
        for y, row in enumerate(rows, 1):
            for x, letter in enumerate(row, 1):
                for _ in range(TAPS[letter]):
                    page.locator(f"[data-cell='{x},{y}']").click()
        page.locator("[data-field=title-dark]").fill(title)
        page.locator("[data-field=text-dark]").fill(text)
        page.locator("[data-field=title-light]").fill(twin)
        page.get_by_test_id("next-card").click()
    is_saved(page)
    expect(page.get_by_test_id("faults")).to_contain_text("can be played with")
    page.locator("[data-card=P02l]").click()
    check_with_axe(page, "the editor of Human Resources")
    fits(page)
    shoot(page, tmp_path, f"office-{width}")
    page.get_by_test_id("play-bot").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    table = page.url.rpartition("/")[2]
    deck = client_of(page, site).ok("GET", f"/api/tables/{table}/deck")
    assert deck["title"] == "The printed game"
    assert deck["cards"]["P02d"]["title"] == "Two Doors"
    assert deck["cards"]["P02d"]["drawing"] == ["D.D", ".L."]
    assert deck["cards"]["P02l"]["title"] == "Two Windows"
    assert deck["cards"]["P02l"]["drawing"] == ["L.L", ".D."]
    took = time.monotonic() - began
    print(f"twelve cards entered by a program in {took:.0f} s, pictures in {tmp_path}")
    assert took < 600
    page.go_back()
    expect(page.get_by_test_id("deck-title")).to_have_value("The printed game")


def test_a_fault_stands_at_its_card_and_can_be_undone(open_page: NewPage) -> None:
    page = open_page("/decks")
    begin(page, "Human Resources", "house")
    page.locator("[data-card=P05d]").click()
    before = page.locator("[data-cell='1,1']").get_attribute("aria-label")
    page.get_by_role("button", name="Clear the pattern").click()
    expect(page.get_by_test_id("faults-here")).to_contain_text("P05d: the pattern shows no square")
    expect(page.locator("[data-card=P05l].wrong")).to_be_visible()
    expect(page.get_by_test_id("play-bot")).to_be_disabled()
    page.get_by_test_id("faults").get_by_text("To put right: 2").click()
    page.locator("[data-card=P01d]").click()
    page.get_by_test_id("faults").get_by_role("button", name="P05l").click()
    expect(page.locator("[data-card=P05l]")).to_be_focused()
    check_with_axe(page, "an editor with faults")
    page.keyboard.press("Control+z")
    expect(page.get_by_test_id("faults")).to_contain_text("can be played with")
    page.locator("[data-card=P05d]").click()
    assert page.locator("[data-cell='1,1']").get_attribute("aria-label") == before
    page.get_by_test_id("redo").click()
    expect(page.get_by_test_id("faults-here")).to_be_visible()
    page.get_by_test_id("undo").click()
    page.locator("[data-cell='3,3']").focus()
    page.keyboard.press("Enter")
    is_saved(page)
    page.reload()
    expect(page.get_by_test_id("undo")).to_be_disabled()


@pytest.mark.parametrize("width", [360, 1440])
def test_a_floor_is_drawn_by_tapping(
    open_page: NewPage, site: Running, tmp_path: Path, width: int
) -> None:
    page = open_page("/decks", width=width, height=800)
    begin(page, "PBM Cube Farm", "blank")
    page.get_by_test_id("deck-title").fill("Our floors")
    page.locator("[data-card='9']").click()
    page.locator("[data-field=width]").fill("2")
    page.locator("[data-field=width]").blur()
    expect(page.locator("[data-square]")).to_have_count(4)
    page.locator("[data-brush=V]").check()
    page.locator("[data-square='1,1']").click()
    page.locator("[data-brush=D]").check()
    page.locator("[data-square='2,2']").click()
    page.locator("[data-edge='2,3']").click()
    page.locator("[data-field=title]").fill("Corner Office")
    page.locator("[data-field=text]").fill("It has two corners more than it needs.")
    is_saved(page)
    expect(page.get_by_test_id("faults")).to_contain_text("can be played with")
    page.get_by_role("button", name="Turn the view").click()
    page.get_by_text("What machines are worth").click()
    page.get_by_label("shredder").last.fill("6")
    page.get_by_label("shredder").last.blur()
    page.get_by_test_id("add-card").click()
    expect(page.locator("[data-card='55'][aria-current]")).to_be_visible()
    page.locator("[data-brush=V]").check()
    page.locator("[data-square='1,1']").click()
    page.locator("[data-square='2,1']").click()
    expect(page.get_by_test_id("faults-here")).to_contain_text("card 55: more than one VP")
    page.get_by_test_id("undo").click()
    is_saved(page)
    page.locator("[data-card='9']").click()
    check_with_axe(page, "the editor of Cube Farm")
    fits(page)
    shoot(page, tmp_path, f"farm-{width}")
    print(f"pictures in {tmp_path}")
    page.get_by_test_id("play-bot").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    table = page.url.rpartition("/")[2]
    deck = client_of(page, site).ok("GET", f"/api/tables/{table}/deck")
    assert deck["cards"]["9"]["drawing"] == ["+-+ +", "|V|. ", "+ + +", " .|D ", "+ + +"]
    assert deck["cards"]["9"]["worths"]["D"] == 6
    assert len(deck["cards"]) == 55


@pytest.mark.parametrize("width", [360, 1440])
def test_a_blank_card_is_typed_over_and_the_next_begins_at_its_top(
    open_page: NewPage, width: int
) -> None:
    page = open_page("/decks", width=width, height=800)
    begin(page, "Human Resources", "blank")
    page.get_by_role("group", name="Dark card").get_by_label("Title").click()
    page.keyboard.type("Long Bench")
    page.get_by_role("group", name="Dark card").get_by_label("Text").click()
    page.keyboard.type("Sit down.")
    expect(page.locator("[data-field=title-dark]")).to_have_value("Long Bench")
    expect(page.locator("[data-field=text-dark]")).to_have_value("Sit down.")
    # What somebody wrote is not typed over.
    page.get_by_role("group", name="Light card").get_by_label("Text").click()
    page.get_by_role("group", name="Dark card").get_by_label("Text").click()
    page.keyboard.press("Control+End")
    page.keyboard.type(" Now.")
    expect(page.locator("[data-field=text-dark]")).to_have_value("Sit down. Now.")
    page.get_by_role("button", name="Next card").click()
    expect(page.locator("[data-card=P02d][aria-current]")).to_be_attached()
    expect(page.locator("[data-cell='1,1']")).to_be_focused()
    expect(page.locator("[data-cell='1,1']")).to_be_in_viewport(ratio=1)
    # And nothing lies over it.
    page.locator("[data-cell='1,1']").click(timeout=2000)


def focused(page: Page, name: str) -> str:
    found: str = page.evaluate("name => document.activeElement.getAttribute(name) ?? ''", name)
    return found


def tab_to(page: Page, selector: str) -> None:
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("one => document.activeElement.matches(one)", selector):
            return
    raise AssertionError(f"Tab does not come to {selector}")


def test_a_project_is_drawn_by_keyboard_alone(open_page: NewPage) -> None:
    page = open_page("/decks")
    tab_to(page, "[data-testid=from-house]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("deck-title")).to_be_visible()
    tab_to(page, "[data-card=P02d]")
    page.keyboard.press("Enter")
    tab_to(page, "[data-cell]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert focused(page, "data-cell") == "2,2"
    before = focused(page, "aria-label")
    page.keyboard.press("Enter")
    after = focused(page, "aria-label")
    assert before != after
    expect(page.get_by_test_id("said")).to_have_text(after)
    # All nine squares are one stop.
    page.keyboard.press("Tab")
    assert focused(page, "data-cell") == ""
    page.keyboard.press("Control+z")
    expect(page.get_by_test_id("said")).to_contain_text("Undone. 0 steps more")
    page.keyboard.press("Control+y")
    expect(page.get_by_test_id("said")).to_contain_text("Done again. 1 step")
    tab_to(page, "[data-field=title-dark]")
    page.keyboard.press("Control+a")
    page.keyboard.type("Typed")
    expect(page.locator("[data-card=P02d]")).to_have_accessible_name(re.compile("^P02d Typed"))


def test_a_floor_is_drawn_by_keyboard_alone(open_page: NewPage) -> None:
    page = open_page("/decks")
    tab_to(page, "[type=radio]")
    page.keyboard.press("ArrowDown")
    tab_to(page, "[data-testid=from-house]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("deck-title")).to_be_visible()
    tab_to(page, "[data-card='9']")
    page.keyboard.press("Enter")
    tab_to(page, "[data-brush]")
    first = focused(page, "data-brush")
    page.keyboard.press("ArrowRight")
    brush, called = focused(page, "data-brush"), focused(page, "aria-label")
    assert brush != first
    expect(page.locator(f"[data-brush='{brush}']")).to_be_checked()
    # Brushes are one stop, the plan is the next.
    page.keyboard.press("Tab")
    assert focused(page, "data-edge") == "1,0"
    page.keyboard.press("ArrowDown")
    assert focused(page, "data-square") == "1,1"
    page.keyboard.press("Enter")
    said = page.get_by_test_id("said")
    expect(said).to_have_text(f"Row 1, column 1: {called}")
    assert focused(page, "aria-label") == f"Row 1, column 1: {called}"
    page.keyboard.press("ArrowRight")
    assert focused(page, "data-edge") == "2,1"
    before = focused(page, "aria-pressed")
    page.keyboard.press("Space")
    assert focused(page, "aria-pressed") != before
    # Along edges, over the corner between them.
    page.keyboard.press("ArrowDown")
    assert focused(page, "data-edge") == "2,3"
    page.keyboard.press("Control+z")
    expect(said).to_contain_text("Undone. 1 step more")
    expect(page.locator("[data-edge='2,1']")).to_have_attribute("aria-pressed", before)
    page.keyboard.press("Control+Shift+z")
    expect(said).to_contain_text("Done again. 2 steps")
    page.keyboard.press("Tab")
    assert focused(page, "data-field") == "width"
    check_with_axe(page, "a floor drawn by keys")


def test_a_deck_is_shared_copied_and_complained_of(open_page: NewPage, site: Running) -> None:
    ann = site.client("Ann")
    page = open_page("/decks", ann)
    begin(page, "Human Resources", "house")
    page.get_by_test_id("deck-title").fill("Ann's deck")
    is_saved(page)
    page.get_by_label("Listed for everybody").check()
    expect(page.locator("code.link")).to_contain_text("/decks/")
    address = page.url.partition(site.address)[2]
    other = open_page("/decks", width=360)
    other.get_by_role("link", name="Ann's deck").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Ann's deck")
    assert other.url.endswith(address)
    expect(other.get_by_test_id("undo")).to_have_count(0)
    check_with_axe(other, "a deck of somebody else")
    fits(other)
    other.get_by_role("button", name="Complain about this deck").click()
    other.get_by_label("What happened?").fill("It is not funny.")
    other.get_by_role("button", name="Report").click()
    expect(other.get_by_text("Thank you")).to_be_visible()
    other.get_by_test_id("copy-deck").click()
    expect(other.get_by_test_id("deck-title")).to_have_value("Ann's deck")
    expect(other.get_by_text("after a deck by Ann")).to_be_visible()
    assert not other.url.endswith(address)
    other.get_by_role("button", name="Delete the deck").click()
    other.get_by_test_id("sure").click()
    expect(other.get_by_text("You have made no deck yet")).to_be_visible()


def test_a_deck_begins_from_a_file_of_rows(open_page: NewPage, tmp_path: Path) -> None:
    rows = tmp_path / "mine.csv"
    rows.write_text("id;title;text;pattern\nP01d;Corner;Mine.;DD/DL\n")
    page = open_page("/decks", locale="de-DE")
    page.get_by_role("radio", name="Human Resources").check()
    page.locator("input[type=file]").set_input_files(rows)
    expect(page.locator("[data-field=title-dark]")).to_have_value("Corner")
    check_with_axe(page, "an editor in German")
    page.goto(page.url.rpartition("/")[0])
    rows.write_text("nothing")
    page.locator("input[type=file]").set_input_files(rows)
    expect(page.get_by_role("alert")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1440])
def test_bots_try_a_deck_and_tell_what_they_found(
    open_page: NewPage, tmp_path: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page("/decks", width=width)
    begin(page, "Human Resources", "house")
    page.get_by_test_id("trial-begin").click()
    expect(page.get_by_test_id("trial-state")).to_contain_text("of 300 games played")
    page.get_by_test_id("trial-stop").click()
    expect(page.get_by_test_id("trial-state")).to_contain_text("Stopped after")
    monkeypatch.setattr(deck_trials, "GAMES", 40)
    page.get_by_test_id("trial-begin").click()
    expect(page.get_by_test_id("trial-cards")).to_be_visible(timeout=60_000)
    expect(page.get_by_test_id("trial-cards")).to_contain_text("It never came up")
    expect(page.get_by_text("Won by the first player")).to_be_visible()
    drawn = page.get_by_test_id("trial-worth")
    expect(drawn).to_be_visible()
    # Eight values in the deck, a dot for each card that came up and has one.
    expect(drawn.locator("g")).to_have_count(36)
    check_with_axe(page, "what bots found")
    fits(page)
    shoot(page, tmp_path, f"trial-{width}")
    page.get_by_test_id("deck-title").fill("Another")
    is_saved(page)
    page.reload()
    expect(page.get_by_text("an earlier version of the deck")).to_be_visible()


def test_bots_tell_what_is_used_too_seldom_on_floors(
    open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Cube Farm no card scores by itself: it goes by what is drawn on it, and how often it is
    used."""
    page = open_page("/decks", width=360)
    begin(page, "PBM Cube Farm", "house")
    monkeypatch.setattr(deck_trials, "GAMES", 40)
    page.get_by_test_id("trial-begin").click()
    expect(page.get_by_test_id("trial-worth")).to_be_visible(timeout=90_000)
    expect(page.get_by_test_id("trial-cards")).to_contain_text("Used far less often than others")
    expect(page.get_by_test_id("trial-worth").locator("g.odd").first).to_be_visible()
    expect(page.get_by_text("Won by the first player")).to_have_count(0)
    check_with_axe(page, "what bots found of floors")
    fits(page)
