"""Turns on paper: whole, to be filled in with a pen, and nothing in them that is not the seat's."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.core.record import read_record, write_record
from openplan.core.registry import game_named
from openplan.decks import find_deck
from openplan.mail.outbound.table_letters import Reader, draw_hand
from openplan.printing import postal
from openplan.printing.paper import CannotPrint, Paper, Sheet
from openplan.printing.postal import print_turns, seats_to_print, tell_turn
from tests.mail.test_secrecy import truths
from tests.printing.paper import page_count, picture_of, text_of
from tests.probes import games, new_match, play_on

GAMES = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
SHEET = Sheet("J2g", "2026-12-01 20:00 UTC", "games@example.org")


def begun(game: AnyGame, plays: int = 7) -> Match:
    rng = Random(3)
    match = new_match(game, rng)
    play_on(match, rng, plays)
    return match


def saved(folder: Path, pdf: bytes) -> Path:
    path = folder / "turn.pdf"
    path.write_bytes(pdf)
    return path


@GAMES
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_print_is_for_a_seat(game: AnyGame, language: str) -> None:
    """Two truths that a seat cannot tell apart give it the same bytes."""
    compared = 0
    for match, other, seat in truths(game, range(4)):
        if seat is None:
            continue
        ours, theirs = (tell_turn(one, seat, SHEET, language) for one in (match, other))
        assert ours == theirs
        assert print_turns([ours]) == print_turns([theirs])
        compared += 1
    assert compared >= 4


@GAMES
def test_a_planted_leak_is_seen(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the eyes of another seat the same comparison finds a difference."""

    def leaky(match: Match, reader: Reader) -> object:
        assert reader.seat is not None
        return draw_hand(match, replace(reader, seat=Seat((reader.seat + 1) % len(game.seats))))

    monkeypatch.setattr(postal, "draw_hand", leaky)
    assert any(
        tell_turn(match, seat, SHEET) != tell_turn(other, seat, SHEET)
        for match, other, seat in truths(game, range(4))
        if seat is not None
    )


@GAMES
def test_all_that_a_player_needs_is_on_paper(game: AnyGame, tmp_path: Path) -> None:
    match = begun(game)
    seat = min(match.to_act)
    pdf = print_turns([tell_turn(match, seat, SHEET)])
    assert pdf == print_turns([tell_turn(match, seat, SHEET)])
    text = text_of(saved(tmp_path, pdf))
    for words in (game.title, "J2g", "2026-12-01 20:00 UTC", "games@example.org", "Signed"):
        assert words in text
    scene = game.scene(match.view(seat))
    for panel in scene.panels:
        if panel.is_private:
            assert all(card.title in text.replace("\n", " ") for card in panel.cards)
    assert "____" not in text


def test_boxes_are_wide_enough_for_a_pen(tmp_path: Path) -> None:
    """A box of 27 by 10 mm for each thing to be written: of a phase card, square, turning and
    employee."""
    match = begun(game_named("cube-farm"))
    told = tell_turn(match, Seat(0), SHEET, form_only=True)
    boxes = sum(len(line["parts"]) - 1 for line in told["form"] if line["is"] == "line")
    assert boxes == 3 * 4
    page = picture_of(saved(tmp_path, print_turns([told])), 1, 150)
    widths = set()
    for tenth in range(400, 2000):
        sides = page.dark_in_row(tenth / 10, 25, 190)
        widths |= {round(right - left) for (_, left), (right, _) in itertools.pairwise(sides)}
    assert widths & {26, 27}


def test_no_two_seats_share_a_sheet(tmp_path: Path) -> None:
    match = begun(game_named("cube-farm"))
    told = [tell_turn(match, seat, SHEET) for seat in seats_to_print(match, form_only=False)]
    pdf = saved(tmp_path, print_turns(told))
    starts = [
        number
        for number in range(1, page_count(pdf) + 1)
        if "What happened" in text_of(pdf, "-f", str(number), "-l", str(number))
    ]
    assert len(starts) == 3
    assert all(number % 2 for number in starts)


@GAMES
def test_nothing_can_be_ordered_when_all_is_over(game: AnyGame) -> None:
    match = begun(game, 500)
    assert match.outcome is not None
    assert tell_turn(match, Seat(0), SHEET)["form"] == []
    with pytest.raises(CannotPrint, match="nothing to order"):
        tell_turn(match, Seat(0), SHEET, form_only=True)
    with pytest.raises(CannotPrint, match="nobody"):
        seats_to_print(match, form_only=True)


def test_a_record_of_one_seat_prints_no_other() -> None:
    match = begun(game_named("cube-farm"))
    own = read_record(write_record(match, Seat(1)), game_named, find_deck)
    assert seats_to_print(own, form_only=False) == [Seat(1)]
    assert tell_turn(own, Seat(1), SHEET) == tell_turn(match, Seat(1), SHEET)
    watched = read_record(write_record(match, None), game_named, find_deck)
    with pytest.raises(CannotPrint, match="spectator"):
        seats_to_print(watched, form_only=False)


def test_what_somebody_is_called_is_no_markup(tmp_path: Path) -> None:
    game = game_named("cube-farm")
    match = begun(game)
    sheet = Sheet("#panic()", '$x$ #read("/etc/passwd") *', "`")
    text = text_of(saved(tmp_path, print_turns([tell_turn(match, Seat(0), sheet)])))
    assert "#panic()" in text
    assert '$x$ #read("/etc/passwd") *' in text


@pytest.mark.parametrize("paper", Paper)
def test_nothing_is_cut_off(paper: Paper, tmp_path: Path) -> None:
    match = begun(game_named("human-resources"), 60)
    told = tell_turn(match, Seat(0), SHEET)
    pdf = saved(tmp_path, print_turns([told], paper))
    wide, high = paper.size
    for number in range(1, page_count(pdf) + 1):
        page = picture_of(pdf, number, 72)
        for x in (8, wide - 8):
            assert set(page.column(x, 0, high)) == {255}
