"""The deal: drawn from the operating system's secure source, committed to, opened at the end.

The commitment shows that a deal was not changed after the start. It does not show that whoever
runs the match did not choose it.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import secrets

from openplan.core.game import Deal

SALT_BYTES = 32


def secure_chance() -> random.Random:
    return random.SystemRandom()


def new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def deal_lines(deal: Deal) -> list[str]:
    """The deal as it stands in a record; the commitment is over exactly these lines."""
    return [f"deal {label}: {' '.join(names)}".rstrip() for label, names in deal.items()]


def commitment(salt: str, deal: Deal) -> str:
    text = "\n".join([f"salt: {salt}", *deal_lines(deal), ""])
    return hashlib.sha256(text.encode()).hexdigest()


def opens(commitment_: str, salt: str, deal: Deal) -> bool:
    return hmac.compare_digest(commitment(salt, deal), commitment_)
