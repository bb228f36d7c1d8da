"""A policy for Human Resources that learns from matches against itself.

    python examples/train.py --minutes 10 --plot train.svg

PPO in PyTorch over `openplan.envs.VectorEnv`, both seats played by the same network; nobody shows
it a move. All that it gets is the observation and the mask. What it is told about the game are the
patterns on the cards: `Eyes` looks up how many squares each project lacks, and what one square more
would change. What that is worth, it learns. `requirements/train.txt` has what is needed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from openplan.arena.figures import Share
from openplan.envs import Setting, VectorEnv
from openplan.envs.gym import AgainstBots
from openplan.games.human_resources.cards import ABILITIES, orientations

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]

# -- What the network sees -------------------------------------------------------------------

CARDS, SHAPES, WINDOW = 62, 9, 24
USE, PICK, SHAPE, SQUARE = CARDS, 2 * CARDS, 3 * CARDS, 3 * CARDS + SHAPES + 1
SHAPES_AND_DONE = SHAPES + 1
PLANE = WINDOW * WINDOW
EDGE = 3  # of the window: what lies that far out is not looked at
SIDE = WINDOW - 2 * EDGE
TO_PLACE, TO_SQUARE, TO_OTHER = 1, 3, 5
OWN_HAND, OWN_PLAY, OTHER_PLAY, DISCARD = 1, 3, 4, 7
PLACES = 8
GROUP_OF_PLACE = np.array([0, 1, 0, 0, 2])
KINDS = ("move", "swap", "shift", "remove", "exchange")
CODES = 3**9
POWERS = 3 ** np.arange(9, dtype=np.int32)
EMPTY_COST, WRONG_COST, FAR = 3, 5, 15
NEARNESS = np.exp(-np.arange(FAR + 1) / 4).astype(np.float32)
SEEN_IN_SQUARE = 18

# Where it is measured: deals of which it has seen none.
FIRST_DEAL, AT_ONCE = 20_000, 50


class Seen(NamedTuple):
    """Some tables: numbers of each table, and of each action that is possible at one of them."""

    table: Tensor
    card_row: Tensor
    card_action: Tensor
    card: Tensor
    square_row: Tensor
    square_action: Tensor
    square: Tensor
    mask: Tensor
    promise: Tensor


class Kept(NamedTuple):
    """What is known of some tables as long as nothing moves there."""

    near: Floats
    promise: Floats
    squares: Floats
    best: Floats

    @staticmethod
    def of(count: int) -> Kept:
        shapes = ((CARDS,), (), (SIDE, SIDE, 3, 6), (3, 6))
        return Kept(*(np.zeros((count, *shape), np.float32) for shape in shapes))


class Eyes:
    """Makes numbers of observations and masks."""

    def __init__(self, played: Setting) -> None:
        deck: Any = played.deck
        cards = [deck.card[name] for name in deck.cards]
        self.value = np.array([card.value or 0 for card in cards], np.float32)
        self.is_project = np.array([bool(card.pattern) for card in cards])
        self.is_dark = np.array([card.colour == "dark" for card in cards])
        self.of_card = np.zeros((CARDS, 5 + len(ABILITIES)), np.float32)
        for number, card in enumerate(cards):
            kinds = ("project", "manager", "quota")
            self.of_card[number, :3] = [card.kind == kind for kind in kinds]
            self.of_card[number, 3] = card.colour == "dark"
            self.of_card[number, 4] = (card.value or 0) / 8
            if card.ability in ABILITIES:
                self.of_card[number, 5 + ABILITIES.index(card.ability)] = 1
        none = np.full(CODES, FAR, np.uint8)
        costs = [costs_of(card.pattern) if card.pattern else none for card in cards]
        self.cost = np.concatenate(costs)
        self.lacks = np.where(self.cost == 0, FAR, self.cost).astype(np.uint8)
        """The same, but what stands already must be formed again (HR-5.4)."""
        parts = np.cumsum([0, *(part.size for part in played.encoding.observation)])
        names = [part.name for part in played.encoding.observation]
        self.at = dict(zip(names, parts.tolist(), strict=False))
        self.table_size = PLACES * CARDS + 4 * CARDS + 10 + 22 + 12 + 6
        self.card_size = 3 + self.of_card.shape[1] + 2 + 4 + 6
        self.square_size = 3 + 6 + SEEN_IN_SQUARE + 3 + len(KINDS) + 10

    def look(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.bool_],
        kept: Kept | None = None,
    ) -> Seen:
        """With `kept`, always of the same matches: what does not change within a move stays."""
        where = observations[:, self.at["cards"] : self.at["cards"] + CARDS]
        numbers = observations[:, self.at["number 0"] :]
        stage = numbers[:, 0].astype(np.int64)
        planes = observations[:, :PLANE].reshape(-1, WINDOW, WINDOW)
        colour = planes[:, EDGE : WINDOW - EDGE, EDGE : WINDOW - EDGE]
        if kept is None:
            kept = Kept.of(len(observations))
            self._study(kept, np.arange(len(observations)), colour, where)
        else:
            begins = np.flatnonzero((stage < TO_PLACE) | (stage > TO_OTHER))
            self._study(kept, begins, colour[begins], where[begins])
        cards = self._of_cards(masks, where, kept)
        squares = self._of_squares(
            observations, masks, colour, kept.squares, stage, numbers[:, 17], numbers[:, 18]
        )
        table = torch.from_numpy(self._of_table(where, numbers, stage, kept))
        of_actions = [torch.from_numpy(one) for one in (*cards, *squares)]
        rest = [torch.from_numpy(one.copy()) for one in (masks, kept.promise)]
        return Seen._make((table, *of_actions, *rest))

    def _study(
        self,
        kept: Kept,
        tables: Ints,
        colour: npt.NDArray[np.uint8],
        where: npt.NDArray[np.uint8],
    ) -> None:
        """What each project in sight lacks at its best place. And for each square in or beside the
        office, each whose project (own in play, own in hand, the other's) and each colour that the
        square could have: what nearer the projects would come, and whether one would be formed."""
        in_sight = (where == OWN_HAND) | (where == OWN_PLAY) | (where == OTHER_PLAY)
        rows, held = np.nonzero(in_sight & self.is_project)
        group = GROUP_OF_PLACE[where[rows, held]]
        codes = window_codes(colour)
        ahead = (held * CODES).astype(np.int32)
        costs = self.lacks.take(ahead[:, None] + codes.reshape(len(colour), (SIDE - 2) ** 2)[rows])
        least = costs.min(axis=1)
        at_best = costs == least[:, None]
        ways = at_best.sum(axis=1, dtype=np.int16)
        costs[at_best] = FAR
        second = costs.min(axis=1)

        near = NEARNESS[least]
        kept.near[tables] = 0
        kept.near[tables[rows], held] = near
        counts = self.value[held] * near * np.array([1, 0, -1], np.float32)[group]
        kept.promise[tables] = np.bincount(rows, counts, len(tables))

        frontier = frontier_of(colour)
        looked_at = (colour > 0) | frontier
        looked_at[:, :2] = looked_at[:, -2:] = False
        looked_at[:, :, :2] = looked_at[:, :, -2:] = False
        row, y, x = np.nonzero(looked_at)
        first = np.searchsorted(row, np.arange(len(colour) + 1))
        many = (first[1:] - first[:-1])[rows]
        pair = np.repeat(np.arange(len(rows)), many)
        square = first[rows][pair] + np.arange(len(pair)) - (np.cumsum(many) - many)[pair]
        around = np.stack([codes[row, y - k // 3, x - k % 3] for k in range(9)], axis=1)
        now = colour[row, y, x].astype(np.int32)
        bare = around - now[:, None] * POWERS
        base = ahead[pair][:, None]
        old = self.lacks.take(base + around[square])
        stands = old == FAR
        same = old == least[pair][:, None]
        rest = np.where(ways[pair] > same.sum(axis=1, dtype=np.int16), least[pair], second[pair])
        worth = self.value[held[pair]] / 4
        before = near[pair]
        place = square * 3 + group[pair]
        found = np.zeros((len(row), 3, 6), np.float32)
        for hue in range(3):
            places = base + (bare + hue * POWERS)[square]
            new = self.lacks.take(places).min(axis=1)
            gain = worth * (NEARNESS[np.minimum(new, rest)] - before)
            formed = ((self.cost.take(places) == 0) & ~stands).any(axis=1)
            found[:, hue, :3] = np.bincount(place, gain, 3 * len(row)).reshape(-1, 3)
            found[:, hue, 3:] = np.bincount(place, worth * formed, 3 * len(row)).reshape(-1, 3)
        found[np.arange(len(row)), now] = 0
        kept.squares[tables] = 0
        kept.squares[tables[row], y, x] = found

        # For either colour the free square at which a cubicle does most, and what it does there.
        free = np.flatnonzero(frontier[row, y, x])
        kept.best[tables] = 0
        for hue in (1, 2):
            sums = found[free, hue] @ np.array([1, 0.5, -0.5, 1, 0, 0], np.float32)
            order = np.lexsort((-sums, row[free]))
            ranked = free[order]
            _, top = np.unique(row[ranked], return_index=True)
            kept.best[tables[row[ranked[top]]], hue] = found[ranked[top], hue]

    def _of_table(
        self,
        where: npt.NDArray[np.uint8],
        numbers: npt.NDArray[np.uint8],
        stage: Ints,
        kept: Kept,
    ) -> Floats:
        known = [where == place for place in range(1, PLACES + 1)]
        stages = np.eye(10, dtype=np.float32)[stage]
        wide = kept.near * self.value / 8
        points = numbers[:, 8:10].astype(np.float32)
        lead = points[:, 0] - points[:, 1]
        few = [lead / 10, np.abs(lead) / 10, points[:, 0] / 20, points[:, 1] / 20]
        few += [numbers[:, 6] / 44, (numbers[:, 6] < 8) * (8 - numbers[:, 6]) * lead / 40]
        return np.concatenate(
            [
                *known,
                *(np.where(where == place, wide, 0) for place in (OWN_HAND, OWN_PLAY, OTHER_PLAY)),
                np.eye(CARDS + 1, dtype=np.float32)[np.minimum(numbers[:, 18], CARDS)][:, 1:],
                stages,
                numbers / np.float32(10),
                kept.best[:, 1:].reshape(-1, 12),
                np.stack(few, axis=1),
            ],
            axis=1,
            dtype=np.float32,
        )

    def _of_cards(
        self,
        masks: npt.NDArray[np.bool_],
        where: npt.NDArray[np.uint8],
        kept: Kept,
    ) -> tuple[Ints, Ints, Floats]:
        row, action = np.nonzero(masks[:, :SHAPE])
        kind, card = np.divmod(action, CARDS)
        lies = where[row, card]
        near = kept.near[row, card]
        placed = kept.best[row, 1 + ~self.is_dark[card]] * (kind == 0)[:, None]
        numbers = np.concatenate(
            [
                np.eye(3, dtype=np.float32)[kind],
                self.of_card[card],
                near[:, None],
                (near * self.value[card] / 8)[:, None],
                *((lies == place)[:, None] for place in (OWN_HAND, OWN_PLAY, OTHER_PLAY, DISCARD)),
                placed,
            ],
            axis=1,
            dtype=np.float32,
        )
        return row, action, numbers

    def _of_squares(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.bool_],
        colour: npt.NDArray[np.uint8],
        squares: Floats,
        stage: Ints,
        kind: npt.NDArray[np.uint8],
        card: npt.NDArray[np.uint8],
    ) -> tuple[Ints, Ints, Floats]:
        row, cell = np.nonzero(masks[:, SQUARE:])
        y, x = np.divmod(cell, WINDOW)
        y, x = np.clip(y - EDGE, 0, SIDE - 1), np.clip(x - EDGE, 0, SIDE - 1)
        here = squares[row, y, x]
        asked = stage[row]
        laid = 1 + ~self.is_dark[np.maximum(card[row].astype(np.int64) - 1, 0)]
        chosen = here[np.arange(len(row)), laid] * (asked == TO_PLACE)[:, None]
        came = np.zeros((len(observations), 10), np.float32)
        rows, cells = np.nonzero(observations[:, 2 * PLANE : 3 * PLANE])
        sy, sx = np.divmod(cells, WINDOW)
        sy, sx = np.clip(sy - EDGE, 0, SIDE - 1), np.clip(sx - EDGE, 0, SIDE - 1)
        first = squares[rows, sy, sx]
        came[rows, :9] = np.concatenate([first[:, :, 0], first[:, :, 2], first[:, :, 3]], axis=1)
        came[rows, 9] = colour[rows, sy, sx]
        # The kernel numbers what managers do from 4 on, in the order of their abilities.
        does = np.stack([kind[row] == 4 + ABILITIES.index(name) for name in KINDS], axis=1)
        numbers = np.concatenate(
            [
                *((asked == one)[:, None] for one in (TO_PLACE, TO_SQUARE, TO_OTHER)),
                chosen,
                here.reshape(len(row), SEEN_IN_SQUARE),
                np.eye(3, dtype=np.float32)[colour[row, y, x]],
                does,
                came[row],
            ],
            axis=1,
            dtype=np.float32,
        )
        return row, SQUARE + cell, numbers


def costs_of(pattern: Sequence[str]) -> npt.NDArray[np.uint8]:
    """What a pattern lacks in each of the ways in which three by three squares can look."""
    squares = np.arange(CODES)[:, None] // POWERS % 3
    least = np.full(CODES, FAR)
    for rows in orientations(tuple(pattern), mirror=False):
        needed = np.zeros(9, int)
        for y, line in enumerate(rows):
            for x, letter in enumerate(line):
                needed[3 * y + x] = ".DL".index(letter)
        empty = ((needed > 0) & (squares == 0)).sum(axis=1)
        wrong = ((needed > 0) & (squares > 0) & (squares != needed)).sum(axis=1)
        least = np.minimum(least, EMPTY_COST * empty + WRONG_COST * wrong)
    return least.astype(np.uint8)


def window_codes(colour: npt.NDArray[np.uint8]) -> Ints:
    """Each three by three squares as one number, by their north-west square."""
    side = colour.shape[1] - 2
    codes = np.zeros((len(colour), side, side), np.int32)
    for k, power in enumerate(POWERS.tolist()):
        codes += np.int32(power) * colour[:, k // 3 : k // 3 + side, k % 3 : k % 3 + side]
    return codes


def frontier_of(colour: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    full = colour > 0
    beside = np.zeros_like(full)
    beside[:, 1:] |= full[:, :-1]
    beside[:, :-1] |= full[:, 1:]
    beside[:, :, 1:] |= full[:, :, :-1]
    beside[:, :, :-1] |= full[:, :, 1:]
    return beside & ~full


# -- The network -----------------------------------------------------------------------------


class Policy(nn.Module):  # type: ignore[misc]
    """A number for each possible action, and how well the seat to act stands."""

    def __init__(self, eyes: Eyes, width: int = 128) -> None:
        super().__init__()
        self.table = nn.Sequential(
            nn.Linear(eyes.table_size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.card, self.card_in, self.card_out = self._scorer(eyes.card_size, width)
        self.square, self.square_in, self.square_out = self._scorer(eyes.square_size, width)
        self.others = nn.Linear(width, SHAPES_AND_DONE)
        self.stands = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))

    def _scorer(self, size: int, width: int) -> tuple[nn.Linear, nn.Linear, nn.Linear]:
        last = nn.Linear(64, 1)
        nn.init.zeros_(last.weight)
        return nn.Linear(size, 64), nn.Linear(width, 64), last

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """The logarithm of each action's probability, and the value."""
        table = self.table(seen.table)
        card = self.card(seen.card) + self.card_in(table)[seen.card_row]
        square = self.square(seen.square) + self.square_in(table)[seen.square_row]
        scores = torch.zeros(seen.mask.shape)
        scores[:, SHAPE:SQUARE] = self.others(table)
        scores[seen.card_row, seen.card_action] = self.card_out(card.relu()).squeeze(1)
        scores[seen.square_row, seen.square_action] = self.square_out(square.relu()).squeeze(1)
        scores = scores.masked_fill(~seen.mask, -1e9)
        return scores.log_softmax(dim=1), self.stands(table).squeeze(1)


# -- Learning --------------------------------------------------------------------------------


class Steps(NamedTuple):
    """What was seen and done in all matches at one moment."""

    seen: Seen
    actions: Tensor
    logs: Tensor
    values: Tensor


class Learner:
    """Proximal policy optimisation (PPO) on matches against itself.

    What is good for one seat is bad for the other, so that one network stands for both: where the
    next step is the other seat's, its value counts with the opposite sign.
    """

    matches, steps, epochs, batch = 256, 32, 3, 4
    fade, trace, clip = 0.995, 0.9, 0.2
    point, promise, win = 0.1, 0.04, 0.5
    """What a point counts, a point's worth of patterns nearly formed, and the match."""

    def __init__(self, seed: int, rate: float = 1e-3) -> None:
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.env = VectorEnv("human-resources", self.matches, seed=seed)
        self.eyes = Eyes(self.env.setting)
        self.policy = Policy(self.eyes)
        self.rate = rate
        self.optimiser = torch.optim.Adam(self.policy.parameters(), rate, eps=1e-5)
        self.kept = Kept.of(self.matches)
        self.lead = np.zeros(self.matches)
        self.taken = 0

    def round(self, left: float) -> None:
        """Play for a while, then learn from it; `left` is the part of the time still to come."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate * max(left, 0.05)
        played, rewards, signs, goes_on = self._play()
        advantages = self._advantages(played, rewards, signs, goes_on)
        aims = [one + steps.values for one, steps in zip(advantages, played, strict=True)]
        spread = torch.stack(advantages)
        mean, deviation = spread.mean(), spread.std() + 1e-6
        for _ in range(self.epochs):
            order = self.rng.permutation(len(played))
            for first in range(0, len(played), self.batch):
                some = order[first : first + self.batch].tolist()
                steps = together([played[t] for t in some])
                advantage = (torch.cat([advantages[t] for t in some]) - mean) / deviation
                self._improve(steps, advantage, torch.cat([aims[t] for t in some]), left)

    def _play(self) -> tuple[list[Steps], list[Tensor], list[Tensor], list[Tensor]]:
        env = self.env
        played, rewards, signs, goes_on = [], [], [], []
        lanes = np.arange(self.matches)
        for _ in range(self.steps):
            movers = env.turns.astype(np.int64)
            steps = self._choose()
            env.step(steps.actions.numpy())
            lead = (env.points[:, 0] - env.points[:, 1]).astype(float)
            gained = (lead - self.lead) * np.where(movers == 0, 1, -1)
            rewards.append(floats(self.win * env.rewards[lanes, movers] + self.point * gained))
            self.lead = np.where(env.done, 0, lead)
            signs.append(floats(np.where(env.turns == movers, 1, -1)))
            goes_on.append(floats(~env.done))
            played.append(steps)
            self.taken += self.matches
        played.append(self._choose())
        # What a promise counts is taken back when it is kept or broken: it helps to see early what
        # a step was good for, and changes nothing about which policy is best.
        for t, reward in enumerate(rewards):
            after = self.fade * goes_on[t] * signs[t] * played[t + 1].seen.promise
            reward += self.promise * (after - played[t].seen.promise)
        return played, rewards, signs, goes_on

    def _choose(self) -> Steps:
        seen = self.eyes.look(self.env.observations, self.env.masks, self.kept)
        with torch.no_grad():
            logs, values = self.policy(seen)
            actions = logs.exp().multinomial(1).squeeze(1)
        return Steps(seen, actions, logs.gather(1, actions[:, None]).squeeze(1), values)

    def _advantages(
        self,
        played: list[Steps],
        rewards: list[Tensor],
        signs: list[Tensor],
        goes_on: list[Tensor],
    ) -> list[Tensor]:
        after = played.pop().values
        kept = torch.zeros(self.matches)
        out = []
        for t in reversed(range(len(played))):
            onward = self.fade * goes_on[t] * signs[t]
            wrong = rewards[t] + onward * after - played[t].values
            kept = wrong + onward * self.trace * kept
            after = played[t].values
            out.append(kept)
        return out[::-1]

    def _improve(self, steps: Steps, advantage: Tensor, aim: Tensor, left: float) -> None:
        logs, values = self.policy(steps.seen)
        ratio = (logs.gather(1, steps.actions[:, None]).squeeze(1) - steps.logs).exp()
        held = ratio.clamp(1 - self.clip, 1 + self.clip)
        gain = torch.minimum(ratio * advantage, held * advantage).mean()
        wrong = (values - aim).square().mean()
        doubt = -(logs.exp() * logs.clamp(min=-30)).sum(dim=1).mean()
        loss = -gain + 0.5 * wrong - 0.02 * left * doubt
        self.optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.optimiser.step()


def floats(numbers: npt.NDArray[Any]) -> Tensor:
    return torch.from_numpy(numbers.astype(np.float32))


def together(steps: Sequence[Steps]) -> Steps:
    """Several moments as one."""
    seen = [one.seen for one in steps]
    rows = np.cumsum([0, *(len(one.table) for one in seen)])[:-1].tolist()
    joined = Seen(
        torch.cat([one.table for one in seen]),
        torch.cat([one.card_row + row for one, row in zip(seen, rows, strict=True)]),
        torch.cat([one.card_action for one in seen]),
        torch.cat([one.card for one in seen]),
        torch.cat([one.square_row + row for one, row in zip(seen, rows, strict=True)]),
        torch.cat([one.square_action for one in seen]),
        torch.cat([one.square for one in seen]),
        torch.cat([one.mask for one in seen]),
        torch.cat([one.promise for one in seen]),
    )
    others = [torch.cat(column) for column in list(zip(*steps, strict=True))[1:]]
    return Steps(joined, *others)


# -- Measuring -------------------------------------------------------------------------------


def matches_against(bot: str, policy: Policy, eyes: Eyes, deals: range) -> list[float]:
    """Each deal twice, so that both have both hands: 1 for a match won, a half for a draw."""
    envs = [AgainstBots("human-resources", bots=bot, seat=seat) for seat in "AB" for _ in deals]
    seeds = [deal for _ in "AB" for deal in deals]
    begun = [env.reset(seed=seed) for env, seed in zip(envs, seeds, strict=True)]
    seen = {place: (first, info["action_mask"]) for place, (first, info) in enumerate(begun)}
    points: list[float] = []
    while seen:
        observations = np.stack([one for one, _ in seen.values()])
        masks = np.stack([mask for _, mask in seen.values()]).astype(bool)
        with torch.no_grad():
            logs, _ = policy(eyes.look(observations, masks))
        for place, action in zip(list(seen), logs.argmax(dim=1).tolist(), strict=True):
            observation, reward, ended, _, info = envs[place].step(action)
            seen[place] = observation, info["action_mask"]
            if ended:
                points.append((reward + 1) / 2)
                del seen[place]
    return points


def against(bot: str, learner: Learner, deals: int, first: int) -> Share:
    """The share of its matches that the policy wins when it always does what it likes best."""
    points: list[float] = []
    for begin in range(first, first + deals, AT_ONCE):
        some = range(begin, min(begin + AT_ONCE, first + deals))
        points += matches_against(bot, learner.policy, learner.eyes, some)
    return Share(sum(points), len(points))


def training(learner: Learner, minutes: float) -> Iterator[float]:
    """Round after round, until so much processor time was spent on them; how much it was."""
    spent = 0.0
    while spent < minutes:
        started = time.process_time()
        learner.round(1 - spent / minutes)
        spent += (time.process_time() - started) / 60
        yield spent


def plot(curve: Sequence[tuple[float, Share]], bot: str) -> str:
    """The share of matches won after so many minutes, with its 95% interval, as SVG."""
    width, height, left, low = 640, 320, 48, 280
    last = max(minutes for minutes, _ in curve) or 1

    def at(minutes: float, share: float) -> str:
        return f"{left + (width - left - 16) * minutes / last:.1f},{low - 256 * share:.1f}"

    band = [at(minutes, share.interval[1]) for minutes, share in curve]
    band += [at(minutes, share.interval[0]) for minutes, share in reversed(curve)]
    line = " ".join(at(minutes, share.rate) for minutes, share in curve)
    ticks = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        _, y = at(0, share).split(",")
        ticks.append(f'<path d="M{left} {y}H{width - 16}" stroke="#bbb" fill="none"/>')
        ticks.append(f'<text x="{left - 6}" y="{y}" dy="4" text-anchor="end">{share:.0%}</text>')
    for minute in range(int(last) + 1):
        x, _ = at(minute, 0).split(",")
        ticks.append(f'<text x="{x}" y="{low + 18}" text-anchor="middle">{minute}</text>')
    font = 'font-family="sans-serif" font-size="12" fill="#444"'
    below = "minutes of one processor spent on training"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {font}>',
            '<rect width="100%" height="100%" fill="#fff"/>',
            *ticks,
            f'<polygon points="{" ".join(band)}" fill="#357" opacity="0.2"/>',
            f'<polyline points="{line}" fill="none" stroke="#357" stroke-width="2"/>',
            f'<text x="{left}" y="14">Matches won against {bot}</text>',
            f'<text x="{width - 16}" y="{low + 34}" text-anchor="end">{below}</text>',
            "</svg>\n",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of one processor, to train")
    parser.add_argument("--bot", default="greedy", help="to be measured by")
    parser.add_argument("--deals", type=int, default=400, help="in the end, each played twice")
    parser.add_argument("--on-the-way", type=int, default=25, help="the same once a minute")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="a file for the network")
    parser.add_argument("--plot", type=Path, help="a file for the plot (SVG)")
    arguments = parser.parse_args()
    # One thread: on a machine with other work, threads that wait for each other waste most of it.
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    learner = Learner(arguments.seed)
    bot = arguments.bot
    began = time.monotonic()

    def tell(minutes: float, deals: int) -> Share:
        share = against(bot, learner, deals, FIRST_DEAL)
        low, high = share.interval
        print(
            f"{minutes:5.1f} min ({(time.monotonic() - began) / 60:.1f} by the clock) "
            f"{learner.taken:>9,} steps, {learner.env.finished:>6,} matches: {share.rate:.1%} "
            f"({low:.0%} to {high:.0%}) of {share.games} against {bot}",
            flush=True,
        )
        return share

    curve = [(0.0, tell(0.0, arguments.on_the_way))]
    minutes = 0.0
    for minutes in training(learner, arguments.minutes):
        if minutes >= curve[-1][0] + 1:
            curve.append((minutes, tell(minutes, arguments.on_the_way)))
    if arguments.save:
        torch.save(learner.policy.state_dict(), arguments.save)
    curve.append((minutes, tell(minutes, arguments.deals)))
    if arguments.plot:
        arguments.plot.write_text(plot(curve, bot), "utf-8")


if __name__ == "__main__":
    main()
