"""Debian's Firefox, driven over WebDriver BiDi: playwright speaks only to a Firefox of its own,
which no package brings. Only what the tests use."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

_SOON: Final = 30.0
# Nothing but the page is asked for.
_SETTINGS: Final = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.prefersReducedMotion": 1,
}


class Firefox:
    """One tab. Everything is pressed where it lies on the screen, as a hand would."""

    def __init__(self, wire: ClientConnection) -> None:
        self._wire = wire
        self._count = 0
        self.faults: list[str] = []
        self.version: str = self._ask("session.new", capabilities={})["capabilities"][
            "browserVersion"
        ]
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._tab: str = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def size(self, width: int, height: int) -> None:
        shape = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._tab, viewport=shape)

    def open(self, address: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def before_pages(self, script: str) -> None:
        self._ask("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def keep_cookie(self, host: str, name: str, value: str) -> None:
        cookie = {"domain": host, "name": name, "value": {"type": "string", "value": value}}
        self._ask("storage.setCookie", cookie=cookie)

    def read(self, expression: str) -> Any:
        """The value of an expression in the page, as JSON carries it."""
        said = self._ask(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._tab},
            awaitPromise=True,
        )
        if said["type"] == "exception":
            raise AssertionError(said["exceptionDetails"]["text"])
        return json.loads(said["result"].get("value", "null"))

    def wait_for(self, expression: str) -> Any:
        """Until it is true of the page; its value."""
        until = time.monotonic() + _SOON
        while not (found := self.read(expression)):
            assert time.monotonic() < until, f"never came: {expression}"
            time.sleep(0.05)
        return found

    def press(self, selector: str, text: str = "") -> None:
        """The first that is seen of these, with that text in it."""
        find = (
            f"[...document.querySelectorAll({json.dumps(selector)})].filter((one) =>"
            f" one.checkVisibility() && !one.disabled &&"
            f" one.textContent.includes({json.dumps(text)}))[0]"
        )
        self.wait_for(f"{find} !== undefined")
        self.read(f"{find}.scrollIntoView({{ block: 'center', behavior: 'instant' }}) ?? null")
        x, y = self.read(
            f"(({{ x, y, width, height }}) => [x + width / 2, y + height / 2])"
            f"({find}.getBoundingClientRect())"
        )
        self.press_at(x, y)

    def press_at(self, x: float, y: float) -> None:
        self._act([self._to(x, y), {"type": "pointerDown", "button": 0}])
        self._act([{"type": "pointerUp", "button": 0}])

    def drag(self, x: float, y: float, down: float) -> None:
        """From there straight down, or up."""
        steps = [self._to(x, y + down * part / 4) for part in (1, 2, 3, 4)]
        self._act([self._to(x, y), {"type": "pointerDown", "button": 0}, *steps])
        self._act([{"type": "pointerUp", "button": 0}])

    @staticmethod
    def _to(x: float, y: float) -> dict[str, Any]:
        return {"type": "pointerMove", "x": round(x), "y": round(y)}

    def _act(self, acts: list[dict[str, Any]]) -> None:
        mouse = {"type": "pointer", "id": "mouse", "actions": acts}
        self._ask("input.performActions", context=self._tab, actions=[mouse])

    def _ask(self, method: str, **params: Any) -> Any:
        self._count += 1
        self._wire.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            said = json.loads(self._wire.recv(timeout=_SOON))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.faults.append(str(said["params"]["text"]))
            if said.get("id") == self._count:
                assert said["type"] == "success", said
                return said["result"]


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    assert program, "make test installs it: scripts/system.py"
    kept = (f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in _SETTINGS.items())
    (profile / "user.js").write_text("\n".join(kept))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    arguments = ["--headless", "--no-remote", "--profile", str(profile)]
    with (profile / "log").open("w") as log:
        process = subprocess.Popen(
            [program, *arguments, f"--remote-debugging-port={port}"], stdout=log, stderr=log
        )
        try:
            with _wire(f"ws://127.0.0.1:{port}/session") as wire:
                yield Firefox(wire)
        finally:
            process.terminate()
            process.wait(_SOON)


def _wire(address: str) -> ClientConnection:
    until = time.monotonic() + _SOON
    while True:
        try:
            return connect(address, max_size=None, proxy=None)
        except (OSError, WebSocketException):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
