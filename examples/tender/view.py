"""What a viewer may know (ST-6.1): built from that, never by hiding parts of the truth. And the way
back: `determinize` draws a whole truth that a view leaves possible."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from openplan.core.deck import Deck
from openplan.core.game import OPEN, Illegal, Seat, Viewer

from .cards import BIDS, CONTRACTS
from .state import SEATS, State


class View(NamedTuple):
    viewer: Viewer
    hand: tuple[str, ...]
    counts: tuple[int, ...]
    contracts: tuple[str, ...]
    left: int
    sealed: tuple[str, ...]
    won: tuple[tuple[str, ...], ...]
    gone: tuple[int, ...]
    deck: Deck
    house: Mapping[str, str]


def view_of(state: State, viewer: Viewer) -> View:
    known = 2 if viewer is not None and viewer in state.asked else 1
    hands = tuple(tuple(hand) for hand in state.hands)
    sealed = tuple(
        bid if viewer in (OPEN, Seat(seat)) else "" for seat, bid in enumerate(state.sealed)
    )
    return View(
        viewer,
        () if viewer is None or viewer == OPEN else tuple(sorted(hands[viewer])),
        tuple(len(hand) for hand in hands),
        tuple(state.contracts if viewer == OPEN else state.contracts[:known]),
        len(state.contracts),
        sealed + (hands[0] + hands[1] + hands[2] if viewer == OPEN else ()),
        tuple(tuple(won) for won in state.won),
        tuple(sorted(state.gone)),
        state.deck,
        state.house,
    )


def view_data(view: View) -> dict[str, object]:
    data = view._asdict()
    shown = {name: data[name] for name in data if name not in ("deck", "house")}
    return shown | {"won": dict(zip(SEATS, view.won, strict=True))}


def determinize(view: View, rng: Random) -> State:
    """The view does not keep which bids were made: any that is not in the own hand may be left in
    another's."""
    if view.viewer == OPEN:
        raise Illegal("viewer", "who sees everything has nothing to imagine")
    taken = {*view.contracts, *(card for won in view.won for card in won)}
    contracts = [card for card in CONTRACTS if card not in taken]
    bids = [bid for bid in BIDS if bid not in view.hand]
    rng.shuffle(contracts)
    rng.shuffle(bids)
    hands = [
        list(view.hand) if seat == view.viewer else [bids.pop() for _ in range(count)]
        for seat, count in enumerate(view.counts)
    ]
    state = State(
        view.deck,
        view.house,
        hands,
        [*view.contracts, *contracts][: view.left],
        list(view.sealed),
        [list(won) for won in view.won],
        gone={Seat(seat) for seat in view.gone},
    )
    if view.viewer is not None and len(view.contracts) > 1:
        state.asked.add(Seat(view.viewer))
    return state
