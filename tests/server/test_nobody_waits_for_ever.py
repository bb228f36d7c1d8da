"""An absent player never blocks the others for ever, from any state of either game: whoever is
there keeps playing, whoever is gone does nothing, and time passes until the match is over."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.decks import load_deck, shipped, shipped_text
from openplan.server.clock import DAY
from openplan.server.people.accounts import Person, new_id
from openplan.server.store import Store, Tx
from openplan.server.tables import lifecycle, moves, overdue
from openplan.server.tables.access import load
from openplan.server.tables.lifecycle import NewSeat, NewTable
from openplan.server.tables.match_cache import MatchCache
from openplan.server.tables.options import AbsenceRule, ClockRule
from tests.probes import games, probe_of
from tests.server.databases import opened

START = 1_700_000_000_000_000
CLOCKS = {
    "none": ClockRule(),
    "days": ClockRule("days", days=2, grace=12),
    "schedule": ClockRule(
        "schedule", time="18:00", zone="Europe/Berlin", weekdays=("mon", "thu"), least=24
    ),
    "live": ClockRule("live", bank=60),
}


class Driver:
    """A table of people, some of whom are gone."""

    def __init__(self, store: Store, game: AnyGame, rng: Random) -> None:
        self.store, self.game, self.rng = store, game, rng
        self.cache, self.now = MatchCache(), START
        self.people: list[Person] = []
        self.table = ""
        self.names = 0

    async def begin(self, clock: ClockRule, rule: AbsenceRule) -> None:
        deck = load_deck(self.game)
        for code in self.game.seats:
            self.people.append(await self.store.transact(lambda tx, c=code: _person(tx, c)))  # type: ignore[misc]
        wish = NewTable(
            self.game.name,
            public=True,
            clock=clock,
            absence=rule,
            seats=[NewSeat("me"), *(NewSeat("open") for _ in self.game.seats[1:])],
        )
        text = _deck_text(self.game)
        self.table = await self.store.transact(
            lambda tx: lifecycle.create(
                tx, self.cache, self.people[0], wish, deck, text, b"key", self.now
            )
        )
        for person in self.people[1:]:
            await self.store.transact(
                lambda tx, p=person: lifecycle.join(tx, self.cache, p, self.table, "", "", self.now)  # type: ignore[misc]
            )

    async def match(self) -> Match:
        def work(tx: Tx) -> Match:
            place = load(tx, self.table, None)
            assert place is not None
            with self.cache.timed(tx, place.row) as timed:
                return timed.match

        return await self.store.transact(work)

    async def state(self) -> str:
        row = await self.store.read(lambda tx: load(tx, self.table, None))
        assert row is not None
        state: str = row.row.state
        return state

    async def seats(self) -> list[Any]:
        place = await self.store.read(lambda tx: load(tx, self.table, None))
        assert place is not None
        return list(place.seats)

    async def play(self, seats: set[int]) -> bool:
        """One of these moves, if one can."""
        match = await self.match()
        able = sorted(set(match.awaited) & {Seat(seat) for seat in seats})
        if not able:
            return False
        text = _move_of(self.game, match, able[0], self.rng)
        version = match.version(able[0])
        self.names += 1

        def work(tx: Tx) -> None:
            place = load(tx, self.table, None, lock=True)
            assert place is not None
            moves.play(tx, self.cache, place, able[0], text, version, self.now)

        await self.store.transact(work)
        return True

    async def pass_time(self) -> None:
        """Until the next thing falls due."""
        due = await self.store.read(lambda tx: tx.row(int, "SELECT MIN(due_at) FROM deadlines"))
        assert due is not None, "nothing is ever going to happen"
        self.now = max(self.now, due)
        await self.store.transact(lambda tx: overdue.expire(tx, self.cache, self.table, self.now))


def _person(tx: Tx, name: str) -> Person:
    user = new_id()
    tx.execute(
        "INSERT INTO users (id, kind, name, created_at) VALUES (?, 'guest', ?, 0)", user, name
    )
    return Person(user, name, "guest", "")


def _deck_text(game: AnyGame) -> str:
    return shipped_text(game, shipped(game)[0])


def _move_of(game: AnyGame, match: Match, seat: Seat, rng: Random) -> str:
    for _ in range(200):
        found, text = probe_of(game).random_move(game, match, rng)
        if found == seat:
            return str(text)
    raise AssertionError("no move for this seat")


async def _drive(store: Store, game: AnyGame, policy: str, clock: str, rng: Random) -> int:
    """From a random state on some are gone, for good. How long it took, in days."""
    driver = Driver(store, game, rng)
    bot = "random" if policy == "bot" else ""
    await driver.begin(CLOCKS[clock], AbsenceRule(policy, bot))  # type: ignore[arg-type]
    everybody = set(range(len(game.seats)))
    for _ in range(rng.randrange(30)):
        if await driver.state() != "playing" or not await driver.play(everybody):
            break
    if rng.random() < 0.3 and await driver.state() == "playing":
        await store.transact(lambda tx: _pause(tx, driver))
    gone = set(rng.sample(sorted(everybody), rng.randrange(1, len(everybody))))
    began = driver.now
    for _ in range(3000):
        if await driver.state() != "playing":
            return (driver.now - began) // DAY
        here = everybody - gone
        # A bot that stands in moves as a bot would; here it does so at once.
        here |= {row.seat for row in await driver.seats() if row.bot is not None}
        if not await driver.play(here):
            await driver.pass_time()
    raise AssertionError("the others wait for ever")


def _pause(tx: Tx, driver: Driver) -> None:
    place = load(tx, driver.table, None, lock=True)
    assert place is not None
    with driver.cache.timed(tx, place.row) as timed:
        turn = moves.check_time(tx, place, timed, driver.now)
        timed.enter("pause", None, "", driver.now)
        moves.write(tx, place, timed, turn, driver.now)


CASES = [
    (game, policy)
    for game in games()
    for policy in ("wait", "bot", "standby", "adjudicate", "resign")
    if policy != "adjudicate" or game.sealed
]


@pytest.mark.parametrize(("game", "policy"), CASES, ids=lambda case: getattr(case, "name", case))
def test_the_others_go_on(store_url: str, game: AnyGame, policy: str) -> None:
    async def go() -> None:
        store = await opened(store_url)
        rng = Random(f"{game.name} {policy}")
        clocks = ["none", "days", "schedule"]
        if policy == "resign" and not game.sealed:
            clocks.append("live")
        for clock in clocks:
            for _ in range(2):
                assert await _drive(store, game, policy, clock, rng) < 1500
        await store.close()

    asyncio.run(go())
