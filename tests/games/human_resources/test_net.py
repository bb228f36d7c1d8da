"""The network: its weights are those that were trained, and it counts as it says it does."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import u8

from openplan.core.deal import seeded
from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.games.human_resources.bot import think
from openplan.games.human_resources.bot.weights import WEIGHTS
from openplan.games.human_resources.cards import kernel_cards
from openplan.games.human_resources.game import GAME
from openplan.games.human_resources.kernel import codes, net
from openplan.games.human_resources.kernel.prospects import Prospects
from tests.brute_force.compare import shipped_deck

ROOT = Path(__file__).resolve().parents[3]
DECK = shipped_deck()


def new_net(weights: bytes | None = None) -> net.Net:
    cards = kernel_cards(DECK, False)
    return net.Net(Prospects(cards, list(WEIGHTS)), weights or think.NET.read_bytes())


def numbers(weights: bytes) -> list[int]:
    return [
        int.from_bytes(weights[i : i + 2], "little", signed=True) for i in range(0, len(weights), 2)
    ]


def matches(count: int) -> Iterator[tuple[Match, int]]:
    """Matches with the promo cards, half at random and half by promise, at every choice; and who
    has moved last."""
    game: AnyGame = GAME
    for seed in range(count):
        rng = Random(f"net {seed}")
        house = {"promo": "yes" if seed % 2 else "no"}
        match = Match.start(game, DECK, house, secret=seeded(rng.random()))
        while match.outcome is None:
            seat = min(match.awaited)
            view = match.view(seat)
            if rng.random() < 0.5:
                move = rng.choice(list(game.moves(view)))
            else:
                move = game.search(view, None, 1, 1, "promise")[0][0]
            match.submit(seat, game.format_move(DECK, move))
            yield match, seat


def tokens(judge: net.Net) -> list[int]:
    return [int(judge.token[i]) for i in range(int(judge.count))]


def test_the_weights_are_those_of_the_recipe() -> None:
    recipe = tomllib.loads(think.NET.with_suffix(".toml").read_text())
    weights = think.NET.read_bytes()
    assert hashlib.sha256(weights).hexdigest() == recipe["sha256"]
    assert recipe["command"].startswith("python benchmarks/train_net.py ")
    assert len(recipe["rounds"]) >= 1


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match=rf"have 10 bytes, not {net.SIZE}"):
        new_net(bytes(10))


def test_no_sum_leaves_its_lane() -> None:
    rows = numbers(think.NET.read_bytes())[: net.TOKENS * net.HIDDEN]
    assert max(map(abs, rows)) <= net.LARGEST
    assert net.LARGEST * net.ROOM < net.HALF


def test_a_seat_gives_the_tokens_that_it_was_trained_on() -> None:
    """A truth of which only what a seat knows counts, as in training, and the table of that seat's
    view, as in play, are the same to the network."""
    judge = new_net()
    known = vec[u8](bytes(codes.IDS))
    most = 0
    for match, seat in matches(8):
        state = match.state
        if state.table.phase == codes.AT_END:
            continue
        for card in range(codes.IDS):
            known[card] = u8(state.known[card])
        judge.gather(state.table, seat, 0, known, 1 + seat)
        trained = sorted(tokens(judge))
        judge.gather(match.view(Seat(seat)).table(), seat, 0, net.NOBODY, 0)
        assert sorted(tokens(judge)) == trained
        judge.gather(state.table, seat, 0, net.NOBODY, 0)
        most = max(most, len(tokens(judge)))
        assert len(set(tokens(judge))) > len(trained) - 12
        assert all(0 <= token < net.TOKENS for token in tokens(judge))
    assert 60 < most < net.ROOM


def test_it_counts_as_a_network_does() -> None:
    """Against sums without packing, in lists."""
    weights = think.NET.read_bytes()
    judge = new_net()
    every = numbers(weights)
    at = net.TOKENS * net.HIDDEN
    parts = []
    for size in (net.HIDDEN, net.HIDDEN * net.SECOND, net.SECOND, 2 * net.SECOND, 2):
        parts.append(every[at : at + size])
        at += size
    assert at == len(every)
    bias, second, second_bias, last, last_bias = parts

    def kept(number: int) -> int:
        return max(0, min(net.MOST, number))

    for number, (match, seat) in enumerate(matches(2)):
        if number % 5:
            continue
        judge.gather(match.state.table, seat, 0, net.NOBODY, 0)
        judge.judge()
        first = [
            kept(bias[i] + sum(every[token * net.HIDDEN + i] for token in tokens(judge)))
            for i in range(net.HIDDEN)
        ]
        middle = [
            kept(
                second_bias[j]
                + (sum(first[i] * second[i * net.SECOND + j] for i in range(net.HIDDEN)) >> 10)
            )
            for j in range(net.SECOND)
        ]
        found = [
            (1024 * last_bias[k] + sum(middle[j] * last[k * net.SECOND + j] for j in range(16)))
            >> 10
            for k in range(2)
        ]
        assert found == [int(judge.odds), int(judge.points)]


def test_a_lead_is_worth_more_the_fewer_cards_are_left() -> None:
    judge = new_net()
    ahead: list[int] = []
    behind: list[int] = []
    for match, seat in matches(20):
        table = match.state.table
        if table.deck_size < 8 and table.phase == codes.AT_TURN:
            lead = int(table.points[seat] - table.points[1 - seat])
            judge.gather(table, seat, 0, net.NOBODY, 0)
            judge.judge()
            chance = int(judge.as_chance())
            (ahead if lead > 6 else behind if lead < -6 else []).append(chance)
    assert len(ahead) > 3
    assert len(behind) > 3
    assert sum(ahead) / len(ahead) > 600_000
    assert sum(behind) / len(behind) < -600_000


def digest() -> str:
    """Of all that the network says in some matches."""
    judge = new_net()
    found = hashlib.sha256()
    for match, seat in matches(2):
        for fresh in (0, 1):
            judge.gather(match.state.table, seat, fresh, net.NOBODY, 0)
            judge.judge()
            found.update(f"{tokens(judge)} {judge.odds} {judge.points}\n".encode())
    return found.hexdigest()


def test_plain_and_compiled_agree_to_the_bit() -> None:
    assert not str(net.__file__).endswith(".py"), "the kernel is not compiled here"
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.human_resources.test_net"],
        cwd=ROOT,
        env={**os.environ, "OPENPLAN_PLAIN": "1"},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.split() == ["plain", digest()]


if __name__ == "__main__":
    print("plain" if str(net.__file__).endswith(".py") else "compiled", digest())
