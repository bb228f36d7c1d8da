"""How a table is dealt (ST-1.1), what each viewer is told of the deal, and what is a deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from openplan.core.deal import Chance, Deal
from openplan.core.deck import Deck
from openplan.core.game import OPEN, Illegal, Viewer

from .cards import BIDS, CONTRACTS, UNKNOWN
from .state import SEATS, State

HANDS: Final = tuple(f"hand {code}" for code in SEATS)
HAND: Final = 3


def deal(chance: Chance) -> Deal:
    bids, dealt = set(BIDS), {}
    for label in HANDS:
        dealt[label] = chance.draw(label, bids, HAND)
        bids.difference_update(dealt[label])
    contracts = chance.draw("contracts", CONTRACTS, len(CONTRACTS))
    # Among three nothing is left over; a record says so.
    return {**dealt, "contracts": contracts, "left": tuple(sorted(bids))}


def deal_told(deal_: Deal, viewer: Viewer) -> Deal:
    """The own hand, and the contract on top."""
    if any(UNKNOWN in cards for cards in deal_.values()):
        raise Illegal("deal", "something is covered in this deal", "ST-1.1")
    if viewer == OPEN:
        return deal_
    told = dict(deal_)
    for seat, label in enumerate(HANDS):
        if viewer != seat:
            told[label] = (UNKNOWN,) * HAND
    told["contracts"] = (deal_["contracts"][0], UNKNOWN, UNKNOWN)
    return told


def start(deck: Deck, house: Mapping[str, str], deal_: Deal) -> State:
    """From a deal, whole or as told to a viewer."""
    if list(deal_) != [*HANDS, "contracts", "left"]:
        raise Illegal("deal", "the deal has the wrong lines", "ST-1.1")
    known = [card for cards in deal_.values() for card in cards if card != UNKNOWN]
    if len(set(known)) < len(known) or not set(known) <= set(deck.cards):
        raise Illegal("deal", "the deal has the wrong cards", "ST-1.1")
    hands = [deal_[label] for label in HANDS]
    if not {card for hand in hands for card in hand} <= {*BIDS, UNKNOWN}:
        raise Illegal("deal", "a hand has bids only", "ST-1.1")
    if not set(deal_["contracts"]) <= {*CONTRACTS, UNKNOWN} or deal_["left"]:
        raise Illegal("deal", "there are contracts only to bid for", "ST-1.1")
    return State(deck, house, [list(hand) for hand in hands], list(deal_["contracts"]))
