"""PettingZoo: seats that act one after the other (`env`), and all at once where orders are sealed
(`parallel_env`)."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import randbits
from typing import Any

import numpy as np

from openplan.core.deal import seeded_chance
from openplan.core.game import Illegal, Seat
from openplan.envs.setting import Bytes, checked_seed, laid_over, rewards_of, setting
from openplan.render.text import draw_scene

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError("openplan.envs.zoo needs PettingZoo: pip install 'openplan[envs]'") from error

Seen = dict[str, Any]
"""An observation: what the seat may know, and which actions it can take."""


def env(game: str, **options: Any) -> SeatsInTurn:
    return SeatsInTurn(game, **options)


def parallel_env(game: str, **options: Any) -> SealedOrders:
    return SealedOrders(game, **options)


class _Table:
    """What both kinds of environments are made of."""

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}  # noqa: RUF012 (as the base has it)

    def __init__(
        self,
        game: str,
        *,
        deck: str = "",
        house: Mapping[str, str] | None = None,
        window: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.setting = setting(game, deck, house, window)
        self.metadata = {**self.metadata, "name": f"{self.setting.game.name}_v0"}
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.possible_agents = list(self.setting.game.seats)
        encoding = self.setting.encoding
        seen: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, 255, (encoding.observation_size,), np.uint8),
            "action_mask": spaces.Box(0, 1, (encoding.action_count,), np.int8),
        }
        self._observation_space = spaces.Dict(seen)
        self._action_space = spaces.Discrete(encoding.action_count)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_space

    def close(self) -> None:
        """Nothing is kept open."""


class SeatsInTurn(_Table, AECEnv):  # type: ignore[misc]
    """One match; an action is a step of a move."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (as the base has it)
        **_Table.metadata,
        "is_parallelizable": False,
    }

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__(game, **options)
        encoding = self.setting.encoding
        self._lanes = self.setting.learning.lanes(1, encoding.window, restarts=False)
        self._mask: Bytes = laid_over(self._lanes.masks, encoding.action_count)
        self._seen: Bytes = laid_over(self._lanes.seen, encoding.observation_size)
        self._rewards: Any = laid_over(
            self._lanes.rewards, len(self.possible_agents), dtype=np.float64
        )
        self._lanes.seed(0, randbits(48))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._lanes.seed(0, checked_seed(seed))
        self._lanes.restart(0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.cycles = 0
        self._select()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self._lanes.turns[0]]
        self.infos = {agent: {"action_mask": self._mask_of(agent)} for agent in self.agents}

    def _mask_of(self, agent: str) -> Any:
        if agent != self.agent_selection or self._lanes.done[0]:
            return np.zeros(self._action_space.n, np.int8)
        return self._mask.astype(np.int8)

    def observe(self, agent: str) -> Seen:
        self._lanes.look(0, self.possible_agents.index(agent))
        return {"observation": self._seen.copy(), "action_mask": self._mask_of(agent)}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self._action_space.n or not self._mask[action]:
            raise ValueError(f"action {action} is not possible now")
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._lanes.step(int(action).to_bytes(2, "little"))
        self.cycles += 1
        if self._lanes.done[0]:
            for number, one in enumerate(self.possible_agents):
                self.rewards[one] = float(self._rewards[number])
                self.terminations[one] = True
        elif self.max_cycles is not None and self.cycles >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Points and whose turn it is; the checked way draws the table."""
        if self.render_mode is None:
            return None
        points = ", ".join(
            f"{agent} {points}"
            for agent, points in zip(self.possible_agents, self._lanes.points, strict=True)
        )
        return f"{self.setting.game.title}: {points}; {self.agent_selection} to act"


class SealedOrders(_Table, ParallelEnv):  # type: ignore[misc]
    """Where orders are sealed, all seats write theirs at once, each a step at a time; who is ready
    before the others waits (action 0). When all are ready the turn is carried out."""

    metadata: dict[str, Any] = {  # noqa: RUF012 (as the base has it)
        **_Table.metadata,
        "is_parallelizable": True,
    }

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__(game, **options)
        if not self.setting.game.sealed:
            raise Illegal("not-sealed", f"in {self.setting.game.title} seats act in turn")
        encoding = self.setting.encoding
        self._desks = [self.setting.learning.desk(encoding.window) for _ in self.possible_agents]
        self._orders: list[Any | None] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, Any]]:
        game, deck, house = self.setting.game, self.setting.deck, self.setting.house
        chance = seeded_chance(randbits(48) if seed is None else seed)
        self.state = game.start(deck, house, game.deal(deck, house, chance))
        self.agents = list(self.possible_agents)
        self.cycles = 0
        self._ask()
        seen = {agent: self._observe(number) for number, agent in enumerate(self.agents)}
        return seen, _infos(seen)

    def _ask(self) -> None:
        self._orders = [None] * len(self.possible_agents)
        for seat, desk in enumerate(self._desks):
            desk.ask(self.setting.game.view(self.state, Seat(seat)))

    def _observe(self, seat: int) -> Seen:
        desk = self._desks[seat]
        desk.observe()
        encoding = self.setting.encoding
        mask = laid_over(desk.mask, encoding.action_count).astype(np.int8)
        if self._orders[seat] is not None:
            mask[0] = 1
        return {
            "observation": laid_over(desk.seen, encoding.observation_size).copy(),
            "action_mask": mask,
        }

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        game = self.setting.game
        for seat, agent in enumerate(self.agents):
            action = int(actions[agent])
            if self._orders[seat] is not None:
                if action != 0:
                    raise ValueError(f"{agent} has given its orders: only action 0 is possible")
            else:
                self._orders[seat] = self._desks[seat].take(action)
        if all(orders is not None for orders in self._orders):
            for seat, orders in enumerate(self._orders):
                game.play(self.state, Seat(seat), orders)
            if not game.awaited(self.state) and game.outcome(self.state) is None:
                game.deadline(self.state)
            self._ask()
        self.cycles += 1
        outcome = game.outcome(self.state)
        agents = self.agents
        rewards = dict.fromkeys(agents, 0.0)
        if outcome is not None:
            rewards = dict(zip(agents, rewards_of(outcome, len(agents)), strict=True))
        late = self.max_cycles is not None and self.cycles >= self.max_cycles
        ended = dict.fromkeys(agents, outcome is not None)
        cut_off = dict.fromkeys(agents, late and outcome is None)
        seen = {agent: self._observe(number) for number, agent in enumerate(agents)}
        if outcome is not None or late:
            self.agents = []
        return seen, rewards, ended, cut_off, _infos(seen)

    def render(self) -> str | None:
        """The table as who looks on sees it."""
        if self.render_mode is None:
            return None
        game = self.setting.game
        return draw_scene(game.scene(game.view(self.state, None)))


def _infos(seen: dict[str, Seen]) -> dict[str, Any]:
    return {agent: {"action_mask": one["action_mask"]} for agent, one in seen.items()}
