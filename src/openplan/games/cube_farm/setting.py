"""How a table comes about: dealt (CF-2), set up by hand, or followed from a viewer's record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from openplan.core.deal import Chance, Deal
from openplan.core.game import OPEN, Illegal, Position, Seat, Unreadable, Viewer
from openplan.core.grid import Square, flood, format_square, parse_square
from openplan.core.position import text_of, unset
from openplan.games.cube_farm.cards import LETTERS, DrawingError, FarmDeck, read_drawing
from openplan.games.cube_farm.kernel import codes
from openplan.games.cube_farm.kernel.board import AWAY, FIRST_DEAL
from openplan.games.cube_farm.kernel.floor import Floor
from openplan.games.cube_farm.kernel.placing import place_card, why_card
from openplan.games.cube_farm.kernel.walking import why_employee
from openplan.games.cube_farm.state import FLOORS, SEATS, Drawn, State, lay_floor, new_table
from openplan.games.cube_farm.text.notation import SENT, UNTOLD, Orders, format_orders, parse_orders

HIDDEN: Final = "?"
MOST_IN_HAND: Final = 40
"""Fifteen reach a player in a match; a hand set up by hand may have more, and ten come later."""
HANDS: Final = tuple(f"hand {code}" for code in SEATS)

# -- The deal --------------------------------------------------------------------------------


def deal(deck: FarmDeck, chance: Chance) -> Deal:
    """CF-2.1. Labels in the order of a record: start, hands, deck."""
    elevators = [name for name in deck.cards if deck.card[name].is_elevator]
    dealt = {"start": chance.draw("start", elevators, codes.FLOORS)}
    left = set(deck.cards).difference(dealt["start"])
    for label in HANDS:
        dealt[label] = chance.draw(label, left, FIRST_DEAL)
        left.difference_update(dealt[label])
    return {**dealt, "deck": chance.draw("deck", left, len(left))}


def deal_told(deal_: Deal, viewer: Viewer) -> Deal:
    if any(HIDDEN in names for names in deal_.values()):
        raise Illegal("deal", "something is covered in this deal", "CF-2")
    if viewer == OPEN:
        return deal_
    told = dict(deal_)
    for seat, label in enumerate(HANDS):
        if viewer != seat:
            told[label] = (HIDDEN,) * len(deal_[label])
    told["deck"] = (HIDDEN,) * len(deal_["deck"])
    return told


def start(deck: FarmDeck, house: Mapping[str, str], deal_: Deal) -> State:
    """CF-2 from a deal, whole or as told to a viewer."""
    _check_deal(deck, deal_)
    table = new_table(deck, house)
    for number, name in enumerate(deal_["start"]):
        lay_floor(table.floor(number), (), [(deck.index[name], 0, 0, 0)], ())

    def numbers(label: str) -> list[int]:
        return [deck.index.get(name, codes.NONE) for name in deal_[label]]

    for seat, label in enumerate(HANDS):
        table.set_hand(seat, numbers(label))
    table.set_deck(numbers("deck"))
    return State(deck, house, table, tuple(range(len(deck.cards))))


def _check_deal(deck: FarmDeck, deal_: Deal) -> None:
    def wrong(reason: str, clause: str) -> Illegal:
        return Illegal("deal", reason, clause)

    labels = ["start", *HANDS, "deck"]
    if list(deal_) != labels:
        raise wrong(f"a deal has the lines {', '.join(labels)}", "CF-2")
    cards = [name for label in labels for name in deal_[label]]
    for name, count in Counter(cards).items():
        if name != HIDDEN and name not in deck.card:
            raise wrong(f"{name[:20]!r} is not a card of this deck", "CF-2.2")
        if name != HIDDEN and count > 1:
            raise wrong(f"card {name} is dealt twice", "CF-2.2")
    if len(cards) != len(deck.cards):
        raise wrong(f"{len(cards)} cards are dealt, not {len(deck.cards)}", "CF-2.1")
    first = deal_["start"]
    if len(first) != codes.FLOORS or any(
        name not in deck.card or not deck.card[name].is_elevator for name in first
    ):
        raise wrong("three elevator cards start the floors", "CF-2.1")
    if any(len(deal_[label]) != FIRST_DEAL for label in HANDS):
        raise wrong(f"each player is dealt {FIRST_DEAL} cards", "CF-2.1")


# -- A position set up by hand ---------------------------------------------------------------

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
    return State(deck, house, table, stock, drawn)


def sealed_in(deck: FarmDeck, position: Position) -> dict[Seat, Orders]:
    """The orders that a position has as sent already; they must still be judged."""
    found = {}
    for seat, code in enumerate(SEATS):
        text = text_of(position, f"orders {code}")
        if text:
            try:
                found[Seat(seat)] = parse_orders(deck, text)
            except Unreadable as error:
                raise unset(f"orders {code}: {error.reason}") from None
    return found


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


# -- A viewer's table, followed entry by entry -----------------------------------------------

_TOLD_ORDERS: Final = re.compile(r"([SPT]) orders (.+)")
_TOLD_DEAL: Final = re.compile(r"dealt ([SPT])((?: (?:\?|\d{1,3}))*)")


def learn(state: State, text: str) -> Orders:
    """The orders that an entry tells; of another seat's only that they were sent."""
    return UNTOLD if text == SENT else parse_orders(state.deck, text)


