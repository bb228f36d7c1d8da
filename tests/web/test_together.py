"""People at one table: a friend, one screen, a network that comes and goes, secrets, post; in real
browsers."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from openplan.core.registry import all_games
from openplan.decks import shipped_text
from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import check_with_axe
from tests.web.tables import begun, client_of, move_of, on_turn

# -- With a friend ---------------------------------------------------------------------------


def test_a_friend_comes_by_the_link_and_both_talk_agree_and_finish(
    open_page: NewPage, site: Running
) -> None:
    ann = open_page("/")
    ann.get_by_test_id("friend-human-resources").click()
    link = ann.get_by_test_id("invite").input_value()
    check_with_axe(ann, "waiting for a friend")
    bob = open_page(link.removeprefix(f"http://{site.address}"), width=360, height=740)
    sit_down = bob.get_by_role("button", name="Sit down")
    expect(sit_down).to_be_visible()
    check_with_axe(bob, "invited")
    sit_down.click()
    for page in (ann, bob):
        expect(page.get_by_test_id("board")).to_be_visible()
    expect(bob).not_to_have_url(re.compile("invite"))

    ann.get_by_role("tab", name="Chat").click()
    ann.get_by_label("Say something").fill("Good luck!")
    ann.get_by_role("button", name="Send").click()
    bob.get_by_role("tab", name="Chat").click()
    expect(bob.get_by_role("log", name="Chat")).to_contain_text("Good luck!")
    check_with_axe(bob, "chat")

    bob.get_by_role("tab", name="Notes").click()
    bob.get_by_label("My notes").fill("She blinks.")
    expect(bob.get_by_text("Saved.")).to_be_visible()
    bob.reload()
    bob.get_by_role("tab", name="Notes").click()
    expect(bob.get_by_label("My notes")).to_have_value("She blinks.")
    assert "blinks" not in ann.content()

    choose(ann, "Ask for a pause")
    offer = bob.get_by_role("group", name="a pause")
    offer.get_by_role("button", name="Decline").click()
    expect(ann.get_by_role("group", name="a pause")).to_have_count(0)
    choose(ann, "Ask for a pause")
    check_with_axe(bob, "an offer")
    offer.get_by_role("button", name="Agree").click()
    for page in (ann, bob):
        expect(page.get_by_text("The match is paused.")).to_be_visible()
    choose(bob, "Ask to continue")
    ann.get_by_role("group", name="continuing").get_by_role("button", name="Agree").click()
    expect(bob.get_by_text("The match is paused.")).to_have_count(0)

    choose(ann, "Resign", sure=True)
    expect(bob.get_by_test_id("result")).to_contain_text("You win!")


def choose(page: Page, what: str, *, sure: bool = False) -> None:
    """Something of the table's menu."""
    page.get_by_test_id("menu").click()
    page.get_by_role("dialog").get_by_role("button", name=what).click()
    if sure:
        page.get_by_role("dialog").get_by_role("button", name=what).click()


SENTENCE = re.compile(r"(Ann|Bob|You) (place|hire|start|meet)s?.*\.$")
"""What happened is told in words, not in notation."""


