"""The kernel deals fairly, and so do those who imagine what they do not see."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from openplan.core.deal import Deal
from openplan.core.match import complete_house
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import FIRST_DEAL, Board
from openplan.games.cube_farm.kernel.others import Others
from openplan.games.cube_farm.kernel.plain import _deal_hidden
from openplan.games.cube_farm.state import new_table
from tests.fairness import alarms
from tests.games.cube_farm.compare import shipped_deck
from tests.games.cube_farm.probe import dealt_on
from tests.laws import Law, law_of

DECK = shipped_deck()
HOUSE = complete_house(GAME, {})


def law() -> Law:
    return law_of(GAME, (), DECK)


@pytest.mark.plain
def test_the_kernel_deals_fairly() -> None:
    """With seeds in a row, as matches are played for studies."""
    table, rng = new_table(DECK, HOUSE), Random(1)
    deals: list[Deal] = []
    for seed in range(3000):
        table.deal(codes.Rng(seed))
        deals.append(dealt_on(DECK, table, rng))
    found = alarms(law(), deals)
    assert not found, "\n".join(map(str, found[:10]))


def imagined(dealt: Board, unseen: list[int], chance: codes.Rng, rng: Random) -> Board:
    """As the search does it: the others' hands; it does not look into the deck."""
    others = Others()
    others.meet(1, unseen, [])
    others.imagine(dealt, chance, 0)
    drawn = [int(others.unseen[place]) for place in range(10)]
    rest = [card for card in unseen if card not in drawn]
    dealt.set_hand(2, drawn[:5])
    dealt.set_hand(0, drawn[5:])
    dealt.set_deck(rng.sample(rest, len(rest)))
    return dealt


def hidden_dealt(dealt: Board, unseen: list[int], chance: codes.Rng, rng: Random) -> Board:
    """As the plain search does it."""
    _deal_hidden(dealt, unseen, chance)
    return dealt


@pytest.mark.parametrize("imagine", [imagined, hidden_dealt])
def test_what_a_search_imagines_is_fair(
    imagine: Callable[[Board, list[int], codes.Rng, Random], Board],
) -> None:
    """Who sees the floors and one hand of a fair deal and imagines the rest has a fair deal."""
    rng, chance = Random(2), codes.Rng(5)
    truth, known = new_table(DECK, HOUSE), new_table(DECK, HOUSE)
    deals: list[Deal] = []
    for seed in range(2500):
        truth.deal(codes.Rng(1_000_000 + seed))
        unseen = truth.deck_list() + truth.hand_of(0) + truth.hand_of(2)
        known.copy_from(truth)
        known.set_deck([codes.NONE] * len(truth.deck_list()))
        for seat in (0, 2):
            known.set_hand(seat, [codes.NONE] * FIRST_DEAL)
        deals.append(dealt_on(DECK, imagine(known, sorted(unseen), chance, rng), rng))
    found = alarms(law(), deals)
    assert not found, "\n".join(map(str, found[:10]))
