"""What a seat that is to act can choose: the next steps, why not, and the table after a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from openplan.core.game import Illegal, NotYourTurn, Over, Seat
from openplan.core.match import Match
from openplan.core.telling import tell_event, tell_view
from openplan.server.refusals import refused


class StepSight(msgspec.Struct):
    kind: str
    value: str


class OptionsSight(msgspec.Struct):
    """The next steps, and the move that those taken already make."""

    version: int
    next: list[StepSight]
    whole: str | None


class MoveCheck(msgspec.Struct):
    is_legal: bool
    code: str | None
    reason: str | None
    clause: str | None


class PreviewSight(msgspec.Struct):
    version: int
    view: dict[str, Any]
    events: list[dict[str, Any]]
    points: int


def options(match: Match, seat: Seat, steps: Sequence[str]) -> OptionsSight:
    found = match.game.options(_choosing(match, seat), steps)
    steps_next = [StepSight(step.kind, step.value) for step in found.next]
    return OptionsSight(match.version(seat), steps_next, found.whole)


def why(match: Match, seat: Seat, text: str, language: str = "en") -> MoveCheck:
    move = match.game.parse_move(match.deck, text)
    refusal = match.game.why_not(_choosing(match, seat), move)
    if refusal is None:
        return MoveCheck(True, None, None, None)
    reason = match.game.say(refusal.code, refusal.params, language)
    return MoveCheck(False, refusal.code, reason, refusal.clause)


def preview(match: Match, seat: Seat, text: str, language: str = "en") -> PreviewSight:
    game, view = match.game, _choosing(match, seat)
    move = game.parse_move(match.deck, text)
    refusal = game.why_not(view, move)
    if refusal is not None:
        reason = game.say(refusal.code, refusal.params, language)
        raise Illegal(refusal.code, reason, refusal.clause)
    after = game.preview(view, move)
    events = [tell_event(game, event, seat, language) for event in after.events]
    shown = tell_view(game, after.view, language)
    return PreviewSight(match.version(seat), shown, events, after.points)


def _choosing(match: Match, seat: Seat) -> Any:
    """The view of a seat that has something to choose."""
    check_choosing(match, seat)
    return match.view(seat)


def check_choosing(match: Match, seat: Seat) -> None:
    if match.outcome is not None:
        raise refused(Over, "over")
    if match.paused:
        raise refused(Illegal, "paused")
    if seat not in match.to_act:
        raise refused(NotYourTurn, "not-your-turn")
