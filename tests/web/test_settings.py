"""What somebody chooses for a table, and what is heard and felt there."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import (
    LISTEN,
    USUAL,
    Desk,
    Hand,
    check_with_axe,
    deal_this,
    eventually,
    table_for_two,
    table_with_bot,
)

pytestmark = pytest.mark.xdist_group("web-settings")


def test_settings_are_chosen_kept_and_followed(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    page.evaluate("localStorage.removeItem('openplan.settings')")
    desk = Desk(page)
    assert desk.is_asked()
    sound = page.get_by_test_id("sound")
    expect(sound).to_have_attribute("aria-label", "Turn the sound on")
    sound.click()
    expect(sound).to_have_attribute("aria-label", "Mute")
    expect(page.locator(".rim text")).to_have_count(0)
    page.get_by_test_id("settings").click()
    panel = page.get_by_role("dialog")
    check_with_axe(page, "settings")
    panel.get_by_label("Names of the squares on the rim").check()
    panel.get_by_label("Ask before a move is sent").uncheck()
    panel.get_by_label("At once").check()
    panel.get_by_role("button", name="Close").click()
    expect(page.locator(".rim text").first).to_be_visible()
    page.reload()
    assert desk.is_asked()
    expect(sound).to_have_attribute("aria-label", "Mute")
    expect(page.locator(".rim text").first).to_be_visible()
    # A move that is clear is sent without a last question.
    desk.choose(desk.seen()["hand"][0])
    desk.tap("E2")
    expect(page.get_by_test_id("told")).to_contain_text("You place")


def test_what_is_heard_is_made_here_and_only_if_wished_for(
    site: Running, open_page: NewPage
) -> None:
    table, ann = table_with_bot(site, "random")
    page = open_page(f"/table/{table}", ann)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.evaluate(
        """() => {
            window.heard = 0;
            const real = AudioContext.prototype.createGain;
            AudioContext.prototype.createGain = function () {
                window.heard += 1;
                return real.call(this);
            };
        }"""
    )
    desk, rng = Desk(page), Random("heard")
    assert desk.is_asked()
    desk.any_move(rng)
    assert desk.is_asked()
    assert page.evaluate("window.heard") == 0
    assert not [url for url in asked if "synth" in url]
    page.get_by_test_id("sound").click()
    eventually(lambda: page.evaluate("window.heard") > 0)
    before = page.evaluate("window.heard")
    desk.any_move(rng)
    eventually(lambda: page.evaluate("window.heard") > before)


def test_points_chime_and_the_turn_rings_once(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, "P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
    table, ann, bob = table_for_two(site)
    Hand(ann, table).play("project P10d")
    Hand(bob, table).play("project P05d")
    page = open_page(f"/table/{table}", ann, speed="quick", settings={"sound": True})
    desk = Desk(page)
    assert desk.is_asked()
    page.evaluate(LISTEN)
    # Whoever opens the page on their turn has it before them.
    desk.choose("P01d")
    desk.tap("W1")
    assert page.evaluate("window.buzzes") == []
    desk.confirm()
    eventually(lambda: page.evaluate("window.tones.includes(784)"))
    eventually(lambda: page.evaluate("window.buzzes") == [[25, 60, 40]])
    assert 1760 not in page.evaluate("window.tones")
    page.evaluate("window.tones = []")
    Hand(bob, table).play("place P07l E1N1")
    assert desk.is_asked()
    eventually(lambda: page.evaluate("window.tones.includes(1760)"))
    assert page.evaluate("window.tones.filter((tone) => tone === 1760).length") == 1
    assert 784 not in page.evaluate("window.tones"), "nobody has scored"
    assert page.evaluate("window.buzzes") == [[25, 60, 40], [40]]
    # Who wishes for none of it has none.
    page.get_by_test_id("sound").click()
    page.get_by_test_id("settings").click()
    page.get_by_role("dialog").get_by_label("Vibration").uncheck()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.evaluate("window.tones = []; window.buzzes = []")
    Hand(ann, table).play("place P08d W2")
    Hand(bob, table).play(bob.some_move(table, Random(1)))
    assert desk.is_asked()
    expect(page.get_by_test_id("told")).to_contain_text("Bob")
    assert page.evaluate("[window.tones, window.buzzes]") == [[], []]
