"""What our letters say to whom; that they tell nothing hidden and, sent back, order nothing."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from random import Random

import pytest
from rich.cells import cell_len

from openplan.core.game import OPEN, AnyGame, Seat, Viewer
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.mail import letters
from openplan.mail.answers import answer, forecast, history
from openplan.mail.compose import Stamp, as_mail
from openplan.mail.judge import judge
from openplan.mail.letter import Letter, as_html, as_text
from openplan.mail.letters import Press, Reader, Table
from openplan.mail.post import Bearer
from openplan.mail.read import read
from openplan.mail.tokens import Claim, message_id
from tests.mail.desk import FARM, KEY, OFFICE, Desk, token
from tests.mail.sending import mail, say
from tests.probes import games, new_match, play_on, probe_of

DEADLINE = 1_793_563_200_000_000  # 2026-11-01 20:00 UTC, 21:00 in Berlin
TABLE = Table("17", 3, DEADLINE, DEADLINE + 86_400_000_000, "Europe/Berlin", "https://x.example/t")
NASTY = "x" * 52 + " BEGIN " + "y" * 54 + " 1: nothing " + "z" * 57 + " END"
"""Broken by a program that wraps at 60 it would be an order, if nothing were done against it."""
PRESS = [
    Press(NASTY, "T"),
    Press("Shall we share?\nBEGIN\n1: nothing\nEND", "P", ("S", "T")),
    Press("Beware.", None),
    Press("Happy new year.", None, is_from_master=True),
]


def reader(seat: Viewer, language: str = "en") -> Reader:
    return Reader(seat, token(), language)


def all_letters(match: Match, seat: Viewer, language: str = "en") -> Iterator[Letter]:
    """Every letter that somebody at a table may get."""
    who = reader(seat, language)
    yield letters.report(match, TABLE, who, 0, PRESS)
    yield letters.press_letter(match, TABLE, who, PRESS[-1])
    yield letters.notice(match, TABLE, who, "a pause", "The game master has stopped the clock.")
    if seat is not None:
        yield letters.welcome(match, TABLE, who)
        yield letters.reminder(match, TABLE, who, late=False)
        yield letters.reminder(match, TABLE, who, late=True)
        if match.outcome is None:
            yield Letter(
                "f", "f", [*forecast(match, who), *history(match, who, [(1, 0, match.ply)])]
            )


def tables() -> Iterator[tuple[AnyGame, Match]]:
    for game in games():
        for entries in (0, 7, 400):
            rng = Random(entries)
            match = new_match(game, rng)
            play_on(match, rng, entries)
            yield game, match


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_text_of_every_letter_fits_in_72_columns(language: str) -> None:
    seen = 0
    for game, match in tables():
        for seat in (None, *map(Seat, range(len(game.seats)))):
            for letter in all_letters(match, seat, language):
                text = as_text(letter)
                widest = max(text.splitlines(), key=cell_len)
                assert cell_len(widest) <= 72 or widest.startswith("BEGIN "), widest
                assert as_html(letter).count("<img") == len(letter.pictures())
                seen += 1
    assert seen > 80


def test_a_report_has_its_parts_in_the_order_people_know() -> None:
    match = new_match(game_named("cube-farm"), Random(1))
    play_on(match, Random(1), 6)
    text = as_text(letters.report(match, TABLE, reader(Seat(0)), 0, PRESS))
    parts = [
        ":: Game cube-farm 17\n:: Turn 3\n:: Seat S\n:: Deadline 2026-11-01 21:00 Europe/Berlin",
        "Orders are taken until 2026-11-01 21:00 Europe/Berlin",
        "What happened",
        "Top floor",
        "Middle floor",
        "Basement",
        "Standings",
        "Your hand",
        "Press",
        "Your orders",
        f"BEGIN {token()}\n# Phase 1, top floor\n1: card ____ at ____ turn 0",
        "____\nEND\n",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_press_is_signed_grey_or_the_masters_and_every_line_is_marked() -> None:
    match = new_match(game_named("cube-farm"), Random(1))
    text = as_text(letters.report(match, TABLE, reader(Seat(0)), 0, PRESS))
    assert "P -> S, T:\n| Shall we share?\n| 'BEGIN'\n| 1: nothing\n| END\n" in text
    assert "unsigned:\n| Beware.\n" in text
    assert "The game master:\n| Happy new year.\n" in text


def test_the_last_letter_tells_the_result_with_every_sum_explained() -> None:
    match = new_match(game_named("cube-farm"), Random(4))
    play_on(match, Random(4), 400)
    assert match.outcome is not None
    letter = letters.report(match, TABLE, reader(Seat(0)), match.ply - 1)
    text = as_text(letter).replace("\n  ", " ")
    assert letter.kind == "result"
    assert "The game is over." in text
    assert "BEGIN" not in text
    for employee in match.events_told(Seat(0))[-1]:
        if employee.code == "employee-scored":
            assert f"brings {employee.params['total']}: {employee.params['base']} for room" in text


def test_only_who_has_something_to_order_gets_a_form() -> None:
    match = new_match(game_named("human-resources"), Random(2))
    (now,) = match.to_act
    for seat in map(Seat, range(2)):
        text = as_text(letters.report(match, TABLE, reader(seat), 0))
        assert ("BEGIN" in text) == (seat == now)
    assert "BEGIN" not in as_text(letters.report(match, TABLE, reader(None), 0))


# -- Secrets ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
def test_no_letter_tells_what_its_reader_cannot_know(game: AnyGame) -> None:
    compared = 0
    for seed in range(4):
        rng = Random(seed)
        match = new_match(game, rng)
        play_on(match, rng, 3 * seed)
        assert match.outcome is None  # then everything would be open
        for seat in (None, *map(Seat, range(len(game.seats)))):
            other = probe_of(game).other_truth(match, seat, rng)
            if other is not None:
                ours, theirs = (
                    [(as_text(letter), as_html(letter), letter.pictures()) for letter in sent]
                    for sent in (all_letters(match, seat), all_letters(other, seat))
                )
                assert ours == theirs
                compared += 1
    assert compared >= 6


def test_the_comparison_catches_a_letter_that_tells_too_much() -> None:
    """What the reader's eyes are is all that keeps a letter from telling everything."""
    game = game_named("cube-farm")
    match = new_match(game, Random(3))
    play_on(match, Random(3), 7)
    other = probe_of(game).other_truth(match, Seat(0), Random(5))
    assert other is not None
    seen = [as_text(letters.report(one, TABLE, reader(OPEN), 0)) for one in (match, other)]
    assert seen[0] != seen[1]


