"""A viewer's table, followed entry by entry: what the viewer's record tells is put in its place."""

from __future__ import annotations

from collections.abc import Sequence

from openplan.core.game import Illegal, Seat
from openplan.games.human_resources.cards import (
    NUMBER,
    UNKNOWN,
    colour_of,
    number_of,
    shown,
)
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.state import State, eye
from openplan.games.human_resources.text.notation import Move, parse_move


def learn(state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
    """Put what an entry tells where blanks lie, so that the move can be played on this table."""
    move = parse_move(text, covered=True)
    table = state.table
    laid = {codes.PLACE: move.cards[:1], codes.EXCHANGE: move.cards[1:]}.get(move.kind, ())
    for card in (*move.cards, *move.leave, move.overtime):
        if card in UNKNOWN and card not in laid and move.kind != codes.ARRANGE:
            raise Illegal("record", "only a card that is laid down or arranged can be covered")
    if move.kind in (codes.CHOOSE, codes.ARRANGE):
        shown_cards: tuple[str, ...] = ()
    elif move.kind == codes.EXCHANGE:
        shown_cards = move.cards
    else:
        shown_cards = move.cards[:1]
    for card in (*shown_cards, move.overtime):
        if card in NUMBER:
            _find_in_hand(state, seat, NUMBER[card])
        elif card:
            _forget_in_hand(state, seat, card, hired=move.cards[0] if move.is_hire else "")
    pile = table.deck_list()
    order = [number_of(card) for card in move.cards] if move.kind == codes.ARRANGE else []
    pile[: len(order)] = order
    drawn = 0
    for fact in facts:
        what, *cards = fact.split() or [""]
        if what == "looked" and cards == [str(min(4, len(pile)))]:
            continue  # told to others: how many, and nothing else
        if what in ("took", "looked", "drew", "top") and not _are_cards(cards, len(pile)):
            raise Illegal("record", f"{fact[:40]!r} names no card that could be there")
        if what == "took" and move.squares and cards[0] in NUMBER:
            at = table.square_at(move.squares[0].x, move.squares[0].y)
            _reveal_face(table, at, NUMBER[cards[0]])
        elif what == "looked" and cards[0] in NUMBER:
            pile[: len(cards)] = [number_of(card) for card in cards]
        elif what in ("drew", "top") and cards and drawn < len(pile):
            if pile[drawn] >= codes.CARDS and (cards[0] in NUMBER or cards[0] in UNKNOWN):
                pile[drawn] = number_of(cards[0])
            drawn += 1 if what == "drew" else 0
    if move.kind == codes.ARRANGE:
        move = move._replace(cards=tuple(shown(number) for number in pile[: len(order)]))
        pile[: len(order)] = table.deck_list()[: len(order)]
    table.deck_size = 0
    for number in reversed(pile):
        table.stack(number)
    return move


def _are_cards(names: Sequence[str], most: int) -> bool:
    known = all(name in NUMBER or name in UNKNOWN for name in names)
    return known and 1 <= len(names) <= max(1, most)


def _find_in_hand(state: State, seat: int, card: int) -> None:
    """A card shows itself: one of the hand's blanks of its colour was it."""
    hand = state.table.hand_of(seat)
    if card not in hand:
        blank = UNKNOWN[colour_of(card)]
        if blank not in hand:
            raise Illegal("record", f"{shown(card)} cannot be in that hand")
        state.table.take_from_hand(seat, blank)
        state.table.give(seat, card)
    state.mark(card, state.known[card] | eye(Seat(seat)))


def _forget_in_hand(state: State, seat: int, colour: str, hired: str) -> None:
    """HR-10.3: a card of this colour leaves face down, and it may have been any of them."""
    blank = UNKNOWN[colour]
    hand = state.table.hand_of(seat)
    same = [card for card in hand if colour_of(card) == colour and shown(card) != hired]
    if not same:
        raise Illegal("record", f"there is no {colour} card in that hand")
    for card in same:
        state.table.take_from_hand(seat, card)
        state.table.give(seat, blank)


def _reveal_face(table: Board, at: int, card: int) -> None:
    if at < 0 or table.colour[at] == 0:
        raise Illegal("record", "there is no cubicle on that square")
    face = int(table.face[at])
    if face != card:
        if face < codes.CARDS or colour_of(face) != colour_of(card):
            raise Illegal("record", f"{shown(card)} cannot be the cubicle on that square")
        table.reface(at, card)
