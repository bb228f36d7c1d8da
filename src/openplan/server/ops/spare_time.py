"""What the pool of bots does when no table wants it, by parts that take less than a second each, so
that no table waits for long."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar


class UnderWay(ABC):
    """Something that is being done here, part by part."""

    @abstractmethod
    def part(self) -> tuple[Callable[[Any], Any], Any]:
        """What a worker does next, and with what."""

    @abstractmethod
    def takes(self, answer: Any) -> None: ...


Work = TypeVar("Work", bound=UnderWay)


class SpareTime(ABC, Generic[Work]):
    """One kind of such work."""

    @abstractmethod
    async def next(self) -> Work | None:
        """What is to be gone on with, or begun, if anything is."""

    @abstractmethod
    async def note(self, under_way: Work) -> None:
        """After a part: tell how far it is, and end it when it is done or not wanted."""

    @abstractmethod
    async def fail(self, under_way: Work, error: BaseException) -> None: ...
