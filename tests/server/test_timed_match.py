"""Clocks and deadlines, by a virtual clock: what falls due is entered once, whoever notices."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from openplan.core.deal import seeded
from openplan.core.game import GameError, Illegal, Seat
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.decks import load_deck
from openplan.server.clock import DAY, SECOND
from openplan.server.tables.options import ClockRule, checked_clock
from openplan.server.tables.timed_match import (
    Flag,
    Outage,
    TimedMatch,
)
from tests import tender
from tests.probes import probe_of
from tests.server.running import Running, VirtualClock, running

GAME = game_named("human-resources")
LIVE = {"kind": "live", "bank": 60, "increment": 5}


def office(rule: ClockRule, at: int = 0) -> TimedMatch:
    return TimedMatch(Match.start(GAME, load_deck(GAME), secret=seeded(4)), rule, at)


def some_move(timed: TimedMatch) -> tuple[Seat, str]:
    match = timed.match
    (seat,) = match.to_act
    return seat, GAME.format_move(match.deck, GAME.moves(match.view(seat))[0])


def test_a_bank_runs_down_and_grows_by_the_increment() -> None:
    timed = office(ClockRule("live", bank=60, increment=5))
    seat, move = some_move(timed)
    assert timed.flag() == Flag(60 * SECOND, seat)
    timed.move(seat, move, None, 20 * SECOND)
    assert timed.left[seat] == 45 * SECOND
    assert timed.left[1 - seat] == 60 * SECOND


def test_a_pause_stops_the_clock_and_a_clock_set_back_takes_nothing() -> None:
    timed = office(ClockRule("live", bank=60), at=100 * SECOND)
    seat, _ = some_move(timed)
    timed.enter("pause", None, "", 110 * SECOND)
    assert timed.flag() is None
    timed.enter("resume", None, "", 9_000 * SECOND)
    assert timed.left[seat] == 50 * SECOND
    assert timed.flag() is not None
    timed.move(*some_move(timed), None, 50 * SECOND)
    assert timed.left[seat] == 50 * SECOND
    assert timed.at == 9_000 * SECOND


def test_time_in_which_nobody_could_play_is_taken_from_nobody() -> None:
    outages = [Outage(10 * SECOND, 40 * SECOND), Outage(45 * SECOND, 46 * SECOND)]
    match = Match.start(GAME, load_deck(GAME), secret=seeded(4))
    timed = TimedMatch(match, ClockRule("live", bank=60), 20 * SECOND, outages)
    seat, move = some_move(timed)
    assert timed.flag() == Flag(101 * SECOND, seat)
    timed.move(seat, move, None, 50 * SECOND)
    assert timed.left[seat] == 51 * SECOND
    assert timed.after(0, 5 * SECOND) == 5 * SECOND
    assert timed.after(0, 20 * SECOND) == 51 * SECOND


def test_a_turn_begins_with_a_move_that_stands() -> None:
    timed = office(ClockRule("days", days=3))
    assert timed.stretch == (0, 1, 0)
    seat, move = some_move(timed)
    timed.move(seat, move, None, DAY)
    assert timed.stretch == (1, 2, DAY)
    timed.enter("roll-back", None, "1", 2 * DAY)
    assert timed.stretch == (2, 1, 2 * DAY)


def test_a_move_taken_back_has_begun_nothing() -> None:
    rng = Random(4)
    for _ in range(300):
        timed = office(ClockRule("days", days=3))
        for _ in range(20):
            before = timed.stretch
            seat, move = probe_of(GAME).random_move(GAME, timed.match, rng)
            timed.move(seat, move, None, timed.at + DAY)
            try:
                timed.enter("take-back", seat, str(timed.match.ply), timed.at + DAY)
            except GameError:
                continue
            assert timed.stretch == before
            return
    raise AssertionError("no move could be taken back")


def test_a_sealed_order_begins_no_turn() -> None:
    timed = TimedMatch(
        Match.start(tender.GAME, tender.DECK, secret=seeded(1)), ClockRule("days", days=2), 0
    )
    assert tender.GAME.sealed
    hand = timed.match.view(Seat(0)).hand
    timed.move(Seat(0), f"bid {hand[0]}", None, DAY)
    assert timed.stretch == (0, 1, 0)
    timed.enter("deadline", None, "", 2 * DAY)
    assert timed.stretch == (2, 2, 2 * DAY)
    timed.enter("pause", None, "", 3 * DAY)
    timed.enter("resume", None, "", 4 * DAY)
    assert timed.stretch == (4, 2, 4 * DAY)


@pytest.mark.parametrize(
    "rule",
    [
        ClockRule("live", bank=5),
        ClockRule("live", bank=60, days=1),
        ClockRule("days"),
        ClockRule("days", days=61),
        ClockRule("none", bank=1),
        ClockRule("days", days=2, zone="UTC"),
        ClockRule("days", days=2, grace=721),
        ClockRule("days", days=2, vacation=61),
        ClockRule("schedule"),
        ClockRule("schedule", time="18:00", zone="UTC"),
        ClockRule("schedule", time="18:00", zone="Europe/Nowhere", weekdays=("mon",)),
        ClockRule("schedule", time="18:00", zone="UTC", weekdays=("mon",), least=24, most=12),
        ClockRule("schedule", time="18:00", zone="UTC", weekdays=("mon",), bank=10),
    ],
)
def test_rules_that_make_no_sense_are_refused(rule: ClockRule) -> None:
    with pytest.raises(Illegal):
        checked_clock(rule, GAME)


def test_sealed_orders_have_no_live_clock() -> None:
    with pytest.raises(Illegal, match="sealed orders"):
        checked_clock(ClockRule("live", bank=60), tender.GAME)


# -- Through the server ----------------------------------------------------------------------


def new_table(server: Running, clock: dict[str, Any]) -> tuple[Any, Any, str]:
    ann, bob = server.client("Ann"), server.client("Bob")
    wish = {"game": "human-resources", "public": True, "clock": clock}
    at = f"/api/tables/{ann.ok('POST', '/api/tables', wish)['id']}"
    bob.ok("POST", f"{at}/join", {})
    return ann, bob, at


def test_a_flag_falls_once(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, _, at = new_table(server, LIVE)
        clock.go_on(59.9)
        assert server.run(server.site.look_at_clocks()) == 0
        assert ann.ok("GET", at)["state"] == "playing"
        clock.go_on(0.1)
        # The server's own look may come first; together they enter one flag.
        server.run(server.site.look_at_clocks())
        table = at.rsplit("/", 1)[1]
        for _ in range(3):
            server.run(server.site.expire(table))
        seen = ann.ok("GET", at)
        assert seen["state"] == "over"
        assert seen["outcome"]["reason"] == "flag"
        assert len(ann.ok("GET", f"{at}/log")["entries"]) == 1


def test_a_match_that_does_not_replay_is_held_when_its_clock_is_looked_at(
    tmp_path: Path, store_url: str
) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        (ann, bob, broken), (_, _, other) = new_table(server, LIVE), new_table(server, LIVE)
        table, site = broken.rsplit("/", 1)[1], server.site
        (code,) = ann.ok("GET", broken)["to_act"]
        mover = {"A": ann, "B": bob}[code]
        mover.play(table, mover.some_move(table, Random(1)), 0, "one")
        spoil = "UPDATE entries SET text = 'nonsense' WHERE table_id = ?"
        server.run(site.store.transact(lambda tx: tx.execute(spoil, table)))
        for cache in (site.writers, site.readers):
            cache.forget(table)
        clock.go_on(120)
        for at in (broken, other):
            server.run(site.expire(at.rsplit("/", 1)[1]))
        assert ann.ok("GET", broken)["state"] == "held"
        assert ann.ok("GET", other)["outcome"]["reason"] == "flag"


def test_a_move_that_comes_too_late_finds_the_flag_fallen(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, bob, at = new_table(server, LIVE)
        people = {"A": ann, "B": bob}
        (code,) = ann.ok("GET", at)["to_act"]
        move = people[code].some_move(at.rsplit("/", 1)[1], Random(1))
        clock.go_on(61)
        body = {"move": move, "version": 0, "submission": "late"}
        status, reason = people[code].refused("POST", f"{at}/moves", body)
        assert status == 409
        assert reason in ("time-is-up", "over")
        assert ann.ok("GET", at)["outcome"]["reason"] == "flag"


def test_a_deadline_moves_by_the_time_without_a_server(tmp_path: Path, store_url: str) -> None:
    clock = VirtualClock()
    with running(tmp_path, database=store_url, now=clock) as server:
        ann, _, at = new_table(server, {"kind": "days", "days": 2})
        (shown,) = ann.ok("GET", at)["clocks"]
        due = clock.at + 2 * DAY
        assert shown["due"] == due
        clock.go_on(86_400)
    clock.go_on(3 * 86_400)
    with running(tmp_path, database=store_url, now=clock) as server:
        again = server.client()
        assert again.ok("GET", at)["clocks"][0]["due"] == due + 3 * DAY
        clock.go_on(86_399)
        server.run(server.site.look_at_clocks())
        assert again.ok("GET", at)["state"] == "playing"
        clock.go_on(10)
        server.run(server.site.look_at_clocks())
        # The server's own look may have claimed it and not entered it yet.
        server.run(server.site.expire(at.rsplit("/", 1)[1]))
        assert again.ok("GET", at)["outcome"]["reason"] == "flag"
