"""The table as a neutral picture, for any medium to draw."""

from __future__ import annotations

from typing import Final

from openplan.core.scene import Board, CardPicture, Panel, Scene, Tile
from openplan.games.cube_farm import kernel
from openplan.games.cube_farm.cards import KIND_NAMES, LETTERS, SIDES, FarmDeck
from openplan.games.cube_farm.explain import totals
from openplan.games.cube_farm.floor import Floor
from openplan.games.cube_farm.state import DEPARTMENTS, FLOORS, SEATS
from openplan.games.cube_farm.view import FarmView
from openplan.games.cube_farm.words import KINDS

BACK: Final = "card"
_TITLES: Final = {"top": "Top floor", "middle": "Middle floor", "basement": "Basement"}


def card_picture(deck: FarmDeck, name: str) -> CardPicture:
    card = deck.card[name]
    # A kind in words for every letter of the drawing that is not plain floor or cube.
    kinds = sorted({kind for kind in card.kinds if kind not in (kernel.FLOOR, kernel.CUBE)})
    text = ", ".join(f"{LETTERS[kind]} {kind_words(kind)}" for kind in kinds)
    return CardPicture(BACK, name, card.title, None, card.drawing, text, card.text)


def kind_words(kind: int) -> str:
    """A kind of square with what it is worth."""
    value = int(kernel.VALUE[kind])
    words = KINDS["en"][KIND_NAMES[kind]]
    if kind in (kernel.VP, kernel.RECEPTIONIST):
        return f"{words} -{value}"
    return f"{words} {value}" if value else words


def scene_of(view: FarmView) -> Scene:
    table = view.laid()
    floors = [table.floor(number) for number in range(kernel.FLOORS)]
    boards = tuple(
        Board(f"{_TITLES[name]}, home of {SEATS[number]}", _tiles(floors[number]))
        for number, name in enumerate(FLOORS)
    )
    panels = []
    for seat, code in enumerate(SEATS):
        cards = tuple(
            CardPicture(BACK)
            if card == kernel.NONE
            else card_picture(view.deck, view.deck.name_of(card))
            for card in view.hands[seat]
        )
        hidden = sum(card == kernel.NONE for card in view.hands[seat])
        note = f"{len(cards)} cards" if hidden else ""
        panels.append(Panel(f"{code} hand", cards, note, seat == view.viewer))
    points = totals(floors)
    status = [
        "  ".join(f"{code} {DEPARTMENTS[n]} {points[n]}" for n, code in enumerate(SEATS)),
        _status(view),
    ]
    return Scene("PBM Cube Farm", boards, tuple(panels), tuple(line for line in status if line))


def _tiles(floor: Floor) -> tuple[Tile, ...]:
    tiles = []
    # An employee is shown once, at the first square of the cube that it has.
    shown = {
        floor.cube_squares(floor.employee[place])[0]: SEATS[int(floor.employee_seat[place])]
        for place in range(int(floor.employee_count))
    }
    for square in floor.squares():
        kind, wall = int(floor.kind[square]), int(floor.wall[square])
        walls = "".join(side for bit, side in enumerate(SIDES) if wall & (1 << bit))
        label = _label(kind)
        if kind == kernel.CUBE and floor.owner_at(square) >= 0:
            label = shown.get(square, "*")
        x, y = int(floor.x_of(square)), int(floor.y_of(square))
        tiles.append(Tile(x, y, KIND_NAMES[kind], label, walls))
    return tuple(tiles)


def _label(kind: int) -> str:
    """The letter of a deck's drawing, with the value of a bonus or penalty."""
    if kind in (kernel.FLOOR, kernel.FILLED):
        return "."
    value = int(kernel.VALUE[kind])
    if kind in (kernel.VP, kernel.RECEPTIONIST):
        return f"{LETTERS[kind]}-{value}"
    return f"{LETTERS[kind]}{value}" if value else LETTERS[kind]


def _status(view: FarmView) -> str:
    if view.is_over:
        return "The game is over."
    sent = [SEATS[seat] for seat, orders in enumerate(view.sealed) if orders is not None]
    words = f"Turn {view.turn} of {kernel.TURNS}."
    return f"{words} Orders are in from {', '.join(sent)}." if sent else words
