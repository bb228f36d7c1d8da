"""How a table comes about: dealt (HR-2), set up by hand, or followed from a viewer's record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from openplan.core.deal import Chance, Deal
from openplan.core.game import OPEN, Illegal, Position, Seat, Unreadable, Viewer
from openplan.core.grid import MAX_COORDINATE, Square, flood, parse_square
from openplan.core.position import text_of, unset
from openplan.games.human_resources.cards import (
    NUMBER,
    UNKNOWN,
    OfficeDeck,
    colour_of,
    number_of,
    shown,
)
from openplan.games.human_resources.kernel import codes
from openplan.games.human_resources.kernel.board import Board
from openplan.games.human_resources.state import ALL, State, eye, full_stock, new_table
from openplan.games.human_resources.text.notation import Move, parse_move
from openplan.games.human_resources.view import SEATS

FOUNDING: Final = (Square(0, 0), Square(1, 0), Square(0, 1), Square(1, 1))
FOUNDING_COLOURS: Final = ("dark", "light", "light", "dark")  # HR-2.1
HAND: Final = 3
LONGEST: Final = 56
"""No match grows an office longer than this; see the kernel."""
FARTHEST: Final = MAX_COORDINATE - 999
"""From here no match grows an office to squares that have no name: it has at most 62 turns, and
no play of a turn reaches farther out than three squares."""


# -- The deal --------------------------------------------------------------------------------


def deal(deck: OfficeDeck, house: Mapping[str, str], chance: Chance) -> Deal:
    """HR-2: the founding four are drawn blindly, and all that is left is shuffled."""
    left = set(deck.names(house["promo"] == "yes"))

    def draw(label: str, pool: set[str], count: int) -> tuple[str, ...]:
        drawn = chance.draw(label, pool, count)
        left.difference_update(drawn)
        return drawn

    office: tuple[str, ...] = ()
    for colour in FOUNDING_COLOURS:
        office += draw("office", {name for name in left if colour_of(NUMBER[name]) == colour}, 1)
    hands = draw("hand A", left, HAND), draw("hand B", left, HAND)
    pile = draw("deck", left, len(left))
    first = who_starts(deck, hands)
    start = (SEATS[first],) if first is not None else (*chance.draw("start", SEATS, 1), "toss")
    return {"office": office, "hand A": hands[0], "hand B": hands[1], "deck": pile, "start": start}


def who_starts(deck: OfficeDeck, hands: Sequence[Sequence[str]]) -> int | None:
    """HR-2.3: the seat with the lower total of printed points; `None` if chance must decide."""
    total, other = (sum(deck.card[name].value or 0 for name in hand) for hand in hands)
    return None if total == other else int(total > other)


def deal_told(deal_: Deal, viewer: Viewer) -> Deal:
    if any(name in UNKNOWN for names in deal_.values() for name in names):
        raise Illegal("deal", "a whole deal covers no card", "HR-2")
    if viewer == OPEN:
        return deal_

    def backs(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(colour_of(NUMBER[name]) for name in names)

    told = {"office": backs(deal_["office"])}
    for seat, code in enumerate(SEATS):
        hand = deal_[f"hand {code}"]
        # A hand has no order (HR-10.3), so its backs are told in none.
        told[f"hand {code}"] = hand if viewer == seat else tuple(sorted(backs(hand)))
    rest = deal_["deck"]
    told["deck"] = backs(rest[:1]) + ("?",) * (len(rest) - 1)
    told["start"] = deal_["start"]
    return told


def start(deck: OfficeDeck, house: Mapping[str, str], deal_: Deal) -> State:
    """HR-2 from a deal, whole or as told to a viewer."""
    _check_deal(deck, house, deal_)
    table = new_table(deck, house)
    for (x, y), card in zip(FOUNDING, deal_["office"], strict=True):
        table.add(table.square_at(x, y), number_of(card))
    starts = SEATS.index(deal_["start"][0])
    state = State(
        deck, house, table, full_stock(house), starts, len(deal_["start"]) == 2, dealt=True
    )
    for seat, code in enumerate(SEATS):
        # A hand has no order (HR-10.3): by colour, so that the story tells nothing by its order.
        hand = sorted(
            (colour_of(number_of(card)), number_of(card)) for card in deal_[f"hand {code}"]
        )
        for _, number in hand:
            table.give(seat, number)
            state.draw(seat, number, "deal")
    for card in reversed(deal_["deck"]):
        table.stack(number_of(card))
    table.actor = starts
    return state


def _check_deal(deck: OfficeDeck, house: Mapping[str, str], deal_: Deal) -> None:
    def wrong(reason: str, clause: str) -> Illegal:
        return Illegal("deal", reason, clause)

    labels = ["office", "hand A", "hand B", "deck", "start"]
    if list(deal_) != labels:
        raise wrong(f"a deal has the lines {', '.join(labels)}", "HR-2")
    cards = [card for label in labels[:-1] for card in deal_[label]]
    for card in cards:
        if card not in NUMBER and card not in UNKNOWN:
            raise wrong(f"{card[:20]!r} is not a card", "HR-1.1")
    stock = deck.names(house["promo"] == "yes")
    named = Counter(card for card in cards if card in NUMBER)
    for card, count in named.items():
        if count > 1 or card not in stock:
            raise wrong(f"{card} is dealt twice or not in this match", "HR-1.1")
    if len(cards) != len(stock):
        raise wrong(f"{len(cards)} cards are dealt, not {len(stock)}", "HR-1.1")
    if tuple(colour_of(number_of(card)) for card in deal_["office"]) != FOUNDING_COLOURS:
        raise wrong("the office is founded dark, light, light, dark", "HR-2.1")
    hands = [deal_["hand A"], deal_["hand B"]]
    if any(len(hand) != HAND or "?" in hand for hand in hands):
        raise wrong("each hand has three cards", "HR-2.2")
    first = deal_["start"]
    if first not in [("A",), ("B",), ("A", "toss"), ("B", "toss")]:
        raise wrong("the line start names A or B, and toss if chance decided", "HR-2.3")
    if all(card in NUMBER for hand in hands for card in hand):
        starts = who_starts(deck, hands)
        if (starts is None) != (len(first) == 2) or starts not in (None, SEATS.index(first[0])):
            raise wrong("the lower hand starts, or chance if they are equal", "HR-2.3")


# -- A position set up by hand ---------------------------------------------------------------

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


# -- A viewer's table, followed entry by entry -----------------------------------------------


def learn(state: State, seat: Seat, text: str, facts: Sequence[str]) -> Move:
    """Put what an entry tells where blanks lie, so that the move can be played on this table."""
    move = parse_move(text, covered=True)
    table = state.table
    laid = {codes.PLACE: move.cards[:1], codes.EXCHANGE: move.cards[1:]}.get(move.kind, ())
    for card in (*move.cards, *move.leave, move.overtime):
        if card in UNKNOWN and card not in laid and move.kind != codes.ARRANGE:
            raise Illegal("record", "only a card that is laid down or arranged can be covered")
    if move.kind in (codes.CHOOSE, codes.ARRANGE):
        shown_cards: tuple[str, ...] = ()
    elif move.kind == codes.EXCHANGE:
        shown_cards = move.cards
    else:
        shown_cards = move.cards[:1]
    for card in (*shown_cards, move.overtime):
        if card in NUMBER:
            _find_in_hand(state, seat, NUMBER[card])
        elif card:
            _forget_in_hand(state, seat, card, hired=move.cards[0] if move.is_hire else "")
    pile = table.deck_list()
    order = [number_of(card) for card in move.cards] if move.kind == codes.ARRANGE else []
    pile[: len(order)] = order
    drawn = 0
    for fact in facts:
        what, *cards = fact.split() or [""]
        if what == "looked" and cards == [str(min(4, len(pile)))]:
            continue  # told to others: how many, and nothing else
        if what in ("took", "looked", "drew", "top") and not _are_cards(cards, len(pile)):
            raise Illegal("record", f"{fact[:40]!r} names no card that could be there")
        if what == "took" and move.squares and cards[0] in NUMBER:
            at = table.square_at(move.squares[0].x, move.squares[0].y)
            _reveal_face(table, at, NUMBER[cards[0]])
        elif what == "looked" and cards[0] in NUMBER:
            pile[: len(cards)] = [number_of(card) for card in cards]
        elif what in ("drew", "top") and cards and drawn < len(pile):
            if pile[drawn] >= codes.CARDS and (cards[0] in NUMBER or cards[0] in UNKNOWN):
                pile[drawn] = number_of(cards[0])
            drawn += 1 if what == "drew" else 0
    if move.kind == codes.ARRANGE:
        move = move._replace(cards=tuple(shown(number) for number in pile[: len(order)]))
        pile[: len(order)] = table.deck_list()[: len(order)]
    table.deck_size = 0
    for number in reversed(pile):
        table.stack(number)
    return move


def _are_cards(names: Sequence[str], most: int) -> bool:
    known = all(name in NUMBER or name in UNKNOWN for name in names)
    return known and 1 <= len(names) <= max(1, most)


def _find_in_hand(state: State, seat: int, card: int) -> None:
    """A card shows itself: one of the hand's blanks of its colour was it."""
    hand = state.table.hand_of(seat)
    if card not in hand:
        blank = UNKNOWN[colour_of(card)]
        if blank not in hand:
            raise Illegal("record", f"{shown(card)} cannot be in that hand")
        state.table.take_from_hand(seat, blank)
        state.table.give(seat, card)
    state.mark(card, state.known[card] | eye(Seat(seat)))


def _forget_in_hand(state: State, seat: int, colour: str, hired: str) -> None:
    """HR-10.3: a card of this colour leaves face down, and it may have been any of them."""
    blank = UNKNOWN[colour]
    hand = state.table.hand_of(seat)
    same = [card for card in hand if colour_of(card) == colour and shown(card) != hired]
    if not same:
        raise Illegal("record", f"there is no {colour} card in that hand")
    for card in same:
        state.table.take_from_hand(seat, card)
        state.table.give(seat, blank)


def _reveal_face(table: Board, at: int, card: int) -> None:
    if at < 0 or table.colour[at] == 0:
        raise Illegal("record", "there is no cubicle on that square")
    face = int(table.face[at])
    if face != card:
        if face < codes.CARDS or colour_of(face) != colour_of(card):
            raise Illegal("record", f"{shown(card)} cannot be the cubicle on that square")
        table.reface(at, card)
