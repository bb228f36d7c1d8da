"""A table as text: every square can be named, nothing is too wide, nothing needs colour."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from openplan.core.grid import Square, format_square, neighbours
from openplan.core.scene import Board, CardPicture, Panel, Scene, Tile
from openplan.render.text import (
    CARD_WIDTH,
    as_ascii,
    draw_board,
    draw_card,
    draw_cards,
    draw_panel,
    draw_scene,
)

PROJECT = CardPicture(
    "dark", "P05d", "Total Reorganisation", 8, ("LDL", "DDD", "LDL"), "", "Nine desks move."
)
MANAGER = CardPicture("light", "M04l", "Shift Manager", None, (), "Slide cubicles.", "Hold on.")
DARK, LIGHT = CardPicture("dark"), CardPicture("light")


def office(size: int, seed: int, flat: bool = False) -> dict[Square, str]:
    """Cubicles that hang together; a flat office grows to the east and west only."""
    rng = random.Random(seed)
    squares = {Square(0, 0): "dark"}
    while len(squares) < size:
        free = sorted({n for square in squares for n in neighbours(square)} - set(squares))
        place = rng.choice([square for square in free if square.y == 0] if flat else free)
        squares[place] = rng.choice(["dark", "light"])
    return squares


def tiles(squares: dict[Square, str], label: str = "") -> tuple[Tile, ...]:
    return tuple(Tile(x, y, kind, label) for (x, y), kind in squares.items())


def read_off(lines: list[str], square: Square) -> str:
    """What a reader finds on a square: under its column's name, beside its row's name."""
    header = lines[1]
    name = format_square((square.x, 0))
    found = [i for i in range(len(header)) if f" {header} "[i : i + len(name) + 2] == f" {name} "]
    assert len(found) == 1, f"column {name} is not there once: {header!r}"
    row = format_square((0, square.y))
    (line,) = [line for line in lines[2:] if line.split()[:1] == [row] and line[:1] not in "│┌"]
    under = f"{line:80}"[found[0] : found[0] + len(name)]
    return under.strip()[:1] or " "


@given(st.integers(1, 40), st.integers(0, 10**6))
def test_every_square_is_found_by_its_name_and_shows_its_colour(size: int, seed: int) -> None:
    squares = office(size, seed)
    lines = draw_board(Board("office", tiles(squares)))[0]
    for square, kind in squares.items():
        assert read_off(lines, square) == ("▒" if kind == "dark" else " "), square
    for square in {n for place in squares for n in neighbours(place)} - set(squares):
        assert read_off(lines, square) == "·", square


@given(st.integers(1, 62), st.integers(0, 10**6), st.booleans())
def test_no_office_is_wider_than_80_columns_or_loses_a_cubicle(
    size: int, seed: int, flat: bool
) -> None:
    squares = office(size, seed, flat)
    drawn = draw_scene(Scene("", (Board("office", tiles(squares)),), ()))
    assert max(cell_len(line) for line in drawn.splitlines()) <= 80
    body = "\n".join(line for line in drawn.splitlines() if "office" not in line)
    shaded = [run for run in body.replace("│", " ").split() if set(run) == {"▒"}]
    assert len(shaded) == sum(kind == "dark" for kind in squares.values())


def test_an_office_of_twenty_columns_is_one_picture() -> None:
    squares = {Square(x, 0): "dark" if x % 3 else "light" for x in range(20)}
    (lines,) = draw_board(Board("office", tiles(squares)))
    assert "│  │▒▒│▒▒│  │" in "\n".join(lines)
    assert "E18" in lines[1]


def test_walls_of_other_squares_are_drawn_where_they_stand_and_meet_in_corners() -> None:
    floor = (Tile(0, 0, "floor", "a", "NW"), Tile(1, 0, "floor", "b", "E"), Tile(0, 1, "floor"))
    (lines,) = draw_board(Board("top", floor))
    assert lines == [
        "top",
        "     0    E1",
        "   ┌────╴    ╷",
        " 0 │ a    b  │",
        "   ╵         ╵",
        "S1",
    ]


def test_rows_stand_equally_far_apart_also_without_walls_between_them() -> None:
    floor = tuple(Tile(0, y, "floor", "abc"[y], "W" if y == 2 else "") for y in range(3))
    (lines,) = draw_board(Board("top", floor))
    assert lines == ["top", "     0", " 0   a", "", "S1   b", "   ╷", "S2 │ c", "   ╵"]


def test_faces_are_written_on_squares_and_below_the_board_where_there_is_no_room() -> None:
    squares = {Square(x, 0): "dark" for x in range(3)}
    wide = "\n".join(draw_board(Board("office", tiles(squares, label="P05d")))[0])
    assert wide.count("▒P05d▒") == 3
    squares = {Square(x, 0): "dark" for x in range(20)}
    narrow = "\n".join(draw_board(Board("office", tiles(squares, label="P05d")))[0])
    assert "0 P05d, E1 P05d" in narrow
    assert narrow.count("P05d") == 20


def test_a_mark_is_shown_and_explained_and_leaves_the_colour_to_be_seen() -> None:
    marked = (Tile(0, 0, "dark", mark="new"), Tile(1, 0, "light"))
    text = "\n".join(draw_board(Board("office", marked))[0])
    assert "▒*▒▒" in text
    assert "* new: 0" in text


def test_a_card_shows_name_value_title_pattern_and_quip_in_one_width() -> None:
    lines = draw_card(PROJECT)
    assert {cell_len(line) for line in lines} == {CARD_WIDTH}
    text = "\n".join(lines)
    assert lines[0].startswith("┌P05d")
    assert lines[0].endswith("8┐")
    assert "[]▒▒[]" in text
    assert "▒▒▒▒▒▒" in text
    assert "Reorganisation" in text
    assert "Nine desks move." in text


def test_a_dark_and_a_light_card_differ_without_colour() -> None:
    dark = draw_card(CardPicture("dark", "M04d", "Shift Manager"))
    light = draw_card(CardPicture("light", "M04d", "Shift Manager"))
    assert dark != light
    assert draw_card(DARK) != draw_card(LIGHT)


def test_rows_of_cards_keep_to_the_width_and_to_one_height() -> None:
    lines = draw_cards([PROJECT, MANAGER, DARK, PROJECT, MANAGER])
    assert max(cell_len(line) for line in lines) <= 80
    assert sum(line.count("┌") for line in lines) == sum(line.count("└") for line in lines) == 5
    assert lines[0].count("┌") == 4


def test_backs_and_piles_are_told_in_a_line_and_hands_are_drawn() -> None:
    assert draw_panel(Panel("B hand", (DARK, LIGHT))) == ["B hand: ▒▒ []"]
    assert draw_panel(Panel("scored", (PROJECT,), "8 points")) == ["scored (8 points): P05d=8"]
    assert draw_panel(Panel("B in play", ())) == ["B in play: -"]
    assert draw_panel(Panel("A hand", (PROJECT, MANAGER)))[1].count("┌") == 2


def test_a_long_pile_is_wrapped() -> None:
    lines = draw_panel(Panel("discard", (PROJECT,) * 40), 50)
    assert max(cell_len(line) for line in lines) <= 50
    assert " ".join(lines).count("P05d=8") == 40


@pytest.mark.parametrize("title", ["会議室の大きな机と椅子の配置換え", "e\u0301" * 30, "x" * 60])
def test_letters_of_any_width_keep_a_card_in_shape(title: str) -> None:
    lines = draw_card(CardPicture("dark", "P05d", title, 8, (), title, title))
    assert {cell_len(line) for line in lines} == {CARD_WIDTH}


def test_ascii_stands_in_for_every_sign_place_by_place() -> None:
    squares = office(20, 4)
    panels = (Panel("A hand", (PROJECT, MANAGER)), Panel("B hand", (DARK, LIGHT)))
    drawn = draw_scene(Scene("A table", (Board("office", tiles(squares)),), panels, ("Go.",)))
    plain = as_ascii(drawn)
    assert plain.isascii()
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in drawn.splitlines()]


def test_a_scene_has_its_title_first_and_what_is_to_be_done_last() -> None:
    drawn = draw_scene(Scene("A table", (), (Panel("A hand", (PROJECT,)),), ("A to play.",)))
    assert drawn.startswith("A table\n")
    assert drawn.endswith("\nA to play.\n")
