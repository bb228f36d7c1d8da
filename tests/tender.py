"""Sealed Tender, the example of a game (examples/tender), as tests of the core play it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from examples.tender.cards import CONTRACTS
from examples.tender.game import GAME
from examples.tender.state import State
from examples.tender.text.notation import Move
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Seat, Unreadable

__all__ = ["CONTRACTS", "DECK", "GAME", "A", "B", "C", "Move", "State", "find_deck", "game_named"]

A, B, C = Seat(0), Seat(1), Seat(2)
FILE: Final = Path(__file__).resolve().parent.parent / "examples" / "tender" / "standard.toml"
DECK: Final = GAME.read_deck(FILE.read_text("utf-8"), FILE.name)


def game_named(name: str) -> AnyGame:
    if name != GAME.name:
        raise Unreadable("unknown-game", f"there is no game {name[:40]!r}")
    return GAME


def find_deck(game: object, name: str, content: str) -> Deck:
    if content != DECK.hash:
        raise Unreadable("unknown-deck", f"there is no deck {name[:40]!r}")
    return DECK
