"""What a floor will bring each seat by the end of the game, in thousandths of a point.

To the points that stand on a floor comes what is still to be
had there: the free cubes, best first, and the bonus squares for cubes to come. A
seat comes to a floor in one phase of every turn (CF-3.2), so that the best free cube belongs to the
home department, the next to who comes second. What each of these is worth was fitted to the results
of games, for every number of turns left (benchmarks/farm_prospects.py).
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from openplan.games.cube_farm.kernel.appraise import Planner
from openplan.games.cube_farm.kernel.board import Board
from openplan.games.cube_farm.kernel.codes import FLOORS, PHASES, SEATS, TURNS, Rng
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.walking import can_be_taken, find_worths, score_floor

RANKS: Final = 6
"""So many free cubes are told apart; three are taken in a turn."""

# Features of a floor for the seat that comes to it in a certain phase.
FREE: Final = 0  # + rank: what the free cube would score
MORE_FREE: Final = 6  # how many more there are
POINTS: Final = 7  # as they stand
VALUES: Final = 8  # of all bonus squares
NEGATIVES: Final = 9
BIAS: Final = 10
FEATURES: Final = 11

WEIGHTS_SIZE: Final = TURNS * PHASES * FEATURES
"""By turns left, from none to four, and by phase."""


@final
class Prospects:
    weights: vec[i64]
    value: vec[i64]  # by seat: what `look` found
    feature: vec[i64]
    best: vec[i64]

    def __init__(self, weights: list[int]) -> None:
        self.weights = vec[i64]([0] * WEIGHTS_SIZE)
        for place in range(WEIGHTS_SIZE):
            self.weights[place] = weights[place]
        self.value = vec[i64]([0] * SEATS)
        self.feature = vec[i64]([0] * FEATURES)
        self.best = vec[i64]([0] * RANKS)

    def look(self, floor: Floor, home: i64, left: i64) -> None:
        """What a floor will have brought every seat when the turns that are left are over."""
        score_floor(floor, home)
        value = self.value
        for seat in range(SEATS):
            value[seat] = 1000 * floor.points[seat]
        if left == 0:
            return
        weights = self.weights
        for phase in range(PHASES):
            seat = (home - phase) % SEATS
            self.count_features(floor, home, i64(phase))
            base = (left * PHASES + phase) * FEATURES
            for place in range(FEATURES):
                value[seat] += weights[base + place] * self.feature[place]

    def count_features(self, floor: Floor, home: i64, phase: i64) -> None:
        """Count what the weights are for, after `score_floor`, for who comes in this phase. Who
        comes in the third finds the same as who comes in the second, and must come next."""
        feature = self.feature
        seat = (home - phase) % SEATS
        if phase < 2:
            self._count_cubes(floor, home, seat)
        feature[POINTS] = floor.points[seat]
        if phase == 0:
            values: i64 = 0
            for place in range(floor.bonus_count):
                values += floor.cards.value[i64(floor.kind[floor.bonus[place]])]
            feature[VALUES] = values
            feature[NEGATIVES] = floor.negative_count
            feature[BIAS] = 1

    def _count_cubes(self, floor: Floor, home: i64, seat: i64) -> None:
        find_worths(floor, home, seat)
        best = self.best
        for rank in range(RANKS):
            best[rank] = 0
        count: i64 = 0
        for cube in range(1, floor.cubes + 1):
            if can_be_taken(floor, cube):
                worth = floor.cube_worth[cube]
                if worth <= 0:
                    continue
                count += 1
                if worth > best[RANKS - 1]:
                    at: i64 = RANKS - 1
                    while at > 0 and best[at - 1] < worth:
                        best[at] = best[at - 1]
                        at -= 1
                    best[at] = worth
        for rank in range(RANKS):
            self.feature[FREE + rank] = best[rank]
        self.feature[MORE_FREE] = count - RANKS if count > RANKS else i64(0)


# -- Games to fit the weights to -------------------------------------------------------------


def study_games(table: Board, seed: i64, count: i64, limit: i64) -> list[int]:
    """Games between three that order well. For every floor, after every turn but the last, for who
    comes to it in each phase: turns left, phase, the features, and the points still to come."""
    planner = Planner(table.cards)
    mind = Prospects([0] * WEIGHTS_SIZE)
    out: list[int] = []
    for number in range(count):
        rng = Rng(seed + number)
        table.deal(rng)
        begun = len(out)
        while table.turn <= TURNS:
            for seat in range(SEATS):
                planner.order_well(table, seat, rng.below(PHASES), limit)
            table.adjudicate()
            left = TURNS + 1 - table.turn
            if left == 0:
                break
            for home in range(FLOORS):
                floor = table.floor(home)
                score_floor(floor, home)
                for phase in range(PHASES):
                    mind.count_features(floor, home, phase)
                    out.append(int(left))
                    out.append(phase)
                    for place in range(FEATURES):
                        out.append(int(mind.feature[place]))
                    out.append(-int(floor.points[(home - phase) % SEATS]))
        at = begun
        table.score()
        while at < len(out):
            for home in range(FLOORS):
                for phase in range(PHASES):
                    at += FEATURES + 3
                    out[at - 1] += int(table.floor(home).points[(home - phase) % SEATS])
    return out
