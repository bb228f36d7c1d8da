"""Jobs on lease and wake-ups, on both databases."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from itertools import pairwise

from openplan.server.clock import SECOND
from openplan.server.store import Store, Tx, jobs
from openplan.server.store.jobs import LONGEST_WAIT, Job
from tests.server.databases import opened
from tests.server.kill_loop import prepare

LEASE = 10 * SECOND


def run(url: str, test: Callable[[Store], Awaitable[None]]) -> None:
    async def go() -> None:
        store = await opened(url)
        try:
            await test(store)
        finally:
            await store.close()

    asyncio.run(go())


async def take(store: Store, now: int, limit: int = 10) -> list[Job]:
    return await store.transact(
        lambda tx: jobs.claim(tx, "mail", now=now, lease_for=LEASE, limit=limit),
        serializable=False,
    )


def finish(job: Job) -> Callable[[Tx], bool]:
    return lambda tx: jobs.done(tx, job)


def fail(job: Job, now: int) -> Callable[[Tx], bool]:
    return lambda tx: jobs.retry(tx, job, "down", now=now)


def test_a_job_is_taken_when_due_once_and_again_after_its_lease(store_url: str) -> None:
    async def test(store: Store) -> None:
        def add(tx: Tx) -> None:
            jobs.add(tx, "mail", "a", {"to": ["Ann"]}, now=100)
            jobs.add(tx, "mail", "b", {}, now=100, due_at=200)
            jobs.add(tx, "bot", "c", {}, now=100)

        await store.transact(add)
        assert await store.read(lambda tx: jobs.next_due(tx, "mail")) == 100
        assert await take(store, 99) == []
        (job,) = await take(store, 150)
        assert (job.ident, job.payload, job.tries) == ("a", {"to": ["Ann"]}, 1)
        assert await take(store, 150) == []
        assert [later.ident for later in await take(store, 200)] == ["b"]
        # Whoever had it is taken for dead when the lease ends.
        (again,) = await take(store, 150 + LEASE)
        assert (again.id, again.tries) == (job.id, 2)
        assert not await store.transact(lambda tx: jobs.done(tx, job))
        assert not await store.transact(lambda tx: jobs.retry(tx, job, "late", now=0))
        assert await store.transact(lambda tx: jobs.done(tx, again))
        assert not await store.transact(lambda tx: jobs.done(tx, again))

    run(store_url, test)


def test_a_job_that_fails_comes_back_later_each_time(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.transact(lambda tx: jobs.add(tx, "mail", "a", {}, now=0))
        now, dues = 0, [0]
        for tries in range(1, 6):
            (job,) = await take(store, now)
            assert job.tries == tries
            assert await store.transact(fail(job, now))
            due = await store.read(lambda tx: jobs.next_due(tx, "mail"))
            assert due is not None
            assert await take(store, due - 1) == []
            now = due
            dues.append(due)
        waits = [after - before for before, after in pairwise(dues)]
        assert waits == sorted(waits)
        assert waits[0] >= SECOND
        assert waits[-1] >= 16 * SECOND

    run(store_url, test)


def test_the_longest_wait_is_bounded() -> None:
    assert LONGEST_WAIT <= jobs.wait_after(10**6) <= LONGEST_WAIT * 5 // 4


def test_many_workers_share_the_jobs_and_none_is_taken_twice(store_url: str) -> None:
    async def test(store: Store) -> None:
        def add(tx: Tx) -> None:
            for number in range(60):
                jobs.add(tx, "mail", str(number), {}, now=0)

        await store.transact(add)
        taken: list[str] = []

        async def worker() -> None:
            while jobs := await take(store, 1, limit=4):
                taken.extend(job.ident for job in jobs)
                for job in jobs:
                    assert await store.transact(finish(job), serializable=False)

        await asyncio.gather(*(worker() for _ in range(6)))
        # Who finds all rows held by others goes home early; one more look takes the rest.
        await worker()
        assert sorted(taken, key=int) == [str(number) for number in range(60)]

    run(store_url, test)


def test_a_wake_up_comes_once_and_again_if_nobody_answers_it(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.transact(prepare)

        async def due(now: int) -> list[str]:
            return await store.transact(
                lambda tx: jobs.claim_due(tx, now=now, lease_for=LEASE), serializable=False
            )

        async def wake(table: str, at: int | None) -> None:
            await store.transact(lambda tx: jobs.wake(tx, table, at))

        await wake("t0", 100)
        await wake("t1", 50)
        await wake("t0", 60)
        assert await store.read(jobs.next_due) == 50
        assert await due(49) == []
        assert await due(70) == ["t1", "t0"]
        assert await due(70) == []
        await wake("t1", 500)
        await wake("t0", None)
        await wake("t0", None)
        assert await due(500) == ["t1"]
        assert await due(499 + LEASE) == []
        assert await due(500 + LEASE) == ["t1"]

    run(store_url, test)
