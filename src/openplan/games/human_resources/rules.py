"""Human Resources, clause by clause, in the order of its rules (docs/rules/human-resources.md).

For each way to use a card there stand together what refuses it and what it does: a function that
yields refusals, from a view alone, so that a refusal gives nothing away; and one that tells what
happens and brings up to date who knows what (HR-10), while the cards are still where they were.
Then `kernel/turn.py` moves the cards, as it does for the bots, millions of times; which patterns
that forms (HR-5.2 to HR-5.4) is found by `kernel/patterns.py`. How a table is dealt (HR-2) is in
`deal.py`, the managers are in `managers.py` (HR-6), decks in `cards.py` (HR-11).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from openplan.core.game import OPEN, Event, Happening, Outcome, Refusal, Seat, Secret
from openplan.core.grid import Square, format_square, neighbours
from openplan.games.human_resources.cards import NUMBER, colour_of, number_of, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.moves import is_action
from openplan.games.human_resources.kernel.patterns import (
    completes,
    formed_cards,
    formed_squares,
)
from openplan.games.human_resources.kernel.turn import apply, meets_quota
from openplan.games.human_resources.managers import MANAGERS, look, pick_up, refuse_hiring
from openplan.games.human_resources.state import SEATS, State
from openplan.games.human_resources.telling import (
    Play,
    Refusals,
    Told,
    colours,
    openly,
    secret,
    those,
)
from openplan.games.human_resources.text.notation import Move, format_move, to_kernel
from openplan.games.human_resources.view import OfficeView

# -- HR-3 A turn, and the end ----------------------------------------------------------------


def to_act(state: State) -> frozenset[Seat]:
    """HR-3.1: one player has the turn; HR-6.11 asks the other something in between."""
    if state.table.phase == codes.AT_END:
        return frozenset()
    return _ALONE[int(state.table.to_act())]


_ALONE: Final = tuple(frozenset({Seat(seat)}) for seat in (0, 1))


def why_not(view: OfficeView, move: Move) -> Refusal | None:
    """The first thing that the rules have against a move; nothing if it is legal."""
    return next(_objections(view, move), None)


def _objections(view: OfficeView, move: Move) -> Refusals:
    """One after the other: what comes later relies on what was asked before."""
    me = view.to_act
    if me is None:
        yield Refusal("over", "HR-3.2")
        return
    if view.viewer not in (OPEN, me):
        yield Refusal("not-your-turn", "HR-3.1", {"seat": SEATS[me]})
    if view.phase == codes.AT_CHOICE and move.kind != codes.CHOOSE:
        yield Refusal("must-pick-up", "HR-6.11")
    if view.phase == codes.AT_ARRANGING and move.kind != codes.ARRANGE:
        yield Refusal("must-arrange", "HR-8.4")
    if not _is_answer(move) and number_of(move.cards[0]) not in view.hands[me]:
        yield Refusal("not-in-hand", "HR-3.1", {"card": move.cards[0]})
    if move.is_hire:
        yield from refuse_hiring(view, move)
    yield from PLAYS[move.kind].refuse(view, move, me)
    if move.leave:
        yield from _refuse_leaving(view, move)
    if move.overtime:
        yield from _refuse_overtime(view, move, me)


def _is_answer(move: Move) -> bool:
    """Not a card used, but a choice that one has left open (HR-6.11, HR-8.4)."""
    return move.kind in (codes.CHOOSE, codes.ARRANGE)


def play(state: State, seat: Seat, move: Move) -> Happening:
    """Carry out a legal move and tell what happened, up to the next choice of either player."""
    table = state.table
    pile = table.deck_list()
    if move.kind == codes.ARRANGE:
        pile[: int(table.looked)] = [number_of(card) for card in move.cards]
    before = Before(
        int(table.actor),
        (table.play_of(0), table.play_of(1)),
        (len(table.scored_of(0)), len(table.scored_of(1))),
        pile,
    )
    text, event = use(state, seat, move)
    apply(table, to_kernel(table, move))
    events = (event, *_consequences(state, seat, move, before))
    reveals = any(isinstance(event.fact, Secret) for event in events)
    return Happening(text, events, reveals)


class Before(NamedTuple):
    """What lay where before a play: what came of it is seen by comparing."""

    actor: int
    in_play: tuple[list[int], list[int]]
    scored: tuple[int, int]
    pile: list[int]
    """The deck, top first; as arranged, if the play arranges it."""


def use(state: State, seat: Seat, move: Move) -> Told:
    return PLAYS[move.kind].use(state, seat, move)


def _consequences(state: State, seat: Seat, move: Move, before: Before) -> Iterator[Event]:
    """HR-3.2: a turn scores before it draws."""
    table, actor = state.table, before.actor
    if move.kind == codes.ARRANGE:
        yield _top(before.pile[0])
    if move.kind == codes.LOOK:
        yield look(state, seat, before.pile[:4])
    yield from _completed(state, before)
    yield from _crowdfunding(state, before)
    yield from _left(actor, move)
    if move.overtime:
        yield _overtime(state, actor, move)
    if move.kind == codes.PICK_UP and table.phase != codes.AT_CHOICE:
        yield pick_up(state, 1 - actor, before.in_play[1 - actor][0])
    drawn = len(before.pile) - int(table.deck_size)
    for place in range(drawn):
        extra = move.kind == codes.DRAW and place == 0
        yield _draw(state, actor, before.pile[place], "HR-6.5" if extra else "HR-3.1")
        if place + 1 < len(before.pile):
            yield _top(before.pile[place + 1])
    if table.phase == codes.AT_END:
        yield Event("over", "HR-3.2")
    elif move.overtime or (drawn and int(table.actor) == actor):
        yield Event("another-turn", "HR-8.2", {"seat": SEATS[actor]})


def _draw(state: State, seat: int, card: int, clause: str) -> Event:
    state.draw(seat, card)
    face = secret(state, card)
    fact = Secret(f"drew {face.text}", f"drew {face.cover}", face.knows)
    return Event("drew", clause, {"seat": SEATS[seat], "card": face}, fact)


def _top(card: int) -> Event:
    """HR-10.1: everybody sees the back on top of the deck."""
    colour = colour_of(card)
    return Event("top", "HR-10.1", {"colour": colour}, f"top {colour}")


# -- HR-4 Laying a cubicle -------------------------------------------------------------------


def _refuse_cubicle(view: OfficeView, move: Move, me: int) -> Refusals:
    yield from _refuse_square(colours(view), move.squares[0], "HR-4.1")


def _refuse_square(beside: Mapping[Square, str], square: Square, clause: str) -> Refusals:
    if square in beside:
        yield Refusal("occupied", clause, {"square": format_square(square)})
    elif not any(other in beside for other in neighbours(square)):
        yield Refusal("not-adjacent", clause, {"square": format_square(square)})


def _lay_cubicle(state: State, seat: Seat, move: Move) -> Told:
    """Everybody sees its back, and who laid it keeps its face in mind (HR-10.2)."""
    card, square = number_of(move.cards[0]), move.squares[0]
    state.lay(seat, card, square)
    params = {
        "seat": SEATS[seat],
        "card": secret(state, card),
        "square": format_square(square),
    }
    covered = format_move(move._replace(cards=(colour_of(card),)))
    text = Secret(format_move(move), covered, those(state.known[card]))
    return text, Event("placed", "HR-4.1", params)


# -- HR-5 Projects ---------------------------------------------------------------------------


def _refuse_project(view: OfficeView, move: Move, me: int) -> Refusals:
    if view.deck.card[move.cards[0]].kind not in ("project", "crowdfunding"):
        yield Refusal("not-a-project", "HR-5.1", {"card": move.cards[0]})


def _start_project(state: State, seat: Seat, move: Move) -> Told:
    return openly(state, seat, move, "project", "HR-5.1")


def _completed(state: State, before: Before) -> Iterator[Event]:
    """HR-5.6: all that the action completes is scored, also what another one completed for the
    owner of a Crowdfunding card (HR-8.1)."""
    table = state.table
    for owner in (before.actor, 1 - before.actor):
        for card in _newly_scored(state, before, owner):
            if card in before.in_play[owner]:
                name = shown(card)
                params = {
                    "seat": SEATS[owner],
                    "card": name,
                    "value": state.deck.card[name].value,
                    "squares": tuple(
                        format_square((int(table.x_of(at)), int(table.y_of(at))))
                        for at in sorted(formed_squares(table, card))
                    ),
                }
                backed = owner != before.actor
                code, clause = ("backed", "HR-8.1") if backed else ("completed", "HR-5.6")
                yield Event(code, clause, params, f"completed {name}")


def _newly_scored(state: State, before: Before, seat: int) -> list[int]:
    return state.table.scored_of(seat)[before.scored[seat] :]


def _refuse_leaving(view: OfficeView, move: Move) -> Refusals:
    """HR-5.6. Like Overtime it is asked only of a move that is legal without it."""
    if view.house["leave"] == "no":
        yield Refusal("no-leaving", "HR-5.6")
    table = view.table()
    packed = to_kernel(table, move._replace(leave=(), overtime=""))
    formed = [shown(card) for card in formed_cards(table, packed)] if is_action(packed) else []
    for card in move.leave:
        if card not in formed:
            yield Refusal("not-formed", "HR-5.6", {"card": card})
        elif card not in formed[: codes.LEAVABLE]:
            yield Refusal("leave-limit", "HR-5.6", {"card": card, "most": codes.LEAVABLE})


def _left(actor: int, move: Move) -> Iterator[Event]:
    for card in move.leave:
        yield Event("left", "HR-5.6", {"seat": SEATS[actor], "card": card})


# -- HR-7 Quotas -----------------------------------------------------------------------------


def _refuse_quota(view: OfficeView, move: Move, me: int) -> Refusals:
    card = view.deck.card[move.cards[0]]
    if card.kind != "quota":
        yield Refusal("not-a-quota", "HR-7.1", {"card": card.name})
    elif not meets_quota(view.table(), me, NUMBER[card.name]):
        yield Refusal("quota-not-met", "HR-7.1", {"card": card.name, "quota": card.quota})


def _score_quota(state: State, seat: Seat, move: Move) -> Told:
    worth = {"value": state.deck.card[move.cards[0]].value}
    return openly(state, seat, move, "quota", "HR-7.1", worth)


# -- HR-8 Promo cards ------------------------------------------------------------------------

# HR-8.1 Crowdfunding


def _crowdfunding(state: State, before: Before) -> Iterator[Event]:
    """Who completed another's project is paid with the card that let them."""
    actor = before.actor
    for card in _newly_scored(state, before, actor):
        if card in before.in_play[1 - actor]:
            yield Event("crowdfunding", "HR-8.1", {"seat": SEATS[actor], "card": shown(card)})


