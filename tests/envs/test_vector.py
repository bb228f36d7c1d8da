"""Many matches at once: the same whatever else is played beside them, and bad input refused."""

from __future__ import annotations

import doctest
import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from openplan import envs
from openplan.core.game import GameError
from openplan.envs import VectorEnv

ROOT = Path(__file__).resolve().parent.parent.parent
GAMES = ("human-resources", "cube-farm")


def played(env: VectorEnv, steps: int) -> list[str]:
    """What each match showed on the way, as a digest."""
    digests = [hashlib.sha256() for _ in range(env.count)]
    for _ in range(steps):
        # The highest action that is possible: no chance but that of the deal.
        actions = env.setting.encoding.action_count - 1 - np.argmax(env.masks[:, ::-1], axis=1)
        env.step(actions)
        for lane, digest in enumerate(digests):
            for rows in (env.observations, env.masks, env.rewards, env.done, env.points):
                digest.update(rows[lane].tobytes())
    return [digest.hexdigest() for digest in digests]


@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
def test_a_match_does_not_depend_on_those_beside_it(game: str) -> None:
    many = VectorEnv(game, 5, seed=40)
    together = played(many, 220)
    assert many.finished >= 1
    alone = [played(VectorEnv(game, 1, seed=seed), 220) for seed in range(40, 45)]
    assert together == [digest for (digest,) in alone]
    many.reset([44, 43, 42, 41, 40])
    assert played(many, 220) == together[::-1]
    assert len(set(together)) == 5


@pytest.mark.parametrize("game", GAMES)
def test_arrays_stay_the_same_and_tell_the_end(game: str) -> None:
    env = VectorEnv(game, 8, seed=1)
    rows = env.observations
    ended = 0
    for _ in range(600):
        env.step(env.sample())
        assert env.masks.any(axis=1).all(), "a match stands still"
        ended += int(env.done.sum())
        assert (env.rewards[~env.done] == 0).all()
        assert np.allclose(env.rewards.sum(axis=1), 0)
        for lane in np.flatnonzero(env.done):
            best = env.points[lane].argmax()
            assert env.rewards[lane, best] == env.rewards[lane].max()
    assert rows is env.observations
    assert not rows.flags.writeable
    assert ended == env.finished > 8
    assert env.cut == 0


def test_bad_input_is_refused_with_its_reason() -> None:
    env = VectorEnv("human-resources", 2, seed=1)
    before = env.observations.copy()
    wrong = int(np.flatnonzero(~env.masks[1])[0])
    right = int(np.flatnonzero(env.masks[0])[0])
    with pytest.raises(ValueError, match=rf"match 1: action {wrong} \(place .*\) is not possible"):
        env.step([right, wrong])
    with pytest.raises(ValueError, match="actions are 0 to 771, not -1 to"):
        env.step([right, -1])
    with pytest.raises(ValueError, match="2 whole numbers"):
        env.step([right])
    with pytest.raises(ValueError, match="2 whole numbers"):
        env.step([0.5, 1.0])
    assert (env.observations == before).all(), "nothing was done"
    with pytest.raises(ValueError, match="3 seeds for 2 matches"):
        env.reset([1, 2, 3])
    with pytest.raises(ValueError, match=r"from 0 up to 2\*\*62, not -5"):
        env.reset(-5)
    with pytest.raises(ValueError, match="at least one match"):
        VectorEnv("human-resources", 0)
    with pytest.raises(ValueError, match="12 to 64 squares, not 8"):
        VectorEnv("human-resources", 1, window=8)
    with pytest.raises(GameError, match="no house rule 'nonsense'"):
        VectorEnv("cube-farm", 1, house={"nonsense": "yes"})


def test_a_small_window_counts_what_it_cuts_and_goes_on() -> None:
    env = VectorEnv("cube-farm", 8, seed=3, window=16)
    for _ in range(800):
        env.step(env.sample())
        assert env.masks.any(axis=1).all()
    assert env.cut > 0


def test_an_observation_can_be_taken_apart() -> None:
    env = VectorEnv("human-resources", 3, seed=5)
    parts = env.setting.parts(env.observations)
    assert parts["colour"].shape == (3, 24, 24)
    assert (np.count_nonzero(parts["colour"], axis=(1, 2)) == 4).all(), "the founded office"
    assert (np.count_nonzero(parts["cards"] == 1, axis=1) == 3).all(), "three cards in hand"
    assert env.setting.meaning(62) == f"use {env.setting.deck.cards[0]}"
    assert env.setting.meaning(195) == "done"
    assert env.setting.meaning(196 + 25) == "square 1,1"


def test_the_examples_say_what_comes_out(capsys: pytest.CaptureFixture[str]) -> None:
    found = doctest.testmod(envs)
    assert found.attempted >= 4
    assert found.failed == 0
    page = (ROOT / "docs" / "research.md").read_text("utf-8")
    (example,) = re.findall(r"(?s)```python\n(.*?)```", page)
    assert len(example.splitlines()) <= 20
    exec(compile(example, "research.md", "exec"), {})
    told = re.fullmatch(r"A (\d+), B (\d+) of (\d+)\n", capsys.readouterr().out)
    assert told is not None
    first, second, matches = map(int, told.groups())
    assert first < second
    assert first + second <= matches