def test_after_the_end_there_are_rematch_replay_and_a_checked_shuffle(
    open_page: NewPage, site: Running
) -> None:
    table, people = begun(site)
    rng = Random(6)
    first = open_page(f"/table/{table}", people[0])
    expect(first.get_by_test_id("board")).to_be_visible()
    for _ in range(4):
        move_of(on_turn(people, table), table, rng)
    choose(first, "Resign", sure=True)
    result = first.get_by_test_id("result")
    expect(result).to_contain_text("Bob wins")
    check_with_axe(first, "result")

    result.get_by_role("link", name="Check the shuffle").click()
    shuffle = first.get_by_test_id("shuffle")
    expect(shuffle).to_contain_text("Checked by your browser")
    expect(shuffle).to_contain_text("this browser noted when the match began")
    check_with_axe(first, "looking back")

    eyes = first.get_by_label("View as")
    eyes.select_option("B")
    expect(first).to_have_url(re.compile(r"viewer=B"))
    for key in ("Home", "ArrowRight"):
        first.keyboard.press(key)
    eyes.blur()
    first.get_by_role("button", name="To the start").click()
    expect(first.get_by_test_id("entry")).to_contain_text("The start")
    first.keyboard.press("ArrowRight")
    expect(first.get_by_test_id("entry")).to_have_text(SENTENCE)
    expect(first.locator("li.current")).to_have_attribute("value", "1")
    expect(first).to_have_url(re.compile(r"/at/1\?viewer=B"))
    first.get_by_label("Moment").fill("3")
    expect(first).to_have_url(re.compile(r"/at/3"))
    with first.expect_download() as download:
        first.get_by_role("link", name="Download the record").click()
    assert download.value.path().read_text().startswith("open-plan")

    # A moment has an address of its own, for anybody who may see the table.
    second = open_page(first.url.partition(site.address)[2], people[1])
    expect(second.get_by_test_id("entry")).to_have_text(SENTENCE)
    second.get_by_test_id("play-on").select_option("B")
    expect(second).not_to_have_url(re.compile(table))
    expect(second.get_by_test_id("board")).to_be_visible()

    first.get_by_role("link", name="Back to the table").click()
    first.get_by_role("button", name="Rematch").click()
    expect(first).not_to_have_url(re.compile(table))


def other_server_chance(told: Any) -> None:
    told["chance"][0] = f"chance server: {'0' * 64}"


def other_card_drawn(told: Any) -> None:
    drawn = told["draws"][-1]["drawn"]
    drawn[0], drawn[1] = drawn[1], drawn[0]


def other_deal(told: Any) -> None:
    told["deal"]["deck"].reverse()


def chosen_pool(told: Any) -> None:
    told["draws"][0]["pool"].reverse()


@pytest.mark.parametrize("forge", [other_server_chance, other_card_drawn, other_deal, chosen_pool])
def test_a_deal_that_was_not_drawn_from_what_was_sealed_is_found_out(
    open_page: NewPage, site: Running, forge: Callable[[Any], None]
) -> None:
    table, people = begun(site)
    move_of(on_turn(people, table), table, Random(1))
    people[0].ok("POST", f"/api/tables/{table}/resign")
    page = open_page("/", people[0])

    def answer(route: Route) -> None:
        told = route.fetch().json()
        forge(told)
        route.fulfill(json=told)

    page.route("**/verify*", answer)
    page.goto(f"http://{site.address}/table/{table}/at/0")
    expect(page.get_by_test_id("shuffle")).to_contain_text("does not fit its seal")
    expect(page.get_by_test_id("shuffle")).not_to_contain_text("Checked by your browser")


def test_a_page_adds_to_the_deal_by_itself_and_finds_out_if_that_was_left_out(
    open_page: NewPage, site: Running
) -> None:
    page = open_page("/")
    page.get_by_test_id("bot-human-resources").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    table = page.url.rpartition("/")[2]
    client_of(page, site).ok("POST", f"/api/tables/{table}/resign")
    page.goto(f"http://{site.address}/table/{table}/at/0")
    shuffle = page.get_by_test_id("shuffle")
    expect(shuffle).to_contain_text("drawn from chance that nobody chose alone")
    expect(shuffle).to_contain_text("Seat A: added by this browser.")
    expect(shuffle).to_contain_text("Seat B: nothing added")
    expect(shuffle).to_contain_text("this browser noted when the match began")
    check_with_axe(page, "the checked shuffle")

    # A server that dealt without these bytes, and shows a deal that fits all it says of itself.
    page.evaluate(
        "() => localStorage.setItem('openplan.commitments', localStorage.getItem("
        "'openplan.commitments').replace(/[0-9a-f]{8}\"\\]/, '00000000\"]'))"
    )
    page.reload()
    expect(shuffle).to_contain_text("What your browser added is not in this deal.")


