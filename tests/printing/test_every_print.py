"""What holds of all that is printed: nothing is cut off at any of the four sides, it can be read by
who does not see it, and the house deck's backs lie behind its faces."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from openplan.core.game import AnyGame, Seat
from openplan.core.registry import all_games, game_named
from openplan.decks import load_deck
from openplan.printing.booklet import print_reference, print_rules
from openplan.printing.counters import print_counters
from openplan.printing.deck import print_deck
from openplan.printing.paper import BLEED, CARD, Job, Paper, Sheet
from openplan.printing.postal import print_turns, tell_turn
from tests.printing.paper import page_count, picture_of, run
from tests.probes import new_match, play_on

GAMES = sorted(all_games())
NEAR = 0.1
FREE = 3.0
"""Millimetres that no printer reaches."""
RIM = 2.0
"""Marks for the knife go so near, and may be lost there in part."""
PT = 25.4 / 72


def turn_of(game: AnyGame, paper: Paper, language: str, *, form_only: bool) -> bytes:
    rng = Random(3)
    match = new_match(game, rng)
    play_on(match, rng, 7)
    sheet = Sheet("J2g", "2026-12-01 20:00 UTC", "games@example.org")
    seats = [Seat(seat) for seat in match.to_act] if form_only else [Seat(0)]
    turns = [tell_turn(match, seat, sheet, language, form_only=form_only) for seat in seats]
    return print_turns(turns, paper, language)


PRINTS: dict[str, Callable[[AnyGame, Paper, str], bytes]] = {
    "deck": lambda game, paper, language: print_deck(
        game, load_deck(game), Job(paper, language=language)
    ),
    "counters": lambda game, paper, language: print_counters(
        game, load_deck(game), Job(paper, language=language)
    ),
    "rules": lambda game, paper, language: print_rules(
        game, Job(paper, one_per_page=True, language=language)
    ),
    "folded": lambda game, paper, language: print_rules(game, Job(paper, language=language)),
    "reference": lambda game, paper, language: print_reference(
        game, load_deck(game), Job(paper, language=language)
    ),
    "turn": lambda game, paper, language: turn_of(game, paper, language, form_only=False),
    "form": lambda game, paper, language: turn_of(game, paper, language, form_only=True),
}


@pytest.mark.parametrize(("paper", "language"), [(Paper.A4, "de"), (Paper.LETTER, "en")])
@pytest.mark.parametrize("what", PRINTS)
@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_cut_off_at_any_side(
    game: str, what: str, paper: Paper, language: str, tmp_path: Path
) -> None:
    """Counters, tents and the score pad are in the one print. What runs over an edge would be dark
    along it; words are measured too."""
    pdf = tmp_path / "printed.pdf"
    pdf.write_bytes(PRINTS[what](game_named(game), paper, language))
    for number in range(1, page_count(pdf) + 1):
        page = picture_of(pdf, number, 100)
        wide, high = (n * 25.4 / 100 for n in (page.width, page.height))
        for near in (0.5, 1.0, (RIM if what in ("deck", "counters") else FREE) - 0.5):
            for line in (
                page.row(near, 0, wide),
                page.row(high - near, 0, wide),
                page.column(near, 0, high),
                page.column(wide - near, 0, high),
            ):
                assert set(line) == {255}, (number, near)
    told = run("pdftotext", "-bbox", str(pdf), "-").decode()
    for page_told in told.split("<page ")[1:]:
        size = [float(n) for n in re.findall(r'(?:width|height)="([0-9.]+)"', page_told)[:2]]
        words = re.findall(
            r'xMin="([0-9.-]+)" yMin="([0-9.-]+)" xMax="([0-9.-]+)" yMax="([0-9.-]+)"', page_told
        )
        for word in words:
            left, top, right, bottom = (float(n) * PT for n in word)
            assert min(left, top) >= FREE - NEAR, word
            assert right <= size[0] * PT - FREE + NEAR, word
            assert bottom <= size[1] * PT - FREE + NEAR, word


@pytest.mark.parametrize("what", sorted(PRINTS.keys() - {"folded"}))
@pytest.mark.parametrize("game", GAMES)
def test_a_print_is_tagged(game: str, what: str, tmp_path: Path) -> None:
    """All but the booklet whose pages lie side by side."""
    pdf = tmp_path / "printed.pdf"
    pdf.write_bytes(PRINTS[what](game_named(game), Paper.A4, "en"))
    told = run("pdfinfo", str(pdf)).decode()
    assert re.search(r"Tagged: +yes", told)
    assert run("pdfinfo", "-struct", str(pdf)).strip()
    assert b"pdfuaid" in run("pdfinfo", "-meta", str(pdf))


@pytest.mark.parametrize("paper", Paper)
def test_the_house_decks_backs_lie_behind_its_faces(paper: Paper, tmp_path: Path) -> None:
    """Nine cards as they come: where the first page's marks and bands are, and where on the second
    the sign in the middle of each back is."""
    game = game_named("human-resources")
    pdf = tmp_path / "deck.pdf"
    pdf.write_bytes(print_deck(game, load_deck(game), Job(paper)))
    front, back = picture_of(pdf, 1), picture_of(pdf, 2)
    wide, high = paper.size
    top = (high - 3 * CARD[1]) / 2
    marks = [(a + b) / 2 for a, b in front.dark_in_row(top - BLEED - 2, 0, wide)]
    assert len(marks) == 4
    for row in range(3):
        # The bands of a row of faces end where the backs of that row do, seen through the paper.
        faces = front.dark_in_row(top + row * CARD[1] + 2, 0, wide, 200)
        behind = back.dark_in_row(top + row * CARD[1] + 2, 0, wide, 200)
        assert abs(faces[0][0] - (wide - behind[-1][1])) <= NEAR
        assert abs(faces[-1][1] - (wide - behind[0][0])) <= NEAR
        for left, right in pairwise(marks):
            middle = (left + right) / 2
            sign = wide - middle
            # White is the frame of the sign and the sign; outside it nothing is.
            drawn = back.dark_in_row(
                top + (row + 0.5) * CARD[1] + 8, sign - CARD[0] / 2 + 2, sign + CARD[0] / 2 - 2, 250
            )
            assert len(drawn) > 1
            assert abs((drawn[0][1] + drawn[-1][0]) / 2 - sign) <= NEAR
    # Above and below: the first band begins where the backs do.
    first = front.dark_in_column(marks[0] + 1, 0, high / 2, 200)[0][0]
    assert abs(first - back.dark_in_column(wide - marks[0] - 1, 0, high / 2, 200)[0][0]) <= NEAR
