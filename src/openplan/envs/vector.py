"""Many matches at once, stepped in one call inside the compiled kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import randbits

import numpy as np
import numpy.typing as npt

from openplan.envs.setting import Bytes, checked_seed, laid_over, setting


class VectorEnv:
    """A row for each match, in arrays that are always the same and change with each `step`:

    `observations` and `masks` for the seat that is to act (`turns`); `rewards` of all seats and
    `done`, for matches that ended with this step; `points`, as they stand or as they were in the
    end. A match that ends is followed by the next at once: its observation is already that of the
    new one. `copy()` what must outlive a step.
    """

    def __init__(
        self,
        game: str,
        count: int,
        *,
        seed: int | Sequence[int] | None = None,
        deck: str = "",
        house: Mapping[str, str] | None = None,
        window: int | None = None,
    ) -> None:
        if count < 1:
            raise ValueError(f"at least one match is played, not {count}")
        self.setting = setting(game, deck, house, window)
        self.count = count
        encoding = self.setting.encoding
        seats = len(self.setting.game.seats)
        lanes = self.setting.learning.lanes(count, encoding.window, restarts=True)
        self._lanes = lanes
        self.observations: Bytes = laid_over(lanes.observations, count, encoding.observation_size)
        masks: Bytes = laid_over(lanes.masks, count, encoding.action_count)
        self.masks: npt.NDArray[np.bool_] = masks.view(np.bool_)
        self.rewards: npt.NDArray[np.float64] = laid_over(
            lanes.rewards, count, seats, dtype=np.float64
        )
        self.done: npt.NDArray[np.bool_] = laid_over(lanes.done, count).view(np.bool_)
        self.turns: Bytes = laid_over(lanes.turns, count)
        self.points: npt.NDArray[np.int64] = laid_over(lanes.points, count, seats, dtype=np.int64)
        self._sampled: npt.NDArray[np.int64] = laid_over(lanes.sampled, count, dtype=np.int64)
        self.finished = 0
        """So many matches have ended since `reset`."""
        self.reset(seed)

    @property
    def cut(self) -> int:
        """How many squares that could have been chosen had no place in the window."""
        return self._lanes.cut()

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Deal all matches anew. One seed gives match n what `seed + n` gives; a list has one for
        each match. Whatever is done in a match, the same deals come after it."""
        if seed is None:
            seed = randbits(48)
        seeds = [*range(seed, seed + self.count)] if isinstance(seed, int) else [*seed]
        if len(seeds) != self.count:
            raise ValueError(f"{len(seeds)} seeds for {self.count} matches")
        seeds = [checked_seed(one) for one in seeds]
        self._lanes.seed_samples(seeds[0])
        for lane, own in enumerate(seeds):
            self._lanes.seed(lane, own)
            self._lanes.restart(lane)
        self.finished = 0

    def step(self, actions: npt.ArrayLike) -> None:
        """One action in each match. If any is impossible, nothing is done in any."""
        given = np.asarray(actions)
        if given.shape != (self.count,) or not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"{self.count} whole numbers are needed, one action for each match")
        highest = self.setting.encoding.action_count - 1
        if given.min() < 0 or given.max() > highest:
            raise ValueError(f"actions are 0 to {highest}, not {given.min()} to {given.max()}")
        packed = given.astype("<u2").tobytes()
        wrong = self._lanes.first_impossible(packed)
        if wrong >= 0:
            meant = self.setting.meaning(int(given[wrong]))
            raise ValueError(f"match {wrong}: action {given[wrong]} ({meant}) is not possible now")
        self.finished += self._lanes.step(packed)

    def sample(self) -> npt.NDArray[np.int64]:
        """A possible action for each match, each as likely as another."""
        self._lanes.sample()
        return self._sampled
