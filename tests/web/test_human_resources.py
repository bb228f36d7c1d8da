"""Human Resources in real browsers, against the real server: whole games, and each way to move."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Response, WebSocket, expect

from openplan.core.game import Seat
from openplan.core.match import Match
from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import (
    Desk,
    Hand,
    check_with_axe,
    deal_this,
    focus_by_tab,
    table_for_two,
    table_with_bot,
)

pytestmark = pytest.mark.xdist_group("web-human-resources")


# -- Whole games -----------------------------------------------------------------------------


def test_two_browsers_play_a_whole_game_and_never_see_the_others_hand(
    site: Running, open_page: NewPage
) -> None:
    table, ann, bob = table_for_two(site, {"promo": "yes"})
    desks, frames = {}, {}
    for code, client in (("A", ann), ("B", bob)):
        page = open_page("/", client)
        heard = listen(page)
        page.goto(f"http://{site.address}/table/{table}")
        desks[code], frames[code] = Desk(page), heard
    rng = Random("whole game")
    for turn in range(300):
        seen = ann.ok("GET", f"/api/tables/{table}")
        if not seen["to_act"]:
            break
        (code,) = seen["to_act"]
        assert desks[code].is_asked()
        desks[code].any_move(rng)
        if turn % 4 == 0:
            match = truth_of(site, table)
            for seat, desk in enumerate(desks.values()):
                never_shows(match, Seat(seat), desk.page, frames["AB"[seat]])
    for desk in desks.values():
        expect(desk.page.get_by_test_id("result")).to_be_visible()
    assert ann.ok("GET", f"/api/tables/{table}")["outcome"] is not None


def listen(page: Page) -> list[str]:
    """All that the server says to this page about tables. The deck's faces are public; who holds
    which is not."""
    heard: list[str] = []

    def answered(answer: Response) -> None:
        if "/api/tables/" in answer.url and not answer.url.endswith("/deck"):
            heard.append(answer.text())

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: heard.append(str(frame)))

    page.on("response", answered)
    page.on("websocket", opened)
    return heard


def truth_of(site: Running, table: str) -> Match:
    match: Match = site.site.writers._matches[table].match
    return match


def held_by(match: Match, seat: Seat) -> list[str]:
    hands: Any = match.game.view_data(match.view(seat))["hands"]
    return list(hands["AB"[seat]])


def never_shows(match: Match, seat: Seat, page: Page, heard: list[str]) -> None:
    """What the other holds and this seat was never told is nowhere in its page."""
    if match.outcome is not None:
        return
    told = repr(match.told(seat)) + repr(match.game.view_data(match.view(seat)))
    hidden = [card for card in held_by(match, Seat(1 - seat)) if card not in told]
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
    for where in (page.content(), kept, "\n".join(heard)):
        assert [card for card in hidden if card in where] == []


def test_the_search_for_hidden_cards_finds_one(site: Running, open_page: NewPage) -> None:
    """The test above can fail: a page that shows what it should not is caught."""
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    page.wait_for_selector(".hand [data-card]")
    match = truth_of(site, table)
    never_shows(match, Seat(0), page, [])
    page.evaluate(f"document.body.dataset.leak = {json.dumps(held_by(match, Seat(1))[0])}")
    with pytest.raises(AssertionError):
        never_shows(match, Seat(0), page, [])


def test_a_whole_game_against_a_bot_on_a_phone(site: Running, open_page: NewPage) -> None:
    table, ann = table_with_bot(site, "random")
    page = open_page(f"/table/{table}", ann, width=360, height=740, has_touch=True, is_mobile=True)
    desk, rng = Desk(page), Random("phone")
    turns = 0
    while desk.is_asked():
        desk.any_move(rng)
        turns += 1
        if turns in (1, 12):
            check_with_axe(page, f"phone, turn {turns}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 360, "nothing reaches over the edge"
    assert turns > 10
    expect(page.get_by_test_id("result")).to_be_visible()
    check_with_axe(page, "phone, over")


def test_a_whole_game_by_keys_alone(site: Running, open_page: NewPage) -> None:
    table, ann = table_with_bot(site, "random")
    page = open_page(f"/table/{table}", ann)
    desk, rng = Desk(page), Random("keys")
    turns = 0
    while desk.is_asked():
        move_by_keys(desk, rng)
        turns += 1
    assert turns > 10
    expect(page.get_by_test_id("result")).to_be_visible()


def move_by_keys(desk: Desk, rng: Random) -> None:
    """Tab to a card, then Enter wherever the focus goes; on the floor first to some square."""
    page = desk.page
    focus_by_tab(page, ".desk .hand [data-open], .tray [data-open], .mine .play [data-open]")
    for _ in range(25):
        page.keyboard.press("Enter")
        desk.settled()
        page.wait_for_timeout(30)
        if page.evaluate("document.querySelector('.actions') === null"):
            return
        seen = desk.seen()
        if seen["confirm"]:
            focus_by_tab(page, "[data-confirm]")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-confirm]", state="detached")
            return
        if page.evaluate("document.activeElement?.getAttribute('role') === 'application'"):
            for _ in range(rng.randrange(4)):
                page.keyboard.press("PageDown")
        elif not page.evaluate("document.activeElement?.matches('[data-step], [data-open]')"):
            raise AssertionError(f"the focus is lost: {page.evaluate(FOCUSED)}")
    raise AssertionError(f"no move comes of it: {desk.seen()}")


FOCUSED = "document.activeElement?.outerHTML.slice(0, 200)"


# -- Each manager, step by step --------------------------------------------------------------


def test_every_manager_is_guided_with_a_preview(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(
        monkeypatch,
        "M02d M04l M01d",
        "P02l P05d P07l",
        # Ann and Bob draw in turn; Bob places what he draws.
        "M05d P02d M06l P03l M03d P03d M08d P04l M07l P04d P09d P11d P06l",
    )
    table, ann, bob = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk, other = Desk(page), Hand(bob, table)

    def office() -> dict[str, str]:
        return {one["square"]: one["colour"] for one in Hand(ann, table).view()["office"]}

    # Swap: dark 0 and light E1 change places, seen before it is confirmed.
    assert desk.is_asked()
    desk.choose("M02d")
    desk.step("hire")
    desk.says("Choose a cubicle to swap.")
    desk.tap("0")
    desk.says("With which neighbour?")
    desk.tap("E1")
    desk.says("Confirm your move, or undo it.")
    assert office()["0"] == "dark"
    desk.confirm()
    assert office() == {"0": "light", "E1": "dark", "S1": "light", "E1S1": "dark"}
    other.play("place P02l E2")

    # Shift: three at once, taken back by a key and made again.
    assert desk.is_asked()
    desk.choose("M04l")
    desk.step("hire")
    desk.tap("E1", "E2", "E1S1")
    desk.step("south")
    desk.says("Confirm your move, or undo it.")
    assert desk.cubicles() == {"0", "S1", "E1S1", "E2S1", "E1S2"}
    page.keyboard.press("Escape")
    assert desk.cubicles() == {"0", "E1", "E2", "S1", "E1S1"}
    desk.step("south")
    desk.confirm()
    assert set(office()) == {"0", "S1", "E1S1", "E2S1", "E1S2"}
    other.play("place P02d W1")

    # Move.
    assert desk.is_asked()
    desk.choose("M01d")
    desk.step("hire")
    desk.tap("W1", "E2")
    desk.confirm()
    assert "W1" not in office()
    assert office()["E2"] == "dark"
    other.play("place P03l E3")

    # Remove: the card comes to the hand, and what happened is told.
    assert desk.is_asked()
    desk.choose("M05d")
    desk.step("hire")
    desk.tap("E3")
    desk.confirm()
    assert "E3" not in office()
    assert "P03l" in Hand(ann, table).view()["hands"]["A"]
    other.play("place P03d S2")

    # Exchange: first the card, then the cubicle.
    assert desk.is_asked()
    desk.choose("M06l")
    desk.step("hire")
    desk.says("Which card goes into the office?")
    desk.choose("P03l")
    desk.tap("S2")
    desk.confirm()
    assert office()["S2"] == "light"
    assert "P03d" in Hand(ann, table).view()["hands"]["A"]
    other.play("place P04l S3")

    # An extra card.
    assert desk.is_asked()
    desk.choose("M03d")
    desk.step("hire")
    before = len(Hand(ann, table).view()["hands"]["A"])
    desk.confirm()
    assert len(Hand(ann, table).view()["hands"]["A"]) == before + 1
    other.play("place P04d S4")

    # From the discard pile, which lies on the desk now.
    assert desk.is_asked()
    desk.choose("M08d")
    desk.step("hire")
    page.locator(".tray [data-card=M02d]").click()
    desk.settled()
    desk.confirm()
    assert "M02d" in Hand(ann, table).view()["hands"]["A"]


def test_choices_in_the_middle_of_a_turn(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(
        monkeypatch,
        "M09d X04l M07d",
        "P05d P07l P06d",
        "P10l P01d P02d P03l P04d P08l P09l P11d P12d P13d",
        promo=True,
    )
    table, ann, bob = table_for_two(site, {"promo": "yes"})
    desk, across = (Desk(open_page(f"/table/{table}", who)) for who in (ann, bob))

    def play(at: Desk, card: str, *steps: str) -> None:
        assert at.is_asked()
        at.choose(card)
        for step in steps:
            at.step(step)
        at.confirm()

    assert desk.is_asked()
    desk.choose("P10l") if "P10l" in desk.seen()["hand"] else desk.choose("X04l")
    desk.step("hire")
    desk.confirm()
    # The top four lie on the desk, to be put back one by one.
    desk.page.wait_for_selector(".tray [data-card]")
    across.says("Ann puts the top of the deck in order.")
    looked = [node.get_attribute("data-card") for node in desk.page.locator(".tray button").all()]
    assert looked == ["P10l", "P01d", "P02d", "P03l"]
    for card in ("P03l", "P01d", "P10l"):
        desk.page.locator(f".tray [data-card={card}]").click()
        desk.settled()
    desk.confirm()
    assert "P03l" in Hand(ann, table).view()["hands"]["A"]
    desk.says("You put 4 cards back")

    play(across, "P05d", "project")
    play(desk, "P03l", "project")
    play(across, "P07l", "project")
    # Pick-up: the other player chooses, in the middle of Ann's turn.
    play(desk, "M09d", "hire")
    desk.says("Bob chooses a project to take back.")
    assert across.is_asked()
    across.says("Choose the project you take back into your hand.")
    across.page.locator(".mine .play [data-card=P07l]").click()
    across.settled()
    across.confirm()
    desk.says("Bob takes Executive Suite back to hand.")
    play(across, "P06d", "project")

    # Two plays: a project, and then another card.
    play(desk, "M07d", "hire")
    assert desk.is_asked()
    desk.says("Two more cards to play")
    first = next(card for card in desk.seen()["hand"] if card[0] == "P")
    desk.choose(first)
    desk.step("project")
    desk.confirm()
    desk.says("One more card to play")
    assert desk.is_asked()
    desk.choose(desk.seen()["hand"][0])
    desk.tap("W1")
    desk.confirm()
    assert across.is_asked()


def test_house_rules_that_add_choices(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hired for no effect, acquired into the hand, left incomplete."""
    deal_this(
        monkeypatch,
        "P10d M08d X03l",
        "P05d P07l P06d",
        "P01d P02l P02d P03l P04d P08l P09l P11d P12d P13d",
        promo=True,
    )
    house = dict.fromkeys(("promo", "leave", "idle", "to-hand"), "yes")
    table, ann, bob = table_for_two(site, house)
    desk, other = Desk(open_page(f"/table/{table}", ann)), Hand(bob, table)

    # The discard pile is empty, and the card says so; it can be got rid of all the same.
    assert desk.is_asked()
    desk.choose("M08d")
    desk.says("Cannot be hired: the discard pile is empty.")
    desk.page.get_by_role("button", name="Hire for no effect").click()
    desk.settled()
    desk.confirm()
    assert other.view()["discard"] == ["M08d"]
    other.play("project P05d")

    assert desk.is_asked()
    desk.choose("X03l")
    desk.step("hire")
    desk.confirm()
    desk.says("into your hand; the other player scores 3.")
    assert "P05d" in other.view()["hands"]["A"]
    other.play("place P07l S2")

    assert desk.is_asked()
    desk.choose("P10d")
    desk.step("project")
    desk.confirm()
    other.play("place P06d S3")

    assert desk.is_asked()
    desk.choose("P01d")
    desk.tap("W1")
    desk.says("1 point")
    assert "leave-P10d" in desk.seen()["steps"]
    desk.step("leave-P10d")
    desk.says("It does not complete your project.")
    desk.says("Place Corner Desk, dark, at W1, leaving Short Queue incomplete")
    desk.confirm()
    expect(desk.page.locator(".told")).to_contain_text("incomplete")
    assert other.view()["play"]["A"] == ["P10d"]
    assert other.view()["points"]["A"] == 0
