"""What somebody sees at a Cube Farm table: names of things, what fits on a phone, turns that were
missed, what is kept, how it ends."""

from __future__ import annotations

from base64 import b64encode
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.running import Client, Running
from tests.web.conftest import NewPage
from tests.web.farm_desk import FarmDesk
from tests.web.office_desk import LISTEN, check_with_axe, eventually
from tests.web.test_cube_farm import SEATS, deal, play, table_for_three

pytestmark = pytest.mark.xdist_group("web-cube-farm")
__all__ = ["deal"]  # the same cards each time, here too

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


def box(found: Locator) -> dict[str, float]:
    rect = found.bounding_box()
    assert rect is not None
    return {name: float(rect[name]) for name in ("x", "y", "width", "height")}


def is_on_screen(page: Page, query: str) -> bool:
    """Whole, and nothing lies over its middle."""
    seen: bool = page.evaluate(
        """(query) => {
            const node = document.querySelector(query);
            if (!node) return false;
            const { left, top, right, bottom } = node.getBoundingClientRect();
            if (left < -1 || right > innerWidth + 1) return false;
            if (top < -1 || bottom > innerHeight + 1) return false;
            const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return hit !== null && (node.contains(hit) || hit.contains(node));
        }""",
        query,
    )
    return seen


def sights(view: Any, kind: str) -> list[str]:
    return [item["square"] for item in view["floors"]["top"]["squares"] if item["kind"] == kind]


# -- What is what ----------------------------------------------------------------------------


