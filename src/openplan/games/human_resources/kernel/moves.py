"""Which moves there are: all of them, or one drawn at random without listing the others."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    ACQUIRE,
    ACQUISITIONS,
    ARRANGE,
    AT_ARRANGING,
    AT_CHOICE,
    AT_END,
    AT_TURN,
    BIT,
    CENTRE,
    CHOOSE,
    CROWDFUNDING,
    DARK,
    DRAW,
    EXCHANGE,
    IDLE,
    LEAVABLE,
    LEAVE_SHIFT,
    LIGHT,
    LOOK,
    MANAGER,
    MOVE,
    NONE,
    OPERATIONS,
    OTHER_AT,
    OVERTIME_DARK,
    OVERTIME_DARK_BIT,
    OVERTIME_LIGHT,
    OVERTIME_LIGHT_BIT,
    PICK_UP,
    PLACE,
    PLAY_PROJECT,
    PLAY_QUOTA,
    PROJECT,
    QUOTA,
    REMOVE,
    SHAPE_SIZE,
    SHAPE_SQUARES,
    SHAPES,
    SHIFT,
    SQUARE_AT,
    STEP,
    STRIDE,
    SWAP,
    TAKE,
    TWO_PLAYS,
    Cards,
    Rng,
    card_of,
    kind_of,
    pack,
    pack_shift,
    second_of,
)
from openplan.games.human_resources.kernel.one_piece import (
    parts_around,
    parts_touched,
    stays_whole_without,
)
from openplan.games.human_resources.kernel.patterns import completes, forms
from openplan.games.human_resources.kernel.turn import apply, meets_quota

TRIES: Final = 60
"""So often a random hire is tried before all are listed."""
SELDOM: Final = 16
"""One in so many random hires is for no effect, and one in so many random actions leaves something
incomplete, where the table allows that."""

# -- All moves -------------------------------------------------------------------------------


def list_moves(table: Board) -> i64:
    """Write every legal move of the seat to act into the table's buffer; how many."""
    table.move_count = 0
    if table.phase == AT_CHOICE:
        other = 1 - table.actor
        for i in range(table.play_size[other]):
            _push(table, pack(CHOOSE, i64(table.play[other * 64 + i]), 0, 0, 0))
    elif table.phase == AT_ARRANGING:
        _list_orders(table)
    elif table.phase != AT_END:
        base = table.actor * 64
        for i in range(table.hand_size[table.actor]):
            _list_plays(table, i64(table.hand[base + i]))
        if table.phase == AT_TURN:
            for i in range(table.hand_size[table.actor]):
                list_hires(table, i64(table.hand[base + i]))
        if table.leave != 0 and table.play_size[table.actor] != 0:
            _add_leaves(table)
        _add_overtime(table)
    return table.move_count


def moves_of(table: Board) -> list[int]:
    """All legal moves, for callers that are not compiled."""
    out: list[int] = []
    for i in range(list_moves(table)):
        out.append(int(table.moves[i]))
    return out


def _push(table: Board, move: i64) -> None:
    if table.move_count == len(table.moves):
        _make_room(table, 1)
    table.moves[table.move_count] = move
    table.move_count += 1


def _make_room(table: Board, more: i64) -> None:
    """See to it that the buffer takes so many more moves."""
    count = table.move_count
    if count + more > len(table.moves):
        longer = vec[i64]([0] * (2 * int(count + more)))
        for i in range(count):
            longer[i] = table.moves[i]
        table.moves = longer


def _push_each(table: Board, base: i64, squares: vec[i64], size: i64) -> None:
    """One move for each of these squares."""
    _make_room(table, size)
    moves = table.moves
    count = table.move_count
    for i in range(size):
        moves[count + i] = base | (squares[i] << SQUARE_AT)
    table.move_count = count + size


def _list_plays(table: Board, card: i64) -> None:
    _push_each(table, pack(PLACE, card, 0, 0, 0), table.frontier, table.frontier_size)
    kind = i64(table.cards.kind[card])
    if kind in (PROJECT, CROWDFUNDING):
        _push(table, pack(PLAY_PROJECT, card, 0, 0, 0))
    elif kind == QUOTA and meets_quota(table, table.actor, card):
        _push(table, pack(PLAY_QUOTA, card, 0, 0, 0))


