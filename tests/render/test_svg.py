"""A scene as SVG: everything that is on the table is in the drawing, and nothing else gets in."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree as ET

import pytest

from openplan.core.deal import seeded
from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.core.scene import Board, CardPicture, Part, Tile
from openplan.decks import load_deck, shipped
from openplan.render.svg import draw_board, draw_boards, draw_card, draw_cards, draw_scene

SVG = "{http://www.w3.org/2000/svg}"


def words_in(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


def lines_in(svg: str) -> int:
    return sum(1 for _ in ET.fromstring(svg).iter(f"{SVG}line"))


@pytest.mark.parametrize("game", all_games().values(), ids=list(all_games()))
def test_every_square_and_card_of_a_table_is_drawn(game: AnyGame) -> None:
    match = Match.start(game, load_deck(game, shipped(game)[0]), secret=seeded(5))
    scene = game.scene(match.view(Seat(0)))
    drawings = draw_scene(scene)
    assert len(drawings) == len(scene.boards)
    for board, (_, svg) in zip(scene.boards, drawings, strict=True):
        drawn = Counter(use.attrib["href"][1:] for use in ET.fromstring(svg).iter(f"{SVG}use"))
        assert drawn == Counter(part.name for tile in board.tiles for part in tile.parts)
        for tile in board.tiles:
            assert tile.parts
            if tile.is_named and tile.label:
                assert tile.label in words_in(svg)
            if tile.worth:
                assert str(tile.worth).replace("-", "\N{MINUS SIGN}") in words_in(svg)
    for panel in scene.panels:
        words = words_in(draw_cards(panel.cards))
        assert [card.name for card in panel.cards if card.name] == [
            word for word in words if word in {card.name for card in panel.cards}
        ]


def test_a_game_without_drawings_has_its_labels_written() -> None:
    tiles = (Tile(0, 0, "dark", "K7"), Tile(1, 0, "light", "Q"))
    assert [word for word in words_in(draw_board(Board("", tiles))) if word in "K7Q"] == ["K7", "Q"]
    card = draw_card(CardPicture("light", "12", "Bid", 3, ("a b", " c "), "Sealed."))
    assert {"12", "Bid", "3", "a b", " c ", "Sealed."} == set(words_in(card))


def test_parts_lie_on_the_square_and_stand_for_its_label() -> None:
    desk = Part("a-desk", 40, 40, "<path d='M0 0h40'/>")
    svg = draw_board(Board("", (Tile(1, 0, "floor", "P4", parts=(desk,), worth=4),)))
    assert svg.count("<path d='M0 0h40'/>") == 1
    assert "<use href='#a-desk' transform='translate(30 30) scale(1)'/>" in svg
    assert words_in(svg) == ["E1", "0", "4"]
    named = draw_board(Board("", (Tile(0, 0, "dark", "P05d", parts=(desk,), is_named=True),)))
    assert "P05d" in words_in(named)


def test_each_wall_is_a_line_on_its_side() -> None:
    plain = lines_in(draw_board(Board("", (Tile(0, 0, "floor"),))))
    walled = draw_board(Board("", (Tile(0, 0, "floor", walls="NE"),)))
    assert lines_in(walled) == plain + 2
    assert "x1='30' y1='30' x2='70' y2='30'" in walled  # north, below the margin of 30
    assert "x1='70' y1='30' x2='70' y2='70'" in walled  # east, a square of 40 further


def test_where_cards_may_be_laid_the_squares_have_names() -> None:
    board = Board("", (Tile(0, 0, "dark"), Tile(1, 0, "light")), {"free": "free"})
    assert {"N1", "E1N1", "W1", "E2", "S1", "E1S1"} < set(words_in(draw_board(board)))
    assert "E1N1" not in words_in(draw_boards([board]))


def test_the_margins_name_the_squares() -> None:
    words = words_in(draw_board(Board("", (Tile(-2, 1, "floor"), Tile(1, 3, "floor")))))
    assert words == ["W2", "W1", "0", "E1", "S1", "S2", "S3"]


def test_texts_never_become_markup() -> None:
    nasty = "<script>&'\""
    svg = draw_cards([CardPicture("dark", nasty, nasty, 3, (), nasty)])
    assert "<script" not in svg
    assert nasty in words_in(svg)
    assert nasty in words_in(draw_board(Board(nasty, (Tile(0, 0, "floor", nasty),))))


def test_a_card_from_behind_shows_its_back_alone() -> None:
    assert words_in(draw_cards([CardPicture("dark"), CardPicture("light")])) == []
