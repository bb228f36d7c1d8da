"""How many connections and sockets a process has, in all and of one address: nobody holds the door
shut by standing in it.

A connection on which nothing was asked yet, or nothing since its last answer, makes room for a new
one of its address, and when all are taken, for anybody's. One whose request is being answered is
left alone.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Sequence
from ipaddress import ip_address, ip_network
from typing import Final, Protocol

from openplan.server.http.rate_limits import network_of

WANTED_FILES: Final = 65_536
OTHER_FILES: Final = 200
"""For the database, the mail, the log, the bots."""
MOST_OF_ONE: Final = 250
"""Connections of one address; a proxy has none of its own."""


def raise_file_limit() -> None:
    """As far as the operator lets us."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, WANTED_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def room() -> int:
    """For how many connections there is room, and for as many sockets besides."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = WANTED_FILES if soft == resource.RLIM_INFINITY else min(soft, WANTED_FILES)
    return max(50, (files - OTHER_FILES) // 2)


class Connection(Protocol):
    def turn_out(self) -> None:
        """Close it at once: somebody else needs the place."""


class Connections:
    def __init__(self, most: int, proxies: Sequence[str] = ()) -> None:
        self._most = most
        self._most_of_one = min(MOST_OF_ONE, max(10, most // 4))
        self._proxies = [ip_network(proxy) for proxy in proxies]
        self._silent: dict[str, dict[Connection, None]] = {}
        self._count: Counter[str] = Counter()

    def enter(self, connection: Connection, address: str) -> str:
        """The address under which it is counted."""
        place = network_of(address)
        self._count[place] += 1
        self.is_silent(connection, place)
        if self._count[place] > self._most_of_one and not self._is_proxy(address):
            self._make_room(place)
        elif self._count.total() > self._most:
            self._make_room(max(self._silent, key=self._count.__getitem__))
        return place

    def leave(self, connection: Connection, place: str) -> None:
        self.is_asking(connection, place)
        self._count[place] -= 1
        if not self._count[place]:
            del self._count[place]

    def is_silent(self, connection: Connection, place: str) -> None:
        self._silent.setdefault(place, {})[connection] = None

    def is_asking(self, connection: Connection, place: str) -> None:
        silent = self._silent.get(place, {})
        silent.pop(connection, None)
        if not silent:
            self._silent.pop(place, None)

    def _make_room(self, place: str) -> None:
        """By the one that has been silent longest; where all others are being answered, that is the
        one who came just now."""
        longest = next(iter(self._silent[place]))
        self.is_asking(longest, place)
        longest.turn_out()

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)