def test_who_joins_adds_to_the_deal_too(open_page: NewPage, site: Running) -> None:
    ann = site.client("Ann")
    table = ann.ok("POST", "/api/tables", {"game": "human-resources"})["id"]
    invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
    page = open_page(f"/table/{table}?invite={invite}")
    page.get_by_role("button", name="Sit down").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    ann.ok("POST", f"/api/tables/{table}/resign")
    page.goto(f"http://{site.address}/table/{table}/at/0")
    shuffle = page.get_by_test_id("shuffle")
    expect(shuffle).to_contain_text("Seat A: nothing added")
    expect(shuffle).to_contain_text("Seat B: added by this browser.")


# -- At one screen ---------------------------------------------------------------------------


def test_at_one_screen_hands_are_hidden_until_the_screen_is_handed_over(
    open_page: NewPage, site: Running
) -> None:
    page = open_page("/", width=768, height=1000)
    page.get_by_test_id("here-human-resources").click()
    screen = page.get_by_test_id("hand-over")
    expect(screen).to_be_visible()
    check_with_axe(page, "hand-over")
    table = page.url.rpartition("/")[2]
    keeper = client_of(page, site)
    rng = Random(3)
    for _ in range(3):
        acts = keeper.ok("GET", f"/api/tables/{table}")["to_act"][0]
        hands = {
            seat: keeper.ok("GET", f"/api/tables/{table}?seat={seat}")["view"]["hands"][seat]
            for seat in "AB"
        }
        source = page.content()
        assert not [card for hand in hands.values() for card in hand if card in source]
        screen.get_by_role("button").click()
        expect(page.get_by_test_id("board")).to_be_visible()
        other = "B" if acts == "A" else "A"
        source = page.content()
        assert not [card for card in hands[other] if card in source], "the other's hand is closed"
        # The move itself is played elsewhere: how moves are made is tested with the games.
        steps: list[str] = []
        while True:
            path = f"/api/tables/{table}/options?seat={acts}"
            options = keeper.ok("POST", path, {"steps": steps})
            if options["whole"] is not None:
                break
            steps.append(rng.choice(options["next"])["value"])
        body = {
            "move": options["whole"],
            "version": options["version"],
            "submission": f"m{rng.random()}"[:20].replace(".", ""),
        }
        keeper.ok("POST", f"/api/tables/{table}/moves?seat={acts}", body)
        if keeper.ok("GET", f"/api/tables/{table}")["to_act"] != [acts]:
            page.get_by_test_id("pass").click()
            expect(screen).to_be_visible()
        else:
            page.reload()


def test_three_send_sealed_orders_at_one_screen(open_page: NewPage) -> None:
    page = open_page("/", width=768, height=1000)
    page.get_by_test_id("here-cube-farm").click()
    for turn in (1, 2):
        for player in (1, 2, 3):
            screen = page.get_by_test_id("hand-over")
            expect(screen).to_contain_text(f"Player {player}")
            screen.get_by_role("button").click()
            expect(page.get_by_text(f"Turn {turn} of 5").first).to_be_visible()
            page.get_by_role("button", name="Seal: place nothing").click()
            page.get_by_role("button", name="Seal anyway").click()
            page.get_by_test_id("pass").click()


# -- A network that comes and goes -----------------------------------------------------------


def test_a_lost_connection_is_said_and_then_caught_up_in_silence(
    open_page: NewPage, site: Running
) -> None:
    table, people = begun(site)
    page = open_page("/", people[0])
    is_down = False
    sockets: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        if is_down:
            socket.close()
            return
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket("**/live*", connect)
    page.goto(f"http://{site.address}/table/{table}")
    expect(page.get_by_test_id("board")).to_be_visible()
    rng = Random(2)
    move_of(on_turn(people, table), table, rng)
    log = page.get_by_role("list", name="Moves").get_by_role("listitem")
    expect(log).not_to_have_count(0)
    before = log.count()
    is_down = True
    sockets[-1].close()
    expect(page.get_by_text("Connection lost.")).to_be_visible()
    check_with_axe(page, "connection lost")
    for _ in range(3):
        move_of(on_turn(people, table), table, rng)
    is_down = False
    expect(page.get_by_text("Connection lost.")).to_have_count(0, timeout=20_000)
    expect(log).to_have_count(len(people[0].ok("GET", f"/api/tables/{table}/log")["entries"]))
    assert log.count() > before


