"""Matches of Sealed Tender (see tender.py), which asks more of the core than open play does."""

from __future__ import annotations

import re

import pytest

from openplan.core.deal import Chance, chance_lines, seal, seeded
from openplan.core.game import (
    OPEN,
    GameError,
    Illegal,
    NotYourTurn,
    Over,
    Seat,
    Stale,
    Unreadable,
)
from openplan.core.log import Entry
from openplan.core.match import Match
from tests.core.matches import DEAL, SALT, VIEWERS, everything, new, refused, texts
from tests.tender import DECK, GAME, A, B, C

# -- Beginnings ------------------------------------------------------------------------------


def test_a_new_match_has_a_secure_deal_with_a_commitment_that_opens() -> None:
    first, second = Match.start(GAME, DECK), Match.start(GAME, DECK)
    assert first.deal is not None
    assert (first.salt, first.commitment) != (second.salt, second.commitment)
    assert re.fullmatch("[0-9a-f]{64}", first.salt)
    assert first.commitment == seal(first.salt)
    assert first.added == ("none",) * 3
    assert first.names == ["A", "B", "C"]
    assert first.house == {"chatter": "yes", "asking": "yes"}


def test_a_seeded_chance_gives_the_same_match_again() -> None:
    first = Match.start(GAME, DECK, secret=seeded(7))
    assert everything(first) == everything(Match.start(GAME, DECK, secret=seeded(7)))
    assert first.commitment == Match.start(GAME, DECK, secret=seeded(7)).commitment
    assert first.commitment != Match.start(GAME, DECK, secret=seeded(8)).commitment
    lines = chance_lines(seeded(7), GAME.seats, ["none"] * 3)
    assert first.deal == GAME.deal(DECK, first.house, Chance(lines))


def test_what_a_seat_adds_changes_the_deal_and_not_the_seal() -> None:
    plain = Match.start(GAME, DECK, secret=seeded(7))
    added = ("none", "5a" * 32, "none")
    mixed = Match.start(GAME, DECK, secret=seeded(7), added=added)
    assert (mixed.commitment, mixed.added) == (plain.commitment, added)
    assert mixed.deal != plain.deal
    lines = chance_lines(seeded(7), GAME.seats, added)
    assert mixed.deal == GAME.deal(DECK, mixed.house, Chance(lines))


def test_chance_that_is_none_is_refused() -> None:
    for added in (["none"] * 2, ["none", "none", ""], ["none", "none", "5A" * 32], ["5a"] * 3):
        with pytest.raises(GameError):
            Match.start(GAME, DECK, added=added)
    with pytest.raises(GameError):
        Match.start(GAME, DECK, secret="short")


def test_a_recorded_deal_is_not_drawn_again() -> None:
    """How a deal is drawn may change; a match that began before keeps its own."""
    match = Match.from_deal(GAME, DECK, None, DEAL, SALT, added=["none"] * 3)
    assert match.deal == DEAL
    assert match.commitment == seal(SALT)


def test_house_rules_are_completed_and_checked() -> None:
    match = Match.start(GAME, DECK, {"asking": "no"}, secret=seeded(1))
    assert list(match.house.items()) == [("chatter", "yes"), ("asking", "no")]
    refused(Illegal, "house-rule", Match.start, GAME, DECK, {"smoking": "yes"})
    error = refused(Illegal, "house-rule", Match.start, GAME, DECK, {"asking": "maybe"})
    assert "yes, no" in error.reason
    assert error.clause == "ST-3.1"


def test_names_are_one_line_that_shows_what_it_says() -> None:
    assert new(names=[" Ann ", "B/ø -> x, y", "王小明 👩\u200d💻"]).names[0] == "Ann"
    for bad in (
        "",
        "  ",
        "x" * 61,
        "a\nb",
        "a\rb",
        "a\x00",
        "a\u2028b",
        "a\x85b",
        "a\u202eb",
        "\ud800",
    ):
        refused(Illegal, "name", new, names=["A", bad, "C"])
    refused(Illegal, "names", new, names=["A", "B"])


