"""The checks that PettingZoo and Gymnasium bring for environments."""

from __future__ import annotations

import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test
from pettingzoo.utils import parallel_to_aec

from openplan.core.game import GameError
from openplan.envs import VectorEnv
from openplan.envs.gym import AgainstBots, SelfPlay
from openplan.envs.zoo import env, parallel_env

GAMES = ("human-resources", "cube-farm")


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_takes_seats_in_turn(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        # It would have observations with the shape of pictures.
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(game), num_cycles=400)
        seed_test(lambda: env(game), num_cycles=200)
    assert "Passed API test" in capsys.readouterr().out


def test_pettingzoo_takes_sealed_orders(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parallel_api_test(parallel_env("cube-farm"), num_cycles=200)
    capsys.readouterr()


class Obedient:
    """An environment whose spaces draw only what is possible, for a check that knows no masks."""

    def __init__(self, wrapped: Any) -> None:
        self.wrapped = wrapped
        self.infos: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wrapped, name)

    def reset(self) -> Any:
        made = self.wrapped.reset()
        if made is not None:
            self.infos = made[1]
        return made

    def step(self, actions: Any) -> Any:
        made = self.wrapped.step(actions)
        if made is not None:
            self.infos = made[4]
        return made

    def action_space(self, agent: str) -> Any:
        infos = self.infos or self.wrapped.infos
        mask = infos[agent]["action_mask"]
        space = self.wrapped.action_space(agent)
        return SimpleNamespace(sample=lambda: space.sample(mask=mask))


def test_a_match_can_be_cut_off_after_so_many_cycles() -> None:
    def both(max_cycles: int) -> Any:
        return Obedient(parallel_env("cube-farm", max_cycles=max_cycles))

    def one_by_one(max_cycles: int) -> Any:
        return Obedient(parallel_to_aec(parallel_env("cube-farm", max_cycles=max_cycles)))

    max_cycles_test(SimpleNamespace(parallel_env=both, env=one_by_one))
    short = env("human-resources", max_cycles=3)
    short.reset(seed=1)
    for _ in range(3):
        assert not any(short.truncations.values())
        short.step(int(np.flatnonzero(short.infos[short.agent_selection]["action_mask"])[0]))
    assert all(short.truncations.values())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_gymnasium_takes_one_seat_against_bots(game: str, bot: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        # It knows no masks.
        check_env(AgainstBots(game, bots=bot, impossible="lose"), skip_render_check=True)
    seated = AgainstBots(game, bots=bot, render_mode="ansi")
    rng = np.random.default_rng(3)
    for number in range(2):
        _, info = seated.reset(seed=number)
        assert seated.render()
        ended, reward = False, 0.0
        while not ended:
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            _, reward, ended, _, info = seated.step(action)
        assert seated.match.outcome is not None
        winners = seated.match.outcome.winners
        assert (reward > 0) == (seated.seat in winners)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_takes_many_matches_at_once(game: str) -> None:
    """Under its own wrapper, beside the same matches without it."""
    many = SelfPlay(game, 6)
    wrapped = RecordEpisodeStatistics(many)
    alone = VectorEnv(game, 6, seed=9)
    rng = np.random.default_rng(2)
    seen, info = wrapped.reset(seed=9)
    told = 0
    for _ in range(500):
        assert wrapped.observation_space.contains(seen)
        assert (seen == alone.observations).all()
        assert (info["seat"] == alone.turns).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        assert wrapped.action_space.contains(actions)
        acted = alone.turns.astype(int)
        seen, rewards, ended, cut_off, info = wrapped.step(actions)
        alone.step(actions)
        assert (rewards == alone.rewards[np.arange(6), acted]).all()
        assert (ended == alone.done).all()
        assert not cut_off.any()
        told += int(info.get("_episode", np.zeros(1)).sum())
    assert told == alone.finished > 6
    again, _ = many.reset(seed=[9, 10, 11, 12, 13, 14])
    assert (again == many.reset(seed=9)[0]).all()
    with pytest.raises(ValueError, match="every match has a seed or none"):
        many.reset(seed=[1, None, 2, 3, 4, 5])


def test_every_bad_input_has_its_reason() -> None:
    seated = AgainstBots("human-resources")
    _, info = seated.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match=f"action {wrong} is not possible now"):
        seated.step(wrong)
    with pytest.raises(ValueError, match="no seat 'Z'"):
        AgainstBots("human-resources", seat="Z")
    with pytest.raises(ValueError, match="2 bots for 1 other seats"):
        AgainstBots("human-resources", bots=["random", "random"])
    with pytest.raises(ValueError, match="may raise or lose"):
        AgainstBots("human-resources", impossible="cry")
    with pytest.raises(GameError, match="seats act in turn"):
        parallel_env("human-resources")
    table = env("human-resources")
    table.reset(seed=1)
    with pytest.raises(ValueError, match="action None is not possible"):
        table.step(None)
    sealed = parallel_env("cube-farm")
    sealed.reset(seed=1)
    with pytest.raises(GameError, match="is not possible now"):
        sealed.step(dict.fromkeys(sealed.agents, 900))
