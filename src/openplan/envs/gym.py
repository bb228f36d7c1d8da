"""Gymnasium: one seat that learns, against any bots, in matches of the checked way; and many
matches at once in which all seats are the learner's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from openplan.bots import bot_named
from openplan.core.deal import seeded
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.envs.setting import Bytes, laid_over, rewards_of, setting
from openplan.envs.vector import VectorEnv
from openplan.render.text import draw_scene

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("openplan.envs.gym needs Gymnasium: pip install 'openplan[envs]'") from error


class AgainstBots(gymnasium.Env[Bytes, np.int64]):
    """An action is a step of a move; the mask is in `info` and from `action_masks`. The reward
    comes with the end."""

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (as the base has it)

    def __init__(
        self,
        game: str,
        *,
        bots: str | Sequence[str] = "random",
        seat: str | None = None,
        impossible: str = "raise",
        deck: str = "",
        house: Mapping[str, str] | None = None,
        window: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`seat` by its code, or a new one each match; `bots` one for all other seats, or one for
        each. An impossible action raises `ValueError`, or loses the match (`"lose"`)."""
        self.setting = setting(game, deck, house, window)
        seats = self.setting.game.seats
        if seat is not None and seat not in seats:
            raise ValueError(f"there is no seat {seat[:40]!r}; there are: {', '.join(seats)}")
        if impossible not in ("raise", "lose"):
            raise ValueError(f"an impossible action may raise or lose, not {impossible[:40]!r}")
        names = [bots] * (len(seats) - 1) if isinstance(bots, str) else list(bots)
        if len(names) != len(seats) - 1:
            raise ValueError(f"{len(names)} bots for {len(seats) - 1} other seats")
        self._bots = [bot_named(name) for name in names]
        self._wished = seat
        self._impossible = impossible
        self.render_mode = render_mode
        encoding = self.setting.encoding
        self.observation_space = spaces.Box(0, 255, (encoding.observation_size,), np.uint8)
        self.action_space = spaces.Discrete(encoding.action_count)
        self._desk = self.setting.learning.desk(encoding.window)
        self._mask: Bytes = laid_over(self._desk.mask, encoding.action_count)
        self._seen: Bytes = laid_over(self._desk.seen, encoding.observation_size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        super().reset(seed=seed)
        self._chance = Random(int(self.np_random.integers(2**62)))
        game = self.setting.game
        secret = seeded(self._chance.getrandbits(62))
        self.match = Match.start(game, self.setting.deck, self.setting.house, secret=secret)
        seats = game.seats
        self.seat = Seat(
            self._chance.randrange(len(seats))
            if self._wished is None
            else seats.index(self._wished)
        )
        self._go_on()
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        number = int(action)
        if not 0 <= number < len(self._mask) or not self._mask[number]:
            if self._impossible == "raise":
                raise ValueError(f"action {number} is not possible now")
            return self._observe(), -1.0, True, False, {**self._info(), "impossible": True}
        move = self._desk.take(number)
        if move is not None:
            self.match.submit(self.seat, self.setting.game.format_move(self.match.deck, move))
            self._go_on()
        outcome = self.match.outcome
        reward = 0.0
        if outcome is not None:
            reward = rewards_of(outcome, len(self.setting.game.seats))[self.seat]
        return self._observe(), reward, outcome is not None, False, self._info()

    def _go_on(self) -> None:
        """The others act until this seat is waited for."""
        match, game = self.match, self.setting.game
        while match.outcome is None:
            waited = match.awaited
            if not waited:
                match.enter("deadline", None)
                continue
            others = [seat for seat in sorted(waited) if seat != self.seat]
            if not others:
                break
            # Sealed orders: who is asked first makes no difference to what is known.
            seat = others[0]
            place = (seat - self.seat - 1) % len(game.seats)
            move = self._bots[place].choose(game, match.view(seat), self._chance)
            match.submit(seat, game.format_move(match.deck, move))
        # Of the state itself: of a match that is over everybody may know everything.
        self._desk.ask(game.view(match.state, self.seat))

    def _observe(self) -> Bytes:
        self._desk.observe()
        return self._seen.copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}

    def action_masks(self) -> npt.NDArray[np.int8]:
        """As maskable policies ask for it."""
        return self._mask.astype(np.int8)

    def render(self) -> str | None:
        """The table as the seat sees it."""
        if self.render_mode is None:
            return None
        return draw_scene(self.setting.game.scene(self.match.view(self.seat)))


class SelfPlay(gymnasium.vector.VectorEnv[Bytes, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """`VectorEnv` as Gymnasium has it. An observation is that of the seat to act, which `info`
    names beside the mask; a reward is that of the seat that acted. A match that ends is followed by
    the next at once."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 (as the base has it)

    def __init__(self, game: str, count: int, **options: Any) -> None:
        self.matches = VectorEnv(game, count, **options)
        self.num_envs = count
        encoding = self.matches.setting.encoding
        self.single_observation_space = spaces.Box(0, 255, (encoding.observation_size,), np.uint8)
        self.single_action_space = spaces.Discrete(encoding.action_count)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        if isinstance(seed, list):
            if None in seed:
                raise ValueError("either every match has a seed or none has")
            self.matches.reset([int(one or 0) for one in seed])
        else:
            self.matches.reset(seed)
        return self.matches.observations.copy(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Bytes, npt.NDArray[Any], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        matches = self.matches
        acted = matches.turns.astype(np.int64)
        matches.step(actions)
        rewards = matches.rewards[np.arange(self.num_envs), acted]
        never = np.zeros(self.num_envs, np.bool_)
        return matches.observations.copy(), rewards, matches.done.copy(), never, self._info()

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.matches.masks.astype(np.int8),
            "seat": self.matches.turns.copy(),
        }
