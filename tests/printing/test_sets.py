"""Counters, rules and reference cards on paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from openplan.core.pieces import Pieces
from openplan.core.registry import all_games, game_named
from openplan.core.sentences import LANGUAGES
from openplan.decks import load_deck
from openplan.mail.outbound.rulebook import clauses
from openplan.printing import booklet
from openplan.printing.booklet import count_pages, imposed, print_reference, print_rules
from openplan.printing.counters import COUNTER, SQUARE, counter_pages, print_counters
from openplan.printing.paper import Backs, CannotPrint, Job, Paper
from tests.printing.paper import page_count, picture_of, text_of
from tests.tender import DECK as TENDER_DECK
from tests.tender import GAME as TENDER

GAMES = sorted(all_games())


def saved(folder: Path, pdf: bytes) -> Path:
    path = folder / "printed.pdf"
    path.write_bytes(pdf)
    return path


def squashed(text: str) -> str:
    """Without what line ends and hyphens do to a text."""
    return re.sub(r"[\s\u00ad-]+", "", text)


def test_a_farm_has_all_that_it_needs(tmp_path: Path) -> None:
    game = game_named("cube-farm")
    deck = load_deck(game)
    pages = list(counter_pages(game, deck, Job(backs=Backs.NONE)))
    placed = [at for page in pages for at in page.placed]
    tiles = [at for at in placed if at.width == 3 * SQUARE]
    assert len(tiles) == len(deck.cards)
    assert all("levator" in at.said for at in tiles[:3])
    people = [at.said for at in placed if at.width == COUNTER]
    # CF-1.2, CF-3.1: fifteen phases, an employee in each.
    assert [people.count(name) for name in dict.fromkeys(people)] == [15, 15, 15]
    pdf = saved(tmp_path, print_counters(game, deck, Job()))
    text = text_of(pdf)
    for words in ("Sales & Marketing", "Phase 2: Middle floor", "Basement", "Total"):
        assert words in text
    assert page_count(pdf) == 2 * len(pages)


def test_a_floor_card_has_squares_of_one_size(tmp_path: Path) -> None:
    """The first card's wall stands between its second and third square in the lower row."""
    game = game_named("cube-farm")
    pdf = saved(tmp_path, print_counters(game, load_deck(game), Job(backs=Backs.NONE)))
    page = picture_of(pdf, 1, 300)
    left = (210 - 9 * SQUARE) / 2
    top = (297 - 6 * 2 * SQUARE) / 2
    walls = page.dark_in_row(top + 1.85 * SQUARE, left + 1, left + 3 * SQUARE - 1, 90)
    middles = [(a + b) / 2 - left for a, b in walls if b - a > 1.5]
    assert middles == pytest.approx([SQUARE, 2 * SQUARE], abs=0.1)


def test_who_needs_nothing_is_told_so() -> None:
    assert TENDER.pieces(TENDER_DECK) == Pieces()
    with pytest.raises(CannotPrint, match="nothing but its cards"):
        list(counter_pages(TENDER, TENDER_DECK, Job()))


def test_a_folded_booklet_is_in_order() -> None:
    """Read as one reads it: the sheets lie in each other, folded in the middle."""
    for count in range(1, 30):
        sides = imposed(count)
        whole = len(sides) * 2
        assert whole % 4 == 0
        assert whole - count < 4
        right = [b for _, b in sides[::2]], [a for a, _ in sides[1::2]]
        first = [page for pair in zip(*right, strict=True) for page in pair]
        left = [b for _, b in sides[1::2]], [a for a, _ in sides[::2]]
        last = [page for pair in zip(*left, strict=True) for page in pair]
        read = [page for page in [*first, *reversed(last)] if page]
        assert sorted(read) == list(range(1, count + 1))
        assert [page for page in first if page] == sorted(page for page in first if page)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_clause_stands_in_the_booklet(game: str, language: str, tmp_path: Path) -> None:
    found = game_named(game)
    job = Job(one_per_page=True, language=language)
    pdf = print_rules(found, job)
    assert pdf == print_rules(found, job)
    text = squashed(text_of(saved(tmp_path, pdf)))
    for clause in clauses(game, language):
        assert squashed(f"{clause.number}{clause.title}") in text
        # A footer may come between two pages: the first words are enough.
        assert squashed(" ".join(clause.lines))[:25] in text, clause.number
    drawn = re.findall(r"(?:Example|Beispiel)[A-Z]{2}\.", text)
    assert len(drawn) >= 15
    assert count_pages(pdf) == page_count(tmp_path / "printed.pdf")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_example_has_its_title(game: str, language: str, tmp_path: Path) -> None:
    found = game_named(game)
    pdf = print_rules(found, Job(one_per_page=True, language=language))
    text = squashed(text_of(saved(tmp_path, pdf)))
    examples = booklet._examples(found).values()
    titles = [case.title_in(language) for case in examples]
    assert len(titles) >= 30
    for case, title in zip(examples, titles, strict=True):
        assert title, case.name
        assert squashed(f"{case.name}: {title}")[:40] in text
    if language != "en":
        assert all(case.title != title for case, title in zip(examples, titles, strict=True))


@pytest.mark.parametrize("paper", Paper)
def test_a_sheet_carries_four_pages(paper: Paper, tmp_path: Path) -> None:
    game = game_named("cube-farm")
    pages = count_pages(print_rules(game, Job(paper, one_per_page=True)))
    pdf = print_rules(game, Job(paper))
    assert pdf == print_rules(game, Job(paper))
    folded = saved(tmp_path, pdf)
    assert page_count(folded) == 2 * -(-pages // 4)
    # The title page lies on the right of the first side.
    first = text_of(folded, "-f", "1", "-l", "1", "-x", "0", "-y", "0", "-W", "400", "-H", "600")
    assert game.credit[:20] not in first
    assert game.credit[:20] in text_of(folded, "-f", "1", "-l", "1")
    high, wide = paper.size
    picture = picture_of(folded, 1, 72)
    assert (picture.width, picture.height) == pytest.approx(
        (wide / 25.4 * 72, high / 25.4 * 72), abs=1.01
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", Paper)
@pytest.mark.parametrize("game", GAMES)
def test_a_reference_card_is_one_page(
    game: str, paper: Paper, language: str, tmp_path: Path
) -> None:
    found = game_named(game)
    pdf = saved(tmp_path, print_reference(found, load_deck(found), Job(paper, language=language)))
    assert page_count(pdf) == 1
    text = squashed(text_of(pdf))
    for number in found.pieces(load_deck(found)).key:
        assert squashed(number) in text
    assert squashed(found.say("order-examples", {}, language).splitlines()[0]) in text
