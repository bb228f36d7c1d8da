"""People are told on the page, by the browser, and as they wish."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from openplan.server.store import Tx
from tests.server.endpoints import LOOPBACK, Browser, endpoint
from tests.server.people import id_of, member
from tests.server.running import Client, Running, running
from tests.web.conftest import WITH_A_WINDOW, NewPage
from tests.web.office_desk import check_with_axe, eventually

WISH = {
    "game": "human-resources",
    "public": True,
    "seats": [{"kind": "me"}, {"kind": "open"}],
    "clock": {"kind": "days", "days": 3},
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site"), outgoing=LOOPBACK) as server:
        yield server


def begin(ann: Client, bob: Client) -> str:
    table: str = ann.ok("POST", "/api/tables", WISH)["id"]
    bob.ok("POST", f"/api/tables/{table}/join", {})
    return table


def move_until_turn_of(who: Client, other: Client, table: str) -> None:
    while not is_turn_of(who, table):
        sight = other.ok("GET", f"/api/tables/{table}")
        move = other.some_move(table, Random(1))
        other.play(table, move, sight["version"], f"s{sight['version']}")


def is_turn_of(who: Client, table: str) -> bool:
    sight = who.ok("GET", f"/api/tables/{table}")
    return sight["you"] in sight["to_act"]


def icon(page: Page) -> str | None:
    return page.locator('link[rel="icon"]').get_attribute("href")


def test_title_icon_and_header_carry_the_games_that_wait(site: Running, open_page: NewPage) -> None:
    ann, bob = member(site, "Ann"), member(site, "Bob")
    tables = [begin(ann, bob) for _ in range(2)]
    move_until_turn_of(bob, ann, tables[0])
    move_until_turn_of(ann, bob, tables[1])
    page = open_page("/", bob)
    expect(page.get_by_test_id("waiting")).to_have_text("1")
    eventually(lambda: page.title().startswith("(1) "))
    assert icon(page) == "/icon-1.svg"
    assert page.request.get(f"http://{site.address}/icon-1.svg").headers["content-type"] == (
        "image/svg+xml"
    )
    move_until_turn_of(bob, ann, tables[1])
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_test_id("waiting")).to_have_text("2")
    page.get_by_test_id("next").click()
    eventually(lambda: "/table/" in page.url)
    first = page.url.rpartition("/")[2]
    assert first in tables
    expect(page.get_by_test_id("next")).to_have_attribute(
        "href", f"/table/{next(table for table in tables if table != first)}"
    )
    eventually(lambda: page.title().startswith("(2) "))
    narrow = open_page(f"/table/{first}", bob, width=360, height=740)
    expect(narrow.get_by_test_id("waiting")).to_have_text("2")
    assert narrow.evaluate("document.documentElement.scrollWidth <= innerWidth")
    # A move of one's own, in whatever tab, is one less.
    sight = bob.ok("GET", f"/api/tables/{first}")
    bob.play(first, bob.some_move(first, Random(1)), sight["version"], "own")
    move_until_turn_of(ann, bob, first)
    eventually(lambda: page.title().startswith("(1) "))
    assert icon(page) == "/icon-1.svg"


def test_nobody_is_shown_a_number(site: Running, open_page: NewPage) -> None:
    page = open_page("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.get_by_test_id("waiting").count() == 0
    assert icon(page) == "/icon.svg"


def test_wishes_are_set_for_all_tables_and_for_one(site: Running, open_page: NewPage) -> None:
    ann, bob = member(site, "Ann"), member(site, "Bob")
    table = begin(ann, bob)
    page = open_page("/account", bob)
    expect(page.get_by_test_id("pace-push")).to_be_visible()
    check_with_axe(page, "being told")
    page.get_by_test_id("pace-push").select_option("daily")
    page.get_by_test_id("pace-browser").select_option("never")
    page.get_by_label("Ring a bell").check()
    eventually(lambda: bob.ok("GET", "/api/me")["wishes"]["bell"])
    wishes = bob.ok("GET", "/api/me")["wishes"]
    assert (wishes["push"], wishes["browser"], wishes["turn"]) == ("daily", "never", True)
    page.get_by_role("button", name="Make an address").click()
    address = page.get_by_test_id("calendar").input_value()
    assert address == bob.ok("GET", "/api/me/told")["calendar"]
    page.get_by_role("button", name="End it").click()
    expect(page.get_by_test_id("calendar")).to_have_count(0)
    page.get_by_text("A hook: tell another program").click()
    page.get_by_label("Address", exact=True).fill("https://10.0.0.1/x")
    page.get_by_role("button", name="Set this hook").click()
    expect(page.get_by_role("alert")).to_contain_text("network to which this server sends nothing")
    page.goto(f"http://{site.address}/table/{table}")
    page.get_by_test_id("menu").click()
    page.get_by_test_id("told-here").click()
    page.get_by_test_id("here-push").select_option("never")
    eventually(lambda: bob.ok("GET", f"/api/tables/{table}/wishes")["push"] == "never")
    page.get_by_test_id("here-push").select_option("")
    eventually(lambda: bob.ok("GET", f"/api/tables/{table}/wishes")["push"] is None)


def test_a_german_page_says_it_in_german(site: Running, open_page: NewPage) -> None:
    bob = member(site, "Bob")
    page = open_page("/account", bob, locale="de-DE")
    expect(page.get_by_role("heading", name="Bescheid bekommen")).to_be_visible()
    expect(page.get_by_text("Von dieser Seite, wenn sie im Hintergrund ist")).to_be_visible()


# -- The worker ------------------------------------------------------------------------------


def with_worker(page: Page) -> None:
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")


def deliver(page: Page, site: Running, message: str) -> None:
    """As a push service would, through the browser's own tools."""
    tools = page.context.new_cdp_session(page)
    found: list[dict[str, Any]] = []

    def note(said: dict[str, Any]) -> None:
        found.append(said)

    tools.on("ServiceWorker.workerRegistrationUpdated", note)
    tools.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    registration = found[0]["registrations"][0]["registrationId"]
    tools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": f"http://{site.address}", "registrationId": registration, "data": message},
    )


