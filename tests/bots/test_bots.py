"""Bots on every game: they play by the rules, and by nothing but what their seat may know."""

import time
from random import Random

import pytest

from openplan.bots import BOTS, STRONGEST, Bot, Budget, bot_named, ranking
from openplan.core.deal import seeded
from openplan.core.game import AnyGame, Game, GameError, Seat
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.decks import load_deck

GAMES = sorted(all_games().values(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
# A game without a search of its own has no strengths to compare.
SEARCHED = [game for game in GAMES if type(game).search is not Game.search]
every_searched_game = pytest.mark.parametrize("game", SEARCHED, ids=lambda game: game.name)
# By iterations, so that nothing depends on how busy the machine is.
PLAYERS = [bot_named(name, Budget(iterations=50)) for name in (*BOTS, "plain-search")]
every_bot = pytest.mark.parametrize("bot", PLAYERS, ids=lambda bot: bot.name)


def play_out(game: AnyGame, bots: list[Bot], seed: int, plies: int = 1000) -> Match:
    """A match between bots, or its first plies."""
    rng = Random(seed)
    match = Match.start(game, load_deck(game), secret=seeded(rng.random()))
    while match.outcome is None and match.ply < plies:
        seat = min(match.awaited)
        move = bots[seat].choose(game, match.view(seat), rng)
        match.submit(seat, game.format_move(match.deck, move))
    return match


@every_game
@every_bot
def test_a_match_of_a_bot_against_itself_comes_to_its_end(game: AnyGame, bot: Bot) -> None:
    for seed in range(3):
        assert play_out(game, [bot] * len(game.seats), seed).outcome is not None


@every_game
@every_bot
@pytest.mark.parametrize("seed", range(4))
def test_a_bot_moves_alike_whatever_is_hidden_from_it(game: AnyGame, bot: Bot, seed: int) -> None:
    random = [bot_named("random")] * len(game.seats)
    length = play_out(game, random, seed).ply
    match = play_out(game, random, seed, plies=min(5 + 7 * seed, length - 3))
    seat = min(match.awaited)
    view = match.view(seat)
    chosen = bot.choose(game, view, Random(seed))
    states = [game.determinize(view, Random(number)) for number in range(8)]
    assert len({game.dump(state) for state in states}) > 1, "nothing is hidden here"
    for state in states:
        assert bot.choose(game, game.view(state, seat), Random(seed)) == chosen


@every_game
def test_the_random_bot_reaches_every_kind_of_move(game: AnyGame) -> None:
    match = Match.start(game, load_deck(game), secret=seeded(2))
    view = match.view(min(match.awaited))
    bot = bot_named("random")
    chosen = {game.format_move(match.deck, bot.choose(game, view, Random(n))) for n in range(300)}
    if game.parts:
        listed = [move for part in game.parts for move in game.moves_of_part(view, part)]
    else:
        listed = game.moves(view)
    moves = [game.format_move(match.deck, move) for move in listed]
    assert {text.split()[0] for text in chosen} >= {text.split()[0] for text in moves}
    assert game.parts or chosen <= set(moves)


@every_game
def test_the_greedy_bot_plays_one_of_the_best_and_chance_decides_between_equals(
    game: AnyGame,
) -> None:
    match = Match.start(game, load_deck(game), secret=seeded(1))
    view = match.view(min(match.awaited))
    ranked = ranking(game, view)
    assert [worth for worth, _ in ranked] == sorted((worth for worth, _ in ranked), reverse=True)
    best = [move for worth, move in ranked if worth == ranked[0][0]]
    bot = bot_named("greedy")
    chosen = [bot.choose(game, view, Random(number)) for number in range(60)]
    assert all(move in best for move in chosen)
    assert len(set(chosen)) == len(best) or len(best) > 10


def wins(game: AnyGame, strong: Bot, weak: Bot, matches: int) -> int:
    """How many of these the stronger wins, in every seat in turn."""
    won = 0
    for seed in range(matches):
        bots = [weak] * len(game.seats)
        mine = Seat(seed % len(game.seats))
        bots[mine] = strong
        outcome = play_out(game, bots, seed).outcome
        assert outcome is not None
        won += outcome.winners == (mine,)
    return won


@every_searched_game
def test_greedy_beats_random_clearly(game: AnyGame) -> None:
    assert wins(game, bot_named("greedy"), bot_named("random"), 16) >= 13


@every_searched_game
def test_the_strengths_are_in_order(game: AnyGame) -> None:
    """Few matches, which such distances pass by far; the arena measures."""
    assert wins(game, bot_named("intern"), bot_named("random"), 6) >= 4
    assert wins(game, bot_named("clerk"), bot_named("intern"), 12) >= 8
    assert wins(game, bot_named("manager"), bot_named("intern"), 12) >= 7
    assert wins(game, bot_named("clerk"), bot_named("supervisor"), 12) >= 7
    assert wins(game, bot_named("director", Budget(iterations=64)), bot_named("greedy"), 4) >= 2


def match_of(game: AnyGame) -> Match:
    return Match.start(game, load_deck(game), secret=seeded(4))


@every_searched_game
@pytest.mark.parametrize("name", ["director", "clerk", "plain-search"])
def test_a_time_budget_is_kept(game: AnyGame, name: str) -> None:
    """By no more than a tenth. On a busy machine another process may take the time: so the best of
    a few attempts counts."""
    bot = bot_named(name, Budget(seconds=0.2))
    match = play_out(game, [bot_named("greedy")] * len(game.seats), 3, plies=9)
    view = match.view(min(match.awaited))
    bot.choose(game, view, Random(0))  # what is computed once is not thinking
    taken = []
    for attempt in range(5):
        began = time.perf_counter()
        bot.choose(game, view, Random(attempt))
        taken.append(time.perf_counter() - began)
    assert min(taken) <= 0.22


@every_game
def test_the_strongest_gives_chances(game: AnyGame) -> None:
    match = match_of(game)
    view = match.view(min(match.awaited))
    advice = bot_named("director", Budget(iterations=100)).advice(game, view, Random(1))  # type: ignore[attr-defined]
    assert bool(advice) == (game in SEARCHED)
    assert all(0 <= chance <= 1 for _, chance in advice)
    assert all(game.why_not(view, move) is None for move, _ in advice)
    assert STRONGEST.budget == Budget(1.0)


def test_an_unknown_bot_is_answered_with_those_there_are() -> None:
    with pytest.raises(GameError, match="there is no bot 'deep'; there are: director, clerk, "):
        bot_named("deep")


def test_no_table_offers_what_is_only_there_to_compare_with() -> None:
    strengths = ["director", "clerk", "manager", "supervisor", "intern"]
    assert [*BOTS][:7] == [*strengths, "greedy", "random"]
    assert "plain-search" not in BOTS
