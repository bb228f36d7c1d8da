"""A game that was added by the recipe in examples/README.md, in a browser: on the first page, and
played against bots to its end by nothing but what the page says."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.recipe import GAME, environment, followed
from tests.web.office_desk import check_with_axe


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("third")
    tree = followed(folder)
    command = [".venv/bin/openplan", "serve", "--port", "0", "--data", str(folder / "data")]
    with subprocess.Popen(
        command, cwd=tree, env=environment(tree), stdout=subprocess.PIPE, text=True
    ) as served:
        assert served.stdout is not None
        said = served.stdout.readline()
        found = re.search(r"http://\S+?(?=/ )", said)
        assert found is not None, said
        yield found[0]
        served.terminate()


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce", base_url=address)
    faults: list[str] = []
    opened = context.new_page()
    opened.set_default_timeout(15_000)
    opened.on("pageerror", lambda error: faults.append(str(error)))
    opened.goto("/")
    yield opened
    context.close()
    assert faults == []


def test_it_is_on_the_first_page_in_the_footer_and_in_both_languages(page: Page) -> None:
    shown = page.locator(f"section[aria-labelledby={GAME}-title]")
    expect(shown).to_contain_text("Sealed Tender")
    expect(shown).to_contain_text("Each round, seal a bid for the contract on top.")
    expect(shown.get_by_role("link", name="Learn")).to_have_count(0)
    expect(page.locator("footer")).to_contain_text("Sealed Tender")
    page.goto(f"/new?game={GAME}")
    expect(page.get_by_label("Long words are allowed")).to_be_checked()
    page.get_by_role("button", name="Deutsch").click()
    page.goto(f"/cards/{GAME}")
    expect(page.get_by_text("Rückseite vom Umschlag").first).to_be_visible()


def test_it_is_played_to_its_end_by_what_the_page_says(page: Page) -> None:
    page.get_by_test_id(f"bot-{GAME}").click()
    table = page.get_by_test_id("plain-table")
    hand = table.get_by_role("region", name="Your hand")
    for left in (3, 2, 1):
        expect(hand.get_by_role("listitem")).to_have_count(left)
        page.locator("[data-step=bid]").click()
        page.locator("[data-step^=b]").first.click()
        page.get_by_test_id("play").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(table).to_contain_text("Won by ")
    expect(table).to_contain_text(re.compile(r"A: (1 contract|\d contracts), 0 bids in hand"))
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_test_id("play")).to_have_count(0)
    for raw in ("viewer", "counts", "gone"):
        expect(table).not_to_contain_text(raw)
    # All that was sealed is in the list of moves now, and each of it once.
    moves = page.get_by_role("list", name="Moves").get_by_role("listitem")
    expect(moves).to_have_count(9)
    before = moves.all_inner_texts()
    numbers = moves.evaluate_all("(items) => items.map((item) => item.value)")
    assert numbers == list(range(9, 0, -1))
    check_with_axe(page, "plain table")
    page.reload()
    expect(moves).to_have_count(9)
    assert moves.all_inner_texts() == before


def test_its_decks_are_made_as_text(page: Page) -> None:
    """It offers no form of a deck: what is wrong is said all the same, and it is played with."""
    page.goto("/decks")
    page.get_by_role("radio", name="Sealed Tender").check()
    page.get_by_test_id("from-blank").click()
    text = page.get_by_label("The deck as text")
    expect(text).to_have_value(re.compile("open-plan deck 1"))
    good = text.input_value()
    text.fill(good + "[[card]]\n")
    expect(page.get_by_test_id("faults")).to_contain_text("To put right: 1")
    expect(page.get_by_test_id("play-bot")).to_be_disabled()
    check_with_axe(page, "a deck as text")
    page.get_by_test_id("undo").click()
    expect(page.get_by_test_id("faults")).to_contain_text("can be played with")
    page.get_by_test_id("play-bot").click()
    expect(page.get_by_test_id("plain-table")).to_be_visible()
