"""A viewer's table, followed entry by entry: what the viewer's record tells is put in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence

from openplan.core.game import Illegal, Seat

from .cards import UNKNOWN
from .rules import LAST_BID
from .state import SEATS, State
from .text.notation import Move, parse_move


def learn(state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
    for fact in facts:
        if (saw := re.fullmatch(r"saw (c\d)", fact)) and len(state.contracts) > 1:
            state.contracts[1] = saw[1]
    learn_deadline(state, facts)
    if text == LAST_BID:
        if not state.sealed[seat]:
            raise Illegal("record", "the last bid is not told")
        return Move("bid", state.sealed[seat])
    return parse_move(state.deck, text)


def learn_deadline(state: State, facts: Sequence[str]) -> None:
    for fact in facts:
        if bid := re.fullmatch(r"([ABC]) bid (b\d)", fact):
            seat = SEATS.index(bid[1])
            hand = state.hands[seat]
            if bid[2] not in hand:
                if UNKNOWN not in hand:
                    raise Illegal("record", f"{bid[2]} cannot be in that hand")
                hand[hand.index(UNKNOWN)] = bid[2]
            state.sealed[seat] = bid[2]
        elif (top := re.fullmatch(r"next (c\d)", fact)) and len(state.contracts) > 1:
            state.contracts[1] = top[1]
