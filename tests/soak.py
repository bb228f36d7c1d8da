"""The long proofs: `make soak MINUTES=30` goes on where the last run stopped.

Each proof takes its own seeds in order. What was reached is kept as a table in docs/proofs.md, with
the totals over time; the file is the only memory. A failure is printed with its seed and ends the
run with that proof's totals unchanged.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
PAGE = ROOT / "docs" / "proofs.md"
HEAD = """\
# The long proofs

`make soak MINUTES=30` adds to these totals, from the next seed on; `tests/soak.py` writes them.

| proof | what it shows | seeds done | total | unit | last run |
| --- | --- | ---: | ---: | --- | --- |
"""


@dataclass(frozen=True)
class Proof:
    """`run(seed)` does one seed's share and says how much that was."""

    name: str
    shows: str
    unit: str
    module: str
    function: str
    alone: bool = False
    """It measures time, so that nothing else may run beside it."""

    def run(self, seed: int) -> int:
        run: Callable[[int], int] = getattr(import_module(self.module), self.function)
        return run(seed)


def proofs() -> list[Proof]:
    """Every game's test folder, the mail's and the server's may offer some, in a module `soak` with
    a list `PROOFS`."""
    found = [
        Proof(
            "secrecy",
            "two truths that a viewer cannot tell apart give the same bytes",
            "comparisons",
            "tests.soak_everywhere",
            "secrecy",
        ),
        Proof(
            "records",
            "every viewer's record reads back; cut and changed ones are refused",
            "records",
            "tests.soak_everywhere",
            "records",
        ),
        Proof(
            "chance",
            "every deal is as likely as any other, judged by 40,000 at a time",
            "deals",
            "tests.soak_everywhere",
            "chance",
        ),
    ]
    others = [ROOT / "tests" / "mail", ROOT / "tests" / "server"]
    for folder in [*sorted((ROOT / "tests" / "games").iterdir()), *others]:
        if (folder / "soak.py").is_file():
            module = import_module(".".join([*folder.relative_to(ROOT).parts, "soak"]))
            found += [
                Proof(name, shows, unit, module.__name__, function, *alone)
                for name, shows, unit, function, *alone in module.PROOFS
            ]
    return found


@dataclass
class Standing:
    seeds: int = 0
    total: int = 0
    last: str = ""


def read_page() -> dict[str, Standing]:
    standings: dict[str, Standing] = {}
    if PAGE.is_file():
        row = re.compile(r"\| (\S+) \| .* \| ([\d,]+) \| ([\d,]+) \| \S+ \| (.*) \|")
        for line in PAGE.read_text("utf-8").splitlines():
            if found := row.fullmatch(line):
                seeds, total = (int(found[n].replace(",", "")) for n in (2, 3))
                standings[found[1]] = Standing(seeds, total, found[4])
    return standings


def write_page(proofs: list[Proof], standings: dict[str, Standing]) -> None:
    lines = []
    for proof in proofs:
        now = standings.get(proof.name, Standing())
        lines.append(
            f"| {proof.name} | {proof.shows} | {now.seeds:,} | {now.total:,} | {proof.unit}"
            f" | {now.last} |\n"
        )
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(HEAD + "".join(lines), "utf-8")


def work(proof: Proof, seed: int) -> tuple[int, str]:
    try:
        return proof.run(seed), ""
    except Exception:  # noqa: BLE001 - whatever fails is the finding
        return 0, traceback.format_exc()


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--minutes", type=float, default=30.0)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("--only", default="")
    given = arguments.parse_args()
    chosen = [proof for proof in proofs() if given.only in proof.name]
    standings = read_page()
    share = given.minutes * 60 / max(len(chosen), 1)
    failed = False
    with ProcessPoolExecutor(given.workers) as pool:
        for proof in chosen:
            now = standings.setdefault(proof.name, Standing())
            done, seeds, trouble = run_for(pool, proof, now.seeds, share, given.workers)
            if trouble:
                print(f"{proof.name} FAILED at seed {now.seeds + seeds}:\n{trouble}")
                failed = True
                continue
            now.seeds += seeds
            now.total += done
            now.last = f"{done:,} on {datetime.now(UTC):%Y-%m-%d}"
            print(f"{proof.name}: {done:,} {proof.unit} more, {now.total:,} in all", flush=True)
            write_page(proofs(), standings)
    return 1 if failed else 0


def run_for(
    pool: ProcessPoolExecutor, proof: Proof, first: int, seconds: float, workers: int
) -> tuple[int, int, str]:
    """Seeds from `first` on in small batches until the time is up: how much, how many, trouble."""
    end = time.monotonic() + seconds
    done = seeds = 0
    at_once = 1 if proof.alone else 2 * workers
    while time.monotonic() < end:
        batch = range(first + seeds, first + seeds + at_once)
        for amount, trouble in pool.map(work, [proof] * len(batch), batch):
            if trouble:
                return done, seeds, trouble
            done += amount
            seeds += 1
    return done, seeds, ""


if __name__ == "__main__":
    sys.exit(main())
