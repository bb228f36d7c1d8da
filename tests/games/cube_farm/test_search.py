"""Looking for orders: what is imagined is possible, and what is found is legal and good."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.deal import seeded
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.games.cube_farm.bot import think
from openplan.games.cube_farm.bot.weights import WEIGHTS
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import NO_ORDER
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.others import SAMPLES
from openplan.games.cube_farm.kernel.prospects import FEATURES, Prospects
from openplan.games.cube_farm.kernel.walking import score_floor
from tests.games.cube_farm.compare import orders_of, shipped_deck

DECK = shipped_deck()
S, P, T = Seat(0), Seat(1), Seat(2)


def match_after(turns: int, seed: int) -> Match:
    """A match in which everybody ordered at random so far."""
    rng = Random(seed)
    match = Match.start(GAME, DECK, {}, secret=seeded(rng.random()))
    while match.state.table.turn <= turns:
        seat = min(match.awaited)
        view = match.view(seat)
        orders = orders_of(view, seat, rng)
        while GAME.why_not(view, orders) is not None:  # certainly wrong, so refused when sent
            orders = orders_of(view, seat, rng)
        match.submit(seat, GAME.format_move(DECK, orders))
    return match


def floors_of(match: Match) -> list[Floor]:
    return [match.state.table.floor(number) for number in range(codes.FLOORS)]


@pytest.mark.parametrize("turns", range(5))
def test_imagined_orders_use_cards_that_may_be_there(turns: int) -> None:
    match = match_after(turns, turns)
    view = match.view(P)
    GAME.search(view, None, 40, 1)
    others = think.search_for(view, view.laid().cards).others
    seen = {card for floor in view.floors for card, *_ in floor.cards} | set(view.hands[P])
    used: set[int] = set()
    for sample in range(40):
        cards = []
        for seat in (S, T):
            for phase in range(codes.PHASES):
                order = int(others.card[(sample * 3 + seat) * 3 + phase])
                if order != NO_ORDER:
                    cards.append(order & 255)
        assert len(set(cards)) == len(cards), "a card is in two places"
        assert not seen.intersection(cards)
        used.update(cards)
    assert len(used) > 10, "always the same hands"


def test_cards_known_to_be_in_a_hand_are_imagined_there_and_nowhere_else() -> None:
    match = match_after(0, 3)
    state = match.state
    shown = state.table.hand_of(S)[0]
    state.shown.add(shown)
    view = match.view(P)
    GAME.search(view, None, SAMPLES, 1)
    others = think.search_for(view, view.laid().cards).others

    def count(seat: Seat) -> int:
        orders = [
            int(others.card[(sample * 3 + seat) * 3 + phase])
            for sample in range(SAMPLES)
            for phase in range(codes.PHASES)
        ]
        return sum(order != NO_ORDER and order & 255 == shown for order in orders)

    assert count(S) > 0
    assert count(T) == 0


def test_who_has_withdrawn_is_not_expected_to_order_anything() -> None:
    match = match_after(2, 5)
    for seat in (S, T):
        match.enter("resign", seat)
    view = match.view(P)
    # Nothing is left to chance.
    assert GAME.search(view, None, 20, 1) == GAME.search(view, None, 20, 2)


@pytest.mark.parametrize("seed", range(6))
def test_alone_at_the_last_turn_the_orders_found_bring_no_less_than_greedy_ones(seed: int) -> None:
    match = match_after(4, seed)
    for seat in (S, T):
        match.enter("resign", seat)
    view = match.view(P)
    found = GAME.search(view, None, 1, 1)[0][0]
    greedy = max(GAME.preview(view, orders).points for orders in GAME.candidates(view))
    assert GAME.preview(view, found).points >= greedy - 1


@pytest.mark.parametrize("strength", ["", "promise", "plain"])
@pytest.mark.parametrize("turns", [0, 2, 4])
def test_every_set_that_is_advised_is_legal_and_names_no_card_twice(
    strength: str, turns: int
) -> None:
    view = match_after(turns, 9).view(T)
    advice = GAME.search(view, None, 20, 3, strength)
    assert len(advice) > 3
    for orders, chance in advice:
        assert GAME.why_not(view, orders) is None
        cards = [phase.card.card for phase in orders.phases if phase.card is not None]
        assert len(set(cards)) == len(cards)
        assert 0 <= chance <= 1
    if strength != "plain":
        chances = [chance for _, chance in advice]
        assert chances == sorted(chances, reverse=True)


def test_after_the_last_turn_nothing_but_points_counts() -> None:
    mind = Prospects(list(WEIGHTS))
    for home, floor in enumerate(floors_of(match_after(5, 2))):
        mind.look(floor, home, 0)
        score_floor(floor, home)
        for seat in range(3):
            assert mind.value[seat] == 1000 * floor.points[seat]


def test_what_is_to_come_is_the_weighed_features() -> None:
    mind = Prospects(list(WEIGHTS))
    for home, floor in enumerate(floors_of(match_after(3, 2))):
        mind.look(floor, home, 2)
        found = [int(value) for value in mind.value]
        score_floor(floor, home)
        for phase in range(3):
            mind.count_features(floor, home, phase)
            weights = WEIGHTS[(2 * 3 + phase) * FEATURES :][:FEATURES]
            feature = [int(count) for count in mind.feature]
            cubes = feature[:6]
            assert cubes == sorted(cubes, reverse=True)
            seat = (home - phase) % 3
            to_come = sum(w * f for w, f in zip(weights, feature, strict=True))
            assert found[seat] == 1000 * int(floor.points[seat]) + to_come