def test_what_happens_is_said_and_the_board_is_there_in_words(
    open_page: NewPage, site: Running
) -> None:
    table, people = begun(site)
    page = open_page(f"/table/{table}", people[0])
    expect(page.get_by_test_id("board")).to_be_visible()
    move_of(on_turn(people, table), table, Random(4))
    expect(page.get_by_test_id("said")).not_to_have_text("")
    page.get_by_role("tab", name="Moves").press("ArrowLeft")
    expect(page.get_by_role("tab", name="In words")).to_be_focused()
    text = page.get_by_test_id("text-board")
    expect(text).to_be_visible()
    assert len(text.inner_text()) > 100
    check_with_axe(page, "board in words")


def test_another_device_of_the_same_person_follows(open_page: NewPage, site: Running) -> None:
    table, people = begun(site)
    pages = [open_page(f"/table/{table}", people[0]) for _ in range(2)]
    for page in pages:
        expect(page.get_by_test_id("board")).to_be_visible()
    move_of(on_turn(people, table), table, Random(5))
    for page in pages:
        entries = page.get_by_role("list", name="Moves").get_by_role("link")
        expect(entries).not_to_have_count(0)


# -- Secrets ---------------------------------------------------------------------------------


MARKUP = "<img src=x onerror=document.title='taken'><b>x</b>"


def test_names_chat_notes_and_press_never_become_markup(open_page: NewPage, site: Running) -> None:
    """Whatever somebody writes is shown as it was written, to everybody."""
    ann, bob, cleo = site.client(MARKUP[:40]), site.client("<i>Bob</i>"), site.client("Cleo")
    wish = {"game": "cube-farm", "public": True, "press": {"rule": "all", "postal": False}}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    at = f"/api/tables/{table}"
    for one in (bob, cleo):
        one.ok("POST", f"{at}/join", {})
    ann.ok("POST", f"{at}/chat", {"text": MARKUP})
    ann.ok("POST", f"{at}/press", {"to": ["all"], "text": MARKUP})
    ann.ok("PUT", f"{at}/notes", {"text": MARKUP})
    ann.ok("POST", "/api/tables", {"game": "human-resources", "public": True})
    person = ann.ok("GET", "/api/me")["id"]
    for path, client in ((f"/table/{table}", ann), (f"/person/{person}", bob), ("/", cleo)):
        page = open_page(path, client)
        expect(page.get_by_text(MARKUP[:40]).first).to_be_attached()
        for tab in page.get_by_role("tab").all():
            tab.click()
            if tab.inner_text().startswith(("Chat", "Press")):
                expect(page.get_by_text(MARKUP).first).to_be_visible()
            assert page.locator("img[src=x], i:text-is('Bob'), b:text-is('x')").count() == 0
        assert page.title() != "taken"


def test_no_browser_ever_holds_what_its_person_may_not_know(
    open_page: NewPage, site: Running
) -> None:
    """Every card has a planted title. The deck's faces are public; who holds which of them is not:
    so beside the deck nothing that reaches a browser may name a card in the other's hand."""
    game = all_games()["human-resources"]
    number = iter(range(1, 1000))
    text = re.sub(
        r'title = "[^"]*"',
        lambda _: f'title = "Planted{next(number):03}x"',
        shipped_text(game, "house"),
    )
    text = text.replace('title = "Planted001x"', 'title = "Planted deck"', 1)
    text = text.replace('name = "house"', 'name = "planted"', 1)
    table, people = begun(site, deck_text=text)
    faces = people[0].ok("GET", f"/api/tables/{table}/deck")["cards"]
    received: list[str] = []
    page = open_page("/", people[1])
    page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: received.append(str(data))),
    )
    page.on("response", lambda answer: received.append(body_of(answer)))
    page.goto(f"http://{site.address}/table/{table}")
    expect(page.get_by_test_id("board")).to_be_visible()
    rng = Random(8)
    hidden: set[str] = set()
    open_to_bob: set[str] = set()
    for _ in range(12):
        mine = people[0].ok("GET", f"/api/tables/{table}")["view"]["hands"]["A"]
        his = people[1].ok("GET", f"/api/tables/{table}")
        if his["outcome"] is not None:
            break
        open_to_bob |= set(re.findall(r"\b[PMQ]\d\d[dl]\b", str(his["view"])))
        hidden |= set(mine)
        # All that he holds now names none of the cards that are hers now.
        page.wait_for_timeout(50)
        source = page.content() + str(page.evaluate("[{...localStorage}, {...sessionStorage}]"))
        for card in mine:
            if card not in open_to_bob:
                title = faces[card]["title"]
                assert card not in source, card
                assert title not in source, title
        move_of(on_turn(people, table), table, rng)
    page.wait_for_timeout(300)
    told = "\n".join(received)
    his = people[1].ok("GET", f"/api/tables/{table}")
    log = str(people[1].ok("GET", f"/api/tables/{table}/log"))
    known = open_to_bob | set(re.findall(r"\b[PMQ]\d\d[dl]\b", str(his["view"]) + log))
    never = hidden - known
    assert len(never) >= 2, "the test must have something to look for"
    assert known & set(re.findall(r"\b[PMQ]\d\d[dl]\b", told)), "and must see what is sent"
    for card in never:
        assert card not in told, card
        assert faces[card]["title"] not in told, card


