"""Sealed Tender, clause by clause, in the order of its rules (rules.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from openplan.core.game import (
    Event,
    Happening,
    Outcome,
    Preview,
    Refusal,
    Seat,
    Secret,
)

from .state import SEATS, State
from .text.notation import Move, format_move
from .view import View

SHORT: Final = 5
LAST_BID: Final = "seals the last bid"


def why_not(view: View, move: Move) -> Refusal | None:
    """The first thing that the rules have against a move; nothing if it is legal."""
    return next(_objections(view, move), None)


def _objections(view: View, move: Move) -> Iterator[Refusal]:
    if not view.left:
        yield Refusal("over", "ST-5.1")
    if view.viewer in view.gone:
        yield Refusal("gone", "ST-5.2")
    if move.kind == "chat":
        yield from _refuse_chat(view, move)
    elif move.kind == "ask":
        yield from _refuse_asking(view)
    else:
        yield from _refuse_bid(view, move)


def play(state: State, seat: Seat, move: Move) -> Happening:
    if move.kind == "chat":
        return Happening(format_move(move))
    return _ask(state, seat, move) if move.kind == "ask" else _bid(state, seat, move)


def preview(view: View) -> Preview[View]:
    """Nothing is known of what the others bid."""
    return Preview(view, (), 0)


# -- ST-2 Chatting ---------------------------------------------------------------------------


def _refuse_chat(view: View, move: Move) -> Iterator[Refusal]:
    if view.house["chatter"] == "no" and len(move.what) > SHORT:
        yield Refusal("chatter", "ST-2.1", {"most": SHORT})


# -- ST-3 Asking -----------------------------------------------------------------------------


def _refuse_asking(view: View) -> Iterator[Refusal]:
    if view.house["asking"] == "no":
        yield Refusal("no-asking", "ST-3.1")
    if view.left < 2 or len(view.contracts) > 1:
        yield Refusal("nothing-to-ask", "ST-3.1")


def _ask(state: State, seat: Seat, move: Move) -> Happening:
    """The asker alone is shown the next contract."""
    state.asked.add(seat)
    card = Secret(state.contracts[1], "?", frozenset({seat}))
    fact = Secret(f"saw {card.text}", None, card.knows)
    event = Event("asked", "ST-3.1", {"seat": SEATS[seat], "card": card}, fact)
    return Happening(format_move(move), (event,), reveals=True)


# -- ST-4 Bidding ----------------------------------------------------------------------------


def to_act(state: State) -> frozenset[Seat]:
    """All at once, and anybody may seal another bid until the round is decided."""
    return frozenset(Seat(n) for n in range(3) if n not in state.gone and state.contracts)


def awaited(state: State) -> frozenset[Seat]:
    return frozenset(seat for seat in to_act(state) if not state.sealed[seat])


def _refuse_bid(view: View, move: Move) -> Iterator[Refusal]:
    if move.what not in view.hand:
        yield Refusal("not-in-hand", "ST-4.1", {"bid": move.what})


def _bid(state: State, seat: Seat, move: Move) -> Happening:
    state.sealed[seat] = move.what
    own = frozenset({seat})
    if awaited(state):
        return Happening(Secret(format_move(move), None, own))
    events = tuple(_decide(state))
    return Happening(Secret(format_move(move), LAST_BID, own), events, reveals=True)


def deadline(state: State) -> Happening:
    return Happening("time is up", tuple(_decide(state)), reveals=True)


def _decide(state: State) -> Iterator[Event]:
    """All bids are opened; the highest takes the contract on top."""
    best: Seat | None = None
    for seat in sorted(to_act(state)):
        bid = state.sealed[seat]
        if bid:
            state.hands[seat].remove(bid)
            best = max([seat] if best is None else [best, seat], key=lambda s: state.sealed[s])
        params = {"seat": SEATS[seat], "card": bid}
        yield Event("bid", "ST-4.2", params, f"{SEATS[seat]} bid {bid or 'nothing'}")
    contract = state.contracts.pop(0)
    if best is not None:
        state.won[best].append(contract)
    state.sealed = ["", "", ""]
    state.asked = set()
    top = state.contracts[0] if state.contracts else "none"
    yield Event("next", "ST-4.2", {"contract": top}, f"next {top}")


# -- ST-5 The end ----------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    return None if state.contracts else _result(state, "contracts")


def _result(state: State, reason: str) -> Outcome:
    """Most contracts win, and equals share it."""
    points = tuple(len(won) for won in state.won)
    staying = [Seat(n) for n in range(3) if n not in state.gone]
    most = max(points[seat] for seat in staying)
    winners = tuple(seat for seat in staying if points[seat] == most)
    return Outcome(winners, points, reason, "ST-5.1")


def withdraw(state: State, seat: Seat, reason: str) -> Outcome | None:
    """The others go on as long as there are two."""
    state.gone.add(seat)
    state.sealed[seat] = ""
    return _result(state, reason) if len(state.gone) == 2 else None


def rejoin(state: State, seat: Seat) -> None:
    state.gone.remove(seat)


def agree_draw(state: State) -> Outcome:
    return Outcome((), tuple(len(won) for won in state.won), "agreed", "ST-5.1")