def test_everything_on_a_floor_says_what_it_is(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    view = people[0].ok("GET", f"/api/tables/{table}")["view"]
    sign = page.locator("[data-sign]")
    page.mouse.move(*desk.middle_of(sights(view, "elevator")[0]))
    expect(sign).to_contain_text("an employee needs a walk to one")
    expect(page.locator(".free").first).to_be_attached()
    cube = desk.cubes(1)[0]
    page.mouse.move(*desk.middle_of(cube))
    expect(sign).to_contain_text("free, can be taken")
    expect(sign).to_contain_text("would bring you +1")
    page.mouse.move(*desk.middle_of("E4S3"))
    expect(sign).to_contain_text("No floor here yet")
    # A card with something on it, laid: it says who gets what, and shows how far it reaches.
    desk.take("7")
    page.locator("[data-drop]").click()
    square = page.evaluate(COFFEE)
    page.mouse.move(*desk.middle_of(square))
    expect(sign).to_contain_text("+2 for everybody within 2 steps")
    expect(sign).to_contain_text("nobody is near enough")
    assert page.locator(".reach").count() > 1
    page.locator("[data-legend]").click()
    legend = page.locator("[data-legend-sheet]")
    for words in ("photocopier", "+4 within 4 steps", "Walk to the elevator", "Sales & Marketing"):
        expect(legend).to_contain_text(words)
    check_with_axe(page, "with the legend")


# The square of the coffee machine on the card that was laid, by where it is drawn.
COFFEE = """() => {
    const label = (n, plus, minus) => (n ? (n > 0 ? plus : minus) + Math.abs(n) : '');
    const floor = document.querySelector('[data-scale]').getBoundingClientRect();
    const scale = Number(document.querySelector('[data-scale]').dataset.scale);
    const [mx, my] = document.querySelector('[data-scale]').dataset.middle.split(',').map(Number);
    const tiles = [...document.querySelectorAll('.ghost .tile')];
    const badge = tiles.find((tile) => tile.querySelector('.value'));
    const at = badge.querySelector('.ground').getBoundingClientRect();
    const x = Math.floor(mx + (at.left + at.width / 2 - floor.left - floor.width / 2) / scale);
    const y = Math.floor(my + (at.top + at.height / 2 - floor.top - floor.height / 2) / scale);
    return label(x, 'E', 'W') + label(y, 'S', 'N') || '0';
}"""


def test_walls_lie_above_the_frame_of_a_card(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    desk.take(desk.hand[0])
    expect(page.locator(".stage .ghost .edge")).to_be_attached()
    assert page.evaluate(
        """() => {
            const edge = document.querySelector('.stage .ghost .edge');
            const walls = [...document.querySelectorAll('.stage .walls')];
            return walls.length > 0 && walls.every((wall) =>
                edge.compareDocumentPosition(wall) & Node.DOCUMENT_POSITION_FOLLOWING);
        }"""
    )


def test_who_is_in_is_not_to_act(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site, house={"show-sent": "yes"})
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    seats = page.locator(".seats")
    expect(seats.get_by_text("missing")).to_have_count(3)
    desk.compose(1, Random(2))
    desk.send()
    expect(seats.locator("[data-seat=S]").get_by_text("missing")).to_have_count(0)
    expect(page.locator(".department.S .sent")).to_be_visible()
    expect(page.locator(".status .turn")).to_contain_text("waiting for Ben, Cleo")
    play(people[1], table, "nothing")
    expect(seats.get_by_text("missing")).to_have_count(1)
    expect(page.locator(".status .turn")).to_contain_text("waiting for Cleo")
    # Where nobody is told who has sent orders, nobody is said to be late.
    secret, others = table_for_three(site)
    page = open_page(f"/table/{secret}", others[0])
    FarmDesk(page)
    expect(page.locator(".seats").get_by_text("missing")).to_have_count(1)


# -- Composing -------------------------------------------------------------------------------


def test_an_employee_goes_with_the_card(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    desk.take("5")
    page.locator("[data-drop]").click()
    here = desk.chosen(1, "place")
    on_card = next(name for name in desk.cubes(1) if "N" in name)
    page.mouse.click(*desk.middle_of(on_card))
    expect(desk.slip(1).locator("select[name=employee]")).to_have_value(on_card)
    other = next(name for name in desk.places(1) if name != here)
    desk.slip(1).locator("select[name=place]").select_option(other)
    moved = desk.chosen(1, "employee")
    assert moved not in ("", on_card)
    # Nothing was wrong, so nothing is said to be.
    expect(page.locator("[data-forecast]")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".doubt.loss")).to_have_count(0)
    expect(page.locator(".trouble")).to_have_count(0)
    page.locator("[data-turn]").click()
    assert desk.chosen(1, "employee") not in ("", moved)
    page.locator("[data-remove]").click()
    assert desk.chosen(1, "employee") == ""


def test_orders_being_written_survive_a_reload(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    for phase in (1, 2):
        desk.compose(phase, Random(phase))
    before = [desk.chosen(phase, name) for phase in (1, 2) for name in ("card", "employee")]
    page.reload()
    desk = FarmDesk(page)
    assert before == [desk.chosen(phase, name) for phase in (1, 2) for name in ("card", "employee")]
    assert people[0].ok("GET", f"/api/tables/{table}")["view"]["orders"] == {}
    expect(page.locator(".status .turn")).to_contain_text("(2 of 3)")
    desk.send()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    assert "card" not in (page.evaluate("localStorage['openplan.drafts']") or "")


def test_a_card_answers_at_once_on_a_slow_network(site: Running, open_page: NewPage) -> None:
    """However long an answer takes, a card that is chosen lies on the floor without one."""
    table, people = table_for_three(site)
    page = open_page("/", people[0])
    page.add_init_script(f"({SILENT})()")
    page.goto(f"http://{site.address}/table/{table}")
    desk = FarmDesk(page)
    # Before anybody has answered it lies where it may.
    card = page.locator(f".card-button[data-card='{desk.hand[0]}']")
    card.click()
    expect(page.locator(".stage .ghost").first).to_be_visible()
    # What is possible was asked ahead: then it is known at once, too.
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    hand = desk.hand
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1_000)
    page.evaluate(SILENT)
    for card_name in hand[1:4]:
        page.locator(f".card-button[data-card='{card_name}']").click()
        expect(page.locator("[data-fits]")).to_have_attribute("data-fits", "true")


SILENT = """() => {
    const ask = window.fetch.bind(window);
    window.fetch = (...asked) =>
        String(asked[0]).includes('/options') ? new Promise(() => {}) : ask(...asked);
}"""


def test_the_board_stands_still(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], width=1440, height=900)
    desk = FarmDesk(page)

    def where() -> tuple[dict[str, float], str | None, str | None]:
        floor = desk.floor
        shown = floor.get_attribute("data-scale"), floor.get_attribute("data-middle")
        return box(floor), *shown

    before = where()
    assert before[0]["width"] >= 860, "the building gets the room"
    desk.take(desk.hand[0])
    assert where() == before
    page.locator("[data-drop]").click()
    page.mouse.move(*desk.middle_of("0"))
    assert where() == before
    page.mouse.click(*desk.middle_of(desk.cubes(1)[0]))
    expect(page.locator(".employee.ordered")).to_be_attached()
    assert where() == before
    desk.send()
    expect(page.locator("[data-state=sent]")).to_be_visible()
    assert where() == before


# -- On a phone ------------------------------------------------------------------------------


def test_a_phone_has_it_all_on_one_screen(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], **PHONE)
    desk = FarmDesk(page)
    assert float(desk.floor.get_attribute("data-scale") or 0) >= 40
    for query in ("[data-scale]", "[data-send]", "[data-forecast]", ".building", ".card-button"):
        assert is_on_screen(page, query), query
    goal = page.locator(".status .goal")
    expect(goal).to_have_text("Most points after turn 5 wins")
    assert is_on_screen(page, ".status .goal")
    for card in page.locator(".card-button").all():
        assert box(card)["width"] >= 72
    # The seats are one row.
    tops = page.evaluate("[...document.querySelectorAll('.seats > li')].map((li) => li.offsetTop)")
    assert len(set(tops)) == 1
    assert box(page.locator(".seats"))["height"] < 60
    # Wherever the page is scrolled to, the floor, the forecast and the seal are there.
    desk.compose(2, Random(1))
    for part in (0.2, 0.5, 0.8):
        page.evaluate(
            """(part) => {
                const farm = document.querySelector('.farm').getBoundingClientRect();
                scrollTo(0, scrollY + farm.top + (farm.height - innerHeight) * part);
            }""",
            part,
        )
        for query in ("[data-scale]", "[data-send]", "[data-forecast]"):
            assert is_on_screen(page, query), f"{query} at {part}"
    states = page.locator("[data-phase-state]")
    assert [one.get_attribute("data-phase-state") for one in states.all()] == [
        "open",
        "done",
        "open",
    ]
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_with_axe(page, "on a phone")


