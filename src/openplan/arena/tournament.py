"""Matches between bots: which are played, how one is played, and many of them at once.

A deal is played once with every bot in every seat, so that no luck of the cards is left between
them. A match depends on nothing but the tournament's terms and its number: it comes out alike in
this process, in another or on another machine (bots that are limited by time excepted), and a
tournament that was stopped goes on with the numbers that are missing.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from openplan.arena.figures import is_decided, share_of
from openplan.bots import Bot, BotFailed, Budget, bot_named, dismiss
from openplan.core.deal import seeded
from openplan.core.deck import Deck
from openplan.core.game import GameError, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named

FORMAT: Final = "open-plan arena 1"


@dataclass(frozen=True, slots=True)
class Terms:
    """All that decides how matches come out, in a form that crosses processes."""

    game: str
    deck: str
    """The deck file's text."""
    bots: tuple[str, ...]
    seed: int = 0
    house: tuple[tuple[str, str], ...] = ()
    budget: Budget = field(default_factory=Budget)

    def check(self) -> None:
        """`GameError` or `DeckError` says what cannot be played."""
        game = game_named(self.game)
        if len(self.bots) < len(game.seats):
            seats = len(game.seats)
            raise GameError(
                "too-few-bots",
                f"{game.title} has {seats} seats: name at least {seats} bots, one perhaps twice",
            )
        for name in self.bots:
            dismiss(bot_named(name, self.budget))
        Match.start(game, deck_of(self), dict(self.house), secret=seeded(0))

    @property
    def tables(self) -> list[tuple[str, ...]]:
        """Who sits where in the matches of one deal."""
        seats = len(game_named(self.game).seats)
        found: dict[tuple[str, ...], None] = {}
        for group in combinations(self.bots, seats):
            for turn in range(seats):
                found[group[turn:] + group[:turn]] = None
        return list(found)

    def games_from(self, games: int) -> int:
        """At least so many, and each deal from every seat."""
        size = len(self.tables)
        return -(-games // size) * size


@dataclass(frozen=True, slots=True)
class Result:
    """How one match ended. `failed` names seats whose bots gave no move, and why."""

    number: int
    bots: tuple[str, ...]
    winners: tuple[int, ...]
    points: tuple[int, ...]
    plies: int
    reason: str
    failed: tuple[tuple[int, str], ...] = ()

    def seats_of(self, name: str) -> list[int]:
        return [seat for seat, bot in enumerate(self.bots) if bot == name]


@cache
def _deck(game: str, text: str) -> Deck:
    return game_named(game).read_deck(text, "deck")


def deck_of(terms: Terms) -> Deck:
    return _deck(terms.game, terms.deck)


# -- One match -------------------------------------------------------------------------------


def play_match(terms: Terms, number: int) -> Result:
    return play_out(terms, number)[1]


def play_out(terms: Terms, number: int) -> tuple[Match, Result]:
    """A match from its deal to its end, and its result."""
    game = game_named(terms.game)
    tables = terms.tables
    names = tables[number % len(tables)]
    deal = number // len(tables)
    chance = [Random(f"{terms.seed} bot {number} {seat}") for seat in range(len(names))]
    match = Match.start(
        game, deck_of(terms), dict(terms.house), secret=seeded(f"{terms.seed} deal {deal}")
    )
    bots: list[Bot] = []
    failed: dict[Seat, str] = {}
    try:
        for name in names:
            bots.append(bot_named(name, terms.budget))
        while match.outcome is None:
            if not match.awaited:
                match.enter("deadline", None)
                continue
            seat = min(match.awaited)
            try:
                move = bots[seat].choose(game, match.view(seat), chance[seat])
            except BotFailed as error:
                failed[seat] = error.reason
                match.enter("resign", seat)
                continue
            match.submit(seat, game.format_move(match.deck, move))
    finally:
        for bot in bots:
            dismiss(bot)
    outcome = match.outcome
    winners = tuple(int(seat) for seat in outcome.winners if seat not in failed)
    if failed and not winners:
        winners = tuple(seat for seat in range(len(names)) if seat not in failed)
    return match, Result(
        number,
        names,
        winners,
        outcome.points,
        match.ply,
        "failed" if failed else outcome.reason,
        tuple((int(seat), why) for seat, why in sorted(failed.items())),
    )


# -- Many at once ----------------------------------------------------------------------------


Played = TypeVar("Played")
Play = Callable[[Terms, int], Played]


def play_many(
    play: Play[Played], terms: Terms, numbers: Iterator[int], workers: int, on_ray: bool = False
) -> Generator[Played]:
    """What `play` makes of each number, in whatever order they end."""
    if on_ray:
        return _on_ray(play, terms, numbers)
    if workers == 1:
        return (play(terms, number) for number in numbers)
    return _in_processes(play, terms, numbers, workers)


def _in_processes(
    play: Play[Played], terms: Terms, numbers: Iterator[int], workers: int
) -> Generator[Played]:
    """A worker that is told to stop takes its bots with it."""
    pool = ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=_stop_when_told
    )
    running: set[Future[Played]] = set()
    try:
        while True:
            while len(running) < workers and (number := next(numbers, None)) is not None:
                running.add(pool.submit(play, terms, number))
            if not running:
                break
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        if running:
            for child in multiprocessing.active_children():
                child.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


