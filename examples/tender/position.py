"""A table set up by hand, as cases and tools write it."""

from __future__ import annotations

from collections.abc import Mapping

from openplan.core.deck import Deck
from openplan.core.game import Position
from openplan.core.position import text_of, unset

from .cards import BIDS, CONTRACTS
from .state import SEATS, State


def set_up(deck: Deck, house: Mapping[str, str], position: Position) -> State:
    """`hands` is a row of bids for each seat; `contracts` has those that are left, top first."""
    hands = position.get("hands", ())
    rows = [row.split() for row in ([hands] if isinstance(hands, str) else hands)]
    rows += [[] for _ in SEATS]
    contracts = text_of(position, "contracts", " ".join(CONTRACTS)).split()
    bids = [bid for row in rows for bid in row]
    if len(rows) > 2 * len(SEATS) or not set(bids) <= set(BIDS) or len(set(bids)) < len(bids):
        raise unset("'hands' has three rows of bids, each bid once")
    if not set(contracts) <= set(CONTRACTS) or len(set(contracts)) < len(contracts):
        raise unset("'contracts' names contracts, each once")
    return State(deck, house, rows[: len(SEATS)], contracts)
