"""What the tests over every game need to know of one. Each game's test folder has a `probe.py`."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from openplan import decks
from openplan.core import registry
from openplan.core.deal import Deal, seeded
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, Seat, Viewer
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.decks import load_deck
from tests import tender

if TYPE_CHECKING:
    from tests.laws import Law


class Probe(Protocol):
    recorded_endings: frozenset[str]
    """The endings of which tests/golden has a match. A game that has been released has all: people
    have such records, which must stay playable."""

    def house(self, rng: Random) -> dict[str, str]:
        """House rules to try."""

    def random_move(self, game: AnyGame, match: Match, rng: Random) -> tuple[Any, str]:
        """A seat that may act, and a move of its own as text."""

    def check(self, match: Match) -> None:
        """Assert what must hold on every table: all cards there once, all in order."""

    def other_truth(self, match: Match, viewer: Viewer, rng: Random) -> Match | None:
        """A match that differs from this one only in what the viewer cannot know; `None` if this
        attempt found none."""

    def dealt(self, state: Any, rng: Random) -> Deal:
        """The deal with which this table began, on which nothing has been played; what has no order
        there is in any order."""

    def opening_figures(self, law: Law) -> list[tuple[str, Callable[[Deal], bool], float]]:
        """What people notice about their first cards: its name, whether a deal has it, and how
        likely that is if every deal is."""


def probe_of(game: AnyGame) -> Probe:
    package = type(game).__module__.split(".")[-2]
    probe: Probe = import_module(f"tests.games.{package}.probe").PROBE
    return probe


def games() -> list[AnyGame]:
    """Those that are played here."""
    return [game for _, game in sorted(all_games().items())]


def every_game() -> list[AnyGame]:
    """And the example of one."""
    return [*games(), tender.GAME]


def deck_of(game: AnyGame) -> Deck:
    """Its first."""
    return tender.DECK if game is tender.GAME else load_deck(game)


def game_named(name: str) -> AnyGame:
    return tender.GAME if name == tender.GAME.name else registry.game_named(name)


def find_deck(game: AnyGame, name: str, content: str) -> Deck:
    if game is tender.GAME:
        return tender.find_deck(game, name, content)
    return decks.find_deck(game, name, content)


def new_match(game: AnyGame, rng: Random) -> Match:
    return Match.start(game, deck_of(game), probe_of(game).house(rng), secret=seeded(rng.random()))


def play_on(match: Match, rng: Random, entries: int) -> None:
    """Random moves until so many entries are there or the match is over."""
    probe = probe_of(match.game)
    while match.outcome is None and match.ply < entries:
        seat, text = probe.random_move(match.game, match, rng)
        match.submit(seat, text)


def viewers(game: AnyGame) -> list[Viewer]:
    return [None, *(Seat(seat) for seat in range(len(game.seats)))]
