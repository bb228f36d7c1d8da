"""Work handed to a running server: a local socket in its data folder, for `admin` and `mail`.

An SQLite file has one process. While that is the server, others ask it to do their work: a line of
JSON with the name of an act and what it needs, and a line back, `{"done": ...}` or `{"refused":
{"code": ..., "reason": ...}}`. Only the owner of the data folder can reach the socket.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import structlog

from openplan.core.game import GameError, Unreadable
from openplan.server.site import Site
from openplan.server.store import StoreError

NAME: Final = "serve.sock"
MAX_LINE: Final = 4 << 20
MAX_PATH: Final = 100
"""Longer names do not fit into the address of a socket."""
CLIENT_SECONDS: Final = 600.0

Act = Callable[[Site, Mapping[str, Any]], Awaitable[Any]]

log = structlog.get_logger()


class NoServer(Exception):
    """Nobody listens there."""


class Refused(Exception):
    """The server did not do it, and said why."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class AdminSocket:
    """The server's side. `acts` has what can be asked for, by name."""

    def __init__(self, site: Site, acts: Mapping[str, Act]) -> None:
        self._site = site
        self.acts = dict(acts)
        self._path = site.settings.data / NAME
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        """Whoever has the database open may take the socket's place: nobody else can serve it."""
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._path.unlink(missing_ok=True)
        old = os.umask(0o177)
        try:
            with _address(self._path) as address:
                listening.bind(address)
        finally:
            os.umask(old)
        self._server = await asyncio.start_unix_server(self._serve, sock=listening, limit=MAX_LINE)

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if _is_own(writer.get_extra_info("socket")):
                line = await reader.readline()
                writer.write(json.dumps(await self._answer(line)).encode() + b"\n")
                await writer.drain()
        except (ValueError, ConnectionError):  # too long a line, or nobody waits any more
            return
        finally:
            writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        try:
            asked = json.loads(line)
            if not isinstance(asked, dict) or asked.get("act") not in self.acts:
                raise Unreadable("act", f"there are these acts: {', '.join(self.acts)}")
            return {"done": await self.acts[asked["act"]](self._site, asked)}
        except GameError as error:
            return _refusal(error.code, error.reason)
        except StoreError as error:
            return _refusal("unavailable", str(error))
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            log.warning("what was asked by the local socket cannot be read", exc_info=error)
            return _refusal("unreadable", "the request cannot be read")
        except Exception as error:  # the server goes on whatever is asked for
            log.exception("a fault of this program")
            return _refusal("internal", type(error).__name__)


def _refusal(code: str, reason: str) -> dict[str, Any]:
    return {"refused": {"code": code, "reason": reason}}


def _is_own(peer: socket.socket) -> bool:
    """The file's mode keeps others out; so does who they are."""
    credentials = peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    _, user, _ = struct.unpack("3i", credentials)
    return user in (0, os.geteuid())


def ask(data: Path, act: str, **given: Any) -> Any:
    """Have the server with this data folder do something; what came of it."""
    path = data / NAME
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.settimeout(CLIENT_SECONDS)
        try:
            with _address(path) as address:
                asking.connect(address)
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            raise NoServer(f"no server listens at {path}") from None
        except OSError as error:
            raise Refused("closed", f"{path} cannot be used: {error.strerror}") from None
        try:
            asking.sendall(json.dumps({"act": act, **given}).encode() + b"\n")
            answer = b"".join(iter(lambda: asking.recv(65536), b""))
            found = json.loads(answer)
        except (OSError, ValueError):
            raise Refused("broken", "the server broke off") from None
    if "refused" in found:
        raise Refused(found["refused"]["code"], found["refused"]["reason"])
    return found["done"]


@contextmanager
def _address(path: Path) -> Iterator[str]:
    """A name for the socket that is short enough, however deep its folder is."""
    if len(os.fsencode(path)) < MAX_PATH:
        yield str(path)
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)
