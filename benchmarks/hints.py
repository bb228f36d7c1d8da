"""How well do the chances come true that `hint` tells? Fits the numbers in the games' `think.py`.

    python -m benchmarks.hints human-resources --matches 100 --iterations 1000
    python -m benchmarks.hints cube-farm --matches 60 --iterations 512
    python -m benchmarks.hints human-resources --games 0 --matches 2000 --reviewed 5

Two things are looked at. In quick games in the kernel, how often what the network of Human
Resources says comes true, and which SPREAD of Cube Farm fits best: how sure a win is when a table
promises so much. And what is made of the search's own estimate: in matches of `director` against
itself every choice is asked as `hint` asks it, and the logarithm of the odds with which that seat
has won in the end is fitted to that of the estimate. With `--reviewed N` matches of `clerk` are
looked at instead, and of every Nth move what a review tells of it.

The table says how often what was told came true, by tenths; each half of the matches by the numbers
that fit the other half, so that none is judged by numbers it has made. A match gives many choices
and one result, so that intervals are by matches. Whether new numbers would be better than those in
use is said last. Nothing is written.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import exp, log, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from librt.vecs import vec
from mypy_extensions import i64, u8

from openplan.bots import Budget, SearchBot, bot_named
from openplan.core.deal import seeded
from openplan.core.game import Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.cube_farm import cards as farm_cards
from openplan.games.cube_farm.bot import think as farm_think
from openplan.games.cube_farm.bot.weights import WEIGHTS as FARM_WEIGHTS
from openplan.games.cube_farm.kernel import codes as farm
from openplan.games.cube_farm.kernel.appraise import Planner
from openplan.games.cube_farm.kernel.board import Board as FarmBoard
from openplan.games.cube_farm.kernel.prospects import Prospects as FarmProspects
from openplan.games.human_resources import cards as office_cards
from openplan.games.human_resources.bot import think as office_think
from openplan.games.human_resources.bot.weights import WEIGHTS as OFFICE_WEIGHTS
from openplan.games.human_resources.kernel import codes as office
from openplan.games.human_resources.kernel.board import Board as OfficeBoard
from openplan.games.human_resources.kernel.knowing import apply_knowing, know_deal
from openplan.games.human_resources.kernel.moves import deal_random
from openplan.games.human_resources.kernel.net import Net
from openplan.games.human_resources.kernel.prospects import Prospects as OfficeProspects
from openplan.games.human_resources.kernel.weighing import best_by_net, winner_for

TENTHS: Final = 10
PLACES: Final = 16
"""So many places for a card are looked at in quick games of Cube Farm."""

Line = tuple[float, float]
"""Shift and slope: log odds told = shift + slope * log odds estimated."""


class Choice(NamedTuple):
    match: int
    group: int
    estimate: float
    """The logarithm of the odds that the search found."""
    told: float
    won: float
    """The seat's part of the win in the end."""


# -- Matches of the strongest among themselves -----------------------------------------------


class Asked(NamedTuple):
    """What a game's `think.py` makes of an estimate, by group."""

    group: Callable[[Any], int]
    lines: Sequence[Line]
    names: Sequence[str]


def office_group(view: Any) -> int:
    left = len(view.draw_pile)
    return next(n for n, (most, *_) in enumerate(office_think.CALIBRATION) if left <= most)


def asked_of(name: str, reviewed: int) -> Asked:
    if name == "cube-farm":
        return Asked(lambda _: 0, [(farm_think.SHIFT, farm_think.SLOPE)], ["all turns"])
    lines = office_think.REVIEWED if reviewed else office_think.CALIBRATION
    return Asked(
        office_group,
        [(shift, slope) for _, shift, slope in lines],
        [f"up to {most} cards left" for most, *_ in lines],
    )


def choices(name: str, number: int, seed: int, iterations: int) -> Iterator[Choice]:
    """Every choice of one match, in which the same bot has all seats."""
    game = game_named(name)
    asked = asked_of(name, 0)
    bot = bot_named("director", Budget(iterations=iterations))
    assert isinstance(bot, SearchBot)
    rng = Random(f"{seed} hints {number}")
    secret = seeded(f"{seed} hints {number}")
    match = Match.start(game, load_deck(game), {}, secret=secret)
    told: list[tuple[Seat, int, float]] = []
    while match.outcome is None:
        seat = min(match.awaited)
        view = match.view(seat)
        advice = bot.advice(game, view, rng)
        move, chance = advice[0]
        if len(advice) > 1:  # an only move is not looked into
            told.append((seat, asked.group(view), chance))
        match.submit(seat, game.format_move(match.deck, move))
    yield from _won(match, number, told, asked)


