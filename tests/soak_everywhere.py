"""Long proofs that hold for every game, one seed at a time."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.game import OPEN, GameError
from openplan.core.record import read_record, write_record
from tests.fairness import alarms
from tests.laws import LAWS, seeded_deal
from tests.probes import every_game, find_deck, game_named, new_match, play_on, viewers
from tests.secrecy import differences


def secrecy(seed: int) -> int:
    compared = 0
    for game in every_game():
        for number in range(4):
            rng = Random(f"soak {game.name} {seed} {number}")
            match = new_match(game, rng)
            play_on(match, rng, rng.randrange(60))
            if match.outcome is None:
                for viewer in viewers(game):
                    found = differences(match, viewer, rng)
                    assert not found, (game.name, viewer, match.log)
                    compared += found is not None
    return compared


def records(seed: int) -> int:
    read = 0
    for game in every_game():
        rng = Random(f"soak records {game.name} {seed}")
        match = new_match(game, rng)
        play_on(match, rng, rng.choice([5, 20, 40, 1000]))
        for viewer in [OPEN, *viewers(game)]:
            text = write_record(match, viewer)
            assert write_record(read_record(text, game_named, find_deck), viewer) == text
            data = bytearray(text.encode())
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            with pytest.raises(GameError):
                read_record(bytes(data), game_named, find_deck)
            with pytest.raises(GameError):
                read_record(text.encode()[: rng.randrange(len(data))], game_named, find_deck)
            read += 3
    return read


DEALS = 40_000


def chance(seed: int) -> int:
    """Of every game and each house rule that changes the deal, so many deals."""
    judged = 0
    for name, law_of_it in LAWS.items():
        law = law_of_it()
        first = (seed + 1) * 1_000_000
        numbers = range(first, first + DEALS)
        deals = [seeded_deal(law.game, law.deck, law.house, number) for number in numbers]
        found = alarms(law, deals)
        assert not found, (name, [str(finding) for finding in found[:10]])
        judged += DEALS
    return judged
