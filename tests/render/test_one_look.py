"""What the page draws in CSS and paper as SVG has one look: docs/adr/0015."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from openplan.core.scene import Board, Tile
from openplan.render import svg

WEB = Path(__file__).parents[2] / "web" / "src"
THEME = "look/theme.css"
FARM = "games/cube_farm/draw"


def style(file: str, name: str) -> str:
    """What a property is in a light page; it is set once in the file."""
    (found,) = re.findall(
        rf"^\s+{re.escape(name)}: ([^;]+);", (WEB / file).read_text(), re.MULTILINE
    )
    light = re.fullmatch(r"light-dark\(([^,]+), [^)]+\)", found)
    return light[1] if light else found


@pytest.mark.parametrize(
    ("file", "name", "drawn"),
    [
        (THEME, "--ink", svg.INK),
        (THEME, "--ink-soft", svg.SOFT),
        (THEME, "--accent", svg.ACCENT),
        (THEME, "--cubicle-dark", svg._DARK),
        (THEME, "--wall", svg.WALL),
        (f"{FARM}/palette.css", "--wall", svg.WALL),
        (f"{FARM}/palette.css", "--ground-line", svg.LINE),
    ],
)
def test_colours_are_one(file: str, name: str, drawn: str) -> None:
    assert style(file, name) == drawn


def test_a_wall_is_as_thick_and_as_round() -> None:
    """On squares of 40, here and there."""
    walls = (WEB / FARM / "Walls.svelte").read_text()
    assert f"const U = {svg.SQUARE};" in walls
    drawn = svg.draw_board(Board("", (Tile(0, 0, "floor", walls="N"),)))
    thick = style(f"{FARM}/Walls.svelte", "stroke-width")
    assert f"stroke='{svg.WALL}' stroke-width='{thick}' stroke-linecap='round'" in drawn
    assert style(f"{FARM}/Walls.svelte", "stroke-linecap") == "round"
    assert style(f"{FARM}/Walls.svelte", "stroke") == "var(--wall)"


def test_a_card_has_one_shape() -> None:
    (across, down) = re.findall(
        r"aspect-ratio: ([0-9]+) / ([0-9]+);",
        (WEB / "games/human_resources/draw/Face.svelte").read_text(),
    )[0]
    assert int(across) / int(down) == pytest.approx(svg.CARD_WIDTH / svg.CARD_HEIGHT, abs=0.005)