# HR-8.2 Overtime


def _refuse_overtime(view: OfficeView, move: Move, me: int) -> Refusals:
    """Comes last: only of a move that is legal without it can one ask what it completes."""
    if (
        view.deck.card[move.overtime].kind != "overtime"
        or NUMBER[move.overtime] not in view.hands[me]
        or move.overtime in move.cards
    ):
        yield Refusal("overtime-not-in-hand", "HR-8.2", {"card": move.overtime})
    elif view.overtime_used:
        yield Refusal("overtime-used", "HR-8.2")
    else:
        table = view.table()
        packed = to_kernel(table, move)
        if not (is_action(packed) and completes(table, packed)):
            yield Refusal("overtime-completes-nothing", "HR-8.2")


def _overtime(state: State, actor: int, move: Move) -> Event:
    state.show(actor, NUMBER[move.overtime])
    return Event("overtime", "HR-8.2", {"seat": SEATS[actor], "card": move.overtime})


# -- HR-9 Who wins ---------------------------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    if state.table.phase != codes.AT_END:
        return None
    table = state.table
    points = _points(state)
    piles = (table.scored_of(0), table.scored_of(1))
    counts = (len(piles[0]), len(piles[1]))
    highest = tuple(
        max((int(table.cards.value[card]) for card in pile), default=0) for pile in piles
    )
    for reason, pair, clause in (
        ("points", points, "HR-9.1"),
        ("scored-cards", counts, "HR-9.2"),
        ("highest-value", highest, "HR-9.2"),
    ):
        if pair[0] != pair[1]:
            return Outcome((Seat(0 if pair[0] > pair[1] else 1),), points, reason, clause)
    return Outcome((), points, "equal", "HR-9.2")


def withdraw(state: State, seat: Seat, reason: str) -> Outcome:
    """Who resigns or runs out of time loses."""
    return Outcome((Seat(1 - seat),), _points(state), reason, "HR-9")


def agree_draw(state: State) -> Outcome:
    return Outcome((), _points(state), "agreed", "HR-9")


def _points(state: State) -> tuple[int, int]:
    return int(state.table.points[0]), int(state.table.points[1])


# -- All the ways to use a card ---------------------------------------------------------------

PLAYS: Final = {
    codes.PLACE: Play(_refuse_cubicle, _lay_cubicle),
    codes.PLAY_PROJECT: Play(_refuse_project, _start_project),
    codes.PLAY_QUOTA: Play(_refuse_quota, _score_quota),
    **MANAGERS,
}
