"""The same pages in Firefox: whole games by what can be pressed, on a phone and on a desk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.server.running import Client, Running
from tests.web.firefox import Firefox, firefox
from tests.web.office_desk import MIDDLE, SEEN, table_with_bot

pytestmark = pytest.mark.xdist_group("web-firefox")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as opened:
        opened.before_pages(
            "if (location.protocol === 'http:' && window === top)"
            " localStorage['openplan.settings'] ??= '{\"speed\": \"none\"}'"
        )
        yield opened


@pytest.fixture
def fox(program: Firefox) -> Iterator[Firefox]:
    program.faults.clear()
    yield program
    assert program.faults == []


def come_as(fox: Firefox, site: Running, client: Client, path: str) -> None:
    for name, value in client.http.cookies.items():
        fox.keep_cookie("127.0.0.1", name, value)
    fox.open(f"http://{site.address}{path}")


FRAME = """() => {
    const frame = document.querySelector('[role=application]').getBoundingClientRect();
    return [frame.left, Math.max(frame.top, 0), frame.right, Math.min(frame.bottom, innerHeight)];
}"""


def any_move(fox: Firefox, rng: Random) -> None:
    """By whatever can be pressed, as somebody plays who does not know the rules."""
    seen: dict[str, Any] = {}
    settled = "document.querySelector('.actions')?.getAttribute('aria-busy') !== 'true'"
    for _ in range(20):
        fox.wait_for(settled)
        seen = fox.read(f"({SEEN})()")
        if seen["confirm"]:
            fox.press("[data-confirm]")
            fox.wait_for("document.querySelector('[data-confirm]') === null")
            return
        if not seen["picked"] and seen["hand"] and not seen["tray"]:
            fox.press(f"[data-card={rng.choice(seen['hand'])}][data-open]")
        elif seen["steps"] and (rng.random() < 0.5 or not seen["squares"]):
            fox.press(f"[data-step='{rng.choice(seen['steps'])}']")
        elif seen["squares"]:
            press_any(fox, seen["squares"], rng)
        else:
            cards = seen["tray"] or seen["play"] or seen["hand"]
            fox.press(f"[data-card={rng.choice(cards)}][data-open]")
    raise AssertionError(f"no move comes of it: {seen}")


def press_any(fox: Firefox, squares: list[str], rng: Random) -> None:
    """A tall office is cropped on a phone: what lies beyond is drawn into view first."""
    square = rng.choice(squares)
    for _ in range(8):
        x, y = fox.read(f"({MIDDLE})({json.dumps(square)})")
        left, top, right, bottom = fox.read(f"({FRAME})()")
        if top + 8 < y < bottom - 8:
            fox.press_at(x, y)
            return
        fox.drag((left + right) / 2, (top + bottom) / 2, 80 if y <= top + 8 else -80)
    raise AssertionError(f"{square} does not come into view")


@pytest.mark.parametrize("width", [360, 1440])
def test_a_game_of_human_resources(site: Running, fox: Firefox, width: int) -> None:
    table, ann = table_with_bot(site, "intern")
    fox.size(width, 740)
    come_as(fox, site, ann, f"/table/{table}")
    rng = Random(width)
    asked = "document.querySelector('.actions[aria-busy=false], [data-testid=result]') !== null"
    # On a desk some moves are enough; the whole of it is played on the phone.
    for _ in range(80 if width == 360 else 6):
        fox.wait_for(asked)
        if fox.read(f"({SEEN})()")["over"]:
            break
        any_move(fox, rng)
    is_over = ann.ok("GET", f"/api/tables/{table}")["outcome"] is not None
    assert is_over == (width == 360)
    assert fox.read("document.documentElement.scrollWidth") <= width


def test_a_game_of_cube_farm(site: Running, fox: Firefox) -> None:
    ann = site.client("Ann")
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "intern"}] * 2]
    table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "seats": seats})["id"]
    fox.size(1440, 900)
    come_as(fox, site, ann, f"/table/{table}")
    for _ in range(5):
        # Whatever place comes first for a card, and then the seal.
        fox.press(".card-button:not(.used)")
        fox.press("[data-drop]:enabled")
        fox.wait_for("document.querySelectorAll('.card-button.used').length === 1")
        fox.press("[data-send]")
        fox.wait_for("document.querySelector('[data-done], [data-testid=result]') !== null")
        fox.press("[data-done]")
    sight = ann.ok("GET", f"/api/tables/{table}")
    assert sight["outcome"] is not None
    ordered = [turn["orders"]["S"] for turn in sight["view"]["history"]]
    assert [text is not None and "card" in text for text in ordered] == [True] * 5


@pytest.mark.parametrize("path", ["/", "/rules/human-resources", "/cards/cube-farm", "/ladder"])
def test_pages(site: Running, fox: Firefox, path: str) -> None:
    fox.size(360, 740)
    fox.open(f"http://{site.address}{path}")
    fox.wait_for("document.querySelector('main h1, main h2') !== null")
    assert fox.read("document.documentElement.scrollWidth") <= 360
