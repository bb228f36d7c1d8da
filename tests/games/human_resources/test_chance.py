"""The kernel deals fairly, and so does a search that imagines what it does not see."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.deal import Deal
from openplan.core.game import Seat
from openplan.games.human_resources.deal import who_starts
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.loose import Loose
from openplan.games.human_resources.kernel.moves import deal_random
from openplan.games.human_resources.state import SEATS, new_table
from openplan.games.human_resources.view import template
from tests.brute_force.compare import shipped_deck
from tests.fairness import alarms
from tests.games.human_resources.probe import dealt_on
from tests.laws import Law, law_of

DECK = shipped_deck()


def law(promo: str = "no") -> Law:
    return law_of(GAME, (("promo", promo),), DECK)


@pytest.mark.plain
@pytest.mark.parametrize("promo", ["no", "yes"])
def test_the_kernel_deals_fairly(promo: str) -> None:
    """With seeds in a row, as matches are played for studies. HR-2.3: who starts, too."""
    lawful, rng = law(promo), Random(1)
    table = new_table(DECK, lawful.house)
    deals: list[Deal] = []
    for seed in range(3000):
        deal_random(table, codes.Rng(seed), len(lawful.cards))
        deal = dealt_on(table, rng)
        lower = who_starts(DECK, (deal["hand A"], deal["hand B"]))
        assert lower in (None, table.actor)
        said = (SEATS[int(table.actor)], *(["toss"] if lower is None else []))
        deals.append({**deal, "start": said})
    found = alarms(lawful, deals)
    assert not found, "\n".join(map(str, found[:10]))


@pytest.mark.parametrize("promo", ["no", "yes"])
def test_cards_dealt_anew_by_a_search_are_fair(promo: str) -> None:
    """Who sees a fair deal from a seat and deals the rest anew has a fair deal."""
    lawful, rng = law(promo), Random(2)
    deals: list[Deal] = []
    for number in range(1000):
        _, state = lawful.begun(rng)
        table, cards = template(GAME.view(state, Seat(number % 2)), rng)
        again = Board(table.cards)
        again.copy_from(table)
        Loose(table, cards).deal(again, codes.Rng(number))
        deals.append(dealt_on(again, rng))
    found = alarms(lawful, deals)
    assert not found, "\n".join(map(str, found[:10]))