def test_a_deal_must_fit_its_commitment_and_hide_nothing() -> None:
    commitment = new().commitment
    assert new(commitment=commitment).commitment == commitment
    refused(Illegal, "commitment", new, commitment="0" * 64)
    refused(Unreadable, "salt", Match.from_deal, GAME, DECK, None, DEAL, "pepper")
    told = GAME.deal_told(DECK, DEAL, A)
    refused(Illegal, "deal", Match.from_deal, GAME, DECK, None, told, SALT)
    match = Match.from_deal(GAME, DECK, None, told, "", viewer=A, commitment=commitment)
    assert (match.salt, match.commitment) == ("", commitment)
    refused(
        Unreadable,
        "commitment",
        Match.from_deal,
        GAME,
        DECK,
        None,
        told,
        "",
        viewer=A,
        commitment="?",
    )


def test_a_position_brings_its_own_house_rules() -> None:
    position = {"hands": ["b1", "b2", "b3"], "asking": "no"}
    match = Match.from_position(GAME, DECK, None, position)
    assert match.house["asking"] == "no"
    assert match.deal is None
    assert match.commitment == ""
    match.submit(A, "bid b1")
    assert everything(match.at(1)) == everything(match)
    other = {"asking": "yes"}
    refused(Illegal, "house-rule", Match.from_position, GAME, DECK, other, position)


# -- Moves -----------------------------------------------------------------------------------


def test_a_move_is_written_in_the_notation_whatever_was_typed() -> None:
    match = new()
    happening = match.submit(A, "  BID   b5 ")
    assert happening.text_for(A) == "bid b5"
    assert match.log == [Entry("move", A, "bid b5")]
    assert match.happenings == [happening]
    assert match.ply == 1


def test_checks_come_in_order_and_change_nothing() -> None:
    match = new()
    match.submit(A, "chat hello")
    match.enter("pause", None)
    before = everything(match)
    refused(Unreadable, "unreadable", match.submit, A, "buy b1", version=0)
    refused(Unreadable, "no-seat", match.submit, Seat(3), "bid b1")
    refused(Unreadable, "no-seat", match.submit, OPEN, "bid b1")
    refused(Illegal, "paused", match.submit, A, "bid b2", version=0)
    assert everything(match) == before
    match.enter("resume", None)
    match.enter("resign", C)
    before = everything(match)
    refused(Stale, "stale", match.submit, C, "bid b2", version=3)
    refused(NotYourTurn, "not-your-turn", match.submit, C, "bid b2", version=4)
    refused(Illegal, "not-in-hand", match.submit, A, "bid b2", version=4)
    assert everything(match) == before
    match.enter("draw", None)
    refused(Over, "over", match.submit, A, "bid b2", version=0)
    refused(Unreadable, "unreadable", match.submit, A, "buy b2", version=0)


def test_a_refusal_says_why_with_clause_input_and_the_ply_the_seat_knows() -> None:
    match = new()
    match.submit(B, "bid b2")
    match.submit(C, "bid b3")
    match.submit(A, "chat hello")
    error = refused(Illegal, "not-in-hand", match.submit, A, "bid B2")
    # Two sealed bids that A has not been told of are not counted.
    assert error.reason == "b2 is not in your hand: 'bid B2' at ply 1"
    assert (error.clause, error.params) == ("ST-4.1", {"bid": "b2"})


def test_all_seats_may_send_at_once_and_none_is_stale() -> None:
    match = new()
    versions = {seat: match.version(seat) for seat in (A, B, C)}
    match.submit(B, "bid b2", version=versions[B])
    match.submit(C, "bid b3", version=versions[C])
    match.submit(A, "bid b1", version=versions[A])
    refused(Stale, "stale", match.submit, B, "bid b4", version=versions[B] + 1)


# -- What a viewer gets ----------------------------------------------------------------------


def test_a_sealed_bid_is_told_to_nobody_else() -> None:
    match = new()
    match.submit(B, "bid b2")
    for viewer in (None, A, C):
        assert match.told(viewer) == []
        assert match.version(viewer) == 0
        assert match.view(viewer) == new().view(viewer)
    assert texts(match, B) == texts(match, OPEN) == ["bid b2"]
    assert match.version(B) == 1
    assert match.awaited == {A, C}
    assert match.to_act == {A, B, C}


