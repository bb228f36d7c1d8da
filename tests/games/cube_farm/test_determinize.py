"""A drawn truth is as likely as chance would make it: compared with true deals over many games."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from openplan.core.deal import seeded_chance
from openplan.core.game import Seat
from openplan.core.grid import Square
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.state import State
from openplan.games.cube_farm.text.notation import CardOrder, Orders, Phase
from tests.games.cube_farm.compare import shipped_deck
from tests.games.cube_farm.plans import HOUSE

DECK = shipped_deck()


def blind_game(rng: Random, turns: int) -> State:
    """Cards of any face are named where they cannot lie, or placed: only play that does not depend
    on faces tells nothing about them."""
    state = GAME.start(DECK, HOUSE, GAME.deal(DECK, HOUSE, seeded_chance(rng.random())))
    for _ in range(turns):
        for seat in range(3):
            names = [DECK.name_of(card) for card in state.table.hand_of(seat)]
            orders = Orders()
            for number, name in enumerate(rng.sample(names, 2)):
                square = rng.choice(["lost", "laid"])
                at = state.table.floor((seat + number) % 3)
                x = int(at.x_of(at.left)) if square == "lost" else int(at.right - at.origin_x) + 1
                order = CardOrder(name, Square(x, 0))
                orders = orders.having(number, Phase(order))
            GAME.play(state, Seat(seat), orders)
        GAME.deadline(state)
    return state


def numbers_in_hands(state: State) -> float:
    return float(sum(card for seat in (1, 2) for card in state.table.hand_of(seat)))


def elevators_in_hands(state: State) -> float:
    cards = [card for seat in (1, 2) for card in state.table.hand_of(seat)]
    return float(sum(int(state.table.cards.has_elevator[card]) for card in cards))


def next_card(state: State) -> float:
    return float(state.table.deck_list()[0])


@pytest.mark.parametrize("turns", [0, 2, 3])
@pytest.mark.parametrize("measure", [numbers_in_hands, elevators_in_hands, next_card])
def test_drawn_truths_are_like_the_real_ones(turns: int, measure: Callable[[State], float]) -> None:
    gaps = []
    for seed in range(150):
        rng = Random(f"{turns} {seed}")
        state = blind_game(rng, turns)
        view = GAME.view(state, Seat(0))
        drawn = [measure(GAME.determinize(view, rng)) for _ in range(4)]
        gaps.append(sum(drawn) / len(drawn) - measure(state))
    mean = sum(gaps) / len(gaps)
    spread = (sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) ** 0.5
    assert abs(mean) < 4 * spread / len(gaps) ** 0.5 + 1e-9


def test_a_drawn_truth_has_every_card_once_and_what_was_seen_where_it_was() -> None:
    rng = Random(3)
    for seed in range(20):
        state = blind_game(Random(seed), 2)
        for viewer in (None, Seat(0), Seat(2)):
            view = GAME.view(state, viewer)
            truth = GAME.determinize(view, rng)
            cards = truth.table.deck_list()
            for seat in range(3):
                hand = truth.table.hand_of(seat)
                cards += hand
                known = [card for card in view.hands[seat] if card != codes.NONE]
                assert set(known) <= set(hand)
            for number in range(3):
                cards += [card for card, *_ in view.floors[number].cards]
            assert sorted(cards) == list(range(len(DECK.cards)))
