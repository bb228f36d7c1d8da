"""What a viewer may know (HR-10): built from that, never by hiding parts of the truth.

And the way back: `determinize` draws a whole truth that a view leaves possible.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from random import Random
from typing import Final

from openplan.core.game import OPEN, Viewer
from openplan.core.grid import Square, format_square, square_at
from openplan.games.human_resources.cards import SHOWN, OfficeDeck, colour_of, shown
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.state import (
    ALL,
    BACK,
    BLANK_OF,
    NO_TOKEN,
    SEATS,
    State,
    Told,
    eye,
    new_table,
)

PHASES: Final = ("turn", "two-plays", "pick-up", "arrange", "over")
Cubicle = tuple[Square, int, int]
"""A square, the card on it as far as known, and where in the story it was laid."""


@dataclass(frozen=True, slots=True)
class OfficeView:
    """A table as one viewer knows it. Cards are kernel numbers; blanks stand for unknown ones."""

    viewer: Viewer
    deck: OfficeDeck
    house: Mapping[str, str]
    office: tuple[Cubicle, ...]
    hands: tuple[tuple[int, ...], tuple[int, ...]]
    play: tuple[tuple[int, ...], tuple[int, ...]]
    scored: tuple[tuple[int, ...], tuple[int, ...]]
    points: tuple[int, int]
    discard: tuple[int, ...]
    draw_pile: tuple[int, ...]  # top first
    actor: int
    phase: int
    plays_left: int
    hiring: int
    overtime_used: int
    looked: int
    stock: tuple[int, ...]
    started: int
    tossed: bool
    dealt: bool
    story: tuple[Told, ...]

    @property
    def to_act(self) -> int | None:
        if self.phase == codes.AT_END:
            return None
        return 1 - self.actor if self.phase == codes.AT_CHOICE else self.actor

    def table(self) -> Board:
        """A kernel table with what this view knows, on which moves can be tried."""
        table = new_table(self.deck, self.house)
        xs = [square.x for square, _, _ in self.office]
        ys = [square.y for square, _, _ in self.office]
        table.origin_x = codes.CENTRE - (min(xs) + max(xs)) // 2
        table.origin_y = codes.CENTRE - (min(ys) + max(ys)) // 2
        for (x, y), card, _ in self.office:
            table.add(table.square_at(x, y), card)
        for seat in (0, 1):
            for card in self.hands[seat]:
                table.give(seat, card)
            for card in self.play[seat]:
                table.put_in_play(seat, card)
            for card in self.scored[seat]:
                table.score(seat, card)
        for card in reversed(self.draw_pile):
            table.stack(card)
        for card in self.discard:
            table.throw(card)
        table.actor = self.actor
        table.phase = self.phase
        table.plays_left = self.plays_left
        table.hiring = self.hiring
        table.overtime_used = self.overtime_used
        table.looked = self.looked
        return table


def view_of(state: State, viewer: Viewer) -> OfficeView:
    table = state.table
    known = state.known
    sees = 0 if viewer == OPEN else eye(viewer)
    pile = table.deck_list()
    hands = [table.hand_of(0), table.hand_of(1)]
    cubicles = table.cubicles()
    if sees:
        # Each card, or a blank with its back.
        hands = [[card if known[card] & sees else BACK[card] for card in hand] for hand in hands]
        cubicles = [(x, y, card if known[card] & sees else BACK[card]) for x, y, card in cubicles]
    if sees and pile:
        # Below the top not even the backs are seen.
        below = [card if known[card] & sees else codes.BLANK for card in pile[1:]]
        top = pile[0]
        pile = [top if known[top] & sees else BACK[top], *below]
    laid = state.laid
    return OfficeView(
        viewer,
        state.deck,
        state.house,
        tuple(
            [
                (square, card, laid.get(square, NO_TOKEN))
                for x, y, card in cubicles
                for square in [square_at(x, y)]
            ]
        ),
        (tuple(sorted(hands[0])), tuple(sorted(hands[1]))),
        (tuple(table.play_of(0)), tuple(table.play_of(1))),
        (tuple(table.scored_of(0)), tuple(table.scored_of(1))),
        (int(table.points[0]), int(table.points[1])),
        tuple(table.discard_list()),
        tuple(pile),
        int(table.actor),
        int(table.phase),
        int(table.plays_left),
        int(table.hiring),
        int(table.overtime_used),
        int(table.looked),
        state.stock,
        state.started,
        state.tossed,
        state.dealt,
        tuple(state.told_to(sees) if sees else state.story),
    )


def view_data(view: OfficeView) -> dict[str, object]:
    """The view as plain data. Only the owner's own memory stands in it beside what all see."""

    def cards(numbers: Iterable[int]) -> list[str]:
        return [SHOWN[number] for number in numbers]

    def of_each(lists: tuple[tuple[int, ...], tuple[int, ...]]) -> dict[str, object]:
        first, second = lists
        return {SEATS[0]: cards(first), SEATS[1]: cards(second)}

    pile = list(view.draw_pile)
    while pile and pile[-1] == codes.BLANK:
        pile.pop()
    acts = view.to_act
    viewers = {None: "spectator", OPEN: "all"}
    return {
        "viewer": viewers[view.viewer] if view.viewer in viewers else SEATS[view.viewer or 0],
        "office": [_cubicle(square, card) for square, card, _ in view.office],
        "hands": of_each(view.hands),
        "play": of_each(view.play),
        "scored": of_each(view.scored),
        "points": dict(zip(SEATS, view.points, strict=True)),
        "discard": cards(view.discard),
        "deck": {"count": len(view.draw_pile), "known": cards(pile)},
        "to_act": [] if acts is None else [SEATS[acts]],
        "turn": SEATS[view.actor],
        "phase": PHASES[view.phase],
        "plays_left": view.plays_left,
        "hiring": None if view.hiring == codes.NONE else shown(view.hiring),
        "overtime_used": bool(view.overtime_used),
        "house": dict(view.house),
        "started": SEATS[view.started],
        "tossed": view.tossed,
        "story": story_told(view),
    }


