"""What to send instead of an order that was refused: the same order put right, or the blank line
of the form for it."""

from __future__ import annotations

import re
from difflib import get_close_matches

from openplan.core.game import AnyGame
from openplan.mail.commands.port import Standing

_WORD = re.compile(r"[^\W\d_]{3,}")


def instead_of(text: str, part: str, standing: Standing, language: str) -> tuple[str, ...]:
    """Lines that are understood as they stand, but for the blanks in them."""
    game, deck, view = standing.game, standing.deck, standing.view
    form = [line for line in game.order_form(view, language) if not line.startswith("#")]
    words = {word.lower() for line in form for word in _WORD.findall(line)}
    put_right = _WORD.sub(lambda word: _nearest(word[0], words), text)
    for order in game.read_orders(deck, [put_right]):
        if order.move is not None and order.part == part:
            whole = game.with_part(None, part, order.move) if part else order.move
            if game.why_not(view, whole) is None:
                return (game.format_move(deck, whole),)
    if part:
        form = [line for line in form if line.startswith(f"{part}:")]
    return tuple(_like(text, form, game))


def _nearest(word: str, words: set[str]) -> str:
    found = get_close_matches(word.lower(), words, 1, 0.7)
    return found[0] if found else word


def _like(text: str, form: list[str], game: AnyGame) -> list[str]:
    """Of a game without parts, the line for the same kind of move; if none is alike, all."""
    if game.parts:
        return form
    first = next(iter(_WORD.findall(text.lower())), "")
    return [line for line in form if line.lower().startswith(first + " ")] or form
