"""Does a floor stay walkable, and does everything on the cards score? A study with the real engine.

Three players order sealed, all phases of a turn at once, until the game is over. Counted is what
becomes of the orders, and what each employee's score is made of. All three play the same way.

The greedy player orders what looks best on the floors as they stand. The careful one imagines what
the other two may do: it deals them hands from the cards it has not seen, lets them order greedily
and orders what is worth most over what may then be found, and is seldom lost.

    python benchmarks/farm_deck.py --games 10000
    python benchmarks/farm_deck.py --games 300 --careful
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Final, NamedTuple, Protocol

from openplan import compiled
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.cube_farm.cards import KIND_NAMES, FarmDeck, kernel_cards
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.appraise import Planner, lead
from openplan.games.cube_farm.kernel.board import AWAY, NO_ORDER, Board, floor_of, pack_employee
from openplan.games.cube_farm.kernel.codes import FLOORS, PHASES, SEATS, TURNS
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import place_card, why_card
from openplan.games.cube_farm.kernel.walking import add_employees, find_walks, find_worths
from openplan.games.cube_farm.rules import WHY_LOST

PLACES: Final = 16
"""So many places a player tries for each card."""
SAMPLES: Final = 8
"""So often a careful player imagines the others' orders."""
TRIED: Final = 4
"""In so many of what it imagines it looks for cards to order."""
CAUTION: Final = 4
"""What an employee brings counts times this power of the part of the samples in which the order is
carried out. The others are careful too, so that samples of greedy ones promise too much."""
FULL: Final = 15
"""A floor with so many cards is looked at by itself."""

BONUSES: Final = tuple(kind for kind in range(codes.PHOTOCOPIER, codes.KINDS))
PARTS: Final = (
    *(("bonus", kind) for kind in BONUSES),
    *(("extra", kind) for kind in BONUSES if codes.EXTRA[kind]),
    ("penalty", codes.VP),
    ("penalty", codes.RECEPTIONIST),
)

Part = tuple[str, int]


class Player(Protocol):
    def order(self, table: Board, seat: int, rng: Random) -> None:
        """Write a seat's orders for the turn into the table."""


# -- Players ---------------------------------------------------------------------------------


class Greedy:
    def __init__(self, cards: codes.Cards, places: int) -> None:
        self.places = places
        self.planner = Planner(cards)

    def order(self, table: Board, seat: int, rng: Random) -> None:
        self.planner.order_well(table, seat, rng.randrange(PHASES), self.places)


class Choice(NamedTuple):
    """One phase's orders and what they are worth on average, with caution."""

    worth: float
    card: int
    employee: int


