"""How good a move looks one step ahead: points now, and how near the projects in play come.

A project is worth a part of its value that falls with every
square missing at its best place in the office; a square of the wrong colour counts more than an
empty one, because a manager is needed to mend it.
"""

from typing import Final

from mypy_extensions import i64

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    AT_END,
    COUNT,
    CROWDFUNDING,
    MANAGER,
    PROJECT,
    QUOTA,
)
from openplan.games.human_resources.kernel.turn import apply

# The part of its value a project is worth by what is missing, in thirds of a square: an empty
# square counts 3, a wrong one 5.
NEARNESS: Final = [
    0.30, 0.55, 0.55, 0.55, 0.36, 0.36, 0.30, 0.22, 0.22, 0.15, 0.13, 0.13, 0.09, 0.08, 0.08, 0.05,
]  # fmt: skip
EMPTY_COST: Final = 3
WRONG_COST: Final = 5
FAR: Final = 15
IN_HAND: Final = 0.45
THEIRS: Final = 0.6


def appraise(table: Board, moves: list[int]) -> list[float]:
    """A number for each move of the seat to act; higher looks better."""
    me = table.to_act()
    trial = Board(table.cards)
    out: list[float] = []
    for move in moves:
        trial.copy_from(table)
        apply(trial, move)
        out.append(worth(trial, me))
    return out


def worth(table: Board, seat: i64) -> float:
    """How well a seat stands, in points."""
    other = 1 - seat
    lead = float(int(table.points[seat] - table.points[other]))
    if table.phase == AT_END:
        return 10.0 * lead
    total = lead
    table.measure()
    for i in range(table.play_size[seat]):
        total += _promise(table, i64(table.play[seat * 64 + i]))
    for i in range(table.play_size[other]):
        total -= THEIRS * _promise(table, i64(table.play[other * 64 + i]))
    for i in range(table.hand_size[seat]):
        card = i64(table.hand[seat * 64 + i])
        kind = i64(table.cards.kind[card])
        if kind == PROJECT:
            total += IN_HAND * _promise(table, card)
        elif kind == MANAGER:
            total += 0.5
        elif kind == QUOTA:
            total += 0.35 * float(int(table.cards.value[card]))
    return total


def _promise(table: Board, card: i64) -> float:
    if i64(table.cards.kind[card]) == CROWDFUNDING:
        return 0.5
    missing = missing_squares(table, card)
    return float(int(table.cards.value[card])) * NEARNESS[int(missing)]


def missing_squares(table: Board, card: i64) -> i64:
    """What a pattern's best place still lacks, in thirds of a square; `measure` comes first.
    A pattern that stands already must be formed again, so it counts as one square."""
    cards = table.cards
    best: i64 = FAR
    first = cards.turned[card]
    end = cards.turned[card + 1]
    for row in range(table.top - 2, table.bottom + 1):
        for column in range(table.left - 2, table.right + 1):
            dark = _window(table, True, i64(row), i64(column))
            light = _window(table, False, i64(row), i64(column))
            if dark | light == 0:
                continue
            for way in range(first, end):
                need_dark = cards.turn_dark[way]
                need_light = cards.turn_light[way]
                empty = (need_dark | need_light) & ~(dark | light)
                wrong = (need_dark & light) | (need_light & dark)
                cost = EMPTY_COST * COUNT[empty] + WRONG_COST * COUNT[wrong]
                if cost < best:
                    best = cost
    return best


def _window(table: Board, dark: bool, row: i64, column: i64) -> i64:
    """The 3x3 window with this top left square as nine bits."""
    rows = table.rows_dark if dark else table.rows_light
    return (
        ((rows[row] >> column) & 7)
        | (((rows[row + 1] >> column) & 7) << 3)
        | (((rows[row + 2] >> column) & 7) << 6)
    )
