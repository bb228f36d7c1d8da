"""A strong player's choice from a view: possible truths are drawn, and `search.py` looks ahead."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path
from random import Random
from typing import Final

from openplan.core.game import judge_name
from openplan.games.human_resources.bot.weights import WEIGHTS
from openplan.games.human_resources.cards import OfficeDeck, kernel_cards
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.kernel.loose import Loose
from openplan.games.human_resources.kernel.search import FOR_EVER, Search, plain_search
from openplan.games.human_resources.text.notation import Move, from_kernel, to_kernel
from openplan.games.human_resources.view import OfficeView, template

NET: Final = Path(__file__).with_name("net.weights")
"""How these were made, and their hash, is in `net.toml` beside them."""
DEPTH: Final = 2
REPLIES: Final = 6
"""In a try each side plays the best by the network of so many moves that promise most."""
PROMISING: Final = 48
"""So many moves, those that promise most, are shown to the network."""
WIDTH: Final = 24
"""So many of these, the best by the network, are tried."""
ENDGAME: Final = 6
"""With so few cards in the deck all moves are looked at, up to the end."""
SPREAD: Final = 4000
SLOPE: Final = 130
"""How many thousandths of a point make a lead that counts, at the end and for each card left in the
deck, so that the mean is about a chance to win."""
CURIOSITY: Final = 0.1
"""How much the plain search prefers what it has tried less."""
TRUTHS: Final = 48
CALIBRATION: Final = ((4, -0.6, 1.05), (12, -0.55, 1.55), (24, -0.25, 1.35), (62, -0.05, 1.1))
"""Up to so many cards left: how the logarithm of the odds to win follows from that of the mean, by
the results of matches (benchmarks/hints.py, docs/bots.md)."""
REVIEWED: Final = ((4, -0.3, 2.2), (12, -0.3, 2.0), (24, -0.1, 1.6), (62, 0.05, 1.55))
"""The same for a move that is judged by itself, and not as the best that was found: nothing has
flattered it."""
LUCK_LOOKS: Final = (0, 2)
"""So many turns are played before the network is asked what a card was worth: at once it knows what
may become of it, after two turns what did, and the mean of both errs least (docs/bots.md)."""
EVALUATOR: Final = judge_name(
    "net",
    NET.read_bytes(),
    WEIGHTS,
    (DEPTH, REPLIES, PROMISING, WIDTH, ENDGAME, SPREAD, SLOPE, TRUTHS),
    CALIBRATION,
    REVIEWED,
    LUCK_LOOKS,
)
"""A review is of one evaluator."""
SHARE_FOR_TRUTHS: Final = 0.2
SHARE_KEPT_BACK: Final = 0.03

_searches: dict[tuple[str, str], Search] = {}


def think(
    view: OfficeView, seconds: float | None, iterations: int | None, seed: int, strength: str
) -> list[tuple[Move, float]]:
    """The viewer's moves with the estimated chance to win after each, best first. All players are
    thought to complete what they can: on the tables here the house rule `leave` is off (HR-5.6)."""
    began = time.monotonic()
    table = view.table()
    table.leave = 0
    search = search_for(view.deck, view.house)
    seat = view.to_act
    assert seat is not None
    ranks = search.rank(table)
    if view.phase in (codes.AT_TURN, codes.AT_PLAYS):
        weighed = search.weighed(table, ranks[:PROMISING])
        # The rest promises less, and the network does not look at it.
        least = weighed[-1][1]
        weighed += [(move, least) for move, _ in ranks[PROMISING:]]
    else:
        weighed = [(move, 0) for move, _ in ranks]
    ranked = [move for move, _ in weighed]
    values = [value for _, value in weighed]
    if len(ranked) == 1 or strength == "promise":
        moves = from_kernel(table, ranked)
        return list(zip(moves, [0.5 + value / 2e6 for value in values], strict=True))
    truths, loose = _truths(view, Random(seed), began, seconds, iterations)
    left = -1.0
    if seconds is not None:
        left = max(0.0, seconds * (1 - SHARE_KEPT_BACK) - (time.monotonic() - began))
    tries = iterations if iterations is not None else 1 << 40
    if strength == "plain":
        found = plain_search(search.mind.cards, truths, loose, seed, tries, left, CURIOSITY)
    else:
        width = len(ranked) if len(view.draw_pile) <= ENDGAME else WIDTH
        found = search.run(truths, loose, ranked[:width], seat, seed, tries, left)
    moves = from_kernel(table, [move for move, _, _ in found])
    size = len(view.draw_pile)
    told = [_chance(mean / 1e6, size, CALIBRATION) for _, mean, _ in found]
    return list(zip(moves, told, strict=True))


def judge(view: OfficeView, moves: Sequence[Move], iterations: int, seed: int) -> list[float]:
    """The estimated chance to win after each of these, tried equally often and side by side."""
    table = view.table()
    table.leave = 0
    seat = view.to_act
    assert seat is not None
    search = search_for(view.deck, view.house)
    truths, loose = _truths(view, Random(seed), time.monotonic(), None, iterations)
    # One by one: the search would leave out the worse half after a while.
    each = iterations // len(moves)
    packed = [to_kernel(table, move._replace(leave=())) for move in moves]
    found = [search.run(truths, loose, [one], seat, seed, each, -1.0) for one in packed]
    return [_chance(row[0][1] / 1e6, len(view.draw_pile), REVIEWED) for row in found]


def search_for(deck: OfficeDeck, house: Mapping[str, str]) -> Search:
    key = (deck.hash, house["mirror"])
    if key not in _searches:
        cards = kernel_cards(deck, house["mirror"] == "yes")
        _searches[key] = Search(
            cards, list(WEIGHTS), NET.read_bytes(), DEPTH, REPLIES, SPREAD, SLOPE
        )
    return _searches[key]


def _chance(mean: float, left: int, lines: Sequence[tuple[int, float, float]]) -> float:
    """The chance to win after a move that goes so well on average, from -1 to 1, with so many cards
    left in the deck. Monotone: it changes what is told, not what is chosen."""
    mean = max(-0.98, min(0.98, mean))
    shift, slope = next(fit for most, *fit in lines if left <= most)
    return 1 / (1 + exp(-shift - slope * log((1 + mean) / (1 - mean))))


def _truths(
    view: OfficeView, rng: Random, began: float, seconds: float | None, iterations: int | None
) -> tuple[list[Board], list[Loose]]:
    """Tables that the view leaves possible, as many as the budget deserves, and which of their
    cards could lie elsewhere."""
    most = TRUTHS if iterations is None else max(4, min(TRUTHS, iterations // 40))
    until = FOR_EVER if seconds is None else began + SHARE_FOR_TRUTHS * seconds
    truths: list[Board] = []
    loose: list[Loose] = []
    while not truths or (len(truths) < most and time.monotonic() < until):
        table, cards = template(view, rng)
        table.leave = 0
        truths.append(table)
        loose.append(Loose(table, cards))
    return truths, loose
