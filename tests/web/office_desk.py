"""A person at a Human Resources table in a browser: what they see, and what they do with pointer,
finger or keys; and the tables for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect

from openplan.core.deal import Deal
from openplan.games.human_resources import deal as dealing
from openplan.games.human_resources.cards import NAMES, colour_of, number_of
from tests.server.running import Client, Running

SEEN: Final = """() => {
    const all = (query, name) =>
        [...document.querySelectorAll(query)].map((node) => node.dataset[name]);
    return {
        busy: document.querySelector('.actions')?.getAttribute('aria-busy') === 'true',
        acts: document.querySelector('.actions') !== null,
        over: document.querySelector('[data-testid=result]') !== null,
        confirm: document.querySelector('[data-confirm]:enabled') !== null,
        steps: all('[data-step]:enabled', 'step'),
        squares: all('[data-choose]', 'choose'),
        tray: all('.tray [data-open]:not([aria-pressed=true])', 'card'),
        play: all('.play [data-open]:not([aria-pressed=true])', 'card'),
        hand: all('.desk .hand [data-open]:not([aria-pressed=true])', 'card'),
        picked: all('.desk .hand [aria-pressed=true]', 'card'),
    };
}"""

# Hands and the top of the deck, with which Ann begins.
USUAL: Final = ("P10d P01d M01l", "P05d P07l P06d", "P08d P02l P11d")
PHONE: Final[dict[str, Any]] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}

# Tones that begin and buzzes, from now on; a bell rings at 1760, a chime begins at 784.
LISTEN: Final = """() => {
    window.tones = [];
    window.buzzes = [];
    const real = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        const made = real.call(this);
        const set = made.frequency.setValueAtTime.bind(made.frequency);
        made.frequency.setValueAtTime = (tone, at) => {
            window.tones.push(Math.round(tone));
            return set(tone, at);
        };
        return made;
    };
    navigator.vibrate = (pattern) => window.buzzes.push(pattern) > 0;
}"""

MIDDLE: Final = """(name) => {
    const found = /^(?:([EW])(\\d+))?(?:([NS])(\\d+))?$/.exec(name === '0' ? '' : name);
    const x = Number(found[2] ?? 0) * (found[1] === 'W' ? -1 : 1);
    const y = Number(found[4] ?? 0) * (found[3] === 'N' ? -1 : 1);
    const frame = document.querySelector('[role=application]').getBoundingClientRect();
    const camera = new DOMMatrix(getComputedStyle(document.querySelector('g.camera')).transform);
    const at = (n, shift) => shift + (n + 0.5) * 100 * camera.a;
    return [frame.left + at(x, camera.e), frame.top + at(y, camera.f)];
}"""


class Desk:
    def __init__(self, page: Page) -> None:
        self.page = page

    def seen(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(SEEN)
        return found

    def is_asked(self) -> bool:
        """Wait until there is something to choose, or the game is over."""
        self.page.wait_for_selector(
            ".actions[aria-busy=false], [data-testid=result]", state="attached", timeout=20_000
        )
        return not self.seen()["over"]

    def settled(self) -> None:
        self.page.wait_for_selector(".actions[aria-busy=true]", state="detached")

    def middle_of(self, square: str) -> tuple[float, float]:
        """Where on the screen a square is."""
        x, y = self.page.evaluate(MIDDLE, square)
        return x, y

    # -- What a person does ------------------------------------------------------------------

    def choose(self, card: str) -> None:
        self.page.locator(f"[data-card={card}][data-open]").first.click()
        self.settled()

    def step(self, value: str) -> None:
        self.page.locator(f"[data-step='{value}']").click()
        self.settled()

    def tap(self, *squares: str) -> None:
        for square in squares:
            x, y = self.middle_of(square)
            if self.page.evaluate("navigator.maxTouchPoints > 0"):
                self.page.touchscreen.tap(x, y)
            else:
                self.page.mouse.click(x, y)
            self.settled()

    def confirm(self) -> None:
        self.page.locator("[data-confirm]").click()
        # Sent and kept: the choice is gone, or there is a new one.
        self.page.wait_for_selector("[data-confirm]", state="detached")

    def any_move(self, rng: Random) -> None:
        """A move by whatever can be pressed, as somebody plays who does not know the rules."""
        for _ in range(20):
            seen = self.seen()
            if seen["confirm"]:
                return self.confirm()
            if not seen["picked"] and seen["hand"] and not seen["tray"]:
                self.choose(rng.choice(seen["hand"]))
                continue
            # A use or direction rather than a square, now and then.
            if seen["steps"] and (rng.random() < 0.5 or not seen["squares"]):
                self.step(rng.choice(seen["steps"]))
            elif seen["squares"]:
                self.tap(rng.choice(seen["squares"]))
            else:
                self.choose(rng.choice(seen["tray"] or seen["play"] or seen["hand"]))
        raise AssertionError(f"no move comes of it: {self.seen()}")

    # -- What a person sees --------------------------------------------------------------------

    def cubicles(self) -> set[str]:
        squares = self.page.eval_on_selector_all(
            "g.cubicle > g[data-square]", "all => all.map((one) => one.dataset.square)"
        )
        return set(squares)

    def glowing(self) -> list[str]:
        found: list[str] = self.page.eval_on_selector_all(
            "[data-glow]", "all => all.map((one) => one.dataset.glow)"
        )
        return found

    def says(self, text: str) -> None:
        expect(self.page.locator(".table")).to_contain_text(text)


def focus_by_tab(page: Page, query: str) -> None:
    for _ in range(80):
        if page.evaluate("(query) => document.activeElement?.matches(query)", query):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keys never come to {query}")


def eventually(holds: Callable[[], bool]) -> None:
    """Drawing follows a frame later than what causes it."""
    for _ in range(750):
        if holds():
            return
        time.sleep(0.02)
    assert holds()


def check_with_axe(page: Page, where: str) -> None:
    found = Axe().run(page).response["violations"]
    told = [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]
    assert told == [], f"{where}: {told}"


# -- Tables ----------------------------------------------------------------------------------


def table_for_two(
    site: Running, house: Mapping[str, str] | None = None, **more: Any
) -> tuple[str, Client, Client]:
    ann, bob = site.client("Ann"), site.client("Bob")
    wish = {"game": "human-resources", "house": dict(house or {}), **more}
    table = ann.ok("POST", "/api/tables", wish)["id"]
    invite = ann.ok("GET", f"/api/tables/{table}")["invite"]
    bob.ok("POST", f"/api/tables/{table}/join", {"invite": invite})
    return table, ann, bob


def table_with_bot(site: Running, bot: str, **more: Any) -> tuple[str, Client]:
    ann = site.client("Ann")
    seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
    wish = {"game": "human-resources", "seats": seats, **more}
    return ann.ok("POST", "/api/tables", wish)["id"], ann


def deal_this(
    monkeypatch: pytest.MonkeyPatch, ann: str, bob: str, deck: str, *, promo: bool = False
) -> None:
    """The next deals have these hands and this top of the deck. Ann has the turn: see to it that
    her cards are worth less."""
    hands = [name.split() for name in (ann, bob)]
    used = {*hands[0], *hands[1], *deck.split()}
    rest = [name for name in NAMES if name not in used and (promo or name[0] != "X")]
    office = []
    for colour in ("dark", "light", "light", "dark"):
        office.append(next(n for n in reversed(rest) if colour_of(number_of(n)) == colour))
        rest.remove(office[-1])
    deal: Deal = {
        "office": tuple(office),
        "hand A": tuple(hands[0]),
        "hand B": tuple(hands[1]),
        "deck": (*deck.split(), *rest),
        "start": ("A",),
    }
    monkeypatch.setattr(dealing, "deal", lambda *_: deal)


class Hand:
    """Somebody who plays over HTTP, for the tests that need only one browser."""

    def __init__(self, client: Client, table: str) -> None:
        self.client = client
        self.table = table

    def view(self) -> Any:
        return self.client.ok("GET", f"/api/tables/{self.table}")["view"]

    def play(self, move: str) -> None:
        version = self.client.ok("GET", f"/api/tables/{self.table}")["version"]
        self.client.play(self.table, move, version, f"v{version}")
