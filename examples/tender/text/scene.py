"""The picture of a table: the contracts, your hand, who has won what. The page draws it as it is
told here, so that nothing but these words is read there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openplan.core.game import OPEN
from openplan.core.scene import CardPicture, Panel, Scene
from openplan.core.sentences import spoken_in

from ..cards import UNKNOWN, card_picture
from ..state import SEATS
from ..view import View

WORDS: Final = {
    "en": {
        "hand": "Your hand",
        "sealed": "sealed: {bid}",
        "contracts": "Contracts to come, the next one first",
        "won": "Won by {seat}",
        "stands": "{seat}: {won}, {bids} in hand",
        "gone": "{seat}: {won}, has left",
        "contract": ("1 contract", "{n} contracts"),
        "bid": ("1 bid", "{n} bids"),
    },
    "de": {
        "hand": "Deine Hand",
        "sealed": "verdeckt geboten: {bid}",
        "contracts": "Noch zu vergeben, der nächste Auftrag zuerst",
        "won": "Gewonnen von {seat}",
        "stands": "{seat}: {won}, {bids} auf der Hand",
        "gone": "{seat}: {won}, ausgeschieden",
        "contract": ("1 Auftrag", "{n} Aufträge"),
        "bid": ("1 Gebot", "{n} Gebote"),
    },
}


def scene_of(view: View, language: str = "en") -> Scene:
    words = WORDS[spoken_in(language)]

    def say(word: str, **blanks: object) -> str:
        return str(words[word]).format(**blanks)

    def counted(word: str, n: int) -> str:
        return words[word][n != 1].format(n=n)

    def pictures(cards: Sequence[str]) -> tuple[CardPicture, ...]:
        return tuple(card_picture(view.deck, card, language) for card in cards)

    hidden = [UNKNOWN] * (view.left - len(view.contracts))
    panels = [Panel(say("contracts"), pictures([*view.contracts, *hidden]))] if view.left else []
    if view.viewer is not None and view.viewer != OPEN and view.hand:
        sealed = view.sealed[view.viewer]
        note = say("sealed", bid=sealed) if sealed else ""
        panels.append(Panel(say("hand"), pictures(view.hand), note, is_private=True))
    standings = []
    for seat, code in enumerate(SEATS):
        won = view.won[seat]
        if won:
            panels.append(Panel(say("won", seat=code), pictures(won)))
        stands = "gone" if seat in view.gone else "stands"
        bids = counted("bid", view.counts[seat])
        standings.append(say(stands, seat=code, won=counted("contract", len(won)), bids=bids))
    return Scene("Sealed Tender", (), tuple(panels), standings=tuple(standings))
