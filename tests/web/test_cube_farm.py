"""Cube Farm in real browsers, against the real server."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Error, Page, expect

from openplan.core.deal import Deal
from openplan.core.registry import game_named
from openplan.decks import shipped_text
from openplan.games.cube_farm import deal as dealing
from openplan.games.cube_farm.cards import FarmDeck
from tests.server.running import Client, Running
from tests.web.conftest import NewPage
from tests.web.farm_desk import FarmDesk
from tests.web.office_desk import check_with_axe

pytestmark = pytest.mark.xdist_group("web-cube-farm")

SEATS = ("S", "P", "T")


def table_for_three(site: Running, **more: Any) -> tuple[str, list[Client]]:
    people = [site.client(name) for name in ("Ada", "Ben", "Cleo")]
    table = people[0].ok("POST", "/api/tables", {"game": "cube-farm", **more})["id"]
    invite = people[0].ok("GET", f"/api/tables/{table}")["invite"]
    for person in people[1:]:
        person.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    return table, people


@pytest.fixture(autouse=True)
def deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same cards each time: the next in the deck's order, behind the first three elevators."""

    def deal_in_order(deck: FarmDeck, _: Random) -> Deal:
        start, rest = deck.cards[:3], deck.cards[3:]
        hands = {label: rest[n * 5 : n * 5 + 5] for n, label in enumerate(dealing.HANDS)}
        return {"start": start, **hands, "deck": rest[15:]}

    monkeypatch.setattr(dealing, "deal", deal_in_order)


def play(client: Client, table: str, move: str) -> None:
    version = client.ok("GET", f"/api/tables/{table}")["version"]
    client.play(table, move, version, f"move-{version}-{abs(hash(move))}")


def planted_deck() -> str:
    """The house deck with numbers and titles that occur nowhere else."""
    text = shipped_text(game_named("cube-farm"), "house")
    text = text.replace('name = "house"', 'name = "planted"', 1)
    text = text.replace('"The house deck"', '"Planted deck"', 1)
    text = re.sub(
        r"^number = (\d+)", lambda m: f"number = {int(m[1]) + 700}", text, flags=re.MULTILINE
    )
    titles = iter(range(701, 900))
    return re.sub(
        r"^title = .*(?=\ntext)",
        lambda _: f'title = "Marker {next(titles)} x"',
        text,
        flags=re.MULTILINE,
    )


class Ears:
    """All that a browser is told: answers and frames, but for the deck's faces: they are public."""

    def __init__(self, page: Page) -> None:
        self.heard: list[str] = []
        page.on("websocket", lambda socket: socket.on("framereceived", self._frame))
        page.on("response", self._answer)

    def _frame(self, payload: Any) -> None:
        self.heard.append(payload if isinstance(payload, str) else payload.decode())

    def _answer(self, response: Any) -> None:
        if "/api/" in response.url and not response.url.split("?")[0].endswith("/deck"):
            with suppress(Error):  # the page may have gone on before the answer was read
                self.heard.append(response.text())


def kept(page: Page) -> str:
    """What a page shows and keeps."""
    stored = page.evaluate("() => JSON.stringify([{...localStorage}, {...sessionStorage}])")
    return f"{page.content()} {stored}"


# -- A whole game ----------------------------------------------------------------------------


def test_three_browsers_play_a_whole_game(site: Running, open_page: NewPage) -> None:
    """Five turns of sealed orders; no page knows another's hand or orders before their time."""
    rng = Random(12)
    table, people = table_for_three(site, deck_text=planted_deck(), house={"show-sent": "yes"})
    pages = [open_page("/", person) for person in people]
    ears = [Ears(page) for page in pages]
    for page in pages:
        page.goto(f"http://{site.address}/table/{table}")
    desks = [FarmDesk(page) for page in pages]
    for turn in range(1, 6):
        hands = [set(desk.hand) for desk in desks]
        for number, desk in enumerate(desks):
            expect(desk.page.locator(".status .turn")).to_contain_text(f"Turn {turn} of 5")
            for phase in (1, 2, 3):
                desk.compose(phase, rng)
            desk.send()
            if number < 2:
                expect(desk.page.locator("[data-state=sent]")).to_be_visible()
                assert_secret(desks, ears, hands, number, people[number], table)
                for other in desks:
                    mark = other.page.locator(f".department.{SEATS[number]} .sent")
                    expect(mark).to_be_visible()
        for desk in desks:
            expect(desk.page.locator("[data-step]")).to_contain_text(f"Turn {turn}")
            results = desk.page.locator("#farm-panel .step")
            assert results.count() >= 3
        if turn < 5:
            for desk in desks:
                desk.to_orders()
    truth = people[0].ok("GET", f"/api/tables/{table}")
    assert truth["outcome"]["reason"] == "points"
    for desk in desks:
        expect(desk.page.locator("[data-testid=result]")).to_be_visible()
        assert [desk.points(seat) for seat in SEATS] == [
            truth["outcome"]["points"][seat] for seat in SEATS
        ]
    explain_every_sum(desks[0], truth["view"])