def reviewed(name: str, number: int, seed: int, iterations: int, every: int) -> Iterator[Choice]:
    """Of one match of `clerk` with itself the chance after every so-manieth move, as a review tells
    it: judged by itself, and not as the best that was found."""
    game = game_named(name)
    asked = asked_of(name, every)
    bot = bot_named("clerk", Budget())
    rng = Random(f"{seed} reviewed {number}")
    secret = seeded(f"{seed} reviewed {number}")
    match = Match.start(game, load_deck(game), {}, secret=secret)
    told: list[tuple[Seat, int, float]] = []
    until = rng.randrange(every)
    while match.outcome is None:
        seat = min(match.awaited)
        view = match.view(seat)
        move = bot.choose(game, view, rng)
        if until == 0:
            (chance,) = game.judge(view, [move], iterations, rng.getrandbits(30))
            told.append((seat, asked.group(view), chance))
        until = (until or every) - 1
        match.submit(seat, game.format_move(match.deck, move))
    yield from _won(match, number, told, asked)


def _won(
    match: Match, number: int, told: Sequence[tuple[Seat, int, float]], asked: Asked
) -> Iterator[Choice]:
    assert match.outcome is not None
    winners = match.outcome.winners or tuple(map(Seat, range(len(match.game.seats))))
    for seat, group, chance in told:
        won = 1 / len(winners) if seat in winners else 0.0
        shift, slope = asked.lines[group]
        yield Choice(number, group, (log(chance / (1 - chance)) - shift) / slope, chance, won)


def fit_line(rows: Sequence[Choice]) -> Line:
    """The most likely shift and slope, by Newton's method. A little speaks for 0 and 1 from the
    start, so that few matches, all won by who was ahead, make no line infinitely steep."""
    shift, slope = 0.0, 1.0
    for _ in range(30):
        a, b, c = 1.0, 0.0, 1.0
        down, across = -shift, 1.0 - slope
        for row in rows:
            p = _chance((shift, slope), row.estimate)
            down += row.won - p
            across += (row.won - p) * row.estimate
            weight = p * (1 - p)
            a += weight
            b += weight * row.estimate
            c += weight * row.estimate**2
        size = a * c - b * b
        shift += max(-0.5, min(0.5, (c * down - b * across) / size))
        slope += max(-0.5, min(0.5, (a * across - b * down) / size))
    return shift, slope


def _chance(line: Line, estimate: float) -> float:
    return 1 / (1 + exp(-line[0] - line[1] * estimate))


def fit_lines(rows: Sequence[Choice], groups: int) -> list[Line]:
    return [fit_line([row for row in rows if row.group == group]) for group in range(groups)]


Tenths = list[tuple[float, float, float]]
"""What was told on average, how often it came true, and how far that may be off (95%)."""


def print_reliability(title: str, pairs: Sequence[tuple[Choice, float]]) -> Tenths:
    """By tenths: how often what was told came true, and the errors over all."""
    found: Tenths = []
    print(f"\n{title}\n   told     n  on average  came true")
    tenths: dict[int, list[tuple[Choice, float]]] = defaultdict(list)
    for row, told in pairs:
        tenths[min(TENTHS - 1, int(told * TENTHS))].append((row, told))
    apart = 0.0
    for tenth, those in sorted(tenths.items()):
        told = fmean(told for _, told in those)
        true = fmean(row.won for row, _ in those)
        apart += abs(told - true) * len(those)
        off = _off([row.match for row, _ in those], [row.won - true for row, _ in those])
        print(f"{tenth * 10:3}-{tenth * 10 + 10:3}% {len(those):5} ", end="")
        print(f"{told:10.1%} {true:10.1%} ± {off:.1%}")
        found.append((told, true, off))
    brier = fmean((told - row.won) ** 2 for row, told in pairs)
    loss = fmean(_loss(told, row.won) for row, told in pairs)
    bias = fmean(told - row.won for row, told in pairs)
    off = _off([row.match for row, _ in pairs], [told - row.won - bias for row, told in pairs])
    print(f"calibration error {apart / len(pairs):.1%}, told too high by {bias:+.1%} ± {off:.1%}")
    print(f"squared error {brier:.4f}, logarithmic {loss:.4f}")
    return found


