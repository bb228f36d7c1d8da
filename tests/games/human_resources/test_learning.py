"""Steps are the moves, and an observation holds what its seat may know and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.deal import seeded
from openplan.core.game import Seat
from openplan.core.match import Match, complete_house
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.human_resources.kernel.stepwise import PICK_CARD, USE_CARD
from openplan.games.human_resources.text.notation import parse_move, to_kernel
from tests.games.human_resources.stepping import WINDOW, any_text, lanes_of, seen_by, walk_game
from tests.probes import new_match, play_on, probe_of

GAME = game_named("human-resources")
GAME_DECK = load_deck(GAME)


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(3))
def test_steps_are_the_moves_in_every_form(seed: int) -> None:
    assert walk_game(seed + 3) > 20


def test_steps_are_the_legal_moves_and_the_notation() -> None:
    assert sum(walk_game(seed) for seed in range(40)) > 1500


def told_by_view(match: Match, seat: Seat) -> bytes:
    desk = GAME.learning(match.deck, match.house).desk(WINDOW)
    desk.ask(GAME.view(match.state, seat))
    desk.observe()
    return bytes(memoryview(desk.seen))


@pytest.mark.parametrize("seed", range(12))
def test_lanes_know_what_the_views_know(seed: int) -> None:
    """Move by move: who knows which face, and each seat's observation from the truth and from its
    view. What somebody has chosen halfway is nobody else's to see."""
    rng = Random(f"lanes {seed}")
    match = new_match(GAME, rng)
    lanes = lanes_of(match)
    lane = lanes.lanes[0]
    while match.outcome is None:
        (seat,) = match.to_act
        other = Seat(1 - seat)
        text = any_text(match, rng)
        move = to_kernel(match.state.table, parse_move(text))
        before = seen_by(lanes, other)
        *first, last = lane.steps.actions_of(move)
        for action in first:
            lanes.step(action.to_bytes(2, "little"))
            assert seen_by(lanes, other) == before
            assert bytes(memoryview(lanes.observations)) == seen_by(lanes, seat)
        assert lanes.first_impossible(last.to_bytes(2, "little")) == -1
        lanes.step(last.to_bytes(2, "little"))
        match.submit(seat, text)
        assert list(lane.known) == match.state.known, text
        assert list(lanes.points) == list(match.state.table.points)
        for viewer in (Seat(0), Seat(1)):
            assert seen_by(lanes, viewer) == told_by_view(match, viewer), text
    assert lanes.done[0]
    winners = match.outcome.winners
    assert [reward > 0 for reward in lanes.rewards] == [seat in winners for seat in (0, 1)]


def test_a_desk_offers_what_is_legal_however_long_it_is_used() -> None:
    """Managers move what keeps the office in one piece: what was asked on other tables before must
    not count."""
    rng = Random("desks")
    desk = GAME.learning(GAME_DECK, complete_house(GAME, {})).desk(WINDOW)
    moved = 0
    for _ in range(25):
        match = Match.start(GAME, GAME_DECK, {}, secret=seeded(rng.random()))
        while match.outcome is None:
            (seat,) = match.to_act
            view = match.view(seat)
            desk.ask(view)
            move = None
            while move is None:
                lit = [action for action, can in enumerate(memoryview(desk.mask)) if can]
                hires = [action for action in lit if USE_CARD <= action < PICK_CARD]
                move = desk.take(rng.choice(hires or lit))
            moved += "move" in GAME.format_move(match.deck, move)
            assert GAME.why_not(view, move) is None, GAME.format_move(match.deck, move)
            match.submit(seat, GAME.format_move(match.deck, move))
    assert moved > 30


def test_truths_that_a_seat_cannot_tell_apart_give_the_same_bytes() -> None:
    compared = 0
    for seed in range(60):
        rng = Random(f"tensors {seed}")
        match = new_match(GAME, rng)
        play_on(match, rng, rng.randrange(50))
        if match.outcome is not None:
            continue
        for viewer in (Seat(0), Seat(1)):
            other = probe_of(GAME).other_truth(match, viewer, rng)
            if other is None or other.state.table.numbers() == match.state.table.numbers():
                continue
            ours, theirs = lanes_of(match), lanes_of(other)
            assert seen_by(ours, viewer) == seen_by(theirs, viewer)
            if viewer in match.to_act:
                assert bytes(memoryview(ours.masks)) == bytes(memoryview(theirs.masks))
                assert bytes(memoryview(ours.observations)) == seen_by(ours, viewer)
            compared += 1
    assert compared > 40