def swipe(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    """As a finger would, with all that the browser makes of it."""
    client = page.context.new_cdp_session(page)

    def points(x: float, y: float) -> list[dict[str, float]]:
        return [{"x": x, "y": y}]

    client.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points(*start)})
    for part in range(1, 11):
        at = points(start[0] + by[0] * part / 10, start[1] + by[1] * part / 10)
        client.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": at})
        page.wait_for_timeout(16)
    client.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(400)


def test_a_swipe_moves_the_page_and_never_pushes_the_building_away(
    site: Running, open_page: NewPage
) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], **PHONE)
    desk = FarmDesk(page)
    floor = box(desk.floor)
    middle = (floor["x"] + 150, floor["y"] + 200)
    swipe(page, middle, (0, -180))
    assert page.evaluate("scrollY") > 60
    page.evaluate("scrollTo(0, 0)")
    card = box(page.locator(".card-button").first)
    swipe(page, (card["x"] + 40, card["y"] + 40), (0, -180))
    assert page.evaluate("scrollY") > 60
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("button", name="Zoom in").tap()
    page.get_by_role("button", name="Zoom in").tap()
    for by in ((600, 0), (-600, 0), (0, 500), (0, -500)):
        page.evaluate("scrollTo(0, 0)")
        swipe(page, (180, floor["y"] + 150), by)
        inside = page.evaluate(
            """() => {
                const frame = document.querySelector('[data-scale]').getBoundingClientRect();
                return [...document.querySelectorAll('.stage .tile .ground')].some((tile) => {
                    const at = tile.getBoundingClientRect();
                    return at.right > frame.left + 30 && at.left < frame.right - 30 &&
                        at.bottom > frame.top + 30 && at.top < frame.bottom - 30;
                });
            }"""
        )
        assert inside, by


