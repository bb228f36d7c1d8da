"""The whole truth about a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from openplan.core.deck import Deck
from openplan.core.game import Seat

SEATS: Final = ("A", "B", "C")


@dataclass(slots=True)
class State:
    deck: Deck
    house: Mapping[str, str]
    hands: list[list[str]]
    contracts: list[str]
    sealed: list[str] = field(default_factory=lambda: ["", "", ""])
    won: list[list[str]] = field(default_factory=lambda: [[], [], []])
    asked: set[Seat] = field(default_factory=set)
    gone: set[Seat] = field(default_factory=set)


def dump(state: State) -> bytes:
    """Everything but the deck, which is named by its hash."""
    content = {
        "deck": state.deck.hash,
        "house": dict(state.house),
        "hands": state.hands,
        "contracts": state.contracts,
        "sealed": state.sealed,
        "won": state.won,
        "asked": sorted(state.asked),
        "gone": sorted(state.gone),
    }
    return json.dumps(content).encode()


def load(deck: Deck, data: bytes) -> State:
    content = json.loads(data)
    if content.pop("deck") != deck.hash:
        raise ValueError(f"a state of another deck than {deck.hash[:12]}")
    sets = {name: {Seat(seat) for seat in content[name]} for name in ("asked", "gone")}
    return State(deck, **{**content, **sets})
