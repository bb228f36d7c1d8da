"""A way to PostgreSQL that can fall silent: connections stay, and nothing comes through."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit


class Silencer:
    def __init__(self, folder: Path, to: str) -> None:
        self.is_silent = False
        self.opened = 0
        self._to = to
        self._ended = False
        self._own = socket.socket(socket.AF_UNIX)
        self._own.bind(str(folder / ".s.PGSQL.5432"))
        self._own.listen(50)
        threading.Thread(target=self._accept, daemon=True).start()

    def end(self) -> None:
        self._ended = True
        self._own.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._own.accept()
                self.opened += 1
                threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near: socket.socket) -> None:
        far = socket.socket(socket.AF_UNIX)
        with near, far, suppress(OSError):
            far.connect(self._to)
            while not self._ended:
                ready, _, _ = select.select([near, far], [], [], 0.05)
                if self.is_silent:
                    # Only who goes away is noticed.
                    if near in ready and not near.recv(65536, socket.MSG_PEEK):
                        return
                    threading.Event().wait(0.02)
                    continue
                for one in ready:
                    data = one.recv(65536)
                    if not data:
                        return
                    (far if one is near else near).sendall(data)


@contextmanager
def silencer(url: str, folder: Path) -> Iterator[tuple[str, Silencer]]:
    """The same database by a way that can fall silent."""
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    made = Silencer(folder, f"{query['host']}/.s.PGSQL.5432")
    try:
        query["host"] = str(folder)
        yield urlunsplit(parts._replace(query=urlencode(query))), made
    finally:
        made.end()
