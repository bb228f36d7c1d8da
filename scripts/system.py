"""Programs of the operating system that the tests drive: a real browser and a real mailbox.

What is missing is installed by apt where that is allowed, else this fails and says what to do: a
test that cannot run must not pass for one that has.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import NamedTuple


class Program(NamedTuple):
    names: tuple[str, ...]
    package: str
    what_for: str
    is_needed: bool = True


PROGRAMS = {
    "chromium": Program(("chromium", "chromium-browser"), "chromium", "the tests in a browser"),
    # The same browser without its window, for speed; not every system has it apart.
    "shell": Program(
        ("chromium-headless-shell",), "chromium-headless-shell", "quicker tests", is_needed=False
    ),
    "firefox": Program(("firefox-esr", "firefox"), "firefox-esr", "the tests in a second browser"),
    "pdftoppm": Program(("pdftoppm",), "poppler-utils", "the tests of what is printed"),
    "dovecot": Program(("dovecot",), "dovecot-imapd", "the tests with a mailbox (IMAP)"),
}


def find(name: str) -> str | None:
    """The path of a program. Those of servers may not be on everybody's PATH."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    found = (shutil.which(called, path=path) for called in PROGRAMS[name].names)
    return next((program for program in found if program), None)


def install(packages: list[str]) -> None:
    """One after the other: a system may lack one of them. What is not there then, is told."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=quiet, check=False)
    for package in packages:
        wanted = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
        subprocess.run(wanted, env=quiet, check=False)


def main() -> None:
    missing = [program for name, program in PROGRAMS.items() if not find(name)]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {', '.join(program.package for program in missing)} ...", flush=True)
        install([program.package for program in missing])
    missing = [program for name, program in PROGRAMS.items() if not find(name)]
    needed = [program for program in missing if program.is_needed]
    for program in needed:
        print(f"{program.what_for} need {program.names[0]}", file=sys.stderr)
    if needed:
        wanted = " ".join(program.package for program in needed)
        sys.exit(f"install it, on Debian or Ubuntu by: sudo apt-get install {wanted}")


if __name__ == "__main__":
    main()
