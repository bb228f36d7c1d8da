"""Mail on the site: letters from the file to the page, and the operator's page, in browsers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import EmailMessage
from random import Random

import pytest
from playwright.sync_api import Page, expect

from openplan.server.mailing.sender import note_bounce
from openplan.server.ops.operator import act_page
from openplan.server.store import Tx
from openplan.server.tables.weights import FEW
from tests.server.people import cheap_passwords, letters_to, member, text_of
from tests.server.running import Client, Running, running
from tests.web.conftest import NewPage
from tests.web.office_desk import check_with_axe

SALES = {"game": "cube-farm", "seats": [{"kind": "open"}] * 3, "clock": {"kind": "days", "days": 3}}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with cheap_passwords(), running(tmp_path_factory.mktemp("mail")) as server:
        yield server


def path_in(letter: EmailMessage, pattern: str) -> str:
    """Where a link of a letter leads on the site."""
    found = re.search(rf"https?://[^/\s]+(/{pattern}\S*[^\s.])", text_of(letter))
    assert found, text_of(letter)
    return found[1]


def operator_link(site: Running) -> str:
    return site.run(act_page(site.site, {})).partition("/operator")[2]


def fits(page: Page) -> bool:
    is_narrow: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return is_narrow


# -- The operator's page ---------------------------------------------------------------------


def test_the_whole_can_be_tried_on_the_operators_page(open_page: NewPage, site: Running) -> None:
    master = member(site, "Mia")
    table = master.ok("POST", "/api/tables", SALES)["id"]
    for name in ("ann", "bob", "cy"):
        master.ok("POST", f"/api/tables/{table}/invite", {"email": f"{name}@try.example"})
    boss = open_page("/operator" + operator_link(site), width=1440, height=1000)
    expect(boss.get_by_role("heading", name="Operator")).to_be_visible()
    assert boss.url.endswith("/operator"), "the link is not in the address any more"
    letters = boss.get_by_role("list", name="Letters")
    for name in ("ann", "bob", "cy"):
        letters.get_by_role("button", name=re.compile(f"{name}@try.example.*invitation")).click()
        expect(boss.locator("pre")).to_contain_text("Mia")
        boss.get_by_role("tab", name="Answer").click()
        box = boss.get_by_label("The mail")
        box.fill(box.input_value().replace("____", "JOIN"))
        boss.get_by_role("button", name="Send it").click()
        expect(boss.get_by_text("has done something").first).to_be_visible()
        boss.get_by_role("button", name="Close message").first.click()
    assert master.ok("GET", f"/api/tables/{table}")["state"] == "playing"

    letters.get_by_role("button", name=re.compile("ann@try.example.*welcome")).click()
    expect(boss.locator("pre")).to_contain_text("Your hand")
    check_with_axe(boss, "a letter as text")
    boss.get_by_role("tab", name="As a page").click()
    frame = boss.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Your hand")).to_be_visible()
    picture = frame.locator("img").first
    assert picture.evaluate("image => image.complete && image.naturalWidth") > 100
    assert boss.frames[1].evaluate("origin") == "null", "the letter is nobody's page"
    expect(boss.get_by_role("region", name="The site")).to_contain_text("All is well")
    boss.get_by_role("button", name="Close the page").click()
    expect(boss.get_by_text("openplan admin page")).to_be_visible()
    boss.reload()
    expect(boss.get_by_text("openplan admin page")).to_be_visible()


def test_the_operators_page_on_a_phone_in_german(open_page: NewPage, site: Running) -> None:
    site.client().ok("POST", "/api/session/link", {"email": "phone@try.example"})
    letters_to(site, "phone@try.example")
    boss = open_page(
        "/operator" + operator_link(site),
        width=360,
        height=740,
        locale="de-DE",
        color_scheme="dark",
    )
    letters = boss.get_by_role("list", name="Briefe")
    letter = letters.get_by_role("button", name=re.compile("phone@try.example"))
    expect(letter).to_be_visible()
    check_with_axe(boss, "the operator's page")
    assert fits(boss)
    letter.click()
    expect(letters).to_be_hidden()
    boss.get_by_role("tab", name="Antworten").click()
    assert fits(boss)
    check_with_axe(boss, "an answer")
    boss.get_by_role("button", name="Alle Briefe").click()
    expect(letter).to_be_visible()


def test_the_operators_page_is_closed_to_everybody_else(open_page: NewPage, site: Running) -> None:
    page = open_page("/operator#made.up", member(site, "Eve"))
    expect(page.get_by_role("alert")).to_contain_text("link")
    expect(page.get_by_text("openplan admin page")).to_be_visible()
    expect(page.get_by_role("list", name="Letters")).to_have_count(0)
    check_with_axe(page, "the closed page")


# -- From the letter to the page -------------------------------------------------------------


def invited(open_page: NewPage, site: Running, address: str, name: str) -> tuple[Client, str]:
    """Somebody is invited from the table's page; who invites, and which table."""
    owner = member(site, name)
    table = owner.ok("POST", "/api/tables", {**SALES, "seats": [{"kind": "open"}] * 3})["id"]
    page = open_page(f"/table/{table}", owner, width=360, height=740)
    page.get_by_text("Or invite by mail").click()
    page.get_by_label("Mail address").fill(address)
    check_with_axe(page, "inviting by mail")
    assert fits(page)
    page.get_by_role("button", name="Send invitation").click()
    expect(page.get_by_text(f"A letter to {address} is on its way.")).to_be_visible()
    return owner, table


