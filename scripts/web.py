"""Build the web client into build/web/, and check it: `python scripts/web.py [check]`.

Node comes from the virtual environment. Packages are installed again when their lock changes, the
client is built again when one of its sources does.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
TARGET = ROOT / "build" / "web"
DESCRIPTION = ROOT / "build" / "openapi.json"
SAID = WEB / "src" / "games" / "cube_farm" / "said.json"
NOT_PACKED = (".png", ".woff2")


def main() -> None:
    install()
    write_words()
    if sys.argv[1:] == ["check"]:
        check()
    elif sys.argv[1:]:
        sys.exit("usage: python scripts/web.py [check]")
    else:
        build()


def install() -> None:
    stamp = WEB / "node_modules" / ".ready"
    locked = digest([WEB / "package.json", WEB / "package-lock.json", WEB / ".npmrc"])
    if stamp.is_file() and stamp.read_text() == locked:
        return
    print("installing what the web client is built with ...", flush=True)
    npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
    stamp.write_text(locked)


def write_words() -> None:
    """Sentences that stand in the program and are said by the pages too."""
    from openplan.games.cube_farm.text.words import words_of_the_page

    said = json.dumps(words_of_the_page(), ensure_ascii=False, indent=1) + "\n"
    if not SAID.is_file() or SAID.read_text("utf-8") != said:
        SAID.write_text(said, "utf-8")


def build() -> None:
    from openplan.server.http.pages import STAMP, made_from

    stamp, now = TARGET / STAMP, made_from(ROOT)
    if stamp.is_file() and stamp.read_text() == now:
        return
    began = time.perf_counter()
    # Beside the old one and then in its place: a server that starts meanwhile finds a whole one.
    fresh = TARGET.with_name("web.new")
    npm("run", "--silent", "build", "--", "--logLevel", "warn", "--outDir", str(fresh))
    for file in fresh.rglob("*"):
        if file.is_file() and file.suffix not in NOT_PACKED:
            packed = gzip.compress(file.read_bytes(), 9, mtime=0)
            file.with_name(file.name + ".gz").write_bytes(packed)
    (fresh / STAMP).write_text(now)
    shutil.rmtree(TARGET, ignore_errors=True)
    fresh.rename(TARGET)
    print(f"built the web client in {time.perf_counter() - began:.1f} s", flush=True)


def check() -> None:
    """Types against the server's own description, warnings as errors, and the headless tests."""
    describe()
    npm("run", "--silent", "types")
    npm("run", "--silent", "check")
    npm("run", "--silent", "test")


def describe() -> None:
    """Write what can be asked of the server, without starting it."""
    from openplan.server.ops.serve import description

    DESCRIPTION.parent.mkdir(exist_ok=True)
    DESCRIPTION.write_bytes(description())


def npm(*arguments: str) -> None:
    bin_folder = Path(sys.executable).parent
    path = f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}"
    command = [str(bin_folder / "npm"), *arguments]
    done = subprocess.run(command, cwd=WEB, env={**os.environ, "PATH": path}, check=False)
    if done.returncode != 0:
        sys.exit(f"npm {' '.join(arguments)} failed; see the messages above")


def digest(files: list[Path]) -> str:
    found = hashlib.sha256()
    for file in files:
        data = file.read_bytes()
        found.update(f"{file.relative_to(ROOT).as_posix()} {len(data)}\n".encode())
        found.update(data)
    return found.hexdigest()


if __name__ == "__main__":
    main()