def test_the_last_bid_opens_all_of_them() -> None:
    match = new()
    match.submit(B, "bid b2")
    match.submit(C, "bid b7")
    match.submit(B, "bid b4")
    match.submit(A, "bid b5")
    facts = ("A bid b5", "B bid b4", "C bid b7", "next c2")
    for viewer in (None, C):
        assert match.told(viewer)[-1][1] == Entry("move", A, "seals the last bid", facts)
    assert match.told(None) == [(1, Entry("move", A, "seals the last bid", facts))]
    assert match.told(C)[0] == (1, Entry("move", C, "bid b7"))
    assert match.told(A) == [(1, Entry("move", A, "bid b5", facts))]
    assert [number for number, _ in match.told(B)] == [1, 2, 3]
    assert match.view(None).won == ((), (), ("c1",))


def test_a_fact_is_told_only_to_who_knows_it() -> None:
    match = new()
    match.submit(A, "ask")
    assert match.told(A) == [(1, Entry("move", A, "ask", ("saw c2",)))]
    assert match.told(B) == [(1, Entry("move", A, "ask"))]
    assert [event.fact for event in match.events_told(A)[0]] == ["saw c2"]
    assert [event.fact for event in match.events_told(B)[0]] == [None]
    assert match.view(A).contracts == ("c1", "c2")
    assert match.view(B).contracts == ("c1",)


def test_everything_is_open_once_the_match_is_over() -> None:
    match = new()
    match.submit(B, "bid b2")
    before = match.version(None)
    match.submit(A, "ask")
    match.enter("draw", None)
    for viewer in VIEWERS:
        assert match.told(viewer) == match.told(OPEN)
        assert match.view(viewer) == match.view(OPEN)
        assert match.version(viewer) == 3 > before
    assert texts(match, None) == ["bid b2", "ask", "draw"]


def test_only_seats_and_spectators_look() -> None:
    refused(Unreadable, "no-seat", new().view, Seat(3))
    refused(Unreadable, "no-seat", new().told, Seat(-2))


# -- Other entries ---------------------------------------------------------------------------


def test_a_deadline_carries_out_what_is_there() -> None:
    match = new()
    match.submit(C, "bid b7")
    happening = match.enter("deadline", None)
    facts = ("A bid nothing", "B bid nothing", "C bid b7", "next c2")
    assert happening.facts_for(None) == facts
    assert match.told(A) == [(1, Entry("deadline", None, "", facts))]
    assert match.view(None).won == ((), (), ("c1",))


def test_a_resigned_seat_is_awaited_no_longer_and_the_others_play_on() -> None:
    match = new()
    match.submit(A, "bid b1")
    match.submit(B, "bid b8")
    refused(Illegal, "awaited", match.enter, "adjudicate", None)
    match.enter("resign", C)
    # All who are left have sent their bids, so these are opened.
    assert [entry.kind for entry in match.log] == ["move", "move", "resign", "adjudicate"]
    assert match.to_act == match.awaited == {A, B}
    refused(NotYourTurn, "not-your-turn", match.submit, C, "bid b3")
    refused(Illegal, "withdrawn", match.enter, "resign", C)
    refused(Illegal, "withdrawn", match.enter, "flag", C)
    assert match.view(None).won == ((), ("c1",), ())
    match.enter("resign", A)
    assert match.outcome is not None
    assert match.outcome.winners == (B,)
    assert match.outcome.reason == "resign"
    assert match.to_act == match.awaited == frozenset()


def test_a_substitute_takes_the_seat_of_one_who_resigned() -> None:
    match = new(names=["Ann", "Bob", "Cid"])
    match.enter("resign", C)
    match.enter("seat", C, "Dora")
    assert match.names == ["Ann", "Bob", "Dora"]
    assert match.first_names == ("Ann", "Bob", "Cid")
    assert match.awaited == {A, B, C}
    match.submit(C, "bid b3")
    assert match.told(None) == [(1, Entry("resign", C)), (2, Entry("seat", C, "Dora"))]


