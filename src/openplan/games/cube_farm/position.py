"""A table set up by hand, as cases, lessons and tools write it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from openplan.core.game import Illegal, Position, Seat, Unreadable
from openplan.core.grid import Square, flood, format_square, parse_square
from openplan.core.position import text_of, unset
from openplan.games.cube_farm import rules
from openplan.games.cube_farm.cards import LETTERS, DrawingError, FarmDeck, read_drawing
from openplan.games.cube_farm.deal import HANDS
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import place_card, why_card
from openplan.games.cube_farm.kernel.walking import why_employee
from openplan.games.cube_farm.state import FLOORS, SEATS, Drawn, State, lay_floor, new_table
from openplan.games.cube_farm.text import words
from openplan.games.cube_farm.text.notation import parse_orders
from openplan.games.cube_farm.view import view_of

MOST_IN_HAND: Final = 40
"""Fifteen reach a player in a match; a hand set up by hand may have more, and ten come later."""


_OF_FLOORS: Final = ("floor", "draw", "at", "employees")
_KEYS: Final = (
    *(f"{word} {name}" for name in FLOORS for word in _OF_FLOORS),
    *HANDS,
    "deck",
    "turn",
    *(f"orders {code}" for code in SEATS),
)
_PLACED: Final = re.compile(r"(\d{1,9})(?:@([0-9A-Za-z]+))?(?:/([0-3]))?")
_EMPLOYED: Final = re.compile(r"([SPT])@([0-9A-Za-z]+)", re.IGNORECASE)


def set_up(deck: FarmDeck, house: Mapping[str, str], position: Position) -> State:
    """Any table that could lie there, from cards and their places, drawings and lists of cards."""
    for key in position:
        if key not in _KEYS and key not in house:
            raise unset(f"there is no {key[:40]!r} in a position; there are: {', '.join(_KEYS)}")
    floors = [_placed(deck, position, name) for name in FLOORS]
    drawn = tuple(_drawn(position, name) for name in FLOORS)
    hands = [_cards(deck, position, label) for label in HANDS]
    pile = _cards(deck, position, "deck")
    if any(len(hand) > MOST_IN_HAND for hand in hands):
        raise unset(f"a hand has at most {MOST_IN_HAND} cards here")
    used = Counter([card for cards in floors for card, *_ in cards])
    for names in (*hands, pile):
        used.update(names)
    for card, count in used.items():
        if count > 1:
            raise unset(f"card {deck.name_of(card)} lies in two places")
    unused = [card for card in range(len(deck.cards)) if card not in used]
    for number, name in enumerate(FLOORS):
        if f"floor {name}" not in position and not drawn[number]:
            # A floor of which nothing is said starts with an elevator card that is left.
            spare = [card for card in unused if deck.card[deck.cards[card]].is_elevator]
            if not spare:
                raise unset(f"no elevator card is left to start the floor {name!r}")
            floors[number] = [(spare[0], 0, 0, 0)]
            unused.remove(spare[0])
    if "deck" not in position:
        pile = unused
        unused = []
    table = new_table(deck, house)
    for number, name in enumerate(FLOORS):
        _lay(table.floor(number), name, drawn[number], floors[number], deck)
        _employ(table.floor(number), name, text_of(position, f"employees {name}"))
    for seat, hand in enumerate(hands):
        table.set_hand(seat, hand)
    table.set_deck(pile)
    turn = text_of(position, "turn", "1")
    if turn not in ("1", "2", "3", "4", "5"):
        raise unset(f"turn: {turn[:20]!r} is not 1 to 5")
    table.turn = int(turn)
    stock = tuple(card for card in range(len(deck.cards)) if card not in unused)
    state = State(deck, house, table, stock, drawn)
    _seal(state, position)
    return state


def _seal(state: State, position: Position) -> None:
    """The orders that a position has as sent already; they are judged like any."""
    for number, code in enumerate(SEATS):
        text = text_of(position, f"orders {code}")
        if not text:
            continue
        seat = Seat(number)
        try:
            orders = parse_orders(state.deck, text)
        except Unreadable as error:
            raise unset(f"orders {code}: {error.reason}") from None
        refusal = rules.why_not(view_of(state, seat), orders)
        if refusal is not None:
            why = words.say(refusal.code, refusal.params)
            raise Illegal("position", f"orders {code}: {why}", refusal.clause)
        state.sealed[seat] = orders
    if not rules.awaited(state):
        raise unset("with all orders sent the turn would be adjudicated")


def _square(text: str, key: str) -> Square:
    try:
        square = parse_square(text)
    except Unreadable as error:
        raise unset(f"{key}: {error.reason}") from None
    if max(abs(square.x), abs(square.y)) > codes.LONGEST:
        raise unset(f"{key}: {text} is farther away than a floor can reach")
    return square


def _cards(deck: FarmDeck, position: Position, key: str) -> list[int]:
    cards = []
    for word in text_of(position, key).replace(",", " ").split():
        if word == "none":
            continue
        if word not in deck.index:
            raise unset(f"{key}: {word[:20]!r} is not a card of this deck")
        cards.append(deck.index[word])
    return cards


def _placed(deck: FarmDeck, position: Position, name: str) -> list[tuple[int, int, int, int]]:
    key = f"floor {name}"
    if key in position and f"draw {name}" in position:
        raise unset(f"the floor {name!r} is either laid with cards or drawn")
    cards = []
    for word in text_of(position, key).split():
        found = _PLACED.fullmatch(word)
        if not found or found[1] not in deck.index:
            raise unset(f"{key}: {word[:40]!r} is not a card and its place, such as 23@E3S2/1")
        square = _square(found[2] or "0", key)
        cards.append((deck.index[found[1]], int(found[3] or 0), square.x, square.y))
    if key in position:
        if not cards or not deck.card[deck.cards[cards[0][0]]].is_elevator:
            raise unset(f"{key}: the first card must be an elevator [CF-2.1]")
        if cards[0][1:] != (0, 0, 0):
            raise unset(f"{key}: the first card lies unturned at 0 [CF-2.1, CF-3.6]")
        if len(cards) > 40:
            raise unset(f"{key}: no floor has so many cards")
    return cards


def _drawn(position: Position, name: str) -> tuple[Drawn, ...]:
    key = f"draw {name}"
    rows = position.get(key, ())
    rows = rows.split("/") if isinstance(rows, str) else list(rows)
    corner = _square(text_of(position, f"at {name}", "0"), f"at {name}")
    if not rows:
        return ()
    try:
        width, _, kinds, walls = read_drawing(rows, LETTERS)
    except DrawingError as error:
        raise unset(f"{key}: {error}") from None
    squares = tuple(
        Drawn(corner.x + place % width, corner.y + place // width, kind, walls[place])
        for place, kind in enumerate(kinds)
        if kind != codes.UNCOVERED
    )
    if not squares or len(squares) >= codes.MAX_LAID // 2:
        raise unset(f"{key}: a drawing has from 1 to {codes.MAX_LAID // 2 - 1} squares")
    _check_drawn(key, squares)
    return squares


def _check_drawn(key: str, squares: Sequence[Drawn]) -> None:
    """What is true of a floor however it grew. Whether cards could make it is not asked: a case
    draws no more of a floor than it needs."""
    kinds = [square.kind for square in squares]
    if codes.ELEVATOR not in kinds:
        raise unset(f"{key}: every floor starts with an elevator [CF-2.1]")
    if kinds.count(codes.VP) > 1:
        raise unset(f"{key}: a floor has one VP at most [CF-4.5]")
    # CF-4.1: a card shares an edge with what is there, and filled floor is there like a card.
    covered = {Square(square.x, square.y) for square in squares}
    if len(flood(min(covered), covered.__contains__)) < len(covered):
        raise unset(f"{key}: the floor is not one piece [CF-4.1]")


def _lay(
    floor: Floor,
    name: str,
    drawn: Sequence[Drawn],
    cards: Sequence[tuple[int, int, int, int]],
    deck: FarmDeck,
) -> None:
    lay_floor(floor, drawn, cards[:1], ())
    for card, turn, x, y in cards[1:]:
        square = floor.square_at(x, y)
        if why_card(floor, card, turn, square) != codes.FITS:
            where = format_square((x, y))
            raise unset(f"floor {name}: card {deck.name_of(card)} does not fit at {where}")
        place_card(floor, card, turn, square)


def _employ(floor: Floor, name: str, text: str) -> None:
    for word in text.replace(",", " ").split():
        found = _EMPLOYED.fullmatch(word)
        if not found:
            raise unset(f"employees {name}: {word[:40]!r} is not one such as S@E1")
        square = _square(found[2], f"employees {name}")
        at = int(floor.square_at(square.x, square.y))
        # Someone whose walk was cut off later stays (CF-5.2), so no walk is asked for.
        if why_employee(floor, at) not in (codes.FITS, codes.NO_WALK):
            raise unset(f"employees {name}: nobody can sit at {format_square(square)}")
        floor.employ(at, SEATS.index(found[1].upper()))
