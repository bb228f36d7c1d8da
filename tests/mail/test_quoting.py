"""Letters of ours that come back, quoted in any way, hold no order."""

from __future__ import annotations

from random import Random

import pytest

from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.mail.commands.help import help_lines
from openplan.mail.commands.judge import Ruling
from openplan.mail.commands.port import Role
from openplan.mail.outbound.answer_letters import tell_verdicts
from openplan.mail.widths import WIDTH
from tests.mail.build_corpus import FOLDER, own_letter
from tests.mail.desk import Desk, farm
from tests.mail.quoting import assert_reads_as_nothing, mails_with
from tests.mail.sending import judged, say
from tests.mail.understanding import GAME, orders_in
from tests.probes import games, new_match, play_on, probe_of

GAMES = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)


def test_a_report_of_ours_holds_no_order() -> None:
    assert_reads_as_nothing(own_letter(), GAME)


def test_this_test_would_see_an_order() -> None:
    letter = [*own_letter()[:4], "1: card 23 N2", *own_letter()[4:]]
    with pytest.raises(AssertionError, match="order 1"):
        assert_reads_as_nothing(letter, GAME)
    assert any(orders_in(raw) for _, raw in mails_with(letter))


@GAMES
@pytest.mark.parametrize("language", ["en", "de"])
def test_forms_and_orders_that_are_told_hold_no_order(game: AnyGame, language: str) -> None:
    rng = Random(f"{game.name} {language}")
    letter = [":: Game 17", ""]
    for _ in range(8):
        match = new_match(game, rng)
        play_on(match, rng, rng.randrange(12))
        seat, text = probe_of(game).random_move(game, match, rng)
        view = match.view(seat)
        letter += game.tell_orders(view, game.parse_move(match.deck, text), language)
        letter += ["BEGIN", *game.order_form(view, language), "END", ""]
    assert_reads_as_nothing(letter, game)


def test_orders_are_told_in_words_that_read_as_nothing_however_they_are_broken() -> None:
    """At any width, and without marks between BEGIN and END."""
    match: Match = farm()
    view = match.view(Seat(0))
    held = GAME.parse_move(
        match.deck, "1: card 23 N2 turn 1 employee 0; 2: employee E1; 3: nothing"
    )
    for language in ("en", "de"):
        words = " ".join(GAME.tell_orders(view, held, language)).split()
        for place in range(len(words)):
            pieces = [" ".join(words[:place]), " ".join(words[place:])]
            assert GAME.read_orders(match.deck, pieces) == []
        assert GAME.read_orders(match.deck, words) == []


@GAMES
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_letter_that_helps_holds_no_command(game: AnyGame, role: Role, language: str) -> None:
    lines = help_lines(role, language=language)
    assert max(len(line) for line in lines) <= WIDTH
    assert_reads_as_nothing(lines, game)


def test_an_answer_holds_no_order() -> None:
    """What it repeats of a mail is not read a second time."""
    for file in sorted(FOLDER.glob("*.eml"))[::12]:
        found = judged(file.read_bytes(), Desk())
        lines = tell_verdicts(found, "en")
        assert all(len(line) <= WIDTH for line in lines), file.name
        if found.who is not None:
            assert_reads_as_nothing([":: Game 17", *lines, *found.held], GAME)


def test_an_answer_gives_the_line_to_send_instead() -> None:
    found = say(Desk(), "2: crad 17 N3", "1: card 23 at n2 trun 1")
    lines = tell_verdicts(found, "en")
    assert lines[4:6] == ["    |     2: card 17 N3", "   3| 1: card 23 at n2 trun 1"]
    assert lines[-1] == "    |     1: card 23 N2 turn 1"
    again = say(Desk(), *(line for verdict in found.verdicts for line in verdict.instead))
    assert len(again.held) == 3
    assert all(verdict.ruling is not Ruling.REFUSED for verdict in again.verdicts)


def test_an_answer_shows_each_line_with_what_became_of_it() -> None:
    found = say(Desk(), "1: card 9 N2", "2: card 48 N2", "what?", "2: card ____ at ____ turn 0")
    assert tell_verdicts(found, "en") == [
        "   2| 1: card 9 N2",
        "    | - phase 1: card 9 is not in your hand [CF-3.4]",
        "    |   Send instead:",
        "    |     1: card ____ at ____ turn 0",
        "    |     1: employee ____",
        "   3| 2: card 48 N2",
        "    | + understood",
        "   4| what?",
        "    | - this is neither a command nor an order",
        "   5| 2: card ____ at ____ turn 0",
        "    |   a blank is left, so this is no order",
    ]