def assert_secret(
    desks: list[FarmDesk],
    ears: list[Ears],
    hands: list[set[str]],
    number: int,
    person: Client,
    table: str,
) -> None:
    """Nobody else's page has a card of this hand, nor the orders just made."""
    view = person.ok("GET", f"/api/tables/{table}")["view"]
    public = {
        card for floor in view["floors"].values() for card in (p["card"] for p in floor["cards"])
    }
    public |= {result.get("card", "") for turn in view["history"] for result in turn["results"]}
    orders = view["orders"].get(SEATS[number], "no orders of this kind")
    for other, desk in enumerate(desks):
        if other == number:
            assert any(card in desk.page.content() for card in hands[number])
            continue
        known = kept(desk.page) + "".join(ears[other].heard)
        assert orders == "nothing" or orders not in known
        for card in hands[number] - public:
            # A number of three digits may be part of an identifier: as a word or a title only.
            assert f'"{card}"' not in known
            assert f"Marker {card} x" not in known


def explain_every_sum(desk: FarmDesk, view: Any) -> None:
    """The sums in the page are the server's, and each part shows its walk."""
    page = desk.page
    for seat in SEATS:
        page.locator(f".department.{seat}").click()
        scores = [
            score
            for floor in ("top", "middle", "basement")
            for score in view["floors"][floor]["employees"]
            if score["seat"] == seat
        ]
        sums = page.locator(".sum .whole b").all_inner_texts()
        assert [int(text) for text in sums] == [score["total"] for score in scores]
        assert sum(map(int, sums)) == desk.points(seat)
        parts = page.locator(".sum button.line:not(.whole)")
        assert parts.count() == sum(len(score["parts"]) for score in scores)
        for place in range(min(parts.count(), 2)):
            parts.nth(place).click()
            expect(page.locator("path.walk")).to_have_count(1)
    page.locator(".sum .whole").first.click()
    expect(page.locator("path.walk").first).to_be_attached()


# -- Composing -------------------------------------------------------------------------------


def test_a_card_is_dragged_and_turned_and_says_why_it_does_not_fit(
    site: Running, open_page: NewPage
) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    card = page.locator(f".card-button[data-card='{desk.hand[0]}']")
    box = card.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(*desk.middle_of("E1S1"), steps=8)
    assert desk.fits() == "false"
    expect(page.locator(".verdict")).to_contain_text("is covered already")
    expect(page.locator(".ghost.lost")).to_be_attached()
    page.mouse.wheel(0, 100)
    page.mouse.move(*desk.middle_of("E1N2"), steps=4)
    assert desk.fits() == "true"
    expect(page.locator(".ghost.fits")).to_be_attached()
    page.mouse.up()
    assert desk.chosen(1, "card") == desk.hand[0]
    assert desk.chosen(1, "turn") == "1"
    page.locator("[data-turn]").click()
    assert desk.chosen(1, "turn") == "2"
    # Dragged off the floor it goes back to where it lay; from there to somewhere else.
    place = desk.chosen(1, "place")
    page.mouse.move(*desk.middle_of(place))
    page.mouse.down()
    page.mouse.move(*desk.middle_of("E1"), steps=4)
    page.mouse.move(box["x"], box["y"], steps=4)
    page.mouse.up()
    assert desk.chosen(1, "place") == place
    page.mouse.move(*desk.middle_of(place))
    page.mouse.down()
    page.mouse.move(*desk.middle_of("E1"), steps=4)
    page.mouse.up()
    expect(page.locator(".slip.active .doubt.loss")).to_contain_text("would be lost")
    assert desk.chosen(1, "place") != place
    page.locator("[data-remove]").click()
    assert desk.chosen(1, "card") == ""