def list_hires(table: Board, card: i64) -> None:
    kind = i64(table.cards.kind[card])
    if kind != MANAGER and kind != ACQUISITIONS and kind != OPERATIONS:
        return
    hire = 3 + i64(table.cards.ability[card])
    me = table.actor
    if hire == MOVE:
        _list_moves(table, card)
    elif hire == SWAP:
        for i in range(table.size):
            square = table.squares[i]
            for d in range(1, 3):  # east and south: each pair once, in reading order
                other = square + STEP[d]
                if i64(table.colour[square]) + i64(table.colour[other]) == DARK + LIGHT and (
                    table.colour[other] != 0
                ):
                    _push(table, pack(SWAP, card, 0, square, other))
    elif hire in (DRAW, LOOK):
        _push(table, pack(hire, card, 0, 0, 0))
    elif hire == SHIFT:
        _list_shifts(table, card)
    elif hire == REMOVE:
        for i in range(table.size):
            if stays_whole_without(table, table.squares[i]):
                _push(table, pack(REMOVE, card, 0, table.squares[i], 0))
    elif hire == EXCHANGE:
        for i in range(table.hand_size[me]):
            second = i64(table.hand[me * 64 + i])
            if second != card:
                base = pack(EXCHANGE, card, second, 0, 0)
                _push_each(table, base, table.squares, table.size)
    elif hire == TWO_PLAYS:
        if table.hand_size[me] > 1:
            _push(table, pack(TWO_PLAYS, card, 0, 0, 0))
    elif hire == TAKE:
        for i in range(table.discard_size):
            _push(table, pack(TAKE, card, i64(table.discard[i]), 0, 0))
    elif hire == PICK_UP:
        if table.play_size[1 - me] != 0:
            _push(table, pack(PICK_UP, card, 0, 0, 0))
    elif hire == ACQUIRE:
        for i in range(table.play_size[1 - me]):
            _push(table, pack(ACQUIRE, card, i64(table.play[(1 - me) * 64 + i]), 0, 0))
    if table.idle != 0:
        _push(table, pack(IDLE, card, 0, 0, 0))


def _list_moves(table: Board, card: i64) -> None:
    """HR-6.3: to a free square beside the other cubicles, the office whole again."""
    if table.size < 2:
        return
    colour = table.colour
    group = table.group
    for i in range(table.size):
        square = table.squares[i]
        before = colour[square]
        colour[square] = 0
        group[0] = square
        parts = parts_around(table, group, 1)
        base = pack(MOVE, card, 0, square, 0)
        _make_room(table, table.frontier_size)
        moves = table.moves
        count = table.move_count
        for k in range(table.frontier_size):
            to = table.frontier[k]
            if parts == 1:
                # At least one neighbour besides the cubicle that leaves.
                gap = to - square
                beside = gap == 1 or gap == -1 or gap == STRIDE or gap == -STRIDE
                if beside and table.near[to] == 1:
                    continue
            elif i64(table.near[to]) < parts or parts_touched(table, to, 0) != BIT[parts] - 1:
                continue
            moves[count] = base | (to << OTHER_AT)
            count += 1
        table.move_count = count
        colour[square] = before


def _list_shifts(table: Board, card: i64) -> None:
    table.measure()
    for i in range(table.size):
        for shape in range(SHAPES):
            list_shifts_of(table, card, table.squares[i], i64(shape), 0, 4)


def list_shifts_of(table: Board, card: i64, square: i64, shape: i64, first: i64, end: i64) -> None:
    """Every slide of one group (HR-6.6) in the directions from `first` up to `end`."""
    colour = table.colour
    count = SHAPE_SIZE[shape]
    if count >= table.size:
        return
    group = table.group
    for i in range(count):
        at = square + SHAPE_SQUARES[shape * 3 + i]
        if colour[at] == 0:
            return
        group[i] = at
    keep = table.keep
    for i in range(count):
        keep[i] = colour[group[i]]
        colour[group[i]] = 0
    parts: i64 = 0
    for direction in range(first, end):
        step = STEP[direction]
        by = step
        distance: i64 = 1
        limit: i64 = 1
        while distance <= limit:
            free = True
            touches = False
            for i in range(count):
                there = group[i] + by
                if colour[there] != 0:
                    free = False
                    break
                if (
                    colour[there - STRIDE] != 0
                    or colour[there + 1] != 0
                    or colour[there + STRIDE] != 0
                    or colour[there - 1] != 0
                ):
                    touches = True
            if not free:
                break
            if distance == 1:
                limit = _slide_limit(table, group, count, i64(direction))
            if touches:
                if parts == 0:
                    parts = parts_around(table, group, count)
                if parts == 1 or _joins_all(table, group, count, by, parts):
                    _push(table, pack_shift(card, square, shape, i64(direction), distance))
            by += step
            distance += 1
    for i in range(count):
        colour[group[i]] = keep[i]


