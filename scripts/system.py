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


PROGRAMS = {
    "chromium": Program(("chromium", "chromium-browser"), "chromium", "the tests in a browser"),
    "firefox": Program(("firefox-esr", "firefox"), "firefox-esr", "the tests in a second browser"),
    "pdftoppm": Program(("pdftoppm",), "poppler-utils", "the tests of what is printed"),
    "dovecot": Program(("dovecot",), "dovecot-imapd", "the tests with a mailbox (IMAP)"),
}


def find(name: str) -> str | None:
    """The path of a program. Those of servers may not be on everybody's PATH."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])
    found = (shutil.which(called, path=path) for called in PROGRAMS[name].names)
    return next((program for program in found if program), None)


def install(packages: list[str]) -> bool:
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends"]):
        wanted = packages if arguments[0] == "install" else []
        done = subprocess.run(["apt-get", *arguments, *wanted], env=quiet, check=False)
        if done.returncode:
            return False
    return True


def main() -> None:
    missing = [program for name, program in PROGRAMS.items() if not find(name)]
    packages = [program.package for program in missing]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"installing {', '.join(packages)} ...", flush=True)
        install(packages)
        missing = [program for name, program in PROGRAMS.items() if not find(name)]
    for program in missing:
        print(f"{program.what_for} need {program.names[0]}", file=sys.stderr)
    if missing:
        wanted = " ".join(program.package for program in missing)
        sys.exit(f"install it, on Debian or Ubuntu by: sudo apt-get install {wanted}")


if __name__ == "__main__":
    main()
