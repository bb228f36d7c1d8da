"""Random games, ours and other engines', side by side in one run on one core: `make bench`.

The engines take turns, round after round, so that whatever else the machine does hits all alike;
the table shows medians over the rounds, by processor time. A decision is one choice of a player
among the legal moves; chance (dice, deals) is played too but not counted.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from openplan.core.deal import seeded_chance

if TYPE_CHECKING:
    from openplan.core.deck import Deck
    from openplan.core.game import AnyGame
    from openplan.games.cube_farm.kernel.codes import Cards

Play = Callable[[int], tuple[int, int]]
"""Plays some whole games from a seed; says how many games and how many decisions."""
ORDER_SETS = 15  # in a game of Cube Farm: three seats, five turns


@dataclass
class Engine:
    name: str
    make: Callable[[], Play]
    package: str = ""
    trouble: str = ""
    decisions: list[float] = field(default_factory=list)  # per second, one for each round
    games: list[float] = field(default_factory=list)


# -- Ours ------------------------------------------------------------------------------------


def kernel_sampled() -> Play:
    return _kernel(games=2_000, enumerate_all=False)


def kernel_enumerated() -> Play:
    return _kernel(games=100, enumerate_all=True)


def _kernel(games: int, enumerate_all: bool) -> Play:
    from openplan.games.human_resources import cards
    from openplan.games.human_resources.kernel import moves

    deck = house_deck()
    assert isinstance(deck, cards.OfficeDeck)
    tables = cards.kernel_cards(deck, mirror=False)
    size = len(deck.names(promo=False))

    def play(seed: int) -> tuple[int, int]:
        decisions, _checksum = moves.play_games(tables, games, seed, size, enumerate_all)
        return games, decisions

    return play


def in_hand(game: str) -> Callable[[], Play]:
    """`import openplan` in the trusting way: packed moves, all of them listed, one chosen. In Cube
    Farm a decision is a card and its place, or a cube for an employee."""

    def make() -> Play:
        import openplan

        def play(seed: int) -> tuple[int, int]:
            rng = Random(seed)
            table = openplan.new_match(game, seed=seed).fast()
            decisions = 0
            while not table.is_over:
                table.push(rng.choice(table.moves()))
                decisions += 1
            return 1, decisions

        return play

    return make


def in_hand_checked() -> Play:
    """The same in the checked way: texts, views, events, a record."""
    import openplan

    def play(seed: int) -> tuple[int, int]:
        rng = Random(seed)
        match = openplan.new_match("human-resources", seed=seed)
        decisions = 0
        while not match.is_over:
            match.push_text(rng.choice(match.legal_moves))
            decisions += 1
        return 1, decisions

    return play


def latencies(games: int = 40) -> dict[str, tuple[float, float]]:
    """Microseconds for one view and one list of all moves: median and p99."""
    game = human_resources()
    deck = house_deck()
    house = {rule.name: rule.choices[0] for rule in game.house_rules}
    spent: dict[str, list[float]] = {"one view": [], "one list of all moves": []}
    for seed in range(games):
        rng = Random(seed)
        state = game.start(deck, house, game.deal(deck, house, seeded_chance(seed)))
        while game.outcome(state) is None:
            (seat,) = game.to_act(state)
            started = time.perf_counter()
            view = game.view(state, seat)
            seen = time.perf_counter()
            moves = game.moves(view)
            listed = time.perf_counter()
            spent["one view"].append(seen - started)
            spent["one list of all moves"].append(listed - seen)
            game.play(state, seat, rng.choice(moves))
    return {
        what: (statistics.median(times) * 1e6, statistics.quantiles(times, n=100)[98] * 1e6)
        for what, times in spent.items()
    }


def cube_farm_kernel() -> Play:
    """Full random games: each order set is drawn from what is possible as the floors stand."""
    from openplan.games.cube_farm.kernel.board import random_games

    cards = cube_farm_cards()

    def play(seed: int) -> tuple[int, int]:
        games = 200
        random_games(cards, seed * games, games)
        return games, games * ORDER_SETS

    return play


def cube_farm_api() -> Play:
    """As a bot author would write it: a view, the steps of an order set, a choice at each."""
    from openplan.bots import bot_named
    from openplan.core.registry import game_named
    from openplan.decks import load_deck

    game = game_named("cube-farm")
    deck = load_deck(game, "house")
    house = {rule.name: rule.choices[0] for rule in game.house_rules}
    bot = bot_named("random")

    def play(seed: int) -> tuple[int, int]:
        rng = Random(seed)
        state = game.start(deck, house, game.deal(deck, house, seeded_chance(seed)))
        while game.outcome(state) is None:
            seat = min(game.awaited(state))
            game.play(state, seat, bot.choose(game, game.view(state, seat), rng))
            if not game.awaited(state):
                game.deadline(state)
        return 1, ORDER_SETS

    return play


def cube_farm_latencies(tables: int = 60) -> dict[str, tuple[float, float]]:
    """Microseconds on floors before the last turn of random games: median and p99."""
    from openplan.games.cube_farm.kernel import codes
    from openplan.games.cube_farm.kernel.board import Board
    from openplan.games.cube_farm.kernel.placing import add_placements
    from openplan.games.cube_farm.kernel.walking import score_floor

    cards = cube_farm_cards()
    table, found = Board(cards), codes.Found(5)
    spent: dict[str, list[float]] = {"placements of five cards": [], "one floor scored": []}
    for seed in range(tables):
        rng = codes.Rng(seed)
        table.deal(rng)
        while table.turn < codes.TURNS:
            for seat in range(codes.SEATS):
                table.sample_orders(seat, rng)
            table.adjudicate()
        for number in range(codes.FLOORS):
            floor = table.floor(number)
            for card in range(0, 50, 5):
                floor.version += 1  # nothing is remembered from the time before
                started = time.perf_counter()
                found.count = 0
                for place in range(5):
                    add_placements(floor, card + place, found)
                listed = time.perf_counter()
                score_floor(floor, number)
                scored = time.perf_counter()
                spent["placements of five cards"].append(listed - started)
                spent["one floor scored"].append(scored - listed)
    return {
        what: (statistics.median(times) * 1e6, statistics.quantiles(times, n=100)[98] * 1e6)
        for what, times in spent.items()
    }


def cube_farm_cards() -> Cards:
    from openplan.core.registry import game_named
    from openplan.decks import load_deck
    from openplan.games.cube_farm.cards import FarmDeck, kernel_cards

    deck = load_deck(game_named("cube-farm"), "house")
    assert isinstance(deck, FarmDeck)
    return kernel_cards(deck)


def human_resources() -> AnyGame:
    from openplan.core.registry import game_named

    return game_named("human-resources")


def house_deck() -> Deck:
    from openplan.decks import load_deck

    return load_deck(human_resources(), "house")


# -- Others, by the loop that their own documentation shows ------------------------------------


def catanatron() -> Play:
    from catanatron import Color, Game, RandomPlayer

    def play(seed: int) -> tuple[int, int]:
        # Four players, up to its own limit of 1,000 turns.
        game = Game([RandomPlayer(color) for color in Color], seed=seed + 1)
        game.play()
        return 1, len(game.state.actions)

    return play


def python_chess() -> Play:
    import chess

    def play(seed: int) -> tuple[int, int]:
        rng = Random(seed)
        board = chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        return 1, board.ply()

    return play


def open_spiel(name: str) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)

    def play(seed: int) -> tuple[int, int]:
        rng = Random(seed)
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return 1, decisions

    return play


ENGINES = [
    Engine("Human Resources, kernel, sampled move", kernel_sampled),
    Engine("Human Resources, kernel, all moves", kernel_enumerated),
    Engine("Human Resources, Python, trusting", in_hand("human-resources")),
    Engine("Human Resources, Python, checked", in_hand_checked),
    Engine("Cube Farm, kernel, random orders", cube_farm_kernel),
    Engine("Cube Farm, Python, trusting", in_hand("cube-farm")),
    Engine("Cube Farm, Python, whole order sets by a bot", cube_farm_api),
    Engine("catanatron", catanatron, "catanatron"),
    Engine("python-chess", python_chess, "chess"),
    Engine("OpenSpiel backgammon", lambda: open_spiel("backgammon"), "open_spiel"),
    Engine("OpenSpiel gin rummy", lambda: open_spiel("gin_rummy"), "open_spiel"),
]
OURS = ENGINES[:3]
OTHERS = [engine for engine in ENGINES if engine.package]


# -- The run ---------------------------------------------------------------------------------


def measure(rounds: int, seconds: float) -> None:
    plays: list[tuple[Engine, Play]] = []
    for engine in ENGINES:
        try:
            play = engine.make()
            play(0)  # whatever is loaded or cached on first use
        except Exception as error:  # noqa: BLE001 (one engine that fails must not end the run)
            engine.trouble = f"{type(error).__name__}: {error}".splitlines()[0]
        else:
            plays.append((engine, play))
    for number in range(rounds):
        for engine, play in plays:
            games = decisions = batch = 0
            started = time.process_time()
            while (spent := time.process_time() - started) < seconds:
                batch += 1
                more_games, more_decisions = play(number * 1_000_000 + batch)
                games += more_games
                decisions += more_decisions
            engine.games.append(games / spent)
            engine.decisions.append(decisions / spent)


def ratio(ours: Engine, other: Engine) -> float | None:
    """Our decisions for each of theirs: the median of the rounds, each compared with itself."""
    if not ours.decisions or not other.decisions:
        return None
    pairs = zip(ours.decisions, other.decisions, strict=True)
    return statistics.median(mine / theirs for mine, theirs in pairs)


def number(value: float | None, places: int = 0) -> str:
    return "-" if value is None else f"{value:,.{places if value < 1000 else 0}f}"


def report() -> None:
    print(
        f"\n{'':38} {'decisions/s':>12} {'games/s':>9} {'decisions/game':>15}  ours are faster by"
    )
    print(f"{'':38} {'':>12} {'':>9} {'':>15} {'sampled':>9} {'all moves':>10} {'API':>7}")
    for engine in ENGINES:
        if engine.trouble:
            print(f"{engine.name:38} not measured: {engine.trouble}")
            continue
        per_second = statistics.median(engine.decisions)
        games = statistics.median(engine.games)
        line = f"{engine.name:38} {number(per_second):>12} {number(games, 1):>9}"
        line += f" {number(per_second / games, 1):>15}"
        if engine in OTHERS:
            sampled, enumerated, api = (number(ratio(ours, engine), 2) for ours in OURS)
            line += f" {sampled:>9} {enumerated:>10} {api:>7}"
        print(line)
    for what, (median, late) in latencies().items():
        print(f"Human Resources, {what}: {median:,.0f} us, p99 {late:,.0f} us")
    for what, (median, late) in cube_farm_latencies().items():
        print(f"Cube Farm, {what}: {median:,.2f} us, p99 {late:,.2f} us")


def machine() -> dict[str, str]:
    versions = {"python": platform.python_version(), "machine": platform.machine()}
    for name in ("catanatron", "chess", "open_spiel", "mypy", "librt"):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    return versions


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each engine and round")
    parser.add_argument("--json", action="store_true", help="all rounds as JSON, no table")
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    from openplan import compiled

    about = {"openplan": compiled.describe(), **machine()}
    if not arguments.json:
        print(", ".join(f"{name} {value}" for name, value in about.items()), flush=True)
    measure(arguments.rounds, arguments.seconds)
    if arguments.json:
        rows = [
            {"name": e.name, "decisions": e.decisions, "games": e.games, "trouble": e.trouble}
            for e in ENGINES
        ]
        json.dump({"about": about, "engines": rows}, sys.stdout, indent=2)
        print()
    else:
        report()


if __name__ == "__main__":
    main()
