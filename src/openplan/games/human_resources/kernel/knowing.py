"""Who knows which face (HR-10), kept while moves are carried out without objects.

For each card the viewers who know it, as bits: 1 and 2 for the seats, 4 for who only looks on. The
checked way keeps the same in `state.py`, clause by clause; a test holds both against each other.
"""

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    ARRANGE,
    EXCHANGE,
    IDS,
    LOOK,
    OVERTIME_BITS,
    OVERTIME_DARK,
    OVERTIME_DARK_BIT,
    OVERTIME_LIGHT,
    PLACE,
    REMOVE,
    card_of,
    kind_of,
    second_of,
    square_of,
)
from openplan.games.human_resources.kernel.turn import apply


def know_deal(table: Board, known: vec[u8]) -> None:
    """HR-2.2: each seat sees its own hand."""
    for card in range(IDS):
        known[card] = 0
    for seat in range(2):
        for i in range(table.hand_size[seat]):
            known[i64(table.hand[seat * 64 + i])] = u8(1 + seat)


def apply_knowing(table: Board, known: vec[u8], move: i64) -> None:
    """Carry out a move, and with it who learns and who forgets what."""
    kind = kind_of(move)
    card = card_of(move)
    me = table.actor
    own = 1 + me
    if kind == PLACE:
        _lay(table, known, card, 127)
    elif kind == ARRANGE:
        # HR-8.4: others forget what lay where.
        for i in range(table.looked):
            known[i64(table.deck[table.deck_size - 1 - i])] = u8(own)
    else:
        # Played, scored, hired or taken back: all see it.
        known[card] = 7
        if kind == REMOVE:
            _see(known, i64(table.face[square_of(move)]), own)
        elif kind == EXCHANGE:
            _lay(table, known, second_of(move), card)
            _see(known, i64(table.face[square_of(move)]), own)
        elif kind == LOOK:
            for i in range(min(table.deck_size, 4)):
                _see(known, i64(table.deck[table.deck_size - 1 - i]), own)
    if move & OVERTIME_BITS != 0:
        known[OVERTIME_DARK if move & OVERTIME_DARK_BIT != 0 else OVERTIME_LIGHT] = 7
    had = table.deck_size
    apply(table, move)
    for i in range(table.deck_size, had):
        _see(known, i64(table.deck[i]), own)


def _see(known: vec[u8], card: i64, eyes: i64) -> None:
    known[card] = u8(i64(known[card]) | eyes)


def _lay(table: Board, known: vec[u8], card: i64, hired: i64) -> None:
    """HR-10.3: if it was not the hand's only card of its colour, others no longer know which of
    these it was. A manager hired for this has left the hand before."""
    me = table.actor
    colour = table.cards.colour[card]
    same: i64 = 0
    for i in range(table.hand_size[me]):
        other = i64(table.hand[me * 64 + i])
        if other != hired and table.cards.colour[other] == colour:
            same += 1
    if same > 1:
        for i in range(table.hand_size[me]):
            other = i64(table.hand[me * 64 + i])
            if other != hired and table.cards.colour[other] == colour:
                known[other] = u8(i64(known[other]) & (1 + me))
