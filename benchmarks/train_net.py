"""Train the network that judges Human Resources (`kernel/net.py`) on matches with itself.

    pip install -r requirements/train.in
    PYTHONPATH=src python benchmarks/train_net.py --data build/lessons [--rounds 2] [--write]

Each round plays matches, the first by what moves promise and the later ones by the network before,
with some moves at random; fits a network to what came of the tables in them; rounds it to integers;
and lets it play the network before it, one move ahead and by what each seat may know, every deal
from both seats. It prints what the round has cost and what it has gained, and keeps the network if
it wins by more than chance. `--write` puts the last that was kept into the package, with its hash
and how it was made. The same seed gives the same matches; sums of floats may differ by machine.

Lessons are kept in `--data` and found there again, so that a run goes on where it was broken off.
Run `scripts/build.py` first: plain, it takes a hundred times as long.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final, NamedTuple

import numpy as np

from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.games.human_resources.bot import weights
from openplan.games.human_resources.cards import OfficeDeck, kernel_cards
from openplan.games.human_resources.kernel import lessons, net
from openplan.games.human_resources.kernel.codes import Cards
from openplan.games.human_resources.kernel.prospects import Prospects

try:
    import torch
except ImportError:
    sys.exit("this needs PyTorch: pip install -r requirements/train.in")

CHUNK: Final = 10_000
"""Matches that are played at a time; the first such lot of a round is not learned from."""
BATCH: Final = 8192
POINTS: Final = 8.0
"""So many points to come count as much as a natural unit of the odds."""
NAME: Final = "net"


class Table(NamedTuple):
    """Lessons as arrays."""

    token: Any
    end: Any
    won: Any
    points: Any

    def __len__(self) -> int:
        return len(self.end)


def house_cards() -> Cards:
    deck = load_deck(game_named("human-resources"))
    assert isinstance(deck, OfficeDeck)
    return kernel_cards(deck, False)


def play(before: bytes, matches: int, seed: int, noise: int, width: int) -> Table:
    """The tables of some matches; without a network before, by promise."""
    judge = net.Net(Prospects(house_cards(), list(weights.WEIGHTS)), before or bytes(net.SIZE))
    found = lessons.Lessons(matches * 24)
    played = lessons.learn(judge, bool(before), found, matches, seed, noise, width)
    assert played == matches, f"only {played} of {matches} matches fitted in"
    size, count = found.size, found.count
    return Table(
        np.frombuffer(memoryview(found.token), np.int16)[:count].copy(),
        np.frombuffer(memoryview(found.end), np.int64)[:size].copy(),
        np.frombuffer(memoryview(found.won), np.int16)[:size].copy(),
        np.frombuffer(memoryview(found.points), np.int16)[:size].copy(),
    )


def gathered(folder: Path, number: int, before: bytes, given: argparse.Namespace) -> Iterator[Path]:
    """The files with a round's lessons, played where they are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted = []
    matches = given.later if number else given.matches
    for chunk in range(-(-matches // CHUNK)):
        file = folder / f"{given.seed}-{number}-{given.noise}-{chunk}.npz"
        wanted.append((file, given.seed * 1_000_000_007 + (number * 1000 + chunk) * 1_000_003))
    with ProcessPoolExecutor(given.workers) as beside:
        waiting = {
            file: beside.submit(play, before, CHUNK, seed, given.noise, given.width)
            for file, seed in wanted
            if not file.is_file()
        }
        for file, _ in wanted:
            if file in waiting:
                fresh = file.with_suffix(".new.npz")
                np.savez(fresh, **waiting[file].result()._asdict())
                fresh.replace(file)
            yield file


def joined(files: list[Path]) -> Table:
    parts = [np.load(file) for file in files]
    ends, before = [], 0
    for part in parts:
        ends.append(part["end"] + before)
        before += int(part["end"][-1])
    return Table(
        np.concatenate([part["token"] for part in parts]),
        np.concatenate(ends),
        np.concatenate([part["won"] for part in parts]),
        np.concatenate([part["points"] for part in parts]),
    )


# -- Other colours ---------------------------------------------------------------------------


def reversed_colours() -> Any:
    """Each token as it would be if dark were light: a light project is its dark twin reversed
    (HR-1.2), and so are managers; of the quotas only the first (HR-1.4), the others stay."""
    twin = list(range(64))
    for begin, count in ((0, 15), (30, 9), (54, 4)):
        for i in range(begin, begin + count):
            twin[i], twin[i + count] = i + count, i
    twin[48], twin[51] = 51, 48
    swap = list(range(net.TOKENS))
    needs = [0, 2, 1, 3, 4, 6, 5, 7]
    for whose in range(4):
        for card in range(30):
            for lack in range(16):
                at = net.LACKS + whose * 480 + lack
                swap[at + card * 16] = at + twin[card] * 16
        for lack in range(16):
            for mask in range(8):
                at = net.NEEDS + whose * 128 + lack * 8
                swap[at + mask] = at + needs[mask]
    for begin in (net.MY_CARD, net.MET, net.THEIR_CARD, net.MY_BACKER, net.THEIR_BACKER):
        for card in range(30, 62):
            swap[begin + card - 30] = begin + twin[card] - 30
    for begin in (net.DISCARDED, net.GONE):
        for card in range(62):
            swap[begin + card] = begin + twin[card]
    for begin in (net.MY_DARK, net.THEIR_DARK, net.MY_BLANKS, net.THEIR_BLANKS):
        for count in range(12):
            swap[begin + count], swap[begin + 12 + count] = begin + 12 + count, begin + count
    swap[net.TOP + 1], swap[net.TOP + 2] = net.TOP + 2, net.TOP + 1
    return np.array(swap, dtype=np.int64)


# -- Fitting ---------------------------------------------------------------------------------


class Fitted(torch.nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.rows = torch.nn.EmbeddingBag(net.TOKENS, net.HIDDEN, mode="sum")
        torch.nn.init.normal_(self.rows.weight, std=0.05)
        self.bias = torch.nn.Parameter(torch.full((net.HIDDEN,), 0.3))
        self.second = torch.nn.Linear(net.HIDDEN, net.SECOND)
        self.last = torch.nn.Linear(net.SECOND, 2)

    def forward(self, token: Any, begin: Any) -> Any:
        most = net.MOST / net.ONE
        first = torch.clamp(self.rows(token, begin) + self.bias, 0, most)
        second = torch.clamp(self.second(first), 0, most)
        return self.last(second)

    def begin_with(self, weights: bytes) -> None:
        """Go on from a network that was rounded."""
        numbers = torch.from_numpy(np.frombuffer(weights, "<i2").astype(np.float32) / net.ONE)
        parts = (
            self.rows.weight,
            self.bias,
            self.second.weight,
            self.second.bias,
            self.last.weight,
            self.last.bias,
        )
        at = 0
        with torch.no_grad():
            for part in parts:
                here = numbers[at : at + part.numel()]
                at += part.numel()
                if part is self.second.weight:
                    part.copy_(here.reshape(part.shape[::-1]).T)
                else:
                    part.copy_(here.reshape(part.shape))

    def as_bytes(self) -> bytes:
        def whole(numbers: Any, largest: int) -> Any:
            rounded = torch.round(numbers.detach() * net.ONE).clamp(-largest, largest)
            return rounded.numpy().astype("<i2").reshape(-1)

        parts = (
            whole(self.rows.weight, net.LARGEST),
            whole(self.bias, 32767),
            whole(self.second.weight.T, 32767),
            whole(self.second.bias, 32767),
            whole(self.last.weight, 32767),
            whole(self.last.bias, 32767),
        )
        return b"".join(part.tobytes() for part in parts)


def batch_of(data: Table, rows: Any, swap: Any | None) -> tuple[Any, Any, Any, Any]:
    ends = data.end[rows]
    begins = np.where(rows > 0, data.end[rows - 1], 0)
    sizes = ends - begins
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    places = np.arange(int(sizes.sum())) + np.repeat(begins - starts, sizes)
    token = data.token[places].astype(np.int64)
    if swap is not None:
        token = swap[token]
    won = data.won[rows].astype(np.float32) / 2000 + 0.5
    points = data.points[rows].astype(np.float32) / 16
    return (
        torch.from_numpy(token),
        torch.from_numpy(starts),
        torch.from_numpy(won),
        torch.from_numpy(points),
    )


def losses(model: Fitted, batch: tuple[Any, Any, Any, Any]) -> tuple[Any, Any]:
    token, begin, won, points = batch
    found = model(token, begin)
    odds = torch.nn.functional.binary_cross_entropy_with_logits(found[:, 0], won)
    lead = torch.nn.functional.mse_loss(found[:, 1] / POINTS, points / POINTS) / 2
    return odds, lead


def fit(
    before: bytes, data: Table, held: Table, given: argparse.Namespace, seed: int
) -> tuple[bytes, float]:
    """A network, and its logarithmic error on tables that it has not learned from."""
    torch.manual_seed(seed)
    torch.set_num_threads(given.threads)
    rng = np.random.default_rng(seed)
    model = Fitted()
    if before:
        model.begin_with(before)
        print(f"  before: error of those held out {judged(model, held):.4f}", flush=True)
    steps = given.epochs * (len(data) // BATCH)
    best = torch.optim.Adam(model.parameters(), lr=given.rate)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, given.rate, total_steps=steps, pct_start=0.1)
    swap = reversed_colours()
    error = 0.0
    for epoch in range(given.epochs):
        began = time.perf_counter()
        order = rng.permutation(len(data))
        total = []
        for at in range(0, len(data) - BATCH + 1, BATCH):
            rows = np.sort(order[at : at + BATCH])
            turned = swap if given.mirror and rng.random() < 0.5 else None
            odds, lead = losses(model, batch_of(data, rows, turned))
            best.zero_grad()
            (odds + lead).backward()
            best.step()
            plan.step()
            total.append(odds.item())
        error = judged(model, held)
        print(
            f"  epoch {epoch + 1}: error {fmean(total):.4f}, of those held out {error:.4f}, "
            f"{time.perf_counter() - began:.0f} s",
            flush=True,
        )
    return model.as_bytes(), error


def judged(model: Fitted, data: Table) -> float:
    with torch.no_grad():
        parts = [
            float(losses(model, batch_of(data, np.arange(at, min(at + BATCH, len(data))), None))[0])
            for at in range(0, len(data), BATCH)
        ]
    return fmean(parts)


# -- Comparing -------------------------------------------------------------------------------


class Comparison(NamedTuple):
    """The share of the first, and how far it may be off (95%); a deal's two matches are not
    independent, so deals are counted."""

    share: float
    off: float
    margin: float
    matches: int

    def __str__(self) -> str:
        return f"{self.share:.1%} ± {self.off:.1%} of {self.matches}, {self.margin:+.2f} points"


def compare(one: bytes, other: bytes, matches: int, seed: int, width: int) -> Comparison:
    cards = house_cards()
    found = lessons.contest(cards, list(weights.WEIGHTS), one, other, matches, seed, width)
    shares = [(won + 1) / 2 for won in found[::2]]
    deals = [(a + b) / 2 for a, b in zip(shares[::2], shares[1::2], strict=True)]
    off = 1.96 * stdev(deals) / sqrt(len(deals))
    return Comparison(fmean(deals), off, fmean(found[1::2]), matches)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a folder for lessons")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--matches", type=int, default=600_000, help="in the first round")
    parser.add_argument("--later", type=int, default=200_000, help="in each round after it")
    parser.add_argument("--games", type=int, default=4000, help="to compare two networks")
    parser.add_argument("--noise", type=int, default=60, help="random moves in a thousand")
    parser.add_argument("--width", type=int, default=12, help="moves looked at")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=0.004)
    parser.add_argument("--mirror", type=int, default=1, help="0: without reversed colours")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--go-on", type=Path, help="the network of an earlier run, to go on from")
    parser.add_argument(
        "--done", type=int, default=0, help="rounds of that run, whose lessons count"
    )
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    kept, files, told = b"", list[Path](), []
    if given.go_on:
        kept = given.go_on.read_bytes()
        for number in range(given.done):
            files += sorted(given.data.glob(f"{given.seed}-{number}-{given.noise}-*.npz"))
    for number in range(given.done, given.rounds):
        began = time.perf_counter()
        files += gathered(given.data, number, kept, given)
        played = time.perf_counter() - began
        held = [file for file in files if file.stem.endswith("-0")]
        learned = [file for file in files if file not in held]
        data = joined(learned)
        print(f"round {number + 1}: {len(data)} tables, played in {played:.0f} s", flush=True)
        began = time.perf_counter()
        new, error = fit(kept, data, joined(held), given, given.seed + number)
        fitted = time.perf_counter() - began
        digest = hashlib.sha256(new).hexdigest()
        (given.data / f"{digest[:12]}.net").write_bytes(new)
        found = compare(new, kept, given.games, given.seed * 77_003 + number * 10_007, given.width)
        line = (
            f"round {number + 1}: {len(data)} tables, played in {played:.0f} s, fitted in "
            f"{fitted:.0f} s, error {error:.4f}, against the one before {found}"
        )
        print(f"{line}, {digest}", flush=True)
        told.append(line)
        if found.share - found.off > 0.5:
            kept = new
    if given.write and kept:
        write(kept, told)


def write(found: bytes, told: list[str]) -> None:
    folder = Path(weights.__file__).parent
    (folder / f"{NAME}.weights").write_bytes(found)
    recipe = [
        f"# How benchmarks/train_net.py made `{NAME}.weights`, the network of `kernel/net.py`.",
        f'sha256 = "{hashlib.sha256(found).hexdigest()}"',
        f'command = "python {" ".join(sys.argv)}"',
        "rounds = [",
        *(f'    "{line}",' for line in told),
        "]",
    ]
    (folder / f"{NAME}.toml").write_text("\n".join(recipe) + "\n")


if __name__ == "__main__":
    main()
