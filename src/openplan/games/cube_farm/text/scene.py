"""The table as a neutral picture, for any medium to draw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from openplan.core.scene import Board, CardPicture, Panel, Part, Scene, Tile
from openplan.games.cube_farm.cards import KIND_NAMES, LETTERS, SIDES, Card, FarmDeck
from openplan.games.cube_farm.drawings import PARTS
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.scoring import totals
from openplan.games.cube_farm.state import FLOORS, SEATS
from openplan.games.cube_farm.text.words import DEPARTMENTS, KINDS, PICTURE, spoken_in
from openplan.games.cube_farm.view import FarmView

BACK: Final = "card"


def card_picture(deck: FarmDeck, name: str, language: str = "en") -> CardPicture:
    card = deck.card[name]
    # A kind in words for every letter of the drawing that is not plain floor or cube.
    kinds = sorted({kind for kind in card.kinds if kind not in (codes.FLOOR, codes.CUBE)})
    text = ", ".join(f"{LETTERS[kind]} {_kind_words(deck, kind, language)}" for kind in kinds)
    worths = {LETTERS[kind]: worth for kind in kinds if (worth := deck.worth(kind))}
    title, joke = deck.called(name, language, card.title, card.text)
    told = ", ".join(_kind_words(deck, kind, language) for kind in kinds)
    plan = Board("", _card_tiles(deck, card))
    return CardPicture(
        BACK,
        name,
        title,
        None,
        card.drawing,
        text,
        joke,
        worths,
        plan,
        behind=PARTS["back"],
        told=f"{told[:1].upper()}{told[1:]}",
    )


def _card_tiles(deck: FarmDeck, card: Card) -> tuple[Tile, ...]:
    walls = {}
    cubes: set[tuple[int, int]] = set()
    for place, kind in enumerate(card.kinds):
        at = (place % card.width, place // card.width)
        walls[at] = _sides(card.walls[place])
        if kind == codes.CUBE:
            cubes.add(at)
    desks = _desks(cubes, walls)
    return tuple(
        Tile(
            x := place % card.width,
            y := place // card.width,
            KIND_NAMES[kind],
            _label(deck, kind),
            walls[x, y],
            parts=tuple(_parts(deck, kind, x + y, has_desk=(x, y) in desks)),
            worth=deck.worth(kind),
        )
        for place, kind in enumerate(card.kinds)
    )


def _desks(
    cubes: set[tuple[int, int]], walls: Mapping[tuple[int, int], str]
) -> set[tuple[int, int]]:
    """The first square of each cube: a desk stands there, and nowhere else in the cube."""
    first, left = set(), set(cubes)
    for square in sorted(cubes, key=lambda square: (square[1], square[0])):
        if square not in left:
            continue
        first.add(square)
        reached = [square]
        while reached:
            x, y = reached.pop()
            left.discard((x, y))
            for side, (dx, dy) in zip(SIDES, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True):
                if (x + dx, y + dy) in left and side not in walls[x, y]:
                    reached.append((x + dx, y + dy))
    return first


def _parts(
    deck: FarmDeck, kind: int, parity: int, *, has_desk: bool, owner: str = "", sits: bool = False
) -> Iterator[Part]:
    """What is drawn on a square, from the carpet up."""
    in_cube = kind in (codes.CUBE, codes.VP, codes.RECEPTIONIST)
    yield PARTS["floor-cube" if in_cube else "floor-odd" if parity % 2 else "floor"]
    if kind == codes.FILLED:
        yield PARTS["filled"]
    if owner:
        yield PARTS[f"taken-{owner}"]
    if kind not in (codes.FLOOR, codes.FILLED, codes.CUBE) or has_desk:
        yield PARTS[KIND_NAMES[kind]]
    if worth := deck.worth(kind):
        yield PARTS["worth" if worth > 0 else "worth-less"]
    if sits:
        yield PARTS[f"employee-{owner}"]


def _sides(wall: int) -> str:
    return "".join(side for bit, side in enumerate(SIDES) if wall & (1 << bit))


def _kind_words(deck: FarmDeck, kind: int, language: str) -> str:
    """A kind of square with what it is worth in this deck."""
    worth = deck.worth(kind)
    words = KINDS[spoken_in(language)][KIND_NAMES[kind]]
    return f"{words} {worth}" if worth else words


def scene_of(view: FarmView, language: str = "en") -> Scene:
    words = PICTURE[spoken_in(language)]
    table = view.laid()
    floors = [table.floor(number) for number in range(codes.FLOORS)]
    boards = tuple(
        Board(words[name].format(seat=SEATS[number]), _tiles(floors[number], view.deck))
        for number, name in enumerate(FLOORS)
    )
    panels = []
    for seat, code in enumerate(SEATS):
        cards = tuple(
            CardPicture(BACK)
            if card == codes.NONE
            else card_picture(view.deck, view.deck.name_of(card), language)
            for card in view.hands[seat]
        )
        hidden = sum(card == codes.NONE for card in view.hands[seat])
        note = words["card" if len(cards) == 1 else "cards"].format(count=len(cards))
        title = words["hand"].format(seat=code)
        panels.append(Panel(title, cards, note if hidden else "", seat == view.viewer))
    points = totals(floors)
    departments = DEPARTMENTS[spoken_in(language)]
    standings = tuple(f"{code} {departments[n]} {points[n]}" for n, code in enumerate(SEATS))
    known = [card for hand in view.hands for card in hand if card != codes.NONE]
    kinds = {int(floor.kind[square]) for floor in floors for square in floor.squares()}
    kinds.update(kind for card in known for kind in view.deck.card[view.deck.name_of(card)].kinds)
    status, key = tuple(_status(view, words)), _key(view.deck, kinds, language)
    legend = legend_of(view.deck, kinds, language)
    return Scene("PBM Cube Farm", boards, tuple(panels), status, standings, key, legend)


def _tiles(floor: Floor, deck: FarmDeck) -> tuple[Tile, ...]:
    tiles = []
    # An employee is shown once, at the first square of the cube that it has.
    shown = {
        floor.cube_squares(floor.employee[place])[0]: SEATS[int(floor.employee_seat[place])]
        for place in range(int(floor.employee_count))
    }
    for square in floor.squares():
        kind, walls = int(floor.kind[square]), _sides(int(floor.wall[square]))
        label, owner = _label(deck, kind), ""
        if kind == codes.CUBE and floor.owner_at(square) >= 0:
            label, owner = shown.get(square, "*"), SEATS[floor.owner_at(square)]
        x, y = int(floor.x_of(square)), int(floor.y_of(square))
        parts = _parts(
            deck,
            kind,
            x + y,
            has_desk=kind == codes.CUBE
            and not owner
            and all(floor.kind[other] == codes.CUBE for other in floor.cube_squares(square))
            and square == floor.cube_squares(square)[0],
            owner=owner,
            sits=square in shown,
        )
        worth = deck.worth(kind)
        tiles.append(Tile(x, y, KIND_NAMES[kind], label, walls, parts=tuple(parts), worth=worth))
    return tuple(tiles)


def _key(deck: FarmDeck, kinds: set[int], language: str) -> tuple[str, ...]:
    """What the letters on floors and cards mean."""
    words, names = PICTURE[spoken_in(language)], KINDS[spoken_in(language)]
    others = kinds - {codes.FLOOR, codes.FILLED, codes.CUBE}
    named = [f"{_label(deck, kind)} {names[KIND_NAMES[kind]]}" for kind in others]
    return (words["key"], f"{', '.join(sorted(named, key=str.casefold))}.")


def legend_of(deck: FarmDeck, kinds: set[int], language: str) -> tuple[tuple[Tile, str], ...]:
    """What is drawn on floors and cards, each thing once: departments, cubes, machines."""
    names, departments = KINDS[spoken_in(language)], DEPARTMENTS[spoken_in(language)]
    cube = codes.CUBE
    lines = [
        (
            Tile(
                0,
                0,
                "cube",
                parts=tuple(_parts(deck, cube, 0, has_desk=False, owner=seat, sits=True)),
            ),
            departments[number],
        )
        for number, seat in enumerate(SEATS)
    ]
    for kind in (cube, *sorted(kinds - {codes.FLOOR, codes.FILLED, cube})):
        parts = tuple(_parts(deck, kind, 0, has_desk=kind == cube))
        tile = Tile(0, 0, KIND_NAMES[kind], parts=parts, worth=deck.worth(kind))
        lines.append((tile, names[KIND_NAMES[kind]]))
    return tuple(lines)


def _label(deck: FarmDeck, kind: int) -> str:
    """The letter of a deck's drawing, with the value of a bonus or penalty."""
    if kind in (codes.FLOOR, codes.FILLED):
        return "."
    worth = deck.worth(kind)
    return f"{LETTERS[kind]}{worth}" if worth else LETTERS[kind]


def _status(view: FarmView, words: Mapping[str, str]) -> Iterator[str]:
    yield _stage(view, words)
    if view.spent:
        names = [view.deck.name_of(card) for card in view.spent]
        yield words["spent"].format(cards=", ".join(names))


def _stage(view: FarmView, words: Mapping[str, str]) -> str:
    if view.is_over:
        return words["over"]
    sent = [SEATS[seat] for seat, orders in enumerate(view.sealed) if orders is not None]
    turn = words["turn"].format(turn=view.turn, turns=codes.TURNS)
    return f"{turn} {words['sent'].format(seats=', '.join(sent))}" if sent else turn
