"""Who is served next: requests under way are few, and fair between addresses and between the people
at one. Whoever asks two hundred things at once waits for themselves, and nobody else for them."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from openplan.server.errors import TooMany

AT_ONCE: Final = 4
"""Requests that are worked on: more would only take the processor from each other."""
MOST_OF_ONE: Final = 2
"""Of them, those of one person, while others wait."""
MOST_WAITING: Final = 200
"""Of one person; one more is told to come back later."""

Asker = tuple[str, str]
"""An address, and a person at it."""


class Turnstile:
    def __init__(self) -> None:
        self._inside: Counter[Asker] = Counter()
        # Addresses, and in each its people, in the order in which their turn comes.
        self._waiting: OrderedDict[str, OrderedDict[str, deque[asyncio.Future[None]]]]
        self._waiting = OrderedDict()

    @asynccontextmanager
    async def passed(self, asker: Asker) -> AsyncIterator[None]:
        if self._waiting or not self._may_enter(asker):
            await self._wait(asker)
        else:
            self._inside[asker] += 1
        try:
            yield
        finally:
            self._leave(asker)

    def _may_enter(self, asker: Asker) -> bool:
        return self._inside.total() < AT_ONCE and self._inside[asker] < MOST_OF_ONE

    async def _wait(self, asker: Asker) -> None:
        address, person = asker
        people = self._waiting.setdefault(address, OrderedDict())
        queue = people.setdefault(person, deque())
        if len(queue) >= MOST_WAITING:
            raise TooMany
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(asker)  # it was let in, and has gone away
            raise

    def _leave(self, asker: Asker) -> None:
        self._inside[asker] -= 1
        if not self._inside[asker]:
            del self._inside[asker]
        self._admit()

    def _admit(self) -> None:
        """Whose turn it is, as long as there is a place."""
        while self._inside.total() < AT_ONCE and (asker := self._next()) is not None:
            self._inside[asker] += 1

    def _next(self) -> Asker | None:
        for address in list(self._waiting):
            people = self._waiting[address]
            for person in list(people):
                queue = people[person]
                while queue and queue[0].done():  # gone away
                    queue.popleft()
                if queue and self._inside[address, person] >= MOST_OF_ONE:
                    continue
                turn = queue.popleft() if queue else None
                if queue:
                    people.move_to_end(person)
                else:
                    del people[person]
                if turn is not None:
                    turn.set_result(None)
                    self._after(address)
                    return address, person
            self._after(address, moves=False)
        return None

    def _after(self, address: str, *, moves: bool = True) -> None:
        if not self._waiting[address]:
            del self._waiting[address]
        elif moves:
            self._waiting.move_to_end(address)
