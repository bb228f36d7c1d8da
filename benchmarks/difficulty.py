"""Does a project's value follow its difficulty (HR-11.2)? A study with the real engine.

For each pattern, dark and light, many games begin with the project in play and everything else as
dealt. Its owner looks one move ahead, from what the owner can know, and cares for nothing else;
the other player does the same for other patterns. Counted are the owner's turns until it is
completed. The game's end cuts a count off: then it is all the turns there were.

How near a pattern is: every place and way it can lie over the office counts B ** -(what is missing
there), where a wrong cubicle is missing more than an empty square.

    python benchmarks/difficulty.py --games 300
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Sequence
from functools import cache, lru_cache
from random import Random
from typing import Final, NamedTuple

from openplan import compiled
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.human_resources.cards import (
    BASIC,
    NAMES,
    NUMBER,
    OfficeDeck,
    colour_of,
    kernel_cards,
)
from openplan.games.human_resources.deal import FOUNDING, FOUNDING_COLOURS, HAND
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.appraise import missing_squares
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.moves import moves_of
from openplan.games.human_resources.kernel.turn import apply

BASE: Final = 6.0
WRONG: Final = 1.7
KEPT: Final = 0.1
"""What a manager that stays in hand adds, as a part of the nearness; half of it for each colour
that stays in hand."""
OWNER, OTHER = 0, 1

Count = tuple[int, bool]
"""The owner's turns, and whether they were enough."""


class Row(NamedTuple):
    value: int
    card: str
    title: str
    mean: float
    error: float
    completed: float


# -- How near a pattern is -------------------------------------------------------------------


class Nearness:
    """Of one project's pattern in any office. What was seen before is looked up: most of an office
    is the same after most moves."""

    def __init__(self, cards: codes.Cards, card: int) -> None:
        ways = range(int(cards.turned[card]), int(cards.turned[card + 1]))
        self.ways = [(int(cards.turn_dark[way]), int(cards.turn_light[way])) for way in ways]
        self.of_window = cache(self._of_window)
        self.of_band = lru_cache(maxsize=1 << 16)(self._of_band)

    def of_office(self, table: Board) -> float:
        table.measure()
        rows = range(int(table.top) - 2, int(table.bottom) + 3)
        dark = [int(table.rows_dark[row]) for row in rows]
        light = [int(table.rows_light[row]) for row in rows]
        of_band = self.of_band
        return sum(
            of_band(*dark[row : row + 3], *light[row : row + 3]) for row in range(len(rows) - 2)
        )

    def _of_band(self, d1: int, d2: int, d3: int, l1: int, l2: int, l3: int) -> float:
        """All places in three rows."""
        occupied = d1 | d2 | d3 | l1 | l2 | l3
        first = (occupied & -occupied).bit_length() - 3  # two columns west of the first cubicle
        total = 0.0
        for column in range(max(first, 0), occupied.bit_length()):
            dark = d1 >> column & 7 | (d2 >> column & 7) << 3 | (d3 >> column & 7) << 6
            light = l1 >> column & 7 | (l2 >> column & 7) << 3 | (l3 >> column & 7) << 6
            total += self.of_window(dark, light)
        return total

    def _of_window(self, dark: int, light: int) -> float:
        """All ways to lie in 3x3 squares, over at least one cubicle."""
        total = 0.0
        for need_dark, need_light in self.ways:
            needed = need_dark | need_light
            empty = needed & ~(dark | light)
            wrong = (need_dark & light) | (need_light & dark)
            if empty != needed:
                missing = empty.bit_count() + WRONG * wrong.bit_count()
                # What stands already must be formed again.
                total += BASE ** -(missing or 1.0)
        return total


# -- A player for one project ----------------------------------------------------------------


class Player:
    """Plays the move after which one pattern is nearest."""

    def __init__(self, cards: codes.Cards, nearness: Sequence[Nearness]) -> None:
        self.cards = cards
        self.nearness = nearness
        self.known = Board(cards)
        self.trials = [Board(cards), Board(cards)]

    def choose(self, table: Board, aim: int, rng: Random) -> int:
        known = self.known
        known.copy_from(table)
        # Nobody knows what comes next; three blanks are more than a turn can draw.
        known.deck_size = 0
        for _ in range(3):
            known.stack(codes.BLANK)
        return self._best(known, aim, rng, 0)[0]

    def _best(self, table: Board, aim: int, rng: Random, depth: int) -> tuple[int, float]:
        seat = int(table.to_act())
        hand = table.hand_of(seat)
        trial = self.trials[depth]
        best: list[int] = []
        best_worth = -1.0
        for move in moves_of(table):
            # The study is of patterns, not of what two players do to each other.
            if move & 31 == codes.PICK_UP:
                continue
            trial.copy_from(table)
            apply(trial, move)
            if trial.phase == codes.AT_PLAYS and depth == 0:
                worth = self._after_plays(trial, aim, rng)
            else:
                worth = self._worth(trial, seat, aim, hand)
            if worth > best_worth:
                best, best_worth = [move], worth
            elif worth == best_worth:
                best.append(move)
        return rng.choice(best), best_worth

    def _after_plays(self, table: Board, aim: int, rng: Random) -> float:
        """Two plays (HR-6.9) are worth what the best first one and then the best second one are."""
        worth = 0.0
        while table.phase == codes.AT_PLAYS:
            move, worth = self._best(table, aim, rng, 1)
            apply(table, move)
        return worth

    def _worth(self, table: Board, seat: int, aim: int, hand: Sequence[int]) -> float:
        if aim in table.scored_of(seat):
            return math.inf
        # Of a card that the move brought to hand nothing is known before.
        kept = [card for card in table.hand_of(seat) if card in hand]
        managers = sum(self.cards.kind[card] == codes.MANAGER for card in kept)
        colours = len({int(self.cards.colour[card]) for card in kept})
        return self.nearness[aim].of_office(table) * (1 + KEPT * (managers + colours / 2))