def test_a_turn_is_played_on_screen_on_a_phone(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(
        f"/table/{table}", people[0], **PHONE, reduced_motion="no-preference", speed="calm"
    )
    desk = FarmDesk(page)
    desk.compose(1, Random(1))
    for person in people[1:]:
        play(person, table, "1: employee S1" if person is people[1] else "nothing")
    # From the end of the page, where the lists are.
    page.locator(".panel").evaluate("(panel) => panel.scrollIntoView({ block: 'end' })")
    desk.send()
    expect(page.locator("[data-step='1']")).to_be_visible(timeout=10_000)
    for query in ("[data-scale]", "[data-playbar]", "[data-play]", "[data-done]"):
        assert is_on_screen(page, query), query
    assert page.locator(".card-button").count() == 0


def test_a_tablet_uses_its_width(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], width=768, height=1024, has_touch=True)
    desk = FarmDesk(page)
    floor, dock = box(desk.floor), box(page.locator("[data-dock]"))
    assert floor["width"] > 400
    assert dock["x"] >= floor["x"] + floor["width"], "orders stand beside the floor"
    for query in ("[data-scale]", "[data-send]", ".card-button"):
        assert is_on_screen(page, query), query


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_title_is_whole_on_a_card_in_the_hand(
    site: Running, open_page: NewPage, language: str
) -> None:
    table, people = table_for_three(site)
    deck = (
        people[0]
        .ask("GET", f"/api/tables/{table}/deck", headers={"Accept-Language": language})
        .json()
    )
    titles = [card["title"] for card in deck["cards"].values()]
    assert len(titles) > 50
    page = open_page(f"/table/{table}", people[0], **PHONE)
    FarmDesk(page)
    cut = page.evaluate(
        """(titles) => titles.filter((title) => {
            const name = document.querySelector('.card-button .name');
            name.textContent = title;
            const [card, box] = [name.closest('.card-button'), name.getBoundingClientRect()];
            const { right, bottom } = card.getBoundingClientRect();
            const isCut = getComputedStyle(name).overflow === 'hidden' &&
                name.scrollWidth > name.clientWidth;
            return isCut || box.right > right || box.bottom > bottom || box.height > 26;
        })""",
        titles,
    )
    assert cut == []


def test_on_a_desk_the_floor_has_two_thirds_of_the_width(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], width=1440, height=900)
    desk = FarmDesk(page)
    assert box(desk.floor)["width"] >= 1440 * 2 / 3
    for query in ("[data-scale]", "[data-send]", ".building", ".card-button", ".status .goal"):
        assert is_on_screen(page, query), query
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


# -- Coming back -----------------------------------------------------------------------------


def carry_out(people: list[Client], table: str, *orders: str) -> None:
    for person, text in zip(people, orders, strict=True):
        play(person, table, text)


