"""What the network thinks of a move: it is made on a copy, and the table after it is judged."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.choosing import best_move, find_best, gain
from openplan.games.human_resources.kernel.codes import (
    AT_CHOICE,
    AT_END,
    AT_PLAYS,
    AT_TURN,
    OVERTIME_BITS,
    Rng,
)
from openplan.games.human_resources.kernel.moves import list_moves
from openplan.games.human_resources.kernel.net import Net
from openplan.games.human_resources.kernel.turn import apply

OVERTIME_BONUS: Final = 2000
PROMISED: Final = 2
"""So many tenths of what a move promises are added to what the network thinks of it."""
A_WIN: Final = 4096
"""A match that is won counts as so many 1024ths of a point beside the lead."""
LOST: Final = -1000000000


def winner_for(table: Board, seat: i64) -> i64:
    """HR-9: who has won, from a seat's side: 1, 0 or -1."""
    other = 1 - seat
    lead = table.points[seat] - table.points[other]
    if lead == 0:
        lead = table.scored_size[seat] - table.scored_size[other]
    if lead == 0:
        lead = _highest(table, seat) - _highest(table, other)
    return 1 if lead > 0 else -1 if lead < 0 else 0


def _highest(table: Board, seat: i64) -> i64:
    best: i64 = 0
    for i in range(table.scored_size[seat]):
        best = max(best, table.cards.value[i64(table.scored[seat * 64 + i])])
    return best


def worth(net: Net, table: Board, mover: i64, fresh: i64, known: vec[u8], eyes: i64) -> i64:
    """By how much the seat that has just moved will lead in the end, in 1024ths of a point."""
    net.gather(table, mover, fresh, known, eyes)
    net.judge()
    return net.points + 1024 * (table.points[mover] - table.points[1 - mover])


def promises(net: Net, table: Board, promise: vec[i64]) -> i64:
    """List the moves of a seat at its turn, and what each promises (`choosing.py`)."""
    count = list_moves(table)
    net.mind.look(table, table.actor, table.deck_size - 1)
    for i in range(count):
        move = table.moves[i]
        promise[i] = gain(net.mind, table, move)
        if move & OVERTIME_BITS != 0:
            promise[i] += OVERTIME_BONUS
    return count


def weigh(
    net: Net,
    table: Board,
    trial: Board,
    move: i64,
    promise: i64,
    rng: Rng,
    known: vec[u8],
    eyes: i64,
) -> i64:
    """How well a move goes for who makes it, in 1024ths of a point. What is left of its turn is
    played by promise; what is drawn counts by its back. What the move promises counts too: the
    network and the promise err in different ways."""
    seat = table.actor
    trial.copy_from(table)
    apply(trial, move)
    while trial.phase == AT_PLAYS or trial.phase == AT_CHOICE:
        apply(trial, best_move(net.mind, trial, rng, 0))
    if trial.phase == AT_END:
        lead = trial.points[seat] - trial.points[1 - seat]
        return 1024 * lead + A_WIN * winner_for(trial, seat)
    fresh = table.deck_size - trial.deck_size
    return worth(net, trial, seat, fresh, known, eyes) + PROMISED * promise // 10


def best_by_net(
    net: Net,
    table: Board,
    trial: Board,
    promise: vec[i64],
    rng: Rng,
    width: i64,
    known: vec[u8],
    eyes: i64,
) -> i64:
    """The best by the network of those moves that promise most."""
    if table.phase != AT_TURN and table.phase != AT_PLAYS:
        return best_move(net.mind, table, rng, 0)
    count = promises(net, table, promise)
    best: i64 = LOST
    found: i64 = 0
    for _ in range(min(count, width)):
        most: i64 = 0
        for i in range(count):
            if promise[i] > promise[most]:
                most = i64(i)
        value = weigh(net, table, trial, table.moves[most], promise[most], rng, known, eyes)
        promise[most] = LOST
        if value > best:
            best = value
            found = table.moves[most]
    return found


def reply_by_net(
    net: Net,
    table: Board,
    trial: Board,
    rng: Rng,
    hires: i64,
    width: i64,
    known: vec[u8],
    eyes: i64,
) -> i64:
    """The same in a try, where time is short: of each manager's uses only some are looked at."""
    mind = net.mind
    find_best(mind, table, rng, hires, width)
    best: i64 = LOST
    move: i64 = 0
    for i in range(mind.found_size):
        value = weigh(net, table, trial, mind.found[i], mind.found_value[i], rng, known, eyes)
        if value > best:
            best = value
            move = mind.found[i]
    return move
