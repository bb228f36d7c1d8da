"""The course of a match of Human Resources once more, straight from the clauses, in the office of
the other file: legal moves, playing them, beginning and end.

Nothing of the engine is imported here, nor may it be. `play` trusts its caller: the move must come
from `legal_moves` of the same position.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from .human_resources_office import (
    DIRECTIONS,
    OTHER,
    Change,
    Office,
    Position,
    can_be_project,
    change_of,
    colour,
    empty_squares_beside,
    groups_up_to_three,
    is_one_piece,
    neighbours,
    parse_square,
    projects_formed,
    reading_order,
    slid,
    square_name,
    title,
)

# --- Legal moves ----------------------------------------------------------------------------


def quota_holds(position: Position, seat: str, card: str) -> bool:
    """HR-1.4 and HR-7.1: judged with the quota itself still in hand."""
    hand = position.hands[seat]
    dark = sum(colour(held) == "d" for held in hand)
    light = sum(colour(held) == "l" for held in hand)
    scored = len(position.scored[seat])
    others_scored = len(position.scored[OTHER[seat]])
    return {
        "Q01d": dark >= 3 and light == 0,
        "Q02d": len(hand) >= 5,
        "Q03d": scored > others_scored,
        "Q01l": light >= 3 and dark == 0,
        "Q02l": len(hand) == 1,
        "Q03l": scored < others_scored,
    }[card]


def plain_plays(position: Position, seat: str, card: str) -> Iterator[str]:
    """The card as a cubicle, a project or a quota (HR-4, HR-5.1, HR-7)."""
    for square in empty_squares_beside(position.office):
        yield f"place {card} {square_name(square)}"
    if can_be_project(card):
        yield f"project {card}"
    if card.startswith("Q") and quota_holds(position, seat, card):
        yield f"quota {card}"


def move_hires(office: Office) -> Iterator[str]:
    for start in office:
        others = set(office) - {start}
        # HR-6.3: to an empty square other than its own, beside one of the others.
        for end in empty_squares_beside(others) - {start}:
            if is_one_piece(others | {end}):
                yield f"move {square_name(start)} {square_name(end)}"


def swap_hires(office: Office) -> Iterator[str]:
    for one, two in itertools.combinations(reading_order(office), 2):
        if two in neighbours(one) and colour(office[one]) != colour(office[two]):
            yield f"swap {square_name(one)} {square_name(two)}"


def shift_hires(office: Office) -> Iterator[str]:
    # One more than this far, even the hindmost cubicle has lost touch with all that stayed.
    columns = [x for x, _ in office]
    rows = [y for _, y in office]
    farthest = max(max(columns) - min(columns), max(rows) - min(rows)) + 1
    for group in groups_up_to_three(office):
        others = set(office) - group
        if not others:
            continue  # HR-6.6: never the whole office.
        names = "+".join(square_name(square) for square in reading_order(group))
        for direction in DIRECTIONS:
            for distance in range(1, farthest + 1):
                landed = slid(group, direction, distance)
                if landed & others:
                    break  # HR-6.6: here is a cubicle, and it cannot be passed through.
                if is_one_piece(others | landed):
                    yield f"shift {names} {direction} {distance}"


def remove_hires(office: Office) -> Iterator[str]:
    for square in office:
        if is_one_piece(set(office) - {square}):
            yield f"remove {square_name(square)}"


def hires(position: Position, seat: str, card: str) -> Iterator[str]:
    """What follows `hire CARD` in every way the card can be hired (HR-6, HR-8.3, HR-8.4)."""
    office = position.office
    others_in_hand = [held for held in position.hands[seat] if held != card]
    match title(card):
        case "M01":
            yield from move_hires(office)
        case "M02":
            yield from swap_hires(office)
        case "M03" if position.deck:
            yield "draw"
        case "M04":
            yield from shift_hires(office)
        case "M05":
            yield from remove_hires(office)
        case "M06":
            for held in others_in_hand:
                for square in office:
                    yield f"exchange {held} {square_name(square)}"
        case "M07" if others_in_hand:
            yield "two-plays"
        case "M08":
            for discarded in position.discard:
                yield f"take {discarded}"
        case "M09" if position.play[OTHER[seat]]:
            yield "pick-up"
        case "X03":
            for project in position.play[OTHER[seat]]:
                yield f"acquire {project}"
        case "X04" if position.deck:
            yield "look"
    # HR-6.1, where the table says so: for no effect, whether or not there was work to do.
    if position.idle and (card.startswith("M") or title(card) in ("X03", "X04")):
        yield "idle"


def overtime_at_hand(position: Position, words: list[str]) -> list[str]:
    """The Overtime cards that could be used with this move if it completes a project (HR-8.2)."""
    if position.overtime_used:
        return []
    return sorted(
        card
        for card in position.hands[position.to_act]
        if title(card) == "X02" and card not in words
    )


def legal_moves(position: Position) -> set[str]:
    """Every legal move of the seat to act, as written, each `overtime` variant included."""
    if position.over:
        return set()
    seat = position.to_act
    if position.phase == "pick-up":
        return {f"pick-up {card}" for card in position.play[seat]}
    if position.phase == "arrange":
        return {f"arrange {' '.join(order)}" for order in itertools.permutations(position.deck[:4])}
    moves = set()
    for card in position.hands[seat]:
        moves |= set(plain_plays(position, seat, card))
        # HR-6.9: nobody is hired as one of two plays.
        if position.phase == "turn":
            moves |= {f"hire {card} {rest}" for rest in hires(position, seat, card)}
    declared = set()
    for move in moves:
        words = move.split()
        cards = overtime_at_hand(position, words)
        if position.play[seat] and (cards or position.leave):
            change = change_of(position.office, words)
            formed = projects_formed(position, seat, change) if change is not None else []
            for left in what_may_be_left(position, formed):
                told = f"{move} leave {' '.join(sorted(left))}" if left else move
                declared.add(told)
                # HR-8.2: there must be one that is completed.
                if len(left) < len(formed):
                    declared |= {f"{told} overtime {card}" for card in cards}
    return moves | declared


def what_may_be_left(position: Position, formed: list[str]) -> Iterator[tuple[str, ...]]:
    """HR-5.6: nothing, or where the table says so any of the four longest in play."""
    yield ()
    if position.leave:
        for count in range(1, 5):
            yield from itertools.combinations(formed[:4], count)


# --- Playing a move -------------------------------------------------------------------------


def draw(table: Position) -> None:
    """HR-3.2: the game is over at the moment the last card is drawn, whatever drew it."""
    table.hands[table.actor].append(table.deck.pop(0))
    if not table.deck:
        table.over = True
        table.to_act = table.actor
        table.phase = "turn"
        table.plays_left = 0
        table.overtime_used = False


def discard_manager(table: Position) -> None:
    assert table.hiring is not None
    table.discard.append(table.hiring)
    table.hiring = None


def end_turn(table: Position) -> None:
    """The draw, and then the next turn, which after Overtime is the same player's (HR-8.2)."""
    draw(table)
    if table.over:
        return
    if not table.overtime_used:
        table.actor = OTHER[table.actor]
    table.to_act = table.actor
    table.phase = "turn"
    table.overtime_used = False


