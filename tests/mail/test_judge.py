"""What becomes of a mail: who is heard, what is done, what is said of every line."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from openplan.core.game import Seat
from openplan.mail.commands.arguments import Recipients
from openplan.mail.commands.port import Bearer
from openplan.mail.inbound.tokens import Claim
from tests.mail.desk import FARM, HAND, OFFICE, Desk, token
from tests.mail.sending import judged, mail, rulings, say

GERT = token(FARM, "m")


@pytest.fixture
def desk() -> Desk:
    return Desk()


# -- Who is heard ----------------------------------------------------------------------------


def test_a_token_in_the_address_is_enough(desk: Desk) -> None:
    found = judged(mail(["1: card 23 N2"], token(), sender="elsewhere@example.com"), desk)
    assert desk.acts == [("submit", 0, "1: card 23 N2")]
    assert found.who is not None
    assert found.who.person == "sal"


def test_a_token_on_the_line_begin_is_enough_and_counts_before_the_address(desk: Desk) -> None:
    lines = [f"BEGIN {token(FARM, 's1').upper()}", "1: card 9 N2", "END"]
    found = judged(mail(lines, token(), wrapped=False), desk)
    assert found.who is not None
    assert found.who.person == "pat"
    assert desk.acts == [("submit", 1, "1: card 9 N2")]


def test_a_token_in_a_quotation_is_enough(desk: Desk) -> None:
    lines = ["BEGIN", "1: card 23 N2", "END", f"> BEGIN {token()}", "> END"]
    judged(mail(lines, wrapped=False), desk)
    assert len(desk.acts) == 1


def test_a_forged_sender_has_no_effect(desk: Desk) -> None:
    found = judged(mail(["1: card 23 N2", "WAIT", "RESIGN S", "STATUS"]), desk)
    assert desk.acts == []
    assert found.who is not None  # sal hears of it at the registered address
    assert [code for _, ruling, code in rulings(found)] == ["not-understood"] + [
        "no-orders-here"
    ] * 3


def test_a_stranger_is_not_answered(desk: Desk) -> None:
    found = judged(mail(["HELP"], sender="x@example.com"), desk)
    assert (found.who, found.silence) == (None, "stranger")


@pytest.mark.parametrize("change", [(-1, "0"), (-1, "1"), (4, "1"), (6, "2"), (0, "9")])
def test_a_changed_token_proves_nothing(desk: Desk, change: tuple[int, str]) -> None:
    place, letter = change
    shown = list(token())
    if shown[place] == letter:
        letter = "2"
    shown[place] = letter
    found = judged(mail(["1: card 23 N2"], "".join(shown)), desk)
    assert desk.acts == []
    assert found.trouble is not None
    assert found.trouble.code == "bad-token"


def test_a_token_ends_when_its_seat_changes_hands(desk: Desk) -> None:
    """An ejected player's orders are not carried out."""

    class Changed(Desk):
        def holder(self, claim: Claim, sender: str) -> Bearer | None:
            found = super().holder(claim, sender)
            return None if found is None else replace(found, person="sue")

    changed = Changed()
    found = judged(mail(["1: card 23 N2"], token()), changed)
    assert changed.acts == []
    assert found.trouble is not None
    assert found.trouble.code == "bad-token"
    assert found.who is not None
    assert found.who.person == "sal"


def test_a_mail_that_comes_twice_is_obeyed_and_answered_once(desk: Desk) -> None:
    raw = mail(["1: card 23 N2"], token())
    assert judged(raw, desk).has_acted
    # Another server stands in between the second time.
    again = judged(b"Received: from elsewhere\r\n" + raw, desk)
    assert (again.who, again.silence) == (None, "duplicate")
    assert len(desk.acts) == 1


def test_a_mail_without_a_message_id_that_comes_twice(desk: Desk) -> None:
    raw = mail(["1: card 23 N2"], token()).replace(b"Message-ID", b"X-Id")
    assert judged(raw, desk).has_acted
    assert judged(b"Received: from elsewhere\r\n" + raw, desk).silence == "duplicate"
    other = raw.replace(b"23", b"17")
    assert judged(other, desk).has_acted


def test_a_mail_in_vain_is_answered_once(desk: Desk) -> None:
    raw = ["Thanks!", "Sal"]
    assert judged(mail(raw, token(), wrapped=False), desk).who is not None
    assert judged(mail(raw, token(), wrapped=False), desk).silence == "limit"
    assert say(desk, "1: card 23 N2").who is not None