def test_a_cube_is_looked_at_before_it_is_taken(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    expect(page.locator(".free").first).to_be_attached()
    cube = desk.cubes(1)[0]
    page.mouse.move(*desk.middle_of(cube))
    expect(page.locator("path.walk.way")).to_be_attached()
    page.mouse.click(*desk.middle_of(cube))
    expect(page.locator(".employee.ordered")).to_be_attached()
    expect(desk.slip(1).locator(".points")).to_contain_text("+1 point")
    expect(page.locator(".gains")).to_contain_text("+1")
    page.mouse.click(*desk.middle_of(cube))
    expect(page.locator(".employee.ordered")).not_to_be_attached()


def test_orders_are_changed_until_the_last_are_in(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site, house={"show-sent": "yes"})
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    rng = Random(3)
    desk.compose(1, rng)
    desk.send()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    first = people[0].ok("GET", f"/api/tables/{table}")["view"]["orders"]["S"]
    desk.compose(2, rng)
    expect(page.locator("[data-state=changed]")).to_be_visible()
    page.get_by_role("button", name="Back to the orders sent").click()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    assert desk.chosen(2, "card") == ""
    desk.compose(3, rng)
    desk.send()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    second = people[0].ok("GET", f"/api/tables/{table}")["view"]["orders"]["S"]
    assert second != first
    page.reload()
    FarmDesk(page)
    assert desk.chosen(3, "card") in second
    expect(page.locator("[data-state=sent]")).to_be_visible()
    for person in people[1:]:
        play(person, table, "nothing")
    expect(page.locator("[data-step]")).to_contain_text("Turn 1")
    told = people[1].ok("GET", f"/api/tables/{table}")["view"]["history"][0]["orders"]["S"]
    assert told == second


def test_a_card_shown_is_sealed_with_the_orders(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)

    def orders() -> str | None:
        view = people[0].ok("GET", f"/api/tables/{table}")["view"]
        found: str | None = view["orders"].get("S")
        return found

    card = desk.hand[0]
    desk.take(card)
    seal = page.locator("[data-send]")
    expect(seal).to_have_text("Seal the orders")
    for _ in range(9):
        page.keyboard.press("ArrowUp")
    assert desk.fits() == "false"
    expect(seal).to_have_text("Seal the orders")
    desk.send()
    expect(page.get_by_role("alert")).to_contain_text("Not sealed: the card you are moving")
    assert orders() is None
    page.locator("[data-next]").click()
    assert desk.fits() == "true"
    expect(page.locator(".trouble")).to_have_count(0)
    desk.send()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    assert desk.chosen(1, "card") == card
    assert (orders() or "").startswith(f"1: card {card} {desk.chosen(1, 'place')}")


def test_who_seals_nothing_is_asked_first(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    FarmDesk(page)
    seal = page.locator("[data-send]")
    asked = page.get_by_role("dialog", name="Seal without any order?")

    def orders() -> str | None:
        view = people[0].ok("GET", f"/api/tables/{table}")["view"]
        found: str | None = view["orders"].get("S")
        return found

    seal.click()
    expect(asked).to_contain_text("You place nothing this turn.")
    check_with_axe(page, "asked")
    asked.get_by_role("button", name="Back").click()
    expect(asked).to_have_count(0)
    # By keys too: Escape goes back to the seal.
    seal.press("Enter")
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(seal).to_be_focused()
    assert orders() is None
    page.keyboard.press("Enter")
    expect(asked).to_be_visible()
    for _ in range(5):
        if page.evaluate("document.activeElement?.matches('[data-send-nothing]')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-state=sent]")).to_be_visible()
    expect(asked).to_have_count(0)
    assert orders() == "nothing"


# -- Playback --------------------------------------------------------------------------------


def test_a_turn_plays_itself_back_with_every_loss(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], reduced_motion="no-preference", speed="calm")
    desk = FarmDesk(page)
    # Both want the same cube of the middle floor; it is Ben's home, so he comes first.
    expect(page.locator(".free").first).to_be_attached()
    cube = desk.cubes(2)[0]
    play(people[1], table, f"1: employee {cube}")
    play(people[2], table, "nothing")
    desk.choose_phase(2)
    desk.slip(2).locator("select[name=employee]").select_option(cube)
    desk.send()
    steps = page.locator("[data-step]")
    expect(steps).to_have_attribute("data-step", "1", timeout=8_000)
    expect(page.locator("[data-scale]")).to_have_attribute("data-floor", "middle")
    expect(page.locator(".employee.laid")).to_be_attached()
    expect(steps).to_have_attribute("data-step", "2", timeout=8_000)
    expect(page.locator(".employee.lost")).to_be_attached()
    expect(page.locator(".told .lost")).to_contain_text("taken by Product Development")
    expect(page.locator("#farm-panel .result.lost")).to_contain_text("CF-5.1")
    expect(page.get_by_role("button", name="Play it back")).to_be_visible(timeout=8_000)
    page.get_by_role("button", name="To the beginning").click()
    expect(page.locator(".stage .token.P")).to_have_count(0)
    page.locator("[data-next]").click()
    expect(page.locator("[data-step]")).to_have_attribute("data-step", "1")
    desk.to_orders()
    expect(page.locator(".status .turn")).to_contain_text("Turn 2 of 5")


