"""Moves as text, both ways: `bid b5`, `ask`, `chat WORD`."""

from __future__ import annotations

import re
from typing import NamedTuple

from openplan.core.deck import Deck
from openplan.core.game import Unreadable


class Move(NamedTuple):
    kind: str
    what: str = ""


def parse_move(deck: Deck, text: str) -> Move:
    words = text.lower().split()
    if words == ["ask"]:
        return Move("ask")
    if len(words) == 2 and words[0] == "bid" and words[1] in deck.cards:
        return Move("bid", words[1])
    if len(words) == 2 and words[0] == "chat" and re.fullmatch("[a-z]+", words[1]):
        return Move("chat", words[1])
    raise Unreadable("unreadable", f"not a move: {text[:40]!r}")


def format_move(move: Move) -> str:
    return " ".join(filter(None, move))