# -- The study -------------------------------------------------------------------------------


class Study:
    def __init__(self, deck: OfficeDeck) -> None:
        self.deck = deck
        self.cards = kernel_cards(deck, mirror=False)
        self.projects = [
            number for number, name in enumerate(NAMES) if deck.card[name].kind == "project"
        ]
        nearness = [Nearness(self.cards, card) for card in range(len(NAMES))]
        self.player = Player(self.cards, nearness)
        self.table = Board(self.cards)

    def rows(self, games: int, seed: int) -> list[Row]:
        """One for each pattern, the most valuable last."""
        rows = []
        for project in self.projects:
            name = NAMES[project]
            if not name.endswith("d"):
                continue
            counts = [
                self.play(twin, Random(f"{seed} {NAMES[twin]} {game}"))
                for twin in (project, NUMBER[f"{name[:-1]}l"])
                for game in range(games)
            ]
            turns = [turns for turns, _ in counts]
            error = statistics.stdev(turns) / math.sqrt(len(turns))
            completed = sum(done for _, done in counts) / len(counts)
            card = self.deck.card[name]
            mean = statistics.fmean(turns)
            rows.append(Row(card.value or 0, name[:-1], card.title, mean, error, completed))
        return sorted(rows, key=lambda row: (row.value, row.card))

    def play(self, project: int, rng: Random) -> Count:
        table = self.table
        self._deal(project, rng)
        aim = self._other_aim(project, rng)
        turns = 0
        while table.phase != codes.AT_END:
            if table.actor == OWNER:
                turns += table.phase == codes.AT_TURN
                apply(table, self.player.choose(table, project, rng))
                if project in table.scored_of(OWNER):
                    return turns, True
            else:
                apply(table, self.player.choose(table, aim, rng))
                table.measure()
                if missing_squares(table, aim) == 0:
                    aim = self._other_aim(project, rng)
        return turns, False

    def _other_aim(self, project: int, rng: Random) -> int:
        """The other player works for the sake of it: a pattern in mind, no card in play."""
        return rng.choice([other for other in self.projects if other != project])

    def _deal(self, project: int, rng: Random) -> None:
        """HR-2, but the owner has already played the project and drawn for it."""
        table = self.table
        table.clear()
        pile = [card for card in range(BASIC) if card != project]
        for (x, y), colour in zip(FOUNDING, FOUNDING_COLOURS, strict=True):
            card = rng.choice([card for card in pile if colour_of(card) == colour])
            pile.remove(card)
            table.add(table.square_at(x, y), card)
        rng.shuffle(pile)  # HR-2.2: after the four were taken
        for seat in (OWNER, OTHER):
            for _ in range(HAND):
                table.give(seat, pile.pop())
        for card in pile:
            table.stack(card)
        table.put_in_play(OWNER, project)


# -- Rank correlation ------------------------------------------------------------------------


def spearman(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Of ranks; equal values share the mean of theirs."""
    return statistics.correlation(_ranks(xs), _ranks(ys))


def _ranks(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=300, help="for each project card")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deck", default="house", help="a deck's name or file")
    options = parser.parse_args()
    deck = load_deck(game_named("human-resources"), options.deck)
    assert isinstance(deck, OfficeDeck)
    started = time.process_time()
    rows = Study(deck).rows(options.games, options.seed)
    seconds = time.process_time() - started
    print(f"{deck.title}, {2 * options.games} games a pattern, seed {options.seed}\n")
    print("value  card  title                  turns      +-  completed")
    for row in rows:
        print(
            f"{row.value:5}  {row.card:4}  {row.title:21}  {row.mean:5.2f}  {row.error:6.3f}"
            f"  {row.completed:8.1%}"
        )
    found = spearman([row.value for row in rows], [row.mean for row in rows])
    print(f"\nrank correlation of value and turns (Spearman): {found:.3f}")
    print(f"{seconds:.0f} s, {compiled.describe()}")


if __name__ == "__main__":
    main()
