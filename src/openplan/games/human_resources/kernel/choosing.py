"""What a move promises, and which promises most: what a search plays its games with.

A move changes a few squares, so that only the windows around
them are looked up again (`prospects.py`).
"""

from mypy_extensions import i64

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    ACQUIRE,
    AT_ARRANGING,
    AT_CHOICE,
    AT_END,
    AT_TURN,
    CROWDFUNDING,
    DRAW,
    EXCHANGE,
    MOVE,
    PICK_UP,
    PLACE,
    PLAY_PROJECT,
    PLAY_QUOTA,
    PROJECT,
    QUOTA,
    REMOVE,
    SHAPE_SIZE,
    SHAPE_SQUARES,
    SHIFT,
    SQUARE_AT,
    SWAP,
    TAKE,
    TWO_PLAYS,
    Cards,
    Rng,
    card_of,
    kind_of,
    other_of,
    pack,
    second_of,
    shape_of,
    slide_of,
    square_of,
)
from openplan.games.human_resources.kernel.moves import (
    deal_random,
    list_hires,
    list_moves,
    sample_move,
)
from openplan.games.human_resources.kernel.prospects import (
    BACKERS,
    FEATURES,
    HAND,
    IN_HAND,
    IN_PLAY,
    MINE,
    OTHER_HAND,
    THEIRS,
    Prospects,
)
from openplan.games.human_resources.kernel.turn import apply, meets_quota


def gain(mind: Prospects, table: Board, move: i64) -> i64:
    """What a move adds to what the seat has now; about right, and quick. `look` comes first,
    for the seat to act."""
    kind = kind_of(move)
    card = card_of(move)
    second = second_of(move)
    square = square_of(move)
    other = other_of(move)
    hand = mind.weights[mind.stage + HAND]
    if kind == PLAY_PROJECT:
        if i64(mind.cards.kind[card]) == CROWDFUNDING:
            return mind.weights[mind.stage + BACKERS] - mind.held(table, card) - hand
        for k in range(mind.count):
            if mind.card[k] == card:
                weights = mind.weights
                now = (
                    weights[mind.stage + MINE + mind.best[k]]
                    - weights[mind.stage + IN_HAND + mind.best[k]]
                )
                return now * mind.cards.value[card] - hand + weights[mind.stage + IN_PLAY]
        return 0
    if kind == PLAY_QUOTA:
        return 1000 * mind.cards.value[card] - mind.held(table, card) - hand
    mind.begin()
    if kind == PLACE:
        mind.touch(square, i64(mind.cards.colour[card]))
        return mind.settle() - _after_leaving(mind, table, card) - hand
    left = mind.held(table, card) + hand  # the manager goes
    if kind == MOVE:
        colour = i64(table.colour[square])
        mind.touch(square, -colour)
        mind.touch(other, colour)
    elif kind == SWAP:
        change = i64(table.colour[other]) - i64(table.colour[square])
        mind.touch(square, change)
        mind.touch(other, -change)
    elif kind == SHIFT:
        shape = shape_of(move)
        by = slide_of(move)
        for i in range(SHAPE_SIZE[shape]):
            at = square + SHAPE_SQUARES[shape * 3 + i]
            colour = i64(table.colour[at])
            mind.touch(at, -colour)
            mind.touch(at + by, colour)
    elif kind == REMOVE:
        mind.touch(square, -i64(table.colour[square]))
        return mind.settle() + mind.in_hand(table, i64(table.face[square])) + hand - left
    elif kind == EXCHANGE:
        change = i64(mind.cards.colour[second]) - i64(table.colour[square])
        if change != 0:
            mind.touch(square, change)
        taken = mind.in_hand(table, i64(table.face[square]))
        return mind.settle() + taken - _after_leaving(mind, table, second) - left
    elif kind == TAKE:
        return mind.in_hand(table, second) + hand - left
    elif kind == DRAW:
        return hand - left
    elif kind == TWO_PLAYS:
        return _two_plays(mind, table, card) - left
    elif kind == PICK_UP:
        return _picked_up(mind) - left
    elif kind == ACQUIRE:
        # The other scores the card that takes the project away (HR-8.3).
        for k in range(mind.count):
            if mind.card[k] == second:
                where: i64 = IN_HAND if table.to_hand != 0 else MINE
                mine = mind.weights[mind.stage + where + mind.best[k]] * mind.cards.value[second]
                if table.to_hand != 0:
                    mine += hand
                return mine - mind.worth_of(k, mind.best[k]) - left - 1000 * mind.cards.value[card]
        return -left
    return mind.settle() - left


