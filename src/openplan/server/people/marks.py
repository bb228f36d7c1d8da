"""From where people come in: of each browser and network address a keyed hash, of which neither can
be made again. Who shares one may be one person with several accounts."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable
from typing import Final

from openplan.server.clock import DAY
from openplan.server.store import Tx

KEPT: Final = 180 * DAY
MOST_KIN: Final = 500


def marks_of(secret: bytes, device: str, address: str) -> tuple[str, ...]:
    """An address that is not of the public network says nothing: so come in all who come through
    a proxy, and all of a house."""
    found = [mark_of_device(secret, device)] if device else []
    try:
        network = ipaddress.ip_network(address)
    except ValueError:
        return tuple(found)
    if not network.network_address.is_global:
        return tuple(found)
    if network.version == 6:  # a household has many of these
        network = network.supernet(new_prefix=64)
    return (*found, _mark(secret, "a", str(network)))


def mark_of_device(secret: bytes, device: str) -> str:
    return _mark(secret, "d", device)


def _mark(secret: bytes, kind: str, what: str) -> str:
    digest = hmac.digest(secret, f"mark {kind} {what}".encode("utf-8", "replace"), "sha256")
    return f"{kind}:{digest.hex()[:32]}"


def note(tx: Tx, user: str, marks: Iterable[str], now: int) -> None:
    for mark in marks:
        tx.execute(
            "INSERT INTO marks (user_id, mark, at) VALUES (?, ?, ?)"
            " ON CONFLICT (user_id, mark) DO UPDATE SET at = excluded.at",
            user,
            mark,
            now,
        )


def sweep(tx: Tx, now: int) -> None:
    tx.execute("DELETE FROM marks WHERE at <= ?", now - KEPT)


def is_known(tx: Tx, mark: str) -> bool:
    """Whether somebody came in with it."""
    return tx.row(int, "SELECT 1 FROM marks WHERE mark = ? LIMIT 1", mark) is not None


def same_device(tx: Tx, user: str) -> frozenset[str]:
    """Everybody who uses a browser that this person uses, or one of those people uses, and so on;
    the person too."""
    return _kin(tx, user, "d:")


def same_address(tx: Tx, user: str) -> frozenset[str]:
    """The same, and whoever came from the same address as any of them."""
    found = set[str]()
    for one in same_device(tx, user):
        found.update(_sharing(tx, one, "a:"), (one,))
    return frozenset(found)


def _kin(tx: Tx, user: str, kind: str) -> frozenset[str]:
    found, fresh = {user}, [user]
    while fresh and len(found) < MOST_KIN:
        new = set(_sharing(tx, fresh.pop(), kind)) - found
        found |= new
        fresh += sorted(new)
    return frozenset(found)


def _sharing(tx: Tx, user: str, kind: str) -> list[str]:
    return tx.rows(
        str,
        "SELECT DISTINCT other.user_id FROM marks AS own JOIN marks AS other"
        " ON other.mark = own.mark WHERE own.user_id = ? AND own.mark LIKE ?",
        user,
        f"{kind}%",
    )
