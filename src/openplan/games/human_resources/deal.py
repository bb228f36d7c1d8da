"""How a table is dealt (HR-2), what each viewer is told of the deal, and what is a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from openplan.core.deal import Chance, Deal
from openplan.core.game import OPEN, Illegal, Viewer
from openplan.core.grid import Square
from openplan.games.human_resources.cards import (
    NUMBER,
    UNKNOWN,
    OfficeDeck,
    colour_of,
    number_of,
)
from openplan.games.human_resources.state import SEATS, State, full_stock, new_table

FOUNDING: Final = (Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1))
FOUNDING_COLOURS: Final = ("dark", "light", "light", "dark")  # HR-2.1
HAND: Final = 3


def deal(deck: OfficeDeck, house: Mapping[str, str], chance: Chance) -> Deal:
    """HR-2: the founding four are drawn blindly, and all that is left is shuffled."""
    left = set(deck.names(house["promo"] == "yes"))

    def draw(label: str, pool: set[str], count: int) -> tuple[str, ...]:
        drawn = chance.draw(label, pool, count)
        left.difference_update(drawn)
        return drawn

    office: tuple[str, ...] = ()
    for colour in FOUNDING_COLOURS:
        office += draw("office", {name for name in left if colour_of(NUMBER[name]) == colour}, 1)
    hands = draw("hand A", left, HAND), draw("hand B", left, HAND)
    pile = draw("deck", left, len(left))
    first = who_starts(deck, hands)
    start = (SEATS[first],) if first is not None else (*chance.draw("start", SEATS, 1), "toss")
    return {"office": office, "hand A": hands[0], "hand B": hands[1], "deck": pile, "start": start}


def who_starts(deck: OfficeDeck, hands: Sequence[Sequence[str]]) -> int | None:
    """HR-2.3: the seat with the lower total of printed points; `None` if chance must decide."""
    total, other = (sum(deck.card[name].value or 0 for name in hand) for hand in hands)
    return None if total == other else int(total > other)


def deal_told(deal_: Deal, viewer: Viewer) -> Deal:
    if any(name in UNKNOWN for names in deal_.values() for name in names):
        raise Illegal("deal", "a whole deal covers no card", "HR-2")
    if viewer == OPEN:
        return deal_

    def backs(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(colour_of(NUMBER[name]) for name in names)

    told = {"office": backs(deal_["office"])}
    for seat, code in enumerate(SEATS):
        hand = deal_[f"hand {code}"]
        # A hand has no order (HR-10.3), so its backs are told in none.
        told[f"hand {code}"] = hand if viewer == seat else tuple(sorted(backs(hand)))
    rest = deal_["deck"]
    told["deck"] = backs(rest[:1]) + ("?",) * (len(rest) - 1)
    told["start"] = deal_["start"]
    return told


def start(deck: OfficeDeck, house: Mapping[str, str], deal_: Deal) -> State:
    """HR-2 from a deal, whole or as told to a viewer."""
    _check_deal(deck, house, deal_)
    table = new_table(deck, house)
    for (x, y), card in zip(FOUNDING, deal_["office"], strict=True):
        table.add(table.square_at(x, y), number_of(card))
    starts = SEATS.index(deal_["start"][0])
    state = State(
        deck, house, table, full_stock(house), starts, len(deal_["start"]) == 2, dealt=True
    )
    for seat, code in enumerate(SEATS):
        # A hand has no order (HR-10.3): by colour, so that the story tells nothing by its order.
        hand = sorted(
            (colour_of(number_of(card)), number_of(card)) for card in deal_[f"hand {code}"]
        )
        for _, number in hand:
            table.give(seat, number)
            state.draw(seat, number, "deal")
    for card in reversed(deal_["deck"]):
        table.stack(number_of(card))
    table.actor = starts
    return state


def _check_deal(deck: OfficeDeck, house: Mapping[str, str], deal_: Deal) -> None:
    def wrong(reason: str, clause: str) -> Illegal:
        return Illegal("deal", reason, clause)

    labels = ["office", "hand A", "hand B", "deck", "start"]
    if list(deal_) != labels:
        raise wrong(f"a deal has the lines {', '.join(labels)}", "HR-2")
    cards = [card for label in labels[:-1] for card in deal_[label]]
    for card in cards:
        if card not in NUMBER and card not in UNKNOWN:
            raise wrong(f"{card[:20]!r} is not a card", "HR-1.1")
    stock = deck.names(house["promo"] == "yes")
    named = Counter(card for card in cards if card in NUMBER)
    for card, count in named.items():
        if count > 1 or card not in stock:
            raise wrong(f"{card} is dealt twice or not in this match", "HR-1.1")
    if len(cards) != len(stock):
        raise wrong(f"{len(cards)} cards are dealt, not {len(stock)}", "HR-1.1")
    if tuple(colour_of(number_of(card)) for card in deal_["office"]) != FOUNDING_COLOURS:
        raise wrong("the office is founded dark, light, light, dark", "HR-2.1")
    hands = [deal_["hand A"], deal_["hand B"]]
    if any(len(hand) != HAND or "?" in hand for hand in hands):
        raise wrong("each hand has three cards", "HR-2.2")
    first = deal_["start"]
    if first not in [("A",), ("B",), ("A", "toss"), ("B", "toss")]:
        raise wrong("the line start names A or B, and toss if chance decided", "HR-2.3")
    if all(card in NUMBER for hand in hands for card in hand):
        starts = who_starts(deck, hands)
        if (starts is None) != (len(first) == 2) or starts not in (None, SEATS.index(first[0])):
            raise wrong("the lower hand starts, or chance if they are equal", "HR-2.3")