class Careful:
    def __init__(self, cards: codes.Cards, places: int, samples: int) -> None:
        self.places = places
        self.worlds = [Board(cards) for _ in range(samples)]
        self.trial = Floor(cards)
        self.planner = Planner(cards)

    def order(self, table: Board, seat: int, rng: Random) -> None:
        for world in self.worlds:
            self._imagine(world, table, seat, rng)
        # Cards that look good where nobody has been yet, and where somebody has.
        cards = [{NO_ORDER: None} for _ in range(PHASES)]
        tried = [(table, first) for first in range(PHASES)]
        tried += [(world, rng.randrange(PHASES)) for world in self.worlds[:TRIED]]
        for world, first in tried:
            self.planner.order_well(world, seat, first, self.places)
            for phase in range(PHASES):
                cards[phase][int(world.card_order[seat * PHASES + phase])] = None
        choices = [
            [self._best_with(card, seat, phase) for card in cards[phase]] for phase in range(PHASES)
        ]
        best = max(
            (chosen for chosen in product(*choices) if _no_card_twice(chosen)),
            key=lambda chosen: sum(choice.worth for choice in chosen),
        )
        for phase, choice in enumerate(best):
            table.order_card(seat, phase, choice.card)
            table.order_employee(seat, phase, choice.employee)

    def _imagine(self, world: Board, table: Board, seat: int, rng: Random) -> None:
        """Each floor as this seat may find it when its phase there comes (CF-3.2)."""
        world.copy_from(table)
        known = set(table.hand_of(seat))
        for number in range(FLOORS):
            floor = table.floor(number)
            known.update(int(floor.placed[place]) >> 2 for place in range(int(floor.placed_count)))
        unseen = [card for card in range(int(table.cards.count)) if card not in known]
        rng.shuffle(unseen)
        second, third = (seat + 1) % SEATS, (seat + 2) % SEATS
        for other in (second, third):
            size = int(table.hand_size[other])
            world.set_hand(other, unseen[:size])
            unseen = unseen[size:]
            self.planner.order_well(world, other, rng.randrange(PHASES), self.places)
        for other, phase in ((second, 0), (third, 0), (second, 1)):
            world.carry_out_card(other, phase)
            world.carry_out_employee(other, phase)

    def _best_with(self, card: int, seat: int, phase: int) -> Choice:
        """The employee that goes best with a card order."""
        number = int(floor_of(seat, phase))
        # At home nobody comes before.
        worlds = self.worlds[:1] if phase == 0 else self.worlds
        trial = self.trial
        gain = 0.0
        worths: Counter[int] = Counter()
        survived: Counter[int] = Counter()
        for world in worlds:
            floor = world.floor(number)
            trial.copy_from(floor)
            if card != NO_ORDER:
                square = trial.square_at((card >> 10 & 255) - AWAY, (card >> 18 & 255) - AWAY)
                if why_card(trial, card & 255, card >> 8 & 3, square) == codes.FITS:
                    place_card(trial, card & 255, card >> 8 & 3, square)
                    gain += lead(trial, number, seat) - lead(floor, number, seat)
            find_worths(trial, number, seat)
            for cube in open_cubes(trial):
                worth = int(trial.cube_worth[cube])
                for square in trial.cube_squares(trial.cube_first[cube]):
                    name = int(pack_employee(trial.x_of(square), trial.y_of(square)))
                    worths[name] += worth
                    survived[name] += 1
        employee, best = NO_ORDER, 0.0
        for name, total in worths.items():
            trusted = total * (survived[name] / len(worlds)) ** CAUTION
            if trusted > best:
                employee, best = name, trusted
        return Choice((gain + best) / len(worlds), card, employee)


def _no_card_twice(chosen: Sequence[Choice]) -> bool:
    cards = [choice.card & 255 for choice in chosen if choice.card != NO_ORDER]
    return len(set(cards)) == len(cards)


def open_cubes(floor: Floor) -> list[int]:
    """The cubes that an employee could take now."""
    find_walks(floor)
    version, walk = floor.version, floor.cube_walk
    size, owner, negatives = floor.cube_size, floor.cube_owner, floor.cube_negatives
    return [
        cube
        for cube in range(1, int(floor.cubes) + 1)
        if walk[cube] == version and size[cube] and not owner[cube] and not negatives[cube]
    ]


# -- Counting --------------------------------------------------------------------------------


class Counts:
    def __init__(self) -> None:
        self.games = 0
        # By phase.
        self.employees = [0] * PHASES
        self.had_cube = [0] * PHASES
        self.not_ordered = [0] * PHASES
        self.no_cube_anyway = 0
        self.cards = [0] * PHASES
        # By phase and reason.
        self.employee_results: Counter[tuple[int, int]] = Counter()
        self.card_results: Counter[tuple[int, int]] = Counter()
        self.parts: Counter[Part] = Counter()
        self.games_with: Counter[Part] = Counter()
        self.points = [0] * SEATS
        self.floors = Floors()
        self.full_floors = Floors()

    def count_end(self, table: Board) -> None:
        """Of a finished game: points and what they are made of."""
        self.games += 1
        table.score()
        parts: Counter[Part] = Counter()
        points = [0] * SEATS
        for number in range(FLOORS):
            floor = table.floor(number)
            count_parts(floor, number, parts, points)
            self.floors.count(floor)
            if floor.placed_count >= FULL:
                self.full_floors.count(floor)
        assert points == [table.points[seat] for seat in range(SEATS)]
        self.parts.update(parts)
        self.games_with.update(parts.keys())
        for seat in range(SEATS):
            self.points[seat] += points[seat]


