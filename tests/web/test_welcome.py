"""How somebody comes in: the first page that plays itself, a friend's invitation, a dead link; in
real browsers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import check_with_axe

# -- The first page --------------------------------------------------------------------------

MOVING = """
() => document.querySelector('.demo').getAnimations({ subtree: true })
    .filter((one) => one.playState === 'running').length
"""


def moves(page: Page) -> bool:
    """Whether what is drawn changes: by the clock of what moves, not by its name."""
    time = "() => document.querySelector('.demo .first').getAnimations()[0]?.currentTime ?? -1"
    before = page.evaluate(time)
    page.wait_for_timeout(250)
    return bool(page.evaluate(time) != before)


def test_the_first_page_plays_itself_until_it_is_stopped(open_page: NewPage) -> None:
    page = open_page("/", reduced_motion="no-preference", speed="calm")
    demo = page.get_by_role("img", name="Two cubicles")
    expect(demo).to_be_visible()
    assert moves(page)
    stop = page.get_by_role("button", name="Stop the picture")
    stop.click()
    assert not moves(page)
    assert page.evaluate(MOVING) == 0
    page.get_by_role("button", name="Play the picture").click()
    assert moves(page)


def test_who_wants_no_motion_sees_how_it_ends(open_page: NewPage) -> None:
    page = open_page("/")
    assert not moves(page)
    expect(page.locator(".demo .stamp")).to_be_visible()
    assert page.locator(".demo .points").evaluate("one => getComputedStyle(one).opacity") == "1"


def test_who_has_never_played_is_led_to_the_intern_or_the_lesson(open_page: NewPage) -> None:
    page = open_page("/", width=360, height=740)
    lesson = page.get_by_role("link", name="Learn it in five minutes").first
    expect(lesson).to_have_attribute("href", "/learn/human-resources")
    first = page.get_by_test_id("first-game")
    assert first.bounding_box()["y"] < 400  # type: ignore[index]
    first.click()
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.locator(".seats")).to_contain_text("Intern")


# -- An invitation ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "title", "facts"),
    [
        ("human-resources", "Human Resources", "2 players · 10 to 20 minutes"),
        ("cube-farm", "PBM Cube Farm", "3 players"),
    ],
)
def test_who_is_invited_reads_who_invites_to_what(
    open_page: NewPage, site: Running, game: str, title: str, facts: str
) -> None:
    ann = open_page("/")
    ann.get_by_test_id(f"friend-{game}").click()
    link = ann.get_by_test_id("invite").input_value().removeprefix(f"http://{site.address}")
    early = open_page(link)
    expect(early.get_by_test_id("welcome")).to_contain_text("Guest invites you")
    german = open_page(link, locale="de-DE")
    expect(german.get_by_test_id("welcome")).to_contain_text("Gast lädt dich")
    check_with_axe(ann, "who asks for the inviter's name")
    ann.get_by_test_id("inviter-name").fill("Ann Archer")
    ann.get_by_role("button", name="Say who I am").click()
    expect(ann.locator(".seats li.you")).to_contain_text("Ann Archer")
    # A slip is mended where it was made, and what is too long is refused, not cut.
    field = ann.get_by_test_id("inviter-name")
    expect(field).to_have_value("Ann Archer")
    expect(ann.locator("#so-far")).to_contain_text("Ann Archer invites you")
    field.fill("\U0001f3e2" * 40)
    ann.get_by_role("button", name="Say who I am").click()
    expect(ann.locator(".seats li.you")).to_contain_text("\U0001f3e2" * 40)
    field.fill("a" * 61)
    ann.get_by_role("button", name="Say who I am").click()
    expect(ann.get_by_role("alert")).to_contain_text("60")
    field.fill("Ann Archer")
    ann.get_by_role("button", name="Say who I am").click()
    expect(ann.get_by_role("alert")).to_have_count(0)
    expect(ann.locator(".seats li.you")).to_contain_text("Ann Archer")

    bob = open_page(link, width=360, height=740)
    welcome = bob.get_by_test_id("welcome")
    expect(welcome).to_contain_text(f"Ann Archer invites you to a game of {title}")
    expect(welcome).to_contain_text(facts)
    expect(welcome).to_contain_text("without a clock")
    expect(welcome.locator(".picture svg")).to_be_visible()
    bob.get_by_test_id("guest-name").fill("Bob Bell")
    welcome.get_by_role("button").first.click()
    expect(bob.locator(".seats li.you")).to_contain_text("Bob Bell")
    expect(ann.locator(".seats")).to_contain_text("Bob Bell")


def test_who_comes_too_late_reads_that_the_seats_are_taken(
    open_page: NewPage, site: Running
) -> None:
    people = [site.client(name) for name in ("Ann", "Bob")]
    table = people[0].ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    invite = people[0].ok("GET", f"/api/tables/{table}")["invite"]
    people[1].ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    link = f"/table/{table}?invite={invite}"
    for locale, words, way in (
        ("en-GB", "Both seats are taken: you are watching.", "Open tables"),
        ("de-DE", "Beide Plätze sind besetzt: Du siehst zu.", "Offene Tische"),
    ):
        late = open_page(link, width=360, height=740, locale=locale)
        expect(late.get_by_test_id("too-late")).to_contain_text(words)
        late.get_by_test_id("too-late").get_by_role("link", name=way).click()
        expect(late).to_have_url(re.compile("/#open$"))
    # Who sits there is told nothing of it.
    page = open_page(link, people[1])
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("too-late")).to_have_count(0)


def test_the_invitation_can_be_scanned(open_page: NewPage) -> None:
    page = open_page("/", width=360, height=740)
    page.get_by_test_id("friend-human-resources").click()
    page.get_by_text("Show a code to scan").click()
    code = page.get_by_test_id("qr")
    expect(code).to_be_visible()
    # A finder in three corners and none in the fourth: squares of seven dots, behind a border.
    dark = code.evaluate("""(svg) => {
        const dots = new Set(svg.querySelector('path').getAttribute('d').match(/M\\d+ \\d+/g));
        const size = svg.viewBox.baseVal.width;
        const ring = (left, top) => [0, 1, 2, 3, 4, 5, 6].every((n) =>
            dots.has(`M${left + n} ${top}`) && dots.has(`M${left} ${top + n}`));
        return [ring(2, 2), ring(size - 9, 2), ring(2, size - 9), ring(size - 9, size - 9)];
    }""")
    assert dark == [True, True, True, False]
    assert code.evaluate("one => getComputedStyle(one).backgroundColor") == "rgb(255, 255, 255)"


# -- A dead link -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "title", "other"),
    [
        ("/nowhere/to/be/found", "No such page", "Open tables"),
        ("/table/nothing", "No such table", "Open tables"),
        ("/table/nothing/at/3", "No such table", "Open tables"),
        ("/decks/nothing", "No such deck", "All decks"),
    ],
)
def test_a_dead_link_says_what_to_do(open_page: NewPage, path: str, title: str, other: str) -> None:
    page = open_page(path, width=360, height=740)
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page.get_by_test_id("dead-end")).to_contain_text("ask for a new one")
    sign_in = page.get_by_role("link", name="sign in")
    assert "back=%2F" in (sign_in.get_attribute("href") or "")
    check_with_axe(page, path)
    page.get_by_role("link", name=other, exact=True).click()
    arrived = page.get_by_role("heading", name=other.removeprefix("All ").capitalize(), exact=True)
    expect(arrived).to_be_in_viewport()
