"""Which deals a game allows, learned from its own: what `tests/fairness.py` judges deals by.

Which cards may lie where is learned from deals, and from asking `start` about what was never seen;
what may be said in words (who starts, by a toss) by asking what else could have been said with the
same cards. Places that take the same cards are one kind of place, cards that go to the same places
one kind of card; the rules must fix how many of each kind of card go to each kind of place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import comb
from random import Random
from typing import Any, Final

from openplan.core.deal import Deal, seeded_chance
from openplan.core.deck import Deck
from openplan.core.game import AnyGame, GameError
from openplan.core.match import complete_house
from tests.probes import deck_of, every_game

Words = tuple[tuple[str, ...], ...]
Place = tuple[str, int]
Shuffle = Callable[[list[str], Random], None]


class Unjudged(Exception):
    """The deals are not of a form that can be judged, or break a rule at once."""


def seeded_deal(game: AnyGame, deck: Deck, house: Mapping[str, str], number: int) -> Deal:
    return game.deal(deck, house, seeded_chance(f"fairness {number}"))


# -- What a game allows ----------------------------------------------------------------------


@dataclass(frozen=True)
class Law:
    """Which deals there are."""

    game: AnyGame
    deck: Deck
    house: Mapping[str, str]
    places: tuple[Place, ...]
    cards: tuple[str, ...]
    place_kind: Mapping[Place, int]
    card_kind: Mapping[str, int]
    count: Mapping[tuple[int, int], int]
    """By kind of card and kind of place."""
    labels: tuple[str, ...]
    rivals: Mapping[Words, frozenset[Words]]
    """By what was said: all that could have been said with the same cards."""

    @cached_property
    def cards_of(self) -> dict[int, list[str]]:
        found = defaultdict(list)
        for card in self.cards:
            found[self.card_kind[card]].append(card)
        return dict(found)

    @cached_property
    def places_of(self) -> dict[int, list[Place]]:
        found = defaultdict(list)
        for place in self.places:
            found[self.place_kind[place]].append(place)
        return dict(found)

    def kind_name(self, kind: int) -> str:
        return f"as {self.cards_of[kind][0]}"

    @cached_property
    def rank(self) -> dict[str, int]:
        return {card: number for number, card in enumerate(self.cards)}

    def _shuffled(self, rng: Random, shuffle: Shuffle) -> dict[Place, str]:
        """An even draw, if `shuffle` is one: the fair deal that others are compared with."""
        piles: dict[int, list[str]] = defaultdict(list)
        for kind, cards in self.cards_of.items():
            mixed = rng.sample(cards, len(cards))
            for place_kind in self.places_of:
                for _ in range(self.count[kind, place_kind]):
                    piles[place_kind].append(mixed.pop())
        lying: dict[Place, str] = {}
        for place_kind, places in self.places_of.items():
            pile = sorted(piles[place_kind], key=self.rank.__getitem__)
            shuffle(pile, rng)
            lying.update(zip(places, pile, strict=True))
        return lying

    def deal_from(self, lying: Mapping[Place, str]) -> Deal:
        """Without words."""
        rows: dict[str, list[str]] = {}
        for label, number in self.places:
            rows.setdefault(label, []).append(lying[label, number])
        return {label: tuple(rows[label]) for label in self.labels if label in rows}

    def fair(self, rng: Random, shuffle: Shuffle | None = None) -> Deal:
        return self.deal_from(self._shuffled(rng, shuffle or _even))

    def begun(self, rng: Random) -> tuple[Deal, Any]:
        """A fair deal with its words, and the table after it."""
        return self.with_words(self.fair(rng), rng)

    def with_words(self, deal: Deal, rng: Random) -> tuple[Deal, Any]:
        ways = sorted(self.rivals)
        for said in rng.sample(ways, len(ways)):
            whole = _said(deal, self.labels, said)
            try:
                return whole, self.game.start(self.deck, self.house, whole)
            except GameError:
                continue
        raise Unjudged("a deal by what was learned is refused, whatever is said with it")

    # Chances of cards and of pairs.

    def pair(self, one: Place, other: Place) -> dict[tuple[int, int], float]:
        """How likely each two kinds of cards lie at two places."""
        p, q = self.place_kind[one], self.place_kind[other]
        size, size_other = len(self.places_of[p]), len(self.places_of[q])
        chances = {}
        for c in self.cards_of:
            for d in self.cards_of:
                if p == q:
                    ways = self.count[c, p] * (self.count[d, p] - (c == d))
                    chances[c, d] = ways / (size * (size - 1))
                else:
                    chances[c, d] = self.count[c, p] * self.count[d, q] / (size * size_other)
        return {kinds: chance for kinds, chance in chances.items() if chance}

    def pairs_in(self, c: int, d: int) -> int:
        return len(self.cards_of[c]) * (len(self.cards_of[d]) - (c == d))

    def alike(self, one: Place, other: Place, trait: Mapping[str, object]) -> float:
        """The chance that the cards at two places have a trait in common."""
        total = 0.0
        for (c, d), chance in self.pair(one, other).items():
            first = Counter(trait[card] for card in self.cards_of[c])
            second = Counter(trait[card] for card in self.cards_of[d])
            same = sum(count * (second[value] - (c == d)) for value, count in first.items())
            total += chance * same / self.pairs_in(c, d)
        return total

    def composition(self, label: str, chosen: frozenset[str]) -> dict[int, float]:
        """How likely a label has each number of the chosen cards."""
        kinds = sorted(self.cards_of)
        by_kind: dict[tuple[int, ...], float] = {(0,) * len(kinds): 1.0}
        for p, places in self.places_of.items():
            size = sum(place[0] == label for place in places)
            drawn = _draws([self.count[c, p] for c in kinds], size)
            by_kind = _added(by_kind, drawn)
        found: dict[int, float] = defaultdict(float)
        for numbers, chance in by_kind.items():
            counts = {0: 1.0}
            for c, number in zip(kinds, numbers, strict=True):
                cards = self.cards_of[c]
                wanted = sum(card in chosen for card in cards)
                ways = comb(len(cards), number)
                spread: dict[int, float] = defaultdict(float)
                for k in range(number + 1):
                    part = comb(wanted, k) * comb(len(cards) - wanted, number - k) / ways
                    for before, share in counts.items():
                        spread[before + k] += share * part
                counts = spread
            for k, share in counts.items():
                found[k] += chance * share
        return {k: share for k, share in sorted(found.items()) if share}

    def one_trait(self, label: str, trait: Mapping[str, object]) -> float:
        """How likely all cards of a label have the same."""
        size = sum(place[0] == label for place in self.places)
        total = 0.0
        for value in set(trait.values()):
            cards = frozenset(card for card in self.cards if trait[card] == value)
            total += self.composition(label, cards).get(size, 0.0)
        return total

    @cached_property
    def traits(self) -> dict[str, dict[str, object]]:
        """What cards may have in common, by the pictures of them, their names and their numbers."""
        found: dict[str, dict[str, object]] = {
            "kind": {card: self.kind_name(kind) for card, kind in self.card_kind.items()}
        }
        pictures = {card: self.game.card_picture(self.deck, card) for card in self.cards}
        for trait in ("back", "value", "title", "text"):
            found[trait] = {card: getattr(pictures[card], trait) for card in self.cards}
        found["letters"] = {card: card.strip("0123456789") for card in self.cards}
        found["first letter"] = {card: card[:1] if card[0].isalpha() else "" for card in self.cards}
        found["half"] = {card: n * 2 // len(self.cards) for card, n in self.rank.items()}
        found["parity"] = {card: n % 2 for card, n in self.rank.items()}
        ways = set()
        telling = {}
        for name, values in found.items():
            groups = defaultdict(list)
            for card in self.cards:
                groups[values[card]].append(card)
            way = frozenset(frozenset(group) for group in groups.values())
            if 1 < len(way) < len(self.cards) and way not in ways:
                ways.add(way)
                telling[name] = values
        return telling


def _even(cards: list[str], rng: Random) -> None:
    rng.shuffle(cards)


def _draws(counts: Sequence[int], size: int) -> dict[tuple[int, ...], float]:
    """How many of each kind `size` of these cards are."""
    found: dict[tuple[int, ...], float] = {(): 1.0}
    for place, count in enumerate(counts):
        later = sum(counts[place + 1 :])
        longer = {}
        for numbers, ways in found.items():
            missing = size - sum(numbers)
            for k in range(min(count, missing) + 1):
                if missing - k <= later:
                    longer[(*numbers, k)] = ways * comb(count, k)
        found = longer
    total = comb(sum(counts), size)
    return {numbers: ways / total for numbers, ways in found.items()}


def _added(
    one: Mapping[tuple[int, ...], float], other: Mapping[tuple[int, ...], float]
) -> dict[tuple[int, ...], float]:
    found: dict[tuple[int, ...], float] = defaultdict(float)
    for a, chance in one.items():
        for b, share in other.items():
            found[tuple(x + y for x, y in zip(a, b, strict=True))] += chance * share
    return found


def _said(deal: Deal, labels: Sequence[str], said: Words) -> Deal:
    """A deal with these words for its labels without cards."""
    words = iter(said)
    return {label: deal[label] if label in deal else next(words) for label in labels}


# -- Learning it -----------------------------------------------------------------------------

PROBED: Final = 6
"""So many deals are asked about for what was never seen, and for each thing said."""


def learn(game: AnyGame, deck: Deck, house: Mapping[str, str], deals: Sequence[Deal]) -> Law:
    """From some thousand deals; a card that comes to a place at all must have come there in one."""
    names = set(deck.cards)
    labels = tuple(deals[0])
    cards_in = {label: len(row) for label, row in deals[0].items() if names.intersection(row)}
    shape = [(label, cards_in.get(label)) for label in labels]
    places = tuple((label, n) for label, size in cards_in.items() for n in range(size))
    seen: dict[str, set[Place]] = defaultdict(set)
    words: dict[Words, list[Deal]] = defaultdict(list)
    for deal in deals:
        if [
            (label, len(row) if label in cards_in else None) for label, row in deal.items()
        ] != shape:
            raise Unjudged("deals differ in their labels or in how many cards these have")
        for label in cards_in:
            for number, card in enumerate(deal[label]):
                seen[card].add((label, number))
        words[words_of(deal, cards_in)].append(deal)
    cards = tuple(card for card in deck.cards if card in seen)
    if len(cards) != len(places) or set(seen) != set(cards):
        raise Unjudged("deals differ in their cards, or have some twice or none at all")
    for card in cards:
        for place in set(places) - seen[card]:
            if _may_lie(game, deck, house, deals, words, card, place):
                label, number = place
                raise Unjudged(
                    f"{card} never comes to {label}, place {number + 1}, though it may lie there"
                )
    sets = {card: frozenset(seen[card]) for card in cards}
    kinds = sorted(set(sets.values()), key=lambda one: (len(one), sorted(one)))
    card_kind = {card: kinds.index(sets[card]) for card in cards}
    taking = {p: frozenset(c for c in range(len(kinds)) if p in kinds[c]) for p in places}
    place_kinds = sorted(set(taking.values()), key=sorted)
    place_kind = {place: place_kinds.index(taking[place]) for place in places}
    counts = {_kinds_in(deal, cards_in, card_kind, place_kind) for deal in deals}
    if len(counts) != 1:
        raise Unjudged("how many cards of a kind go to places of a kind is not fixed")
    count = Counter(dict(counts.pop()))
    law = Law(game, deck, house, places, cards, place_kind, card_kind, count, labels, {})
    rivals = {said: _rivals(law, found, list(words)) for said, found in words.items()}
    law = Law(game, deck, house, places, cards, place_kind, card_kind, count, labels, rivals)
    rng = Random("what was learned")
    for _ in range(PROBED):
        law.begun(rng)
    return law


LEARNED_FROM: Final = 3000


@cache
def law_of(game: AnyGame, house: tuple[tuple[str, str], ...] = (), deck: Deck | None = None) -> Law:
    """The law of a game's own deals, of its first deck unless another is named."""
    deck = deck or deck_of(game)
    rules = complete_house(game, dict(house))
    return learn(game, deck, rules, dealt_by(game, deck, rules, LEARNED_FROM))


