"""The chance a table is dealt from: sealed before anybody sits down, so that what their browsers
add to it can be known to nobody in time (`core/deal.py`).

A seal is handed out before there is a table. Its secret is made from the site's own secret and the
seal's number, so that nothing need be stored for pages that never use theirs.
"""

from __future__ import annotations

import hmac
import secrets
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from openplan.core.deal import Chance, Draw, chance_lines, new_secret, seal
from openplan.core.game import Illegal
from openplan.core.match import Match
from openplan.server.refusals import refused
from openplan.server.store import Tx

_NUMBER: Final = r"^[A-Za-z0-9_-]{1,64}$"
_BYTES: Final = r"^[0-9a-f]{64}$"


class Seal(msgspec.Struct, frozen=True):
    """A secret of the server that is fixed from now on: its number, and the hash of it."""

    seal: str
    commitment: str


class Added(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """32 random bytes of your own, as hexadecimal digits, to be mixed into the deal. For a new
    table ask `POST /api/chance` first and name the `seal` you got, so that the server's own chance
    was fixed before it saw yours. A table that is there already shows its `commitment`."""

    bytes: Annotated[str, Meta(pattern=_BYTES, max_length=64)]
    seal: Annotated[str, Meta(pattern=_NUMBER, max_length=64)] = ""


def new_seal(key: bytes) -> Seal:
    number = secrets.token_urlsafe(16)
    return Seal(number, seal(_secret(key, number)))


def _secret(key: bytes, number: str) -> str:
    return hmac.digest(key, f"chance {number}".encode(), "sha256").hex()


def secret_for(tx: Tx, key: bytes, added: Added | None) -> str:
    """The secret of a new table. A seal serves once: opened at one table it is known at others."""
    if added is None or not added.seal:
        return new_secret()
    secret = _secret(key, added.seal)
    if tx.row(int, "SELECT 1 FROM tables WHERE commitment = ?", seal(secret)) is not None:
        raise refused(Illegal, "seal-used")
    return secret


def opened(match: Match) -> tuple[list[str], list[Draw]] | None:
    """The chance lines of a finished match, and each draw from them; nothing for an older match."""
    if match.added is None:
        return None
    lines = chance_lines(match.salt, match.game.seats, match.added)
    chance = Chance(lines)
    match.game.deal(match.deck, match.house, chance)
    return lines, chance.draws