def plot(lines: Sequence[tuple[str, Tenths]]) -> str:
    """What was told against what came true, as a drawing (SVG)."""
    size, edge = 360, 46
    colours = ("#1b6ca8", "#c2571a", "#2a7d3f")

    def at(x: float, y: float) -> str:
        return f"{edge + x * size:.1f} {edge / 2 + (1 - y) * size:.1f}"

    whole = size + 2 * edge
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}"'
    parts = [
        f'{head} font-family="sans-serif" font-size="12">',
        f'<rect width="{whole}" height="{whole}" fill="#fff"/>',
        f'<path d="M{at(0, 1)} L{at(0, 0)} L{at(1, 0)}" fill="none" stroke="#333"/>',
        f'<path d="M{at(0, 0)} L{at(1, 1)}" fill="none" stroke="#999" stroke-dasharray="4"/>',
    ]
    for tenth in range(0, 11, 2):
        x, y = at(tenth / 10, 0).split()
        parts.append(f'<text x="{x}" y="{float(y) + 16}" text-anchor="middle">{tenth * 10}%</text>')
        x, y = at(0, tenth / 10).split()
        parts.append(
            f'<text x="{float(x) - 5}" y="{float(y) + 4}" text-anchor="end">{tenth * 10}%</text>'
        )
    x, y = at(0.5, 0).split()
    parts.append(f'<text x="{x}" y="{float(y) + 36}" text-anchor="middle">chance told</text>')
    for number, (title, tenths) in enumerate(lines):
        colour = colours[number % len(colours)]
        for told, true, off in tenths:
            x, y = at(told, true).split()
            parts.append(
                f'<path d="M{at(told, true - off)} L{at(told, true + off)}" stroke="{colour}"/>'
            )
            parts.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>')
        x, y = at(0.03, 0.97 - 0.06 * number).split()
        parts.append(f'<text x="{x}" y="{y}" fill="{colour}">{title}: came true</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _loss(told: float, won: float) -> float:
    return -won * log(told) - (1 - won) * log(1 - told)


def _off(matches: Sequence[int], errors: Sequence[float]) -> float:
    """A mean's 95% interval, if only matches are independent."""
    sums: dict[int, float] = defaultdict(float)
    for match, error in zip(matches, errors, strict=True):
        sums[match] += error
    return 1.96 * sqrt(sum(total**2 for total in sums.values())) / len(errors)


def study_hints(given: argparse.Namespace) -> Tenths:
    """What was told, by tenths."""
    name, matches, seed, iterations = given.game, given.matches, given.seed, given.iterations
    asked = asked_of(name, given.reviewed)
    rows: list[Choice] = []
    with ProcessPoolExecutor(given.workers) as beside:
        jobs = [(name, number, seed, iterations, given.reviewed) for number in range(matches)]
        for found in beside.map(_rows, jobs, chunksize=4):
            rows += found
    groups = len(asked.lines)
    halves = [[row for row in rows if row.match % 2 == half] for half in (0, 1)]
    fitted = [fit_lines(half, groups) for half in halves]
    who = "clerk, reviewed" if given.reviewed else "director"
    print(f"\n{matches} matches of {who}, {iterations} iterations, {len(rows)} choices")
    told = print_reliability("as told now", [(row, row.told) for row in rows])
    pairs = [(row, _chance(fitted[1 - row.match % 2][row.group], row.estimate)) for row in rows]
    print_reliability("by numbers that fit the other half", pairs)
    gains = [_loss(row.told, row.won) - _loss(told, row.won) for row, told in pairs]
    gain = fmean(gains)
    off = _off([row.match for row in rows], [one - gain for one in gains])
    verdict = "better than" if gain > off else "worse than" if gain < -off else "no better than"
    print(f"\nnew numbers are {verdict} those in use: logarithmic error lower by ", end="")
    print(f"{gain:.4f} ± {off:.4f}")
    print("\nfitted to all, now in use in brackets; and to each half")
    for group, (shift, slope) in enumerate(fit_lines(rows, groups)):
        now = asked.lines[group]
        each = ", ".join(f"{half[group][0]:+.2f} {half[group][1]:.2f}" for half in fitted)
        print(f"  {asked.names[group]:20} shift {shift:+.2f} ({now[0]:+.2f}), ", end="")
        print(f"slope {slope:.2f} ({now[1]:.2f}); {each}")
    return told


def _rows(job: tuple[str, int, int, int, int]) -> list[Choice]:
    name, number, seed, iterations, every = job
    if every:
        return list(reviewed(name, number, seed, iterations, every))
    return list(choices(name, number, seed, iterations))


# -- What a promise is worth, in quick games -------------------------------------------------


def study_office(games: int, seed: int) -> list[tuple[str, Tenths]]:
    """Of matches of `clerk` with itself: what the network says after each move, by what the mover
    knows and by the whole truth."""
    deck = load_deck(game_named("human-resources"))
    assert isinstance(deck, office_cards.OfficeDeck)
    cards = office_cards.kernel_cards(deck, False)
    net = Net(OfficeProspects(cards, list(OFFICE_WEIGHTS)), office_think.NET.read_bytes())
    table, trial = OfficeBoard(cards), OfficeBoard(cards)
    promise, known = vec[i64]([0] * 4096), vec[u8](bytes(office.IDS))
    lines = []
    for title, blind in (("what the mover knows", True), ("the whole truth", False)):
        pairs: list[tuple[Choice, float]] = []
        for number in range(games):
            rng = office.Rng(seed * 1_000_003 + number)
            deal_random(table, rng, office_cards.BASIC)
            know_deal(table, known)
            seen: list[tuple[int, float]] = []
            while table.phase != office.AT_END:
                seat, had = int(table.to_act()), int(table.deck_size)
                move = best_by_net(
                    net, table, trial, promise, rng, office_think.PROMISING, known, 1 + seat
                )
                apply_knowing(table, known, move)
                fresh = had - int(table.deck_size)
                if table.phase == office.AT_TURN:
                    net.gather(table, seat, fresh, known, 1 + seat if blind else 0)
                    net.judge()
                    seen.append((seat, 0.5 + int(net.as_chance()) / 2e6))
            for seat, told in seen:
                won = (int(winner_for(table, seat)) + 1) / 2
                pairs.append((Choice(number, 0, log(told / (1 - told)), told, won), told))
        lines.append((title, print_reliability(f"by {title}, {games} quick games", pairs)))
    return lines


def study_farm(games: int, seed: int) -> None:
    """Chances are drawn by lot with exp(worth / SPREAD) tickets. With no turn left the points are
    certain; a SPREAD there only says that a narrow lead is a lead."""
    deck = load_deck(game_named("cube-farm"))
    assert isinstance(deck, farm_cards.FarmDeck)
    table = FarmBoard(farm_cards.kernel_cards(deck))
    mind = FarmProspects(list(FARM_WEIGHTS))
    planner = Planner(table.cards)
    rows: dict[int, list[tuple[list[int], list[float]]]] = defaultdict(list)
    for number in range(games):
        rng = farm.Rng(seed * 1_000_003 + number)
        table.deal(rng)
        seen: list[tuple[int, list[int]]] = []
        while table.turn <= farm.TURNS:
            for seat in range(farm.SEATS):
                planner.order_well(table, seat, rng.below(farm.PHASES), PLACES)
            table.adjudicate()
            left = farm.TURNS + 1 - int(table.turn)
            worths = [0] * farm.SEATS
            for floor in range(farm.FLOORS):
                mind.look(table.floor(floor), floor, left)
                for seat in range(farm.SEATS):
                    worths[seat] += int(mind.value[seat])
            seen.append((left, worths))
        _, points = seen.pop()  # with no turn left they are all there is
        first = [int(had == max(points)) for had in points]
        for left, worths in seen:
            rows[left].append((worths, [one / sum(first) for one in first]))

    def loss(left: int, spread: int) -> float:
        total = 0.0
        for worths, won in rows[left]:
            tickets = [exp((worth - max(worths)) / spread) for worth in worths]
            for ticket, part in zip(tickets, won, strict=True):
                total -= part * log(ticket / sum(tickets)) if part else 0.0
        return total / len(rows[left])

    print(f"{games} quick games of Cube Farm")
    for left in sorted(rows):
        best = min(range(1000, 15001, 500), key=lambda spread: loss(left, spread))
        now = farm_think.SPREAD[left]
        print(
            f"  {left} turns left: SPREAD {best}, logarithmic error {loss(left, best):.4f}; ",
            end="",
        )
        print(f"now {now}, {loss(left, now):.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=["cube-farm", "human-resources"])
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=512)
    parser.add_argument("--games", type=int, default=2000, help="quick ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", type=Path, help="draw what the chances come to (SVG)")
    parser.add_argument("--reviewed", type=int, default=0, metavar="N", help="every Nth move")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    lines: list[tuple[str, Tenths]] = []
    if given.games and given.game == "cube-farm":
        study_farm(given.games, given.seed)
    elif given.games:
        lines += study_office(given.games, given.seed)
    if given.matches:
        title = "a review" if given.reviewed else "the search"
        lines.append((title, study_hints(given)))
    if given.plot:
        given.plot.write_text(plot(lines))


if __name__ == "__main__":
    main()
