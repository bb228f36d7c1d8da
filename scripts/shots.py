"""Pictures of the pages, to be looked at: `python scripts/shots.py OUT [a word of a name ...]`.

A server of its own, games in it, and each page as a phone, a tablet and a desk, light and dark, in
English and German. Nothing is compared: somebody has to look at them. The tests have the same
server and the same hands.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.server.running import Client, Running, running
from tests.web.farm_desk import FarmDesk
from tests.web.office_desk import Desk, eventually

SIZES = {"phone": (360, 740), "tablet": (768, 1024), "desk": (1440, 900)}
THEMES = ("light", "dark")
LANGUAGES = ("en", "de")

Do = Callable[[Page], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("words", nargs="*", help="only pictures with one of these in their name")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with running(Path(tempfile.mkdtemp())) as site, chromium() as browser:
        ann = site.client("Ann")
        pages = pages_of(ann)
        for (page, size), theme, language in product(product(pages, SIZES), THEMES, LANGUAGES):
            name = f"{page}-{size}-{theme}-{language}"
            if given.words and not any(word in name for word in given.words):
                continue
            path, do = pages[page]
            take(browser, site, ann, path, do, size, theme, language, given.out / f"{name}.png")
            print(name, flush=True)


@contextmanager
def chromium() -> Iterator[Browser]:
    path = shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
    with sync_playwright() as driver:
        yield driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])


def pages_of(ann: Client) -> dict[str, tuple[str, Do]]:
    """Where each is, and what is done there before the picture is taken."""
    office = begun(ann, "human-resources", 1, hints=True)
    play(ann, office, 10)
    farm = begun(ann, "cube-farm", 2)
    play(ann, farm, 2)
    ended = [begun(ann, game, bots) for game, bots in (("human-resources", 1), ("cube-farm", 2))]
    for table in ended:
        play(ann, table, 100)
    deck = ann.ok("POST", "/api/me/decks", {"source": "house", "game": "human-resources"})["id"]
    return {
        "landing": ("/", nothing),
        "office": (f"/table/{office}", lambda page: Desk(page).is_asked()),
        "office-chosen": (f"/table/{office}", choose),
        "farm": (f"/table/{farm}", to_orders),
        "farm-composing": (f"/table/{farm}", compose),
        "office-ending": (f"/table/{ended[0]}", nothing),
        "farm-ending": (f"/table/{ended[1]}", nothing),
        "replay": (f"/table/{ended[0]}/at/12", nothing),
        "editor": (f"/decks/{deck}", nothing),
    }


def begun(ann: Client, game: str, bots: int, **more: Any) -> str:
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "intern"}] * bots]
    table: str = ann.ok("POST", "/api/tables", {"game": game, "seats": seats, **more})["id"]
    return table


def play(ann: Client, table: str, moves: int) -> None:
    """So many moves of one's own, and the answers to them; fewer if the game is over."""
    rng = Random("shots")
    for _ in range(moves):
        before = ann.ok("GET", f"/api/tables/{table}")
        if before["outcome"] is not None:
            return
        # Where all act at once, what the bots send comes in between.
        eventually(lambda: has_played(ann, table, rng))
        wait_for_others(ann, table, turn_of(before))


def wait_for_others(ann: Client, table: str, turn: object) -> None:
    eventually(lambda: turn_of(ann.ok("GET", f"/api/tables/{table}")) != turn)


def has_played(ann: Client, table: str, rng: Random) -> bool:
    sight = ann.ok("GET", f"/api/tables/{table}")
    if sight["you"] not in sight["to_act"]:
        return sight["outcome"] is not None
    move = ann.some_move(table, rng)
    body = {"move": move, "version": sight["version"], "submission": rng.randbytes(8).hex()}
    return ann.ask("POST", f"/api/tables/{table}/moves", body).is_success


def turn_of(sight: dict[str, Any]) -> object:
    """What is another once everybody has acted."""
    return sight["view"].get("history", sight["version"]), sight["outcome"] is None


def nothing(_page: Page) -> None:
    pass


def choose(page: Page) -> None:
    desk = Desk(page)
    desk.is_asked()
    desk.choose(desk.seen()["hand"][0])


def to_orders(page: Page) -> FarmDesk:
    desk = FarmDesk(page)
    for query in ("[data-skip]", "[data-done]"):
        found = page.locator(query)
        if found.count():
            found.first.dispatch_event("click")  # no pointer stays over what is under it
    return desk


def compose(page: Page) -> None:
    desk = to_orders(page)
    desk.take(desk.hand[0])


def take(
    browser: Browser, site: Running, ann: Client, path: str, do: Do,
    size: str, theme: str, language: str, file: Path,
) -> None:  # fmt: skip
    width, height = SIZES[size]
    is_phone = size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        locale={"en": "en-GB", "de": "de-DE"}[language],
        has_touch=is_phone,
        is_mobile=is_phone,
        reduced_motion="reduce",
    )
    base = f"http://{site.address}"
    kept = [{"name": name, "value": value, "url": base} for name, value in ann.http.cookies.items()]
    context.add_cookies(kept)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(base + path)
    page.wait_for_load_state("networkidle")
    do(page)
    page.wait_for_timeout(400)
    page.screenshot(path=file)
    context.close()


if __name__ == "__main__":
    main()
