"""Human Resources as the rulebook tells it: set-up, turn, why a move is refused, what happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Final

from openplan.core.deck import Deck
from openplan.core.game import (
    OPEN,
    Deal,
    Event,
    Game,
    Happening,
    HouseRule,
    Options,
    Outcome,
    Position,
    Preview,
    Refusal,
    Seat,
    Secret,
    Step,
    Viewer,
)
from openplan.core.grid import Square, flood, format_square, neighbours
from openplan.core.match import Match
from openplan.core.scene import CardPicture, Scene
from openplan.games.human_resources import appraise, kernel, scene, setting, state, view, words
from openplan.games.human_resources.cards import (
    NUMBER,
    OfficeDeck,
    colour_of,
    deck_template,
    number_of,
    read_deck,
    shown,
)
from openplan.games.human_resources.generate import is_action, moves_of
from openplan.games.human_resources.notation import (
    DIRECTIONS,
    Move,
    format_move,
    from_kernel,
    parse_move,
    shape_of,
    shifted,
    step_of,
    to_kernel,
)
from openplan.games.human_resources.state import State, eye
from openplan.games.human_resources.view import SEATS, OfficeView


class HumanResources(Game[State, Move, OfficeView]):
    name = "human-resources"
    title = "Human Resources"
    credit = "Human Resources is a game by Nat Levan. This is an unofficial adaptation."
    rules_version = 1
    seats: ClassVar[tuple[str, ...]] = SEATS
    house_rules: ClassVar[tuple[HouseRule, ...]] = (
        HouseRule("promo", ("no", "yes"), "play with the eight promo cards", "HR-1.5"),
        HouseRule("mirror", ("no", "yes"), "mirror images of a pattern count", "HR-5.3"),
        HouseRule("memory", ("no", "yes"), "show a player the faces they have seen", "HR-10.2"),
    )

    # Decks and the deal.

    def read_deck(self, text: str, source: str) -> OfficeDeck:
        return read_deck(text, source, self.name)

    def deck_template(self) -> str:
        return deck_template(self.name, self.title)

    def card_picture(self, deck: Deck, card: str) -> CardPicture:
        return scene.card_picture(_own(deck), NUMBER[card])

    def deal(self, deck: Deck, house: Mapping[str, str], chance: Random) -> Deal:
        return setting.deal(_own(deck), house, chance)

    def deal_told(self, deck: Deck, deal: Deal, viewer: Viewer) -> Deal:
        return setting.deal_told(deal, viewer)

    def start(self, deck: Deck, house: Mapping[str, str], deal: Deal) -> State:
        return setting.start(_own(deck), house, deal)

    def set_up(self, deck: Deck, house: Mapping[str, str], position: Position) -> State:
        return setting.set_up(_own(deck), house, position)

    # The course of a match.

    def to_act(self, state: State) -> frozenset[Seat]:
        if state.table.phase == kernel.AT_END:
            return frozenset()
        return frozenset({Seat(int(state.table.to_act()))})

    def play(self, state: State, seat: Seat, move: Move) -> Happening:
        return carry_out(state, seat, move)

    def learn(self, state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
        return setting.learn(state, seat, text, facts)

    def outcome(self, state: State) -> Outcome | None:
        if state.table.phase != kernel.AT_END:
            return None
        return final_result(state)

    def withdraw(self, state: State, seat: Seat, reason: str) -> Outcome | None:
        points = (int(state.table.points[0]), int(state.table.points[1]))
        return Outcome((Seat(1 - seat),), points, reason, "HR-9")

    def agree_draw(self, state: State) -> Outcome:
        points = (int(state.table.points[0]), int(state.table.points[1]))
        return Outcome((), points, "agreed", "HR-9")

    # What may be known.

    def view(self, state: State, viewer: Viewer) -> OfficeView:
        return view.view_of(state, viewer)

    def view_data(self, view_: OfficeView) -> dict[str, object]:
        return view.view_data(view_)

    def determinize(self, view_: OfficeView, rng: Random) -> State:
        return view.determinize(view_, rng)

    # From a view alone.

    def moves(self, view_: OfficeView) -> list[Move]:
        if view_.to_act is None or view_.viewer not in (OPEN, view_.to_act):
            return []
        table = view_.table()
        return [from_kernel(table, packed) for packed in moves_of(table)]

    def options(self, view_: OfficeView, steps: Sequence[str]) -> Options:
        found: dict[Step, None] = {}
        whole = None
        for move in self.moves(view_):
            following = _steps_after(move, steps)
            if following == []:
                whole = format_move(move)
            for step in following or ():
                found[step] = None
        return Options(tuple(found), whole)

    def why_not(self, view_: OfficeView, move: Move) -> Refusal | None:
        return next(_objections(view_, move), None)

    def preview(self, view_: OfficeView, move: Move) -> Preview[OfficeView]:
        told = view.as_told(view_)
        seat = Seat(view_.actor if view_.to_act is None else view_.to_act)
        happening = carry_out(told, seat, move)
        after = view.view_of(told, view_.viewer)
        events = tuple(event.seen_by(view_.viewer) for event in happening.events)
        return Preview(after, events, after.points[seat] - view_.points[seat])

    def appraise(self, view_: OfficeView, moves: Sequence[Move]) -> list[float]:
        table = view_.table()
        return appraise.appraise(table, [to_kernel(table, move) for move in moves])

    def scene(self, view_: OfficeView) -> Scene:
        return scene.scene_of(view_)

    # Text, bytes, and what only the cases ask.

    def parse_move(self, deck: Deck, text: str) -> Move:
        return parse_move(text)

    def format_move(self, deck: Deck, move: Move) -> str:
        return format_move(move)

    def say(self, code: str, params: Mapping[str, object], language: str = "en") -> str:
        return words.say(code, params, language)

    def dump(self, state_: State) -> bytes:
        return state.dump(state_)

    def load(self, deck: Deck, data: bytes) -> State:
        return state.load(_own(deck), data)

    def answer_case(self, match: Match, text: str) -> str | None:
        if not text.startswith("starts "):
            return None
        table: kernel.Table = match.state.table
        hands = [[shown(card) for card in table.hand_of(seat)] for seat in (0, 1)]
        first = setting.who_starts(_own(match.deck), hands)
        return "starts chance" if first is None else f"starts {SEATS[first]}"


def _own(deck: Deck) -> OfficeDeck:
    assert isinstance(deck, OfficeDeck)
    return deck


# -- Why a move is refused -------------------------------------------------------------------


def _objections(view_: OfficeView, move: Move) -> Iterator[Refusal]:
    """What the rules have against a move, the first reason first; nothing if it is legal."""
    phase, me = view_.phase, view_.to_act
    if me is None:
        yield Refusal("over", "HR-3.2")
        return
    if view_.viewer not in (OPEN, me):
        yield Refusal("not-your-turn", "HR-3.1", {"seat": SEATS[me]})
        return
    if phase == kernel.AT_CHOICE:
        yield from _object_to_choice(view_, move, me)
    elif phase == kernel.AT_ARRANGING:
        yield from _object_to_order(view_, move)
    elif move.kind == kernel.CHOOSE:
        yield Refusal("nothing-to-pick-up", "HR-6.11")
    elif move.kind == kernel.ARRANGE:
        yield Refusal("nothing-to-arrange", "HR-8.4")
    else:
        card = move.cards[0]
        if NUMBER[card] not in view_.hands[me]:
            yield Refusal("not-in-hand", "HR-3.1", {"card": card})
            return
        yield from _object_to_card(view_, move, me)
        office = {square: colour_of(number) for square, number, _ in view_.office}
        if move.kind == kernel.PLACE:
            yield from _object_to_place(office, move.squares[0], "HR-4.1")
        elif move.is_hire:
            yield from _object_to_effect(view_, office, move, me)
    if move.overtime:
        yield from _object_to_overtime(view_, move, me)


def _object_to_choice(view_: OfficeView, move: Move, me: int) -> Iterator[Refusal]:
    if move.kind != kernel.CHOOSE:
        yield Refusal("must-pick-up", "HR-6.11")
    elif NUMBER[move.cards[0]] not in view_.play[me]:
        yield Refusal("not-in-play", "HR-6.11", {"card": move.cards[0]})


def _object_to_order(view_: OfficeView, move: Move) -> Iterator[Refusal]:
    if move.kind != kernel.ARRANGE:
        yield Refusal("must-arrange", "HR-8.4")
        return
    cards = sorted(number_of(card) for card in move.cards)
    if cards != sorted(view_.draw_pile[: view_.looked]):
        yield Refusal("wrong-cards", "HR-8.4", {"count": view_.looked})


def _object_to_card(view_: OfficeView, move: Move, me: int) -> Iterator[Refusal]:
    """HR-3.1, HR-6.1, HR-6.9: is this a card to be used so, now?"""
    card = view_.deck.card[move.cards[0]]
    if move.kind == kernel.PLAY_PROJECT and card.kind not in ("project", "crowdfunding"):
        yield Refusal("not-a-project", "HR-5.1", {"card": card.name})
    elif move.kind == kernel.PLAY_QUOTA:
        if card.kind != "quota":
            yield Refusal("not-a-quota", "HR-7.1", {"card": card.name})
        elif not view_.table().meets_quota(me, NUMBER[card.name]):
            yield Refusal("quota-not-met", "HR-7.1", {"card": card.name, "quota": card.quota})
    elif move.is_hire:
        if view_.phase == kernel.AT_PLAYS:
            yield Refusal("no-hiring", "HR-6.9", {"card": card.name})
        if card.kind not in ("manager", "acquisitions", "operations"):
            yield Refusal("not-a-manager", "HR-6.1", {"card": card.name})
        elif _ability(view_, card.name) != move.kind:
            yield Refusal("wrong-ability", "HR-6.1", {"card": card.name})


def _ability(view_: OfficeView, card: str) -> int:
    kind = view_.deck.card[card].kind
    if kind == "manager":
        return 3 + int(card[1:3])
    return kernel.ACQUIRE if kind == "acquisitions" else kernel.LOOK


def _object_to_place(
    office: Mapping[Square, str], square: Square, clause: str
) -> Iterator[Refusal]:
    if square in office:
        yield Refusal("occupied", clause, {"square": format_square(square)})
    elif not any(other in office for other in neighbours(square)):
        yield Refusal("not-adjacent", clause, {"square": format_square(square)})


_CLAUSE: Final = {
    kernel.MOVE: "HR-6.3",
    kernel.SWAP: "HR-6.4",
    kernel.SHIFT: "HR-6.6",
    kernel.REMOVE: "HR-6.7",
    kernel.EXCHANGE: "HR-6.8",
}


def _object_to_effect(
    view_: OfficeView, office: Mapping[Square, str], move: Move, me: int
) -> Iterator[Refusal]:
    """HR-6 and HR-8.3: can the instruction be carried out as named?"""
    other = 1 - me
    if move.kind in (kernel.EXCHANGE, kernel.TWO_PLAYS) and len(view_.hands[me]) < 2:
        yield Refusal("nothing-else-in-hand", "HR-6.1")
    if move.kind == kernel.TAKE:
        if not view_.discard:
            yield Refusal("discard-empty", "HR-6.1")
        elif NUMBER[move.cards[1]] not in view_.discard:
            yield Refusal("not-in-discard", "HR-6.10", {"card": move.cards[1]})
    if move.kind in (kernel.PICK_UP, kernel.ACQUIRE) and not view_.play[other]:
        yield Refusal("no-project", "HR-6.1")
    if move.kind == kernel.ACQUIRE and NUMBER[move.cards[1]] not in view_.play[other]:
        yield Refusal("not-in-play", "HR-8.3", {"card": move.cards[1]})
    if move.kind == kernel.EXCHANGE:
        if move.cards[1] == move.cards[0]:
            yield Refusal("hired-card", "HR-6.8", {"card": move.cards[1]})
        elif NUMBER[move.cards[1]] not in view_.hands[me]:
            yield Refusal("not-in-hand", "HR-6.8", {"card": move.cards[1]})
    sources = move.squares[:1] if move.kind == kernel.MOVE else move.squares
    for square in sources:
        if square not in office:
            yield Refusal("no-cubicle", _CLAUSE[move.kind], {"square": format_square(square)})
    rest = {square for square in office if square not in sources}
    if move.kind == kernel.MOVE:
        yield from _object_to_move(office, rest, move.squares[1])
    elif move.kind == kernel.SWAP:
        yield from _object_to_swap(office, move.squares)
    elif move.kind == kernel.SHIFT:
        yield from _object_to_shift(rest, move)
    elif move.kind == kernel.REMOVE:
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
        if not (is_action(packed) and table.completes(packed)):
            yield Refusal("overtime-completes-nothing", "HR-8.2")


# -- A move carried out ----------------------------------------------------------------------


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
    table.apply(packed)

    if move.kind == kernel.LOOK:
        events.append(_look(state_, seat, pile[:4]))
    new = [table.scored_of(owner)[scored[owner] :] for owner in (0, 1)]
    for owner in (actor, other):
        for card in new[owner]:
            if card in in_play[owner]:
                squares = tuple(
                    format_square((int(table.x_of(at)), int(table.y_of(at))))
                    for at in sorted(table.formed_squares(card))
                )
                events.append(_completed(state_, owner, owner != actor, card, squares))
    for card in new[actor]:
        if card in in_play[other]:
            params = {"seat": SEATS[actor], "card": shown(card)}
            events.append(Event("crowdfunding", "HR-8.1", params))
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
        return text, [Event("acquired", "HR-8.3", params)]
    assert int(table.actor) == seat
    return text, [Event(f"hired-{_EFFECT[move.kind]}", "HR-6.1", params)]


_EFFECT: Final = {
    kernel.DRAW: "draw",
    kernel.TWO_PLAYS: "two-plays",
    kernel.PICK_UP: "pick-up",
    kernel.LOOK: "look",
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
    return text, [Event(code, _CLAUSE[move.kind], params, fact)]


def _arrange(state_: State, seat: Seat, move: Move) -> tuple[Secret, list[Event]]:
    """HR-8.4: the other learns the new top's back and forgets what lay where."""
    numbers = [number_of(card) for card in move.cards]
    for number in numbers:
        state_.mark(number, eye(seat))
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


