"""What chance gave is nought on average over what it could have given."""

from __future__ import annotations

from collections import defaultdict
from random import Random

import pytest

from openplan.core.deal import seeded
from openplan.core.game import AnyGame
from openplan.core.match import Match
from openplan.games.human_resources.bot.luck import fortunes
from openplan.games.human_resources.cards import colour_of
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import State
from tests.brute_force.compare import shipped_deck

DECK = shipped_deck()
game: AnyGame = GAME


def started(seed: int) -> Match:
    return Match.start(game, DECK, {}, secret=seeded(f"luck {seed}"))


def copied(state: State) -> State:
    copy: State = game.load(DECK, game.dump(state))
    return copy


def stacked(state: State, pile: list[int]) -> State:
    """The same with another deck, top first."""
    copy = copied(state)
    copy.table.deck_size = 0
    for card in reversed(pile):
        copy.table.stack(card)
    return copy


def test_every_card_and_every_back_that_could_have_come() -> None:
    """All pairs of a top card of the colour that was seen and a card below it."""
    match, rng = started(1), Random(1)
    checked = 0
    while match.state.table.deck_size > 3:
        seat = min(match.awaited)
        move = game.search(match.view(seat), None, 1, rng.getrandbits(30), "promise")[0][0]
        left = int(match.state.table.deck_size)
        if match.state.table.phase == codes.AT_TURN and left % 9 == 4 and left < 40:
            pile = match.state.table.deck_list()
            gifts: dict[str, list[float]] = defaultdict(list)
            for first in pile:
                if colour_of(first) != colour_of(pile[0]):
                    continue
                for second in pile:
                    if second == first:
                        continue
                    rest = [card for card in pile if card not in (first, second)]
                    before = stacked(match.state, [first, second, *rest])
                    after = copied(before)
                    game.play(after, seat, move)
                    if left - int(after.table.deck_size) == 1:
                        for one in fortunes(before, after):
                            sort = "back" if one.what in ("dark", "light") else "card"
                            gifts[sort].append(one.points)
            for found in gifts.values():
                assert sum(found) == pytest.approx(0, abs=1e-6)
                assert max(found) > min(found)
                checked += 1
        match.submit(seat, game.format_move(DECK, move))
    assert checked >= 4


def test_a_deal_is_worth_the_opposite_to_the_other_seat() -> None:
    """HR-2: with hands and turn exchanged it is as likely."""
    worths = []
    for seed in range(12):
        match = started(seed)
        seat = min(match.awaited)
        before = match.state
        deal = fortunes(None, before)
        assert {one.what for one in deal} == {"deal"}
        assert sum(one.points for one in deal) == 0
        twin = copied(before)
        hands = [before.table.hand_of(side) for side in (0, 1)]
        for side in (0, 1):
            for card in hands[side]:
                twin.table.take_from_hand(side, card)
        for side in (0, 1):
            for card in hands[1 - side]:
                twin.table.give(side, card)
        twin.table.actor = 1 - before.table.actor
        found = {one.seat: one.points for one in fortunes(None, twin)}
        assert found == {1 - one.seat: one.points for one in deal}
        worths.append(deal[0].points)
        # No move brings it again.
        after = copied(before)
        game.play(after, seat, game.moves(match.view(seat))[0])
        assert not [one for one in fortunes(before, after) if one.what == "deal"]
    assert max(worths) > 0 > min(worths)
