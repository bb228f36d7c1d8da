"""A move carried out on the whole truth: what changes, what happened, and who learns what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from openplan.core.game import Event, Happening, Outcome, Seat, Secret, Viewer
from openplan.core.grid import format_square
from openplan.games.human_resources import kernel, state
from openplan.games.human_resources.cards import NUMBER, colour_of, number_of, shown
from openplan.games.human_resources.notation import (
    DIRECTIONS,
    Move,
    format_move,
    shifted,
    to_kernel,
)
from openplan.games.human_resources.patterns import formed_squares
from openplan.games.human_resources.state import State, eye
from openplan.games.human_resources.turn import apply
from openplan.games.human_resources.view import SEATS


def carry_out(state_: State, seat: Seat, move: Move) -> Happening:
    """Play a legal move and tell what happened, up to the next choice of either player."""
    table = state_.table
    actor = int(table.actor)
    other = 1 - actor
    packed = to_kernel(table, move)
    in_play = (table.play_of(0), table.play_of(1))
    scored = (len(table.scored_of(0)), len(table.scored_of(1)))
    pile = table.deck_list()
    looked = int(table.looked)
    text, events = _before(state_, seat, move)
    if move.kind == kernel.ARRANGE:
        pile = [number_of(card) for card in move.cards] + pile[looked:]
    apply(table, packed)

    if move.kind == kernel.LOOK:
        events.append(_look(state_, seat, pile[:4]))
    new = [table.scored_of(owner)[scored[owner] :] for owner in (0, 1)]
    for owner in (actor, other):
        for card in new[owner]:
            if card in in_play[owner]:
                squares = tuple(
                    format_square((int(table.x_of(at)), int(table.y_of(at))))
                    for at in sorted(formed_squares(table, card))
                )
                events.append(_completed(state_, owner, owner != actor, card, squares))
    for card in new[actor]:
        if card in in_play[other]:
            params = {"seat": SEATS[actor], "card": shown(card)}
            events.append(Event("crowdfunding", "HR-8.1", params))
    for name in move.leave:
        events.append(Event("left", "HR-5.6", {"seat": SEATS[actor], "card": name}))
    if move.overtime:
        state_.show(actor, NUMBER[move.overtime])
        params = {"seat": SEATS[actor], "card": move.overtime}
        events.append(Event("overtime", "HR-8.2", params))
    if move.kind == kernel.PICK_UP and table.phase != kernel.AT_CHOICE:
        events.append(_pick_up(state_, other, in_play[other][0]))
    drawn = len(pile) - int(table.deck_size)
    for place in range(drawn):
        extra = move.kind == kernel.DRAW and place == 0
        events.append(_draw(state_, actor, pile[place], "HR-6.5" if extra else "HR-3.1"))
        if place + 1 < len(pile):
            events.append(_top(pile[place + 1]))
    if move.kind == kernel.ARRANGE:
        events.insert(1, _top(pile[0]))
    if table.phase == kernel.AT_END:
        events.append(Event("over", "HR-3.2"))
    elif move.overtime or (drawn and int(table.actor) == actor):
        events.append(Event("another-turn", "HR-8.2", {"seat": SEATS[actor]}))
    reveals = any(isinstance(event.fact, Secret) for event in events)
    return Happening(text, tuple(events), reveals)


def _before(state_: State, seat: Seat, move: Move) -> tuple[str | Secret, list[Event]]:
    """The move as written for whom, and its first event; who knows what is brought up to date
    while the cards are still where they were."""
    table = state_.table
    who = SEATS[seat]
    text = format_move(move)
    number = number_of(move.cards[0])
    params: dict[str, object] = {"seat": who, "card": move.cards[0]}
    if move.kind == kernel.PLACE:
        square = move.squares[0]
        state_.lay(seat, number, square)
        params |= {"card": _secret(state_, number), "square": format_square(square)}
        covered = format_move(move._replace(cards=(colour_of(number),)))
        secret = Secret(text, covered, _those(state_.known[number]))
        return secret, [Event("placed", "HR-4.1", params)]
    if move.kind == kernel.PLAY_PROJECT:
        state_.show(seat, number)
        return text, [Event("project", "HR-5.1", params)]
    if move.kind == kernel.PLAY_QUOTA:
        state_.show(seat, number)
        params["value"] = state_.deck.card[move.cards[0]].value
        return text, [Event("quota", "HR-7.1", params)]
    if move.kind == kernel.CHOOSE:
        return text, [_pick_up(state_, seat, number)]
    if move.kind == kernel.ARRANGE:
        return _arrange(state_, seat, move)
    state_.show(seat, number)
    squares = [format_square(square) for square in move.squares]
    if move.kind == kernel.MOVE:
        state_.carry([(move.squares[0], move.squares[1])])
        params |= {"square": squares[0], "to": squares[1]}
        return text, [Event("moved", "HR-6.3", params)]
    if move.kind == kernel.SWAP:
        here, there = move.squares
        state_.carry([(here, there), (there, here)])
        params |= {"square": squares[0], "other": squares[1]}
        return text, [Event("swapped", "HR-6.4", params)]
    if move.kind == kernel.SHIFT:
        state_.carry(list(zip(move.squares, shifted(move), strict=True)))
        params |= {"squares": tuple(squares), "direction": DIRECTIONS[move.direction]}
        params["distance"] = move.distance
        return text, [Event("shifted", "HR-6.6", params)]
    if move.kind in (kernel.REMOVE, kernel.EXCHANGE):
        return _lift(state_, seat, move, params)
    if move.kind == kernel.TAKE:
        params["taken"] = move.cards[1]
        state_.gain(seat, NUMBER[move.cards[1]])
        return text, [Event("took", "HR-6.10", params)]
    if move.kind == kernel.ACQUIRE:
        params["taken"] = move.cards[1]
        params["value"] = state_.deck.card[move.cards[0]].value
        if state_.house["to-hand"] == "yes":
            state_.gain(seat, NUMBER[move.cards[1]])
            return text, [Event("acquired-to-hand", "HR-8.3", params)]
        return text, [Event("acquired", "HR-8.3", params)]
    assert int(table.actor) == seat
    return text, [Event(f"hired-{_EFFECT[move.kind]}", "HR-6.1", params)]


_EFFECT: Final = {
    kernel.DRAW: "draw",
    kernel.TWO_PLAYS: "two-plays",
    kernel.PICK_UP: "pick-up",
    kernel.LOOK: "look",
    kernel.IDLE: "idle",
}


def _lift(
    state_: State, seat: Seat, move: Move, params: dict[str, object]
) -> tuple[str | Secret, list[Event]]:
    """HR-6.7, HR-6.8: a cubicle comes into the hand, seen by its new holder."""
    table = state_.table
    square = move.squares[0]
    text: str | Secret = format_move(move)
    lifted = int(table.face[table.square_at(square.x, square.y)])
    params["square"] = format_square(square)
    if move.kind == kernel.EXCHANGE:
        # The other card leaves the hand before this one is in it (HR-10.3), and the square's
        # record changes from the cubicle lifted to the card laid.
        laid = number_of(move.cards[1])
        token = state_.laid.pop(square, state.NO_TOKEN)
        state_.lay(seat, laid, square, NUMBER[move.cards[0]])
        state_.mark(lifted, state_.known[lifted] | eye(seat))
        state_.tell("lift", seat, lifted, token)
        params["laid"] = _secret(state_, laid)
        covered = format_move(move._replace(cards=(move.cards[0], colour_of(laid))))
        text = Secret(format_move(move), covered, _those(state_.known[laid]))
    else:
        state_.lift(seat, lifted, square)
    params["taken"] = face = _secret(state_, lifted)
    code = "exchanged" if move.kind == kernel.EXCHANGE else "removed"
    fact = Secret(f"took {face.text}", f"took {face.cover}", face.knows)
    return text, [Event(code, "HR-6.8" if code == "exchanged" else "HR-6.7", params, fact)]


def _arrange(state_: State, seat: Seat, move: Move) -> tuple[Secret, list[Event]]:
    """HR-8.4: the other learns the new top's back."""
    numbers = [number_of(card) for card in move.cards]
    state_.arrange(seat, state_.table.deck_list()[: len(numbers)], numbers)
    covered = move._replace(cards=(colour_of(numbers[0]), *("?" for _ in numbers[1:])))
    text = Secret(format_move(move), format_move(covered), frozenset({seat}))
    params = {"seat": SEATS[seat], "count": len(numbers)}
    return text, [Event("arranged", "HR-8.4", params)]


