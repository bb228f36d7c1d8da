"""A table over a network that is slow, goes silent or is lost."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.running import Running
from tests.web.conftest import NewPage
from tests.web.office_desk import (
    USUAL,
    Desk,
    deal_this,
    eventually,
    table_for_two,
)

pytestmark = pytest.mark.xdist_group("web-networks")


def test_choosing_a_card_answers_at_once_however_slow_the_network(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    hand = desk.seen()["hand"]
    # A person looks at the hand before they choose: what each card may do is asked for meanwhile.
    page.wait_for_load_state("networkidle")
    page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    for card in hand:
        desk.choose(card)
        expect(page.locator(f".desk .hand [data-card={card}]")).to_have_attribute(
            "aria-pressed", "true"
        )
        expect(page.locator("[data-step]").first).to_be_visible()


def test_a_chosen_card_rises_within_50_ms_while_every_answer_takes_800(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    # From here on nothing is answered sooner; the pieces of the page are here.
    page.evaluate(
        """() => {
            const real = window.fetch;
            window.fetch = async (...asked) => {
                await new Promise((done) => setTimeout(done, 800));
                return real(...asked);
            };
        }"""
    )
    Desk(page).is_asked()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2_000)
    # From the press to the frame in which the card stands out, its ways are there and squares glow.
    took: list[float] = page.evaluate(
        """async () => {
            const frame = () => new Promise((done) => requestAnimationFrame(done));
            const all = (query) => document.querySelectorAll(query).length;
            const took = [];
            for (let round = 0; round < 3; round += 1)
                for (const card of document.querySelectorAll('.desk .hand [data-card]')) {
                    const began = performance.now();
                    card.click();
                    do await frame();
                    while (
                        performance.now() - began < 3000 &&
                        !(card.ariaPressed === 'true' && all('[data-step]') && all('[data-choose]'))
                    );
                    took.push(performance.now() - began);
                    document.querySelector('[data-back]').click();
                    await frame();
                    await frame();
                }
            return took;
        }"""
    )
    # The machine may be busy with other tests: the best of some says what the page needs.
    assert len(took) == 9
    assert min(took) < 50, took
    assert max(took) < 800, "none of them waited for an answer"


class Wire:
    """A network between a browser and the server that can go silent: nobody hangs up."""

    def __init__(self, address: str) -> None:
        host, port = address.split(":")
        self.to = (host, int(port))
        self.is_silent = False
        self.sockets: list[socket.socket] = []
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.door.getsockname()[1]}"
        self._start(self._open)

    def _start(self, work: Callable[..., None], *given: Any) -> None:
        threading.Thread(target=work, args=given, daemon=True).start()

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                near, far = self.door.accept()[0], socket.create_connection(self.to)
                self.sockets += [near, far]
                self._start(self._carry, near, far)
                self._start(self._carry, far, near)

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        with suppress(OSError):
            while data := near.recv(65_536):
                while self.is_silent:
                    time.sleep(0.02)
                far.sendall(data)
            far.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        self.is_silent = False
        for one in (self.door, *self.sockets):
            one.close()


def test_a_network_that_goes_silent_is_said_within_three_seconds(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    with closing(Wire(site.address)) as wire:
        page = open_page("/rules/human-resources", ann)
        page.goto(f"http://{wire.address}/table/{table}")
        assert Desk(page).is_asked()
        page.evaluate(
            """() => {
                const look = () => {
                    const is = document.querySelector('.banner[role=alert]') !== null;
                    if (is) window.lost ??= performance.now();
                };
                const what = { subtree: true, childList: true };
                new MutationObserver(look).observe(document.body, what);
            }"""
        )
        # While nothing is to be told, nothing is lost.
        page.wait_for_timeout(6_000)
        assert page.evaluate("window.lost") is None
        wire.is_silent = True
        began = page.evaluate("performance.now()")
        expect(page.get_by_text("Connection lost.")).to_be_visible(timeout=15_000)
        assert page.evaluate("window.lost") - began <= 3_000
        # It is back before anybody has hung up: so is the table.
        wire.is_silent = False
        expect(page.get_by_text("Connection lost.")).to_have_count(0)
        # Silent for long, it is given up, and another one found.
        sockets = len(wire.sockets)
        wire.is_silent = True
        eventually(lambda: len(wire.sockets) > sockets)
        wire.is_silent = False
        expect(page.get_by_text("Connection lost.")).to_have_count(0)


def test_a_lost_network_is_said_and_the_choice_is_kept(
    site: Running, open_page: NewPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    deal_this(monkeypatch, *USUAL)
    table, ann, _ = table_for_two(site)
    page = open_page(f"/table/{table}", ann)
    desk = Desk(page)
    assert desk.is_asked()
    card = desk.seen()["hand"][0]
    desk.choose(card)
    desk.tap("E2")
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline.")).to_be_visible(timeout=5_000)
    expect(page.locator("[data-confirm]")).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.context.set_offline(False)
    expect(page.get_by_text("You are offline.")).to_have_count(0, timeout=20_000)
    expect(page.locator("[data-confirm]")).to_be_visible()
    page.wait_for_timeout(300)
    assert not [url for url in asked if "/options" in url], "the choice was begun anew"
    page.reload()
    expect(page.locator("[data-confirm]")).to_contain_text("at E2")
    assert "E2" in desk.cubicles()
    desk.confirm()
    expect(page.get_by_test_id("told")).to_contain_text("You place")