def test_a_mail_from_an_older_turn_is_told_that_the_turn_is_over(desk: Desk) -> None:
    late = token(turn=1)
    for seat in ("s0", "s1", "s2"):
        say(desk, "nothing", shown=token(FARM, seat))
    desk.acts.clear()
    found = say(desk, "1: card 23 N2", "WAIT", "CLEAR", "STATUS", "DIARY: too late", shown=late)
    assert [code for _, _, code in rulings(found)] == [
        "turn-over",
        "turn-over",
        "turn-over",
        "enclosed",
        "done",
    ]
    assert "turn 1 is over" in found.verdicts[-6].reason + found.verdicts[1].reason
    assert desk.acts == [("diary", "sal", "too late")]


# -- Orders ----------------------------------------------------------------------------------


def test_a_set_is_put_together_and_handed_in_whole(desk: Desk) -> None:
    found = say(desk, "1: card 23 N2", "1: employee 0", "3: employee E2", "2: card 17 N3")
    assert desk.acts == [("submit", 0, "1: card 23 N2 employee 0; 2: card 17 N3; 3: employee E2")]
    assert len(found.held) == 3
    assert "number 23" in found.held[0]


def test_named_phases_are_changed_and_the_others_stay(desk: Desk) -> None:
    say(desk, "1: card 23 N2 employee 0", "2: card 17 N3")
    say(desk, "2: card 5 N3")
    assert desk.acts[-1] == ("submit", 0, "1: card 23 N2 employee 0; 2: card 5 N3")
    say(desk, "1: card 23 N2")
    assert desk.acts[-1] == ("submit", 0, "1: card 23 N2; 2: card 5 N3")
    say(desk, "2: nothing")
    assert desk.acts[-1] == ("submit", 0, "1: card 23 N2")


def test_a_later_line_for_a_phase_replaces_an_earlier_one(desk: Desk) -> None:
    found = say(desk, "1: card 23 N2", "1: card 48 N2")
    assert desk.acts == [("submit", 0, "1: card 48 N2")]
    assert rulings(found)[0] == (2, "ignored", "replaced")
    found = say(desk, "1: card 23 N2", "nothing")
    assert desk.acts[-1] == ("submit", 0, "nothing")
    assert rulings(found)[0] == (2, "ignored", "replaced")


def test_two_phases_can_exchange_their_cards(desk: Desk) -> None:
    say(desk, "1: card 23 N2", "2: card 48 N2")
    found = say(desk, "1: card 48 N2", "2: card 23 N2")
    assert desk.acts[-1] == ("submit", 0, "1: card 48 N2; 2: card 23 N2")
    assert all(ruling != "refused" for _, ruling, _ in rulings(found))


def test_what_is_certainly_wrong_is_refused_and_the_rest_stands(desk: Desk) -> None:
    found = say(desk, "1: card 9 N2", "2: card 17 N3", "3: card 17 N3", "noise", "2: employee E99")
    refused = [verdict for verdict in found.verdicts if verdict.ruling.value == "refused"]
    assert [(v.first, v.code, v.clause) for v in refused] == [
        (2, "not-in-hand", "CF-3.4"),
        (4, "named-twice", "CF-3.4"),
        (5, "not-understood", ""),
        (6, "never-possible", "CF-4.1"),
    ]
    assert desk.acts == [("submit", 0, "2: card 17 N3")]


def test_a_refused_line_leaves_its_phase_as_it_was(desk: Desk) -> None:
    say(desk, "1: card 23 N2", "2: card 17 N3")
    say(desk, "1: card 9 N2", "2: card 5 N3")
    assert desk.acts[-1] == ("submit", 0, "1: card 23 N2; 2: card 5 N3")
    # The card that was there is used elsewhere now.
    say(desk, "1: card 9 N2", "3: card 23 N2")
    assert desk.acts[-1] == ("submit", 0, "2: card 5 N3; 3: card 23 N2")


def test_nothing_is_handed_in_if_nothing_is_right(desk: Desk) -> None:
    say(desk, "1: card 23 N2")
    found = say(desk, "1: card 9 N2", "hello")
    assert len(desk.acts) == 1
    assert "number 23" in found.held[0]


def test_what_may_be_lost_is_accepted_with_a_warning(desk: Desk) -> None:
    found = say(desk, "1: card 23 0")
    assert desk.acts == [("submit", 0, "1: card 23 0")]
    assert rulings(found) == [(2, "warned", "covered")]
    assert found.verdicts[1].clause == "CF-4.1"


