"""Bids in letters."""

from __future__ import annotations

from collections.abc import Sequence

from openplan.core.deck import Deck
from openplan.core.game import Unreadable, Written

from .notation import Move, parse_move

BLANK = "____"


def read_orders(deck: Deck, lines: Sequence[str]) -> list[Written[Move]]:
    words = [(n, word) for n, line in enumerate(lines) for word in line.lower().split()]
    found: list[Written[Move]] = []
    while words:
        first, kind = words.pop(0)
        if kind not in ("ask", "bid", "chat"):
            continue
        last, what = words.pop(0) if kind != "ask" and words else (first, "")
        try:
            move = None if what == BLANK else parse_move(deck, f"{kind} {what}")
            found.append(Written(first, last, move=move))
        except Unreadable as fault:
            found.append(Written(first, last, fault=fault))
    return found


def order_form() -> list[str]:
    return [f"bid {BLANK}"]


def tell_orders(move: Move, language: str = "en") -> list[str]:
    if language == "de":
        return [f"Verdeckt geboten: {move.what or 'nichts'}."]
    return [f"You have sealed {move.what or 'nothing'}."]
