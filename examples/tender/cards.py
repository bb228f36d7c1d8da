"""The cards (ST-1): nine bids and three contracts. A deck gives them titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from openplan.core.deck import FORMAT, Deck, DeckError, Fault, content_hash, parse_deck_file
from openplan.core.scene import CardPicture

BIDS: Final = tuple(f"b{number}" for number in range(1, 10))
CONTRACTS: Final = ("c1", "c2", "c3")
CARDS: Final = (*BIDS, *CONTRACTS)
UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True)
class TenderDeck(Deck):
    titles: tuple[tuple[str, str], ...]


def read_deck(text: str, source: str, game: str) -> TenderDeck:
    table, cards = parse_deck_file(text, source, game)
    faults: list[Fault] = []
    titles: dict[str, str] = {}
    for number, card in enumerate(cards, 1):
        name, title = (card.get(key) if isinstance(card, dict) else None for key in ("id", "title"))
        if name not in CARDS or name in titles:
            faults.append(Fault(source, f"card {number}", f"{name!r} is no card, or there twice"))
        elif not isinstance(title, str) or not title.strip():
            faults.append(Fault(source, str(name), "it has no title"))
        else:
            titles[str(name)] = title
    if not faults and len(titles) < len(CARDS):
        missing = ", ".join(card for card in CARDS if card not in titles)
        faults.append(Fault(source, "", f"not all cards are there: {missing}"))
    if faults:
        raise DeckError(faults)
    ordered = tuple((card, titles[card]) for card in CARDS)
    return TenderDeck(table["name"], table["title"], content_hash(ordered), CARDS, ordered)


def deck_template(game: str, title: str) -> str:
    lines = [f'format = "{FORMAT}"', f'game = "{game}"', 'name = "mine"', f'title = "My {title}"']
    for card in CARDS:
        lines += ["", "[[card]]", f'id = "{card}"', f'title = "{card}"']
    return "\n".join(lines) + "\n"


def card_picture(deck: Deck, card: str) -> CardPicture:
    """A bid is worth its number; of a card nobody knows only the back is drawn."""
    if card not in CARDS:
        return CardPicture("light")
    assert isinstance(deck, TenderDeck)
    value = int(card[1]) if card in BIDS else None
    return CardPicture(
        "dark" if card in CONTRACTS else "light", card, dict(deck.titles)[card], value
    )