def _look(state_: State, seat: Seat, cards: Sequence[int]) -> Event:
    for card in cards:
        state_.mark(card, state_.known[card] | eye(seat))
    names = " ".join(shown(card) for card in cards)
    secret = Secret(f"looked {names}", f"looked {len(cards)}", frozenset({seat}))
    seen = Secret(names, None, frozenset({seat}))
    params = {"seat": SEATS[seat], "count": len(cards), "cards": seen}
    return Event("looked", "HR-8.4", params, secret)


def _completed(
    state_: State, owner: int, backed: bool, card: int, squares: tuple[str, ...]
) -> Event:
    name = shown(card)
    params = {
        "seat": SEATS[owner],
        "card": name,
        "value": state_.deck.card[name].value,
        "squares": squares,
    }
    if backed:
        return Event("backed", "HR-8.1", params, f"completed {name}")
    return Event("completed", "HR-5.6", params, f"completed {name}")


def _pick_up(state_: State, seat: int, card: int) -> Event:
    state_.gain(seat, card)
    params = {"seat": SEATS[seat], "card": shown(card)}
    return Event("picked-up", "HR-6.11", params)


def _draw(state_: State, seat: int, card: int, clause: str) -> Event:
    state_.draw(seat, card)
    secret = _secret(state_, card)
    fact = Secret(f"drew {secret.text}", f"drew {secret.cover}", secret.knows)
    return Event("drew", clause, {"seat": SEATS[seat], "card": secret}, fact)


def _top(card: int) -> Event:
    colour = colour_of(card)
    return Event("top", "HR-10.1", {"colour": colour}, f"top {colour}")


def _secret(state_: State, card: int) -> Secret:
    return Secret(shown(card), colour_of(card), _those(state_.known[card]))


def _those(knows: int) -> frozenset[Viewer]:
    viewers: tuple[Viewer, ...] = (Seat(0), Seat(1), None)
    return frozenset(viewer for viewer in viewers if knows & eye(viewer))


# -- The result ------------------------------------------------------------------------------


def final_result(state_: State) -> Outcome:
    """HR-9."""
    table = state_.table
    points = (int(table.points[0]), int(table.points[1]))
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
