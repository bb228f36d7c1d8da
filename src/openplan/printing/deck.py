"""A deck of cards to cut out, 63 by 88 mm."""

from __future__ import annotations

from typing import Final

from openplan.core.deck import Deck
from openplan.core.game import AnyGame
from openplan.core.scene import CardPicture
from openplan.core.sentences import Sentences
from openplan.printing.paper import BLEED, CARD, Job
from openplan.printing.press import print_pages
from openplan.printing.sheets import Page, Piece, lay_out
from openplan.render import svg

_SENTENCES: Final = Sentences.of("printing")


def print_deck(game: AnyGame, deck: Deck, job: Job) -> bytes:
    known = deck.translations.get(job.language)
    title = f"{game.title}: {known.title if known else deck.title}"
    return print_pages(deck_pages(game, deck, job), title, job.language, is_preview=job.is_preview)


def deck_pages(game: AnyGame, deck: Deck, job: Job) -> list[Page]:
    """Only backs that are alike lie on one sheet: a cut that is a little off shows nothing of
    another colour."""
    heaps: dict[str, list[Piece]] = {}
    for card in deck.cards:
        picture = game.card_picture(deck, card, job.language)
        heaps.setdefault(picture.back, []).append(_piece(picture, job))
    return [page for heap in heaps.values() for page in lay_out(heap, job)]


def _piece(card: CardPicture, job: Job) -> Piece:
    told = f"{card.name} {card.title}"
    said = ". ".join(filter(None, (told, card.told or card.text, card.quip)))
    return Piece(
        *CARD,
        svg.draw_face(card, BLEED, low_ink=job.low_ink),
        svg.draw_back(card, BLEED, low_ink=job.low_ink),
        said,
        _SENTENCES.say("back", {"card": card.name}, job.language),
    )
