"""The text form of a match: what it looks like, and that nothing else is accepted."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openplan.core.deal import salted
from openplan.core.deck import Deck, DeckError, Fault
from openplan.core.game import OPEN, AnyGame, GameError, Illegal, Outcome, Unreadable, Viewer
from openplan.core.match import Match
from openplan.core.record import (
    MAX_BYTES,
    MAX_LINES,
    format_outcome,
    read_record,
    viewer_name,
    viewer_named,
    write_record,
)
from tests import tender
from tests.core.matches import DEAL, SALT, random_match
from tests.tender import DECK, GAME, A, B, C

SEATS: tuple[Viewer, ...] = (None, A, B, C)
NAMES = ["Ann", "Bob -> b, c", "Zoë / 👩\u200d💻"]


def read(text: str | bytes) -> Match:
    return read_record(text, tender.game_named, tender.find_deck)


def some_match() -> Match:
    """One entry of every kind but the ends, and one sealed bid still open."""
    match = Match.from_deal(GAME, DECK, {"chatter": "no"}, DEAL, SALT, names=NAMES)
    match.submit(A, "ask")
    match.submit(B, "bid b4")
    match.submit(C, "bid b3")
    match.submit(A, "bid b9")
    match.submit(C, "bid b6")
    match.enter("take-back", C, "5")
    match.submit(C, "bid b7")
    match.enter("deadline", None)
    match.enter("seat", B, "Bill -> draw, 7")
    match.submit(A, "chat oh")
    match.enter("roll-back", None, "8")
    match.enter("pause", None)
    match.enter("resume", None)
    match.enter("resign", B)
    match.submit(A, "bid b5")
    return match


def with_check(text: str) -> str:
    """The text with a check line that fits, as a forger would write it."""
    body = text[: text.index("check: ")]
    return f"{body}check: {hashlib.sha256(body.encode()).hexdigest()}\n"


def refusal(text: str | bytes) -> GameError:
    with pytest.raises(GameError) as caught:
        read(text)
    return caught.value


# -- What it looks like ----------------------------------------------------------------------


def test_a_record_by_older_rules_names_the_house_rules_of_its_time() -> None:
    """It reads and writes as it did then; a house rule that came later has its default."""
    match = Match.from_deal(GAME, DECK, {"chatter": "no"}, DEAL, SALT, rules=2)
    match.submit(A, "bid b9")
    text = write_record(match)
    assert text.startswith("open-plan record 1\ngame: tender, rules 2\n")
    assert "\nhouse: chatter=no\n" in text
    again = read(text)
    assert (again.rules, again.house) == (2, {"chatter": "no", "asking": "yes"})
    assert write_record(again) == text
    assert [late.rules for late in again.walk()] == [2, 2]
    later = text.replace("chatter=no", "chatter=no asking=no")
    assert refusal(with_check(later)).reason == "line 4: rules 2 have no asking=no"


def test_the_record_of_all() -> None:
    text = write_record(some_match())
    assert text[: text.index("check:")] == (
        "open-plan record 1\n"
        "game: tender, rules 3\n"
        f"deck: standard {DECK.hash}\n"
        "house: chatter=no asking=yes\n"
        "seat A: Ann\n"
        "seat B: Bob -> b, c\n"
        "seat C: Zoë / 👩\u200d💻\n"
        "viewer: all\n"
        f"commitment: {some_match().commitment}\n"
        f"salt: {'0f' * 32}\n"
        "deal hand A: b1 b5 b9\n"
        "deal hand B: b2 b4 b8\n"
        "deal hand C: b3 b6 b7\n"
        "deal contracts: c1 c2 c3\n"
        "deal left:\n"
        "log:\n"
        "1. A ask -> saw c2\n"
        "2. B bid b4\n"
        "3. C bid b3\n"
        "4. A bid b9 -> A bid b9, B bid b4, C bid b3, next c2\n"
        "5. C bid b6\n"
        "6. C take-back 5\n"
        "7. C bid b7\n"
        "8. - deadline -> A bid nothing, B bid nothing, C bid b7, next c3\n"
        "9. B seat Bill -> draw, 7\n"
        "10. A chat oh\n"
        "11. - roll-back 8\n"
        "12. - pause\n"
        "13. - resume\n"
        "14. B resign\n"
        "15. A bid b5 -> A bid b5, C bid b7, next c3\n"
        "result: none yet\n"
    )
    body = text[: text.index("check:")]
    assert text == with_check(text)
    assert text.removeprefix(body) == f"check: {hashlib.sha256(body.encode()).hexdigest()}\n"


def test_a_viewers_record_is_numbered_by_itself_and_tells_no_more() -> None:
    text = write_record(some_match(), B)
    assert "salt" not in text
    assert text[text.index("viewer:") : text.index("check:")] == (
        "viewer: B\n"
        f"commitment: {some_match().commitment}\n"
        "deal hand A: ? ? ?\n"
        "deal hand B: b2 b4 b8\n"
        "deal hand C: ? ? ?\n"
        "deal contracts: c1 ? ?\n"
        "deal left:\n"
        "log:\n"
        "1. A ask\n"
        "2. B bid b4\n"
        "3. A seals the last bid -> A bid b9, B bid b4, C bid b3, next c2\n"
        "4. - deadline -> A bid nothing, B bid nothing, C bid b7, next c3\n"
        "5. B seat Bill -> draw, 7\n"
        "6. A chat oh\n"
        "7. - roll-back 4\n"
        "8. - pause\n"
        "9. - resume\n"
        "10. B resign\n"
        "11. A seals the last bid -> A bid b5, C bid b7, next c3\n"
        "result: none yet\n"
    )


def test_hidden_things_do_not_change_a_viewers_record() -> None:
    other = Match.from_deal(
        GAME,
        DECK,
        None,
        {**DEAL, "hand A": ("b1", "b6", "b9"), "hand C": ("b5", "b3", "b7")},
        SALT,
    )
    first = Match.from_deal(GAME, DECK, None, DEAL, SALT)
    other.commitment = first.commitment  # the one thing that may differ
    first.submit(A, "bid b5")
    first.submit(A, "bid b1")
    first.enter("take-back", A, "1")
    for match in (first, other):
        match.submit(C, "bid b3")
        match.submit(B, "bid b4")
        match.submit(A, "bid b9")
    for viewer in (None, B):
        assert write_record(first, viewer) == write_record(other, viewer)
    for viewer in (A, C):
        assert write_record(first, viewer) != write_record(other, viewer)


def test_once_it_is_over_everybody_has_the_same_record() -> None:
    match = some_match()
    match.enter("draw", None)
    text = write_record(match)
    assert "result: draw: A 1, B 0, C 1 (agreed, ST-5.1)\n" in text
    for viewer in SEATS:
        assert write_record(match, viewer) == text
    assert read(text).outcome == match.outcome


def test_results_in_words() -> None:
    outcome = Outcome((A,), (23, 17, 4), "points", "ST-5.1")
    assert format_outcome(GAME, outcome) == "A wins: A 23, B 17, C 4 (points, ST-5.1)"
    outcome = Outcome((A, B, C), (1, 1, 1), "points", "")
    assert format_outcome(GAME, outcome) == "A, B and C win: A 1, B 1, C 1 (points)"
    assert format_outcome(GAME, Outcome((), (), "agreed", "")) == "draw (agreed)"


def test_viewers_have_names() -> None:
    for viewer, name in [(OPEN, "all"), (None, "spectator"), (A, "A"), (C, "C")]:
        assert viewer_name(GAME, viewer) == name
        assert viewer_named(GAME, name) == viewer
    with pytest.raises(Unreadable, match="A, B, C"):
        viewer_named(GAME, "D")


@pytest.mark.parametrize("hands", [["b1 b5", "b2", "b3"], ["b1 b5"], "b1 b5", ["b1", ""]])
def test_a_position_is_written_and_read(hands: str | list[str]) -> None:
    match = Match.from_position(GAME, DECK, None, {"hands": hands, "asking": "no"})
    match.submit(A, "bid b1")
    text = write_record(match)
    assert "commitment" not in text
    assert "house: chatter=yes asking=no\n" in text
    again = read(text)
    assert again.position == match.position
    assert write_record(again) == text
    with pytest.raises(Illegal, match="one viewer"):
        write_record(match, A)


def test_a_part_of_a_position_comes_once() -> None:
    text = write_record(Match.from_position(GAME, DECK, None, {"hands": ["b1"]}))
    line = "position hands: b1 /\n"
    error = refusal(with_check(text.replace(line, line * 2)))
    assert error.reason == "line 10: not a new part of the position"
    error = refusal(with_check(text.replace("hands:", "hands?:")))
    assert error.reason == "line 9: not a new part of the position"


def test_a_position_that_cannot_be_written_down_is_refused() -> None:
    for position in (
        {"hands": ["b1"], "note": "a / b"},
        {"hands": ["b1"], "no: te": "x"},
        {"hands": ["b1"], "note": "a\nb"},
        {"hands": ["b1"], "note": "a\x85b"},
        {"hands": ["b1"], "note": []},
    ):
        match = Match.from_position(GAME, DECK, None, position)
        with pytest.raises(Illegal) as caught:
            write_record(match)
        assert caught.value.code == "position"


# -- There and back --------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_a_record_round_trips_for_every_viewer(seed: int, steps: int) -> None:
    match = random_match(Random(seed), steps)
    for viewer in (OPEN, *SEATS):
        text = write_record(match, viewer)
        again = read(text)
        assert again.viewer == match.eyes(viewer)
        assert write_record(again, again.viewer) == text
        assert again.told(again.viewer) == match.told(viewer)
        assert again.view(again.viewer) == match.view(viewer)
        assert again.names == match.names
        assert read(text.encode()).log == again.log


def test_a_renamed_deck_is_the_same_deck() -> None:
    text = write_record(some_match()).replace("deck: standard", "deck: old-name")
    match = read(with_check(text))
    assert match.deck.name == "old-name"
    assert match.deck.hash == DECK.hash


# -- Anything else is refused ----------------------------------------------------------------


def texts() -> Iterator[str]:
    match = some_match()
    yield write_record(match)
    yield write_record(match, B)
    match.enter("draw", None)
    yield write_record(match)


def test_every_truncation_is_refused() -> None:
    for text in texts():
        data = text.encode()
        for length in range(len(data)):
            error = refusal(data[:length])
            assert isinstance(error, Unreadable)
            assert error.code in ("format", "encoding", "cut")
            assert re.match(r"line \d+: |not readable as UTF-8", error.reason)


def test_every_one_byte_change_is_refused() -> None:
    chance = Random(5)
    for text in texts():
        data = text.encode()
        for place in range(len(data)):
            for byte in {data[place] ^ 32, data[place] ^ 1, 10, 13, 32, chance.randrange(256)}:
                if byte != data[place]:
                    refusal(data[:place] + bytes([byte]) + data[place + 1 :])
            refusal(data[:place] + data[place + 1 :])
            refusal(data[:place] + bytes([chance.randrange(256)]) + data[place:])


def test_line_ends_and_spaces_count() -> None:
    for text in texts():
        for changed in (
            text.replace("\n", "\r\n"),
            text.replace("\n", "\r"),
            text + "\n",
            text + " ",
            text[:-1],
            "\n" + text,
            "\ufeff" + text,
            text.replace("log:\n", "log: \n"),
            text.replace("\n", "\u2028"),
            text.upper(),
        ):
            assert changed != text
            refusal(changed)
        error = refusal(text.replace("\n", "\r\n"))
        assert error.reason == "line 1: there is a control character in it"


def changes() -> list[tuple[str, str, int, str]]:
    """What a forger changes, into what, on which line of `some_match` it shows, and how."""
    return [
        ("record 1", "record 3", 1, "record format 3 is not known here, only 1 and 2"),
        ("record 1", "record 2", 10, "expected 'chance server: DIGITS'"),
        ("open-plan record", "open plan record", 1, "not a record"),
        ("game: tender", "game: chess", 2, "there is no game 'chess'"),
        ("rules 3", "rules 4", 2, "rules 4 of tender are not known here, only 2 to 3"),
        (f"standard {DECK.hash[:2]}", f"standard {DECK.hash[1::-1]}", 3, "there is no deck"),
        ("chatter=no", "chatter=maybe", 4, "yes, no"),
        ("chatter=no", "smoking=no", 4, "no house rule 'smoking'"),
        ("chatter=no asking=yes", "asking=yes chatter=no", 4, "it should read 'house: chatter"),
        ("chatter=no", "", 4, "expected"),
        ("seat A: Ann\n", "", 5, "expected 'seat A: NAME'"),
        ("seat A: Ann", "seat A:  Ann", 5, "it should read 'seat A: Ann'"),
        ("Ann", "A\u202enn", 5, "control character"),
        ("Ann", "x" * 61, 5, "1 to 60"),
        ("viewer: all", "viewer: D", 8, "no viewer 'D'"),
        ("viewer: all", "viewer: B", 10, "expected 'deal LABEL: CARDS'"),
        ("salt: 0f", "salt: 0e", 9, "the commitment does not fit"),
        ("b2 b4 b8", "b2 b8 b4", 9, "the commitment does not fit"),
        ("deal hand B", "deal hand A", 12, "a second deal of 'hand A'"),
        ("deal left:\n", "deal left:\n\n", 16, "expected 'log:'"),
        ("log:", "diary:", 16, "expected 'log:'"),
        ("1. A ask", "2. A ask", 17, "expected entry 1, not 2"),
        ("1. A ask", "1. D ask", 17, "no seat 'D'"),
        ("1. A ask", "1. - ask", 17, "a seat's entry"),
        ("saw c2", "saw c3", 17, "it should read 'ask -> saw c2'"),
        (" -> saw c2", "", 17, "it should read 'ask -> saw c2'"),
        ("2. B bid b4", "2. B bid b5", 18, "b5 is not in your hand: 'bid b5' at ply 1 [ST-4.1]"),
        ("2. B bid b4", "2. B jump", 18, "not a move: 'jump'"),
        ("3. C bid b3", "3. C  bid b3", 19, "expected an entry"),
        ("take-back 5", "take-back 4", 22, "only a move of your own"),
        ("take-back 5", "take-back five", 22, "no entry 'five'"),
        ("9. B seat Bill", "9. B seat  Bill", 25, "it should read 'seat Bill"),
        ("roll-back 8", "roll-back 9", 31, "it should read"),
        ("11. - roll-back 8", "11. A roll-back 8", 27, "no seat's entry"),
        ("result: none yet", "result: A wins: A 3, B 0, C 0 (points)", 32, "'result: none yet'"),
        ("result: none yet\n", "", 32, "expected an entry"),
        ("result: none yet", "result: none yet\nresult: none yet", 33, "only the check line"),
    ]


@pytest.mark.parametrize(("old", "new", "line", "reason"), changes())
def test_a_forged_record_is_refused_at_its_line(old: str, new: str, line: int, reason: str) -> None:
    text = write_record(some_match())
    assert old in text
    error = refusal(with_check(text.replace(old, new, 1)))
    assert f"line {line}: " in str(error)
    assert reason in str(error)
    assert error.params["line"] == line


def test_a_change_that_the_rules_allow_is_caught_by_the_check() -> None:
    text = write_record(some_match()).replace("seat A: Ann", "seat A: Amy")
    error = refusal(text)
    assert error.code == "check"
    assert "the text was changed or cut" in error.reason
    assert read(with_check(text)).names[A] == "Amy"


def test_a_viewers_record_is_judged_from_its_viewer() -> None:
    text = write_record(some_match(), B)
    for old, new, line in [
        ("2. B bid b4", "2. B bid b5", 17),
        ("3. A seals the last bid", "3. A bid b9", 18),
        ("A bid b9, B bid b4", "A bid c1, B bid b4", 18),
        ("B bid b4, C bid b3", "B bid b9, C bid b3", 18),
        ("next c2", "next c1, next c2", 18),
        ("roll-back 4", "roll-back 8", 22),
        ("10. B resign", "10. - draw", 25),
        ("deal hand B: b2 b4 b8", "deal hand B: b2 b2 b8", 10),
        ("result: none yet", "result: A wins: A 1, B 0, C 0 (points)", 27),
    ]:
        assert old in text
        error = refusal(with_check(text.replace(old, new, 1)))
        assert error.params["line"] == line, error


def test_what_is_covered_cannot_be_in_the_record_of_all() -> None:
    match = some_match()
    text = write_record(match)
    hidden = text.replace("deal hand C: b3 b6 b7", "deal hand C: b3 b6 ?")
    deal = {**DEAL, "hand C": ("b3", "b6", "?")}
    hidden = hidden.replace(match.commitment, salted(SALT, deal))
    error = refusal(with_check(hidden))
    assert error.code == "deal"
    assert error.params["line"] == 11


def test_limits_come_first() -> None:
    text = write_record(some_match())
    assert refusal("x" * (MAX_BYTES + 1)).code == "size"
    assert refusal(b"x" * (MAX_BYTES + 1)).code == "size"
    assert refusal("é" * (MAX_BYTES // 2 + 1)).code == "size"
    assert refusal(text.replace("log:\n", "log:\n" + "\n" * MAX_LINES)).code == "size"
    assert refusal(b"\xff").code == "encoding"
    assert refusal("\ud800").code == "encoding"
    assert refusal("").code == "format"


def test_a_deck_that_cannot_be_had_is_named() -> None:
    text = write_record(some_match())

    def missing(game: AnyGame, name: str, content: str) -> Deck:
        raise DeckError([Fault(name, "", "not here")])

    def another(game: AnyGame, name: str, content: str) -> Deck:
        return Deck(name, "", "00" * 32, ())

    find: Callable[[AnyGame, str, str], Deck]
    for find, reason in ((missing, "line 3: standard: not here"), (another, "line 3: the deck")):
        with pytest.raises(Unreadable, match=reason):
            read_record(text, tender.game_named, find)