def test_who_was_away_opens_the_turn_that_happened(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], reduced_motion="no-preference", speed="quick")
    desk = FarmDesk(page)
    desk.slip(1).locator("select[name=card]").select_option("5")
    where, cube = desk.chosen(1, "place"), desk.cubes(1)[0]
    orders = f"1: card 5 {where} employee {cube}"
    page.goto(f"http://{site.address}/rules/cube-farm")
    carry_out(people, table, orders, "nothing", "1: employee 0; 2: employee 0")
    page.goto(f"http://{site.address}/table/{table}")
    envelope = page.locator("[data-envelope=closed]")
    expect(envelope).to_contain_text("Turn 1 happened", timeout=10_000)
    expect(page.locator("[data-open]")).to_be_focused()
    # Nothing of it is known before it is opened, nor by looking again.
    page.wait_for_timeout(500)
    assert desk.points("S") == 0
    expect(page.locator("#farm-panel .step")).to_have_count(0)
    log = page.get_by_role("list", name="Moves")
    expect(log).to_contain_text("Turn 1 happened.")
    expect(log).not_to_contain_text("places")
    check_with_axe(page, "with an envelope")
    page.reload()
    expect(envelope).to_be_visible(timeout=10_000)
    assert desk.points("S") == 0
    page.locator("[data-open]").click()
    expect(page.locator("[data-step='1']")).to_be_visible(timeout=10_000)
    expect(page.locator(".told")).to_contain_text("Phase 1: Top floor")
    page.keyboard.press("Escape")
    expect(page.locator("[data-done]")).to_be_visible()
    assert desk.points("S") == 1
    desk.to_orders()
    page.reload()
    FarmDesk(page)
    page.wait_for_timeout(1_800)
    expect(page.locator("[data-envelope]")).to_have_count(0)
    expect(page.locator(".status .turn")).to_contain_text("Turn 2 of 5")
    # What the turn brought stays marked until the next one, after a reload too.
    expect(page.locator(".recent")).to_have_count(1)


def test_two_turns_are_opened_one_after_the_other(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(page)
    cube = desk.cubes(1)[0]
    page.goto(f"http://{site.address}/rules/cube-farm")
    carry_out(people, table, f"1: employee {cube}", "nothing", "nothing")
    carry_out(people, table, "nothing", "nothing", "nothing")
    page.goto(f"http://{site.address}/table/{table}")
    expect(page.locator("[data-envelope=closed]")).to_contain_text("Turn 1 happened")
    page.locator("[data-open]").click()
    # Without motion it is all there at once, the same facts.
    expect(page.locator("#farm-panel .step")).to_contain_text(
        f"an employee into the cube at {cube}"
    )
    assert desk.points("S") == 1
    page.locator("[data-on]").click()
    expect(page.locator("[data-step]")).to_contain_text("Turn 2")
    expect(page.locator("[data-playbar]")).to_contain_text("Nobody placed anything")
    desk.to_orders()
    expect(page.locator(".status .turn")).to_contain_text("Turn 3 of 5")


def test_a_turn_is_opened_once_on_whichever_device(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0])
    FarmDesk(page)
    nothing = ["nothing"] * 3
    carry_out(people, table, *nothing)
    expect(page.locator("[data-playbar]")).to_be_visible()
    FarmDesk(page).to_orders()
    seen = f"/api/tables/{table}/seen"
    eventually(lambda: people[0].ok("GET", seen)["turn"] == 1)
    # Elsewhere it is not opened again, and the two that come now are opened there.
    there = open_page(f"/table/{table}", people[0])
    FarmDesk(there)
    expect(there.locator(".card-button").first).to_be_visible()
    expect(there.locator("[data-envelope]")).to_have_count(0)
    for one in (page, there):
        one.goto(f"http://{site.address}/rules/cube-farm")
    carry_out(people, table, *nothing)
    carry_out(people, table, *nothing)
    new = open_page(f"/table/{table}", people[0])
    expect(new.locator("[data-envelope]")).to_contain_text("2")
    expect(new.locator(".status .turn")).to_contain_text("Turn 2")


