"""What both databases promise, by one test for both."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import apsw
import msgspec
import pytest

from openplan.server.store import (
    Conflict,
    Store,
    StoreError,
    StoreUnavailable,
    Tx,
    open_store,
)
from openplan.server.store.sqlite import connect, is_safe_version

T = TypeVar("T")
Test = Callable[[Store], Awaitable[T]]


def run(url: str, test: Test[T]) -> T:
    """Run a test on an open store with one small table."""

    async def go() -> T:
        store = open_store(url)
        try:
            await store.transact(create)
            return await test(store)
        finally:
            await store.close()

    return asyncio.run(go())


def create(tx: Tx) -> None:
    tx.execute(
        "CREATE TABLE lines (place TEXT, number BIGINT, data BYTEA, PRIMARY KEY (place, number))"
    )


def add(place: str, number: int) -> Callable[[Tx], int]:
    def work(tx: Tx) -> int:
        tx.execute("INSERT INTO lines (place, number) VALUES (?, ?)", place, number)
        return number

    return work


def numbers(place: str) -> Callable[[Tx], list[int]]:
    def work(tx: Tx) -> list[int]:
        return tx.rows(int, "SELECT number FROM lines WHERE place = ? ORDER BY number", place)

    return work


class Line(msgspec.Struct, frozen=True):
    place: str
    number: int
    data: bytes


def test_a_committed_row_is_read_back_in_every_shape(store_url: str) -> None:
    select = "SELECT place, number, data FROM lines WHERE place LIKE '%?'"
    row = ("it's 100% ?", 2**62, b"\0\xff")

    def read(tx: Tx) -> None:
        assert tx.rows(tuple, select) == [row]
        assert tx.rows(tuple[str, int, bytes], select) == [row]
        assert tx.rows(Line, select) == [Line(*row)]
        assert tx.rows(dict, select) == [{"place": row[0], "number": row[1], "data": row[2]}]
        assert tx.row(int, "SELECT number FROM lines") == row[1]
        assert tx.row(int, "SELECT max(number) FROM lines WHERE place = 'none'") is None
        assert tx.row(int, "SELECT number FROM lines WHERE place = 'none'") is None

    async def test(store: Store) -> None:
        await store.transact(lambda tx: tx.execute("INSERT INTO lines VALUES (?, ?, ?)", *row))
        await store.read(read)

    run(store_url, test)


@pytest.mark.parametrize("shape", [str, tuple[str], tuple[str, int, int, int], Line])
def test_another_shape_than_the_query_gives_is_refused(store_url: str, shape: type[object]) -> None:
    async def test(store: Store) -> None:
        await store.transact(add("a", 1))
        with pytest.raises(TypeError, match="gives place, number"):
            await store.read(lambda tx: tx.rows(shape, "SELECT place, number FROM lines"))

    run(store_url, test)


def test_percent_and_question_mark_in_quotes_are_no_placeholders(store_url: str) -> None:
    async def test(store: Store) -> None:
        assert await store.read(lambda tx: tx.row(str, "SELECT '?%' || ? AS said", "x")) == "?%x"

    run(store_url, test)


def test_raising_rolls_back_and_only_that_transaction(store_url: str) -> None:
    async def test(store: Store) -> None:
        def broken(tx: Tx) -> None:
            add("a", 2)(tx)
            raise LookupError("of its own")

        works: list[Callable[[Tx], Any]] = [add("a", 1), broken, add("a", 3)]
        results = await asyncio.gather(*map(store.transact, works), return_exceptions=True)
        assert [type(result) for result in results] == [int, LookupError, int]
        assert await store.read(numbers("a")) == [1, 3]

    run(store_url, test)


def test_a_second_row_for_a_key_is_a_conflict_even_if_the_work_does_not_mind(
    store_url: str,
) -> None:
    async def test(store: Store) -> None:
        def careless(tx: Tx) -> None:
            add("b", 1)(tx)
            with pytest.raises(Conflict):
                add("a", 1)(tx)
            with pytest.raises(Conflict):
                add("b", 2)(tx)

        await store.transact(add("a", 1))
        with pytest.raises(Conflict):
            await store.transact(careless)
        assert await store.read(numbers("b")) == []

    run(store_url, test)


def test_of_many_who_want_the_same_key_one_gets_it(store_url: str) -> None:
    async def test(store: Store) -> None:
        wanted = [number % 20 for number in range(100)]
        results = await asyncio.gather(
            *(store.transact(add("a", number)) for number in wanted), return_exceptions=True
        )
        assert sum(isinstance(result, int) for result in results) == 20
        assert sum(isinstance(result, Conflict) for result in results) == 80
        assert await store.read(numbers("a")) == list(range(20))

    run(store_url, test)


def test_transactions_are_as_if_alone(store_url: str) -> None:
    """Read the highest number, write the next: nobody fails and no number is left out."""

    async def test(store: Store) -> None:
        def next_number(tx: Tx) -> int:
            highest = tx.row(int, "SELECT max(number) FROM lines WHERE place = 'a'") or 0
            return add("a", highest + 1)(tx)

        async def client() -> None:
            for _ in range(5):
                await store.transact(next_number)

        await asyncio.gather(*(client() for _ in range(4)))
        assert await store.read(numbers("a")) == list(range(1, 21))

    run(store_url, test)


def test_notices_come_after_the_commit_and_only_then(store_url: str) -> None:
    async def test(store: Store) -> None:
        heard: list[tuple[str, str]] = []
        stop = store.subscribe(lambda topic, ident: heard.append((topic, ident)))

        def telling(number: int, *, fails: bool = False) -> Callable[[Tx], None]:
            def work(tx: Tx) -> None:
                tx.signal("line", str(number))
                add("a", number)(tx)
                if fails:
                    raise LookupError("of its own")

            return work

        works = [telling(1), telling(2, fails=True), telling(1), telling(3)]
        await asyncio.gather(*map(store.transact, works), return_exceptions=True)
        await asyncio.sleep(0.01)
        # Of the two ones either may have come first.
        assert sorted(heard) == [("line", "1"), ("line", "3")]
        stop()
        await store.transact(telling(4))
        await asyncio.sleep(0.01)
        assert len(heard) == 2

    run(store_url, test)


def test_what_was_kept_in_memory_is_taken_back_with_the_transaction(store_url: str) -> None:
    async def test(store: Store) -> None:
        kept: list[int] = []

        def keeping(number: int) -> Callable[[Tx], None]:
            def work(tx: Tx) -> None:
                kept.append(number)
                tx.on_rollback(lambda: kept.remove(number))
                add("a", number % 2)(tx)

            return work

        await asyncio.gather(
            *(store.transact(keeping(n)) for n in range(6)), return_exceptions=True
        )
        assert sorted(number % 2 for number in kept) == [0, 1]

    run(store_url, test)


def test_a_reader_sees_one_state_and_may_not_write(store_url: str) -> None:
    async def test(store: Store) -> None:
        await store.transact(add("a", 1))
        loop = asyncio.get_running_loop()

        def twice(tx: Tx) -> tuple[list[int], list[int]]:
            before = numbers("a")(tx)
            asyncio.run_coroutine_threadsafe(store.transact(add("a", 2)), loop).result(10)
            return before, numbers("a")(tx)

        assert await store.read(twice) == ([1], [1])
        assert await store.read(numbers("a")) == [1, 2]
        with pytest.raises(StoreError) as refused:
            await store.read(add("a", 3))
        assert not isinstance(refused.value, StoreUnavailable)
        assert await store.read(numbers("a")) == [1, 2]

    run(store_url, test)


def test_a_short_reader_sees_what_is_committed_and_nothing_else(store_url: str) -> None:
    async def test(store: Store) -> None:
        loop = asyncio.get_running_loop()

        def both(tx: Tx) -> tuple[list[int], list[int]]:
            here = numbers("a")(tx)
            elsewhere = asyncio.run_coroutine_threadsafe(store.read(numbers("a")), loop)
            return here, elsewhere.result(10)

        async def look(number: int) -> None:
            _, (here, elsewhere) = await asyncio.gather(
                store.transact(add("a", number)), store.read_short(both)
            )
            assert set(here) <= set(elsewhere)

        await asyncio.gather(*map(look, range(4)))
        assert await store.read_short(numbers("a")) == list(range(4))

        with pytest.raises(StoreError) as refused:
            await store.read_short(add("a", 10))
        assert not isinstance(refused.value, StoreUnavailable)
        with pytest.raises(ZeroDivisionError):
            await store.read_short(lambda tx: 1 // 0)
        assert await store.transact(add("a", 11)) == 11
        assert await store.read_short(numbers("a")) == [*range(4), 11]

    run(store_url, test)


def test_who_stops_waiting_harms_nobody(store_url: str) -> None:
    async def test(store: Store) -> None:
        task = asyncio.create_task(store.transact(add("a", 1)))
        await asyncio.sleep(0)
        task.cancel()
        await store.transact(add("a", 2))
        assert set(await store.read(numbers("a"))) - {1} == {2}

    run(store_url, test)


def test_whatever_a_work_raises_arrives(store_url: str) -> None:
    async def test(store: Store) -> None:
        def unlucky(tx: Tx) -> int:
            add("a", 1)(tx)
            return next(iter([]))

        for run_it in (store.transact, store.read):
            with pytest.raises((RuntimeError, StoreError)):
                await asyncio.wait_for(run_it(unlucky), 20)
        with pytest.raises(KeyboardInterrupt):
            await store.transact(interrupted)
        assert await store.read(numbers("a")) == []

    run(store_url, test)


def interrupted(tx: Tx) -> None:
    add("a", 1)(tx)
    raise KeyboardInterrupt


def test_too_many_who_wait_are_sent_away(store_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for adapter in ("sqlite", "postgres"):
        monkeypatch.setattr(f"openplan.server.store.{adapter}.MAX_WAITING", 5)

    async def test(store: Store) -> None:
        results = await asyncio.gather(
            *(store.transact(add("a", number)) for number in range(50)), return_exceptions=True
        )
        good = [result for result in results if isinstance(result, int)]
        assert 5 <= len(good) < 50
        assert all(isinstance(result, int | StoreUnavailable) for result in results)
        assert await store.read(numbers("a")) == good

    run(store_url, test)


def test_a_closed_store_has_done_what_it_accepted_and_takes_no_more(store_url: str) -> None:
    async def close() -> None:
        store = open_store(store_url)
        await store.transact(create)
        tasks = [asyncio.create_task(store.transact(add("a", number))) for number in range(50)]
        await asyncio.sleep(0)
        await store.close()
        await store.close()
        assert await asyncio.gather(*tasks) == list(range(50))
        with pytest.raises(StoreUnavailable):
            await store.transact(add("a", 100))
        with pytest.raises(StoreUnavailable):
            await store.read(numbers("a"))
        again = open_store(store_url)
        assert await again.read(numbers("a")) == list(range(50))
        await again.close()

    asyncio.run(close())


def test_a_store_is_named_by_what_it_is() -> None:
    with pytest.raises(StoreError):
        open_store("mysql://here")


def test_a_store_that_cannot_be_opened_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        open_store(f"sqlite:///{tmp_path / 'none' / 'store.db'}")
    (tmp_path / "store.db").write_bytes(b"not a database, but long enough to be taken for one" * 99)
    with pytest.raises(StoreUnavailable):
        open_store(f"sqlite:///{tmp_path / 'store.db'}")


# -- SQLite ----------------------------------------------------------------------------------


def test_one_process_has_the_file(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"

    async def test(_store: Store) -> None:
        with pytest.raises(StoreUnavailable, match="another process"):
            open_store(url)

    run(url, test)
    asyncio.run(open_store(url).close())


@pytest.mark.parametrize(
    ("version", "is_safe"),
    [
        ("3.51.3", True),
        ("3.54.1", True),
        ("3.51.2", False),
        ("3.50.7", True),
        ("3.50.6", False),
        ("3.44.6", True),
        ("3.45.0", False),
        ("3.44.5", False),
    ],
)
def test_a_sqlite_that_can_lose_a_commit_is_refused(version: str, is_safe: bool) -> None:
    assert is_safe_version(version) is is_safe


def test_a_statement_is_planned_once_whatever_its_parameters_are(tmp_path: Path) -> None:
    connection = connect(tmp_path / "store.db")
    connection.execute(
        "CREATE TABLE lines (place TEXT, number BIGINT, PRIMARY KEY (place, number))"
    )
    asked: list[int] = []

    def allow(*_: object) -> int:  # asked while a statement is planned, not while it runs
        asked.append(1)
        return apsw.SQLITE_OK

    connection.authorizer = allow
    planned = []
    for place in "abc":
        wanted = "SELECT number FROM lines WHERE place = ? ORDER BY number"
        connection.execute(wanted, (place,)).fetchall()
        planned.append(len(asked))
    connection.close()
    assert planned[0] > 0
    assert planned == planned[:1] * 3