def score_change(table: Position, change: Change, left: list[str]) -> None:
    """Put the changed office on the table and score all it completes (HR-5.6, HR-8.1)."""
    actor = table.actor
    owner = OTHER[actor]
    completed = [card for card in projects_formed(table, actor, change) if card not in left]
    formed_for_owner = projects_formed(table, owner, change)
    table.office = change.office
    for project in completed:
        table.play[actor].remove(project)
        table.scored[actor].append(project)
    # HR-8.1: the most valuable first; sorting is stable, so equals stay longest in play first.
    formed_for_owner.sort(key=lambda project: -table.values[project])
    funds = [card for card in table.play[owner] if title(card) == "X01"]
    for project, fund in zip(formed_for_owner, funds, strict=False):
        table.play[owner].remove(project)
        table.scored[owner].append(project)
        table.play[owner].remove(fund)
        table.scored[actor].append(fund)


def use_overtime(table: Position, overtime: str | None) -> None:
    if overtime is not None:
        table.hands[table.actor].remove(overtime)
        table.discard.append(overtime)
        table.overtime_used = True


def carry_out_plain_play(table: Position, words: list[str], left: list[str]) -> None:
    verb, card = words[:2]
    seat = table.actor
    table.hands[seat].remove(card)
    if verb == "project":
        table.play[seat].append(card)
    elif verb == "quota":
        table.scored[seat].append(card)
    else:
        change = change_of(table.office, words)
        assert change is not None, words
        score_change(table, change, left)


