"""Which game is learned: with its deck, its house rules and its window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Outcome
from openplan.core.learning import Encoding, Learning
from openplan.core.match import complete_house
from openplan.core.registry import game_named
from openplan.decks import load_deck

Bytes = npt.NDArray[np.uint8]


class Setting(NamedTuple):
    game: AnyGame
    deck: Deck
    house: dict[str, str]
    learning: Learning
    encoding: Encoding

    @property
    def window(self) -> int:
        return self.encoding.window

    def parts(self, observation: Bytes) -> dict[str, Bytes]:
        """An observation, or rows of them, taken apart by name; planes as squares."""
        found: dict[str, Bytes] = {}
        first = 0
        for part in self.encoding.observation:
            piece = observation[..., first : first + part.size]
            if part.size == self.window**2:
                piece = piece.reshape(*piece.shape[:-1], self.window, self.window)
            found[part.name] = piece
            first += part.size
        return found

    def meaning(self, action: int) -> str:
        """An action in words: its part and its number there."""
        if not 0 <= action < self.encoding.action_count:
            last = self.encoding.action_count - 1
            raise ValueError(f"actions are 0 to {last}, not {action}")
        for part in self.encoding.actions:
            if action < part.size:
                break
            action -= part.size
        if part.name == "square":
            row, column = divmod(action, self.window)
            return f"square {row},{column}"
        if part.size == 1:
            return part.name
        if part.name in ("shape", "turn"):
            return f"{part.name} {action}"
        return f"{part.name} {self.deck.cards[action]}"


def setting(
    game: str, deck: str = "", house: Mapping[str, str] | None = None, window: int | None = None
) -> Setting:
    """A game by name; a deck by name or file; house rules as a match has them."""
    found = game_named(game)
    loaded = load_deck(found, deck)
    complete = complete_house(found, house or {})
    learning = found.learning(loaded, complete)
    encoding = learning.encoding(learning.window if window is None else window)
    return Setting(found, loaded, complete, learning, encoding)


def laid_over(buffer: Any, *shape: int, dtype: npt.DTypeLike = np.uint8) -> Any:
    """An array over a kernel's buffer: it shows what the kernel writes, and cannot be written."""
    return np.frombuffer(buffer, dtype=dtype).reshape(shape)


def rewards_of(outcome: Outcome, seats: int) -> list[float]:
    """Who wins has 1; the others share -1; winners share what they have."""
    winners: list[int] = [*outcome.winners] or [*range(seats)]
    share = [seats / len(winners) if seat in winners else 0.0 for seat in range(seats)]
    return [(one - 1.0) / (seats - 1) for one in share]


def checked_seed(seed: int) -> int:
    if not 0 <= seed < 2**62:
        raise ValueError(f"a seed is a whole number from 0 up to 2**62, not {seed}")
    return int(seed)
