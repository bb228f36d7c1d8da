"""A server with many live tables, and clients in a process of their own who play at a steady rate
and look on: how long after a move was sent everybody has seen it.

    python -m tests.server.load [TABLES] [MOVES A SECOND] [SECONDS] [--sockets N]

Every table has a socket for each seat and one for a spectator; or there are N in all, spread over
the tables, seats first. Where a game is over the next one is opened, and all who look on go there.
A move is committed some time after it was sent, and only then is anything sent to those: the time
from the request to the last of their frames is more than that from the commit, never less.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import random
import tempfile
import time
from dataclasses import dataclass, field
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.server import SERVE, Connection, Prepared, prepare_all, serving

CONNECTIONS = 16
PATIENCE = 20.0
SHORT = 40
"""Moves of a short game: no table runs out of them."""


@dataclass
class Outcome:
    """Waits in seconds, one for each move."""

    sockets: int
    answers: list[float] = field(default_factory=list)
    """From the request to the answer."""
    seen: list[float] = field(default_factory=list)
    """From the request until the last of all who look on has it."""
    late: float = 0.0
    """How far the clients fell behind their own rate at worst."""

    def __str__(self) -> str:
        return (
            f"{len(self.seen):,} moves, {self.sockets:,} sockets;"
            f" answered: p50 {percentile(self.answers, 50):.1f} ms,"
            f" p99 {percentile(self.answers, 99):.1f} ms;"
            f" seen by all: p50 {percentile(self.seen, 50):.1f} ms,"
            f" p99 {percentile(self.seen, 99):.1f} ms; clients late by {self.late:.1f} s"
        )


def percentile(waits: list[float], percent: int) -> float:
    """In milliseconds."""
    ordered = sorted(waits)
    return 1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


class Table:
    """Prepared games, one after the other, and those who look at them."""

    def __init__(self, games: list[Prepared], looking: int) -> None:
        self._games = iter(games)
        self.looking = looking
        self.sockets: list[ClientConnection] = []
        self.tasks: list[asyncio.Task[None]] = []
        self._told = asyncio.Event()

    async def open_next(self, port: int) -> bool:
        """The next game; whether there is one."""
        await self.leave()
        game = next(self._games, None)
        if game is None:
            return False
        self.game, self.next = game, 0
        self._last, self._frames = [0.0] * self.looking, [0] * self.looking
        await self._look_on(port)
        return True

    async def leave(self) -> None:
        await asyncio.gather(*(live.close() for live in self.sockets))
        await asyncio.gather(*self.tasks)
        self.sockets, self.tasks = [], []

    async def _look_on(self, port: int) -> None:
        url = f"ws://127.0.0.1:{port}/api/tables/{self.game.table}/live"
        everybody = [*self.game.tokens, *[""] * self.looking]
        for number, token in enumerate(everybody[: self.looking]):
            headers = {"Cookie": f"openplan={token}"} if token else {}
            # Nobodies of one address may open only so many: here each comes from another.
            here = ip_address(
                0x7F010001 + int(sha256(self.game.table.encode()).hexdigest()[:4], 16)
            )
            live = await connect(
                url,
                additional_headers=headers,
                proxy=None,
                compression=None,
                ping_interval=None,
                local_addr=None if token else (str(here), 0),
            )
            await live.recv()
            self.sockets.append(live)
            self.tasks.append(asyncio.create_task(self._listen(number, live)))

    async def _listen(self, number: int, live: ClientConnection) -> None:
        async for message in live:
            if message[:16] == '{"type":"table",':
                self._frames[number] += 1
                self._last[number] = time.perf_counter()
                self._told.set()

    async def seen_by_all(self) -> float:
        """When the last of them had the frame of the last move."""
        while min(self._frames, default=self.next) < self.next:
            self._told.clear()
            await self._told.wait()
        return max(self._last, default=time.perf_counter())


async def play(
    port: int, tables: list[Table], rate: float, seconds: float, chance: random.Random
) -> Outcome:
    """So many moves a second over all tables, each at one that has been told of its last move."""
    outcome = Outcome(sum(table.looking for table in tables))
    free: asyncio.Queue[Connection] = asyncio.Queue()
    for _ in range(CONNECTIONS):
        connection = Connection(port)
        await connection.open()
        free.put_nowait(connection)
    ready = list(tables)
    playing: set[asyncio.Task[None]] = set()
    began = time.perf_counter()

    async def move(table: Table) -> None:
        seat, text, version = table.game.moves[table.next]
        body = {"move": text, "version": version, "submission": f"s{table.next}"}
        table.next += 1
        connection = await free.get()
        asked = time.perf_counter()
        path = f"/api/tables/{table.game.table}/moves"
        await connection.ask("POST", path, table.game.tokens[seat], body)
        answered = time.perf_counter()
        free.put_nowait(connection)
        seen = await asyncio.wait_for(table.seen_by_all(), PATIENCE)
        outcome.answers.append(answered - asked)
        outcome.seen.append(seen - asked)
        if table.next < len(table.game.moves) or await table.open_next(port):
            ready.append(table)

    def raise_faults() -> None:
        for done in [one for one in playing if one.done()]:
            playing.discard(done)
            done.result()

    for number in range(int(rate * seconds)):
        due = began + number / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        while not ready:
            assert playing, "all games that were prepared are over"
            await asyncio.wait(playing, return_when=asyncio.FIRST_COMPLETED)
            raise_faults()
        outcome.late = max(outcome.late, time.perf_counter() - due)
        task = asyncio.create_task(move(ready.pop(chance.randrange(len(ready)))))
        playing.add(task)
        raise_faults()
    await asyncio.gather(*playing)
    await asyncio.gather(*(free.get_nowait().close() for _ in range(CONNECTIONS)))
    return outcome


async def attend(
    port: int, games: list[Prepared], count: int, sockets: int, rate: float, seconds: float
) -> Outcome:
    tables = [
        Table(games[number::count], sockets // count + (number < sockets % count))
        for number in range(count)
    ]
    for start in range(0, len(tables), 20):
        await asyncio.gather(*(table.open_next(port) for table in tables[start : start + 20]))
    gc.freeze()  # what waits for a collection here is not the server's time
    gc.disable()
    try:
        outcome = await play(port, tables, rate, seconds, random.Random(1))
    finally:
        gc.enable()
        gc.unfreeze()
    await asyncio.gather(*(table.leave() for table in tables))
    return outcome


def load(tables: int, rate: float, seconds: float, sockets: int | None = None) -> Outcome:
    # By chance some tables have more moves than others.
    moves = 1.3 * rate * seconds / tables + SHORT
    with tempfile.TemporaryDirectory() as name:
        games = asyncio.run(prepare_all(Path(name), tables * math.ceil(moves / SHORT)))
        with serving("-c", SERVE, "serve", "--port", "PORT", "--data", name) as (port, _):
            looking = 3 * tables if sockets is None else sockets
            return asyncio.run(attend(port, games, tables, looking, rate, seconds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("tables", type=int, nargs="?", default=500)
    parser.add_argument("rate", type=float, nargs="?", default=100.0)
    parser.add_argument("seconds", type=float, nargs="?", default=60.0)
    parser.add_argument("--sockets", type=int, help="in all; without it three at each table")
    asked = parser.parse_args()
    print(load(asked.tables, asked.rate, asked.seconds, asked.sockets))


if __name__ == "__main__":
    main()