def dealt_by(game: AnyGame, deck: Deck, house: Mapping[str, str], count: int) -> list[Deal]:
    return [seeded_deal(game, deck, house, number) for number in range(count)]


def words_of(deal: Deal, cards_in: Mapping[str, int]) -> Words:
    return tuple(row for label, row in deal.items() if label not in cards_in)


def _kinds_in(
    deal: Deal,
    cards_in: Mapping[str, int],
    card_kind: Mapping[str, int],
    place_kind: Mapping[Place, int],
) -> frozenset[tuple[tuple[int, int], int]]:
    found: Counter[tuple[int, int]] = Counter()
    for label in cards_in:
        for number, card in enumerate(deal[label]):
            found[card_kind[card], place_kind[label, number]] += 1
    return frozenset(found.items())


def _may_lie(
    game: AnyGame,
    deck: Deck,
    house: Mapping[str, str],
    deals: Sequence[Deal],
    words: Iterable[Words],
    card: str,
    place: Place,
) -> bool:
    """Whether a deal is accepted in which this card and the one at that place have been changed."""
    label, number = place
    for deal in deals[:PROBED]:
        other = deal[label][number]
        change = {card: other, other: card}
        new = {name: tuple(change.get(one, one) for one in row) for name, row in deal.items()}
        silent = {name: row for name, row in new.items() if set(row) & set(deck.cards)}
        for said in words:
            try:
                game.start(deck, house, _said(silent, tuple(deal), said))
            except GameError:
                continue
            return True
    return False