def _stop_when_told() -> None:
    from openplan.bots.program import end_all

    def stop(*_: object) -> None:
        end_all()
        os._exit(1)

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)


def _on_ray(play: Play[Played], terms: Terms, numbers: Iterator[int]) -> Generator[Played]:
    try:
        import ray
    except ImportError:
        raise GameError(
            "no-ray", "--ray needs Ray: .venv/bin/python -m pip install -r requirements/ray.txt"
        ) from None
    ray.init(address=os.environ.get("RAY_ADDRESS"), log_to_driver=False, ignore_reinit_error=True)
    remote = ray.remote(play)
    room = max(1, int(ray.cluster_resources().get("CPU", 1)))
    running: list[Any] = []
    while True:
        while len(running) < room and (number := next(numbers, None)) is not None:
            running.append(remote.remote(terms, number))
        if not running:
            return
        done, running = ray.wait(running)
        yield from ray.get(done)


def run(
    terms: Terms,
    games: int,
    *,
    workers: int = 1,
    on_ray: bool = False,
    aim: float | None = None,
    before: Sequence[Result] = (),
    on_result: Callable[[Sequence[Result]], None] = lambda _: None,
) -> list[Result]:
    """Play what is missing among the first `games` matches; all results in order of number.

    With `aim`, stop after the first deals that tell the first bot's share from it; what was
    played past them does not count, so that the number of workers makes no difference.
    """
    games = terms.games_from(games)
    results = {result.number: result for result in before if result.number < games}

    def decided() -> int | None:
        return _decided_after(terms, results, games, aim) if aim is not None else None

    end = decided()
    missing = (number for number in range(games) if number not in results)
    if end is None and len(results) < games:
        stream = play_many(play_match, terms, missing, workers, on_ray)
        try:
            for result in stream:
                results[result.number] = result
                on_result(list(results.values()))
                if (end := decided()) is not None:
                    break
        finally:
            stream.close()
    return [results[number] for number in sorted(results) if end is None or number < end]


def _decided_after(
    terms: Terms, results: Mapping[int, Result], games: int, aim: float
) -> int | None:
    """How many matches, counted in whole deals from the first, decide; `None` if not yet."""
    size = len(terms.tables)
    first: list[Result] = []
    for number in range(games):
        if number not in results:
            return None
        first.append(results[number])
        if len(first) % size == 0:
            share = share_of(terms.bots[0], first)
            if is_decided(share.won, share.games, aim):
                return len(first)
    return None


# -- Results kept in a file ------------------------------------------------------------------


class Kept:
    """A file from which a stopped tournament goes on. It is written as a whole or not at all."""

    def __init__(self, path: Path, terms: Terms) -> None:
        self.path = path
        self.terms = json.loads(json.dumps(asdict(terms)))

    def read(self) -> list[Result]:
        try:
            content = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise GameError("kept", f"{self.path} cannot be read: {error}") from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise GameError("kept", f"{self.path} does not hold results of the arena")
        if content["terms"] != self.terms:
            differing = [key for key in self.terms if content["terms"].get(key) != self.terms[key]]
            raise GameError(
                "kept", f"{self.path} holds matches on other terms: {', '.join(differing)} differ"
            )
        return [
            Result(
                number,
                tuple(bots),
                tuple(winners),
                tuple(points),
                plies,
                reason,
                tuple((seat, why) for seat, why in failed),
            )
            for number, bots, winners, points, plies, reason, failed in content["results"]
        ]

    def write(self, results: Sequence[Result]) -> None:
        rows = [list(asdict(result).values()) for result in sorted(results, key=_number)]
        content = {"format": FORMAT, "terms": self.terms, "results": rows}
        new = self.path.with_name(f"{self.path.name}.new")
        try:
            new.write_text(json.dumps(content) + "\n", encoding="utf-8")
            new.replace(self.path)
        except OSError as error:
            raise GameError("kept", f"{self.path} cannot be written: {error.strerror}") from None


def _number(result: Result) -> int:
    return result.number
