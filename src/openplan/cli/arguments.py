"""What the commands understand of their arguments, and what they say if they do not."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from openplan.core.game import AnyGame, Seat, Unreadable
from openplan.core.registry import all_games, game_named

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, or the beginning of its name.")
]
DeckName = Annotated[
    str, typer.Option("--deck", metavar="NAME|FILE", help="Another deck than the game's first.")
]
House = Annotated[
    list[str],
    typer.Option(metavar="RULE=CHOICE", help="A house rule, such as promo=yes; repeatable."),
]


class Tongue(StrEnum):
    EN = "en"
    DE = "de"


class CommandError(Exception):
    """Reported to the user in one line; the command ends with status 2."""


def find_game(name: str) -> AnyGame:
    """The game of this name, or the only one that begins so."""
    begun = [game for known, game in all_games().items() if known.startswith(name.lower())]
    return begun[0] if name and len(begun) == 1 else game_named(name)


def parse_house(pairs: Iterable[str]) -> dict[str, str]:
    house = {}
    for pair in pairs:
        rule, sign, choice = pair.partition("=")
        if not sign:
            raise CommandError(f"--house is written RULE=CHOICE, such as promo=yes, not {pair!r}")
        house[rule.strip()] = choice.strip()
    return house


def parse_seat(game: AnyGame, code: str) -> Seat:
    if code.upper() not in game.seats:
        seats = ", ".join(game.seats)
        raise Unreadable("no-seat", f"{game.title} has no seat {code[:20]!r}; there are: {seats}")
    return Seat(game.seats.index(code.upper()))


def read_text(path: Path, limit: int) -> str:
    """A file's text; never more than `limit` bytes of it are read."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CommandError(f"{path} cannot be read: {reason}") from None
    if len(data) > limit:
        raise CommandError(f"{path} is larger than {limit // 1024} KB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise CommandError(f"{path} is not UTF-8 text") from None


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file as a whole or not at all."""
    try:
        new = path.with_name(f"{path.name}.new")
        new.write_bytes(data)
        new.replace(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise CommandError(f"{path} cannot be written: {reason}") from None