@pytest.mark.parametrize("language", ["en", "de"])
def test_it_is_told_what_becomes_of_the_other_half_of_a_phase(language: str) -> None:
    class Spoken(Desk):
        def holder(self, claim: Claim, sender: str) -> Bearer | None:
            found = super().holder(claim, sender)
            return None if found is None else replace(found, language=language)

    words = {
        "en": ("employee held for phase 2 at N3 is taken back", "held for phase 2, number 17, is"),
        "de": ("wer für Phase 2 auf N3 vorgesehen war, wird", "die Karte 17, die für Phase 2 vor"),
    }
    desk = Spoken()
    say(desk, "2: card 17 N2 employee N3")
    found = say(desk, "2: card 17 N2")
    assert rulings(found) == [(2, "warned", "employee-back")]
    assert words[language][0] in found.verdicts[1].reason
    assert found.verdicts[1].clause == "CF-3.5"
    assert desk.acts[-1] == ("submit", 0, "2: card 17 N2")
    found = say(desk, "2: employee N3")
    assert rulings(found) == [(2, "warned", "card-back")]
    assert words[language][1] in found.verdicts[1].reason
    assert desk.acts[-1] == ("submit", 0, "2: employee N3")
    # Both in one line, or in two of one mail: nothing is taken back.
    for lines in (["2: card 17 N2 employee N3"], ["2: card 17 N2", "2: employee N3"]):
        found = say(desk, *lines)
        assert {code for _, _, code in rulings(found)}.isdisjoint({"employee-back", "card-back"})
        assert desk.acts[-1] == ("submit", 0, "2: card 17 N2 employee N3")


def test_clear_takes_back_all_or_one_phase(desk: Desk) -> None:
    say(desk, "1: card 23 N2", "2: card 17 N3")
    say(desk, "CLEAR 1")
    assert desk.acts[-1] == ("submit", 0, "2: card 17 N3")
    say(desk, "3: card 5 N3", "clear", "1: employee 0")
    assert desk.acts[-1] == ("submit", 0, "1: employee 0")
    found = say(desk, "CLEAR 7")
    assert rulings(found) == [(2, "refused", "no-part")]
    say(desk, "CLEAR")
    assert [act[0] for act in desk.acts] == ["submit"] * 3 + ["clear"]


def test_wait_is_heard_before_the_orders_that_could_end_the_turn(desk: Desk) -> None:
    say(desk, "nothing", "WAIT")
    assert [act[0] for act in desk.acts] == ["wait", "submit"]


def test_the_last_orders_are_told_though_the_turn_is_over_with_them(desk: Desk) -> None:
    for seat in ("s1", "s2"):
        say(desk, "nothing", shown=token(FARM, seat))
    found = say(desk, "1: card 23 N2")
    assert desk.matches[FARM].ply > 3
    assert "number 23" in found.held[0]


def test_moves_that_are_carried_out_at_once_follow_each_other(desk: Desk) -> None:
    match = desk.matches[OFFICE]
    seat = next(iter(match.to_act))
    view = match.view(seat)
    place = next(
        text
        for move in match.game.moves(view)
        if (text := match.game.format_move(match.deck, move)).startswith("place")
    )
    shown = token(OFFICE, f"s{seat}")
    found = say(desk, "place P99d E1", place, "CLEAR", shown=shown)
    assert [code for _, _, code in rulings(found)] == ["unreadable", "ordered", "not-held"]
    assert desk.acts == [("submit", seat, place)]
    shown = token(OFFICE, f"s{seat}", desk.turn(Bearer("x", found.who.role, OFFICE)))  # type: ignore[union-attr]
    found = say(desk, place, place, shown=shown)
    assert [code for _, _, code in rulings(found)][1] == "after-refusal"
    assert len(desk.acts) == 1


# -- Commands --------------------------------------------------------------------------------


def test_what_players_say_reaches_the_house(desk: Desk) -> None:
    say(
        desk,
        "press grey to p, t and master: Psst.",
        "",
        "BROADCAST",
        "Hello,",
        "> you said",
        "all!",
        "END BROADCAST",
        "DIARY: 1: card 23 seems good",
        "absence from 24.12.2026 to 2027-01-02",
        "ADDRESS <Sal@New.example.org>",
        "RESIGN T",
        "RESIGN S",
        "nowait",
    )
    assert desk.acts == [
        ("press", "sal", Recipients(("P", "T"), to_master=True), "Psst.", True),
        ("broadcast", "sal", Recipients(to_all=True), "Hello,\n> you said\nall!", False),
        ("diary", "sal", "1: card 23 seems good"),
        ("absence", "sal", (date(2026, 12, 24), date(2027, 1, 2))),
        ("address", "sal", "sal@new.example.org"),
        ("resign", "sal"),
        ("nowait", "sal"),
    ]


def test_a_bare_press_sends_nothing(desk: Desk) -> None:
    found = say(desk, "PRESS", "PRESS TO P", "DIARY")
    assert desk.acts == []
    assert [code for _, _, code in rulings(found)] == ["bare", "bare", "enclosed"]