def _rivals(law: Law, deals: Sequence[Deal], ways: Sequence[Words]) -> frozenset[Words]:
    """What else could have been said: it must follow from what was said."""
    found = set()
    silent = {label for label, _ in law.places}
    for deal in deals[:PROBED]:
        could = set()
        for said in ways:
            cards = {label: row for label, row in deal.items() if label in silent}
            try:
                law.game.start(law.deck, law.house, _said(cards, law.labels, said))
            except GameError:
                continue
            could.add(said)
        found.add(frozenset(could))
    if len(found) != 1:
        raise Unjudged("what chance could have said does not follow from what it said")
    return found.pop()


# -- Of every game -----------------------------------------------------------------------------


def _laws() -> dict[str, Callable[[], Law]]:
    found: dict[str, Callable[[], Law]] = {}
    for game in every_game():
        deck = deck_of(game)
        default = {rule.name: rule.choices[0] for rule in game.house_rules}
        others = [(rule.name, choice) for rule in game.house_rules for choice in rule.choices[1:]]
        shapes = []
        for house in [(), *((other,) for other in others)]:
            deal = seeded_deal(game, deck, {**default, **dict(house)}, 0)
            shape = {label: len(row) for label, row in deal.items() if set(row) & set(deck.cards)}
            if shape not in shapes:
                shapes.append(shape)
                name = " ".join([game.name, *(f"{rule}={choice}" for rule, choice in house)])
                found[name] = partial(law_of, game, house)
    return found


LAWS = _laws()
"""Learned when they are called for."""
