"""Sealed Tender is a whole game: what the core promises of a game holds for one without a kernel,
with sealed orders and with what one seat alone was shown."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core import snapshot
from openplan.core.game import OPEN, Illegal, Seat
from openplan.core.match import Match
from tests.core.matches import VIEWERS, everything, new
from tests.tender import DECK, GAME, A, Move


def some_match(seed: int) -> Match:
    """Bids and questions, a seat that withdraws, a deadline that not everybody meets."""
    rng = Random(seed)
    match = new()
    for _ in range(rng.randrange(1, 14)):
        if match.outcome is not None:
            break
        if rng.random() < 0.1 and len(match.state.gone) < 1:
            match.enter("resign", Seat(rng.randrange(3)))
        elif rng.random() < 0.1:
            match.enter("deadline", None)
        else:
            seat = rng.choice(sorted(match.to_act))
            move = rng.choice(GAME.moves(match.view(seat)))
            match.submit(seat, GAME.format_move(DECK, move))
    return match


@pytest.mark.parametrize("seed", range(20))
def test_a_match_from_its_snapshot_is_the_same_and_goes_on_the_same(seed: int) -> None:
    match = some_match(seed)
    again = next(match.walk())
    snapshot.load(again, match.log, snapshot.dump(match))
    assert everything(again) == everything(match)
    if match.outcome is None:
        match.enter("deadline", None)
        again.enter("deadline", None)
        assert everything(again) == everything(match)


def test_what_is_imagined_looks_as_what_is_seen_and_is_not_always_the_same() -> None:
    imagined = set()
    asked = 0
    for seed in range(20):
        match = some_match(seed)
        for viewer in VIEWERS:
            if viewer == OPEN or match.outcome is not None:  # then there is nothing to imagine
                continue
            seen = match.view(viewer)
            asked += len(seen.contracts) > 1
            state = GAME.determinize(seen, Random(seed))
            assert GAME.view(state, viewer) == seen
            imagined.add(GAME.dump(state))
    assert asked > 2, "somebody has been shown the next contract"
    assert len(imagined) > 40
    with pytest.raises(Illegal):
        GAME.determinize(new().view(OPEN), Random(1))


def test_orders_are_found_among_lines_and_forms_hold_none() -> None:
    def read(*lines: str) -> list[tuple[int, int, object]]:
        return [
            (one.first, one.last, one.fault.code if one.fault else one.move)
            for one in GAME.read_orders(DECK, lines)
        ]

    view = new().view(A)
    assert read("Dear all,", "ASK", "bid", "b5 please") == [
        (1, 1, Move("ask")),
        (2, 3, Move("bid", "b5")),
    ]
    assert read("bid b0", "chat") == [(0, 0, "unreadable"), (1, 1, "unreadable")]
    assert read(*GAME.order_form(view)) == [(0, 0, None)]
    assert read(*GAME.tell_orders(view, Move("bid", "b5"))) == []
