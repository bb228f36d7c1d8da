"""Open Plan: the office games, on one rules engine. `openplan.hand` says what is offered here."""

from typing import TYPE_CHECKING, Any

from openplan import compiled

__version__ = "0.1.0"
__all__ = ["FastTable", "GameError", "OpenMatch", "games", "new_match", "read_match"]

compiled.install()

if TYPE_CHECKING:
    from openplan.core.fast import FastTable
    from openplan.core.game import GameError
    from openplan.hand import OpenMatch, games, new_match, read_match


def __getattr__(name: str) -> Any:
    # Found when it is asked for: the command and its workers start without it.
    if name not in __all__:
        raise AttributeError(f"module 'openplan' has no attribute {name!r}")
    from openplan import hand

    return getattr(hand, name)
