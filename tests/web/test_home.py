"""A home for a postal group: my games, the lobby, the waiting room, the game master's page, saved
and ready, drafts that follow their author, a way in for who stands by; in real browsers."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from playwright.sync_api import Page, expect

from tests.server.people import cheap_passwords, member
from tests.server.running import Client, Running
from tests.web.conftest import NewPage
from tests.web.farm_desk import FarmDesk
from tests.web.office_desk import Desk, check_with_axe, eventually
from tests.web.tables import begun, client_of, move_of, on_turn

BY_DAYS = {"kind": "days", "days": 3}


def led(site: Running, **more: Any) -> tuple[str, Client, list[Client]]:
    """Cube Farm with a game master who does not play."""
    with cheap_passwords():
        master = member(site, f"Mia {Random().randrange(10**6)}")
    wish = {"game": "cube-farm", "clock": BY_DAYS, "seats": [{"kind": "open"}] * 3, **more}
    table: str = master.ok("POST", "/api/tables", wish)["id"]
    invite = master.ok("GET", f"/api/tables/{table}")["invite"]
    people = [site.client(name) for name in ("Ann", "Bob", "Cleo")]
    for one in people:
        one.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    return table, master, people


def sure(page: Page, *says: str) -> None:
    """What will happen is said before it does."""
    dialog = page.get_by_role("dialog")
    for one in says:
        expect(dialog).to_contain_text(one)
    dialog.get_by_test_id("sure").click()
    expect(dialog).to_have_count(0)


# -- Lists -----------------------------------------------------------------------------------


def test_my_games_say_what_is_due_and_whom_they_wait_for(open_page: NewPage, site: Running) -> None:
    table, master, (ann, *_) = led(site, name="The Thursday office")
    for width, scheme in ((360, "light"), (1440, "dark")):
        page = open_page("/", ann, width=width, color_scheme=scheme)
        row = page.locator(f"[data-table='{table}']")
        expect(row).to_contain_text("The Thursday office")
        expect(row).to_contain_text("Turn 1")
        expect(row).to_contain_text(re.compile("due in [23] days"))
        expect(row).to_contain_text("you are Sales & Marketing")
        expect(row).to_contain_text("Your turn")
        expect(row).not_to_contain_text("waiting for")
        check_with_axe(page, "my games")
        row.get_by_role("link", name="Your turn").click()
        expect(page).to_have_url(re.compile(f"/table/{table}$"))
    move_of(ann, table, Random(1))
    mia = open_page("/", master)
    row = mia.locator(f"[data-table='{table}']")
    expect(row).to_contain_text("waiting for Bob, Cleo")
    row.get_by_role("link", name="Game master's page").click()
    expect(mia).to_have_url(re.compile(f"/table/{table}/master$"))


def test_the_lobby_is_sifted_by_the_address(open_page: NewPage, site: Running) -> None:
    ann = site.client("Ann")
    wishes: list[dict[str, Any]] = [
        {"game": "cube-farm", "name": "German weeks", "language": "de", "clock": BY_DAYS},
        {"game": "cube-farm", "name": "English weeks", "language": "en", "clock": BY_DAYS},
        {"game": "human-resources", "name": "One sitting", "language": "de"},
    ]
    for wish in wishes:
        ann.ok("POST", "/api/tables", {**wish, "public": True})
    page = open_page("/")
    lobby = page.get_by_test_id("lobby")
    for wish in wishes:
        expect(lobby).to_contain_text(wish["name"])
    check_with_axe(page, "the lobby")
    lobby.get_by_label("Language").select_option("de")
    lobby.get_by_label("Time").select_option("days")
    expect(lobby).to_contain_text("German weeks")
    for hidden in ("English weeks", "One sitting"):
        expect(lobby).not_to_contain_text(hidden)
    page.reload()
    expect(lobby.get_by_label("Time")).to_have_value("days")
    expect(lobby).to_contain_text("German weeks")
    expect(lobby).not_to_contain_text("English weeks")
    lobby.get_by_label("Deck").select_option("own")
    expect(lobby).to_contain_text("No open table fits.")
    lobby.get_by_role("button", name="Show all").click()
    expect(lobby).to_contain_text("English weeks")
    assert "?" not in page.url


def test_a_waiting_room_says_how_it_is_played(open_page: NewPage, site: Running) -> None:
    ann = site.client("Ann")
    schedule = {
        "kind": "schedule",
        "time": "18:00",
        "zone": "Europe/Berlin",
        "weekdays": ["mon", "thu"],
    }
    wish = {
        "game": "cube-farm",
        "public": True,
        "clock": schedule,
        "early": "deadline",
        "absence": {"policy": "standby"},
        "press": {"rule": "all", "postal": True},
        "entry": {"reliable": 80},
    }
    table = ann.ok("POST", "/api/tables", wish)["id"]
    page = open_page(f"/table/{table}")
    facts = page.get_by_test_id("facts")
    for said in (
        "Mon, Thu at 18:00 (Europe/Berlin)",
        "48 hours",
        "A standby player may take the seat",
        "Carry out orders only at the deadline",
        "Signed or anonymous",
        "Ann",
        "at least 80 % of moves on time",
    ):
        expect(facts).to_contain_text(said)
    page.get_by_role("button", name="Sit down at Product Development").click()
    expect(page.locator("[data-seat=P]")).to_contain_text("you")
    expect(facts).to_be_visible()
    # What is not as usual is said before one sits down: later is too late to mind.
    clock = {**schedule, "vacation": 3, "most": 200}
    odd = {**wish, "clock": clock, "anonymous": True, "starts_when_full": False}
    other = open_page(f"/table/{ann.ok('POST', '/api/tables', odd)['id']}")
    for said in (
        "Nobody is named until the match is over",
        "The host starts the match",
        "200 hours at most",
        "by up to 3 days",
    ):
        expect(other.get_by_test_id("facts")).to_contain_text(said)
    expect(other.get_by_role("button", name="Sit down").first).to_be_visible()
    # A guest is known by the browser's zone and language from now on.
    german = open_page(f"/table/{table}", locale="de-DE", timezone_id="Europe/Vienna")
    german.get_by_role("button", name="Platz nehmen").click()
    expect(german.get_by_test_id("board")).to_be_visible()
    me = client_of(german, site).ok("GET", "/api/me")
    assert (me["zone"], me["language"]) == ("Europe/Vienna", "de")


# -- The game master -------------------------------------------------------------------------


def test_a_master_leads_a_table_from_a_page(open_page: NewPage, site: Running) -> None:
    table, master, people = led(site, press={"rule": "signed"})
    mia = open_page(f"/table/{table}/master", master)
    ann, bob = (open_page(f"/table/{table}", one) for one in people[:2])
    expect(mia.locator("[data-seat=S]")).to_contain_text("missing")
    rng = Random(7)
    for one in people:
        move_of(one, table, rng)
    expect(mia.get_by_test_id("ahead").get_by_role("listitem")).to_have_count(4)
    expect(mia.get_by_test_id("past")).to_contain_text("Turn 1")
    move_of(people[0], table, rng)
    mia.reload()
    expect(mia.locator("[data-seat=S] [data-orders]")).to_have_attribute(
        "data-orders", re.compile("ready|saved")
    )
    check_with_axe(mia, "the game master's page")

    # A banner for everybody, until it is read.
    mia.get_by_label("To everybody who plays or watches").fill("No post on Friday.")
    mia.get_by_role("button", name="Announce it").click()
    sure(mia, "reads this as a banner", "No post on Friday.")
    watcher = open_page(f"/table/{table}", master)
    for page in (ann, bob, watcher):
        expect(page.get_by_test_id("announcement")).to_contain_text("No post on Friday.")
    ann.get_by_role("button", name="Got it").click()
    expect(ann.get_by_test_id("announcement")).to_have_count(0)
    ann.reload()
    expect(ann.get_by_role("tab", name="Game master")).to_be_visible()
    expect(ann.get_by_test_id("announcement")).to_have_count(0)

    # A card that came by post: blind, said to its player, marked in the log.
    orders = people[1].some_move(table, rng)
    mia.locator("[data-seat=P]").get_by_role("button", name="Orders on paper").click()
    mia.get_by_label("Orders, one line for each phase").fill(orders)
    check_with_axe(mia, "orders on paper")
    mia.get_by_test_id("go-on").click()
    sure(mia, "sent on paper", "Product Development (Bob)", "You do not learn what of them")
    expect(bob.get_by_text("The game master has entered orders for you.").first).to_be_visible()
    ann.get_by_role("tab", name="Game master").click()
    log = ann.get_by_role("tabpanel", name="Game master")
    expect(log).to_contain_text("entered orders for Product Development that came on paper.")
    expect(ann.get_by_role("link", name="Game master's page")).to_have_count(0)

    mia.get_by_role("button", name="Carry out turn 2 now").click()
    sure(mia, "Turn 2 is carried out now", "Missing: Support & Training")
    expect(mia.get_by_test_id("past")).to_contain_text("Turn 2")
    expect(ann.get_by_text("carried out turn 2 before its time").first).to_be_visible()

    mia.get_by_role("button", name="Back to the start of turn 2").click()
    sure(mia, "goes back to the start of turn 2", "everybody orders anew")
    expect(mia.get_by_test_id("past")).not_to_contain_text("Turn 2")
    assert people[0].ok("GET", f"/api/tables/{table}")["view"]["turn"] == 2

    mia.get_by_role("button", name="Pause").click()
    sure(mia, "The clock stops")
    expect(ann.get_by_text("The match is paused.")).to_be_visible()
    mia.get_by_role("button", name="Resume").click()
    sure(mia, "The clock runs again")
    expect(ann.get_by_text("The match is paused.")).to_have_count(0)

    # Who loses a seat is told so, at once and after.
    mia.locator("[data-seat=P]").get_by_role("button", name="Take the seat away").click()
    mia.get_by_label("is open to a standby player").check()
    mia.get_by_test_id("go-on").click()
    sure(mia, "Product Development (Bob) loses the seat at once")
    expect(bob.get_by_role("alert")).to_contain_text("You have lost your seat")
    bob.reload()
    expect(bob.get_by_role("heading", name="You have lost your seat.")).to_be_visible()
    home = open_page("/", people[1])
    expect(home.locator(f"[data-table='{table}']")).to_contain_text("Seat lost")
    expect(log).to_contain_text("took Product Development from its player: the seat is open.")

    mia.get_by_role("button", name="End the match without a result").click()
    sure(mia, "without a result")
    expect(ann.get_by_text("The match was called off.")).to_be_visible()
    # Nothing of it is shown to who does not lead the table.
    ann.goto(f"{ann.url}/master")
    expect(ann.get_by_text("Only the game master of a table sees this page.")).to_be_visible()


def test_press_and_master_are_there_without_a_clock(open_page: NewPage, site: Running) -> None:
    table, _, people = led(site, clock={"kind": "none"}, press={"rule": "all"})
    ann = open_page(f"/table/{table}", people[0])
    expect(ann.get_by_role("tab", name="Game master")).to_be_visible()
    ann.get_by_role("tab", name="Press").click()
    # Unsigned never sticks, and is shown as such to its author.
    ann.get_by_placeholder("Write a letter").fill("Somebody is bluffing.")
    ann.get_by_label("Send unsigned").check()
    ann.get_by_test_id("send-press").click()
    expect(ann.get_by_role("log", name="Press")).to_contain_text("you, unsigned")
    expect(ann.get_by_label("Send unsigned")).not_to_be_checked()
    bob = open_page(f"/table/{table}", people[1])
    bob.get_by_role("tab", name="Press").click()
    expect(bob.get_by_role("log", name="Press")).to_contain_text("unsigned")
    expect(bob.get_by_role("log", name="Press")).not_to_contain_text("Ann")


# -- Saved is not ready ----------------------------------------------------------------------


def test_orders_are_saved_and_then_sealed(open_page: NewPage, site: Running) -> None:
    table, people = begun(site, "cube-farm", clock=BY_DAYS, house={"show-sent": "yes"})
    ann, bob, cleo = people
    for number, one in enumerate((bob, cleo)):
        orders = one.some_move(table, Random(number))
        version = one.ok("GET", f"/api/tables/{table}")["version"]
        body = {"move": orders, "version": version, "submission": "s", "ready": number == 1}
        one.ok("POST", f"/api/tables/{table}/moves", body)
    page = open_page(f"/table/{table}", ann)
    states = page.locator("[data-seat] [data-orders]")
    expect(states).to_have_text(["missing", "saved", "ready"])
    desk = FarmDesk(page)
    desk.compose(1, Random(2))
    page.locator("[data-save]").click()
    expect(states).to_have_text(["saved", "saved", "ready"])
    check_with_axe(page, "saved orders")
    page.reload()
    expect(states).to_have_text(["saved", "saved", "ready"])
    desk.send()
    # Bob has saved and not said that he is ready: the turn waits for him, not for Ann.
    expect(states).to_have_text(["ready", "saved", "ready"])
    assert ann.ok("GET", f"/api/tables/{table}")["view"]["turn"] == 1
    phone = open_page(f"/table/{table}", bob, width=360, height=740)
    expect(phone.locator("[data-seat=P] [data-orders=saved]")).to_be_visible()
    FarmDesk(phone).send()
    eventually(lambda: ann.ok("GET", f"/api/tables/{table}")["view"]["turn"] == 2)
    expect(states).to_have_text(["missing", "missing", "missing"])


def test_who_has_sent_orders_is_told_to_nobody_where_the_table_does_not(
    open_page: NewPage, site: Running
) -> None:
    table, people = begun(site, "cube-farm", clock=BY_DAYS)
    move_of(people[1], table, Random(1))
    page = open_page(f"/table/{table}", people[0])
    expect(page.locator("[data-seat=S] [data-orders=missing]")).to_be_visible()
    expect(page.locator("[data-seat] [data-orders]")).to_have_count(1)


# -- Drafts ----------------------------------------------------------------------------------


def drafted(client: Client, table: str) -> str:
    return str(client.ok("GET", f"/api/tables/{table}/draft")["text"])


def test_what_is_half_made_follows_its_author(open_page: NewPage, site: Running) -> None:
    table, people = begun(site)
    mover = on_turn(people, table)
    other = people[1 - people.index(mover)]
    first = open_page(f"/table/{table}", mover)
    desk = Desk(first)
    assert desk.is_asked()
    (card, *_) = desk.seen()["hand"]
    desk.choose(card)
    eventually(lambda: drafted(mover, table) != "")
    # On another device, where nothing is kept.
    second = open_page(f"/table/{table}", mover, width=360, height=740)
    assert Desk(second).is_asked()
    eventually(lambda: Desk(second).seen()["picked"] == [card])
    assert drafted(other, table) == ""
    move_of(mover, table, Random(2))
    assert drafted(mover, table) == ""


def test_orders_half_composed_follow_their_author(open_page: NewPage, site: Running) -> None:
    table, people = begun(site, "cube-farm", clock=BY_DAYS)
    first = open_page(f"/table/{table}", people[0])
    desk = FarmDesk(first)
    desk.compose(1, Random(4))
    card = desk.chosen(1, "card")
    eventually(lambda: card in drafted(people[0], table))
    second = FarmDesk(open_page(f"/table/{table}", people[0], width=768))
    assert second.chosen(1, "card") == card
    # What is newer there comes back here.
    second.compose(2, Random(5))
    more = second.chosen(2, "card")
    eventually(lambda: more in drafted(people[0], table))
    first.reload()
    desk = FarmDesk(first)
    assert (desk.chosen(1, "card"), desk.chosen(2, "card")) == (card, more)
    desk.send()
    eventually(lambda: drafted(people[0], table) == "")


def test_a_lesson_goes_on_where_it_was_left(open_page: NewPage, site: Running) -> None:
    ann = site.client("Ann")
    first = open_page("/learn/cube-farm", ann)
    expect(first.get_by_test_id("lesson")).to_contain_text("step 1 of")
    first.get_by_test_id("go-on").click()
    expect(first.get_by_test_id("lesson")).to_contain_text("step 2 of")
    said = first.get_by_test_id("say").inner_text()
    first.goto(f"http://{site.address}/rules/cube-farm")
    # The page sends it as it goes away; another device may ask before it has come.
    eventually(lambda: ann.ok("GET", "/api/games/cube-farm/lesson/draft")["text"] != "")
    second = open_page("/learn/cube-farm", ann)
    expect(second.get_by_test_id("say")).to_have_text(said)
    # Whoever has no session has it on the device.
    visitor = open_page("/learn/cube-farm")
    expect(visitor.get_by_test_id("lesson")).to_contain_text("step 1 of")
    visitor.get_by_test_id("go-on").click()
    expect(visitor.get_by_test_id("lesson")).to_contain_text("step 2 of")
    visitor.reload()
    expect(visitor.get_by_test_id("lesson")).to_contain_text("step 2 of")


# -- Standing by -----------------------------------------------------------------------------


def test_a_visitor_finds_a_way_in_to_stand_by(open_page: NewPage, site: Running) -> None:
    absence = {"policy": "standby"}
    table, _ = begun(site, public=True, clock=BY_DAYS, absence=absence)
    page = open_page(f"/table/{table}")
    page.get_by_test_id("menu").click()
    page.get_by_role("dialog").get_by_role("button", name="Become a standby player").click()
    check_with_axe(page, "standing by")
    page.get_by_role("dialog").get_by_role("link", name="Sign in or create an account").click()
    up = page.get_by_role("region", name="Create an account")
    up.get_by_label("Sign-in name").fill(f"sub{Random().randrange(10**6)}")
    up.get_by_label("Password").fill("long enough")
    up.get_by_role("button", name="Create account").click()
    expect(page).to_have_url(re.compile(f"/table/{table}"))
    page.get_by_test_id("stand-by").click()
    expect(page.get_by_text("You are standing by.")).to_be_visible()
    assert client_of(page, site).ok("GET", f"/api/tables/{table}")["duty"]["is_standby"]
    # A guest needs a name only.
    guest = open_page(f"/table/{table}")
    guest.get_by_test_id("menu").click()
    guest.get_by_role("dialog").get_by_role("button", name="Become a standby player").click()
    guest.get_by_label("Your name at the table").fill("Gus")
    guest.get_by_test_id("stand-by").click()
    expect(guest.get_by_text("You are standing by.")).to_be_visible()
