"""The picture of a table: a hand, the contracts, who has won what."""

from __future__ import annotations

from openplan.core.game import OPEN
from openplan.core.scene import Panel, Scene

from ..cards import UNKNOWN, card_picture
from ..state import SEATS
from ..view import View

TITLES = {
    "en": ("Sealed Tender", "Your hand", "Contracts", "contracts"),
    "de": ("Ausschreibung", "Deine Hand", "Aufträge", "Aufträge"),
}


def scene_of(view: View, language: str = "en") -> Scene:
    title, hand, contracts, unit = TITLES[language]
    hidden = [UNKNOWN] * (view.left - len(view.contracts))
    piles = [
        Panel(contracts, tuple(card_picture(view.deck, c) for c in (*view.contracts, *hidden)))
    ]
    if view.viewer is not None and view.viewer != OPEN:
        own = tuple(card_picture(view.deck, card) for card in view.hand)
        piles.append(Panel(hand, own, view.sealed[view.viewer], is_private=True))
    standings = tuple(
        f"{code}: {len(won)} {unit}" for code, won in zip(SEATS, view.won, strict=True)
    )
    return Scene(title, (), tuple(piles), standings=standings)
