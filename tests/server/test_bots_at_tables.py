"""Bots at tables: what they are asked, and what becomes of answers nobody waits for any more."""

from __future__ import annotations

import asyncio
import time
from multiprocessing import connection
from pathlib import Path
from random import Random

import pytest

from openplan.core.record import write_record
from openplan.decks import shipped_text
from openplan.server.ops.bot_pool import MEMORY, BotPool, Lane, think
from openplan.server.store import Tx, jobs
from openplan.server.store.jobs import Job
from openplan.server.tables.bot_lanes import SLOW
from openplan.server.tables.bot_questions import Question
from tests.probes import games, new_match, play_on, probe_of
from tests.server.running import Client, running


def test_a_bot_is_asked_the_same_whatever_is_hidden_from_it() -> None:
    """All that the worker gets is the seat's record; two truths give the same answer."""
    compared = 0
    for game in games():
        text = shipped_text(game, "house")
        for seed in range(12):
            rng = Random(f"bot {seed}")
            match = new_match(game, rng)
            play_on(match, rng, rng.randrange(1, 12))
            if match.outcome is not None:
                continue
            seat = min(match.to_act)
            other = probe_of(game).other_truth(match, seat, rng)
            if other is None:
                continue
            asked = [Question(write_record(one, seat), text, "greedy", 5) for one in (match, other)]
            assert think(asked[0]) == think(asked[1])
            compared += 1
    assert compared > 3


def test_nobody_starts_a_program_on_the_server(tmp_path: Path, store_url: str) -> None:
    """`cmd:` makes a bot of any program, for who sits at the machine."""
    proof = tmp_path / "it ran"
    program = f"cmd:touch '{proof}'"
    with running(tmp_path, database=store_url) as server:
        ann = server.client("Ann")
        seats = [{"kind": "me"}, {"kind": "bot", "bot": program}]
        wish = {"game": "human-resources", "seats": seats}
        assert ann.refused("POST", "/api/tables", wish) == (409, "unknown-bot")
        assert not proof.exists()
    game = games()[0]
    match = new_match(game, Random(1))
    record = write_record(match, min(match.to_act))
    with pytest.raises(KeyError):
        think(Question(record, shipped_text(game, "house"), program, 5))
    assert not proof.exists()


def eat_memory(_: Question) -> str:
    return str(len(bytearray(MEMORY)))


def hang(_: Question) -> str:
    time.sleep(600)
    return ""


def answer(question: Question) -> str:
    return question.bot


def test_a_bot_has_so_much_memory_and_time(tmp_path: Path) -> None:
    """And then it is ended; whoever comes next finds a worker again."""
    question = Question("", "", "greedy", 1)
    with running(tmp_path) as server:
        pool = server.site.bots._quick
        with pytest.raises(MemoryError):
            server.run(pool.do(eat_memory, question))
        assert server.run(pool.do(answer, question)) == "greedy"
        workers = list(((pool._pool and pool._pool._processes) or {}).values())
        with pytest.raises(TimeoutError):
            server.run(asyncio.wait_for(pool.do(hang, question), 0.2))
        for worker in workers:
            # Not by asking the worker: the pool takes its exit code in a thread of its own.
            assert connection.wait([worker.sentinel], 10), "still there"
        assert server.run(pool.do(answer, question)) == "greedy"


def test_a_late_answer_is_dropped(tmp_path: Path, store_url: str) -> None:
    with running(tmp_path, database=store_url) as server:
        site = server.site
        ann = server.client("Ann")
        seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}]
        table = ann.ok("POST", "/api/tables", {"game": "human-resources", "seats": seats})["id"]

        async def answer_late() -> tuple[int, int]:
            """An answer under a lease that has ended, and one for a table that has gone on."""
            for _ in range(400):  # until no bot thinks
                row = await site.store.read(lambda tx: tx.rows(int, "SELECT id FROM outbox"))
                if not row:
                    break
                await asyncio.sleep(0.05)

            def count(tx: Tx) -> int:
                (number,) = tx.rows(int, "SELECT COUNT(*) FROM entries")
                return number

            before = await site.store.read(count)
            pool = BotPool(site)
            payload = {"seat": 1, "version": 0}
            await pool._answer(Job(99, "bot", table, payload, 1, "no lease of ours"), "nonsense")
            await site.store.transact(
                lambda tx: jobs.add(tx, "late", table, payload, now=site.now())
            )
            (job,) = await site.store.transact(
                lambda tx: jobs.claim(tx, "late", now=site.now(), lease_for=10**9)
            )
            await pool._answer(job, "quota P01d")
            left = await site.store.read(
                lambda tx: tx.rows(int, "SELECT id FROM outbox WHERE kind = 'late'")
            )
            assert left == []
            assert await site.store.read(lambda tx: pool._question(tx, job)) is None
            return before, await site.store.read(count)

        before, after = server.run(answer_late())
        assert before == after


