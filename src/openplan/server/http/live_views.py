"""Live views: each socket is sent its own viewer's table after every commit that changes it.

The store says which table was written to, after the commit; the frame is then built from what is
committed. A viewer to whom nothing changed is sent nothing: a frame that says nothing new would
still say that something hidden happened. A reader who is too slow is dropped and comes back with
the version it has.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import msgspec
import structlog

from openplan.server.http.connections import room
from openplan.server.http.rate_limits import network_of
from openplan.server.site import Site
from openplan.server.store import EVERYTHING, StoreError, Tx
from openplan.server.tables import chat, standby, view_model
from openplan.server.tables.access import load

QUEUE: Final = 32
MAX_OF_ONE: Final = 50
"""Sockets of one person, over all tables and tabs; and of all at one address who are nobody."""
RETRY_SECONDS: Final = 0.5
PUSH: Final = "openplan.push"
"""What our sockets offer besides what every server does: to send a text at once."""

log = structlog.get_logger()


class TableFrame(msgspec.Struct, tag="table"):
    """The table as you see it now, and the entries of your record since the last frame."""

    table: msgspec.Raw
    """A `view_model.TableSight`, as it was written once to be compared."""
    told: list[view_model.Told]


class ChatFrame(msgspec.Struct, tag="chat"):
    lines: list[view_model.ChatLine]


class GoneFrame(msgspec.Struct, tag="gone"):
    """Nothing more comes here: signed out, too slow to read, or the seat was lost."""

    reason: str


class PongFrame(msgspec.Struct, tag="pong"):
    """We are here."""


PONG: Final = msgspec.json.encode(PongFrame())


@dataclass(eq=False, slots=True)
class LiveSocket:
    """One socket: who listens to which table, and what it has been sent."""

    table: str
    user: str | None
    session: str
    version: int
    language: str = "en"
    seat: str = ""
    address: str = ""
    frames: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(QUEUE + 2))
    last: bytes = b""
    heard: dict[str, int] = field(default_factory=dict)
    is_seated: bool = False
    """Whether it was a seat's when it was last told something."""
    push: Callable[[bytes], bool] | None = None
    """Sends a frame at once, if the socket can and its reader keeps up."""
    unsent: int = 0
    """Frames that wait, or are being sent: nothing may overtake them."""

    def send(self, frame: bytes) -> bool:
        """Whether there was room: the last two places are for saying goodbye."""
        if self.push is not None and not self.unsent and self.push(frame):
            return True
        if self.unsent >= QUEUE:
            return False
        self.put(frame)
        return True

    def put(self, frame: bytes) -> None:
        self.unsent += 1
        self.frames.put_nowait(frame)

    async def next_frames(self) -> AsyncIterator[bytes]:
        """What waits to be sent, until the goodbye."""
        while (frame := await self.frames.get()) is not None:
            yield frame
            self.unsent -= 1


class Update(NamedTuple):
    """What a listener is to be sent, and how it stands after that."""

    listener: LiveSocket
    frames: list[bytes]
    last: bytes
    version: int
    heard: dict[str, int]
    is_seated: bool