def story_told(view: OfficeView) -> list[str]:
    """What has happened, a line for each thing."""
    return _lines(view.story)


@lru_cache(maxsize=20_000)
def _cubicle(square: Square, card: int) -> Mapping[str, str]:
    """The same for all who see it: not to be changed."""
    cubicle = {"square": format_square(square), "colour": colour_of(card)}
    if card < codes.CARDS:
        cubicle["face"] = shown(card)
    return cubicle


_STORIES: Final[OrderedDict[int, tuple[tuple[Told, ...], list[str]]]] = OrderedDict()
"""Stories and their lines as they were last, by the identity of what each begins with."""
STORIES_KEPT: Final = 4_000


def _lines(story: tuple[Told, ...]) -> list[str]:
    """A story only grows, so most of its lines were made for the view before."""
    if not story:
        return []
    before, lines = _STORIES.get(id(story[0]), ((), []))
    if story[: len(before)] != before:
        before, lines = (), []
    lines = lines + [_line(told) for told in story[len(before) :]]
    _STORIES[id(story[0])] = story, lines
    if len(_STORIES) > STORIES_KEPT:
        with suppress(KeyError):  # another thread has done it
            _STORIES.popitem(last=False)
    return lines.copy()


@lru_cache(maxsize=10_000)
def _line(told: Told) -> str:
    token = f" #{told.token + 1}" if told.token != NO_TOKEN else ""
    return f"{SEATS[told.seat]} {told.what} {shown(told.card)}{token}"


def as_told(view: OfficeView) -> State:
    """A state that holds no more than the view, on which to try what a move would do."""
    known = [0] * codes.IDS
    for cards in (
        *view.hands,
        *view.play,
        *view.scored,
        view.discard,
        view.draw_pile,
        (view.hiring,),
        [card for _, card, _ in view.office],
    ):
        for card in cards:
            if card < codes.CARDS:
                known[card] = ALL
    return _state(view, known, list(view.story))


def _state(view: OfficeView, known: list[int], story: list[Told]) -> State:
    return State(
        view.deck,
        view.house,
        view.table(),
        view.stock,
        view.started,
        view.tossed,
        view.dealt,
        known,
        story,
        {square: token for square, _, token in view.office if token != NO_TOKEN},
    )


# -- Drawing a possible truth ----------------------------------------------------------------


class _Impossible(Exception):
    """This way of reading the story does not fit what was seen later."""


@dataclass(slots=True, eq=False)
class _Held:
    """A card that was in a hand or was arranged in the deck. `card` is a number once it is certain;
    `colour` is `?` until the back is seen."""

    colour: str
    card: int | None
    dealt_to: int | None = None


_MAX_TRIES: Final = 2_000_000
"""Twenty microseconds each. Most views need a few, and one of some ten thousand needs thousands."""


