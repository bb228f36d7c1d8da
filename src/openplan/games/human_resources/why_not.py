"""Why a move is refused: what the rules have against it, read from a view alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from openplan.core.game import OPEN, Refusal
from openplan.core.grid import Square, flood, format_square, neighbours
from openplan.games.human_resources.cards import NUMBER, colour_of, number_of, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.moves import is_action
from openplan.games.human_resources.kernel.patterns import completes, formed_cards
from openplan.games.human_resources.kernel.turn import meets_quota
from openplan.games.human_resources.text.notation import Move, shape_of, shifted, step_of, to_kernel
from openplan.games.human_resources.view import SEATS, OfficeView


def objections(view_: OfficeView, move: Move) -> Iterator[Refusal]:
    """What the rules have against a move, the first reason first; nothing if it is legal."""
    phase, me = view_.phase, view_.to_act
    if me is None:
        yield Refusal("over", "HR-3.2")
        return
    if view_.viewer not in (OPEN, me):
        yield Refusal("not-your-turn", "HR-3.1", {"seat": SEATS[me]})
        return
    if phase == codes.AT_CHOICE:
        yield from _object_to_choice(view_, move, me)
    elif phase == codes.AT_ARRANGING:
        yield from _object_to_order(view_, move)
    elif move.kind == codes.CHOOSE:
        yield Refusal("nothing-to-pick-up", "HR-6.11")
    elif move.kind == codes.ARRANGE:
        yield Refusal("nothing-to-arrange", "HR-8.4")
    else:
        card = move.cards[0]
        if number_of(card) not in view_.hands[me]:
            yield Refusal("not-in-hand", "HR-3.1", {"card": card})
            return
        if move.kind != codes.PLACE:
            yield from _object_to_card(view_, move, me)
        office = {square: colour_of(number) for square, number, _ in view_.office}
        if move.kind == codes.PLACE:
            yield from _object_to_place(office, move.squares[0], "HR-4.1")
        elif move.is_hire:
            yield from _object_to_effect(view_, office, move, me)
    if move.leave:
        yield from _object_to_leaving(view_, move)
    if move.overtime:
        yield from _object_to_overtime(view_, move, me)


def _object_to_choice(view_: OfficeView, move: Move, me: int) -> Iterator[Refusal]:
    if move.kind != codes.CHOOSE:
        yield Refusal("must-pick-up", "HR-6.11")
    elif NUMBER[move.cards[0]] not in view_.play[me]:
        yield Refusal("not-in-play", "HR-6.11", {"card": move.cards[0]})


def _object_to_order(view_: OfficeView, move: Move) -> Iterator[Refusal]:
    if move.kind != codes.ARRANGE:
        yield Refusal("must-arrange", "HR-8.4")
        return
    cards = [number_of(card) for card in move.cards]
    pile = view_.draw_pile[: view_.looked]
    # In another viewer's record they are covered, and all that can be judged is how many.
    is_covered = any(number >= codes.CARDS for number in (*cards, *pile))
    if len(cards) != len(pile) or (not is_covered and sorted(cards) != sorted(pile)):
        yield Refusal("wrong-cards", "HR-8.4", {"count": view_.looked})


def _object_to_card(view_: OfficeView, move: Move, me: int) -> Iterator[Refusal]:
    """HR-3.1, HR-6.1, HR-6.9: is this a card to be used so, now?"""
    card = view_.deck.card[move.cards[0]]
    if move.kind == codes.PLAY_PROJECT and card.kind not in ("project", "crowdfunding"):
        yield Refusal("not-a-project", "HR-5.1", {"card": card.name})
    elif move.kind == codes.PLAY_QUOTA:
        if card.kind != "quota":
            yield Refusal("not-a-quota", "HR-7.1", {"card": card.name})
        elif not meets_quota(view_.table(), me, NUMBER[card.name]):
            yield Refusal("quota-not-met", "HR-7.1", {"card": card.name, "quota": card.quota})
    elif move.is_hire:
        if view_.phase == codes.AT_PLAYS:
            yield Refusal("no-hiring", "HR-6.9", {"card": card.name})
        if card.kind not in ("manager", "acquisitions", "operations"):
            yield Refusal("not-a-manager", "HR-6.1", {"card": card.name})
        elif move.kind == codes.IDLE:
            if view_.house["idle"] == "no":
                yield Refusal("no-idling", "HR-6.1", {"card": card.name})
        elif _ability(view_, card.name) != move.kind:
            yield Refusal("wrong-ability", "HR-6.1", {"card": card.name})


def _ability(view_: OfficeView, card: str) -> int:
    kind = view_.deck.card[card].kind
    if kind == "manager":
        return 3 + int(card[1:3])
    return codes.ACQUIRE if kind == "acquisitions" else codes.LOOK


def _object_to_place(
    office: Mapping[Square, str], square: Square, clause: str
) -> Iterator[Refusal]:
    if square in office:
        yield Refusal("occupied", clause, {"square": format_square(square)})
    elif not any(other in office for other in neighbours(square)):
        yield Refusal("not-adjacent", clause, {"square": format_square(square)})


_CLAUSE: Final = {
    codes.MOVE: "HR-6.3",
    codes.SWAP: "HR-6.4",
    codes.SHIFT: "HR-6.6",
    codes.REMOVE: "HR-6.7",
    codes.EXCHANGE: "HR-6.8",
}


def _object_to_effect(
    view_: OfficeView, office: Mapping[Square, str], move: Move, me: int
) -> Iterator[Refusal]:
    """HR-6 and HR-8.3: can the instruction be carried out as named?"""
    other = 1 - me
    if move.kind in (codes.EXCHANGE, codes.TWO_PLAYS) and len(view_.hands[me]) < 2:
        yield Refusal("nothing-else-in-hand", "HR-6.1")
    if move.kind == codes.TAKE:
        if not view_.discard:
            yield Refusal("discard-empty", "HR-6.1")
        elif NUMBER[move.cards[1]] not in view_.discard:
            yield Refusal("not-in-discard", "HR-6.10", {"card": move.cards[1]})
    if move.kind in (codes.PICK_UP, codes.ACQUIRE) and not view_.play[other]:
        yield Refusal("no-project", "HR-6.1")
    if move.kind == codes.ACQUIRE and NUMBER[move.cards[1]] not in view_.play[other]:
        yield Refusal("not-in-play", "HR-8.3", {"card": move.cards[1]})
    if move.kind == codes.EXCHANGE:
        if move.cards[1] == move.cards[0]:
            yield Refusal("hired-card", "HR-6.8", {"card": move.cards[1]})
        elif number_of(move.cards[1]) not in view_.hands[me]:
            yield Refusal("not-in-hand", "HR-6.8", {"card": move.cards[1]})
    sources = move.squares[:1] if move.kind == codes.MOVE else move.squares
    for square in sources:
        if square not in office:
            yield Refusal("no-cubicle", _CLAUSE[move.kind], {"square": format_square(square)})
    rest = {square for square in office if square not in sources}
    if move.kind == codes.MOVE:
        yield from _object_to_move(office, rest, move.squares[1])
    elif move.kind == codes.SWAP:
        yield from _object_to_swap(office, move.squares)
    elif move.kind == codes.SHIFT:
        yield from _object_to_shift(rest, move)
    elif move.kind == codes.REMOVE:
        if not rest:
            yield Refusal("last-cubicle", "HR-6.2")
        elif not _one_piece(rest):
            yield Refusal("breaks-office", "HR-6.2")


def _object_to_move(
    office: Mapping[Square, str], rest: set[Square], to: Square
) -> Iterator[Refusal]:
    if not rest:
        yield Refusal("last-cubicle", "HR-6.3")
    elif to in office:
        yield Refusal("occupied", "HR-6.3", {"square": format_square(to)})
    elif not any(square in rest for square in neighbours(to)):
        yield Refusal("not-adjacent", "HR-6.3", {"square": format_square(to)})
    elif not _one_piece(rest | {to}):
        yield Refusal("breaks-office", "HR-6.2")


def _object_to_swap(office: Mapping[Square, str], squares: tuple[Square, ...]) -> Iterator[Refusal]:
    here, there = squares
    names = {"square": format_square(here), "other": format_square(there)}
    if there not in neighbours(here):
        yield Refusal("not-neighbours", "HR-6.4", names)
    elif office[here] == office[there]:
        yield Refusal("same-colour", "HR-6.4", names)


def _object_to_shift(rest: set[Square], move: Move) -> Iterator[Refusal]:
    if shape_of(move.squares) is None:
        yield Refusal("not-a-group", "HR-6.6")
    elif not rest:
        yield Refusal("whole-office", "HR-6.6")
    else:
        dx, dy = step_of(move.direction)
        for distance in range(1, move.distance + 1):
            for x, y in move.squares:
                there = Square(x + dx * distance, y + dy * distance)
                if there in rest:
                    yield Refusal("blocked", "HR-6.6", {"square": format_square(there)})
                    return
        if not _one_piece(rest | set(shifted(move))):
            yield Refusal("breaks-office", "HR-6.2")


def _one_piece(squares: set[Square]) -> bool:
    return len(flood(next(iter(squares)), squares.__contains__)) == len(squares)


def _object_to_leaving(view_: OfficeView, move: Move) -> Iterator[Refusal]:
    """HR-5.6. Like Overtime it is asked only of a move that is legal without it."""
    if view_.house["leave"] == "no":
        yield Refusal("no-leaving", "HR-5.6")
    table = view_.table()
    packed = to_kernel(table, move._replace(leave=(), overtime=""))
    formed = [shown(card) for card in formed_cards(table, packed)] if is_action(packed) else []
    for card in move.leave:
        if card not in formed:
            yield Refusal("not-formed", "HR-5.6", {"card": card})
        elif card not in formed[: codes.LEAVABLE]:
            yield Refusal("leave-limit", "HR-5.6", {"card": card, "most": codes.LEAVABLE})


def _object_to_overtime(view_: OfficeView, move: Move, me: int) -> Iterator[Refusal]:
    """HR-8.2. Comes last: only of a move that is legal without it can one ask what it completes."""
    if (
        view_.deck.card[move.overtime].kind != "overtime"
        or NUMBER[move.overtime] not in view_.hands[me]
        or move.overtime in move.cards
    ):
        yield Refusal("overtime-not-in-hand", "HR-8.2", {"card": move.overtime})
    elif view_.overtime_used:
        yield Refusal("overtime-used", "HR-8.2")
    else:
        table = view_.table()
        packed = to_kernel(table, move)
        if not (is_action(packed) and completes(table, packed)):
            yield Refusal("overtime-completes-nothing", "HR-8.2")
