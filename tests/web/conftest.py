"""Real Chromium against the real server with the built client."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from tests.server.running import Client, Running, running, the_same_chance

# Nothing but the page is asked for: no updates, no other hosts.
ARGUMENTS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

NewPage = Callable[..., Page]

# How long a page is waited for before it counts as never coming: a bound, not a measure, and
# generous, because the machine may be busy with other tests.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(request: pytest.FixtureRequest, playwright: Playwright) -> Iterator[Browser]:
    """Chromium without a window, which takes a third off the time. It shows no notifications: a
    test of those asks for `WITH_A_WINDOW`."""
    wanted = getattr(request, "param", "chromium-headless-shell")
    path = os.environ.get("CHROMIUM") or shutil.which(wanted) or "/usr/bin/chromium"
    yield (opened := playwright.chromium.launch(executable_path=path, args=ARGUMENTS))
    opened.close()


WITH_A_WINDOW: Final = pytest.mark.parametrize("browser", ["chromium"], indirect=True)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("site")) as server:
        yield server


@pytest.fixture(autouse=True)
def _chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    the_same_chance(request.node.name, monkeypatch)


@pytest.fixture
def open_page(browser: Browser, site: Running) -> Iterator[NewPage]:
    """`open_page(path, client, width=..., ...)`: a browser of their own, in which nothing
    moves and nothing waits unless the test asks for it: `speed` is that of the table's settings,
    and `settings` are others of them. A mistake in the page fails the test."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def new(path: str, client: Client | None = None, **options: Any) -> Page:
        width, height = options.pop("width", 1280), options.pop("height", 800)
        liked = {"speed": options.pop("speed", "none"), **options.pop("settings", {})}
        options = {"reduced_motion": "reduce", "locale": "en-GB", **options}
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        base = f"http://{site.address}"
        if client is not None:
            kept = [
                {"name": name, "value": value, "url": base}
                for name, value in client.http.cookies.items()
            ]
            context.add_cookies(kept)  # type: ignore[arg-type]
        # Not in the frames of a page, which may be kept from all that is stored.
        context.add_init_script(
            "if (window === top)"
            f" localStorage['openplan.settings'] ??= JSON.stringify({json.dumps(liked)})"
        )
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(base + path)
        return page

    yield new
    for context in contexts:
        context.close()
    assert faults == []
