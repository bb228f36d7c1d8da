"""Run the parts of `make test` one after the other; print the time of each and the total.

`python scripts/check.py [part ...]` runs only those parts. All parts run even if one fails. What is
built is begun with the first part, so that one processor compiles while the other checks sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKERS = os.environ.get("WORKERS", "2")
PYTEST = ("-m", "pytest", "-q", "-n", WORKERS, "--dist", "loadgroup", "--ignore", "tests/web")
BROWSER = ("-m", "pytest", "-q", "-n", WORKERS, "--dist", "loadgroup", "tests/web")
WHICH = ("-c", "from openplan import compiled; print(compiled.describe(), flush=True)")

# name, arguments to Python, additions to the environment
PARTS: list[tuple[str, list[tuple[str, ...]], dict[str, str]]] = [
    ("lint", [("-m", "ruff", "check", "."), ("-m", "ruff", "format", "--check", ".")], {}),
    ("types", [("-m", "mypy")], {}),
    (
        "imports",
        [("-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-logo")],
        {},
    ),
    ("build", [("scripts/build.py",), ("scripts/web.py",)], {}),
    ("system", [("scripts/system.py",)], {}),
    ("tests", [WHICH, PYTEST], {}),
    # Sync playwright and asyncio's tests do not go together in one process: a call of its own.
    ("web", [("scripts/web.py", "check"), BROWSER], {}),
    ("plain", [WHICH, (*PYTEST, "-m", "plain")], {"OPENPLAN_PLAIN": "1"}),
]


def main() -> None:
    wanted = sys.argv[1:] or [name for name, _, _ in PARTS]
    if unknown := set(wanted) - {name for name, _, _ in PARTS}:
        sys.exit(f"no such part: {', '.join(sorted(unknown))}")
    results = []
    began = time.perf_counter()
    with ThreadPoolExecutor() as beside:
        building = beside.submit(build) if "build" in wanted else None
        for name, calls, environment in PARTS:
            if name not in wanted:
                continue
            print(f"=== {name}", flush=True)
            started = time.perf_counter()
            if name == "build" and building is not None:
                said, passed = building.result()
                print(said, end="", flush=True)
            else:
                outcomes = [run(call, environment) for call in calls]
                passed = all(outcomes)
            results.append((name, passed, time.perf_counter() - started))
    print("\npart        time  result")
    for name, passed, seconds in results:
        print(f"{name:8} {seconds:6.1f} s  {'passed' if passed else 'FAILED'}")
    failed = [name for name, passed, _ in results if not passed]
    total = time.perf_counter() - began
    verdict = f"FAILED: {', '.join(failed)}" if failed else "passed"
    print(f"{'total':8} {total:6.1f} s  {verdict}")
    sys.exit(1 if failed else 0)


def build() -> tuple[str, bool]:
    """What it says, to be shown when its turn comes, and whether all was built."""
    (calls,) = (calls for name, calls, _ in PARTS if name == "build")
    done = [
        subprocess.run(
            [sys.executable, *call],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        for call in calls
    ]
    return "".join(one.stdout for one in done), all(one.returncode == 0 for one in done)


def run(arguments: tuple[str, ...], environment: dict[str, str]) -> bool:
    command = [sys.executable, *arguments]
    clean = {name: value for name, value in os.environ.items() if name != "OPENPLAN_PLAIN"}
    return subprocess.run(command, cwd=ROOT, env=clean | environment, check=False).returncode == 0


if __name__ == "__main__":
    main()