def carry_out_hire(
    table: Position, words: list[str], left: list[str], overtime: str | None
) -> None:
    card, ability, *rest = words[1:]
    seat = table.actor
    other = OTHER[seat]
    table.hands[seat].remove(card)

    # HR-6.1: nothing that the card says is done, so that a VP goes to the discard pile too.
    if ability == "idle":
        table.discard.append(card)
        end_turn(table)
        return

    # HR-8.3: the one card that is hired and not discarded.
    if ability == "acquire":
        table.play[other].remove(rest[0])
        (table.hands if table.to_hand else table.play)[seat].append(rest[0])
        table.scored[other].append(card)
        end_turn(table)
        return

    table.hiring = card
    change = change_of(table.office, words)
    if change is not None:
        before = table.office
        if ability == "exchange":
            table.hands[seat].remove(rest[0])
            table.hands[seat].append(before[parse_square(rest[1])])
        if ability == "remove":
            table.hands[seat].append(before[parse_square(rest[0])])
        discard_manager(table)
        score_change(table, change, left)
        use_overtime(table, overtime)
        end_turn(table)
    elif ability == "draw":
        draw(table)
        discard_manager(table)
        if not table.over:
            end_turn(table)
    elif ability == "two-plays":
        table.phase = "two-plays"
        table.plays_left = 2
    elif ability == "take":
        table.discard.remove(rest[0])
        table.hands[seat].append(rest[0])
        discard_manager(table)
        end_turn(table)
    elif ability == "pick-up":
        table.phase = "pick-up"
        table.to_act = other
        if len(table.play[other]) == 1:
            carry_out_pick_up(table, table.play[other][0])
    elif ability == "look":
        table.phase = "arrange"
        if len(table.deck) == 1:
            carry_out_arrange(table, table.deck[:1])


def carry_out_pick_up(table: Position, card: str) -> None:
    seat = table.to_act
    table.play[seat].remove(card)
    table.hands[seat].append(card)
    discard_manager(table)
    end_turn(table)


def carry_out_arrange(table: Position, order: list[str]) -> None:
    table.deck[: len(order)] = order
    discard_manager(table)
    end_turn(table)


def play(position: Position, move: str) -> Position:
    """The position after the move, with all that follows by itself until somebody must choose."""
    table = position.copy()
    words = move.split()
    overtime = None
    if "overtime" in words:
        overtime = words[-1]
        words = words[:-2]
    left: list[str] = []
    if "leave" in words:
        left = words[words.index("leave") + 1 :]
        words = words[: words.index("leave")]

    if words[0] == "pick-up":
        carry_out_pick_up(table, words[1])
    elif words[0] == "arrange":
        carry_out_arrange(table, words[1:])
    elif words[0] == "hire":
        carry_out_hire(table, words, left, overtime)
    else:
        carry_out_plain_play(table, words, left)
        use_overtime(table, overtime)
        if table.phase == "two-plays":
            table.plays_left -= 1
            # HR-6.9: the second play falls away only for want of cards.
            if table.plays_left > 0 and table.hands[table.actor]:
                return table
            table.plays_left = 0
            discard_manager(table)
        end_turn(table)
    return table


# --- Beginning and end (HR-2.3, HR-9) -------------------------------------------------------


def points(cards: list[str], values: dict[str, int]) -> int:
    """Printed points; a card without a number counts nothing."""
    return sum(values.get(card, 0) for card in cards)


def first_player(hands: dict[str, list[str]], values: dict[str, int]) -> str | None:
    """Who starts; None if chance must decide."""
    total = {seat: points(hands[seat], values) for seat in ("A", "B")}
    if total["A"] == total["B"]:
        return None
    return "A" if total["A"] < total["B"] else "B"


def outcome(position: Position) -> str | None:
    """The winner or `draw`; None while the game goes on."""
    if not position.over:
        return None
    measures: dict[str, list[int]] = {}
    for seat in ("A", "B"):
        scored = position.scored[seat]
        measures[seat] = [
            points(scored, position.values),
            len(scored),
            max((position.values.get(card, 0) for card in scored), default=0),
        ]
    for of_a, of_b in zip(measures["A"], measures["B"], strict=True):
        if of_a != of_b:
            return "A" if of_a > of_b else "B"
    return "draw"