def _after_leaving(mind: Prospects, table: Board, card: i64) -> i64:
    """What is lost with a card that leaves the hand, after `settle`."""
    if i64(mind.cards.kind[card]) != PROJECT:
        return mind.held(table, card)
    for k in range(mind.count):
        if mind.card[k] == card and mind.whose[k] == IN_HAND:
            return mind.after[k]
    return 0


def _picked_up(mind: Prospects) -> i64:
    """HR-6.11: the other takes back the project that it misses least."""
    least: i64 = 0
    found = False
    for k in range(mind.count):
        if mind.whose[k] == THEIRS:
            worth = -mind.worth_of(k, mind.best[k]) // 2
            if not found or worth < least:
                found = True
                least = worth
    return least + mind.weights[mind.stage + IN_PLAY] + mind.weights[mind.stage + OTHER_HAND]


def _two_plays(mind: Prospects, table: Board, manager: i64) -> i64:
    """HR-6.9: about what the two best plays of two cards bring."""
    seat = mind.seat
    first: i64 = -1000000
    next_: i64 = -1000000
    for i in range(table.hand_size[seat]):
        card = i64(table.hand[seat * 64 + i])
        if card == manager:
            continue
        best = _best_play(mind, table, card)
        if best > first:
            next_ = first
            first = best
        elif best > next_:
            next_ = best
    return first + (next_ if next_ > -1000000 else i64(0))


def _best_play(mind: Prospects, table: Board, card: i64) -> i64:
    best: i64 = -1000000
    base = pack(PLACE, card, 0, 0, 0)
    for f in range(table.frontier_size):
        value = gain(mind, table, base | (table.frontier[f] << SQUARE_AT))
        if value > best:
            best = value
    kind = i64(mind.cards.kind[card])
    if kind == PROJECT:
        best = max(best, gain(mind, table, pack(PLAY_PROJECT, card, 0, 0, 0)))
    elif kind == QUOTA and meets_quota(table, mind.seat, card):
        best = max(best, gain(mind, table, pack(PLAY_QUOTA, card, 0, 0, 0)))
    return best


# -- The move that promises most ---------------------------------------------------------


def best_move(mind: Prospects, table: Board, rng: Rng, hires: i64) -> i64:
    """The move of the seat to act that promises most; of each manager's uses at most about
    `hires` are tried. Chance decides between equals."""
    if table.phase == AT_CHOICE:
        return _give_up(mind, table)
    if table.phase == AT_ARRANGING:
        list_moves(table)
        return table.moves[rng.below(table.move_count)]
    find_best(mind, table, rng, hires, 1)
    return mind.found[0]


def _offer(mind: Prospects, rng: Rng, value: i64, move: i64) -> None:
    """A move for the list of the best, which is kept in order."""
    last = mind.found_size - 1
    if mind.found_size == mind.found_room:
        least = mind.found_value[last]
        if value < least:
            return
        if value == least:
            mind.found_ties += 1
            if rng.below(mind.found_ties) == 0:
                mind.found[last] = move
            return
        mind.found_ties = 1
    else:
        last += 1
        mind.found_size += 1
    while last > 0 and mind.found_value[last - 1] < value:
        mind.found[last] = mind.found[last - 1]
        mind.found_value[last] = mind.found_value[last - 1]
        last -= 1
    mind.found[last] = move
    mind.found_value[last] = value