def test_a_flag_falls_only_for_a_seat_that_is_awaited() -> None:
    match = new()
    match.submit(A, "bid b1")
    refused(NotYourTurn, "not-your-turn", match.enter, "flag", A)
    match.enter("flag", B)
    match.enter("flag", C)
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.reason) == ((A,), "flag")


def test_a_pause_stops_moves_and_clocks_but_not_people() -> None:
    match = new()
    match.submit(A, "chat hello")
    match.enter("pause", None)
    assert [match.paused, match.to_act, match.awaited] == [True, set(), set()]
    for kind, seat, text in [
        ("pause", None, ""),
        ("deadline", None, ""),
        ("flag", B, ""),
        ("take-back", A, "1"),
    ]:
        refused(Illegal, "paused", match.enter, kind, seat, text)
    match.enter("seat", B, "Bill")
    match.enter("roll-back", None, "1")
    assert match.to_act == frozenset()
    match.enter("resume", None)
    assert [match.paused, match.to_act] == [False, {A, B, C}]
    refused(Illegal, "not-paused", match.enter, "resume", None)


def test_orders_by_the_game_master_are_marked_for_all_and_can_be_taken_back() -> None:
    match = new()
    match.enter("by-master", B)
    match.submit(B, "bid b2")
    assert match.log[0] == Entry("by-master", B)
    assert [entry.written for _, entry in match.told(A)] == ["by-master"]
    assert [entry.written for _, entry in match.told(B)] == ["by-master", "bid b2"]
    match.enter("take-back", B, "2")
    assert [entry.written for _, entry in match.told(B)][-1] == "take-back 2"
    match.enter("resign", C)
    refused(NotYourTurn, "not-your-turn", match.enter, "by-master", C)
    refused(Unreadable, "seat", match.enter, "by-master", None)
    refused(Unreadable, "text", match.enter, "by-master", A, "x")


def test_nothing_follows_the_end() -> None:
    for kind, seat, text in [
        ("resign", A, ""),
        ("flag", A, ""),
        ("draw", None, ""),
        ("deadline", None, ""),
        ("seat", A, "Ann"),
        ("by-master", A, ""),
        ("pause", None, ""),
        ("resume", None, ""),
        ("take-back", A, "1"),
        ("roll-back", None, "1"),
    ]:
        match = new()
        match.submit(A, "chat hello")
        match.enter("draw", None)
        refused(Over, "over", match.enter, kind, seat, text)


@pytest.mark.parametrize(
    ("kind", "seat", "text", "code"),
    [
        ("move", A, "bid b1", "kind"),
        ("sulk", A, "", "kind"),
        ("resign", None, "", "seat"),
        ("draw", A, "", "seat"),
        ("roll-back", A, "1", "seat"),
        ("deadline", None, "now", "text"),
        ("resign", A, "in disgust", "text"),
        ("resign", Seat(9), "", "no-seat"),
        ("take-back", A, "", "no-entry"),
        ("take-back", A, "0", "no-entry"),
        ("take-back", A, "2", "no-entry"),
        ("take-back", A, "-1", "no-entry"),
        ("take-back", A, "1 ", "no-entry"),
        ("roll-back", None, "one", "no-entry"),
        ("roll-back", None, "\u0661", "no-entry"),
        ("roll-back", None, "9" * 5000, "no-entry"),
    ],
)
def test_a_malformed_entry_is_unreadable(kind: str, seat: Seat, text: str, code: str) -> None:
    match = new()
    match.submit(A, "chat hello")
    before = everything(match)
    refused(Unreadable, code, match.enter, kind, seat, text)
    assert everything(match) == before


def test_a_view_stays_as_long_as_its_viewer_is_told_of_nothing() -> None:
    """Whoever looks after another's sealed bid waits no longer for it than without the bid."""
    match = new()
    before = {viewer: match.view(viewer) for viewer in (None, B, C)}
    match.submit(A, "bid b5")
    match.submit(A, "bid b9")
    match.enter("take-back", A, "2")
    assert all(match.view(viewer) is view for viewer, view in before.items())
    match.submit(B, "bid b4")
    assert match.view(None) is before[None]
    assert match.view(B) is not before[B]
    match.submit(A, "chat hello")
    assert match.view(None) is not before[None]
