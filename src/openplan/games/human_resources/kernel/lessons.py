"""Matches to learn from, and to compare what was learned (benchmarks/train_net.py)."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i16, i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.choosing import best_move
from openplan.games.human_resources.kernel.codes import AT_END, AT_TURN, CARDS, IDS, Cards, Rng
from openplan.games.human_resources.kernel.knowing import apply_knowing, know_deal
from openplan.games.human_resources.kernel.moves import deal_random, sample_move
from openplan.games.human_resources.kernel.net import ROOM, Net
from openplan.games.human_resources.kernel.prospects import Prospects
from openplan.games.human_resources.kernel.weighing import best_by_net, winner_for, worth

BASIC: Final = 54
HIRES: Final = 60
MOVES: Final = 4096


@final
class Lessons:
    """Tables met in matches, each as its tokens and what came of it. The buffers can be read
    without copying."""

    token: vec[i16]
    count: i64
    end: vec[i64]  # of each table: where its tokens end
    won: vec[i16]  # the chance to win less that to lose, in thousandths, of who had just moved
    points: vec[i16]  # the final lead less the lead then, in 16ths of a point
    size: i64

    def __init__(self, tables: i64) -> None:
        self.token = vec[i16]([i16(0)] * int(tables * ROOM // 2))
        self.end = vec[i64]([0] * int(tables))
        self.won = vec[i16]([i16(0)] * int(tables))
        self.points = vec[i16]([i16(0)] * int(tables))
        self.count = 0
        self.size = 0


def learn(
    net: Net, by_net: bool, lessons: Lessons, matches: i64, seed: i64, noise: i64, width: i64
) -> i64:
    """Play matches, one in eight with the promo cards (HR-1.5), so many thousandths of the moves at
    random; keep about two of five tables after a move, one half as they are and one half as the
    mover knows them. How many matches fitted in.

    What came of a table is how the match ended; by the network, nine tenths of what came of the
    next table and a tenth of what the network says about that, so that the luck of draws long
    after tells less."""
    cards = net.mind.cards
    table = Board(cards)
    trial = Board(cards)
    promise = vec[i64]([0] * MOVES)
    known = vec[u8](bytes(IDS))
    # Of each table after a move, from the first seat's side; and which of them is a lesson.
    expected = vec[i64]([0] * 64)
    chance = vec[i64]([0] * 64)
    lead = vec[i64]([0] * 64)
    mover = vec[i64]([0] * 64)
    lesson = vec[i64]([0] * 64)
    number: i64 = 0
    while number < matches and lessons.size + 64 < i64(len(lessons.end)):
        rng = Rng(seed + number)
        deal_random(table, rng, CARDS if rng.below(8) == 0 else BASIC)
        know_deal(table, known)
        turns: i64 = 0
        while table.phase != AT_END:
            seat = table.to_act()
            if rng.below(1000) < noise:
                move = sample_move(table, rng)
            elif by_net:
                move = best_by_net(net, table, trial, promise, rng, width, known, 1 + seat)
            else:
                move = best_move(net.mind, table, rng, HIRES)
            had = table.deck_size
            actor = table.actor
            apply_knowing(table, known, move)
            if table.phase != AT_TURN:
                continue
            sign: i64 = 1 if actor == 0 else -1
            lead[turns] = table.points[0] - table.points[1]
            mover[turns] = actor
            lesson[turns] = -1
            if by_net:
                expected[turns] = sign * worth(net, table, actor, 0, known, 0)
                chance[turns] = sign * net.as_chance()
            if rng.below(5) < 2:
                eyes: i64 = 0 if rng.below(2) == 0 else 1 + actor
                fresh = had - table.deck_size
                if rng.below(2) != 0 and eyes == 0:
                    fresh = 0
                net.gather(table, actor, fresh, known, eyes)
                for i in range(net.count):
                    lessons.token[lessons.count] = net.token[i]
                    lessons.count += 1
                lessons.end[lessons.size] = lessons.count
                lesson[turns] = lessons.size
                lessons.size += 1
            turns += 1
        points = 1024 * (table.points[0] - table.points[1])
        won = 1000000 * winner_for(table, 0)
        while turns > 0:
            turns -= 1
            at = lesson[turns]
            if at >= 0:
                side: i64 = 1 if mover[turns] == 0 else -1
                lessons.won[at] = i16(side * won // 1000)
                lessons.points[at] = i16(side * (points - 1024 * lead[turns]) // 64)
            if by_net:
                points = (9 * points + expected[turns]) // 10
                won = (9 * won + chance[turns]) // 10
        number += 1
    return number


def contest(
    cards: Cards,
    weights: list[int],
    first: bytes,
    second: bytes,
    matches: int,
    seed: i64,
    width: i64,
) -> list[int]:
    """Matches of two networks, each deal from both seats, one move ahead and by what each seat may
    know: who won (1, 0, -1) and the lead, from the side of the first. No bytes: by promise."""
    mind = Prospects(cards, weights)
    blank = Net(mind, first if len(first) != 0 else second)
    nets = [blank, Net(mind, second) if len(second) != 0 else blank]
    plain = [len(first) == 0, len(second) == 0]
    table = Board(cards)
    trial = Board(cards)
    promise = vec[i64]([0] * MOVES)
    known = vec[u8](bytes(IDS))
    found: list[int] = []
    for number in range(matches):
        deal_random(table, Rng(seed + number // 2), BASIC)
        rng = Rng(seed * 7 + number)
        know_deal(table, known)
        while table.phase != AT_END:
            seat = table.to_act()
            side = int(seat) ^ (number & 1)
            if plain[side]:
                move = best_move(mind, table, rng, HIRES)
            else:
                move = best_by_net(nets[side], table, trial, promise, rng, width, known, 1 + seat)
            apply_knowing(table, known, move)
        won = int(winner_for(table, 0))
        lead = int(table.points[0] - table.points[1])
        for figure in (won, lead):
            found.append(figure if number % 2 == 0 else -figure)
    return found
