"""The drawings that each game brings: sound, whole, in the page's colours, and all of them used."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import pytest

import openplan
from openplan.core.drawings import Parts
from openplan.core.game import OPEN, AnyGame, Seat
from openplan.core.registry import all_games
from openplan.core.scene import CardPicture, Panel, Scene
from openplan.mail.outbound.pictures import as_png
from openplan.render.svg import CARD_HEIGHT, CARD_WIDTH, draw_card
from tests.probes import deck_of, new_match, play_on

PACKAGE = Path(openplan.__file__).parent
WEB = PACKAGE.parent.parent / "web" / "src"
# A game need not have any: then its squares and cards are written.
GAMES = [
    name
    for name in sorted(all_games())
    if (PACKAGE / "games" / name.replace("-", "_") / "drawings").is_dir()
]


def parts_of(game: str) -> Parts:
    found = import_module(f"openplan.games.{game.replace('-', '_')}.drawings").PARTS
    assert isinstance(found, Parts)
    return found


def files() -> list[Path]:
    return sorted(PACKAGE.glob("games/*/drawings/*.svg"))


@pytest.mark.parametrize("game", GAMES)
def test_every_drawing_can_be_read(game: str) -> None:
    parts = parts_of(game)
    assert len(parts) > 20
    for name in parts:
        part = parts[name]
        ET.fromstring(f"<g>{part.shapes}</g>")
        # Nothing is loaded, nothing is left to a theme.
        assert not re.search(r"url|href|var|style|http", part.shapes), name


@pytest.mark.parametrize(
    "text",
    [
        "<svg viewBox='0 0 4 4'></svg>",
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">\n<image href="x"/>\n</svg>\n',
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4">\n</svg>\n',
    ],
)
def test_what_is_no_drawing_is_refused(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "somegame" / "drawings"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "odd.svg").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    parts = Parts("somegame.drawings")
    with pytest.raises(ValueError, match="the drawing somegame-odd is not"):
        parts["odd"]
    with pytest.raises(KeyError):
        parts["other"]


def test_printed_colours_are_those_of_the_light_theme() -> None:
    sheets = [WEB / "look" / "theme.css", WEB / "games" / "cube_farm" / "draw" / "palette.css"]
    theme: dict[str, str] = {}
    for sheet in sheets:
        theme |= re.findall(r"--([a-z0-9-]+): (?:light-dark\()?(#[0-9a-f]{6})", sheet.read_text())
    used = {
        pair
        for file in files()
        for pair in re.findall(r"var\(--([a-z0-9-]+), ([^()]+)\)", file.read_text())
        if pair[0] != "thread"
    }
    assert len(used) > 10
    assert {name: theme.get(name) for name, _ in used} == dict(used)


@pytest.mark.parametrize("game", [all_games()[name] for name in GAMES], ids=GAMES)
def test_every_drawing_is_used(game: AnyGame) -> None:
    """Over whole games, seen by a player and with everything open, and over all cards."""
    used: set[str] = set()
    for seed in range(4):
        rng = Random(seed)
        match = new_match(game, rng)
        while match.outcome is None and match.ply < 120:
            play_on(match, rng, match.ply + 3)
            for eyes in (Seat(0), OPEN):
                used.update(parts_in(game.scene(match.view(eyes))))
    deck = deck_of(game)
    cards = [game.card_picture(deck, card) for card in deck.cards]
    used.update(parts_in(Scene("", (), (Panel("", tuple(cards)),))))
    parts = parts_of(game.name)
    # Cards of which not even the back is known lie inside a pile, which shows its top alone.
    assert used == {parts[name].name for name in parts if name != "back-unknown"}


@pytest.mark.parametrize("game", [all_games()[name] for name in GAMES], ids=GAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_card_has_room_for_what_it_says(game: AnyGame, language: str) -> None:
    deck = deck_of(game)
    for card in deck.cards:
        picture = game.card_picture(deck, card, language)
        drawn = ET.fromstring(draw_card(picture))
        texts = list(drawn.iter("{http://www.w3.org/2000/svg}text"))
        told = " ".join(text.text or "" for text in texts)
        for words in (picture.title, picture.told or picture.text, picture.name):
            assert words in told, f"{card}: {told}"
        for text in texts:
            assert 10 < float(text.attrib["y"]) < CARD_HEIGHT, card
        for use in drawn.iter("{http://www.w3.org/2000/svg}use"):
            scale = float(use.attrib["transform"].rpartition("scale(")[2].split()[0].rstrip(")"))
            assert scale > 0.35, card


def test_a_drawing_becomes_a_picture_of_twice_its_size() -> None:
    png = as_png(draw_card(CardPicture("dark", "12", "Bid")))
    assert struct.unpack(">II", png[16:24]) == (2 * CARD_WIDTH, 2 * CARD_HEIGHT)


def parts_in(scene: Scene) -> Iterator[str]:
    cards = [card for panel in scene.panels for card in panel.cards]
    tiles = [tile for board in scene.boards for tile in board.tiles]
    tiles += [tile for tile, _ in scene.legend]
    tiles += [tile for card in cards if card.plan for tile in card.plan.tiles]
    yield from (part.name for tile in tiles for part in tile.parts)
    for card in cards:
        yield from (part.name for part in (card.emblem, card.band, card.behind) if part)