def test_a_bot_that_fails_is_asked_again_later(
    tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> str:
        raise AssertionError("a bot with a bug")

    monkeypatch.setattr(Lane, "do", fail)
    with running(tmp_path, database=store_url) as server:
        site = server.site
        ann = server.client("Ann")
        seats = [{"kind": "bot", "bot": "greedy"}, {"kind": "me"}]

        def troubles(tx: Tx) -> list[str]:
            return tx.rows(str, "SELECT trouble FROM outbox")

        found: list[str] = []
        table = ""
        for _ in range(20):  # until the bot is the one that starts
            wish = {"game": "human-resources", "seats": seats}
            table = ann.ok("POST", "/api/tables", wish)["id"]
            if ann.ok("GET", f"/api/tables/{table}")["to_act"] == ["A"]:
                break
        for _ in range(200):
            found = server.run(site.store.read(troubles))
            if found and all(found):
                break
            time.sleep(0.05)
        assert found == ["AssertionError"]
        assert ann.ok("GET", f"/api/tables/{table}")["state"] == "playing"


def test_many_thoughts_of_two_keep_a_quick_bot_from_nobody(tmp_path: Path) -> None:
    """56 tables opened by two guests with the strongest bot; somebody else plays against `random`,
    and a third against a bot that looks ahead: both are answered before those."""
    with running(tmp_path) as server:
        for name in ("Mal", "Ory"):
            greedy = server.client(name)
            for _ in range(28):
                begin(greedy, "director")
        ann, ben = server.client("Ann"), server.client("Ben")
        quick, slow = begin(ann, "random"), begin(ben, "director")
        with ann.live(quick), ben.live(slow):
            assert answered(ann, quick) < 2
            assert answered(ben, slow) < 8


@pytest.mark.parametrize("bot", ["random", "director"])
def test_six_hundred_thoughts_hide_nobodys(
    bot: str, tmp_path: Path, store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many wait that came before: who sits at a table is thought for next, and of those
    who are not there nobody's many come before somebody's first."""

    async def wait(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(BotPool, "run", wait)
    with running(tmp_path, database=store_url) as server:
        site = server.site
        mal, ann, ben = (server.client(name) for name in ("Mal", "Ann", "Ben"))
        theirs = begin(mal, "director")

        def fill(tx: Tx) -> None:
            for number in range(600):
                jobs.add(tx, SLOW, theirs, {"seat": 1, "version": number}, now=1)

        server.run(site.store.transact(fill))
        watched, other = begin(ann, bot), begin(ben, bot)
        pool = BotPool(site, lambda: {watched})
        lane = pool._quick if bot == "random" else pool._slow
        claimed = []
        for number in range(3):
            found = server.run(pool._claim(lane))
            if found is not None:
                claimed.append(found[0].ident)
                pool._had[found[1]] += 10 - number
        assert claimed[:1] == [watched]
        assert other in claimed


def test_a_bot_is_asked_once_however_often_somebody_changes_their_mind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait(*_: object) -> None:
        await asyncio.sleep(60)

    monkeypatch.setattr(BotPool, "run", wait)
    with running(tmp_path) as server:
        ann = server.client("Ann")
        seats = [{"kind": "me"}, *({"kind": "bot", "bot": "director"},) * 2]
        table = ann.ok("POST", "/api/tables", {"game": "cube-farm", "seats": seats})["id"]
        waiting = "SELECT id FROM outbox WHERE ident = ? ORDER BY id"
        read = server.site.store.read
        first = server.run(read(lambda tx: tx.rows(int, waiting, table)))
        assert len(first) == 2
        for number in range(20):
            version = ann.ok("GET", f"/api/tables/{table}")["version"]
            ann.play(table, "nothing", version, f"n{number}")
        # They keep their places: nobody holds a bot up by changing their mind.
        assert server.run(read(lambda tx: tx.rows(int, waiting, table))) == first


def begin(client: Client, bot: str) -> str:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": bot}]
    table: str = client.ok("POST", "/api/tables", {"game": "human-resources", "seats": seats})["id"]
    seen = client.ok("GET", f"/api/tables/{table}")
    if "A" in seen["to_act"]:  # so that the bot is to act
        move = client.some_move(table, Random(1))
        client.play(table, move, seen["version"], "first")
    return table


def answered(client: Client, table: str) -> float:
    """How long the bot takes for its next move."""
    at = time.monotonic()
    while "A" not in client.ok("GET", f"/api/tables/{table}")["to_act"]:
        assert time.monotonic() < at + 30
        time.sleep(0.05)
    return time.monotonic() - at
