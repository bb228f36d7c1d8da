"""A table set up by hand, as cases, lessons and tools write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from openplan.core.game import Position, Unreadable
from openplan.core.grid import MAX_COORDINATE, Square, flood, parse_square
from openplan.core.position import text_of, unset
from openplan.games.human_resources.cards import (
    NUMBER,
    OfficeDeck,
    colour_of,
)
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.state import ALL, SEATS, State, new_table

LONGEST: Final = 56
"""No match grows an office longer than this; see the kernel."""
FARTHEST: Final = MAX_COORDINATE - 999
"""From here no match grows an office to squares that have no name: it has at most 62 turns, and
no play of a turn reaches farther out than three squares."""

_LISTS: Final = (
    "hand A",
    "hand B",
    "play A",
    "play B",
    "scored A",
    "scored B",
    "discard",
    "deck",
    "hiring",
)
_KEYS: Final = ("office", "at", "faces", *_LISTS, "turn", "plays")


def set_up(deck: OfficeDeck, house: Mapping[str, str], position: Position) -> State:
    """Any table that could lie there, from a drawing and lists of cards."""
    for key in position:
        if key not in _KEYS:
            raise unset(f"there is no {key[:40]!r} in a position; there are: {', '.join(_KEYS)}")
    stock = deck.names(house["promo"] == "yes")
    lists = {key: _cards(position, key, stock) for key in _LISTS}
    colours = _drawn_office(position)
    faces = _faces(position, colours, stock)
    used = Counter(faces.values())
    for names in lists.values():
        used.update(names)
    for name, count in used.items():
        if count > 1:
            raise unset(f"{name} lies in two places")
    unused = [name for name in stock if name not in used]
    for square, colour in colours.items():
        if square not in faces:
            spare = [name for name in unused if colour_of(NUMBER[name]) == colour]
            if not spare:
                raise unset(f"there are not enough {colour} cards for this office")
            unused.remove(spare[-1])
            faces[square] = spare[-1]
    if "deck" not in position:
        lists["deck"] = unused
    _check_lists(deck, lists)
    return _laid_out(deck, house, position, faces, lists)


def _cards(position: Position, key: str, stock: Sequence[str]) -> list[str]:
    names = []
    for word in text_of(position, key).replace(",", " ").split():
        name = word[:1].upper() + word[1:].lower()
        if name == "None":
            continue
        if name not in stock:
            raise unset(f"{key}: {word[:20]!r} is not a card of this match")
        names.append(name)
    return names


def _drawn_office(position: Position) -> dict[Square, str]:
    rows = position.get("office", ["DL", "LD"])
    rows = rows.split("/") if isinstance(rows, str) else list(rows)
    if not all(isinstance(row, str) for row in rows):
        raise unset("'office' is drawn as a list of rows")
    try:
        corner = parse_square(text_of(position, "at", "0"))
    except Unreadable as error:
        raise unset(f"at: {error.reason}") from None
    colours = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row.strip()):
            if letter not in "DL.":
                raise unset(f"'office' is drawn with D, L and . only, not {letter!r}")
            if letter != ".":
                square = Square(corner.x + x, corner.y + y)
                colours[square] = "dark" if letter == "D" else "light"
                if len(colours) > len(NUMBER):
                    raise unset("there are not enough cards for this office")
    if not colours:
        raise unset("the office is empty")
    for place in (0, 1):
        values = [square[place] for square in colours]
        if max(values) - min(values) >= LONGEST:
            raise unset(f"no match makes an office longer than {LONGEST} squares")
        if max(map(abs, values)) > FARTHEST:
            raise unset(f"at: the office lies more than {FARTHEST} squares away from 0")
    if len(flood(next(iter(colours)), colours.__contains__)) < len(colours):
        raise unset("the office is not one piece")
    return colours


def _faces(
    position: Position, colours: Mapping[Square, str], stock: Sequence[str]
) -> dict[Square, str]:
    faces = {}
    for pair in text_of(position, "faces").split():
        where, _, word = pair.partition("=")
        name = word[:1].upper() + word[1:].lower()
        try:
            square = parse_square(where)
        except Unreadable as error:
            raise unset(f"faces: {error.reason}") from None
        if name not in stock or colours.get(square) != colour_of(NUMBER[name]):
            raise unset(f"faces: {pair[:40]!r} names no card of the colour drawn there")
        if square in faces:
            raise unset(f"faces: {where} is named twice")
        faces[square] = name
    return faces


def _check_lists(deck: OfficeDeck, lists: Mapping[str, list[str]]) -> None:
    scorable = ("project", "quota", "crowdfunding", "acquisitions")
    for seat in SEATS:
        for name in lists[f"play {seat}"]:
            if deck.card[name].kind not in ("project", "crowdfunding"):
                raise unset(f"play {seat}: {name} is not a project")
        for name in lists[f"scored {seat}"]:
            if deck.card[name].kind not in scorable:
                raise unset(f"scored {seat}: {name} cannot be scored")
    if len(lists["hiring"]) > 1 or any(
        deck.card[name].ability != "two-plays" for name in lists["hiring"]
    ):
        raise unset("'hiring' names the manager of the two plays, M07d or M07l")


def _laid_out(
    deck: OfficeDeck,
    house: Mapping[str, str],
    position: Position,
    faces: Mapping[Square, str],
    lists: Mapping[str, list[str]],
) -> State:
    turn = text_of(position, "turn", "A").upper()
    if turn not in SEATS:
        raise unset(f"turn: {turn[:20]!r} is neither A nor B")
    plays = text_of(position, "plays", "0")
    if plays not in ("0", "1", "2") or (plays != "0") != bool(lists["hiring"]):
        raise unset("'plays' is 1 or 2, together with 'hiring'")
    if lists["hiring"] and not lists["deck"]:
        raise unset("'plays': none is left, since the deck's last card ends the game [HR-3.2]")
    for code in SEATS:
        if lists["deck"] and not lists[f"hand {code}"]:
            raise unset(f"hand {code}: nobody is without a card, a turn ends with a draw [HR-3.1]")
    table = new_table(deck, house)
    xs = [square.x for square in faces]
    ys = [square.y for square in faces]
    table.origin_x = codes.CENTRE - (min(xs) + max(xs)) // 2
    table.origin_y = codes.CENTRE - (min(ys) + max(ys)) // 2
    for (x, y), name in faces.items():
        table.add(table.square_at(x, y), NUMBER[name])
    table.actor = SEATS.index(turn)
    stock = {NUMBER[name] for name in faces.values()}
    stock.update(NUMBER[name] for names in lists.values() for name in names)
    ordered = tuple(sorted(stock))
    state = State(deck, house, table, ordered, int(table.actor), tossed=False, dealt=False)
    for seat, code in enumerate(SEATS):
        for _, number in sorted(
            (colour_of(NUMBER[name]), NUMBER[name]) for name in lists[f"hand {code}"]
        ):
            table.give(seat, number)
            state.draw(seat, number, "deal")
        for name in lists[f"play {code}"]:
            table.put_in_play(seat, NUMBER[name])
            state.mark(NUMBER[name], ALL)
        for name in lists[f"scored {code}"]:
            table.score(seat, NUMBER[name])
            state.mark(NUMBER[name], ALL)
    for name in reversed(lists["deck"]):
        table.stack(NUMBER[name])
    for name in lists["discard"]:
        table.throw(NUMBER[name])
        state.mark(NUMBER[name], ALL)
    if lists["hiring"]:
        table.hiring = NUMBER[lists["hiring"][0]]
        state.mark(NUMBER[lists["hiring"][0]], ALL)
        table.phase = codes.AT_PLAYS
        table.plays_left = int(plays)
    if not lists["deck"]:
        table.phase = codes.AT_END
    return state
