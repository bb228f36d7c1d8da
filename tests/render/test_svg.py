"""A scene as SVG: everything that is on the table is in the drawing, and nothing else gets in."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from openplan.core.deal import seeded
from openplan.core.game import AnyGame, Seat
from openplan.core.match import Match
from openplan.core.registry import all_games
from openplan.core.scene import Board, CardPicture, Tile
from openplan.decks import load_deck, shipped
from openplan.render.svg import draw_board, draw_cards, draw_scene

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
        squares = [rect for rect in ET.fromstring(svg).iter(f"{SVG}rect") if "x" in rect.attrib]
        assert len(squares) >= len(board.tiles)
        for tile in board.tiles:
            assert tile.label in ("", ".") or tile.label in words_in(svg)
    for panel in scene.panels:
        words = words_in(draw_cards(panel.cards))
        assert [card.name for card in panel.cards if card.name] == [
            word for word in words if word in {card.name for card in panel.cards}
        ]


def test_dark_squares_are_told_apart_without_colour() -> None:
    dark, light = (draw_board(Board("", (Tile(0, 0, kind),))) for kind in ("dark", "light"))
    assert dark.count("url(#hatch)") == 1
    assert light.count("url(#hatch)") == 0


def test_each_wall_is_a_line_on_its_side() -> None:
    plain = lines_in(draw_board(Board("", (Tile(0, 0, "floor"),))))
    walled = draw_board(Board("", (Tile(0, 0, "floor", walls="NE"),)))
    assert lines_in(walled) == plain + 2
    assert "x1='30' y1='30' x2='66' y2='30'" in walled  # north, below the margin of 30
    assert "x1='66' y1='30' x2='66' y2='66'" in walled  # east, a square of 36 further


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