# -- Steps towards a move --------------------------------------------------------------------


def _steps_after(move: Move, steps: Sequence[str]) -> list[Step] | None:
    """The steps that may follow these on the way to a move: none if they are the whole move, and
    `None` if they do not lead there. The squares of a swap or shift may come in any order."""
    fixed, free, rest = _steps_of(move)
    given = [step.casefold() for step in steps]
    for step in fixed:
        if not given:
            return [step]
        if given.pop(0) != step.value.casefold():
            return None
    left = {step.value.casefold(): step for step in free}
    while left:
        if not given:
            return list(left.values())
        if left.pop(given.pop(0), None) is None:
            return None
    for step in rest:
        if not given:
            return [step]
        if given.pop(0) != step.value.casefold():
            return None
    return [] if not given else None


def _steps_of(move: Move) -> tuple[list[Step], list[Step], list[Step]]:
    cards = [Step("card", card) for card in move.cards]
    squares = [Step("square", format_square(square)) for square in move.squares]
    if move.kind == kernel.ARRANGE:
        return [Step("use", "arrange"), *cards], [], []
    if move.kind == kernel.CHOOSE:
        return [Step("use", "pick-up"), *cards], [], []
    uses = {kernel.PLACE: "place", kernel.PLAY_PROJECT: "project", kernel.PLAY_QUOTA: "quota"}
    fixed = [cards[0], Step("use", uses.get(move.kind, "hire")), *cards[1:]]
    rest = [Step("overtime", move.overtime)] if move.overtime else []
    if move.kind == kernel.SHIFT:
        direction = Step("direction", DIRECTIONS[move.direction])
        return fixed, squares, [direction, Step("distance", str(move.distance)), *rest]
    if move.kind == kernel.SWAP:
        return fixed, squares, rest
    return [*fixed, *squares], [], rest


GAME: Final = HumanResources()
