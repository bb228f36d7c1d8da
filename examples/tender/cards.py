"""The cards (ST-1.1): nine bids and three contracts. A deck gives them titles and jokes."""

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
    words: tuple[tuple[str, str, str], ...]
    """Each card, its title and its joke."""


def read_deck(text: str, source: str, game: str) -> TenderDeck:
    table, cards = parse_deck_file(text, source, game)
    faults: list[Fault] = []
    words: dict[str, tuple[str, str]] = {}
    for number, card in enumerate(cards, 1):
        entry = card if isinstance(card, dict) else {}
        name, title, joke = entry.get("id"), entry.get("title"), entry.get("text", "")
        if name not in CARDS or name in words:
            fault = f"{name!r} is no card, or there twice"
            faults.append(Fault(source, f"card {number}", fault, place=number))
        elif not isinstance(title, str) or not title.strip():
            faults.append(Fault(source, name, "it has no title", place=number))
        elif not isinstance(joke, str):
            faults.append(Fault(source, name, "its text is no text", place=number))
        else:
            words[name] = title, joke
    if not faults and len(words) < len(CARDS):
        missing = ", ".join(card for card in CARDS if card not in words)
        faults.append(Fault(source, "", f"not all cards are there: {missing}"))
    if faults:
        raise DeckError(faults)
    ordered = tuple((card, *words[card]) for card in CARDS)
    return TenderDeck(table["name"], table["title"], content_hash(ordered), CARDS, ordered)


def deck_template(game: str, title: str) -> str:
    lines = [f'format = "{FORMAT}"', f'game = "{game}"', 'name = "mine"', f'title = "My {title}"']
    for card in CARDS:
        lines += ["", "[[card]]", f'id = "{card}"', f'title = "{card}"']
    return "\n".join(lines) + "\n"


def card_picture(deck: Deck, card: str, language: str = "en") -> CardPicture:
    """A bid is worth its number; of a card nobody knows only the back is drawn."""
    if card not in CARDS:
        return CardPicture("light")
    assert isinstance(deck, TenderDeck)
    _, title, joke = deck.words[CARDS.index(card)]
    title, joke = deck.called(card, language, title, joke)
    value = int(card[1]) if card in BIDS else None
    back = "dark" if card in CONTRACTS else "light"
    return CardPicture(back, card, title, value, quip=joke)
