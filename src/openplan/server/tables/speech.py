"""Events, outcomes and refusals as plain data with their sentences."""

from __future__ import annotations

from typing import Any

from openplan.core.game import AnyGame, Event, Outcome


def tell_event(game: AnyGame, event: Event, language: str = "en") -> dict[str, Any]:
    """An event as somebody may have it: the caller has taken the secrets out by `seen_by`."""
    return {
        "code": event.code,
        "clause": event.clause,
        "params": dict(event.params),
        "text": game.say(event.code, event.params, language),
    }


def tell_outcome(
    game: AnyGame, outcome: Outcome | None, language: str = "en"
) -> dict[str, Any] | None:
    if outcome is None:
        return None
    return {
        "winners": [game.seats[seat] for seat in outcome.winners],
        "points": dict(zip(game.seats, outcome.points, strict=False)),
        "reason": outcome.reason,
        "clause": outcome.clause,
        "text": game.say(outcome.reason, {}, language),
    }
