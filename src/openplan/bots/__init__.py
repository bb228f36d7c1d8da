"""Players that are programs. A bot gets what its seat may know, and chance, and returns a move.

`bot_named` finds one by its name, or makes one of any program: `cmd:./mybot`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from random import Random
from typing import Any, Final, Protocol

from openplan.core.game import AnyGame, GameError


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a bot may think about one move. With iterations and without seconds the same view
    and chance give the same move; with neither, a bot takes what suits its strength."""

    seconds: float | None = None
    iterations: int | None = None


class BotFailed(GameError):
    """A bot gave no move that can be played. It has lost its match; nobody else is harmed."""


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


@dataclass(frozen=True, slots=True)
class SearchBot:
    """Plays the best move that the game's own search finds within a budget."""

    name: str
    meaning: str
    budget: Budget
    strength: str = ""

    def choose(self, game: AnyGame, view: Any, rng: Random) -> Any:
        found = self.advice(game, view, rng)
        return found[0][0] if found else GreedyBot().choose(game, view, rng)

    def advice(self, game: AnyGame, view: Any, rng: Random) -> list[tuple[Any, float]]:
        """Moves with the chance to win after each, best first; none if the game has no search."""
        seed = rng.getrandbits(30)
        budget = self.budget
        return game.search(view, budget.seconds, budget.iterations, seed, self.strength)


@dataclass(frozen=True, slots=True)
class HastyBot:
    """Plays as another bot does, but so many moves in a hundred at random, without a look."""

    name: str
    meaning: str
    hasty: int
    careful: Bot

    def choose(self, game: AnyGame, view: Any, rng: Random) -> Any:
        bot = RandomBot() if 100 * rng.random() < self.hasty else self.careful
        return bot.choose(game, view, rng)


def ranking(game: AnyGame, view: Any) -> list[tuple[float, Any]]:
    """The moves of the view's seat worth comparing with what they look worth, best first."""
    moves = game.candidates(view)
    worths = game.appraise(view, moves)
    return sorted(zip(worths, moves, strict=True), key=lambda pair: -pair[0])


STRONGEST: Final = SearchBot("director", "looks ahead as far as a second goes", Budget(1.0))
_CLERK: Final = SearchBot(
    "clerk",
    "knows what its cards are worth, and looks no further than the next move",
    Budget(),
    "promise",
)
_PLAIN: Final = "a tree search with random play from its leaves"

_HOUSE: Final[tuple[Bot, ...]] = (
    STRONGEST,
    _CLERK,
    HastyBot("manager", "has a clerk who sees to most of it, and decides the rest", 20, _CLERK),
    HastyBot("supervisor", "looks over a clerk's shoulder, and often gets in the way", 40, _CLERK),
    HastyBot("intern", "does not yet know what the work is about", 50, GreedyBot()),
    GreedyBot(),
    RandomBot(),
)
_COMPARED_WITH: Final = SearchBot("plain-search", _PLAIN, Budget(1.0), "plain")
"""In the arena; no table offers it."""
PROGRAM: Final = "cmd:"


def _in_this_folder() -> Iterator[Bot]:
    """A file in this folder that offers a `BOT` is enough to add one. `program` makes bots and is
    none, and is not read before it is wanted."""
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        if module.name != f"{__name__}.program":
            yield import_module(module.name).BOT


BOTS: Final[dict[str, Bot]] = {bot.name: bot for bot in (*_HOUSE, *_in_this_folder())}
"""Those that a table offers: five strengths for people, best first, two to measure others by, and
any more."""


def bot_named(name: str, budget: Budget = Budget()) -> Bot:  # noqa: B008 - it is frozen
    """A bot by name, or of a program; `dismiss` it after its match."""
    if name.startswith(PROGRAM):
        from openplan.bots.program import ProgramBot

        return ProgramBot(name.removeprefix(PROGRAM), budget)
    bot = _COMPARED_WITH if name == _COMPARED_WITH.name else BOTS.get(name)
    if bot is None:
        known = ", ".join([*BOTS, f"{PROGRAM}PROGRAM"])
        raise GameError("unknown-bot", f"there is no bot {name[:40]!r}; there are: {known}")
    if isinstance(bot, SearchBot) and budget != Budget():
        return replace(bot, budget=budget)
    return bot


def dismiss(bot: Bot) -> None:
    """The match is over: a bot that keeps something open lets it go."""
    close = getattr(bot, "close", None)
    if close is not None:
        close()
