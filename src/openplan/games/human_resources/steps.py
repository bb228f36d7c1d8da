"""Moves built step by step, from what is possible in the office as it stands."""

from __future__ import annotations

from collections.abc import Sequence

from openplan.core.game import OPEN, Options, Step
from openplan.core.grid import format_square
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.moves import moves_of
from openplan.games.human_resources.text.notation import (
    DIRECTIONS,
    Move,
    format_move,
    from_kernel,
)
from openplan.games.human_resources.view import OfficeView


def moves(view: OfficeView) -> list[Move]:
    if view.to_act is None or view.viewer not in (OPEN, view.to_act):
        return []
    table = view.table()
    return from_kernel(table, moves_of(table))


def options(view: OfficeView, steps: Sequence[str]) -> Options:
    found: dict[Step, None] = {}
    whole = None
    for move in moves(view):
        following = _steps_after(move, steps)
        if following == []:
            whole = format_move(move)
        for step in following or ():
            found[step] = None
    return Options(tuple(found), whole)


def _steps_after(move: Move, steps: Sequence[str]) -> list[Step] | None:
    """The steps that may follow these on the way to a move: none if they are the whole move, and
    `None` if they do not lead there."""
    given = [step.casefold() for step in steps]
    for group in _steps_of(move):
        left = {step.value.casefold(): step for step in group}
        while left:
            if not given:
                return list(left.values())
            if left.pop(given.pop(0), None) is None:
                return None
    return [] if not given else None


def _steps_of(move: Move) -> list[list[Step]]:
    """A move's steps in groups, which come in order; those of a group may come in any: the squares
    of a swap or shift, and the projects left incomplete."""
    cards = [Step("card", card) for card in move.cards]
    squares = [Step("square", format_square(square)) for square in move.squares]
    if move.kind == codes.ARRANGE:
        return [[step] for step in (Step("use", "arrange"), *cards)]
    if move.kind == codes.CHOOSE:
        return [[step] for step in (Step("use", "pick-up"), *cards)]
    uses = {
        codes.PLACE: "place",
        codes.PLAY_PROJECT: "project",
        codes.PLAY_QUOTA: "quota",
        codes.IDLE: "idle",
    }
    groups = [
        [cards[0]],
        [Step("use", uses.get(move.kind, "hire"))],
        *([card] for card in cards[1:]),
    ]
    if move.kind in (codes.SWAP, codes.SHIFT):
        groups.append(squares)
    else:
        groups += [[square] for square in squares]
    if move.kind == codes.SHIFT:
        groups.append([Step("direction", DIRECTIONS[move.direction])])
        groups.append([Step("distance", str(move.distance))])
    groups.append([Step("leave", card) for card in move.leave])
    groups.append([Step("overtime", move.overtime)] if move.overtime else [])
    return groups
