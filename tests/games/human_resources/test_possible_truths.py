"""What a viewer may imagine late in a match, against every truth there is, counted out.

Few cards, so that all ways they may lie can be played through. Where a player lays a card face
down, any of the colour is as likely; what is shown is shown. From each way the viewer's view is
taken, and all ways that give the same view are what may be true, each with its weight.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import NamedTuple

import pytest

from openplan.core.game import Seat
from openplan.core.match import complete_house
from openplan.games.human_resources.cards import colour_of, shown
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.loose import Loose
from openplan.games.human_resources.state import State
from openplan.games.human_resources.view import OfficeView, template
from tests.brute_force.compare import shipped_deck
from tests.fairness import chi_square_tails

DECK = shipped_deck()
HOUSE = complete_house(GAME, {})
PROMO = complete_house(GAME, {"promo": "yes"})

Step = Callable[[State], Iterator[tuple[Fraction, str]]]
Truth = tuple[tuple[str, ...], ...]


def says(text: str) -> Step:
    """What somebody does who can; where he cannot, it is not what happened."""

    def step(state: State) -> Iterator[tuple[Fraction, str]]:
        yield Fraction(1), text

    return step


def lays(colour: str, square: str, then: str = "place {} {}") -> Step:
    """Any card of this colour in hand, each as likely."""

    def step(state: State) -> Iterator[tuple[Fraction, str]]:
        seat = int(state.table.actor)
        hand = [card for card in state.table.hand_of(seat) if colour_of(card) == colour]
        for card in hand:
            yield Fraction(1, len(hand)), then.format(shown(card), square)

    return step


def arranges(state: State) -> Iterator[tuple[Fraction, str]]:
    """Any order of the cards looked at (HR-8.4), each as likely."""
    looked = state.table.deck_list()[: int(state.table.looked)]
    orders = list(permutations(looked))
    for order in orders:
        yield Fraction(1, len(orders)), f"arrange {' '.join(map(shown, order))}"


def truth_of(table: Board) -> Truth:
    office = tuple(f"{x} {y} {shown(card)}" for x, y, card in table.cubicles())
    hands = [tuple(sorted(shown(card) for card in table.hand_of(seat))) for seat in (0, 1)]
    return office, hands[0], hands[1], tuple(shown(card) for card in table.deck_list())


class Story(NamedTuple):
    """A position with the backs of hidden places (`<d>`, `<l>`, and `<?>` where not even the back
    is seen), the cards that lie there in some order, and what happens from then on."""

    position: dict[str, str]
    hidden: str
    steps: list[Step]
    house: dict[str, str] = HOUSE


def possible(story: Story) -> dict[str, tuple[OfficeView, dict[Truth, Fraction]]]:
    """By what A sees in the end: the view, and how much speaks for each truth."""
    text = json.dumps(story.position)
    places = re.findall(r"<.>", text)
    found: dict[str, tuple[OfficeView, dict[Truth, Fraction]]] = {}
    for cards in permutations(story.hidden.split()):
        if all(
            place in ("<?>", f"<{card[-1]}>") for place, card in zip(places, cards, strict=True)
        ):
            names = iter(cards)
            position = json.loads(re.sub(r"<.>", lambda _: next(names), text))  # noqa: B023
            state = GAME.set_up(DECK, story.house, position)
            for weight, end in played(state, story.steps, Fraction(1)):
                view: OfficeView = GAME.view(end, Seat(0))
                _, truths = found.setdefault(json.dumps(GAME.view_data(view)), (view, {}))
                truth = truth_of(end.table)
                truths[truth] = truths.get(truth, Fraction(0)) + weight
    return found


def played(state: State, steps: list[Step], weight: Fraction) -> Iterator[tuple[Fraction, State]]:
    if not steps:
        yield weight, state
        return
    for share, text in steps[0](state):
        move = GAME.parse_move(DECK, text)
        (seat,) = GAME.to_act(state)
        if GAME.why_not(GAME.view(state, seat), move) is None:
            after = state.copy()
            GAME.play(after, seat, move)
            yield from played(after, steps[1:], weight * share)


STORIES = {
    "a cubicle of B's is lifted by A, and B shows a card": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "M05d P15l",
            "hand B": "<d> <d> <l>",
            "deck": "<d> P09l <?> <?>",
            "turn": "B",
        },
        "P01d P02d M02d P03d P04l P05l M03d",
        [lays("dark", "W1"), says("hire M05d remove W1"), says("project P01d")],
    ),
    "B picks a project up, lays two cards, and A lifts the first": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "M09d M05d P15l",
            "hand B": "<d> <l>",
            "play B": "P01d",
            "deck": "P09l <d> P08l <d> P07l <?>",
        },
        "P02d M02d P03d M03d P04l P05l",
        [
            says("hire M09d pick-up"),
            lays("dark", "W1"),
            says("place P15l E1"),
            lays("dark", "S1"),
            says("hire M05d remove W1"),
        ],
    ),
    "B changes a card for a cubicle that it laid": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "P14l P15l",
            "hand B": "<d> <d> <d>",
            "deck": "<d> P09l <l> P08l <l> <?>",
            "turn": "B",
        },
        "P01d P02d M06d M03d P06d P05l P11l P12l",
        [
            lays("dark", "W1"),
            says("place P15l E1"),
            lays("dark", "W1", "hire M06d exchange {} {}"),
            says("place P14l E2"),
            says("project P01d"),
        ],
    ),
    "A takes a card from the discard that B then may lay": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "P14l P15l",
            "hand B": "M08d <d> <d>",
            "discard": "P01d M03d",
            "deck": "<d> P09l <l> <?>",
            "turn": "B",
        },
        "P02d M02d P03d P05l P06d P06l",
        [says("hire M08d take P01d"), says("place P15l E1"), lays("dark", "W1")],
    ),
    "A looks at the deck and arranges it": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "X04d P15l",
            "hand B": "<d> <d> <l>",
            "deck": "P01d P02d P03l P04d <?> <?>",
        },
        "P05d M02d P06l M03l P07l M03d",
        [
            says("hire X04d look"),
            says("arrange P03l P04d P01d P02d"),
            lays("dark", "W1"),
            says("place P15l E1"),
            says("project P04d"),
        ],
        PROMO,
    ),
    "B arranges the deck, of which A saw the top": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "P14l P15l",
            "hand B": "X04d",
            "deck": "<d> <?> <?> <?> <?>",
            "turn": "B",
        },
        "P01d P02d P03d P04l P05l M03l",
        [says("hire X04d look"), arranges],
        PROMO,
    ),
    "B arranges what A had arranged, and shows one of it": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "X04d P15l",
            "hand B": "X04l <d>",
            "deck": "P01d P02d P03l P04d <?> <?> <?>",
        },
        "P05d M02d M03d P06l P07l",
        [
            says("hire X04d look"),
            says("arrange P03l P04d P01d P02d"),
            says("hire X04l look"),
            arranges,
            says("place P15l E1"),
            lays("dark", "W1"),
            says("place P03l E2"),
            says("project P01d"),
        ],
        PROMO,
    ),
    "B arranges the deck twice": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "P14l P15l",
            "hand B": "X04d X04l",
            "deck": "<d> <?> <?> <?>",
            "turn": "B",
        },
        "P01d P02d M02d P04l M03l",
        [
            says("hire X04d look"),
            arranges,
            says("place P15l E1"),
            says("hire X04l look"),
            arranges,
        ],
        PROMO,
    ),
    "B arranges the deck and lays a card that may be of it": Story(
        {
            "office": "D",
            "faces": "0=<d>",
            "hand A": "P14l P15l",
            "hand B": "X04d <d>",
            "deck": "<d> <?> <?> <?>",
            "turn": "B",
        },
        "P01d P02d M02d M03d P04l P05l",
        [
            says("hire X04d look"),
            arranges,
            says("place P15l E1"),
            lays("dark", "W1"),
        ],
        PROMO,
    ),
}


def drawn(view: OfficeView, rng: Random, count: int) -> Iterator[Board]:
    for _ in range(count):
        yield GAME.determinize(view, rng).table


def dealt_anew(view: OfficeView, rng: Random, count: int) -> Iterator[Board]:
    for number in range(count):
        table, cards = template(view, rng)
        again = Board(table.cards)
        again.copy_from(table)
        Loose(table, cards).deal(again, codes.Rng(number))
        yield again


@pytest.mark.parametrize("draw", [drawn, dealt_anew])
@pytest.mark.parametrize("name", STORIES)
def test_truths_are_drawn_as_often_as_they_are_likely(
    name: str, draw: Callable[[OfficeView, Random, int], Iterator[Board]]
) -> None:
    judged = 0
    ways = sorted(possible(STORIES[name]).items())
    for key, (view, truths) in Random(name).sample(ways, min(3, len(ways))):
        total = sum(truths.values())
        expected = {truth: float(weight / total) for truth, weight in truths.items()}
        count = max(300, int(30 / min(expected.values())))
        seen = Counter(truth_of(table) for table in draw(view, Random(key), count))
        assert set(seen) <= set(expected), "a truth that cannot be"
        x = sum((seen[t] - count * e) ** 2 / (count * e) for t, e in expected.items())
        if len(expected) > 1:
            judged += 1
            assert min(chi_square_tails(x, len(expected) - 1)) > 1e-12, (x, len(expected))
    assert judged
