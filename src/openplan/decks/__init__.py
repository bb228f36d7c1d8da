"""Card data as files people can read and edit, and finding them: shipped, by path, by hash."""

from __future__ import annotations

import errno
import os
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from openplan.core.deck import MAX_BYTES, Deck, DeckError, Fault, Translation
from openplan.core.game import AnyGame
from openplan.core.sentences import LANGUAGES

LONGEST_SHOWN: Final = 500


def shipped(game: AnyGame) -> list[str]:
    """The names of the decks that come with this game, `house` before the others."""
    folder = files(__name__).joinpath(game.name)
    if not folder.is_dir():
        return []
    stems = [file.name[:-5] for file in folder.iterdir() if file.name.endswith(".toml")]
    names = [stem for stem in stems if "." not in stem]  # house.de is what house is in German
    return sorted(names, key=lambda name: (name != "house", name))


def shipped_text(game: AnyGame, name: str) -> str:
    """The file of a deck that comes with this game."""
    return files(__name__).joinpath(game.name, f"{name}.toml").read_text("utf-8")


def load_deck(game: AnyGame, name_or_path: str | Path = "", *, may_wait: bool = True) -> Deck:
    """A shipped deck by its name, or any deck by its path; the game's first deck if not named.

    A person may give a pipe or a terminal, for which we wait. A program that has us read a path
    has not asked for that: without `may_wait` only a regular file is read."""
    return _deck_of(game, *deck_file(game, name_or_path, may_wait=may_wait))


@lru_cache(maxsize=16)
def _deck_of(game: AnyGame, text: str, source: str) -> Deck:
    """The same decks are asked for over and over, and reading one takes ten milliseconds."""
    return translated(game, game.read_deck(text, source))


def translated(game: AnyGame, deck: Deck) -> Deck:
    """The deck with what its cards are called in other languages, if it is one that comes with the
    game, by its content and title and not by its name."""
    known = _translations(game).get((deck.hash, deck.title))
    return deck if known is None else replace(deck, translations=known)


def titles_of(game: AnyGame, name: str) -> list[str]:
    """What a deck that comes with the game is called, in every language."""
    deck = load_deck(game, name)
    return [deck.title, *(known.title for known in deck.translations.values())]


@cache
def _translations(game: AnyGame) -> Mapping[tuple[str, str], Mapping[str, Translation]]:
    """Of each deck that comes with the game, by its hash and its title."""
    folder = files(__name__).joinpath(game.name)
    found: dict[tuple[str, str], dict[str, Translation]] = {}
    for name in shipped(game):
        deck = game.read_deck(shipped_text(game, name), name)
        content = deck.hash, deck.title
        for language in LANGUAGES[1:]:
            file = folder.joinpath(f"{name}.{language}.toml")
            if file.is_file():
                table = tomllib.loads(file.read_text("utf-8"))
                cards = {card: (title, joke) for card, (title, joke) in table["cards"].items()}
                found.setdefault(content, {})[language] = Translation(table["title"], cards)
    return found


def deck_file(
    game: AnyGame, name_or_path: str | Path = "", *, may_wait: bool = True
) -> tuple[str, str]:
    """A deck's text, and what its file is called."""
    names = shipped(game)
    name = str(name_or_path) or names[0]
    if name in names:
        return shipped_text(game, name), f"{name}.toml"
    # Path.exists raises for a name that is too long for a file; os.path.exists says no.
    if not Path(name).suffix and "/" not in name and not os.path.exists(name):  # noqa: PTH110
        known = ", ".join(names)
        raise _fault(name, f"neither a file nor a deck of {game.title}; there are: {known}")
    return _read(name, may_wait=may_wait), name


def find_deck(game: AnyGame, name: str, content_hash: str) -> Deck:
    """The shipped deck with this content; a match is frozen to its deck's hash, not its name."""
    for candidate in shipped(game):
        deck = load_deck(game, candidate)
        if deck.hash == content_hash:
            return deck
    fault = f"no deck that comes with {game.title} has the hash {content_hash:.16}; "
    raise _fault(name, fault + "give the deck it was played with: --deck FILE")


def _read(path: str, *, may_wait: bool) -> str:
    """The text of a file nobody vouches for: never more of it than a deck may have."""
    try:
        with open(path, "rb", opener=None if may_wait else _open_regular) as file:
            data = file.read(MAX_BYTES + 1) or b""  # None: a file of /proc that has nothing yet
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL in it
        reason = (error.strerror or "") if isinstance(error, OSError) else str(error)
        raise _fault(path, f"cannot be read: {reason.lower()}") from None
    if len(data) > MAX_BYTES:
        raise _fault(path, f"larger than {MAX_BYTES // 1024} KB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _fault(path, f"not UTF-8 text (line {line})") from None


def _open_regular(path: str, flags: int) -> int:
    """Looks at what was opened and not at the path before, which could lead elsewhere by then; and
    does not wait while opening, as for the writer of a FIFO."""
    descriptor = os.open(path, flags | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file")
    return descriptor


def _fault(source: str, fault: str) -> DeckError:
    # A path is echoed in one printable line and no longer than any, whatever is in it.
    shown = source if source.isprintable() else ascii(source)[1:-1]
    if len(shown) > LONGEST_SHOWN:
        shown = f"{shown[:LONGEST_SHOWN]}..."
    return DeckError([Fault(shown, "", fault)])