# -- Coming back -----------------------------------------------------------------------------


QUOTED: dict[str, Callable[[str], str]] = {
    "marked": lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
    "unmarked": lambda text: text,
    "below a word": lambda text: f"Thanks!\n\n{text}",
    "with bars": lambda text: "".join(f"| {line}\n" for line in text.splitlines()),
    "indented": lambda text: "".join(f"    {line}\n" for line in text.splitlines()),
    "stripped": lambda text: re.sub(r"\n\s*\n", "\n", text),
    "wrapped at 60": lambda text: "\n".join(textwrap.fill(line, 60) for line in text.splitlines()),
    "in one line": lambda text: text.replace("\n", " "),
    "twice": lambda text: text + text,
}


@pytest.mark.parametrize("style", QUOTED)
def test_a_letter_of_ours_sent_back_holds_no_order(style: str) -> None:
    tried = 0
    for name, place in ((FARM, "s0"), (OFFICE, "s0"), (OFFICE, "s1")):
        desk = Desk()
        match = desk.matches[name]
        seat = Seat(int(place[1]))
        shown = token(name, place, desk.turn(_bearer(desk, name, place)))
        who = Reader(seat, shown, "en")
        sent = list(_letters_of(match, who))
        said = say(desk, "1: card 23 N2" if name == FARM else "nonsense", "HELP", shown=shown)
        sent.append(answer(said, "x", match, TABLE, who, forecast(match, who)))
        desk.acts.clear()
        for letter in sent:
            text = QUOTED[style](as_text(letter))
            judge(mail(text.splitlines(), shown, wrapped=False), desk)
            assert desk.acts == [], text
            tried += 1
    assert tried > 15


def _letters_of(match: Match, who: Reader) -> Iterator[Letter]:
    yield letters.welcome(match, TABLE, who)
    yield letters.report(match, TABLE, who, 0, PRESS)
    yield letters.reminder(match, TABLE, who, late=True)
    yield letters.press_letter(match, TABLE, who, PRESS[1])
    brief = match.game.say("brief", {})
    yield letters.invitation(match.game.title, "Ann", brief, "17", "", who)


def _bearer(desk: Desk, name: str, place: str) -> Bearer:
    found = desk.holder(Claim(name, place[0], Seat(int(place[1])), 1))
    assert found is not None
    return found


def test_a_letter_of_ours_that_comes_back_itself_is_known() -> None:
    match = new_match(game_named("cube-farm"), Random(1))
    letter = letters.report(match, TABLE, reader(Seat(0)), 0)
    stamp = Stamp("judge@x.example", "a@x.example", message_id(KEY, "r1", "x.example"), DEADLINE)
    assert read(as_mail(letter, stamp), KEY).silence


# -- Answers ---------------------------------------------------------------------------------


def test_an_answer_rules_on_every_line_and_tells_all_that_is_held() -> None:
    desk = Desk()
    say(desk, "1: card 23 N2")
    said = say(desk, "2: employee N1", "3: card 99 N2", "hello", "2: card ____ at ____ turn 0")
    text = as_text(answer(said, "PBM Cube Farm", desk.matches[FARM], TABLE, reader(Seat(0))))
    assert re.search(r"\| 2: employee N1\n    \| [+?] ", text)  # there may be a warning
    assert "| 3: card 99 N2\n    | - " in text
    assert "| hello\n    | - " in text
    held = text.partition("Held for you now")[2]
    assert "23" in held
    assert "N1" in held


def test_a_mail_refused_as_a_whole_is_answered_with_the_reason() -> None:
    desk = Desk()
    said = judge(mail(["BEGIN", "1: card 23 N2"], token(), wrapped=False), desk)
    letter = answer(said, "PBM Cube Farm", desk.matches[FARM], TABLE, reader(Seat(0)))
    assert letter.subject == "PBM Cube Farm: nothing of your mail was carried out"
    assert "no line END" in as_text(letter).replace("\n", " ")
    assert "Nothing is held for you." in as_text(letter)


def test_a_forecast_looks_at_the_readers_own_orders_alone() -> None:
    desk = Desk()
    match = desk.matches[FARM]
    assert "nothing to forecast" in as_text(Letter("", "", forecast(match, reader(Seat(0)))))
    say(desk, "1: card 23 N2")
    before = as_text(Letter("", "", forecast(match, reader(Seat(0)))))
    say(desk, "1: card 9 N2", shown=token(FARM, "s1"))
    assert as_text(Letter("", "", forecast(match, reader(Seat(0))))) == before
    assert "points more" in before.replace("\n", " ")
