"""Bids in letters."""

from __future__ import annotations

from collections.abc import Sequence

from openplan.core.deck import Deck
from openplan.core.game import Unreadable, Written

from .notation import Move, parse_move

BLANK = "____"
VERBS = ("ask", "bid", "chat")


def read_orders(deck: Deck, lines: Sequence[str]) -> list[Written[Move]]:
    """A line that begins with no order is prose, whatever words are in it."""
    words: list[tuple[int, str]] = []
    for n, line in enumerate(lines):
        said = line.lower().split()
        goes_on = bool(words) and words[-1][1] in ("bid", "chat")
        if said and (goes_on or said[0] in VERBS):
            words += [(n, word) for word in said]
    found: list[Written[Move]] = []
    while words:
        first, kind = words.pop(0)
        if kind not in VERBS:
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