class Floors:
    """How some floors look at the end of a game."""

    def __init__(self) -> None:
        self.number = 0
        self.cards = 0
        self.cubes = 0
        self.unreachable = 0
        self.open = 0
        self.none_open = 0

    def count(self, floor: Floor) -> None:
        find_walks(floor)
        version, walk, size = floor.version, floor.cube_walk, floor.cube_size
        cubes = [cube for cube in range(1, int(floor.cubes) + 1) if size[cube]]
        free = len(open_cubes(floor))
        self.number += 1
        self.cards += int(floor.placed_count)
        self.cubes += len(cubes)
        self.unreachable += sum(walk[cube] != version for cube in cubes)
        self.open += free
        self.none_open += free == 0


def count_parts(floor: Floor, home: int, parts: Counter[Part], points: list[int]) -> None:
    """CF-6 once more: of one floor every part of a score, and the points of each seat."""
    owner = floor.cube_owner
    for place in range(int(floor.employee_count)):
        cube = int(floor.cube[floor.employee[place]])
        points[int(owner[cube]) - 1] += int(floor.cube_size[cube])
    for place in range(int(floor.bonus_count)):
        square = int(floor.bonus[place])
        kind = int(floor.kind[square])
        value, extra = int(floor.cards.value[kind]), int(codes.EXTRA[kind])
        near = employees_near(floor, [square], value)
        for cube, _ in near:
            points[int(owner[cube]) - 1] += value
            parts["bonus", kind] += 1
        if extra and near and (len(near) == 1 or near[0][1] < near[1][1]):
            seat = int(owner[near[0][0]]) - 1
            if seat != home:
                points[seat] += extra
                parts["extra", kind] += 1
    for place in range(int(floor.negative_count)):
        square = int(floor.negative[place])
        kind = int(floor.kind[square])
        value = int(floor.cards.value[kind])
        for cube, _ in employees_near(floor, floor.cube_squares(square), value):
            seat = int(owner[cube]) - 1
            if kind == codes.RECEPTIONIST or seat == home:
                points[seat] -= value
                parts["penalty", kind] += 1


def employees_near(floor: Floor, starts: Sequence[int], limit: int) -> list[tuple[int, int]]:
    """The cubes of employees in reach and the steps there, the nearest first."""
    way, cubes, owner = floor.way, floor.cube, floor.cube_owner
    found: dict[int, int] = {}
    seen = set(starts)
    front = list(starts)
    for steps in range(1, limit + 1):
        following = []
        for square in front:
            ways = int(way[square])
            for side, step in enumerate((-codes.STRIDE, 1, codes.STRIDE, -1)):
                other = square + step
                if ways >> side & 1:
                    if other not in seen:
                        seen.add(other)
                        following.append(other)
                elif ways >> side & 16:
                    cube = int(cubes[other])
                    if cube not in found and owner[cube]:
                        found[cube] = steps
        front = following
    return list(found.items())


# -- The study -------------------------------------------------------------------------------


class Study:
    def __init__(self, cards: codes.Cards, player: Player) -> None:
        self.player = player
        self.table = Board(cards)
        self.found = codes.Found(1)

    def play(self, seed: int, game: int, counts: Counts) -> None:
        table = self.table
        table.deal(codes.Rng(seed * 1_000_003 + game))
        rng = Random(f"{seed} {game}")
        while table.turn <= TURNS:
            table.forget_orders()
            for seat in range(SEATS):
                self.player.order(table, seat, rng)
            for phase in range(PHASES):
                for seat in range(SEATS):
                    self._carry_out(seat, phase, counts)
            table.end_turn()
        counts.count_end(table)

    def _carry_out(self, seat: int, phase: int, counts: Counts) -> None:
        table, place = self.table, seat * PHASES + phase
        table.carry_out_card(seat, phase)
        if table.card_order[place] != NO_ORDER:
            counts.cards[phase] += 1
            counts.card_results[phase, int(table.card_result[place])] += 1
        self.found.count = 0
        add_employees(table.floor(floor_of(seat, phase)), self.found)
        has_cube = self.found.count != 0
        table.carry_out_employee(seat, phase)
        if table.employee_order[place] == NO_ORDER:
            counts.not_ordered[phase] += 1
            counts.no_cube_anyway += not has_cube
        else:
            counts.employees[phase] += 1
            counts.had_cube[phase] += has_cube
            counts.employee_results[phase, int(table.employee_result[place])] += 1


