"""Moves, all of them and step by step."""

from __future__ import annotations

from collections.abc import Sequence

from openplan.core.game import Options, Step

from .rules import why_not
from .text.notation import Move, format_move
from .view import View


def moves(view: View) -> list[Move]:
    """Those of the viewer; who only looks on has none."""
    if view.viewer is None:
        return []
    every = [Move("ask"), Move("chat", "hm"), *(Move("bid", bid) for bid in view.hand)]
    return [move for move in every if why_not(view, move) is None]


def options(view: View, steps: Sequence[str]) -> Options:
    """First what, then which card or word."""
    given = [step.casefold() for step in steps]
    found: dict[Step, None] = {}
    whole = None
    for move in moves(view):
        words = [word for word in move if word]
        if words == given:
            whole = format_move(move)
        elif words[: len(given)] == given:
            kind = "use" if not given else "card" if move.kind == "bid" else "word"
            found[Step(kind, words[len(given)])] = None
    return Options(tuple(found), whole)