def find_best(mind: Prospects, table: Board, rng: Rng, hires: i64, room: i64) -> None:
    """The moves of a seat at its turn that promise most, best first, so many of them: `found`."""
    seat = table.actor
    mind.look(table, seat, table.deck_size - 1)
    mind.found_room = room
    mind.found_size = 0
    mind.found_ties = 1
    count = table.hand_size[seat]
    for i in range(count):
        card = i64(table.hand[seat * 64 + i])
        kind = i64(mind.cards.kind[card])
        table.move_count = 0
        if kind == PROJECT or kind == CROWDFUNDING:
            table.moves[0] = pack(PLAY_PROJECT, card, 0, 0, 0)
            table.move_count = 1
        elif kind == QUOTA:
            if meets_quota(table, seat, card):
                table.moves[0] = pack(PLAY_QUOTA, card, 0, 0, 0)
                table.move_count = 1
        elif table.phase == AT_TURN and hires != 0:
            list_hires(table, card)
        size = table.move_count
        step: i64 = 1
        start: i64 = 0
        if size > hires and hires > 0:
            step = size // hires
            start = rng.below(step)
        at = start
        while at < size:
            move = table.moves[at]
            _offer(mind, rng, gain(mind, table, move), move)
            at += step
    # A card's colour decides what it does to the office: look it up once for all of a colour.
    hand = mind.weights[mind.stage + HAND]
    colours: i64 = 0
    for i in range(count):
        colours |= i64(mind.cards.colour[i64(table.hand[seat * 64 + i])])
    for f in range(table.frontier_size):
        square = table.frontier[f]
        for colour in range(1, 3):
            if colours & colour == 0:
                continue
            mind.begin()
            mind.touch(square, i64(colour))
            change = mind.settle() - hand
            for i in range(count):
                card = i64(table.hand[seat * 64 + i])
                if i64(mind.cards.colour[card]) != colour:
                    continue
                value = change - _after_leaving(mind, table, card)
                _offer(mind, rng, value, pack(PLACE, card, 0, square, 0))


def _give_up(mind: Prospects, table: Board) -> i64:
    """HR-6.11: take back the project that is missed least."""
    list_moves(table)
    seat = table.to_act()
    mind.look(table, seat, table.deck_size - 1)
    found = table.moves[0]
    least: i64 = 1000000000
    for i in range(table.move_count):
        card = card_of(table.moves[i])
        for k in range(mind.count):
            if mind.card[k] == card:
                missed = mind.worth_of(k, mind.best[k])
                if missed < least:
                    least = missed
                    found = table.moves[i]
    return found


# -- Matches by these weights, to fit and to compare them ------------------------------------


def self_play(
    cards: Cards, first: list[int], second: list[int], matches: int, seed: i64, noise: i64
) -> tuple[list[int], list[int]]:
    """Matches of two sets of weights, each deal from both seats: the lead of `first` in each, and,
    with noise (so many thousandths of the moves are random), a row for every move: the features
    with a number other than 0, the stage, and the final lead less the lead then."""
    both = [Prospects(cards, first), Prospects(cards, second)]
    table = Board(cards)
    leads: list[int] = []
    rows: list[int] = []
    for number in range(matches):
        deal_random(table, Rng(seed + number // 2), 54)
        rng = Rng(seed * 7 + number)
        begun: list[int] = []
        while table.phase != AT_END:
            seat = table.to_act()
            mind = both[int(seat) ^ (number & 1)]
            if noise != 0 and rng.below(1000) < noise:
                move = sample_move(table, rng)
            else:
                move = best_move(mind, table, rng, 60)
            had = table.deck_size
            apply(table, move)
            if noise != 0 and table.deck_size != 0 and table.deck_size != had:
                mind.count_features(table, seat, had - table.deck_size)
                row: list[int] = []
                for i in range(FEATURES):
                    if mind.feature[i] != 0:
                        row.append(i)
                        row.append(int(mind.feature[i]))
                begun.append(len(row) // 2)
                begun.extend(row)
                begun.append(int(mind.stage) // FEATURES)
                begun.append(int(seat))
                begun.append(int(table.points[seat] - table.points[1 - seat]))
        lead = int(table.points[0] - table.points[1])
        leads.append(lead if number % 2 == 0 else -lead)
        if noise != 0:
            at = 0
            while at < len(begun):
                end = at + 1 + 2 * begun[at]
                rows.extend(begun[at : end + 1])
                final_ = lead if begun[end + 1] == 0 else -lead
                rows.append(final_ - begun[end + 2])
                at = end + 3
    return leads, rows
