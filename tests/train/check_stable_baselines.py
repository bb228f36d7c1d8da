"""Stable-Baselines3's own check, and its masked PPO takes a few steps."""

from __future__ import annotations

import warnings

import pytest
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_checker import check_env

from openplan.envs.gym import AgainstBots

GAMES = ("human-resources", "cube-farm")


@pytest.mark.parametrize("game", GAMES)
def test_it_takes_one_seat_against_bots(game: str) -> None:
    with warnings.catch_warnings():
        # A row of bytes looks like a picture to it.
        warnings.simplefilter("ignore", UserWarning)
        check_env(AgainstBots(game, impossible="lose"), skip_render_check=True)


def test_its_masked_policy_never_chooses_what_is_impossible() -> None:
    """An impossible action would raise."""
    learner = MaskablePPO("MlpPolicy", AgainstBots("human-resources"), n_steps=64, batch_size=32)
    learner.learn(128)
    assert learner.num_timesteps == 128
