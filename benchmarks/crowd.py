"""How long somebody waits for a table while another asks for costly things on many connections.

    python benchmarks/crowd.py [--connections 200] [--seconds 10]

`openplan serve` in a process of its own. One person asks for a log, a record and moments of a match
over and over; somebody else reads a table of their own now and then. The same before, when nobody
else asks. The aim: the median in the crowd stays under ten times the idle one plus 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

import httpx2

MOVES = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(sys.executable).parent / "openplan"
        command = [str(program), "serve", "--port", "0", "--data", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                address = next(
                    word for line in server.stdout for word in line.split() if "http://" in word
                ).rstrip("/.")
                asyncio.run(measure(address, given.connections, given.seconds))
            finally:
                server.terminate()


async def measure(address: str, connections: int, seconds: float) -> None:
    async with (
        httpx2.AsyncClient(base_url=address, timeout=60) as mal,
        httpx2.AsyncClient(base_url=address, timeout=60) as ann,
    ):
        costly, own = await opened(mal, "Mal"), await opened(ann, "Ann")
        for number in range(MOVES):
            await play(mal, costly, number)
        idle = median([await reading(ann, own) for _ in range(50)])
        crowd = (address, dict(mal.cookies), costly, connections, seconds)
        # In a process of its own, or the reader would wait for the crowd's own work.
        asking = multiprocessing.get_context("spawn").Process(target=ask, args=crowd)
        asking.start()
        await asyncio.sleep(3)
        waits = []
        end = time.perf_counter() + seconds - 2
        while time.perf_counter() < end:
            waits.append(await reading(ann, own))
            await asyncio.sleep(0.02)
        asking.join()
    bound = 10 * idle + 0.05
    print(f"idle median {1e3 * idle:.1f} ms; beside {connections} connections that ask: median")
    print(
        f"  {1e3 * median(waits):.1f} ms, longest {1e3 * max(waits):.0f} ms of {len(waits)};",
        end="",
    )
    print(f" the bound is {1e3 * bound:.0f} ms")


def ask(
    address: str, cookies: dict[str, str], table: str, connections: int, seconds: float
) -> None:
    async def go() -> int:
        limits = httpx2.Limits(max_connections=connections)
        end, asked = time.perf_counter() + seconds, 0
        async with httpx2.AsyncClient(
            base_url=address, timeout=60, cookies=cookies, limits=limits
        ) as mal:

            async def one(number: int) -> None:
                nonlocal asked
                what = ("log", "record", "at/3", f"at/{MOVES - 2}")[number % 4]
                while time.perf_counter() < end:
                    await mal.get(f"/api/tables/{table}/{what}")
                    asked += 1

            await asyncio.gather(*map(one, range(connections)))
        return asked

    print(f"{asyncio.run(go()) / seconds:.0f} answers a second for the crowd")


async def opened(client: httpx2.AsyncClient, name: str) -> str:
    await client.post("/api/session", json={"name": name})
    seats = [{"kind": "me"}, {"kind": "me"}]
    wish = {"game": "human-resources", "seats": seats, "hot_seat": True}
    answer = await client.post("/api/tables", json=wish)
    return str(answer.json()["id"])


async def play(client: httpx2.AsyncClient, table: str, number: int) -> None:
    rng = Random(number)
    seen = (await client.get(f"/api/tables/{table}")).json()
    seat = seen["to_act"][0]
    steps: list[str] = []
    while True:
        answer = await client.post(
            f"/api/tables/{table}/options?seat={seat}",
            content=json.dumps({"steps": steps}),
            headers={"content-type": "application/json"},
        )
        options = answer.json()
        if options["whole"] is not None:
            break
        steps.append(rng.choice(options["next"])["value"])
    body = {"move": options["whole"], "version": seen["version"], "submission": f"m{number}"}
    seen = (await client.get(f"/api/tables/{table}?seat={seat}")).json()
    body["version"] = seen["version"]
    await client.post(f"/api/tables/{table}/moves?seat={seat}", json=body)


async def reading(client: httpx2.AsyncClient, table: str) -> float:
    began = time.perf_counter()
    (await client.get(f"/api/tables/{table}")).raise_for_status()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
