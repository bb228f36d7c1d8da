"""Carrying out a move: plays, hires, scoring, the draw that ends a turn (HR-3 to HR-8)."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.codes import (
    ACQUIRE,
    ARRANGE,
    AT_ARRANGING,
    AT_CHOICE,
    AT_END,
    AT_PLAYS,
    AT_TURN,
    BIT,
    CHOOSE,
    CROWDFUNDING,
    DRAW,
    EXCHANGE,
    FEWER_SCORED,
    FIVE_IN_HAND,
    IDLE,
    MORE_SCORED,
    MOVE,
    NONE,
    ONLY_CARD,
    OVERTIME_BITS,
    OVERTIME_DARK,
    OVERTIME_DARK_BIT,
    OVERTIME_LIGHT,
    PICK_UP,
    PLACE,
    PLAY_PROJECT,
    PLAY_QUOTA,
    REMOVE,
    SHAPE_SIZE,
    SHAPE_SQUARES,
    SHIFT,
    SWAP,
    TAKE,
    TWO_PLAYS,
    arranged,
    card_of,
    kind_of,
    other_of,
    second_of,
    shape_of,
    slide_of,
    square_of,
)
from openplan.games.human_resources.kernel.patterns import formed, left_by


def meets_quota(table: Board, seat: i64, card: i64) -> bool:
    """HR-1.4, judged with the quota itself in hand (HR-7.1)."""
    condition = i64(table.cards.quota[card])
    other = 1 - seat
    if condition == FIVE_IN_HAND:
        return table.hand_size[seat] >= 5
    if condition == ONLY_CARD:
        return table.hand_size[seat] == 1
    if condition == MORE_SCORED:
        return table.scored_size[seat] > table.scored_size[other]
    if condition == FEWER_SCORED:
        return table.scored_size[seat] < table.scored_size[other]
    colour = table.cards.colour[card]
    base = seat * 64
    for i in range(table.hand_size[seat]):
        if table.cards.colour[i64(table.hand[base + i])] != colour:
            return False
    return table.hand_size[seat] >= 3


def apply(table: Board, move: i64) -> None:
    """Carry out a move that is known to be legal, up to the next choice of either seat."""
    kind = kind_of(move)
    card = card_of(move)
    me = table.actor
    table.changed_size = 0
    table.block_size = 0
    if kind == PLACE:
        table.take_from_hand(me, card)
        _settle_one(table, square_of(move), card)
        _after_action(table, move)
        _next_play(table)
    elif kind == PLAY_PROJECT:
        table.take_from_hand(me, card)
        table.put_in_play(me, card)
        _next_play(table)
    elif kind == PLAY_QUOTA:
        table.take_from_hand(me, card)
        table.score(me, card)
        _next_play(table)
    elif kind == CHOOSE:
        table.take_from_play(1 - me, card)
        table.give(1 - me, card)
        _finish_hire(table, move)
    elif kind == ARRANGE:
        _arrange(table, move)
        _finish_hire(table, move)
    else:
        table.take_from_hand(me, card)
        table.hiring = card
        _hire(table, kind, move)


def _hire(table: Board, kind: i64, move: i64) -> None:
    me = table.actor
    second = second_of(move)
    square = square_of(move)
    other = other_of(move)
    if kind == MOVE:
        _settle_one(table, other, table.lift(square))
    elif kind == SWAP:
        here = table.lift(square)
        there = table.lift(other)
        table.add(square, there)
        table.add(other, here)
        table.changed[0] = square
        table.changed[1] = other
        table.changed_size = 2
    elif kind == DRAW:
        if _draw(table, me):
            _finish_hire(table, move)
            return
    elif kind == SHIFT:
        _shift(table, move)
    elif kind == REMOVE:
        table.give(me, table.lift(square))
    elif kind == EXCHANGE:
        before = i64(table.colour[square])
        taken = table.lift(square)
        table.take_from_hand(me, second)
        table.add(square, second)
        table.give(me, taken)
        if i64(table.colour[square]) != before:
            table.changed[0] = square
            table.changed_size = 1
    elif kind == TWO_PLAYS:
        table.phase = AT_PLAYS
        table.plays_left = 2
        return
    elif kind == TAKE:
        table.take_from_discard(second)
        table.give(me, second)
    elif kind == PICK_UP:
        if table.play_size[1 - me] > 1:
            table.phase = AT_CHOICE
            return
        project = i64(table.play[(1 - me) * 64])
        table.take_from_play(1 - me, project)
        table.give(1 - me, project)
    elif kind == ACQUIRE:
        # HR-8.3: the VP goes to the other player's scored pile, not to the discard.
        table.take_from_play(1 - me, second)
        if table.to_hand != 0:
            table.give(me, second)
        else:
            table.put_in_play(me, second)
        table.score(1 - me, table.hiring)
        table.hiring = NONE
        _end_turn(table)
        return
    elif kind != IDLE:
        table.looked = min(table.deck_size, 4)
        if table.looked > 1:
            table.phase = AT_ARRANGING
            return
    _finish_hire(table, move)


def _settle_one(table: Board, square: i64, card: i64) -> None:
    table.add(square, card)
    table.changed[0] = square
    table.changed_size = 1
    table.recentre_if_needed()


def _shift(table: Board, move: i64) -> None:
    square = square_of(move)
    shape = shape_of(move)
    by = slide_of(move)
    count = SHAPE_SIZE[shape]
    before = vec[i64]([0, 0, 0])
    faces = vec[i64]([0, 0, 0])
    for i in range(count):
        there = square + SHAPE_SQUARES[shape * 3 + i] + by
        before[i] = i64(table.colour[there])
    for i in range(count):
        faces[i] = table.lift(square + SHAPE_SQUARES[shape * 3 + i])
    for i in range(count):
        there = square + SHAPE_SQUARES[shape * 3 + i] + by
        table.add(there, faces[i])
        table.block[i] = there
        if i64(table.colour[there]) != before[i]:
            table.changed[table.changed_size] = there
            table.changed_size += 1
    table.block_size = count
    table.recentre_if_needed()


def _arrange(table: Board, move: i64) -> None:
    for i in range(table.looked):
        table.deck[table.deck_size - 1 - i] = u8(arranged(move, i))


def _after_action(table: Board, move: i64) -> None:
    """Scoring, then Overtime (HR-8.2)."""
    _score_formed(table, table.actor, move)
    if move & OVERTIME_BITS != 0:
        card: i64 = OVERTIME_DARK if move & OVERTIME_DARK_BIT != 0 else OVERTIME_LIGHT
        table.take_from_hand(table.actor, card)
        table.throw(card)
        table.overtime_used = 1


def _score_formed(table: Board, actor: i64, move: i64) -> None:
    """Score what the action formed (HR-5.6, HR-8.1)."""
    if table.changed_size == 0:
        return
    other = 1 - actor
    mine = formed(table, actor)
    mine ^= left_by(move, mine)
    backers: i64 = 0
    theirs: i64 = 0
    for i in range(table.play_size[other]):
        if i64(table.cards.kind[i64(table.play[other * 64 + i])]) == CROWDFUNDING:
            backers += 1
    if backers != 0:
        theirs = formed(table, other)
    if mine != 0:
        # From the last to the first, so that places stay true; scored in order of time in play.
        _score_places(table, actor, actor, mine)
    while backers != 0 and theirs != 0:
        best: i64 = -1
        best_value: i64 = -1
        for i in range(table.play_size[other]):
            if theirs & BIT[i] != 0:
                value = table.cards.value[i64(table.play[other * 64 + i])]
                if value > best_value:
                    best = i
                    best_value = value
        project = i64(table.play[other * 64 + best])
        backer: i64 = NONE
        for i in range(table.play_size[other]):
            card = i64(table.play[other * 64 + i])
            if i64(table.cards.kind[card]) == CROWDFUNDING and backer == NONE:
                backer = card
        table.take_from_play(other, project)
        table.score(other, project)
        table.take_from_play(other, backer)
        table.score(actor, backer)
        backers -= 1
        theirs = formed(table, other) if backers != 0 else 0


def _score_places(table: Board, owner: i64, scorer: i64, places: i64) -> None:
    base = owner * 64
    count = table.play_size[owner]
    kept: i64 = 0
    for i in range(count):
        card = i64(table.play[base + i])
        if places & BIT[i] != 0:
            table.score(scorer, card)
        else:
            table.play[base + kept] = u8(card)
            kept += 1
    table.play_size[owner] = kept


def _finish_hire(table: Board, move: i64) -> None:
    # HR-6.1: a manager is discarded after its effect.
    table.throw(table.hiring)
    table.hiring = NONE
    table.looked = 0
    if table.phase != AT_END:
        table.phase = AT_TURN
        _after_action(table, move)
        _end_turn(table)


def _next_play(table: Board) -> None:
    """After a play from the hand: the turn's own, or one of two (HR-6.9)."""
    if table.phase == AT_PLAYS:
        table.plays_left -= 1
        if table.plays_left != 0 and table.hand_size[table.actor] != 0:
            return
        table.plays_left = 0
        table.throw(table.hiring)
        table.hiring = NONE
        table.phase = AT_TURN
    _end_turn(table)


def _draw(table: Board, seat: i64) -> bool:
    """Draw a card; true if it was the last, which ends the game at once (HR-3.2)."""
    table.deck_size -= 1
    table.give(seat, i64(table.deck[table.deck_size]))
    if table.deck_size == 0:
        table.phase = AT_END
        return True
    return False


def _end_turn(table: Board) -> None:
    if _draw(table, table.actor):
        return
    if table.overtime_used == 0:
        table.actor = 1 - table.actor
    table.overtime_used = 0
