"""Players that are programs. A bot gets what its seat may know, and chance, and returns a move."""

from __future__ import annotations

from random import Random
from typing import Any, Final, Protocol

from openplan.core.game import AnyGame, GameError


class Bot(Protocol):
    """The same view and the same chance give the same move, whatever is hidden."""

    @property
    def name(self) -> str: ...

    @property
    def meaning(self) -> str:
        """How it plays, in a few words."""
        ...

    def choose(self, game: AnyGame, view: Any, rng: Random) -> Any:
        """A legal move of the view's seat, which must be one that is to act."""
        ...


class RandomBot:
    """Walks through the steps of a move, each chosen evenly: in every game, without listing all
    moves."""

    name = "random"
    meaning = "plays anything that is allowed"

    def choose(self, game: AnyGame, view: Any, rng: Random) -> Any:
        steps: list[str] = []
        while True:
            options = game.options(view, steps)
            choices: list[str | None] = [step.value for step in options.next]
            if options.whole is not None:
                choices.append(None)
            step = rng.choice(choices)
            if step is None:
                assert options.whole is not None
                return game.parse_move(view.deck, options.whole)
            steps.append(step)


class GreedyBot:
    """Plays what looks best at once, without looking ahead; chance decides between equals."""

    name = "greedy"
    meaning = "plays what looks best at once"

    def choose(self, game: AnyGame, view: Any, rng: Random) -> Any:
        ranked = ranking(game, view)
        best = ranked[0][0]
        return rng.choice([move for worth, move in ranked if worth == best])


def ranking(game: AnyGame, view: Any) -> list[tuple[float, Any]]:
    """The moves of the view's seat worth comparing with what they look worth, best first."""
    moves = game.candidates(view)
    worths = game.appraise(view, moves)
    return sorted(zip(worths, moves, strict=True), key=lambda pair: -pair[0])


BOTS: Final[dict[str, Bot]] = {bot.name: bot for bot in (GreedyBot(), RandomBot())}


def bot_named(name: str) -> Bot:
    if name not in BOTS:
        known = ", ".join(BOTS)
        raise GameError("unknown-bot", f"there is no bot {name[:40]!r}; there are: {known}")
    return BOTS[name]
