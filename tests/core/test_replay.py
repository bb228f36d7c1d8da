"""Matches of Sealed Tender (see tender.py) rebuilt from their logs, whole or one viewer's."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplan.core.game import (
    OPEN,
    GameError,
    Illegal,
    Unreadable,
)
from openplan.core.log import Entry
from openplan.core.match import Match
from tests.core.matches import everything, new, random_match, refused, replayed
from tests.tender import DECK, GAME, A, B, C


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