# -- By keys alone, on a phone, for everybody ------------------------------------------------


def test_a_turn_by_keys_alone(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)

    def tab_to(query: str) -> None:
        for _ in range(120):
            if page.evaluate("query => document.activeElement?.matches(query) ?? false", query):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{query} cannot be reached by Tab")

    tab_to(".card-button")
    expect(page.get_by_role("tooltip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("tooltip")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(desk.floor).to_be_focused()
    assert desk.fits() == "true"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("r")
    page.keyboard.press("n")
    assert desk.fits() == "true"
    expect(page.locator("[data-said]")).to_contain_text("fits")
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_contain_text("Phase 1: card")
    expect(page.locator(".free").first).to_be_attached()
    page.keyboard.press("n")
    expect(page.locator("path.walk.way")).to_be_attached()
    page.keyboard.press("Enter")
    expect(page.locator("[data-said]")).to_contain_text("an employee into the cube")
    page.keyboard.press("ArrowUp")
    expect(page.locator("[data-said]")).to_contain_text(":")
    page.keyboard.press("2")
    expect(desk.floor).to_have_attribute("data-floor", "middle")
    page.keyboard.press("n")
    page.keyboard.press("Enter")
    assert desk.chosen(2, "employee") != ""
    page.keyboard.press("Delete")
    assert desk.chosen(2, "employee") == ""
    tab_to("[data-send]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-state=sent]")).to_be_visible()
    sent = people[0].ok("GET", f"/api/tables/{table}")["view"]["orders"]["S"]
    assert sent.startswith("1: card ")
    assert " employee " in sent


def test_on_a_phone_by_finger(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(
        f"/table/{table}", people[2], width=360, height=740, has_touch=True, is_mobile=True
    )
    desk = FarmDesk(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.locator(".card-button").first.tap()
    assert desk.fits() == "true"
    page.locator("[data-turn]").tap()
    page.locator("[data-next]").tap()
    page.locator("[data-drop]").tap()
    expect(page.locator(".free").first).to_be_attached()
    cube = desk.cubes(1)[0]
    desk.floor.scroll_into_view_if_needed()
    page.touchscreen.tap(*desk.middle_of(cube))
    # A finger is told first what it touches.
    expect(page.locator("[data-sign]")).to_contain_text("would bring you +")
    assert desk.chosen(1, "employee") == ""
    page.touchscreen.tap(*desk.middle_of(cube))
    assert desk.chosen(1, "employee") == cube
    page.locator("[data-send]").tap()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    small = page.evaluate(
        """() => [...document.querySelectorAll('.farm button, .farm select')]
            .map((node) => [node, node.getBoundingClientRect()])
            .filter(([node, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
            .map(([node]) => node.outerHTML)"""
    )
    assert small == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_with_axe(page, "on a phone")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_state_is_accessible(site: Running, open_page: NewPage, scheme: str) -> None:
    table, people = table_for_three(site, house={"show-sent": "yes"})
    page = open_page(f"/table/{table}", people[0], color_scheme=scheme)
    desk = FarmDesk(page)
    rng = Random(5)
    check_with_axe(page, "at the beginning")
    desk.take(desk.hand[0])
    page.mouse.click(*desk.middle_of("E1"))
    expect(page.locator(".slip.active .doubt.loss")).to_be_visible()
    check_with_axe(page, "with a card that would be lost")
    desk.take(desk.hand[1])
    check_with_axe(page, "with a card in hand")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Clear").click()
    for phase in (1, 2, 3):
        desk.compose(phase, rng)
    expect(page.locator(".doubt").first).to_be_visible()
    check_with_axe(page, "with orders and doubts")
    desk.send()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    for person in people[1:]:
        play(person, table, "nothing")
    expect(page.locator("[data-step]")).to_contain_text("Turn 1")
    check_with_axe(page, "with the report")
    page.locator(".department.S").click()
    page.locator(".sum .whole").first.click()
    check_with_axe(page, "with the sums")


def test_who_watches_sees_the_floors_and_no_hand(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site, public=True)
    watching = open_page(f"/table/{table}", site.client("Dora"))
    desk = FarmDesk(watching)
    expect(watching.locator("#farm-panel")).to_contain_text("You are watching")
    assert watching.locator(".card-button").count() == 0
    watching.locator("[data-floor-button=basement]").click()
    expect(desk.floor).to_have_attribute("data-floor", "basement")
    for person in people:
        play(person, table, "nothing")
    expect(watching.locator(".status .turn")).to_contain_text("Turn 2 of 5")


# -- Learning --------------------------------------------------------------------------------


def test_the_lesson_is_played_to_its_end(site: Running, open_page: NewPage) -> None:
    page = open_page("/learn/cube-farm")
    lesson = page.locator("[data-testid=lesson]")

    def go_on() -> None:
        page.locator("[data-testid=go-on]").click()

    def next_chapter(number: int) -> None:
        page.locator("[data-testid=next-chapter]").click()
        expect(lesson).to_contain_text(f"{number}. ")

    def order(phase: int, cube: str, card: str = "", place: str = "", turns: int = 0) -> None:
        desk.choose_phase(phase)
        slip = desk.slip(phase)
        if card:
            desk.take(card)
            for _ in range(turns):
                page.locator("[data-turn]").click()
            page.locator("[data-drop]").click()
            slip.locator("select[name=place]").select_option(place)
        # The teacher's sheet stays at the top and may lie over the plan.
        page.evaluate("scrollTo(0, 0)")
        page.mouse.click(*desk.middle_of(cube))
        expect(slip.locator("select[name=employee]")).to_have_value(cube)

    desk = FarmDesk(page)
    go_on()
    desk.send_nothing()
    expect(lesson).to_contain_text("Only an employee this time")
    order(1, cube="S1")
    desk.send()
    expect(page.locator("[data-testid=say]")).to_contain_text("Orders are sealed")
    assert desk.points("S") == 1
    go_on()
    next_chapter(2)
    order(1, card="7", place="N2", cube="N2")
    desk.send()
    expect(page.locator("[data-testid=say]")).to_contain_text("Three points")
    go_on()
    next_chapter(3)
    order(1, card="35", turns=2, place="W3S2", cube="W1S3")
    desk.send()
    expect(page.locator("[data-testid=say]")).to_contain_text("Six points")
    go_on()
    next_chapter(4)
    order(1, cube="E2N2")
    order(2, cube="E2")
    expect(desk.slip(2).locator(".doubt")).to_contain_text("imagined turns")
    order(3, cube="E2")
    desk.send()
    expect(page.locator("[data-testid=say]")).to_contain_text("Lost!")
    expect(page.locator("#farm-panel .result.lost")).to_have_count(1)
    check_with_axe(page, "in the lesson")
    go_on()
    next_chapter(5)
    order(2, cube="W3")
    expect(desk.slip(2).locator(".points")).to_contain_text("+7 points")
    desk.send()
    expect(page.locator("[data-testid=say]")).to_contain_text("That is all of it")
    go_on()
    expect(page.locator("[data-testid=learned]")).to_be_visible()


def test_the_table_can_be_read_in_words_and_in_german(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], locale="de-DE")
    FarmDesk(page)
    expect(page.locator(".status .turn")).to_contain_text("Runde 1 von 5")
    page.get_by_role("tab", name="In Worten").click()
    words = page.get_by_role("tabpanel").last
    expect(words).to_contain_text("Oberes Stockwerk")
    expect(words).to_contain_text("Freie Boxen")
    for card in people[0].ok("GET", f"/api/tables/{table}")["view"]["hands"]["S"]:
        expect(words).to_contain_text(f"{card} ")
