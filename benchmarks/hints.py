"""How well do the chances come true that `hint` tells? Fits the numbers in the games' `think.py`.

    python -m benchmarks.hints human-resources --matches 100 --iterations 1000
    python -m benchmarks.hints cube-farm --matches 60 --iterations 512

Two things are fitted. SPREAD (and SLOPE of Human Resources), to quick games in the kernel: how sure
a win is when a table promises so much. And what is made of the search's own estimate: in matches of
`director` against itself every choice is asked as `hint` asks it, and the logarithm of the odds
with which that seat has won in the end is fitted to that of the estimate.

The table says how often what was told came true, by tenths; each half of the matches by the numbers
that fit the other half, so that none is judged by numbers it has made. A match gives many choices
and one result, so that intervals are by matches. Whether new numbers would be better than those in
use is said last. Nothing is written.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import exp, log, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

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
from openplan.games.human_resources.kernel.choosing import best_move
from openplan.games.human_resources.kernel.moves import deal_random
from openplan.games.human_resources.kernel.prospects import Prospects as OfficeProspects
from openplan.games.human_resources.kernel.search import winner_for
from openplan.games.human_resources.kernel.turn import apply

TENTHS: Final = 10
PLACES: Final = 16
"""So many places for a card are looked at in quick games of Cube Farm."""
STEP: Final = 250
"""Promises are told apart by so many thousandths of a point."""

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


ASKED: Final = {
    "human-resources": Asked(
        office_group,
        [(shift, slope) for _, shift, slope in office_think.CALIBRATION],
        [f"up to {most} cards left" for most, *_ in office_think.CALIBRATION],
    ),
    "cube-farm": Asked(lambda _: 0, [(farm_think.SHIFT, farm_think.SLOPE)], ["all turns"]),
}


def choices(name: str, number: int, seed: int, iterations: int) -> Iterator[Choice]:
    """Every choice of one match, in which the same bot has all seats."""
    game = game_named(name)
    asked = ASKED[name]
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
    winners = match.outcome.winners or tuple(map(Seat, range(len(game.seats))))
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


def print_reliability(title: str, pairs: Sequence[tuple[Choice, float]]) -> None:
    """By tenths: how often what was told came true, and the errors over all."""
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
    brier = fmean((told - row.won) ** 2 for row, told in pairs)
    loss = fmean(_loss(told, row.won) for row, told in pairs)
    bias = fmean(told - row.won for row, told in pairs)
    off = _off([row.match for row, _ in pairs], [told - row.won - bias for row, told in pairs])
    print(f"calibration error {apart / len(pairs):.1%}, told too high by {bias:+.1%} ± {off:.1%}")
    print(f"squared error {brier:.4f}, logarithmic {loss:.4f}")


def _loss(told: float, won: float) -> float:
    return -won * log(told) - (1 - won) * log(1 - told)


def _off(matches: Sequence[int], errors: Sequence[float]) -> float:
    """A mean's 95% interval, if only matches are independent."""
    sums: dict[int, float] = defaultdict(float)
    for match, error in zip(matches, errors, strict=True):
        sums[match] += error
    return 1.96 * sqrt(sum(total**2 for total in sums.values())) / len(errors)


def study_hints(name: str, matches: int, seed: int, iterations: int) -> None:
    asked = ASKED[name]
    rows: list[Choice] = []
    for number in range(matches):
        rows += choices(name, number, seed, iterations)
    groups = len(asked.lines)
    halves = [[row for row in rows if row.match % 2 == half] for half in (0, 1)]
    fitted = [fit_lines(half, groups) for half in halves]
    print(
        f"\n{matches} matches of director with itself, {iterations} iterations, {len(rows)} choices"
    )
    print_reliability("as told now", [(row, row.told) for row in rows])
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


# -- What a promise is worth, in quick games -------------------------------------------------


def study_office(games: int, seed: int) -> None:
    """A lead's worth v counts as v / (|v| + SPREAD + SLOPE * cards left), from -1 to 1."""
    deck = load_deck(game_named("human-resources"))
    assert isinstance(deck, office_cards.OfficeDeck)
    cards = office_cards.kernel_cards(deck, False)
    mind = OfficeProspects(cards, list(OFFICE_WEIGHTS))
    table = OfficeBoard(cards)
    # By cards left and promise: how often, and how often won less lost.
    counts: Counter[tuple[int, int]] = Counter()
    results: Counter[tuple[int, int]] = Counter()
    errors: dict[int, list[float]] = defaultdict(list)
    for number in range(games):
        rng = office.Rng(seed * 1_000_003 + number)
        deal_random(table, rng, office_cards.BASIC)
        seen: list[tuple[int, int, int]] = []
        while table.phase != office.AT_END:
            seat, had = int(table.to_act()), int(table.deck_size)
            apply(table, best_move(mind, table, rng, 60))
            left = int(table.deck_size)
            if 0 < left < had:
                seen.append((seat, left, int(mind.worth(table, seat, had - left))))
        for seat, left, worth in seen:
            place = left, round(worth / STEP)
            counts[place] += 1
            results[place] += int(winner_for(table, seat))
            lead = int(table.points[seat] - table.points[1 - seat])
            errors[min(left // 6, 6)].append(lead - worth / 1000)

    def loss(spread: int, slope: int) -> float:
        total = 0.0
        for (left, promise), count in counts.items():
            told = promise * STEP / (abs(promise) * STEP + spread + slope * left)
            total += count * told**2 - 2 * told * results[left, promise]
        return total / counts.total() + 1

    for six, those in sorted(errors.items()):
        print(f"  {six * 6:2} to {six * 6 + 5 if six < 6 else 44} cards left: ", end="")
        print(f"final lead less promised {fmean(those):+.2f}, deviation {stdev(those):.2f} points")
    now = office_think.SPREAD, office_think.SLOPE
    best = min(
        ((spread, slope) for spread in range(500, 10001, 250) for slope in range(0, 401, 10)),
        key=lambda pair: loss(*pair),
    )
    print(f"{games} quick games of Human Resources: SPREAD {best[0]}, SLOPE {best[1]}, ", end="")
    print(f"squared error {loss(*best):.4f}; now {now[0]}, {now[1]}, {loss(*now):.4f}")


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
    parser.add_argument("game", choices=sorted(ASKED))
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=512)
    parser.add_argument("--games", type=int, default=2000, help="quick ones")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    study = {"human-resources": study_office, "cube-farm": study_farm}[given.game]
    study(given.games, given.seed)
    if given.matches:
        study_hints(given.game, given.matches, given.seed, given.iterations)


if __name__ == "__main__":
    main()
