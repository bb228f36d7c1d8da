"""All that reaches one viewer of a match, as bytes; and the test that it tells nothing hidden."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from random import Random

from openplan.core.game import GameError, Seat, Viewer
from openplan.core.match import Match
from openplan.core.record import write_record
from openplan.render.text import draw_scene
from tests.probes import probe_of


def output_for(match: Match, viewer: Viewer) -> dict[str, str]:
    """Everything a viewer can get out of a match: view, picture, record, events, choices, errors.
    The commitment is held fixed by its keeper; nothing else may depend on what is hidden."""
    game = match.game
    view = match.view(viewer)
    scene = game.scene(view)
    events = [[asdict(event) for event in caused] for caused in match.events_told(viewer)]
    out = {
        "view": json.dumps(game.view_data(view), sort_keys=False),
        "scene": repr(scene),
        "text": draw_scene(scene),
        "record": "\n".join(
            line
            for line in write_record(match, viewer).splitlines()
            if not line.startswith(("commitment:", "check:"))
        ),
        "told": repr(match.told(viewer)),
        "events": json.dumps(events, default=str),
        "version": str(match.version(viewer)),
        "to act": str(sorted(match.to_act)),
    }
    if viewer is not None:
        out["errors"] = "\n".join(errors(match, viewer))
        out["options"] = repr(game.options(view, []))
    return out


def errors(match: Match, seat: Seat) -> Iterator[str]:
    """What a seat is told that tries moves it cannot make."""
    names = match.deck.cards
    some = names[:8]
    tries = [*(f"place {name} E1" for name in some), *(f"1: card {name} E1" for name in some)]
    for text in ("nonsense", *tries, f"quota {names[-1]}"):
        try:
            move = match.game.parse_move(match.deck, text)
        except GameError as error:
            yield f"{error.code} {error}"
            continue
        yield repr(match.game.why_not(match.view(seat), move))


def differences(match: Match, viewer: Viewer, rng: Random) -> list[str] | None:
    """Which outputs tell two truths apart that the viewer cannot; `None` if no other was found."""
    other = probe_of(match.game).other_truth(match, viewer, rng)
    if other is None:
        return None
    ours, theirs = output_for(match, viewer), output_for(other, viewer)
    return [part for part in ours if ours[part] != theirs[part]]