def _slide_limit(table: Board, group: vec[i64], count: i64, direction: i64) -> i64:
    """How far a group can go before its rear has passed the office's last row or column by one:
    beyond that it cannot touch anything."""
    limit: i64 = 0
    for i in range(count):
        at = group[i]
        if direction == 0:
            limit = max(limit, (at >> 6) - table.top + 1)
        elif direction == 1:
            limit = max(limit, table.right - (at & 63) + 1)
        elif direction == 2:
            limit = max(limit, table.bottom - (at >> 6) + 1)
        else:
            limit = max(limit, (at & 63) - table.left + 1)
    return limit


def _joins_all(table: Board, group: vec[i64], count: i64, by: i64, parts: i64) -> bool:
    touched: i64 = 0
    for i in range(count):
        touched = parts_touched(table, group[i] + by, touched)
    return touched == BIT[parts] - 1


def _list_orders(table: Board) -> None:
    """HR-8.4: every order of the cards looked at."""
    count = table.looked
    top = table.deck_size - 1
    for a in range(count):
        for b in range(count):
            if b == a:
                continue
            if count == 2:
                _push(table, _order(table, top - a, top - b, -1, -1))
                continue
            for c in range(count):
                if c in (a, b):
                    continue
                if count == 3:
                    _push(table, _order(table, top - a, top - b, top - c, -1))
                else:
                    _push(table, _order(table, top - a, top - b, top - c, top - (6 - a - b - c)))


def _order(table: Board, a: i64, b: i64, c: i64, d: i64) -> i64:
    third: i64 = NONE if c < 0 else i64(table.deck[c])
    fourth: i64 = NONE if d < 0 else i64(table.deck[d])
    return pack(ARRANGE, i64(table.deck[a]), i64(table.deck[b]), third, fourth)


def _add_leaves(table: Board) -> None:
    """HR-5.6: what an action forms it may leave incomplete, in every combination."""
    for i in range(table.move_count):
        move = table.moves[i]
        if is_action(move):
            for left in range(1, _ways_to_leave(table, move)):
                _push(table, move | (i64(left) * BIT[LEAVE_SHIFT]))


def _ways_to_leave(table: Board, move: i64) -> i64:
    """Leaving nothing is one of them."""
    places = forms(table, move)
    count: i64 = 0
    for i in range(table.play_size[table.actor]):
        if places & BIT[i] != 0 and count < LEAVABLE:
            count += 1
    return BIT[count]


def _add_overtime(table: Board) -> None:
    """HR-8.2: with Overtime in hand every action that completes may declare it."""
    dark = may_use_overtime(table, OVERTIME_DARK)
    light = may_use_overtime(table, OVERTIME_LIGHT)
    if not dark and not light:
        return
    for i in range(table.move_count):
        move = table.moves[i]
        card = card_of(move)
        second = second_of(move) if kind_of(move) == EXCHANGE else i64(NONE)
        if is_action(move) and completes(table, move):
            if dark and card != OVERTIME_DARK and second != OVERTIME_DARK:
                _push(table, move | OVERTIME_DARK_BIT)
            if light and card != OVERTIME_LIGHT and second != OVERTIME_LIGHT:
                _push(table, move | OVERTIME_LIGHT_BIT)


def is_action(move: i64) -> bool:
    """Whether a move changes the office so that something may be completed."""
    kind = kind_of(move)
    return kind in (PLACE, MOVE, SWAP, SHIFT, EXCHANGE)


def may_use_overtime(table: Board, card: i64) -> bool:
    me = table.actor
    return (
        table.overtimes[me] != 0
        and table.overtime_used == 0
        and table.play_size[me] != 0
        and table.holds(me, card)
    )


# -- One move at random ----------------------------------------------------------------------


def sample_move(table: Board, rng: Rng) -> i64:
    """A legal move; every one can come up, but not all equally often."""
    me = table.actor
    if table.phase == AT_CHOICE or table.phase == AT_ARRANGING:
        count = list_moves(table)
        return table.moves[rng.below(count)]
    card = i64(table.hand[me * 64 + rng.below(table.hand_size[me])])
    kind = i64(table.cards.kind[card])
    move: i64 = 0
    if rng.next() & 1 != 0:
        if kind in (PROJECT, CROWDFUNDING):
            return pack(PLAY_PROJECT, card, 0, 0, 0)
        if kind == QUOTA:
            if meets_quota(table, me, card):
                return pack(PLAY_QUOTA, card, 0, 0, 0)
        elif table.phase == AT_TURN:
            move = _sample_hire(table, card, rng)
    if move == 0:
        square = table.frontier[rng.below(table.frontier_size)]
        move = pack(PLACE, card, 0, square, 0)
    return _sample_declared(table, move, rng)


