"""What our letters say to whom; that they tell nothing hidden and, sent back, order nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len

from openplan.core.game import AnyGame, Seat, Viewer
from openplan.core.match import Match
from openplan.core.registry import game_named
from openplan.mail.inbound.reading import read
from openplan.mail.inbound.tokens import message_id
from openplan.mail.outbound import table_letters
from openplan.mail.outbound.answer_letters import answer, tell_move
from openplan.mail.outbound.compose import Stamp, as_mail
from openplan.mail.outbound.enclosures import forecast, help_with_orders, history
from openplan.mail.outbound.letter import Drawing, Letter, as_html, as_text, distinct
from openplan.mail.outbound.table_letters import Press, Reader, Table
from tests.mail.desk import FARM, KEY, Desk, token
from tests.mail.quoting import assert_reads_as_nothing
from tests.mail.sending import judged, mail, say
from tests.probes import games, new_match, play_on

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
    yield table_letters.report(match, TABLE, who, 0, PRESS)
    for press in PRESS:
        yield table_letters.press_letter(match.game, TABLE, who, press)
    for kind, facts in FACTS:
        yield table_letters.notice(match.game, TABLE, who, kind, facts)
    if seat is None:
        master = replace(who, is_master=True)
        yield table_letters.report(match, TABLE, master, 0, PRESS, [Seat(1)])
        yield table_letters.master_welcome(match, TABLE, master)
    if seat is not None:
        yield table_letters.welcome(match, TABLE, who)
        yield table_letters.reminder(match, TABLE, who, late=False)
        yield table_letters.reminder(match, TABLE, who, late=True)
        yield Letter("answer", "a", list(tell_move(match, who)))
        if match.outcome is None:
            yield Letter(
                "f", "f", [*forecast(match, who), *history(match, who, [(1, 0, match.ply)])]
            )


ACTS: list[dict[str, Any]] = [
    {"act": "process", "turn": 3},
    {"act": "deadline", "due_at": DEADLINE},
    {"act": "pause"},
    {"act": "resume"},
    {"act": "roll-back", "entry": 3},
    {"act": "terminate"},
    *({"act": "eject", "who": "P", "then": then} for then in ("open", "nothing", "clerk")),
    *({"act": "seat", "who": "P", "by": by} for by in ("open", "person", "clerk")),
    {"act": "orders-for", "who": "P"},
    *({"act": act} for act in ("offer-table", "next-master", "refuse-master")),
    {"act": "hand-over"},
]
NOTES: list[dict[str, Any]] = [
    {"what": "returned", "who": "P", "name": "Bob", "why": "bounced: 5.1.1"},
    {"what": "stand-in", "who": "P", "bot": "clerk"},
    {"what": "mailbox"},
    {"what": "handed", "who": "P", "name": "Dan"},
    *({"what": what, "who": "P"} for what in ("seat-open", "flag", "resign")),
]
FACTS: list[tuple[str, dict[str, Any]]] = [
    ("others-late", {"late": ["Ann", "Bob"]}),
    ("others-late", {"late": None}),
    ("moved", {"due_at": DEADLINE}),
    ("mailbox", {}),
    ("stand-in", {"bot": "clerk"}),
    ("seat-open", {}),
    ("seat-lost", {"who": "P"}),
    ("called-off", {}),
    ("review", {}),
    ("time-up", {}),
    ("orders-entered", {"lost": False}),
    ("orders-entered", {"lost": True}),
    *(("master", facts) for facts in ACTS),
    *(("master-note", facts) for facts in NOTES),
]
"""Every notice, with facts as they are posted."""


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
    text = as_text(table_letters.report(match, TABLE, reader(Seat(0)), 0, PRESS))
    parts = [
        ":: Game cube-farm 17\n:: Turn 3\n:: Seat S\n:: Deadline 2026-11-01 20:00 UTC",
        "Orders are taken until 2026-11-01 21:00 Europe/Berlin",
        "What happened",
        "Top floor",
        "Middle floor",
        "Basement",
        "Standings",
        "Your hand",
        "The press",
        "Your orders",
        f"BEGIN {token()}\n# Phase 1, top floor\n1: card ____ at ____ turn 0",
        "____\nEND\n",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places == sorted(places)


def test_press_is_signed_grey_or_the_masters_and_every_line_is_marked() -> None:
    match = new_match(game_named("cube-farm"), Random(1))
    text = as_text(table_letters.report(match, TABLE, reader(Seat(0)), 0, PRESS))
    assert "P -> S, T:\n| Shall we share?\n| 'BEGIN'\n| 1: nothing\n| END\n" in text
    assert "Unsigned:\n| Beware.\n" in text
    assert "The game master:\n| Happy new year.\n" in text


def test_the_last_letter_tells_the_result_with_every_sum_explained() -> None:
    match = new_match(game_named("cube-farm"), Random(4))
    play_on(match, Random(4), 400)
    assert match.outcome is not None
    letter = table_letters.report(match, TABLE, reader(Seat(0)), match.ply - 1)
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
        text = as_text(table_letters.report(match, TABLE, reader(seat), 0))
        assert ("BEGIN" in text) == (seat == now)
    assert "BEGIN" not in as_text(table_letters.report(match, TABLE, reader(None), 0))


# -- Coming back -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_letter_with_press_that_means_harm_holds_an_order(game: AnyGame, language: str) -> None:
    """`test_golden` shows the same of whole conversations."""
    match = new_match(game, Random(6))
    play_on(match, Random(6), 5)
    who = reader(min(match.to_act), language)
    for letter in (
        table_letters.report(match, TABLE, who, 0, PRESS),
        *(table_letters.press_letter(game, TABLE, who, press) for press in PRESS),
    ):
        assert_reads_as_nothing(as_text(letter).splitlines(), game)


def test_a_letter_of_ours_that_comes_back_itself_is_known() -> None:
    match = new_match(game_named("cube-farm"), Random(1))
    letter = table_letters.report(match, TABLE, reader(Seat(0)), 0)
    stamp = Stamp("judge@x.example", "a@x.example", message_id(KEY, "r1", "x.example"), DEADLINE)
    assert read(as_mail(letter, stamp), KEY).silence


def test_every_letter_about_a_table_has_one_link_and_the_deadline_in_its_readers_zone() -> None:
    match = new_match(game_named("cube-farm"), Random(1))
    play_on(match, Random(1), 6)
    who = reader(Seat(0))
    first = replace(TABLE, states=(("S (Ann)", "ready"), ("P (Bob)", "missing")))
    letters = [
        table_letters.report(match, TABLE, who, 0, PRESS),
        table_letters.press_letter(match.game, TABLE, who, PRESS[0]),
        table_letters.welcome(match, TABLE, who),
        table_letters.reminder(match, first, who, late=False),
        *(table_letters.notice(match.game, TABLE, who, kind, facts) for kind, facts in FACTS),
        answer(say(Desk(), "1: nothing"), "x", match, TABLE, who),
    ]
    for letter in letters:
        text = as_text(letter)
        assert text.count("https://x.example/t") == 1, letter.kind
        assert "2026-11-01 21:00\nEurope/Berlin" in text or "21:00 Europe/Berlin" in text
        assert as_html(letter).count('<a href="https://x.example/t"') == 1
    assert "- S (Ann): ready\n- P (Bob): no orders yet" in as_text(letters[3])


@pytest.mark.parametrize("language", ["en", "de"])
def test_beside_every_form_stands_an_order_that_could_be_sent(language: str) -> None:
    for game in games():
        match = new_match(game, Random(3))
        seat = min(match.to_act)
        letter = table_letters.reminder(match, TABLE, reader(seat, language), late=False)
        example = game.say("order-examples", {}, language).splitlines()
        assert f"| {example[0]}" in as_text(letter)
        # Only where orders are held does a later one take the place of an earlier one.
        last = {"en": "What you send last counts", "de": "Was zuletzt kommt, gilt"}[language]
        assert (last in as_text(letter).replace("\n", " ")) == bool(game.parts)
        for line in example:
            (found,) = game.read_orders(match.deck, [line])
            assert found.fault is None, line
        whole = as_text(Letter("", "", list(help_with_orders(game, "", language))))
        assert all(f"| {line}" in whole for line in example)
    named = as_text(Letter("", "", list(help_with_orders(None, "human-resources", language))))
    assert "P05d" in named
    asked = as_text(Letter("", "", list(help_with_orders(None, "", language))))
    assert "| HELP ORDERS cube-farm" in asked
    assert_reads_as_nothing(named.splitlines(), game_named("human-resources"))


def test_german_examples_of_hires_are_the_same_hires() -> None:
    game, seen = game_named("human-resources"), 0
    for seed in range(30):
        match = new_match(game, Random(seed))
        play_on(match, Random(seed), seed)
        for seat in match.to_act:
            view = match.view(seat)
            forms = [
                [line for line in game.order_form(view, language) if line.startswith("#")]
                for language in ("en", "de")
            ]
            for english, german in zip(*forms, strict=True):
                written = [line.partition(": ")[2] for line in (english, german)]
                assert written[0].startswith("hire ")
                assert written[1].startswith("einstellen ")
                (meant,), (said,) = (game.read_orders(match.deck, [line]) for line in written)
                assert said.fault is None, german
                assert meant.move == said.move
                seen += 1
    assert seen > 12


def test_the_mover_is_told_what_the_move_brought() -> None:
    game = game_named("human-resources")
    match = new_match(game, Random(5))
    seat = min(match.to_act)
    play_on(match, Random(5), 1)
    letter = Letter("", "", list(tell_move(match, reader(seat))))
    hand = game.scene(match.view(seat)).panels
    (own,) = [panel for panel in hand if panel.is_private]
    alts = " ".join(picture.alt for picture in letter.pictures())
    assert all(card.name in alts for card in own.cards)
    assert "board0" in {picture.name for picture in letter.pictures()}
    assert "What happened" in as_text(letter)


def test_pictures_of_several_tables_in_one_letter_stay_apart() -> None:
    matches = [new_match(game_named("human-resources"), Random(seed)) for seed in (1, 2)]
    for match in matches:
        play_on(match, Random(4), 5)
    blocks = [one for match in matches for one in table_letters.draw_table(match, reader(None))]
    letter = Letter("", "", distinct([*blocks, *blocks]))
    names = [picture.name for picture in letter.pictures()]
    assert {"board0", "board0-other"} <= set(names)
    drawn = {one.svg for one in blocks[0].pictures} if isinstance(blocks[0], Drawing) else set()
    assert drawn <= {picture.svg for picture in letter.pictures()}
    assert len(names) == len(set(names))


# -- Answers ---------------------------------------------------------------------------------


def test_an_answer_rules_on_every_line_and_tells_all_that_is_held() -> None:
    desk = Desk()
    say(desk, "1: card 23 N2")
    said = say(desk, "2: employee N1", "3: card 99 N2", "hello", "2: card ____ at ____ turn 0")
    first = replace(TABLE, turn=1)
    text = as_text(answer(said, "PBM Cube Farm", desk.matches[FARM], first, reader(Seat(0))))
    assert re.search(r"\| 2: employee N1\n    \| [+?] ", text)  # there may be a warning
    assert "| 3: card 99 N2\n    | - " in text
    assert "| hello\n    | - " in text
    held = text.partition("Held for you now")[2]
    assert "23" in held
    assert "N1" in held


def test_a_mail_refused_as_a_whole_is_answered_with_the_reason() -> None:
    desk = Desk()
    said = judged(mail(["BEGIN", "1: card 23 N2"], token(), wrapped=False), desk)
    letter = answer(said, "PBM Cube Farm", desk.matches[FARM], TABLE, reader(Seat(0)))
    assert letter.subject == "PBM Cube Farm: nothing of your mail was carried out"
    assert "no line END" in as_text(letter).replace("\n", " ")
    assert "Nothing is held for you." in as_text(letter)


def test_a_forecast_looks_at_the_readers_own_orders_alone() -> None:
    desk = Desk()
    match = desk.matches[FARM]
    assert "nothing to forecast" in as_text(Letter("", "", [*forecast(match, reader(Seat(0)))]))
    say(desk, "1: card 23 N2")
    before = as_text(Letter("", "", [*forecast(match, reader(Seat(0)))]))
    say(desk, "1: card 9 N2", shown=token(FARM, "s1"))
    assert as_text(Letter("", "", [*forecast(match, reader(Seat(0)))])) == before
    assert "change your total by" in before.replace("\n", " ")
