"""Looking back: orders are judged by what could be known, and luck favours nobody."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev

import pytest

from openplan.core.game import Event, Preview, Remark, Seat
from openplan.games.cube_farm import looking_back
from openplan.games.cube_farm.bot import judging
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.state import State
from openplan.games.cube_farm.view import FarmView
from tests.games.cube_farm.test_search import DECK, P, match_after


@pytest.mark.parametrize("turns", [0, 2, 4])
def test_given_orders_are_judged_as_the_search_judges_them(turns: int) -> None:
    view = match_after(turns, turns + 1).view(P)
    found = GAME.search(view, None, 64, 7)
    some = [*found[:3], found[-1]]
    judged = GAME.judge(view, [orders for orders, _ in some], 64 * len(some), 7)
    assert judged == pytest.approx([chance for _, chance in some])
    # The same imagined turns for each: alone or beside others.
    alone = [GAME.judge(view, [orders], 64, 7)[0] for orders, _ in some]
    assert alone == pytest.approx(judged)
    nothing = GAME.parse_move(DECK, "nothing")
    assert GAME.judge(view, [nothing], 64, 7)[0] < judged[0]


def test_orders_are_judged_by_what_could_be_known() -> None:
    match = match_after(2, 5)
    view = match.view(P)
    orders = GAME.search(view, None, 16, 1)[0][0]
    other = GAME.view(GAME.determinize(view, Random(3)), P)
    assert GAME.judge(view, [orders], 64, 1) == GAME.judge(other, [orders], 64, 1)


def dealt_anew(state: State, rng: Random) -> State:
    """The same table before a deal, the deck in another order."""
    other: State = GAME.load(DECK, GAME.dump(state))
    pile = other.table.deck_list()
    rng.shuffle(pile)
    other.table.set_deck(pile)
    return other


def test_luck_is_nought_on_average_over_all_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "DEALS", 8)
    before: State = match_after(1, 2).state
    rng = Random(1)
    lucks: list[list[float]] = [[], [], []]
    for _ in range(120):
        state = dealt_anew(before, rng)
        start: State = GAME.load(DECK, GAME.dump(state))
        state.table.end_turn()
        for one in GAME.fortunes(start, state):
            lucks[one.seat].append(one.points)
    for seat in range(codes.SEATS):
        assert len(lucks[seat]) == 120
        assert stdev(lucks[seat]) > 0.5  # so that it could be seen
        assert abs(fmean(lucks[seat])) < 3 * stdev(lucks[seat]) / 120**0.5


def test_luck_is_of_the_cards_that_came() -> None:
    match = match_after(1, 3)
    deal = match.at(0)
    gifts = GAME.fortunes(None, deal.state)
    for seat, one in enumerate(gifts):
        names = sorted(DECK.name_of(card) for card in deal.state.table.hand_of(seat))
        assert sorted(one.what.split(", ")) == names
    assert gifts == GAME.fortunes(None, match.at(0).state)
    later = [GAME.fortunes(match.at(ply - 1).state, match.at(ply).state) for ply in (1, match.ply)]
    assert later[0] == []
    assert [len(one.what.split(", ")) for one in later[1]] == [3, 3, 3]


def test_nothing_is_dealt_after_the_last_turn() -> None:
    match = match_after(5, 1)
    assert GAME.fortunes(match.at(match.ply - 1).state, match.state) == []


def test_reasons_and_truth() -> None:
    match = match_after(1, 4)
    view = match.view(P)
    best = GAME.search(view, None, 64, 1)[0][0]
    nothing = GAME.parse_move(DECK, "nothing")
    points = GAME.preview(view, best).points
    assert points > 0
    assert GAME.reasons(view, best, nothing)[0] == Remark(
        "why-forecast", {"score": f"{points:+}", "instead": "+0"}
    )
    assert not [one for one in GAME.reasons(view, nothing, best) if one.code == "why-forecast"]
    told = GAME.truth(match.state, P)
    assert [one.params["seat"] for one in told] == ["S", "T"]
    hidden = str(told[0].params["names"]).split(", ")
    hand = [DECK.name_of(card) for card in match.state.table.hand_of(Seat(0))]
    assert set(hidden) <= set(hand)
    for language in ("en", "de"):
        for one in (*told, *GAME.reasons(view, best, nothing)):
            assert GAME.say(one.code, one.params, language)


def test_what_others_would_spoil_is_told() -> None:
    view = match_after(0, 0).view(P)

    def after(lost: int) -> Preview[FarmView]:
        params = {"lost": lost, "of": 16}
        return Preview(view, (Event("imagined", "CF-3.4", params),), 3)

    assert looking_back.reasons(after(4), after(12)) == [
        Remark("why-safer", {"percent": 25, "instead": 75})
    ]
