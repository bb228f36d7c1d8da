"""Moves acknowledged through one server process, over loopback, from clients in another process.

`python benchmarks/moves.py [clients] [seconds]` prepares a folder with matches whose deals are
known, works out whole random games for them, starts `openplan serve` on it, and has every client
play its games as fast as it is answered: HTTP in, rules, a durable commit, HTTP out. Then the same
with a socket for each seat that is sent its view after each move. A bare answer of the same
framework (/health) is measured beside them, for scale.
"""

from __future__ import annotations

import asyncio
import json
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from websockets.asyncio.client import connect

from openplan import compiled
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server import accounts, entrance, tables
from openplan.server.accounts import NewSession
from openplan.server.clock import wall
from openplan.server.migrations import migrate
from openplan.server.settings import Settings, load_secret
from openplan.server.shelf import Shelf
from openplan.server.store import Tx, open_store

GAME = "human-resources"
GAMES_A_CLIENT = 12


@dataclass
class Prepared:
    """A table and its whole game: who moves what, looking at which version."""

    table: str
    tokens: list[str]
    moves: list[tuple[int, str, int]]


def prepare(tx: Tx, secret: bytes, seed: int) -> Prepared:
    game, rng, now = game_named(GAME), Random(seed), wall()
    match = Match.start(game, load_deck(game), chance=rng)
    first = json.dumps(match.deal)
    moves = []
    while match.outcome is None:
        (seat,) = match.to_act
        view = match.view(seat)
        text = game.format_move(match.deck, rng.choice(game.moves(view)))
        moves.append((int(seat), text, match.version(seat)))
        match.submit(seat, text)
    tokens = [f"token-{seed}-{code}" for code in game.seats]
    people = [
        entrance.become_guest(tx, NewSession(accounts.session_id(secret, token)), code, now)
        for token, code in zip(tokens, game.seats, strict=True)
    ]
    shelf, wish, name = Shelf(), tables.NewTable(GAME, public=True), shipped(game)[0]
    text = shipped_text(game, name)
    table = tables.create(tx, shelf, people[0], wish, match.deck, text, now)
    for person in people[1:]:
        tables.join(tx, shelf, person, table, "", "", now)
    tx.execute(
        "UPDATE tables SET deal = ?, salt = ?, commitment = ? WHERE id = ?",
        first,
        match.salt,
        match.commitment,
        table,
    )
    return Prepared(table, tokens, moves)


async def prepare_all(folder: Path, count: int) -> list[Prepared]:
    settings = Settings(data=folder)
    secret = load_secret(folder)
    store = open_store(settings.store_url)
    await migrate(store)
    games = [await store.transact(lambda tx, n=n: prepare(tx, secret, n)) for n in range(count)]  # type: ignore[misc]
    await store.close()
    return games


class Connection:
    """HTTP over one kept connection, with as little as possible between us and the socket."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def open(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, method: str, path: str, token: str = "", body: Any = None) -> bytes:
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nCookie: openplan={token}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        self._writer.write(head.encode() + data)
        answer = await self._reader.readuntil(b"\r\n\r\n")
        at = answer.lower().index(b"content-length: ") + 16
        text = await self._reader.readexactly(int(answer[at : answer.index(b"\r", at)]))
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{method} {path}: {answer[:12]!r} {text!r}")
        return text

    def close(self) -> None:
        self._writer.close()


async def play(port: int, games: list[Prepared], until: float, took: list[float]) -> None:
    connection = Connection(port)
    await connection.open()
    for game in games:
        for number, (seat, move, version) in enumerate(game.moves):
            began = time.perf_counter()
            if began > until:
                break
            body = {"move": move, "version": version, "submission": f"s{number}"}
            path = f"/api/tables/{game.table}/moves"
            await connection.ask("POST", path, game.tokens[seat], body)
            took.append(time.perf_counter() - began)
    connection.close()


async def listen(port: int, game: Prepared, token: str, frames: list[int]) -> None:
    url = f"ws://127.0.0.1:{port}/api/tables/{game.table}/live"
    headers = {"Cookie": f"openplan={token}"}
    async with connect(url, additional_headers=headers, proxy=None, max_queue=None) as live:
        async for message in live:
            frames.append(len(message))


async def bare(port: int, until: float, took: list[float]) -> None:
    connection = Connection(port)
    await connection.open()
    while (began := time.perf_counter()) < until:
        await connection.ask("GET", "/health")
        took.append(time.perf_counter() - began)
    connection.close()


def line(what: str, took: list[float], seconds: float) -> str:
    took = sorted(took)
    p99 = took[int(len(took) * 0.99) - 1] * 1000
    median = statistics.median(took) * 1000
    return f"{what:34} {len(took) / seconds:8,.0f}/s  median {median:6.1f} ms  p99 {p99:6.1f} ms"


async def measure(port: int, games: list[Prepared], clients: int, seconds: float) -> None:
    took: list[float] = []
    began = time.perf_counter()
    await asyncio.gather(*(bare(port, began + seconds, took) for _ in range(clients)))
    print(line("bare answers (/health)", took, time.perf_counter() - began))
    half = len(games) // 2
    for what, some, with_sockets in (
        ("moves acknowledged", games[:half], False),
        ("moves, and all views sent", games[half:], True),
    ):
        took, frames = [], list[int]()
        sockets = [
            asyncio.create_task(listen(port, game, token, frames))
            for game in some
            for token in game.tokens
            if with_sockets
        ]
        await asyncio.sleep(2 if with_sockets else 0)
        sent_before = len(frames)
        began = time.perf_counter()
        until = began + seconds
        shares = [some[number::clients] for number in range(clients)]
        await asyncio.gather(*(play(port, share, until, took) for share in shares))
        spent = time.perf_counter() - began
        print(line(what, took, spent))
        if with_sockets:
            await asyncio.sleep(1)
            sent = len(frames) - sent_before
            print(f"{'':34} {sent / spent:8,.0f} views/s, {sum(frames) // len(frames)} bytes each")
        for task in sockets:
            task.cancel()
        await asyncio.gather(*sockets, return_exceptions=True)


def main() -> None:
    clients = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        games = asyncio.run(prepare_all(folder, GAMES_A_CLIENT * clients))
        moves = sum(len(game.moves) for game in games)
        print(f"{compiled.describe()}\n{len(games)} games, {moves} moves, {clients} clients")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = "from openplan.cli.main import main; main()"
        arguments = ["serve", "--port", str(port), "--data", str(folder)]
        environment = {"OPENPLAN_LIMITS": "no", "PATH": ""}
        server = subprocess.Popen(
            [sys.executable, "-c", command, *arguments], env=environment, stdout=subprocess.DEVNULL
        )
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            asyncio.run(measure(port, games, clients, seconds))
        finally:
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
