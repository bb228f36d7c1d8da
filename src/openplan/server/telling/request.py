"""One request to another server: to an address that was looked at, without redirects, within a
bound of time, and of its answer no more is read than how it ended."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Final

import h11

from openplan.server.notify.outgoing import Outgoing, Target

SECONDS: Final = 10.0
MOST_READ: Final = 64 * 1024


class Unsent(Exception):
    """Nothing came of it; later perhaps."""


async def send(
    allowed: Outgoing, target: Target, method: str, headers: Mapping[str, str], body: bytes
) -> int:
    """The status of the answer."""
    try:
        async with asyncio.timeout(SECONDS):
            addresses = allowed.check(target, await _look_up(target))
            return await _exchange(target, addresses, method, headers, body)
    except TimeoutError:
        raise Unsent("no answer in time") from None
    except ssl.SSLError as error:
        raise Unsent(f"TLS: {error.reason}") from None
    except OSError as error:
        raise Unsent(type(error).__name__) from None
    except h11.ProtocolError:
        raise Unsent("the answer is not HTTP") from None


async def _look_up(target: Target) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    return [str(address[4][0]) for address in found]


async def _exchange(
    target: Target, addresses: list[str], method: str, headers: Mapping[str, str], body: bytes
) -> int:
    reading, writing = await _connect(target, addresses)
    try:
        speech = h11.Connection(h11.CLIENT)
        fields = {
            "host": target.authority,
            "user-agent": "OpenPlan",
            "content-length": str(len(body)),
            "connection": "close",
            **headers,
        }
        said = speech.send(
            h11.Request(method=method, target=target.path, headers=list(fields.items()))
        )
        writing.write((said or b"") + (speech.send(h11.Data(data=body)) or b""))
        writing.write(speech.send(h11.EndOfMessage()) or b"")
        await writing.drain()
        for _ in range(MOST_READ // 4096):
            event = speech.next_event()
            if isinstance(event, h11.Response):
                return event.status_code
            if event is h11.NEED_DATA:
                speech.receive_data(await reading.read(4096))
        raise Unsent("the answer has no end")
    finally:
        writing.close()


async def _connect(
    target: Target, addresses: list[str]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """To the first that answers; by its name only the certificate is looked at."""
    context = _context() if target.scheme == "https" else None
    name = target.host if context is not None else None
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return await asyncio.open_connection(
                address, target.port, ssl=context, server_hostname=name
            )
    return await asyncio.open_connection(last, target.port, ssl=context, server_hostname=name)


@lru_cache(maxsize=1)
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()
