"""OpenSpiel's own tests, and that what a player is told tells nothing hidden."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.tests import games_sim_test

from openplan.core.game import GameError, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.envs.open_spiel import TOLD_BYTES, State
from tests.probes import new_match, play_on, probe_of
from tests.train.playthroughs import PLAYTHROUGHS, told_lines

GAMES = ("human_resources", "cube_farm")
VARIANTS = (
    "human_resources(promo=yes,leave=yes,idle=yes,mirror=yes)",
    "human_resources(promo=yes,to_hand=yes,memory=yes,window=32)",
    "cube_farm(show_sent=yes,spend_lost=yes)",
)


def random_state(game: Any, rng: Random, steps: int) -> Any:
    """So many steps into a match, or at its end."""
    state = game.new_initial_state()
    while not state.is_terminal() and (state.is_chance_node() or steps > 0):
        steps -= not state.is_chance_node()
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS])
def test_random_matches(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_matches_in_python_with_pickles(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))
    assert "terminated with" in capsys.readouterr().out


@pytest.mark.parametrize("kept", sorted(PLAYTHROUGHS.iterdir()), ids=lambda kept: kept.stem)
def test_a_playthrough_is_as_it_was(kept: Path) -> None:
    """`python -m tests.train.playthroughs` writes them anew."""
    expected = kept.read_text("utf-8").splitlines()
    name = expected[0].removeprefix("game: ")
    actions = [int(line.split()[1]) for line in expected if re.fullmatch(r"action: \d+", line)]
    assert len(actions) > 100
    assert told_lines(name, actions) == expected


@pytest.mark.parametrize("name", [*GAMES, *VARIANTS])
def test_another_truth_for_the_same_knowledge(name: str) -> None:
    """As OpenSpiel's ResampleInfostateTest, which cannot be called for games in Python."""
    rng = Random(f"resample {name}")
    game = pyspiel.load_game(name)
    others: Counter[bool] = Counter()
    for _ in range(8):
        state = random_state(game, rng, rng.randrange(70))
        if state.is_terminal():
            continue
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            others[str(other) != str(state)] += 1
            # Each player of the other truth knows what is true there.
            for one in range(game.num_players()):
                hand = other.course.game.view(other.course.state, Seat(one)).hands[one]
                where = course_cards(other, one)
                assert [number for number, place in enumerate(where) if place == 1] == list(hand)
            while not other.is_terminal():
                other.apply_action(rng.choice(other.legal_actions()))
            assert sum(other.returns()) == pytest.approx(0)
    assert others[True] > 5


def course_cards(state: Any, player: int) -> list[float]:
    """Where each card is, in a player's observation."""
    played = state.course.setting
    tensor = np.array(state.observation_tensor(player))
    cards: list[float] = played.parts(tensor)["cards"].tolist()
    return cards


def course_of(name: str, match: Match) -> Any:
    """The same match as OpenSpiel has it."""
    rules = ",".join(f"{rule.replace('-', '_')}={choice}" for rule, choice in match.house.items())
    state = pyspiel.load_game(f"{name}({rules})").new_initial_state()
    assert match.deal is not None
    course = state.course
    while course.wanted is not None:
        label = course.wanted.label
        names = [one for one in match.deal[label] if one in course.wanted.names]
        state.apply_action(course.outcomes.index(names[0]))
    for entry in match.log:
        if entry.seat is not None:
            course.play(entry.seat, match.game.parse_move(match.deck, entry.text))
    assert match.game.dump(course.state) == match.game.dump(match.state)
    return state


def all_told(state: State, player: int) -> dict[str, Any]:
    return {
        "information": state.information_state_string(player),
        "observation": state.observation_string(player),
        "information tensor": np.array(state.information_state_tensor(player)).tobytes(),
        "observation tensor": np.array(state.observation_tensor(player)).tobytes(),
    }


