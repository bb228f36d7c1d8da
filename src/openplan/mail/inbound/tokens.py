"""Tokens: who may speak for a seat, shown by a word in the address or in the mail.

    17-s0-3-7zk2m9q0c4w8hr1xv5ntbyd3ge

A token names a table, a role with its seat, and a turn, and proves with 130 bits that whoever has
it was sent it: they are keyed with the server's secret and cover the person who held the seat, so
that they end with the turn and when the seat changes hands. Case is free, and letters that are
mistaken for digits are read as these, so that one can be typed from paper.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import Final

from openplan.core.game import Seat

SEAT: Final = "s"
MASTER: Final = "m"
GUEST: Final = "g"
"""Somebody who is invited, watches, or only has been heard of."""
HOUSE: Final = "house"
"""In place of a table, for what belongs to none."""

_DIGITS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_MAC_LENGTH: Final = 26
_MISREAD: Final = str.maketrans({"o": "0", "i": "1", "l": "1", "u": "v"})
_PERSONS: Final = b"openplan mail token 1\0"
_LETTERS: Final = b"openplan mail letter 1\0"

TOKEN: Final = rf"[a-z0-9]{{1,24}}-(?:s[0-9]|m|g[0-9]?)-[0-9]{{1,6}}-[a-z0-9]{{{_MAC_LENGTH}}}"
"""A pattern without groups, for text in any case."""
_TOKEN: Final = re.compile(
    rf"([a-z0-9]{{1,24}})-(s[0-9]|m|g[0-9]?)-([0-9]{{1,6}})-([a-z0-9]{{{_MAC_LENGTH}}})", re.ASCII
)
_FIND: Final = re.compile(rf"(?<![a-z0-9-]){TOKEN}(?![a-z0-9-])", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a token says, before it is proved. `table` is a short name in small letters and digits,
    unique and never used again."""

    table: str
    role: str
    seat: Seat | None
    turn: int
    """For a guest the number of the invitation; a `seat` is the one that is offered."""


def make_token(key: bytes, claim: Claim, person: str) -> str:
    said = _said(claim)
    token = f"{said}-{_mac(key, _PERSONS, f'{said} {person}')}"
    assert _TOKEN.fullmatch(token), token
    return token


def read_claim(token: str) -> Claim | None:
    """What it claims; whether that is true is for `proves` to say."""
    found = _TOKEN.fullmatch(token.lower())
    if found is None:
        return None
    seat = Seat(int(found[2][1:])) if found[2][1:] else None
    return Claim(found[1], found[2][0], seat, int(found[3]))


def proves(key: bytes, token: str, person: str) -> bool:
    """Was it made with this key for this person?"""
    said, _, mac = token.lower().rpartition("-")
    true = _mac(key, _PERSONS, f"{said} {person}")
    return hmac.compare_digest(true.encode(), mac.translate(_MISREAD).encode("utf-8", "replace"))


def find_tokens(text: str) -> list[str]:
    return [found.lower() for found in _FIND.findall(text)]


def _said(claim: Claim) -> str:
    seat = "" if claim.seat is None else str(int(claim.seat))
    return f"{claim.table}-{claim.role}{seat}-{claim.turn}"


def _mac(key: bytes, purpose: bytes, text: str) -> str:
    digest = hmac.new(key, purpose + text.encode("utf-8", "replace"), hashlib.sha256).digest()
    number = int.from_bytes(digest) >> (256 - 5 * _MAC_LENGTH)
    return "".join(_DIGITS[(number >> 5 * place) & 31] for place in range(_MAC_LENGTH - 1, -1, -1))


# -- The names of our own letters ------------------------------------------------------------

_LETTER: Final = re.compile(
    rf"<?openplan\.([a-z0-9-]{{1,60}})\.([{_DIGITS}]{{{_MAC_LENGTH}}})@[^\s<>@]{{1,255}}>?"
)


def message_id(key: bytes, letter: str, host: str) -> str:
    """The one Message-ID of a letter, whose name (`[a-z0-9-]{1,60}`) the sender chooses."""
    name = f"<openplan.{letter}.{_mac(key, _LETTERS, letter)}@{host}>"
    assert _LETTER.fullmatch(name), name
    return name


def own_letter(key: bytes, text: str) -> str:
    """The letter of ours that a Message-ID names, or nothing: nobody else can make one up."""
    found = _LETTER.fullmatch(text.strip().lower())
    if found is None or not hmac.compare_digest(_mac(key, _LETTERS, found[1]), found[2]):
        return ""
    return found[1]