def learn_facts(state: State, facts: Sequence[str]) -> None:
    """Put the orders told into their seals, and the cards where they must have been."""
    table, deck = state.table, state.deck
    orders: dict[Seat, Orders] = {}
    pile = table.deck_list()
    dealt = 0
    for fact in facts:
        if found := _TOLD_ORDERS.fullmatch(fact):
            seat = Seat(SEATS.index(found[1]))
            orders[seat] = parse_orders(deck, found[2])
            _find_in_hand(state, seat, orders[seat])
        elif found := _TOLD_DEAL.fullmatch(fact):
            for name in found[2].split():
                if name != HIDDEN and dealt < len(pile):
                    if name not in deck.index or not _is_loose(state, deck.index[name]):
                        raise Illegal("record", f"card {name[:20]} cannot have been dealt")
                    pile[dealt] = deck.index[name]
                dealt += 1
    if dealt:
        table.set_deck(pile)
    if orders:
        # An adjudication: whoever is not told to have sent orders has sent none.
        for number in range(len(SEATS)):
            state.sealed[number] = orders.get(Seat(number))


def _find_in_hand(state: State, seat: Seat, orders: Orders) -> None:
    """Cards show themselves by being named: they were among those of the hand not known."""
    named = [phase.card.card for phase in orders.phases if phase.card is not None]
    if len(set(named)) < len(named):
        # CF-3.4: such orders are refused when they are sent.
        raise Illegal("record", f"one card cannot have been ordered twice: {format_orders(orders)}")
    for phase in orders.phases:
        for square in (phase.card and phase.card.square, phase.employee):
            if square is not None and max(abs(square.x), abs(square.y)) >= AWAY:
                raise Illegal("record", f"{format_square(square)} cannot have been ordered")
        if phase.card is not None:
            hand = state.table.hand_of(seat)
            card = state.deck.index[phase.card.card]
            if card not in hand:
                if codes.NONE not in hand or not _is_loose(state, card):
                    raise Illegal("record", f"card {phase.card.card} cannot be in that hand")
                hand[hand.index(codes.NONE)] = card
                state.table.set_hand(seat, hand)


def _is_loose(state: State, card: int) -> bool:
    """Whether nobody has seen this card anywhere yet."""
    table = state.table
    lying = {
        int(floor.placed[place]) >> 2
        for floor in (table.floor(number) for number in range(codes.FLOORS))
        for place in range(int(floor.placed_count))
    }
    held = {held for seat in range(codes.SEATS) for held in table.hand_of(seat)}
    return card not in lying | held | set(table.deck_list()) | set(state.spent)
