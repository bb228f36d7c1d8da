"""Looking ahead: every promising move is tried in many possible truths, and played on from there.

A truth is a table that the view leaves possible; cards that are
tied to no place in it are dealt anew for every try (`loose.py`). All moves are tried in the same
truths with the same chance, so that they differ by what they do and not by luck, and after each
round the worse half is left out. From the move on both sides play for a few turns what the network
thinks best of what promises most, each by its own hand; then the network judges the table.

`plain_search` is the ordinary way, a tree over possible truths with random play from its leaves. It
is here to compare with.
"""

import time
from math import log, sqrt
from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.choosing import best_move, gain
from openplan.games.human_resources.kernel.codes import (
    AT_ARRANGING,
    AT_CHOICE,
    AT_END,
    AT_TURN,
    BLANK_DARK,
    BLANK_LIGHT,
    DARK,
    IDS,
    Cards,
    Rng,
)
from openplan.games.human_resources.kernel.knowing import apply_knowing
from openplan.games.human_resources.kernel.loose import Loose
from openplan.games.human_resources.kernel.moves import list_moves, sample_move
from openplan.games.human_resources.kernel.net import NOBODY, Net
from openplan.games.human_resources.kernel.prospects import Prospects
from openplan.games.human_resources.kernel.turn import apply
from openplan.games.human_resources.kernel.weighing import (
    promises,
    reply_by_net,
    weigh,
    winner_for,
    worth,
)

HIRES: Final = 12
"""So many uses of a manager are looked at in a try."""
ALL: Final = 1000000
ENDS_ROOM: Final = 4096
ENDS: Final = 16
"""So many moves of the last turn but one are played to the end."""
FOR_EVER: Final = 1.0e18