def test_a_turn_is_heard_and_felt(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(
        f"/table/{table}",
        people[0],
        speed="quick",
        reduced_motion="no-preference",
        settings={"sound": True},
    )
    desk = FarmDesk(page)
    cube = desk.cubes(1)[0]
    page.evaluate(LISTEN)
    carry_out(people, table, f"1: employee {cube}", "nothing", "nothing")
    eventually(lambda: page.evaluate("window.tones.includes(784)"))
    desk.to_orders()
    assert page.evaluate("window.buzzes")[0] == [30]
    page.evaluate("window.tones = []; window.buzzes = []")
    carry_out(people, table, "nothing", "nothing", "nothing")
    desk.to_orders()
    assert 784 not in page.evaluate("window.tones")
    assert [30] not in page.evaluate("window.buzzes")


def test_at_one_screen_a_turn_is_opened_in_nobodys_view(site: Running, open_page: NewPage) -> None:
    ada = site.client("Ada")
    seats = [{"kind": "me", "name": name} for name in ("Ann", "Bob", "Cy")]
    wish = {"game": "cube-farm", "hot_seat": True, "seats": seats}
    table = ada.ok("POST", "/api/tables", wish)["id"]
    page = open_page(f"/table/{table}", ada)
    for place in range(3):
        page.get_by_test_id("hand-over").get_by_role("button").click()
        FarmDesk(page).send_nothing()
        if place < 2:
            page.get_by_test_id("pass").click()
    expect(page.locator("[data-playbar]")).to_be_visible()
    assert page.locator(".card-button").count() == 0
    expect(page.locator("[data-send]")).to_have_count(0)
    page.get_by_test_id("pass").click()
    # It was opened for all of them: the next one begins with the orders.
    page.get_by_test_id("hand-over").get_by_role("button").click()
    FarmDesk(page)
    page.wait_for_timeout(500)
    expect(page.locator("[data-envelope]")).to_have_count(0)
    expect(page.locator(".card-button").first).to_be_visible()


# -- The end ---------------------------------------------------------------------------------


# In which of the departments' colours the points beside the race are written, one below the other.
_WRITTEN_IN = """async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    pen.drawImage(picture, 0, 0);
    return [0, 1, 2].map((place) => {
        const { data } = pen.getImageData(890, 1100 + place * 60, 260, 40);
        const found = {};
        for (let at = 0; at < data.length; at += 4) {
            const name = `rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})`;
            found[name] = (found[name] ?? 0) + 1;
        }
        return Object.entries(found).sort((a, b) => b[1] - a[1])[1][0];
    });
}"""


def test_the_end_comes_after_the_last_turn_and_is_a_poster(
    site: Running, open_page: NewPage
) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], reduced_motion="no-preference", speed="calm")
    desk = FarmDesk(page)
    cube = desk.cubes(1)[0]
    for turn in range(1, 6):
        for person in people[1:]:
            play(person, table, "1: employee 0" if turn == 1 else "nothing")
        if turn in (1, 5):
            where = cube if turn == 1 else desk.cubes(1)[0]
            desk.slip(1).locator("select[name=employee]").select_option(where)
            desk.send()
        else:
            desk.send_nothing()
        expect(page.locator("[data-envelope=sealing]")).to_be_attached()
        if turn == 5:
            break
        expect(page.locator("[data-playbar]")).to_be_visible(timeout=10_000)
        page.keyboard.press("Escape")
        desk.to_orders()
    # While the last turn is played nobody is told how it ended.
    expect(page.locator("[data-playbar]")).to_be_visible(timeout=10_000)
    expect(page.get_by_test_id("result")).to_have_count(0)
    expect(page.locator("[data-step='1']")).to_be_visible(timeout=10_000)
    ending = page.get_by_test_id("result")
    expect(ending).to_be_visible(timeout=10_000)
    page.locator("[data-done]").click()
    points = people[0].ok("GET", f"/api/tables/{table}")["outcome"]["points"]
    for seat in SEATS:
        assert desk.points(seat) == points[seat]
        expect(ending).to_contain_text(str(points[seat]))
    expect(page.get_by_test_id("poster").locator("figure")).to_have_count(3)
    expect(ending).to_contain_text("Best turn")
    expect(ending).to_contain_text("Room")
    with page.expect_download() as saved:
        page.get_by_test_id("picture").click()
    path = saved.value.path()
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert path.stat().st_size > 20_000
    inks = ["rgb(178, 52, 43)", "rgb(31, 111, 139)", "rgb(106, 74, 156)"]
    lines = ending.locator("path[class^=line]")
    strokes = "(lines) => lines.map((line) => getComputedStyle(line).stroke)"
    dashes = "(lines) => lines.map((line) => getComputedStyle(line).strokeDasharray)"
    assert lines.evaluate_all(strokes) == inks
    assert len(set(lines.evaluate_all(dashes))) == 3
    assert page.evaluate(_WRITTEN_IN, b64encode(path.read_bytes()).decode()) == inks
    check_with_axe(page, "with the ending")
    page.set_viewport_size({"width": 360, "height": 740})
    for floor in page.get_by_test_id("poster").locator("figure svg").all()[1::2]:
        assert box(floor)["height"] > 120, "the building is to be seen"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_finger_names_a_cube_before_it_takes_it(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], **PHONE)
    desk = FarmDesk(page)
    first, other = desk.cubes(1)[:2]
    desk.floor.scroll_into_view_if_needed()
    sign = page.locator("[data-sign]")
    for cube in (first, other):
        page.touchscreen.tap(*desk.middle_of(cube))
        expect(sign).to_contain_text("free, can be taken")
        expect(sign).to_contain_text("would bring you +1")
        assert desk.chosen(1, "employee") == ""
    # The button under it does what a second touch would; and that takes the employee off again.
    page.locator("[data-employ]").tap()
    assert desk.chosen(1, "employee") == other
    expect(page.locator("[data-employ]")).to_have_count(0)
    page.touchscreen.tap(*desk.middle_of(first))
    assert desk.chosen(1, "employee") == other
    page.touchscreen.tap(*desk.middle_of(first))
    assert desk.chosen(1, "employee") == first
    page.touchscreen.tap(*desk.middle_of(first))
    assert desk.chosen(1, "employee") == ""


