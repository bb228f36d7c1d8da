"""Where this server may send requests: to public hosts by https, as far as the operator allows.

A name is looked up once, and the connection goes to an address that was looked at: a name that
leads elsewhere a moment later is of no help to anybody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from openplan.server.settings import is_network

Address = IPv4Address | IPv6Address
NOTHING: Final = "none"
LONGEST: Final = 1_000
# Addresses that carry one of IPv4 in their last 32 bits.
_CARRYING: Final = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))


class NotAllowed(ValueError):
    """Why nothing is sent there: the code of a sentence."""


@dataclass(frozen=True, slots=True)
class Target:
    """An address as it was read."""

    scheme: str
    host: str
    port: int
    path: str
    """With its query."""

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        usual = {"http": 80, "https": 443}[self.scheme]
        return host if self.port == usual else f"{host}:{self.port}"


class Outgoing:
    """What the operator allows: names of hosts, and networks beside the public ones. With names,
    only these hosts; `*.example.org` are all below it. `none`: nothing at all."""

    def __init__(self, allowed: tuple[str, ...]) -> None:
        self.is_off = NOTHING in allowed
        networks = [word for word in allowed if is_network(word)]
        self._networks = tuple(ip_network(word) for word in networks)
        self._hosts = tuple(
            word.lower() for word in allowed if word not in networks and word != NOTHING
        )

    def read(self, address: str) -> Target:
        """An address that may be asked, as far as that shows without looking up its name."""
        if self.is_off:
            raise NotAllowed("outgoing-off")
        if not (address.isascii() and address.isprintable() and len(address) <= LONGEST):
            raise NotAllowed("outgoing-shape")
        try:
            parts = urlsplit(address)
            host, port = (parts.hostname or "").rstrip("."), parts.port
        except ValueError:
            raise NotAllowed("outgoing-shape") from None
        if parts.scheme not in ("https", "http") or not host or "@" in parts.netloc:
            raise NotAllowed("outgoing-shape")
        literal = _literal(host)
        if literal is None and not re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host):
            raise NotAllowed("outgoing-shape")
        if literal is not None and not self.is_allowed(literal):
            raise NotAllowed("outgoing-network")
        if self._hosts and not any(_fits(host, name) for name in self._hosts):
            raise NotAllowed("outgoing-host")
        if parts.scheme == "http" and not self._networks:
            raise NotAllowed("outgoing-https")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return Target(parts.scheme, host, port or (443 if parts.scheme == "https" else 80), path)

    def check(self, target: Target, found: list[str]) -> list[str]:
        """The addresses that a name leads to, if all of them may be asked. Without TLS only those
        in networks that the operator has named."""
        if not found:
            raise NotAllowed("outgoing-unknown")
        for text in found:
            address = ip_address(text.partition("%")[0])
            if not self.is_allowed(address):
                raise NotAllowed("outgoing-network")
            if target.scheme == "http" and not self._is_named(address):
                raise NotAllowed("outgoing-https")
        return found

    def is_allowed(self, address: Address) -> bool:
        address = _carried(address)
        if self._is_named(address):
            return True
        return address.is_global and not address.is_multicast

    def _is_named(self, address: Address) -> bool:
        address = _carried(address)
        return any(address in network for network in self._networks)


def _fits(host: str, name: str) -> bool:
    return host.endswith(name[1:]) if name.startswith("*.") else host == name


def _literal(host: str) -> Address | None:
    try:
        return ip_address(host.partition("%")[0])
    except ValueError:
        pass
    # `127.1`, `0x7f000001`, `2130706433`: what some programs take for an address is none here.
    last = host.rpartition(".")[2]
    if re.fullmatch(r"\d+|0x[0-9a-f]*", last):
        raise NotAllowed("outgoing-shape")
    return None


def _carried(address: Address) -> Address:
    """The address of IPv4 that one of IPv6 stands for, if it does."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if any(address in network for network in _CARRYING) and int(address) > 1:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address