@final
class Search:
    mind: Prospects
    net: Net
    trial: Board
    end: Board
    end_promise: vec[i64]
    known: vec[u8]
    rng: Rng
    depth: i64
    replies: i64
    spread: i64
    slope: i64

    def __init__(
        self,
        cards: Cards,
        weights: list[int],
        net: bytes,
        depth: i64,
        replies: i64,
        spread: i64,
        slope: i64,
    ) -> None:
        self.mind = Prospects(cards, weights)
        self.net = Net(self.mind, net)
        self.trial = Board(cards)
        self.end = Board(cards)
        self.end_promise = vec[i64]([0] * ENDS_ROOM)
        self.known = vec[u8](bytes(IDS))
        self.rng = Rng(1)
        self.depth = depth
        self.replies = replies
        self.spread = spread
        self.slope = slope

    def rank(self, table: Board) -> list[tuple[int, int]]:
        """Every move of the seat to act with what it promises, best first; of a table with blanks
        for what the seat does not know."""
        ranked: list[tuple[int, int]] = []
        if table.phase == AT_CHOICE or table.phase == AT_ARRANGING:
            best = int(best_move(self.mind, table, self.rng, 0)) if table.phase == AT_CHOICE else -1
            list_moves(table)
            for i in range(table.move_count):
                move = int(table.moves[i])
                ranked.append((0 if move == best else -1, move))
        else:
            promise = self.end_promise
            for i in range(promises(self.net, table, promise)):
                ranked.append((int(promise[i]), int(table.moves[i])))
        ranked.sort(key=_by_promise)
        return [(move, promise) for promise, move in ranked]

    def weighed(self, table: Board, moves: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Ranked moves with what the network thinks of each, from -1000000 to 1000000, best first;
        of a table with blanks too."""
        found: list[tuple[int, int]] = []
        for move, promise in moves:
            self.rng.restart(1)
            value = weigh(self.net, table, self.trial, i64(move), i64(promise), self.rng, NOBODY, 0)
            found.append((int(self.squashed(value, table.deck_size)), move))
        found.sort(key=_by_promise)
        return [(move, value) for value, move in found]

    def _try(self, world: Board, loose: Loose, move: i64, seat: i64, seed: i64) -> i64:
        """Play a move and go on from there; how well that goes, from -1000000 to 1000000."""
        table = self.trial
        rng = self.rng
        table.copy_from(world)
        rng.restart(seed)
        loose.deal(table, rng)
        self._hide_hands(table)
        mover = table.actor
        had = table.deck_size
        apply_knowing(table, self.known, move)
        depth = self.depth
        while table.phase != AT_END and (depth > 1 or table.phase != AT_TURN):
            if table.phase == AT_TURN:
                depth -= 1
            mover = table.actor
            had = table.deck_size
            apply_knowing(table, self.known, self._reply(table))
        if table.phase == AT_END:
            # A won match is won; by how much matters a little, lest all moves look alike.
            lead = table.points[seat] - table.points[1 - seat]
            size = lead if lead >= 0 else -lead
            return 900000 * winner_for(table, seat) + 100000 * lead // (size + 5)
        value = worth(self.net, table, mover, had - table.deck_size, NOBODY, 0)
        return self.squashed(value if mover == seat else -value, table.deck_size)

    def outlook(self, world: Board, mover: i64, later: i64, turns: i64, below: i64) -> i64:
        """By how much the seat that has moved will lead in the end, in 1024ths of a point, all that
        is hidden being seen. So many turns are played first. What is drawn in them, and the last
        `later` cards of the mover, count by their backs; under the top, whose back is seen, these
        are of the colour `below` and the other by turns."""
        table = self.trial
        table.copy_from(world)
        top = table.deck_size - 1
        for i in range(top):
            is_below = (top - i) & 1 != 0
            table.deck[i] = u8(_back(below if is_below else 3 - below))
        if top >= 0:
            table.deck[top] = u8(_back(i64(table.cards.colour[i64(table.deck[top])])))
        for i in range(table.hand_size[mover] - later, table.hand_size[mover]):
            place = mover * 64 + i
            table.hand[place] = u8(_back(i64(table.cards.colour[i64(table.hand[place])])))
        self._hide_hands(table)
        self.rng.restart(1)
        seat = mover
        left = turns
        while table.phase != AT_END and (left != 0 or table.phase != AT_TURN):
            if table.phase == AT_TURN:
                left -= 1
            mover = table.actor
            apply_knowing(table, self.known, self._reply(table))
        if table.phase == AT_END:
            return 1024 * (table.points[seat] - table.points[1 - seat])
        value = worth(self.net, table, mover, 0, NOBODY, 0)
        return value if mover == seat else -value

    def squashed(self, lead: i64, left: i64) -> i64:
        """What a lead to come, in 1024ths of a point, is worth with so many cards left."""
        size = lead if lead >= 0 else -lead
        return 1000000 * lead // (size + self.spread + self.slope * left)

    def _reply(self, table: Board) -> i64:
        """What the seat to act does in a try: by what it promises, but the last two turns of the
        match are played out."""
        if table.phase == AT_TURN and table.deck_size == 2:
            return self._last_but_one(table)
        hires: i64 = ALL if table.deck_size == 1 else HIRES
        if self.replies > 1 and table.phase == AT_TURN and table.deck_size > 2:
            eyes = 1 + table.actor
            return reply_by_net(
                self.net, table, self.end, self.rng, hires, self.replies, self.known, eyes
            )
        return best_move(self.mind, table, self.rng, hires)

    def _hide_hands(self, table: Board) -> None:
        """In a try a seat plays by its own hand and not by the other's; all else is seen."""
        for card in range(IDS):
            self.known[card] = 7
        for seat in range(2):
            for i in range(table.hand_size[seat]):
                self.known[i64(table.hand[seat * 64 + i])] = u8(1 + seat)

    def _last_but_one(self, table: Board) -> i64:
        """Of the moves that promise most the one after which the last turn leaves the best lead;
        both see all cards."""
        mind = self.mind
        seat = table.actor
        count = min(list_moves(table), ENDS_ROOM)
        mind.look(table, seat, 1)
        for i in range(count):
            self.end_promise[i] = gain(mind, table, table.moves[i])
        end = self.end
        best: i64 = -1000000
        found = table.moves[0]
        for _ in range(min(count, ENDS)):
            most: i64 = 0
            for i in range(count):
                if self.end_promise[i] > self.end_promise[most]:
                    most = i64(i)
            self.end_promise[most] = -1000000000
            end.copy_from(table)
            apply(end, table.moves[most])
            while end.phase != AT_END:
                apply(end, best_move(mind, end, self.rng, ALL))
            lead = end.points[seat] - end.points[1 - seat]
            if lead > best:
                best = lead
                found = table.moves[most]
        return found

    def run(
        self,
        worlds: list[Board],
        loose: list[Loose],
        moves: list[int],
        seat: i64,
        seed: i64,
        iterations: i64,
        seconds: float,
    ) -> list[tuple[int, int, int]]:
        """The moves, best first, each with how well it goes on average (from -1000000 to 1000000)
        and in how many tries. `seconds` below 0: no limit but the iterations."""
        count: i64 = len(moves)
        order = vec[i64]([0] * len(moves))
        total = vec[i64]([0] * len(moves))
        tries = vec[i64]([0] * len(moves))
        row = vec[i64]([0] * len(moves))
        for i in range(count):
            order[i] = i
        rounds: i64 = 1
        left = count
        while left > 2:
            left = (left + 1) // 2
            rounds += 1
        began = time.monotonic()
        done: i64 = 0
        sample: i64 = 0
        alive = count
        for number in range(rounds):
            end = (number + 1) * iterations // rounds
            until = began + seconds * float(int(number + 1)) / float(int(rounds))
            going = True
            while going and done < end:
                which = int(sample % i64(len(worlds)))
                world = worlds[which]
                at: i64 = 0
                while at < alive:
                    if seconds >= 0.0 and time.monotonic() > until:
                        going = False
                        break
                    move = i64(moves[int(order[at])])
                    row[at] = self._try(world, loose[which], move, seat, seed + sample)
                    at += 1
                if at == alive:  # a row that was broken off would be unfair
                    for i in range(alive):
                        total[order[i]] += row[i]
                        tries[order[i]] += 1
                    sample += 1
                done += at
            _sort(order, total, tries, alive)
            alive = (alive + 1) // 2
        found: list[tuple[int, int, int]] = []
        for i in range(count):
            k = order[i]
            mean = total[k] // tries[k] if tries[k] != 0 else i64(0)
            found.append((moves[int(k)], int(mean), int(tries[k])))
        return found


def _back(colour: i64) -> i64:
    """The blank with this back."""
    return BLANK_DARK if colour == DARK else BLANK_LIGHT


def _by_promise(pair: tuple[int, int]) -> int:
    return -pair[0]


def _sort(order: vec[i64], total: vec[i64], tries: vec[i64], size: i64) -> None:
    """The first `size` by their mean, best first; equals keep their order."""
    for i in range(1, size):
        k = order[i]
        at = i64(i)
        while at > 0 and _is_better(total, tries, k, order[at - 1]):
            order[at] = order[at - 1]
            at -= 1
        order[at] = k


def _is_better(total: vec[i64], tries: vec[i64], one: i64, other: i64) -> bool:
    if tries[one] == 0 or tries[other] == 0:
        return False
    return total[one] * tries[other] > total[other] * tries[one]


# -- To compare with -------------------------------------------------------------------------


def plain_search(
    cards: Cards,
    worlds: list[Board],
    loose: list[Loose],
    seed: i64,
    iterations: i64,
    seconds: float,
    curiosity: float,
) -> list[tuple[int, int, int]]:
    """A tree over what both can do in possible truths (UCB1 among what is possible in each), random
    play to the end from its leaves, by how many points; the root's moves by their visits."""
    until = time.monotonic() + seconds
    table = Board(cards)
    rng = Rng(seed)
    room = 60000
    move_of = vec[i64]([0] * room)
    child = vec[i64]([0] * room)
    sibling = vec[i64]([0] * room)
    visits = vec[i64]([0] * room)
    chances = vec[i64]([0] * room)  # how often it could have been chosen
    reward = vec[i64]([0] * room)  # from the side of who chose it
    chooser = vec[i64]([0] * room)
    path = vec[i64]([0] * 256)
    unseen = vec[i64]([0] * 4096)
    size: i64 = 1
    done: i64 = 0
    while done < iterations and not (seconds >= 0.0 and time.monotonic() > until):
        which = int(done % i64(len(worlds)))
        table.copy_from(worlds[which])
        loose[which].deal(table, rng)
        node: i64 = 0
        length: i64 = 0
        while table.phase != AT_END:
            mover = table.to_act()
            count = list_moves(table)
            fresh: i64 = 0
            best: i64 = -1
            best_bound = -1.0
            for i in range(count):
                move = table.moves[i]
                k = child[node]
                while k != 0 and move_of[k] != move:
                    k = sibling[k]
                if k == 0:
                    if fresh < 4096:
                        unseen[fresh] = move
                        fresh += 1
                    continue
                chances[k] += 1
                n = float(int(visits[k]))
                bound = float(int(reward[k])) / 1000.0 / n + curiosity * sqrt(
                    log(float(int(chances[k]))) / n
                )
                if bound > best_bound:
                    best_bound = bound
                    best = k
            if fresh != 0 and size < room:
                move = unseen[rng.below(fresh)]
                move_of[size] = move
                sibling[size] = child[node]
                child[node] = size
                chances[size] = 1
                chooser[size] = mover
                best = size
                size += 1
                path[length] = best
                length += 1
                apply(table, move)
                break
            if best < 0:
                break
            path[length] = best
            length += 1
            apply(table, move_of[best])
            node = best
        while table.phase != AT_END:
            apply(table, sample_move(table, rng))
        for i in range(length):
            k = path[i]
            visits[k] += 1
            lead = table.points[chooser[k]] - table.points[1 - chooser[k]]
            size_of = lead if lead >= 0 else -lead
            reward[k] += 500 + 500 * lead // (size_of + 4)
        done += 1
    found: list[tuple[int, int, int]] = []
    k = child[0]
    while k != 0:
        mean = 2000 * reward[k] // max(visits[k], 1) - 1000000
        found.append((int(move_of[k]), int(mean), int(visits[k])))
        k = sibling[k]
    found.sort(key=_by_visits)
    return found


def _by_visits(row: tuple[int, int, int]) -> int:
    return -row[2]
