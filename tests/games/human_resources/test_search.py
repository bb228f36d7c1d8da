"""Looking ahead: the end of a match is played out, not guessed."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.deal import seeded
from openplan.core.game import AnyGame
from openplan.core.match import Match, complete_house
from openplan.games.human_resources.bot import think
from openplan.games.human_resources.bot.weights import WEIGHTS
from openplan.games.human_resources.cards import kernel_cards, number_of
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.choosing import best_move
from openplan.games.human_resources.kernel.moves import list_moves
from openplan.games.human_resources.kernel.search import ALL, Search
from openplan.games.human_resources.kernel.turn import apply
from openplan.games.human_resources.kernel.weighing import winner_for
from tests.brute_force.compare import shipped_deck

DECK = shipped_deck()
HOUSE = complete_house(GAME, {})


def match_with_left(left: int, seed: int) -> Match:
    """A match played by what moves promise, at a turn with so many cards in the deck. Who draws two
    cards in a turn may pass that by: then another match."""
    game: AnyGame = GAME
    rng = Random(seed)
    while True:
        match = Match.start(game, DECK, HOUSE, secret=seeded(rng.random()))
        while match.outcome is None:
            table = match.state.table
            if table.deck_size == left and table.phase == codes.AT_TURN:
                return match
            seat = min(match.awaited)
            found = game.search(match.view(seat), None, 1, rng.getrandbits(30), "promise")
            match.submit(seat, game.format_move(DECK, found[0][0]))


def new_search() -> Search:
    return Search(
        kernel_cards(DECK, False),
        list(WEIGHTS),
        think.NET.read_bytes(),
        think.DEPTH,
        think.REPLIES,
        think.SPREAD,
        think.SLOPE,
    )


def final_lead(table: Board, move: int, seat: int, search: Search) -> int:
    """After a move and the best answer to it."""
    trial = Board(table.cards)
    trial.copy_from(table)
    apply(trial, move)
    while trial.phase != codes.AT_END:
        apply(trial, best_move(search.mind, trial, codes.Rng(1), ALL))
    return int(trial.points[seat] - trial.points[1 - seat])


@pytest.mark.parametrize(
    ("mine", "theirs", "winner"),
    [
        ("P02d", "P01d P10d", 1),  # 4 against 3
        ("P02d", "P01d P01l", -1),  # HR-9.2: 4 each, but two cards
        ("P04d P10d", "P02d P01d", 1),  # 6 each, two cards each, the highest a 5
        ("P02d P01d", "P02l P01l", 0),
    ],
)
def test_hr_9_ties_are_broken_in_tries_too(mine: str, theirs: str, winner: int) -> None:
    table = Board(kernel_cards(DECK, False))
    for seat, names in enumerate((mine, theirs)):
        for name in names.split():
            table.score(seat, number_of(name))
    assert winner_for(table, 0) == winner
    assert winner_for(table, 1) == -winner


@pytest.mark.parametrize("lines", [think.CALIBRATION, think.REVIEWED])
def test_chances_rise_with_what_a_move_brings(
    lines: tuple[tuple[int, float, float], ...],
) -> None:
    for left in (1, 4, 5, 20, 62):
        chances = [think._chance(mean / 10, left, lines) for mean in range(-10, 11)]
        assert chances == sorted(chances)
        assert 0 <= chances[0] < 0.1
        assert 0.9 < chances[-1] <= 1


@pytest.mark.parametrize("seed", range(8))
def test_the_last_move_is_one_that_wins_if_there_is_one(seed: int) -> None:
    match = match_with_left(1, seed)
    table = match.state.table
    seat = int(table.actor)
    search = new_search()
    leads = [
        final_lead(table, int(table.moves[number]), seat, search)
        for number in range(int(list_moves(table)))
    ]
    found = GAME.search(match.view(min(match.awaited)), None, 500, 1)[0][0]
    match.submit(min(match.awaited), GAME.format_move(DECK, found))
    outcome = match.outcome
    assert outcome is not None
    lead = outcome.points[seat] - outcome.points[1 - seat]
    assert lead == max(leads)


@pytest.mark.parametrize("seed", range(8))
def test_the_last_turn_but_one_is_played_to_the_end(seed: int) -> None:
    """No worse than what promises most, and as good as the best of all moves nearly always."""
    table = match_with_left(2, seed).state.table
    search = new_search()
    seat = int(table.actor)
    leads = {
        move: final_lead(table, move, seat, search)
        for move in [int(table.moves[n]) for n in range(int(list_moves(table)))]
    }
    promising = int(best_move(search.mind, table, codes.Rng(1), ALL))
    found = int(search._reply(table))
    assert leads[found] >= leads[promising]
    assert leads[found] >= sorted(leads.values())[-1 - len(leads) // 50]


EVERYTHING = {rule.name: "yes" for rule in GAME.house_rules}


@pytest.mark.parametrize("strength", ["", "promise", "plain"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_found_is_legal_under_every_house_rule(seed: int, strength: str) -> None:
    game: AnyGame = GAME
    rng = Random(f"every house rule {seed}")
    match = Match.start(game, DECK, EVERYTHING, secret=seeded(rng.random()))
    while match.outcome is None:
        seat = min(match.awaited)
        view = match.view(seat)
        found = game.search(view, None, 60, rng.getrandbits(30), strength)
        legal = set(game.moves(view))
        assert found
        assert {move for move, _ in found} <= legal
        assert not any(move.leave for move, _ in found), "a search completes what it can"
        match.submit(seat, game.format_move(DECK, found[0][0]))
