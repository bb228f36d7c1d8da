"""The deal: drawn from chance that nobody chose, sealed before it is known, opened at the end.

Whoever runs a match draws a secret and publishes its seal. Only then may each seat add random bytes
of its own. The deal is drawn from all of it, so neither side alone can choose it, and everything
is opened when the match is over. A seat that plays by mail, and a bot, add nothing: bytes that the
keeper of the secret made up for them would let it choose after all.

    key      = SHA-256 of the chance lines, each with its line end
    block i  = SHA-256 of the key and i, as eight bytes, the highest first; i = 0, 1, 2, ...
    words    = the blocks cut into numbers of four bytes, the highest first
    below(n) = the next word not in the last, incomplete stretch of n below 2**32, modulo n
    draw k   = sort the pool by name; for i = 0 to k - 1 swap item i with item i + below(size - i)

Matches begun before that have a salt instead, and a commitment over salt and deal.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

Deal = Mapping[str, tuple[str, ...]]
"""All that chance decided, by card names. Told to a viewer, covers stand for what is hidden."""

SECRET_BYTES: Final = 32
ADDED_NOTHING: Final = "none"
_WORD: Final = 2**32


def new_secret() -> str:
    return secrets.token_hex(SECRET_BYTES)


def seeded(seed: object) -> str:
    """A secret that can be had again, for tests and simulations."""
    return hashlib.sha256(f"seed {seed}\n".encode()).hexdigest()


def seal(secret: str) -> str:
    """The commitment to a secret. By hand: grep '^chance server:' FILE | sha256sum"""
    return hashlib.sha256(f"{_server_line(secret)}\n".encode()).hexdigest()


def chance_lines(secret: str, seats: Sequence[str], added: Sequence[str]) -> list[str]:
    """All the chance there was, as it stands in a record: the server's, and each seat's."""
    by_seat = zip(seats, added, strict=True)
    return [_server_line(secret), *(f"chance {code}: {bytes_}" for code, bytes_ in by_seat)]


def _server_line(secret: str) -> str:
    return f"chance server: {secret}"


@dataclass(frozen=True, slots=True)
class Draw:
    """What was drawn for a line of the deal, and from which pool, in the pool's order."""

    label: str
    pool: tuple[str, ...]
    drawn: tuple[str, ...]


class Chance:
    """A stream of numbers from chance lines, and what has been drawn from it so far."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._key = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()
        self._blocks = 0
        self._words: list[int] = []
        self.draws: list[Draw] = []

    def below(self, n: int) -> int:
        """Any of 0 to n - 1, each as likely as the others."""
        while (word := self._word()) >= _WORD - _WORD % n:
            pass
        return word % n

    def draw(self, label: str, pool: Iterable[str], count: int) -> tuple[str, ...]:
        """So many of the pool, in an order that chance decides, for this line of the deal."""
        names = sorted(pool)
        before = tuple(names)
        for i in range(count):
            k = i + self.below(len(names) - i)
            names[i], names[k] = names[k], names[i]
        self.draws.append(Draw(label, before, tuple(names[:count])))
        return self.draws[-1].drawn

    def _word(self) -> int:
        if not self._words:
            block = hashlib.sha256(self._key + self._blocks.to_bytes(8, "big")).digest()
            self._blocks += 1
            self._words = [int.from_bytes(block[i : i + 4], "big") for i in range(28, -1, -4)]
        return self._words.pop()


def seeded_chance(seed: object) -> Chance:
    return Chance([_server_line(seeded(seed))])


def deal_lines(deal: Deal) -> list[str]:
    """The deal as it stands in a record."""
    return [f"deal {label}: {' '.join(names)}".rstrip() for label, names in deal.items()]


def salted(salt: str, deal: Deal) -> str:
    """The commitment of a match that began with a salt: over exactly these lines."""
    text = "\n".join([f"salt: {salt}", *deal_lines(deal), ""])
    return hashlib.sha256(text.encode()).hexdigest()
