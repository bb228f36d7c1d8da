"""Make a virtual environment and fill it from the locks: `setup.py run`, `test`, `bench`, `train`.

Needs nothing but Python 3.11 with venv. A second call with the same locks returns at once.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ROOT / "requirements"
VENVS = {"run": ".venv", "test": ".venv", "bench": ".venv-bench", "train": ".venv-train"}
LAUNCHER = """\
#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/python" -P -c '
import sys
sys.argv[0] = "openplan"
from openplan.cli.main import main
sys.exit(main())
' "$@"
"""


def main() -> None:
    wanted = sys.argv[1] if len(sys.argv) == 2 else ""
    if wanted not in VENVS:
        sys.exit(f"usage: python3 scripts/setup.py {'|'.join(VENVS)}")
    if sys.version_info < (3, 11):  # noqa: UP036 (older ones should hear it in plain words)
        sys.exit(f"Open Plan needs Python 3.11 or later, this is {sys.version.split()[0]}")
    with (ROOT / ".setup.lock").open("w") as lock:
        # Two set-ups at once would find each other's environment half made.
        fcntl.flock(lock, fcntl.LOCK_EX)
        set_up(wanted)


def set_up(wanted: str) -> None:
    venv = ROOT / VENVS[wanted]
    digest = fingerprint(wanted)
    stamp = venv / f".ready-{wanted}"
    if stamp.is_file() and stamp.read_text() == digest:
        return
    # The locks are a ladder: what is ready for the tests is ready to run.
    above = venv / ".ready-test"
    if wanted == "run" and above.is_file() and above.read_text() == fingerprint("test"):
        return
    print(f"setting up {venv.name} for `{wanted}` ...", flush=True)
    make_venv(venv)
    install(venv, LOCKS / f"{wanted}.txt")
    link_source(venv)
    stamp.write_text(digest)


def fingerprint(wanted: str) -> str:
    """What an environment was made from; a change of any of it calls for a new set-up."""
    digest = hashlib.sha256(sys.version.encode())
    for file in (LOCKS / "uv.txt", LOCKS / "run.txt", LOCKS / f"{wanted}.txt", Path(__file__)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def make_venv(venv: Path) -> None:
    python = venv / "bin" / "python"
    asks = "import pip, sys; print(sys.version)"
    if python.exists():
        found = subprocess.run([python, "-c", asks], capture_output=True, text=True, check=False)
        if found.returncode == 0 and found.stdout.strip() == sys.version:
            return
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", venv], check=False)
    if made.returncode != 0:
        sys.exit("python3 -m venv failed; on Debian and Ubuntu: apt install python3-venv")


def install(venv: Path, lock: Path) -> None:
    python = venv / "bin" / "python"
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    pip += ["--require-hashes", "--only-binary", ":all:", "-r"]
    environment = {**os.environ, "UV_SYSTEM_CERTS": "1"}
    uv = [str(python), "-m", "uv", "pip", "sync", "--quiet", "--python", str(python)]
    uv += ["--require-hashes", str(lock)]
    if lock.stem == "run":  # sync would take away what the tests have installed
        uv[uv.index("sync")] = "install"
        uv.insert(-1, "-r")
    if subprocess.run([*pip, str(LOCKS / "uv.txt")], check=False).returncode == 0:
        if subprocess.run(uv, env=environment, check=False).returncode == 0:
            return
    print("uv does not work here, falling back to pip (slower)", flush=True)
    if subprocess.run([*pip, str(lock)], check=False).returncode == 0:
        return
    if lock.stem != "bench":
        sys.exit(f"could not install {lock.relative_to(ROOT)}; see the messages above")
    # An engine that cannot be had here must not keep us from measuring the others.
    print("installing what can be had of the engines to compare with", flush=True)
    install(venv, LOCKS / "run.txt")
    for line in (LOCKS / "bench.in").read_text().splitlines():
        if line[:1].isalpha():
            one = [str(python), "-m", "pip", "install", "--quiet", line]
            subprocess.run(one, check=False)


def link_source(venv: Path) -> None:
    """Use the package from src, by a path relative to the environment: no build, no egg-info."""
    names = {"base": str(venv), "platbase": str(venv)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=names))
    (packages / "openplan.pth").write_text(os.path.relpath(ROOT / "src", packages) + "\n")
    launcher = venv / "bin" / "openplan"
    launcher.write_text(LAUNCHER)
    launcher.chmod(0o755)


if __name__ == "__main__":
    main()