def test_questions_are_for_the_answer(desk: Desk) -> None:
    words = ["HELP press", "LIST", "GAME 8", "RULES CF-4.5", "HISTORY 1-3", "FORECAST", "STATUS"]
    found = say(desk, *words, "HAND", "MAP")
    assert [ask.verb.word for ask in found.asks] == [
        *(word.partition(" ")[0] for word in words),
        "HAND",
        "MAP",
    ]
    assert found.asks[0].given.topic == "press"
    assert found.asks[2].given.table == "8"
    assert found.asks[4].given.turns == (1, 3)
    assert not found.has_acted


def test_the_game_master_has_commands_of_their_own(desk: Desk) -> None:
    say(
        desk,
        "PROCESS 2",
        "process turn 1",
        "PREVIEW",
        "PAUSE",
        "RESUME",
        "DEADLINE 2026-11-20 20:30",
        "DEADLINE +48h",
        "ROLLBACK 1",
        "EJECT T",
        "SEAT T to New@example.org",
        "SEAT T bot greedy",
        "TERMINATE 1",
        "ANNOUNCE: Play faster.",
        shown=GERT,
    )
    assert [act[0] for act in desk.acts] == [
        *("process", "pause", "resume", "deadline", "deadline", "rollback"),
        *("eject", "seat", "seat", "terminate", "announce"),
    ]
    assert desk.acts[3][2] == datetime(2026, 11, 20, 20, 30)  # noqa: DTZ001
    assert desk.acts[4][2] == timedelta(hours=48)
    assert desk.acts[7][2:] == ("T", "new@example.org")
    assert desk.acts[8][2:] == ("T", "greedy")


def test_nobody_else_has_them(desk: Desk) -> None:
    words = ["PROCESS 1", "PAUSE", "DEADLINE +2d", "EJECT T", "TERMINATE 1", "PREVIEW"]
    found = say(desk, *words)
    assert [code for _, _, code in rulings(found)] == ["not-yours"] * len(words)
    assert not found.asks
    assert desk.acts == []


def test_the_master_gives_orders_only_for_a_seat(desk: Desk) -> None:
    lines = ("1: card 9 N2", "ORDERS FOR P", "1: card 9 N2", "2: card 10 N2", "ENDORDERS")
    found = say(desk, *lines, shown=GERT)
    assert desk.acts == [("orders", "gert", "P", "1: card 9 N2\n2: card 10 N2")]
    assert rulings(found)[0] == (2, "refused", "no-orders-here")
    assert found.held == ()
    assert not found.asks


def test_orders_for_a_seat_are_the_masters_alone(desk: Desk) -> None:
    found = say(desk, "ORDERS FOR T", "1: card 9 N2", "ENDORDERS")
    assert [code for _, _, code in rulings(found)] == ["not-yours"]
    assert desk.acts == []


def test_orders_for_a_seat_end_where_it_is_said(desk: Desk) -> None:
    found = say(desk, "ORDERS FOR P", "1: card 9 N2", "and more", shown=GERT)
    assert "refused" in {ruling for _, ruling, _ in rulings(found)}
    assert desk.acts == []


def test_a_heading_is_no_command(desk: Desk) -> None:
    found = say(desk, "Orders for today", "1: card 9 N2", shown=token(FARM, "s1"))
    assert desk.acts == [("submit", Seat(1), "1: card 9 N2")]
    assert rulings(found)[0][1:] == ("refused", "not-understood")


def test_there_is_no_way_to_become_a_player(desk: Desk) -> None:
    found = say(desk, "BECOME P", "1: card 9 N2", shown=GERT)
    assert [code for _, _, code in rulings(found)] == ["not-understood", "no-orders-here"]
    assert desk.acts == []


def test_whoever_is_only_known_is_asked_to_prove_it(desk: Desk) -> None:
    found = judged(mail(["JOIN 8 B", "LIST"]), desk)
    assert [code for _, _, code in rulings(found)] == ["prove", "enclosed"]
    found = say(desk, "JOIN 8 B", "JOIN", "WATCH 17", shown=token(OFFICE, "g"))
    assert desk.acts == [("join", "guy", "8", "B"), ("join", "guy", "", ""), ("watch", "guy", "17")]


def test_every_line_has_its_verdict(desk: Desk) -> None:
    lines = ["Hello", "BEGIN", "# a comment", "> quoted", "1: card 23 N2", "??", "END", "Bye"]
    found = judged(mail(lines, token(), wrapped=False), desk)
    assert [(v.first, v.code) for v in found.verdicts] == [
        (1, "outside"),
        (2, "marker"),
        (3, "empty"),
        (4, "quoted"),
        (5, "ordered"),
        (6, "not-understood"),
        (7, "marker"),
        (8, "outside"),
    ]


def test_the_hand_is_as_this_file_thinks(desk: Desk) -> None:
    match = desk.matches[FARM]
    hands = match.game.view_data(match.view(Seat(0)))["hands"]
    assert isinstance(hands, dict)
    assert sorted(hands["S"]) == sorted(HAND)
