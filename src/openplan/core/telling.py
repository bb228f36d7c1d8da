"""Views, events and outcomes told: as plain data with their sentences, and as a paragraph."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from openplan.core.game import AnyGame, Event, Outcome, Viewer
from openplan.core.scene import data_of


def tell_view(game: AnyGame, view: Any, language: str = "en") -> dict[str, Any]:
    """A view for a page; with its scene, in words, for a game that has no page of its own."""
    data = game.view_data(view)
    return data if game.has_page else data | {"scene": data_of(game.scene(view, language))}


def tell_event(game: AnyGame, event: Event, viewer: Viewer, language: str = "en") -> dict[str, Any]:
    """An event as this viewer may have it."""
    return tell_seen(game, event.seen_by(viewer), language)


def tell_seen(game: AnyGame, seen: Event, language: str = "en") -> dict[str, Any]:
    """The same for one that is as the viewer may have it already."""
    return {
        "code": seen.code,
        "clause": seen.clause,
        "params": dict(seen.params),
        "text": game.say(seen.code, seen.params, language),
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


def in_sentences(
    game: AnyGame, events: Iterable[Event], viewer: Viewer, language: str = "en"
) -> list[str]:
    """What happened, as far as this viewer may know, in whole sentences."""
    told = [tell_event(game, event, viewer, language)["text"] for event in events]
    return [f"{text[:1].upper()}{text[1:].rstrip('.')}." for text in told]
