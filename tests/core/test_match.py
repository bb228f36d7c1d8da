"""Matches of Sealed Tender (see tender.py), which asks more of the core than open play does."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplan.core.deal import opens
from openplan.core.game import (
    OPEN,
    GameError,
    Illegal,
    NotYourTurn,
    Over,
    Seat,
    Stale,
    Unreadable,
    Viewer,
)
from openplan.core.log import Entry, Reversal
from openplan.core.match import Match
from tests.core.tender import CONTRACTS, DECK, GAME, A, B, C

VIEWERS: tuple[Viewer, ...] = (OPEN, None, A, B, C)
DEAL = {
    "hand A": ("b1", "b5", "b9"),
    "hand B": ("b2", "b4", "b8"),
    "hand C": ("b3", "b6", "b7"),
    "contracts": CONTRACTS,
    "nothing": (),
}
SALT = "0f" * 32


def new(**more: Any) -> Match:
    return Match.from_deal(GAME, DECK, None, DEAL, SALT, **more)


def texts(match: Match, viewer: Viewer) -> list[str]:
    return [entry.written for _, entry in match.told(viewer)]


def refused(
    kind: type[GameError], code: str, call: Callable[..., object], *given: Any, **named: Any
) -> GameError:
    with pytest.raises(kind) as caught:
        call(*given, **named)
    assert caught.value.code == code
    assert type(caught.value) is kind
    return caught.value


def everything(match: Match) -> object:
    """All that can be asked of a match, as it is now."""
    return deepcopy(
        (
            match.log,
            match.happenings,
            match.names,
            match.state,
            match.paused,
            match.outcome,
            match.to_act,
            match.awaited,
            [(match.view(viewer), match.told(viewer), match.version(viewer)) for viewer in VIEWERS],
        )
    )


# -- Beginnings ------------------------------------------------------------------------------


def test_a_new_match_has_a_secure_deal_with_a_commitment_that_opens() -> None:
    first, second = Match.start(GAME, DECK), Match.start(GAME, DECK)
    assert first.deal is not None
    assert (first.salt, first.commitment) != (second.salt, second.commitment)
    assert re.fullmatch("[0-9a-f]{64}", first.salt)
    assert opens(first.commitment, first.salt, first.deal)
    assert first.names == ["A", "B", "C"]
    assert first.house == {"chatter": "yes", "asking": "yes"}


def test_a_seeded_chance_gives_the_same_match_again() -> None:
    first = Match.start(GAME, DECK, chance=Random(7))
    assert everything(first) == everything(Match.start(GAME, DECK, chance=Random(7)))
    assert first.commitment == Match.start(GAME, DECK, chance=Random(7)).commitment
    assert first.commitment != Match.start(GAME, DECK, chance=Random(8)).commitment
    assert first.deal == GAME.deal(DECK, first.house, Random(7))


def test_house_rules_are_completed_and_checked() -> None:
    match = Match.start(GAME, DECK, {"asking": "no"}, chance=Random(1))
    assert list(match.house.items()) == [("chatter", "yes"), ("asking", "no")]
    refused(Illegal, "house-rule", Match.start, GAME, DECK, {"smoking": "yes"})
    error = refused(Illegal, "house-rule", Match.start, GAME, DECK, {"asking": "maybe"})
    assert "yes, no" in error.reason
    assert error.clause == "ST-3"


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
    assert (error.clause, error.params) == ("ST-4", {"bid": "b2"})


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


def test_nothing_follows_the_end() -> None:
    for kind, seat, text in [
        ("resign", A, ""),
        ("flag", A, ""),
        ("draw", None, ""),
        ("deadline", None, ""),
        ("seat", A, "Ann"),
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


# -- Going back ------------------------------------------------------------------------------


def test_a_move_is_taken_back_and_nothing_is_deleted() -> None:
    match = new()
    match.submit(A, "bid b5")
    match.submit(A, "bid b9")
    match.enter("take-back", A, "2")
    assert match.view(A).sealed == ("b5", "", "")
    match.submit(A, "chat oh")
    match.enter("take-back", A, "1")
    assert match.view(A) == new().view(A)
    assert texts(match, A) == ["bid b5", "bid b9", "take-back 2", "chat oh", "take-back 1"]
    refused(Illegal, "not-yours", match.enter, "take-back", A, "1")


def test_a_take_back_stops_at_what_was_revealed_or_done_by_another() -> None:
    match = new()
    match.submit(A, "chat hello")
    match.submit(A, "ask")
    refused(Illegal, "reveals", match.enter, "take-back", A, "1")
    refused(Illegal, "reveals", match.enter, "take-back", A, "2")
    match.submit(A, "chat well")
    match.submit(B, "chat what")
    refused(Illegal, "reveals", match.enter, "take-back", A, "3")
    refused(Illegal, "not-yours", match.enter, "take-back", A, "4")
    match.enter("take-back", B, "4")
    match.enter("take-back", A, "3")
    match.submit(A, "chat bye")
    match.enter("resign", B)
    refused(Illegal, "reveals", match.enter, "take-back", A, "7")


def test_names_and_pauses_do_not_stand_in_the_way_of_a_take_back() -> None:
    match = new()
    match.submit(A, "bid b5")
    match.enter("seat", B, "Bill")
    match.enter("pause", None)
    match.enter("resume", None)
    match.enter("take-back", A, "1")
    assert match.names[B] == "Bill"
    assert match.view(A).sealed == ("", "", "")


def test_a_take_back_neither_undoes_nor_betrays_the_sealed_bids_of_others() -> None:
    match = new()
    match.submit(A, "bid b5")
    match.submit(B, "bid b4")
    match.submit(A, "bid b9")
    happening = match.enter("take-back", A, "1")
    assert match.view(B).sealed == ("", "b4", "")
    assert match.awaited == {A, C}
    assert texts(match, B) == ["bid b4"]
    assert texts(match, None) == texts(match, C) == []
    assert texts(match, A) == ["bid b5", "bid b9", "take-back 1"]
    assert isinstance(happening, Reversal)
    assert happening.text_for(None) is None
    assert happening.text_for(OPEN) == "take-back 1"


def test_a_take_back_is_named_by_each_viewers_own_numbers() -> None:
    match = new()
    match.submit(B, "bid b4")
    match.submit(C, "bid b3")
    match.submit(A, "chat hello")
    happening = match.enter("take-back", A, str(match.number_in_log(A, 1)))
    assert texts(match, OPEN)[-1] == "take-back 3"
    assert texts(match, B)[-1] == texts(match, C)[-1] == "take-back 2"
    assert texts(match, A)[-1] == texts(match, None)[-1] == "take-back 1"
    # Whoever looks at the happening itself finds no number that counts hidden entries.
    assert happening.text == "take-back"
    assert match.view(B).sealed == ("", "b4", "")


def test_a_take_back_is_named_by_the_first_move_that_the_viewer_knows_of() -> None:
    match = new()
    match.submit(A, "bid b5")
    match.submit(B, "bid b4")
    match.submit(A, "chat hello")
    match.enter("take-back", A, "1")
    assert texts(match, B) == ["bid b4", "chat hello", "take-back 2"]
    assert texts(match, C) == ["chat hello", "take-back 1"]
    assert replayed(match, B).view(B) == match.view(B)


def test_a_roll_back_reaches_any_entry_also_one_no_longer_in_force() -> None:
    match = new()
    for seat, bid in ((A, "b5"), (B, "b4"), (C, "b7"), (A, "b9")):
        match.submit(seat, f"bid {bid}")
    table = everything(match.at(3))
    match.enter("roll-back", None, "2")
    assert match.view(OPEN).sealed[:3] == ("b5", "", "")
    assert match.view(None).won == ((), (), ())
    assert texts(match, B) == ["bid b4", "seals the last bid", "roll-back 1"]
    assert texts(match, None) == ["seals the last bid", "roll-back 1"]
    match.enter("roll-back", None, "4")
    assert match.view(None).won == ((), (), ("c1",))
    assert match.state == match.at(3).state
    assert everything(match.at(3)) == table
    match.enter("roll-back", None, "1")
    assert match.state == new().state
    assert match.ply == 7


def test_a_roll_back_is_told_only_where_it_changes_something() -> None:
    match = new()
    match.submit(A, "chat hello")
    match.submit(B, "bid b4")
    match.enter("roll-back", None, "2")
    assert texts(match, B) == ["chat hello", "bid b4", "roll-back 2"]
    for viewer in (None, A, C):
        assert texts(match, viewer) == ["chat hello"]
        assert match.version(viewer) == 1
    match.enter("roll-back", None, "1")
    for viewer in (None, A, C):
        assert texts(match, viewer) == ["chat hello", "roll-back 1"]


def test_a_roll_back_to_the_table_as_it_stands_is_refused() -> None:
    match = new()
    match.enter("seat", A, "Ann")
    refused(Illegal, "no-change", match.enter, "roll-back", None, "1")
    match.submit(A, "chat hello")
    match.enter("roll-back", None, "2")
    refused(Illegal, "no-change", match.enter, "roll-back", None, "2")


def test_a_roll_back_undoes_a_resignation_and_a_substitute_but_no_name() -> None:
    match = new()
    match.enter("resign", C)
    match.enter("seat", C, "Dora")
    match.enter("roll-back", None, "2")
    assert match.to_act == {A, B}
    assert match.names[C] == "Dora"
    match.enter("roll-back", None, "1")
    assert match.to_act == {A, B, C}


def test_an_entry_is_found_by_its_number_in_a_viewers_record() -> None:
    match = new()
    match.submit(A, "bid b5")
    match.submit(B, "chat hello")
    assert match.number_in_log(A, 2) == match.number_in_log(None, 1) == 2
    refused(Unreadable, "no-entry", match.number_in_log, None, 2)
    refused(Unreadable, "no-entry", match.number_in_log, None, 0)


# -- Replay ----------------------------------------------------------------------------------


def replayed(match: Match, viewer: Viewer = OPEN, entries: list[Entry] | None = None) -> Match:
    assert match.deal is not None
    told = [entry for _, entry in match.told(viewer)] if entries is None else entries
    eyes = match.eyes(viewer)
    return Match.replay(
        match.game,
        match.deck,
        match.house,
        told,
        deal=match.game.deal_told(match.deck, match.deal, eyes),
        salt=match.salt,
        commitment=match.commitment,
        names=match.first_names,
        viewer=eyes,
    )


def random_match(chance: Random, steps: int) -> Match:
    """Whatever may come in, in any order; what is refused changes nothing."""
    match = Match.start(GAME, DECK, chance=chance, names=["Ann", "Bob", "Cid"])
    others = [
        ("deadline", None),
        ("seat", C),
        ("pause", None),
        ("resume", None),
        *[("take-back", seat) for seat in (A, B, C)] * 2,
        *[("roll-back", None)] * 2,
        *[("flag", A), ("resign", B)] * (chance.random() < 0.3),
    ]
    for _ in range(steps):
        if match.outcome is not None:
            break
        before = everything(match)
        try:
            if match.to_act and chance.random() < 0.7:
                seat = chance.choice(sorted(match.to_act))
                move = chance.choice(GAME.moves(match.view(seat)))
                match.submit(seat, GAME.format_move(DECK, move), version=match.version(seat))
            else:
                kind, who = chance.choice(others)
                text = str(chance.randint(max(1, match.ply - 3), match.ply)) if match.ply else "1"
                match.enter(kind, who, text if kind.endswith("back") else "Dora" * (kind == "seat"))
        except GameError:
            assert everything(match) == before
        else:
            check_versions(before, match)
    return match


def check_versions(before: Any, match: Match) -> None:
    """A viewer's version changes exactly when its log does, and the view not without it."""
    for (view, told, version), viewer in zip(before[-1], VIEWERS, strict=True):
        assert (match.version(viewer) != version) == (match.told(viewer) != told)
        if match.version(viewer) == version:
            assert match.view(viewer) == view
        if match.outcome is None:
            assert match.told(viewer)[: len(told)] == told


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_replay_equals_live_for_every_viewer_at_every_ply(seed: int, steps: int) -> None:
    match = random_match(Random(seed), steps)
    assert everything(replayed(match)) == everything(match)
    middle = match.at(match.ply // 2)
    assert middle.log == match.log[: match.ply // 2]
    for viewer in (None, A, B, C):
        for moment in (middle, match):
            again = replayed(moment, viewer)
            assert again.view(viewer) == moment.view(viewer)
            assert again.told(viewer) == moment.told(viewer)
            assert again.version(viewer) == moment.version(viewer)
            assert again.names == moment.names


def test_a_replay_names_the_entry_that_does_not_fit() -> None:
    match = new()
    match.submit(A, "ask")
    match.submit(B, "chat hello")
    match.submit(A, "bid b5")
    for number, wrong, code in [
        (1, Entry("move", A, "ask", ("saw c3",)), "differs"),
        (1, Entry("move", A, "ask"), "differs"),
        (1, Entry("move", A, "Ask", ("saw c2",)), "differs"),
        (2, Entry("move", B, "bid b5"), "not-in-hand"),
        (2, Entry("move", B, "jump"), "unreadable"),
        (2, Entry("move", None, "chat hello"), "seat"),
        (3, Entry("resume", None), "not-paused"),
        (3, Entry("seat", B, " Bill"), "differs"),
        (3, Entry("seat", B, "Bill", ("fat",)), "differs"),
    ]:
        entries = list(match.log)
        entries[number - 1] = wrong
        with pytest.raises(GameError) as caught:
            replayed(match, entries=entries)
        assert caught.value.code == code
        assert caught.value.params["entry"] == number
        assert f"entry {number}: " in caught.value.reason
    refused(Unreadable, "no-deal", Match.replay, GAME, DECK, None, [])


def test_a_told_match_is_judged_from_its_viewer() -> None:
    match = new()
    match.submit(B, "bid b4")
    match.submit(C, "bid b3")
    match.submit(A, "ask")
    entries = [entry for _, entry in match.told(B)]
    for wrong, code in [
        (Entry("move", B, "bid b5"), "not-in-hand"),
        (Entry("move", A, "bid b5"), "not-in-hand"),
        (Entry("move", A, "seals the last bid"), "record"),
        (Entry("move", A, "seals the last bid", ("A bid b4",)), "differs"),
        (Entry("roll-back", None, "3"), "no-entry"),
        (Entry("take-back", A, "1"), "not-yours"),
        (Entry("take-back", A, "2"), "reveals"),
        (Entry("draw", None), "finished"),
    ]:
        with pytest.raises(GameError) as caught:
            replayed(match, B, [*entries, wrong])
        assert (caught.value.code, caught.value.params["entry"]) == (code, 3)


def test_what_cannot_have_happened_is_refused_also_of_another_seat() -> None:
    match = new()
    match.enter("deadline", None)
    match.enter("deadline", None)
    with pytest.raises(GameError) as caught:
        replayed(match, B, [*match.log, Entry("move", A, "ask")])
    assert (caught.value.code, caught.value.params["entry"]) == ("nothing-to-ask", 3)


def test_a_told_match_shows_its_viewer_and_only_reads() -> None:
    match = new()
    match.submit(A, "bid b5")
    told = replayed(match, B)
    assert told.view(B) == match.view(B)
    for viewer in (OPEN, None, A):
        refused(Illegal, "told", told.view, viewer)
        refused(Illegal, "told", told.told, viewer)
    refused(Illegal, "told", told.submit, B, "bid b2")
    refused(Illegal, "told", told.enter, "resign", B)


def test_a_match_is_known_at_every_ply() -> None:
    match = new(names=["Ann", "Bob", "Cid"])
    seen = [everything(match)]
    match.submit(A, "bid b5")
    seen.append(everything(match.at(1)))
    match.enter("seat", A, "Anna")
    match.enter("take-back", A, "1")
    for ply, then in enumerate(seen):
        assert everything(match.at(ply)) == then
    assert match.at(1).names == ["Ann", "Bob", "Cid"]
    assert [moment.ply for moment in match.walk()] == [0, 1, 2, 3]
    assert [moment.names[A] for moment in match.walk()] == ["Ann", "Ann", "Anna", "Anna"]
    refused(Unreadable, "no-entry", match.at, 4)
    refused(Unreadable, "no-entry", match.at, -1)
