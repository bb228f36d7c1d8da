"""Works that share a commit: one that fails takes nothing of the others with it, and nothing of it
stays."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from openplan.server.store import Tx, open_store
from openplan.server.store.migrations import migrate

Work = Callable[[Tx], Any]


def grouped(folder: Path, *works: Work) -> tuple[list[Any], list[str]]:
    """What came of works that waited for the writer together, and who is in the store then."""

    async def go() -> tuple[list[Any], list[str]]:
        store = open_store(f"sqlite:///{folder / 'store.db'}")
        await migrate(store)
        gate = threading.Event()
        holding = asyncio.ensure_future(store.transact(lambda _: gate.wait(10)))
        await asyncio.sleep(0.05)
        waiting = [asyncio.ensure_future(store.transact(work)) for work in works]
        await asyncio.sleep(0)
        gate.set()
        await holding
        results = await asyncio.gather(*waiting, return_exceptions=True)
        found = await store.read(lambda tx: tx.rows(str, "SELECT id FROM users ORDER BY id"))
        await store.close()
        return results, found

    return asyncio.run(go())


class Noted:
    """A work that notes how often it is run and taken back."""

    def __init__(self, name: str, error: Exception | None = None, *, writes: bool = True) -> None:
        self.name = name
        self.error = error
        self.writes = writes
        self.runs = 0
        self.undone = 0

    def __call__(self, tx: Tx) -> str:
        self.runs += 1
        tx.on_rollback(self._undo)
        if self.writes:
            tx.execute(
                "INSERT INTO users (id, kind, name, created_at) VALUES (?, 'guest', 'n', 0)",
                self.name,
            )
        if self.error is not None:
            raise self.error
        tx.signal("user", self.name)
        return self.name

    def _undo(self) -> None:
        self.undone += 1


def test_all_are_run_once_if_none_fails(tmp_path: Path) -> None:
    works = [Noted("a"), Noted("b"), Noted("c")]
    assert grouped(tmp_path, *works) == (["a", "b", "c"], ["a", "b", "c"])
    assert [(work.runs, work.undone) for work in works] == [(1, 0)] * 3


def test_who_is_refused_before_writing_costs_nobody_anything(tmp_path: Path) -> None:
    works = [Noted("a"), Noted("b", ValueError(), writes=False), Noted("c")]
    (a, b, c), found = grouped(tmp_path, *works)
    assert (a, type(b), c, found) == ("a", ValueError, "c", ["a", "c"])
    assert [(work.runs, work.undone) for work in works] == [(1, 0), (1, 1), (1, 0)]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_who_fails_after_writing_has_all_run_again(tmp_path: Path, place: int) -> None:
    works = [Noted(name, ValueError() if n == place else None) for n, name in enumerate("abc")]
    results, found = grouped(tmp_path, *works)
    assert [type(one) for one in results] == [ValueError if n == place else str for n in range(3)]
    assert found == [name for n, name in enumerate("abc") if n != place]
    for number, work in enumerate(works):
        is_failing, was_run = number == place, number <= place
        assert work.runs == 1 + was_run
        assert work.undone == was_run + is_failing


def test_a_conflict_that_a_work_does_not_mind_is_still_taken_back(tmp_path: Path) -> None:
    def careless(tx: Tx) -> None:
        for _ in range(2):
            try:
                tx.execute("INSERT INTO users (id, kind, name, created_at) VALUES ('x', '', '', 0)")
            except Exception:  # noqa: BLE001
                continue

    (a, failed), found = grouped(tmp_path, Noted("a"), careless)
    assert (a, type(failed).__name__, found) == ("a", "Conflict", ["a"])
