"""What programs that learn need of a game: its moves as steps out of a fixed number of actions, and
what a seat may know as a row of bytes. `openplan.envs` makes environments of it."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Part(NamedTuple):
    """So many numbers in a row that mean the same kind of thing."""

    name: str
    size: int
    meaning: str


class Encoding(NamedTuple):
    actions: tuple[Part, ...]
    """Parts in order: the first action of a part is the number after the last of the one before."""
    observation: tuple[Part, ...]
    window: int

    @property
    def action_count(self) -> int:
        return sum(part.size for part in self.actions)

    @property
    def observation_size(self) -> int:
        return sum(part.size for part in self.observation)


class Lanes(Protocol):
    """Many matches side by side in the game's compiled kernel. Each buffer has a row for each; it
    is written in place, so that whoever has laid an array over it sees what is new."""

    @property
    def observations(self) -> Any: ...
    @property
    def masks(self) -> Any: ...
    @property
    def rewards(self) -> Any: ...
    @property
    def done(self) -> Any: ...
    @property
    def turns(self) -> Any: ...
    @property
    def points(self) -> Any: ...
    @property
    def sampled(self) -> Any: ...
    @property
    def seen(self) -> Any: ...

    def seed(self, lane: int, seed: int) -> None: ...
    def seed_samples(self, seed: int) -> None: ...
    def restart(self, lane: int) -> None: ...
    def first_impossible(self, actions: bytes) -> int: ...
    def step(self, actions: bytes) -> int: ...
    def sample(self) -> None: ...
    def look(self, lane: int, seat: int) -> None: ...
    def cut(self) -> int: ...


class Desk(Protocol):
    """One seat's decision in a match of the checked way, from its view and nothing else."""

    @property
    def mask(self) -> Any:
        """A one for each action that can be taken now."""
        ...

    @property
    def seen(self) -> Any:
        """The observation that `observe` has written."""
        ...

    def ask(self, view: Any) -> None:
        """Begin a move of the view's own seat."""
        ...

    def watch(self, view: Any) -> None:
        """Only look on: nothing is asked of the view's own seat."""
        ...

    def observe(self) -> None: ...

    def take(self, action: int) -> Any | None:
        """Take a step; the game's move, if it is the last."""
        ...


class Learning(Protocol):
    """A game as it is learned, with a deck and house rules."""

    def encoding(self, window: int) -> Encoding: ...

    def lanes(self, count: int, window: int, restarts: bool) -> Lanes: ...

    def desk(self, window: int) -> Desk: ...

    def memory(self, view: Any) -> list[str]:
        """What the viewer may know of the past and nobody looking on, line by line."""
        ...

    @property
    def longest(self) -> int:
        """No match has more steps."""
        ...

    @property
    def window(self) -> int:
        """A side of the window in which squares have numbers, unless another is wished for."""
        ...


def checked_window(window: int, least: int, most: int) -> int:
    if not least <= window <= most:
        raise ValueError(f"the window's side is {least} to {most} squares, not {window}")
    return window
