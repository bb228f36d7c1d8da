"""Matches of Sealed Tender (see tender.py), and what can be asked of them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from openplan.core.deal import seeded
from openplan.core.game import (
    OPEN,
    GameError,
    Viewer,
)
from openplan.core.log import Entry
from openplan.core.match import Match
from tests.tender import CONTRACTS, DECK, GAME, A, B, C

VIEWERS: tuple[Viewer, ...] = (OPEN, None, A, B, C)
DEAL = {
    "hand A": ("b1", "b5", "b9"),
    "hand B": ("b2", "b4", "b8"),
    "hand C": ("b3", "b6", "b7"),
    "contracts": CONTRACTS,
    "left": (),
}
SALT = "0f" * 32


def new(**more: Any) -> Match:
    return Match.from_deal(GAME, DECK, None, DEAL, SALT, **more)


def texts(match: Match, viewer: Viewer) -> list[str]:
    return [entry.written for _, entry in match.told(viewer)]


def refused(
    kind: type[GameError], code: str, call: Callable[..., object], *given: Any, **named: Any
) -> GameError:
    with pytest.raises(kind) as caught:
        call(*given, **named)
    assert caught.value.code == code
    assert type(caught.value) is kind
    return caught.value


def everything(match: Match) -> object:
    """All that can be asked of a match, as it is now."""
    return deepcopy(
        (
            match.log,
            match.happenings,
            match.names,
            match.state,
            match.paused,
            match.outcome,
            match.to_act,
            match.awaited,
            [(match.view(viewer), match.told(viewer), match.version(viewer)) for viewer in VIEWERS],
        )
    )


def replayed(match: Match, viewer: Viewer = OPEN, entries: list[Entry] | None = None) -> Match:
    assert match.deal is not None
    told = [entry for _, entry in match.told(viewer)] if entries is None else entries
    eyes = match.eyes(viewer)
    return Match.replay(
        match.game,
        match.deck,
        match.house,
        told,
        deal=match.game.deal_told(match.deck, match.deal, eyes),
        salt=match.salt,
        added=match.added,
        commitment=match.commitment,
        names=match.first_names,
        viewer=eyes,
        rules=match.rules,
    )


def random_match(chance: Random, steps: int) -> Match:
    """Whatever may come in, in any order; what is refused changes nothing."""
    match = Match.start(GAME, DECK, secret=seeded(chance.random()), names=["Ann", "Bob", "Cid"])
    others = [
        ("deadline", None),
        ("seat", C),
        ("by-master", B),
        ("pause", None),
        ("resume", None),
        *[("take-back", seat) for seat in (A, B, C)] * 2,
        *[("roll-back", None)] * 2,
        *[("flag", A), ("resign", B)] * (chance.random() < 0.3),
    ]
    for _ in range(steps):
        if match.outcome is not None:
            break
        before = everything(match)
        try:
            if match.to_act and chance.random() < 0.7:
                seat = chance.choice(sorted(match.to_act))
                move = chance.choice(GAME.moves(match.view(seat)))
                match.submit(seat, GAME.format_move(DECK, move), version=match.version(seat))
            else:
                kind, who = chance.choice(others)
                text = str(chance.randint(max(1, match.ply - 3), match.ply)) if match.ply else "1"
                match.enter(kind, who, text if kind.endswith("back") else "Dora" * (kind == "seat"))
        except GameError:
            assert everything(match) == before
        else:
            check_versions(before, match)
    return match


def check_versions(before: Any, match: Match) -> None:
    """A viewer's version changes exactly when its log does, and the view not without it."""
    for (view, told, version), viewer in zip(before[-1], VIEWERS, strict=True):
        assert (match.version(viewer) != version) == (match.told(viewer) != told)
        if match.version(viewer) == version:
            assert match.view(viewer) == view
        if match.outcome is None:
            assert match.told(viewer)[: len(told)] == told
