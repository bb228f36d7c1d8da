"""What a viewer cannot know is in no byte sent to it; and the test that shows it can fail."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from litestar import Response

from openplan.core.game import OPEN, GameError, Seat, Unreadable
from openplan.core.match import Match
from openplan.core.record import write_record
from openplan.server.http.routes import play as routes
from openplan.server.tables import (
    chat,
    choices,
    drafts,
    feeds,
    game_master,
    listing,
    looking_back,
    moves,
    overdue,
    press,
    reviews,
    turns,
    view_model,
)
from openplan.server.tables.access import FoundTable, find
from openplan.server.tables.timed_match import TimedMatch
from openplan.server.telling import words as telling_words
from tests.probes import games
from tests.server.running import VirtualClock, running
from tests.server.wire import Bench

# One server does for all of these.
pytestmark = pytest.mark.xdist_group("server-secrecy")

Plant = Callable[[pytest.MonkeyPatch], None]


@pytest.fixture(scope="module")
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Bench]]:
    clock = VirtualClock()
    with running(tmp_path_factory.mktemp("site"), now=clock) as server:
        yield [Bench(server, clock, game) for game in games()]


def compared(bench: Bench, seed: str, count: int) -> Iterator[list[str]]:
    """Outputs that tell two truths apart, for every viewer of so many matches."""
    for number in range(count):
        rng = Random(f"{bench.game.name} {seed} {number}")
        match = bench.some_match(rng, rng.randrange(2, 16))
        if match is not None:
            for viewer in bench.who():
                found = bench.differences(match, viewer, rng)
                if found is not None:
                    yield found


def test_two_truths_that_a_viewer_cannot_tell_apart_are_the_same_bytes(
    benches: list[Bench],
) -> None:
    for bench in benches:
        results = list(compared(bench, "wire", 5))
        assert len(results) > 5
        assert [found for found in results if found] == []


# -- Planted leaks ---------------------------------------------------------------------------


def secret_of(match: Match) -> int:
    return zlib.crc32(repr(match.deal).encode()) % 1_000_000


def changed_sight(change: Callable[[view_model.TableSight, Match], Any]) -> Plant:
    real = view_model._see

    def see(
        place: FoundTable, user: str | None, timed: TimedMatch | None, *more: Any
    ) -> view_model.TableSight:
        seen = real(place, user, timed, *more)
        if timed is not None:
            change(seen, timed.match)
        return seen

    return lambda patch: patch.setattr(view_model, "_see", see)


def swapped(where: object, name: str, fake: Callable[..., Any]) -> Plant:
    """`fake` gets the real function before its arguments."""
    real = getattr(where, name)
    return lambda patch: patch.setattr(where, name, lambda *a, **k: fake(real, *a, **k))


def all_eyes(real: Any, match: Match, viewer: Any) -> Any:
    return OPEN


def error_with_the_truth(real: Any, self: TimedMatch, *arguments: Any, **more: Any) -> Any:
    try:
        return real(self, *arguments, **more)
    except GameError as error:
        say_more(error, f" {secret_of(self.match)}")
        raise


def say_more(error: GameError, more: str) -> None:
    """In every language."""
    error.reason += more
    error._told = {language: told + more for language, told in error._told.items()}


def spectator_in_a_seat(real: Any, place: Any, *more: Any) -> Any:
    return real(place if place.seat is not None else place._replace(seat=Seat(0)), *more)


def told_from_the_log(real: Any, match: Match, viewer: Any, since: int, *more: Any) -> Any:
    return [view_model.Told(n, entry.written) for n, entry in enumerate(match.log, 1) if n > since]


def told_all_facts(real: Any, match: Match, viewer: Any, since: int, *more: Any) -> Any:
    return [
        view_model.Told(n, f"{entry.written} {entry.facts}") for n, entry in enumerate(match.log, 1)
    ]


def events_of_everybody(real: Any, match: Match, viewer: Any, since: int = 0) -> Any:
    seen = match.eyes(viewer)
    told = [
        tuple(event.seen_by(OPEN) for event in happening.events)
        for happening in match.happenings
        if happening.text_for(seen) is not None
    ]
    return told[since:]


def early_opening(real: Any, match: Match) -> Any:
    deal = {label: list(cards) for label, cards in (match.deal or {}).items()}
    return msgspec.structs.replace(real(match), deal=deal)


def any_viewpoint(real: Any, place: FoundTable, match: Match, name: str) -> Any:
    return OPEN


def options_with_a_hint(real: Any, match: Match, seat: Any, steps: Any) -> Any:
    found = real(match, seat, steps)
    hint = choices.StepSight("hint", str(secret_of(match)))
    return msgspec.structs.replace(found, next=[*found.next, hint])


def verdict_with_the_truth(real: Any, match: Match, *more: Any) -> Any:
    return msgspec.structs.replace(real(match, *more), reason=str(secret_of(match)))


def events_unmasked(real: Any, *arguments: Any, **more: Any) -> Any:
    answer = real(*arguments, **more)
    place, cache = arguments[2], arguments[1]
    timed = cache._matches[place.id]
    return {**answer, "facts": [str(secret_of(timed.match))]}


def frame_only(real: Any, tx: Any, cache: Any, place: Any, *more: Any) -> Any:
    seen, told = real(tx, cache, place, *more)
    with cache.timed(tx, place.row) as timed:
        return seen, [*told, view_model.Told(0, str(secret_of(timed.match)))]


def turn_with_all_waits(real: Any, tx: Any, place: FoundTable, timed: TimedMatch) -> Any:
    turn = real(tx, place, timed)
    kept = turns.current(tx, place, timed)
    if turn is not None and kept is not None:
        turn.waits = bool(kept.waits)
    return turn


def turn_with_all_orders(real: Any, tx: Any, place: FoundTable, timed: TimedMatch) -> Any:
    turn = real(tx, place, timed)
    kept = turns.current(tx, place, timed)
    if turn is not None and kept is not None:
        turn.orders = [kept.state_of(Seat(seat.seat)) for seat in place.seats]
    return turn


def turn_moved_by_orders(real: Any, tx: Any, place: FoundTable, timed: TimedMatch) -> Any:
    turn = real(tx, place, timed)
    if turn is not None:
        turn.due_at += secret_of(timed.match)
    return turn


def turn_counting_the_missing(real: Any, tx: Any, place: FoundTable, timed: TimedMatch) -> Any:
    turn = real(tx, place, timed)
    if turn is not None:
        turn.number += secret_of(timed.match) % 7
    return turn


def audit_with_orders(real: Any, tx: Any, person: Any, table: str) -> Any:
    deal = tx.row(str, "SELECT deal FROM tables WHERE id = ?", table)
    return [*real(tx, person, table), game_master.AuditLine("hold", None, {"why": deal}, 0)]


def press_with_orders(real: Any, tx: Any, cache: Any, place: FoundTable, user: Any) -> Any:
    text = str(zlib.crc32((place.row.deal or "").encode()))
    return [*real(tx, cache, place, user), press.PressLine(1, None, "", [], text, False, False, 0)]


def seat_of_anybody(real: Any, place: FoundTable, user: Any, code: str = "") -> Any:
    found = real(place, user, code)
    if code not in place.game.seats:
        return found
    seat = Seat(place.game.seats.index(code))
    return found._replace(seat=seat, own=(*found.own, seat))


def preview_of_the_truth(real: Any, match: Match, *more: Any) -> Any:
    return msgspec.structs.replace(real(match, *more), points=secret_of(match))


def number_that_counts(real: Any, match: Match, viewer: Any, number: int) -> Any:
    try:
        return real(match, viewer, number)
    except Unreadable as error:
        say_more(error, f" of {secret_of(match)}")
        raise


def notes_that_know(real: Any, tx: Any, person: Any, table: str) -> Any:
    deal = tx.row(str, "SELECT deal FROM tables WHERE id = ?", table)
    return f"{real(tx, person, table)}{zlib.crc32(deal.encode())}"


def draft_of_anybody(real: Any, tx: Any, person: Any, place: str) -> Any:
    of_all = "SELECT text, at FROM drafts WHERE table_id = ? ORDER BY user_id LIMIT 1"
    return tx.row(drafts.Draft, of_all, place.partition(" ")[0]) or real(tx, person, place)


def moment_of_how_many(real: Any, match: Match, *more: Any) -> Any:
    return msgspec.structs.replace(real(match, *more), of=secret_of(match))


def keys_in_hidden_order(seen: view_model.TableSight, match: Match) -> None:
    names = list(seen.view or {})
    Random(secret_of(match)).shuffle(names)
    view = {name: (seen.view or {})[name] for name in names}
    msgspec.structs.force_setattr(seen, "view", view)


def early_outcome(seen: view_model.TableSight, match: Match) -> None:
    msgspec.structs.force_setattr(seen, "outcome", {"by": secret_of(match)})


def tag_in_a_header(patch: pytest.MonkeyPatch) -> None:
    secrets: list[int] = []
    write = write_record

    def write_and_keep(match: Match, *more: Any) -> str:
        secrets.append(secret_of(match))
        return write(match, *more)

    def respond_with_tag(*arguments: Any, headers: dict[str, str], **more: Any) -> Any:
        return Response(*arguments, headers={**headers, "ETag": str(secrets[-1])}, **more)

    patch.setattr(routes, "write_record", write_and_keep)
    patch.setattr(routes, "Response", respond_with_tag)


def named_by_the_deal(real: Any, tx: Any, here: FoundTable) -> Any:
    return real(tx, here) | {"name": zlib.crc32((here.row.deal or "").encode())}


def event_with_the_truth(real: Any, tx: Any, cache: Any, here: FoundTable, *more: Any) -> Any:
    return [*real(tx, cache, here, *more), f"COMMENT:{zlib.crc32((here.row.deal or '').encode())}"]


def feed_with_the_truth(real: Any, tx: Any, cache: Any, table: str, *more: Any) -> Any:
    deal = tx.row(str, "SELECT deal FROM tables WHERE id = ?", table)
    return f"{real(tx, cache, table, *more)}<!-- {zlib.crc32(deal.encode())} -->"


def mistakes_at_any_table(real: Any, tx: Any, person: Any, now: int) -> Any:
    select = "SELECT table_id, entry, cost FROM review_mistakes ORDER BY entry"
    return [
        looking_back.Mistake(table, entry, "", "", cost, [], "")
        for table, entry, cost in tx.rows(tuple[str, int, float], select)
    ]


def refusal_that_knows(real: Any, tx: Any, table: str, *more: Any, **lock: Any) -> Any:
    try:
        return real(tx, table, *more, **lock)
    except GameError as error:
        deal = tx.row(str, "SELECT deal FROM tables WHERE id = ?", table)
        say_more(error, f" {zlib.crc32(deal.encode())}")
        raise


LEAKS: dict[str, Plant] = {
    "everybody looks with open eyes": swapped(Match, "eyes", all_eyes),
    "version from the deal": swapped(Match, "version", lambda real, m, v: secret_of(m)),
    "record of everything": swapped(routes, "write_record", lambda real, m, v: real(m, OPEN)),
    "log as it was entered": swapped(view_model, "told", told_from_the_log),
    "facts of everybody": swapped(view_model, "told", told_all_facts),
    "events of everybody": swapped(Match, "events_told", events_of_everybody),
    "opening before the end": swapped(view_model, "verification", early_opening),
    "any viewpoint for anybody": swapped(view_model, "viewpoint", any_viewpoint),
    "replay with open eyes": swapped(
        view_model, "moment", lambda real, m, v, n, *more: real(m, OPEN, n, *more)
    ),
    "errors that know": swapped(TimedMatch, "move", error_with_the_truth),
    "a spectator in a seat": swapped(view_model, "_see", spectator_in_a_seat),
    "a tag of the state": changed_sight(lambda s, m: s.deck.update(tag=str(secret_of(m)))),
    "a clock that knows": changed_sight(
        lambda s, m: s.clocks.append(view_model.ClockSight("A", secret_of(m), None))
    ),
    "names that know": changed_sight(lambda s, m: setattr(s.seats[0], "name", f"{secret_of(m)}")),
    "size of the answer": changed_sight(
        lambda s, m: s.deck.update(padding=" " * (secret_of(m) % 50))
    ),
    "offers in hidden order": changed_sight(
        lambda s, m: s.offers.append(view_model.OfferSight("draw", [], secret_of(m)))
    ),
    "options with a hint": swapped(choices, "options", options_with_a_hint),
    "a verdict that knows": swapped(choices, "why", verdict_with_the_truth),
    "an answer that knows": swapped(moves, "play", events_unmasked),
    "who is late": swapped(overdue, "late_told", lambda real, place, timed, turn: turn.late),
    "who waits": swapped(view_model, "_turn", turn_with_all_waits),
    "who is ready": swapped(view_model, "_turn", turn_with_all_orders),
    "a deadline that knows": swapped(view_model, "_turn", turn_moved_by_orders),
    "how many are missing": swapped(view_model, "_turn", turn_counting_the_missing),
    "an audit log that knows": swapped(game_master, "audit_of", audit_with_orders),
    "a preview for players": swapped(
        game_master, "_find_judging", lambda real, *a: game_master._find(*a)
    ),
    "press that knows": swapped(press, "read", press_with_orders),
    "a seat for whoever names it": swapped(FoundTable, "found_by", seat_of_anybody),
    "a preview of the truth": swapped(choices, "preview", preview_of_the_truth),
    "a number that counts": swapped(Match, "number_in_log", number_that_counts),
    "a list of who is missing": swapped(listing, "knows_missing", lambda real, *a: True),
    "a draft of somebody else": swapped(drafts, "_read", draft_of_anybody),
    "notes that know": swapped(chat, "notes", notes_that_know),
    "how many moments": swapped(view_model, "moment", moment_of_how_many),
    "keys in hidden order": changed_sight(keys_in_hidden_order),
    "a tag in a header": tag_in_a_header,
    "turns that know": changed_sight(lambda s, m: s.to_act.append(str(secret_of(m)))),
    "an early outcome": changed_sight(early_outcome),
    "a push that knows": swapped(telling_words, "_known", named_by_the_deal),
    "a calendar that knows": swapped(feeds, "_event", event_with_the_truth),
    "a feed that knows": swapped(feeds, "feed", feed_with_the_truth),
    "a review of a match that goes on": swapped(
        reviews, "find_over", lambda real, tx, table, who, *more, **lock: find(tx, table, who)
    ),
    "positions to learn from, early": swapped(looking_back, "mistakes", mistakes_at_any_table),
    "a refusal of a review that knows": swapped(reviews, "find_over", refusal_that_knows),
    "only the frames": swapped(view_model, "see_with_told", frame_only),
}


@pytest.mark.parametrize("leak", LEAKS, ids=lambda name: name.replace(" ", "-"))
def test_a_planted_leak_is_caught(
    leak: str, benches: list[Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    LEAKS[leak](monkeypatch)
    assert any(found for bench in benches for found in compared(bench, "leak", 12))
