"""A turn's orders are sealed until all are in or the deadline comes (CF-3.1, CF-9)."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from openplan.core.deal import seeded
from openplan.core.game import OPEN, GameError, Illegal, NotYourTurn, Seat, Viewer
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import game_named
from openplan.decks import find_deck
from openplan.games.cube_farm.game import GAME
from openplan.games.cube_farm.state import square_of
from tests.games.cube_farm.compare import shipped_deck

S, P, T = Seat(0), Seat(1), Seat(2)
VIEWERS: tuple[Viewer, ...] = (None, S, P, T)


def new_match(show_sent: str = "no", seed: int = 1) -> Match:
    return Match.start(GAME, shipped_deck(), {"show-sent": show_sent}, secret=seeded(seed))


def first_card(match: Match, seat: Seat, part: str = "1") -> str:
    """A set that places something in one phase."""
    move = GAME.moves_of_part(match.view(seat), part)[0]
    return GAME.format_move(match.deck, move)


def seen(match: Match, viewer: Viewer) -> str:
    told = [match.version(viewer), [(n, e.written, e.facts) for n, e in match.told(viewer)]]
    return json.dumps([GAME.view_data(match.view(viewer)), told])


def test_orders_reach_nobody_else_before_the_turn_is_adjudicated() -> None:
    match = new_match()
    before = {viewer: seen(match, viewer) for viewer in VIEWERS}
    match.submit(P, first_card(match, P))
    for viewer in (None, S, T):
        assert seen(match, viewer) == before[viewer]
    assert seen(match, P) != before[P]
    assert match.to_act == {S, P, T}
    assert match.awaited == {S, T}


def test_the_table_may_show_who_has_sent() -> None:
    match, other = new_match("yes"), new_match("yes")
    match.submit(P, first_card(match, P))
    other.submit(P, "nothing")
    for viewer in (None, S, T):
        assert GAME.view_data(match.view(viewer))["sent"] == ["P"]
        assert seen(match, viewer) == seen(other, viewer)
    assert [entry.written for _, entry in match.told(None)] == ["sent"]


def test_a_later_set_replaces_the_earlier_one() -> None:
    match = new_match()
    match.submit(S, first_card(match, S))
    match.submit(S, "nothing")
    match.submit(P, "nothing")
    happening = match.submit(T, "nothing")
    assert "S orders nothing" in happening.facts_for(None)
    assert match.state.table.turn == 2


def test_a_set_taken_back_is_no_longer_there() -> None:
    match = new_match()
    first = first_card(match, S)
    match.submit(S, first)
    match.submit(S, "nothing")
    match.enter("take-back", S, "2")
    assert GAME.view_data(match.view(S))["orders"] == {"S": first}
    match.enter("take-back", S, "1")
    assert match.awaited == {S, P, T}


def test_the_last_to_come_opens_all_orders_for_everybody() -> None:
    match = new_match()
    sets = {seat: first_card(match, seat) for seat in (S, P, T)}
    happening = [match.submit(seat, text) for seat, text in sets.items()][-1]
    for viewer in VIEWERS:
        _, entry = match.told(viewer)[-1]
        assert (entry.seat, entry.written) == (None, "adjudicate")
        for seat, text in sets.items():
            assert f"{GAME.seats[seat]} orders {text}" in entry.facts
    dealt = [fact for fact in happening.facts_for(S) if fact.startswith("dealt")]
    assert "?" not in dealt[0]
    assert dealt[1:] == ["dealt P ? ? ?", "dealt T ? ? ?"]


def test_whose_orders_came_last_is_nobody_elses_to_know() -> None:
    told: dict[Viewer, set[str]] = {viewer: set() for viewer in VIEWERS}
    for order in permutations((S, P, T)):
        match = new_match()
        sets = {seat: first_card(match, seat) for seat in (S, P, T)}
        for seat in order:
            match.submit(seat, sets[seat])
        for viewer in VIEWERS:
            told[viewer].add(write_record(match, viewer))
    assert {viewer: len(records) for viewer, records in told.items()} == dict.fromkeys(VIEWERS, 1)


def test_a_deadline_carries_out_what_is_there() -> None:
    match = new_match()
    text = first_card(match, T)
    match.submit(T, text)
    happening = match.enter("deadline", None)
    assert {"S no orders", "P no orders", f"T orders {text}"} <= set(happening.facts_for(None))
    assert match.state.table.turn == 2
    for _ in range(4):
        match.enter("deadline", None)
    assert match.outcome is not None
    assert match.outcome.points == (0, 0, 0)
    assert match.outcome.winners == (S, P, T)
    assert read_record(write_record(match), game_named, find_deck).outcome == match.outcome


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("show_sent", ["no", "yes"])
def test_a_viewers_record_with_deadlines_and_withdrawals_reads_back(
    viewer: Viewer, show_sent: str
) -> None:
    match = new_match(show_sent)
    match.submit(T, first_card(match, T, "2"))
    match.submit(S, first_card(match, S, "3"))
    match.enter("deadline", None)
    match.submit(P, first_card(match, P))
    match.enter("resign", T)
    match.submit(S, "nothing")
    match.submit(S, first_card(match, S))
    text = write_record(match, viewer)
    again = read_record(text, game_named, find_deck)
    assert GAME.view_data(again.view(viewer)) == GAME.view_data(match.view(viewer))
    assert write_record(again, viewer) == text


def test_a_resigned_seat_places_nothing_and_the_others_play_on() -> None:
    match = new_match()
    match.submit(S, first_card(match, S))
    match.enter("resign", S)
    assert match.awaited == {P, T}
    with pytest.raises(NotYourTurn):
        match.submit(S, "nothing")
    match.submit(P, "nothing")
    happening = match.submit(T, "nothing")
    assert "S no orders" in happening.facts_for(None)
    match.enter("seat", S, "a substitute")
    assert match.awaited == {S, P, T}
    for seat in (S, P, T):
        match.enter("resign", seat)
    assert match.outcome is not None
    assert match.outcome.reason == "all-gone"


def test_when_those_awaited_have_left_the_orders_are_opened() -> None:
    match = new_match()
    match.submit(S, "nothing")
    match.submit(P, "nothing")
    match.enter("resign", T)
    assert match.log[-1].kind == "adjudicate"
    assert match.state.table.turn == 2


def test_what_is_certainly_wrong_is_refused_with_phase_and_clause() -> None:
    match = new_match()
    hand = GAME.view_data(match.view(S))["hands"]
    assert isinstance(hand, dict)
    mine, theirs = hand["S"][0], match.state.deck.name_of(match.state.table.hand_of(1)[0])
    for text, code, clause, phase in (
        (f"2: card {theirs} E3", "not-in-hand", "CF-3.4", 2),
        (f"1: card {mine} E3; 3: card {mine} E3", "named-twice", "CF-3.4", 3),
        (f"1: card {mine} E40", "never-possible", "CF-4.1", 1),
        ("3: employee N60", "never-possible", "CF-4.1", 3),
    ):
        with pytest.raises(Illegal) as caught:
            match.submit(S, text)
        assert (caught.value.code, caught.value.clause) == (code, clause)
        assert caught.value.params["phase"] == phase
    assert match.ply == 0


def test_too_far_depends_on_how_many_cards_come_before() -> None:
    """CF-4.1: in a later phase others have placed something on that floor."""
    match = new_match()
    view = match.view(S)
    card = view.deck.name_of(view.hands[0][0])
    reach = {}
    for phase in (1, 2, 3):
        far = 0
        for x in range(3, 30):
            move = GAME.parse_move(match.deck, f"{phase}: card {card} E{x}")
            if GAME.why_not(view, move) is None:
                far = x
        reach[phase] = far
    assert reach == {1: 3, 2: 6, 3: 9}


def test_what_may_be_lost_is_accepted_with_a_warning() -> None:
    match = new_match()
    view = match.view(S)
    card = view.deck.name_of(view.hands[0][0])
    floor = match.state.table.floor(0)
    square = next(s for s in floor.squares() if not floor.cube_squares(s))
    text = f"1: card {card} 0 employee {square_of(floor, square)}"
    move = GAME.parse_move(match.deck, text)
    assert GAME.why_not(view, move) is None
    warnings = GAME.warnings(view, move)
    assert [(warning.code, warning.clause) for warning in warnings] == [
        ("covered", "CF-4.1"),
        ("no-cube", "CF-5.1"),
    ]
    match.submit(S, text)


def test_a_forecast_uses_nothing_that_the_seat_cannot_know() -> None:
    """The same for every truth behind a view, also when others have sealed something."""
    match = new_match()
    text = first_card(match, S)
    move = GAME.parse_move(match.deck, text)
    before = GAME.preview(match.view(S), move)
    match.submit(P, first_card(match, P))
    match.submit(T, first_card(match, T, "2"))
    after = GAME.preview(match.view(S), move)
    assert GAME.view_data(before.view) == GAME.view_data(after.view)
    assert (before.events, before.points) == (after.events, after.points)


def test_a_lost_card_stays_in_hand_and_everybody_knows_it() -> None:
    match = new_match()
    card = match.state.deck.name_of(match.state.table.hand_of(0)[0])
    match.submit(S, f"1: card {card} 0")
    match.submit(P, "nothing")
    match.submit(T, "nothing")
    for viewer in VIEWERS:
        hands = GAME.view_data(match.view(viewer))["hands"]
        assert isinstance(hands, dict)
        assert card in hands["S"]
        if viewer != S:
            assert hands["S"].count("?") == 7
    history = GAME.view_data(match.view(None))["history"]
    assert isinstance(history, list)
    (lost,) = history[0]["results"]
    assert lost == {
        "seat": "S",
        "phase": 1,
        "floor": "top",
        "part": "card",
        "square": "0",
        "card": card,
        "turn": 0,
        "code": "covered",
        "clause": "CF-4.1",
        "at": ["0"],
        "by": "",
    }


def test_after_the_game_everything_is_open() -> None:
    match = new_match()
    for _ in range(5):
        match.enter("deadline", None)
    data = GAME.view_data(match.view(None))
    assert data == GAME.view_data(match.view(OPEN))
    assert isinstance(data["hands"], dict)
    assert all("?" not in hand for hand in data["hands"].values())
    with pytest.raises(GameError):
        match.enter("deadline", None)
