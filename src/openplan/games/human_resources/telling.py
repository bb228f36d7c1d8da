"""What is told of a play, and to whom (HR-10): the words and small tools of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from openplan.core.game import Event, Refusal, Seat, Secret, Viewer
from openplan.core.grid import Square
from openplan.games.human_resources.cards import colour_of, number_of, shown
from openplan.games.human_resources.state import SEATS, State, eye
from openplan.games.human_resources.text.notation import Move, format_move
from openplan.games.human_resources.view import OfficeView

Refusals = Iterator[Refusal]
Told = tuple[str | Secret, Event]
"""A play as it is written for whom, and what happened."""


class Play(NamedTuple):
    """One way to use a card: what refuses it to a seat, and what is told as it is carried out."""

    refuse: Callable[[OfficeView, Move, int], Refusals]
    use: Callable[[State, Seat, Move], Told]


def openly(
    state: State,
    seat: Seat,
    move: Move,
    code: str,
    clause: str,
    more: Mapping[str, object] | None = None,
) -> Told:
    """A card is used face up, and everybody is told the same."""
    state.show(seat, number_of(move.cards[0]))
    return format_move(move), Event(code, clause, {**who(seat, move), **(more or {})})


def who(seat: Seat, move: Move) -> dict[str, object]:
    return {"seat": SEATS[seat], "card": move.cards[0]}


def secret(state: State, card: int) -> Secret:
    """Its face for those who know it, its back for the others."""
    return _secret(card, state.known[card])


@cache
def _secret(card: int, knows: int) -> Secret:
    return Secret(shown(card), colour_of(card), those(knows))


@cache
def those(knows: int) -> frozenset[Viewer]:
    viewers: tuple[Viewer, ...] = (Seat(0), Seat(1), None)
    return frozenset(viewer for viewer in viewers if knows & eye(viewer))


def colours(view: OfficeView) -> dict[Square, str]:
    return {square: colour_of(number) for square, number, _ in view.office}
