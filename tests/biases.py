"""Deals that are not fair, each in a way that somebody has got wrong before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

from openplan.core.deal import Deal
from tests.laws import Law, Place, Shuffle

LARGEST_HAND: Final = 8


def clumped(law: Law, rng: Random) -> Deal:
    """All cards are shuffled once; places that take only some get the first that fit, the others
    what is left, not shuffled again. This was the deal of Human Resources, and of both kernels."""
    order = rng.sample(law.cards, len(law.cards))
    lying: dict[Place, str] = {}
    choosy = [p for p in law.places if _is_choosy(law, p)]
    for place in [*choosy, *(p for p in law.places if p not in choosy)]:
        p = law.place_kind[place]
        card = next(card for card in order if law.count[law.card_kind[card], p])
        order.remove(card)
        lying[place] = card
    return law.deal_from(lying)


def _is_choosy(law: Law, place: Place) -> bool:
    return any(not law.count[kind, law.place_kind[place]] for kind in law.cards_of)


def modulo(cards: list[str], rng: Random) -> None:
    """A byte of chance, divided, and the rest taken: the first are likelier."""
    for i in range(len(cards) - 1, 0, -1):
        k = rng.randrange(256) % (i + 1)
        cards[i], cards[k] = cards[k], cards[i]


def sattolo(cards: list[str], rng: Random) -> None:
    """Never with itself: no card stays where it was."""
    for i in range(len(cards) - 1, 0, -1):
        k = rng.randrange(i)
        cards[i], cards[k] = cards[k], cards[i]


def with_any(cards: list[str], rng: Random) -> None:
    """Each with any other, also with those that had their turn."""
    for i in range(len(cards)):
        k = rng.randrange(len(cards))
        cards[i], cards[k] = cards[k], cards[i]


def one_too_few(cards: list[str], rng: Random) -> None:
    """The last card is forgotten half of the time."""
    end = len(cards) - rng.randrange(2)
    cards[:end] = rng.sample(cards[:end], end)


def cut(cards: list[str], rng: Random) -> None:
    """An order once shuffled, and only cut."""
    Random("once").shuffle(cards)
    at = rng.randrange(len(cards))
    cards[:] = cards[at:] + cards[:at]


def riffled(cards: list[str], rng: Random) -> None:
    """Three riffles: too few."""
    for _ in range(3):
        at = sum(rng.getrandbits(1) for _ in cards)
        heaps = [cards[:at], cards[at:]]
        new = []
        while heaps[0] or heaps[1]:
            left = len(heaps[0])
            new.append(heaps[rng.randrange(left + len(heaps[1])) >= left].pop(0))
        cards[:] = new


def _by(shuffle: Shuffle) -> Callable[[Law, Random], Deal]:
    return lambda law, rng: law.fair(rng, shuffle)


def _hands(law: Law) -> list[str]:
    sizes = Counter(label for label, _ in law.places)
    return [label for label in sizes if 1 < sizes[label] <= LARGEST_HAND]


def sorted_hand(law: Law, rng: Random) -> Deal:
    """Every other time the last hand is taken in order."""
    deal = dict(law.fair(rng))
    if rng.random() < 0.5:
        label = _hands(law)[-1]
        deal[label] = tuple(sorted(deal[label], key=law.rank.__getitem__))
    return deal


def kind_dealer(law: Law, rng: Random) -> Deal:
    """Who deals changes the lowest card of one hand for the highest of the next, one time
    in four."""
    deal = dict(law.fair(rng))
    if rng.random() < 0.25:
        one, other = _hands(law)[-2:]
        low = min(deal[one], key=law.rank.__getitem__)
        high = max(deal[other], key=law.rank.__getitem__)
        change = {low: high, high: low}
        for label in (one, other):
            deal[label] = tuple(change.get(card, card) for card in deal[label])
    return deal


BIASES: Final[dict[str, Callable[[Law, Random], Deal]]] = {
    "clumped": clumped,
    "modulo": _by(modulo),
    "sattolo": _by(sattolo),
    "with any": _by(with_any),
    "one too few": _by(one_too_few),
    "cut": _by(cut),
    "riffled": _by(riffled),
    "sorted hand": sorted_hand,
    "kind dealer": kind_dealer,
}
