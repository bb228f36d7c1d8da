"""How much a rated match counts for each who played it, in percent, and why it counts less.

A match that ended before everybody had moved a few times counts only against whoever gave it up.
Accounts of one browser do not count against each other at all, accounts of one network address
little; and everybody who shares a browser or an address is one opponent, so that puppets who play
on are met over and over. Who meets the same opponent often gains less each time. People who have
hardly met anybody else are one opponent too: whoever plays with them alone is known by nobody.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from openplan.server.clock import DAY
from openplan.server.people import marks
from openplan.server.store import Tx

FEW: Final = 3
"""Moves that everybody makes before a match counts for whoever has won it."""
SAME_ADDRESS: Final = 25
OFTEN: Final = 90 * DAY
BY_MEETINGS: Final = (100, 100, 100, 50, 25, 12)
"""The first matches with the same opponent within that time; more of them count for nothing."""

KNOWN: Final = 3
"""So many opponents has met whoever is no longer new here."""


class Weight(NamedTuple):
    percent: int
    lessened: str = ""
    """short, device, address, repeated or new"""


WHOLE: Final = Weight(100)


def weights_of(
    tx: Tx, game: str, people: Sequence[str], quitters: Collection[str], fewest: int, now: int
) -> dict[str, Weight]:
    """For each of the people; `quitters` gave the match up, `fewest` is how often somebody has
    moved at least."""
    whole = min(
        (_between(tx, game, one, other, now) for one, other in combinations(people, 2)),
        default=WHOLE,
    )
    found = {person: _among(tx, game, person, people, whole, now) for person in people}
    if fewest < FEW:
        found |= {person: Weight(0, "short") for person in people if person not in quitters}
    return found


def _among(
    tx: Tx, game: str, person: str, people: Sequence[str], whole: Weight, now: int
) -> Weight:
    """Where all others are new here, a match counts as another one with the same opponent. For them
    it counts as it is: they have to begin with somebody."""
    kin = marks.same_address(tx, person)
    others = [other for other in people if other != person]
    if not all(_is_new(tx, other, kin) for other in others):
        return whole
    met: dict[str, list[str]] = {}
    for table, other in tx.rows(tuple[str, str | None], _MATCHES, person, game, now - OFTEN):
        met.setdefault(table, []).append(other or "")
    is_new = {other: _is_new(tx, other, kin) for them in met.values() for other in them}
    often = _by_meetings(sum(all(is_new[other] for other in them) for them in met.values()))
    return Weight(often, "new") if often < whole.percent else whole


def _is_new(tx: Tx, person: str, kin: Collection[str]) -> bool:
    """Whether somebody has met hardly anybody but these, so that it counted for both."""
    others = tx.rows(
        str,
        "SELECT DISTINCT other.user_id FROM results AS own JOIN results AS other"
        " ON other.table_id = own.table_id AND other.seat <> own.seat"
        " WHERE own.user_id = ? AND own.is_rated = 1 AND own.percent > 0 AND other.percent > 0"
        " AND other.user_id IS NOT NULL",
        person,
    )
    return len({*others} - {*kin}) < KNOWN


def _by_meetings(met: int) -> int:
    return BY_MEETINGS[met] if met < len(BY_MEETINGS) else 0


def _between(tx: Tx, game: str, one: str, other: str, now: int) -> Weight:
    if other in marks.same_device(tx, one):
        return Weight(0, "device")
    ours, theirs = marks.same_address(tx, one), marks.same_address(tx, other)
    often = _by_meetings(_met(tx, game, ours, theirs, now))
    if other in ours:
        return Weight(often * SAME_ADDRESS // 100, "address")
    return Weight(often, "repeated" if often < 100 else "")


_MATCHES: Final = (
    "SELECT own.table_id, other.user_id FROM results AS own JOIN results AS other"
    " ON other.table_id = own.table_id AND other.seat <> own.seat"
    " WHERE own.user_id = ? AND own.game = ? AND own.is_rated = 1 AND own.at > ?"
)


def _met(tx: Tx, game: str, ours: frozenset[str], theirs: frozenset[str], now: int) -> int:
    """How often one of these has played against one of those, so that it counted."""
    return len(
        {
            table
            for person in ours
            for table, other in tx.rows(tuple[str, str | None], _MATCHES, person, game, now - OFTEN)
            if other in theirs
        }
    )