def body_of(answer: Any) -> str:
    """An answer's text; the faces of the deck are everybody's."""
    if answer.url.endswith("/deck") or "/assets/" in answer.url:
        return ""
    try:
        text: str = answer.text()
    except Exception:  # noqa: BLE001 - a socket's answer, or one that has gone with its page
        return ""
    return text


# -- By post ---------------------------------------------------------------------------------


def test_letters_reach_whom_they_are_for_and_the_master_keeps_time(
    open_page: NewPage, site: Running
) -> None:
    master = site.client("Mia")
    wish = {
        "game": "cube-farm",
        "clock": {"kind": "days", "days": 3},
        "seats": [{"kind": "open"}] * 3,
    }
    table = master.ok("POST", "/api/tables", wish)["id"]
    invite = master.ok("GET", f"/api/tables/{table}")["invite"]
    people = [site.client(name) for name in ("Ann", "Bob", "Cleo")]
    for one in people:
        one.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    mia, ann, bob, cleo = (open_page(f"/table/{table}", one) for one in (master, *people))
    for page in (ann, bob, cleo):
        expect(page.get_by_text(re.compile("Deadline: .*in [23] days"))).to_be_visible()
        page.get_by_role("tab", name="Press").click()
    check_with_axe(ann, "press")
    # Private is private: the thread is Bob's, and the button says so.
    expect(ann.get_by_test_id("send-press")).to_have_text("Send to everybody at the table")
    ann.get_by_role("button", name="Bob", exact=True).click()
    ann.get_by_placeholder("Write a letter").fill("Leave the basement to me.")
    ann.get_by_role("button", name="Send to Bob only").click()
    expect(ann.get_by_role("log", name="Press")).to_contain_text("Leave the basement to me.")
    bob.get_by_role("button", name="Ann 1 new").click()
    expect(bob.get_by_role("log", name="Press")).to_contain_text("Leave the basement to me.")
    expect(bob.get_by_test_id("send-press")).to_have_text("Send to Ann only")
    assert "basement to me" not in cleo.content()

    # Nobody's orders are left out in the first turn; in the second the master need not wait.
    rng = Random(7)
    for one in people:
        move_of(one, table, rng)
    mia.get_by_role("tab", name="Game master").click()
    check_with_axe(mia, "the game master's tab")
    mia.get_by_role("link", name="Game master's page").click()
    mia.get_by_role("button", name="Carry out turn 2 now").click()
    mia.get_by_role("dialog").get_by_test_id("sure").click()
    expect(mia.get_by_role("button", name="Carry out turn 3 now")).to_be_visible()
    bob.get_by_role("tab", name="Game master").click()
    expect(bob.get_by_role("tabpanel", name="Game master")).to_contain_text("carried out turn 2")
    expect(bob.get_by_role("link", name="Game master's page")).to_have_count(0)