def test_phases_are_swiped_on_a_phone(site: Running, open_page: NewPage) -> None:
    table, people = table_for_three(site)
    page = open_page(f"/table/{table}", people[0], **PHONE)
    desk = FarmDesk(page)

    def phase() -> int:
        titles = [desk.slip(one).locator(".title") for one in (1, 2, 3)]
        shown = [title.get_attribute("aria-expanded") for title in titles]
        return shown.index("true") + 1

    building = box(page.get_by_role("group", name="Floors"))
    right = (building["x"] + building["width"] - 40, building["y"] + building["height"] / 2)
    assert phase() == 1
    swipe(page, right, (-160, 6))
    assert phase() == 2
    # Not past the last, and back again; a short or steep one is no swipe.
    swipe(page, right, (-160, 0))
    swipe(page, right, (-160, 0))
    assert phase() == 3
    swipe(page, (right[0] - 160, right[1]), (160, 0))
    assert phase() == 2
    swipe(page, right, (-30, 0))
    swipe(page, right, (-100, -90))
    assert phase() == 2


def test_bots_have_a_word_after_a_turn(site: Running, open_page: NewPage) -> None:
    ann = site.client("Ann")
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "clerk"}] * 2]
    table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "seats": seats})["id"]
    page = open_page(f"/table/{table}", ann, speed="calm", reduced_motion="no-preference")
    desk = FarmDesk(page)
    assert page.get_by_test_id("line").count() == 0
    desk.send_nothing()
    # Not while the turn is told, which would tell how it goes.
    expect(page.locator("[data-step='1']")).to_be_visible(timeout=20_000)
    assert page.get_by_test_id("line").count() == 0
    desk.to_orders()
    expect(page.get_by_test_id("line")).to_have_count(1)
