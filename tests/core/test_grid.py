"""Squares, their names, and what lies next to what."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openplan.core.game import Unreadable
from openplan.core.grid import (
    MAX_COORDINATE,
    Square,
    flood,
    format_square,
    mirrored,
    neighbours,
    parse_square,
    reading_order,
    turned,
)

COORDINATE = st.integers(-MAX_COORDINATE, MAX_COORDINATE)
SQUARE = st.builds(Square, COORDINATE, COORDINATE)


@pytest.mark.parametrize(
    ("square", "name"),
    [
        ((0, 0), "0"),
        ((3, 2), "E3S2"),
        ((-1, -4), "W1N4"),
        ((-2, 0), "W2"),
        ((0, -3), "N3"),
        ((1, 0), "E1"),
        ((0, 1), "S1"),
        ((10, -12), "E10N12"),
    ],
)
def test_names_are_by_compass_from_the_origin(square: tuple[int, int], name: str) -> None:
    assert format_square(square) == str(Square(*square)) == name
    assert parse_square(name) == square


@given(SQUARE)
def test_every_name_reads_back(square: Square) -> None:
    name = format_square(square)
    assert parse_square(name) == square
    assert parse_square(f"  {name.lower()} ") == square


@pytest.mark.parametrize("text", ["E0", "W0S0", "N0", "0", "e0n0"])
def test_a_zero_may_be_written(text: str) -> None:
    assert parse_square(text) == Square(0, 0)


@pytest.mark.parametrize("text", ["E3S2", "S2E3", "E3 S2", "s2  e3"])
def test_a_square_is_read_in_either_order(text: str) -> None:
    assert parse_square(text) == Square(3, 2)
    assert parse_square(text.upper().replace("E", "W").replace("S", "N")) == Square(-3, -2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "E",
        "3",
        "E3W1",
        "S2N3",
        "E3, S2",
        "E-1",
        "E10000",
        "E3S2x",
        "00",
        "E٣",
        "\u017f1",
        "E1\nS1",
    ],
)
def test_anything_else_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_square(text)
    assert caught.value.code == "square"
    assert repr(text) in caught.value.reason


def test_a_refusal_quotes_only_the_beginning() -> None:
    with pytest.raises(Unreadable) as caught:
        parse_square("E" * 5000)
    assert len(caught.value.reason) < 120


def test_neighbours_are_north_east_south_west() -> None:
    assert [str(square) for square in neighbours(Square(0, 0))] == ["N1", "E1", "S1", "W1"]


@given(SQUARE)
def test_neighbours_share_an_edge_both_ways(square: Square) -> None:
    assert len(set(neighbours(square))) == 4
    for other in neighbours(square):
        assert abs(other.x - square.x) + abs(other.y - square.y) == 1
        assert square in neighbours(other)


def test_reading_order_is_north_to_south_then_west_to_east() -> None:
    squares = [parse_square(name) for name in ("S1", "E1", "W1", "0", "N1", "W2S1")]
    assert [str(square) for square in reading_order(squares)] == [
        "N1",
        "W1",
        "0",
        "E1",
        "W2S1",
        "S1",
    ]


def test_a_flood_goes_over_edges_and_not_over_corners() -> None:
    office = {parse_square(name) for name in ("0", "E1", "E1S1", "W1N1", "E3S1")}
    reached = flood(Square(0, 0), office.__contains__)
    assert reached == {parse_square(name) for name in ("0", "E1", "E1S1")}


@given(st.sets(st.builds(Square, st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_a_flood_is_closed_and_connected(squares: set[Square]) -> None:
    start = min(squares)
    reached = flood(start, squares.__contains__)
    assert start in reached
    assert reached <= squares
    for square in reached:
        assert not (set(neighbours(square)) & squares) - reached
    # Every other reached square has a neighbour from which it could be reached.
    assert all(set(neighbours(square)) & reached for square in reached - {start})
    assert all(flood(square, squares.__contains__) == reached for square in reached)


def test_a_quarter_turn_is_clockwise() -> None:
    assert turned(("DL.", "DDD")) == ("DD", "DL", "D.")
    assert mirrored(("DL.", "DDD")) == (".LD", "DDD")


ROWS = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.text("DL.", min_size=width, max_size=width), min_size=1, max_size=4
    ).map(tuple)
)


@given(ROWS)
def test_four_quarter_turns_and_two_mirrors_change_nothing(rows: tuple[str, ...]) -> None:
    assert turned(turned(turned(turned(rows)))) == rows
    assert mirrored(mirrored(rows)) == rows
    assert turned(turned(rows)) == mirrored(rows)[::-1]
