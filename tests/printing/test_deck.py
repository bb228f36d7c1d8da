"""Decks on paper: marks where the knife goes, backs behind their faces, and nothing cut off."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from openplan.core.registry import all_games, game_named
from openplan.decks import load_deck
from openplan.printing.alignment import print_alignment
from openplan.printing.deck import deck_pages, print_deck
from openplan.printing.paper import BLEED, CARD, Backs, CannotPrint, Edge, Job, Paper, read_offset
from openplan.printing.press import print_pages
from openplan.printing.sheets import Page, Piece, lay_out
from tests.printing.paper import boxes_of, page_count, picture_of, run, text_of

GAMES = sorted(all_games())
NEAR = 0.1
"""Millimetres."""


def printed(folder: Path, game: str, job: Job) -> Path:
    found = game_named(game)
    pdf = folder / f"{game}.pdf"
    pdf.write_bytes(print_deck(found, load_deck(found), job))
    return pdf


def piece_to_measure() -> Piece:
    """A face and a back that are nothing but a dark surface inside the cut, with white around it;
    its upper left quarter is white, so that it tells where up is."""
    width, height = CARD

    def drawn(left: float) -> str:
        return (
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width + 6} {height + 6}'>"
            f"<path d='M3 3h{width}v{height}H3z'/>"
            f"<path fill='#fff' d='M{3 + left} 8h20v20h-20z'/></svg>"
        )

    # Seen through the paper, the back's white square lies behind that of the face.
    return Piece(width, height, drawn(5), drawn(width - 25), "face", "back")


@pytest.mark.parametrize(("paper", "edge"), list(itertools.product(Paper, Edge)))
def test_backs_lie_behind_their_faces(paper: Paper, edge: Edge, tmp_path: Path) -> None:
    job = Job(paper, edge=edge)
    pdf = tmp_path / "test.pdf"
    pdf.write_bytes(print_pages(lay_out([piece_to_measure()] * 4, job), "test"))
    assert page_count(pdf) == 2
    front, back = picture_of(pdf, 1), picture_of(pdf, 2)
    wide, high = paper.size
    # Rows and columns through the cards: their edges, and those of the white squares in them.
    for y in (high / 2 - 1.5 * CARD[1] + 12, high / 2):
        seen = front.dark_in_row(y, 9, wide - 9)
        other = y if edge is Edge.LONG else high - y
        through = back.dark_in_row(other, 0, wide)
        if edge is Edge.LONG:
            through = [(wide - b, wide - a) for a, b in reversed(through)]
        assert seen
        assert len(seen) == len(through)
        for (a, b), (c, d) in zip(seen, through, strict=True):
            assert abs(a - c) <= NEAR
            assert abs(b - d) <= NEAR
    x = wide / 2 - 1.5 * CARD[0] + 12
    top = (high - 3 * CARD[1]) / 2
    seen = front.dark_in_column(x, top - 1, high - top)
    through = back.dark_in_column(wide - x if edge is Edge.LONG else x, 0, high)
    if edge is Edge.SHORT:
        through = [(high - b, high - a) for a, b in reversed(through)]
    assert len(seen) == len(through) > 1
    for (a, b), (c, d) in zip(seen, through, strict=True):
        assert abs(a - c) <= NEAR
        assert abs(b - d) <= NEAR


def test_an_offset_moves_the_backs_alone(tmp_path: Path) -> None:
    plain, moved = tmp_path / "plain.pdf", tmp_path / "moved.pdf"
    plain.write_bytes(print_pages(lay_out([piece_to_measure()], Job()), "test"))
    moved.write_bytes(print_pages(lay_out([piece_to_measure()], Job(offset=(0.5, -1))), "test"))
    assert picture_of(plain, 1) == picture_of(moved, 1)
    ((left, _),) = picture_of(plain, 2).dark_in_row(60, 0, 210)
    ((left_now, _),) = picture_of(moved, 2).dark_in_row(60, 0, 210)
    assert abs(left_now - left - 0.5) <= NEAR
    top = picture_of(plain, 2).dark_in_column(190, 0, 100)[0][0]
    top_now = picture_of(moved, 2).dark_in_column(190, 0, 100)[0][0]
    assert abs(top_now - top + 1) <= NEAR


@pytest.mark.parametrize("paper", Paper)
def test_marks_stand_where_the_knife_goes(paper: Paper, tmp_path: Path) -> None:
    pdf = printed(tmp_path, "human-resources", Job(paper))
    wide, high = paper.size
    left, top = (wide - 3 * CARD[0]) / 2, (high - 3 * CARD[1]) / 2
    page = picture_of(pdf, 1)
    above = page.dark_in_row(top - BLEED - 2, 0, wide)
    assert [(a + b) / 2 for a, b in above] == pytest.approx(
        [left + n * CARD[0] for n in range(4)], abs=NEAR
    )
    beside = page.dark_in_column(left - BLEED - 2, 0, high)
    assert [(a + b) / 2 for a, b in beside] == pytest.approx(
        [top + n * CARD[1] for n in range(4)], abs=NEAR
    )
    # Between mark and picture is nothing, and nothing at all where no printer prints.
    assert page.dark_in_row(top - BLEED - 0.25, 0, wide, 250) == []
    assert page.dark_in_row(1.5, 0, wide, 250) == []
    assert page.dark_in_column(1.5, 0, high, 250) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_block_goes_on_beyond_the_cut(game: str, tmp_path: Path) -> None:
    pdf = printed(tmp_path, game, Job())
    back = picture_of(pdf, 2)
    left, top = (210 - 3 * CARD[0]) / 2, (297 - 3 * CARD[1]) / 2
    middle = back.row(top + 44, left - BLEED + 0.2, 210 - left + BLEED - 0.2)
    assert max(middle[:60]) < 255
    assert max(middle[-60:]) < 255
    assert set(back.row(top + 44, 0, left - BLEED - 0.2)) == {255}


@pytest.mark.parametrize("game", GAMES)
def test_all_words_of_all_cards_can_be_read(game: str, tmp_path: Path) -> None:
    pdf = printed(tmp_path, game, Job(backs=Backs.NONE))
    found = game_named(game)
    deck = load_deck(found)
    text = " ".join(text_of(pdf).split())
    for card in deck.cards:
        picture = found.card_picture(deck, card)
        for words in (picture.name, picture.title, picture.told or picture.text):
            assert words in text, card
    fonts = run("pdffonts", str(pdf)).decode().splitlines()[2:]
    assert fonts
    assert all(line.split()[-5:-2] == ["yes", "yes", "yes"] for line in fonts)
    assert "Tagged:          yes" in run("pdfinfo", str(pdf)).decode()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("low_ink", [False, True])
def test_nothing_on_a_card_comes_near_the_knife(game: str, low_ink: bool, tmp_path: Path) -> None:
    """Below the title a face is white for 2.5 mm from each edge."""
    pdf = printed(tmp_path, game, Job(backs=Backs.NONE, one_per_page=True, low_ink=low_ink))
    for number in (1, 5, 20, 40, 54):
        page = picture_of(pdf, number, 150)
        wide, high = (CARD[0] + 2 * BLEED, CARD[1] + 2 * BLEED)
        for x in (BLEED + 1, BLEED + 2.5, wide - BLEED - 2.5, wide - BLEED - 1):
            assert set(page.column(x, BLEED + 20, high)) == {255}
        for y in (high - BLEED - 2.5, high - BLEED - 1):
            assert set(page.row(y, 0, wide)) == {255}


def test_a_print_service_gets_boxes(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "human-resources", Job(one_per_page=True))
    boxes = boxes_of(pdf)
    bleed = [0, 0, CARD[0] + 2 * BLEED, CARD[1] + 2 * BLEED]
    assert boxes["MediaBox"] == pytest.approx(bleed, abs=0.01)
    assert boxes["BleedBox"] == pytest.approx(bleed, abs=0.01)
    trim = [BLEED, BLEED, BLEED + CARD[0], BLEED + CARD[1]]
    assert boxes["TrimBox"] == pytest.approx(trim, abs=0.01)
    assert page_count(pdf) == 2 * len(load_deck(game_named("human-resources")).cards)


def test_the_same_deck_gives_the_same_bytes() -> None:
    game = game_named("human-resources")
    deck = load_deck(game)
    for job in (Job(), Job(backs=Backs.FOLD), Job(one_per_page=True)):
        assert print_deck(game, deck, job) == print_deck(game, deck, job)


def test_backs_of_two_colours_never_share_a_sheet() -> None:
    game = game_named("human-resources")
    deck = load_deck(game)
    for page in deck_pages(game, deck, Job())[1::2]:
        assert len({at.svg for at in page.placed}) == 1


def test_a_back_lies_across_the_fold(tmp_path: Path) -> None:
    (page,) = lay_out([piece_to_measure()] * 4, Job(backs=Backs.FOLD))
    assert page.fold is not None
    pdf = tmp_path / "fold.pdf"
    pdf.write_bytes(print_pages([page], "test"))
    picture, middle = picture_of(pdf, 1), page.fold[0]
    for y in (page.height / 2 - 70, page.height / 2 + 44):
        seen = picture.dark_in_row(y, 15, middle - 1)
        folded = [
            (2 * middle - b, 2 * middle - a)
            for a, b in reversed(picture.dark_in_row(y, middle + 1, page.width - 15))
        ]
        assert len(seen) == len(folded) > 0
        for (a, b), (c, d) in zip(seen, folded, strict=True):
            assert abs(a - c) <= NEAR
            assert abs(b - d) <= NEAR


@pytest.mark.parametrize("edge", Edge)
def test_the_test_sheet_says_the_offset_that_helps(edge: Edge, tmp_path: Path) -> None:
    """A printer that puts backs off by some millimetres: on the scale stands what undoes it."""
    off = (2.0, -3.0)
    job = Job(edge=edge, offset=off)
    pdf = tmp_path / "test.pdf"
    pdf.write_bytes(print_alignment(job))
    back = picture_of(pdf, 2)
    wide, high = job.paper.size
    (across,) = [(a + b) / 2 for a, b in back.dark_in_row(high / 2 - 6 + off[1], 90, 120)]
    (down,) = [(a + b) / 2 for a, b in back.dark_in_column(wide / 2 - 6 + off[0], 130, 170)]
    assert (across - wide / 2, down - high / 2) == pytest.approx(off, abs=NEAR)
    # As it is seen through the paper, and what is read there.
    if edge is Edge.LONG:
        seen, signs = (wide / 2 - across, down - high / 2), (1, -1)
    else:
        seen, signs = (across - wide / 2, high / 2 - down), (-1, 1)
    read = (signs[0] * seen[0], signs[1] * seen[1])
    assert (read[0] + off[0], read[1] + off[1]) == pytest.approx((0, 0), abs=NEAR)
    numbers = {
        (round(float(x)), round(float(y)))
        for x, y in ((signs[0] * 5, 0), (-signs[0] * 5, 0), (0, signs[1] * 5), (0, -signs[1] * 5))
    }
    assert len(numbers) == 4
    words = text_of(pdf, "-f", "1", "-l", "1", "-bbox")
    at_right = [line for line in words.splitlines() if f">{signs[0] * 5:+}<" in line]
    centre = wide / 2 / 25.4 * 72
    xs = [float(line.split('"')[1]) - centre for line in at_right]
    assert any(5 / 25.4 * 72 < x < 10 / 25.4 * 72 for x in xs)


def test_lines_cost_less_ink(tmp_path: Path) -> None:
    """Of a sheet of dark backs less than a third is dark."""
    pdf = printed(tmp_path, "human-resources", Job(low_ink=True))
    back = picture_of(pdf, 2, 100)
    assert sum(value < 200 for value in back.grey) < 0.33 * len(back.grey)
    full = picture_of(printed(tmp_path, "human-resources", Job()), 2, 100)
    assert sum(value < 200 for value in full.grey) > 0.7 * len(full.grey)


@pytest.mark.parametrize("text", ["", "1", "1;2", "1,x", "nan,1", "1,2,3", "11,0", "0,-99"])
def test_a_bad_offset_is_refused(text: str) -> None:
    with pytest.raises(CannotPrint):
        read_offset(text)


def test_what_does_not_fit_is_refused() -> None:
    huge = Piece(300, 300, "", "", "")
    with pytest.raises(CannotPrint, match="does not fit"):
        lay_out([huge], Job())
    assert lay_out([], Job()) == []


def test_pages_keep_to_the_paper() -> None:
    for game, paper, backs in itertools.product(GAMES, Paper, (Backs.DUPLEX, Backs.FOLD)):
        found = game_named(game)
        for page in deck_pages(found, load_deck(found), Job(paper, backs)):
            assert all(_is_on(page, *at) for at in _corners(page))


def _corners(page: Page) -> list[tuple[float, float]]:
    lines = [corner for x, y, u, v in page.marks for corner in ((x, y), (u, v))]
    return [
        *lines,
        *(
            corner
            for at in page.placed
            for corner in (
                (at.x - at.shown[0], at.y - at.shown[1]),
                (at.x + at.width + at.shown[2], at.y + at.height + at.shown[3]),
            )
        ),
    ]


def _is_on(page: Page, x: float, y: float) -> bool:
    return 0 <= x <= page.width and 0 <= y <= page.height
