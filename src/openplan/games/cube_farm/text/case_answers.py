"""What the numbered cases ask of this game beyond its views. Each answer is the text after
`expect` as it would have to read to be true:

    placed S 1 card                       what became of an order of the turn adjudicated last:
    lost S 1 card covered CF-4.1          placed, lost (with code and clause), or
    nothing S 1 card                      nothing, for there was no such order
    filled top E1S1 E2S1                  the squares that became floor in that turn
    ordered S 1: card 5 N2                S's orders of that turn as everybody was told them
    cube top E1 E1,E2                     all squares of the cube at E1
    employee top E1 S                     who is in that cube
    square top E1 filled                  what lies there
    card top E1 23                        and which card brought it
    score top E1 5                        that employee's points, as if scored now
    bonus top E1 P@E3 4 steps 3           a part of them; penalty and extra likewise; steps may be
    penalty top E1 V@E4 none              left out, and what is not scored is `none`
    fits top 23 E3/1                      a card or an employee judged on the floor as it stands
    illegal top employee E3 taken CF-5.1
    total S 12                            all of a department's points, as if scored now
    turn 3                                the turn whose orders are due, or `turn over`
    awaited S T                           who has not sent orders
    orders S none                         sealed orders; `view P orders S: ...` as P sees them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from openplan.core.game import OPEN, Illegal, Seat, Viewer
from openplan.core.grid import Square, format_square, parse_square, reading_order
from openplan.core.match import Match
from openplan.games.cube_farm.cards import KIND_NAMES, LETTERS
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import why_card
from openplan.games.cube_farm.kernel.walking import why_employee
from openplan.games.cube_farm.scoring import Score, explain_floor, totals
from openplan.games.cube_farm.state import (
    FLOORS,
    OVER,
    SEATS,
    State,
    Turn,
    placed_cards,
    square_of,
)
from openplan.games.cube_farm.text.notation import format_orders
from openplan.games.cube_farm.view import FarmView

NONE: Final = "none"
SPECTATOR: Final = "spectator"
Codes = Mapping[int, tuple[str, str]]


def answer(match: Match, text: str, losses: Codes) -> str | None:
    """The true answer; `None` to a question that the views answer. `losses` are the codes
    of lost placements."""
    words = text.split()
    question = words[0]
    if question in ("fits", "illegal"):
        return _judged(match, words, losses)
    if question == "view":
        return _seen(match, text)
    found = _ANSWERS.get(question)
    return None if found is None else found(match, words)


def _table(match: Match) -> State:
    state = match.state
    assert isinstance(state, State)
    return state


def _unclear(what: str) -> Illegal:
    return Illegal("case", what)


def _one_of(word: str, choices: Sequence[str]) -> int:
    if word not in choices:
        raise _unclear(f"{word!r} is not one of {', '.join(choices)}")
    return choices.index(word)


def _word(words: Sequence[str], place: int) -> str:
    if place >= len(words):
        raise _unclear(f"`{' '.join(words)}` says too little")
    return words[place]


def _at(floor: Floor, name: str) -> int:
    square = parse_square(name)
    return int(floor.square_at(square.x, square.y))


def _floor(match: Match, words: Sequence[str]) -> Floor:
    return _table(match).table.floor(_one_of(_word(words, 1), FLOORS))


def _names(squares: Sequence[Square], between: str) -> str:
    return between.join(format_square(square) for square in reading_order(squares)) or NONE


# -- The turn adjudicated last ---------------------------------------------------------------


def _last(match: Match) -> Turn:
    history = _table(match).history
    if not history:
        raise _unclear("no turn has been adjudicated yet")
    return history[-1]


def _became(match: Match, words: Sequence[str]) -> str:
    seat = _one_of(_word(words, 1), SEATS)
    phase = 1 + _one_of(_word(words, 2), ("1", "2", "3"))
    part = ("card", "employee")[_one_of(_word(words, 3), ("card", "employee"))]
    order = f"{SEATS[seat]} {phase} {part}"
    for result in _last(match).results:
        if (result.seat, result.phase, result.part) == (seat, phase, part):
            if result.code:
                return f"lost {order} {result.code} {result.clause}"
            return f"placed {order}"
    return f"nothing {order}"


def _filled(match: Match, words: Sequence[str]) -> str:
    number = _one_of(_word(words, 1), FLOORS)
    return f"filled {FLOORS[number]} {_names(_last(match).filled(number), ' ')}"


def _ordered(match: Match, words: Sequence[str]) -> str:
    seat = _one_of(_word(words, 1), SEATS)
    return f"ordered {SEATS[seat]} {_last(match).orders[seat] or NONE}"


# -- The floors as they stand ----------------------------------------------------------------


def _cube(match: Match, words: Sequence[str]) -> str:
    floor = _floor(match, words)
    at = _at(floor, _word(words, 2))
    squares = [square_of(floor, square) for square in floor.cube_squares(at)] if at >= 0 else []
    return f"cube {words[1]} {words[2]} {_names(squares, ',')}"


def _square(match: Match, words: Sequence[str]) -> str:
    floor = _floor(match, words)
    at = _at(floor, _word(words, 2))
    kind = int(floor.kind[at]) if at >= 0 else codes.UNCOVERED
    return f"square {words[1]} {words[2]} {KIND_NAMES[kind]}"


def _card(match: Match, words: Sequence[str]) -> str:
    floor = _floor(match, words)
    where = parse_square(_word(words, 2))
    cards = _table(match).table.cards
    found = NONE
    for card, turn, x, y in placed_cards(floor):
        lie = card * 4 + turn
        if 0 <= where.x - x < int(cards.width[lie]) and 0 <= where.y - y < int(cards.height[lie]):
            found = _table(match).deck.name_of(card)
    return f"card {words[1]} {words[2]} {found}"


def _employee(match: Match, words: Sequence[str]) -> str:
    score = _score_at(match, words)
    return f"employee {words[1]} {words[2]} {NONE if score is None else SEATS[score.seat]}"


def _score(match: Match, words: Sequence[str]) -> str:
    score = _score_at(match, words)
    return f"score {words[1]} {words[2]} {NONE if score is None else score.total}"


def _part(match: Match, words: Sequence[str]) -> str:
    letter, sign, name = _word(words, 3).partition("@")
    if not sign or letter not in LETTERS:
        raise _unclear(f"{words[3]!r} is not a letter and a square, such as P@E3")
    kind, square = KIND_NAMES[LETTERS.index(letter)], parse_square(name)
    score = _score_at(match, words)
    asked = " ".join(words[:4])
    for part in score.parts if score is not None else ():
        if (part.kind, part.what, part.square) == (words[0], kind, square):
            steps = f" steps {part.steps}" if "steps" in words else ""
            return f"{asked} {part.points}{steps}"
    return f"{asked} {NONE}"


def _score_at(match: Match, words: Sequence[str]) -> Score | None:
    """The score of the employee whose cube has the square."""
    number = _one_of(_word(words, 1), FLOORS)
    square = parse_square(_word(words, 2))
    scores = explain_floor(_floor(match, words), number)
    return next((score for score in scores if square in score.cube), None)


def _total(match: Match, words: Sequence[str]) -> str:
    seat = _one_of(_word(words, 1), SEATS)
    table = _table(match).table
    points = totals([table.floor(number) for number in range(codes.FLOORS)])
    return f"total {SEATS[seat]} {points[seat]}"


def _judged(match: Match, words: Sequence[str], losses: Codes) -> str | None:
    if len(words) < 2 or words[1] not in FLOORS:
        return None
    state = _table(match)
    floor = _floor(match, words)
    asked = " ".join(words[1:4])
    name, _, turn = _word(words, 3).partition("/")
    at = _at(floor, name)
    if _word(words, 2) == "employee":
        why = why_employee(floor, at) if at >= 0 else codes.NO_CUBE
    else:
        _one_of(words[2], state.deck.cards)
        turns = _one_of(turn or "0", ("0", "1", "2", "3"))
        why = why_card(floor, state.deck.index[words[2]], turns, at)
    return f"fits {asked}" if why == codes.FITS else f"illegal {asked} {' '.join(losses[int(why)])}"


# -- The table -------------------------------------------------------------------------------


def _turn(match: Match, _words: Sequence[str]) -> str:
    turn = int(_table(match).table.turn)
    return f"turn {'over' if turn == OVER else turn}"


def _awaited(match: Match, _words: Sequence[str]) -> str:
    seats = sorted(match.awaited)
    return f"awaited {' '.join(SEATS[seat] for seat in seats) or NONE}"


def _orders(match: Match, words: Sequence[str]) -> str:
    seat = _one_of(_word(words, 1), SEATS)
    return f"orders {SEATS[seat]} {_orders_known(match.view(OPEN), seat)}"


def _seen(match: Match, text: str) -> str | None:
    """`view P orders S: ...`, and `view P ordered S: ...` for those of the turn before."""
    head, colon, _ = text.partition(":")
    words = head.split()
    if not colon or len(words) != 4 or words[2] not in ("orders", "ordered"):
        return None
    viewer: Viewer = None
    if words[1] != SPECTATOR:
        viewer = Seat(_one_of(words[1], SEATS))
    view, seat = match.view(viewer), _one_of(words[3], SEATS)
    if words[2] == "orders":
        return f"{' '.join(words)}: {_orders_known(view, seat)}"
    orders = view.history[-1].orders[seat] if view.history else None
    return f"{' '.join(words)}: {orders or NONE}"


def _orders_known(view: FarmView, seat: int) -> str:
    orders = view.sealed[seat]
    return NONE if orders is None else format_orders(orders)


_ANSWERS: Final[Mapping[str, Callable[[Match, Sequence[str]], str]]] = {
    "placed": _became,
    "lost": _became,
    "nothing": _became,
    "filled": _filled,
    "ordered": _ordered,
    "cube": _cube,
    "square": _square,
    "card": _card,
    "employee": _employee,
    "score": _score,
    "bonus": _part,
    "penalty": _part,
    "extra": _part,
    "total": _total,
    "turn": _turn,
    "awaited": _awaited,
    "orders": _orders,
}
