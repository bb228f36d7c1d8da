"""Servers that others run, on this machine: they note what they are sent, and answer as told."""

from __future__ import annotations

import base64
import http.server
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

LOOPBACK = ("127.0.0.0/8",)
"""What an operator has to allow for these to be reached."""


class Got(NamedTuple):
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Endpoint:
    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.got: list[Got] = []
        self.answers: list[int] = []
        """The statuses of the next answers; 201 after these."""
        self.delay = 0.0

    def wait(self, count: int = 1, seconds: float = 20) -> list[Got]:
        end = time.monotonic() + seconds
        while len(self.got) < count:
            assert time.monotonic() < end, self.got
            time.sleep(0.01)
        return self.got


@contextmanager
def endpoint() -> Iterator[Endpoint]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def take(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            time.sleep(here.delay)
            status = here.answers.pop(0) if here.answers else 201
            headers = {name.lower(): value for name, value in self.headers.items()}
            here.got.append(Got(self.command, self.path, headers, body))
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", f"{here.address}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_POST = do_PUT = do_GET = take  # noqa: N815 - as the library calls them

        def log_message(self, *_: Any) -> None:
            """Nobody wants to read it."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    here = Endpoint(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


class Browser:
    """One that takes pushes: only it can read them."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    @property
    def subscription(self) -> dict[str, Any]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": base64url(point), "auth": base64url(self._auth)}
        return {"endpoint": self.address, "keys": keys}

    def read(self, body: bytes) -> Any:
        """By another's program than ours."""
        return json.loads(http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth))


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
