"""Managers and VPs, clause by clause (HR-6, HR-8.3, HR-8.4): what refuses each and what it does.

`rules.py` says how these stand in a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openplan.core.game import Event, Refusal, Seat, Secret
from openplan.core.grid import Square, flood, format_square, neighbours
from openplan.games.human_resources.cards import NUMBER, colour_of, number_of, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import NO_TOKEN, SEATS, State, eye
from openplan.games.human_resources.telling import (
    Play,
    Refusals,
    Told,
    colours,
    openly,
    secret,
    those,
    who,
)
from openplan.games.human_resources.text.notation import (
    DIRECTIONS,
    Move,
    format_move,
    shape_of,
    shifted,
    step_of,
)
from openplan.games.human_resources.view import OfficeView

# -- HR-6.1 Hiring ----------------------------------------------------------------------------


def refuse_hiring(view: OfficeView, move: Move) -> Refusals:
    card = view.deck.card[move.cards[0]]
    if view.phase == codes.AT_PLAYS:
        yield Refusal("no-hiring", "HR-6.9", {"card": card.name})
    if card.kind not in ("manager", "acquisitions", "operations"):
        yield Refusal("not-a-manager", "HR-6.1", {"card": card.name})
    elif move.kind != codes.IDLE and _ability(view, card.name) != move.kind:
        yield Refusal("wrong-ability", "HR-6.1", {"card": card.name})


def _ability(view: OfficeView, card: str) -> int:
    kind = view.deck.card[card].kind
    if kind == "manager":
        return 3 + int(card[1:3])
    return codes.ACQUIRE if kind == "acquisitions" else codes.LOOK


def _hire(state: State, seat: Seat, move: Move) -> Told:
    """One whose effect is told by other events, or who has none."""
    return openly(state, seat, move, HIRED[move.kind], "HR-6.1")


HIRED: Final = {
    codes.DRAW: "hired-draw",
    codes.TWO_PLAYS: "hired-two-plays",
    codes.PICK_UP: "hired-pick-up",
    codes.LOOK: "hired-look",
    codes.IDLE: "hired-idle",
}


def _refuse_idling(view: OfficeView, move: Move, me: int) -> Refusals:
    """HR-6.1, with the house rule `idle`."""
    if view.house["idle"] == "no":
        yield Refusal("no-idling", "HR-6.1", {"card": move.cards[0]})


def _refuse_without_another(view: OfficeView, move: Move, me: int) -> Refusals:
    """HR-6.1: exchanging and two plays need another card in the hand."""
    if len(view.hands[me]) < 2:
        yield Refusal("nothing-else-in-hand", "HR-6.1")


def _refuse_without_project(view: OfficeView, move: Move, me: int) -> Refusals:
    """HR-6.1: picking up and acquiring need a project before the other player."""
    if not view.play[1 - me]:
        yield Refusal("no-project", "HR-6.1")


def _refuse_no_cubicle(view: OfficeView, squares: Sequence[Square], clause: str) -> Refusals:
    office = colours(view)
    for square in squares:
        if square not in office:
            yield Refusal("no-cubicle", clause, {"square": format_square(square)})


def _one_piece(squares: set[Square]) -> bool:
    """HR-6.2."""
    return len(flood(next(iter(squares)), squares.__contains__)) == len(squares)


# -- HR-6.3 Move ------------------------------------------------------------------------------


def _refuse_move(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_no_cubicle(view, move.squares[:1], "HR-6.3")
    here, there = move.squares
    office = colours(view)
    rest = {square for square in office if square != here}
    if not rest:
        yield Refusal("last-cubicle", "HR-6.3")
    elif there in office:
        yield Refusal("occupied", "HR-6.3", {"square": format_square(there)})
    elif not any(square in rest for square in neighbours(there)):
        yield Refusal("not-adjacent", "HR-6.3", {"square": format_square(there)})
    elif not _one_piece(rest | {there}):
        yield Refusal("breaks-office", "HR-6.2")


def _move(state: State, seat: Seat, move: Move) -> Told:
    here, there = move.squares
    state.carry([(here, there)])
    where = {"square": format_square(here), "to": format_square(there)}
    return openly(state, seat, move, "moved", "HR-6.3", where)


# -- HR-6.4 Swap ------------------------------------------------------------------------------


def _refuse_swap(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_no_cubicle(view, move.squares, "HR-6.4")
    here, there = move.squares
    office = colours(view)
    names = {"square": format_square(here), "other": format_square(there)}
    if there not in neighbours(here):
        yield Refusal("not-neighbours", "HR-6.4", names)
    elif office[here] == office[there]:
        yield Refusal("same-colour", "HR-6.4", names)


def _swap(state: State, seat: Seat, move: Move) -> Told:
    here, there = move.squares
    state.carry([(here, there), (there, here)])
    where = {"square": format_square(here), "other": format_square(there)}
    return openly(state, seat, move, "swapped", "HR-6.4", where)


# -- HR-6.6 Shift -----------------------------------------------------------------------------


def _refuse_shift(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_no_cubicle(view, move.squares, "HR-6.6")
    rest = colours(view).keys() - set(move.squares)
    if shape_of(move.squares) is None:
        yield Refusal("not-a-group", "HR-6.6")
    elif not rest:
        yield Refusal("whole-office", "HR-6.6")
    dx, dy = step_of(move.direction)
    for distance in range(1, move.distance + 1):
        for x, y in move.squares:
            there = Square(x + dx * distance, y + dy * distance)
            if there in rest:
                yield Refusal("blocked", "HR-6.6", {"square": format_square(there)})
    if not _one_piece(rest | set(shifted(move))):
        yield Refusal("breaks-office", "HR-6.2")


def _shift(state: State, seat: Seat, move: Move) -> Told:
    state.carry(list(zip(move.squares, shifted(move), strict=True)))
    where = {
        "squares": tuple(format_square(square) for square in move.squares),
        "direction": DIRECTIONS[move.direction],
        "distance": move.distance,
    }
    return openly(state, seat, move, "shifted", "HR-6.6", where)


# -- HR-6.7 Remove ----------------------------------------------------------------------------


def _refuse_removal(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_no_cubicle(view, move.squares, "HR-6.7")
    rest = colours(view).keys() - set(move.squares)
    if not rest:
        yield Refusal("last-cubicle", "HR-6.2")
    elif not _one_piece(rest):
        yield Refusal("breaks-office", "HR-6.2")


def _remove(state: State, seat: Seat, move: Move) -> Told:
    """Who takes it sees what it is."""
    square = move.squares[0]
    taken = _lying(state, square)
    state.show(seat, NUMBER[move.cards[0]])
    state.lift(seat, taken, square)
    params = {**who(seat, move), "square": format_square(square), "taken": secret(state, taken)}
    return format_move(move), Event("removed", "HR-6.7", params, _took(state, taken))


# -- HR-6.8 Exchange --------------------------------------------------------------------------


def _refuse_exchange(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_without_another(view, move, me)
    manager, card = move.cards
    if card == manager:
        yield Refusal("hired-card", "HR-6.8", {"card": card})
    elif number_of(card) not in view.hands[me]:
        yield Refusal("not-in-hand", "HR-6.8", {"card": card})
    yield from _refuse_no_cubicle(view, move.squares, "HR-6.8")


def _exchange(state: State, seat: Seat, move: Move) -> Told:
    """The card leaves the hand before the cubicle is in it (HR-10.3), and the square's record
    changes from the cubicle lifted to the card laid."""
    square = move.squares[0]
    taken, laid = _lying(state, square), number_of(move.cards[1])
    state.show(seat, NUMBER[move.cards[0]])
    token = state.laid.pop(square, NO_TOKEN)
    state.lay(seat, laid, square, NUMBER[move.cards[0]])
    state.mark(taken, state.known[taken] | eye(seat))
    state.tell("lift", seat, taken, token)
    params = {
        **who(seat, move),
        "square": format_square(square),
        "laid": secret(state, laid),
        "taken": secret(state, taken),
    }
    covered = format_move(move._replace(cards=(move.cards[0], colour_of(laid))))
    text = Secret(format_move(move), covered, those(state.known[laid]))
    return text, Event("exchanged", "HR-6.8", params, _took(state, taken))


def _lying(state: State, square: Square) -> int:
    return int(state.table.face[state.table.square_at(square.x, square.y)])


def _took(state: State, card: int) -> Secret:
    face = secret(state, card)
    return Secret(f"took {face.text}", f"took {face.cover}", face.knows)


# -- HR-6.10 From the discard -----------------------------------------------------------------


def _refuse_taking(view: OfficeView, move: Move, me: int) -> Refusals:
    if not view.discard:
        yield Refusal("discard-empty", "HR-6.1")
    elif NUMBER[move.cards[1]] not in view.discard:
        yield Refusal("not-in-discard", "HR-6.10", {"card": move.cards[1]})


def _take(state: State, seat: Seat, move: Move) -> Told:
    told = openly(state, seat, move, "took", "HR-6.10", {"taken": move.cards[1]})
    state.gain(seat, NUMBER[move.cards[1]])
    return told


# -- HR-6.11 Pick-up --------------------------------------------------------------------------


def _refuse_choice(view: OfficeView, move: Move, me: int) -> Refusals:
    if view.phase != codes.AT_CHOICE:
        yield Refusal("nothing-to-pick-up", "HR-6.11")
    elif NUMBER[move.cards[0]] not in view.play[me]:
        yield Refusal("not-in-play", "HR-6.11", {"card": move.cards[0]})


def _choose(state: State, seat: Seat, move: Move) -> Told:
    return format_move(move), pick_up(state, seat, number_of(move.cards[0]))


def pick_up(state: State, seat: int, card: int) -> Event:
    state.gain(seat, card)
    return Event("picked-up", "HR-6.11", {"seat": SEATS[seat], "card": shown(card)})


# -- HR-8.3 VP of Acquisitions ----------------------------------------------------------------


def _refuse_acquiring(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_without_project(view, move, me)
    if NUMBER[move.cards[1]] not in view.play[1 - me]:
        yield Refusal("not-in-play", "HR-8.3", {"card": move.cards[1]})


def _acquire(state: State, seat: Seat, move: Move) -> Told:
    to_hand = state.house["to-hand"] == "yes"
    code = "acquired-to-hand" if to_hand else "acquired"
    more = {"taken": move.cards[1], "value": state.deck.card[move.cards[0]].value}
    told = openly(state, seat, move, code, "HR-8.3", more)
    if to_hand:
        state.gain(seat, NUMBER[move.cards[1]])
    return told


# -- HR-8.4 VP of Operations ------------------------------------------------------------------


def look(state: State, seat: Seat, cards: Sequence[int]) -> Event:
    for card in cards:
        state.mark(card, state.known[card] | eye(seat))
    names = " ".join(shown(card) for card in cards)
    fact = Secret(f"looked {names}", f"looked {len(cards)}", frozenset({seat}))
    seen = Secret(names, None, frozenset({seat}))
    params = {"seat": SEATS[seat], "count": len(cards), "cards": seen}
    return Event("looked", "HR-8.4", params, fact)


def _refuse_arranging(view: OfficeView, move: Move, me: int) -> Refusals:
    if view.phase != codes.AT_ARRANGING:
        yield Refusal("nothing-to-arrange", "HR-8.4")
    cards = [number_of(card) for card in move.cards]
    pile = view.draw_pile[: view.looked]
    # In another viewer's record they are covered, and all that can be judged is how many.
    is_covered = any(number >= codes.CARDS for number in (*cards, *pile))
    if len(cards) != len(pile) or (not is_covered and sorted(cards) != sorted(pile)):
        yield Refusal("wrong-cards", "HR-8.4", {"count": view.looked})


def _arrange(state: State, seat: Seat, move: Move) -> Told:
    """The other learns the new top's back."""
    cards = [number_of(card) for card in move.cards]
    state.arrange(seat, state.table.deck_list()[: len(cards)], cards)
    covered = move._replace(cards=(colour_of(cards[0]), *("?" for _ in cards[1:])))
    text = Secret(format_move(move), format_move(covered), frozenset({seat}))
    return text, Event("arranged", "HR-8.4", {"seat": SEATS[seat], "count": len(cards)})


# -- All of them ------------------------------------------------------------------------------


def _refuse_nothing(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from ()


MANAGERS: Final = {
    codes.IDLE: Play(_refuse_idling, _hire),
    codes.MOVE: Play(_refuse_move, _move),
    codes.SWAP: Play(_refuse_swap, _swap),
    codes.DRAW: Play(_refuse_nothing, _hire),  # HR-6.5
    codes.SHIFT: Play(_refuse_shift, _shift),
    codes.REMOVE: Play(_refuse_removal, _remove),
    codes.EXCHANGE: Play(_refuse_exchange, _exchange),
    codes.TWO_PLAYS: Play(_refuse_without_another, _hire),  # HR-6.9
    codes.TAKE: Play(_refuse_taking, _take),
    codes.PICK_UP: Play(_refuse_without_project, _hire),
    codes.CHOOSE: Play(_refuse_choice, _choose),
    codes.ACQUIRE: Play(_refuse_acquiring, _acquire),
    codes.LOOK: Play(_refuse_nothing, _hire),
    codes.ARRANGE: Play(_refuse_arranging, _arrange),
}