def test_an_invitation_leads_to_the_table(open_page: NewPage, site: Running) -> None:
    _, table = invited(open_page, site, "dora@letter.example", "Olga")
    (letter,) = letters_to(site, "dora@letter.example")
    page = open_page(path_in(letter, "table/"))
    page.get_by_role("button", name=re.compile("Sit down")).first.click()
    expect(page.locator(".seats li.you")).to_be_visible()
    assert table in page.url


def test_who_joined_by_mail_signs_in_by_mail_and_chooses_letters(
    open_page: NewPage, site: Running
) -> None:
    """The whole way of an address: invited, joined by an answer, signed in by a link, told of a
    bounce, shown that letters arrive, and rid of those nobody wants."""
    address = "emil@letter.example"
    invited(open_page, site, address, "Olaf")
    (invitation,) = letters_to(site, address)
    found = re.search(r"BEGIN (\S+)", text_of(invitation))
    assert found
    mail = f"From: {address}\r\nMessage-ID: <e@x>\r\n\r\nBEGIN {found[1]}\r\nJOIN\r\nEND\r\n"
    spool_and_judge(site, mail.encode())
    letters_to(site, address, 2)

    page = open_page("/account")
    known = page.get_by_role("region", name="I have an account")
    known.get_by_label("Sign-in name or mail address").fill(address)
    known.get_by_role("button", name="Send me a link").click()
    expect(page.get_by_text("A letter is on its way")).to_be_visible()
    link = path_in(letters_to(site, address, 3)[-1], "letter/sign-in")
    page.goto(f"http://{site.address}{link}")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    check_with_axe(page, "a letter's link")
    page.get_by_role("button", name="Sign in").click()
    mine = page.get_by_role("region", name="Mail")
    expect(mine).to_contain_text(address)
    page.goto(f"http://{site.address}{link}")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("has been used")

    site.run(site.site.store.transact(lambda tx: _bounce(tx, address)))
    page.goto(f"http://{site.address}/account")
    expect(mine).to_contain_text("Letters do not reach you: bounced: 5.1.1 unknown")
    check_with_axe(page, "account with a bounce")
    mine.get_by_role("button", name="Send a test letter").click()
    link = path_in(letters_to(site, address, 4)[-1], "letter/sign-in")
    page.goto(f"http://{site.address}{link}")
    page.get_by_role("button", name="Sign in").click()
    expect(mine).to_contain_text(address)
    expect(mine).not_to_contain_text("do not arrive")

    # Which letters come is chosen there.
    told = page.get_by_role("region", name="Being told")
    wish = told.get_by_label("Tell me when it is my turn")
    expect(wish).to_be_checked()
    wish.uncheck()
    expect(page.get_by_text("Saved.").first).to_be_visible()
    page.reload()
    expect(wish).not_to_be_checked()
    expect(told.get_by_label("Remind me before my time runs out")).to_be_checked()