def shown(page: Page) -> list[dict[str, str]]:
    found: list[dict[str, str]] = page.evaluate(
        "navigator.serviceWorker.ready.then((worker) => worker.getNotifications())"
        ".then((all) => all.map(({title, body, tag, data}) => "
        "({title, body, tag, link: data.link})))"
    )
    return found


@WITH_A_WINDOW
def test_a_push_is_shown(site: Running, open_page: NewPage) -> None:
    page = open_page("/", permissions=["notifications"])
    with_worker(page)
    told = {
        "title": "Your turn",
        "body": "Human Resources, game 1.",
        "link": "/table/x",
        "tag": "x",
    }
    deliver(page, site, json.dumps(told))
    eventually(lambda: shown(page) == [told])
    # A second one about the same table takes its place; another's link leads nowhere else.
    again = {**told, "body": "Twice.", "link": "https://elsewhere.example/"}
    deliver(page, site, json.dumps(again))
    eventually(lambda: shown(page) == [{**again, "link": "/"}])
    deliver(page, site, "nonsense")
    eventually(lambda: len(shown(page)) == 2)


def test_without_a_network_there_is_a_page(site: Running, open_page: NewPage) -> None:
    page = open_page("/")
    with_worker(page)
    page.context.set_offline(True)
    page.goto(f"http://{site.address}/account")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.get_by_role("heading", name="Kein Netz")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('main')).maxWidth") == "512px"
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(
        page.get_by_test_id("settings").or_(page.get_by_role("heading", level=1))
    ).to_be_visible()
    kept: list[str] = page.evaluate(
        "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)"
        ".then((cache) => cache.keys()).then((all) => all.map(({url}) => new URL(url).pathname)))))"
        ".then((all) => all.flat())"
    )
    assert sorted(kept) == ["/icon.svg", "/offline.css", "/offline.html"], "nothing of anybody"


def test_it_can_be_installed(site: Running, open_page: NewPage) -> None:
    page = open_page("/")
    tools = page.context.new_cdp_session(page)
    found = tools.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone"
    for one in manifest["icons"]:
        answer = page.request.get(f"http://{site.address}{one['src']}")
        assert (answer.status, answer.headers["content-type"]) == (200, one["type"])
    assert tools.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )


# A browser without windows cannot subscribe anywhere: its subscription is put in place.
SUBSCRIBED = """(subscription) => {
  const fake = { toJSON: () => subscription, unsubscribe: async () => true };
  PushManager.prototype.subscribe = async function (options) {
    window.asked = options.applicationServerKey;
    PushManager.prototype.getSubscription = async () => fake;
    return fake;
  };
}"""


def test_a_browser_is_added_told_and_removed(site: Running, open_page: NewPage) -> None:
    bob = member(site, "Bob")
    with endpoint() as there:
        far = Browser(f"{there.address}/push")
        page = open_page("/account", bob, permissions=["notifications"])
        with_worker(page)
        page.evaluate(SUBSCRIBED, far.subscription)
        page.get_by_test_id("push").click()
        expect(page.get_by_role("button", name="No longer")).to_be_visible()
        assert page.evaluate("window.asked") == bob.ok("GET", "/api/me/told")["push_key"]
        page.get_by_role("button", name="Try it").click()
        told = far.read(there.wait()[0].body)
        assert told["title"] == "It works"
        page.get_by_role("button", name="No longer").click()
        expect(page.get_by_test_id("push")).to_be_visible()
        assert bob.ok("GET", "/api/me/told")["pushes"] == []


def test_who_looks_at_a_table_is_there_and_then_is_not(site: Running, open_page: NewPage) -> None:
    ann, bob = member(site, "Ann"), member(site, "Bob")
    table, user = begin(ann, bob), id_of(bob)

    def is_here() -> bool:
        def work(tx: Tx) -> bool:
            return bool(tx.rows(int, "SELECT 1 FROM presence WHERE user_id = ?", user))

        return site.run(site.site.store.read(work))

    page = open_page(f"/table/{table}", bob)
    eventually(is_here)
    page.goto(f"http://{site.address}/")
    eventually(lambda: not is_here())
