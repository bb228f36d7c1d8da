"""Take-backs and roll-backs in matches of Sealed Tender (see tender.py)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import pytest

from openplan.core import log
from openplan.core.game import OPEN, Happening, Illegal, Unreadable
from openplan.core.log import Entry, Reversal
from openplan.core.match import Match
from tests.core.matches import everything, new, refused, replayed, texts
from tests.tender import A, B, C

BIDS = ("bid b1", "bid b5", "bid b9")


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


def test_going_back_in_a_long_log_carries_out_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often somebody goes back, to and fro or onto what is no longer in force, the log is
    not played anew each time."""
    carried: list[int] = []
    real = Match._carry_out

    def counting(self: Match, table: Any, entry: Entry, move: Any = None) -> Happening:
        if self is match:
            carried[-1] += 1
        return real(self, table, entry, move)

    match, states = new(), [new().state]
    for number in range(400):
        match.submit(A, BIDS[number % 3])
        states.append(deepcopy(match.state))
    monkeypatch.setattr(Match, "_carry_out", counting)
    targets = [400, 10, 396, 200, 390, 3, 250, 388] * 4
    for place, number in enumerate(targets):
        carried.append(0)
        # Onto an end that is no longer in force, and into its middle.
        match.enter("roll-back", None, str(number))
        assert match.state == states[number - 1]
        if place % 2:
            carried.append(0)
            match.submit(A, "bid b5")
            match.enter("take-back", A, str(match.ply))
            carried[-1] -= 1  # the bid itself
    assert carried[0] >= 300  # once, the first time
    assert max(carried[1:]) <= 16, carried


def test_a_take_back_looks_at_what_it_takes_back_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a viewer is told of it is found from where the two tables part."""
    match = new()
    for number in range(400):
        match.submit(A, BIDS[number % 3])
    walked: list[int] = []
    real = log._is_in

    def counting(numbers: Sequence[int], number: int) -> bool:
        walked.append(number)
        return real(numbers, number)

    monkeypatch.setattr(log, "_is_in", counting)
    for _ in range(5):
        match.enter("take-back", A, str(match.ply))
        match.submit(A, "bid b5")
    assert 5 <= len(walked) <= 50