# -- Tables ----------------------------------------------------------------------------------


def print_orders(
    title: str,
    given: Sequence[int],
    rows: Sequence[tuple[str, Sequence[int]]],
    results: Counter[tuple[int, int]],
) -> None:
    print(f"\n{title:24} {'phase 1':>9} {'phase 2':>9} {'phase 3':>9} {'all':>9}")
    _print_row("ordered", given)
    seen = {code for _, code in results}
    lost = [(f"lost: {name}", code) for code, (name, _) in WHY_LOST.items() if code in seen]
    for name, counted in (
        *rows,
        *(
            (name, [results[phase, code] for phase in range(PHASES)])
            for name, code in (("carried out", codes.FITS), *lost)
        ),
    ):
        _print_row(name, counted)
        shares = [
            part / max(whole, 1)
            for part, whole in zip([*counted, sum(counted)], [*given, sum(given)], strict=True)
        ]
        print(f"{'':24} " + " ".join(f"{share:9.2%}" for share in shares))


def _print_row(name: str, counted: Sequence[int]) -> None:
    print(f"{name:24} " + " ".join(f"{number:9}" for number in [*counted, sum(counted)]))


def print_parts(counts: Counts) -> None:
    print(f"\n{'scored':24} {'times':>9} {'per game':>9} {'in games':>9}")
    for part in PARTS:
        share = counts.games_with[part] / counts.games
        print(
            f"{part[0] + ' ' + KIND_NAMES[part[1]]:24} {counts.parts[part]:9}"
            f" {counts.parts[part] / counts.games:9.2f} {share:9.2%}"
        )
    missing = [f"{what} {KIND_NAMES[kind]}" for what, kind in PARTS if not counts.parts[what, kind]]
    print(f"never scored: {', '.join(missing) or 'nothing, every kind was'}")


def print_floors(title: str, floors: Floors) -> None:
    number = max(floors.number, 1)
    print(f"\n{title}: {floors.number}")
    print(f"  cards                  {floors.cards / number:7.2f}")
    print(f"  cubes                  {floors.cubes / number:7.2f}")
    print(
        f"  of them unreachable    {floors.unreachable / number:7.2f}"
        f"  ({floors.unreachable / max(floors.cubes, 1):.1%})"
    )
    print(f"  still open to anybody  {floors.open / number:7.2f}")
    print(f"  floors with none open  {floors.none_open / number:7.2%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deck", default="house", help="a deck's name or file")
    parser.add_argument("--places", type=int, default=PLACES, help="tried for each card")
    parser.add_argument("--careful", action="store_true", help="players expect the others")
    options = parser.parse_args()
    deck = load_deck(game_named("cube-farm"), options.deck)
    assert isinstance(deck, FarmDeck)
    cards = kernel_cards(deck)
    player: Player = Greedy(cards, options.places)
    if options.careful:
        player = Careful(cards, options.places, SAMPLES)
    study, counts = Study(cards, player), Counts()
    started = time.process_time()
    for game in range(options.games):
        study.play(options.seed, game, counts)
    seconds = time.process_time() - started
    manner = "careful" if options.careful else "greedy"
    print(f"{deck.title}, {options.games} games of {manner} players, seed {options.seed}")
    print_orders(
        "employees",
        counts.employees,
        [("a legal cube was there", counts.had_cube)],
        counts.employee_results,
    )
    _print_row("no order given", counts.not_ordered)
    print(f"  with no legal cube     {counts.no_cube_anyway:5}")
    print_orders("cards", counts.cards, [], counts.card_results)
    print_parts(counts)
    means = ", ".join(f"{total / counts.games:.1f}" for total in counts.points)
    print(f"\naverage score by seat: {means}")
    print_floors("floors at the end", counts.floors)
    print_floors(f"floors with {FULL} cards or more", counts.full_floors)
    print(f"\n{seconds:.0f} s, {compiled.describe()}")


if __name__ == "__main__":
    main()
