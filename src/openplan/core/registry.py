"""Finds games by scanning the folder of games. A new folder appears by itself."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files

from openplan.core.game import AnyGame, Unreadable
from openplan.core.sentences import refused


@cache
def all_games() -> dict[str, AnyGame]:
    """Every game by name. A game's `game.py` offers it as `GAME`."""
    found: dict[str, AnyGame] = {}
    # By name, not by an import: core stands below the games.
    folder = import_module("openplan.games")
    for module in pkgutil.iter_modules(folder.__path__, f"{folder.__name__}."):
        if module.ispkg:
            game: AnyGame = import_module(f"{module.name}.game").GAME
            found[game.name] = game
    return found


def game_named(name: str) -> AnyGame:
    games = all_games()
    if name not in games:
        known = ", ".join(sorted(games))
        raise refused(Unreadable, "unknown-game", name=name[:40], known=known)
    return games[name]


def files_beside(game: AnyGame, folder: str, suffix: str) -> Iterator[tuple[str, str]]:
    """Name and text of the files in a folder beside a game's rules, in order: cases, lessons."""
    place = files(type(game).__module__.rpartition(".")[0]).joinpath(folder)
    if place.is_dir():
        for file in sorted(place.iterdir(), key=lambda file: file.name):
            if file.name.endswith(suffix):
                yield file.name, file.read_text("utf-8")