class Hub:
    def __init__(self, site: Site) -> None:
        self._site = site
        self._listeners: defaultdict[str, set[LiveSocket]] = defaultdict(set)
        self._most = room()
        self._sockets_of: Counter[tuple[str, str]] = Counter()
        """Of a person, of an address, of those at one who are nobody, and of all such."""
        self._dirty: set[str] = set()
        self._tasks: dict[str, asyncio.Task[None]] = {}

    @property
    def count(self) -> int:
        return sum(map(len, self._listeners.values()))

    @property
    def watched(self) -> Collection[str]:
        """The tables at which somebody is."""
        return self._listeners.keys()

    def join(self, listener: LiveSocket) -> bool:
        """From now on nothing is missed; the first frame comes at once."""
        limits = self._limits(listener)
        if self.count >= self._most or any(self._sockets_of[who] >= n for who, n in limits.items()):
            return False
        self._sockets_of.update(limits.keys())
        self._listeners[listener.table].add(listener)
        self._refresh(listener.table)
        return True

    def _limits(self, listener: LiveSocket) -> dict[tuple[str, str], int]:
        """How many sockets those may have to whom this one is counted. Most places are kept for
        people at tables."""
        address = network_of(listener.address)
        limits = {("address", address): self._most // 2}
        if listener.user is not None:
            return {**limits, ("user", listener.user): MAX_OF_ONE}
        return {**limits, ("nobody", address): MAX_OF_ONE, ("nobody", ""): self._most // 4}

    def leave(self, listener: LiveSocket) -> None:
        listeners = self._listeners.get(listener.table, set())
        if listener in listeners:
            self._sockets_of.subtract(self._limits(listener).keys())
            self._sockets_of += Counter()  # who has none left is not kept
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(listener.table, None)

    def hear(self, topic: str, ident: str) -> None:
        """A signal of the store: something is committed."""
        if topic == "table":
            self._refresh(ident)
        elif topic == "session":
            for listener in self._all():
                if listener.session == ident:
                    self._dismiss(listener, "signed out")
        elif topic == EVERYTHING:
            for table in list(self._listeners):
                self._refresh(table)

    async def close(self) -> None:
        for listener in self._all():
            self._dismiss(listener, "the server stops")
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _all(self) -> list[LiveSocket]:
        return [listener for group in self._listeners.values() for listener in group]

    def _dismiss(self, listener: LiveSocket, reason: str) -> None:
        self.leave(listener)
        listener.put(msgspec.json.encode(GoneFrame(reason)))
        listener.frames.put_nowait(None)

    def _refresh(self, table: str) -> None:
        if table in self._listeners:
            self._dirty.add(table)
            if table not in self._tasks:
                self._tasks[table] = asyncio.create_task(self._tell_in_turn(table))

    async def _tell_in_turn(self, table: str) -> None:
        """One at a time for each table, so that frames never overtake each other."""
        try:
            await self._tell(table)
        except Exception:  # one broken match must not silence the others
            log.exception("live views cannot be made", table=table)
        finally:
            # At once, not by a callback: a signal that comes in between would start nobody.
            del self._tasks[table]

    async def _tell(self, table: str) -> None:
        while table in self._dirty:
            self._dirty.discard(table)
            listeners = list(self._listeners.get(table, ()))
            try:
                frames = await self._site.store.read_short(
                    lambda tx, to=listeners: self._frames(tx, table, to)  # type: ignore[misc]
                )
            except StoreError as error:
                log.warning("live views wait", table=table, reason=str(error))
                self._dirty.add(table)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            for update in frames:
                listener = update.listener
                if listener not in self._listeners.get(table, ()):
                    continue
                if listener.is_seated and not update.is_seated:
                    # What it has on its screen is no longer its to see, nor are the numbers of its
                    # record a spectator's.
                    self._dismiss(listener, "seat lost")
                    continue
                listener.is_seated = update.is_seated
                listener.last, listener.version = update.last, update.version
                listener.heard = update.heard
                if not all(map(listener.send, update.frames)):
                    self._dismiss(listener, "too slow")

    def _frames(self, tx: Tx, table: str, listeners: list[LiveSocket]) -> list[Update]:
        """What each has to be sent; the same bytes are made once for all who see the same."""
        updates: list[Update] = []
        made: dict[tuple[object, ...], tuple[bytes, bytes, int]] = {}
        found = load(tx, table, None)
        if found is None:
            return []
        standing = {user for user, _ in standby.standing_by(tx, found)}
        for listener in listeners:
            here = found.found_by(listener.user, listener.seat)
            # Nothing else about a person changes what they see.
            is_someone = (
                here.row.owner_id == listener.user,
                here.master == listener.user,
                listener.user in standing,
            )
            key = (here.seat, here.own, is_someone, listener.version, listener.language)
            if key not in made:
                seen, told = view_model.see_with_told(
                    tx,
                    self._site.latest,
                    here,
                    listener.user,
                    listener.version,
                    listener.language,
                )
                known = msgspec.json.encode(seen)
                frame = TableFrame(msgspec.Raw(known), told)
                made[key] = known, msgspec.json.encode(frame), seen.version
            known, sent, version = made[key]
            frames = [sent] if known != listener.last else []
            lines = chat.heard(tx, here, listener.heard)
            if lines:
                said = [view_model.chat_line(here, row) for row in lines]
                frames.append(msgspec.json.encode(ChatFrame(said)))
            heard = listener.heard | {row.room: row.number for row in lines}
            updates.append(Update(listener, frames, known, version, heard, bool(here.own)))
        return updates
