"""Whether a deck that somebody brings or makes can be played with, and what is wrong with it."""

from __future__ import annotations

from typing import Final

import msgspec

from openplan.core.deck import Deck, DeckError, strange_texts
from openplan.core.game import AnyGame, Illegal
from openplan.decks import shipped, shipped_text, titles_of
from openplan.server.people.names import is_alike
from openplan.server.refusals import refused

MOST_FAULTS: Final = 200


class DeckFault(msgspec.Struct, frozen=True):
    """`place` is the card's place among the cards, from 1 on; 0 where it is no one card's."""

    place: int
    card: str
    fault: str
    clause: str


def own_deck(game: AnyGame, text: str) -> Deck:
    """A deck that somebody brings. It is no deck of the house unless it is that very file."""
    deck = game.read_deck(text, "deck")
    if faults := strange_texts(text, "deck"):
        raise DeckError(faults)
    names = shipped(game)
    if not any(text == shipped_text(game, name) for name in names):
        titles = [title for name in names for title in titles_of(game, name)]
        if deck.name in names or any(is_alike(deck.title, title) for title in titles):
            raise refused(Illegal, "deck", "house-deck")
    return deck


def faults_of(game: AnyGame, text: str, language: str) -> list[DeckFault]:
    """Everything that keeps a deck from being played with; slow enough for a thread of its own."""
    try:
        own_deck(game, text)
    except DeckError as error:
        return [
            DeckFault(fault.place, fault.card, fault.told(language), fault.clause)
            for fault in error.faults[:MOST_FAULTS]
        ]
    except Illegal as error:
        return [DeckFault(0, "", error.reason_in(language), error.clause)]
    return []
