"""A person at a Cube Farm table in a browser: what they see, and what they do with pointer, finger
or keys. Nothing here asks the server."""

from __future__ import annotations

from random import Random
from typing import Final

from playwright.sync_api import Locator, Page, expect

_MIDDLE: Final = """(name) => {
    const found = /^(?:([EW])(\\d+))?(?:([NS])(\\d+))?$/.exec(name === '0' ? '' : name);
    const x = Number(found[2] ?? 0) * (found[1] === 'W' ? -1 : 1);
    const y = Number(found[4] ?? 0) * (found[3] === 'N' ? -1 : 1);
    const floor = document.querySelector('[data-scale]');
    const frame = floor.getBoundingClientRect();
    const scale = Number(floor.dataset.scale);
    const [mx, my] = floor.dataset.middle.split(',').map(Number);
    return [
        frame.left + frame.width / 2 + (x + 0.5 - mx) * scale,
        frame.top + frame.height / 2 + (y + 0.5 - my) * scale,
    ];
}"""


class FarmDesk:
    def __init__(self, page: Page) -> None:
        self.page = page
        page.wait_for_selector(".farm")

    # -- What is seen ------------------------------------------------------------------------

    @property
    def floor(self) -> Locator:
        return self.page.locator("[data-scale]")

    @property
    def hand(self) -> list[str]:
        cards = self.page.locator(".card-button").all()
        return [card.get_attribute("data-card") or "" for card in cards]

    @property
    def turn(self) -> str:
        return self.page.locator(".status .turn").inner_text()

    def slip(self, phase: int) -> Locator:
        return self.page.locator(f".slip[data-phase='{phase}']")

    def points(self, seat: str) -> int:
        return int(self.page.locator(f".department.{seat} .points").inner_text())

    def places(self, phase: int) -> list[str]:
        return self._choices(phase, "place")

    def cubes(self, phase: int) -> list[str]:
        """Those that can be taken, once the server has said which."""
        self.choose_phase(phase)
        expect(self.slip(phase).locator("fieldset")).to_have_attribute("aria-busy", "false")
        return [name for name in self._choices(phase, "employee") if name]

    def _choices(self, phase: int, name: str) -> list[str]:
        self.choose_phase(phase)
        options = self.slip(phase).locator(f"select[name={name}] option").all()
        return [option.get_attribute("value") or "" for option in options]

    def chosen(self, phase: int, name: str) -> str:
        self.choose_phase(phase)
        return self.slip(phase).locator(f"select[name={name}]").input_value()

    def middle_of(self, square: str) -> tuple[float, float]:
        """Where on the screen a square is."""
        x, y = self.page.evaluate(_MIDDLE, square)
        return x, y

    def fits(self) -> str:
        verdict = self.page.locator("[data-fits]")
        expect(verdict).not_to_have_attribute("data-fits", "unknown")
        return verdict.get_attribute("data-fits") or ""

    # -- What is done ------------------------------------------------------------------------

    def choose_phase(self, phase: int) -> None:
        title = self.slip(phase).locator(".title")
        if title.get_attribute("aria-expanded") == "false":
            title.click()

    def take(self, card: str) -> None:
        self.page.locator(f".card-button[data-card='{card}']").click()
        expect(self.page.locator("[data-held=yes]")).to_be_visible()
        self.fits()

    def compose(self, phase: int, rng: Random) -> None:
        """A card and an employee where they fit: by pointer, by keys or from the lists."""
        self.choose_phase(phase)
        used = self.page.locator(".card-button.used").all()
        not_free = {card.get_attribute("data-card") for card in used}
        card = rng.choice([name for name in self.hand if name not in not_free])
        by = rng.choice(["pointer", "keys", "lists"])
        self._order_card(phase, card, by, rng)
        cubes = self.cubes(phase)
        if not cubes:
            return
        cube = rng.choice(cubes)
        if by == "pointer":
            self.page.mouse.click(*self.middle_of(cube))
        else:
            self.slip(phase).locator("select[name=employee]").select_option(cube)
        expect(self.slip(phase).locator("select[name=employee]")).to_have_value(cube)

    def _order_card(self, phase: int, card: str, by: str, rng: Random) -> None:
        if by == "lists":
            self.slip(phase).locator("select[name=card]").select_option(card)
            expect(self.slip(phase).locator("select[name=place]")).to_be_visible()
        else:
            self.take(card)
            if by == "keys":
                for key in rng.choices(["n", "r"], k=3):
                    self.page.keyboard.press(key)
                self.page.keyboard.press("n")
                self.page.keyboard.press("Enter")
            else:
                self.page.locator("[data-next]").click()
                self.page.locator("[data-drop]").click()
        expect(self.slip(phase).locator("select[name=card]")).to_have_value(card)

    def send(self) -> None:
        self.page.locator("[data-send]").click()

    def send_nothing(self) -> None:
        """Whoever seals nothing is asked whether that is meant."""
        self.send()
        self.page.locator("[data-send-nothing]").click()

    def to_orders(self) -> None:
        """From the playback of a turn back to the table."""
        done = self.page.locator("[data-done]")
        done.click()
        expect(done).to_be_hidden()
