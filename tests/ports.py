"""Ports for servers in processes of their own."""

from __future__ import annotations

import socket
from typing import Final

_HELD: Final[list[socket.socket]] = []


def own_port() -> int:
    """One of the system's choice that stays ours until this process ends: bound, so that nobody's
    connection comes from it before the server is there or while it is gone, and not listened at,
    so that the server may bind it too."""
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    _HELD.append(held)
    port: int = held.getsockname()[1]
    return port
