"""A match from its snapshot is the one that its log leads to, for every viewer and from then on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from openplan.core import snapshot
from openplan.core.game import OPEN, AnyGame, GameError, Seat
from openplan.core.match import Match
from tests.probes import games, new_match, play_on, probe_of, viewers
from tests.secrecy import output_for


def lively_match(game: AnyGame, rng: Random, entries: int) -> Match:
    """Random moves with all that else can happen in between."""
    match = new_match(game, rng)
    while match.outcome is None and match.ply < entries:
        kinds = ["move"] * 8 + ["seat", "pause", "roll-back", "resign"] + ["take-back"] * 4
        kind = rng.choice(kinds)
        seat = Seat(rng.randrange(len(game.seats)))
        try:
            if kind == "move" and not match.awaited:
                match.enter("deadline", None)
            elif kind == "move":
                play_on(match, rng, match.ply + 1)
            elif kind == "pause":
                match.enter("pause", None)
                match.enter("resume", None)
            elif kind == "roll-back":
                match.enter(kind, None, str(rng.randrange(1, match.ply + 1)))
            elif kind == "take-back":
                match.enter(kind, match.log[-1].seat, str(match.ply))
            elif kind == "seat":
                match.enter(kind, seat, rng.choice(["Ann", "Bea"]))
            elif rng.random() < 0.2:
                match.enter(kind, seat)
        except (GameError, IndexError, ValueError):
            continue
    return match


def fresh(match: Match) -> Match:
    return next(match.walk())


def resumed(match: Match) -> Match:
    again = fresh(match)
    snapshot.load(again, match.log, snapshot.dump(match))
    return again


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_a_match_from_its_snapshot_is_the_same_to_everybody(game: AnyGame) -> None:
    kinds: set[str] = set()
    for seed in range(25):
        rng = Random(f"snapshot {game.name} {seed}")
        match = lively_match(game, rng, rng.randrange(1, 40))
        again = resumed(match)
        kinds |= {entry.kind for entry in match.log}
        assert snapshot.dump(again) == snapshot.dump(match)
        assert (again.log, again.happenings) == (match.log, match.happenings)
        for viewer in [OPEN, *viewers(game)]:
            assert again.told(viewer) == match.told(viewer)
            assert again.events_told(viewer) == match.events_told(viewer)
        for viewer in viewers(game):
            assert output_for(again, viewer) == output_for(match, viewer)
        for _ in range(6):
            if match.awaited:
                seat, text = probe_of(game).random_move(game, match, rng)
                for one in (match, again):
                    one.submit(seat, text)
        if match.outcome is None and match.ply > 1:
            number = str(max(1, match.ply - 3))
            for one in (match, again):
                one.enter("roll-back", None, number)
        assert (again.log, again.happenings) == (match.log, match.happenings)
        assert game.dump(again.state) == game.dump(match.state)
    assert {"move", "seat", "roll-back", "pause", "take-back"} <= kinds


def changed(data: bytes, **changes: Any) -> bytes:
    return json.dumps({**json.loads(data), **changes}).encode()


def test_another_form_another_length_and_nonsense_are_refused() -> None:
    match = lively_match(games()[0], Random(3), 20)
    data = snapshot.dump(match)
    for wrong in (
        changed(data, format=0),
        changed(data, rules=99),
        changed(data, ply=match.ply - 1),
        changed(data, happenings=json.loads(data)["happenings"][::-1]),
        data[:-20],
        b"",
    ):
        with pytest.raises((ValueError, GameError)):
            snapshot.load(fresh(match), match.log, wrong)
    with pytest.raises(ValueError, match="another"):
        snapshot.load(fresh(match), match.log[:-1], data)
