"""Bots on every game: they play by the rules, and by nothing but what their seat may know."""

from random import Random

import pytest

from openplan.bots import BOTS, Bot, bot_named, ranking
from openplan.core.game import AnyGame, GameError, Seat
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.decks import load_deck

GAMES = sorted(all_games().values(), key=lambda game: game.name)
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
every_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=lambda bot: bot.name)


def play_out(game: AnyGame, bots: list[Bot], seed: int, plies: int = 1000) -> Match:
    """A match between bots, or its first plies."""
    rng = Random(seed)
    match = Match.start(game, load_deck(game), chance=rng)
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
    match = play_out(game, [bot_named("random")] * len(game.seats), seed, plies=5 + 7 * seed)
    seat = min(match.awaited)
    view = match.view(seat)
    chosen = bot.choose(game, view, Random(seed))
    states = [game.determinize(view, Random(number)) for number in range(8)]
    assert len({game.dump(state) for state in states}) > 1, "nothing is hidden here"
    for state in states:
        assert bot.choose(game, game.view(state, seat), Random(seed)) == chosen


@every_game
def test_the_random_bot_reaches_every_kind_of_move(game: AnyGame) -> None:
    match = Match.start(game, load_deck(game), chance=Random(2))
    view = match.view(min(match.awaited))
    bot = bot_named("random")
    chosen = {game.format_move(match.deck, bot.choose(game, view, Random(n))) for n in range(300)}
    first_words = {text.split()[0] for text in chosen}
    moves = [game.format_move(match.deck, move) for move in game.moves(view)]
    assert first_words == {text.split()[0] for text in moves}
    assert chosen <= set(moves)


@every_game
def test_the_greedy_bot_plays_one_of_the_best_and_chance_decides_between_equals(
    game: AnyGame,
) -> None:
    match = Match.start(game, load_deck(game), chance=Random(1))
    view = match.view(min(match.awaited))
    ranked = ranking(game, view)
    assert [worth for worth, _ in ranked] == sorted((worth for worth, _ in ranked), reverse=True)
    best = [move for worth, move in ranked if worth == ranked[0][0]]
    bot = bot_named("greedy")
    chosen = [bot.choose(game, view, Random(number)) for number in range(60)]
    assert all(move in best for move in chosen)
    assert len(set(chosen)) == len(best) or len(best) > 10


@every_game
def test_greedy_beats_random_clearly(game: AnyGame) -> None:
    won = 0
    for seed in range(16):
        bots = [bot_named("random")] * len(game.seats)
        mine = Seat(seed % len(game.seats))
        bots[mine] = bot_named("greedy")
        outcome = play_out(game, bots, seed).outcome
        assert outcome is not None
        won += outcome.winners == (mine,)
    assert won >= 13


def test_an_unknown_bot_is_answered_with_those_there_are() -> None:
    with pytest.raises(GameError, match="there is no bot 'deep'; there are: greedy, random, cmd:"):
        bot_named("deep")
