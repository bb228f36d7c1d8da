"""Serves in a forked child, one after the other, so that a killed server is back without loading
everything again.

    python -m tests.server.forked FOLDER PORT DATABASE [early|untold|undrafted]

Each line on standard input starts the next server; its process id is printed. `early` plants the
fault that answers are sent before the commit, `untold` that a telling is struck off before it is
sent, `undrafted` that a draft is answered and not kept.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

import apsw
import uvicorn

from openplan.core.registry import all_games
from openplan.server.clock import SECOND
from openplan.server.http.app import serving
from openplan.server.logs import configure_logs
from openplan.server.notify import outbox
from openplan.server.ops.serve import make_app
from openplan.server.settings import Settings
from openplan.server.store import Tx, call_on, jobs, sqlite
from openplan.server.tables import drafts
from openplan.server.telling import request
from openplan.server.telling.teller import Teller
from tests.server.endpoints import LOOPBACK


def answer_early() -> None:
    commit, run_work = sqlite._storage, sqlite.SqliteStore._run_work

    def commit_late(connection: apsw.Connection, sql: str) -> None:
        if sql == "COMMIT":
            time.sleep(0.05)
        commit(connection, sql)

    def run_and_answer(
        self: sqlite.SqliteStore, connection: apsw.Connection, waiting: sqlite._Waiting
    ) -> bool:
        done = run_work(self, connection, waiting)
        call_on(waiting.loop, waiting.answer)
        return done

    sqlite._storage = commit_late
    sqlite.SqliteStore._run_work = run_and_answer  # type: ignore[method-assign]


def strike_off_early() -> None:
    write, send = Teller._write, request.send

    def write_and_forget(self: Teller, tx: Tx, job: jobs.Job) -> Any:
        found = write(self, tx, job)
        jobs.done(tx, job)
        return found

    async def send_late(*parcel: Any) -> int:
        await asyncio.sleep(0.05)
        return await send(*parcel)

    Teller._write = write_and_forget  # type: ignore[method-assign]
    request.send = send_late  # type: ignore[assignment]


def forget_drafts() -> None:
    def answer_only(_tx: Tx, _who: Any, _place: str, _table: Any, draft: Any, _now: int) -> Any:
        return draft

    drafts._write = answer_only  # type: ignore[assignment]


FAULTS = {"early": answer_early, "untold": strike_off_early, "undrafted": forget_drafts}


def serve(folder: Path, port: int, database: str) -> None:
    settings = Settings(data=folder, port=port, database=database, limits=False, outgoing=LOOPBACK)
    outbox.LEASE = SECOND  # type: ignore[misc]
    with bound(port) as listening:
        uvicorn.Server(serving(make_app(settings))).run([listening])


def bound(port: int) -> socket.socket:
    """The port is held also between two servers, or somebody's connection may come from it."""
    # With its protocol named, or asyncio would not switch the delay of small packets off.
    held = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind(("127.0.0.1", port))
    return held


def warm_up() -> None:
    """What a first server has to load, the others need not. No thread is left, or none may fork."""
    all_games()
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Settings(data=Path(folder)))
        asyncio.run(app.site.store.close())


def main() -> None:
    folder, port, database, *faults = sys.argv[1:]
    for fault in faults:
        FAULTS[fault]()
    configure_logs("error")
    warm_up()
    with bound(int(port)):
        for _ in sys.stdin:
            child = os.fork()
            if child == 0:
                try:
                    serve(Path(folder), int(port), database)
                except BaseException:  # noqa: BLE001 - nobody else would hear of it
                    traceback.print_exc()
                finally:
                    os._exit(3)
            print(child, flush=True)
            os.waitpid(child, 0)


if __name__ == "__main__":
    main()
