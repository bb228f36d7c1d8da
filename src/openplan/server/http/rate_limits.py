"""How often something may be done in a minute, for each who asks.

What guards accounts and mailboxes (coming in, signing up, letters) is counted in the store: for all
processes together, and on over a restart. What guards a process's own time (moves, chat, tables) is
counted by the process: where there are several, there is as much more of that time.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from openplan.server.clock import HOUR, MINUTE
from openplan.server.errors import TooMany
from openplan.server.site import Site
from openplan.server.store import Tx

EVERYWHERE: Final = {"sign-up": 30, "sign-in": 20, "letter": 10, "hook": 20, "feed": 60}
HERE: Final = {
    "create": 30,
    "chat": 30,
    "move": 600,
    "consent": 60,
    "master": 120,
    "hint": 20,
    "report": 5,
    "shun": 60,
    "draft": 120,
    "seen": 120,
    "deck": 90,
    "trial": 5,
    "review": 20,
    "print": 30,
}
OF_AN_ADDRESS: Final = 10
"""So many times as much may all at one address do: a cookie is made up in no time."""


class Limits:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._is_on = site.settings.limits
        self._minute = 0
        self._counted: Counter[tuple[str, str]] = Counter()

    def hit(self, what: str, session: str, address: str) -> None:
        """One more at this process, by whoever has this session or none, from this address."""
        if not self._is_on:
            return
        minute = self._site.now() // MINUTE
        if minute != self._minute:
            self._minute = minute
            self._counted.clear()
        network = network_of(address)
        for who, times in ((session or network, 1), (f"all at {network}", OF_AN_ADDRESS)):
            self._counted[what, who] += 1
            if self._counted[what, who] > HERE[what] * times:
                raise TooMany

    async def hit_anywhere(self, what: str, address: str) -> None:
        """One more at any process, from this address."""
        if not self._is_on:
            return
        # Nobody's address is in the store, and none can be made of what is.
        asked = f"limit {what} {network_of(address)}".encode()
        who = hmac.new(self._site.secret, asked, hashlib.sha256).hexdigest()
        minute = self._site.now() // MINUTE
        number = await self._site.store.transact(
            lambda tx: _count(tx, who, minute), serializable=False
        )
        if number > EVERYWHERE[what]:
            raise TooMany


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """What one person has: of IPv6 that is a whole network."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return str(found)
    mapped = found.ipv4_mapped
    return str(mapped) if mapped else str(ip_network((int(found), 64), strict=False))


def _count(tx: Tx, who: str, minute: int) -> int:
    (number,) = tx.rows(
        int,
        "INSERT INTO attempts (who, minute, number) VALUES (?, ?, 1)"
        " ON CONFLICT (who, minute) DO UPDATE SET number = attempts.number + 1 RETURNING number",
        who,
        minute,
    )
    return number


def sweep(tx: Tx, now: int) -> None:
    """Only this minute's are looked at."""
    tx.execute("DELETE FROM attempts WHERE minute < ?", (now - HOUR) // MINUTE)