@pytest.mark.parametrize("name", GAMES)
def test_truths_that_a_player_cannot_tell_apart_give_the_same_bytes(name: str) -> None:
    game = game_named(name.replace("_", "-"))
    compared = differed = 0
    for seed in range(24):
        rng = Random(f"spiel {seed}")
        match = new_match(game, rng)
        play_on(match, rng, rng.randrange(40 if name == "human_resources" else 14))
        if match.outcome is not None:
            continue
        for seat in range(len(game.seats)):
            other = probe_of(game).other_truth(match, Seat(seat), rng)
            if other is None or game.dump(other.state) == game.dump(match.state):
                continue
            ours, theirs = course_of(name, match), course_of(name, other)
            assert str(ours) != str(theirs)
            if ours.current_player() != theirs.current_player():
                continue  # who has sent orders nobody knows, but here seats act in turn
            # What somebody else has chosen halfway is not seen either.
            if ours.current_player() != seat:
                before = all_told(ours, seat)
                ours.apply_action(rng.choice(ours.legal_actions()))
                if ours.course.steps:
                    assert all_told(ours, seat) == before
                    differed += 1
                ours = course_of(name, match)
            assert all_told(ours, seat) == all_told(theirs, seat)
            compared += 1
    assert compared > 15
    assert differed > 3


@pytest.mark.parametrize("name", GAMES)
def test_observations_are_those_of_the_lanes(name: str) -> None:
    """Step by step, for every player; and they survive serialisation in the middle of a move."""
    rng = Random(f"lanes {name}")
    game = pyspiel.load_game(name)
    state = random_state(game, rng, 0)
    course = state.course
    played = course.setting
    lanes = played.learning.lanes(1, played.window, restarts=False)
    if name == "human_resources":
        lanes.load(0, course.state.table, course.state.known, course.state.started)
    else:
        lanes.load(0, course.state.table, [])
    for number in range(140):
        if state.is_terminal():
            break
        for player in range(game.num_players()):
            lanes.look(0, player)
            assert state.observation_tensor(player) == list(bytes(memoryview(lanes.seen)))
        if number % 9 == 0:
            text = pyspiel.serialize_game_and_state(game, state)
            _, again = pyspiel.deserialize_game_and_state(text)
            assert all_told(again, 0) == all_told(state, 0)
            assert again.legal_actions() == state.legal_actions()
            assert again.history() == state.history()
        assert state.legal_actions() == np.flatnonzero(memoryview(lanes.masks)).tolist()
        action = rng.choice(state.legal_actions())
        lanes.step(action.to_bytes(2, "little"))
        state.apply_action(action)
    else:
        return
    assert state.returns() == list(lanes.rewards)


@pytest.mark.parametrize("name", VARIANTS[:1])
def test_the_past_has_room(name: str) -> None:
    rng = Random("long")
    longest = 0
    for _ in range(5):
        state = random_state(pyspiel.load_game(name), rng, 10_000)
        tensor = np.array(state.information_state_tensor(0))
        longest = max(longest, int(np.count_nonzero(tensor[-TOLD_BYTES:])))
    assert 1_000 < longest < TOLD_BYTES / 2


def test_its_algorithms_play() -> None:
    game = pyspiel.load_game("human_resources")
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
        uct_c=1.0,
        max_simulations=3,
        random_state=np.random.RandomState(1),
    )
    env = rl_environment.Environment(game, seed=1)
    step = env.reset()
    for _ in range(30):
        player = step.observations["current_player"]
        legal = step.observations["legal_actions"][player]
        assert len(step.observations["info_state"][player]) == game.information_state_tensor_size()
        step = env.step([legal[0]])
    state = random_state(game, Random(1), 5)
    assert bot.step(state) in state.legal_actions()


def test_every_bad_input_has_its_reason() -> None:
    with pytest.raises((GameError, pyspiel.SpielError), match="promo"):
        pyspiel.load_game("human_resources(promo=maybe)")
    game = pyspiel.load_game("cube_farm")
    state = game.new_initial_state()
    with pytest.raises(ValueError, match="before the deal is over"):
        state.resample_from_infostate(0, lambda: 0.5)
    with pytest.raises(ValueError, match="cannot be drawn now"):
        state.course.draw(len(state.course.outcomes) - 1)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    wrong = next(one for one in range(5) if one not in state.legal_actions())
    with pytest.raises(GameError, match="is not possible now"):
        state.apply_action(wrong)
    with pytest.raises(ValueError, match="no parameters for observations"):
        game.make_py_observer(None, {"depth": 3})
