"""What Lighthouse says of our pages: performance, accessibility and best practices, out of 100.

    python benchmarks/pages.py [--json]

`openplan serve` in a process of its own, Lighthouse (from npm, by its lock) in Chromium: each page
as a phone and as a desk. The aim is 95 everywhere; performance is measured: nothing else may run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

HERE = Path(__file__).resolve().parent / "lighthouse"
PROGRAMS = Path(sys.executable).parent
WANTED = ("performance", "accessibility", "best-practices")
CHROMIUM = "--headless=new --no-sandbox --disable-gpu --disable-background-networking"
AIM = 95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    given = parser.parse_args()
    path = f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path}
    environment.setdefault("CHROME_PATH", shutil.which("chromium") or "/usr/bin/chromium")
    installed = HERE / "node_modules" / "lighthouse"
    if not installed.is_dir():
        subprocess.run(["npm", "ci", "--loglevel=error"], cwd=HERE, env=environment, check=True)
    results: dict[str, dict[str, int]] = {}
    with serving() as address:
        pages = {
            "landing": "/",
            "table": f"/table/{public_table(address)}",
            "rules": "/rules/human-resources",
            "cards": "/cards/human-resources",
            "lesson": "/learn/human-resources",
        }
        for name, page in pages.items():
            for size in ("phone", "desk"):
                results[f"{name}, {size}"] = scores(f"{address}{page}", size, environment)
    if given.json:
        print(json.dumps(results))
        return
    print(f"{'page':16}" + "".join(f"{one:>16}" for one in WANTED))
    for name, found in results.items():
        print(f"{name:16}" + "".join(f"{found[one]:>16}" for one in WANTED))
    below = sum(score < AIM for found in results.values() for score in found.values())
    print(f"below {AIM}: {below} of {len(results) * len(WANTED)}")


def scores(address: str, size: str, environment: dict[str, str]) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [
            "node",
            str(HERE / "node_modules" / "lighthouse" / "cli" / "index.js"),
            address,
            "--quiet",
            "--output=json",
            f"--output-path={report}",
            f"--only-categories={','.join(WANTED)}",
            f"--chrome-flags={CHROMIUM}",
        ]
        if size == "desk":
            command.append("--preset=desktop")
        subprocess.run(command, env=environment, check=True)
        said: dict[str, Any] = json.loads(report.read_text())
    return {one: round(said["categories"][one]["score"] * 100) for one in WANTED}


def public_table(address: str) -> str:
    """With a match that anybody may watch."""
    with httpx2.Client(base_url=address, verify=False) as client:
        client.post("/api/session", json={"name": "Ann"}).raise_for_status()
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "intern"}]
        wish = {"game": "human-resources", "seats": seats, "public": True}
        made = client.post("/api/tables", json=wish).raise_for_status()
        return str(made.json()["id"])


@contextmanager
def serving() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        command = [str(PROGRAMS / "openplan"), "serve", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield next(
                    word.rstrip(".,")
                    for line in server.stdout
                    for word in line.split()
                    if word.startswith("http://")
                ).rstrip("/")
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