def _sample_hire(table: Board, card: i64, rng: Rng) -> i64:
    """A hire of this card, or 0 if there is none."""
    hire = 3 + i64(table.cards.ability[card])
    if table.idle != 0 and hire >= MOVE and rng.below(SELDOM) == 0:
        return pack(IDLE, card, 0, 0, 0)
    if hire == SHIFT:
        table.measure()
    for _ in range(TRIES):
        square = table.squares[rng.below(table.size)]
        if hire == MOVE:
            to = table.frontier[rng.below(table.frontier_size)]
            gap = to - square
            beside = gap == 1 or gap == -1 or gap == STRIDE or gap == -STRIDE
            if (not beside or table.near[to] > 1) and stays_whole_without(table, square):
                return pack(MOVE, card, 0, square, to)
        elif hire == SWAP:
            other = square + STEP[1 + (rng.next() & 1)]
            if table.colour[other] != 0 and table.colour[other] != table.colour[square]:
                return pack(SWAP, card, 0, square, other)
        elif hire == SHIFT:
            direction = rng.below(4)
            table.move_count = 0
            list_shifts_of(table, card, square, rng.below(SHAPES), direction, direction + 1)
            if table.move_count != 0:
                return table.moves[rng.below(table.move_count)]
        elif hire == REMOVE:
            if stays_whole_without(table, square):
                return pack(REMOVE, card, 0, square, 0)
        else:
            break
    table.move_count = 0
    list_hires(table, card)
    if table.move_count == 0:
        return 0
    return table.moves[rng.below(table.move_count)]


def _sample_declared(table: Board, move: i64, rng: Rng) -> i64:
    """An action with what may be declared with it: projects left incomplete, Overtime."""
    if table.leave != 0 and is_action(move) and rng.below(SELDOM) == 0:
        move |= rng.below(_ways_to_leave(table, move)) * BIT[LEAVE_SHIFT]
    dark = may_use_overtime(table, OVERTIME_DARK)
    light = may_use_overtime(table, OVERTIME_LIGHT)
    if (dark or light) and is_action(move) and completes(table, move):
        table.moves[0] = move
        table.move_count = 1
        _add_overtime(table)
        return table.moves[rng.below(table.move_count)]
    return move


# -- Whole games -----------------------------------------------------------------------------


def deal_random(table: Board, rng: Rng, cards: i64) -> None:
    """HR-2 with the first `cards` cards: office, hands, deck, and who starts."""
    table.clear()
    order = table.deck
    for i in range(cards):
        order[i] = u8(i)
    left = cards
    corner = (CENTRE + 2) * STRIDE + CENTRE
    for founding in range(4):
        # HR-2.1: any card of the colour, each as likely as another.
        colour: i64 = DARK if founding < 2 else LIGHT
        k = rng.below(left)
        while i64(table.cards.colour[i64(order[k])]) != colour:
            k = rng.below(left)
        left -= 1
        card = i64(order[k])
        order[k] = order[left]
        if colour == DARK:
            table.add(corner + founding * (STRIDE + 1), card)
        else:
            table.add(corner + 1 + (founding - 2) * (STRIDE - 1), card)
    # HR-2.2: the rest is shuffled only now. Where the four lay in an order shuffled before, what is
    # left of it would be clumped by colour.
    for i in range(left - 1, 0, -1):
        k = rng.below(i + 1)
        swapped = order[i]
        order[i] = order[k]
        order[k] = swapped
    total: i64 = 0  # seat 0's points less seat 1's
    for dealt in range(6):
        left -= 1
        card = i64(order[left])
        table.give(dealt & 1, card)
        value = table.cards.value[card]
        total += value if dealt & 1 == 0 else -value
    table.deck_size = left
    if total > 0 or (total == 0 and rng.next() & 1 != 0):
        table.actor = 1


def play_games(
    cards: Cards, games: i64, seed: i64, deck_size: i64, enumerate_all: bool
) -> tuple[i64, i64]:
    """Full random games: how many decisions, and a number that depends on all of them."""
    table = Board(cards)
    rng = Rng(seed)
    decisions: i64 = 0
    mixed: i64 = 0
    for _ in range(games):
        deal_random(table, rng, deck_size)
        while table.phase != AT_END:
            if enumerate_all:
                count = list_moves(table)
                move = table.moves[rng.below(count)]
            else:
                move = sample_move(table, rng)
            apply(table, move)
            mixed = (mixed * 31 + (move & 1073741823) + (move >> 30)) & 1073741823
            decisions += 1
        mixed = (mixed * 31 + table.points[0] * 64 + table.points[1]) & 1073741823
    return decisions, mixed