def determinize(view: OfficeView, rng: Random) -> State:
    """A truth that gives this view, as likely as chance would make it.

    What is hidden is drawn evenly among the cards not seen. Which of a hand's cards of one colour
    left it face down is drawn evenly too, as is the order in which another arranged cards of the
    deck (HR-8.4), and a draw that contradicts what was seen later, or who started (HR-2.3), is
    thrown away and drawn again.
    """
    return _possible(view, rng)[0]


def template(view: OfficeView, rng: Random) -> tuple[Board, list[int]]:
    """The table of such a truth, and which of its hidden cards are tied to their places by nothing
    but the colour of their backs: shuffled among these places, by colour where backs are seen,
    they give truths as likely as this one."""
    state, loose = _possible(view, rng)
    return state.table, loose


def _possible(view: OfficeView, rng: Random) -> tuple[State, list[int]]:
    for _ in range(_MAX_TRIES):
        try:
            drawn = _Possible(view, rng)
            return drawn.state(), drawn.loose
        except _Impossible:
            continue
    raise AssertionError("a view that no truth explains")


class _Possible:
    """One attempt."""

    def __init__(self, view: OfficeView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        self.hands: tuple[list[_Held], list[_Held]] = ([], [])
        self.at: dict[int, _Held] = {}  # by token
        self.certain: dict[int, _Held] = {}  # by card
        self.told: list[_Held] = []
        self.pile: list[_Held] = []  # what was arranged and lies on the deck, top first
        self.looked_at: list[_Held] = []  # and not yet put back
        self.arranged_by = 0
        self.loose: list[int] = []
        for place, told in enumerate(view.story):
            self.told.append(self._follow(place, told))

    def _follow(self, place: int, told: Told) -> _Held:
        """Carry one entry of the story out on cards of which only some are certain."""
        card = told.card if told.card < codes.CARDS else None
        hand = self.hands[told.seat]
        held: _Held | None
        if told.what in ("look", "put"):
            held = self._look(told) if told.what == "look" else self._put(told, card)
            self._show_back(held, told.card)
        elif told.what == "draw" and self.pile:
            held = self.pile.pop(0)
            self._show_back(held, told.card)
            hand.append(held)
        elif told.what in ("deal", "draw", "gain"):
            held = self.certain.get(card) if card is not None else None
            if held is None:
                held = _Held(colour_of(told.card), None)
                if told.what == "deal":
                    held.dealt_to = told.seat
            hand.append(held)
        elif told.what == "lift":
            held = self.at.pop(told.token) if told.token != NO_TOKEN else None
            held = held or _Held(colour_of(told.card), None)
            hand.append(held)
        else:
            held = self.certain.get(card) if card is not None else None
            if held is None or held not in hand:
                same = [h for h in hand if h.colour == colour_of(told.card)]
                if not same:
                    raise _Impossible
                held = self.rng.choice(same)
            hand.remove(held)
            if told.what == "lay":
                self.at[place] = held
        if card is not None:
            self._be(held, card)
        return held

    def _look(self, told: Told) -> _Held:
        """HR-8.4: one of the cards looked at, from the top; beyond those arranged before, any."""
        if told.token < len(self.pile):
            return self.pile[told.token]
        held = _Held("?", None)
        self.pile.append(held)
        return held

    def _put(self, told: Told, card: int | None) -> _Held:
        """Back to the deck, from the top. In what order others do it, one does not know."""
        if told.token == 0:
            self.looked_at, self.pile = self.pile, []
        held = self.certain[card] if card is not None else self.rng.choice(self.looked_at)
        self.looked_at.remove(held)
        self.pile.append(held)
        self.arranged_by = told.seat
        return held

    def _show_back(self, held: _Held, card: int) -> None:
        colour = colour_of(card)
        if held.colour == "?":
            held.colour = colour
        elif colour not in ("?", held.colour):
            raise _Impossible

    def _be(self, held: _Held, card: int) -> None:
        if held.card is None and card not in self.certain:
            held.card = card
            held.colour = colour_of(card)
            self.certain[card] = held
        elif held.card != card:
            raise _Impossible

    def state(self) -> State:
        view = self.view
        # Faces that the view shows belong to the cards that the story put there.
        for _, card, token in view.office:
            if card < codes.CARDS and token != NO_TOKEN:
                self._be(self.at[token], card)
        for arranged, card in zip(self.pile, view.draw_pile, strict=False):
            self._show_back(arranged, card)
            if card < codes.CARDS:
                self._be(arranged, card)
        loose = self._unseen()
        backs = {colour: [c for c in loose if colour_of(c) == colour] for colour in BLANK_OF}
        for pool in backs.values():
            self.rng.shuffle(pool)

        def draw(held: _Held | None, colour: str, tied: bool = False) -> int:
            if held is not None and held.card is not None:
                return held.card
            if not backs[colour]:
                raise _Impossible
            card = backs[colour].pop()
            if held is not None:
                held.card = card
            # HR-2.3: who started tells something about the cards dealt first.
            if not tied and (held is None or held.dealt_to is None or not view.dealt):
                self.loose.append(card)
            return card

        office = tuple(
            (
                square,
                card if card < codes.CARDS else draw(self.at.get(token), colour_of(card)),
                token,
            )
            for square, card, token in view.office
        )
        hands = tuple(
            tuple(sorted(draw(held, held.colour) for held in hand)) for hand in self.hands
        )
        pile = list(view.draw_pile)
        tied: Counter[str] = Counter()
        for place, card in enumerate(pile):
            held = self.pile[place] if place < len(self.pile) else None
            colour = held.colour if held is not None else colour_of(card)
            if card >= codes.CARDS and colour != "?":
                pile[place] = draw(held, colour, tied=place > 0)
                tied[colour] += place > 0
        dark = len(backs["dark"])
        rest = backs["dark"] + backs["light"]
        self.rng.shuffle(rest)
        self.loose += rest
        if len(rest) != pile.count(codes.BLANK):
            raise _Impossible
        # The more of the deck's places are tied to a colour, the fewer orders of colours there are
        # for the others, and so much less likely is what tied them.
        if tied.total() and self.rng.random() * comb(
            len(rest) + tied.total(), dark + tied["dark"]
        ) >= comb(len(rest), dark):
            raise _Impossible
        for place, card in enumerate(pile):
            if card == codes.BLANK:
                pile[place] = rest.pop()
                if place < len(self.pile):
                    self.pile[place].card = pile[place]
        if view.dealt:
            self._check_start()
        truth = replace(view, office=office, hands=(hands[0], hands[1]), draw_pile=tuple(pile))
        return self._with_knowledge(truth)

    def _unseen(self) -> list[int]:
        view = self.view
        seen = {card for _, card, _ in view.office} | set(self.certain)
        for cards in (*view.hands, *view.play, *view.scored, view.discard, view.draw_pile):
            seen.update(cards)
        seen.add(view.hiring)
        return [card for card in view.stock if card not in seen]

    def _check_start(self) -> None:
        """HR-2.3: the lower total started, or chance decided between equal ones."""
        totals = [0, 0]
        for held in self.told:
            if held.dealt_to is not None:
                assert held.card is not None
                totals[held.dealt_to] += self.view.deck.card[shown(held.card)].value or 0
                held.dealt_to = None
        gap = totals[self.view.started] - totals[1 - self.view.started]
        if gap > 0 or (gap == 0) != self.view.tossed:
            raise _Impossible

    def _with_knowledge(self, truth: OfficeView) -> State:
        """Who knows what in this truth: the viewer as before, each what they hold, laid or
        arranged."""
        view = self.view
        sees = ALL if view.viewer == OPEN else eye(view.viewer)
        known = [0] * codes.IDS
        story: list[Told] = []
        for told, held in zip(view.story, self.told, strict=True):
            assert held.card is not None
            knows = ALL if told.what in ("show", "gain") else told.knows | 1 << told.seat
            story.append(Told(told.what, told.seat, held.card, knows, told.token))
        for before, after in zip(view.office, truth.office, strict=True):
            if before[2] != NO_TOKEN:
                known[after[1]] |= 1 << view.story[before[2]].seat
            if before[1] < codes.CARDS:
                known[after[1]] |= sees
        for seat in (0, 1):
            for card in truth.hands[seat]:
                known[card] |= 1 << seat
                if card in view.hands[seat]:
                    known[card] |= sees
        for held in self.pile:
            assert held.card is not None
            known[held.card] |= 1 << self.arranged_by
        for card in view.draw_pile:
            if card < codes.CARDS:
                known[card] |= sees
        for cards in (*view.play, *view.scored, view.discard, (view.hiring,)):
            for card in cards:
                if card < codes.CARDS:
                    known[card] = ALL
        return _state(truth, known, story)