def test_a_letter_says_how_to_get_no_more(open_page: NewPage, site: Running) -> None:
    """By its own link, with nobody signed in; looking at it does nothing yet."""
    address = "uwe@letter.example"
    owner, table = invited(open_page, site, address, "Olli")
    (invitation,) = letters_to(site, address)
    found = re.search(r"BEGIN (\S+)", text_of(invitation))
    assert found
    mail = f"From: {address}\r\nMessage-ID: <u@x>\r\n\r\nBEGIN {found[1]}\r\nJOIN\r\nEND\r\n"
    spool_and_judge(site, mail.encode())
    letters_to(site, address, 2)
    invite = owner.ok("GET", f"/api/tables/{table}")["invite"]
    for name in ("Vic", "Wim"):
        site.client(name).ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    welcome = letters_to(site, address, 3)[-1]
    link = re.fullmatch(r"<https?://[^/]+(/\S*)>", welcome["List-Unsubscribe"].strip())
    assert link
    page = open_page(link[1], width=360, height=740)
    expect(page.get_by_role("heading", name="No more letters")).to_be_visible()
    check_with_axe(page, "no more letters")
    assert fits(page)
    assert '"mail":"now"' in wishes(site, address)[0]
    page.get_by_role("button", name="Send me no more letters").click()
    expect(page.get_by_text("No more letters will be sent.")).to_be_visible()
    assert '"mail":"never"' in wishes(site, address)[0]
    made_up = open_page(link[1][:-1] + ("1" if link[1].endswith("0") else "0"))
    made_up.get_by_role("button", name="Send me no more letters").click()
    expect(made_up.get_by_role("alert")).to_be_visible()
    # A mail program's one click: a form, from no page of ours.
    answer = site.client().http.post(link[1], data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200


def wishes(site: Running, address: str) -> list[str]:
    select = "SELECT wishes FROM users WHERE email = ?"
    return site.run(site.site.store.read(lambda tx: tx.rows(str, select, address)))


def spool_and_judge(site: Running, mail: bytes) -> None:
    """As a mail server's pipe hands it over."""
    from openplan.server.mailing.inbox import spool

    spool(site.site.settings.data / "spool", mail)


def _bounce(tx: Tx, address: str) -> None:
    (name,) = tx.rows(str, "SELECT name FROM sent_letters WHERE reader = ? LIMIT 1", address)
    note_bounce(tx, name, "5.1.1 unknown", 0)


# -- Ladder ----------------------------------------------------------------------------------


def test_the_ladder_shows_the_best_of_a_game(open_page: NewPage, site: Running) -> None:
    page = open_page("/ladder/human-resources", width=360, height=740)
    expect(page.get_by_text("No rated matches yet.")).to_be_visible()
    people = [member(site, name) for name in ("Ann", "Bob")]
    wish = {"game": "human-resources", "rated": True, "clock": {"kind": "days", "days": 3}}
    table = people[0].ok("POST", "/api/tables", wish)["id"]
    invite = people[0].ok("GET", f"/api/tables/{table}")["invite"]
    people[1].ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    for turn in range(2 * FEW):  # a match of fewer moves does not count for both
        (seat,) = people[0].ok("GET", f"/api/tables/{table}")["to_act"]
        mover = people["AB".index(seat)]
        version = mover.ok("GET", f"/api/tables/{table}")["version"]
        mover.play(table, mover.some_move(table, Random(turn)), version, f"m{turn}")
    people[1].ok("POST", f"/api/tables/{table}/resign")
    page.reload()
    rows = page.get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Ann")
    check_with_axe(page, "ladder")
    assert fits(page)
    page.get_by_role("link", name="Bob").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Bob")
    missing = open_page("/ladder/chess")
    expect(missing.locator(".trouble")).to_be_visible()
