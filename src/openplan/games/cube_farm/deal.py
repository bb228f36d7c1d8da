"""How a table is dealt (CF-2), what each viewer is told of the deal, and what is a deal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from openplan.core.deal import Chance, Deal
from openplan.core.game import OPEN, Illegal, Viewer
from openplan.games.cube_farm.cards import FarmDeck
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import FIRST_DEAL
from openplan.games.cube_farm.state import SEATS, State, lay_floor, new_table

HIDDEN: Final = "?"
HANDS: Final = tuple(f"hand {code}" for code in SEATS)


def deal(deck: FarmDeck, chance: Chance) -> Deal:
    """CF-2.1. Labels in the order of a record: start, hands, deck."""
    elevators = [name for name in deck.cards if deck.card[name].is_elevator]
    dealt = {"start": chance.draw("start", elevators, codes.FLOORS)}
    left = set(deck.cards).difference(dealt["start"])
    for label in HANDS:
        dealt[label] = chance.draw(label, left, FIRST_DEAL)
        left.difference_update(dealt[label])
    return {**dealt, "deck": chance.draw("deck", left, len(left))}


def deal_told(deal_: Deal, viewer: Viewer) -> Deal:
    if any(HIDDEN in names for names in deal_.values()):
        raise Illegal("deal", "something is covered in this deal", "CF-2")
    if viewer == OPEN:
        return deal_
    told = dict(deal_)
    for seat, label in enumerate(HANDS):
        if viewer != seat:
            told[label] = (HIDDEN,) * len(deal_[label])
    told["deck"] = (HIDDEN,) * len(deal_["deck"])
    return told


def start(deck: FarmDeck, house: Mapping[str, str], deal_: Deal) -> State:
    """CF-2 from a deal, whole or as told to a viewer."""
    _check_deal(deck, deal_)
    table = new_table(deck, house)
    for number, name in enumerate(deal_["start"]):
        lay_floor(table.floor(number), (), [(deck.index[name], 0, 0, 0)], ())

    def numbers(label: str) -> list[int]:
        return [deck.index.get(name, codes.NONE) for name in deal_[label]]

    for seat, label in enumerate(HANDS):
        table.set_hand(seat, numbers(label))
    table.set_deck(numbers("deck"))
    return State(deck, house, table, tuple(range(len(deck.cards))))


def _check_deal(deck: FarmDeck, deal_: Deal) -> None:
    def wrong(reason: str, clause: str) -> Illegal:
        return Illegal("deal", reason, clause)

    labels = ["start", *HANDS, "deck"]
    if list(deal_) != labels:
        raise wrong(f"a deal has the lines {', '.join(labels)}", "CF-2")
    cards = [name for label in labels for name in deal_[label]]
    for name, count in Counter(cards).items():
        if name != HIDDEN and name not in deck.card:
            raise wrong(f"{name[:20]!r} is not a card of this deck", "CF-2.2")
        if name != HIDDEN and count > 1:
            raise wrong(f"card {name} is dealt twice", "CF-2.2")
    if len(cards) != len(deck.cards):
        raise wrong(f"{len(cards)} cards are dealt, not {len(deck.cards)}", "CF-2.1")
    first = deal_["start"]
    if len(first) != codes.FLOORS or any(
        name not in deck.card or not deck.card[name].is_elevator for name in first
    ):
        raise wrong("three elevator cards start the floors", "CF-2.1")
    if any(len(deal_[label]) != FIRST_DEAL for label in HANDS):
        raise wrong(f"each player is dealt {FIRST_DEAL} cards", "CF-2.1")
